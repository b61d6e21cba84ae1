import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerMessageOf } from '../../src/protocol/server.js';
import type { Dice } from '../sim/dice.js';
import type { Recorder } from '../support/recorder.js';
import { codeOf, OF_LOBBY, verdictOf, type Verdict } from './answers.js';
import { Conversation } from './conversation.js';
import { damaged, framed } from './delivery.js';
import { bytesOf } from './messages.js';
import { Place } from './place.js';
import { diceOf, Plan, type Speech } from './plan.js';
import { Questions } from './questions.js';
import { RawSocket, type Ending, type Target } from './raw-socket.js';
import type { Tally } from './tally.js';
import type { Violation } from './violations.js';
import { encodeFrame, Opcode } from './wire.js';

/**
 * A client's aim between its hostilities:
 *
 * - seated: it wants a seat.
 * - unseated: it wants no seat.
 * - waiting: it stays in the lobby.
 * - patient: it waits for a turn before flood removes it.
 * - hasty: its socket is not yet greeted.
 */
export type Role = 'seated' | 'unseated' | 'waiting' | 'patient' | 'hasty';

export interface Identity {
  name: string;
  key: string;
  /** As X-Forwarded-For has it. */
  ip: string;
}

export interface Campaign {
  target: Target;
  seed: number;
  tally: Tally;
  recorder: Recorder;
  /** A new agent with a key that was never looked up. */
  newcomer(): Promise<Identity>;
  /** How long the server may take for an answer before it counts as none. */
  patienceMs: number;
}

/** Unanswered questions at a time: the client does not wait for one answer before it asks on. */
const WINDOW = 16;
/** Hasty clients open a socket for so few messages, all sent before they are greeted. */
const HASTY = 12;
/** A turn that the plan has not used up by then is played politely. */
const DECISION_MS = 100;
/** How long a patient client waits for its turn, and how many steps it takes then. */
const TURN_MS = 500;
const STEPS_A_TURN = 6;
/**
 * Codes of sockets that the framing, or the client's own close, brings to an end (RFC 6455, 7.4; protocol.md, "Close
 * codes").
 */
const CLOSES: ReadonlySet<number> = new Set([1002, 1007, 1009]);
/** All may be answered `not_at_table`, by different parts of the server: one after the other, it is clear which. */
const ALIKE: readonly Verdict[] = ['leave_table', 'rebuy', 'deal_nonce'];

/** The lobby's questions under way at a time. */
const AT_LOBBY = 2;

/**
 * A registered agent gone wrong. It goes through its plan. It holds the server to one documented answer for every
 * message and to the end of the socket for every violation. In between it keeps the place of its role.
 */
export class HostileClient {
  readonly #plan: Plan;
  /** For what is no part of the plan, since it depends on what the server says. */
  readonly #dice: Dice;
  readonly #questions = new Questions();
  #place: Place;
  #conversation: Conversation;
  #socket: RawSocket | null = null;
  #step = 0;
  #actions = 0;
  /** While a violation runs: the type of a message with an answer that shows that the socket still lives. */
  #probe: string | null = null;
  #mayEnd = false;
  #wake: (() => void) | null = null;
  #findings = 0;

  constructor(
    private identity: Identity,
    private readonly role: Role,
    private readonly number: number,
    private readonly campaign: Campaign,
  ) {
    this.#plan = new Plan(campaign.seed, number, role === 'patient' ? 'onTurn' : 'share');
    this.#dice = diceOf(campaign.seed + 1, number);
    this.#place = new Place(identity.name);
    this.#conversation = new Conversation(identity.name);
  }

  /** Goes so many steps, then leaves politely. `onStep` is called at each. */
  async run(steps: number, onStep: () => void): Promise<void> {
    while (this.#step < steps && !this.campaign.tally.hopeless) {
      const socket = this.#socket?.over === false ? this.#socket : await this.#connect();
      if (socket === null) return;
      if (this.role === 'patient') await this.#takeTurn();
      else this.#behave();
      const step = this.#plan.next();
      if ('violation' in step) await this.#violate(socket, step.violation);
      else await this.#speak(step);
      this.#step++;
      onStep();
      if (this.role === 'hasty' && this.#step % HASTY === 0) await this.#start();
    }
    await this.#bye();
  }

  // ---- coming and going

  async #connect(): Promise<RawSocket | null> {
    this.#place.lost();
    const { key, ip } = this.identity;
    let opened = () => {};
    const open = new Promise<void>((resolve) => (opened = resolve));
    const socket: RawSocket = new RawSocket(
      this.campaign.target,
      { authorization: `Bearer ${key}`, 'x-forwarded-for': ip },
      { open: opened, text: (text) => this.#read(socket, text) },
    );
    this.#socket = socket;
    void socket.ended.then((ending) => this.#ended(socket, ending));
    await Promise.race([open, socket.ended]);
    // Most come in properly; the others speak before they are greeted, and so does everybody now and then.
    if (this.role !== 'hasty' && this.#dice.chance(0.7)) await this.#until(() => this.#place.greeted);
    if (!socket.over) return socket;
    this.#finding(`a good key was turned away: ${JSON.stringify(await socket.ended)}`);
    return null;
  }

  #ended(socket: RawSocket, ending: Ending): void {
    if (socket.fault !== null) this.#finding(socket.fault.message);
    if (socket !== this.#socket) return;
    if (this.#place.isUntold(ending)) this.#questions.drop();
    else if (!this.#mayEnd) this.#finding(`the socket ended without a cause: ${JSON.stringify(ending)}`);
    this.#giveUp('the socket ended');
    this.#wake?.();
  }

  #giveUp(why: string): void {
    for (const { bytes, verdict, step, polite } of this.#questions.drop()) {
      if (!polite) this.#finding(`step ${step}, ${verdict}: not answered, ${why}`, bytes);
    }
  }

  /** Leaves its seat and closes. */
  async #bye(): Promise<void> {
    const socket = this.#socket;
    if (socket === null || socket.over) return;
    await this.#room(0);
    await this.#until(() => this.#place.greeted);
    do {
      // Also without a seat that we know of: it may be on its way.
      this.#say({ type: 'leave_table' });
      await this.#room(0);
      await this.#until(() => this.#place.seat === null || !this.#place.leaving);
    } while (this.#place.seat !== null && !socket.over && !this.campaign.tally.hopeless);
    this.#socket = null;
    if (!socket.over) await socket.close();
  }

  /** Begins again as somebody whom the server has never seen. */
  async #start(): Promise<void> {
    await this.#bye();
    this.identity = await this.campaign.newcomer();
    this.#place = new Place(this.identity.name);
    this.#conversation = new Conversation(this.identity.name);
  }

  // ---- asking

  async #speak({ message, delivery }: Speech): Promise<void> {
    const bytes = damaged(bytesOf(message, this.#place.known), delivery);
    const verdict = verdictOf(bytes);
    const others = ALIKE.includes(verdict) ? ALIKE.filter((alike) => alike !== verdict) : [];
    if (others.length > 0) await this.#until(() => !others.some((other) => this.#questions.isOpen(other)));
    if (OF_LOBBY.includes(verdict)) await this.#until(() => this.#hasRoomAtLobby);
    this.#ask(bytes, framed(bytes, delivery), false);
    await this.#room(WINDOW - 1);
  }

  #ask(bytes: Buffer, frames: Buffer, polite: boolean): void {
    if (this.#socket === null || this.#socket.over) return;
    this.#conversation.said(bytes);
    this.#questions.ask({ verdict: verdictOf(bytes), bytes, state: this.#place.state, step: this.#step, polite });
    this.#socket.send(frames);
  }

  #say(message: object): void {
    const bytes = Buffer.from(JSON.stringify(message));
    this.#ask(bytes, encodeFrame({ opcode: Opcode.text, payload: bytes }), true);
  }

  /** Waits until at most so many questions are open. */
  async #room(limit: number): Promise<void> {
    const inTime = await this.#until(() => this.#questions.count <= limit);
    if (!inTime) this.#giveUp(`${this.campaign.patienceMs} ms passed`);
  }

  /** Waits until it is so, or the socket is gone; false when patience ends first. */
  async #until(fits: () => boolean, ms = this.campaign.patienceMs): Promise<boolean> {
    const waiting = () => !fits() && this.#socket?.over === false;
    if (!waiting()) return true;
    const late = sleep(ms, 'late' as const, { ref: false });
    while (waiting()) {
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      if ((await Promise.race([woken, late])) === 'late') return false;
    }
    return true;
  }

  // ---- keeping the place

  #behave(): void {
    const { turn, seat } = this.#place;
    if (turn !== null && this.#dice.chance(0.15)) this.#act(turn);
    if (this.role === 'seated' || this.role === 'waiting') this.#join();
    if (seat === null || this.role === 'seated' || this.#isWishing) return;
    if (ALIKE.some((alike) => this.#questions.isOpen(alike))) return;
    this.#say({ type: 'leave_table' });
  }

  get #isWishing(): boolean {
    return this.#questions.isOpen('join_lobby') || this.#questions.isOpen('leave_table');
  }

  get #hasRoomAtLobby(): boolean {
    return this.#questions.countOf(OF_LOBBY) < AT_LOBBY;
  }

  #join(): void {
    const { greeted, seat, waiting } = this.#place;
    if (!this.#hasRoomAtLobby) return;
    if (greeted && seat === null && !waiting && !this.#isWishing) this.#say({ type: 'join_lobby' });
  }

  /** Waits for a turn, while there is a table to have one at; uses it for a few steps, then plays. */
  async #takeTurn(): Promise<void> {
    const { turn } = this.#place;
    if (turn !== null && this.#step % STEPS_A_TURN !== 0) return;
    if (turn !== null) this.#act(turn);
    this.#join();
    await this.#until(() => this.#place.turn !== null, TURN_MS);
  }

  /** Checks for free, else mostly folds, so that hands are short. */
  #act(turn: ServerMessageOf['your_turn']): void {
    if (this.#place.turn !== turn) return;
    const { valid_actions, turn_token, hand_id } = turn;
    const offered = new Set(valid_actions.map(({ action }) => action));
    const stays = offered.has('call') && this.#dice.chance(0.2);
    const action = offered.has('check') ? 'check' : stays ? 'call' : 'fold';
    this.#place.turn = null;
    this.#say({ type: 'action', action, client_action_id: `a${++this.#actions}`, turn_token, hand_id });
  }

  // ---- violations

  async #violate(socket: RawSocket, { name, bytes, then, ends, closes }: Violation): Promise<void> {
    await this.#room(0);
    if (socket.over) return;
    const { state } = this.#place;
    this.#probe = `probe-${this.number}-${this.#step}`;
    this.#mayEnd = ends !== 'never';
    socket.send(bytes);
    if (then === 'wait') {
      socket.send(encodeFrame({ opcode: Opcode.text, payload: Buffer.from(`{"type":"${this.#probe}"}`) }));
    } else if (then === 'fin') socket.half();
    else socket.destroy(true);
    const settled = await this.#until(() => this.#probe === null);
    const lives = this.#probe === null;
    this.#probe = null;
    if (!settled) socket.destroy();
    const ending = lives ? null : await socket.ended;
    this.#mayEnd = false;
    this.campaign.tally.count(!settled ? 'hangs' : ending === null ? 'goes on' : endingOf(ending), state);
    const fits = settled && (ending === null ? ends !== 'must' : ends !== 'never' && isDocumented(ending, closes));
    if (fits || (ending !== null && this.#place.isUntold(ending))) return;
    this.#finding(
      `violation '${name}': ${settled ? (ending === null ? 'goes on' : endingOf(ending)) : 'hangs'}`,
      bytes,
    );
  }

  // ---- reading

  #read(socket: RawSocket, text: string): void {
    if (socket !== this.#socket) return;
    this.#conversation.heard(text);
    try {
      const message = this.campaign.recorder.frame(text);
      this.#place.follow(message);
      if (message.type === 'your_turn') this.#decideInTime(message);
      if (this.#probe !== null) {
        if (message.type === 'error' && message.message.includes(this.#probe)) this.#probe = null;
      } else {
        const question = this.#questions.answered(message, this.#place);
        if (question?.polite === false) this.campaign.tally.count(codeOf(message), question.state);
      }
    } catch (error) {
      this.#finding((error as Error).message);
    }
    this.#wake?.();
  }

  /** The table shall not wait, whatever the client waits for. */
  #decideInTime(turn: ServerMessageOf['your_turn']): void {
    setTimeout(() => this.#probe === null && this.#act(turn), DECISION_MS);
  }

  #finding(what: string, bytes?: Buffer): void {
    const { seed, tally } = this.campaign;
    const shown =
      bytes === undefined ? '' : `\n    ${bytes.length} bytes: ${JSON.stringify(bytes.toString('latin1', 0, 400))}`;
    const before = this.#findings++ === 0 ? `\n    before it:\n${this.#conversation.toString()}` : '';
    tally.found(`seed ${seed}, client ${this.number} (${this.role}), step ${this.#step}: ${what}${shown}${before}`);
  }
}

const endingOf = (ending: Ending) => (ending.how === 'close' ? `close ${ending.code}` : ending.how);

function isDocumented(ending: Ending, anyCode: boolean): boolean {
  if (ending.how === 'drop') return true;
  return ending.how === 'close' && (anyCode || CLOSES.has(ending.code));
}
