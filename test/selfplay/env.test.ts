/** The environment behind `selfplay --env`: one hand after the other, as resets ask for them (docs/guides/training.md). */
import t from 'tap';
import { Compile } from 'typebox/compile';
import { createStrategy } from '../../src/bots/index.js';
import { EnvironmentTable } from '../../src/selfplay/env.js';
import { LineToBot } from '../../src/selfplay/stdio/lines.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const fits = Compile(LineToBot);
const NAMES = ['agent_0', 'agent_1', 'shark'];

type Answer = Partial<Extract<LineToBot, { decide: unknown }> & Extract<LineToBot, { error: unknown }>>;

/** A table that checks each of its lines against the schema. */
function environment() {
  const table = new EnvironmentTable({ agents: 2, entrants: [], stack: 2000, seed: 1 }, NAMES, (_, seed) =>
    createStrategy('shark', seed + 1),
  );
  return async (line: Parameters<EnvironmentTable['answer']>[0]): Promise<Answer> => {
    const answer = JSON.parse(await table.answer(line)) as unknown;
    if (!fits.Check(answer)) throw new Error(JSON.stringify(answer));
    return answer as Answer;
  };
}

/** Plays the hand of a seed: checks, else calls. All lines of the engine. */
async function episode(say: ReturnType<typeof environment>, seed: number): Promise<Answer[]> {
  const lines = [await say({ reset: { seed } })];
  for (let line = lines[0]!; line.decide !== undefined; line = lines.at(-1)!) {
    const { t: table, hand } = line.decide[0]!;
    lines.push(
      await say({ n: line.n!, actions: [{ t: table, action: hand.can.includes('check') ? 'check' : 'call' }] }),
    );
  }
  return lines;
}

const plain = (lines: Answer[]) => lines.map(({ n: _, ...line }) => line);

await t.test('one seed is one hand, whatever was played before', async (t) => {
  const say = environment();
  const first = plain(await episode(say, 5));
  const other = plain(await episode(say, 6));
  t.notSame(other, first);
  t.same(plain(await episode(say, 5)), first);
  t.same(plain(await episode(environment(), 5)), first);
  const begun = first[0]!;
  const hands = [...(begun.decide ?? []), ...(begun.see ?? [])].map(({ hand }) => hand);
  t.same(
    hands.map((hand) => 'button' in hand && [hand.button, hand.names, hand.hole.length]),
    hands.map(() => [5 % 3, NAMES, 2]),
    'each agent is told its own cards',
  );
  t.equal(first.at(-1)!.results!.length, 2);
});

await t.test('what is not allowed is refused, and the turn stays open', async (t) => {
  const say = environment();
  t.match(await say({ n: 1, actions: [] }), { error: 'no hand is open: reset it' });
  const { n, decide } = await say({ reset: { seed: 3 } });
  const seat = decide![0]!.t;
  const act = (action: unknown, amount?: number, number = n!, table = seat) =>
    say({ n: number, actions: [{ t: table, action, ...(amount === undefined ? {} : { amount }) }] });
  t.match(await act('dance'), { error: /"dance"\} is not allowed$/ });
  t.match(await act('raise', 1), { error: /is not allowed$/ });
  t.match(await act(null), { error: /is not allowed$/ });
  t.match(await act('call', undefined, n! + 1), { error: `line ${n!} asks table ${seat}` });
  t.match(await act('call', undefined, n!, 1 - seat), { error: `line ${n!} asks table ${seat}` });
  t.equal((await act('fold')).error, undefined);
  t.ok((await say({ reset: { seed: 4 } })).decide, 'a reset in the middle of a hand deals the next one');
});
