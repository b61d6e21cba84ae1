import type { Hooks } from '../../sdk/typescript/src/options.js';

/** Frames that the server must never send to a bot that obeys it. */
const SCOLDING =
  /"type":"action_rejected","code":"\w+"|"code":"(?:rate_limited|flood_\w+|invalid_message|unknown_message)"/g;
/** The longest of them. */
const OVERLAP = 80;

/** A player as others at the table see it, and the server's messages to it. */
export class Witness {
  readonly faults: string[] = [];
  /** Actions of the player's own. */
  actions = 0;
  /** Finished hands in which it was dealt in. */
  hands = 0;
  /** From here on it may leave. */
  isOver = false;
  #seat = -1;
  #heard = '';
  readonly #seen = new Set<string>();

  constructor(private readonly name: string) {}

  readonly listeners: Hooks = {
    player_action: ({ name, seat, reason, action, hand_id: hand, table_seq: seq }) => {
      if (name !== this.name || this.#isKnown(`${hand} ${seq}`)) return;
      this.#seat = seat;
      if (reason === null) this.actions++;
      else if (!this.isOver) this.faults.push(`the server played ${action} for it: ${reason}, hand ${hand}`);
    },
    hand_result: ({ final_stacks: stacks, hand_id: hand }) => {
      if (String(this.#seat) in stacks && !this.#isKnown(hand)) this.hands++;
    },
    player_left: ({ name, reason, table_id: table, table_seq: seq }) => {
      if (name !== this.name || this.isOver || reason === 'busted' || this.#isKnown(`${table} ${seq}`)) return;
      this.faults.push(`it lost its seat: ${reason}`);
    },
  };

  /** Several look at the same table. */
  #isKnown(event: string): boolean {
    if (this.#seen.has(event)) return true;
    this.#seen.add(event);
    return false;
  }

  /** A piece of what the server sends to the player. */
  overhear(text: string): void {
    this.#heard += text;
    for (const [said] of this.#heard.matchAll(SCOLDING)) if (!this.isOver) this.faults.push(`the server said ${said}`);
    const last = [...this.#heard.matchAll(SCOLDING)].at(-1);
    this.#heard = this.#heard.slice(
      Math.max(this.#heard.length - OVERLAP, last === undefined ? 0 : last.index + last[0].length),
    );
  }
}
