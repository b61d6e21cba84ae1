/**
 * Selfplay over lines. Each line fits its schema and tells what the table knows. A match is the same for any number of
 * tables on a line. A wrong, silent or lost bot costs what docs/guides/training.md says.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import t from 'tap';
import { Compile } from 'typebox/compile';
import type { SlowStrategy } from '../../src/bots/index.js';
import { CARD_NAMES } from '../../src/cards/card.js';
import { drawCards, seededRandom } from '../../src/cards/shuffle.js';
import { Hand } from '../../src/holdem/hand.js';
import { Act } from '../../src/holdem/types.js';
import { entrantsOf } from '../../src/selfplay/minds.js';
import type { SelfplayReport } from '../../src/selfplay/report.js';
import { BotEnded, LineBot } from '../../src/selfplay/stdio/bot.js';
import { LineToBot, readLine, type LineHello } from '../../src/selfplay/stdio/lines.js';
import { TurnWriter } from '../../src/selfplay/stdio/turn.js';
import { playStretch, type MatchTally } from '../../src/selfplay/stretch.js';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';
import { ownTemporaryFolder } from '../support/temporary.js';

t.setTimeout(FILE_MS);

const CLI = fileURLToPath(new URL('../../src/selfplay/cli.js', import.meta.url));
const TRIVIAL = fileURLToPath(new URL('../../bench/selfplay/trivial.js', import.meta.url));
const folder = mkdtempSync(join(ownTemporaryFolder('lines'), 'bots-'));
const fits = Compile(LineToBot);

type Told = Extract<LineToBot, { decide: unknown }>['decide'][number]['hand'];

const callsAlways: SlowStrategy = (hand) => hand.call();
const HELLO: LineHello = {
  version: 1,
  seed: 7,
  you: 'me',
  bots: ['me', 'other'],
  stack: 2000,
  blinds: [10, 20],
  tables: 1,
} as const;

/** Two players of some tables: one behind lines, which `answer` writes; null writes nothing. */
async function match(
  answer: (line: Extract<LineToBot, { decide: unknown }>) => string | null,
  { tables = 1, deals = 3, lineMs = 60_000, hello = '{"hello":{"version":1}}' } = {},
) {
  const [from, to] = [new PassThrough(), new PassThrough()];
  const bot = new LineBot('me', from, to, { startMs: 60_000, lineMs });
  const lines: LineToBot[] = [];
  createInterface(to).on('line', (text) => {
    const line = JSON.parse(text) as LineToBot;
    lines.push(line);
    const said = 'hello' in line ? hello : 'decide' in line ? answer(line) : null;
    if (said === 'END') bot.end('ended with exit code 3');
    else if (said !== null) from.write(`${said}\n`);
  });
  await bot.greet(HELLO);
  const played = await Promise.all(
    Array.from({ length: tables }, (_, table) =>
      playStretch({ seed: 7, number: table, deals, duplicate: true, stack: 2000 }, [
        () => bot.mind(table, (own) => (own === 0 ? ['me', 'other'] : ['other', 'me'])),
        () => callsAlways,
      ]),
    ),
  );
  const mine = played.map(([tally]) => tally!);
  const sum = (of: keyof MatchTally) => mine.reduce((all, tally) => all + tally[of], 0);
  bot.tellResults();
  return { bot, lines, counts: bot.takeCounts(), refused: sum('refused'), hands: sum('hands'), profit: sum('profit') };
}

const calls = ({ n, decide }: Extract<LineToBot, { decide: unknown }>): string =>
  JSON.stringify({
    n,
    actions: decide.map(({ t: table, hand }) => ({ t: table, action: hand.can.includes('check') ? 'check' : 'call' })),
  });

await t.test('each line fits the schema, and results come to what the match came to', async (t) => {
  for (const tables of [1, 8]) {
    const { lines, refused, counts, hands, profit } = await match(calls, { tables });
    for (const line of lines) t.ok(fits.Check(line), JSON.stringify(line).slice(0, 300));
    const turns = lines.flatMap((line) => ('decide' in line ? line.decide : []));
    t.same({ refused, counts }, { refused: 0, counts: { turns: turns.length, late: 0, unreadable: 0 } });
    const results = lines.flatMap((line) => ('results' in line ? (line.results ?? []) : []));
    t.equal(results.length, hands);
    t.equal(
      results.reduce((sum, { chips }) => sum + chips, 0),
      profit,
    );
    t.ok(
      lines.some((line) => 'decide' in line && line.decide.length === tables),
      'all tables share a line',
    );
  }
});

await t.test('an answer may be a mix', async (t) => {
  const { refused, counts } = await match(({ n, decide }) =>
    JSON.stringify({
      n,
      actions: decide.map(({ t: table, hand }) => {
        const action = hand.can.includes('check') ? 'check' : 'call';
        return {
          t: table,
          action: {
            mix: [
              { action, p: 0.5 },
              { action: 'fold', p: 0.5 },
            ],
          },
        };
      }),
    }),
  );
  t.same([refused, counts.unreadable], [0, 0]);
});

await t.test('what the lines of a table add up to is what the table knows', (t) => {
  const names = ['a', 'b', 'c', 'd'];
  const property = fc.property(
    fc.nat(),
    fc.integer({ min: 2, max: 4 }),
    fc.array(fc.nat(99)),
    (seed, players, luck) => {
      const hand = new Hand();
      const deck = new Uint8Array(17);
      drawCards(deck, deck.length, seededRandom(seed));
      const stacks = names.slice(0, players).map((_, seat) => 50 + ((seed >> seat) % 7) * 100);
      hand.start({
        button: seed % players,
        smallBlind: 10,
        bigBlind: 20,
        dealt: (1 << players) - 1,
        stacks,
        deck,
        headsUpBlinds: 'standard',
      });
      const writers = names.slice(0, players).map(() => new TurnWriter());
      const known: Told[] = [];
      for (let step = 0; !hand.over; step++) {
        const seat = hand.actor;
        const line = {
          n: 1,
          decide: [{ t: 0, hand: JSON.parse(writers[seat]!.write(hand, 'h', seat, names.slice(0, players))) as Told }],
        };
        if (!fits.Check(line)) throw new Error(JSON.stringify(line));
        const news = line.decide[0]!.hand;
        const all = { ...known[seat], ...news, actions: [...(known[seat]?.actions ?? []), ...news.actions] } as Told & {
          hole: string[];
        };
        known[seat] = all;
        const behind = stacks.map((stack, each) => stack - hand.committed[each]!);
        for (const [told, is] of [
          [all.stacks, behind],
          [all.bets, [...hand.bet.subarray(0, players)]],
          [all.pot, hand.pot],
          [all.hole, [CARD_NAMES[hand.hole[2 * seat]!], CARD_NAMES[hand.hole[2 * seat + 1]!]]],
          [all.board, [...hand.boardCards.subarray(0, hand.boardCount)].map((card) => CARD_NAMES[card])],
          [all.actions.length, hand.actions],
          [all.actions.at(-1)?.pot ?? 30, hand.pot],
          [all.to_call, hand.legal().call],
          [all.can.includes('raise'), hand.legal().raiseMax > 0],
        ]) {
          if (JSON.stringify(told) !== JSON.stringify(is))
            throw new Error(`${JSON.stringify(told)} is not ${JSON.stringify(is)}`);
        }
        for (const { seat: who, stack } of all.actions.slice(-1)) if (stack !== behind[who]) throw new Error('stack');
        const { check, raiseMin } = hand.legal();
        const dice = luck[step] ?? 50;
        if (dice < 20 && raiseMin > 0) hand.act(Act.raise, raiseMin);
        else if (dice < 25 && hand.legal().allIn > 0) hand.act(Act.allIn);
        else if (check) hand.act(Act.check);
        else if (dice < 35) hand.act(Act.fold);
        else hand.act(Act.call);
      }
    },
  );
  fc.assert(property, { seed: SEED });
  t.end();
});

await t.test('a match is the same whatever number of tables and threads plays it', (t) => {
  const run = (tables: number, threads: number) => {
    const args = ['--bots', 'gambler', '--bot', `${process.execPath} ${TRIVIAL}`, '--hands', '800', '--seed', '5'];
    const { stdout, stderr, status } = selfplay(...args, '--json', '--tables', `${tables}`, '--threads', `${threads}`);
    if (status !== 0) throw new Error(stderr);
    const { bots, deals, hands } = JSON.parse(stdout) as SelfplayReport;
    const { late, unreadable, turns } = bots.find(({ bot }) => bot === 'trivial')!.lines!;
    return { deals, hands, late, unreadable, turns, bots: bots.map(({ lines: _, ...line }) => line) };
  };
  const one = run(1, 1);
  t.match(one, { deals: 400, hands: 800, late: 0, unreadable: 0, bots: { length: 2 } });
  t.same(run(64, 1), one);
  t.same(run(7, 2), one);
  t.end();
});

await t.test('what is wrong costs the turn, and is counted', async (t) => {
  const wrong = async (what: string, answer: Parameters<typeof match>[0], more = {}) => {
    const { counts, refused, hands } = await match(answer, more);
    t.equal(refused, counts.turns, `${what}: each turn`);
    t.equal(hands, 6, 'and the match goes on');
    return counts;
  };
  const saying = (action: unknown) => (line: { n: number; decide: { t: number }[] }) =>
    JSON.stringify({ n: line.n, actions: line.decide.map(({ t: table }) => ({ t: table, action })) });
  for (const action of ['dance', null, 7, 'raise', { x: 1 }]) {
    const { late, unreadable } = await wrong(`action ${JSON.stringify(action)}`, saying(action));
    t.same({ late, unreadable }, { late: 0, unreadable: 0 });
  }
  const none = await wrong('no action for the table', ({ n }) => JSON.stringify({ n, actions: [] }));
  t.same([none.late, none.unreadable], [0, 0]);
  for (const text of ['not JSON', '{"actions":[]}', '[]', '{"n":999999,"actions":[]}', '{"hello":{"version":1}}']) {
    const { turns, late, unreadable } = await wrong(text, () => text);
    t.same([late, unreadable], [0, turns], text);
  }
  const silent = await wrong('silence', () => null, { lineMs: 5 });
  t.same([silent.late, silent.unreadable], [silent.turns, 0]);
});

await t.test('an answer that is late is dropped, and the next line is answered', async (t) => {
  let first: string | null = null;
  const { counts, refused } = await match(
    (line) => {
      // The first line is answered after its time, just before the answer to the second.
      if (line.n === 1) first = calls(line);
      return line.n === 1 ? null : line.n === 2 ? `${first!}\n${calls(line)}` : calls(line);
    },
    { lineMs: 1500 },
  );
  t.ok(counts.late >= 1);
  t.same([counts.unreadable, refused], [0, counts.late], 'the first answer is none to the second line');
});

await t.test('a bot that ends, or never was one, ends the match', async (t) => {
  await t.rejects(
    match(() => 'END', { tables: 4 }),
    new BotEnded('me ended with exit code 3'),
  );
  await t.rejects(match(calls, { hello: 'Hello!' }), /^me began with "Hello!" and not with/);
  await t.rejects(match(calls, { hello: '{"hello":{"version":2}}' }), /and not with \{"hello":\{"version":1\}\}/);
  const bot = new LineBot('me', new PassThrough(), new PassThrough(), { startMs: 5, lineMs: 5 });
  await t.rejects(bot.greet(HELLO), new BotEnded('me is silent 5 ms after the hello'));
  const long = new PassThrough();
  const loud = new LineBot('me', long, new PassThrough(), { startMs: 60_000, lineMs: 5 });
  const greeted = loud.greet(HELLO);
  long.end('x'.repeat(16_000_001));
  await t.rejects(greeted, /wrote a line of more than 16000000 characters/);
  await once(long, 'end');
});

function selfplay(...args: string[]) {
  return spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8', env: { ...process.env, INIT_CWD: folder } });
}

await t.test('a command that ends is exit code 2, and its stderr passes through', (t) => {
  writeFileSync(join(folder, 'dies.mjs'), `
    import { createInterface } from 'node:readline';
    let left = 3;
    createInterface(process.stdin).on('line', (text) => {
      const line = JSON.parse(text);
      if (line.hello) console.log('{"hello":{"version":1}}');
      else if (left-- > 0) console.log(JSON.stringify({ n: line.n, actions: [] }));
      else { console.error('my own words'); process.exit(4); }
    });`); // prettier-ignore
  const dies = selfplay('--bots', 'rock', '--bot', `${process.execPath} dies.mjs`, '--hands', '5000');
  t.same([dies.status, dies.stdout], [2, '']);
  t.match(dies.stderr, /my own words\n/);
  t.match(dies.stderr, /^dies ended with exit code 4$/m);
  const absent = selfplay('--bots', 'rock', '--bot', 'no-such-program --stdio');
  t.equal(absent.status, 2);
  t.match(absent.stderr, /^no-such-program ended with exit code 127$/m);
  t.end();
});

await t.test('what is a command, and what it is called', (t) => {
  const of = (...bots: string[]) => entrantsOf('rock', (path) => `/x/${path}`, bots);
  t.same(of('shark', './mine.mjs', 'python3 a/my_bot.py --stdio', './bot', '-', 'rock'), [
    { name: 'rock', source: 'rock' },
    { name: 'shark', source: 'shark' },
    { name: 'mine', source: '/x/./mine.mjs' },
    { name: 'my_bot', source: 'python3 a/my_bot.py --stdio', isCommand: true },
    { name: 'bot', source: './bot', isCommand: true },
    { name: 'you', source: '-', isCommand: true },
    { name: 'rock_2', source: 'rock' },
  ]);
  t.match(selfplay('--bot', '-', '--bot', '-').stderr, /^--bot may be "-" once/);
  t.match(selfplay('--env', '2', '--bot', 'python3 x.py').stderr, /^--env plays beside bots of the house and modules/);
  t.match(selfplay('--env', '1').stderr, /^--bots must name 2 to 6, and names 1/);
  t.equal(readLine('{"n":1,"actions":[{"t":0,"action":"fold"}]}') === null, false);
  t.end();
});
