import { seededRandom } from '../../src/cards/shuffle.js';
import type { ActionMessage } from '../../src/protocol/client.js';
import type { PublicTableState, ServerMessage } from '../../src/protocol/server.js';
import type { HandRecord, TableApi, TableEffect, TableRules } from '../../src/table/api.js';
import { SEQ_STEP } from '../../src/table/numbering.js';
import { Outbox } from '../../src/table/outbox.js';
import { openTable } from '../../src/table/table.js';
import { Agenda } from './agenda.js';
import { SimBot, type BotWorld } from './bot.js';
import { randomPlayer, randomRules } from './casting.js';
import { Dice } from './dice.js';
import { Broken, ensure, Vault } from './vault.js';
import { Witness } from './witness.js';

export interface SimResult {
  seed: number;
  hands: number;
  frames: number;
  crashes: number;
  steps: number;
}

/** How long the bots misbehave, and how long the world then has to come to rest, in virtual ms. */
const UNREST_MS = 100_000;
const REST_MS = 30 * 60_000;
/** Ticks without any time passing that are taken for an endless loop. */
const MOST_SPINS = 200;

/**
 * One table, its shard, its database and its bots on a virtual clock, everything decided by one seed: same seed, same
 * run. Storing takes time and sometimes very long; the table is lost now and then and reopened from what is stored.
 */
export class World implements BotWorld {
  now = Date.UTC(2026, 0, 31, 12);
  readonly #seed: number;
  readonly #dice: Dice;
  readonly #agenda = new Agenda();
  readonly #vault = new Vault();
  readonly #witness = new Witness(this.#vault);
  readonly #rules: TableRules;
  readonly #bots: SimBot[];
  readonly #readers = new Map<number, SimBot>();
  #out = new Outbox();
  #table: TableApi;
  /** Statements under way. */
  readonly #inFlight = new Set<() => void>();
  /** Counts the tables opened: what was asked by a lost one is not answered to its successor. */
  #life = 0;
  #sockets = 0;
  #sittings = 0;
  #spins = 0;
  #result: SimResult;
  #lastFrames: string[] = [];
  /** Answers that the action in hand has got. */
  #answers: ServerMessage[] = [];
  /** The last action of each bot that was acknowledged. */
  readonly #accepted = new Map<SimBot, ActionMessage>();
  /** The hand that the table was last seen playing. */
  #handId: string | null = null;

  constructor(seed: number) {
    this.#seed = seed;
    this.#dice = new Dice(seed);
    this.#rules = randomRules(this.#dice);
    this.#result = { seed, hands: 0, frames: 0, crashes: 0, steps: 0 };
    this.#table = this.#open();
    const count = this.#dice.int(2, 8);
    this.#bots = Array.from(
      { length: count },
      (_, i) => new SimBot(randomPlayer(`bot_${i}`, this.#dice), this, this.#dice),
    );
  }

  /** Runs the whole life of the world; throws Broken when an invariant does. */
  run(): SimResult {
    const end = this.now + UNREST_MS;
    for (const bot of this.#bots) {
      this.#vault.grant(bot.player.agentId, 5_000);
      this.later(this.#dice.delay(500), () => {
        bot.comeBack();
        this.join(bot);
      });
      this.#wander(bot, end);
    }
    this.#planCrash(end);
    this.#runUntil(end);
    this.#comeToRest();
    return this.#result;
  }

  /** The last frames, for the report of a broken invariant. */
  get trace(): string {
    return this.#lastFrames.join('\n');
  }

  #wander(bot: SimBot, end: number): void {
    this.later(500 + this.#dice.delay(8_000), () => {
      if (this.now >= end) return;
      bot.wander();
      this.#wander(bot, end);
    });
  }

  #planCrash(end: number): void {
    this.later(this.#dice.unit() * 3 * UNREST_MS, () => {
      if (this.now < end) this.#crash();
    });
  }

  #runUntil(end: number): void {
    for (;;) {
      const next = Math.min(this.#agenda.next, this.#table.nextDeadline);
      if (next > end) break;
      this.#spins = next > this.now ? 0 : this.#spins + 1;
      ensure(this.#spins < MOST_SPINS, () => `the clock stands still at ${this.now}`);
      this.now = Math.max(this.now, next);
      if (this.#agenda.next <= next) this.#agenda.step();
      else this.#call((table, now) => table.tick(now));
    }
    this.now = end;
  }

  /** The table closes and everybody goes: every hand ends, every hold runs out, and the chips are all off the table. */
  #comeToRest(): void {
    this.#call((table, now) => table.close(now, 'season_ended'));
    for (const bot of this.#bots) if (bot.socket !== 0) this.drop(bot);
    this.#runUntil(this.now + REST_MS);
    ensure(!this.#table.inHand, () => 'a hand never ended');
    ensure(this.#vault.sittings.size === 0, () => 'chips are left on a closed table');
    ensure(this.#table.nextDeadline === Infinity, () => 'a closed table still waits for something');
  }

  // What bots do.

  later(ms: number, run: () => void): void {
    this.#agenda.plan(this.now + ms, run);
  }

  /** Every action gets exactly one answer, and a repeated one the same acknowledgement. */
  act(bot: SimBot, message: ActionMessage): void {
    const { socket, player } = bot;
    const repeated = this.#accepted.get(bot) === message && this.#handId === message.hand_id;
    this.#answers = [];
    this.#call((table, now) => table.act(now, player.agentId, socket, message));
    const [answer, ...more] = this.#answers;
    ensure(
      answer !== undefined && more.length === 0,
      () => `${this.#answers.length} answers to ${JSON.stringify(message)}`,
    );
    if (answer.type === 'action_ack') this.#accepted.set(bot, message);
    else ensure(!repeated, () => `a repeated action is refused: ${JSON.stringify(message)}`);
  }

  invalid({ player, socket }: SimBot): void {
    this.#call((table, now) => table.invalid(now, player.agentId, socket));
  }

  leave({ player, socket }: SimBot): void {
    if (socket !== 0) this.#call((table, now) => table.leave(now, player.agentId, socket));
  }

  rebuy({ player, socket }: SimBot): void {
    this.#call((table, now) => table.rebuy(now, player.agentId, socket));
  }

  resync({ player, socket }: SimBot, lastSeq: number | null): void {
    const agentId = this.#dice.chance(0.1) ? null : player.agentId;
    if (agentId !== null) return this.#call((table, now) => table.resync(now, agentId, socket, lastSeq));
    const spectator = ++this.#sockets;
    this.#call((table, now) => table.resync(now, null, spectator, lastSeq));
  }

  drop(bot: SimBot): void {
    const { socket, player } = bot;
    bot.socket = 0;
    this.#readers.delete(socket);
    this.#call((table, now) => table.detach(now, player.agentId, socket));
  }

  connect(bot: SimBot): void {
    if (bot.socket !== 0) this.#readers.delete(bot.socket);
    bot.socket = ++this.#sockets;
    this.#readers.set(bot.socket, bot);
    bot.seated = this.#table.seatOf(bot.player.agentId) !== null;
    this.#call((table, now) => table.attach(now, bot.player.agentId, bot.socket));
  }

  /** The lobby and the buy-in: a seat is reserved, paid some ms later, and taken or given back. */
  join(bot: SimBot): void {
    const { player } = bot;
    const { agentId } = player;
    if (this.#table.seatOf(agentId) !== null || bot.socket === 0) return;
    if (this.#vault.balanceOf(agentId) < 1_000) this.#vault.grant(agentId, 1_500);
    const sitting = `sitting-${++this.#sittings}`;
    const seat = this.#table.reserveSeat(sitting);
    if (seat < 0) return;
    const life = this.#life;
    this.later(this.#dice.delay(8), () => {
      if (life !== this.#life) return;
      const chips = Math.min(this.#dice.int(1_000, 5_000), this.#vault.balanceOf(agentId));
      const sold = this.#dice.chance(0.9) ? this.#vault.buyIn(sitting, seat, player, chips) : null;
      if (sold === null) this.#call((table) => table.unreserveSeat(sitting));
      else this.#call((table, now) => table.sit(now, { ...sold }, bot.socket));
    });
  }

  // The shard.

  #call(use: (table: TableApi, now: number) => void): void {
    this.#result.steps++;
    use(this.#table, this.now);
    this.#deliver();
    for (const { effect } of this.#out.takeEffects()) this.#carryOut(effect);
    this.#checkTable();
  }

  #carryOut(effect: TableEffect): void {
    switch (effect.kind) {
      case 'commit':
        return this.#store(effect.record);
      case 'release': {
        const { sitting, stack, agentId, reason } = effect;
        return this.#durable(
          () => this.#vault.cashOut(sitting, stack),
          (table, now) => {
            table.released(now, sitting);
            // Of a closing table all seats become free together.
            const free = reason === 'closed' || table.seatOf(agentId) === null;
            ensure(free, () => `the seat of ${agentId} is cashed out and not free`);
          },
        );
      }
      case 'reserve':
        return this.#durable(
          () => (this.#vault.seqReserved = Math.max(this.#vault.seqReserved, effect.upTo)),
          (table, now) => table.reserved(now, effect.upTo),
        );
      case 'summary':
        ensure(this.#table.summary().occupied <= this.#rules.seats, () => 'more players than seats');
        return;
      case 'closed':
        ensure(this.#vault.sittings.size === 0, () => 'a table closed with chips on it');
    }
  }

  #store(record: HandRecord): void {
    this.#durable(
      () => {
        this.#vault.commit(record);
        this.#result.hands++;
      },
      (table, now) => {
        table.handCommitted(now, record.handId);
        if (this.#dice.chance(0.1)) table.handCommitted(now, record.handId);
      },
    );
  }

  /** A statement takes effect some time later, and its answer comes later still; a lost table hears nothing of it. */
  #durable(effect: () => void, answer: (table: TableApi, now: number) => void): void {
    const life = this.#life;
    const away = this.#dice.chance(0.01) ? this.#dice.int(5_000, 40_000) : 0;
    this.#inFlight.add(effect);
    this.later(this.#dice.delay(4) + away, () => {
      if (!this.#inFlight.delete(effect)) return;
      effect();
      this.#vault.audit();
      this.later(this.#dice.delay(2), () => {
        if (life === this.#life) this.#call(answer);
      });
    });
  }

  #open(): TableApi {
    const { tableId, poolId } = { tableId: 'table-1', poolId: 'season-1' };
    const { handNumber, button, bigBlindSeat, seqReserved: seqFloor } = this.#vault;
    this.#vault.seqReserved = seqFloor + SEQ_STEP;
    this.#out = new Outbox();
    const sittings = [...this.#vault.sittings.values()].map((sitting) => ({ ...sitting }));
    const opening = { tableId, poolId, rules: this.#rules, handNumber, button, bigBlindSeat, seqFloor, sittings };
    return openTable(this.now, opening, { random: seededRandom(this.#seed * 31 + this.#life), out: this.#out });
  }

  /** The table is lost with everything that is not stored: the hand is void. Sockets live on, or die with it. */
  #crash(): void {
    // What was under way has been stored or has not; once the successor is open it is fenced off.
    for (const effect of this.#inFlight) if (this.#dice.chance(0.5)) effect();
    this.#inFlight.clear();
    this.#vault.audit();
    this.#life++;
    this.#result.crashes++;
    this.#witness.tableLost();
    this.#table = this.#open();
    const socketsToo = this.#dice.chance(0.5);
    for (const bot of this.#bots) {
      if (bot.socket === 0) continue;
      if (!socketsToo) {
        bot.seated = this.#table.seatOf(bot.player.agentId) !== null;
        this.#call((table, now) => table.attach(now, bot.player.agentId, bot.socket));
        continue;
      }
      this.#readers.delete(bot.socket);
      bot.socket = 0;
      this.later(this.#dice.delay(20_000), () => bot.comeBack());
    }
    this.#call((table, now) => table.tick(now));
  }

  // What is seen.

  #deliver(): void {
    const batch = this.#out.takeFrames();
    if (batch === null) return;
    const bytes = Buffer.from(batch.bytes);
    for (let i = 0; i < batch.index.length; i += 3) {
      const socket = batch.index[i]!;
      const text = bytes.toString('utf8', batch.index[i + 1], batch.index[i + 2]);
      this.#remember(`${socket} ${text}`);
      const bot = this.#readers.get(socket);
      const message = this.#witness.read({ socket, agentId: bot?.player.agentId ?? null }, text);
      this.#result.frames++;
      ensure(bot !== undefined || message.type === 'resync_response', () => `a frame for a dead socket: ${text}`);
      if (message.type === 'action_ack' || message.type === 'action_rejected') this.#answers.push(message);
      bot?.read(message);
    }
  }

  #remember(line: string): void {
    this.#lastFrames.push(line.slice(0, 600));
    if (this.#lastFrames.length > 40) this.#lastFrames.shift();
  }

  /** After every step: stacks and pot told are the chips stored on the seats, and the next deadline makes sense. */
  #checkTable(): void {
    const state = JSON.parse(this.#table.publicState(this.now)) as PublicTableState;
    if (state.seats.every(({ status }) => status === 'empty' || status === 'disconnected'))
      this.#witness.overhear(state);
    this.#handId = state.hand_id;
    const seats = new Map([...this.#vault.sittings.values()].map(({ seat, stack }) => [seat, stack]));
    let told = state.pot;
    let stored = 0;
    for (const { seat, stack, status } of state.seats) {
      // A seat whose cash-out is stored but not yet told keeps its last stack until then.
      if (status === 'empty' || !seats.has(seat)) continue;
      told += stack;
      stored += seats.get(seat)!;
    }
    ensure(told === stored, () => `${told} chips are told, ${stored} are stored: ${JSON.stringify(state)}`);
    const { nextDeadline } = this.#table;
    ensure(!Number.isNaN(nextDeadline), () => 'the next deadline is no number');
    if (state.actor_seat !== undefined) {
      ensure(nextDeadline <= this.now + this.#rules.actionTimeoutMs, () => 'an open turn without a deadline');
    }
  }
}

/** Runs one seed; a broken invariant is reported with the seed and the last frames. */
export function simulate(seed: number): SimResult {
  const world = new World(seed);
  try {
    return world.run();
  } catch (error) {
    const what = error instanceof Broken ? error.message : String((error as Error).stack);
    throw new Error(`seed ${seed} at ${new Date(world.now).toISOString()}: ${what}\n${world.trace}`);
  }
}
