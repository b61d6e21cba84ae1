/** Intervals by betting: they hold at all looks, agree with the evidence, and are narrower than those of two sums. */
import fc from 'fast-check';
import t from 'tap';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import { BettingEvidence, BettingSample } from '../../src/statistics/betting.js';
import { addResult, confidenceInterval, emptySample } from '../../src/statistics/confidence-sequence.js';

const LIMIT = 25;
const results = fc.array(fc.double({ min: -LIMIT, max: LIMIT, noNaN: true }), { minLength: 1, maxLength: 150 });

void t.test('an interval holds its mean, and is where the evidence reaches its threshold', (t) => {
  fc.assert(
    fc.property(results, (values) => {
      const sample = new BettingSample(LIMIT);
      for (const value of values) sample.add(value);
      const { mean, low, high } = sample.interval()!;
      const log = (claim: number, sign: 1 | -1) => {
        const evidence = new BettingEvidence(LIMIT, claim, sign);
        for (const value of values) evidence.add(value);
        return evidence.log;
      };
      const [needed, step] = [Math.log(2 / 0.05), 0.01];
      const holds = -LIMIT <= low && low <= mean && mean <= high && high <= LIMIT;
      const isLow = low < -LIMIT + step || (log(low - step, 1) > needed - 1e-3 && log(low + step, 1) < needed + 0.1);
      const isHigh =
        high > LIMIT - step || (log(high + step, -1) > needed - 1e-3 && log(high - step, -1) < needed + 0.1);
      return holds && isLow && isHigh;
    }),
  );
  t.equal(new BettingSample(LIMIT).interval(), null);
  t.throws(() => new BettingSample(LIMIT).add(LIMIT + 1), RangeError);
  t.end();
});

/** A lottery with mean 0: −1 nine times of ten, else +9, the limit. */
const draw = (random: ReturnType<typeof seededRandom>) => (uniformBelow(10, random) === 0 ? 9 : -1);

/** Mostly 0, as deals of two like bots; now and then up to 10 big blinds. */
const nextResult = (random: ReturnType<typeof seededRandom>, shift: number) =>
  (uniformBelow(5, random) === 0 ? (uniformBelow(2001, random) - 1000) / 100 : 0) + shift;

void t.test('the mean leaves the interval at any of 1,000 looks in at most 5 of 100 runs', (t) => {
  const random = seededRandom(3);
  let missed = 0;
  for (let run = 0; run < 400; run++) {
    const both = [new BettingEvidence(9, 0, 1), new BettingEvidence(9, 0, -1)];
    let outside = false;
    for (let look = 0; look < 1000 && !outside; look++) {
      const result = draw(random);
      for (const evidence of both) evidence.add(result);
      outside = both.some(({ log }) => log > Math.log(2 / 0.05));
    }
    missed += Number(outside);
  }
  t.ok(missed <= 20, `${missed} of 400`);
  t.ok(missed > 0, 'the limits are not needlessly wide');
  t.end();
});

void t.test('it is narrower than the interval of two sums for the same scale', (t) => {
  const random = seededRandom(5);
  const [sums, sample] = [emptySample(), new BettingSample(LIMIT)];
  for (let deal = 0; deal < 1000; deal++) {
    const result = nextResult(random, 0.3);
    sample.add(result);
    addResult(sums, result, LIMIT, LIMIT);
  }
  const width = ({ low, high }: { low: number; high: number }) => high - low;
  t.ok(width(sample.interval()!) < width(confidenceInterval(sums)!));
  t.end();
});
