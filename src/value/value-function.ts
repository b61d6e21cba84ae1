import { createHash } from 'node:crypto';
import { BoardModel } from './board-model.js';
import { DealModel } from './deal-model.js';
import { VALUE_DATA } from './value-data.generated.js';

/** A function that is fixed before the hands that it measures. */
export interface ValueFunction {
  /** SHA-256 of its data, in hex: stands in the record of a pool before the first hand. */
  sha256: string;
  deal: DealModel;
  board: BoardModel;
}

/** The numbers of a value function as `npm run campaign -- value-train` writes them: whole, in 1 / `units` big blinds. */
export interface ValueData {
  version: 1;
  units: number;
  /** DealModel: by players, position and class. */
  own: readonly number[];
  /** DealModel: by two different classes. */
  pairs: readonly number[];
  /** BoardModel: by event and term. */
  board: readonly (readonly number[])[];
}

export function valueFunctionOf(text: string): ValueFunction {
  const { units, own, pairs, board } = JSON.parse(text) as ValueData;
  return {
    sha256: createHash('sha256').update(text).digest('hex'),
    deal: new DealModel(own, pairs, units),
    board: new BoardModel(board.map((row) => row.map((number) => number / units))),
  };
}

let known: ValueFunction | undefined;

/** The value function of this release, read when it is first needed. */
export const valueFunction = (): ValueFunction => (known ??= valueFunctionOf(VALUE_DATA));

/** SHA-256 of this release's value function. */
export const VALUE_FUNCTION_SHA256 = createHash('sha256').update(VALUE_DATA).digest('hex');
