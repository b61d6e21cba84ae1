import { signal } from '@preact/signals';
import { LiveTable, type LiveEvent, type WatchFrame } from '../game/live.js';
import { PaceQueue, type Pace } from '../game/pace.js';
import { linesOf, sentence } from '../game/words.js';
import { keepAnnounced } from '../proof/announced.js';
import type { LoggedLine } from '../table/log.js';
import type { TableView } from '../table/view.js';
import { counted } from '../lib/format.js';
import { OpenedHands } from './opened.js';
import { watchTable, type WatchState } from './watch.js';

/** Lines that the log keeps. */
const KEPT_LINES = 200;

export interface Drawn {
  view: TableView | null;
  /** Null after a jump. */
  before: TableView | null;
  step: number;
  lines: readonly LoggedLine[];
  /** Whole hands that were left out before this one. */
  leftOut: number;
  /** The last finished hand that was shown. */
  lastHand: { id: string; number: number | null } | null;
  players: readonly { seat: number; name: string; slug: string | null }[];
  closed: boolean;
  /** Frames that wait to be shown. */
  waiting: number;
  /** Since when it is drawn, epoch ms. */
  at: number;
}

const NOTHING: Drawn = {
  view: null,
  before: null,
  step: 0,
  lines: [],
  leftOut: 0,
  lastHand: null,
  players: [],
  closed: false,
  waiting: 0,
  at: 0,
};

/** A table as it is played, drawn at the reader's pace. */
export class LiveShow {
  readonly drawn = signal<Drawn>(NOTHING);
  readonly state = signal<WatchState>('opening');
  /** The last sentences, for those who hear the page: at most one a second. */
  readonly spoken = signal('');
  amount: (chips: number) => string = String;
  #pace: Pace;
  #table = new LiveTable();
  readonly #queue = new PaceQueue();
  readonly #opened = new OpenedHands();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #spokenAt = 0;
  /** The next frame is the first of a socket: a state of the present, which follows from nothing before it. */
  #begins = true;

  constructor(
    readonly tableId: string,
    pace: Pace,
  ) {
    this.#pace = pace;
  }

  /** The reader's own bot. The table sends its cards to the owner. */
  set ownName(name: string | null) {
    this.#table.ownName = name;
  }

  /** Begins to read; gives the way to stop. */
  start(): () => void {
    const stop = watchTable(this.tableId, {
      onState: (state) => {
        if (state !== 'open') this.#begins = true;
        this.state.value = state;
      },
      onFrame: (frame) => this.take(frame),
    });
    return () => {
      stop();
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#timer = null;
    };
  }

  setPace(pace: Pace): void {
    this.#pace = pace;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#go();
  }

  take(frame: WatchFrame): void {
    this.#remember(frame);
    const begins = this.#begins;
    if (begins) this.#forget();
    this.#queue.push(frame);
    if (begins) this.#show();
    else this.#go();
    // In step mode the reader sees that more waits.
    if (this.#pace === 'step') this.drawn.value = { ...this.drawn.value, waiting: this.#queue.length };
  }

  /** Drops the known and the waiting frames. */
  #forget(): void {
    const { ownName } = this.#table;
    this.#table = new LiveTable();
    this.#table.ownName = ownName;
    this.#queue.clear();
  }

  /** The next event, where the reader steps. */
  next(): void {
    if (this.#pace === 'step') this.#show();
  }

  #go(): void {
    // Until there is a picture, whatever comes is drawn.
    if (this.#timer !== null || (this.#pace === 'step' && this.drawn.value.view !== null)) return;
    const stays = this.#show();
    if (stays === null) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#go();
      },
      Math.max(stays, FRAME_MS),
    );
  }

  /** Brings in what is next; how long it stays, null where nothing waits. */
  #show(): number | null {
    const shown = this.#queue.next(this.#pace);
    if (shown === null) return null;
    const last = this.drawn.value;
    const returned = this.#begins && last.lines.length > 0;
    const jumps = this.#begins || shown.leftOut > 0;
    this.#begins = false;
    const step = last.step + 1;
    const fresh: LoggedLine[] = [];
    // Lines before and after a gap may be of two hands.
    if (returned) fresh.push(this.#note('The connection was lost here. What follows is the table now.', step));
    if (shown.leftOut > 0) fresh.push(this.#note(`${counted(shown.leftOut, 'hand')} later`, step));
    let { lastHand } = last;
    let moves = 0;
    // Left-out frames are not told: the shown hand begins with its deal.
    const told = shown.leftOut > 0 ? shown.frames.findLastIndex(({ type }) => type === 'hand_start') : 0;
    for (const [i, frame] of shown.frames.entries()) {
      const event = this.#table.apply(frame);
      if (event.kind !== 'state') moves++;
      if (frame.type === 'hand_result') lastHand = { id: frame.hand_id, number: this.#table.view().handNumber };
      if (i >= told) fresh.push(...this.#linesOf(event, `${step} ${i}`, step));
    }
    this.#speak(fresh);
    this.drawn.value = {
      view: this.#table.view(),
      before: jumps || moves > 1 ? null : last.view,
      step,
      lastHand,
      closed: this.#table.closed,
      waiting: this.#queue.length,
      at: Date.now(),
      lines: fresh.length === 0 ? last.lines : [...last.lines, ...fresh].slice(-KEPT_LINES),
      leftOut:
        shown.leftOut > 0 ? shown.leftOut : shown.frames.some(({ type }) => type === 'hand_start') ? 0 : last.leftOut,
      players: [...this.#table.chairs.values()].map(({ seat, name, slug }) => ({ seat, name, slug })),
    };
    if (lastHand !== null && lastHand.id !== last.lastHand?.id) void this.#turn(lastHand.id);
    return shown.stays ?? 0;
  }

  /** Draws the cards that are open after the hand, while its result stays. */
  async #turn(handId: string): Promise<void> {
    const hands = await this.#opened.of(handId);
    if (!this.#table.open(handId, hands)) return;
    this.drawn.value = { ...this.drawn.value, view: this.#table.view() };
  }

  #linesOf(event: LiveEvent, key: string, step: number): LoggedLine[] {
    const nameOf = (seat: number) => this.#table.chairs.get(seat)?.name ?? `seat ${seat + 1}`;
    return linesOf(event, { nameOf, amount: this.amount }).map((line, i) => ({ ...line, key: `${key} ${i}`, step }));
  }

  #note(text: string, step: number): LoggedLine {
    return { kind: 'note', text, name: null, cards: [], key: `${step} ${text}`, step };
  }

  #speak(lines: readonly LoggedLine[]): void {
    const now = Date.now();
    if (lines.length === 0 || now - this.#spokenAt < SPEECH_MS) return;
    this.#spokenAt = now;
    this.spoken.value = lines.map(sentence).join(' ');
  }

  /** Decks are announced one hand ahead. The announcements are kept for the proof of the next hand. */
  #remember(frame: WatchFrame): void {
    if (frame.type !== 'hand_start' || frame.hand_number === undefined || frame.next_deal === undefined) return;
    const { deck_commitment: commitment, anchors } = frame.next_deal;
    keepAnnounced(this.tableId, frame.hand_number + 1, { commitment, anchors });
  }
}

/** The least that a picture stays: what comes faster is drawn at once. */
const FRAME_MS = 16;
const SPEECH_MS = 1000;
