import { amountText } from '../amount.js';
import { bracketed, isKnownPair, worthOf } from '../card-text.js';
import { pokerStarsWords } from '../hand-words.js';
import { STREETS, type HandMove, type ReplayHand } from '../hand.js';
import { Account } from '../account.js';
import { easternMoment } from './time.js';
import { summaryLines } from './write-summary.js';

const HEADS = { preflop: 'HOLE CARDS', flop: 'FLOP', turn: 'TURN', river: 'RIVER' } as const;

/**
 * A hand in the layout of PokerStars' own files, which trackers read. Seats are counted from 1. `open`: all cards that
 * the hand has are written as dealt, and not those of its own player alone.
 */
export function writePokerStars(hand: ReplayHand, { open }: { open: boolean }): string {
  const writer = new PokerStarsWriter(hand);
  const { players, smallBlind, bigBlind, unit, button } = hand;
  const amount = (units: number) => amountText(units, unit);
  const playMoney = unit.symbol === '' ? ' (Play Money)' : '';
  const isPost = ({ kind }: HandMove) => kind === 'post';
  const isEnd = ({ kind }: HandMove) => kind === 'shown' || kind === 'mucked';
  const when = hand.startedAt === null ? '' : ` - ${easternMoment(Date.parse(hand.startedAt))}`;
  const { account } = writer;
  const dealt = players.flatMap(({ name, cards, own }) => (cards !== null && (own || open) ? [{ name, cards }] : []));
  return [
    `PokerStars Hand #${numberOf(hand)}:  Hold'em No Limit (${amount(smallBlind)}/${amount(bigBlind)})${when}`,
    `Table '${hand.tableId ?? ''}' 6-max${playMoney} Seat #${button + 1} is the button`,
    ...players.map(({ seat, name, stack }) => `Seat ${seat + 1}: ${name} (${amount(stack)} in chips)`),
    ...writer.lines(isPost),
    '*** HOLE CARDS ***',
    ...dealt.map(({ name, cards }) => `Dealt to ${name} ${bracketed(cards)}`),
    ...writer.lines((move) => !isPost(move) && !isEnd(move)),
    ...(account.showdown ? ['*** SHOW DOWN ***', ...writer.lines(isEnd)] : []),
    ...account.shares.map(({ seat, chips, pot }) => `${account.name(seat)} collected ${amount(chips)} from ${pot}`),
    ...(account.showdown ? [] : [`${account.name(account.winner)}: doesn't show hand`]),
    ...summaryLines(hand, account),
    '',
    '',
    '',
  ].join('\n');
}

/** One number of 60 bits a hand, in the order of time: the id's easternMoment to a fraction of a microsecond. */
function numberOf({ handId, title }: ReplayHand): string {
  if (handId === null) return /\d+/.exec(title)?.[0] ?? '0';
  const hex = handId.replaceAll('-', '');
  return String(BigInt(`0x${hex.slice(0, 12)}${hex.slice(13, 16)}`));
}

/** The lines of moves. Amounts of raises need the bets before them. */
class PokerStarsWriter {
  readonly account: Account;
  readonly #lines: { move: HandMove; lines: string[] }[];
  readonly #bets = new Map<number, number>();
  readonly #behind: Map<number, number>;
  #price: number;
  #board: string[] = [];

  constructor(private readonly hand: ReplayHand) {
    this.account = new Account(hand);
    this.#price = hand.bigBlind;
    this.#behind = new Map(hand.players.map(({ seat, stack }) => [seat, stack]));
    this.#lines = hand.moves.map((move) => ({ move, lines: this.#linesOf(move) }));
  }

  lines(which: (move: HandMove) => boolean): string[] {
    return this.#lines.flatMap(({ move, lines }) => (which(move) ? lines : []));
  }

  #linesOf(move: HandMove): string[] {
    if (move.kind === 'street') return [this.#street(move)];
    const who = this.account.name(move.seat);
    switch (move.kind) {
      case 'post':
        return this.#post(move, who);
      case 'action':
        return [...(move.reason === 'timeout' ? [`${who} has timed out`] : []), `${who}: ${this.#action(move)}`];
      case 'returned':
        return [`Uncalled bet (${this.#text(move.chips)}) returned to ${who}`];
      case 'shown':
        return [`${who}: shows ${bracketed(move.cards)}${this.#words(move)}`];
      case 'mucked':
        return [`${who}: mucks hand`];
      case 'won':
        return [];
    }
  }

  #street({ street, cards }: Extract<HandMove, { kind: 'street' }>): string {
    const before = this.#board;
    this.#board = [...before, ...cards];
    this.#bets.clear();
    this.#price = 0;
    return `*** ${HEADS[street]} *** ${[before, cards]
      .filter((part) => part.length > 0)
      .map(bracketed)
      .join(' ')}`;
  }

  #post({ seat, chips, blind }: Extract<HandMove, { kind: 'post' }>, who: string): string[] {
    const isDead = blind === 'ante' || blind === 'dead';
    const allIn = this.#put(seat, chips, isDead);
    // The layout has no other word for the post of a player that comes back, or for a dead small blind.
    const word = { small_blind: 'small blind', dead: 'small blind', ante: 'the ante', straddle: 'straddle' };
    return [
      `${who}: posts ${blind in word ? word[blind as keyof typeof word] : 'big blind'} ${this.#text(chips)}${allIn}`,
    ];
  }

  #action({ seat, action, chips }: Extract<HandMove, { kind: 'action' }>): string {
    if (action === 'fold' || action === 'check') return `${action}s`;
    const allIn = this.#put(seat, chips, false);
    const to = this.#bets.get(seat)!;
    const price = this.#price;
    if (to <= price) return `calls ${this.#text(chips)}${allIn}`;
    this.#price = to;
    const what = price === 0 ? `bets ${this.#text(to)}` : `raises ${this.#text(to - price)} to ${this.#text(to)}`;
    return `${what}${allIn}`;
  }

  #put(seat: number, chips: number, isDead: boolean): string {
    const behind = this.#behind.get(seat)! - chips;
    this.#behind.set(seat, behind);
    if (!isDead) this.#bets.set(seat, (this.#bets.get(seat) ?? 0) + chips);
    return behind === 0 ? ' and is all-in' : '';
  }

  /** In the words of PokerStars, whichever words the hand has. */
  #words({ cards }: Extract<HandMove, { kind: 'shown' }>): string {
    const { board } = this.account;
    if (!isKnownPair(cards) || board.length < STREETS.length + 1) return '';
    return ` (${pokerStarsWords(worthOf(cards, board))})`;
  }

  #text(units: number): string {
    return amountText(units, this.hand.unit);
  }
}
