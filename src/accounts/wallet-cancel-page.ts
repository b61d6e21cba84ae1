import { htmlDocument } from '../gateway/html-page.js';
import { cancelWalletChange } from '../protocol/rest/wallets.js';

/**
 * The page that the mail about a changed wallet leads to. To read it does nothing, since programs that scan mails follow
 * links; its button takes the change back. The token stands behind the #, and leaves the address at once.
 */
const SCRIPT = `
const $ = (id) => document.getElementById(id);
const say = (text) => { $('say').textContent = text; };
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
history.replaceState(null, '', location.pathname);

const wordsOf = ({ status }, { detail }) =>
  status === 429 ? 'Too many attempts. Wait a minute, then try again.' : (Array.isArray(detail) ? 'Invalid link' : detail) + '.';

const cancelled = ({ wallet_address: wallet, withdrawals_returned: returned, key_ended: ended }) => {
  $('ask').hidden = true;
  $('new').hidden = !ended;
  say('The change is taken back. ' + (wallet === null ? 'The agent has no wallet.' : 'The wallet is ' + wallet + ' again.') +
    (returned === 0 ? '' : ' Withdrawals that went back to the balance: ' + returned + '.') +
    (ended ? ' The API key has ended.' : ''));
};

$('ask').addEventListener('submit', async (event) => {
  event.preventDefault();
  $('send').disabled = true;
  try {
    const body = JSON.stringify({ token, end_key: $('end').checked });
    const answer = await fetch('${cancelWalletChange.path}', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const reply = await answer.json();
    if (answer.ok) cancelled(reply);
    else say(wordsOf(answer, reply));
  } catch {
    say('The server cannot be reached. Please try again.');
  } finally {
    $('send').disabled = false;
  }
});

if (token === '') {
  say('Open the link of the mail about your wallet.');
  $('ask').hidden = true;
}`;

const BODY = `<h1>Agent Poker</h1>
<p id="say" role="status">Take the change of your wallet back? Withdrawals that wait go back to your balance.</p>
<form id="ask">
<label class="check"><input type="checkbox" id="end" checked> I did not change it: the API key ends, too</label>
<button id="send">Take the change back</button>
</form>
<p id="new" hidden><a href="/sign-in">Sign in to make a new key</a></p>`;

export const walletCancelPage = htmlDocument({ title: 'Your wallet at Agent Poker', body: BODY, script: SCRIPT });
