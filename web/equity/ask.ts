import { signal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { TableView } from '../table/view.js';
import type { EquityAnswer, EquityQuestion } from './question.js';

/** Asks the worker, which starts with the first question. */

export interface SeatEquity {
  share: number;
  words: string | null;
}
export type EquityBySeat = Readonly<Record<number, SeatEquity>>;

const NONE: EquityBySeat = {};
const known = new Map<string, Promise<EquityAnswer>>();
let worker: Worker | null = null;
let asked = 0;
const waiting = new Map<number, (answer: EquityAnswer) => void>();

function ask(holes: EquityQuestion['holes'], board: readonly string[]): Promise<EquityAnswer> {
  const key = `${holes.join(' ')}|${board.join(' ')}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  worker ??= startWorker();
  const question: EquityQuestion = { id: ++asked, holes, board };
  const answer = new Promise<EquityAnswer>((resolve) => waiting.set(question.id, resolve));
  known.set(key, answer);
  worker.postMessage(question);
  return answer;
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

/** The equity of the hands that can be seen and are still in; nothing where fewer than two can. */
export function useEquity(view: TableView, wanted: boolean): ReadonlySignal<EquityBySeat> {
  const answer = useMemo(() => signal<EquityBySeat>(NONE), []);
  const live = view.seats.filter(({ name, faded, cards }) => name !== null && !faded && cards.length === 2);
  const open = live.filter(({ cards }) => !cards.includes('??'));
  const key =
    wanted && open.length > 1 ? `${open.map(({ cards }) => cards.join('')).join()}|${view.board.join('')}` : '';
  useEffect(() => {
    if (key === '') {
      answer.value = NONE;
      return;
    }
    let current = true;
    const holes = open.map(({ cards }) => [cards[0]!, cards[1]!] as const);
    void ask(holes, view.board).then(({ shares, words }) => {
      if (!current) return;
      answer.value = Object.fromEntries(
        open.map(({ seat }, i) => [seat, { share: shares[i]!, words: words[i] ?? null }]),
      );
    });
    return () => {
      current = false;
    };
  }, [key]);
  return answer;
}
