/**
 * A table that moves to another shard between hands: it sends, byte for byte, what a table sends that stays where it is,
 * whatever its players do, and asks the same of its shard.
 */
import t from 'tap';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import type { TableRules } from '../../src/table/api.js';
import { FILE_MS } from '../support/limits.js';
import { ClientNonces } from '../support/nonce-chain.js';
import { SEED } from '../support/seed.js';
import { TableDriver, type Client } from '../support/table-driver.js';

t.setTimeout(FILE_MS);
t.comment(`SEED=${SEED}`);

const STEPS = 600;
const WATCH = 0x7000_0000;

/** The same random evening at a table, that moves whenever it can or never does. */
function evening(seed: number, rules: Partial<TableRules>, moves: boolean) {
  const { driver, players } = TableDriver.ring('ada bob cyd', { seed, rules });
  const nonces = new ClientNonces('ada');
  const random = seededRandom(seed);
  const clients: Client[] = [...players];
  const seated = () => clients.filter(({ agentId }) => driver.table.stayOf(agentId)?.leaving === false);
  const any = () => {
    const there = seated();
    return there.length === 0 ? null : there[uniformBelow(there.length, random)]!;
  };
  driver.do((now) => driver.table.watch(now, WATCH, players[1].agentId));
  let moved = 0;
  for (let step = 0; step < STEPS; step++) {
    const dice = uniformBelow(40, random);
    const client = any();
    if (client === null || (dice === 0 && seated().length < 5)) {
      if (driver.table.stayOf(`agent-${step}`) === null && seated().length < 5) {
        clients.push(driver.join(`p${step}`, 400, {}, 0, uniformBelow(3, random) === 0));
      }
    } else if (dice === 1) driver.do((now) => driver.table.leave(now, client.agentId, client.socket));
    else if (dice === 2) driver.do((now) => driver.table.detach(now, client.agentId, client.socket));
    else if (dice === 3) {
      driver.plug(client);
      driver.do((now) => driver.table.attach(now, client.agentId, client.socket));
    } else if (dice < 7) {
      driver.do((now) => driver.table.resync(now, client.agentId, client.socket, uniformBelow(60, random)));
    } else if (dice < 12) driver.do((now) => driver.table.invalid(now, client.agentId, client.socket));
    else if (dice === 12) driver.do((now) => driver.table.watch(now, WATCH, players[1].agentId));
    else if (dice === 13) driver.do((now) => driver.table.update(now, client.agentId, { name: `n${step}` }));
    else if (dice === 14) driver.do((now) => driver.table.rebuyPending(now, `gone-${step}`, step % 2 === 0));
    else if (dice === 15) {
      driver.do((now) => driver.table.drain(now));
      driver.advance(uniformBelow(2000, random));
      driver.do((now) => driver.table.resume(now));
    } else if (dice === 16) driver.advance(uniformBelow(30_000, random));
    else if (dice < 20 && client === players[0]) {
      const start = client.inbox.findLast((message) => message.type === 'hand_start');
      const nonce = start === undefined ? null : nonces.after(start);
      if (nonce !== null) driver.do((now) => driver.table.nonce(now, client.agentId, client.socket, nonce));
    } else if (!driver.table.inHand) driver.advance(driver.rules.betweenHandsMs);
    else if (driver.actor.asked && driver.actor.socket !== 0) {
      const { turn } = driver.actor;
      const offered = turn!.valid_actions;
      const choice = offered[uniformBelow(offered.length, random)]!;
      driver.actor.act(choice.action, choice.action === 'raise' ? choice.min : undefined);
    } else driver.nextDeadline();
    if (!moves || !driver.table.still) continue;
    driver.move();
    moved++;
  }
  return { driver, moved };
}

const firstDifference = (a: readonly string[], b: readonly string[]) => {
  const at = [...Array(Math.max(a.length, b.length)).keys()].find((i) => a[i] !== b[i]);
  return at === undefined ? null : [a[at], b[at]];
};

for (const [name, rules] of Object.entries<Partial<TableRules>>({
  'with fair deals': { fairDeals: true },
  'with drawn decks, and stacks that are limited': { fairDeals: false, maxStack: 600 },
  'of a duplicate pool': { fairDeals: true, duplicate: { secret: 'series' } },
})) {
  void t.test(`a table that moves whenever it can sends what one does that stays: ${name}`, (t) => {
    for (let round = 0; round < 4; round++) {
      const stays = evening(SEED + round, rules, false);
      const goes = evening(SEED + round, rules, true);
      t.ok(goes.moved > 50, `it moved ${goes.moved} times`);
      t.ok(stays.driver.records.length > 10, `${stays.driver.records.length} hands`);
      const texts = ({ driver }: { driver: TableDriver }) =>
        driver.sent.map(({ socket, text, marks }) => `${socket} ${marks} ${text}`);
      t.same(firstDifference(texts(goes), texts(stays)), null);
      t.same(goes.driver.records, stays.driver.records, 'the same hands are stored');
      t.same(goes.driver.releases, stays.driver.releases, 'the same stays end');
      t.same(goes.driver.reserves, stays.driver.reserves);
      t.equal(goes.driver.table.nextDeadline, stays.driver.table.nextDeadline);
    }
    t.end();
  });
}

void t.test('a table cannot move in a hand, while it is stored, nor while a seat or chips are on their way', (t) => {
  const { driver, ada } = TableDriver.headsUp({ rules: { maxStack: 2000 } });
  t.ok(driver.table.still);
  driver.deal();
  t.notOk(driver.table.still, 'a hand is played');
  driver.holdCommits = driver.holdSkims = driver.holdReleases = true;
  driver.actor.act('call');
  driver.actor.act('raise', 100);
  driver.actor.act('fold');
  t.notOk(driver.table.still, 'its result is stored');
  driver.commit();
  t.notOk(driver.table.still, 'an excess goes back to the balance');
  driver.do(() => driver.skimmed());
  t.ok(driver.table.still);
  driver.do((now) => driver.table.leave(now, ada.agentId, ada.socket));
  t.notOk(driver.table.still, 'a stay is cashed out');
  driver.cashOut();
  t.ok(driver.table.still);
  t.ok(driver.table.reserveSeat('newcomer') >= 0);
  t.notOk(driver.table.still, 'a buy-in is under way');
  driver.table.unreserveSeat('newcomer');
  t.ok(driver.table.still);
  driver.do((now) => driver.table.close(now, 'insufficient_players'));
  t.notOk(driver.table.still, 'it closes');
  t.end();
});

void t.test('a table at rest deals no hand, tells nobody, and goes on when it shall', (t) => {
  const { driver } = TableDriver.headsUp();
  driver.do((now) => driver.table.rest(now));
  driver.advance(60_000);
  t.equal(driver.table.inHand, false);
  t.notOk(driver.sent.some(({ text }) => text.includes('table_closing')));
  driver.do((now) => driver.table.unrest(now));
  driver.nextDeadline();
  t.equal(driver.table.inHand, true);
  t.end();
});

await t.test('ids of hands rise, also where the clock of the next shard stands before that of the last', async (t) => {
  const { driver } = TableDriver.ring('ada bob', { seed: 1 });
  const ids: string[] = [];
  for (let hand = 0; hand < 6; hand++) {
    driver.deal();
    ids.push(driver.table.publicState(driver.now));
    while (driver.table.inHand) driver.actor.act('fold');
    driver.move(hand % 2 === 0 ? -1_000_000 : 0);
  }
  const hands = ids.map((state) => (JSON.parse(state) as { hand_id: string }).hand_id);
  t.same(hands, [...hands].sort());
  t.equal(new Set(hands).size, 6);
});
