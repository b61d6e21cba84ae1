import fc from 'fast-check';
import t from 'tap';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import {
  addResult,
  addSample,
  confidenceInterval,
  emptySample,
  evidenceAbove,
  evidenceBelow,
} from '../../src/statistics/confidence-sequence.js';

const results = fc.array(fc.double({ min: -100, max: 500, noNaN: true }), { minLength: 1, maxLength: 200 });

const sampleOf = (values: readonly number[]) => {
  const sample = emptySample();
  for (const value of values) addResult(sample, value, 100, 500);
  return sample;
};

void t.test('an interval holds its mean and stays within what the hands could lose and win', (t) => {
  fc.assert(
    fc.property(results, (values) => {
      const { mean, low, high } = confidenceInterval(sampleOf(values))!;
      return low <= mean && mean <= high && low >= -100 && high <= 500;
    }),
  );
  t.equal(confidenceInterval(emptySample()), null, 'nothing is said of no results');
  t.end();
});

void t.test('parts add up to the whole, in any order', (t) => {
  fc.assert(
    fc.property(results, results, (one, two) => {
      const [whole, parts] = [sampleOf([...one, ...two]), sampleOf(two)];
      addSample(parts, sampleOf(one));
      const [a, b] = [confidenceInterval(whole)!, confidenceInterval(parts)!];
      return Math.abs(a.mean - b.mean) < 1e-9 && Math.abs(a.low - b.low) < 1e-6 && Math.abs(a.high - b.high) < 1e-6;
    }),
  );
  t.end();
});

void t.test('the limits are where the evidence reaches its threshold', (t) => {
  fc.assert(
    fc.property(results, fc.double({ min: 0.001, max: 0.2, noNaN: true }), (values, error) => {
      const sample = sampleOf(Array.from({ length: 50 }, () => values).flat());
      const { low, high } = confidenceInterval(sample, error)!;
      const log = Math.log(2 / error);
      const [below, above] = [evidenceAbove(sample, low), evidenceBelow(sample, high)];
      return (low === -100 || Math.abs(below - log) < 1e-3) && (high === 500 || Math.abs(above - log) < 1e-3);
    }),
  );
  t.end();
});

void t.test('more at stake widens an interval, and a stake without measure leaves what can be lost', (t) => {
  const sample = sampleOf([3, -2, 5, 1, -4]);
  const wider = { ...sample, risk: 1000 };
  t.ok(confidenceInterval(wider)!.low <= confidenceInterval(sample)!.low);
  t.equal(confidenceInterval({ ...sample, risk: 1e9 })!.low, -1e9);
  t.end();
});

/** A lottery with mean 0: −1 nine times of ten, else +9. Its limits are looked at after every result. */
void t.test('the mean leaves the interval at any of 3,000 looks in at most 5 of 100 runs', (t) => {
  const random = seededRandom(7);
  let missed = 0;
  for (let run = 0; run < 400; run++) {
    const sample = emptySample();
    let outside = false;
    for (let look = 0; look < 3000 && !outside; look++) {
      addResult(sample, uniformBelow(10, random) === 0 ? 9 : -1, 1, 9);
      const log = Math.log(2 / 0.05);
      outside = evidenceAbove(sample, 0) > log || evidenceBelow(sample, 0) > log;
    }
    missed += Number(outside);
  }
  t.ok(missed <= 20, `${missed} of 400`);
  t.ok(missed > 0, 'the limits are not needlessly wide for a lottery that wins its whole scale');
  t.end();
});
