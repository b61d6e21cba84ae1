import { whole } from '../src/command/options.js';
import { bench } from './benches.js';
import { measureAcks } from './relay/acks.js';
import { atMost, quantile, report, told } from './report.js';

/* A relay's addition to the time from a message to its answer. */

const options = bench(
  'relay',
  {
    seconds: whole('measured', 20, { least: 1 }),
    bots: whole('connected to their home, and as many to the other node', 50, { least: 1 }),
  },
  ({ seconds }) => seconds + 4,
);

const { local, relayed } = await measureAcks(options);
const figures = [
  atMost('relayed − local, p50', quantile(relayed, 0.5) - quantile(local, 0.5), 'ms', 0.5),
  told('message to answer, local, p50', quantile(local, 0.5), 'ms'),
  told('message to answer, relayed, p50', quantile(relayed, 0.5), 'ms'),
  told('message to answer, local, p99', quantile(local, 0.99), 'ms'),
  told('message to answer, relayed, p99', quantile(relayed, 0.99), 'ms'),
  told('messages', local.length + relayed.length, ''),
];
process.exitCode = report('relay', figures) ? 0 : 1;
