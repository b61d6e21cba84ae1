import type { Readable } from 'node:stream';

/** The streams of a command: the process's own, or a test's. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>;
  /** The folder of `.env`. */
  cwd: string;
  stdin: Readable;
  out(text: string): void;
  err(text: string): void;
}

export const processIo: Io = {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};
