import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../../examples/verify.py', import.meta.url));

/** The answers of examples/verify.py to each hand, in one run. */
export function verifyInPython(hands: readonly object[]): string[] {
  const input = hands.map((hand) => JSON.stringify(hand)).join('\n');
  try {
    return linesOf(execFileSync('python3', [SCRIPT], { input, encoding: 'utf8', maxBuffer: 1 << 24 }));
  } catch (error) {
    const { status, stdout } = error as { status: number | null; stdout: string };
    if (status !== 1) throw error;
    return linesOf(stdout);
  }
}

const linesOf = (text: string) => text.trim().split('\n');
