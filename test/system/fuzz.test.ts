/**
 * Hostile input (`npm run campaign -- fuzz` for more). Every input gets the documented answer, harms nobody else, and
 * leaves the platform unchanged. SEED=n repeats a run.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { restSpecs } from '../../src/protocol/rest/index.js';
import { errorMessage, type ServerMessage, type ServerMessageOf } from '../../src/protocol/server.js';
import { describe } from '../abuse/judge.js';
import { verdictOf, type Verdict } from '../fuzz/answers.js';
import { brokenNames, brokenRequest } from '../fuzz/broken-http.js';
import { assault, endedFloods } from '../fuzz/campaign.js';
import { damaged } from '../fuzz/delivery.js';
import { bytesOf, MAX, messageKinds } from '../fuzz/messages.js';
import { diceOf, Plan } from '../fuzz/plan.js';
import { Place } from '../fuzz/place.js';
import { Questions } from '../fuzz/questions.js';
import { hostileRequest } from '../fuzz/requests.js';
import { someViolation, violationNames } from '../fuzz/violations.js';
import { encodeFrame, FrameReader, Opcode } from '../fuzz/wire.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS, FULL } from '../support/limits.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

t.comment(`SEED=${SEED}`);

const KNOWN = { token: 't'.repeat(36), hand: 'h'.repeat(36), table: 'b'.repeat(36), spent: 'one' };

await t.test('the same seed says the same, another one something else', async (t) => {
  const words = (seed: number) => {
    const hash = createHash('sha256');
    for (let client = 0; client < 4; client++) {
      const plan = new Plan(seed, client);
      for (let n = 0; n < 300; n++) hash.update(JSON.stringify(plan.next()));
    }
    for (let n = 0; n < 200; n++) {
      const request = hostileRequest(restSpecs, seed, n);
      hash.update(JSON.stringify(request)).update(brokenRequest(seed, n).bytes);
    }
    return hash.digest('hex');
  };
  t.equal(words(SEED), words(SEED));
  t.not(words(SEED), words(SEED + 1));
});

await t.test('everything that can be said is said', async (t) => {
  const plan = new Plan(SEED, 0);
  const [kinds, verdicts, sizes] = [new Set<string>(), new Map<string, number>(), new Set<number>()];
  for (let n = 0; n < 20_000; n++) {
    const { message, delivery } = plan.nextMessage();
    const bytes = damaged(bytesOf(message, KNOWN), delivery);
    const verdict = verdictOf(bytes);
    kinds.add(message.kind);
    sizes.add(bytes.length);
    verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
  }
  t.same([...kinds].sort(), [...messageKinds].sort(), 'every kind of message');
  t.ok([0, MAX - 1, MAX].every((size) => sizes.has(size)) && Math.max(...sizes) === MAX, 'up to the limit, not above');
  const all = [
    'invalid',
    'unknown',
    'action',
    'deal_nonce',
    'join_lobby',
    'leave_table',
    'rebuy',
    'resync_request',
    'set_auto_rebuy',
  ];
  t.same([...verdicts.keys()].sort(), all.sort(), 'some of every type are well-formed');
  t.ok(verdicts.get('invalid')! > 8000, 'most are not');

  const dice = diceOf(SEED, 1);
  const violations = new Set(Array.from({ length: 2000 }, () => someViolation(dice).name));
  t.same([...violations].sort(), [...violationNames].sort(), 'every violation');
  const broken = new Set(Array.from({ length: 2000 }, (_, n) => brokenRequest(SEED, n).name));
  t.same([...broken].sort(), [...brokenNames].sort(), 'every broken request');
});

await t.test('frames of a server are read however they are cut', async (t) => {
  const frames = fc.array(
    fc.record({ opcode: fc.constantFrom(1, 8, 9, 10), payload: fc.uint8Array({ maxLength: 300 }) }),
  );
  fc.assert(
    fc.property(frames, fc.integer({ min: 1, max: 400 }), (sent, size) => {
      const bytes = Buffer.concat(sent.map((frame) => encodeFrame({ ...frame, mask: null })));
      const reader = new FrameReader();
      const read = [];
      for (let at = 0; at < bytes.length; at += size) read.push(...reader.read(bytes.subarray(at, at + size)));
      const said = (all: readonly { opcode: number; payload: Uint8Array }[]) =>
        all.map(({ opcode, payload }) => `${opcode} ${Buffer.from(payload).toString('hex')}`).join();
      return said(read) === said(sent);
    }),
    { seed: SEED, numRuns: 50 },
  );
  t.throws(
    () => [...new FrameReader().read(encodeFrame({ opcode: Opcode.text, payload: Buffer.from('a') }))],
    /masked/,
  );
});

await t.test('a late refusal of a leave may seem to answer a rebuy, which then still counts at the lobby', (t) => {
  const [place, questions] = [new Place('me'), new Questions()];
  const ask = (verdict: Verdict) => {
    questions.ask({ verdict, bytes: Buffer.alloc(0), state: '', step: 0, polite: false });
  };
  const answer = (message: ServerMessage) => questions.answered(message, place)?.verdict;
  const left = { type: 'player_left', seat: 1, name: 'me', reason: 'disconnected' } as ServerMessageOf['player_left'];
  const dropped = errorMessage('rate_limited', 'Wait for an answer first: 2 are under way; this one was dropped');
  ask('leave_table');
  t.equal(answer(left), 'leave_table', 'the seat may have ended by itself before the leave came');
  ask('rebuy');
  t.equal(answer(errorMessage('not_at_table')), 'rebuy', 'the leave came, and the rebuy waits at the lobby');
  ask('join_lobby');
  ask('set_auto_rebuy');
  t.equal(answer(dropped), 'set_auto_rebuy', 'the third at the lobby');
  t.equal(answer(errorMessage('invalid_rebuy')), undefined, 'the answer of the rebuy');
  t.equal(answer({ type: 'lobby_joined', position: 1, estimated_wait: '~2s' }), 'join_lobby');
  t.throws(() => answer(errorMessage('not_at_table')), /fits nothing asked/, 'and no more');
  t.throws(() => answer(dropped), /fits nothing asked/, 'nor is anybody dropped who asked nothing');
  t.end();
});

/** Frames through each transport, and calls of each operation over the first transport. */
const FRAMES = FULL ? 15_000 : 3_000;
const ASKED = FULL ? 200 : 20;
/** Frames through each transport with the limits on. */
const LIMITED = FULL ? 15_000 : 2_000;

/** Answers that this many frames always lead to. */
const MET: readonly string[] = [
  'error invalid_message',
  'error unknown_message',
  'error already_in_lobby',
  'error already_seated',
  'error not_at_table',
  'error table_not_found',
  'error rebuy_during_hand',
  'rejected not_at_table',
  'rejected no_hand_in_progress',
  'rejected not_your_turn',
  'rejected stale_hand_action',
  'rejected missing_action_id',
  'rejected legacy_action_protocol',
  'rejected action_id_conflict',
  'rejected invalid_action',
  'action_ack',
  'lobby_joined',
  'player_left',
  'auto_rebuy_set',
  'deal_nonce_ack',
  'resync_response',
  'close 4001',
  'close 1009',
];

for (const transport of FULL ? (['uws', 'ws'] as const) : (['uws'] as const)) {
  await t.test(`a whole platform under hostile input (TRANSPORT=${transport})`, async (t) => {
    // The other transport gets fewer requests, since the same router answers.
    const requestCount = Math.ceil(transport === 'uws' ? ASKED : ASKED / 8) * restSpecs.length;
    const plan = { transport, limits: 'off', seed: SEED, frames: FRAMES, requests: requestCount, broken: 150, tables: 0 } as const; // prettier-ignore
    const { frames, requests, broken, findings, hands, handsAfter, rss } = await assault(t, plan);
    t.same(findings, [], `nothing that must not be (SEED=${SEED})`);
    t.same([frames.total, requests.total, broken.total], [FRAMES, requestCount, 150], 'all is answered and counted');
    // A method or path may be broken in all of the few requests over ws.
    const unasked = transport === 'uws' ? restSpecs.filter(({ id }) => !requests.states.has(id)) : [];
    t.same(unasked, [], 'every operation of the API was asked');
    t.comment(`past the rate limits: ${frames.reached} of the frames, ${requests.reached} of the requests`);
    for (const code of MET) t.ok(frames.of(code) > 0, `${code}: ${frames.of(code)}`);
    t.ok(hands >= 5 && handsAfter >= 5, `honest bots played on: ${hands} hands, and ${handsAfter} after it`);
    t.comment(`memory: ${rss.early} MiB a fifth of the way in, ${rss.late} MiB at the end`);
    for (const [name, tally] of Object.entries({ frames, requests, broken })) {
      t.comment(`${name}\n${tally.table(name === 'requests')}`);
    }
  });
}

/** The same with the limits on. Over µWebSockets.js honest bots measure the effect. */
for (const transport of FULL ? (['uws', 'ws'] as const) : (['ws'] as const)) {
  await t.test(`the limits hold under hostile input (TRANSPORT=${transport})`, async (t) => {
    const tables = transport === 'uws' ? 1 : 0;
    const plan = { transport, limits: 'on', seed: SEED, frames: LIMITED, requests: restSpecs.length, broken: 20, tables } as const; // prettier-ignore
    const { frames, requests, broken, findings, hands, handsAfter, rss, memory, felt } = await assault(t, plan);
    t.same(findings, [], `nothing that must not be (SEED=${SEED})`);
    t.same([requests.total, broken.total], [restSpecs.length, 20], 'all is answered and counted');
    for (const code of ['error rate_limited', 'error invalid_message', 'close 4001']) {
      t.ok(frames.of(code) > 0, `${code}: ${frames.of(code)}`);
    }
    t.ok(endedFloods(frames) > 0, `floods ended: ${endedFloods(frames)}`);
    t.ok(handsAfter >= 5, `honest bots played on: ${hands} hands, and ${handsAfter} after it`);
    t.comment(`memory: ${rss.early} MiB a fifth of the way in, ${rss.late} MiB at the end; ${memory.join(', ')}`);
    t.equal(felt !== null, tables > 0);
    for (const [when, what] of Object.entries(felt ?? {})) t.comment(describe(when, what));
    t.comment(`frames\n${frames.table()}`);
  });
}
