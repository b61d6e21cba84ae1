import { measured, type Sample } from './figures.js';
import type * as worlds from './world.js';

/** The events of all nodes, or of one. */
export const EVENTS = ['kill', 'rollingRestart', 'coldStart'] as const;
export type ShareEvent = (typeof EVENTS)[number];

export interface RunPlan {
  /** From the start until anything is measured, and so long is measured before the first event. */
  settleMs: number;
  steadyMs: number;
  events: readonly ShareEvent[];
}

export interface Run {
  steady: Sample;
  /** By event: five minutes in steps, and the five after. */
  after: Partial<Record<ShareEvent, { steps: Sample[]; later: Sample }>>;
}

const STEP_MS = 30_000;
const STEPS = 10;
const MINUTE = 60_000;

/** One world: measured while bots come and go, and after each event. */
export function runShare({ inShareWorld }: typeof worlds, options: worlds.ShareOptions, plan: RunPlan): Promise<Run> {
  return inShareWorld(options, async (world) => {
    await world.begin(plan.settleMs);
    const steady = await world.measure(plan.steadyMs);
    const after: Run['after'] = {};
    for (const event of plan.events) {
      await world[event]();
      const steps: Sample[] = [];
      for (let step = 0; step < STEPS; step++) steps.push(await world.measure(STEP_MS));
      after[event] = { steps, later: await world.measure(5 * MINUTE) };
    }
    return { steady, after };
  });
}

/** So long after an event (ms) the share of local pairs was `goal` again, in all runs together; Infinity: not in time. */
export function backAfterMs(runs: readonly Run[], event: ShareEvent, goal: number): number {
  for (let step = 0; step < STEPS; step++) {
    const samples = runs.map(({ after }) => after[event]!.steps[step]!);
    if (measured(samples).local >= goal) return (step + 1) * STEP_MS;
  }
  return Infinity;
}
