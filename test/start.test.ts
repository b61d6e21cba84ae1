import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { settings } from '../src/ops/settings.js';
import { freshDatabase, stopCluster, type Scope } from './support/database.js';
import { bareEnv, MAIN, PRODUCTION, temporaryFolder, TestPlatform, type Env } from './support/platform.js';
import { Player } from './support/player.js';
import { calling, join as joinLobby, scenesOf } from './support/scene.js';

/** What an operator and a newcomer meet: the start, its refusals, .env, the data folder, metrics, house bots. */

t.setTimeout(120_000);
t.teardown(stopCluster);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the platform to its end: for starts that fail. */
function run(t: Scope, env: Env, { dotenv = '', args = [] as string[] } = {}): Promise<Run> {
  const cwd = temporaryFolder(t);
  if (dotenv !== '') writeFileSync(join(cwd, '.env'), dotenv);
  return new Promise((resolve) => {
    const options = { cwd, env: bareEnv({ PORT: 0, HOUSE_BOTS: 0, ...env }), timeout: 30_000 };
    const child = execFile(process.execPath, [MAIN, ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

await t.test('--help prints every setting with its meaning and default', async (t) => {
  const { code, stdout, stderr } = await run(t, {}, { args: ['--help'] });
  t.same([code, stderr], [0, '']);
  for (const [name, { help }] of Object.entries(settings))
    t.match(stdout, new RegExp(`^ +${name} .*${escaped(help)}`, 'm'));
  t.match(stdout, /ACTION_TIMEOUT_MS .*\[120000\]/);
});

await t.test('a wrong setting stops the start with one clear line', async (t) => {
  const cases: [env: Env, dotenv: string, expected: RegExp][] = [
    [{ THREADS: 'many' }, '', /^THREADS="many" is not valid: a whole number from 1 to 64\./],
    [{ THREADS: 0 }, '', /^THREADS="0" is not valid/],
    [{ ACTION_PROTOCOL: 'lose' }, '', /^ACTION_PROTOCOL="lose" is not valid: one of strict, loose\./],
    [{ REBUY_COOLDOWNS: '0,soon' }, '', /^REBUY_COOLDOWNS="0,soon" is not valid/],
    [{ ADMIN_KEY: 'short' }, '', /^ADMIN_KEY=\(hidden\) is not valid/],
    [{ THREADS: '' }, 'THREADS=none', /^THREADS="none" is not valid/],
    [{ ...PRODUCTION, SMTP_URL: '' }, '', /^SMTP_URL is needed in production: mail server; /],
    [{ ...PRODUCTION, PUBLIC_URL: 'http://poker.example' }, '', /^PUBLIC_URL must begin with https: in production/],
    [{}, 'TREADS=2', /^unknown setting TREADS in \.env: did you mean THREADS\?/],
    [{}, 'SHOE_SIZE=44', /^unknown setting SHOE_SIZE in \.env$/m],
    [{ BETWEEN_HAND_MS: 5 }, '', /^unknown setting BETWEEN_HAND_MS in environment: did you mean BETWEEN_HANDS_MS\?/],
    [{ databaseUrl: 'postgres://x' }, '', /^unknown setting databaseUrl in environment: did you mean DATABASE_URL\?/],
  ];
  for (const [env, dotenv, expected] of cases) {
    const { code, stdout, stderr } = await run(t, env, { dotenv });
    t.same([code, stdout], [1, ''], expected.source);
    t.match(stderr, expected);
    t.equal(stderr.trim().split('\n').length, 1, 'one line');
  }
});

await t.test('a port that is taken and a database that is away stop the start with one clear line', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(async () => server.close());
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const closed = await run(t, { DATABASE_URL: `postgres://nobody@127.0.0.1:1/none`, LOG_LEVEL: 'error' });
  t.equal(closed.code, 1);
  t.match(closed.stderr, /^The start failed: .*ECONNREFUSED/);
  for (const TRANSPORT of ['uws', 'ws']) {
    const { url } = await freshDatabase(t);
    const taken = await run(t, { PORT: port, TRANSPORT, DATABASE_URL: url, LOG_LEVEL: 'error' });
    t.equal(taken.code, 1);
    t.match(taken.stderr, new RegExp(`^The start failed: .*${port}`), TRANSPORT);
  }
});

await t.test('from an empty folder to the first hand, by the start text alone', async (t) => {
  const data = temporaryFolder(t);
  const platform = await TestPlatform.start(t, {
    DATA_DIR: data,
    HOUSE_BOTS: 3,
    LOG_LEVEL: 'info',
    BETWEEN_HANDS_MS: 1000,
  });
  const { url, wsUrl } = platform;
  await platform.wrote('lists all settings');
  const { output } = platform;
  for (const line of [`REST +${url}/api`, `bots +${wsUrl}`, `docs +${url}/docs`, `health +${url}/health`]) {
    t.match(output, new RegExp(`^ +${line}$`, 'm'));
  }
  t.match(output, `embedded PostgreSQL in ${data}`);
  t.match(output, 'node dist/examples/bot.js');
  const curl = /^ +(curl .*)$/m.exec(output)?.[1] ?? '';
  const { stdout } = await promisify(execFile)('sh', ['-c', curl]);
  const registered = JSON.parse(stdout) as { api_key: string; agent_id: string; name: string };
  t.match(registered, { name: 'my_bot', email: 'me@example.com', api_key: /^ap_/ });

  const account = {
    agentId: registered.agent_id,
    name: 'my_bot',
    key: registered.api_key,
    seqs: new Map<string, number>(),
  };
  const newcomer = await Player.open(platform, account);
  newcomer.auto = calling;
  const asked = performance.now();
  newcomer.send({ type: 'join_lobby' });
  const result = await newcomer.next('hand_result');
  t.ok(performance.now() - asked < 10_000, 'a lone newcomer plays within 10 s');
  t.ok(Object.keys(result.final_stacks).length >= 2);
  const { seats } = newcomer.last('table_state');
  t.ok(
    seats.some((seat) => 'is_house' in seat && seat.is_house === true),
    'house bots are marked',
  );
  t.notOk('is_house' in seats[newcomer.seat!]!);

  await t.test('a second server on the same folder says that it is in use', async (t) => {
    const { code, stderr } = await run(t, { DATA_DIR: data, LOG_LEVEL: 'error' });
    t.equal(code, 1);
    t.match(stderr, /is in use by another server \(process \d+\): stop it first, or set DATA_DIR to another folder$/m);
    t.equal(stderr.trim().split('\n').length, 1, 'in one line');
    t.equal((await platform.health()).status, 'ok', 'the first goes on');
  });

  await t.test('kill -9, and the next start finds everything: the agent, its chips, its seat', async (t) => {
    const { seat, table } = newcomer;
    await platform.kill();
    await platform.launch();
    const again = await Player.open(platform, account);
    again.auto = calling;
    t.match(await again.next('table_state'), { table_id: table, hero: { seat } });
    t.ok(await again.next('hand_result'), 'and plays on');
    again.send({ type: 'leave_table' });
    await again.until('the seat given up', () => (again.seat === null ? true : undefined));
    const { body } = await platform.api('GET', '/api/season/me', { key: account.key });
    t.match(body, { chips_at_table: 0 });
    t.same(platform.faults, []);
  });

  await t.test('house bots stay out of the leaderboard and of the count of participants', async (t) => {
    const rows = (await platform.api('GET', '/api/season/leaderboard')).body as { bot_name: string }[];
    t.notOk(rows.some(({ bot_name }) => bot_name.startsWith('house')));
    const { body } = await platform.api('GET', '/api/season/current');
    t.match(body, { total_registered: 1 });
  });

  await t.test('SIGTERM ends it well; the audit finds every chip', async (t) => {
    await platform.stop();
    const audit = new URL('../src/admin/audit/cli.js', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, [audit], {
      cwd: temporaryFolder(t),
      env: bareEnv({ DATA_DIR: data }),
    });
    t.match(stdout, 'Every chip is accounted for.');
  });
});

await t.test('.env is read; the environment wins', async (t) => {
  const platform = await TestPlatform.prepare(t, { LOG_LEVEL: 'info' });
  writeFileSync(join(platform.cwd, '.env'), 'TRANSPORT=ws\nLOG_LEVEL=silent\n');
  await platform.launch();
  await platform.wrote('"transport":"ws"');

  await t.test('a second server on the same database is refused', async (t) => {
    const { code, stderr } = await run(t, { DATABASE_URL: platform.env['DATABASE_URL']!, LOG_LEVEL: 'error' });
    t.equal(code, 1);
    t.match(stderr, /^The start failed: Another server works on this database/);
  });

  await t.test('Ctrl-C stops as SIGTERM does', async (t) => {
    const player = await Player.open(platform, await platform.register());
    platform.terminate('SIGINT');
    t.match(await player.closed, { code: 1012, reason: 'server is restarting' });
    t.same(await platform.ended, { code: 0, signal: null });
  });
});

await t.test('/metrics is never public: it has a key, or a listener of its own on loopback', async (t) => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  const ADMIN_KEY = 'a-key-for-the-operator';
  const platform = await TestPlatform.start(t, { ADMIN_KEY, METRICS_PORT: port });
  const scrape = (url: string, key?: string) =>
    fetch(`${url}/metrics`, { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } });
  for (const key of [undefined, 'a-key-for-the-operatoR', (await platform.register()).key]) {
    t.equal((await scrape(platform.url, key)).status, 401);
  }

  await scenesOf(t, platform)(
    'it tells hands, actions, frames, commits, sockets, lobby, tables, answers',
    async (t, scene) => {
      const game = await scene.game(2);
      for (let hand = 0; hand < 5; hand++) await game.finish(calling);
      const valueOf = (text: string, name: string) =>
        [...text.matchAll(new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, 'gm'))].reduce(
          (sum, [, value]) => sum + Number(value),
          0,
        );
      let text = '';
      for (const deadline = Date.now() + 8000; valueOf(text, 'poker_shard_hands_total') < 5;) {
        if (Date.now() > deadline) throw new Error(`no five hands in\n${text}`);
        text = await (await scrape(platform.url, ADMIN_KEY)).text();
      }
      t.equal(valueOf(text, 'poker_sockets'), 2);
      t.equal(valueOf(text, 'poker_tables'), 1);
      t.equal(valueOf(text, 'poker_lobby_agents'), 0);
      t.match(text, /^poker_mails_waiting 0$/m);
      t.ok(valueOf(text, 'poker_shard_actions_total') >= 40);
      t.ok(valueOf(text, 'poker_frames_out') >= 2 * 5 * 20 && valueOf(text, 'poker_bytes_out') > 10_000);
      t.ok(valueOf(text, 'poker_shard_commits_total') >= 5 && valueOf(text, 'poker_shard_commit_ms_total') > 0);
      t.match(text, /^poker_event_loop_delay_ms\{thread="shard-0",stat="p99"\}/m);
      t.match(text, /^poker_event_loop_delay_ms\{thread="front",stat="p99"\}/m);
      t.match(text, /^poker_http_answers_total\{method="POST",route="registerAgent",status="201"\} [3-9]/m);
      t.match(await (await scrape(`http://127.0.0.1:${port}`)).text(), 'poker_shard_hands_total');
    },
  );
});

await t.test('both transports play, and say which they are', async (t) => {
  for (const transport of ['uws', 'ws']) {
    const platform = await TestPlatform.start(t, { TRANSPORT: transport, LOG_LEVEL: 'info' });
    await platform.wrote(`"transport":"${transport}"`);
    const [ada, bob] = await Promise.all(
      ['ada', 'bob'].map(async (name) => Player.open(platform, await platform.register(name))),
    );
    for (const player of [ada!, bob!]) player.auto = calling;
    await Promise.all([joinLobby(ada!), joinLobby(bob!)]);
    await Promise.all([ada!.next('hand_result'), bob!.next('hand_result')]);
    const closed = Promise.all([ada!.closed, bob!.closed]);
    await platform.stop();
    t.match(await closed, [{ code: 1012 }, { code: 1012 }]);
    t.same(platform.faults, []);
  }
});

await t.test('in production nobody registers without a sign-in session, and there are no house bots', async (t) => {
  const platform = await TestPlatform.prepare(t, { ...PRODUCTION, HOUSE_BOTS: '' });
  await platform.launch();
  const body = { name: 'ada_bot', email: 'ada@example.com', terms_accepted: true };
  t.match(await platform.api('POST', '/api/register', { body }), { status: 403, body: { detail: /session/ } });
  t.match((await platform.health()).game, { active_connections: 0, active_tables: 0 });
});
