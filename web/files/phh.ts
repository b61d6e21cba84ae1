import type { ReplayHand } from '../../src/formats/hand.js';
import { cardsOf, FileError, HandWriter, holeOf, seatsOf } from './writer.js';
import { tomlSections, type TomlValue } from './toml.js';

/**
 * Hands in the PHH format (https://phh.readthedocs.io), one of a .phh file or many of a .phhs file. No-Limit Hold'em
 * only. Players count from the left of the button: p1 is the small blind; heads-up the blinds are written reversed.
 */
export function phhHands(text: string): ReplayHand[] {
  return tomlSections(text)
    .filter(({ values }) => 'variant' in values)
    .map(({ name, values }) => phhHand(values, name));
}

type Values = Readonly<Record<string, TomlValue>>;

function phhHand(values: Values, section: string | null): ReplayHand {
  if (values['variant'] !== 'NT') throw new FileError("Only No-Limit Hold'em (variant NT) can be replayed.");
  const stacks = numbers(values, 'starting_stacks');
  const seats = seatsOf(stacks.map((_, i) => numbers(values, 'seats')[i] ?? i + 1).map((seat) => seat - 1));
  const names = texts(values, 'players');
  const actions = texts(values, 'actions');
  const dealt = holesOf(actions);
  const hero = values['_hero'];
  const writer = new HandWriter(
    stacks.map((stack, i) => ({
      ...{ seat: seats[i]!, name: names[i] ?? `p${i + 1}`, stack, slug: null },
      ...{ cards: holeOf(dealt.get(i) ?? []), own: hero === i + 1 },
    })),
  );
  const blinds = post(writer, values, seats);
  for (const action of actions) play(writer, action, seats);
  writer.returnUncalled();
  settle(writer, values, seats);
  const { hand, table } = values;
  return writer.hand({
    handId: typeof values['_hand_id'] === 'string' ? values['_hand_id'] : null,
    tableId: null,
    title: `Hand ${String(hand ?? section ?? '')}`.trim(),
    handNumber: typeof hand === 'number' ? hand : null,
    startedAt: timeOf(values),
    smallBlind: blinds[0] ?? 0,
    bigBlind: blinds[1] ?? blinds[0] ?? Number(values['min_bet'] ?? 0),
    button: seats.at(-1)!,
    ...(typeof table === 'string' && { tableId: table }),
  });
}

/** Antes and blinds; gives the two blinds. */
function post(writer: HandWriter, values: Values, seats: readonly number[]): number[] {
  const written = numbers(values, 'blinds_or_straddles');
  const blinds = seats.length === 2 ? [...written].reverse() : written;
  numbers(values, 'antes').forEach((chips, i) => chips > 0 && writer.post(seats[i]!, chips, 'ante'));
  const posted = blinds.flatMap((chips, i) => (chips > 0 ? [{ chips, seat: seats[i]! }] : []));
  const order = posted.sort((a, b) => a.chips - b.chips);
  const words = ['small_blind', 'big_blind'] as const;
  order.forEach(({ seat, chips }, i) =>
    writer.post(seat, chips, words[i] ?? (chips > order[1]!.chips ? 'straddle' : 'return')),
  );
  return order.map(({ chips }) => chips);
}

function holesOf(actions: readonly string[]): Map<number, string[]> {
  const holes = new Map<number, string[]>();
  for (const action of actions) {
    const [who, word, place, cards] = action.split(/\s+/);
    if (who === 'd' && word === 'dh') holes.set(placeOf(place), cardsOf(cards ?? ''));
    // Cards that were shown say more than cards that were dealt unseen.
    const shown = word === 'sm' && place !== undefined && !place.startsWith('#') ? cardsOf(place) : null;
    if (shown !== null && holeOf(shown) !== null) holes.set(placeOf(who), shown);
  }
  return holes;
}

const placeOf = (text: string | undefined): number => {
  const place = Number(/^p(\d+)$/.exec(text ?? '')?.[1]) - 1;
  if (!(place >= 0)) throw new FileError(`"${text ?? ''}" is no player.`);
  return place;
};

function play(writer: HandWriter, action: string, seats: readonly number[]): void {
  const [who = '', word = '', what] = action.split('#')[0]!.trim().split(/\s+/);
  if (who === '') return;
  if (who === 'd') {
    if (word === 'db') writer.street(cardsOf(what ?? ''));
    return;
  }
  const seat = seats[placeOf(who)];
  if (seat === undefined) throw new FileError(`"${action}" names a player who is not there.`);
  if (word === 'f') writer.fold(seat);
  else if (word === 'cc') writer.checkOrCall(seat);
  else if (word === 'cbr') writer.raiseTo(seat, Number(what));
  else if (word === 'sm') {
    const cards = cardsOf(what ?? '');
    if (holeOf(cards) === null) writer.muck(seat);
    else writer.show(seat, cards);
  } else throw new FileError(`"${action}" is not understood.`);
}

function settle(writer: HandWriter, values: Values, seats: readonly number[]): void {
  const finish = numbers(values, 'finishing_stacks');
  const winnings = numbers(values, 'winnings');
  if (finish.length === seats.length) writer.settle(new Map(seats.map((seat, i) => [seat, finish[i]!])));
  else if (winnings.length === seats.length) seats.forEach((seat, i) => writer.win(seat, winnings[i]!));
  else writer.settleUncontested();
}

function timeOf(values: Values): string | null {
  const { year, month, day, time } = values;
  if (typeof year !== 'number' || typeof month !== 'number' || typeof day !== 'number') return null;
  const two = (n: number) => String(n).padStart(2, '0');
  const clock = typeof time === 'string' && /^\d\d:\d\d:\d\d/.test(time) ? `T${time.slice(0, 8)}Z` : '';
  return `${year}-${two(month)}-${two(day)}${clock}`;
}

const numbers = (values: Values, key: string): number[] =>
  listOf(values, key).filter((value) => typeof value === 'number');
const texts = (values: Values, key: string): string[] =>
  listOf(values, key).filter((value) => typeof value === 'string');

function listOf(values: Values, key: string): readonly TomlValue[] {
  const value = values[key];
  return Array.isArray(value) ? value : [];
}
