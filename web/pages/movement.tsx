import { count } from '../lib/format.js';
import { movementTexts as texts } from '../texts/public.js';

/** How far somebody has come since: up, down or nowhere; nothing where it is not known. */
export function Movement({ from, to }: { from: number | null; to: number }) {
  if (from === null)
    return (
      <span class="soft" title={texts.notKnown}>
        –
      </span>
    );
  const places = from - to;
  if (places === 0)
    return (
      <span class="soft" title={texts.theSamePlace}>
        =
      </span>
    );
  const up = places > 0;
  return (
    <span class={`figure ${up ? 'gain' : 'loss'}`} title={texts.fromPlace(count(from))}>
      <span aria-hidden="true">{up ? '▲' : '▼'} </span>
      <span class="hidden">{up ? texts.up : texts.down} </span>
      {count(Math.abs(places))}
    </span>
  );
}
