import { STRATEGY_NAMES } from '../../src/bots/index.js';
import { drawFrom } from '../../src/cards/dice.js';
import type { RandomSource } from '../../src/cards/random.js';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import { createStrategy } from '../../src/bots/index.js';
import { legalAction, type Action, type Hand as Turn } from '../../sdk/typescript/src/hand.js';
import { BIG_BLIND, MemoryTable, SMALL_BLIND } from '../../src/memory/memory-table.js';
import { Act } from '../../src/holdem/types.js';
import { ACTION_NAMES } from '../../src/table/frames/words.js';
import { partAt, type DrawnMix, type MixedPart } from '../../src/table/mix.js';
import type { StoredHand } from '../../src/table/record/record-codec.js';

const ACTS = { fold: Act.fold, check: Act.check, call: Act.call, raise: Act.raise, all_in: Act.allIn };
export const AGENTS = Array.from({ length: 6 }, (_, n) => `018f4e0b-0000-7000-8000-00000000000${n + 1}`);

/** A mix of what is offered, also of a fold where checking is free, and what is drawn of it. */
function drawnMix(turn: Turn, number: number, random: RandomSource): DrawnMix {
  const parts: MixedPart[] = [];
  const add = (act: Act, amount: number | null = null) => parts.push({ act, amount, p: 1 + uniformBelow(9, random) });
  if (uniformBelow(3, random) > 0) add(Act.fold);
  add(turn.canCheck ? Act.check : turn.canCall ? Act.call : Act.fold);
  if (turn.canRaise) {
    add(Act.raise, turn.minRaise);
    add(Act.raise, turn.minRaise + uniformBelow(turn.maxRaise - turn.minRaise + 1, random));
  }
  if (turn.canAllIn && uniformBelow(4, random) === 0) add(Act.allIn);
  const sum = parts.reduce((all, { p }) => all + p, 0);
  for (const part of parts) part.p /= sum;
  const u = drawFrom(random);
  return { parts, number, u, part: partAt(parts, u) };
}

/** The action that a part becomes: a fold where checking is free is a check. */
function takenOf(turn: Turn, { act, amount }: MixedPart): Action {
  const action = act === Act.fold && turn.canCheck ? 'check' : ACTION_NAMES[act]!;
  return amount === null ? { action } : { action, amount };
}

/**
 * Hands of two to six house styles with uneven stacks, as a pool stores them. Agents change their seats. With `mixing`
 * a third of the actions are drawn of mixes.
 */
export function storedHands(count: number, seed: number, poolId: string, mixing = false): StoredHand[] {
  const random = seededRandom(seed);
  const minds = STRATEGY_NAMES.map((name, n) => createStrategy(name, seed + n));
  return Array.from({ length: count }, (_, n) => {
    const players = n % 4 === 0 ? 2 + uniformBelow(4, random) : 6;
    const agents = Array.from({ length: players }, (_, seat) => (seat + n) % 6);
    const stacks = agents.map(() => (n % 3 === 0 ? 100 : 5 + uniformBelow(200, random)) * BIG_BLIND);
    const table = new MemoryTable(agents.map((agent) => `player_${agent + 1}`));
    table.draw(random);
    const handId = `018f4e0c-0000-7000-8000-${(n + 1).toString(16).padStart(12, '0')}`;
    const button = uniformBelow(players, random);
    table.deal(handId, button, stacks);
    const { hand } = table;
    const actions: StoredHand['actions'][number][] = [];
    while (!hand.over) {
      const turn = table.turn();
      const mix = mixing && uniformBelow(3, random) === 0 ? drawnMix(turn, actions.length, random) : null;
      const answer =
        mix === null ? legalAction(turn, minds[agents[turn.seat]!]!(turn)) : takenOf(turn, mix.parts[mix.part]!);
      const { call, allIn } = hand.legal();
      const amounts = { fold: null, check: null, call, raise: answer.amount ?? 0, all_in: allIn };
      const { action } = answer;
      const { street, actor: seat } = hand;
      const act = ACTS[action];
      actions.push({ seat, act, street, amount: amounts[action], at: 1_000 * n, timeout: false, ...(mix && { mix }) });
      if (!table.act(answer)) throw new Error('the rules refuse a legal action');
    }
    const { outcome } = hand;
    return {
      handId,
      tableId: '018f4e0d-0000-7000-8000-000000000001',
      poolId,
      handNumber: n + 1,
      button,
      bigBlindSeat: hand.bigBlindSeat,
      smallBlind: SMALL_BLIND,
      bigBlind: BIG_BLIND,
      headsUpBlinds: 'standard',
      startedAt: 1_790_000_000_000 + 1_000 * n,
      endedAt: 1_790_000_000_500 + 1_000 * n,
      players: agents.map((agent, seat) => ({
        seat,
        agentId: AGENTS[agent]!,
        stackStart: stacks[seat]!,
        stackEnd: outcome.finalStacks[seat]!,
        contributed: outcome.contributed[seat]!,
        payout: outcome.payouts[seat]!,
        hole: [hand.hole[2 * seat]!, hand.hole[2 * seat + 1]!],
        shown: (outcome.shown & (1 << seat)) !== 0,
        isHouse: false,
      })),
      board: Array.from(hand.setup.deck.subarray(2 * players, 2 * players + 5)),
      boardCount: hand.boardCount,
      actions,
      totalPot: outcome.totalPot,
    };
  });
}
