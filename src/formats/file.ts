/** A hand file, or a hand of it, that cannot be read. The message is a sentence for the reader of the file. */
export class HandFileError extends Error {
  override name = 'HandFileError';

  /** `line` counts from 1 within the file. */
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

export type FileFormat = 'phh' | 'pokerstars' | 'json' | 'csv';

/** One hand of a file. */
export interface FilePart {
  /** From 1, in the order of the file. */
  number: number;
  /** The line it begins on, from 1. */
  line: number;
  /** Offsets in the text: the hand is `text.slice(from, to)`. */
  from: number;
  to: number;
  format: FileFormat;
}

/** A hand that is listed instead of replayed: `Hand #N, line L: reason`. */
export interface UnreadableHand {
  number: number;
  line: number;
  reason: string;
}
