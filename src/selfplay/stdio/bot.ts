import type { Readable, Writable } from 'node:stream';
import type { Action, Mix } from '../../../sdk/typescript/src/hand.js';
import type { Hand } from '../../holdem/hand.js';
import type { LaterMind } from '../minds.js';
import { readLine, type BotActions, type LineHello } from './lines.js';
import { TurnWriter } from './turn.js';

/** The bot cannot go on: it ended, or it never spoke the protocol. The match ends with this message. */
export class BotEnded extends Error {}

/** The questions to a bot of lines, and its faulty answers. */
export interface LineCounts {
  turns: number;
  /** Turns without an answer in time: it checked or folded instead. */
  late: number;
  /** Lines that are none of the protocol; the turns of the open line are checked or folded. */
  unreadable: number;
}

export interface LineLimits {
  /** ms from the hello to its answer: a model is loaded in this time. */
  startMs: number;
  /** ms from a line of turns to its answer. */
  lineMs: number;
}

/** A line longer than this is no answer: characters. */
const LONGEST_LINE = 16_000_000;

interface OpenTurn {
  table: number;
  text: string;
  settle: (choice: Action | Mix | null) => void;
  fail: (error: Error) => void;
}

/** A bot behind two streams of lines. All tables that wait for it are asked in one line; one line is open at a time. */
export class LineBot {
  #waiting: OpenTurn[] = [];
  #open: OpenTurn[] = [];
  #results: string[] = [];
  #number = 0;
  #timer: NodeJS.Timeout | null = null;
  #isFlushing = false;
  #ended: BotEnded | null = null;
  #counts: LineCounts = { turns: 0, late: 0, unreadable: 0 };
  #greeted: { settle: () => void; fail: (error: Error) => void } | null = null;
  #rest = '';

  constructor(
    readonly name: string,
    from: Readable,
    private readonly to: Writable,
    private readonly limits: LineLimits,
  ) {
    from.setEncoding('utf8');
    from.on('data', (text: string) => this.#read(text));
  }

  /** Resolves when the bot has answered the hello; rejects with BotEnded. */
  async greet(hello: LineHello): Promise<void> {
    const answered = new Promise<void>((settle, fail) => (this.#greeted = { settle, fail }));
    this.to.write(`${JSON.stringify({ hello })}\n`);
    const { startMs } = this.limits;
    this.#timer = setTimeout(() => this.end(`is silent ${startMs} ms after the hello`), startMs);
    await answered;
  }

  /** Its mind at one table. A table has one mind at a time. `nameOf` tells who sits on a seat when this bot has another. */
  mind(table: number, names: (own: number) => readonly string[]): LaterMind {
    const writer = new TurnWriter();
    return {
      decide: (hand, handId) => this.#ask(table, writer.write(hand, handId, hand.actor, names(hand.actor))),
      ended: (hand: Hand, handId: string, seat: number) => {
        const chips = hand.outcome.finalStacks[seat]! - hand.setup.stacks[seat]!;
        this.#results.push(`{"t":${table},"hand_id":"${handId}","chips":${chips}}`);
      },
    };
  }

  /** Tells results that no line of turns has carried. */
  tellResults(): void {
    if (this.#results.length > 0 && this.#ended === null) this.to.write(`{${this.#resultsField()}}\n`);
  }

  /** Counts since the last call. */
  takeCounts(): LineCounts {
    const counts = this.#counts;
    this.#counts = { turns: 0, late: 0, unreadable: 0 };
    return counts;
  }

  /** It is gone, or of no use: every open turn rejects. The first reason counts. */
  end(how: string): void {
    if (this.#ended !== null) return;
    this.#ended = new BotEnded(`${this.name} ${how}`);
    this.#stopClock();
    this.#greeted?.fail(this.#ended);
    for (const turn of [...this.#open.splice(0), ...this.#waiting.splice(0)]) turn.fail(this.#ended);
  }

  #ask(table: number, text: string): Promise<Action | Mix | null> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    this.#counts.turns++;
    return new Promise((settle, fail) => {
      this.#waiting.push({ table, text, settle, fail });
      this.#flushSoon();
    });
  }

  /** After the tables that go on now have come to their next turns. */
  #flushSoon(): void {
    if (this.#isFlushing || this.#open.length > 0) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      if (this.#ended === null && this.#waiting.length > 0) this.#flush();
    });
  }

  #flush(): void {
    this.#open = this.#waiting;
    this.#waiting = [];
    let turns = '';
    for (const { table, text } of this.#open) turns += `,{"t":${table},"hand":${text}}`;
    const results = this.#results.length > 0 ? `,${this.#resultsField()}` : '';
    this.to.write(`{"n":${++this.#number},"decide":[${turns.slice(1)}]${results}}\n`);
    this.#timer = setTimeout(() => this.#late(), this.limits.lineMs);
  }

  #resultsField(): string {
    return `"results":[${this.#results.splice(0).join()}]`;
  }

  #late(): void {
    this.#counts.late += this.#open.length;
    this.#settle([]);
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    if (this.#rest.length > LONGEST_LINE) return this.end(`wrote a line of more than ${LONGEST_LINE} characters`);
    for (const line of lines) if (line.trim() !== '') this.#readOne(line);
  }

  #readOne(text: string): void {
    if (this.#ended !== null) return;
    const line = readLine(text);
    if (this.#greeted !== null) {
      if (line === null || !('hello' in line)) {
        return this.end(`began with ${JSON.stringify(text.slice(0, 80))} and not with {"hello":{"version":1}}`);
      }
      this.#stopClock();
      this.#greeted.settle();
      this.#greeted = null;
      return;
    }
    const isAnswer = line !== null && 'actions' in line;
    // The answer to a line that was closed for its lateness is known to be counted.
    if (isAnswer && line.n > 0 && (line.n < this.#number || (line.n === this.#number && this.#open.length === 0)))
      return;
    const isOpen = isAnswer && line.n === this.#number;
    if (!isOpen) this.#counts.unreadable++;
    if (this.#open.length > 0) this.#settle(isOpen ? line.actions : []);
  }

  /** Closes the open line: each turn gets its action, or null where there is none. */
  #settle(actions: BotActions): void {
    this.#stopClock();
    const open = this.#open;
    this.#open = [];
    const choices = new Map<number, Action | Mix>();
    // The engine looks whether a choice is one.
    for (const { t, action, amount } of actions) {
      choices.set(t, (typeof action === 'object' ? action : { action, amount }) as Action | Mix);
    }
    for (const { table, settle } of open) settle(choices.get(table) ?? null);
    if (this.#waiting.length > 0) this.#flushSoon();
  }

  #stopClock(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
