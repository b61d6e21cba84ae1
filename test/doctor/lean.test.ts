/**
 * The doctor and bots that read lean frames. Sound bots pass (a bare one, and the TypeScript kit's). Cases about frames
 * that a lean socket never reads are not applicable. Faulty bots are found, also by their clocks that run out.
 */
import t from 'tap';
import { playBot, type Warning } from '../../sdk/typescript/src/index.js';
import type { StartBot } from '../../src/doctor/bot.js';
import { allCases } from '../../src/doctor/cases/index.js';
import { examine } from '../../src/doctor/examine.js';
import { isLeanDefect, type Defect } from './proof/defects.js';
import { faultyBot } from './proof/faulty-bot.js';
import { FILE_MS, PATIENCE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const settings = { parallel: 4, patienceMs: PATIENCE_MS, clockMs: PATIENCE_MS / 4 };
const casesNamed = (...names: string[]) => allCases.filter(({ name }) => names.includes(name));

/** Those that do something with frames which lean sockets have words of their own for. */
const CASES = casesNamed(
  ...['connect/plays', 'action/resync-in-turn', 'action/turn-by-resync', 'action/no-ack', 'action/rejected'],
  ...['betting/call-for-the-rest', 'betting/nobody-could-answer', 'cut/turn-unread', 'cut/action-lost', 'cut/ack-lost'],
  ...['network/same-turn-twice', 'new/fields', 'new/seat-fields', 'new/table-event', 'new/gap', 'chips/bust-and-rebuy'],
  ...['table/alone-with-held-seats', 'table/opponent-drops', 'table/opponent-leaves', 'table/wind-down'],
  ...['table/season-ends-in-turn'],
);

/** The TypeScript kit in this process. */
const kitBot: StartBot = ({ BASE_URL, WS_URL, API_KEY, NAME }) => {
  const stop = new AbortController();
  let over: string | null = null;
  const lines: string[] = [];
  const warnings: Warning[] = [];
  const ended = playBot({
    url: BASE_URL,
    wsUrl: WS_URL,
    name: NAME,
    signal: stop.signal,
    lean: true,
    ...(API_KEY === undefined ? {} : { apiKey: API_KEY }),
    on: { log: ({ text }) => void lines.push(text), warning: (warning) => void warnings.push(warning) },
    decide: (hand) => (hand.canCheck ? hand.check() : hand.toCall <= hand.pot / 2 ? hand.call() : hand.fold()),
  }).then(
    ({ reason }) => void (over = reason),
    (error: unknown) => void (over = String(error)),
  );
  return {
    get over() {
      return over;
    },
    ended,
    output: () => lines.join('\n'),
    warnings: () => warnings,
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
};

const SOUND: Readonly<Record<string, StartBot>> = { 'a bare bot': faultyBot(null, 'lean'), 'a bot on the kit': kitBot };
for (const [name, start] of Object.entries(SOUND)) {
  void t.test(`nothing is found of ${name} that reads lean frames and is sound`, async (t) => {
    t.equal(CASES.length, 21);
    for (const outcome of await examine({ ...settings, cases: CASES, start })) {
      const found = outcome.findings.map(({ text }) => text).join(' ');
      t.equal(outcome.verdict, 'passed', `${outcome.case.name}: ${found}`);
      t.equal(outcome.notApplicable, null, outcome.case.name);
      const types = outcome.entries.flatMap(({ from, frame }) => (from === 'server' ? [frame?.type] : []));
      for (const type of ['table_state', 'your_turn', 'action_ack', 'hand_result']) {
        t.notOk(types.includes(type), `${outcome.case.name}: ${type}`);
      }
    }
  });
}

void t.test('what a lean socket never reads is not asked of its bot', async (t) => {
  const cases = allCases.filter(({ notLean }) => notLean !== undefined);
  t.ok(cases.length >= 5, `${cases.length} cases`);
  for (const outcome of await examine({ ...settings, cases, start: faultyBot(null, 'lean') })) {
    t.match(outcome, { verdict: 'passed', reached: false, notApplicable: outcome.case.notLean }, outcome.case.name);
  }
  for (const outcome of await examine({ ...settings, cases, start: faultyBot(null) })) {
    t.match(outcome, { verdict: 'passed', reached: true, notApplicable: null }, outcome.case.name);
  }
});

const FOUND_BY = {
  'lean-counts-actions': 'cut/action-lost',
  'lean-reads-cards-once': 'cut/turn-unread',
  'lean-gives-rejected-turns-up': 'action/rejected',
} as const satisfies Partial<Record<Defect, string>>;

void t.test('faulty ones are found', async (t) => {
  for (const [defect, name] of Object.entries(FOUND_BY) as [keyof typeof FOUND_BY, string][]) {
    t.ok(isLeanDefect(defect));
    const patience = { patienceMs: 4000, clockMs: 2000 };
    const [outcome] = await examine({ ...settings, ...patience, cases: casesNamed(name), start: faultyBot(defect) });
    t.equal(outcome?.verdict, 'failed', defect);
    const texts = outcome!.findings.map(({ text }) => text).join(' ');
    if (defect === 'lean-gives-rejected-turns-up') t.match(texts, /clock ran out on 1 of the bot's turns/);
  }
});
