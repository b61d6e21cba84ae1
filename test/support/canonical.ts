import { createHash } from 'node:crypto';

/**
 * The state_hash of a table_state as a client computes it from the parsed message. It is written from the rule alone
 * and shares nothing with the server. The hash leaves out ts, table_seq, hand_seq and state_hash. Keys are sorted at
 * every level, without white space, and everything beyond ASCII is \uXXXX.
 */
export function stateHashOf(state: Record<string, unknown>): string {
  const hashed = Object.entries(state).filter(([key]) => !['ts', 'table_seq', 'hand_seq', 'state_hash'].includes(key));
  return `sha256:${createHash('sha256')
    .update(canonical(Object.fromEntries(hashed)), 'latin1')
    .digest('hex')}`;
}

function canonical(value: unknown): string {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = value as Record<string, unknown>;
  // Without a comparison, sort goes by the units of UTF-16, as `<` does.
  const keys = Object.keys(members).sort();
  return `{${keys.map((key) => `${text(key)}:${canonical(members[key])}`).join(',')}}`;
}

/** Texts that JSON writes without escapes. */
const PLAIN = /^[ !#-[\]-~]*$/;

function text(value: string): string {
  if (PLAIN.test(value)) return `"${value}"`;
  let out = '';
  for (const unit of JSON.stringify(value).split('')) {
    const code = unit.charCodeAt(0);
    out += code < 0x7f ? unit : `\\u${(0x10000 + code).toString(16).slice(1)}`;
  }
  return out;
}
