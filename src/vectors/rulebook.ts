import { evaluate7 } from '../cards/evaluator.js';
import type { Card } from '../cards/card.js';

/** The legal actions at one point of a hand. The call is already capped by the stack. */
export interface RulebookDecision {
  seat: number;
  street: number;
  toCall: number;
  /** Limits of a raise-to, null when no raise is allowed. */
  minTo: number | null;
  maxTo: number | null;
  /** The stack where all-in is allowed, as a raise or as a call for all of it; else 0. */
  allIn: number;
  pot: number;
  bets: number[];
  stacks: number[];
}

export interface RulebookSetup {
  /** Every place 0 … n − 1 is dealt in; the button is one of them. */
  stacks: readonly number[];
  button: number;
  smallBlind: number;
  bigBlind: number;
  holes: readonly (readonly Card[])[];
  board: readonly Card[];
  /**
   * The price when the big blind is posted short: `full`, the whole big blind, is the rule of the house. `posted`, the
   * highest blind posted, is PokerKit's.
   */
  shortBlindPrice: 'full' | 'posted';
  /** Seats that come back: each pays what it lacks to a big blind. */
  returns?: readonly number[];
  /** Another house's hand, where raises never end; else there are none but all-ins after 40 on a street or 200 actions. */
  unbounded?: boolean;
}

interface RulebookPlayer {
  stack: number;
  bet: number;
  total: number;
  folded: boolean;
  /** The price on the street when this player last acted, null before his first action. */
  actedAt: number | null;
}

/**
 * The rules of betting and settling once more, written for reading and not for speed, independently of `Hand`. It is
 * the yardstick where a vector was made under another rule, and the model that the tests hold `Hand` against.
 */
export class Rulebook {
  private readonly players: RulebookPlayer[];
  private street = 0;
  private price = 0;
  private raiseSize: number;
  private raisesOfStreet = 0;
  private actionsOfHand = 0;
  private turn: number;

  constructor(private readonly setup: RulebookSetup) {
    this.players = setup.stacks.map((stack) => ({ stack, bet: 0, total: 0, folded: false, actedAt: null }));
    const n = this.players.length;
    const small = n === 2 ? setup.button : (setup.button + 1) % n;
    const big = (small + 1) % n;
    this.pay(this.players[small]!, setup.smallBlind);
    this.pay(this.players[big]!, setup.bigBlind);
    for (const seat of setup.returns ?? []) {
      if (seat !== big) this.pay(this.players[seat]!, setup.bigBlind - this.players[seat]!.bet);
    }
    this.price = setup.shortBlindPrice === 'full' ? setup.bigBlind : this.highestBet();
    this.raiseSize = setup.bigBlind;
    this.turn = big;
    this.goOn();
  }

  /** The next player's decision, null when the hand is over. */
  decision(): RulebookDecision | null {
    if (this.turn < 0) return null;
    const player = this.players[this.turn]!;
    const total = player.bet + player.stack;
    const allInRaise = this.mayRaise(player);
    const raise = allInRaise && (this.setup.unbounded === true || !this.isLong());
    return {
      seat: this.turn,
      street: this.street,
      toCall: Math.min(this.price - player.bet, player.stack),
      minTo: raise ? Math.min(this.price + this.raiseSize, total) : null,
      maxTo: raise ? total : null,
      allIn: allInRaise || player.stack <= this.price - player.bet ? player.stack : 0,
      pot: this.players.reduce((sum, p) => sum + p.total, 0),
      bets: this.players.map((p) => p.bet),
      stacks: this.players.map((p) => p.stack),
    };
  }

  /** Fold, check or call, or bet or raise to `to`; legality is the caller's business. */
  play(action: 'fold' | 'checkOrCall' | { to: number }): void {
    const player = this.players[this.turn]!;
    if (action === 'fold') player.folded = true;
    else if (action === 'checkOrCall') this.pay(player, this.price - player.bet);
    else {
      this.pay(player, action.to - player.bet);
      this.raiseSize = Math.max(this.raiseSize, player.bet - this.price);
      this.price = player.bet;
      this.raisesOfStreet++;
    }
    this.actionsOfHand++;
    player.actedAt = this.price;
    this.goOn();
  }

  /**
   * Stacks after the hand: every layer of chips to the best hand among those who paid it and did not fold. Layers that
   * the same players win are one pot, as the beaten hands are out by then; so the odd chips fall once.
   */
  finalStacks(): number[] {
    const stacks = this.players.map((p) => p.stack);
    let pot = { amount: 0, winners: [] as number[] };
    for (const { amount, rivals } of this.layers()) {
      // A layer that only folded players paid goes to whoever won the one below.
      const winners = rivals.length === 0 ? pot.winners : this.best(rivals);
      if (winners.join() !== pot.winners.join()) {
        this.share(pot, stacks);
        pot = { amount: 0, winners };
      }
      pot.amount += amount;
    }
    this.share(pot, stacks);
    return stacks;
  }

  private pay(player: RulebookPlayer, chips: number): void {
    const paid = Math.min(chips, player.stack);
    player.stack -= paid;
    player.bet += paid;
    player.total += paid;
  }

  private highestBet(): number {
    return Math.max(...this.players.map((p) => p.bet));
  }

  private isLong(): boolean {
    return this.raisesOfStreet >= 40 || this.actionsOfHand >= 200;
  }

  private mayRaise(player: RulebookPlayer): boolean {
    const open = player.actedAt === null || this.price - player.actedAt >= this.raiseSize;
    const hasMore = player.stack > this.price - player.bet;
    const answerable = this.players.some(
      (p) => p !== player && !p.folded && p.bet + p.stack > this.price && p.stack > 0,
    );
    return open && hasMore && answerable;
  }

  /** Finds who acts next, opening streets as they are due; `turn` is −1 when there is nothing left to decide. */
  private goOn(): void {
    const n = this.players.length;
    for (;;) {
      if (this.players.filter((p) => !p.folded).length === 1) break;
      for (let step = 1; step <= n && !this.bettingIsDone(); step++) {
        const seat = (this.turn + step) % n;
        if (!this.mustAct(this.players[seat]!)) continue;
        this.turn = seat;
        return;
      }
      if (this.street === 3) break;
      this.openStreet();
    }
    this.turn = -1;
  }

  private mustAct(player: RulebookPlayer): boolean {
    if (player.folded || player.stack === 0 || this.coversAll(player)) return false;
    return player.actedAt === null || player.bet < this.price;
  }

  /** Whether a blind alone covers whatever the others, folded ones included, came with: its owner is never asked. */
  private coversAll(player: RulebookPlayer): boolean {
    const others = this.players.filter((p) => p !== player);
    return this.street === 0 && others.every((p) => p.total + p.stack <= player.bet);
  }

  /** There is no betting after the flop with but one player left who could bet. */
  private bettingIsDone(): boolean {
    const able = this.players.filter((p) => !p.folded && p.stack > 0);
    return this.street > 0 && this.price === 0 && able.length < 2;
  }

  private openStreet(): void {
    this.street++;
    this.price = 0;
    this.raiseSize = this.setup.bigBlind;
    this.raisesOfStreet = 0;
    this.turn = this.setup.button;
    for (const player of this.players) {
      player.bet = 0;
      player.actedAt = null;
    }
  }

  /** The chips between two contributions, with those who paid the upper one and are still in the hand. */
  private layers(): { amount: number; rivals: number[] }[] {
    const levels = [...new Set(this.players.map((p) => p.total))].sort((a, b) => a - b);
    let base = 0;
    return levels.map((level) => {
      const payers = this.players.filter((p) => p.total >= level);
      const rivals = this.players.flatMap((p, seat) => (p.total >= level && !p.folded ? [seat] : []));
      const amount = (level - base) * payers.length;
      base = level;
      return { amount, rivals };
    });
  }

  private best(rivals: number[]): number[] {
    if (rivals.length === 1) return rivals;
    const values = rivals.map((seat) => this.value(seat));
    const best = Math.max(...values);
    return rivals.filter((_, i) => values[i] === best);
  }

  private share(pot: { amount: number; winners: number[] }, stacks: number[]): void {
    const n = stacks.length;
    const fromLeft = (seat: number): number => (seat - this.setup.button - 1 + n) % n;
    const winners = [...pot.winners].sort((a, b) => fromLeft(a) - fromLeft(b));
    for (let chip = 0; chip < pot.amount; chip++) stacks[winners[chip % winners.length]!]!++;
  }

  private value(seat: number): number {
    const [a, b] = this.setup.holes[seat]!;
    const [c, d, e, f, g] = this.setup.board;
    return evaluate7(a!, b!, c!, d!, e!, f!, g!);
  }
}
