import { useEffect, useState } from 'preact/hooks';
import type { TableView } from '../table/view.js';
import type { EquityAnswer, EquityQuestion } from './question.js';

/** Asks the worker, which starts with the first question. */

export interface SeatEquity {
  share: number;
  words: string | null;
}
export type EquityBySeat = Readonly<Record<number, SeatEquity>>;

const NONE: EquityBySeat = {};

/** A question about a view: hands that are seen and still in. */
interface Asked extends Omit<EquityQuestion, 'id'> {
  key: string;
  seats: readonly number[];
}

const known = new Map<string, EquityAnswer>();
const pending = new Map<string, Promise<void>>();
let worker: Worker | null = null;
let sent = 0;
const waiting = new Map<number, (answer: EquityAnswer) => void>();

/** Resolves when the answer is known. */
function ask({ key, holes, board }: Asked): Promise<void> {
  const found = pending.get(key);
  if (found !== undefined) return found;
  worker ??= startWorker();
  const question: EquityQuestion = { id: ++sent, holes, board };
  const answered = new Promise<EquityAnswer>((resolve) => waiting.set(question.id, resolve)).then((answer) => {
    known.set(key, answer);
  });
  pending.set(key, answered);
  worker.postMessage(question);
  return answered;
}

/** Its name has the hash of its content, so the document says it. */
function startWorker(): Worker {
  const path = document.querySelector<HTMLMetaElement>('meta[name="equity-worker"]')!.content;
  const started = new Worker(path, { type: 'module' });
  started.onmessage = ({ data }: MessageEvent<EquityAnswer>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  };
  return started;
}

const isSeen = ({ cards }: TableView['seats'][number]) => !cards.includes('??');
const stillIn = ({ seats }: TableView) =>
  seats.filter(({ name, faded, cards }) => name !== null && !faded && cards.length === 2);

/** How many are still in with cards that nobody sees here: no equity takes them into account. */
export const unseenIn = (view: TableView): number => stillIn(view).filter((seat) => !isSeen(seat)).length;

/** Null where fewer than two hands can be compared. */
function askedOf(view: TableView | null): Asked | null {
  const open = view === null ? [] : stillIn(view).filter(isSeen);
  if (view === null || open.length < 2) return null;
  const holes = open.map(({ cards }) => [cards[0]!, cards[1]!] as const);
  const key = `${holes.map((hole) => hole.join('')).join()}|${view.board.join('')}`;
  return { key, holes, board: view.board, seats: open.map(({ seat }) => seat) };
}

/** The equity of the hands that are seen in each view; none until it is counted, and where fewer than two are. */
export function useEquities(views: readonly (TableView | null)[]): readonly EquityBySeat[] {
  const [, redraw] = useState(0);
  const asked = views.map(askedOf);
  const missing = asked.filter((one) => one !== null && !known.has(one.key)) as Asked[];
  useEffect(() => {
    let current = true;
    for (const one of missing) void ask(one).then(() => current && redraw((times) => times + 1));
    return () => {
      current = false;
    };
  }, [missing.map(({ key }) => key).join(' ')]);
  return asked.map((one) => (one === null ? NONE : bySeat(one)));
}

function bySeat({ key, seats }: Asked): EquityBySeat {
  const answer = known.get(key);
  if (answer === undefined) return NONE;
  return Object.fromEntries(
    seats.map((seat, i) => [seat, { share: answer.shares[i]!, words: answer.words[i] ?? null }]),
  );
}
