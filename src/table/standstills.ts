/** Standstills older than this no open clock has anything of. */
const KEPT_MS = 600_000;

/** Puts the standstills of several threads together, so that time in which two of them stood still counts once. */
export class StandstillSum {
  /** What counted already, apart from each other and in order. */
  #counted: { from: number; to: number }[] = [];

  /** Of a standstill the parts that have not counted yet. */
  add(from: number, to: number): { from: number; to: number }[] {
    const fresh: { from: number; to: number }[] = [];
    const kept: { from: number; to: number }[] = [];
    let at = from;
    const whole = { from, to };
    for (const past of this.#counted) {
      if (past.to < from || past.from > to) {
        if (past.to >= to - KEPT_MS) kept.push(past);
        continue;
      }
      if (past.from > at) fresh.push({ from: at, to: past.from });
      at = Math.max(at, past.to);
      whole.from = Math.min(whole.from, past.from);
      whole.to = Math.max(whole.to, past.to);
    }
    if (at < to) fresh.push({ from: at, to });
    this.#counted = [...kept, whole].sort((a, b) => a.from - b.from);
    return fresh;
  }
}
