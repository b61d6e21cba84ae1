/** Bots play through the lobby and the tables in memory: busts, rebuys and a season's end, repeatable, and no chip is lost. */
import t from 'tap';
import { createStrategy, STRATEGY_NAMES } from '../../src/bots/index.js';
import type { ServerMessageOf } from '../../src/protocol/server.js';
import { FILE_MS } from '../support/limits.js';
import { MemoryHouse, type MemoryPlayer } from '../support/memory-players.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.comment(`SEED=${SEED}`);

/** Stacks of ten big blinds, so that busts come soon. */
const RULES = { smallBlind: 100, bigBlind: 200 };
const TERMS = { chips: 2000 };
const COOLDOWN_MS = 5000;
const PLAYED_MS = 45_000;

/** A rebuy before its time; and one a moment after another, since these bots think in no time. */
const EXPECTED = /rebuy_cooldown|At most one rebuy a second/;

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
const results = (player: MemoryPlayer) =>
  player.read.filter((message): message is ServerMessageOf['hand_result'] => message.type === 'hand_result');

interface Played {
  house: MemoryHouse;
  granted: number;
  balances: ReadonlyMap<string, number>;
  rebuys: number;
}

/** A season of eight: six styles, one that rebuys by itself, and one that never does. */
async function season(seed: number): Promise<Played> {
  const house = new MemoryHouse(seed, RULES, TERMS);
  const { platform, clock } = house;
  platform.season.cooldownMs = COOLDOWN_MS;
  STRATEGY_NAMES.forEach((name, i) => house.join(name, { decide: createStrategy(name, seed + i) }));
  const automatic = house.join('automatic', { decide: (hand) => (hand.canAllIn ? hand.allIn() : hand.safe) });
  house.join('careless', { decide: (hand) => (hand.canAllIn ? hand.allIn() : hand.safe), rebuy: 'never' });
  await clock.settle();
  automatic.say({ type: 'set_auto_rebuy', enabled: true });
  await clock.advance(PLAYED_MS);
  const { rebuys } = platform.season;
  const { granted } = platform.entries;
  return { house, granted, rebuys, balances: await ended(house) };
}

async function ended({ platform, clock }: MemoryHouse): Promise<ReadonlyMap<string, number>> {
  let balances: ReadonlyMap<string, number> | null = null;
  void platform.season.end().then((final) => (balances = final));
  for (let turns = 0; balances === null && turns < 100; turns++) await clock.settle();
  if (balances === null) throw new Error('the season does not end');
  return balances;
}

/** The play of a match, without names that each process draws anew. */
const storyOf = ({ house, balances }: Played) =>
  JSON.stringify([
    house.players.map((player) => [
      player.name,
      player.read.map(({ type }) => type),
      results(player).map(({ final_stacks, shown_cards }) => [final_stacks, shown_cards]),
    ]),
    [...balances],
  ]);

void t.test('a season from the first join to its end', async (t) => {
  const played = await season(SEED);
  const { house, granted, balances, rebuys } = played;
  const { players, platform } = house;
  const [automatic, careless] = players.slice(-2) as [MemoryPlayer, MemoryPlayer];

  t.same(house.errors, []);
  const warned = players.flatMap(({ warnings }) => warnings.filter((text) => !EXPECTED.test(text)));
  t.same(warned, [], 'the platform and the kit have nothing to warn of');
  t.ok(players.every((player) => player.count('table_joined') > 0 && results(player).length > 0));
  t.ok(sum(players.map((player) => player.count('busted'))) > 0, 'stacks are lost');

  const confirmed = sum(players.map((player) => player.count('rebuy_confirmed')));
  t.ok(confirmed > 0, 'chips come back');
  t.equal(confirmed, rebuys, 'each rebuy is told once');
  t.ok(automatic.count('auto_rebuy_scheduled') > 0);
  const offered = automatic.read.flatMap((message) => (message.type === 'busted' ? message.options : []));
  t.notOk(offered.includes('rebuy'), 'whoever rebuys by itself is offered none');
  t.equal(careless.end, 'busted');
  t.equal(careless.count('rebuy_confirmed'), 0);

  t.equal(granted, players.length * TERMS.chips + rebuys * 1500, 'chips of entries and rebuys');
  t.equal(sum(balances.values()), granted, 'no chip is lost or made');

  t.ok(
    players.every((player) => player.count('season_ended') === 1),
    'everybody reads of the end',
  );
  t.equal(platform.season.number, 2);

  const hands = players.map((player) => results(player).length);
  await house.clock.advance(30_000);
  t.equal(platform.entries.granted, (players.length - 1) * TERMS.chips + platform.season.rebuys * 1500, 'a new season');
  players.slice(0, -1).forEach((player, i) => t.ok(results(player).length > hands[i]!, `${player.name} plays on`));
  platform.stop();
});

void t.test('the hands of a table take no chip and make none', async (t) => {
  const { house } = await season(SEED + 1);
  const unequal = house.players.flatMap((player) =>
    results(player).filter(({ winners, pot }) => sum(winners.map(({ amount }) => amount)) !== pot),
  );
  t.same(unequal, []);
  house.platform.stop();
});

void t.test('the same seed is the same season, and another seed is another', async (t) => {
  const [first, again, other] = [await season(SEED), await season(SEED), await season(SEED + 2)];
  t.equal(storyOf(first), storyOf(again));
  t.not(storyOf(first), storyOf(other));
  for (const { house } of [first, again, other]) house.platform.stop();
});
