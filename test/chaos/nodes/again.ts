import type { ServerMessage } from '../../../src/protocol/server.js';

/** How soon the tables of a node that was killed play again: when anybody there first reads of a hand that begins. */
export class PlayAgain {
  /** By table: when the first hand began since `begin` (performance.now). */
  readonly #begun = new Map<string, number>();

  begin(): void {
    this.#begun.clear();
  }

  /** ms since then, of those tables that the processes had, as they were then. A table that has closed plays no more. */
  since(at: number, pidOf: ReadonlyMap<string, number>, killed: ReadonlySet<number>): number[] {
    const theirs = [...pidOf].filter(([, pid]) => killed.has(pid));
    return theirs.flatMap(([table]) => {
      const begun = this.#begun.get(table);
      return begun === undefined ? [] : [begun - at];
    });
  }

  note(frame: ServerMessage): void {
    if (frame.type === 'hand_start' && !this.#begun.has(frame.table_id))
      this.#begun.set(frame.table_id, performance.now());
  }
}
