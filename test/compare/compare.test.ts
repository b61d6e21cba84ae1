/**
 * Comparisons of two bots: the same deals, dice and seats for both. Verdicts do not depend on threads. Agents of a
 * server are compared by its answers. Means over new cards and boards have the expectation of single hands.
 */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { createStrategy, type StrategyName } from '../../src/bots/index.js';
import { playDeal, type DealResult } from '../../src/compare/deal.js';
import { seedFrom } from '../../src/compare/dice.js';
import { Judge } from '../../src/compare/judge.js';
import { betweenIntervals, comparePublic, deckDifferences, type PublicAsk } from '../../src/compare/public.js';
import type { CompareReport } from '../../src/compare/report.js';
import { TestTable, type PlayerMind } from '../../src/compare/table.js';
import { FILE_MS } from '../support/limits.js';
import { ownTemporaryFolder } from '../support/temporary.js';

t.setTimeout(FILE_MS);

const CLI = fileURLToPath(new URL('../../src/compare/cli.js', import.meta.url));
const TRIVIAL = fileURLToPath(new URL('../../bench/selfplay/trivial.js', import.meta.url));
const folder = mkdtempSync(join(ownTemporaryFolder('compare'), 'bots-'));
writeFileSync(join(folder, 'fold.mjs'), 'export const decide = (hand) => hand.fold();');
writeFileSync(join(folder, 'call.mjs'), 'export const decide = (hand) => hand.call();');
writeFileSync(join(folder, 'push.mjs'), 'export const decide = (hand) => hand.raisePot(5);');

const compare = (...args: string[]) =>
  spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8', env: { ...process.env, INIT_CWD: folder } });

function reportOf(code: number, ...args: string[]): CompareReport {
  const { stdout, stderr, status } = compare('--json', ...args);
  if (status !== code) throw new Error(`${status}: ${stderr}${stdout}`);
  return JSON.parse(stdout) as CompareReport;
}

/** Deals of two styles against two others. `asks` counts the decisions of each player. */
async function dealsOf(bots: readonly [StrategyName, StrategyName], deals: number, repeats: number) {
  const names = ['player_1', 'player_2', 'player_3'];
  const tables = [new TestTable(names), new TestTable(names)] as const;
  const asks = [0, 0, 0];
  const minds = (side: 0 | 1, deal: number, rotation: number): PlayerMind[] =>
    [bots[side], 'gambler' as const, 'bluffer' as const].map((style, player) => ({
      kind: 'by-decision',
      decide: (street, turn, redeal) => {
        asks[player]!++;
        return createStrategy(style, seedFrom(deal, rotation, player, street, turn, redeal));
      },
    }));
  const results: DealResult[] = [];
  for (let deal = 0; deal < deals; deal++) {
    results.push(await playDeal(deal, { seed: 1, stack: 2000, repeats }, 3, minds, tables));
  }
  return { results, asks };
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

await t.test('bots that act alike differ by exactly 0, and the field is asked once', async (t) => {
  const { results, asks } = await dealsOf(['shark', 'shark'], 60, 4);
  for (const { difference, parted, hands, profit } of results) {
    t.same({ difference, parted, hands }, { difference: 0, parted: 0, hands: 6 });
    t.equal(profit[0], profit[1]);
  }
  t.ok(asks[1]! < asks[0]!, `${asks.join()}: the tested bot is asked in both plays`);
});

await t.test('parts by position and by street add up to the difference', async (t) => {
  const { results } = await dealsOf(['shark', 'calling_station'], 60, 3);
  for (const { difference, bySeat, byStreet, parted, hands, pairs } of results) {
    t.ok(Math.abs(sum(bySeat) / 3 - difference) < 1e-6);
    t.ok(Math.abs(sum(byStreet) - difference) < 1e-6);
    t.ok(parted <= pairs && hands >= 6 && hands <= 6 + 4 * parted);
  }
  t.ok(
    results.some(({ parted }) => parted > 0),
    'they part somewhere',
  );
});

await t.test('means over new cards and boards have the expectation of chips as won', async (t) => {
  const deals = 1500;
  const { results } = await dealsOf(['rock', 'calling_station'], deals, 4);
  // Per hand, in big blinds: chips of the first plays, and the averaged differences.
  const raw = results.map(({ profit, pairs }) => (profit[1] - profit[0]) / pairs / 20);
  const averaged = results.map(({ difference }) => difference / 20);
  const gap = raw.map((value, deal) => value - averaged[deal]!);
  const mean = sum(gap) / deals;
  const error = Math.sqrt(sum(gap.map((value) => (value - mean) ** 2)) / deals / deals);
  t.ok(Math.abs(mean) < 3 * error, `${mean} with a standard error of ${error}`);
  t.ok(sum(averaged.map((value) => value ** 2)) < 0.8 * sum(raw.map((value) => value ** 2)), 'and less luck');
});

await t.test('a comparison is the same whatever number of threads plays it', (t) => {
  const args = ['--old', 'shark', '--new', 'bluffer', '--field', 'rock,gambler', '--hands', '1500', '--seed', '5'];
  const strip = ({ seconds: _, ...report }: CompareReport) => report;
  const one = reportOf(4, ...args, '--threads', '1');
  t.same(strip(reportOf(4, ...args, '--threads', '3')), strip(one));
  t.ok(one.hands >= 1500 && one.hands < 1800, `${one.hands} hands`);
  t.not(reportOf(4, ...args.slice(0, -1), '6').bb_per_100, one.bb_per_100);
  t.same(one.by_position.map(({ position }) => position), ['button', 'small_blind', 'big_blind']); // prettier-ignore
  t.match(one, { verdict: 'unknown', by: 'same_deals', old: 'shark', new: 'bluffer', field: ['rock', 'gambler'] });
  t.end();
});

await t.test('each verdict has its exit code', (t) => {
  const field = ['--field', 'calling_station', '--stack', '20'];
  const better = reportOf(0, '--old', 'push.mjs', '--new', 'shark', ...field);
  t.equal(better.verdict, 'better');
  t.ok(better.interval![0] > 0);
  const worse = reportOf(1, '--old', 'shark', '--new', 'push.mjs', ...field);
  t.equal(worse.verdict, 'worse');
  const same = reportOf(3, '--old', 'fold.mjs', '--new', 'fold.mjs', '--within', '300', '--field', 'fold.mjs,call.mjs');
  t.match(same, { verdict: 'no_difference', bb_per_100: 0, alike: 1, clipped_deals: 0 });
  t.ok(same.interval![0] > -300 && same.interval![1] < 300);
  for (const [args, told] of [
    [['--old', 'shark'], /^--old and --new must name the two bots/],
    [['--old', 'shark', '--new', 'nobody'], /^nobody is no built-in style/],
    [['--old', 'shark', '--new', 'none.js'], /none\.js/],
    [['--old', 'shark', '--new', 'rock', '--within', 'much'], /^--within must be a number/],
    [['--old', 'shark', '--new', 'rock', '--competition', 'cup'], /^--competition goes with --url/],
  ] as const) {
    const { status, stderr, stdout } = compare(...args);
    t.same([status, stdout], [2, ''], stderr);
    t.match(stderr, told);
  }
  t.end();
});

await t.test('the page has the verdict and the band; the text has both means', (t) => {
  const page = join(folder, 'page.html');
  const args = ['--old', 'shark', '--new', 'rock', '--field', 'bluffer', '--hands', '400', '--html', page];
  const { stdout, status } = compare(...args);
  t.equal(status, 4);
  t.match(stdout, /^unknown: rock and shark cannot be told apart yet\n/);
  t.match(stdout, /deals were clipped to 25 big blinds a hand; the mean without clipping is [+-]?\d/);
  const html = readFileSync(page, 'utf8');
  t.match(html, /<polygon class="band" points="\d/);
  t.match(html, /<td>all hands<\/td>/);
  t.end();
});

await t.test('commands are compared, and one that ends ends the comparison with 2', (t) => {
  const command = `${process.execPath} ${TRIVIAL}`;
  const args = ['--field', 'gambler', '--hands', '80', '--threads', '2'];
  const same = reportOf(4, '--old', command, '--new', command, ...args);
  t.match(same, { old: 'trivial', new: 'trivial_2', bb_per_100: 0, alike: 1 });
  t.ok(same.lines['trivial']!.turns > 0 && same.lines['trivial']!.turns === same.lines['trivial_2']!.turns);
  const { status, stderr } = compare('--old', 'node -e 0', '--new', command, ...args);
  t.equal(status, 2);
  t.match(stderr, /ended with exit code 0/);
  t.end();
});

await t.test('a verdict waits for the mean without clipping', (t) => {
  const judge = new Judge({ within: 0.05, alpha: 0.05 });
  for (let deal = 0; deal < 400; deal++) judge.add(deal % 10 === 0 ? -400 : 10);
  t.ok(judge.interval()!.low > 0, 'the clipped mean is above 0');
  t.equal(judge.verdict, 'unknown', 'the other is below 0');
  t.equal(judge.clipped, 40);
  t.end();
});

const ASK: PublicAsk = { url: '', old: 'ada', new: 'bob', competition: undefined, within: 5, alpha: 0.05 };
const held = (name: string, place: number, profit: number) => ({ name, place, profit });
const deckOf = (...players: ReturnType<typeof held>[]) => ({ players: [...players, held('eve', 9, 0)], big_blind: 20 });

await t.test('decks are compared by place and number of players', (t) => {
  const hands = [
    deckOf(held('ada', 1, 40), held('bob', 2, -60)),
    deckOf(held('bob', 1, 100), held('ada', 2, -20)),
    deckOf(held('bob', 3, 1000)),
  ] as unknown as Parameters<typeof deckDifferences>[0]['hands'];
  t.same(deckDifferences({ hands }, 'ada', 'bob'), [3, -2]);
  const figure = (low: number, high: number) => ({ agent: '', figure: '', hands: 1, bb_per_100: (low + high) / 2, interval: [low, high] as const }); // prettier-ignore
  t.match(betweenIntervals(ASK, [figure(-20, 3), figure(4, 30)]), { verdict: 'better', interval: [1, 50] });
  t.match(betweenIntervals(ASK, [figure(4, 30), figure(-20, 3)]), { verdict: 'worse' });
  t.match(betweenIntervals(ASK, [figure(-20, 3), figure(2, 30)]), { verdict: 'unknown' });
  t.match(betweenIntervals(ASK, [figure(-1, 1), figure(-1, 1)]), { verdict: 'no_difference' });
  t.end();
});

await t.test('agents of a server: decks where they are open, else the intervals of the standings', async (t) => {
  let refused = 0;
  const standing = (name: string, interval: [number, number]) => ({ name, duplicate: null, all_in_adj_bb_per_100: 0, ci95: interval, hands_played: 9 }); // prettier-ignore
  const server = createServer((request, response) => {
    const path = request.url!;
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, status === 429 ? { 'retry-after': '1' } : {}).end(JSON.stringify(body));
    if (path.includes('/decks/') && refused++ === 0) answer(429, {});
    else if (path.startsWith('/api/public/competitions/over/decks/')) {
      answer(200, { decks: 200, hands: [deckOf(held('ada', 1, -60)), deckOf(held('bob', 1, 60))] });
    } else if (path.includes('/decks/')) answer(409, { detail: 'active' });
    else if (path.startsWith('/api/public/competitions/live')) {
      answer(200, { standings: { rows: [standing('ada', [-9, 3]), standing('bob', [2, 9])] } });
    } else answer(404, {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = (more: Partial<PublicAsk>) => comparePublic({ ...ASK, url, ...more }, new AbortController().signal);
  const { data } = await ask({ competition: 'over' });
  t.match(data, { verdict: 'better', by: 'same_decks', bb_per_100: 600 });
  t.ok(data.decks! < 200, `${data.decks} decks are enough`);
  t.match((await ask({ competition: 'live' })).data, { verdict: 'unknown', by: 'two_intervals', interval: [-1, 18] });
  await t.rejects(ask({}), { message: 'there is no public profile ada' });
  await t.rejects(ask({ competition: 'none' }), { message: 'there is no competition none' });
});
