import type { Card } from '../cards/card.js';
import { HandDice } from './dice.js';

/** Boards that stand for all, before the flop. */
const BOARDS = 512;

/** Every completion of a board with `open` cards, into `board`; `add` looks at each. `rest`: the cards that may come. */
export function completeBoards(
  board: Uint8Array,
  open: number,
  rest: readonly Card[],
  add: (board: Uint8Array) => void,
  from = 0,
): void {
  if (open === 5) return add(board);
  for (let r = from; r < rest.length; r++) {
    board[open] = rest[r]!;
    completeBoards(board, open + 1, rest, add, r + 1);
  }
}

/** The boards that stand for all before the flop: the same for all that is measured in a hand. `add` gets a number, too. */
export function sampleBoards(handId: string, rest: readonly Card[], add: (board: Uint8Array, n: number) => void): void {
  const dice = new HandDice(handId);
  const deck = [...rest];
  const board = new Uint8Array(5);
  for (let n = 0; n < BOARDS; n++) {
    dice.draw(board, 5, deck);
    add(board, n);
  }
}
