import { decodeHandFile } from '../../src/formats/decode.js';
import { HandFileError } from '../../src/formats/index.js';
import type { FileAnswer, FileQuestion } from './messages.js';
import { HandFileReading } from './reading.js';

/** Reads a file beside the page, which stays at hand however many hands the file has. */

/** How long hands are read before questions are answered, in ms. */
const SLICE_MS = 40;
/** How often the page learns how far the reading is, in ms. */
const PROGRESS_MS = 100;
/** A text of more bytes does not fit into what browsers give a page. */
const MOST_BYTES = 300_000_000;

let reading: HandFileReading | null = null;

self.onmessage = ({ data }: MessageEvent<FileQuestion>) => {
  switch (data.kind) {
    case 'open':
      void open(data.file).catch(report);
      break;
    case 'hand':
      answerHand(data.index);
      break;
    case 'find':
      answerHand(reading?.indexOf(data.number) ?? 0);
      break;
    case 'rows':
      answer({ kind: 'rows', from: data.from, rows: reading?.rows(data.from, data.size) ?? [] });
      break;
    case 'unreadable':
      answer({ kind: 'unreadable', from: data.from, rows: reading?.unreadable(data.from, data.size) ?? [] });
      break;
  }
};

const answer = (message: FileAnswer) => self.postMessage(message);

/** Rejections of a worker reach neither its console nor its page: this makes them errors of the worker. */
const report = (error: unknown) => self.reportError(error);

function answerHand(index: number): void {
  const hand = reading?.hand(index) ?? null;
  if (hand !== null) answer({ kind: 'hand', index, hand });
}

async function open(file: Blob): Promise<void> {
  try {
    if (file.size > MOST_BYTES) throw new HandFileError('The file is too large: 300 MB at most.', 1);
    reading = new HandFileReading(decodeHandFile(new Uint8Array(await file.arrayBuffer())), report);
  } catch (error) {
    if (!(error instanceof HandFileError)) throw error;
    return answer({ kind: 'refused', reason: error.message });
  }
  let said = -PROGRESS_MS;
  for (let more = true; more; await nextTurn()) {
    more = readSome(reading);
    if (more && performance.now() - said < PROGRESS_MS) continue;
    said = performance.now();
    answer({ kind: 'progress', ...reading.progress });
  }
}

/** False when all is read. */
function readSome(file: HandFileReading): boolean {
  const until = performance.now() + SLICE_MS;
  while (performance.now() < until) if (!file.readNext()) return false;
  return true;
}

/** The turn of the loop after the messages that wait. */
const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve));
