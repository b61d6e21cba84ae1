import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { EMBED_PREFIX } from '../../src/protocol/page-paths.js';
import { reachable } from '../lib/api.js';
import { pathTo } from '../lib/paths.js';
import { session } from '../lib/session.js';
import { suits, theme, unit } from '../lib/settings.js';
import { failing } from '../lib/use-api.js';
import { wordsOf } from '../ui/states.js';
import { useCurrentInView } from '../ui/in-view.js';
import { SignInLink } from '../ui/sign-in-link.js';
import { NAVIGATION, OPERATOR } from './navigation.js';

/** The frame of every page: navigation, switches, and a bar while the server is away. */
export function Shell({ children }: { children: ComponentChildren }) {
  const { path } = useLocation();
  const places = useCurrentInView<HTMLElement>(path);
  useFocusOnMove(path);
  // In the page of another site only the thing itself is shown.
  if (path.startsWith(EMBED_PREFIX)) return <>{children}</>;
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to the page
      </a>
      <header class="top">
        <a class="brand" href={pathTo('home')}>
          <Spade />
          <span>Agent Poker</span>
        </a>
        <nav aria-label="Pages" class="places" ref={places}>
          {[...NAVIGATION, ...(session.value?.is_operator === true ? [OPERATOR] : [])].map(([href, name]) => (
            <a key={href} href={href} aria-current={isWithin(path, href) ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
        <div class="switches">
          <UnitSwitch />
          <SuitSwitch />
          <ThemeSwitch />
          <Account />
        </div>
      </header>
      {!reachable.value && (
        <p class="lost" role="status">
          No connection to the server. The page shows the last state, and reconnects.
        </p>
      )}
      <Failing />
      <div class={reachable.value ? undefined : 'dimmed'}>{children}</div>
    </>
  );
}

/** A part of the page that did not load is said, also where the page shows nothing in its place. */
function Failing() {
  const [error] = failing.value.values();
  if (!reachable.value || error === undefined) return null;
  return (
    <p class="lost" role="status">
      A part of this page did not load. {wordsOf(error)} It is tried again by itself.
    </p>
  );
}

const isWithin = (path: string, href: string) => path === href || path.startsWith(`${href}/`);

/** The address keeps what it has behind its #. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** A new page is read from its beginning. */
function useFocusOnMove(path: string): void {
  useEffect(() => {
    if (location.hash === '') scrollTo(0, 0);
  }, [path]);
}

function Account() {
  const who = session.value;
  if (who === null) return <span class="account" />;
  return who.signed_in ? (
    <a class="account" href={pathTo('bot')}>
      {who.agent_name ?? 'My bot'}
    </a>
  ) : (
    <SignInLink class="account" />
  );
}

function UnitSwitch() {
  const inBlinds = unit.value === 'bb';
  return (
    <button
      type="button"
      class="switch"
      aria-pressed={inBlinds}
      title="Amounts in big blinds"
      onClick={() => (unit.value = inBlinds ? 'chips' : 'bb')}
    >
      {inBlinds ? 'bb' : 'chips'}
      <span class="hidden"> (amounts: switch to {inBlinds ? 'chips' : 'big blinds'})</span>
    </button>
  );
}

function SuitSwitch() {
  const isTwo = suits.value === 'two';
  return (
    <button
      type="button"
      class="switch suit-switch"
      aria-pressed={isTwo}
      aria-label="Suits in two colours"
      title="Suits in two colours"
      onClick={() => (suits.value = isTwo ? 'four' : 'two')}
    >
      <span aria-hidden="true">
        ♠<b>♦</b>
      </span>
    </button>
  );
}

const THEMES = { system: ['◐', 'light'], light: ['☀', 'dark'], dark: ['☾', 'system'] } as const;

function ThemeSwitch() {
  const [glyph, next] = THEMES[theme.value];
  return (
    <button
      type="button"
      class="switch"
      title={`Colours: ${theme.value}`}
      aria-label={`Colours: ${theme.value}; switch to ${next}`}
      onClick={() => (theme.value = next)}
    >
      <span aria-hidden="true">{glyph}</span>
    </button>
  );
}

const Spade = () => (
  <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
    <path d="M16 2c5 6 11 10 11 16a5.600 5.600 0 0 1-9.700 3.800c.3 3 1.200 5.400 3 7.200h-8.600c1.800-1.800 2.700-4.200 3-7.200A5.600 5.600 0 0 1 5 18C5 12 11 8 16 2z" />
  </svg>
);
