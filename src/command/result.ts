/** Node's exit code if top-level await can never settle. Node says nothing. */
const UNSETTLED = 13;

let isExpected = false;

/** From now on a process that ends without a result says so and exits with 1. All commands have this. */
export function expectResult(): void {
  if (isExpected) return;
  isExpected = true;
  process.on('exit', () => {
    if (process.exitCode !== UNSETTLED) return;
    process.stderr.write('It ended without a result: a thing that it waited for can never come. Nothing is done.\n');
    process.exitCode = 1;
  });
}

const message = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** Tells an error that nobody foresaw. */
function tell(error: unknown): number {
  process.stderr.write(`${message(error)}\n`);
  return 1;
}

/**
 * Runs a command and ends the process with the exit code that `work` resolves to. A process continues if its `work`
 * resolves to no code. `failed` tells an error and returns its exit code. Await the result at the top of the entry
 * module.
 */
export async function runToEnd(
  work: () => Promise<number | undefined>,
  failed: (error: unknown) => number = tell,
): Promise<void> {
  expectResult();
  const code = await work().catch(failed);
  if (code !== undefined) process.exit(code);
}
