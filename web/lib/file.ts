import { answered } from './api.js';

/** How far a file has come. */
export interface Come {
  bytes: number;
  /** Lines that begin as one does for each entry of the file. */
  entries: number;
}

export interface FileAsked {
  path: string;
  /** Told of each piece that has come. */
  onCome: (come: Come) => void;
  /** Matches the lines that are counted. */
  entry: RegExp;
  signal: AbortSignal;
}

/** So many pieces become one, which the browser may keep on its disk. */
const PIECES = 256;

/**
 * Reads a file to its end and gives it with its name. Rejects with ApiError where the server gives none, and as a broken
 * stream does where it ends before its end: half a file is none.
 */
export async function wholeFile({ path, onCome, entry, signal }: FileAsked): Promise<{ file: Blob; name: string }> {
  const answer = await answered(path, signal);
  const reader = answer.body!.getReader();
  const decoder = new TextDecoder();
  const type = answer.headers.get('content-type') ?? '';
  const come: Come = { bytes: 0, entries: 0 };
  let whole = new Blob([], { type });
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let line = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    const lines = (line + decoder.decode(value, { stream: true })).split('\n');
    line = lines.pop() ?? '';
    come.bytes += value.length;
    for (const one of lines) if (entry.test(one)) come.entries++;
    onCome({ ...come });
    if (pieces.length === PIECES) [whole, pieces] = [new Blob([whole, ...pieces], { type }), []];
  }
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'hands';
  return { file: new Blob([whole, ...pieces], { type }), name };
}

/** Leaves a file with the reader, as a download does. */
export function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has taken it up by the next turn of its loop; a minute is enough on any machine.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
