import { createHash } from 'node:crypto';
import type { Page } from '../gateway/router.js';
import { followSignInLink } from '../protocol/rest/sign-in.js';

/**
 * The page that a sign-in link leads to. To read it does nothing: programs that scan mails follow links, and must not use
 * them up. The button does. The token stays out of the history, and no referrer carries it on.
 */
export const signInPages: Readonly<Record<string, Page>> = {
  [followSignInLink.path]: () => ({ status: 200, headers: HEADERS, body: PAGE }),
};

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 15vh auto; padding: 0 1rem; color: #1b1f24; }
button { font: inherit; padding: .5rem 1.5rem; }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6edf3; } }`;

export const SCRIPT = `
const button = document.querySelector('button');
const say = (text) => { document.querySelector('p').textContent = text; };
const token = new URLSearchParams(location.search).get('token') ?? '';
history.replaceState(null, '', location.pathname);
button.addEventListener('click', async () => {
  button.disabled = true;
  try {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(location.pathname, { method: 'POST', headers, body: JSON.stringify({ token }) });
    if (answer.ok) {
      say('You are signed in as ' + (await answer.json()).email + '.');
      button.remove();
    } else if (answer.status === 429) {
      say('Too many attempts. Wait a minute, then try again.');
      button.disabled = false;
    } else {
      say('This link has expired or was used before. Please ask for a new one.');
    }
  } catch {
    say('The server cannot be reached. Please try again.');
    button.disabled = false;
  }
});`;

const hashed = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src ${hashed(STYLE)}; script-src ${hashed(SCRIPT)}; connect-src 'self'; ` +
    `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>Sign in to Agent Poker</title><style>${STYLE}</style></head>
<body>
<h1>Agent Poker</h1>
<p>Sign in on this device?</p>
<button type="button">Sign in</button>
<noscript>This page needs JavaScript.</noscript>
<script>${SCRIPT}</script>
</body>
</html>
`;
