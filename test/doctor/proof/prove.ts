import type { StartBot } from '../../../src/doctor/bot.js';
import type { Case } from '../../../src/doctor/case.js';
import { examine, type CaseOutcome } from '../../../src/doctor/examine.js';
import { Gate } from '../../../src/doctor/examine.js';
import { DEFECTS, type Defect } from './defects.js';
import { faultyBot } from './faulty-bot.js';

/** Faulty bots of this process answer at once: what does not come in so many ms does not come. */
const FAULTY = { parallel: 48, patienceMs: 16_000, clockMs: 8000 };
/** Sound bots must pass, however busy the machine. */
const SOUND = { parallel: 8, patienceMs: 20_000, clockMs: 6000 };
/** Faulty bots at a time. */
const BOTS = 3;

export interface ProofResult {
  /** By defect: the cases that found it. */
  found: ReadonlyMap<Defect, readonly string[]>;
  /** Cases that found nothing. */
  useless: readonly string[];
  /** By sound bot: what was found all the same. */
  alarms: ReadonlyMap<string, readonly string[]>;
  /** By sound bot: cases with a situation that did not come about. */
  notReached: ReadonlyMap<string, readonly string[]>;
}

export interface SoundBot {
  name: string;
  start: StartBot;
}

export interface ProofSettings {
  cases: readonly Case[];
  sound: readonly SoundBot[];
  defects?: readonly Defect[];
  signal?: AbortSignal;
  /** After each bot, with the cases that found something. */
  onBot?: (name: string, by: readonly string[], done: number) => void;
}

/** Examines sound bots, which must pass, and faulty bots, which must all be found. */
export async function prove(settings: ProofSettings): Promise<ProofResult> {
  const { cases, sound, signal, onBot, defects = Object.keys(DEFECTS) as Defect[] } = settings;
  const alarms = new Map<string, readonly string[]>();
  const notReached = new Map<string, readonly string[]>();
  let done = 0;
  const common = { cases, gate: new Gate(), ...(signal && { signal }) };
  for (const { name, start } of sound) {
    const outcomes = await examine({ ...common, ...SOUND, start });
    alarms.set(name, outcomes.filter(isFound).map(described));
    notReached.set(
      name,
      outcomes.filter(({ reached, notApplicable }) => !reached && notApplicable === null).map((each) => each.case.name),
    );
    onBot?.(name, alarms.get(name)!, ++done);
  }
  const found = new Map<Defect, readonly string[]>();
  const queue = [...defects];
  const work = async (): Promise<void> => {
    const defect = queue.shift();
    if (defect === undefined) return;
    const outcomes = await examine({ ...common, ...FAULTY, start: faultyBot(defect) });
    found.set(
      defect,
      outcomes.filter(isFound).map((outcome) => outcome.case.name),
    );
    onBot?.(defect, found.get(defect)!, ++done);
    return work();
  };
  await Promise.all(Array.from({ length: BOTS }, work));
  const useful = new Set([...found.values()].flat());
  const useless = cases.map(({ name }) => name).filter((name) => !useful.has(name));
  return { found, useless, alarms, notReached };
}

const isFound = ({ verdict }: CaseOutcome): boolean => verdict !== 'passed';

const described = ({ case: { name }, findings }: CaseOutcome): string =>
  `${name}: ${findings.map(({ text }) => text).join(' ')}`;
