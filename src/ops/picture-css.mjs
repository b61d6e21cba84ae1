/**
 * The styles of a table's picture for an SVG that stands alone: the rules of table.css with colours of the dark theme.
 * Programs that draw SVG know neither custom properties nor color-mix(), so colours are worked out here.
 */
import { readFile } from 'node:fs/promises';

const SHARED = `.share-ground { fill: var(--ground); }
.share-title { fill: var(--ink); font-weight: 700; }
.share-said { fill: var(--soft); }`;

/** Without effect in a still picture. */
const LEFT_OUT =
  /^(--|animation|transition|transform|display|width|height|overflow|user-select|color-scheme|font-family)/;

/** Throws where a colour stays that a program may not know. */
export async function pictureStyles() {
  const [tokens, table] = await Promise.all(
    ['web/styles/tokens.css', 'web/table/table.css'].map((path) => readFile(path, 'utf8')),
  );
  const all = rulesOf(tokens).filter(({ selectors }) => selectors.join() === ':root');
  const rules = rulesOf(`${table}\n${SHARED}`).filter(({ selectors }) => !/:|upright|still/.test(selectors.join()));
  /** By name; the values of chips differ by their class. */
  const values = new Map();
  const chips = new Map();
  for (const { selectors, declarations } of [...all, ...rules]) {
    const into = /^\.chip-\d+$/.test(selectors[0]) ? chips.set(selectors[0], new Map()).get(selectors[0]) : values;
    for (const [name, value] of declarations) if (name.startsWith('--')) into.set(name, value);
  }
  const lines = rules.flatMap(({ selectors, declarations }) => {
    const kept = declarations.filter(([name]) => !LEFT_OUT.test(name));
    if (kept.length === 0) return [];
    const ruleIn = (scope, known) =>
      `${selectors.map((selector) => scope + selector)}{${kept.map(([name, value]) => `${name}:${solved(value, known)}`).join(';')}}`;
    if (!kept.some(([, value]) => value.includes('var(--chip'))) return [ruleIn('', values)];
    return [...chips].map(([chip, known]) => ruleIn(`${chip} `, known));
  });
  return lines.join('');
}

/** The rules outside of @media and @keyframes. */
function rulesOf(css) {
  const plain = css.replace(/\/\*[^]*?\*\//g, '').replace(/@[\w-]+[^{;]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '');
  return [...plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selectors, body]) => ({
    selectors: selectors.split(',').map((selector) => selector.trim()),
    declarations: body
      .split(';')
      .filter((each) => each.includes(':'))
      .map((each) => [each.slice(0, each.indexOf(':')).trim(), each.slice(each.indexOf(':') + 1).trim()]),
  }));
}

/** A value without functions of CSS, from the inside outwards. */
function solved(value, known) {
  let text = value;
  for (let before = ''; before !== text;) {
    before = text;
    text = text
      .replace(/var\((--[\w-]+)\)/g, (whole, name) => known.get(name) ?? whole)
      .replace(/light-dark\([^(),]+,\s*([^(),]+)\)/g, '$1')
      .replace(/color-mix\(in oklab, (#\w+) ([\d.]+)%, (#\w+)\)/g, (_, a, share, b) =>
        mixed(a, Number(share) / 100, b),
      );
  }
  if (/\b(var|light-dark|color-mix)\(/.test(text))
    throw new Error(`table.css: ${value} is no colour of a still picture`);
  return text;
}

/** CSS Color 4, "Interpolation": both colours in Oklab (B. Ottosson, 2020). */
function mixed(first, share, second) {
  const [a, b] = [oklabOf(first), oklabOf(second)];
  return hexOf(a.map((value, i) => value * share + b[i] * (1 - share)));
}

const linear = (byte) => (byte <= 0.04045 ? byte / 12.92 : ((byte + 0.055) / 1.055) ** 2.4);
const encoded = (light) => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);

function oklabOf(hex) {
  const long = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join('') : hex.slice(1);
  const [r, g, b] = [0, 2, 4].map((at) => linear(parseInt(long.slice(at, at + 2), 16) / 255));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function hexOf([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const light = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const bytes = light.map((value) => Math.round(Math.min(1, Math.max(0, encoded(value))) * 255));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
