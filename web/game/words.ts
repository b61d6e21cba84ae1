import { texts } from '../texts.js';
import { cardWords } from './card-words.js';
import type { LiveEvent } from './live.js';
import type { HandMove } from '../../src/formats/hand.js';

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
  ...{ kind, text, name: null, cards: [] },
  ...more,
});

/** The lines of one event; none for what needs no words. */
export function linesOf(event: LiveEvent, speech: Speech): LogLine[] {
  const { nameOf, amount } = speech;
  const log = texts.log;
  switch (event.kind) {
    case 'deal': {
      const posts = event.posts.map(({ seat, blind, chips }) =>
        line('action', log.posts(blind, amount(chips)), { name: nameOf(seat) }),
      );
      return [line('head', log.hand(event.handNumber)), ...posts];
    }
    case 'action': {
      const words = log.action(event, amount);
      return [line('action', words, { name: nameOf(event.seat) })];
    }
    case 'street':
      return [line('street', log.street(event.street, amount(event.pot)), { cards: event.cards })];
    case 'result':
      return event.moves.flatMap((move) => resultLine(move, speech));
    case 'joined':
    case 'left':
      return [line('note', log[event.kind], { name: event.name })];
    case 'closed':
      return [line('note', log.closed(event.reason))];
    case 'state':
      return [];
  }
}

function resultLine(move: HandMove, { nameOf, amount }: Speech): LogLine[] {
  const log = texts.log;
  switch (move.kind) {
    case 'returned':
      return [line('result', log.returned(amount(move.chips)), { name: nameOf(move.seat) })];
    case 'shown':
      return [line('result', log.shows(move.words), { name: nameOf(move.seat), cards: move.cards })];
    case 'mucked':
      return [line('result', log.mucks, { name: nameOf(move.seat) })];
    case 'won':
      return [line('result', log.wins(amount(move.chips)), { name: nameOf(move.seat) })];
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
