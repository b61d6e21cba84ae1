import { command, oneOf, seed as seedOption, whole } from '../../src/command/options.js';
import { Progress } from '../../src/command/progress.js';
import { describe } from '../abuse/judge.js';
import { program, scoped } from '../chaos/program.js';
import { assault, type Outcome } from './campaign.js';

/** The part of the frames that a server with its limits on gets. */
const LIMITED = 0.2;
/** Tables of honest bots that report their view. */
const TABLES = 2;

const { values } = command({
  name: 'npm run campaign -- fuzz',
  purpose:
    'Hostile input against a whole platform, a tenth as many REST requests and a hundredth as much broken HTTP beside the\n' +
    'frames. Exit code 1: something is wrong, told with the seed that shows it again.',
  takes: 'a minute or two for 100,000 frames, some more on a slow machine',
  options: {
    frames: whole('WebSocket frames in all', 300_000, { least: 1000 }),
    limits: oneOf(
      'only with the rate limits on, as by default, or off; otherwise a fifth of the frames goes to a server that has them',
      ['on', 'off'],
      null,
    ),
    transport: oneOf('only this one; each gets half of the frames otherwise', ['uws', 'ws'], null),
    seed: seedOption(),
  },
});
const { frames, seed } = values;
const transports = (['uws', 'ws'] as const).filter((name) => values.transport === null || name === values.transport);

/** The servers, each with its part of the frames. */
const servers = (['off', 'on'] as const)
  .filter((limits) => values.limits === null || limits === values.limits)
  .flatMap((limits) =>
    transports.map((transport) => ({ limits, transport, part: partOf(limits) / transports.length })),
  );

function partOf(limits: 'on' | 'off'): number {
  return values.limits !== null ? 1 : limits === 'on' ? LIMITED : 1 - LIMITED;
}

await program(async () => {
  let failed = false;
  for (const { limits, transport, part } of servers) {
    const share = Math.round(frames * part);
    let progress: Progress | null = null;
    const onProgress = (done: number, all: number) =>
      (progress ??= new Progress(all, `steps (${transport}, limits ${limits})`)).show(done);
    const plan = { transport, limits, seed, frames: share, requests: Math.round(share / 10), broken: Math.round(share / 100) }; // prettier-ignore
    const outcome = await scoped((t) => assault(t, { ...plan, tables: TABLES, onProgress }));
    report(`TRANSPORT=${transport}, limits ${limits}`, outcome);
    failed ||= outcome.findings.length > 0;
  }
  console.log(
    failed
      ? `\nRepeat with: npm run campaign -- fuzz --frames ${frames} --seed ${seed}`
      : `\nseed ${seed}: all is well`,
  );
  return !failed;
});

function report(where: string, { findings, hands, handsAfter, rss, memory, felt, slow, seconds, ...tallies }: Outcome) {
  console.log(`\n${where}, ${seconds.toFixed(0)} s`);
  for (const [name, tally] of Object.entries(tallies)) {
    const reached = (100 * tally.reached).toFixed(2);
    console.log(`\n${name}: ${tally.total}, ${reached} % past the rate limits\n\n${tally.table(name === 'requests')}`);
  }
  console.log(`\nhonest bots: ${hands} hands meanwhile, ${handsAfter} after it`);
  for (const [when, what] of Object.entries(felt ?? {})) console.log(`  ${describe(when, what)}`);
  console.log(`memory: ${rss.early} MiB a fifth of the way in, ${rss.late} MiB at the end; ${memory.join(', ')}`);
  console.log(`slow requests: ${slow.dropped} of ${slow.opened} ended by the server`);
  for (const finding of findings) console.log(`\nFOUND ${finding}`);
}
