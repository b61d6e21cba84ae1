/**
 * Collusion as pure functions: the facts of a hand about two players, the strength of evidence, and the players that it
 * finds.
 */
import fc from 'fast-check';
import t from 'tap';
import { storedOf } from '../../bench/collusion/field.js';
import { World } from '../../bench/collusion/world.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import {
  CELLS,
  DEEDS,
  Deed,
  packCells,
  Price,
  SITUATION_OF,
  situationNumber,
  unpackCells,
} from '../../src/collusion/cells.js';
import { evidence } from '../../src/collusion/pool-judge.js';
import { FLOW_CAP, PairReader, timesOf, type PairHand } from '../../src/collusion/pair-hand.js';
import { marked } from '../../src/collusion/pool-judge.js';
import { chenPoints, handStrength, isAhead } from '../../src/collusion/strength.js';
import type { Hole } from '../../src/cards/card.js';
import { takersOf } from '../../src/collusion/takers.js';
import { overlap, paceOfCells } from '../../src/analytics/pairs/suspects.js';
import { Hand } from '../../src/holdem/hand.js';
import { cards, deal, play, type Scene } from '../support/hand-kit.js';
import { FILE_MS } from '../support/limits.js';
import { RandomTable } from '../support/random-table.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.comment(`SEED=${SEED}`);

const hole = (text: string) => cards(text) as unknown as Hole;

await t.test("hands are as strong as Chen's points say, and later as what they beat", (t) => {
  // Examples of the book.
  for (const [text, points] of [
    ['AsKs', 12],
    ['TcTd', 10],
    ['5h7h', 5.5],
    ['2c2d', 5],
    ['AcKd', 10],
    ['7c2d', -1.5],
  ] as const) {
    t.equal(chenPoints(hole(text)), points, text);
  }
  t.ok(handStrength([], 0, hole('AsAh')) > 0.99);
  t.ok(handStrength([], 0, hole('7c2d')) < 0.1);
  const board = cards('KsKh7d2c3s');
  t.equal(handStrength(board, 5, hole('KcKd')), 1, 'nothing beats it');
  t.ok(handStrength(board, 5, hole('4h5h')) < 0.1);
  t.ok(handStrength(board, 3, hole('Kc4d')) > handStrength(board, 3, hole('AcQd')));
  t.same([isAhead(board, 5, hole('Kc4d'), hole('7c7h')), isAhead(board, 5, hole('7c7h'), hole('Kc4d'))], [false, true]);
  t.ok(isAhead(board, 5, hole('AcQd'), hole('AdQc')), 'a tie is not behind');
  t.end();
});

await t.test('situations have numbers of their own, and counts come back from bytes', (t) => {
  const numbers = SITUATION_OF.map(situationNumber);
  t.same(
    numbers,
    numbers.map((_, i) => i),
  );
  const counts = fc.array(fc.tuple(fc.nat(CELLS + 50), fc.integer({ min: 1, max: 2 ** 40 })));
  fc.assert(
    fc.property(counts, (list) => {
      const map = new Map(list);
      const back = unpackCells(packCells(map));
      return back.size === map.size && [...map].every(([cell, count]) => back.get(cell) === count);
    }),
    { seed: SEED },
  );
  t.throws(() => unpackCells(Buffer.from([5])), RangeError);
  t.throws(() => unpackCells(Buffer.from([5, 255])), RangeError);
  t.end();
});

const reader = new PairReader(new Hand());
const NAMES = ['ann', 'bob', 'cid'];

/** The records of two players in a hand of ann, bob and cid (on the button). */
function said(scene: Partial<Scene>, ...lines: string[]): (of: string, against: string) => PairHand {
  const hand = play(deal({ stacks: [1000, 1000, 1000], button: 2, ...scene }), ...lines);
  const pairs = reader.read(storedOf(hand, NAMES, 1));
  return (of, against) => pairs.find(({ agentId, otherId }) => agentId === of && otherId === against)!;
}

/** Decisions as "street price strength ahead deed", a star where more than two are left. */
const told = ({ cells }: PairHand) =>
  [...cells].map(([cell, count]) => {
    const { street, crowded, price, strength, ahead } = SITUATION_OF[Math.floor(cell / DEEDS)]!;
    const named = price === null ? 'free' : Object.keys(Price)[price]!;
    const deed = Object.keys(Deed)[cell % DEEDS]!;
    return `${street}${crowded ? '*' : ''} ${named} ${strength} ${ahead ? 'ahead' : 'behind'} ${deed} x${count}`;
  });

await t.test('a hand says what two did to each other', (t) => {
  const holes = { 0: 'AsAh', 1: '7c2d', 2: 'KsKh' };
  const dumped = said(
    { holes, board: 'AcKd9h3s4c' },
    '2 raise 60',
    '0 call',
    '1 call',
    '0 check',
    '1 raise 180',
    '2 fold',
    '0 call',
    '0 check',
    '1 all-in',
    '0 call',
  );
  t.match(dumped('bob', 'ann'), {
    hands: 1,
    duels: 1,
    lost: 1000,
    flow: FLOW_CAP,
    flowSquares: FLOW_CAP ** 2,
    stacks: 1,
  });
  t.match(dumped('ann', 'bob'), { duels: 1, lost: 0, flow: -FLOW_CAP, stacks: 0 });
  t.match(dumped('cid', 'bob'), { duels: 0, lost: 0, flow: 0, stacks: 0 }, 'others have no part in it');
  t.same(told(dumped('bob', 'ann')), ['2 free 0 behind raise x1'], 'a bet with nothing');
  t.same(told(dumped('ann', 'bob')), ['1 large 4 ahead call x1', '2 free 4 ahead call x1', '2 allIn 4 ahead call x1']);
  t.same(told(dumped('cid', 'bob')), ['1* large 4 ahead fold x1'], 'against whoever bet');
  t.same(told(dumped('bob', 'cid')), ['0* small 0 behind call x1']);

  const folded = said(
    { holes, board: 'AcKd9h3s4c' },
    '2 fold',
    '0 raise 60',
    '1 call',
    '0 check',
    '1 raise 60',
    '0 fold',
  );
  t.match(folded('ann', 'bob'), { duels: 1, lost: 60, flow: 3, stacks: 0 });
  t.ok(told(folded('ann', 'bob')).includes('1 small 4 ahead fold x1'), 'the better hand was folded');

  const squeezed = said({ holes }, '2 raise 60', '0 raise 180', '1 fold', '2 raise 500', '0 fold');
  t.same(told(squeezed('ann', 'cid')), ['0* small 4 ahead raise x1', '0 large 4 ahead fold x1']);
  t.same(told(squeezed('bob', 'ann')), ['0* large 0 behind fold x1'], 'against the last raise');
  t.match(squeezed('ann', 'cid'), { lost: 180, flow: 9 });

  const split = said(
    { holes: { 0: 'AsKh', 1: 'AdKc' }, board: 'AcKd9h3s4c' },
    '2 fold',
    '0 call',
    '1 check',
    '0 check',
    '1 check',
    '0 check',
    '1 check',
    '0 check',
    '1 check',
  );
  t.match(split('ann', 'bob'), { duels: 1, lost: 10, flow: 0 }, 'half of what each put in');
  t.end();
});

await t.test('of any hand: flows cancel out, one duel at most, and a decision counts once at most', (t) => {
  const seated = Array.from({ length: 6 }, (_, seat) => ({ seat, stack: 3000, agentId: `${seat}`, sitting: 's' }));
  const table = new RandomTable('p', 't', seated, seededRandom(SEED));
  for (let n = 0; n < 150 && seated.filter(({ stack }) => stack > 0).length > 1; n++) {
    const record = table.play();
    const pairs = reader.read(record);
    t.equal(
      pairs.reduce((sum, { flow }) => sum + flow, 0),
      0,
    );
    t.ok([0, 2].includes(pairs.filter(({ duels }) => duels === 1).length));
    const decisions = pairs.flatMap(({ cells }) => [...cells.values()]).reduce((sum, count) => sum + count, 0);
    t.ok(decisions <= record.actions.length);
    const broke = record.players.filter(({ stackEnd }) => stackEnd === 0).length;
    t.equal(
      pairs.reduce((sum, { stacks }) => sum + stacks, 0),
      broke,
      'each stack went to one taker',
    );
  }
  t.end();
});

await t.test(
  'evidence reaches x no more often than once in x, whenever one looks; and grows where something is up',
  (t) => {
    const random = seededRandom(SEED);
    const walks = 2000;
    const reach = (rate: number, expected: number) => {
      let reached = 0;
      for (let walk = 0; walk < walks; walk++) {
        let excess = 0;
        for (let n = 1; n <= 300; n++) {
          excess += Number(random.next16() < rate * 0x10000) - expected;
          if (evidence(excess, n * expected * (1 - expected)) < 20) continue;
          reached++;
          break;
        }
      }
      return reached / walks;
    };
    t.ok(reach(0.3, 0.3) <= 1 / 20);
    t.ok(reach(0.5, 0.5) <= 1 / 20);
    t.ok(reach(0.6, 0.3) > 0.95);
    t.ok(
      [-1e6, 0, 1e6].every((excess) => Number.isFinite(Math.log10(evidence(excess, 100)))),
      'always a number',
    );
    t.end();
  },
);

await t.test('the e-BH procedure marks as many as it may', (t) => {
  t.equal(marked([], 0, 0.05), 0);
  t.equal(marked([5, 1, 0], 100, 0.05), 1);
  t.equal(marked([3.2, 0], 100, 0.05), 0, '100 / 0.05 is 2,000');
  t.equal(marked([3.2, 3.2, 0], 100, 0.05), 2, 'two need half as much each');
  t.end();
});

await t.test(
  'puppets that lose all they have show in their number; a table that plays on, and a reckless bot, do not',
  (t) => {
    const losses = (otherId: string, bots: number, hands: number, stacks: number) =>
      Array.from({ length: bots }, (_, i) => ({ agentId: `${otherId} ${i}`, otherId, hands, stacks }));
    const all = [
      // Nine agents, each for a few hands.
      ...losses('farmer', 9, 4, 2),
      ...losses('regular', 25, 170, 1),
      ...losses('regular', 20, 170, 0),
      ...losses('met a reckless one', 1, 40, 12),
      ...losses('met a reckless one', 60, 40, 0),
    ];
    const takers = new Map(takersOf(all, { hands: 20_000, stacks: 60 }).map((taker) => [taker.agentId, taker]));
    t.match(takers.get('farmer'), { stacks: 18, givers: 9 });
    t.ok(takers.get('farmer')!.score > 6);
    t.match(takers.get('regular'), { stacks: 25, givers: 25, score: 0 });
    t.match(takers.get('met a reckless one'), { stacks: 12, givers: 1, score: 0 });
    const farm = takersOf(losses('farmer', 9, 4, 2), { hands: 36, stacks: 18 })[0]!;
    t.ok(farm.score > 4, 'also where there is nothing but the farm');
    t.end();
  },
);

await t.test('bots of one pace are alike', (t) => {
  const pace = (gap: number) => {
    const actions = Array.from({ length: 200 }, (_, i) => ({ at: (i + 1) * gap, seat: 0, timeout: i % 2 === 1 }));
    return paceOfCells(timesOf({ actions: actions as never }, 0));
  };
  t.equal(overlap(pace(40)!, pace(41)!), 1);
  t.equal(overlap(pace(40)!, pace(400)!), 0);
  t.equal(paceOfCells(timesOf({ actions: [] }, 0)), null, 'too few to say');
  t.end();
});

await t.test('planted colluders are found among honest bots, who are not', (t) => {
  // bench collusion is the same at length.
  const kinds = ['dumping', 'whipsaw'] as const;
  const world = new World({ seed: 7, regulars: 6, rest: 8, pairs: 1, zeal: 1, hands: 2000, kinds }).play();
  const judged = world.judge();
  const [honest, planted] = [
    judged.filter(({ kind }) => kind === 'honest'),
    judged.filter(({ kind }) => kind !== 'honest'),
  ];
  t.same(planted.map(({ kind, marked }) => [kind, marked]).sort(), [
    ['dumping', true],
    ['whipsaw', true],
  ]);
  t.same(
    honest.filter(({ score, marked }) => marked || score >= 2),
    [],
  );
  t.ok(honest.length >= 60);
  const dumper = planted.find(({ kind }) => kind === 'dumping')!;
  t.ok(dumper.evidence.giving > 3, 'and by what they do');
  t.same(
    world.takers().filter(({ score }) => score >= 2),
    [],
    'and nobody takes from too many',
  );
  t.end();
});
