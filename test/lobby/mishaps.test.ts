/**
 * The record of agents' mishaps is bounded: a hundred an agent, and a number of characters over all agents. An agent
 * without mishaps and requests for a day takes no memory.
 */
import t from 'tap';
import { Mishaps } from '../../src/lobby/mishaps.js';
import { MAX_FRAME_TEXT, mishapOf, mishapOfEnd, type Mishap } from '../../src/protocol/mishap.js';
import { errorMessage } from '../../src/protocol/server.js';

const DAY_MS = 86_400_000;
const mishap = (message: string, sent: string | null = null): Mishap => ({
  kind: 'rejected',
  code: 'not_your_turn',
  message,
  sent,
  tableId: null,
  handId: null,
  received: null,
});
const wordsOf = (mishaps: Mishaps, agent: string, now = 0) => mishaps.of(agent, now).map(({ message }) => message);

await t.test('the last hundred of an agent, the newest first', (t) => {
  const mishaps = new Mishaps();
  for (let n = 1; n <= 130; n++) mishaps.note('ada', mishap(`${n}`), n);
  const words = wordsOf(mishaps, 'ada', 130);
  t.same([words.length, words[0], words.at(-1)], [100, '130', '31']);
  t.equal(mishaps.of('ada', 130)[0]!.at, 130);
  t.same(wordsOf(mishaps, 'bob'), []);
  t.end();
});

await t.test('of a long frame the beginning', (t) => {
  const mishaps = new Mishaps();
  mishaps.note('ada', mishap('long', 'x'.repeat(16_384)), 0);
  t.equal(mishaps.of('ada', 0)[0]!.sent, `${'x'.repeat(MAX_FRAME_TEXT)}…`);
  t.end();
});

await t.test('of all together so much: whoever neither erred nor was asked for the longest goes first', (t) => {
  const mishaps = new Mishaps(1500);
  for (const [at, agent] of ['ada', 'bob', 'cleo'].entries()) mishaps.note(agent, mishap(agent, 'x'.repeat(200)), at);
  t.equal(mishaps.size, 3);
  t.same(wordsOf(mishaps, 'ada', 3), ['ada'], 'it is asked for');
  mishaps.note('dora', mishap('dora', 'x'.repeat(200)), 4);
  t.same(wordsOf(mishaps, 'bob', 5), []);
  t.same(wordsOf(mishaps, 'ada', 5), ['ada']);
  for (let n = 0; n < 10_000; n++) mishaps.note(`agent ${n}`, mishap('crowd', 'x'.repeat(200)), 6);
  t.ok(mishaps.size <= 3);
  t.end();
});

await t.test('after a day without a mishap or a question nothing', (t) => {
  const mishaps = new Mishaps();
  mishaps.note('ada', mishap('ada'), 0);
  mishaps.note('bob', mishap('bob'), 0);
  t.same(wordsOf(mishaps, 'bob', DAY_MS / 2), ['bob']);
  mishaps.note('cleo', mishap('cleo'), DAY_MS);
  t.equal(mishaps.size, 2);
  t.same(wordsOf(mishaps, 'ada', DAY_MS), []);
  t.end();
});

await t.test('answers that say no, and ends of sockets', (t) => {
  t.equal(mishapOf({ type: 'auto_rebuy_set', enabled: true }), null);
  t.match(mishapOf(errorMessage('leave_pending')), { kind: 'error', code: 'leave_pending', sent: null });
  t.match(mishapOf(errorMessage('flood_kick')), { kind: 'flood', received: /"flood_kick"/ });
  t.match(mishapOfEnd({ code: 4002, reason: 'replaced', by: 'server' }), {
    kind: 'disconnect',
    code: '4002',
    message: 'replaced',
    sent: null,
    received: '{"close":4002,"reason":"replaced"}',
  });
  t.match(mishapOfEnd({ code: 1006, reason: '', by: 'client' }), { code: '1006', sent: null, received: null });
  t.match(mishapOfEnd({ code: 1000, reason: '', by: 'client' }), { sent: '{"close":1000,"reason":""}' });
  t.end();
});
