import { htmlPage } from '../gateway/html-page.js';
import type { Page } from '../gateway/router.js';
import { followSignInLink } from '../protocol/rest/sign-in.js';

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

const BODY = `<h1>Agent Poker</h1>
<p>Sign in on this device?</p>
<button type="button">Sign in</button>`;

/**
 * The page that a sign-in link leads to. To read it does nothing: programs that scan mails follow links, and must not use
 * them up. The button does. The token stays out of the history, and no referrer carries it on.
 */
export const signInPages: Readonly<Record<string, Page>> = {
  [followSignInLink.path]: htmlPage({ title: 'Sign in to Agent Poker', body: BODY, script: SCRIPT }),
};
