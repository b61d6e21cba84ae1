import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { Empty } from '../ui/states.js';
import type { PassedFrame } from './play.js';

const WAYS = { in: '← from the server', out: '→ from your bot' };

/** Everything that was said on the socket, raw; the list can be held to read in it. */
export function FrameList({ frames }: { frames: Signal<readonly PassedFrame[]> }) {
  const held = useSignal<readonly PassedFrame[] | null>(null);
  const shown = held.value ?? frames.value;
  if (shown.length === 0) {
    return (
      <Empty>
        <p>Nothing has been said yet.</p>
      </Empty>
    );
  }
  return (
    <>
      <div class="row filters">
        <p class="soft">The newest first: ← from the server, → from your bot. Open one to read all of it.</p>
        <button
          type="button"
          class="quiet"
          aria-pressed={held.value !== null}
          onClick={() => (held.value = held.value === null ? frames.peek() : null)}
        >
          {held.value === null ? 'Pause the list' : 'Go on'}
        </button>
      </div>
      <ol class="mishaps passed" aria-label="Messages on the socket">
        {shown.map((frame) => (
          <Passed key={frame.id} frame={frame} />
        ))}
      </ol>
    </>
  );
}

/** Hours are of no use here. */
const timeOf = (at: number) => new Date(at).toISOString().slice(14, 23);

function Passed({ frame: { way, type, text, at } }: { frame: PassedFrame }) {
  const open = useSignal(false);
  return (
    <li class={way}>
      <details onToggle={({ currentTarget }) => (open.value = currentTarget.open)}>
        <summary>
          <time>{timeOf(at)}</time>
          <span class="kind">
            <span title={WAYS[way]} aria-hidden="true">
              {way === 'in' ? '←' : '→'}
            </span>
            <span class="hidden">{WAYS[way]}</span> {type}
          </span>
          <code class="what">{text}</code>
        </summary>
        {open.value && (
          <div class="frames">
            <figure class="frame">
              <pre tabIndex={0} aria-label="The message">
                <code>{JSON.stringify(JSON.parse(text), null, 2)}</code>
              </pre>
            </figure>
          </div>
        )}
      </details>
    </li>
  );
}
