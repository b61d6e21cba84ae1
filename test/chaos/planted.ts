import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { plants, type Plant } from '../sim/plants.js';
import type { Scope } from '../support/database.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Faults that lead to wrong books, for the test that the audit finds each. */
export const wrongBooks: readonly Plant[] = [
  {
    name: 'interest',
    what: 'a cash-out gives a chip too many',
    file: 'src/shard/commit/sitting-queries.ts',
    find: 'set chip_balance = e.chip_balance + ${stack}::bigint, chips_at_table = 0,',
    replace: 'set chip_balance = e.chip_balance + ${stack}::bigint + 1, chips_at_table = 0,',
    says: /chips more than were brought in/,
  },
  {
    name: 'shorthand',
    what: 'a grant is written down a chip short',
    file: 'src/seasons/entry-queries.ts',
    find: "select pool_id, agent_id, 'grant', chip_balance, chip_balance from e",
    replace: "select pool_id, agent_id, 'grant', chip_balance - 1, chip_balance from e",
    says: /agent .*: balance -?\d+, ledger -?\d+/,
  },
  {
    name: 'memory',
    what: 'the record of a hand has another board than was played',
    file: 'src/table/record/hand-record.ts',
    find: 'play.deck.subarray(cards, cards + 5)',
    replace: 'play.deck.subarray(cards - 1, cards + 4)',
    says: /hand .*: the record/,
  },
];

/** Faults that give out more of a hand that is over than its reader saw, for the test that each is found. */
export const wideSights: readonly Plant[] = [
  {
    name: 'glimpse',
    what: 'a hand by REST shows what was mucked or folded',
    file: 'src/history/sight.ts',
    find: 'isPrivy(sight, player) || player.shown || isOpened(sight, player) ? player.hole : null',
    replace: 'player.hole',
    says: /a hand by REST shows/,
  },
  {
    name: 'copy',
    what: 'a file of a hand has the cards of everybody',
    file: 'src/public/hands.ts',
    find: '{ sight, names: namesOf(faces), engine }',
    replace: "{ sight: { kind: 'all' }, names: namesOf(faces), engine }",
    says: /a (phh|pokerstars) file shows/,
  },
  {
    name: 'witness',
    what: 'a proof opens the cards of the others, too',
    file: 'src/history/proof.ts',
    find: 'opened: deal.shared(dealt)',
    replace: 'opened: [...dealt.seats].flatMap((other) => deal.own(dealt, other))',
    says: /other places are opened/,
  },
];

/** A fault by its name, among those that the simulation finds. */
export function plantNamed(name: string): Plant {
  const plant = plants.find((each) => each.name === name);
  if (plant === undefined) throw new Error(`there is no plant ${name}`);
  return plant;
}

/**
 * A copy of the built product with planted faults, each in a file of its own or beside others. They prove that the
 * checks of whole platforms find faults. Returns its main program. It goes when the test is over.
 */
export async function plantedMain(t: Scope, ...planted: readonly Plant[]): Promise<string> {
  const texts = new Map<string, string>();
  for (const { name, file, find, replace } of planted) {
    const source = texts.get(file) ?? readFileSync(join(root, file), 'utf8');
    if (source.split(find).length !== 2) throw new Error(`the plant ${name} no longer fits ${file}`);
    texts.set(
      file,
      source.replace(find, () => replace),
    );
  }
  // As built these have all modules in them.
  for (const entry of ['src/main.ts', ...readdirSync(join(root, 'workers')).map((name) => `workers/${name}`)]) {
    texts.set(entry, readFileSync(join(root, entry), 'utf8'));
  }

  // Below the project, where packages are found; the tree looks the same from inside.
  const home = join(root, 'dist', 'planted', `${planted.map(({ name }) => name).join('-')}-${process.pid}`);
  t.teardown(async () => rmSync(home, { recursive: true, force: true }));
  mkdirSync(home, { recursive: true });
  for (const folder of ['src', 'workers']) {
    cpSync(join(root, 'dist', folder), join(home, 'dist', folder), { recursive: true });
  }
  symlinkSync(join(root, 'sql'), join(home, 'sql'));
  for (const folder of ['web', 'sdk']) symlinkSync(join(root, 'dist', folder), join(home, 'dist', folder));
  for (const [file, text] of texts) {
    const { code } = await transform(text, { loader: 'ts', target: 'node20' });
    writeFileSync(join(home, 'dist', file.replace(/ts$/, 'js')), code);
  }
  return join(home, 'dist', 'src', 'main.js');
}
