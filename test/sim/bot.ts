import type { ActionMessage } from '../../src/protocol/client.js';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import { keyOf } from './casting.js';
import { Questions } from './questions.js';
import type { Dice } from './dice.js';
import type { Kernel } from './machine/kernel.js';
import type { Client, Line, Network } from './network.js';
import type { Agent } from './vault/rows.js';

/** Typical time for a decision, in ms: so a hand takes some seconds. */
const THINK_MS = 450;
/** There and back at the most: a delay of 5 ms is now and then fifty times as long. */
const SLOWEST_WAY_MS = 520;
/** Without a table_state after so long there is no seat to come back to. */
const NO_SEAT_MS = 400;

/**
 * A bot's mood:
 *
 * - timely: it thinks, and answers in time.
 * - calm: like a good bot.
 * - leaving: it gives its seat up and takes no other.
 * - gone: it left for good.
 */
export type Mood = 'wild' | 'timely' | 'calm' | 'leaving' | 'gone';

type Turn = ServerMessageOf['your_turn'];

/**
 * A bot of bad manners: it plays, but also stalls, sends rubbish, repeats itself, reads slowly, vanishes, comes back,
 * takes over, leaves and joins again. It knows only what a client knows.
 */
export class SimBot implements Client {
  /** Changed by `become`. */
  mood: Mood = 'wild';
  /** For a timely one: it never answers. */
  silent = false;
  /** Its socket while it has one. */
  line: Line | null = null;
  /** Where it sits, as far as it knows. */
  table: string | null = null;
  /** Since when it waits in the lobby, longer than it was told to; null while it does not. */
  waitingSince: number | null = null;
  /** When it asked to join first, since it had a seat last or was turned away; and when it was told to be in line. */
  askedToJoinAt: number | null = null;
  greetedAt: number | null = null;
  /** It was greeted on its present socket. */
  welcome = false;
  readonly questions: Questions;
  /** All its sockets: beside the present one those that it took over from, or meant to. */
  readonly #lines = new Set<Line>();
  #key: string;
  #turn: Turn | null = null;
  /** It asked to leave its seat. */
  #leaves = false;
  #lastSeq = 0;
  #actions = 0;
  #sockets = 0;
  /** A sleepy bot hardly ever answers: it is timed out until it is removed. */
  readonly #sleepy: boolean;

  constructor(
    readonly agent: Agent,
    private readonly kernel: Kernel,
    private readonly network: Network,
    private readonly dice: Dice,
  ) {
    this.#sleepy = dice.chance(0.1);
    this.#key = keyOf(agent.name);
    this.questions = new Questions(kernel);
  }

  /** Sockets that are open on both ends. */
  get openSockets(): number {
    return [...this.#lines].filter((line) => line.isOpen).length;
  }

  // Takes its frames.

  receive(messages: readonly ServerMessage[]): void {
    for (const message of messages) {
      if (this.line === null) return;
      this.questions.read(message);
      this.#react(message);
    }
  }

  closed(code: number): void {
    this.#forget();
    this.#hangUp();
    if (code === 4001 && this.dice.chance(0.5)) return;
    this.#later(this.dice.delay(2_000), () => this.comeBack());
  }

  #hangUp(): void {
    for (const line of this.#lines) line.hangUp();
    this.#lines.clear();
  }

  #forget(): void {
    this.line = null;
    this.table = null;
    this.waitingSince = this.greetedAt = null;
    this.welcome = false;
    this.#turn = null;
    this.questions.forget();
  }

  #react(message: ServerMessage): void {
    if ('table_seq' in message && message.table_id === this.table) this.#lastSeq = message.table_seq;
    switch (message.type) {
      case 'connected':
        this.welcome = true;
        this.#later(NO_SEAT_MS, () => this.#mayJoin());
        break;
      case 'lobby_joined':
        this.waitingSince = this.kernel.now + toldWait(message.estimated_wait);
        this.greetedAt = this.kernel.now;
        break;
      case 'table_joined':
        this.#sits(message.table_id);
        break;
      case 'table_state':
        if (message.hero !== undefined && this.table === null) this.#sits(message.table_id);
        break;
      case 'your_turn':
        this.#turn = message;
        this.#consider(message);
        break;
      case 'player_left':
        if (message.name !== this.agent.name) break;
        // Removed after it was told how long it waits: for that it may wait longer, and is not told.
        if (this.waitingSince !== null && !this.#leaves) this.waitingSince = Infinity;
        this.#stands();
        break;
      case 'table_closed':
        this.#stands();
        break;
      case 'busted':
      case 'auto_rebuy_scheduled':
        this.#brokeAt(message.type);
        break;
      case 'rebuy_confirmed':
        this.#stands();
        break;
      case 'error':
        this.#error(message);
        break;
      default:
    }
  }

  #sits(table: string): void {
    this.table = table;
    this.#leaves = false;
    this.waitingSince = this.askedToJoinAt = this.greetedAt = null;
    if (this.mood === 'leaving') this.leave();
    else if (this.dice.chance(0.3)) this.setAutoRebuy(true);
  }

  /** Without a seat: most join again soon. */
  #stands(): void {
    this.table = null;
    this.#turn = null;
    this.#later(this.dice.delay(600), () => this.#mayJoin());
  }

  #brokeAt(type: 'busted' | 'auto_rebuy_scheduled'): void {
    this.table = null;
    this.#turn = null;
    if (type === 'auto_rebuy_scheduled') return;
    this.#later(this.dice.delay(500), () => (this.dice.chance(0.8) ? this.rebuy() : this.#mayJoin()));
  }

  #error(error: ServerMessageOf['error']): void {
    switch (error.code) {
      case 'already_seated':
        this.#sits(error.table_id);
        break;
      case 'insufficient_season_chips':
        this.#turnedAway();
        this.#later(this.dice.delay(500), () => this.rebuy());
        break;
      case 'rebuy_cooldown':
        this.#later(error.cooldown_seconds * 1000 + this.dice.delay(500), () => this.rebuy());
        break;
      case 'season_buy_in_failed':
      case 'season_error':
      case 'lobby_full':
      case 'invalid_buy_in':
        this.#turnedAway();
        this.#later(1_000 + this.dice.delay(1_000), () => this.#mayJoin());
        break;
      case 'already_in_lobby':
        // It has been in line since an earlier time than it remembers.
        this.askedToJoinAt = null;
        break;
      default:
    }
  }

  #turnedAway(): void {
    this.waitingSince = this.askedToJoinAt = this.greetedAt = null;
  }

  #mayJoin(): void {
    if (this.table === null && this.waitingSince === null && this.mood !== 'leaving') this.join();
  }

  // Decides on a turn.

  #consider(turn: Turn): void {
    const { dice } = this;
    const think = dice.delay(THINK_MS);
    if (this.mood === 'timely') return this.silent ? undefined : this.#timely(turn);
    if (this.mood !== 'wild') return this.#passive(turn);
    if (this.#sleepy && dice.chance(0.9)) return;
    const whim = dice.unit();
    if (whim < 0.8) return this.#reply(turn, think);
    if (whim < 0.85) return; // Stalls: the clock decides.
    if (whim < 0.9) {
      this.#later(think / 2, () => this.rubbish());
      return this.#reply(turn, think);
    }
    if (whim < 0.94) return this.#reply(turn, think, 2);
    if (whim < 0.97) return this.#later(think, () => this.vanish());
    this.#reply(turn, think);
    this.#later(dice.delay(400), () => this.leave());
  }

  /** Sends its answer early enough to arrive before the turn's clock has run out, whatever the network does. */
  #timely(turn: Turn): void {
    const message = this.#decision(turn);
    this.#later(this.dice.unit() * Math.max(0, turn.deadline_ms - SLOWEST_WAY_MS), () => this.#act(message));
  }

  /** Ends the hand soon, and takes no chips into danger. */
  #passive(turn: Turn): void {
    const [action] = turn.valid_actions;
    if (action === undefined) return;
    const message = this.#message(turn, action.action, null);
    this.#later(5, () => this.#act(message));
  }

  /** Decides, and sends the decision once or several times; now and then another one under the same id. */
  #reply(turn: Turn, think: number, times = 1): void {
    const { dice } = this;
    const message = this.#decision(turn);
    for (let i = 0; i < times; i++) {
      const changed = i > 0 && dice.chance(0.3) ? { ...message, amount: 77 } : message;
      this.#later(think + i * dice.delay(100), () => this.#act(changed));
    }
  }

  #decision(turn: Turn): ActionMessage {
    const { dice } = this;
    const choice = dice.pick(turn.valid_actions);
    // All-in seldom, or every hand would be a short one.
    const chosen = choice.action === 'all_in' && dice.chance(0.6) ? turn.valid_actions[0]! : choice;
    const raise = () =>
      dice.chance(0.6) ? chosen.min! : dice.int(chosen.min!, Math.min(chosen.max!, chosen.min! + 300));
    return this.#message(turn, chosen.action, chosen.action === 'raise' ? raise() : null);
  }

  #message(turn: Turn, action: ActionMessage['action'], amount: number | null): ActionMessage {
    const client_action_id = `${this.agent.name}-${++this.#actions}`;
    return { type: 'action', action, amount, client_action_id, turn_token: turn.turn_token, hand_id: turn.hand_id };
  }

  #act(message: ActionMessage): void {
    if (this.line === null) return;
    this.questions.action(message);
    this.#say(message);
  }

  // Its occasional acts, whatever the game does.

  wander(): void {
    const { dice } = this;
    if (this.mood !== 'wild') return;
    if (this.line === null) {
      if (dice.chance(0.6)) this.comeBack();
      return;
    }
    if (this.table === null && this.waitingSince === null && dice.chance(0.6)) return this.join();
    dice.pick(WHIMS)(this);
  }

  join(): void {
    const { dice } = this;
    if (this.line === null) return;
    const buy_in = dice.pick([undefined, null, 1_000, 2_000, 5_000, 3_333, 999, 1_500.5, 1e9]);
    if (Number.isInteger(buy_in ?? 0)) {
      this.questions.join();
      this.askedToJoinAt ??= this.kernel.now;
    } else this.questions.invalid();
    this.#say({ type: 'join_lobby', ...(buy_in === undefined ? {} : { buy_in }) });
  }

  leave(): void {
    if (this.line === null) return;
    this.#leaves = true;
    this.#say({ type: 'leave_table' });
  }

  rebuy(): void {
    const { dice } = this;
    if (this.line === null || this.mood === 'leaving') return;
    const whim = dice.unit();
    if (whim < 0.4) {
      this.questions.rebuy();
      this.#say({ type: 'rebuy' });
    } else if (whim < 0.7) {
      this.network.call({ method: 'POST', path: '/api/season/rebuy', key: this.#key });
    } else {
      this.setAutoRebuy(true);
    }
    this.#later(1_000 + dice.delay(1_000), () => this.#mayJoin());
  }

  setAutoRebuy(enabled: boolean): void {
    if (this.dice.chance(0.3)) {
      this.network.call({ method: 'PATCH', path: '/api/season/me', key: this.#key, body: { auto_rebuy: enabled } });
      return;
    }
    this.questions.autoRebuy();
    this.#say({ type: 'set_auto_rebuy', enabled });
  }

  resync(): void {
    const { dice } = this;
    const table_id = this.table ?? 'no-such-table';
    const last = dice.pick([null, 0, this.#lastSeq, Math.max(0, this.#lastSeq - 60), 1e12]);
    this.questions.resync();
    this.#say({ type: 'resync_request', table_id, last_table_seq: last });
  }

  /** REST, which shows what was last sent. */
  look(): void {
    const path = this.table === null ? '/api/tables' : `/api/tables/${this.table}`;
    this.network.call(this.dice.chance(0.7) ? { method: 'GET', path } : { ...ACTIVE_GAME, key: this.#key });
  }

  newKey(): void {
    this.network.call({
      method: 'POST',
      path: '/api/me/regenerate-key',
      key: this.#key,
      then: ({ status, body }) => {
        if (status === 200) this.#key = (JSON.parse(String(body)) as { api_key: string }).api_key;
      },
    });
  }

  /** Something that must be refused, or must change nothing. */
  rubbish(): void {
    if (this.line === null) return;
    const turn = this.#turn;
    const { dice } = this;
    const good: ActionMessage = {
      type: 'action',
      action: 'raise',
      amount: dice.pick([1, 1.5, -20, 1e9, null]),
      client_action_id: `${this.agent.name}-${++this.#actions}`,
      turn_token: turn?.turn_token ?? null,
      hand_id: turn?.hand_id ?? null,
    };
    const bad: Partial<ActionMessage> = dice.pick([
      { turn_token: 'nonsense' },
      { hand_id: 'nonsense' },
      { client_action_id: null, turn_token: 'nonsense' },
      { action: 'raise', amount: 1.5 },
      { hand_id: null, turn_token: 'nonsense' },
    ]);
    this.#act({ ...good, ...bad });
  }

  invalid(): void {
    this.questions.invalid();
    this.line?.say(this.dice.pick(['{', '[]', '{"type":"dance"}', '{"type":"action"}', '\u0000', '{"type":5}']));
  }

  /** A frame over the limit: the end of the socket. */
  shout(): void {
    this.line?.say(`{"type":"${'a'.repeat(17_000)}"}`);
  }

  flood(): void {
    for (let i = 0; i < 25; i++) this.#later(i * 40, () => this.rubbish());
  }

  /** Becomes better, or goes home. */
  become(mood: Mood): void {
    this.mood = mood;
    this.line?.resume();
    if (mood === 'gone') this.vanish();
    else this.comeBack();
  }

  dawdle(): void {
    if (this.line === null) return;
    const ms = this.dice.delay(10_000);
    this.questions.dawdles(ms);
    this.line.pause(ms);
  }

  vanish(): void {
    if (this.line === null) return;
    this.#forget();
    this.#hangUp();
    // Most come back soon, some after the hold, some never (until they wander in again).
    if (this.dice.chance(0.8)) this.#later(this.dice.delay(4_000), () => this.comeBack());
  }

  comeBack(): void {
    if (this.line === null && this.mood !== 'gone') this.connect();
  }

  /** A new socket, beside the one it may have: then it takes over from itself. */
  connect(): void {
    const { agent, dice, network } = this;
    const number = ++this.#sockets;
    const newest = () => number === this.#sockets;
    // Frames of an older socket are ignored. It stays open until it is taken over.
    const client: Client = {
      receive: (messages) => newest() && this.receive(messages),
      closed: (code) => newest() && this.closed(code),
    };
    const wrong = dice.chance(0.02) && this.line === null && this.mood === 'wild';
    this.#forget();
    const key = wrong ? keyOf('nobody') : this.#key;
    this.line = network.dial(key, dice.pick(['127.0.0.1', '198.51.100.7']), wrong ? null : agent.agentId, client);
    if (this.line !== null) this.#lines.add(this.line);
    if (this.line === null) this.#later(500 + dice.delay(1_000), () => this.comeBack());
    // Some talk before they are greeted.
    else if (dice.chance(0.2) && this.mood === 'wild') this.join();
  }

  #say(message: object): void {
    this.line?.say(JSON.stringify(message));
  }

  #later(ms: number, run: () => void): void {
    this.kernel.later(ms, run);
  }
}

const ACTIVE_GAME = { method: 'GET', path: '/api/me/active-game' } as const;

/** A bot's whims. Those that stand twice come more often. */
const WHIMS: readonly ((bot: SimBot) => void)[] = [
  (bot) => bot.resync(),
  (bot) => bot.resync(),
  (bot) => bot.look(),
  (bot) => bot.look(),
  (bot) => bot.connect(),
  (bot) => bot.connect(),
  (bot) => bot.vanish(),
  (bot) => bot.leave(),
  (bot) => bot.join(),
  (bot) => bot.rebuy(),
  (bot) => bot.setAutoRebuy(true),
  (bot) => bot.setAutoRebuy(false),
  (bot) => bot.rubbish(),
  (bot) => bot.invalid(),
  (bot) => bot.flood(),
  (bot) => bot.dawdle(),
  (bot) => bot.newKey(),
  (bot) => bot.shout(),
];

/** ms that an agent has to wait for its next seat; the usual few seconds are nobody's promise. */
function toldWait(text: string): number {
  const seconds = Number(/^~(\d+)s$/.exec(text)?.[1]);
  return seconds > 5 ? seconds * 1000 : 0;
}
