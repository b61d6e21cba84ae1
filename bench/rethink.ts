import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordedHands } from '../test/support/recorded-hands.js';
import { seed as seedOption, whole } from '../src/command/options.js';
import { temporaryFolder } from '../src/command/folders.js';
import { programBot } from '../src/doctor/bot.js';
import { BotLine } from '../src/rethink/bot-line.js';
import { rethink } from '../src/rethink/run.js';
import { bench, Steps } from './benches.js';
import { atLeast, report, told } from './report.js';

/*
 * Recorded hands asked again (npx agent-poker rethink). A bot of the kit in a process of its own reads each hand over a
 * real socket, and answers each decision at once. The goal is 10,000 decisions within a minute.
 */

const { decisions, seed } = bench(
  'rethink',
  {
    decisions: whole('decisions to ask for', 10_000, { least: 1 }),
    seed: seedOption('repeats a run', 1),
  },
  ({ decisions }) => 5 + decisions / 200,
);
const GOAL = 10_000 / 60;
const WAIT_MS = 60_000;

const steps = new Steps(2);
steps.next('hands are made');
const hands = [];
for (let asked = 0, part = 0; asked < decisions; part++) {
  for (const hand of recordedHands(500, seed + part)) {
    if (asked >= decisions) break;
    asked += hand.actions.filter(({ seat }) => seat === hand.seat).length;
    hands.push(hand);
  }
}
const folder = temporaryFolder('rethink');
const module = join(folder, 'calls.mjs');
writeFileSync(module, 'export const decide = (hand) => hand.call();\n');
const line = await BotLine.listen('bench');
const bot = programBot(
  module,
  folder,
)({
  BASE_URL: line.url,
  WS_URL: `${line.url.replace('http', 'ws')}/ws`,
  NAME: 'bench',
  API_KEY: line.key,
});
steps.next(`${decisions} decisions`);
const before = process.cpuUsage();
const result = await rethink({ line, hands, rejections: [], answerMs: WAIT_MS, seatMs: WAIT_MS });
const { user, system } = process.cpuUsage(before);
await bot.stop();
await line.close();
if (result.ended !== null) throw new Error(result.ended);
const count = result.decisions.length;
report('rethink', [
  atLeast('decisions asked again', count / result.seconds, 'a second', GOAL),
  told('CPU of the server', (user + system) / count, 'us a decision'),
  told('hands played again', result.hands / result.seconds, 'a second'),
]);
