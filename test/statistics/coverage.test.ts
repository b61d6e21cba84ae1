/** A small version of bench coverage: leagues of real results, with a look after every hand. */
import t from 'tap';
import { halfWidths, playLeague, playResults } from '../../bench/coverage/leagues.js';
import { seededRandom } from '../../src/cards/shuffle.js';

const styles = playResults(1500, 11);

void t.test('the true mean of real results stays in the interval at all looks, in 95 of 100 leagues', (t) => {
  const random = seededRandom(12);
  const leagues = 180;
  let [held, fixed] = [0, 0];
  for (let league = 0; league < leagues; league++) {
    const left = playLeague(styles[league % styles.length]!, 800, random);
    held += Number(!left.anytime);
    fixed += Number(!left.fixed);
  }
  t.ok(held >= 0.95 * leagues, `${held} of ${leagues}`);
  t.ok(fixed < 0.9 * leagues, `an interval for a fixed number of hands fails under looks: ${fixed} of ${leagues}`);
  t.end();
});

void t.test('the price is a bounded factor of the width', (t) => {
  for (const style of styles) {
    const { anytime, fixed } = halfWidths(style, 100_000);
    t.ok(anytime > fixed && anytime < 2.2 * fixed, `${style.style}: ${anytime} and ${fixed} bb/100`);
  }
  t.end();
});
