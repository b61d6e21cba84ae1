/** .env.example tells of every setting what src/ops/settings.ts says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readConfig } from '../../src/ops/config.js';
import { settings, type Setting } from '../../src/ops/settings.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const text = readFileSync(join(import.meta.dirname, '..', '..', '..', '.env.example'), 'utf8');
/** By name: the comment line above the setting, and the value shown. */
const shown = new Map(
  [...text.matchAll(/^# (.+)\n#([A-Z_]+)=(.*)$/gm)].map(([, comment = '', name = '', value = '']) => [
    name,
    { comment, value },
  ]),
);

void t.test('.env.example lists every setting once, with its meaning and its default', (t) => {
  t.same([...shown.keys()].sort(), Object.keys(settings).sort());
  t.equal(text.match(/^#?[A-Z_]+=/gm)?.length, shown.size, 'nothing is listed twice, nothing is switched on');
  for (const [name, setting] of Object.entries(settings) as [string, Setting][]) {
    const { comment, value } = shown.get(name) ?? { comment: '', value: '' };
    t.ok(comment.startsWith(setting.help), `${name}: ${setting.help}`);
    if (setting.production !== undefined) t.ok(comment.includes(`production: ${setting.production}`), name);
    // The default of THREADS depends on the machine; settings without a default show an example.
    if (setting.fallback !== undefined && name !== 'THREADS') t.equal(value, setting.fallback, name);
  }
  t.end();
});

void t.test('.env.example with every line switched on is a valid .env', (t) => {
  const config = readConfig({}, text.replace(/^#(?=[A-Z_]+=)/gm, ''));
  t.equal(config.PORT, 8080);
  t.same(config.REBUY_COOLDOWNS_PRO, [0, 120]);
  t.not(config.DATABASE_URL, undefined);
  t.end();
});
