import { refusalOf } from '../holdem/betting.js';
import { Hand } from '../holdem/hand.js';
import { atMostOne } from '../holdem/seats.js';
import { seatsWithChips } from '../holdem/state.js';
import { ActionRefusal, Street } from '../holdem/types.js';
import type { ActionMessage } from '../protocol/client.js';
import { NO_SOCKET } from '../table/api.js';
import { ACT_NUMBERS } from '../table/frames/words.js';
import type { BotLine } from './bot-line.js';
import { agreement, givenChoice, plainChoice, type DecisionPoint, type Offer, type Rethought } from './compare.js';
import { prepared, type PreparedHand } from './prepare.js';
import type { RecordedHand, RecordedRejection } from './recorded.js';
import { TableAgain } from './table-again.js';

export interface RethinkOptions {
  line: BotLine;
  /** The oldest first. */
  hands: readonly RecordedHand[];
  rejections: readonly RecordedRejection[];
  /** ms that the bot has for an answer, and for coming to a seat. */
  answerMs: number;
  seatMs: number;
  onDecisions?: (decisions: number) => void;
  signal?: AbortSignal;
  /** Resolves to the way in which the bot's program ended. */
  gone?: Promise<string>;
}

export interface RethinkResult {
  decisions: Rethought[];
  /** Hands that were played again, and those left out by reason. */
  hands: number;
  leftOut: Record<string, number>;
  /** Rejections that the bot was shown again. */
  rejections: number;
  seconds: number;
  /** Why it ended early; null: it did not. */
  ended: string | null;
}

/** The bot does not go on. */
class BotGone extends Error {}

/**
 * Plays recorded hands again over the real protocol. The bot is asked at each decision that it had in the record. Its
 * answer is noted, and the hand goes on as recorded.
 */
export async function rethink(options: RethinkOptions): Promise<RethinkResult> {
  const run = new Run(options);
  const started = performance.now();
  const ended = await run.play();
  return { ...run.result, seconds: (performance.now() - started) / 1000, ended };
}

class Run {
  readonly result: Omit<RethinkResult, 'seconds' | 'ended'> = { decisions: [], hands: 0, leftOut: {}, rejections: 0 };
  readonly #rules = new Hand();
  readonly #rejections = new Map<string, RecordedRejection[]>();
  /** The table of the hand before, with the bot still on its seat. */
  #before: TableAgain | null = null;
  /** Why it cannot go on; null: it can. */
  #end: string | null = null;
  /** Fails the open question. */
  #fail: (error: BotGone) => void = () => undefined;

  constructor(private readonly options: RethinkOptions) {
    const { signal, gone, line } = options;
    signal?.addEventListener('abort', () => this.#stop('interrupted'), { once: true });
    void gone?.then((how) => this.#stop(how));
    line.onLeave = () => this.#stop('the bot gave its seat up');
    for (const each of options.rejections) {
      this.#rejections.set(each.handId, [...(this.#rejections.get(each.handId) ?? []), each]);
    }
  }

  /** Returns why it ended early, or null. */
  async play(): Promise<string | null> {
    const { hands, signal } = this.options;
    try {
      for (const hand of hands) {
        if (signal?.aborted === true) return 'interrupted';
        const ready = prepared(hand);
        if (typeof ready === 'string') this.result.leftOut[ready] = (this.result.leftOut[ready] ?? 0) + 1;
        else await this.#hand(ready);
      }
      await this.#readToTheEnd();
    } catch (error) {
      if (error instanceof BotGone) return error.message;
      throw error;
    }
    return null;
  }

  async #hand(ready: PreparedHand): Promise<void> {
    const { line } = this.options;
    const { hand } = ready;
    const stays = this.#before !== null && isSameSeat(this.#before.route, hand);
    if (!stays) this.#freeSeat();
    await this.#until(() => line.socket !== NO_SOCKET && (stays || line.joined));
    const table = new TableAgain(line, ready, { stays, past: this.result.hands });
    line.seated(table);
    table.deal();
    this.#rules.start(ready.setup);
    for (const [number, { seat, action, amount, street, timeout }] of hand.actions.entries()) {
      const recorded = { action, amount, timeout: timeout === true };
      if (seat === hand.seat) await this.#ask(table, hand.hand_id, { number, street, ...recorded });
      else if (recorded.timeout) table.timeOut(null);
      else table.play(seat, action, action === 'raise' ? amount : null);
      this.#rules.act(ACT_NUMBERS[action], amount ?? 0);
    }
    table.flush();
    this.result.hands++;
    this.#before = table;
    const end = hand.players.find(({ seat }) => seat === hand.seat)!.stack_end;
    if (end > 0) return;
    // The table gave the seat up.
    this.#before = null;
    line.seated(null);
    line.send({ type: 'busted', options: ['rebuy', 'leave'] });
  }

  #freeSeat(): void {
    if (this.#before === null) return;
    this.#before.close();
    this.options.line.seated(null);
    this.#before = null;
  }

  /** The bot asks for another seat once it has read all. One that asks for none is waited for as for an answer. */
  async #readToTheEnd(): Promise<void> {
    const { line, answerMs } = this.options;
    this.#freeSeat();
    const until = performance.now() + answerMs;
    while (this.#end === null && line.socket !== NO_SOCKET && !line.joined && performance.now() < until) {
      await this.#changed(until - performance.now());
    }
  }

  /** Resolves with the next change of the line, or after so many ms. */
  async #changed(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([this.options.line.change(), new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
    clearTimeout(timer);
  }

  #stop(how: string): void {
    this.#end ??= how;
    this.#fail(new BotGone(this.#end));
    this.options.line.touch();
  }

  /** Asks the bot, notes its answer, and plays what was recorded. */
  async #ask(
    table: TableAgain,
    handId: string,
    asked: {
      number: number;
      street: Rethought['street'];
      action: Rethought['recorded']['action'];
      amount: number | null;
      timeout: boolean;
    },
  ): Promise<void> {
    const { number, street, action, amount, timeout } = asked;
    const seat = table.route.seat;
    const at = this.#pointOf(seat);
    const recorded = plainChoice(ACT_NUMBERS[action], action === 'raise' ? amount : null, at);
    let said = await this.#answer(table);
    const given = said === null ? null : givenChoice(said, at);
    this.result.decisions.push({
      handId,
      street,
      number,
      recorded,
      timedOut: timeout,
      given,
      agrees: agreement(given, recorded),
      at,
    });
    this.options.onDecisions?.(this.result.decisions.length);
    const rejected = said === null ? null : this.#rejectionFor(handId, at);
    if (rejected !== null) {
      // The message is rejected as in the record. The turn stays open, and the bot answers again.
      table.play(seat, rejected.sent.action as ActionMessage['action'], rejected.sent.amount ?? null, said);
      this.result.rejections++;
      said = await this.#answer(table);
    }
    if (timeout) table.timeOut(said);
    else table.play(seat, action, action === 'raise' ? amount : null, said);
  }

  /** The open turn, kept: the hand goes on. */
  #pointOf(seat: number): DecisionPoint {
    const { committed, stack, bet, dealt, folded, street, boardCards, boardCount, hole, setup, toAct } = this.#rules;
    const legal = { ...this.#rules.legal() };
    const own = 1 << seat;
    const others = seatsWithChips(this.#rules) & ~own;
    const canBet = stack[seat]! > legal.call ? others | own : others;
    return {
      legal,
      stack: stack[seat]!,
      bet: bet[seat]!,
      seat,
      hole: [hole[2 * seat]!, hole[2 * seat + 1]!],
      state: {
        committed: committed.slice(),
        stack: stack.slice(),
        dealt,
        folded,
        street,
        boardCards: boardCards.slice(),
        boardCount,
        setup: { button: setup.button, bigBlind: setup.bigBlind },
      },
      ends: toAct === own && (street === Street.river || atMostOne(canBet)),
    };
  }

  /** The first recorded rejection of the hand that the rules give at this turn too; it is used up. */
  #rejectionFor(handId: string, { legal }: Offer): RecordedRejection | null {
    const left = this.#rejections.get(handId) ?? [];
    const place = left.findIndex(({ sent: { action, amount } }) => {
      const act = (ACT_NUMBERS as Readonly<Record<string, 0 | 1 | 2 | 3 | 4 | undefined>>)[action];
      return (
        act !== undefined &&
        refusalOf(legal, act, amount ?? undefined) !== ActionRefusal.ok &&
        !(act === 0 && legal.check)
      );
    });
    return place < 0 ? null : left.splice(place, 1)[0]!;
  }

  /** Null where none comes in time. Rejects with BotGone. */
  async #answer(table: TableAgain): Promise<ActionMessage | null> {
    if (this.#end !== null) throw new BotGone(this.#end);
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<ActionMessage | null>((resolve, reject) => {
        timer = setTimeout(resolve, this.options.answerMs, null);
        this.#fail = reject;
        table.ask(resolve);
      });
    } finally {
      clearTimeout(timer);
      table.ask(null);
      this.#fail = () => undefined;
    }
  }

  /** Throws BotGone where it does not come about in time. */
  async #until(holds: () => boolean): Promise<void> {
    const { seatMs } = this.options;
    const until = performance.now() + seatMs;
    while (!holds()) {
      const left = until - performance.now();
      if (this.#end !== null) throw new BotGone(this.#end);
      if (left <= 0) throw new BotGone(`the bot took no seat within ${seatMs / 1000} s`);
      await this.#changed(left);
    }
  }
}

const isSameSeat = ({ table, seat }: { table: string; seat: number }, hand: RecordedHand): boolean =>
  table === hand.table_id && seat === hand.seat;
