/** Notes kept; a hand has some twenty frames. */
const KEPT = 80;
const LONGEST = 400;

/** The recent frames and messages of one guest, over all its sockets, for a reader that looks for a fault. */
export class Diary {
  readonly #notes: { at: number; text: string }[] = [];

  note(text: string): void {
    this.#notes.push({ at: Date.now(), text });
    if (this.#notes.length > 2 * KEPT) this.#notes.splice(0, KEPT);
  }

  toString(): string {
    const lines = this.#notes
      .slice(-KEPT)
      .map(({ at, text }) => `${new Date(at).toISOString().slice(11, 23)} ${text.slice(0, LONGEST)}`);
    return lines.join('\n    ');
  }
}
