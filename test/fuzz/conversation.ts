/** Events of the table that say nothing about the client itself. */
const CHATTER = /"type":"(table_state|player_action|hand_start|hole_cards|community_cards|hand_result|player_joined)"/;
const KEPT = 60;
const WIDTH = 200;

/** The last lines that were said and heard, for whoever looks for the cause of a finding. */
export class Conversation {
  readonly #lines: string[] = [];

  constructor(private readonly name: string) {}

  said(bytes: Buffer): void {
    this.#add(`> ${bytes.toString('latin1', 0, WIDTH)}`);
  }

  heard(text: string): void {
    if (CHATTER.test(text) || (text.includes('"player_left"') && !text.includes(this.name))) return;
    this.#add(`< ${text.slice(0, WIDTH)}`);
  }

  #add(line: string): void {
    if (this.#lines.push(`${performance.now().toFixed(1)} ${line}`) >= 2 * KEPT) this.#lines.splice(0, KEPT);
  }

  toString(): string {
    return this.#lines
      .slice(-KEPT)
      .map((line) => `      ${JSON.stringify(line).slice(1, -1)}`)
      .join('\n');
  }
}
