/**
 * Runs one of the three tiers of the suite: `npm test`, `npm run test:system`, `npm run test:long`. Prints failures as
 * they come, and once more together, shortened, before the last line: `N passed, N failed`, counted in assertions.
 * Skipped tests are named.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { command, whole } from '../src/command/options.js';
import { cpuOfEnded } from './support/cpu.js';
import { shareCluster, stopCluster } from './support/database.js';
import { Durations } from './support/durations.js';
import { protocolSeen, SEEN } from './support/coverage.js';
import { runRoom, type FileResult } from './support/rooms.js';
import { ownTemporaryFolder, preferMemory } from './support/temporary.js';
import { CACHE, isOfTier, roomsOf, type Tier } from './support/tiers.js';

/** Lines of one failure, and failures of one file, in what is printed again at the end. */
const [LINES, FAILURES] = [30, 12];
/** So many files start a database server of their own each, where they need one. */
const FEW = 4;
/** So many files are named at the end as the dearest. */
const DEAREST = 10;
const MINUTE = 60_000;

const TIERS: Readonly<Record<Tier, { name: string; purpose: string; takes: string }>> = {
  unit: {
    name: 'npm test',
    purpose:
      'Runs the rules, the features, the protocol, the store and the kits, or the files that have one of the words in their paths.',
    takes: 'some six minutes on two cores',
  },
  system: {
    name: 'npm run test:system',
    purpose:
      'Runs what needs processes: browsers, commands, kits, one small set of each campaign. Run npm test first: together they prove that all of the protocol was seen.',
    takes: 'some eight minutes on two cores',
  },
  long: {
    name: 'npm run test:long',
    purpose:
      'Runs the campaigns in their whole length, all planted faults, and each promise in all topologies, for a release.',
    takes: 'hours; with --minutes about as long as it says, and at least an hour',
  },
};

const tier = (process.argv[2] ?? 'unit') as Tier;
const { name, purpose, takes } = TIERS[tier];
const { words: wanted, values } = command(
  {
    name,
    purpose: `${purpose} Exit code 1: a test failed.`,
    takes,
    options: {
      minutes: whole('of test:long: short lengths, again and again with other seeds, for so many minutes', 0),
    },
    words: '[WORD…]',
  },
  process.argv.slice(3),
);
/** Sources are asked, since a build leaves what it made of files that are gone. */
const sources = fileURLToPath(new URL('../../test/', import.meta.url));
const durations = Durations.read();
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && isOfTier(file, tier))
  .map((file) => file.replace(/ts$/, 'js'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));
if (files.length === 0) {
  console.error(`no test file of this tier has ${wanted.join(' or ')} in its path`);
  process.exit(2);
}
/** Tests of processes wait more than they work. */
const LANES = tier === 'unit' ? Math.min(6, availableParallelism() + 1) : Math.min(6, availableParallelism() + 2);
preferMemory();
ownTemporaryFolder('suite');
/** A run of some files leaves what whole runs have seen. */
const seen = wanted.length === 0 ? SEEN[tier] : join(CACHE, 'seen/part');
rmSync(seen, { recursive: true, force: true });
mkdirSync(seen, { recursive: true });

const env: Record<string, string> = { SEEN_DIR: seen };
if (tier === 'long' && values.minutes === 0) env['SUITE'] = 'full';

function onFile(result: FileResult): void {
  const { file, failed, passed, figures, report } = result;
  if (failed === 0) durations.note(file, result.ms);
  const took = `${seconds(result.ms)}, cpu ${seconds(result.cpuMs)}`;
  console.log(`${failed === 0 ? 'ok    ' : 'FAILED'} ${file.padEnd(36)} ${passed} passed in ${took}`);
  for (const figure of figures) console.log(`       ${figure}`);
  if (failed > 0) console.log(report.join('\n').replace(/^/gm, '    '));
}

/** All files once: the room that takes longest begins first. */
async function runAll(): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const queue = roomsOf(files, tier, (file) => durations.of(file));
  const limit = (file: string) => durations.limit(file);
  const lane = async () => {
    for (let room = queue.shift(); room !== undefined; room = queue.shift()) {
      await runRoom(room, { env, limit, onFile: (result) => (results.push(result), onFile(result)) });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}

/** The failures again, each in few lines, for readers of the end of a long output. */
function printFailures(results: readonly FileResult[]): void {
  for (const { file, report } of results.filter(({ failed }) => failed > 0)) {
    console.log(`FAILED ${file}`);
    for (const text of report.slice(0, FAILURES)) {
      const lines = text.split('\n');
      console.log([...lines.slice(0, LINES), ...(lines.length > LINES ? ['…'] : [])].join('\n').replace(/^/gm, '    '));
    }
    if (report.length > FAILURES) console.log(`    and ${report.length - FAILURES} more`);
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const minutes = (ms: number) => Number((ms / MINUTE).toFixed(1));

const began = performance.now();
if (files.length > FEW) await shareCluster();
const results = await runAll();
while (performance.now() - began < values.minutes * MINUTE && results.every(({ failed }) => failed === 0)) {
  env['SEED'] = 'random';
  results.push(...(await runAll()));
}
await stopCluster();
durations.write();
const verdict = wanted.length > 0 || tier === 'long' ? null : protocolSeen(tier);
printFailures(results);
const sum = (pick: (result: FileResult) => number) => results.reduce((total, result) => total + pick(result), 0);
const skipped = results.flatMap((result) => result.skipped);
for (const each of skipped) console.log(`skipped: ${each}`);
const totals = {
  passed: sum((result) => result.passed) + (verdict === true ? 1 : 0),
  failed: sum((result) => result.failed) + (verdict === false ? 1 : 0),
  skipped: skipped.length,
  files: results.length,
  wallMinutes: minutes(performance.now() - began),
  cpuMinutes: minutes(cpuOfEnded()),
};
console.log('the dearest files, by processor time:');
for (const { file, cpuMs } of results.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, DEAREST)) {
  console.log(`  ${seconds(cpuMs).padStart(8)}  ${file}`);
}
console.log(`${totals.files} files in ${totals.wallMinutes} minutes, cpu ${totals.cpuMinutes} minutes`);
// CI adds up the tiers.
if (wanted.length === 0) writeFileSync(join(CACHE, `${tier}.totals.json`), JSON.stringify(totals));
console.log(
  `${totals.passed} passed, ${totals.failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`,
);
process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;
