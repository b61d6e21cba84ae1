import type { Action } from '../../sdk/typescript/src/hand.js';
import type { SlowStrategy } from '../bots/index.js';
import { actOf, EventKind, streetOf } from '../holdem/log.js';
import { Act, Street } from '../holdem/types.js';
import { MemoryTable } from '../memory/memory-table.js';
import { averagePayout } from './boards.js';
import type { LaterMind } from '../selfplay/minds.js';
import { seatOf } from '../selfplay/stretch.js';

/** One decision as it was played. */
export interface TakenAct {
  seat: number;
  action: Action;
  street: Street;
}

/** One hand of the tested bot, as far as it decides the bot's result. */
export interface TestedHand {
  acts: readonly TakenAct[];
  /** Chips that the tested bot won less those it lost. */
  chips: number;
  /** The same with the mean over boards where nothing was left to decide. */
  profit: number;
  /** Its choices that the rules did not allow. */
  refused: number;
}

/** The mind of one player for one hand. */
export type PlayerMind =
  /** Its dice are drawn anew for each decision: `turn` counts its decisions on the street. It may be left unasked. */
  | { kind: 'by-decision'; decide: (street: Street, turn: number, redeal: number) => SlowStrategy }
  /** It must be asked at each decision, since it may remember the hand. */
  | { kind: 'by-hand'; mind: SlowStrategy | LaterMind };

/** How a hand is played. */
export interface HandPlan {
  handId: string;
  rotation: number;
  deck: ArrayLike<number>;
  stack: number;
  /** The seed of the boards that an all-in is averaged over. */
  boards: number;
  /** By player; the tested bot is player 0. */
  minds: readonly PlayerMind[];
  /** The hand as the other bot played it: the field's dice are known as long as both act the same. */
  other?: readonly TakenAct[];
  /** The beginning of the hand is given: it goes on with other cards. */
  given?: { acts: readonly TakenAct[]; redeal: number };
}

/** The tested bot's player number. */
const TESTED = 0;

const NAMES = ['fold', 'check', 'call', 'raise', 'all_in'] as const;

/** Plays hands of the tested bot. A hand ends where the tested bot folds: then its result is known. */
export class TestTable {
  readonly #table: MemoryTable;

  constructor(private readonly names: readonly string[]) {
    this.#table = new MemoryTable(names);
  }

  play(plan: HandPlan): TestedHand | Promise<TestedHand> {
    const players = this.names.length;
    const { rotation, stack } = plan;
    const table = this.#table;
    table.lay(plan.deck);
    table.deal(plan.handId, 0, new Array<number>(players).fill(stack), (player) => seatOf(player, rotation, players));
    const run = new HandRun(table, plan, players);
    const playing = run.goOn();
    return playing === null ? run.result() : playing.then(() => run.result());
  }
}

/** The course of one hand. */
class HandRun {
  readonly #acts: TakenAct[] = [];
  readonly #seat: number;
  #refused = 0;
  /** Nothing has differed from the other bot's hand so far. */
  #isSame: boolean;
  #street = -1;
  /** Decisions of each player on the street. */
  readonly #turns: number[];

  constructor(
    private readonly table: MemoryTable,
    private readonly plan: HandPlan,
    private readonly players: number,
  ) {
    this.#seat = seatOf(TESTED, plan.rotation, players);
    this.#isSame = plan.other !== undefined;
    this.#turns = new Array<number>(players).fill(0);
  }

  /** To the hand's end; a promise where a mind took its time. */
  goOn(): Promise<void> | null {
    const { hand } = this.table;
    const { minds, handId } = this.plan;
    while (!this.#isOver()) {
      const seat = hand.actor;
      const player = (seat - this.plan.rotation + this.players) % this.players;
      const turn = this.#turnOf(player, hand.street);
      const mind = minds[player]!;
      const known = this.#known(player);
      if (known !== null && mind.kind === 'by-decision') {
        this.#take(known);
        continue;
      }
      const asked = this.table.turn();
      const redeal = this.plan.given?.redeal ?? 0;
      const asks = mind.kind === 'by-decision' ? mind.decide(hand.street, turn, redeal) : mind.mind;
      const answer: unknown = typeof asks === 'function' ? asks(asked) : asks.decide(hand, handId);
      const settle = (choice: unknown) => {
        if (this.#isGiven()) this.#take(known!);
        else this.#answered(() => this.table.answered(asked, choice, () => this.#refuse(player)));
      };
      if (answer instanceof Promise) {
        return answer.then(async (late: unknown) => {
          settle(late);
          await this.goOn();
        });
      }
      settle(answer);
    }
    return null;
  }

  result(): TestedHand {
    const { hand } = this.table;
    for (const [player, mind] of this.plan.minds.entries()) {
      if (mind.kind === 'by-hand' && typeof mind.mind !== 'function' && hand.over) {
        mind.mind.ended(hand, this.plan.handId, seatOf(player, this.plan.rotation, this.players));
      }
    }
    if (!hand.over) return this.#resultOf(-hand.committed[this.#seat]!, null);
    const chips = hand.outcome.finalStacks[this.#seat]! - this.plan.stack;
    if ((hand.folded & (1 << this.#seat)) !== 0) return this.#resultOf(chips, null);
    const street = this.#acts.at(-1)?.street ?? Street.preflop;
    return this.#resultOf(chips, averagePayout(hand, this.#seat, street, this.plan.boards));
  }

  #resultOf(chips: number, average: number | null): TestedHand {
    const profit = average === null ? chips : chips + average - this.table.hand.outcome.payouts[this.#seat]!;
    return { acts: this.#acts, chips, profit, refused: this.#refused };
  }

  /** A bot behind lines is told how its hands end, so such hands are played out. */
  #isOver(): boolean {
    const { hand } = this.table;
    if (hand.over) return true;
    if ((hand.folded & (1 << this.#seat)) === 0) return false;
    return this.plan.minds.every((mind) => mind.kind === 'by-decision' || typeof mind.mind === 'function');
  }

  #turnOf(player: number, street: Street): number {
    if (street !== this.#street) {
      this.#street = street;
      this.#turns.fill(0);
    }
    return this.#turns[player]!++;
  }

  #isGiven(): boolean {
    return this.#acts.length < (this.plan.given?.acts.length ?? 0);
  }

  /** The next decision, where it is given or would come out as in the other bot's hand. */
  #known(player: number): TakenAct | null {
    const step = this.#acts.length;
    if (this.#isGiven()) return this.plan.given!.acts[step]!;
    return this.#isSame && player !== TESTED ? (this.plan.other![step] ?? null) : null;
  }

  #take(act: TakenAct): void {
    if (!this.table.act(act.action)) throw new Error(`${this.plan.handId}: a decision cannot be repeated`);
    this.#acts.push(act);
  }

  #answered(act: () => void): void {
    const { log } = this.table.hand;
    const event = log.length;
    act();
    const [seat, amount, detail] = [log.seat(event), log.amount(event), log.detail(event)];
    if (log.kind(event) !== EventKind.action) throw new Error(`${this.plan.handId}: an answer left no action`);
    const kind = actOf(detail);
    const action = { action: NAMES[kind], ...(kind === Act.raise ? { amount } : {}) } as Action;
    const taken: TakenAct = { seat, action, street: streetOf(detail) };
    const before = this.plan.other?.[this.#acts.length];
    if (this.#isSame) this.#isSame = before !== undefined && isSameAct(before, taken);
    this.#acts.push(taken);
  }

  #refuse(player: number): void {
    if (player === TESTED) this.#refused++;
  }
}

const isSameAct = (a: TakenAct, b: TakenAct): boolean =>
  a.seat === b.seat && a.street === b.street && a.action.action === b.action.action && a.action.amount === b.action.amount; // prettier-ignore

/** The place of the first decision that differs; −1 where all are the same. */
export function partedAt(one: readonly TakenAct[], other: readonly TakenAct[]): number {
  const length = Math.max(one.length, other.length);
  for (let step = 0; step < length; step++) {
    const [a, b] = [one[step], other[step]];
    if (a === undefined || b === undefined || !isSameAct(a, b)) return step;
  }
  return -1;
}
