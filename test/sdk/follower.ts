import type { ServerMessage } from '../../sdk/typescript/src/generated/messages.js';
import type { Hand } from '../../sdk/typescript/src/hand.js';
import { LeanReader } from '../../sdk/typescript/src/lean.js';
import { PlayerMind } from '../../sdk/typescript/src/player.js';
import type { Port } from '../../sdk/typescript/src/port.js';

/** A bot's input, as test/sdk/lean.py plays it to the Python kit. */
export type Step = { now: number } & ({ frame: object } | { end: 'lost' | 'program' });

/** A bot of the kit without sockets and clocks: what it makes of what a seat of a `TableDriver` reads. */
export class Follower {
  /** At its turns. */
  readonly hands: object[] = [];
  readonly results: object[] = [];
  readonly warnings: string[] = [];
  readonly steps: Step[] = [];
  /** The number that it asked last to be told from, null for all. */
  since: number | null = null;
  #asks = false;
  #reader!: LeanReader;
  #player!: PlayerMind;

  constructor(private readonly now: () => number) {
    this.#start();
  }

  read(...frames: readonly object[]): void {
    for (const frame of frames) {
      this.steps.push({ now: this.now(), frame });
      for (const each of this.#reader.read(frame as ServerMessage)) {
        if (each.type === 'hand_result') this.results.push([each.final_stacks, each.shown_cards]);
        this.#player.read(each);
      }
    }
  }

  /** The connection is gone; or the program, and another one knows nothing. */
  lose(end: 'lost' | 'program'): void {
    this.steps.push({ now: this.now(), end });
    if (end === 'lost') this.#player.disconnected();
    else this.#start();
  }

  /** Whether it has asked for what it missed, since the last call. */
  get asks(): boolean {
    const asks = this.#asks;
    this.#asks = false;
    return asks;
  }

  #start(): void {
    this.#reader = new LeanReader(this.now);
    const port: Port = {
      send: (message) => {
        if (message.type !== 'resync_request') return true;
        this.#asks = true;
        this.since = message.last_table_seq ?? null;
        return true;
      },
      later: () => undefined,
      cancel: () => undefined,
      think: (_, hand) => void this.hands.push(seenBy(hand)),
      askRebuy: () => undefined,
      decision: () => undefined,
      warn: (kind, text) => void this.warnings.push(`${kind}: ${text}`),
      log: () => undefined,
      slowDown: () => undefined,
      now: () => this.now(),
    };
    this.#player = new PlayerMind(port, {
      buyIn: null,
      rebuy: 'never',
      hands: null,
      inCompetition: false,
      rejoinMs: 0,
      reserveMs: null,
      turnSeconds: null,
    });
  }
}

/** The players of the hand only. Lean frames do not tell why the server acted for somebody. */
function seenBy(hand: Hand): object {
  const players = hand.players
    .filter(({ inHand, folded }) => inHand || folded)
    .map(({ seat, name, stack, bet, folded }) => ({ seat, name, stack, bet, folded }));
  const actions = hand.actions.map((action) => ({ ...action, reason: null }));
  const { handId, seat, street, hole, board, pot, pots, toCall, stack, bet, button, position, deadline } = hand;
  const { canCheck, canCall, canFold, canRaise, canAllIn, minRaise, maxRaise, smallBlind, bigBlind } = hand;
  return {
    handId,
    seat,
    street,
    hole,
    board,
    pot,
    pots,
    toCall,
    stack,
    bet,
    button,
    position,
    deadline,
    canCheck,
    canCall,
    canFold,
    canRaise,
    canAllIn,
    minRaise,
    maxRaise,
    smallBlind,
    bigBlind,
    players,
    actions,
  };
}
