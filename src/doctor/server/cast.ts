import type { ShardLink } from '../../gateway/ports.js';
import type { ActionMessage } from '../../protocol/client.js';
import type { ServerMessage, ServerMessageOf } from '../../protocol/server.js';
import { MAX_SERIAL, type SocketId } from '../../table/api.js';
import { START } from '../../table/outbox.js';

/**
 * What an opponent does on its turns of a hand, one word each; past the end it is timid. `raise:60` raises to 60,
 * `raise:min` and `raise:max` as they are offered; `wait` lets the clock run out. What is not offered becomes the
 * cheapest thing that is.
 */
export type Moves = readonly string[];

export interface CastMember {
  name: string;
  stack: number;
  moves?: Moves;
}

type Turn = ServerMessageOf['your_turn'];

/** Beyond all numbers that the gateway gives to the sockets of one case. */
const FIRST_SOCKET = MAX_SERIAL - 0x1000_0000;
/** A timid player pays so much to go on. */
const TIMID_CALL = 60;
const YOUR_TURN = '"type":"your_turn"';
const TIMEOUT = '"reason":"timeout"';

/** The bot's seat, always. */
export const BOT_SEAT = 0;

interface Part {
  agentId: string;
  member: CastMember;
  table: string;
  shard: ShardLink;
  socket: SocketId;
  /** The hand it plays, and how many turns of it came. */
  hand: string | null;
  turns: number;
}

/** The opponents: they sit at the tables without sockets of their own, and read what the table writes for theirs. */
export class Cast {
  readonly #bySocket = new Map<SocketId, Part>();
  #sockets = FIRST_SOCKET;
  /** The bot's turns whose clock ran out. */
  readonly #timeouts = new Set<string>();
  /** Turns that wait for `release`. */
  #held: (() => void)[] | null = null;

  add(agentId: string, member: CastMember, table: string, shard: ShardLink): void {
    const socket = ++this.#sockets;
    this.#bySocket.set(socket, { agentId, member, table, shard, socket, hand: null, turns: 0 });
  }

  /** Those of a table take their seats. */
  attach(table: string): void {
    for (const { table: at, agentId, socket, shard } of this.#bySocket.values())
      if (at === table) shard.send({ t: 'attach', table, agentId, socket });
  }

  leave(table: string, name: string): void {
    this.#each(table, name, ({ agentId, socket, shard }) =>
      shard.send({ t: 'leave', table, agentId, sitting: null, socket }),
    );
  }

  /** Loses its socket. */
  drop(table: string, name: string): void {
    this.#each(table, name, ({ agentId, socket, shard }) => shard.send({ t: 'detach', table, agentId, socket }));
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
      const part = this.#bySocket.get(index[i]!);
      if (part === undefined) continue;
      const text = Buffer.from(bytes).toString('utf8', index[i + 1]! & START, index[i + 2]);
      if (text.includes(YOUR_TURN)) this.#turn(part, JSON.parse(text) as Turn);
      else if (text.includes(TIMEOUT)) this.#timedOut(JSON.parse(text) as ServerMessage);
    }
  }

  /** How often the clock ran out on the bot while opponents were there to see it. */
  get timeouts(): number {
    return this.#timeouts.size;
  }

  #timedOut(message: ServerMessage): void {
    if (message.type !== 'player_action' || message.seat !== BOT_SEAT || message.reason !== 'timeout') return;
    this.#timeouts.add(`${message.hand_id} ${message.hand_seq}`);
  }

  #each(table: string, name: string, run: (part: Part) => void): void {
    for (const part of this.#bySocket.values()) if (part.table === table && part.member.name === name) run(part);
  }

  #turn(part: Part, turn: Turn): void {
    if (part.hand !== turn.hand_id) [part.hand, part.turns] = [turn.hand_id, 0];
    const move = part.member.moves?.[part.turns++] ?? 'timid';
    if (move === 'wait') return;
    const answer = () => this.#act(part, turn, move);
    if (this.#held === null) answer();
    else this.#held.push(answer);
  }

  #act({ agentId, table, shard, socket }: Part, turn: Turn, move: string): void {
    const { hand_id, turn_token } = turn;
    const choice = choose(turn, move);
    const ids = { hand_id, turn_token, client_action_id: turn_token };
    shard.send({ t: 'act', table, agentId, socket, message: { type: 'action', ...choice, ...ids } });
  }
}

function choose(turn: Turn, move: string): Pick<ActionMessage, 'action' | 'amount'> {
  const offered = new Map(turn.valid_actions.map((option) => [option.action, option]));
  const [action, amount] = move.split(':') as [ActionMessage['action'] | 'timid', string?];
  const raise = offered.get('raise');
  if (action === 'raise' && raise !== undefined) {
    const [min, max] = [raise.min ?? 0, raise.max ?? 0];
    const wanted = amount === 'max' ? max : amount === 'min' ? min : Number(amount);
    return { action, amount: Math.min(max, Math.max(min, wanted)) };
  }
  if (action !== 'raise' && action !== 'timid' && offered.has(action)) return { action };
  if (offered.has('check')) return { action: 'check' };
  const price = offered.get('call')?.amount ?? Infinity;
  return { action: action === 'call' || (action === 'timid' && price <= TIMID_CALL) ? 'call' : 'fold' };
}
