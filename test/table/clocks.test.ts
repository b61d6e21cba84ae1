/**
 * The effects of time on players: turns and holds run out, and time banks are used. Time that the platform lost does
 * not count.
 */
import t from 'tap';
import fc from 'fast-check';
import { StandstillSum } from '../../src/table/core.js';
import { NO_SOCKET } from '../../src/table/api.js';
import { FILE_MS } from '../support/limits.js';
import { Client, playerNamed, TableDriver, type DriverOptions } from '../support/table-driver.js';

t.setTimeout(FILE_MS);
const { headsUp, ring } = TableDriver;

const BANK: DriverOptions = { rules: { timeBankMs: 120_000 } };
const stood = (driver: TableDriver, from: number, to: number) =>
  driver.do((now) => driver.table.stood(now, now - from, now - to));
const clockOf = ({ inbox }: Client) => {
  const turn = inbox.findLast((message) => message.type === 'your_turn');
  return turn === undefined ? null : [turn.deadline_ms, turn.time_bank_ms];
};
/** Everybody but the slow one decides at once; it takes so long for each of its decisions. */
function hand(driver: TableDriver, slow: Client, ms: number): void {
  driver.deal();
  for (let turns = 0; driver.table.inHand; turns++) {
    if (turns > 40)
      throw new Error(`the hand does not end: ${JSON.stringify(driver.sent.slice(-3).map(({ message }) => message))}`);
    const { actor } = driver;
    const [clock] = clockOf(actor)!;
    if (actor === slow) driver.advance(Math.min(ms, clock!));
    if (actor === slow && ms >= clock!) continue;
    const free = actor.turn!.valid_actions.some(({ action }) => action === 'check');
    actor.act(free ? 'check' : actor === slow ? 'fold' : 'call');
  }
}

void t.test('time in which the platform stood still is added to the open turn, and told', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  driver.advance(100_000);
  stood(driver, 3_000, 500);
  driver.advance(22_499);
  t.same(bob.all('player_action'), []);
  t.equal(driver.table.dueSocket(driver.now), null);
  driver.now += 1;
  t.equal(driver.table.dueSocket(driver.now), ada.socket, 'before it runs out the thread of this socket is asked');
  driver.do((now) => driver.table.tick(now));
  const action = bob.last('player_action');
  t.match(action, { reason: 'timeout', used_ms: 120_000, server_lag_ms: 2_500 });
  t.equal(Date.parse(action.deadline_at!) - Date.parse(action.sent_at!), 122_500);
  const [replayed] = ada.resync(null).replayed_events.filter(({ type }) => type === 'player_action');
  t.match(replayed, {
    used_ms: 120_000,
    server_lag_ms: 2_500,
    sent_at: action.sent_at,
    deadline_at: action.deadline_at,
  });
  t.end();
});

void t.test('what was lost before the turn was sent is nothing of it', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  driver.advance(1_000);
  stood(driver, 5_000, 400);
  driver.advance(119_599);
  t.same(ada.all('player_action'), []);
  driver.advance(1);
  t.match(ada.last('player_action'), { server_lag_ms: 600, used_ms: 120_000 });
  t.end();
});

void t.test('it is added to a hold, from when the player was gone', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.advance(10);
  bob.drop();
  driver.advance(1_000);
  stood(driver, 4_000, 0);
  driver.advance(119_999);
  t.notOk(ada.types().includes('player_left'));
  driver.do((now) => t.equal(driver.table.dueSocket(now + 1), NO_SOCKET));
  driver.advance(1);
  t.ok(ada.types().includes('player_left'), 'a second longer than without');
  t.end();
});

void t.test('a decision counts without it, for the pace', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  driver.advance(5_000);
  stood(driver, 4_000, 0);
  ada.act('call');
  t.same(driver.table.summary().players[0]!.decisionsMs, [1_000]);
  t.end();
});

void t.test('a turn that is sent again tells what is left of it', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  t.same(clockOf(ada), [120_000, null]);
  driver.advance(50_000);
  ada.connect();
  t.same(clockOf(ada), [70_000, null]);
  t.end();
});

void t.test('standstills of several threads count once, in whatever order they come', (t) => {
  const span = fc.tuple(fc.nat(200), fc.nat(50)).map(([from, ms]) => ({ from, to: from + ms }));
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
      const sum = new StandstillSum();
      const counted = new Map<number, number>();
      for (const { from, to } of spans) {
        for (const part of sum.add(from, to))
          for (let at = part.from; at < part.to; at++) counted.set(at, 1 + (counted.get(at) ?? 0));
      }
      const wanted = new Set(spans.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)));
      t.same(
        [...counted.keys()].sort((a, b) => a - b),
        [...wanted].sort((a, b) => a - b),
      );
      t.ok([...counted.values()].every((times) => times === 1));
    }),
    { numRuns: 200 },
  );
  t.end();
});

void t.test('beside faster players a time bank is drawn, and then the clock is short', (t) => {
  const { driver, players: [ada, bob, cyd] } = ring('ada bob cyd', { rules: { timeBankMs: 10_000 } }); // prettier-ignore
  hand(driver, cyd, 0);
  hand(driver, cyd, 2_000);
  t.same(clockOf(cyd), [12_000, 10_000], 'two seconds are free');
  driver.deal();
  for (let i = 0; i < 3 && driver.actor !== cyd; i++) driver.actor.act('call');
  driver.advance(11_999);
  cyd.act('fold');
  driver.checkDown();
  driver.deal();
  for (let i = 0; i < 3 && driver.actor !== cyd; i++) driver.actor.act('call');
  t.same(clockOf(cyd), [5_001, 3_001], 'a hand adds three seconds');
  driver.advance(5_000);
  const timeouts = () => cyd.all('player_action').filter(({ reason }) => reason === 'timeout').length;
  t.equal(timeouts(), 0);
  driver.advance(1);
  t.equal(timeouts(), 1);
  t.ok(ada.inbox.length > 0 && bob.inbox.length > 0);
  t.end();
});

void t.test('the others decide how short: four times their mean', (t) => {
  const driver = new TableDriver({ rules: { timeBankMs: 0 } });
  const cyd = driver.join('cyd');
  const dan = new Client(driver, playerNamed('dan'));
  driver.plug(dan);
  const seat = driver.table.reserveSeat('dan');
  const tempo = { decisions: 50, meanMs: 4_000, bankMs: 0 };
  driver.do((now) =>
    driver.table.sit(now, { sitting: 'dan', seat, stack: 2000, player: dan.player, tempo }, dan.socket),
  );
  driver.deal();
  t.same(clockOf(cyd), [16_000, 0]);
  cyd.act('call');
  t.same(clockOf(dan), [5_000, 0], 'of one who decided at once');
  t.end();
});

void t.test('all banks of a table give no more than half a minute in a minute, but for the first draw', (t) => {
  const { driver, players } = ring('ada bob cyd dan', BANK);
  const [ada, bob, cyd, dan] = players as [Client, Client, Client, Client];
  for (let i = 0; i < 4; i++) hand(driver, dan, 0);
  driver.forget();
  driver.deal();
  const order: Client[] = [];
  const clocks: (number | null)[] = [];
  while (order.length < 3) {
    const { actor } = driver;
    order.push(actor);
    clocks.push(clockOf(actor)![0]!);
    driver.advance(Math.min(25_000, clocks.at(-1)! - 1));
    actor.act('fold');
  }
  t.same(clocks, [120_000, 9_000, 5_000], 'the first takes 23 s of its bank, which leaves 7 s for the others');
  t.ok([ada, bob, cyd, dan].length === 4);
  t.end();
});

void t.test('six who think for 30 s keep their clock, alone and with bots of the house', (t) => {
  for (const house of [0, 2]) {
    const driver = new TableDriver(BANK);
    const names = ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay'];
    const players = names.map((name, i) => driver.join(name, 2000, { isHouse: i >= 6 - house }));
    for (let hands = 0; hands < 12; hands++) {
      driver.deal();
      while (driver.table.inHand) {
        const { actor } = driver;
        t.match(clockOf(actor), [120_000, null]);
        driver.advance(actor.player.isHouse ? 10 : 30_000);
        const free = actor.turn!.valid_actions.some(({ action }) => action === 'check');
        actor.act(free ? 'check' : 'call');
      }
      for (const player of players)
        t.same(
          player.all('player_action').filter(({ reason }) => reason !== null),
          [],
        );
      driver.forget();
    }
  }
  t.end();
});

void t.test('a player that parts plays its hand to the end, and reads table_closed', (t) => {
  const { driver, players: [ada, bob, cyd] } = ring('ada bob cyd'); // prettier-ignore
  driver.deal();
  driver.do((now) => driver.table.part(now, cyd.agentId, 'pace'));
  driver.checkDown();
  const types = cyd.types();
  t.ok(types.indexOf('hand_result') < types.indexOf('table_closed'));
  t.notOk(types.includes('player_left'));
  t.match(ada.last('player_left'), { seat: 2, reason: 'left' });
  t.match(driver.releases, [{ agentId: cyd.agentId, reason: 'left', absent: false }]);
  driver.do((now) => driver.table.part(now, bob.agentId, 'pace'));
  t.match(bob.last('table_closed'), { reason: 'pace' }, 'between hands at once');
  t.end();
});

void t.test('a player that is to part and leaves, or is bust, reads player_left', (t) => {
  const { driver, players: [ada, bob, cyd] } = ring('ada bob cyd'); // prettier-ignore
  driver.deal();
  driver.do((now) => driver.table.part(now, cyd.agentId, 'pace'));
  cyd.leave();
  driver.checkDown();
  t.match(cyd.last('player_left'), { seat: 2 });
  t.notOk(cyd.types().includes('table_closed'));
  t.ok(ada.inbox.length > 0 && bob.inbox.length > 0);
  t.end();
});
