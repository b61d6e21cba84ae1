/** Rows as PostgreSQL's COPY reads them: a line for each, tabs between the columns, \N for null. */

const SPECIAL = /[\\\n\r\t]/;
const EACH_SPECIAL = /[\\\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Values as the server writes them. latin1 keeps each byte as it is; no byte of another character looks like ASCII. */
export function copyText(rows: readonly (readonly (Buffer | null)[])[]): Buffer {
  let text = '';
  for (const row of rows) text += `${row.map(valueText).join('\t')}\n`;
  return Buffer.from(text, 'latin1');
}

function valueText(value: Buffer | null): string {
  if (value === null) return '\\N';
  const text = value.toString('latin1');
  return SPECIAL.test(text) ? text.replace(EACH_SPECIAL, (special) => ESCAPES[special]!) : text;
}
