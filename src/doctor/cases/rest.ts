import { casesOf, type Case } from '../case.js';
import { NotReached, type Exam } from '../exam.js';

const RETRY_SECONDS = 1;
/** Rounding, and clocks that are read at different ends. */
const TOLERANCE_MS = 100;
/** A bot may ask for several things at once. */
const MOST_EARLY = 2;
const isRegistration = (path: string): boolean => path.startsWith('/api/register');

/** Each request but the registration is refused. Play is not concerned. */
const refused = (status: number, detail: string): Pick<Case, 'run'> => ({
  run: async (exam) => {
    const headers = { 'retry-after': String(RETRY_SECONDS) };
    exam.wire.answer = (_count, path) =>
      isRegistration(path) ? null : { status, headers, body: JSON.stringify({ detail }) };
    await exam.seated();
    await exam.plays(4);
    // A waiting bot asks again meanwhile.
    await exam.pass(1500 * RETRY_SECONDS);
    if (!exam.wire.requests.some(({ path }) => !isRegistration(path))) throw new NotReached();
    doesNotAskEarly(exam, status);
  },
});

/** Between two requests of the same lies as long as Retry-After has said. */
function doesNotAskEarly(exam: Exam, status: number): void {
  const last = new Map<string, number>();
  let early = 0;
  for (const { at, path, status: answered } of exam.wire.requests) {
    if (at - (last.get(path) ?? -Infinity) < 1000 * RETRY_SECONDS - TOLERANCE_MS) early++;
    if (answered === status) last.set(path, at);
    else last.delete(path);
  }
  exam.expect(
    early <= MOST_EARLY,
    `It asked again ${early} times before Retry-After (${RETRY_SECONDS} s) had passed since it was answered ${status}.`,
  );
}

/** The bot's requests over REST beside its play, and their refusals. */
export const restCases: readonly Case[] = casesOf('rest', [
  {
    name: 'rate-limited',
    done: 'Every REST request except registration is answered 429 with Retry-After: 1.',
    sound: 'It waits that long before it asks again, or does without. It plays meanwhile.',
    heading: 'REST',
    ...refused(429, 'Too many requests'),
  },
  {
    name: 'unavailable',
    done: 'Every REST request except registration is answered 503 with Retry-After: 1.',
    sound: 'It asks again later, or does without. It plays meanwhile.',
    heading: 'REST',
    ...refused(503, 'The database is away; try again'),
  },
]);
