/** The parts of the arena that need no platform: win rates and their margins, counts, percentiles. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { BotLog } from '../../src/arena/bot-log.js';
import { HandCount, whoSatOut } from '../../src/arena/match.js';
import { Program } from '../../src/arena/program.js';
import { arenaTable, type ArenaReportLine } from '../../src/arena/report.js';
import { matchPage, matchText, ratedOf } from '../../src/command/report.js';
import { Tail } from '../../src/command/tail.js';
import { Tap } from '../../src/arena/tap.js';
import { Stopwatch } from '../../src/arena/timing.js';
import { examples } from '../support/frames.js';
import { FILE_MS } from '../support/limits.js';
import { temporaryFolder } from '../support/platform.js';
import { addResult, emptySample } from '../../src/statistics/confidence-sequence.js';
import { anytimeInterval } from '../support/anytime-interval.js';
import { ScriptedServer } from '../support/scripted-server.js';
import { SEED as seed } from '../support/seed.js';

t.setTimeout(FILE_MS);

t.comment(`SEED=${seed}`);

await t.test('a win rate is in big blinds per hundred hands, with its interval', async (t) => {
  const results = [3, -2, 3, -2];
  const sample = emptySample();
  for (const result of results) addResult(sample, result, 100, 300);
  const { bb_per_100, bb_per_100_ci95 } = ratedOf(sample);
  t.equal(bb_per_100, 50);
  const expected = anytimeInterval(results, [{ risk: 100, chance: 300 }]);
  t.same(
    bb_per_100_ci95?.map((end) => end.toFixed(4)),
    expected?.map((end) => end.toFixed(4)),
  );
  t.same(ratedOf(emptySample()), { bb_per_100: null, bb_per_100_ci95: null });
});

await t.test('a hand counts once, whoever tells of it, and only if it began after the start', async (t) => {
  const count = new HandCount();
  const hand = (table_id: string, hand_id: string, table_seq: number) => ({ table_id, hand_id, table_seq });
  t.notOk(count.see(hand('a', '1', 10)), 'not yet');
  t.notOk(count.see(hand('a', '2', 20)), 'not yet');
  count.start();
  t.notOk(count.see(hand('a', '3', 30)), 'it may have begun before');
  t.notOk(count.see(hand('a', '3', 30)));
  t.ok(count.see(hand('a', '4', 40)));
  t.notOk(count.see(hand('a', '4', 40)));
  t.notOk(count.see(hand('b', '5', 5)));
  t.ok(count.see(hand('b', '6', 6)));
  t.notOk(count.see(hand('a', '3', 30)), 'told late');
  t.equal(count.total, 2);
});

await t.test('percentiles of durations in ms', async (t) => {
  const watch = new Stopwatch();
  t.equal(watch.percentiles(), null);
  for (let ms = 1; ms <= 1000; ms++) watch.add(ms);
  const { p50, p99 } = watch.percentiles()!;
  t.ok(Math.abs(p50 - 500) < 2 && Math.abs(p99 - 990) < 2, `${p50} ${p99}`);
});

await t.test('the last lines of a process are kept, whole', async (t) => {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const tail = new Tail().read(out).read(err);
  t.ok(tail.isEmpty);
  for (let line = 0; line < 100; line++) out.write(`line ${line}\n`);
  out.write('cut in');
  err.write('from the other\n');
  out.end(' two');
  await Promise.all([once(out, 'end'), once(err.end(), 'end')]);
  const lines = tail.prefixed('bot').split('\n');
  t.equal(lines.length, 60);
  t.equal(lines.at(-1), 'bot | cut in two');
  t.ok(lines.includes('bot | line 99') && !lines.includes('bot | line 20'));
});

await t.test('a program is told where to play, and goes with all that it started', async (t) => {
  const log = BotLog.open(temporaryFolder(t), 'ada');
  const program = new Program(
    'echo "$NAME in $PWD"; (sleep 1000 & echo child $!); exec sleep 1000',
    {
      PATH: process.env['PATH'],
      NAME: 'ada',
    },
    '/',
    log,
  );
  while (!program.tail.prefixed('p').includes('child')) await new Promise((resolve) => setImmediate(resolve));
  t.match(program.tail.prefixed('p'), 'p | ada in /\n');
  const child = Number(/child (\d+)/.exec(program.tail.prefixed('p'))?.[1]);
  await program.stop();
  t.equal(await program.ended, 'SIGTERM');
  t.notOk(lives(child));
  t.equal(await new Program('exit 3', {}, '/', log).ended, 3);
  await log.close();
  t.match(readFileSync(log.path, 'utf8'), /^ada in \/\nchild \d+\n$/, 'and what it wrote is kept');
});

/** A process that has ended but that nobody asked for yet does not live. */
function lives(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ') Z';
  return !/\) [ZX]/.test(stat);
}

/** A tap between a bot (the test) and a platform (the test as well). */
async function tapped(t: Test) {
  const server = await ScriptedServer.open(t);
  const hands: string[] = [];
  const troubles: string[] = [];
  const tap = await Tap.open(server.wsUrl, {
    hand: ({ hand_id }) => hands.push(hand_id),
    trouble: (text) => troubles.push(text),
  });
  t.teardown(() => tap.close());
  const bot = new WebSocket(tap.wsUrl, { headers: { authorization: 'Bearer key' } });
  const heard: string[] = [];
  bot.on('message', (data: Buffer) => heard.push(data.toString()));
  const [platform] = await Promise.all([server.connection(), once(bot, 'open')]);
  return { tap, bot, platform, heard, hands, troubles };
}

await t.test('a tap passes everything on and sees how the bot does', async (t) => {
  const { tap, bot, platform, heard, hands, troubles } = await tapped(t);
  t.equal(platform.authorization, 'Bearer key');
  bot.send('{"type":"join_lobby"}');
  t.same(await platform.heard(), { type: 'join_lobby' });
  platform.say('lobby_joined');
  await tap.joined;
  platform.say('table_joined');
  platform.say('your_turn');
  while (heard.length < 3) await once(bot, 'message');
  bot.send('{"type":"action","action":"raise","amount":1}');
  t.match(await platform.heard(), { type: 'action', amount: 1 });
  platform.say('action_rejected', { code: 'invalid_action', reason: 'Raise is below the minimum' });
  bot.send('{"type":"action","action":"fold"}');
  await platform.heard();
  platform.say('action_ack');
  platform.say('hand_result');
  while (heard.length < 6) await once(bot, 'message');
  t.same(
    heard.map((text) => (JSON.parse(text) as { type: string }).type),
    ['lobby_joined', 'table_joined', 'your_turn', 'action_rejected', 'action_ack', 'hand_result'],
  );
  t.equal(tap.table, examples.table_joined.table_id);
  t.same([...tap.rejections], [['invalid_action: Raise is below the minimum', 1]]);
  t.ok(tap.decided.percentiles()!.p50 > 0);
  t.ok(tap.acknowledged.percentiles()!.p50 > 0);
  t.same(hands, [examples.hand_result.hand_id]);
  t.same(troubles, ['action_rejected invalid_action: Raise is below the minimum']);
  t.equal(tap.lastError, troubles[0]);
});

await t.test(
  'who lost its seat, or asked for one or for chips, is on its way back until it has cards again',
  async (t) => {
    const { tap, bot, platform, heard } = await tapped(t);
    const says = async (message: object) => {
      bot.send(JSON.stringify(message));
      await platform.heard();
    };
    const hears = async (...said: Parameters<typeof platform.say>) => {
      const count = heard.length;
      platform.say(...said);
      while (heard.length === count) await once(bot, 'message');
    };
    await says({ type: 'join_lobby' });
    t.ok(tap.returning);
    await hears('table_joined');
    await hears('hand_result');
    t.notOk(tap.returning, 'it has played');
    const { table_id, seat } = examples.table_joined;
    await hears('player_left', { table_id, seat: (seat + 1) % 6, reason: 'busted' });
    t.notOk(tap.returning, 'another was busted');
    await hears('player_left', { table_id, seat, reason: 'busted' });
    t.ok(tap.returning, 'it has yet to ask, and the others play on');
    await hears('hand_result');
    t.notOk(tap.returning);
    await says({ type: 'leave_table' });
    await hears('player_left', { table_id, seat, reason: 'left' });
    t.notOk(tap.returning, 'it has had enough');
    await says({ amount: 0, type: 'rebuy' });
    t.ok(tap.returning, 'a bust is not the end of it');
  },
);

await t.test('closing passes through a tap in both directions', async (t) => {
  const first = await tapped(t);
  first.platform.close(4001);
  t.same((await once(first.bot, 'close'))[0], 4001);
  const second = await tapped(t);
  second.bot.close(1000);
  t.equal(await second.platform.closed(), 1000);
  const third = await tapped(t);
  third.platform.cut();
  t.same((await once(third.bot, 'close'))[0], 1006);
});

await t.test('a bot behind a tap that finds no platform is told to come later', async (t) => {
  const tap = await Tap.open('ws://127.0.0.1:9/ws', { hand: () => undefined, trouble: () => undefined });
  t.teardown(() => tap.close());
  t.same((await once(new WebSocket(tap.wsUrl), 'close'))[0], 1013);
});

await t.test('a program sat out that has no cards in the last hands of the records', (t) => {
  const hands = 500;
  const players = [
    { agentId: 'late', lastHand: 500 },
    { agentId: 'bust', lastHand: 450 },
    { agentId: 'idle', lastHand: 449 },
    { agentId: 'left', lastHand: 3 },
  ];
  const present = new Map(['late', 'bust', 'idle', 'never'].map((agentId) => [agentId, `error of ${agentId}`]));
  t.strictSame(
    [...whoSatOut({ hands, players }, present, 6)],
    [
      ['idle', { sinceHand: 449, lastError: 'error of idle' }],
      ['never', { sinceHand: 0, lastError: 'error of never' }],
    ],
  );
  t.equal(whoSatOut({ hands: 20, players: [] }, present, 6).size, 0, 'twenty hands tell nothing');
  t.strictSame([...whoSatOut({ hands, players }, present, 66).keys()], ['never'], 'of eleven tables 55 may be missed');
  t.end();
});

await t.test('the report as text', async (t) => {
  const line: ArenaReportLine = {
    bot: 'shark',
    plays: 'shark',
    hands: 100,
    chips: 1500,
    rebuys: 0,
    bb_per_100: 75,
    bb_per_100_ci95: [-12.34, 162.34],
    ack_ms: { p50: 0.123, p99: 12.6 },
    decision_ms: null,
    rejected: {},
    sat_out: null,
  };
  const own = {
    ...line,
    bot: 'bot_1',
    plays: 'python3 a_rather_long_path/of_a_program_of_somebody.py',
    chips: -1500,
    bb_per_100: -75,
    rebuys: 2,
    decision_ms: { p50: 3, p99: 40 },
    rejected: { 'invalid_action: Raise is below the minimum': 3 },
    sat_out: { since_hand: 53, last_error: 'error invalid_buy_in: Not a whole number' },
  };
  const table = arenaTable({ hands: 100, seconds: 2, hands_per_second: 50, failure: null, bots: [line, own] });
  const text = matchText(table);
  t.equal(
    text,
    `
bot    plays                                     hands  chips  rebuys  bb/100             95 %  ack p50  ack p99
shark  shark                                       100  +1500       0   +75.0  -12.3 to +162.3  0.12 ms    13 ms
bot_1  python3 a_rather_long_path/of_a_program…    100  -1500       2   -75.0  -12.3 to +162.3  0.12 ms    13 ms

bot_1 decides in 3.00 ms (p50), 40 ms (p99)
bot_1: 3 rejected, invalid_action: Raise is below the minimum
bot_1 sat out since hand 53; last error: error invalid_buy_in: Not a whole number
100 hands in 2.0 s: 50 hands/s`.slice(1),
  );

  const named = matchPage('<Arena>', { ...table, rows: table.rows.map((row) => ['<img>', ...row.slice(1)]) });
  t.match(named, /<title>&lt;Arena&gt;<\/title>/);
  t.notMatch(named, /<img>/, 'names are text');
  t.equal(named.match(/aria-label="\+75\.0, from -12\.3 to \+162\.3"/g)?.length, 1);
  t.notMatch(named, /(?:src|href)=/, 'a page asks for nothing');
});
