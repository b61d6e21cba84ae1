import fc from 'fast-check';
import t from 'tap';
import { readAny, readPlainAction } from '../../src/gateway/client-frames.js';

/* Actions in the usual form are read without JSON, to the same messages. */

void t.test('an action that is read without JSON is what JSON makes of it', (t) => {
  const id = fc.oneof(
    fc.uuid(),
    fc.constantFrom('', 'x', 'é', 'a"b', 'a\\', '\n', '{', 'y'.repeat(128), 'z'.repeat(129), null, 7),
    fc.string({ maxLength: 140 }),
  );
  const amount = fc.constantFrom<unknown>(0, 1, 40, 1e14, 999_999_999_999_999, 1e15, 1e21, -1, 0.5, null, '40', true);
  const ids = ['client_action_id', 'turn_token', 'hand_id'];
  const frame = fc
    .record({
      action: fc.constantFrom('fold', 'check', 'call', 'raise', 'all_in', 'bet', ''),
      amount: fc.option(amount, { nil: undefined }),
      names: fc.oneof(
        fc.shuffledSubarray([...ids], { minLength: 3 }),
        fc.array(fc.constantFrom(...ids, 'more'), { maxLength: 8 }),
      ),
      values: fc.array(id, { minLength: 8, maxLength: 8 }),
      space: fc.constantFrom('', ' ', '  ', '\n'),
    })
    .map(({ action, amount, names, values, space }) => {
      const fields = [['type', 'action'], ['action', action], ...(amount === undefined ? [] : [['amount', amount]])];
      const all = [...fields, ...names.map((name, i) => [name, values[i]])];
      return `{${all.map(([name, value]) => `"${String(name)}":${space}${JSON.stringify(value)}`).join(`,${space}`)}}`;
    });
  let plain = 0;
  fc.assert(
    fc.property(frame, (text) => {
      const message = readPlainAction(text);
      if (message === null) return;
      plain++;
      t.same(message, readAny(text), text);
    }),
    { numRuns: 5000 },
  );
  t.ok(plain > 50, `of these frames some are plain: ${plain}`);
  const usual = { client_action_id: 'a', turn_token: 'b', hand_id: 'c' };
  for (const action of [{ action: 'call' }, { action: 'raise', amount: 60 }, { action: 'fold', amount: null }]) {
    const text = JSON.stringify({ type: 'action', ...action, ...usual });
    t.same(readPlainAction(text), { type: 'action', amount: null, ...action, ...usual });
    t.same(readPlainAction(text.replaceAll(':', ': ').replaceAll(',', ', ')), readPlainAction(text));
    t.equal(readPlainAction(text.replace('turn_token', 'hand_id')), null, 'an id twice');
    t.equal(readPlainAction(`${text}\n`), null);
  }
  t.end();
});

void t.test('a mix stands in the place of the action, without what the protocol does not know', (t) => {
  const ids = { client_action_id: 'a', turn_token: 'b', hand_id: 'c' };
  const frame = (mix: unknown) => JSON.stringify({ type: 'action', action: { mix, more: 1 }, ...ids });
  const parts = [
    { action: 'call', p: 0.25, why: 'x' },
    { action: 'raise', amount: 60, p: 0.75 },
  ];
  t.same(readAny(frame(parts)), {
    type: 'action',
    action: { mix: [{ action: 'call', amount: null, p: 0.25 }, { action: 'raise', amount: 60, p: 0.75 }] },
    amount: null,
    ...ids,
  }); // prettier-ignore
  t.equal(readPlainAction(frame(parts)), null);
  for (const [mix, fault] of [
    [[], 'action.mix: List should have at least 1 items'],
    [new Array(9).fill({ action: 'call', p: 0.1 }), 'action.mix: List should have at most 8 items'],
    [[{ action: 'call', p: 0 }], 'action.mix.0.p: Input should be greater than 0'],
    [[{ action: 'call', p: '1' }], 'action.mix.0.p: Input should be a valid number'],
    [[{ action: 'call' }], 'action.mix.0.p: Field required'],
  ] as const) {
    t.match(readAny(frame(mix)), { code: 'invalid_message', message: fault }, fault);
  }
  t.match(readAny(JSON.stringify({ type: 'action', action: 'bet', ...ids })), {
    message: /^action: .*'fold'.*'all_in'/,
  });
  t.end();
});
