/** An exported name means one thing. */
import t from 'tap';
import { house } from './house-figures.js';

const { names } = house();

void t.test('no exported name of src/ or workers/ is declared twice', (t) => {
  t.same(names.twice, []);
  t.end();
});
