import { useRef, useState } from 'preact/hooks';
import { Confirm, type Asking } from './dialog.js';

/** An action of a menu: its word there, and what it asks. */
export interface Choice extends Asking {
  label: string;
}

const ROOM_PX = 4;

/** The actions of a row behind one button. The list lies above the page, so that no box cuts it off. */
export function Menu({ of, choices, done }: { of: string; choices: readonly Choice[]; done: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [asked, setAsked] = useState<Choice | null>(null);
  if (choices.length === 0) return null;
  const place = () => {
    const [from, own] = [button.current!.getBoundingClientRect(), list.current!];
    const below = from.bottom + ROOM_PX + own.offsetHeight < innerHeight;
    own.style.left = `${Math.max(ROOM_PX, from.right - own.offsetWidth)}px`;
    own.style.top = `${Math.max(ROOM_PX, below ? from.bottom + ROOM_PX : from.top - ROOM_PX - own.offsetHeight)}px`;
  };
  const toggle = () => {
    list.current!.togglePopover();
    if (!list.current!.matches(':popover-open')) return;
    place();
    list.current!.querySelector('button')!.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="quiet"
        aria-haspopup="menu"
        aria-label={`Actions for ${of}`}
        onClick={toggle}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      <div ref={list} popover="auto" role="menu" aria-label={`Actions for ${of}`} class="menu" onKeyDown={step}>
        {choices.map((choice) => (
          <button
            key={choice.label}
            type="button"
            role="menuitem"
            class={choice.danger === true ? 'quiet bad' : 'quiet'}
            onClick={() => {
              list.current!.hidePopover();
              setAsked(choice);
            }}
          >
            {choice.label}
          </button>
        ))}
      </div>
      {asked !== null && (
        <Confirm
          {...asked}
          onClose={(ended) => {
            setAsked(null);
            button.current?.focus();
            if (ended) done();
          }}
        />
      )}
    </>
  );
}

/** Arrow keys go from one action to the next, and around. */
function step(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const way = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (way === 0) return;
  event.preventDefault();
  const items = [...event.currentTarget.querySelectorAll('button')];
  const now = items.findIndex((item) => item === document.activeElement);
  items[(now + way + items.length) % items.length]!.focus();
}
