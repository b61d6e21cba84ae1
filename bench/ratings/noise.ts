import { HandReader } from '../../src/analytics/hand-facts.js';
import { Equities } from '../../src/analytics/equity.js';
import { Hand } from '../../src/holdem/hand.js';
import type { RatedResult } from '../../src/ratings/index.js';
import { honest } from '../collusion/planted.js';
import { FieldTable } from '../collusion/field.js';

/** A real hand's players: what each bet, and its results in big blinds, all-in-adjusted and as it was. */
export type NoiseHand = readonly (RatedResult & { raw: number })[];

/** Six-handed hands of the house's six styles: the noise of a planted world. */
export function realHands(hands: number, seed: number): NoiseHand[] {
  const table = new FieldTable(seed);
  const players = Array.from({ length: 6 }, (_, style) => honest(style, seed));
  const reader = new HandReader(new Hand(), new Equities());
  return Array.from({ length: hands }, () => {
    const stored = table.play(players, null);
    const facts = reader.read(stored);
    return stored.players.map(({ contributed }, seat) => ({
      contributed: contributed / stored.bigBlind,
      result: facts[seat]!.totals.adjusted_bb,
      raw: facts[seat]!.totals.bb,
    }));
  });
}
