import { bench, Steps } from './benches.js';
import { atMost, median, report, told, type Figure } from './report.js';
import { BenchTable, type Played } from './table-play.js';

/* The cost of a hand at a table, without sockets, threads and database (table-play.ts). */

bench('table', {});
const ROUNDS = 7;
const HANDS_A_ROUND = 1500;

function measure(stateHash: boolean, lean = false): { cost: number[]; played: Played } {
  const table = new BenchTable({ stateHash }, lean);
  table.play(HANDS_A_ROUND);
  const cost: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = table.played.cpuMs;
    table.play(HANDS_A_ROUND);
    cost.push((table.played.cpuMs - before) / HANDS_A_ROUND);
  }
  return { cost, played: table.played };
}

const steps = new Steps(3);
steps.next('without hashes');
const without = measure(false);
steps.next('with hashes');
const hashed = measure(true);
steps.next('lean frames');
const lean = measure(true, true);
const { played } = hashed;
const figures: Figure[] = [
  atMost('CPU a six-player hand, no hashes', median(without.cost), 'ms', 0.3),
  atMost('CPU a six-player hand, state_hash on', median(hashed.cost), 'ms', 0.65),
  told('best round, no hashes', Math.min(...without.cost), 'ms'),
  told('best round, state_hash on', Math.min(...hashed.cost), 'ms'),
  told('lean players: CPU a hand', median(lean.cost), 'ms'),
  told('best round, lean', Math.min(...lean.cost), 'ms'),
  told('actions a hand', played.actions / played.hands, ''),
  told('frames a hand', played.frames / played.hands, ''),
  told('bytes a hand', played.bytes / played.hands, ''),
];
process.exitCode = report('table', figures) ? 0 : 1;
