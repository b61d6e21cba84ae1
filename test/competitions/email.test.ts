/** The invitation mail followed to the letter by who has nothing but the mail, over a real mail server. */
import t from 'tap';
import { bodyReader } from '../../src/protocol/validation.js';
import { moment } from '../../src/competitions/people/invite-email.js';
import { AcceptInvitation } from '../../src/protocol/rest/competition-people/shared.js';
import { RegisterBody } from '../../src/protocol/rest/accounts.js';
import { stopCluster } from '../support/database.js';
import { EmailSink } from '../support/email-sink.js';
import { TestPlatform } from '../support/platform.js';
import { Player } from '../support/player.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** The words of a shell's line: blanks part them, single quotes keep all, double quotes keep blanks. */
function words(line: string): string[] {
  const found = line.match(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g) ?? [];
  return found.map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single?: string, double?: string, escaped?: string) => {
      return single ?? double ?? escaped ?? '';
    }),
  );
}

/** Does what a line `curl -X METHOD URL -H HEADER… -d BODY` does, through the platform's recorder. */
async function curl(platform: TestPlatform, line: string, more: { headers?: Record<string, string> } = {}) {
  const [program, x, method, url, ...rest] = words(line);
  if (program !== 'curl' || x !== '-X' || !url!.startsWith(platform.url)) throw new Error(`not for us: ${line}`);
  const headers: Record<string, string> = { ...more.headers };
  let body: string | undefined;
  for (let n = 0; n < rest.length; n += 2) {
    const [option, value] = [rest[n], rest[n + 1]!];
    if (option === '-d') body = value;
    else if (option === '-H') headers[value.split(': ', 1)[0]!.toLowerCase()] = value.slice(value.indexOf(': ') + 2);
    else throw new Error(`what is ${option}?`);
  }
  return platform.api(method!, url!.slice(platform.url.length), { headers, ...(body === undefined ? {} : { body }) });
}

const lineWith = (text: string, word: string) => text.split('\n').find((line) => line.includes(word))!;

await t.test('a newcomer follows the mail: registers, accepts, plays', async (t) => {
  const sink = await EmailSink.open(t);
  const platform = await TestPlatform.start(t, {
    SMTP_URL: sink.url,
    MAIL_FROM: 'Agent Poker <dealer@poker.example>',
    LOBBY_GRACE_MS: 20,
  });
  const organizer = await platform.register('organizer');
  const { key } = organizer;
  const starts = new Date('2027-01-15T18:30:00Z');
  const dates = { starts_at: starts.toISOString(), ends_at: '2027-07-15T20:00:00Z' };
  const made = await platform.api('POST', '/api/competitions', {
    key,
    body: { name: 'Autumn cup', display_timezone: 'Europe/Berlin', ...dates },
  });
  const { competition_id: id } = made.body as { competition_id: string };
  const step = async (name: string) =>
    t.match(await platform.api('POST', `/api/competitions/${id}/${name}`, { key }), { status: 200 }, name);
  // An address that a shell would take apart.
  const email = "o'hara+cup@example.com";
  await platform.api('POST', `/api/competitions/${id}/invitations`, { key, body: { emails: [email] } });
  const { text } = (await sink.mailsTo(email))[0]!;
  t.match(text, 'Play begins: Fri 15 January 2027, 19:30 (Europe/Berlin)');
  t.match(text, 'Play ends: Thu 15 July 2027, 22:00 (Europe/Berlin)');
  t.match(text, 'Enrollment has not begun yet', 'it is a draft');
  await step('open-enrollment');

  // 1. An agent, registered with this address.
  t.match(await curl(platform, lineWith(text, 'request-link')), { status: 202 });
  const signIn = (await sink.mailsTo(email, 2))[1]!;
  const [, token = ''] = /token=([\w-]+)/.exec(signIn.text) ?? [];
  const followed = await platform.api('POST', '/api/auth/callback', { body: { token } });
  const cookie = followed.headers.get('set-cookie')!.split(';', 1)[0]!;
  const registered = await platform.api('POST', '/api/register', {
    headers: { cookie },
    body: { name: 'newcomer', terms_accepted: true, email },
  });
  t.match(registered, { status: 201 });
  const { api_key: apiKey, agent_id: agentId } = registered.body as { api_key: string; agent_id: string };

  // 2. Accept: without a body, and with a wrong key not.
  const accept = lineWith(text, 'competition-invites/accept');
  t.match(await curl(platform, accept), { status: 401 }, 'the words in capitals are to be replaced');
  t.match(await curl(platform, accept.replace('YOUR_API_KEY', apiKey)), {
    status: 200,
    body: { agent_id: agentId, status: 'enrolled', display_name: null },
  });

  // 3. Play at the address of the mail.
  const address = new URL(lineWith(text, '/ws?'));
  t.equal(`${address.origin}${address.pathname}`, platform.wsUrl);
  const competitionId = address.searchParams.get('competition_id');
  const player = await Player.open(
    platform,
    { agentId, name: 'newcomer', key: apiKey, seqs: new Map() },
    { competitionId },
  );
  await player.next('connected');
  player.send({ type: 'join_lobby' });
  t.match(await player.next('lobby_joined'), { position: 1 });
  player.ws.terminate();

  // The other name that the mail tells of: as an agent that was there before, which was sent the mail of an open cup.
  const veteran = await platform.register('veteran');
  const address2 = `${veteran.name}@example.com`;
  await platform.api('POST', `/api/competitions/${id}/invitations`, { key, body: { emails: [address2] } });
  const second = (await sink.mailsTo(address2))[0]!;
  t.notMatch(second.text, 'Enrollment has not begun yet');
  const [, option] = /add: (.*)$/m.exec(second.text)!;
  const line = lineWith(second.text, 'competition-invites/accept').replace('YOUR_API_KEY', veteran.key);
  t.match(await curl(platform, `${line} ${option}`), { status: 200, body: { display_name: 'Another name' } });
});

void t.test('a moment is told in the time of the place, summer and winter', (t) => {
  const at = (time: string, zone: string) => moment(new Date(time), zone);
  t.equal(at('2026-12-01T18:30:00Z', 'UTC'), 'Tue 1 December 2026, 18:30 (UTC)');
  t.equal(at('2026-12-31T23:30:00Z', 'Europe/Berlin'), 'Fri 1 January 2027, 00:30 (Europe/Berlin)');
  t.equal(at('2026-07-01T12:00:00Z', 'America/New_York'), 'Wed 1 July 2026, 08:00 (America/New_York)');
  t.end();
});

void t.test('no body is a body of defaults where every field may be left out', (t) => {
  t.same(bodyReader(AcceptInvitation)(' '), {});
  t.throws(() => bodyReader(RegisterBody)(''), { message: 'body: Field required' });
  t.end();
});
