import { effect, signal } from '@preact/signals';
import type { TableView } from '../table/view.js';
import { byInterest, type TableInterest } from './interest.js';
import { LiveShow } from './show.js';

export interface ListedTable {
  table_id: string;
  players: number;
  hand_number: number;
}

/** Tables that are watched at a time: an address may watch five in all. */
const WATCHED = 3;

interface Channel {
  show: LiveShow;
  stop: () => void;
}

/**
 * The tables of the TV page. It watches the most interesting ones, and shows one of them. A table stays for at least
 * one whole hand, and another one takes its place between hands only.
 */
export class Channels {
  /** The table on the screen; null for none. */
  readonly shown = signal<LiveShow | null>(null);
  /** The reader keeps the table on the screen. */
  readonly pinned = signal(false);
  readonly #open = new Map<string, Channel>();
  readonly #gone = new Set<string>();
  #listed: readonly ListedTable[] = [];
  #running = false;
  /** The last hand of the shown table when it came on the screen, and whether a whole one was seen since. */
  #seen: { show: LiveShow; handNumber: number | null; over: boolean } | null = null;

  constructor(private readonly showOf: (tableId: string) => LiveShow = (tableId) => new LiveShow(tableId, '1')) {}

  /** Begins to watch; gives the way to stop. */
  start(): () => void {
    this.#running = true;
    this.#tune();
    return () => {
      this.#running = false;
      for (const id of [...this.#open.keys()]) this.#close(id);
    };
  }

  /** The tables that play now. */
  list(tables: readonly ListedTable[]): void {
    this.#listed = tables;
    for (const id of this.#gone) if (!tables.some((table) => table.table_id === id)) this.#gone.delete(id);
    if (!this.#running) return;
    // No next hand comes to a table that waits for players.
    if (this.#seen?.over && this.#seen.show.drawn.peek().view?.waiting !== null) this.#choose();
    else this.#tune();
  }

  /** Goes to the table after or before the shown one, in the order of the list. */
  step(by: 1 | -1): void {
    const ids = this.#playing().map(({ table_id: id }) => id);
    if (ids.length === 0) return;
    const at = ids.indexOf(this.shown.peek()?.tableId ?? '');
    this.#put(ids[(at + by + ids.length) % ids.length]!);
    this.#tune();
  }

  #playing(): ListedTable[] {
    return this.#listed.filter(({ table_id: id }) => !this.#gone.has(id));
  }

  /** Opens and closes sockets, so that the shown and the most interesting tables are watched. */
  #tune(): void {
    const playing = this.#playing();
    const best = byInterest(playing, (table) => this.#interestOf(table)).map(({ table_id: id }) => id);
    const shown = this.shown.peek()?.tableId;
    const isPlayed = playing.some(({ table_id: id }) => id === shown);
    if (!isPlayed) this.pinned.value = false;
    const next = isPlayed ? shown : best[0];
    if (next === undefined) this.shown.value = null;
    else if (next !== shown || this.#open.get(next)?.show !== this.shown.peek()) this.#put(next);
    const first = this.shown.peek()?.tableId;
    const wanted = [...new Set(first === undefined ? [] : [first, ...best])].slice(0, WATCHED);
    for (const id of [...this.#open.keys()]) if (!wanted.includes(id)) this.#close(id);
    for (const id of wanted) this.#channel(id);
  }

  #channel(id: string): Channel {
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const show = this.showOf(id);
    const unwatch = effect(() => this.#look(show, show.drawn.value.closed || show.state.value === 'gone'));
    const stop = show.start();
    const channel = {
      show,
      stop: () => {
        unwatch();
        stop();
      },
    };
    this.#open.set(id, channel);
    return channel;
  }

  #close(id: string): void {
    this.#open.get(id)?.stop();
    this.#open.delete(id);
  }

  #put(id: string): void {
    const { show } = this.#channel(id);
    this.#seen = { show, handNumber: show.drawn.peek().view?.handNumber ?? null, over: false };
    this.shown.value = show;
  }

  /** After each change of a table's picture. */
  #look(show: LiveShow, gone: boolean): void {
    if (gone) {
      this.#gone.add(show.tableId);
      // The effect that called this cannot end itself.
      queueMicrotask(() => this.#running && this.#tune());
      return;
    }
    const seen = this.#seen;
    if (seen?.show !== show) return;
    const view = show.drawn.peek().view;
    if (view === null) return;
    seen.handNumber ??= view.handNumber;
    const isResult = view.seats.some(({ won }) => won > 0);
    if (isResult && view.handNumber !== seen.handNumber) seen.over = true;
    // The result was read. The next hand comes now, here or elsewhere.
    if (!isResult && seen.over) {
      seen.over = false;
      queueMicrotask(() => this.#choose());
    }
  }

  #choose(): void {
    if (!this.#running || this.pinned.peek()) return;
    const open = this.#playing().filter(({ table_id: id }) => this.#open.has(id));
    const [best] = byInterest(open, (table) => this.#interestOf(table));
    if (best !== undefined && best.table_id !== this.shown.peek()?.tableId) this.#put(best.table_id);
    this.#tune();
  }

  #interestOf({ table_id: id, players, hand_number: handNumber }: ListedTable): TableInterest {
    const view = this.#open.get(id)?.show.drawn.peek().view;
    return { players, handNumber, play: view ? playOf(view) : undefined };
  }
}

/** While a result is shown the hand is over: its pot draws nobody. */
function playOf({ pot, bigBlind, seats }: TableView): TableInterest['play'] {
  if (seats.some(({ won }) => won > 0)) return { pot: 0, bigBlind, allIn: false };
  return { pot, bigBlind, allIn: seats.some(({ said, faded }) => said?.word === 'all_in' && !faded) };
}
