import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { POOL_OPTIONS } from '../ops/pool-options.js';

const ENTRY = new URL('../../workers/picture.js', import.meta.url);
const IDLE_MS = 30_000;

/** Makes PNG pictures of SVG text, on a thread that is there only while it is asked. Few sites show an SVG of a link. */
export class PictureThread {
  readonly #pool = new Piscina({
    ...POOL_OPTIONS,
    filename: fileURLToPath(ENTRY),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
  });

  async png(svg: string): Promise<Buffer> {
    return Buffer.from((await this.#pool.run(svg)) as Uint8Array);
  }

  /** Ends the thread; what it draws is dropped. */
  async stop(): Promise<void> {
    await this.#pool.destroy();
  }
}
