import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ReplayHand } from '../../src/formats/hand.js';
import { stepsOf, type Step } from '../game/steps.js';
import { spoilers } from '../lib/settings.js';

export const SPEEDS = [1, 2, 3, 4] as const;
export type Speed = (typeof SPEEDS)[number];

/** How long a step stays at each speed, in ms. */
const STAYS: Readonly<Record<Speed, number>> = { 1: 1200, 2: 700, 3: 350, 4: 150 };

export interface Replay {
  steps: readonly Step[];
  /** The same with all cards that are known. */
  known: readonly Step[];
  at: number;
  /** The step that was shown before, where the next one follows it. */
  before: Step | null;
  playing: boolean;
  speed: Speed;
  /** Cards of others lie face down until they are shown, and nothing tells of later steps. */
  hides: boolean;
  go: (at: number) => void;
  /** From where it stands now: keys may come faster than pictures. */
  step: (by: number) => void;
  play: (on: boolean) => void;
  setSpeed: (speed: Speed) => void;
  setHides: (on: boolean) => void;
}

/** Where a replay stands; the address says it, too (`#12`, `#flop`, `#result`). */
export function useReplay(hand: ReplayHand): Replay {
  const hides = spoilers.value === 'hidden';
  const known = useMemo(() => stepsOf(hand), [hand]);
  const steps = useMemo(() => (hides ? stepsOf(hand, { hideOthers: true }) : known), [known, hides]);
  const [at, setAt] = useState(() => stepAt(steps, location.hash));
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(2);
  const last = useRef(at);
  const place = useRef(at);
  place.current = at;
  const before = at === last.current + 1 ? (steps[last.current] ?? null) : null;
  const go = (next: number) => {
    const bounded = Math.max(0, Math.min(steps.length - 1, next));
    last.current = place.current;
    place.current = bounded;
    setAt(bounded);
    history.replaceState(history.state, '', `#${steps[bounded]!.id}`);
  };
  const step = (by: number) => go(place.current + by);
  useEffect(() => {
    last.current = 0;
    setPlaying(false);
    const shown = stepAt(steps, location.hash);
    setAt(shown);
    // The address names the step that is shown.
    if (location.hash !== '') history.replaceState(history.state, '', `#${steps[shown]!.id}`);
  }, [hand]);
  useEffect(() => {
    const look = () => setAt(stepAt(steps, location.hash));
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, [steps]);
  useEffect(() => {
    if (!playing) return;
    if (at >= steps.length - 1) return setPlaying(false);
    const timer = setTimeout(() => go(at + 1), STAYS[speed]);
    return () => clearTimeout(timer);
  }, [playing, at, speed, steps]);
  const play = (on: boolean) => {
    if (on && at >= steps.length - 1) go(0);
    setPlaying(on);
  };
  const setHides = (on: boolean) => {
    spoilers.value = on ? 'hidden' : 'shown';
  };
  return { steps, known, at, before, playing, speed, hides, go, step, play, setSpeed, setHides };
}

/** The step of an address. A number beyond the last action is the result, and any other unknown name is the deal. */
function stepAt(steps: readonly Step[], hash: string): number {
  const name = hash.slice(1);
  const found = steps.findIndex(({ id }) => id === name);
  if (found < 0 && /^\d+$/.test(name)) return steps.length - 1;
  return Math.max(0, found);
}
