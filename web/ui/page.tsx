import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useCurrentInView } from './in-view.js';

/** The head of a page: its name is the window's title, too. */
export function Page({
  title,
  lead,
  actions,
  children,
  wide = false,
}: {
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children?: ComponentChildren;
  wide?: boolean;
}) {
  useEffect(() => {
    document.title = `${title} · Agent Poker`;
  }, [title]);
  return (
    <main id="main" class={wide ? 'wide-page' : undefined} tabIndex={-1}>
      <header class="page-head">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p class="lead">{lead}</p>}
        </div>
        {actions !== undefined && <div class="row">{actions}</div>}
      </header>
      {children}
    </main>
  );
}

export function Section({
  title,
  aside,
  children,
  id,
}: {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
  id?: string;
}) {
  return (
    <section id={id} class="section">
      <div class="section-head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Figures side by side, each with its name below. */
export function Figures({ of }: { of: readonly (readonly [string, ComponentChildren, string?])[] }) {
  return (
    <dl class="figures">
      {of.map(([name, value, title]) => (
        <div key={name} title={title}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Where a page has parts with addresses of their own. */
export function Tabs({
  label,
  tabs,
  path,
}: {
  label: string;
  tabs: readonly (readonly [string, string])[];
  path: string;
}) {
  const row = useCurrentInView<HTMLElement>(path);
  return (
    <nav class="tabs" aria-label={label} ref={row}>
      {tabs.map(([href, name]) => (
        <a key={href} href={href} aria-current={href === path ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
