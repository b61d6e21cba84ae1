import type { ReplayPlayer, PostWord, ReplayHand } from '../../src/formats/hand.js';
import { cardsOf, FileError, HandWriter, holeOf, seatsOf } from './writer.js';

/** Hands as PokerStars writes them to its files, as far as No-Limit Hold'em goes. */
export function pokerStarsHands(text: string): ReplayHand[] {
  return text
    .replaceAll('\r', '')
    .replace(/^\uFEFF/, '')
    .split(/^(?=PokerStars (?:Zoom )?(?:Hand|Game) #)/m)
    .filter((part) => part.startsWith('PokerStars'))
    .map((part) => pokerStarsHand(part.split('\n').map((line) => line.trim())));
}

interface Seated {
  seat: number;
  name: string;
  stack: number;
}

function pokerStarsHand(lines: readonly string[]): ReplayHand {
  const [head = ''] = lines;
  if (!/hold'?em no limit/i.test(head)) throw new FileError("Only No-Limit Hold'em can be replayed.");
  const button = Number(find(lines, /Seat #(\d+) is the button/)?.[1] ?? 1) - 1;
  const end = lines.findIndex((line) => line.startsWith('*** SUMMARY'));
  const body = end < 0 ? lines : lines.slice(0, end);
  const seated = body.flatMap((line): Seated[] => {
    const found = /^Seat (\d+): (.+) \([$€£]?([\d.,]+) in chips/.exec(line);
    return found === null ? [] : [{ seat: Number(found[1]) - 1, name: found[2]!, stack: chipsOf(found[3]!) }];
  });
  const seats = seatsOf(seated.map(({ seat }) => seat));
  const players = playersOf(lines, seated, seats);
  const writer = new HandWriter(players);
  const seatOf = new Map(players.map(({ name, seat }) => [name, seat]));
  const reader = new LineReader(writer, seatOf);
  for (const line of body) reader.read(line);
  const blinds = /\([$€£]?([\d.]+)\/[$€£]?([\d.]+)/.exec(head);
  const place = seated.findIndex(({ seat }) => seat === button);
  return writer.hand({
    ...{ handId: null, tableId: null, handNumber: null },
    title: `Hand #${/#(\d+)/.exec(head)?.[1] ?? ''}`,
    startedAt: timeOf(head),
    smallBlind: chipsOf(blinds?.[1] ?? '0'),
    bigBlind: chipsOf(blinds?.[2] ?? '0'),
    button: seats[place] ?? seats[0] ?? 0,
  });
}

function playersOf(lines: readonly string[], seated: readonly Seated[], seats: readonly number[]): ReplayPlayer[] {
  const dealt = new Map<string, string[]>();
  const own = new Set<string>();
  for (const line of lines) {
    const hole = /^Dealt to (.+) \[(.+)\]$/.exec(line);
    if (hole !== null) {
      own.add(hole[1]!);
      dealt.set(hole[1]!, cardsOf(hole[2]!));
    }
    const shown = /^(.+): shows \[(.+?)\]/.exec(line);
    if (shown !== null) dealt.set(shown[1]!, cardsOf(shown[2]!));
    const mucked = /^Seat \d+: (.+?)(?: \((?:button|small blind|big blind)\))* mucked \[(.+)\]$/.exec(line);
    if (mucked !== null) dealt.set(mucked[1]!, cardsOf(mucked[2]!));
  }
  const isOwn = (name: string) => own.size === 1 && own.has(name);
  return seated.map(({ name, stack }, i) => ({
    ...{ seat: seats[i]!, name, stack, slug: null, cards: holeOf(dealt.get(name) ?? []), own: isOwn(name) },
  }));
}

const find = (lines: readonly string[], pattern: RegExp): RegExpExecArray | null => {
  for (const line of lines) {
    const found = pattern.exec(line);
    if (found !== null) return found;
  }
  return null;
};

/** Amounts with cents stay what they are; commas part thousands. */
const chipsOf = (text: string): number => Number(text.replaceAll(',', ''));

function timeOf(head: string): string | null {
  const found = /(\d{4})\/(\d\d)\/(\d\d) (\d{1,2}):(\d\d):(\d\d) UTC/.exec(head);
  if (found === null) return null;
  const [, year, month, day, hour, minute, second] = found;
  return `${year}-${month}-${day}T${hour!.padStart(2, '0')}:${minute}:${second}Z`;
}

const AMOUNT = '[$€£]?([\\d.,]+)';
const STREET = /^\*\*\* (?:FLOP|TURN|RIVER) \*\*\*.*\[([^\]]+)\]$/;
const WON = new RegExp(`^(.+) collected ${AMOUNT} from`);
const RETURNED = new RegExp(`^Uncalled bet \\(${AMOUNT}\\) returned to (.+)$`);
const LINE = /^(.+?): (posts|folds|checks|calls|bets|raises|shows|mucks)\b(.*)$/;

class LineReader {
  constructor(
    private readonly writer: HandWriter,
    private readonly seatOf: ReadonlyMap<string, number>,
  ) {}

  read(line: string): void {
    const { writer } = this;
    const street = STREET.exec(line);
    if (street !== null) return writer.street(cardsOf(street[1]!));
    if (RETURNED.test(line)) return writer.returnUncalled();
    const won = WON.exec(line);
    if (won !== null) return writer.win(this.#seat(won[1]!), chipsOf(won[2]!));
    const found = LINE.exec(line);
    // Chat, joins and leaves are no part of the hand.
    if (found === null || !this.seatOf.has(found[1]!)) return;
    this.#act(this.#seat(found[1]!), found[2]!, found[3]!);
  }

  #act(seat: number, word: string, rest: string): void {
    const { writer } = this;
    const amounts = [...rest.matchAll(/[$€£]?(\d[\d.,]*)/g)].map((found) => chipsOf(found[1]!));
    const [first = 0, second = 0] = amounts;
    switch (word) {
      case 'posts':
        return writer.post(seat, first, this.#postOf(rest));
      case 'folds':
        return writer.fold(seat);
      case 'checks':
      case 'calls':
        return writer.checkOrCall(seat);
      case 'bets':
        return writer.raiseTo(seat, first);
      case 'raises':
        return writer.raiseTo(seat, second);
      case 'shows': {
        const cards = /\[(.+?)\](?: \((.+)\))?/.exec(rest);
        return writer.show(seat, cardsOf(cards?.[1] ?? ''), cards?.[2] ?? null);
      }
      case 'mucks':
        return writer.muck(seat);
    }
  }

  /** A big blind after the first is one of a player that comes back. */
  #postOf(rest: string): PostWord {
    if (rest.includes('ante')) return 'ante';
    if (rest.includes('small')) return 'small_blind';
    return this.writer.moves.some((move) => move.kind === 'post' && move.blind === 'big_blind')
      ? 'return'
      : 'big_blind';
  }

  #seat(name: string): number {
    const seat = this.seatOf.get(name);
    if (seat === undefined) throw new FileError(`"${name}" has no seat.`);
    return seat;
  }
}
