import { parseCard, type Card } from '../../src/cards/card.js';
import { Hand } from '../../src/holdem/hand.js';
import { EventKind, unpackCards } from '../../src/holdem/log.js';
import { Act, MAX_SEATS, ActionRefusal, type HandSetup, type HandOutcome } from '../../src/holdem/types.js';
import { deckOf } from '../../src/vectors/deck.js';

// Lines of play read "seat: to call [raise-to limits] action". Blinds are 10/20 by default.

/** A short description of a hand. Places without a stack (undefined) are not dealt in. */
export interface Scene {
  stacks: readonly (number | undefined)[];
  button: number;
  /** By seat, such as "AsKd". Other cards may be left out. */
  holes?: Readonly<Record<number, string>>;
  board?: string;
  blinds?: readonly [number, number];
  headsUpBlinds?: 'standard' | 'ring';
  /** Seats that come back and post. */
  returns?: readonly number[];
}

/** Three players with these stacks on the first seats. The first one has the button. */
export const three = (a = 1000, b = 1000, c = 1000): Scene => ({ stacks: [a, b, c], button: 0 });

/** "AsKd" as card codes. */
export const cards = (text: string): Card[] => (text.match(/../g) ?? []).map(parseCard);

/** Bit mask of seats. */
export const seats = (...list: number[]): number => list.reduce((mask, seat) => mask | (1 << seat), 0);

/** The setup of a scene, with a deck that deals the given cards. */
export function setupOf(scene: Scene): HandSetup {
  const dealt = scene.stacks.flatMap((stack, seat) => (stack === undefined ? [] : [seat]));
  const order = Array.from({ length: MAX_SEATS }, (_, i) => (scene.button + 1 + i) % MAX_SEATS);
  const fromLeft = order.filter((seat) => dealt.includes(seat));
  return {
    button: scene.button,
    smallBlind: scene.blinds?.[0] ?? 10,
    bigBlind: scene.blinds?.[1] ?? 20,
    dealt: seats(...dealt),
    returns: seats(...(scene.returns ?? [])),
    stacks: scene.stacks.map((stack) => stack ?? 0),
    deck: deckOf({ holes: fromLeft.map((seat) => cards(scene.holes?.[seat] ?? '')), board: cards(scene.board ?? '') }),
    headsUpBlinds: scene.headsUpBlinds ?? 'standard',
  };
}

export function deal(scene: Scene): Hand {
  const hand = new Hand();
  hand.start(setupOf(scene));
  return hand;
}

const ACTS: Readonly<Record<string, Act>> = {
  fold: Act.fold,
  check: Act.check,
  call: Act.call,
  raise: Act.raise,
  'all-in': Act.allIn,
};

/** The actor's options as one line: "2: 20 [40-1000]", "[-]" when no raise is offered; "over" at the end. */
export function faced(hand: Hand): string {
  if (hand.over) return 'over';
  const { call, raiseMin, raiseMax } = hand.legal();
  return `${hand.actor}: ${call} [${raiseMax === 0 ? '-' : `${raiseMin}-${raiseMax}`}]`;
}

/**
 * Plays lines such as "2: 20 [40-1000] raise 60": the actor, the price of a call, the raise-to limits and the action.
 * The short form "2 raise 60" does not check the limits. Throws if the hand differs.
 */
export function play(hand: Hand, ...lines: string[]): Hand {
  for (const line of lines) {
    const parts = /^((\d)(?:: \d+ \[\S+\])?) (\S+) ?(\d+)?$/.exec(line);
    if (parts === null) throw new Error(`not a line of a hand: ${line}`);
    const [, facing, seat, act, amount] = parts;
    const is = faced(hand);
    if (facing!.length > 1 && facing !== is) throw new Error(`expected ${facing}, but it is ${is}`);
    if (hand.actor !== Number(seat)) throw new Error(`${line}: but it is ${is}`);
    const refusal = hand.act(ACTS[act!]!, amount === undefined ? undefined : Number(amount));
    if (refusal !== ActionRefusal.ok) throw new Error(`${line}: refused with ${refusal}, ${is}`);
  }
  return hand;
}

/** Plays the whole hand and returns its outcome. Throws if the hand is not over then. */
export function playOut(scene: Scene, ...lines: string[]): HandOutcome {
  return play(deal(scene), ...lines).outcome;
}

/** The final stacks of the first `n` seats. */
export const finals = (outcome: HandOutcome, n: number): number[] => Array.from(outcome.finalStacks.subarray(0, n));

/** The log in words, one event a line. */
export function told(hand: Hand): string[] {
  const { log } = hand;
  return Array.from({ length: log.length }, (_, event) => {
    const seat = log.seat(event);
    const amount = log.amount(event);
    const detail = log.detail(event);
    switch (log.kind(event)) {
      case EventKind.blind:
        return `${seat} posts ${amount} ${['as small blind', 'as big blind', 'to return'][detail]}`;
      case EventKind.action:
        return `${seat} act ${detail & 0xff} amount ${amount} on street ${detail >> 8}`;
      case EventKind.street:
        return `street ${amount} opens with ${unpackCards(detail).join(' ')}`;
      case EventKind.returned:
        return `${amount} back to ${seat}`;
      case EventKind.show:
        return `${seat} shows ${unpackCards(detail).join(' ')}`;
      case EventKind.muck:
        return `${seat} mucks`;
      case EventKind.payout:
        return `${seat} wins ${amount} from pot ${detail}`;
    }
  });
}
