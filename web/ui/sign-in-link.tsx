import type { ComponentChildren } from 'preact';
import { pathTo } from '../lib/paths.js';
import { forgetWay, keepWay, wayBack } from '../lib/way-back.js';

/** A link to the sign-in page. The mail's link leads back to the page that is open now. */
export const SignInLink = ({ children = 'Sign in', ...more }: { children?: ComponentChildren; class?: string }) => (
  <a href={pathTo('signIn')} onClick={keepWay} {...more}>
    {children}
  </a>
);

/** To the page that the reader left to sign in; nothing without one. */
export function BackLink() {
  const to = wayBack();
  if (to === null || to === location.pathname) return null;
  return (
    <a class="button main" href={to} onClick={forgetWay}>
      Back to where you were
    </a>
  );
}
