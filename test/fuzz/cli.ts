import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stopCluster } from '../support/database.js';
import { assault, type Outcome } from './campaign.js';

/**
 * `npm run fuzz -- [--frames N] [--seed S] [--transport uws|ws]`: hostile input against a whole platform, on both
 * transports, N frames in all (default 300,000), a tenth as many REST requests beside them. Exit code 1: something is
 * wrong, told with the seed that shows it again.
 */
const { values } = parseArgs({
  options: {
    frames: { type: 'string', default: '300000' },
    seed: { type: 'string' },
    transport: { type: 'string' },
  },
});
const frames = Number(values.frames);
const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed);
const transports = (['uws', 'ws'] as const).filter(
  (name) => values.transport === undefined || name === values.transport,
);
if (!Number.isSafeInteger(frames) || frames < 1000 || !Number.isSafeInteger(seed) || transports.length === 0) {
  console.error('usage: npm run fuzz -- [--frames N] [--seed S] [--transport uws|ws], at least 1000 frames');
  process.exit(2);
}

// What the honest bots read is no part of what the suite has seen.
const seen = mkdtempSync(join(tmpdir(), 'agent-poker-fuzz-'));
process.env['SEEN_DIR'] = seen;
process.once('exit', () => rmSync(seen, { recursive: true, force: true }));

let failed = false;
for (const transport of transports) {
  const ends: (() => Promise<void>)[] = [];
  const share = Math.round(frames / transports.length);
  const outcome = await assault(
    { teardown: (handler) => ends.push(handler) },
    {
      transport,
      seed,
      frames: share,
      requests: Math.round(share / 10),
      broken: Math.round(share / 100),
      onProgress: (done, all) => process.stdout.isTTY && process.stdout.write(`\r${transport}: ${done} of ${all} `),
    },
  );
  for (const end of ends.reverse()) await end();
  report(transport, outcome);
  failed ||= outcome.findings.length > 0;
}
await stopCluster();
console.log(
  failed ? `\nRepeat with: npm run fuzz -- --frames ${frames} --seed ${seed}` : `\nseed ${seed}: all is well`,
);
process.exitCode = failed ? 1 : 0;

function report(transport: string, { findings, hands, handsAfter, rss, slow, seconds, ...tallies }: Outcome): void {
  console.log(`\nTRANSPORT=${transport}, ${seconds.toFixed(0)} s`);
  for (const [name, tally] of Object.entries(tallies)) {
    const reached = (100 * tally.reached).toFixed(2);
    console.log(`\n${name}: ${tally.total}, ${reached} % past the rate limits\n\n${tally.table(name === 'requests')}`);
  }
  console.log(`\nhonest bots: ${hands} hands meanwhile, ${handsAfter} after it`);
  console.log(`memory: ${rss.early} MiB a fifth of the way in, ${rss.late} MiB at the end`);
  console.log(`slow requests: ${slow.dropped} of ${slow.opened} ended by the server`);
  for (const finding of findings) console.log(`\nFOUND ${finding}`);
}
