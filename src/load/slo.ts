import { Misuse } from '../command/options.js';

/** The grammar as help and docs tell it. */
export const SLO_GRAMMAR = `--slo takes goals with commas between them, each a NAME, one of < <= > >=, and a value:
  ack.mean ack.p50 ack.p90 ack.p99 ack.p99.9 ack.max   from action to action_ack: 5ms, 800us, 1s
  errors      rejections, error messages, sockets refused or ended by the server, actions without an answer, over the
              whole run: 0.1% of the actions sent, or a number: 5
  hands       a second: 250/s              bots          connected at the end: 600
  reconnects  over the whole run: 0        server.cpu    a hand, with --metrics: 1.5ms`;

/** The figures of goals and their units. The first one is the figure's own. */
const UNITS = {
  'ack.mean': ['ms', 'us', 's'],
  'ack.p50': ['ms', 'us', 's'],
  'ack.p90': ['ms', 'us', 's'],
  'ack.p99': ['ms', 'us', 's'],
  'ack.p99.9': ['ms', 'us', 's'],
  'ack.max': ['ms', 'us', 's'],
  errors: ['', '%'],
  hands: ['/s'],
  bots: [''],
  reconnects: [''],
  'server.cpu': ['ms', 'us', 's'],
} as const;

export type SloName = keyof typeof UNITS;
const NAMES = Object.keys(UNITS) as SloName[];

const MS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 };
const MEETS = {
  '<': (value: number, goal: number) => value < goal,
  '<=': (value: number, goal: number) => value <= goal,
  '>': (value: number, goal: number) => value > goal,
  '>=': (value: number, goal: number) => value >= goal,
} as const;

export interface Slo {
  /** As it was written. */
  text: string;
  name: SloName;
  operator: keyof typeof MEETS;
  /** In ms where it is a time, in percent with `percent`. */
  goal: number;
  percent: boolean;
}

export interface JudgedSlo {
  text: string;
  /** The measured value, in ms or percent as the goal; null if there is nothing to judge. */
  value: number | null;
  met: boolean;
}

/** Figures by name; `errors` is the count, and `errorsPercent` of what was sent. Null: not measured. */
export type SloFigures = Readonly<Record<SloName | 'errorsPercent', number | null>>;

/** Reads goals as the grammar has them. Throws Misuse in one line. */
export const readSlos = (text: string): Slo[] => text.split(',').map((each) => readSlo(each.trim()));

function readSlo(text: string): Slo {
  const wrong = (what: string) => new Misuse(`${what} in ${JSON.stringify(text)}: such as "ack.p99<5ms,errors<0.1%"`);
  const [, word = '', operator = '', digits = '', unit = ''] =
    /^([a-z][a-z0-9.]*)\s*(<=|>=|<|>)\s*(\d+(?:\.\d+)?)\s*([a-z%/]*)$/.exec(text) ?? [];
  if (word === '') throw wrong('wants a name, one of < <= > >= and a number');
  const name = NAMES.find((each) => each === word);
  if (name === undefined) throw wrong(`knows ${NAMES.join(' ')}, not ${word}`);
  const units: readonly string[] = UNITS[name];
  if (!units.includes(unit)) throw wrong(`wants ${units.map((each) => each || 'no unit').join(' or ')} behind ${name}`);
  return {
    text,
    name,
    operator: operator as keyof typeof MEETS,
    goal: Number(digits) * (MS[unit] ?? 1),
    percent: unit === '%',
  };
}

/** A figure that was not measured is missed. */
export function judge(slos: readonly Slo[], figures: SloFigures): JudgedSlo[] {
  return slos.map(({ text, name, operator, goal, percent }) => {
    const value = figures[percent ? 'errorsPercent' : name];
    return { text, value, met: value !== null && MEETS[operator](value, goal) };
  });
}
