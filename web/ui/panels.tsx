import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Tabs } from './tabs.js';

export type Panel = readonly [key: string, name: string, content: ComponentChildren];

/** Parts that stand below each other where there is room, and are tabs on a phone (play.css). */
export function Panels({ label, panels }: { label: string; panels: readonly Panel[] }) {
  const [chosen, choose] = useState('');
  const shown = panels.some(([key]) => key === chosen) ? chosen : (panels[0]?.[0] ?? '');
  return (
    <aside class="replay-side" aria-label={label}>
      {panels.length > 1 && <Tabs label={label} tabs={panels} shown={shown} show={choose} />}
      {panels.map(([key, , content]) => (
        <div key={key} class={`panel panel-${key}${key === shown ? '' : ' behind'}`}>
          {content}
        </div>
      ))}
    </aside>
  );
}
