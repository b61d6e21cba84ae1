import { onInterrupt } from '../../src/command/interrupt.js';
import { stopCluster, type Scope } from '../support/database.js';
import { ownTemporaryFolder } from '../support/temporary.js';

/** Work to undo, the latest first. */
const handlers: (() => Promise<void>)[] = [];

/** Runs one part of a command; what it started is gone when it is over. */
export async function scoped<T>(work: (t: Scope) => Promise<T>): Promise<T> {
  const mark = handlers.length;
  try {
    return await work({ teardown: (handler) => handlers.push(handler) });
  } finally {
    await undo(mark);
  }
}

async function undo(mark: number): Promise<void> {
  while (handlers.length > mark) await handlers.pop()!();
}

/**
 * A command that leaves nothing behind, however it ends. `work` resolves to whether all is well: that is the exit code.
 */
export async function program(work: () => Promise<boolean>): Promise<void> {
  // Frames read here are no part of the suite's coverage.
  process.env['SEEN_DIR'] = ownTemporaryFolder('run');
  onInterrupt((signal) => {
    console.error(`${signal}: cleaning up`);
    void undo(0).finally(() => process.exit(130));
  });
  try {
    process.exitCode = (await work()) ? 0 : 1;
  } finally {
    await stopCluster();
  }
}
