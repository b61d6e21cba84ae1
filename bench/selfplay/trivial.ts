import { createInterface } from 'node:readline';
import type { LineToBot } from '../../src/selfplay/stdio/lines.js';

/** A bot that costs nothing, on the lines alone. It plays as trivial.py does. */

for await (const text of createInterface(process.stdin)) {
  const line = JSON.parse(text) as LineToBot;
  if ('hello' in line) process.stdout.write('{"hello":{"version":1}}\n');
  if (!('decide' in line)) continue;
  const actions = line.decide.map(({ t, hand: { can, pot, to_call: toCall } }) => {
    if (can.includes('check')) return { t, action: 'check' };
    return { t, action: toCall <= pot ? 'call' : 'fold' };
  });
  process.stdout.write(`${JSON.stringify({ n: line.n, actions })}\n`);
}
