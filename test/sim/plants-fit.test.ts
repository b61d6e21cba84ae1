/**
 * Each planted fault changes one place of its file. This test sees a change of the place at once, long before the
 * campaigns.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { nodePlants } from '../chaos/nodes/plants.js';
import { wideSights, wrongBooks } from '../chaos/planted.js';
import { sharePlants } from '../share/plants.js';
import { leasePlants } from './lease-plants.js';
import { plants } from './plants.js';

const ROOT = new URL('../../../', import.meta.url);

const single = [...plants, ...leasePlants, ...sharePlants, ...wrongBooks, ...wideSights];
const edits = nodePlants.flatMap(({ name, edits }) => edits.map((edit) => ({ name, ...edit })));

for (const { name, file, find } of [...single, ...edits]) {
  const source = readFileSync(fileURLToPath(new URL(file, ROOT)), 'utf8');
  t.equal(source.split(find).length - 1, 1, `${name} fits ${file}`);
}
