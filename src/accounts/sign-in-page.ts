import { htmlDocument } from '../gateway/html-page.js';
import { regenerateKey, registerAgent } from '../protocol/rest/accounts.js';
import { followSignInLink, getSession } from '../protocol/rest/sign-in.js';

/**
 * The page that a sign-in link leads to. To read it does nothing: programs that scan mails follow links, and must not
 * use them up. The button does, and then leads on to the API key: of a new agent, or a new one of the agent there is.
 * The token stands behind the #, so no server on the way sees it, and it leaves the address at once.
 */
export const SIGN_IN_SCRIPT = `
const $ = (id) => document.getElementById(id);
const say = (text) => { $('say').textContent = text; };
const show = (id, shown) => { $(id).hidden = !shown; };
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
history.replaceState(null, '', location.pathname);

/** Why a request was refused, in words. */
const wordsOf = ({ status }, { detail }) => {
  if (status === 429) return 'Too many attempts. Wait a minute, then try again.';
  if (status === 401) return 'You are signed out. Please ask for a new link.';
  return (Array.isArray(detail) ? detail.map(({ msg }) => msg).join('; ') : detail) + '.';
};

/** The answer's body, or null when the page has said why there is none. */
const ask = async (button, method, path, body) => {
  button.disabled = true;
  try {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    const reply = await answer.json();
    if (answer.ok) return reply;
    say(wordsOf(answer, reply));
    if (reply.detail === 'Invalid invite code') show('invited', true);
  } catch {
    say('The server cannot be reached. Please try again.');
  } finally {
    button.disabled = false;
  }
  return null;
};

/** What somebody who is signed in can do. */
const welcome = ({ email, agent_name: name, key_ended: ended }) => {
  show('enter', false);
  show('on', true);
  show('register', name === null);
  show('renew', name !== null);
  say('You are signed in as ' + email + '. ' + (name === null ? 'Register your bot:' : 'Your agent is ' + name + '. ' + (ended
    ? 'Its API key was made before this address was verified, so it is no longer good.'
    : 'If its API key is lost or stolen, make a new one: the old one ends at once.')));
};

const showKey = (text, key) => {
  show('register', false);
  show('renew', false);
  say(text + ' This is its API key. It is shown this once: keep it.');
  $('secret').textContent = key;
  // Browsers have a clipboard for pages that came over TLS.
  show('copy', globalThis.navigator?.clipboard !== undefined);
  show('key', true);
};

$('enter').addEventListener('click', async () => {
  const reply = await ask($('enter'), 'POST', '${followSignInLink.path}', { token });
  if (reply !== null) welcome(reply);
});
$('register').addEventListener('submit', async (event) => {
  event.preventDefault();
  const invite_code = $('invite').value.trim();
  const body = { name: $('name').value.trim(), terms_accepted: $('terms').checked, ...(invite_code === '' ? {} : { invite_code }) };
  const reply = await ask($('send'), 'POST', '${registerAgent.path}', body);
  if (reply !== null) showKey(reply.name + ' is registered.', reply.api_key);
});
$('renew').addEventListener('click', async () => {
  const reply = await ask($('renew'), 'POST', '${regenerateKey.path}');
  if (reply !== null) showKey('There is a new key.', reply.api_key);
});
$('copy').addEventListener('click', async () => {
  await navigator.clipboard.writeText($('secret').textContent);
  $('copy').textContent = 'Copied';
});

if (token === '') {
  say('Open the link of the mail to sign in.');
  show('enter', false);
  ask($('enter'), 'GET', '${getSession.path}').then((session) => { if (session?.signed_in) welcome(session); });
}`;

const BODY = `<h1>Agent Poker</h1>
<p id="say" role="status">Sign in on this device?</p>
<button type="button" id="enter">Sign in</button>
<form id="register" hidden>
<label for="name">Name of the bot</label>
<input id="name" required minlength="3" maxlength="32" pattern="[a-zA-Z0-9_]+" title="Letters, digits and _" autocomplete="off" autocapitalize="off" spellcheck="false">
<small>3 to 32 letters, digits and _; everybody at the table sees it</small>
<div id="invited" hidden>
<label for="invite">Invite code</label>
<input id="invite" maxlength="128" autocomplete="off" spellcheck="false">
</div>
<label class="check"><input type="checkbox" id="terms" required> I accept the Terms of Service</label>
<button id="send">Register</button>
</form>
<button type="button" id="renew" hidden>Make a new API key</button>
<section id="key" hidden>
<pre id="secret"></pre>
<button type="button" id="copy">Copy</button>
<p>Bots send it as <code>Authorization: Bearer KEY</code>. How to play: <a href="/docs">the documents</a>.</p>
</section>
<p id="on" hidden><a href="/">To the start page</a></p>`;

export const signInPage = htmlDocument({ title: 'Sign in to Agent Poker', body: BODY, script: SIGN_IN_SCRIPT });
