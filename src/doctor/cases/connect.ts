import { casesOf, type Case } from '../case.js';
import { CaseFailure, fromBot, NotReached, toBot, type Exam } from '../exam.js';
import { connecting, hasEnded } from './steps.js';
import { BOT_KEY } from '../server/private-server.js';

const RETRY_SECONDS = 1;
/** A bot that asks this often within a few seconds has no pause between attempts. */
const MOST_ATTEMPTS = 6;

/** The bot keeps asking; sooner or later it is let in. */
async function refusedFirst(exam: Exam, refusal: Parameters<typeof refuse>[1], times: number): Promise<void> {
  refuse(exam, refusal, times);
  await exam.connects('a connection, after the attempts that were refused');
  await exam.plays();
}

function refuse(exam: Exam, refusal: { status: number; retryAfter?: number } | 'reset', times: number): void {
  exam.wire.admit = (attempt) => {
    if (attempt > times) return null;
    if (refusal === 'reset') return refusal;
    const { status, retryAfter } = refusal;
    return { status, ...(retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } }) };
  };
}

/** Registration is refused: the bot ends, or asks again with pauses. */
async function registers(exam: Exam, status: number, detail: string): Promise<void> {
  exam.wire.answer = (_count, path) =>
    path.startsWith('/api/register')
      ? { status, headers: { 'retry-after': String(RETRY_SECONDS) }, body: JSON.stringify({ detail }) }
      : null;
  exam.mayEnd = true;
  exam.start({ withKey: false });
  const asked = ({ from, text }: { from: string; text: string }) => from === 'doctor' && text.includes('/api/register');
  const registered = await exam.seen('POST /api/register', asked);
  exam.advise(registered !== null, 'Without API_KEY in its environment it does not register.');
  if (registered === null) return;
  await exam.pass(2500);
  const { length } = exam.wire.requests;
  exam.expect(length <= MOST_ATTEMPTS, `It asked ${length} times in some 2 s, and was answered ${status} each time.`);
  exam.expect(exam.wire.attempts.length === 0, 'It opened a WebSocket without a key.');
}

/** First contact: registering, connecting, joining. */
export const connectCases: readonly Case[] = casesOf('connect', [
  {
    name: 'plays',
    done: 'Nothing: an ordinary table with two opponents.',
    sound: 'It connects, joins the lobby, sits down and answers its turns.',
    heading: 'From the lobby to a seat',
    run: async (exam) => {
      await exam.connects();
      await exam.joins();
      await exam.sits();
      await exam.plays(6);
    },
  },
  {
    name: 'key-in-header',
    done: 'The way in which the bot shows its API key is looked at.',
    sound: 'The key stands in the Authorization header, never in the URL, where proxies log it.',
    heading: 'Connecting',
    run: async (exam) => {
      let [url, header] = ['', ''];
      exam.wire.admit = (_attempt, request) => {
        [url, header] = [request.url ?? '', request.headers.authorization ?? ''];
        return null;
      };
      exam.start();
      await exam.see('a connection', ({ from, text }) => from === 'doctor' && text.startsWith('the bot opens'));
      exam.expect(!url.includes(BOT_KEY), 'The API key is in the URL.');
      exam.expect(/^bearer /i.test(header), 'There is no header "Authorization: Bearer API_KEY".');
      await exam.connects();
    },
  },
  {
    name: 'registers',
    done: 'The bot is started without API_KEY.',
    sound: 'It registers over REST, once, and connects with the key of the answer.',
    heading: 'Connecting',
    mayEnd: true,
    run: async (exam) => {
      exam.start({ withKey: false });
      const connected = await exam.seen('a connection', toBot('connected'));
      if (connected === null) {
        const refused = exam.wire.requests.find(({ status }) => status >= 400);
        if (refused !== undefined) throw new CaseFailure(`${refused.path} is answered ${refused.status}.`);
        exam.advise(false, 'Without API_KEY in its environment it does not register.');
        return;
      }
      const { registered } = exam.server;
      exam.expect(registered.length === 1, `It registered ${registered.length} times.`);
      exam.mayEnd = false;
      await exam.plays();
    },
  },
  {
    name: 'register-rate-limited',
    done: 'POST /api/register is answered 429 with Retry-After, each time.',
    sound: 'It waits as long as Retry-After says, or gives up. It does not retry without pauses.',
    heading: 'REST',
    run: (exam) => registers(exam, 429, 'Too many requests'),
  },
  {
    name: 'register-unavailable',
    done: 'POST /api/register is answered 503 with Retry-After, each time.',
    sound: 'It asks again later, or gives up with a message. It does not retry without pauses.',
    heading: 'REST',
    run: (exam) => registers(exam, 503, 'The database is away; try again'),
  },
  {
    name: 'register-in-time',
    done: 'The first POST /api/register is answered 429 with Retry-After: 1. The second request succeeds.',
    sound: 'It registers after Retry-After, and plays. Or it gives up with a message.',
    heading: 'REST',
    mayEnd: true,
    run: async (exam) => {
      const headers = { 'retry-after': String(RETRY_SECONDS) };
      const body = '{"detail":"Too many requests"}';
      exam.wire.answer = (count) => (count === 1 ? { status: 429, headers, body } : null);
      exam.start({ withKey: false });
      await exam.seen('an end, or a connection', (entry) => toBot('connected')(entry) || hasEnded(entry));
      const [first, second] = exam.wire.requests;
      if (first === undefined || second === undefined) throw new NotReached();
      const waited = second.at - first.at;
      exam.expect(
        waited >= 900 * RETRY_SECONDS,
        `It asked again after ${Math.round(waited)} ms, though Retry-After said ${RETRY_SECONDS} s.`,
      );
      exam.mayEnd = false;
      await exam.plays();
    },
  },
  {
    name: 'register-name-taken',
    done: 'POST /api/register is answered 409: the name is taken.',
    sound: 'It ends with a message, or tries another name. It does not retry without pauses.',
    heading: 'REST',
    run: (exam) => registers(exam, 409, 'Agent name already taken'),
  },
  {
    name: 'server-away-at-start',
    done: 'The first two connections break before the WebSocket is open.',
    sound: 'It tries again, with pauses, until the server is there.',
    heading: 'Close codes',
    run: (exam) => refusedFirst(exam, 'reset', 2),
  },
  {
    name: 'refused-429',
    done: 'The first two attempts to open the WebSocket are answered 429 with Retry-After: 1.',
    sound: 'It tries again later, with pauses.',
    heading: 'Limits of a socket',
    run: (exam) => refusedFirst(exam, { status: 429, retryAfter: RETRY_SECONDS }, 2),
  },
  {
    name: 'refused-503',
    done: 'The first two attempts to open the WebSocket are answered 503.',
    sound: 'It tries again later, with pauses.',
    heading: 'Close codes',
    run: (exam) => refusedFirst(exam, { status: 503 }, 2),
  },
  {
    name: 'growing-pauses',
    done: 'After the first seat the server is away for six seconds: every attempt breaks.',
    sound: 'The pauses between its attempts grow. It is back soon after the server.',
    heading: 'Close codes',
    mayTimeOut: true,
    run: async (exam) => {
      await exam.seated();
      const before = exam.wire.attempts.length;
      exam.wire.admit = () => 'reset';
      exam.line.cut();
      await exam.pass(6000);
      const tried = exam.wire.attempts.length - before;
      exam.expect(tried <= 10, `It tried ${tried} times in 6 s: pauses do not grow.`);
      exam.wire.admit = () => null;
      await exam.connects('a connection once the server is back');
      await exam.plays();
    },
  },
  {
    name: 'bad-key',
    done: 'The server refuses the key: error auth_failed, then close code 4001.',
    sound: 'It stops. The same key will be refused for ever.',
    heading: 'Close codes',
    mayEnd: true,
    run: async (exam) => {
      exam.wire.toBot = (text, frame, line) => {
        if (frame?.type !== 'connected') return [text];
        line.inject({ type: 'error', code: 'auth_failed', message: 'Invalid or missing API key' });
        line.close(4001, 'unauthorized');
        return [];
      };
      exam.start();
      await exam.see('a connection', toBot('error'));
      await exam.never('It connected again with a key that was refused', connecting, 3000);
    },
  },
  {
    name: 'slow-welcome',
    done: 'The server takes 2.5 s to answer the WebSocket handshake.',
    sound: 'It waits, without a second connection.',
    heading: 'Connecting',
    run: async (exam) => {
      exam.wire.welcomeMs = 2500;
      await exam.connects();
      exam.expect(exam.wire.attempts.length === 1, `It opened ${exam.wire.attempts.length} connections meanwhile.`);
      await exam.plays();
    },
  },
  {
    name: 'long-wait-in-lobby',
    done: 'No table has a seat for two seconds and a half.',
    sound: 'It waits for table_joined: one join_lobby is enough.',
    heading: 'From the lobby to a seat',
    situation: null,
    run: async (exam) => {
      await exam.connects();
      await exam.joins();
      await exam.never('It sent join_lobby again while it waited', fromBot('join_lobby'), 2500);
      exam.server.openTable();
      await exam.sits();
      await exam.plays();
    },
  },
]);
