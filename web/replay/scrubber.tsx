import type { Step } from '../game/steps.js';
import { STREET_NAMES } from '../game/words.js';

interface ScrubberProps {
  steps: readonly Step[];
  at: number;
  words: string;
  /** Ticks of later steps do not say what they are. */
  secret: boolean;
  go: (at: number) => void;
}

/** A tick for every step, with marks for streets, all-ins, big pots and the result. */
export function Scrubber({ steps, at, words, secret, go }: ScrubberProps) {
  const last = Math.max(1, steps.length - 1);
  const told = secret ? steps.slice(0, at + 1) : steps;
  const biggest = Math.max(...told.map(({ event }) => (event.kind === 'action' ? event.chips : 0)));
  return (
    <div class="scrubber">
      <svg class="ticks" viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">
        {steps.map(({ id, event }, i) => {
          const x = 8 + (984 * i) / last;
          const kind = secret && i > at && event.kind === 'action' ? 'action' : kindOf(event, biggest);
          return (
            <line key={id} class={`tick tick-${kind}${i <= at ? ' past' : ''}`} x1={x} x2={x} y1={TOPS[kind]} y2="24" />
          );
        })}
      </svg>
      <input
        type="range"
        min="0"
        max={steps.length - 1}
        value={at}
        aria-label="Place in the hand"
        aria-valuetext={words}
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
      <div class="street-marks">
        {steps.flatMap(({ street, event }, i) =>
          event.kind === 'action'
            ? []
            : [
                <button
                  key={street}
                  type="button"
                  style={{ left: `${0.8 + (98.4 * i) / last}%` }}
                  aria-current={steps[at]?.street === street ? 'step' : undefined}
                  onClick={() => go(i)}
                >
                  {STREET_NAMES[street]}
                </button>,
              ],
        )}
      </div>
    </div>
  );
}

type TickKind = 'action' | 'fold' | 'all-in' | 'big' | 'street';
const TOPS: Readonly<Record<TickKind, number>> = { street: 4, 'all-in': 7, big: 9, action: 14, fold: 18 };

function kindOf(event: Step['event'], biggest: number): TickKind {
  if (event.kind !== 'action') return 'street';
  if (event.allIn) return 'all-in';
  if (event.chips > 0 && event.chips === biggest) return 'big';
  return event.chips === 0 ? 'fold' : 'action';
}
