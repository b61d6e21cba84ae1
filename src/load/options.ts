import { givenPath } from '../command/folders.js';
import { command, flag, Misuse, text, whole, type Option } from '../command/options.js';
import type { Target } from './socket.js';
import { readSlos, SLO_GRAMMAR, type Slo } from './slo.js';

const SIX = 6;

export interface LoadCommand {
  url: string;
  target: Target;
  bots: number;
  inOrder: boolean;
  part: { number: number; of: number };
  pace: number | null;
  thinkMs: number | null;
  /** In percent of the bots. */
  leanPercent: number;
  rampSeconds: number;
  warmUpSeconds: number;
  seconds: number;
  processes: number;
  keys: string | null;
  saveKeys: string | null;
  metrics: string | null;
  json: string | null;
  html: string | null;
  slos: Slo[];
}

/** Reports of parts to be put together. */
export interface MergeCommand {
  files: string[];
  json: string | null;
  html: string | null;
  slos: Slo[];
}

const NOTES = `${SLO_GRAMMAR}

The command registers agents. It waits after a 429. It cannot remove the agents. With --keys it uses agents of your own,
or those of an earlier run. Keys and reports of a run are files in the working directory. --metrics needs ADMIN_KEY in the
environment. With --pace an action counts from its scheduled time, so that a stalled server is not spared (coordinated
omission).
PART.json…: puts the --json reports of all parts of a run together.`;

const slo: Option<Slo[]> = {
  help: 'goals, such as "ack.p99<5ms,errors<0.1%"',
  takes: '"GOALS"',
  shown: '',
  many: false,
  read: ([given]) => (given === undefined ? [] : readSlos(given)),
};

const part: Option<{ number: number; of: number }> = {
  help: 'this process is the second of four that share the run',
  takes: '2/4',
  shown: '1/1',
  many: false,
  read: ([given]) => {
    if (given === undefined) return { number: 1, of: 1 };
    const [number = 0, of = 0] = /^\d{1,4}\/\d{1,4}$/.test(given) ? given.split('/').map(Number) : [];
    if (number >= 1 && number <= of) return { number, of };
    throw new Misuse(`must be such as 2/4, and is ${JSON.stringify(given)}`);
  },
};

const options = {
  url: text('the server, such as http://127.0.0.1:8080', 'URL'),
  bots: whole('bots of the whole run', undefined, { least: 1, most: 100_000, shown: '60' }),
  tables: whole('this number of tables instead, filled one after the other by six bots each', undefined, {
    least: 1,
    most: 20_000,
  }),
  pace: whole('hands a second over all tables; by default as fast as possible', undefined, { least: 1 }),
  think: whole('ms that a bot takes for a turn, in the mean; by default none', undefined, { least: 1, most: 60_000 }),
  lean: flag('all bots read lean frames (protocol.md, "Lean")'),
  'lean-percent': whole('how many bots of a hundred do so, evenly spread', undefined, { least: 1, most: 99 }),
  ramp: whole('seconds over which the bots come', 5, { most: 86_400 }),
  'warm-up': whole('seconds after that before it is measured', 3, { most: 86_400 }),
  for: whole('seconds that are measured', 30, { least: 1 }),
  slo,
  json: text('the report as JSON', 'FILE'),
  html: text('the report as a page', 'FILE'),
  keys: text('API keys of agents, one a line, instead of registering', 'FILE'),
  'save-keys': text('a new file for the keys that are registered', 'FILE'),
  metrics: text('the /metrics of the server: its CPU a hand, commits, event loop', 'URL'),
  part,
  processes: whole('processes of bots; one process plays some 2,000 hands a second', 1, { least: 1, most: 64 }),
};

const path = (file: string | undefined): string | null => (file === undefined ? null : givenPath(file));

export function readCommand(args?: readonly string[]): LoadCommand | MergeCommand {
  const { values, words } = command(
    {
      name: 'npx agent-poker load',
      purpose:
        'Loads a server of this protocol with bots, and measures it. Exit code 1: a goal of --slo is missed, or no bot was\nconnected at the end.',
      takes: 'the sum of --ramp, --warm-up and --for, and some seconds; with the defaults about 40 s',
      options,
      words: '[PART.json…]',
      notes: NOTES,
      check: ({ url, pace, think, lean, bots, tables, keys, metrics, slo: goals, ...others }) => {
        const { 'save-keys': save, 'lean-percent': share } = others;
        if (url !== undefined) targetOf(url);
        if (metrics !== undefined) targetOf(metrics);
        if (pace !== undefined && think !== undefined) throw new Misuse('--pace and --think do not go together');
        if (lean && share !== undefined) throw new Misuse('--lean and --lean-percent do not go together');
        if (bots !== undefined && tables !== undefined) throw new Misuse('--bots and --tables do not go together');
        if (keys !== undefined && save !== undefined) throw new Misuse('--keys and --save-keys do not go together');
        if (goals.some(({ name }) => name === 'server.cpu') && metrics === undefined) {
          throw new Misuse('a goal for server.cpu needs --metrics');
        }
      },
    },
    args,
  );
  const files = { json: path(values.json), html: path(values.html), slos: values.slo };
  if (words.length > 0 && values.url !== undefined) throw new Misuse(`too many words: ${words.join(' ')}`);
  if (words.length > 0) return { files: words.map((word) => path(word)!), ...files };
  const { url, bots, tables, pace, think, ramp, keys, metrics, processes } = values;
  if (url === undefined) throw new Misuse('--url is missing');
  return {
    ...files,
    url,
    part: values.part,
    processes,
    target: targetOf(url),
    bots: tables === undefined ? (bots ?? 10 * SIX) : tables * SIX,
    inOrder: tables !== undefined,
    pace: pace ?? null,
    thinkMs: think ?? null,
    leanPercent: values.lean ? 100 : (values['lean-percent'] ?? 0),
    rampSeconds: ramp,
    warmUpSeconds: values['warm-up'],
    seconds: values.for,
    keys: path(keys),
    saveKeys: path(values['save-keys']),
    metrics: metrics ?? null,
  };
}

/** Where a WebSocket is opened for a URL of REST. Throws Misuse. */
export function targetOf(text: string): Target {
  if (!URL.canParse(text) || !/^https?:/.test(text)) {
    throw new Misuse(`a URL must be such as http://127.0.0.1:8080, and is ${JSON.stringify(text)}`);
  }
  const { protocol, hostname, port, pathname } = new URL(text);
  const tls = protocol === 'https:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (tls ? 443 : 80),
    ...(tls ? { tls } : {}),
    path: `${pathname.replace(/\/+$/, '')}/ws`,
  };
}
