import type { StartBot } from '../bot.js';
import type { Case } from '../case.js';
import { examine, type Outcome } from '../examine.js';
import { DEFECTS, type Defect } from './defects.js';
import { faultyBot } from './faulty-bot.js';

/** Bots of this process answer at once: what does not come in so many ms does not come. */
const PATIENCE_MS = 8000;
const CLOCK_MS = 2500;
/** Cases of one bot at a time; most of their time they wait. */
const PARALLEL = 48;
/** Faulty bots at a time. */
const BOTS = 3;

/** Cases that no faulty bot fails, since libraries take care of them; they guard against hand-made ones. */
export const GUARDING: readonly string[] = ['network/split', 'network/fragments'];

export interface Proof {
  /** By defect: the cases that found it. */
  found: ReadonlyMap<Defect, readonly string[]>;
  /** Cases that found nothing, and are not listed as guarding. */
  useless: readonly string[];
  /** By sound bot: what was found all the same. */
  alarms: ReadonlyMap<string, readonly string[]>;
  /** By sound bot: cases whose situation did not come about. */
  notReached: ReadonlyMap<string, readonly string[]>;
}

export interface SoundBot {
  name: string;
  start: StartBot;
  /** A program of its own: it takes its time, and the machine's. */
  program: boolean;
}

export interface ProofSettings {
  cases: readonly Case[];
  sound: readonly SoundBot[];
  defects?: readonly Defect[];
  signal?: AbortSignal;
  /** After each bot, with what was found of it. */
  onBot?: (name: string, findings: number, done: number) => void;
}

/** Examines sound bots, of which nothing may be found, and faulty ones, of which each must be found. */
export async function prove(settings: ProofSettings): Promise<Proof> {
  const { cases, sound, signal, onBot, defects = Object.keys(DEFECTS) as Defect[] } = settings;
  const alarms = new Map<string, readonly string[]>();
  const notReached = new Map<string, readonly string[]>();
  let done = 0;
  const common = { cases, ...(signal && { signal }) };
  for (const { name, start, program } of sound) {
    const speed = program
      ? { parallel: 8, patienceMs: 15_000, clockMs: 5000 }
      : { parallel: PARALLEL, patienceMs: PATIENCE_MS, clockMs: CLOCK_MS };
    const outcomes = await examine({ ...common, ...speed, start });
    alarms.set(name, outcomes.filter(isFound).map(described));
    notReached.set(
      name,
      outcomes.filter(({ reached }) => !reached).map((outcome) => outcome.case.name),
    );
    onBot?.(name, alarms.get(name)!.length, ++done);
  }
  const found = new Map<Defect, readonly string[]>();
  const queue = [...defects];
  const work = async (): Promise<void> => {
    const defect = queue.shift();
    if (defect === undefined) return;
    const speed = { parallel: PARALLEL, patienceMs: PATIENCE_MS, clockMs: CLOCK_MS };
    const outcomes = await examine({ ...common, ...speed, start: faultyBot(defect) });
    found.set(
      defect,
      outcomes.filter(isFound).map((outcome) => outcome.case.name),
    );
    onBot?.(defect, found.get(defect)!.length, ++done);
    return work();
  };
  await Promise.all(Array.from({ length: BOTS }, work));
  const useful = new Set([...found.values()].flat());
  const useless = cases.map(({ name }) => name).filter((name) => !useful.has(name) && !GUARDING.includes(name));
  return { found, useless, alarms, notReached };
}

const isFound = ({ verdict }: Outcome): boolean => verdict !== 'passed';

const described = ({ case: { name }, findings }: Outcome): string =>
  `${name}: ${findings.map(({ text }) => text).join(' ')}`;
