import { useEffect, useMemo, useState } from 'preact/hooks';
import { unseenIn, useEquities, type EquityBySeat } from '../equity/ask.js';
import type { ReplayHand } from '../../src/formats/hand.js';
import type { ActionEvent, Step } from '../game/steps.js';
import type { TableView } from '../table/view.js';
import { linesOf, sentence } from '../game/words.js';
import { amountText } from '../lib/amount.js';
import { copy } from '../lib/copy.js';
import { percent } from '../lib/format.js';
import { Stage } from '../table/stage.js';
import { Log, type LoggedLine } from '../table/log.js';
import { KeysDialog } from '../ui/keys-dialog.js';
import { Panels, type Panel } from '../ui/panels.js';
import { useKeys } from './keys.js';
import { Scrubber } from './scrubber.js';
import { StreetEquity } from './street-equity.js';
import { SPEEDS, useReplay, type Replay, type Speed } from './use-replay.js';

const KEYS = [
  ['← →', 'one step back, one step on'],
  ['Home End', 'the deal, the result'],
  ['↑ ↓', 'the hand before, the next hand of the table or file'],
  ['Space', 'play, pause'],
  ['1 … 4', 'speed'],
  ['f', 'no spoilers: cards and the result are hidden till they are shown'],
  ['c', 'copy the link to this moment'],
  ['?', 'this list'],
] as const;

interface ReplayerProps {
  hand: ReplayHand;
  /** Beside the log: proof, downloads; with `secret` nothing that tells how the hand ends. */
  panels?: (secret: boolean) => readonly Panel[];
  /** To the hand before or after this one. */
  onHand?: (by: 1 | -1) => void;
  /** Which of the two there are; both where it is left out. */
  beside?: { before: unknown; after: unknown };
  /** A picture with its scrubber and no more. */
  compact?: boolean;
  /** The address that a link to this step has, without its #. */
  link: string | null;
}

export function Replayer({ hand, panels, onHand, beside, compact = false, link }: ReplayerProps) {
  const replay = useReplay(hand);
  const { steps, known, at, before, playing, hides } = replay;
  const step = steps[at] ?? steps[0]!;
  const amount = amountText(hand.bigBlind, hand.unit);
  const nameOf = (seat: number) => hand.players.find((player) => player.seat === seat)?.name ?? `seat ${seat + 1}`;
  const lines = useMemo(
    () => [...linesOfSteps(steps, nameOf, amount), ...rakeLine(hand, steps.length - 1, amount)],
    [steps, amount(1)],
  );
  const secret = hides && at < steps.length - 1;
  const counts = !compact || at === steps.length - 1;
  const [equity = {}] = useEquities([counts ? step.view : null]);
  const words = lines
    .filter((line) => line.step === at)
    .map(sentence)
    .join(' ');
  const [help, setHelp] = useState(false);
  const [copied, copyLink] = useCopy(link === null ? null : `${link}?at=${step.id}#${step.id}`);
  const byHand = (by: 1 | -1) => onHand && (() => onHand(by));
  useKeys({
    ArrowLeft: () => replay.step(-1),
    ArrowRight: () => replay.step(1),
    Home: () => replay.go(0),
    End: () => replay.go(steps.length - 1),
    ArrowUp: byHand(-1),
    ArrowDown: byHand(1),
    ' ': () => replay.play(!playing),
    f: () => replay.setHides(!hides),
    c: link === null ? undefined : copyLink,
    '?': compact ? undefined : () => setHelp(true),
    ...Object.fromEntries(SPEEDS.map((speed) => [String(speed), () => replay.setSpeed(speed)])),
  });
  return (
    <div class={compact ? 'replayer compact' : 'replayer'}>
      <div class="replay-table">
        <Stage
          view={withoutEmpty(step.view)}
          before={before && withoutEmpty(before.view)}
          step={step.id}
          equity={equity}
          amount={amount}
        />
        <p class="odds">{oddsOf(step, steps[at + 1], nameOf, amount, equity)}</p>
        <Scrubber steps={steps} at={at} words={words} secret={secret} go={replay.go} />
        <Controls replay={replay} onHand={onHand} beside={beside} onHelp={compact ? null : () => setHelp(true)} />
        <p class="hidden" aria-live="polite">
          {playing ? '' : words}
        </p>
      </div>
      {!compact && (
        <Panels
          label="About this hand"
          panels={[
            [
              'log',
              'What happened',
              <>
                <Log
                  lines={secret ? lines.filter((line) => line.step <= at) : lines}
                  label="What happened"
                  at={at}
                  onJump={replay.go}
                />
                {link !== null && (
                  <button type="button" class="quiet" onClick={copyLink}>
                    {copied ? 'Copied' : 'Copy the link to this moment'}
                  </button>
                )}
              </>,
            ],
            ['equity', 'Equity', <StreetEquity steps={secret ? steps.slice(0, at + 1) : known} nameOf={nameOf} />],
            ...(panels?.(secret) ?? []),
          ]}
        />
      )}
      {help && <KeysDialog keys={KEYS} close={() => setHelp(false)} />}
    </div>
  );
}

/** A hand that is over has nothing to say of seats that nobody took. */
const withoutEmpty = (view: TableView): TableView => ({
  ...view,
  seats: view.seats.filter(({ name }) => name !== null),
});

function linesOfSteps(
  steps: readonly Step[],
  nameOf: (seat: number) => string,
  amount: (chips: number) => string,
): LoggedLine[] {
  return steps.flatMap(({ id, event }, step) =>
    linesOf(event, { nameOf, amount }).map((line, i) => ({ ...line, key: `${id} ${i}`, step })),
  );
}

/** The rake of the pot. */
const rakeLine = ({ rake }: ReplayHand, step: number, amount: (chips: number) => string): LoggedLine[] =>
  rake === 0 ? [] : [{ kind: 'note', text: `The rake is ${amount(rake)}`, name: null, cards: [], key: 'rake', step }];

/** The price of the next player's call, and how often it must win. */
function oddsOf(
  { view }: Step,
  next: Step | undefined,
  nameOf: (seat: number) => string,
  amount: (chips: number) => string,
  equity: EquityBySeat,
): string {
  if (next?.event.kind !== 'action' || next.event.price <= 0) return '\u00a0';
  const { seat, price, pot }: ActionEvent = next.event;
  const has = equity[seat];
  const words = `${nameOf(seat)} pays ${amount(price)} to win ${amount(pot)}: must win ${percent(price / (pot + price))} of the time.`;
  return has === undefined
    ? words
    : `${words} Wins ${percent(has.share)}${unseenIn(view) === 0 ? '' : ' against the cards that are seen'}.`;
}

function Controls(props: {
  replay: Replay;
  onHand: ReplayerProps['onHand'];
  beside: ReplayerProps['beside'];
  onHelp: (() => void) | null;
}) {
  const { replay, onHand, beside, onHelp } = props;
  const { at, steps, playing, speed } = replay;
  return (
    <div class="controls">
      {onHand && (
        <button type="button" class="quiet" disabled={beside?.before === null} onClick={() => onHand(-1)}>
          Hand before
        </button>
      )}
      <button
        type="button"
        class="quiet"
        aria-label="One step back"
        disabled={at === 0}
        onClick={() => replay.go(at - 1)}
      >
        ◀
      </button>
      <button type="button" class="main" onClick={() => replay.play(!playing)}>
        {playing ? 'Pause' : 'Play'}
      </button>
      <button
        type="button"
        class="quiet"
        aria-label="One step on"
        disabled={at === steps.length - 1}
        onClick={() => replay.go(at + 1)}
      >
        ▶
      </button>
      {onHand && (
        <button type="button" class="quiet" disabled={beside?.after === null} onClick={() => onHand(1)}>
          Next hand
        </button>
      )}
      <label class="speed">
        <span>Speed</span>
        <select value={speed} onChange={(event) => replay.setSpeed(Number(event.currentTarget.value) as Speed)}>
          {SPEEDS.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      <label class="spoiler">
        <input
          type="checkbox"
          checked={replay.hides}
          aria-keyshortcuts="f"
          onChange={(event) => replay.setHides(event.currentTarget.checked)}
        />
        <span>No spoilers</span>
      </label>
      {onHelp && (
        <button type="button" class="quiet" aria-label="Keys" onClick={onHelp}>
          ?
        </button>
      )}
    </div>
  );
}

const COPIED_MS = 1500;

function useCopy(text: string | null): [boolean, () => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return [copied, () => text !== null && void copy(text).then(() => setCopied(true))];
}
