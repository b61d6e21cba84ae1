import type { Exam } from './exam.js';
import { BOT_SEAT } from './server/cast.js';
import type { Entry, Frame } from './wire/transcript.js';

/** Attempts to connect within a second: one at once, and some more, are nobody's harm. */
const MOST_CONNECTS = 8;
/** That a socket may send in a second (protocol.md, "Limits of a socket"). */
const MOST_MESSAGES = 20;
const SECOND_MS = 1000;

/**
 * Judges the conduct that holds in every case, and adds the faults to the findings. Adds what does not to the findings.
 */
export function judgeConduct(exam: Exam): void {
  const { transcript, wire, permitted } = exam;
  for (const [text, count] of refusals(transcript.entries, permitted))
    exam.expect(false, `The server refused: ${text}${count > 1 ? ` (${count} times)` : ''}.`);
  if (transcript.entries.some((entry) => isRefused(entry, 'already_in_lobby')))
    exam.advise(permitted.has('already_in_lobby'), 'join_lobby was sent twice: already_in_lobby.');
  // A lean socket is not told why the server acted: the opponents are.
  const timeouts = exam.isLean ? exam.server.cast.timeouts : transcript.entries.filter(timedOut).length;
  exam.expect(
    exam.mayTimeOut || timeouts === 0,
    `The clock ran out on ${timeouts} of the bot's turns: the server acted for it.`,
  );
  const over = exam.started?.over ?? null;
  exam.expect(exam.mayEnd || over === null, `The program exited (${over ?? ''}).`);
  // Each turn allows one action. The rejections tell the number of the others.
  const besides = transcript.entries.filter(({ from, frame }) => from === 'bot' && frame?.type !== 'action');
  const rate = most(besides.map(({ at }) => at));
  exam.expect(
    rate <= MOST_MESSAGES,
    `${rate} messages within a second besides its actions: a socket may send ${MOST_MESSAGES}.`,
  );
  const connects = most(wire.attempts);
  exam.expect(connects <= MOST_CONNECTS, `${connects} attempts to connect within a second: no pause between them.`);
}

function isRefused({ from, frame }: Entry, code: string): boolean {
  return (from === 'server' || from === 'kept') && frame?.['code'] === code;
}

/** The server's complaints, with their counts. Some codes are news rather than a complaint. */
const NEWS = [
  'already_in_lobby',
  'already_seated',
  'auth_failed',
  'insufficient_season_chips',
  'table_not_found',
  'lobby_full',
  'no_active_season',
  'season_error',
  'season_buy_in_failed',
  'rebuy_cooldown',
  'email_not_verified',
];

function refusals(entries: readonly Entry[], permitted: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  const crossed = crossedAnswers(entries);
  for (const entry of entries) {
    const { from, frame } = entry;
    if (from !== 'server' && from !== 'kept') continue;
    if (frame?.type !== 'error' && frame?.type !== 'action_rejected') continue;
    const { code, message, reason } = frame as Record<string, unknown>;
    if (typeof code !== 'string' || permitted.has(code) || crossed.has(entry)) continue;
    if (frame.type === 'error' && NEWS.includes(code)) continue;
    const text = `${frame.type} ${code} (${String(message ?? reason)})`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

/** The server's answers after a turn that ended while its answer was on the way. */
const TURN_IS_OVER = [
  ...['not_at_table', 'table_not_found', 'no_hand_in_progress'],
  ...['stale_hand_action', 'not_your_turn', 'stale_turn_token'],
];

/**
 * Rejections of an answer that crossed with the end of its turn: the first one to a turn that the bot was given. A table
 * that closes, or an opponent who leaves, may end a turn at any moment. Bots that are late are known by their clock.
 */
function crossedAnswers(entries: readonly Entry[]): Set<Entry> {
  const crossed = new Set<Entry>();
  const [given, answered] = [new Set<unknown>(), new Set<unknown>()];
  /** First answers that were not rejected yet, by their id. */
  const open = new Set<unknown>();
  let last: unknown;
  for (const entry of entries) {
    const { from, frame } = entry;
    if (frame === null) continue;
    if (from === 'bot' && frame.type === 'action') {
      const { turn_token: token } = frame;
      last = frame['client_action_id'];
      if (given.has(token) && !answered.has(token)) open.add(last);
      answered.add(token);
    } else if (from === 'server' || from === 'kept') {
      given.add(tokenIn(frame));
      if (frame.type !== 'action_rejected' || !TURN_IS_OVER.includes(String(frame['code']))) continue;
      // Without a table nobody can say which action it was.
      const { client_action_id: id = last } = frame['details'] as { client_action_id?: unknown };
      if (open.delete(id)) crossed.add(entry);
    }
  }
  return crossed;
}

/** The token of the turn that a frame tells of. */
function tokenIn(frame: Frame): unknown {
  const { turn_token, snapshot } = frame as { turn_token?: unknown; snapshot?: { hero?: { turn_token?: unknown } } };
  return turn_token ?? snapshot?.hero?.turn_token;
}

const timedOut = ({ from, frame }: Entry): boolean =>
  (from === 'server' || from === 'kept') &&
  frame?.type === 'player_action' &&
  frame['seat'] === BOT_SEAT &&
  frame['reason'] === 'timeout';

/** The most times within a second. */
function most(times: readonly number[]): number {
  return times.reduce((highest, from, i) => {
    const within = times.slice(i).filter((at) => at < from + SECOND_MS).length;
    return Math.max(highest, within);
  }, 0);
}
