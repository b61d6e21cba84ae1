import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import type { Dice } from '../sim/dice.js';
import { codeOf, isAnswer } from './answers.js';
import type { Campaign, Identity } from './client.js';
import { damaged, framed } from './delivery.js';
import { bytesOf } from './messages.js';
import { Place } from './place.js';
import { diceOf, Plan } from './plan.js';
import { RawSocket, type Ending } from './raw-socket.js';
import { encodeFrame, Opcode } from './wire.js';

/** Below the messages a second that a socket may send by default (20), above them, and far above what ends it. */
export type Speed = 'steady' | 'pushy' | 'flooding';

interface Pace {
  clients: number;
  /** Messages at once, and the pause after them. */
  burst: number;
  pauseMs: number;
  /** Its part of all messages, against the others'. */
  weight: number;
}

export const PACES: Readonly<Record<Speed, Pace>> = {
  steady: { clients: 4, burst: 1, pauseMs: 80, weight: 12 },
  pushy: { clients: 8, burst: 6, pauseMs: 100, weight: 60 },
  flooding: { clients: 4, burst: 600, pauseMs: 0, weight: 90 },
};

/** Broken framing, and what a flood ends with. */
const BROKEN: ReadonlySet<number> = new Set([1002, 1007, 1009]);
const FLOODING = 1008;
const TOO_MANY = /^Too many messages/;
/** How often a second it may be told so, and how many more for the seconds that had begun. */
const TOLD_A_SECOND = 1;
const TOLD_BESIDE = 2;

/**
 * A hostile client under the limits. It goes through its plan at its speed and waits for no answer, since most messages
 * beyond a limit get none. It holds the server to documented messages, to one warning a second, to an end for a flood,
 * and to no end for less.
 */
export class PushyClient {
  readonly #plan: Plan;
  readonly #dice: Dice;
  readonly #place: Place;
  #socket: RawSocket | null = null;
  #violated = false;
  #openedAt = 0;
  #told = 0;
  #sent = 0;
  #actions = 0;

  constructor(
    private readonly identity: Identity,
    private readonly speed: Speed,
    private readonly number: number,
    private readonly campaign: Omit<Campaign, 'newcomer'>,
  ) {
    this.#plan = new Plan(campaign.seed, number);
    this.#dice = diceOf(campaign.seed + 1, number);
    this.#place = new Place(identity.name);
  }

  /** Sends so many messages and violations, then gives its seat up. `onStep` is called at each. */
  async run(steps: number, onStep: () => void): Promise<void> {
    const { burst, pauseMs } = PACES[this.speed];
    while (this.#sent < steps && !this.campaign.tally.hopeless) {
      const socket = this.#socket?.over === false ? this.#socket : await this.#connect();
      const before = this.#sent;
      while (this.#sent < steps && this.#sent - before < burst && !socket.over) {
        this.#sent++;
        this.#take(socket);
        onStep();
      }
      const isFlood = this.#sent - before === burst && this.speed === 'flooding';
      if (isFlood) await this.#expectEnd(socket);
      else await sleep(pauseMs);
    }
    await this.#bye();
  }

  async #connect(): Promise<RawSocket> {
    this.#place.lost();
    [this.#violated, this.#told, this.#openedAt] = [false, 0, performance.now()];
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
    return socket;
  }

  #take(socket: RawSocket): void {
    const step = this.speed === 'flooding' ? this.#plan.nextMessage() : this.#plan.next();
    if (!('violation' in step)) {
      const bytes = damaged(bytesOf(step.message, this.#place.known), step.delivery);
      return socket.send(framed(bytes, step.delivery));
    }
    this.#violated = true;
    socket.send(step.violation.bytes);
    if (step.violation.then === 'fin') socket.half();
    else if (step.violation.then === 'reset') socket.destroy(true);
  }

  /** A flood may not be borne. */
  async #expectEnd(socket: RawSocket): Promise<void> {
    const late = sleep(this.campaign.patienceMs, 'late' as const, { ref: false });
    if ((await Promise.race([socket.ended, late])) !== 'late') return;
    this.#finding(`${PACES.flooding.burst} messages at once did not end the socket`);
    socket.destroy();
  }

  #ended(socket: RawSocket, ending: Ending): void {
    if (socket.fault !== null) this.#finding(socket.fault.message);
    if (socket !== this.#socket) return;
    const code = ending.how === 'close' ? `close ${ending.code}` : ending.how;
    this.campaign.tally.count(code, this.speed);
    if (!this.#mayEnd(ending)) this.#finding(`the socket ended without a cause: ${JSON.stringify(ending)}`);
  }

  #mayEnd(ending: Ending): boolean {
    if (ending.how === 'refused') return false;
    // Its last messages may take the last frame along. A violation may be a close frame, or turn out to be one.
    if (this.speed === 'flooding' || this.#violated) return true;
    if (this.#place.isUntold(ending)) return true;
    return ending.how === 'close' && (BROKEN.has(ending.code) || (ending.code === FLOODING && this.speed === 'pushy'));
  }

  #read(socket: RawSocket, text: string): void {
    if (socket !== this.#socket) return;
    try {
      const message = this.campaign.recorder.frame(text);
      if (isAnswer(message)) this.campaign.tally.count(codeOf(message), this.speed);
      this.#place.follow(message);
      this.#behave(message);
      this.#countTold(message);
    } catch (error) {
      this.#finding((error as Error).message);
    }
  }

  /** Half of them want a seat, and play on their turn. */
  #behave(message: ServerMessage): void {
    if (this.number % 2 !== 0) return;
    if (message.type === 'connected' || this.#place.isOwnEnd(message)) this.#say({ type: 'join_lobby' });
    else if (message.type === 'your_turn' && this.#dice.chance(0.8)) this.#act(message);
  }

  #act({ valid_actions, turn_token, hand_id }: ServerMessageOf['your_turn']): void {
    const action = valid_actions.some((offer) => offer.action === 'check') ? 'check' : 'fold';
    this.#say({ type: 'action', action, client_action_id: `p${++this.#actions}`, turn_token, hand_id });
  }

  #countTold(message: ServerMessage): void {
    if (message.type !== 'error' || message.code !== 'rate_limited' || !TOO_MANY.test(message.message)) return;
    const seconds = (performance.now() - this.#openedAt) / 1000;
    if (++this.#told > TOLD_BESIDE + TOLD_A_SECOND * seconds) {
      this.#finding(`told ${this.#told} times in ${seconds.toFixed(1)} s that it is too fast`);
    }
  }

  #say(message: object): void {
    this.#socket?.send(encodeFrame({ opcode: Opcode.text, payload: Buffer.from(JSON.stringify(message)) }));
  }

  /** Gives its seat up, once it may speak again, so that the others need not wait for it. */
  async #bye(): Promise<void> {
    const socket = this.#socket;
    if (socket === null || socket.over) return;
    await sleep(1100);
    this.#say({ type: 'leave_table' });
    this.#socket = null;
    if (!socket.over) await socket.close();
  }

  #finding(what: string): void {
    const { seed, tally } = this.campaign;
    tally.found(`seed ${seed}, ${this.speed} client ${this.number}, message ${this.#sent}: ${what}`);
  }
}

/**
 * All of them at once, except floods. Floods go one after the other, each at least a burst: a slow machine would read
 * too little of each in a second.
 */
export async function pushAll(
  campaign: Omit<Campaign, 'newcomer'>,
  steps: number,
  newcomer: (n: number) => Promise<Identity>,
  onStep: () => void,
): Promise<void> {
  const cast = (Object.entries(PACES) as [Speed, Pace][]).flatMap(([speed, { clients, weight }]) =>
    Array.from({ length: clients }, () => ({ speed, weight })),
  );
  const weights = cast.reduce((sum, { weight }) => sum + weight, 0);
  const runs: Promise<void>[] = [];
  let floods = Promise.resolve();
  for (const [n, { speed, weight }] of cast.entries()) {
    const share = Math.round((steps * weight) / weights);
    const client = new PushyClient(await newcomer(n), speed, n, campaign);
    if (speed === 'flooding') floods = floods.then(() => client.run(Math.max(share, PACES.flooding.burst), onStep));
    else runs.push(client.run(share, onStep));
  }
  await Promise.all([...runs, floods]);
}
