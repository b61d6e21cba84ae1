import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReplayHand, UnreadableHand } from '../../src/formats/index.js';
import type { FileAnswer, FileProgress, FileQuestion, HandRow } from './messages.js';

/** Rows of a list that are asked for at once. */
export const PAGE_ROWS = 20;

export interface ListedRows<Row> {
  from: number;
  rows: readonly Row[];
}

export interface HandFile {
  name: string;
  /** Null until the worker knows the file's hands. */
  progress: FileProgress | null;
  /** Why nothing of the file can be read. */
  refused: string | null;
  /** The hand that is shown, with its place among those that can be replayed. */
  shown: { index: number; hand: ReplayHand } | null;
  hands: ListedRows<HandRow>;
  unreadable: ListedRows<UnreadableHand>;
}

export interface HandFileReader {
  file: HandFile | null;
  open(file: File): void;
  ask(question: FileQuestion): void;
}

const NO_ROWS = { from: 0, rows: [] };
const opened = (name: string): HandFile => ({
  name,
  progress: null,
  refused: null,
  shown: null,
  hands: NO_ROWS,
  unreadable: NO_ROWS,
});

/** A file of the reader's own, read by a worker of its own. The next file ends it. */
export function useHandFile(): HandFileReader {
  const [file, setFile] = useState<HandFile | null>(null);
  const worker = useRef<Worker | null>(null);
  useEffect(() => () => worker.current?.terminate(), []);
  const ask = (question: FileQuestion) => worker.current?.postMessage(question);
  const open = (chosen: File) => {
    worker.current?.terminate();
    const started = startWorker();
    worker.current = started;
    setFile(opened(chosen.name));
    started.onmessage = ({ data }: MessageEvent<FileAnswer>) => {
      setFile((now) => now && after(now, data));
      // The first hand is shown while the others are read.
      if (data.kind === 'progress' && data.hands > 0) askOnce();
    };
    started.onerror = () =>
      setFile((now) => now && { ...now, refused: 'The file could not be read. The page has a fault.' });
    const askOnce = once(() => started.postMessage({ kind: 'hand', index: 0 } satisfies FileQuestion));
    started.postMessage({ kind: 'open', file: chosen } satisfies FileQuestion);
  };
  return { file, open, ask };
}

/** Its name has the hash of its content, so the document says it. */
function startWorker(): Worker {
  const path = document.querySelector<HTMLMetaElement>('meta[name="file-worker"]')!.content;
  return new Worker(path, { type: 'module' });
}

function once(does: () => void): () => void {
  let done = false;
  return () => {
    if (!done) does();
    done = true;
  };
}

function after(file: HandFile, answer: FileAnswer): HandFile {
  switch (answer.kind) {
    case 'progress': {
      const { found, read, hands, unreadable } = answer;
      return { ...file, progress: { found, read, hands, unreadable } };
    }
    case 'refused':
      return { ...file, refused: answer.reason };
    case 'hand':
      return { ...file, shown: { index: answer.index, hand: answer.hand } };
    case 'rows':
      return { ...file, hands: { from: answer.from, rows: answer.rows } };
    case 'unreadable':
      return { ...file, unreadable: { from: answer.from, rows: answer.rows } };
  }
}
