import { randomInt } from 'node:crypto';
import { heated, Temper, type Choice, type SlowStrategy, type Turn, type TableView } from '../bots/index.js';
import type { DecisionTask } from './decision.js';
import type { BotPlan } from './strategy.js';

/** What decides: threads, or a test. */
export type Decide = (task: DecisionTask) => Promise<Choice>;

/** The mind of a hosted bot: its plan, and its temper over the hands. The thinking itself is done elsewhere. */
export class HostedMind {
  readonly #temper = new Temper();

  constructor(
    public plan: BotPlan,
    private readonly decide: Decide,
  ) {}

  readonly strategy: SlowStrategy = (turn, view) => {
    const mood = heated(this.plan.style, this.#temper.heat(turn, view));
    return this.decide({ turn: plainTurn(turn), view: plainView(view), mood, seed: randomInt(2 ** 31) });
  };
}

const plainTurn = ({ handId, seat, legal }: Turn): Turn => ({ handId, seat, legal });

/** The view of a client reads frames when asked; what goes to another thread is read before. */
function plainView(view: TableView): TableView {
  const { holeCards, board, button, smallBlind, bigBlind, pot, seats, actions } = view;
  const done = actions.map(({ seat, action, street }) => ({ seat, action, street }));
  return { holeCards, board, button, smallBlind, bigBlind, pot, seats, actions: done };
}
