/** The places at a table in the order in which they act before the flop, with six players. */
export const POSITIONS = ['UTG', 'MP', 'CO', 'BTN', 'SB', 'BB'] as const;

const [BUTTON, SMALL_BLIND, BIG_BLIND] = [3, 4, 5];
const SEATS = 64;

/**
 * Index into POSITIONS by seat. With fewer players the early ones are missing: the others are counted back from the
 * button. With two players one is the big blind. The other is the button and posts the small blind. By the ring rule
 * the button is the big blind and the other one the small blind.
 */
export function positionsOf(seats: readonly number[], button: number, bigBlind: number): Map<number, number> {
  const order = [...seats].sort((a, b) => fromButton(a, button) - fromButton(b, button));
  if (order.length === 2) {
    const other = bigBlind === button ? SMALL_BLIND : BUTTON;
    return new Map(order.map((seat) => [seat, seat === bigBlind ? BIG_BLIND : other]));
  }
  const back = order.length - 1;
  return new Map(order.map((seat, i) => [seat, i < 2 ? SMALL_BLIND + i : BUTTON - (back - i)]));
}

/** 0 for the seat left of the button, the most for the button itself. */
const fromButton = (seat: number, button: number) => (seat - button - 1 + SEATS) % SEATS;
