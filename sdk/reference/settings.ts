import type { TSchema } from 'typebox';
import { settings, type Setting, type SettingName } from '../../src/ops/settings.js';
import { code, page, sentences, table } from './markdown.js';
import { json, typeText } from './schemas.js';

/** docs/reference/settings.md: every setting, in the groups of .env.example. */

const ABOUT = `Settings come from the environment, or from \`.env\` in the working directory. The environment wins.
[.env.example](../../.env.example) is this page as a file to copy.`;

const RULES = `## How values are read

- An empty value counts as absent.
- A number is written in decimal digits: \`1.5\`, \`true\` and \`0x10\` are refused.
- \`.env\` is UTF-8 without a byte-order mark. Each line is \`NAME=value\`, a comment or blank.
- A bad value, an unknown name in \`.env\` or a near miss of a known name in the environment stops the start. One line names the setting and what to do. The exit code is 1.
- A production start also stops without the settings marked **production**. One line names all of them.
- Settings that contradict each other are warned of in the log (\`settings: …\`).
- Blinds (10/20), seats (6) and the buy-in range (1,000 to 5,000) are no settings.`;

/** Settings with a default that depends on the machine. */
const OF_THE_MACHINE: Partial<Record<SettingName, string>> = { THREADS: 'cores − 1' };

/** `example` is the text of .env.example, which has each setting below the heading of its group. */
export function settingsPage(example: string): string {
  const groups = example.split(/^# ---- (.+) ----$/m).slice(1);
  const sections = groups.flatMap((text, n) => (n % 2 === 0 ? [`## ${text}`, tableOf(namesIn(groups[n + 1]!))] : []));
  return page('Settings', ABOUT.replaceAll('\n', ' '), [RULES, ...sections]);
}

const namesIn = (text: string) => [...text.matchAll(/^#([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name as SettingName);

function tableOf(names: readonly SettingName[]): string {
  return table(
    ['setting', 'default', 'values', 'meaning'],
    names.map((name) => {
      const setting: Setting = settings[name];
      return [code(name), defaultOf(name, setting), valuesOf(setting), meaningOf(setting)];
    }),
  );
}

function defaultOf(name: SettingName, { fallback, production }: Setting): string {
  const byDefault = OF_THE_MACHINE[name] ?? (fallback === undefined ? '' : code(fallback));
  return production === undefined ? byDefault : `${byDefault}; production ${code(production)}`;
}

function valuesOf({ schema, form }: Setting): string {
  if (form !== undefined) return code(form);
  const plain = json(schema as TSchema);
  if (plain.anyOf !== undefined) return plain.anyOf.map((each) => code(String(each.const))).join(', ');
  return typeText(plain);
}

/** A help that begins with one of the values names it as code. Tags are no HTML. */
function helpText({ help, schema }: Setting): string {
  const values = (json(schema as TSchema).anyOf ?? []).map((each) => String(each.const));
  const named = values.reduce((text, value) => text.replace(new RegExp(`(^|; )${value}: `), `$1\`${value}\`: `), help);
  return (named.charAt(0).toUpperCase() + named.slice(1)).replace(/<(\w+)>/g, '&lt;$1&gt;');
}

const meaningOf = (setting: Setting) => {
  const { secret, neededInProduction } = setting;
  return sentences(
    helpText(setting),
    secret === true ? 'Secret' : undefined,
    neededInProduction === true ? '**production**' : undefined,
  );
};
