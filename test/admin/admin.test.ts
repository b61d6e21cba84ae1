/** `npx agent-poker admin`: what administrators do beside a running server and without one, and what becomes of it there. */
import t from 'tap';
import { runAdminCommand } from '../support/command.js';
import { freshDatabase, openPool, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { temporaryFolder, TestPlatform, type Env } from '../support/platform.js';
import { join, passive, scenesOf } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const admin = (env: Env, args: readonly string[], from = {}) => runAdminCommand(args, env, from);

const address = await freshDatabase(t);
const platform = await TestPlatform.start(t, { DISCONNECT_HOLD_MS: 500, LOBBY_GRACE_MS: 100 }, address);
const sql = platform.sql!;
const run = (...args: string[]) => admin({ DATABASE_URL: address.url }, args);
const scene = scenesOf(t, platform);
const logged = (subject: string) => sql`
  select actor, action, detail from audit_log where subject = ${subject} order by entry_id`;

await t.test('the platform agent sees what nobody else may', async (t) => {
  const guest = await platform.register('guest');
  const { code, out } = await run('create-platform-agent', '--name', 'platform', '--email', 'admin@example.org');
  t.equal(code, 0);
  const key = /^api_key +(ap_\S{43})$/m.exec(out)?.[1] ?? '';
  const agentId = /^agent_id +(\S{36})$/m.exec(out)?.[1] ?? '';
  const { status, body } = await platform.api('GET', '/health/detail', { key });
  t.equal(status, 200);
  t.match(body, {
    status: 'ok',
    services: { database: 'ok', cache: 'ok', coordinator: 'ok' },
    deposits_pending: 0,
    withdrawal: { running: false },
    financial_reconciliation: { units_match: true, balance_ucents: 0 },
    log_storage: { status: 'ok', hands_stored: 0, newest_hand_at: null, hands_waiting: 0 },
  });
  t.match(await platform.api('GET', '/health/detail', { key: guest.key }), {
    status: 403,
    body: { detail: 'Platform admin only' },
  });
  t.match(await platform.api('GET', '/health/detail'), { status: 401 });
  t.match(await logged(agentId), [{ actor: 'cli', action: 'create_platform_agent', detail: { name: 'platform' } }]);
  t.notMatch(JSON.stringify(await sql`select * from audit_log`), key, 'its key is written down nowhere');

  for (const taken of [
    ['PLATFORM', 'other@example.org'],
    ['other', 'Admin@example.org'],
  ]) {
    const again = await run('create-platform-agent', '--name', taken[0]!, '--email', taken[1]!);
    t.match(again, { code: 1, err: /is taken/ });
  }
  t.match(await run('create-platform-agent', '--name', 'a b', '--email', 'a@example.org'), {
    code: 1,
    err: /a name has/,
  });
  t.match(await run('create-platform-agent', '--name', 'fine', '--email', 'nobody'), { code: 1, err: /no e-mail/ });
});

await scene('a ban ends socket and key at once, also where a word of it was lost', async (t, scene) => {
  for (const lost of [false, true]) {
    const player = await scene.player('cheat');
    const { agentId, key, name } = player.account;
    t.equal((await platform.api('GET', '/api/me', { key })).status, 200, 'its key is known to the server now');
    if (lost)
      await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where query like 'listen%' and datname = current_database()`;
    t.match(await run('ban', name.toUpperCase(), '--reason', 'plays with marked cards'), { code: 0, out: /is banned/ });
    t.match(await player.closed, { code: 4001 });
    t.match(await platform.api('GET', '/api/me', { key }), { status: 401 });
    t.match(await run('ban', agentId, '--reason', 'another'), { code: 0, out: /was banned before/ });
    t.match(await run('agents', '--banned', '--search', name), { out: /banned 20.*: plays with marked cards/ });

    t.match(await run('unban', agentId), { code: 0, out: /may play again/ });
    t.match(await run('unban', agentId), { code: 0, out: /was not banned/ });
    t.equal((await platform.api('GET', '/api/me', { key })).status, 200);
    t.match(await logged(agentId), [
      { action: 'ban', detail: { reason: 'plays with marked cards' } },
      { action: 'unban' },
    ]);
    t.equal((await logged(agentId)).length, 2, 'what changed nothing is not logged');
    await scene.connect(player.account);
  }
});

await t.test('agents are found page by page, by any part of id, name or address', async (t) => {
  const accounts = [];
  for (let n = 0; n < 3; n++) accounts.push(await platform.register('needle'));
  const page = await run('agents', '--search', 'NEEDLE', '--limit', '2');
  t.match(page.out, /1 to 2 of 3/);
  t.match(page.out, accounts[2]!.name, 'the newest first');
  const next = await run('agents', '--search', 'needle', '--limit', '2', '--offset', '2');
  t.match(next.out, /3 to 3 of 3/);
  t.match(next.out, accounts[0]!.agentId);
  t.match(await run('agents', '--search', accounts[1]!.agentId.slice(0, 23)), { out: /1 to 1 of 1/ });
  t.match(await run('agents', '--search', 'nobody_is_called_this'), { code: 0, out: /none/ });
});

await t.test('an address is verified by hand, once', async (t) => {
  const { agentId, name } = await platform.register('shy');
  await sql`update agents set email_verified_at = null where agent_id = ${agentId}`;
  t.match(await run('agents', '--search', name), { out: /not verified/ });
  t.match(await run('verify-email', agentId), { code: 0, out: /is verified/ });
  t.match(await run('verify-email', name), { code: 0, out: /was verified before/ });
  t.match(await logged(agentId), [{ action: 'verify_email' }]);
  t.match(await run('verify-email', 'no_such_agent'), { code: 1, err: 'there is no agent no_such_agent' });
});

await scene('the season ends now, once its number is typed', async (t, scene) => {
  const { season_id: seasonId, season_number: number } = (await platform.api('GET', '/api/season/current')).body as {
    season_id: string;
    season_number: number;
  };
  const [ada, bob] = [await scene.player('ada'), await scene.player('bob')];
  for (const player of [ada, bob]) player.auto = passive;
  await Promise.all([join(ada), join(bob)]);
  await ada.next('hand_result');

  for (const typed of ['', '\n', `${number + 1}\n`, 'yes\n']) {
    const told = await admin({ DATABASE_URL: address.url }, ['end-season'], { typed });
    t.match(told, { code: 1, err: /goes on: not confirmed/ }, JSON.stringify(typed));
  }
  const told = await admin({ DATABASE_URL: address.url }, ['end-season'], { typed: `${number}\n` });
  t.match(told, { code: 0, out: `season ${number} ends at` });
  for (const player of [ada, bob]) {
    t.match(await player.next('season_ended'), { season_number: number, next_season_number: number + 1 });
    t.match(player.last('table_closed'), { reason: 'season_ended' });
  }
  t.match((await platform.api('GET', `/api/season/${seasonId}`)).body, { status: 'ended' });
  t.match(await logged(seasonId), [{ action: 'end_season', detail: { season_number: number } }]);

  const later = await run('end-season', '--in', '3600', '--yes');
  t.match(later, { code: 0, out: `season ${number + 1} ends at` });
  t.match(await run('end-season', '--in', '7200', '--yes'), { code: 1, err: /ends before that by itself/ });
  for (;;) {
    const { body } = await platform.api('GET', '/api/season/current');
    if ((body as { time_remaining_seconds: number }).time_remaining_seconds <= 3600) break;
  }
  t.match(await run('log', '--limit', '2'), { code: 0, out: /end_season[^]*end_season/ });
});

await t.test('codes for the beta gate', async (t) => {
  const made = await run('create-invite', '--uses', '3', '--days', '7', '--note', 'for the club');
  t.equal(made.code, 0);
  t.match(made.out, /^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}\n$/);
  const { out } = await run('invites');
  t.match(out.split('\n')[1], new RegExp(`^${made.out.trim()}  0 of 3  20[-0-9]+  for the club$`));
  const entries = await sql`select action, detail from audit_log order by entry_id desc limit 1`;
  t.match(entries, [{ action: 'create_invite', detail: { max_uses: 3, note: 'for the club' } }]);
  t.notMatch(JSON.stringify(entries), made.out.trim(), 'the log gives nobody a code');
  t.match(await run('create-invite', '--uses', '0'), { code: 1, err: /one agent at least/ });
});

await scene('a new key ends the old one and its socket at once, and the new one stays', async (t, scene) => {
  const player = await scene.player('loser');
  const { agentId, key, name } = player.account;
  t.equal((await platform.api('GET', '/api/me', { key })).status, 200, 'its key is known to the server now');
  const { code, out } = await run('reset-key', name);
  t.equal(code, 0);
  const fresh = /^api_key +(ap_\S{43})$/m.exec(out)?.[1] ?? '';
  t.match(await player.closed, { code: 4001 });
  t.match(await platform.api('GET', '/api/me', { key }), { status: 401 });
  const back = await scene.connect({ ...player.account, key: fresh });
  t.match(await logged(agentId), [{ action: 'reset_key', detail: {} }]);
  t.notMatch(JSON.stringify(await sql`select * from audit_log`), fresh, 'the log gives nobody a key');

  // Further looks of the server see the same change again.
  const bystander = await scene.player('bystander');
  t.match(await run('ban', bystander.account.name, '--reason', 'to have the server look'), { code: 0 });
  t.match(await bystander.closed, { code: 4001 });
  t.notOk(back.isClosed, 'who came back is not thrown out again');
  t.match(await run('reset-key', 'no_such_agent'), { code: 1, err: 'there is no agent no_such_agent' });
});

await scene('a table is closed after its hand, and its players sit elsewhere', async (t, scene) => {
  const game = await scene.game(2);
  const { tableId } = game;
  const listed = JSON.parse((await run('tables', 'list', '--json')).out) as { tables: unknown[]; matching: number };
  t.match(listed, { matching: 1, tables: [{ table_id: tableId, kind: 'season', players: 2, closing: false }] });
  t.match(await run('tables', 'list'), { out: new RegExp(`^${tableId}  season \\d+ +0 +2 `, 'm') });

  t.match(await run('tables', 'close', tableId.toUpperCase()), { code: 0, out: 'closes after its hand' });
  t.match(await run('tables', 'close', tableId), { code: 0, out: 'was asked to close before' });
  await game.finish();
  for (const player of game.players) {
    t.match(await player.next('table_closed'), { table_id: tableId, reason: 'closed_by_operator' });
    player.auto = passive;
  }
  await Promise.all(game.players.map((player) => join(player)));
  t.not(game.tableId, tableId);
  t.match(await logged(tableId), [{ action: 'tables_close' }]);
  t.equal((await logged(tableId)).length, 1);
  for (const unknown of [tableId, 'nowhere']) {
    t.match(await run('tables', 'close', unknown), { code: 1, err: `there is no open table ${unknown}` });
  }
});

await t.test('every answer is one JSON object with --json, also where nothing is done', async (t) => {
  const { name, agentId } = await platform.register('json');
  const told = async (...args: string[]) => {
    const { code, out, err } = await run(...args, '--json');
    t.equal(err, '', args.join(' '));
    return { code, ...(JSON.parse(out) as object) };
  };
  t.match(await told('agents', '--search', name), { code: 0, matching: 1, agents: [{ agent_id: agentId, name }] });
  t.match(await told('ban', name, '--reason', 'x'), { code: 0, changed: true, agent_id: agentId });
  t.match(await told('ban', name, '--reason', 'x'), { code: 0, changed: false });
  t.match(await told('log', '--limit', '1'), {
    entries: [{ action: 'ban', subject: agentId, detail: { reason: 'x' } }],
  });
  t.match(await told('invites'), { code: 0, invites: [{ note: 'for the club' }] });
  t.match(await told('ban', 'nobody_here', '--reason', 'x'), { code: 1, error: 'there is no agent nobody_here' });
  t.match(await told('ban', name), { code: 2, error: /--reason is missing/ });
});

await t.test('wrong usage is told in one line with the right one', async (t) => {
  for (const [args, says] of [
    [['fly'], /^there is no command fly: npx agent-poker admin --help lists them\n$/],
    [['ban', 'somebody'], /^--reason is missing; npx agent-poker admin ban AGENT --reason TEXT \[--json\]\n$/],
    [['ban', '--reason', 'x'], /^AGENT is missing; .*\n$/],
    [['agents', '--limit', '-1'], /^Option '--limit' argument is ambiguous.*\n$/],
    [['agents', '--limit', 'many'], /^--limit is a whole number; .*\n$/],
    [['agents', 'somebody'], /^unexpected argument: somebody; .*\n$/],
    [['log', '--colour'], /^Unknown option '--colour'; .*\n$/],
    [['create-platform-agent', '--name', 'x'], /^--email is missing; .*\n$/],
    [['tables'], /^there is no command tables: .*\n$/],
  ] as const) {
    t.match(await run(...args), { code: 2, out: '', err: says }, args.join(' '));
  }
  const overview = await run();
  t.match(overview, { code: 0, out: /^npx agent-poker admin COMMAND[^]*tables close TABLE[^]*AGENT is an id/ });
  t.match(await run('--help'), overview);
  t.match(await run('ban', '--help'), {
    code: 0,
    out: /ban AGENT --reason TEXT[^]*--json +answers with one JSON object/,
  });
  t.match(await run('ban', 'somebody', '--reason', ' '), { code: 1, err: 'a ban needs a reason' });
});

await t.test('a database that no server works on', async (t) => {
  const empty = await freshDatabase(t, true);
  const told = await admin({ DATABASE_URL: empty.url }, ['agents']);
  t.match(told, { code: 1, err: /the database lacks 001_core.sql.*: start the server of this release first/ });
  t.same(await openPool(t, empty)`select from pg_tables where tablename = 'agents'`, [], 'it is left alone');
  t.match(await admin({ DATABASE_URL: 'postgres://127.0.0.1:1/x' }, ['agents']), {
    code: 1,
    err: /^DATABASE_URL: nothing listens on 127\.0\.0\.1:1: .*\n$/,
  });

  const cwd = temporaryFolder(t);
  t.match(await admin({ DATA_DIR: `${cwd}/none` }, ['agents']), {
    code: 1,
    err: /there is no database: DATA_DIR .*none does not exist/,
  });
  const home = await TestPlatform.start(t, { DATA_DIR: `${cwd}/data` });
  const { key, name } = await home.register('ada');
  const env = { DATA_DIR: `${cwd}/data` };
  t.match(await admin(env, ['agents']), { code: 0, out: name }, 'beside the server that runs there');
  await home.stop();
  t.match(await admin(env, ['ban', name, '--reason', 'gone']), { code: 0, out: /is banned/ }, 'and without it');
  await home.launch();
  t.match(await home.api('GET', '/api/me', { key }), { status: 401 });
});
