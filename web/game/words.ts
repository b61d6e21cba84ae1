import { count } from '../lib/format.js';
import type { ActionEvent } from './steps.js';
import { cardWords } from './card-words.js';
import type { LiveEvent } from './live.js';
import type { HandMove } from '../../src/formats/hand.js';

export const STREET_NAMES = { preflop: 'Deal', flop: 'Flop', turn: 'Turn', river: 'River', result: 'Result' } as const;

const POSTS = {
  small_blind: 'the small blind',
  big_blind: 'the big blind',
  return: 'a big blind to come back',
  straddle: 'a straddle',
  ante: 'an ante',
  dead: 'a dead blind',
} as const;

/** Why a table closed, by the reason in `table_closed`. */
const REASONS: Readonly<Record<string, string>> = {
  insufficient_players: 'its players have gone to other tables',
  season_ended: 'the season has ended',
  competition_ended: 'the competition has ended',
  table_error: 'it failed, and all chips are back',
  closed_by_operator: 'the operator closed it',
  pace: 'the bot plays on with others that decide as fast',
};

/** The log: what happened, in words. */
export interface LogLine {
  kind: 'head' | 'street' | 'action' | 'result' | 'note';
  text: string;
  /** Names to the left of the text; null where the line is nobody's. */
  name: string | null;
  /** Cards at the end of the line. */
  cards: readonly string[];
}

interface Speech {
  nameOf: (seat: number) => string;
  amount: (chips: number) => string;
}

const line = (kind: LogLine['kind'], text: string, more: Partial<LogLine> = {}): LogLine => ({
  kind,
  text,
  name: null,
  cards: [],
  ...more,
});

/** The lines of one event; none for what needs no words. */
export function linesOf(event: LiveEvent, speech: Speech): LogLine[] {
  const { nameOf, amount } = speech;
  switch (event.kind) {
    case 'deal': {
      const posts = event.posts.map(({ seat, blind, chips }) =>
        line('action', `posts ${POSTS[blind]} ${amount(chips)}`, { name: nameOf(seat) }),
      );
      return [line('head', event.handNumber === null ? 'New hand' : `Hand ${count(event.handNumber)}`), ...posts];
    }
    case 'action':
      return [line('action', actionWords(event, amount), { name: nameOf(event.seat) })];
    case 'street':
      return [line('street', `${STREET_NAMES[event.street]} · pot ${amount(event.pot)}`, { cards: event.cards })];
    case 'result':
      return event.moves.flatMap((move) => resultLine(move, speech));
    case 'joined':
      return [line('note', 'sits down', { name: event.name })];
    case 'left':
      return [line('note', 'leaves', { name: event.name })];
    case 'closed':
      return [line('note', `The table is closed: ${REASONS[event.reason] ?? 'it has ended'}`)];
    case 'state':
      return [];
  }
}

function actionWords({ action, chips, to, price, reason, allIn }: ActionEvent, amount: Speech['amount']): string {
  const why = reason === 'timeout' ? ' (time is up)' : reason === 'left' ? ' (has left)' : '';
  const all = allIn ? ' and is all-in' : '';
  if (action === 'fold') return `folds${why}`;
  if (action === 'check') return `checks${why}`;
  if (action === 'call' || (action === 'all_in' && chips <= price)) return `calls ${amount(chips)}${all}`;
  if (action === 'bet' || (action === 'all_in' && price === 0 && to === chips)) return `bets ${amount(to)}${all}`;
  return `raises to ${amount(to)}${all}`;
}

function resultLine(move: HandMove, { nameOf, amount }: Speech): LogLine[] {
  switch (move.kind) {
    case 'returned':
      return [line('result', `gets ${amount(move.chips)} uncalled back`, { name: nameOf(move.seat) })];
    case 'shown':
      return [
        line('result', move.words === null ? 'shows' : `shows ${move.words}:`, {
          name: nameOf(move.seat),
          cards: move.cards,
        }),
      ];
    case 'mucked':
      return [line('result', 'does not show', { name: nameOf(move.seat) })];
    case 'won':
      return [line('result', `wins ${amount(move.chips)}`, { name: nameOf(move.seat) })];
    case 'post':
    case 'action':
    case 'street':
      return [];
  }
}

/** A line as one whole sentence. */
export function sentence({ name, text, cards }: LogLine): string {
  const words = [name, text, ...(cards.length > 0 ? [cards.map(cardWords).join(', ')] : [])];
  return `${words.filter((word) => word !== null && word !== '').join(' ')}.`;
}
