import { CLOSE_NOTES, ERROR_NOTES, REJECTION_NOTES } from '../../src/protocol/code-notes.js';
import {
  CLOSE_REASONS,
  ERROR_CODES_NEVER_SENT,
  ERROR_MESSAGES,
  REFUSAL_REASONS,
  REJECTION_REASONS,
  type CloseCode,
  type ErrorCode,
  type RejectionCode,
} from '../../src/protocol/codes.js';
import { restSpecs } from '../../src/protocol/rest/index.js';
import { code, page, table } from './markdown.js';

/** docs/reference/errors.md: codes of errors, of rejected actions and of closed sockets, and the texts of REST. */

const NEVER_SENT: readonly ErrorCode[] = ERROR_CODES_NEVER_SENT;
const keys = <K extends string>(of: Readonly<Record<K, unknown>>) => Object.keys(of) as K[];

export function errorsPage(): string {
  return page('Errors', 'Branch on the code. The text is for people, and may be more exact than the one here.', [
    '## `error` messages',
    table(
      ['code', 'text', 'when, and what to do'],
      keys(ERROR_MESSAGES)
        .filter((each) => !NEVER_SENT.includes(each))
        .map((each) => [code(each), ERROR_MESSAGES[each], ERROR_NOTES[each]]),
    ),
    `The schema also has ${NEVER_SENT.map(code).join(', ')}. The server never sends them.`,
    '## `action_rejected` messages',
    'The checks run in this order. The first check that fails names the code.',
    table(
      ['code', 'reason', 'when', 'then'],
      keys(REJECTION_NOTES).map((each: RejectionCode) => [
        code(each),
        REJECTION_REASONS[each],
        REJECTION_NOTES[each].when,
        REJECTION_NOTES[each].then,
      ]),
    ),
    '`invalid_action` has one of these reasons. The turn stays open with the same token.',
    table(
      ['reason'],
      [...new Set(Object.values(REFUSAL_REASONS))].map((reason) => [reason]),
    ),
    '## Close codes',
    'An ordinary error of play never closes the socket.',
    table(
      ['code', 'reason', 'when', 'then'],
      Object.entries(CLOSE_REASONS).map(([each, reason]) => {
        const { when, then } = CLOSE_NOTES[Number(each) as CloseCode];
        return [each, reason, when, then];
      }),
    ),
    'Any other code is a lost connection. Reconnect with growing pauses.',
    '## REST',
    'The body of an error is `{"detail": "text"}`. A 422 has a list of `{loc, msg, type}` instead. Endpoints with one text are many: [rest.md](rest.md) lists the texts of each.',
    table(['status', 'text'], restTexts()),
  ]);
}

/** Every text that some endpoint answers, by status. */
function restTexts(): string[][] {
  const texts = new Map<number, Set<string>>();
  for (const { errors = {} } of restSpecs) {
    for (const [status, of] of Object.entries(errors)) {
      const known = texts.get(Number(status)) ?? new Set();
      for (const text of of) known.add(text);
      texts.set(Number(status), known);
    }
  }
  return [...texts]
    .sort(([a], [b]) => a - b)
    .flatMap(([status, of]) => [...of].sort().map((text) => [String(status), text]));
}
