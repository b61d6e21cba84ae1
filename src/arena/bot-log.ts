import { createWriteStream, openSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { makeFolder } from '../store/embedded/location.js';

/** A bot program's output and the platform's complaints, in a file for its author. */
export class BotLog {
  readonly #file: WriteStream;

  private constructor(
    readonly path: string,
    fd: number,
  ) {
    this.#file = createWriteStream(path, { fd });
  }

  /** FOLDER/NAME.log, written anew. Throws where it cannot be. */
  static open(folder: string, name: string): BotLog {
    const path = join(folder, `${name}.log`);
    try {
      makeFolder(folder, 0o755);
      return new BotLog(path, openSync(path, 'w'));
    } catch (error) {
      throw new Error(
        `the output of your bots cannot be written: ${(error as Error).message}; --logs names another folder`,
      );
    }
  }

  /** Keeps reading the stream; several may be read at once. */
  read(stream: Readable | null): this {
    stream?.on('data', (text: string | Buffer) => this.#file.write(text));
    return this;
  }

  /** A line of the arena's own. */
  note(text: string): void {
    this.#file.write(`[arena ${new Date().toISOString()}] ${text}\n`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#file.end(resolve));
  }
}
