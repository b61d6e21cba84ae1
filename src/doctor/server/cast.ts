import type { ActionMessage } from '../../protocol/client.js';
import type { ClientMessage, ServerMessage } from '../../../sdk/typescript/src/generated/messages.js';
import type { Action, Hand } from '../../../sdk/typescript/src/hand.js';
import { PlayerMind } from '../../../sdk/typescript/src/player.js';
import type { Port } from '../../../sdk/typescript/src/port.js';
import type { ShardLink } from '../../gateway/ports.js';
import { MAX_SERIAL, type SocketId } from '../../table/api.js';
import { START } from '../../table/outbox.js';

/**
 * An opponent's actions on its turns of a hand, one word each. Past the end it is timid. `raise:60` raises to 60,
 * `raise:min` and `raise:max` as they are offered; `wait` lets the clock run out. An action that is not offered becomes
 * the cheapest offered one.
 */
export type Moves = readonly string[];

export interface CastMember {
  name: string;
  stack: number;
  moves?: Moves;
}

/** Beyond all numbers that the gateway gives to the sockets of one case. */
const FIRST_SOCKET = MAX_SERIAL - 0x1000_0000;
/** A timid player pays so much to go on. */
const TIMID_CALL = 60;

/** The bot's seat, always. */
export const BOT_SEAT = 0;

const SETTINGS = {
  buyIn: null,
  rebuy: 'never',
  inCompetition: false,
  rejoinMs: 0,
  hands: null,
  reserveMs: null,
  turnSeconds: null,
} as const;

/** Calls back as soon as the cast may answer. */
type WhenFree = (answer: () => void) => void;

/** An opponent: the kit's player without a network. Its messages go to the shard. */
class CastPlayer {
  readonly #mind: PlayerMind;
  /** The hand it plays, and how many turns of it came. */
  #hand = '';
  #turns = 0;

  constructor(
    readonly member: CastMember,
    readonly table: string,
    private readonly seat: number,
    private readonly agentId: string,
    private readonly socket: SocketId,
    private readonly shard: ShardLink,
    private readonly whenFree: WhenFree,
  ) {
    this.#mind = new PlayerMind(this.#port(), SETTINGS);
  }

  /** Takes its seat. It sits there from the start, so that no frame of the table tells it where. */
  attach(): void {
    const { table, agentId, socket, seat } = this;
    this.#mind.read({ type: 'table_joined', table_id: table, seat, table_seq: 0 } as ServerMessage);
    this.shard.send({ t: 'attach', table, agentId, socket });
  }

  leave(): void {
    this.#mind.leave();
  }

  /** Loses its socket. */
  drop(): void {
    const { table, agentId, socket } = this;
    this.shard.send({ t: 'detach', table, agentId, socket });
  }

  read(frame: ServerMessage): void {
    this.#mind.read(frame);
  }

  #port(): Port {
    const nothing = () => undefined;
    return {
      send: (message) => this.#send(message),
      // No clock rings: a player that waits misses its turn.
      later: nothing,
      cancel: nothing,
      think: (token, hand) => this.#think(token, hand),
      askRebuy: nothing,
      decision: nothing,
      warn: nothing,
      log: nothing,
      slowDown: nothing,
      now: () => Date.now(),
    };
  }

  #think(token: string, hand: Hand): void {
    if (this.#hand !== hand.handId) [this.#hand, this.#turns] = [hand.handId, 0];
    const move = this.member.moves?.[this.#turns++] ?? 'timid';
    if (move !== 'wait') this.whenFree(() => this.#mind.decided(token, choose(hand, move), null));
  }

  /** It joins no lobby and buys no chips: without its seat its part is over. */
  #send(message: ClientMessage): boolean {
    const { table, agentId, socket, shard } = this;
    const to = { table, agentId, socket };
    if (message.type === 'action') shard.send({ t: 'act', ...to, message: message as ActionMessage });
    else if (message.type === 'leave_table') shard.send({ t: 'leave', ...to, sitting: null });
    else if (message.type === 'resync_request') {
      shard.send({ t: 'resync', ...to, lastTableSeq: message.last_table_seq ?? null });
    }
    return true;
  }
}

/** The opponents: they sit at the tables without sockets of their own, and read what the table writes for theirs. */
export class Cast {
  readonly #bySocket = new Map<SocketId, CastPlayer>();
  #sockets = FIRST_SOCKET;
  /** The bot's turns that timed out. */
  readonly #timeouts = new Set<string>();
  /** Answers that wait for `release`. */
  #held: (() => void)[] | null = null;

  add(agentId: string, member: CastMember, seat: number, table: string, shard: ShardLink): void {
    const socket = ++this.#sockets;
    const whenFree: WhenFree = (answer) => void (this.#held === null ? answer() : this.#held.push(answer));
    this.#bySocket.set(socket, new CastPlayer(member, table, seat, agentId, socket, shard, whenFree));
  }

  /** Those of a table take their seats. */
  attach(table: string): void {
    for (const player of this.#bySocket.values()) if (player.table === table) player.attach();
  }

  leave(table: string, name: string): void {
    this.#named(table, name).leave();
  }

  /** Loses its socket. */
  drop(table: string, name: string): void {
    this.#named(table, name).drop();
  }

  /** Nobody of them answers until `release`. */
  hold(): void {
    this.#held ??= [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const answer of held) answer();
  }

  frames(bytes: ArrayBuffer, index: Uint32Array): void {
    for (let i = 0; i < index.length; i += 3) {
      const player = this.#bySocket.get(index[i]!);
      if (player === undefined) continue;
      const text = Buffer.from(bytes).toString('utf8', index[i + 1]! & START, index[i + 2]);
      const frame = JSON.parse(text) as ServerMessage;
      this.#noteTimeout(frame);
      player.read(frame);
    }
  }

  /** How often the clock ran out on the bot while opponents were there to see it. */
  get timeouts(): number {
    return this.#timeouts.size;
  }

  #noteTimeout(frame: ServerMessage): void {
    if (frame.type !== 'player_action' || frame.seat !== BOT_SEAT || frame.reason !== 'timeout') return;
    this.#timeouts.add(`${frame.hand_id} ${frame.hand_seq}`);
  }

  #named(table: string, name: string): CastPlayer {
    for (const player of this.#bySocket.values()) {
      if (player.table === table && player.member.name === name) return player;
    }
    throw new Error(`no ${name} is at table ${table}`);
  }
}

function choose(hand: Hand, move: string): Action {
  const [action, amount] = move.split(':');
  if (action === 'raise' && hand.canRaise) {
    const { minRaise: min, maxRaise: max } = hand;
    return hand.raiseTo(amount === 'max' ? max : amount === 'min' ? min : Number(amount));
  }
  if (action === 'fold') return hand.fold();
  if (action === 'all_in' && hand.canAllIn) return hand.allIn();
  if (hand.canCheck) return hand.check();
  const pays = action === 'call' || (action === 'timid' && hand.toCall <= TIMID_CALL);
  return hand.canCall && pays ? hand.call() : hand.fold();
}
