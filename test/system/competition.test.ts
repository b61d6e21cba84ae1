/**
 * A whole competition through the API alone. It is created, its people are invited by e-mail, it plays 500 hands with a
 * kill -9 in the middle, ends and becomes final. Its results agree with its hand records.
 */
import type { Static } from 'typebox';
import t from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { Keeper } from '../../src/analytics/keeper.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import type { Results, StandingLine } from '../../src/protocol/rest/competition-results.js';
import type { ServerMessageOf } from '../../src/protocol/server.js';
import { decodeRecord, type StoredHand } from '../../src/table/record/record-codec.js';
import { Bot } from '../support/bot.js';
import { stopCluster } from '../support/database.js';
import { eventually, FILE_MS, FULL } from '../support/limits.js';
import { EmailSink } from '../support/email-sink.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { type Account, type Request } from '../support/platform.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);

const HANDS = FULL ? 500 : 160;
const RULES = {
  starting_chips: 4000,
  minimum_buy_in: 500,
  default_buy_in: 1000,
  maximum_buy_in: 2000,
  small_blind: 10,
  big_blind: 25,
  max_players: 3,
  minimum_hands: 20,
  rebuys_enabled: true,
  max_rebuys: 20,
  rebuy_chips: 1500,
  rebuy_score_penalty: 400,
  participant_cap: 6,
  duplicate: true,
};
const GUESTS = ['ada', 'bob', 'cyd', 'dan'];

type Line = Static<typeof StandingLine>;

const plainly = ({ rank, agent_id, score, rebuys, hands_played, hands_won }: Pick<Line, Shown>) => ({
  rank,
  agent_id,
  score,
  rebuys,
  hands_played,
  hands_won,
});
type Shown = 'rank' | 'agent_id' | 'score' | 'rebuys' | 'hands_played' | 'hands_won';

const near = (a: number | null, b: number) => a !== null && Math.abs(a - b) < 1e-6 * (1 + Math.abs(b));

const sink = await EmailSink.open(t);
const platform = await ForkedPlatform.start(t, {
  SMTP_URL: sink.url,
  MAIL_FROM: 'Agent Poker <dealer@poker.example>',
  PUBLIC_URL: 'https://poker.example',
  ANALYTICS_REFRESH_MS: 0,
  LOBBY_GRACE_MS: 20,
  ACTION_TIMEOUT_MS: 3000,
  THREADS: 2,
});

async function ask<B>(method: string, path: string, request: Request): Promise<B> {
  const { status, body } = await platform.api(method, path, request);
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`);
  return body as B;
}

async function restart(bots: readonly Bot[]): Promise<void> {
  await platform.kill();
  await platform.launch();
  for (const bot of bots) await bot.connect();
}

await t.test('a whole competition', async (t) => {
  const organizer = await platform.register('organizer');
  const { key } = organizer;
  const dates = { ends_at: new Date(Date.now() + 3_600_000).toISOString() };
  const { competition_id: id, slug } = await ask<{ competition_id: string; slug: string }>(
    'POST',
    '/api/competitions',
    {
      key,
      body: { name: 'Autumn cup', reward_description: 'A cup', ...RULES, ...dates },
    },
  );
  const path = `/api/competitions/${id}`;
  const step = (name: string) => ask(`POST`, `${path}/${name}`, { key });
  await step('open-enrollment');

  // They are invited before they have an agent. An agent registered with the address may accept.
  const emails = GUESTS.map((name, n) => `${name}_${n + 2}@example.com`);
  await ask('POST', `${path}/invitations`, { key, body: { emails }, headers: { 'idempotency-key': 'all' } });
  const guests: Account[] = [];
  for (const [n, name] of GUESTS.entries()) {
    const guest = await platform.register(name);
    const [mail] = await sink.mailsTo(emails[n]!);
    const [, token = ''] = /X-Competition-Invite-Token: ([\w-]+)/.exec(mail!.text) ?? [];
    const headers = { 'x-competition-invite-token': token };
    t.match(await ask('GET', '/api/competition-invites/preview', { headers }), { competition: { name: 'Autumn cup' } });
    const body = { display_name: `${name} the Great` };
    await ask('POST', '/api/competition-invites/accept', { key: guest.key, headers, body });
    guests.push(guest);
  }
  const friend = await platform.register('friend');
  const link = await ask<{ token: string }>('POST', `${path}/invite-links`, { key, body: { max_uses: 1 } });
  const headers = { 'x-competition-invite-token': link.token };
  await ask('POST', '/api/competition-invites/accept', { key: friend.key, headers, body: {} });
  await ask('POST', `${path}/enroll`, { key, body: { display_name: 'The House' } });
  await step('close-enrollment');
  await step('start');

  // Two tables of three, with random play.
  const people = [organizer, ...guests, friend];
  const told = new Map<string, ServerMessageOf['hand_result']>();
  let enough: () => void = () => undefined;
  let wanted = HANDS / 2;
  const bots = people.map((account, n) => {
    const bot = new Bot(platform, account, seededRandom(SEED + n), id);
    bot.onResult = (result) => {
      told.set(result.hand_id, result);
      if (told.size >= wanted) enough();
    };
    return bot;
  });
  const played = (hands: number) => {
    wanted = hands;
    return new Promise<void>((resolve) => (enough = resolve));
  };
  for (const bot of bots) await bot.connect();
  await played(HANDS / 2);
  const sockets = bots.map(({ player }) => player);
  await restart(bots);
  t.ok(sockets.every((player) => player.isClosed));
  await played(HANDS);
  t.match(await ask('GET', `/api/public/competitions/${slug}`, {}), { status: 'active', standings: { total: 6 } });

  // The hands in progress are played out. Then all leave the tables.
  await step('end');
  await eventually(
    'the end',
    async () => {
      const { status } = await ask<{ status: string }>('GET', path, { key });
      return status === 'results_pending' ? status : null;
    },
    400,
  );
  await step('finalize');

  const granted = await platform.sql!<{ agent_id: string; count: number }[]>`
    select agent_id, count(*) from chip_ledger where pool_id = ${id} and type = 'rebuy' group by agent_id`;
  const rebuys = new Map(granted.map(({ agent_id, count }) => [agent_id, count]));
  const rows = await platform.sql!<{ record: Buffer }[]>`select record from hands where pool_id = ${id}`;
  const hands = rows.map(({ record }) => decodeRecord(record));
  hands.sort((a, b) => (a.handId < b.handId ? -1 : 1));
  t.comment(`${hands.length} hands, ${[...rebuys.values()].reduce((sum, n) => sum + n, 0)} rebuys`);
  t.ok(hands.length >= HANDS);
  const stored = new Map(hands.map((hand) => [hand.handId, hand]));
  for (const { hand_id, final_stacks } of told.values()) {
    const stacks = stored.get(hand_id)?.players.map(({ seat, stackEnd }) => [String(seat), stackEnd]) ?? [];
    t.same(Object.fromEntries(stacks), final_stacks, 'what anybody was told is stored');
  }

  const expected = reckoned(hands, people, rebuys);
  // Counting is slow beside play, so the test does it at once.
  await new Keeper(platform.sql!).round(60_000);
  const results = await ask<Static<typeof Results>>('GET', `${path}/results`, { key: friend.key });
  t.match(results, { final: true, status: 'finalized', total: 6, ranked: expected.filter(({ rank }) => rank).length });
  t.same(results.rows.map(plainly), expected.map(plainly));
  for (const [n, { name, bb_per_100 }] of results.rows.entries()) {
    t.ok(near(bb_per_100, expected[n]!.bb_per_100), `bb/100 of ${name}: ${bb_per_100}, ${expected[n]!.bb_per_100}`);
  }
  const { body: file } = await platform.api('GET', `${path}/results.csv`, { key });
  t.equal(String(file).trim().split('\n').length, 7, 'a line each, and the head');

  t.same((await audit(platform.sql!)).problems, [], 'every chip is accounted for');
  t.same(platform.faults, []);
  for (const bot of bots) await bot.player.close();
});

/** The results, computed from the hand records and the rebuys of the ledger. */
function reckoned(hands: readonly StoredHand[], people: readonly Account[], rebuys: ReadonlyMap<string, number>) {
  const lines = people.map(({ agentId }) => {
    const parts = hands.flatMap(({ players }) => players.filter((player) => player.agentId === agentId));
    const profits = parts.map(({ stackStart, stackEnd }) => stackEnd - stackStart);
    const count = rebuys.get(agentId) ?? 0;
    const profit = profits.reduce((sum, each) => sum + each, 0);
    const score = RULES.starting_chips + profit + count * (RULES.rebuy_chips - RULES.rebuy_score_penalty);
    const won = profits.filter((each) => each > 0).length;
    const bb_per_100 = ((profit / RULES.big_blind) * 100) / parts.length;
    return { agent_id: agentId, score, rebuys: count, hands_played: parts.length, hands_won: won, bb_per_100 };
  });
  const ranks = (line: (typeof lines)[number]) => line.hands_played >= RULES.minimum_hands;
  // Their order is that of acceptance. The organizer came last.
  const order = [...lines.slice(1), lines[0]!];
  order.sort(
    (a, b) =>
      Number(ranks(b)) - Number(ranks(a)) ||
      b.score - a.score ||
      b.hands_played - a.hands_played ||
      a.rebuys - b.rebuys,
  );
  return order.map((line, n) => ({ ...line, rank: ranks(line) ? n + 1 : null }));
}
