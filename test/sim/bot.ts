import type { ActionMessage } from '../../src/protocol/client.js';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import type { Player } from '../../src/table/api.js';
import type { Dice } from './dice.js';

/** What a bot can do to the world. */
export interface BotWorld {
  later(ms: number, run: () => void): void;
  act(bot: SimBot, message: ActionMessage): void;
  invalid(bot: SimBot): void;
  leave(bot: SimBot): void;
  rebuy(bot: SimBot): void;
  resync(bot: SimBot, lastSeq: number | null): void;
  drop(bot: SimBot): void;
  connect(bot: SimBot): void;
  join(bot: SimBot): void;
}

/** A bot of bad manners: it plays, but also stalls, sends rubbish, repeats itself, vanishes, comes back and leaves. */
export class SimBot {
  readonly player: Player;
  readonly #world: BotWorld;
  readonly #dice: Dice;
  /** Its socket, 0 while it is away. */
  socket = 0;
  seated = false;
  #turn: ServerMessageOf['your_turn'] | null = null;
  #lastSeq = 0;
  #actions = 0;
  /** A sleepy bot hardly ever answers: it is timed out until it is removed. */
  readonly #sleepy: boolean;

  constructor(player: Player, world: BotWorld, dice: Dice) {
    this.player = player;
    this.#world = world;
    this.#dice = dice;
    this.#sleepy = dice.chance(0.15);
  }

  read(message: ServerMessage): void {
    if ('table_seq' in message) this.#lastSeq = message.table_seq;
    if (message.type === 'table_joined') this.seated = true;
    if (message.type === 'table_closed' || (message.type === 'player_left' && message.name === this.player.name)) {
      this.seated = false;
    }
    if (message.type === 'your_turn') this.#consider(message);
  }

  #consider(turn: ServerMessageOf['your_turn']): void {
    this.#turn = turn;
    const dice = this.#dice;
    const think = dice.delay(40);
    if (this.#sleepy && dice.chance(0.9)) return;
    const mood = dice.unit();
    if (mood < 0.78) return this.#reply(turn, think);
    if (mood < 0.84) return; // Stalls: the clock decides.
    if (mood < 0.9) {
      this.#world.later(think / 2, () => this.#rubbish());
      return this.#reply(turn, think);
    }
    if (mood < 0.94) {
      this.#reply(turn, think, 2);
      return;
    }
    if (mood < 0.97) return this.#world.later(think, () => this.#vanish());
    this.#reply(turn, think);
    this.#world.later(dice.delay(60), () => this.#world.leave(this));
  }

  /** Decides, and sends the decision once or several times. */
  #reply(turn: ServerMessageOf['your_turn'], think: number, times = 1): void {
    const message = this.#decision(turn);
    for (let i = 0; i < times; i++) {
      this.#world.later(think + i * this.#dice.delay(30), () => {
        if (this.socket !== 0) this.#world.act(this, message);
      });
    }
  }

  #decision(turn: ServerMessageOf['your_turn']): ActionMessage {
    const choice = this.#dice.pick(turn.valid_actions);
    // All-in seldom, or every hand would be a short one.
    const chosen = choice.action === 'all_in' && this.#dice.chance(0.7) ? turn.valid_actions[0]! : choice;
    const amount = chosen.action === 'raise' ? this.#raise(chosen.min, chosen.max) : null;
    return {
      type: 'action',
      action: chosen.action,
      amount,
      client_action_id: `${this.player.name}-${++this.#actions}`,
      turn_token: turn.turn_token,
      hand_id: turn.hand_id,
    };
  }

  #raise(min: number, max: number): number {
    return this.#dice.chance(0.6) ? min : this.#dice.int(min, Math.min(max, min + 200));
  }

  /** Something that must be refused, or must change nothing. */
  #rubbish(): void {
    if (this.socket === 0) return;
    const turn = this.#turn;
    const good: ActionMessage = {
      type: 'action',
      action: 'raise',
      amount: this.#dice.pick([1, 1.5, -20, 1e9, null]),
      client_action_id: `${this.player.name}-rubbish-${++this.#actions}`,
      turn_token: turn?.turn_token ?? null,
      hand_id: turn?.hand_id ?? null,
    };
    const bad: Partial<ActionMessage> = this.#dice.pick([
      { turn_token: 'nonsense' },
      { hand_id: 'nonsense' },
      { client_action_id: null, turn_token: 'nonsense' },
      { action: 'raise', amount: 1.5 },
      { hand_id: null, turn_token: 'nonsense' },
    ]);
    this.#world.act(this, { ...good, ...bad });
  }

  #vanish(): void {
    if (this.socket === 0) return;
    this.#world.drop(this);
    // Most come back soon, some after the hold, some never (until they wander in again).
    if (this.#dice.chance(0.8)) this.#world.later(this.#dice.delay(8_000), () => this.comeBack());
  }

  comeBack(): void {
    if (this.socket === 0) this.#world.connect(this);
  }

  /** What a bot does now and then, whatever the game is doing. */
  wander(): void {
    const { socket } = this;
    const world = this.#world;
    const dice = this.#dice;
    if (socket === 0) {
      if (dice.chance(0.5)) this.comeBack();
      return;
    }
    if (!this.seated && dice.chance(0.7)) return world.join(this);
    const mood = dice.unit();
    if (mood < 0.25) world.resync(this, dice.pick([null, 0, this.#lastSeq, Math.max(0, this.#lastSeq - 60), 1e12]));
    else if (mood < 0.4)
      world.connect(this); // A takeover.
    else if (mood < 0.5) this.#vanish();
    else if (mood < 0.56) world.leave(this);
    else if (mood < 0.62) world.rebuy(this);
    else if (mood < 0.7) this.#rubbish();
    else if (mood < 0.74) this.#flood();
    else if (mood < 0.8) world.invalid(this);
  }

  #flood(): void {
    for (let i = 0; i < 25; i++) this.#world.later(i * 40, () => this.#rubbish());
  }
}
