import { setMaxListeners } from 'node:events';
import type { StartBot } from './bot.js';
import type { Case } from './case.js';
import { judgeConduct } from './conduct.js';
import { kitOf, kitText, type KitCount } from './kit.js';
import { Exam, CaseFailure, NotApplicable, NotReached, type Finding } from './exam.js';
import type { Entry } from './wire/transcript.js';
import { setTimeout as sleep } from 'node:timers/promises';

export type CaseVerdict = 'passed' | 'failed' | 'advice';

/** The outcome of one case. */
export interface CaseOutcome {
  case: Case;
  verdict: CaseVerdict;
  findings: readonly Finding[];
  /** The situation did not come about; then nothing is said of the bot. */
  reached: boolean;
  /** Why it could not: the case is about what a lean socket does not read. Else null. */
  notApplicable: string | null;
  /** The kit's own work in it. */
  kit: KitCount;
  /** Everything that was said, in order. */
  entries: readonly Entry[];
  /** The program's last words. */
  output: string;
  ms: number;
}

export interface ExaminationSettings {
  start: StartBot;
  cases: readonly Case[];
  /** Cases at a time. */
  parallel: number;
  patienceMs: number;
  clockMs: number;
  signal?: AbortSignal;
  /** Shared by examinations that run at a time in this process. */
  gate?: Gate;
  /** Called after each case. */
  onOutcome?: (outcome: CaseOutcome, done: number) => void;
}

/** Runs the cases, some at a time. Their outcomes come in the order of the cases. Rejects when it is aborted. */
export async function examine(settings: ExaminationSettings): Promise<CaseOutcome[]> {
  const { cases, parallel, onOutcome, signal, gate = new Gate() } = settings;
  // Each case listens to it.
  if (signal) setMaxListeners(0, signal);
  const outcomes: CaseOutcome[] = [];
  let [next, done] = [0, 0];
  const work = async () => {
    while (next < cases.length) {
      const place = next++;
      await gate.enter();
      signal?.throwIfAborted();
      const outcome = await examineOne(cases[place]!, settings);
      outcomes[place] = outcome;
      onOutcome?.(outcome, ++done);
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: Math.min(parallel, cases.length) }, work));
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
  return outcomes;
}

async function examineOne(each: Case, settings: ExaminationSettings): Promise<CaseOutcome> {
  const { start, patienceMs, clockMs, signal } = settings;
  const began = performance.now();
  const common = { start, patienceMs, clockMs, notLean: each.notLean ?? null, ...(signal && { signal }) };
  const exam = await Exam.open({ ...common, ...each.settings });
  let reached = true;
  let notApplicable: string | null = null;
  try {
    for (const code of each.permits ?? []) exam.permitted.add(code);
    exam.mayEnd = each.mayEnd ?? false;
    exam.mayTimeOut = each.mayTimeOut ?? false;
    if (each.situation !== null) exam.server.openTable(each.situation);
    await each.run(exam);
  } catch (error) {
    if (error instanceof NotReached) reached = false;
    else if (error instanceof NotApplicable) [reached, notApplicable] = [false, error.message];
    else if (error instanceof CaseFailure) exam.findings.push({ kind: 'failed', text: error.message });
    else throw error;
  } finally {
    judgeConduct(exam);
    await exam.close();
  }
  const kit = kitOf(exam);
  if (kit.warned.length > 0) exam.advise(false, kitText(kit));
  const { faults } = exam.server;
  if (faults.length > 0)
    throw new Error(`${each.name}: the private server failed, a fault of the doctor: ${faults.join('; ')}`);
  return {
    case: each,
    verdict: verdictOf(exam.findings),
    findings: exam.findings,
    kit,
    reached,
    notApplicable,
    entries: exam.transcript.entries,
    output: exam.started?.output() ?? '',
    ms: performance.now() - began,
  };
}

function verdictOf(findings: readonly Finding[]): CaseVerdict {
  if (findings.some(({ kind }) => kind === 'failed')) return 'failed';
  return findings.length > 0 ? 'advice' : 'passed';
}

const LOOK_MS = 5;
/** So late a timer may be. */
const LATE_MS = 20;
/** Sooner or later a case begins all the same. */
const MOST_LOOKS = 400;

/**
 * Cases begin one after the other, and none while this process is late. The delay would be taken for the bot's, or hide
 * how often it asks.
 */
export class Gate {
  #last = Promise.resolve();

  enter(): Promise<void> {
    this.#last = this.#last.then(untilCalm);
    return this.#last;
  }
}

async function untilCalm(): Promise<void> {
  for (let n = 0; n < MOST_LOOKS; n++) {
    const before = performance.now();
    await sleep(LOOK_MS);
    if (performance.now() - before <= LOOK_MS + LATE_MS) return;
  }
}
