/** The identity of a competition, and its place in the database: ids, names, room for hands. */
import t from 'tap';
import { Accounts } from '../../src/accounts/index.js';
import { renamed } from '../../src/competitions/index.js';
import { nameKeys } from '../../src/competitions/people/names.js';
import { transaction } from '../../src/store/database.js';
import { CompetitionHouse } from '../support/competition-house.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** The partitions that a pool has. */
async function roomsOf({ sql }: CompetitionHouse, id: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select inhparent::regclass::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where c.relname like ${`%\\_${id.replaceAll('-', '')}`} and c.relkind = 'r' order by 1`;
  return rows.map(({ name }) => name);
}

void t.test('ids in capitals name the same competition by every endpoint', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const { competition_id: id } = await house.created(organizer);
  await house.steps(id, organizer, 'openEnrollment', 'startCompetition');
  const upper = id.toUpperCase();
  t.match(await house.step(upper, organizer, 'pauseCompetition', { 'idempotency-key': 'once' }), { status: 200 });
  t.equal(house.pools.of(id)?.state, 'paused', 'the lobby knows');
  t.match(house.lobby.calls.at(-1), { call: 'windDown', poolId: id }, 'and so do the tables');
  t.match(await house.step(id, organizer, 'pauseCompetition', { 'idempotency-key': 'once' }), { status: 200 });
  t.match(
    await house.step(id, organizer, 'resumeCompetition', { 'idempotency-key': 'once' }),
    { status: 409, body: { detail: 'Idempotency-Key was used with another request' } },
    'a key that was used for another step',
  );
  t.equal(house.pools.of(id)?.state, 'paused');
  t.match(await house.update(upper, organizer, { name: 'Winter cup' }), { status: 200, body: { name: 'Winter cup' } });
  const { body } = await house.update(id, organizer, {});
  t.match(body, { version: house.pools.of(id)?.version });
  const actions = (await house.history(id)).map(({ action }) => action);
  t.same(actions.slice(-2), ['pauseCompetition', 'updateCompetition'], 'one subject in the audit');
  t.same((await house.sql`select from audit_log where subject = ${upper}`).length, 0);
});

void t.test('a draft has no room for hands; who starts has it, and what older releases made is dropped', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent();
  const draft = (await house.created(organizer)).competition_id;
  const played = (await house.created(organizer)).competition_id;
  const cancelled = (await house.created(organizer)).competition_id;
  await house.steps(played, organizer, 'openEnrollment', 'startCompetition');
  await house.steps(cancelled, organizer, 'openEnrollment', 'cancelCompetition');
  t.same(await roomsOf(house, draft), []);
  t.same(await roomsOf(house, cancelled), []);
  t.same(await roomsOf(house, played), ['hand_players', 'hands']);
  t.same(await house.sql`select from hand_players where pool_id = ${draft}`, [], 'nobody minds');

  // As an older release left them.
  for (const id of [draft, cancelled]) await house.sql`select open_hands(${id})`;
  await house.stop();
  const { address, clock } = house;
  // Meanwhile somebody reads all hands, as a dump does.
  await transaction(house.sql, async (tx) => {
    await tx`select count(*) from hands`;
    const hindered = await CompetitionHouse.open(t, { address, clock });
    t.ok(hindered.log.some((line) => line.includes('dropped at the next start')));
    t.same(await roomsOf(house, draft), ['hand_players', 'hands'], 'it waits for nobody for long');
    await hindered.stop();
  });
  await CompetitionHouse.open(t, { address, clock });
  for (const id of [draft, cancelled]) t.same(await roomsOf(house, id), []);
  t.same(await roomsOf(house, played), ['hand_players', 'hands']);
  await t.rejects(house.sql`select drop_hands(${await withHand(house, played)})`, { code: 'AP001' });
});

/** The competition, with a hand in it. */
async function withHand({ sql }: CompetitionHouse, id: string): Promise<string> {
  await sql`
    insert into hands (pool_id, hand_id, table_id, hand_number, started_at, ended_at, total_pot, record)
    values (${id}, ${id}, ${id}, 1, now(), now(), 0, '')`;
  return id;
}

void t.test('names that people take for each other are one name', (t) => {
  const alike = [
    ['Alice', 'ALICE', 'A1ice', 'alice', 'аlice', 'AIice', 'ａｌｉｃｅ', 'ali\u200bce', 'alⅰce'],
    ['Alpha', 'AIpha', 'A1PHA', 'Αlpha'],
    ['Bob the Great', 'bob  the great', 'ВОВ THE GREAT', 'B0b the Great'],
    ['Mona', 'rnona', 'MONA'],
    ['Zoë', 'zoe\u0308', 'ZOË'],
  ];
  const sets = alike.map((names) => names.map(nameKeys));
  for (const [group, [first, ...others]] of sets.entries()) {
    for (const [n, keys] of others.entries()) {
      t.ok(
        keys.some((key) => first!.includes(key)),
        `${alike[group]![0]} and ${alike[group]![n + 1]}`,
      );
    }
    const strangers = sets.filter((set) => set !== sets[group]).flat(2);
    t.notOk(strangers.some((key) => sets[group]!.flat().includes(key)));
  }
  for (const [one, other] of [
    ['bot_1', 'bot_2'],
    ['Bill', 'Bull'],
    ['Zoë', 'Zoe'],
    ['team i', 'team ii'],
  ]) {
    t.notOk(
      nameKeys(one!).some((key) => nameKeys(other!).includes(key)),
      `${one} and ${other} differ`,
    );
  }
  t.end();
});

void t.test('one name, one agent, by every endpoint', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent('boss');
  const { competition_id: id } = await house.created(organizer);
  await house.steps(id, organizer, 'openEnrollment');
  const link = await house.ask('createInviteLink', {
    agentId: organizer,
    params: { competition_id: id },
    body: { max_uses: 100 },
  });
  const { token } = link.body as { token: string };
  const join = (agentId: string, name: string | null = null) =>
    house.ask('acceptInvite', {
      agentId,
      headers: { 'x-competition-invite-token': token },
      body: { display_name: name },
    });
  const accounts = new Accounts({ sql: house.sql, lobby: house.lobby, emailVerified: true, renamed });
  const taken = (detail: string) => ({ status: 409, body: { detail } });
  const OWN = 'Your name is taken in this competition, or looks like one that is: take another display_name';
  const DISPLAY = 'Display name already taken in this competition';
  const THERE = 'Agent name already taken in a competition that you take part in';

  // Its name was taken by another as display name: it cannot come under it, but under another.
  const [thief, victim, later] = await Promise.all(['thief', 'Alpha', 'later'].map((name) => house.agent(name)));
  t.match(await join(thief!, 'AIpha'), { status: 200 });
  t.match(await join(victim!), taken(OWN));
  t.match(await join(victim!, 'ALPHA'), taken(DISPLAY));
  t.match(await join(victim!, 'The real one'), { status: 200 });
  t.match(await join(later!, 'Тhе rеаl оnе'), taken(DISPLAY), 'in Cyrillic letters');
  t.match(await join(later!), { status: 200 });
  t.match(await join(organizer, 'Iater'), taken(DISPLAY), 'own names are kept, too');

  // Renaming is a way as well, for who is shown by its own name; before and while it plays.
  await t.rejects(accounts.updateProfile(later!, { name: 'A1pha' }), { message: THERE });
  await t.rejects(accounts.completeOnboarding(later!, { name: 'AIpha', mode: 'byo' }), { message: THERE });
  t.match(await accounts.profile(later!), { name: 'later' }, 'nothing has changed');
  t.match(await accounts.updateProfile(later!, { name: 'sooner' }), { name: 'sooner' });
  t.match(await accounts.updateProfile(victim!, { name: 'AIpha' }), { name: 'AIpha' }, 'it is shown by another name');
  t.match(await join(organizer, 'Later'), { status: 200 }, 'a name that was given up is free');

  // Two who ask at once, by two endpoints: one of them has it.
  const racers = await Promise.all(Array.from({ length: 6 }, (_, n) => house.agent(`racer_${n}`)));
  const ways = racers.map((racer, n) =>
    n % 2 === 0
      ? join(racer, 'Lightning').then(({ status }) => status)
      : join(racer).then(() =>
          accounts.updateProfile(racer, { name: 'Lightning' }).then(
            () => 200,
            (error: { status: number }) => error.status,
          ),
        ),
  );
  const answers = await Promise.all(ways);
  t.same(
    answers.sort((a, b) => a - b),
    [200, 409, 409, 409, 409, 409],
  );

  // The result keeps the names that were read while it was played.
  await house.steps(id, organizer, 'startCompetition', 'endCompetition');
  await house.untilState(id, 'results_pending');
  await accounts.updateProfile(later!, { name: 'Lightning_' });
  await accounts.updateProfile(later!, { name: 'thief2' });
  const results = await house.ask('getCompetitionResults', { agentId: organizer, params: { competition_id: id } });
  const names = (results.body as { rows: { name: string }[] }).rows.map(({ name }) => name);
  t.ok(names.includes('sooner'), 'as it was called then');
  t.notOk(names.includes('thief2'));
});

void t.test('who took part before names were kept has its name at the next start', async (t) => {
  const house = await CompetitionHouse.open(t);
  const organizer = await house.agent('boss');
  const { competition_id: id } = await house.created(organizer);
  await house.steps(id, organizer, 'openEnrollment');
  await house.join(id, await house.agent('older'));
  await house.stop();
  const { address, clock } = house;
  const next = await CompetitionHouse.open(t, { address, clock });
  const enroll = { agentId: organizer, params: { competition_id: id }, body: { display_name: '0LDER' } };
  t.match(await next.ask('enrollInCompetition', enroll), { status: 409 });
});
