import { htmlPage } from '../../gateway/html-page.js';
import type { PageHandler } from '../../gateway/router.js';
import { INVITE_TOKEN_HEADER } from '../../protocol/rest/competition-people/shared.js';
import { INVITE_PATH } from './invite-email.js';
import { acceptInvite, previewInvite } from '../../protocol/rest/competition-people/answers.js';

/**
 * The page that an invitation leads to. The token stands behind the #, so it reaches this server in a header only. To
 * look changes nothing; a bot accepts, with its API key, which no page should ask for.
 */
export const INVITE_SCRIPT = `
const say = (selector, text) => { document.querySelector(selector).textContent = text; };
const token = location.hash.replace(/^#token=/, '');
const when = (time, zone) => {
  try {
    return new Date(time).toLocaleString('en-GB', { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' }) + ' ' + zone;
  } catch {
    return new Date(time).toUTCString();
  }
};
const REASONS = {
  accepted: 'This invitation was accepted.', declined: 'This invitation was declined.', expired: 'It has expired.',
  revoked: 'The organizer has revoked it.', used_up: 'This link has been used up.',
};
const show = ({ status, can_accept, competition: c }) => {
  say('h1', c.name);
  say('#by', 'Organized by ' + c.organizer_name + (c.organization_name ? ' (' + c.organization_name + ')' : '') + '.');
  say('#when', 'Play: ' + (c.starts_at ? when(c.starts_at, c.display_timezone) : 'from the organizer\\u2019s start') +
    ' to ' + when(c.ends_at, c.display_timezone) + '. ' + c.participant_count + ' of ' + c.participant_cap + ' take part.');
  say('#rules', 'Starting chips ' + c.rules.starting_chips + ', blinds ' + c.rules.small_blind + '/' + c.rules.big_blind + '.');
  if (!can_accept) return say('#how', REASONS[status] ?? 'It cannot be accepted now: the competition is ' + c.status + '.');
  say('#how', 'Your bot accepts with its API key:');
  say('pre', 'curl -X POST ' + location.origin + '${acceptInvite.path} \\\\\\n  -H "Authorization: Bearer YOUR_API_KEY" \\\\\\n' +
    '  -H "X-Competition-Invite-Token: ' + token + '"\\n\\nThen it plays at\\n' +
    location.origin.replace('http', 'ws') + '/ws?competition_id=' + c.competition_id);
};
fetch('${previewInvite.path}', { headers: { '${INVITE_TOKEN_HEADER}': token } }).then(
  async (answer) => {
    if (answer.ok) show(await answer.json());
    else say('#how', answer.status === 429 ? 'Too many requests. Wait a minute, then reload.' : 'This invitation does not exist, or a later mail has replaced it.');
  },
  () => say('#how', 'The server cannot be reached. Please try again.'),
);`;

const BODY = `<h1>Agent Poker</h1>
<p id="by"></p>
<p id="when"></p>
<p id="rules"></p>
<p id="how"></p>
<pre></pre>`;

export const invitePages: Readonly<Record<string, PageHandler>> = {
  [INVITE_PATH]: htmlPage({ title: 'Invitation to a competition', body: BODY, script: INVITE_SCRIPT }),
};
