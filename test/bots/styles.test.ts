/** The templates play as their names say: a shorter run of `npx agent-poker bench styles`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { createStrategy, STRATEGY_NAMES, STYLES, type Style } from '../../src/bots/index.js';
import { playHands } from '../../src/memory/sparring.js';
import { BANDS, measureStyles, outside, type Figures } from '../../bench/styles/bands.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const HANDS = 6000;
const FIGURES: readonly (keyof Figures)[] = ['vpip', 'pfr', 'aggression'];

void t.test('each template is within its bands', (t) => {
  for (const seed of [1, 2]) {
    const measured = measureStyles(2 * HANDS, seed);
    for (const name of STRATEGY_NAMES) {
      const told = FIGURES.map((figure) => `${figure} ${measured[name][figure].toFixed(3)}`);
      t.same(outside(measured[name], BANDS[name]), [], `${name}, seed ${seed}: ${told.join(', ')}`);
    }
  }
  t.end();
});

void t.test('no two templates could be taken for each other', (t) => {
  for (const [i, one] of STRATEGY_NAMES.entries()) {
    for (const other of STRATEGY_NAMES.slice(i + 1)) {
      const apart = FIGURES.filter((figure) => {
        const [a, b] = [BANDS[one][figure], BANDS[other][figure]];
        return a[1] < b[0] || b[1] < a[0];
      });
      t.ok(apart.length > 0, `${one} and ${other} differ in ${apart.join(', ')}`);
    }
  }
  t.end();
});

void t.test('each number of a strategy moves what it says', (t) => {
  /** A shark with one trait changed, among five sharks. */
  const figures = (change: Partial<Style>) => {
    const minds = [{ ...STYLES.shark, ...change }, ...new Array<Style>(5).fill(STYLES.shark)];
    const { conduct } = playHands(minds.map((style, i) => createStrategy(style, i)), HANDS, 1); // prettier-ignore
    const { hands, vpip, pfr, raises, calls, folds } = conduct[0]!;
    const answers = raises + calls + folds;
    return { vpip: vpip / hands, pfr: pfr / hands, raises: raises / answers, folds: folds / answers };
  };
  const shark = figures({});
  t.ok(figures({ vpip: 0.4 }).vpip > shark.vpip + 0.05, 'vpip');
  t.ok(figures({ vpip: 0.4, pfr: 0.35 }).pfr > shark.pfr + 0.1, 'pfr');
  t.ok(figures({ threeBet: 0.2 }).pfr > shark.pfr + 0.02, 'three_bet');
  t.ok(figures({ aggression: 0.2 }).raises < shark.raises - 0.05, 'aggression');
  t.ok(figures({ bluff: 0.8 }).raises > shark.raises + 0.05, 'bluff');
  t.ok(figures({ callDown: 0.95 }).folds < shark.folds - 0.05, 'call_down');
  t.end();
});

void t.test('the command prints all of them, and fails where one is outside', (t) => {
  const run = (...args: string[]) => {
    const cli = fileURLToPath(new URL('../../bench/styles.js', import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  const few = run('--hands', '20');
  t.equal(few.status, 1, 'twenty hands are chance');
  for (const name of STRATEGY_NAMES) t.match(few.stdout, new RegExp(`^${name} .* to `, 'm'));
  t.match(few.stdout, /! outside of its band/);
  t.match(run('--hands', '20000'), { status: 0, stdout: /^20000 hands of all six/ });
  t.match(run('--hands', 'many'), { status: 2, stderr: /whole number/ });
  t.end();
});
