/**
 * The doctor's parts. Every case names its subject and the page that states it, and the wire renumbers a consistent
 * stream. The private server speaks by the schemas, and reports escape every text of a bot.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t from 'tap';
import { programBot } from '../../src/doctor/bot.js';
import type { Case } from '../../src/doctor/case.js';
import { allCases } from '../../src/doctor/cases/index.js';
import { toBot } from '../../src/doctor/exam.js';
import { examine, type CaseOutcome } from '../../src/doctor/examine.js';
import { DEFECTS, type Defect } from './proof/defects.js';
import { faultyBot } from './proof/faulty-bot.js';
import { escaped } from '../../src/command/report.js';
import { htmlReport } from '../../src/doctor/report/html.js';
import { examData, examSummaryOf, verdictLine } from '../../src/doctor/report/summary.js';
import { textReport } from '../../src/doctor/report/text.js';
import { shifted, shiftedBack } from '../../src/doctor/wire/line.js';
import { Transcript } from '../../src/doctor/wire/transcript.js';
import { Wire } from '../../src/doctor/wire/wire.js';
import { FILE_MS, PATIENCE_MS } from '../support/limits.js';
import { recordFrame } from '../support/recorder.js';
import { ownTemporaryFolder } from '../support/temporary.js';

t.setTimeout(FILE_MS);

const page = readFileSync(new URL('../../../docs/protocol.md', import.meta.url), 'utf8');
const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
const CLOCK_MS = PATIENCE_MS / 10;

const casesNamed = (...names: string[]) => names.map((name) => allCases.find((each) => each.name === name)!);
const settings = { parallel: 4, patienceMs: PATIENCE_MS, clockMs: CLOCK_MS };

void t.test('every case has a name of its own and stands under a heading that there is', (t) => {
  t.ok(allCases.length >= 80, `${allCases.length} cases`);
  t.equal(new Set(allCases.map(({ name }) => name)).size, allCases.length);
  for (const { name, done, sound, heading } of allCases) {
    t.match(name, /^[a-z]+\/[\da-z-]+$/);
    t.match(done, /^[A-Za-z].*[.]$/, name);
    t.match(sound, /^[A-Za-z].*[.]$/, name);
    t.ok(headings.includes(heading), `${name} stands under "${heading}"`);
  }
  t.ok(Object.keys(DEFECTS).length >= 40);
  t.end();
});

void t.test('the bot reads numbers that all rise by the same, and what it asks is put back', (t) => {
  const frame = '{"table_seq":7,"to_table_seq":7,"from_table_seq":null,"snapshot":{"table_seq":6,"pot":7}}';
  t.equal(
    shifted(frame, 100),
    '{"table_seq":107,"to_table_seq":107,"from_table_seq":null,"snapshot":{"table_seq":106,"pot":7}}',
  );
  t.equal(shifted(frame, 0), frame);
  t.equal(shiftedBack('{"last_table_seq": 107}', 100), '{"last_table_seq":7}');
  t.equal(shiftedBack('{"last_table_seq":3}', 100), '{"last_table_seq":0}', 'never below nothing');
  t.equal(shiftedBack('{"last_table_seq":null}', 100), '{"last_table_seq":null}');
  t.end();
});

void t.test('what a bot asks of a server that has gone ends its connection, and is noted', async (t) => {
  const gone = await Wire.open('http://127.0.0.1', new Transcript());
  const upstream = gone.baseUrl;
  await gone.close();
  const transcript = new Transcript();
  const wire = await Wire.open(upstream, transcript);
  t.teardown(() => wire.close());
  await t.rejects(fetch(new URL('/api/me', wire.baseUrl)));
  t.match(transcript.entries, [{ from: 'doctor', text: /^GET \/api\/me is not answered: / }]);
});

void t.test('what the private server says are frames of the protocol, in an order that rises', async (t) => {
  const cases = casesNamed('connect/plays', 'cut/hand-passed', 'chips/bust-and-rebuy', 'table/season-ends', 'new/gap');
  for (const outcome of await examine({ ...settings, cases, start: faultyBot(null) })) {
    t.equal(outcome.verdict, 'passed', `${outcome.case.name}: ${outcome.findings.map(({ text }) => text).join(' ')}`);
    const numbers = new Map<string, number>();
    let frames = 0;
    for (const { from, text, line } of outcome.entries) {
      if (from !== 'server') continue;
      frames++;
      const message = recordFrame(text);
      t.notMatch(message, { type: 'player_action', reason: 'timeout' }, 'the opponents answer');
      if (!('table_seq' in message)) continue;
      const stream = `${line} ${message.table_id}`;
      t.ok(message.table_seq > (numbers.get(stream) ?? 0), `${message.type} ${message.table_seq} rises`);
      numbers.set(stream, message.table_seq);
    }
    t.ok(frames > 10, `${outcome.case.name}: ${frames} frames`);
  }
});

void t.test('cards that are stacked are dealt, and the bot sits where it is said', async (t) => {
  const [outcome] = await examine({ ...settings, cases: casesNamed('chips/bust-and-rebuy'), start: faultyBot(null) });
  const frames = outcome!.entries.flatMap(({ from, frame }) => (from === 'server' && frame !== null ? [frame] : []));
  t.same(frames.find(({ type }) => type === 'hole_cards')?.['cards'], ['2c', '7d']);
  t.equal(frames.find(({ type }) => type === 'table_joined')?.['seat'], 0);
  t.equal(frames.find(({ type }) => type === 'hand_start')?.['dealer_seat'], 1);
  t.match(frames.find(({ type }) => type === 'busted')?.['options'], ['rebuy', 'leave']);
});

/** Bots that ask too often, and what they are found by: how often is a matter of how quick the machine is. */
const ASK_TOO_OFTEN = {
  'hammers-after-4003': 'close/4003-token-over',
  'never-slows-down': 'connect/growing-pauses',
  'hammers-register': 'connect/register-in-time',
  'hammers-rest': 'rest/rate-limited',
  'needs-rest': 'rest/unavailable',
} as const satisfies Partial<Record<Defect, string>>;

void t.test('bots that ask again too soon are found, and a sound one is not', async (t) => {
  const cases = casesNamed(...Object.values(ASK_TOO_OFTEN));
  for (const { verdict, reached, case: each, findings } of await examine({
    ...settings,
    cases,
    start: faultyBot(null),
  }))
    t.same([verdict, findings], ['passed', []], `${each.name}, ${reached ? 'reached' : 'not reached'}`);
  for (const [defect, name] of Object.entries(ASK_TOO_OFTEN) as [Defect, string][]) {
    const [outcome] = await examine({ ...settings, cases: casesNamed(name), start: faultyBot(defect) });
    t.equal(outcome?.verdict, 'failed', `${defect}: ${name}`);
  }
});

/** Mistakes of who has no WebSocket library, by the case that finds them. */
const BY_HAND = {
  'by-hand-packets-are-frames': 'network/split',
  'by-hand-fragments-are-messages': 'network/fragments',
} as const satisfies Partial<Record<Defect, string>>;

void t.test('bots without a WebSocket library are found where it puts together, and a sound one is not', async (t) => {
  const cases = casesNamed(...Object.values(BY_HAND), 'network/ping', 'network/large-frame', 'cut/ack-lost');
  for (const { verdict, reached, case: each, findings } of await examine({
    ...settings,
    cases,
    start: faultyBot(null, 'by hand'),
  }))
    t.same([verdict, reached, findings], ['passed', true, []], each.name);
  for (const [defect, name] of Object.entries(BY_HAND) as [Defect, string][]) {
    const found = await examine({ ...settings, cases: casesNamed('connect/plays', name), start: faultyBot(defect) });
    t.same(
      found.map(({ verdict }) => verdict),
      ['passed', 'failed'],
      `${defect}: ${name}`,
    );
    t.match(found[1]?.output, 'SyntaxError');
  }
});

/** Cases in which a bot's message may cross with one of the server's. */
const CROSSING = casesNamed(
  ...['connect/plays', 'connect/long-wait-in-lobby', 'connect/refused-429', 'connect/bad-key', 'action/turn-by-resync'],
  ...['cut/after-connected', 'cut/in-lobby', 'cut/action-lost', 'cut/ack-lost', 'cut/others-turn', 'cut/seat-lost'],
  ...['cut/table-gone', 'close/1012-twice', 'limits/rate-limited-join', 'limits/lobby-full', 'limits/already-in-lobby'],
  ...['limits/rate-limited-for-long', 'chips/bust-and-rebuy', 'chips/rebuy-cooldown', 'chips/out-of-chips-at-start'],
  ...['table/merged', 'table/join-in-wind-down', 'table/season-ended-only', 'network/slow'],
);

void t.test('a bot that speaks before its welcome is as sound as one that waits for it', async (t) => {
  t.equal(CROSSING.length, 24);
  const outcomes = await examine({ ...settings, cases: CROSSING, start: faultyBot(null, 'early') });
  for (const { case: each, findings, reached } of outcomes) t.same([reached, findings], [true, []], each.name);
  const [plays] = outcomes;
  const order = plays!.entries.filter(({ line }) => line === 1).map(({ frame }) => frame?.type);
  t.same(order.slice(0, 3), ['connected', 'set_auto_rebuy', 'join_lobby'], 'the server reads it after the welcome');
  const [connected, , join] = plays!.entries.filter(({ line }) => line === 1);
  t.ok(join!.at < connected!.at, 'but knows that it came before');
});

const actsInVain: Case = {
  ...casesNamed('table/closed-by-operator')[0]!,
  run: async (exam) => {
    await exam.seated();
    exam.wire.toServer = (text, frame, line) => {
      if (frame?.type === 'action') line.holdToServer();
      return [text];
    };
    await exam.acts();
    exam.wire.toServer = (text) => [text];
    exam.server.voidTable();
    await exam.see('table_closed', toBot('table_closed'));
    exam.line.releaseToServer();
    await exam.see('action_rejected', toBot('action_rejected'));
    exam.server.openTable();
    await exam.sits();
    await exam.plays();
  },
};

void t.test('an answer that crosses with the end of its turn is no fault; one that is repeated is', async (t) => {
  const cases = [actsInVain, ...casesNamed('network/action-too-late')];
  for (const { case: each, findings } of await examine({ ...settings, cases, start: faultyBot(null) }))
    t.same(findings, [], each.name);
  const [repeats] = await examine({ ...settings, cases: cases.slice(0, 1), start: faultyBot('blind-retry') });
  t.match(repeats!.findings[0], { kind: 'failed', text: /The server refused: action_rejected/ });
});

void t.test('what the kit does for a bot is counted, told as advice, and costs its score', async (t) => {
  const repository = fileURLToPath(new URL('../../..', import.meta.url));
  const kit = pathToFileURL(join(repository, 'dist/sdk/typescript/src/index.js')).href;
  const file = join(ownTemporaryFolder('doctor'), 'bot.mjs');
  writeFileSync(
    file,
    `import { playBot } from '${kit}';
let turns = 0;
await playBot({
  on: { log: () => undefined },
  decide: (hand) => {
    if (++turns === 1) throw new Error('my model crashed');
    return { action: 'raise', amount: hand.minRaise - 5 };
  },
});`,
  );
  const cases = casesNamed('connect/plays', 'cut/ack-lost');
  const start = programBot(`${process.execPath} ${file}`, repository);
  const outcomes = await examine({ ...settings, cases, start });
  for (const {
    case: each,
    verdict,
    findings,
    kit: { answered, defaulted, warned },
  } of outcomes) {
    t.equal(verdict, 'advice', `${each.name}: ${findings.map(({ text }) => text).join(' ')}`);
    t.ok(answered > 1, `${answered} turns`);
    t.equal(defaulted, answered, 'all by the kit');
    t.match(warned[0], /^decide threw Error: my model crashed \(bot\.mjs:6\)$/);
  }
  t.match(examSummaryOf(outcomes), { sound: true, score: 50 });
  const text = textReport(outcomes);
  t.match(
    text,
    /the kit did this for the bot, in 2 cases\n +yours: +The kit answered \d+ of \d+ turns in the bot's place/,
  );
  t.match(text, /"raise to \d+: allowed is \d+ to \d+" \(\d+ times\), "decide threw Error: my model crashed/);
  t.notMatch(text, 'hint  connect/plays', 'once for all cases');
  t.match(examData('bot', outcomes), { kit: { answered: Number, defaulted: Number, warnings: Number } });
});

void t.test('an examination that is aborted ends, and its bots with it', async (t) => {
  const abort = new AbortController();
  const start = faultyBot('never-joins');
  const ended: Promise<void>[] = [];
  const run = examine({
    ...settings,
    cases: casesNamed('connect/plays', 'action/ids'),
    signal: abort.signal,
    start: (environment) => {
      const bot = start(environment);
      ended.push(bot.ended);
      if (ended.length === 2) abort.abort();
      return bot;
    },
  });
  await t.rejects(run, { name: 'AbortError' });
  await Promise.all(ended);
});

const outcome = (change: Partial<CaseOutcome>): CaseOutcome => ({
  case: allCases[0]!,
  verdict: 'passed',
  findings: [],
  reached: true,
  notApplicable: null,
  kit: { answered: 0, defaulted: 0, warned: [] },
  entries: [],
  output: '',
  ms: 1200,
  ...change,
});

void t.test('score and verdict: advice counts half, what did not come about not at all', (t) => {
  const advice = outcome({ verdict: 'advice', findings: [{ kind: 'advice', text: 'x' }] });
  const notLean = outcome({ reached: false, notApplicable: 'it reads no weather' });
  const some = examSummaryOf([outcome({}), outcome({}), advice, outcome({ reached: false }), notLean]);
  t.match(some, { passed: 2, failed: 0, advice: 1, notReached: 1, notApplicable: 1, score: 83, sound: true });
  t.equal(
    verdictLine(some),
    'Sound: 2 passed, 0 failed, 1 with advice, 1 did not come about, 1 not applicable; score 83 of 100',
  );
  t.match(textReport([notLean]), 'Not applicable to a bot that reads lean frames: connect/plays (it reads no weather)');
  t.match(htmlReport('bot', [notLean]), 'Not applicable to a bot that reads lean frames: it reads no weather.');
  const failed = outcome({ verdict: 'failed', findings: [{ kind: 'failed', text: 'It died.' }] });
  t.match(examSummaryOf([failed, outcome({})]), { failed: 1, score: 50, sound: false });
  t.match(textReport([failed]), /FAIL {2}connect\/plays[^]*It died\.[^]*From the lobby to a seat/);
  t.end();
});

void t.test('whatever a bot wrote is text in the report, which asks for nothing from elsewhere', (t) => {
  const evil = `<script src="https://example.com/x.js">'&</script>`;
  const entries = [{ at: 1, line: 1, from: 'bot' as const, text: evil, frame: null }];
  const failed = outcome({ verdict: 'failed', findings: [{ kind: 'failed', text: evil }], output: evil, entries });
  const html = htmlReport(evil, [failed, outcome({})]);
  t.notMatch(html, /<(script|img|link|iframe)|<[^>]*\s(src|href)=|url\(|@import/i);
  t.equal(html.split(escaped(evil)).length - 1, 5, 'title, heading, finding, frame and output');
  t.match(html, /<meta name="viewport"/);
  t.match(html, /prefers-color-scheme: dark/);
  const json = JSON.parse(JSON.stringify(examData(evil, [failed]))) as { bot: string; sound: boolean; cases: object[] };
  t.match(json, { bot: evil, sound: false, cases: [{ verdict: 'failed', frames: [{ text: evil }], output: evil }] });
  t.end();
});

void t.test('long frames are shortened, and of many the last are shown', (t) => {
  const entries = Array.from({ length: 300 }, (_, n) => ({
    at: n,
    line: 1,
    from: 'server' as const,
    text: `${n} ${'x'.repeat(1000)}`,
    frame: null,
  }));
  const html = htmlReport('bot', [outcome({ verdict: 'failed', entries })]);
  t.match(html, '100 of 300 frames');
  t.match(html, /299 x{100,480}… \(1004 characters\)/);
  t.end();
});
