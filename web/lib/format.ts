/** Figures as words: tabular, with the real minus sign. */

const MINUS = '\u2212';
/** Between thousands: narrow, and never broken. */
const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

export function count(value: number): string {
  return minus(grouped.format(value));
}

/** "1 bot", "2 bots". */
export const counted = (value: number, one: string, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`;

export function fixed(value: number, digits = 1): string {
  return minus(withDigits(digits).format(value));
}

/** By digits: to make one takes twenty times as long as to use it. */
const formats = new Map<number, Intl.NumberFormat>();

function withDigits(digits: number): Intl.NumberFormat {
  const known = formats.get(digits);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  formats.set(digits, made);
  return made;
}

const SIZES = [
  ['B', 1_000_000_000],
  ['M', 1_000_000],
  ['k', 1000],
] as const;

/** In three figures, rounded down: nobody has more than it says. 243k, 1.24M. */
export function compact(value: number): string {
  const [name, size] = SIZES.find(([, least]) => value >= least) ?? ['', 1];
  const scaled = value / size;
  const digits = scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2;
  // A tenth of a figure more: 1.24 is 1.2399999 to a machine.
  return fixed(Math.floor(scaled * 10 ** digits + 1e-6) / 10 ** digits, digits) + name;
}

/** With a plus for gains; 0 has no sign. */
export function signed(value: number, digits = 0): string {
  const text = digits === 0 ? count(value) : fixed(value, digits);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : /[1-9]/.test(text) ? text : text.replace(MINUS, '');
}

const minus = (text: string) => text.replace('-', MINUS);

export const percent = (share: number, digits = 1) => `${fixed(share * 100, digits)} %`;

/** An interval as it stands behind its estimate: " −6 to +14". Its limits may lie unevenly about the estimate. */
export function limits([low = 0, high = 0]: readonly number[]): string {
  const digits = high - low < 10 ? 1 : 0;
  return ` ${signed(low, digits)} to ${signed(high, digits)}`;
}

/** Credits are dollars with up to four decimals that matter. */
export const dollars = (value: number) =>
  minus(new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 }).format(value));

/** "1.4 MB". */
export const megabytes = (bytes: number) => `${fixed(bytes / 1_000_000)} MB`;

export const shortId = (id: string) => (id.length <= 13 ? id : `${id.slice(0, 6)}…${id.slice(-4)}`);

const UNITS = [
  ['y', 31_536_000],
  ['mo', 2_592_000],
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** The largest unit that fits: "3 h". */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [name, size] = UNITS.find(([, length]) => whole >= length) ?? UNITS[5];
  return `${Math.floor(whole / size)} ${name}`;
}

/** "3 h ago", "in 2 d". */
export function relative(at: number, now: number): string {
  const seconds = (at - now) / 1000;
  if (Math.abs(seconds) < 5) return 'now';
  return seconds < 0 ? `${duration(-seconds)} ago` : `in ${duration(seconds)}`;
}

/** "12 d 04:05:09": what is left, to the second. */
export function countdown(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = `${two(Math.floor(left / 3600) % 24)}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
  return left >= 86_400 ? `${Math.floor(left / 86_400)} d ${clock}` : clock;
}

/** In the reader's zone, with it. */
export const exact = (at: number) =>
  new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium', hour12: false }) +
  ` ${Intl.DateTimeFormat().resolvedOptions().timeZone}`;
