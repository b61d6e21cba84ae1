import { flag, oneOf } from '../src/command/options.js';
import { bench, Steps } from './benches.js';
import { costFigures, flatFigures, messageFigures, outageFigures, paperFigures } from './nodes/figures.js';
import { playFlat } from './nodes/flat.js';
import { playMessages, STEPS_OF_MESSAGES } from './nodes/messages.js';
import { OUTAGES, playOutages } from './nodes/outages.js';
import { playSides, stepsOfSides } from './nodes/sides.js';
import { measureAcks } from './relay/acks.js';
import { atMost, quantile, report, show, type Figure } from './report.js';

/*
 * Several nodes on one database, as processes. Measures a hand's cost beside separate platforms, its messages and
 * statements, the delay of a relay, and a node's death as players see it. Nodes, database and bots share the cores of
 * one machine.
 */

const PARTS = ['costs', 'messages', 'statements', 'relay', 'outages'] as const;
type Part = (typeof PARTS)[number];

/** Seconds on two quiet cores. */
const TAKES: Record<Part, number> = { costs: 300, messages: 70, statements: 180, relay: 20, outages: 200 };
const QUICK_TAKES = 180;

const options = bench(
  'nodes',
  {
    part: oneOf('only this one, and nothing is written', PARTS, null),
    quick: flag('all parts with few tables, for seconds, as a check that they work; nothing is written'),
  },
  ({ part, quick }) => {
    const all = Object.values(TAKES).reduce((sum, seconds) => sum + seconds, 0);
    return (part === null ? all : TAKES[part]) * (quick ? QUICK_TAKES / all : 1);
  },
);

const FULL = {
  costs: { counts: [2, 3], tables: 60, rounds: 4, seconds: 3, warmUpSeconds: 10 },
  messages: { bots: 120, seconds: 10 },
  statements: { counts: [1, 2, 4, 8], tables: 36, thinkMs: 100, seconds: 10 },
  relay: { seconds: 12, bots: 50 },
  outages: { of: OUTAGES, tables: 24, seconds: 10 },
};
// A pool is local everywhere once its host has 48 players: 8 tables.
const QUICK: typeof FULL = {
  costs: { counts: [2], tables: 16, rounds: 1, seconds: 1, warmUpSeconds: 2 },
  messages: { bots: 120, seconds: 3 },
  statements: { counts: [1, 2], tables: 16, thinkMs: 50, seconds: 3 },
  relay: { seconds: 2, bots: 10 },
  outages: { of: OUTAGES.slice(1, 2), tables: 24, seconds: 6 },
};
const { costs, messages, statements, relay, outages } = options.quick ? QUICK : FULL;

interface Play {
  steps: number;
  figures: (steps: Steps) => Promise<Figure[]>;
}

const PLAYS: Record<Part, Play> = {
  costs: {
    steps: costs.counts.length * stepsOfSides(costs.rounds),
    figures: async (steps) => {
      const figures: Figure[] = [];
      for (const nodes of costs.counts) {
        const sides = await playSides({ nodes, ...costs }, steps);
        figures.push(...costFigures(nodes, sides));
        if (nodes === costs.counts.at(-1)) figures.push(...paperFigures(sides));
      }
      return figures;
    },
  },
  messages: {
    steps: STEPS_OF_MESSAGES,
    figures: async (steps) => {
      const { asTheyCame, later } = await playMessages(messages, steps);
      return messageFigures(messages.bots, asTheyCame, later);
    },
  },
  statements: {
    steps: statements.counts.length,
    figures: async (steps) => flatFigures(await playFlat(statements, steps)),
  },
  relay: {
    steps: 1,
    figures: async (steps) => {
      steps.next('relays');
      const { local, relayed } = await measureAcks(relay);
      const added = quantile(relayed, 0.5) - quantile(local, 0.5);
      return [atMost('ack of a relayed player − of a local one, p50', added, 'ms', 0.5)];
    },
  },
  outages: {
    steps: outages.of.length,
    figures: async (steps) => outageFigures(await playOutages(outages.of, outages, steps)),
  },
};

const parts = PARTS.filter((part) => options.part === null || options.part === part);
const steps = new Steps(parts.reduce((sum, part) => sum + PLAYS[part].steps, 0));
const figures: Figure[] = [];
for (const part of parts) figures.push(...(await PLAYS[part].figures(steps)));
process.exitCode = (options.part === null && !options.quick ? report : show)('nodes', figures) ? 0 : 1;
