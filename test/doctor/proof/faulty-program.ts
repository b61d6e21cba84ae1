import type { BotEnvironment, RunningBot } from '../../../src/doctor/bot.js';
import type { Frame } from '../../../src/doctor/wire/transcript.js';
import type { Defect } from './defects.js';

const DEAF_MS = 2000;

/** A bot as a program in this process: it ends, writes lines, and has timers, with a defect or none. */
export abstract class FaultyProgram implements RunningBot {
  over: string | null = null;
  readonly ended: Promise<void>;
  #end: () => void = () => undefined;
  protected readonly lines: string[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(
    protected readonly defect: Defect | null,
    protected readonly environment: BotEnvironment,
  ) {
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  output(): string {
    return this.lines.join('\n');
  }

  warnings(): readonly [] {
    return [];
  }

  async stop(): Promise<void> {
    if (this.has('deaf-to-sigterm') && this.over === null) await new Promise((resolve) => setTimeout(resolve, DEAF_MS));
    this.quit('SIGTERM');
  }

  /** Closes the bot's connections and timers. */
  protected abstract letGo(): void;

  protected has(defect: Defect): boolean {
    return this.defect === defect;
  }

  protected quit(how: string): void {
    if (this.over !== null) return;
    this.over = how;
    for (const timer of this.#timers) clearTimeout(timer);
    this.letGo();
    this.#end();
  }

  protected after(ms: number, run: () => void): void {
    if (this.over !== null) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
  }

  /** A message as an object. Null if the program has ended, also by this text if it is no JSON. */
  protected parsed(text: string): Frame | null {
    if (this.over !== null) return null;
    try {
      return JSON.parse(text) as Frame;
    } catch (error) {
      this.lines.push(String(error));
      this.quit('1');
      return null;
    }
  }

  /** Asks who it is, for its log, and again when the server says. */
  protected async introduce(key: string): Promise<void> {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${this.environment.BASE_URL}/api/me`, { headers }).catch(
      (error: Error) => error.message,
    );
    const status = typeof answer === 'string' ? answer : answer.status;
    this.lines.push(`GET /api/me: ${status}`);
    if (typeof answer === 'string' || status === 200) return;
    if (this.has('needs-rest')) return this.quit('1');
    const seconds = Number(answer.headers.get('retry-after') ?? NaN);
    const waitMs = this.has('hammers-rest') ? 20 : 1000 * seconds;
    if (waitMs > 0) this.after(waitMs, () => void this.introduce(key));
  }

  /** Resolves to the key; null where none was given, and the program has ended. */
  protected async register(): Promise<string | null> {
    const terms = this.has('registers-without-terms') ? {} : { terms_accepted: true };
    const { NAME, BASE_URL } = this.environment;
    const answer = await fetch(`${BASE_URL}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: NAME, email: `${NAME}@example.com`, ...terms }),
    }).catch((error: Error) => error.message);
    if (typeof answer !== 'string' && answer.status === 201)
      return ((await answer.json()) as { api_key: string }).api_key;
    this.lines.push(`register: ${typeof answer === 'string' ? answer : answer.status}`);
    if (!this.has('hammers-register')) this.quit('1');
    if (this.over !== null) return null;
    await new Promise<void>((resolve) => this.after(50, resolve));
    return this.register();
  }
}
