/**
 * The simulation is worth no more than the database it plays on. Here the vault and a real PostgreSQL get the same
 * statements, sense and nonsense, thousands of times. They must answer alike, refuse alike, and hold the same rows in
 * the end.
 */
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import { codeOf } from '../../src/store/database.js';
import { freshPool, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { rowsOf } from './twins/rows.js';
import { nextStep } from './twins/statements.js';
import { Twins } from './twins/twins.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const STEPS = 3_000;
/** It goes on until every kind of answer was given, so long at most. */
const MOST_STEPS = 20_000;

/** The answer in words that do not depend on the clock: a value, or why there is none. */
async function outcome(answer: () => unknown): Promise<unknown> {
  try {
    return (await answer()) ?? null;
  } catch (error) {
    const { name, message } = error as Error;
    const { reason } = error as { reason?: string };
    if (codeOf(error) === '23505' || message.includes('unique')) return 'unique violation';
    if (codeOf(error) === 'AP001') return 'refused';
    if (name === 'Fenced') return 'fenced';
    if (name === 'Displaced') return 'displaced';
    return reason === 'hand' ? 'no such hand' : (reason ?? String(error));
  }
}

/** Events that chance must have led to, or the test has tested little. */
const EXPECTED = [
  ...['done', 'balance', 'seated', 'seat_taken', 'table', 'fenced', 'no_entry'].map((end) => `buy in: ${end}`),
  ...['done', 'stack', 'sitting', 'fenced'].map((end) => `cash out: ${end}`),
  ...['nothing', 'no such hand', 'fenced'].map((end) => `commit: ${end}`),
  ...['lead: done', 'lead: nothing', 'leading: done', 'other nodes: done', 'stored tables: done'],
  ...['done', 'displaced'].flatMap((end) => [`take shards: ${end}`, `claim tables: ${end}`]),
  ...['nothing', 'occupied', 'fenced'].map((end) => `close: ${end}`),
  ...['grant true: done', 'grant true: nothing', 'grant false: done', 'grant false: nothing'],
  ...['open a season: nothing', 'open a season: unique violation', 'end the season: done', 'end the season: refused'],
  ...['end the season: displaced', 'remind: displaced'],
];

/** In the world of seed 2 an agent asks for the stay of another. */
const SEEDS = new Set([SEED, 2]);

for (const seed of SEEDS) {
  await t.test(`the vault answers ${STEPS} statements as PostgreSQL does (SEED=${seed})`, async (t) => {
    const twins = new Twins(await freshPool(t), seed);
    await twins.begin();
    const seen = new Map<string, number>();
    const missing = () => [
      ...EXPECTED.filter((kind) => !seen.has(kind)),
      ...(twins.vault.standings.length === 0 ? ['a season that somebody is ranked in'] : []),
    ];
    for (let step = 1; step <= STEPS || (step <= MOST_STEPS && missing().length > 0); step++) {
      const { what, real, vault } = nextStep(twins);
      const [said, ought] = [await outcome(vault), await outcome(real)];
      const kind = `${what.split(' {')[0]}: ${typeof ought === 'string' ? ought : ought === null ? 'nothing' : 'done'}`;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      if (!isDeepStrictEqual(said, ought)) return void t.same(said, ought, `step ${step}: ${what}`);
      if (step % 500 !== 0) continue;
      const [rows, kept] = await rowsOf(twins);
      if (!t.same(kept, rows, `the rows after step ${step}`)) return;
    }
    t.comment([...seen].map(([kind, count]) => `${kind} ${count}`).join(', '));
    t.same(missing(), [], 'chance led to every kind of answer');
  });
}
