/** Made when first asked for, once: that takes some 10 ms, which no start need pay. */
let formatted: Intl.DateTimeFormat | undefined;
const eastern = () =>
  (formatted ??= new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/New_York',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }));
const HOUR_MS = 3_600_000;

/** The offset changes on the hour at most; it is asked for again with every new one. */
let known = { hour: NaN, offset: 0 };

/** A time as PokerStars writes it: in UTC, then in brackets in its own Eastern time. */
export function easternMoment(ms: number): string {
  const hour = Math.floor(ms / HOUR_MS);
  if (hour !== known.hour) known = { hour, offset: easternOffset(hour * HOUR_MS) };
  return `${clock(ms)} UTC [${clock(ms + known.offset)} ET]`;
}

function easternOffset(ms: number): number {
  const parts = Object.fromEntries(
    eastern()
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute) - ms;
}

/** 2026/11/21 5:04:09 */
function clock(ms: number): string {
  const [date, time] = new Date(ms).toISOString().slice(0, 19).split('T') as [string, string];
  return `${date.replaceAll('-', '/')} ${time.replace(/^0/, '')}`;
}

/** The moment of a clock in Eastern time, which is given as if it were UTC. Null in the hour that comes twice, or never. */
export function utcOfEastern(ms: number): number | null {
  const found = [4, 5].map((hours) => ms + hours * HOUR_MS).filter((at) => at + easternOffset(at) === ms);
  return found.length === 1 ? found[0]! : null;
}
