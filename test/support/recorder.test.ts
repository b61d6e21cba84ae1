/** The suite's recorder, tested on instances of its own: items seen here must not count as seen on a socket. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { Rest } from '../../src/protocol/rest/index.js';
import { EXCUSED, judge, mustSee, NEVER, readSeen } from './coverage.js';
import { Fields } from './fields.js';
import { examples } from './frames.js';
import { FILE_MS } from './limits.js';
import { Recorder, specFor } from './recorder.js';
import { ServerMessages } from '../../src/protocol/server.js';

t.setTimeout(FILE_MS);

const frame = (message: unknown) => JSON.stringify(message);

void t.test('a frame that fits is returned, and its type, codes and fields are noted', (t) => {
  const recorder = new Recorder();
  t.same(recorder.frame(frame(examples.hand_result)), examples.hand_result);
  recorder.frame(frame(examples.action_rejected));
  recorder.frame(frame(examples.error));
  recorder.frame(frame(examples.resync_response));
  for (const item of [
    'message hand_result',
    'field hand_result winners[].hand_description',
    'field hand_result final_stacks{}',
    'field hand_result state_hash=null',
    'rejected stale_turn_token',
    'error lobby_full',
    'message resync_response',
    'replayed hand_start',
    'field resync_response snapshot.hero.turn_token',
  ])
    t.ok(recorder.seen.has(item), item);
  t.notOk(recorder.seen.has('field hand_result actions[].amount'), 'a null is not yet a value');
  t.ok(recorder.seen.has('field hand_result actions[].amount=null'));
  t.end();
});

void t.test('a frame that does not fit throws, and the words say where', (t) => {
  const recorder = new Recorder();
  const seat = { ...examples.table_state.seats[0]!, stack: 1980.5 };
  const wrong: [string, object, RegExp][] = [
    ['a fraction', { ...examples.player_action, pot: 70.5 }, /player_action .*\n {2}\/pot must be integer/],
    ['an extra field', { ...examples.connected, token: 'x' }, /additional properties .*token/],
    ['a lacking field', { ...examples.lobby_joined, position: undefined }, /required properties position/],
    [
      'deep inside',
      { ...examples.table_state, seats: [seat, ...examples.table_state.seats.slice(1)] },
      /\/seats\/0\/stack/,
    ],
    ['an unknown type', { type: 'hand_started' }, /unknown type/],
    ['an inherited name as type', { type: 'constructor' }, /unknown type/],
    ['a code of no list', { ...examples.error, code: 'oops' }, /\/code must be/],
    ['two codes', { ...examples.action_rejected, details: { code: 'not_your_turn' } }, /names two codes/],
    [
      'within the replay',
      { ...examples.resync_response, replayed_events: [{ ...examples.player_action, seat: 6 }] },
      /player_action does not fit its schema:\n {2}\/seat must be <= 5/,
    ],
  ];
  for (const [what, message, words] of wrong) t.throws(() => recorder.frame(frame(message)), words, what);
  t.throws(() => recorder.frame('{"type":'), SyntaxError);
  t.notOk(
    [...recorder.seen].some((item) => item.startsWith('message ')),
    'nothing of it counts as seen',
  );
  t.end();
});

void t.test('answers are held to the schema of their route and status', (t) => {
  const recorder = new Recorder();
  recorder.answer(Rest.rebuy, 200, { chip_balance: 1500, rebuys: 1, cooldown_seconds: 600 });
  recorder.answer(Rest.rebuy, 429, { detail: 'Rebuy on cooldown. Retry after 9s.' });
  recorder.answer(Rest.updateMe, 422, { detail: [{ loc: ['body', 'name'], msg: 'x', type: 'y' }] });
  recorder.answer(Rest.updateMe, 413, { detail: 'Request body too large' });
  recorder.answer(null, 404, { detail: 'Not found' });
  for (const item of ['answer rebuy 200', 'answer rebuy 200 field rebuys', 'answer rebuy 429', 'answer any 413'])
    t.ok(recorder.seen.has(item), item);
  t.throws(() => recorder.answer(Rest.rebuy, 200, { chip_balance: 1500, rebuys: 1 }), /cooldown_seconds/);
  t.throws(() => recorder.answer(Rest.updateMe, 409, { detail: [] }), /updateMe 409 does not fit/);
  t.throws(() => recorder.answer(Rest.getMe, 500, { detail: 'Internal server error' }), /undocumented status 500/);
  t.end();
});

void t.test('the route of a request is the one the router would take', (t) => {
  t.equal(specFor('GET', '/api/season/me'), Rest.getSeasonEntry);
  t.equal(specFor('PATCH', '/api/season/me'), Rest.updateSeasonEntry);
  t.equal(specFor('GET', '/api/season/018f4e0b-0000-7000-8000-000000000001?x=1'), Rest.getSeason);
  t.equal(specFor('GET', '/api/tables/c1'), Rest.getTable);
  t.equal(specFor('GET', '/api/tables/c1/seats'), null);
  t.equal(specFor('POST', '/api/season/me'), null);
  t.end();
});

void t.test('close codes: ours are noted, those of libraries are no news, others are wrong', (t) => {
  const recorder = new Recorder();
  for (const code of [4001, 1012, 1000, 1006]) recorder.close(code);
  t.same([...recorder.seen], ['close 4001', 'close 1012']);
  t.throws(() => recorder.close(1011), /unknown code 1011/);
  t.end();
});

void t.test('the fields of a schema: alternatives merged, null alone told apart', (t) => {
  const fields = new Set(new Fields(ServerMessages.table_state).all());
  for (const field of ['seats[].folded', 'hero.valid_actions[].min', 'seats[].name', 'hand_id', 'board[]'])
    t.ok(fields.has(field), field);
  t.notOk(fields.has('seats[].name=null'), 'an empty seat is not enough');
  t.ok(new Fields(ServerMessages.player_action).all().includes('state_hash=null'));
  t.end();
});

void t.test('coverage names what was never seen, and what must not be', (t) => {
  const all = mustSee();
  const excused = (item: string) => EXCUSED.some(({ what }) => what.test(item));
  t.same(judge(all), {
    missing: [],
    forbidden: [],
    staleExcuses: [],
    required: [...all].filter((i) => !excused(i)).length,
  });
  const item = 'field hand_result payouts[].amount';
  t.same(judge(new Set([...all].filter((other) => other !== item))).missing, [item]);
  t.same(judge(new Set([...all, 'error not_season_mode'])).forbidden, ['error not_season_mode']);
  t.notOk([...all].some((other) => NEVER.has(other)));
  for (const sure of [
    'message your_turn',
    'error rebuy_cooldown',
    'rejected action_id_conflict',
    'close 4002',
    'replayed table_closed',
    'answer getMe 429',
    'message season_ended',
    'close 4003',
  ])
    t.ok(all.has(sure) && !excused(sure), sure);
  t.ok(excused('field table_closed hand_id'));
  t.end();
});

void t.test('what the processes of a run saw comes together in SEEN_DIR', (t) => {
  const SEEN_DIR = mkdtempSync(join(tmpdir(), 'agent-poker-recorder-test-'));
  t.teardown(() => rmSync(SEEN_DIR, { recursive: true }));
  const node = (...args: string[]) =>
    spawnSync(process.execPath, args, { env: { ...process.env, SEEN_DIR }, encoding: 'utf8' });
  const witness = (call: string) =>
    node(
      '--input-type=module',
      '-e',
      `import * as r from ${JSON.stringify(new URL('recorder.js', import.meta.url))}; r.${call}`,
    );
  t.equal(witness(`recordFrame(${JSON.stringify(frame(examples.busted))})`).status, 0);
  t.equal(
    witness(`recordClose(4002); r.recordAnswer({method:'GET',path:'/health/live'}, 200, {status:'ok'})`).status,
    0,
  );
  t.equal(readdirSync(SEEN_DIR).length, 2, 'one file each');
  const { missing } = judge(readSeen([SEEN_DIR]));
  t.ok(missing.includes('message hand_start'));
  for (const seen of ['message busted', 'close 4002', 'answer getLive 200']) t.notOk(missing.includes(seen), seen);
  t.end();
});
