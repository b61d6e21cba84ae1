import { useEffect, useState } from 'preact/hooks';
import type { Action, Hand } from '../../sdk/typescript/src/hand.js';
import { useKeys } from '../replay/keys.js';
import type { OpenTurn } from './play.js';

interface BarProps {
  /** Null where it is somebody else's. */
  turn: OpenTurn | null;
  amount: (chips: number) => string;
  act: (action: Action) => void;
}

/** The legal actions of this turn, as buttons. The kit's hand says it; here is no rule of poker. */
export function ActionBar({ turn, amount, act }: BarProps) {
  const hand = turn?.hand ?? null;
  const [wanted, want] = useState(0);
  useEffect(() => want(hand?.minRaise ?? 0), [hand]);
  const raiseTo = hand === null ? 0 : clamp(wanted, hand.minRaise, hand.maxRaise);
  const raise = () => hand?.canRaise && act(hand.raiseTo(raiseTo));
  useKeys({
    f: hand?.canFold ? () => act(hand.fold()) : undefined,
    c: hand ? () => act(hand.call()) : undefined,
    r: hand?.canRaise ? () => void raise() : undefined,
    a: hand?.canAllIn ? () => act(hand.allIn()) : undefined,
  });
  const bets = hand !== null && hand.highestBet === 0;
  return (
    <div class="action-bar" role="group" aria-label="Your action">
      <div class="controls">
        {hand === null && (
          <button type="button" class="quiet" disabled>
            Wait for your turn.
          </button>
        )}
        {hand?.canFold && (
          <button type="button" class="quiet" onClick={() => act(hand.fold())}>
            Fold
          </button>
        )}
        {hand?.canCheck && (
          <button type="button" class="main" onClick={() => act(hand.check())}>
            Check
          </button>
        )}
        {hand?.canCall && (
          <button type="button" class="main" onClick={() => act(hand.call())}>
            Call {amount(hand.toCall)}
          </button>
        )}
        {hand?.canRaise && (
          <button type="button" class="main" onClick={() => raise()}>
            {bets ? `Bet ${amount(raiseTo)}` : `Raise to ${amount(raiseTo)}`}
          </button>
        )}
        {hand?.canAllIn && (
          <button type="button" class="quiet" onClick={() => act(hand.allIn())}>
            All-in {amount(hand.stack)}
          </button>
        )}
      </div>
      {hand?.canRaise && <Size hand={hand} value={raiseTo} onValue={want} />}
      <p class="soft keys">Keys: f fold, c check or call, r raise, a all-in.</p>
    </div>
  );
}

function Size({ hand, value, onValue }: { hand: Hand; value: number; onValue: (chips: number) => void }) {
  const { minRaise: min, maxRaise: max } = hand;
  const presets = [
    ['Min', min],
    ['½ pot', hand.raisePot(0.5).amount ?? min],
    ['Pot', hand.raisePot().amount ?? max],
    ['Max', max],
  ] as const;
  return (
    <div class="raise-size">
      <input
        type="range"
        aria-label="Raise to"
        min={min}
        max={max}
        value={value}
        onInput={({ currentTarget }) => onValue(Number(currentTarget.value))}
      />
      <input
        type="number"
        aria-label="Raise to, in chips"
        min={min}
        max={max}
        value={value}
        onChange={({ currentTarget }) => {
          const chips = clamp(Math.round(Number(currentTarget.value)) || min, min, max);
          onValue(chips);
          currentTarget.value = String(chips);
        }}
      />
      {presets.map(([name, chips]) => (
        <button key={name} type="button" class="quiet" onClick={() => onValue(chips)}>
          {name}
        </button>
      ))}
    </div>
  );
}

const clamp = (chips: number, min: number, max: number) => Math.min(max, Math.max(min, chips));
