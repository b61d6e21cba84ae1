import { useEffect, useRef } from 'preact/hooks';
import { cardSign, cardWords } from '../game/card-words.js';
import type { LogLine } from '../game/words.js';

export interface LoggedLine extends LogLine {
  key: string;
  /** The step that it tells of. */
  step: number;
}

interface LogProps {
  lines: readonly LoggedLine[];
  label: string;
  /** Lines of this step are marked, and scrolled to. */
  at: number;
  onJump?: (step: number) => void;
}

/** The events in words, one line each. */
export function Log({ lines, label, at, onJump }: LogProps) {
  const box = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const list = box.current;
    const marked = [...(list?.querySelectorAll<HTMLElement>('[aria-current]') ?? [])];
    const [first, last] = [marked[0], marked.at(-1)];
    if (!list || !first || !last) return;
    // All of the step where there is room, its beginning where there is not.
    const top = first.offsetTop - list.offsetTop;
    const end = last.offsetTop + last.offsetHeight - list.offsetTop;
    const scrolled = Math.max(list.scrollTop, end - list.clientHeight);
    list.scrollTop = Math.min(scrolled, top);
  }, [at, lines.length]);
  return (
    <ol class="log" ref={box} aria-label={label} tabIndex={0}>
      {lines.map((line) => (
        <li key={line.key} class={`log-${line.kind}`} aria-current={line.step === at ? 'step' : undefined}>
          {onJump ? (
            <button type="button" class="log-line" onClick={() => onJump(line.step)}>
              <Words line={line} />
            </button>
          ) : (
            <span class="log-line">
              <Words line={line} />
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

const Words = ({ line: { name, text, cards } }: { line: LogLine }) => (
  <>
    {name !== null && <span class="log-name">{name}</span>}
    <span class="log-text">
      {text}
      {cards.map((card) => (
        <CardText key={card} card={card} />
      ))}
    </span>
  </>
);

/** A card in a line of text. */
export const CardText = ({ card }: { card: string }) => (
  <span class={`card ${card[1] ?? ''}`} role="img" aria-label={cardWords(card)}>
    {cardSign(card)}
  </span>
);
