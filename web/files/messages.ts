import type { ReplayHand, UnreadableHand } from '../../src/formats/index.js';

/** Between the page and the worker that reads a file. One worker reads one file, and keeps its text. */

export type FileQuestion =
  | { kind: 'open'; file: Blob }
  /** The hand at a place among those that can be replayed, from 0. */
  | { kind: 'hand'; index: number }
  /** The hand that has this number in the file, or the next that can be replayed. */
  | { kind: 'find'; number: number }
  | { kind: 'rows'; from: number; size: number }
  | { kind: 'unreadable'; from: number; size: number };

export type FileAnswer =
  | ({ kind: 'progress' } & FileProgress)
  /** Nothing of the file can be read; the reason is a sentence. */
  | { kind: 'refused'; reason: string }
  | { kind: 'hand'; index: number; hand: ReplayHand }
  | { kind: 'rows'; from: number; rows: readonly HandRow[] }
  | { kind: 'unreadable'; from: number; rows: readonly UnreadableHand[] };

/** How far the reading has come, in hands. */
export interface FileProgress {
  found: number;
  read: number;
  hands: number;
  unreadable: number;
}

/** A hand in the list. */
export interface HandRow {
  /** In the file, from 1. */
  number: number;
  title: string;
  players: string;
}
