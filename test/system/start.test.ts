/** The start as an operator and a newcomer meet it: refusals, .env, the data folder, metrics, house bots. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { settings } from '../../src/ops/settings.js';
import { freshDatabase, stopCluster, type Scope } from '../support/database.js';
import { eventually, FILE_MS, PATIENCE_MS } from '../support/limits.js';
import { MAIN, ForkedPlatform } from '../support/forked-platform.js';
import { bareEnv, PRODUCTION, temporaryFolder, type Env } from '../support/platform.js';
import { processesOf } from '../support/processes.js';
import { Player } from '../support/player.js';
import { calling, join as joinLobby, passive, scenesOf } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the platform to its end: for starts that fail. */
function run(t: Scope, env: Env, { dotenv = '', args = [] as string[] } = {}): Promise<Run> {
  return runNode(t, [MAIN, ...args], { PORT: 0, HOUSE_BOTS: 0, ...env }, dotenv);
}

function runNode(t: Scope, args: readonly string[], env: Env, dotenv = ''): Promise<Run> {
  const cwd = temporaryFolder(t);
  if (dotenv !== '') writeFileSync(join(cwd, '.env'), dotenv);
  return new Promise((resolve) => {
    const options = { cwd, env: bareEnv(env), timeout: PATIENCE_MS };
    const child = execFile(process.execPath, [...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** A port without a listener. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

await t.test('--help prints every setting with its meaning and default', async (t) => {
  const { code, stdout, stderr } = await run(t, {}, { args: ['--help'] });
  t.same([code, stderr], [0, '']);
  for (const [name, { help }] of Object.entries(settings))
    t.match(stdout, new RegExp(`^ +${name} .*${escaped(help)}`, 'm'));
  t.match(stdout, /ACTION_TIMEOUT_MS .*\[120000\]/);
  t.match(stdout, /^npm start -- [^]*\n\nTakes \S[^]*\n\nSettings, [^]*\n {2}--help +this text\n$/);
});

await t.test('a wrong setting stops the start with one clear line', async (t) => {
  const cases: [env: Env, dotenv: string, expected: RegExp][] = [
    [{ THREADS: 'many' }, '', /^THREADS="many" is not valid: a whole number from 1 to 64\./],
    [{ THREADS: 0 }, '', /^THREADS="0" is not valid/],
    [{ ACTION_PROTOCOL: 'lose' }, '', /^ACTION_PROTOCOL="lose" is not valid: one of strict, loose\./],
    [{ REBUY_COOLDOWNS: '0,soon' }, '', /^REBUY_COOLDOWNS="0,soon" is not valid/],
    [{ ADMIN_KEY: 'short' }, '', /^ADMIN_KEY=\(hidden\) is not valid: a text of at least 16 characters\./],
    [
      { DATABASE_URL: 'mysql://x' },
      '',
      /^DATABASE_URL=\(hidden\) is not valid: postgres:\/\/user:password@host:port\/database\./,
    ],
    [{ REDIS_URL: 'localhost:6379' }, '', /^REDIS_URL=\(hidden\) is not valid: redis:\/\//],
    [{ REDIS_URL: 'redis-sentinel://a:1' }, '', /^REDIS_URL=\(hidden\) is not valid: redis:\/\//],
    [{ THREADS: '' }, 'THREADS=none', /^THREADS="none" is not valid/],
    [{ ...PRODUCTION, SMTP_URL: '' }, '', /^production needs SMTP_URL \(smtp:\/\/user:password@host:587\)\.$/m],
    [
      { NODE_ENV: 'production' },
      '',
      /^production needs SMTP_URL .*; MAIL_FROM .*; PUBLIC_URL \(https:\/\/poker\.example\.com\)\.$/m,
    ],
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

await t.test('what is no option is refused with what to write instead', async (t) => {
  for (const [args, expected] of [
    [['--port', '9000'], 'There is no option --port: settings come from the environment: PORT=9000 npm start'],
    [['--house-bots=0'], 'There is no option --house-bots: settings come from the environment: HOUSE_BOTS=0 npm start'],
    [['--verbose'], 'There is no option --verbose. All settings: npx agent-poker start --help'],
    [['9000'], 'There is no option 9000. All settings: npx agent-poker start --help'],
  ] as const) {
    t.same(await run(t, {}, { args: [...args] }), { code: 1, stdout: '', stderr: `${expected}\n` });
  }
  const swallowed = 'There is no option --port: settings come from the environment: PORT=9000 npm start\n';
  for (const [env, args] of [
    [{ npm_config_port: '9000' }, []],
    [{ npm_config_port: 'true' }, ['9000']],
  ] as const) {
    const told = await run(t, env, { args: [...args] });
    t.same(told, { code: 1, stdout: '', stderr: swallowed }, 'also where npm keeps it, as in npm start --port=9000');
  }
});

await t.test('a Node that is too old is told in one line, before anything is loaded', async (t) => {
  const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '18.20.4' } })`;
  const build = new URL('../../../src/ops/build.mjs', import.meta.url).pathname;
  const told = await promisify(execFile)(process.execPath, ['--import', old, build]).catch((error: unknown) => error);
  t.match(told, { code: 1, stdout: '', stderr: 'Agent Poker needs Node 20.19, 22 or 24; this is Node 18.20.4.\n' });
});

await t.test('a port that is taken stops the start with one clear line', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(async () => server.close());
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const data = join(temporaryFolder(t), 'data');
  const taken = await run(t, { PORT: port, DATA_DIR: data });
  t.match(taken, {
    code: 1,
    stderr: `Port ${port} is taken: stop what listens there, or choose another: PORT=${port + 1}.\n`,
  });
  t.notOk(existsSync(data), 'before a database is made or started');
  t.match(await run(t, { METRICS_PORT: port, DATA_DIR: data }), { code: 1, stderr: `METRICS_PORT=${port + 1}` });
  t.match(await run(t, { HOST: '192.0.2.1', DATA_DIR: data }), {
    code: 1,
    stderr: 'HOST=192.0.2.1 is no address of this',
  });
});

await t.test(
  'a database that cannot be used stops the start, and commands, with one line that names the setting',
  async (t) => {
    const { url } = await freshDatabase(t);
    const { hostname, pathname } = new URL(url);
    const socket = decodeURIComponent(hostname);
    const file = join(temporaryFolder(t), 'file');
    writeFileSync(file, '');
    const closing = createServer((peer) => peer.destroy()).listen(0, '127.0.0.1');
    t.teardown(async () => closing.close());
    await once(closing, 'listening');
    const { port } = closing.address() as AddressInfo;
    const cases: [env: Env, expected: RegExp][] = [
      [
        { DATABASE_URL: 'postgres://me@no-such-host.invalid/poker' },
        /^DATABASE_URL: the host no-such-host\.invalid is unknown: correct it, or leave DATABASE_URL out .* \((ENOTFOUND|EAI_AGAIN)\)\.$/,
      ],
      [
        { DATABASE_URL: 'postgres://me:se@cret@no-such-host.invalid/poker' },
        /^DATABASE_URL: the host no-such-host\.invalid /,
      ],
      [
        { DATABASE_URL: 'postgres://me@127.0.0.1:1/poker' },
        /^DATABASE_URL: nothing listens on 127\.0\.0\.1:1: start PostgreSQL there, or correct the address \(ECONNREFUSED\)\.$/,
      ],
      [
        { DATABASE_URL: `postgres://me@127.0.0.1:${port}/poker` },
        /^DATABASE_URL: 127\.0\.0\.1:\d+ closed the connection: see that it is PostgreSQL/,
      ],
      [
        { DATABASE_URL: 'postgres:///poker?host=/proc/x' },
        /^DATABASE_URL: no PostgreSQL has its socket in \/proc\/x: /,
      ],
      [
        { DATABASE_URL: 'postgres://me:100%@db.example/poker' },
        /^DATABASE_URL is not of the form .*DATABASE_PASSWORD\.$/,
      ],
      [{ DATABASE_URL: 'postgres://me@db.example:port/poker' }, /^DATABASE_URL is not of the form /],
      [{ DATABASE_URL: url.replace(pathname, '/no_such') }, /^DATABASE_URL: there is no database no_such: create it/],
      [
        { DATABASE_URL: `postgres://stranger@${encodeURIComponent(socket)}${pathname}` },
        /^DATABASE_URL: PostgreSQL refuses the user stranger or the password: /,
      ],
      [
        { DATA_DIR: '/proc/x' },
        /^DATA_DIR=\/proc\/x cannot hold the database: name a folder .* \(ENOENT: .*'\/proc\/x'\)\.$/,
      ],
      [{ DATA_DIR: file }, /^DATA_DIR=.*file cannot hold the database: name a folder /],
      [{ DATA_DIR: join(file, 'x') }, /^DATA_DIR=.*file\/x cannot hold the database: name a folder /],
    ];
    for (const [env, expected] of cases) {
      const { code, stdout, stderr } = await run(t, { ...env, LOG_LEVEL: 'error' });
      t.same([code, stdout], [1, ''], JSON.stringify(env));
      t.match(stderr.trimEnd(), expected);
      t.notMatch(stderr, /\bse@?cret|\n./);
    }
    const { stderr: unknown } = await run(t, { DATABASE_URL: 'postgres://me@no-such-host.invalid/poker' });
    for (const [command, ...args] of [
      ['admin/cli.js', 'agents'],
      ['admin/audit/cli.js'],
      ['admin/backup/cli.js', 'backup', join(file, '..', 'new')],
    ] as const) {
      const script = fileURLToPath(new URL(`../../src/${command}`, import.meta.url));
      const told = await runNode(t, [script, ...args], { DATABASE_URL: 'postgres://me@no-such-host.invalid/poker' });
      t.match(told, { code: command.includes('audit') ? 2 : 1, stdout: '', stderr: unknown }, command);
    }
  },
);

await t.test('a start that waits for its database ends on SIGTERM', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1');
  t.teardown(async () => silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const child = spawn(process.execPath, [MAIN], {
    cwd: temporaryFolder(t),
    stdio: 'ignore',
    env: bareEnv({ PORT: 0, DATABASE_URL: `postgres://me@127.0.0.1:${port}/poker` }),
  });
  t.teardown(async () => void child.kill('SIGKILL'));
  const gone = once(child, 'exit');
  const [peer] = (await once(silent, 'connection')) as [Socket];
  t.teardown(async () => void peer.destroy());
  child.kill('SIGTERM');
  t.same(await gone, [0, null]);
});

await t.test('a start that is ended while its PostgreSQL starts leaves none behind', async (t) => {
  const data = temporaryFolder(t);
  const child = spawn(process.execPath, [MAIN], {
    cwd: data,
    stdio: 'ignore',
    env: bareEnv({ PORT: 0, HOUSE_BOTS: 0, DATA_DIR: data }),
  });
  t.teardown(async () => void child.kill('SIGKILL'));
  const gone = once(child, 'exit');
  const running = () => processesOf(data).length > 0 && existsSync(join(data, 'postgres', 'postmaster.pid'));
  await eventually('PostgreSQL starts', () => running() || child.exitCode !== null);
  child.kill('SIGTERM');
  await gone;
  await eventually('it is gone', () => processesOf(data).length === 0);
  t.pass('it is gone as well');
});

await t.test('a production server shows a way in that it lets in', async (t) => {
  const platform = await ForkedPlatform.start(t, { ...PRODUCTION, LOG_LEVEL: 'info', TRUSTED_PROXY: 0 });
  await platform.wrote('lists all settings');
  const curl = /^ +(curl .*)$/m.exec(platform.output)?.[1] ?? '';
  const { stdout } = await promisify(execFile)('sh', ['-c', `${curl} -o /dev/null -w '%{http_code}'`]);
  t.match(stdout, /^20\d$/, curl);
  t.match(platform.output, 'settings: HOST=127.0.0.1 with TRUSTED_PROXY=0: all clients behind a proxy');
  await platform.stop();
  t.match(platform.output.trim().split('\n').at(-1), /"msg":"stopped"/, 'its last word');
});

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
await t.test('a stop says nothing of Redis', { skip: hasRedis ? false : 'no redis-server here' }, async (t) => {
  const port = await freePort();
  const redis = spawn('redis-server', ['--port', String(port), '--save', '', '--dir', temporaryFolder(t)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(async () => void redis.kill('SIGKILL'));
  let said = '';
  redis.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!said.includes('eady to accept connections')) await once(redis.stdout, 'data');
  const platform = await ForkedPlatform.start(t, { REDIS_URL: `redis://127.0.0.1:${port}`, LOG_LEVEL: 'info' });
  await platform.wrote('Redis is connected');
  await platform.healthWhen(({ services }) => services['cache'] === 'ok');
  await platform.stop();
  t.notMatch(platform.output, /Redis is away/);
  t.match(platform.output.trim().split('\n').at(-1), /"msg":"stopped"/);
});

await t.test('from an empty folder to the first hand, by the start text alone', async (t) => {
  const data = temporaryFolder(t);
  const platform = await ForkedPlatform.start(t, {
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
  // A bot that calls the bets of house bots may have lost all before the kill.
  newcomer.auto = passive;
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
    again.auto = passive;
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
    const audit = new URL('../../src/admin/audit/cli.js', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, [audit], {
      cwd: temporaryFolder(t),
      env: bareEnv({ DATA_DIR: data }),
    });
    t.match(stdout, 'Every chip is accounted for.');
  });
});

await t.test('.env is read; the environment wins', async (t) => {
  const platform = await ForkedPlatform.prepare(t, { LOG_LEVEL: 'info' });
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
  const port = await freePort();
  const ADMIN_KEY = 'a-key-for-the-operator';
  const platform = await ForkedPlatform.start(t, { ADMIN_KEY, METRICS_PORT: port });
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
      // Shards report their figures now and then. Frequent requests are refused.
      const text = await eventually(
        'five hands are told',
        async () => {
          const told = await (await scrape(platform.url, ADMIN_KEY)).text();
          return valueOf(told, 'poker_shard_hands_total') >= 5 && told;
        },
        500,
      );
      t.equal(valueOf(text, 'poker_sockets'), 2);
      t.equal(valueOf(text, 'poker_tables'), 1);
      t.equal(valueOf(text, 'poker_lobby_agents'), 0);
      t.match(text, /^poker_mails_waiting 0$/m);
      t.ok(valueOf(text, 'poker_shard_actions_total') >= 40);
      t.ok(valueOf(text, 'poker_frames_sent_total') >= 2 * 5 * 20 && valueOf(text, 'poker_sent_bytes_total') > 10_000);
      t.ok(valueOf(text, 'poker_commit_seconds_count') >= 5 && valueOf(text, 'poker_commit_seconds_sum') > 0);
      t.ok(valueOf(text, 'poker_hand_storing_seconds_sum') >= valueOf(text, 'poker_commit_seconds_sum'));
      t.ok(valueOf(text, 'poker_commit_hands_sum') >= 5);
      t.equal(valueOf(text, 'poker_action_seconds_count'), valueOf(text, 'poker_shard_actions_total'));
      t.ok(valueOf(text, 'poker_shard_queue_seconds_count') > 0);
      for (const thread of ['shard-0', 'front']) {
        t.match(text, new RegExp(`^poker_event_loop_delay_seconds\\{thread="${thread}",stat="p99"\\}`, 'm'));
      }
      t.match(text, /^poker_http_request_seconds_bucket\{le="1",method="POST",route="registerAgent"\} [1-9]/m);
      t.match(text, /^poker_http_answers_total\{method="POST",route="registerAgent",status="201"\} [3-9]/m);
      t.match(await (await scrape(`http://127.0.0.1:${port}`)).text(), 'poker_shard_hands_total');
    },
  );
});

await t.test('both transports play, and say which they are', async (t) => {
  for (const transport of ['uws', 'ws']) {
    const platform = await ForkedPlatform.start(t, { TRANSPORT: transport, LOG_LEVEL: 'info' });
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
  const platform = await ForkedPlatform.prepare(t, { ...PRODUCTION, HOUSE_BOTS: '' });
  await platform.launch();
  const body = { name: 'ada_bot', email: 'ada@example.com', terms_accepted: true };
  t.match(await platform.api('POST', '/api/register', { body }), { status: 403, body: { detail: /session/ } });
  t.match((await platform.health()).game, { active_connections: 0, active_tables: 0 });
});
