import { count } from '../lib/format.js';

/** How far somebody has come since: up, down or nowhere; nothing where it is not known. */
export function Movement({ from, to }: { from: number | null; to: number }) {
  if (from === null)
    return (
      <span class="soft" title="Not known">
        –
      </span>
    );
  const places = from - to;
  if (places === 0)
    return (
      <span class="soft" title="The same place">
        =
      </span>
    );
  const up = places > 0;
  return (
    <span class={`figure ${up ? 'gain' : 'loss'}`} title={`From place ${count(from)}`}>
      <span aria-hidden="true">{up ? '▲' : '▼'} </span>
      <span class="hidden">{up ? 'up' : 'down'} </span>
      {count(Math.abs(places))}
    </span>
  );
}
