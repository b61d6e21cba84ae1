import { signal } from '@preact/signals';
import type { Static } from 'typebox';
import { Bot, type Summary } from '../../sdk/typescript/src/bot.js';
import type { Action, Hand } from '../../sdk/typescript/src/hand.js';
import type { TableState } from '../../src/protocol/messages/state.js';
import type { WatchFrame } from '../game/live.js';
import { LiveShow } from '../live/show.js';
import { listenToFrames, type Way } from './tap.js';

/** How play ended, by the reason that the kit gives. */
const ENDED: Readonly<Record<string, string>> = {
  left: 'You left the table. Your chips are back in the balance.',
  busted: 'You stopped without chips.',
  stopped: 'You stopped.',
  refused: 'The server refused the bot token.',
  taken_over: 'Another program took over for your bot.',
  token_expired: 'The bot token is over: your bot was deployed somewhere else.',
  other_scope: 'Your bot is seated in a competition. Leave that table first.',
};

/** How fast what the others do is shown; a turn of one's own waits for nothing. */
const PACE = '2';
/** Frames that the list keeps. */
const KEPT_FRAMES = 200;
/** Frames that change the table. All others stand in the list alone. */
const DRAWN = new Set([
  ...['table_state', 'hand_start', 'hole_cards', 'player_action', 'community_cards', 'hand_result'],
  ...['player_joined', 'player_left', 'table_closed'],
]);

export interface PassedFrame {
  id: number;
  way: Way;
  /** `type` of the message. */
  type: string;
  text: string;
  /** Epoch ms. */
  at: number;
}

export interface OpenTurn {
  hand: Hand;
  /** In ms, when it was asked. */
  total: number;
  answer: (action: Action) => void;
}

export interface PlayOptions {
  url: string;
  /** A bot token; asked for again where one is over. It is kept nowhere. */
  token: () => Promise<string>;
  /** The server's clock for a turn. */
  timeoutSeconds: number;
}

/** A bot in this page that a person plays. */
export class Play {
  /** away: no socket. lobby: waits for a seat. leaving: gives it up at the end of the hand. */
  readonly state = signal<'away' | 'lobby' | 'seated' | 'leaving'>('away');
  readonly show = signal<LiveShow | null>(null);
  readonly turn = signal<OpenTurn | null>(null);
  readonly frames = signal<readonly PassedFrame[]>([]);
  /** Chips are out: whether to rebuy. */
  readonly offer = signal<((wanted: boolean) => void) | null>(null);
  /** A note for the person: of the last warning, or of the end. */
  readonly note = signal<string | null>(null);
  readonly hands = signal(0);
  readonly connected = signal(false);
  #bot: Bot | null = null;
  #frames = 0;

  /** Plays until the person leaves, or the server ends it. Resolves to null where it cannot begin. */
  async run({ url, token, timeoutSeconds }: PlayOptions): Promise<Summary | null> {
    this.note.value = null;
    this.hands.value = 0;
    this.frames.value = [];
    this.state.value = 'lobby';
    listenToFrames((way, text) => this.#passed(way, text));
    const bot = new Bot({
      url,
      botToken: token,
      timeoutSeconds,
      decide: (hand) => this.#decide(hand),
      rebuy: () => this.#askRebuy(),
      on: {
        connected: ({ name }) => (this.#name = name),
        connection: ({ state }) => (this.connected.value = state === 'open'),
        table_joined: ({ table_id: table }) => this.#seated(table),
        table_closed: () => this.#unseated(),
        hand_result: () => void this.hands.value++,
        warning: ({ text }) => (this.note.value = text),
        // Each line is a frame that is in the list, or a warning.
        log: () => undefined,
      },
    });
    this.#bot = bot;
    try {
      const summary = await bot.run();
      this.note.value = ENDED[summary.reason] ?? null;
      return summary;
    } catch (error) {
      this.note.value = error instanceof Error ? error.message : String(error);
      return null;
    } finally {
      listenToFrames(null);
      [this.#bot, this.turn.value, this.offer.value, this.show.value] = [null, null, null, null];
      [this.state.value, this.connected.value] = ['away', false];
    }
  }

  act(action: Action): void {
    const turn = this.turn.value;
    this.turn.value = null;
    this.note.value = null;
    turn?.answer(action);
  }

  leave(): void {
    if (this.#bot === null || this.state.value === 'leaving') return;
    this.state.value = 'leaving';
    this.turn.value = null;
    this.offer.value?.(false);
    this.#bot.leave();
  }

  answerRebuy(wanted: boolean): void {
    this.offer.value?.(wanted);
  }

  #name = '';

  #decide(hand: Hand): Promise<Action> {
    return new Promise((answer) => {
      this.turn.value = { hand, total: hand.deadline - Date.now(), answer };
      hand.signal.addEventListener('abort', () => {
        if (this.turn.value?.hand === hand) this.turn.value = null;
      });
    });
  }

  #askRebuy(): Promise<boolean> {
    this.state.value = 'lobby';
    return new Promise((answer) => {
      this.offer.value = (wanted) => {
        this.offer.value = null;
        answer(wanted);
      };
    });
  }

  #seated(table: string): void {
    const show = new LiveShow(table, PACE);
    show.ownName = this.#name;
    this.show.value = show;
    if (this.state.value !== 'leaving') this.state.value = 'seated';
  }

  #unseated(): void {
    if (this.state.value === 'seated') this.state.value = 'lobby';
  }

  #draw(frame: WatchFrame): void {
    const { show } = this;
    // A player that returns to a held seat learns of its table only by the state.
    if (show.value === null && frame.type === 'table_state') this.#seated(frame.table_id);
    show.value?.take(frame);
    const cards = 'hero' in frame ? (frame as Static<typeof TableState>).hero?.hole_cards : undefined;
    if (cards?.length === 2) show.value?.take({ type: 'hole_cards', cards } as WatchFrame);
  }

  #passed(way: Way, text: string): void {
    const message = JSON.parse(text) as { type: string };
    const frame = { id: ++this.#frames, way, type: message.type, text, at: Date.now() };
    this.frames.value = [frame, ...this.frames.value].slice(0, KEPT_FRAMES);
    if (way === 'in' && DRAWN.has(message.type)) this.#draw(message as WatchFrame);
  }
}
