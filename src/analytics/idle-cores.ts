import { cpus } from 'node:os';

/** Tells how many cores of the machine had nothing to do. */
export class IdleCores {
  #last = read();

  /** On average since the last call; 0 when no time is known to have passed. */
  since(): number {
    const now = read();
    const total = now.total - this.#last.total;
    const idle = now.idle - this.#last.idle;
    this.#last = now;
    return total > 0 ? (now.cores * idle) / total : 0;
  }
}

/** ms since the machine started, of all cores together. */
function read(): { cores: number; idle: number; total: number } {
  const cores = cpus();
  let idle = 0;
  let total = 0;
  for (const { times } of cores) {
    idle += times.idle;
    total += times.user + times.nice + times.sys + times.idle + times.irq;
  }
  return { cores: cores.length, idle, total };
}
