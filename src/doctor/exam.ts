import type { KitWarning, RunningBot, StartBot } from './bot.js';
import { BOT_KEY, BOT_NAME, PrivateServer, type ServerSettings } from './server/private-server.js';
import type { Line } from './wire/line.js';
import { Transcript, type Entry, type Frame } from './wire/transcript.js';
import { isOf, askedTurnOf, type WireTurn } from './wire/words.js';
import { Wire } from './wire/wire.js';

/** The bot was not sound. The text tells the reason. */
export class CaseFailure extends Error {}
/** The situation did not come about, since the bot decided otherwise. */
export class NotReached extends Error {}
/** The bot reads lean frames, and the case is about what it therefore never reads. */
export class NotApplicable extends Error {}

export interface Finding {
  kind: 'failed' | 'advice';
  text: string;
}

export interface ExamSettings extends ServerSettings {
  /** Why the case is nothing for who reads lean frames; null where it is. */
  notLean: string | null;
  start: StartBot;
  /** How long a bot may take for what it is to do, in ms. */
  patienceMs: number;
  signal?: AbortSignal;
}

type Matches = (entry: Entry) => boolean;

/** How often the server is looked at. */
const LOOK_MS = 25;

/** A frame of the server that the bot was given, or what a lean socket is given in its place. */
export const toBot =
  (type: string, more: (frame: Frame) => boolean = () => true): Matches =>
  ({ from, frame }) =>
    from === 'server' && frame !== null && isOf(frame, type) && more(frame);

/** A message of the bot. */
export const fromBot =
  (type: string, more: (frame: Frame) => boolean = () => true): Matches =>
  ({ from, frame }) =>
    from === 'bot' && frame?.type === type && more(frame);

/** One case under way: the server, the wire, the bot, and what was seen of it. */
export class Exam {
  readonly findings: Finding[] = [];
  /** Codes of refusals that the case itself brings about. */
  readonly permitted = new Set<string>();
  /** The bot may end by itself. */
  mayEnd = false;
  /** A clock may run out: the bot was not there, or could not know. */
  mayTimeOut = false;
  #bot: RunningBot | null = null;
  readonly #started: RunningBot[] = [];
  /** Entries before it have been looked at. */
  #cursor = 0;

  private constructor(
    readonly settings: ExamSettings,
    readonly server: PrivateServer,
    readonly wire: Wire,
    readonly transcript: Transcript,
  ) {}

  static async open(settings: ExamSettings): Promise<Exam> {
    const transcript = new Transcript();
    const server = await PrivateServer.open(settings);
    return new Exam(settings, server, await Wire.open(server.url, transcript), transcript);
  }

  /** Ends the bot and all that was made for it. */
  async close(): Promise<void> {
    await this.#bot?.stop();
    await this.wire.close();
    await this.server.close();
  }

  // ---- the bot

  get bot(): RunningBot {
    if (this.#bot === null) throw new Error('the bot was not started');
    return this.#bot;
  }

  /** The bot's program, for what it wrote; null before it was started. */
  get started(): RunningBot | null {
    return this.#bot;
  }

  /** The warnings of the kits of all its programs. Complete once the exam is closed. */
  get warnings(): readonly KitWarning[] {
    return this.#started.flatMap((bot) => bot.warnings());
  }

  start({ withKey = true } = {}): void {
    const environment = { BASE_URL: this.wire.baseUrl, WS_URL: this.wire.wsUrl, NAME: BOT_NAME };
    const bot = this.settings.start({ ...environment, ...(withKey ? { API_KEY: BOT_KEY } : {}) });
    this.#bot = bot;
    this.#started.push(bot);
    void bot.ended.then(() => {
      this.transcript.note(`the program ended (${bot.over ?? ''})`);
    });
  }

  async restart(): Promise<void> {
    this.transcript.note('the program is ended, and started again');
    const before = this.bot;
    this.#bot = null;
    await before.stop();
    this.start();
  }

  get line(): Line {
    return this.wire.line;
  }

  /** The bot reads lean frames. */
  get isLean(): boolean {
    return this.wire.lines.at(-1)?.isLean ?? false;
  }

  // ---- what happens

  /** Waits for something that was not looked at yet. Throws Failure where it does not come. */
  async see(what: string, matches: Matches, ms = this.settings.patienceMs): Promise<Entry> {
    let found: Entry | null = null;
    await this.#until(what, ms, () => (found = this.#scan(matches)) !== null);
    return found!;
  }

  /** The same, where a bot may leave it: null where it does not come. */
  async seen(what: string, matches: Matches): Promise<Entry | null> {
    try {
      return await this.see(what, matches);
    } catch (error) {
      if (error instanceof CaseFailure) return null;
      throw error;
    }
  }

  /** Whether the bot did it at any time of the case, or does it now. */
  async everSeen(what: string, matches: Matches): Promise<boolean> {
    return this.transcript.entries.some(matches) || (await this.seen(what, matches)) !== null;
  }

  async #until(what: string, ms: number, holds: () => boolean): Promise<void> {
    const late = performance.now() + ms;
    for (;;) {
      if (this.isLean && this.settings.notLean !== null) throw new NotApplicable(this.settings.notLean);
      if (holds()) return;
      if (!this.mayEnd && this.#bot !== null && this.#bot.over !== null)
        throw new CaseFailure(`The program ended (${this.#bot.over}); expected: ${what}.`);
      const left = late - performance.now();
      if (left <= 0) throw new CaseFailure(`Within ${Math.round(ms / 100) / 10} s there was not: ${what}.`);
      await this.#change(left);
    }
  }

  /** Lets time pass. Throws Failure where something comes that must not. */
  async never(what: string, matches: Matches, ms: number): Promise<void> {
    const from = this.transcript.entries.length;
    await this.pass(ms);
    const seen = this.transcript.entries.slice(from).filter(matches).length;
    if (seen > 0) throw new CaseFailure(`${what}${seen > 1 ? ` (${seen} times)` : ''}.`);
  }

  /** Something that is not seen on the wire. Throws Failure where it does not come. */
  async within<T>(what: string, coming: Promise<T>): Promise<T> {
    const come: T[] = [];
    void coming.then((value) => {
      come.push(value);
      this.transcript.stir();
    });
    await this.#until(what, this.settings.patienceMs, () => come.length > 0);
    return come[0]!;
  }

  /** Something that the server knows, and tells the bot or not. Throws Failure where it does not come. */
  async comesTo(what: string, holds: () => boolean): Promise<void> {
    const looks = setInterval(() => this.transcript.stir(), LOOK_MS);
    await this.#until(what, this.settings.patienceMs, holds).finally(() => clearInterval(looks));
  }

  async pass(ms: number): Promise<void> {
    const late = performance.now() + ms;
    for (let left = ms; left > 0; left = late - performance.now()) await this.#change(left);
  }

  /** Entries from a mark on. */
  since(mark: number): Entry[] {
    return this.transcript.entries.slice(mark);
  }

  get mark(): number {
    return this.transcript.entries.length;
  }

  /** Earlier frames are not looked at again. */
  skip(): void {
    this.#cursor = this.mark;
  }

  expect(holds: boolean, otherwise: string): void {
    if (!holds) this.findings.push({ kind: 'failed', text: otherwise });
  }

  advise(holds: boolean, otherwise: string): void {
    if (!holds) this.findings.push({ kind: 'advice', text: otherwise });
  }

  // ---- steps that many cases share

  /** The bot connects, the first time or again. */
  async connects(what = 'a connection', ms?: number): Promise<Line> {
    if (this.#bot === null) this.start();
    await this.see(what, toBot('connected'), ms);
    return this.line;
  }

  async joins(what = 'join_lobby', ms?: number): Promise<void> {
    await this.see(what, fromBot('join_lobby'), ms);
  }

  /** The bot takes a seat, the first time or again. */
  async sits(what = 'a seat taken', ms?: number): Promise<Entry> {
    if (this.#bot === null) this.start();
    return this.see(what, toBot('table_joined'), ms);
  }

  async turn(what = 'a turn of the bot', matches: (turn: WireTurn) => boolean = () => true): Promise<WireTurn> {
    const { frame } = await this.see(
      what,
      toBot('your_turn', (each) => matches(askedTurnOf(each))),
    );
    return askedTurnOf(frame!);
  }

  async acts(what = 'an action'): Promise<Frame> {
    return (await this.see(what, fromBot('action'))).frame!;
  }

  /** The table takes an action of the bot. */
  async accepted(what = 'an action that the table accepts'): Promise<Frame> {
    const { frame } = await this.see(what, ({ from, frame: f }) => from !== 'bot' && isOf(f, 'action_ack'));
    return frame!;
  }

  /** It answers so many turns more. */
  async plays(count = 1, what = 'a turn that the bot answers'): Promise<void> {
    for (let n = 0; n < count; n++) {
      await this.turn(what);
      await this.accepted(what);
    }
  }

  async seated(): Promise<void> {
    await this.sits();
  }

  /** A frame that the server could have sent next, numbered as such. */
  inject(frame: Readonly<Record<string, unknown>>): void {
    const numbered = 'table_id' in frame;
    this.line.inject(numbered ? { ...frame, table_seq: this.lastSeq + 1 } : frame);
    if (numbered) this.wire.offset++;
  }

  /** The highest table_seq that the bot was given. */
  get lastSeq(): number {
    const numbers = this.transcript.entries.map(({ from, frame }) => (from === 'server' ? frame?.['table_seq'] : 0));
    return numbers.reduce<number>((most, seq) => (typeof seq === 'number' ? Math.max(most, seq) : most), 0);
  }

  #scan(matches: Matches): Entry | null {
    const { entries } = this.transcript;
    while (this.#cursor < entries.length) {
      const entry = entries[this.#cursor++]!;
      if (matches(entry)) return entry;
    }
    return null;
  }

  /** Something new, or so many ms. */
  async #change(ms: number): Promise<void> {
    this.settings.signal?.throwIfAborted();
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        forget();
        this.settings.signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      const forget = this.transcript.watch(done);
      this.settings.signal?.addEventListener('abort', done);
    });
    this.settings.signal?.throwIfAborted();
  }
}
