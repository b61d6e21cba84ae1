import type { Socket } from 'node:net';
import { WebSocket, type RawData } from 'ws';
import { LEAN_SUBPROTOCOL } from '../../protocol/subprotocol.js';
import type { Frame, Transcript } from './transcript.js';

/** Every field that holds a table_seq. */
const NUMBERED = /"(table_seq|to_table_seq|from_table_seq)":(\d+)/g;
const ASKED = /"last_table_seq"\s*:\s*(\d+)/g;

/** The server's frame with numbers raised by `by`, so that the bot sees one consistent stream. */
export const shifted = (text: string, by: number): string =>
  by === 0 ? text : text.replace(NUMBERED, (_, name: string, seq: string) => `"${name}":${Number(seq) + by}`);

/** The bot's frame with the server's numbers. */
export const shiftedBack = (text: string, by: number): string =>
  by === 0 ? text : text.replace(ASKED, (_, seq: string) => `"last_table_seq":${Math.max(0, Number(seq) - by)}`);

/** Codes that mean "no close frame came" and cannot be sent on. */
const WITHOUT_FRAME = [1005, 1006, 1015];

/** The messages that pass in place of one: none, itself, or others. */
export type LineFilter = (text: string, frame: Frame | null, line: Line) => readonly string[];

export interface LineSettings {
  toBot: LineFilter;
  toServer: LineFilter;
  /** The delay of each way. */
  delayMs: number;
  /** Added to every table_seq. */
  offset: number;
}

/** The server's address, and the bot's credentials. */
export interface Upstream {
  url: string;
  authorization: string | undefined;
}

/** One connection of the bot, with its counterpart to the server. */
export class Line {
  readonly openedAt = performance.now();
  /** It reads lean frames. */
  readonly isLean: boolean;
  /** Close code that the bot's end read or sent; null while it is open. */
  closed: number | null = null;
  /** Pongs that the bot sent. */
  pongs = 0;
  /** The bot's messages from before its welcome; null after it. A server reads it after the welcome, too. */
  #early: { text: string; at: number }[] | null = [];
  #heldToBot: string[] | null = null;
  #heldToServer: string[] | null = null;
  readonly #platform: WebSocket;

  constructor(
    readonly number: number,
    readonly bot: WebSocket,
    readonly tcp: Socket,
    upstream: Upstream,
    private readonly settings: LineSettings,
    private readonly transcript: Transcript,
  ) {
    const { url, authorization } = upstream;
    this.isLean = bot.protocol === LEAN_SUBPROTOCOL;
    this.#platform = new WebSocket(url, bot.protocol === '' ? [] : [bot.protocol], {
      ...(authorization === undefined ? {} : { headers: { authorization } }),
      perMessageDeflate: false,
    });
    this.#platform.on('message', (data: RawData) => this.#fromServer(String(data as Buffer)));
    // A close follows.
    this.#platform.on('error', () => undefined);
    this.#platform.on('close', (code, reason) => this.#passOn(code, reason.toString()));
    bot.on('message', (data: RawData) => this.#fromBot(String(data as Buffer), transcript.now));
    bot.on('pong', () => {
      this.pongs++;
      transcript.stir();
    });
    bot.on('error', (error) => transcript.note(`the bot's end of connection ${number} broke: ${error.message}`));
    bot.on('close', (code) => {
      this.closed ??= code;
      // The server did not read the message, but the bot sent it.
      for (const { text, at } of this.#early?.splice(0) ?? []) transcript.add('bot', number, text, at);
      transcript.note(`connection ${number} is closed (${code})`);
      this.#platform.terminate();
    });
  }

  get open(): boolean {
    return this.closed === null;
  }

  /** Cuts both connections without close frames. */
  cut(): void {
    this.transcript.note(`connection ${this.number} is cut`);
    this.closed ??= 1006;
    this.bot.terminate();
    this.#platform.terminate();
  }

  /** The bot reads a close frame; the server sees a lost socket. */
  close(code: number, reason = ''): void {
    this.transcript.note(`connection ${this.number} is closed with ${code}`);
    this.closed ??= code;
    this.bot.close(code, reason);
    this.#platform.terminate();
  }

  /** A frame that the server did not send. */
  inject(frame: object | string): void {
    this.#toBot(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** A frame that the bot did not send. */
  say(frame: object | string): void {
    this.#platform.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  ping(): void {
    this.bot.ping();
  }

  pingServer(): void {
    this.#platform.ping();
  }

  holdToBot(): void {
    this.#heldToBot ??= [];
  }

  holdToServer(): void {
    this.#heldToServer ??= [];
  }

  releaseToBot(): void {
    const held = this.#heldToBot ?? [];
    this.#heldToBot = null;
    // All frames leave in one write, as after a stall.
    this.tcp.cork();
    for (const text of held) this.#toBot(text);
    this.tcp.uncork();
  }

  releaseToServer(): void {
    const held = this.#heldToServer ?? [];
    this.#heldToServer = null;
    for (const text of held) this.#send(text);
  }

  #fromServer(text: string): void {
    const { toBot, offset, delayMs } = this.settings;
    const numbered = shifted(text, offset);
    const passed = toBot(numbered, frameOf(numbered), this);
    if (!passed.includes(numbered)) this.transcript.add('kept', this.number, numbered);
    for (const each of passed) {
      if (delayMs === 0) this.#deliver(each);
      else setTimeout(() => this.#deliver(each), delayMs);
    }
  }

  #deliver(text: string): void {
    if (this.#heldToBot !== null) this.#heldToBot.push(text);
    else this.#toBot(text);
  }

  #toBot(text: string): void {
    if (this.bot.readyState !== WebSocket.OPEN) return;
    const { frame } = this.transcript.add('server', this.number, text);
    this.bot.send(text);
    if (frame?.type === 'connected') this.#welcomed();
  }

  /** The bot's early messages count from now on, in their order. */
  #welcomed(): void {
    const early = this.#early ?? [];
    this.#early = null;
    for (const { text, at } of early) this.#fromBot(text, at);
  }

  /** `at` is when it came, in ms since the case began. */
  #fromBot(text: string, at: number): void {
    if (this.#early !== null) return void this.#early.push({ text, at });
    const { toServer, offset, delayMs } = this.settings;
    const { frame } = this.transcript.add('bot', this.number, text, at);
    for (const each of toServer(shiftedBack(text, offset), frame, this)) {
      if (delayMs === 0) this.#send(each);
      else setTimeout(() => this.#send(each), delayMs);
    }
  }

  #send(text: string): void {
    if (this.#heldToServer !== null) this.#heldToServer.push(text);
    else if (this.#platform.readyState === WebSocket.OPEN) this.#platform.send(text);
  }

  #passOn(code: number, reason: string): void {
    if (this.bot.readyState !== WebSocket.OPEN) return;
    this.closed ??= code;
    if (code === 1006) this.bot.terminate();
    else if (WITHOUT_FRAME.includes(code)) this.bot.close();
    else this.bot.close(code, reason);
  }
}

function frameOf(text: string): Frame | null {
  // The server sends JSON.
  return JSON.parse(text) as Frame;
}
