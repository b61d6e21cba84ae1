/** Ends of the process: by signals, with a frozen embedded PostgreSQL, and with one that ends first. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { stopCluster } from '../support/database.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { PRODUCTION, temporaryFolder } from '../support/platform.js';
import { Player } from '../support/player.js';
import { join as joinLobby, passive } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const inspects = (output: string) => output.includes('Debugger listening');
const onLinux = process.platform === 'linux' ? {} : { skip: 'needs /proc' };

/** A process and all its descendants. */
function family(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch (error) {
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  const found = [pid];
  for (const each of found) for (const [child, parent] of parents) if (parent === each) found.push(child);
  return found;
}

const postmasterOf = (folder: string) =>
  Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

const isThere = (pid: number) => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

for (const signal of ['SIGHUP', 'SIGQUIT'] as const) {
  await t.test(`${signal} drains as SIGTERM does`, async (t) => {
    const platform = await ForkedPlatform.start(t);
    const player = await Player.open(platform, await platform.register());
    platform.terminate(signal);
    t.match(await player.closed, { code: 1012 });
    t.same(await platform.ended, { code: 0, signal: null });
  });
}

await t.test('SIGUSR2 ends nothing, and SIGUSR1 opens no inspector in production', async (t) => {
  const platform = await ForkedPlatform.prepare(t, { ...PRODUCTION, LOG_LEVEL: 'info' });
  await platform.launch();
  for (const signal of ['SIGUSR2', 'SIGUSR1'] as const) {
    platform.terminate(signal);
    await platform.wrote(`"signal":"${signal}"`);
  }
  t.equal((await platform.api('GET', '/health/live')).status, 200);
  t.notOk(inspects(platform.output));
  await platform.stop();
});

await t.test('HOST=::1 is told, and reached, in brackets', async (t) => {
  const platform = await ForkedPlatform.start(t, { HOST: '::1' });
  t.match(platform.url, /^http:\/\/\[::1\]:\d+$/);
  t.match(platform.wsUrl, /^ws:\/\/\[::1\]:\d+\/ws$/);
  t.equal((await platform.api('GET', '/health/live')).status, 200);
});

await t.test('a frozen PostgreSQL does not keep the server from its end', onLinux, async (t) => {
  const DATA_DIR = join(temporaryFolder(t), 'data');
  const platform = await ForkedPlatform.start(t, { DATA_DIR, DRAIN_MS: 500, LOG_LEVEL: 'info' });
  const { key } = await platform.register();
  const frozen = family(postmasterOf(DATA_DIR));
  t.ok(frozen.length > 3, 'with its sessions');
  for (const pid of frozen) process.kill(pid, 'SIGSTOP');
  platform.terminate();
  await platform.ended;
  t.match(platform.output, /does not stop: it is killed|the stop takes too long/);
  await eventually('all of PostgreSQL to be gone', () => !frozen.some(isThere));
  await platform.launch();
  t.equal((await platform.api('GET', '/api/me', { key })).status, 200, 'the next start has all');
  await platform.stop();
});

await t.test(
  'where all processes are told to stop at once, as by systemd, hands are played to their end',
  onLinux,
  async (t) => {
    const DATA_DIR = join(temporaryFolder(t), 'data');
    const platform = await ForkedPlatform.start(t, { DATA_DIR, LOG_LEVEL: 'info', DRAIN_MS: 20_000 });
    const players = [];
    for (const name of ['ada', 'bob']) players.push(await Player.open(platform, await platform.register(name)));
    const [ada, bob] = players as [Player, Player];
    await Promise.all(players.map((player) => joinLobby(player)));
    const turn = await Promise.race(players.map(async (player) => player.myTurn()));
    for (const pid of family(platform.pid).reverse()) if (pid !== platform.pid) process.kill(pid, 'SIGTERM');
    platform.terminate();
    await platform.wrote('it is needed until the end');
    for (const player of players) player.auto = passive;
    const actor = players.find((player) => player.turn !== null)!;
    actor.act(passive(actor.turn!).action);
    const result = await ada.next('hand_result', ({ hand_id }) => hand_id === turn.hand_id);
    t.ok(result, 'the hand is stored, and told');
    t.match(await Promise.all([ada.closed, bob.closed]), [{ code: 1012 }, { code: 1012 }]);
    t.same(await platform.ended, { code: 0, signal: null });
    t.notMatch(platform.output, /DRAIN_MS are void/);
  },
);
