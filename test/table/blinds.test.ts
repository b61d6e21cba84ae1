/**
 * Blinds cannot be dodged (protocol.md, "Return posts"). Tests which players post a big blind on their return, and the
 * gain of a leave before the big blind.
 */
import fc from 'fast-check';
import t from 'tap';
import { replayStored } from '../../src/table/record/stored-hand.js';
import { FILE_MS } from '../support/limits.js';
import { SEED as seed } from '../support/seed.js';
import { playerNamed, TableDriver, type Client } from '../support/table-driver.js';

t.setTimeout(FILE_MS);

const NAMES = 'ada bob cyd dee eve fox';
const MINUTE = 60_000;

/** Deals the next hand and plays it down; between hands it pauses for a second. */
function playHand(driver: TableDriver): void {
  driver.advance(1_000);
  if (!driver.table.inHand) throw new Error('no hand was dealt');
  driver.checkDown();
}

/** Six players; the last one (seat 5) would be the big blind of the fourth hand. */
function sixAfter(hands: number, options: ConstructorParameters<typeof TableDriver>[0] = {}) {
  const { driver, players } = TableDriver.ring(NAMES, options);
  for (let i = 0; i < hands; i++) playHand(driver);
  return { driver, ada: players[0], fox: players.at(-1) as Client };
}

/** The posts of the last hand, as one reads them. */
const posts = (reader: Client) => reader.last('hand_start').posts;
const returns = (reader: Client) => posts(reader).filter(({ kind }) => kind === 'return');
const joined = (client: Client) => client.last('table_joined').posts_big_blind;

void t.test('who leaves before its big blind and comes back on the button posts one, live', (t) => {
  const { driver, ada, fox } = sixAfter(3);
  fox.leave();
  playHand(driver);
  driver.advance(1_000);
  const again = driver.join('fox');
  driver.checkDown();
  t.equal(joined(again), true);
  driver.advance(1_000);
  t.equal(again.last('hand_start').dealer_seat, 5);
  t.same(posts(ada), [
    { seat: 0, amount: 10, kind: 'small_blind' },
    { seat: 1, amount: 20, kind: 'big_blind' },
    { seat: 5, amount: 20, kind: 'return' },
  ]);
  const { seats, pot } = ada.last('table_state');
  t.match([seats[5], pot], [{ bet: 20, stack: 1980 }, 50]);
  for (let folds = 0; folds < 3; folds++) driver.actor.act('fold');
  t.match(again.turn?.valid_actions[0], { action: 'check' }, 'it may check what it has posted');
  driver.checkDown();
  const record = driver.records.at(-1)!;
  t.equal(record.returns, 1 << 5);
  const { outcome } = replayStored(record);
  t.same(
    record.players.map(({ seat }) => outcome.finalStacks[seat]),
    record.players.map(({ stackEnd }) => stackEnd),
    'the stored hand replays with its post',
  );
  playHand(driver);
  t.same(returns(ada), [], 'once');
  t.end();
});

void t.test('so does who is kicked, or does not come back in time', (t) => {
  for (const go of [
    (fox: Client) => fox.drop(),
    (fox: Client) => {
      for (let i = 0; i < 20; i++) fox.driver.do((now) => fox.driver.table.invalid(now, fox.agentId, fox.socket));
    },
  ]) {
    const { driver, ada, fox } = sixAfter(3);
    go(fox);
    while (driver.table.seatOf(fox.agentId) !== null || ada.last('hand_start').dealer_seat !== 3) playHand(driver);
    t.equal(joined(driver.join('fox')), true);
  }
  t.end();
});

void t.test('a newcomer, and who has paid for the orbit, sit down as ever', (t) => {
  const { driver, fox } = sixAfter(5);
  t.notOk(joined(driver.join.call(new TableDriver(), 'new')), 'a newcomer');
  fox.leave();
  const again = driver.join('fox');
  t.equal(again.last('table_joined').seat, 5);
  t.equal(joined(again), undefined, 'it has been big and small blind');
  for (let i = 0; i < 4; i++) playHand(driver);
  t.same(returns(again), []);
  again.leave();
  t.equal(joined(driver.join('fox')), undefined, 'the seat is the next big blind, which is paid anyway');
  t.end();
});

void t.test('in the big blind nothing is posted beside it; the small blind takes the place of a post once', (t) => {
  const { driver, ada, fox } = sixAfter(3);
  fox.leave();
  for (const [turn, expected] of [
    [1, 0],
    [2, 1],
    [3, 1],
  ] as const) {
    // The button is two seats before the empty one: whoever sits down there now is the next small blind.
    while (ada.last('hand_start').dealer_seat !== 3) playHand(driver);
    driver.advance(1_000);
    while (ada.last('hand_start').dealer_seat !== 3) playHand(driver);
    const again = driver.join('fox');
    driver.checkDown();
    t.equal(joined(again), true, `turn ${turn}`);
    driver.advance(1_000);
    t.equal(posts(ada)[0]!.seat, 5, 'it is the small blind');
    t.same(returns(ada), expected === 0 ? [] : [{ seat: 5, amount: 10, kind: 'return' }]);
    driver.checkDown();
    for (let i = 0; i < 4; i++) playHand(driver);
    again.leave();
  }
  t.end();
});

void t.test('what the platform does makes nobody owe anything', (t) => {
  const closing = sixAfter(3);
  closing.driver.do((now) => closing.driver.table.close(now, 'season_ended'));
  t.ok(
    closing.driver.releases.every(({ owes }) => owes === null),
    'a table that closes',
  );

  const { driver, players } = TableDriver.ring('ada bob cyd');
  playHand(driver);
  for (const gone of players.slice(1)) gone.drop();
  driver.do((now) => driver.table.moveOn(now, 'agent-ada', 'insufficient_players'));
  t.match(driver.releases.at(-1), { agentId: 'agent-ada', reason: 'left', owes: null }, 'who is sent elsewhere');

  const sittings = ['ada', 'bob'].map((name, seat) => ({
    sitting: name,
    seat,
    stack: 2000,
    player: playerNamed(name),
  }));
  const restored = new TableDriver({ opening: { sittings, handNumber: 9, button: 0, bigBlindSeat: 1 } });
  restored.advance(2 * MINUTE);
  t.match(restored.releases, [{ owes: null }, { owes: null }], 'who does not come back after a restart');

  const house = new TableDriver();
  const bot = house.join('bot', 2000, { isHouse: true });
  for (const name of ['ada', 'bob', 'cyd']) house.join(name);
  playHand(house);
  bot.leave();
  t.match(house.releases.at(-1), { agentId: 'agent-bot', owes: null }, 'house bots make room');
  t.end();
});

void t.test('who was dealt nothing owes what it owed before', (t) => {
  const { driver, fox } = sixAfter(0);
  fox.leave();
  t.match(driver.releases.at(-1), { owes: null });
  const paying = sixAfter(3);
  paying.fox.leave();
  playHand(paying.driver);
  for (let i = 0; i < 2; i++) {
    const again = paying.driver.join('fox');
    t.equal(joined(again), true);
    again.leave();
  }
  t.end();
});

void t.test('a leave is remembered for five minutes, or for six hands of a slow table', (t) => {
  const { driver, fox } = sixAfter(3);
  fox.leave();
  t.equal(driver.releases.at(-1)!.owes?.forMs, 5 * MINUTE);
  const slow = TableDriver.ring(NAMES, { rules: { betweenHandsMs: 3 * MINUTE } });
  slow.driver.advance(3 * MINUTE);
  slow.driver.checkDown();
  slow.players.at(-1)!.leave();
  t.ok(slow.driver.releases.at(-1)!.owes!.forMs >= 18 * MINUTE);
  t.end();
});

void t.test('RETURN_POST=off: nobody posts on its way back', (t) => {
  const { driver, fox } = sixAfter(3, { rules: { returnPost: false } });
  fox.leave();
  t.match(driver.releases.at(-1), { owes: null });
  playHand(driver);
  t.equal(joined(driver.join('fox')), undefined);
  t.end();
});

void t.test('no way of leaving and coming back is worth more than a fifth of the blinds', (t) => {
  /** An honest player of six pays 30 in 6 hands. The least is what a post buys: 20 for five hands from the small blind. */
  const leastAHand = 4;
  /** The hands of a newcomer, and a small blind in place of a post. */
  const free = 40;
  const pays = (stays: readonly { dealt: number; away: number }[]) => {
    const { driver, players } = TableDriver.ring(
      NAMES,
      {},
      Array.from({ length: 6 }, () => 1e6),
    );
    let fox: Client | null = players.at(-1) as Client;
    let [hands, posted] = [0, 0];
    const play = () => {
      driver.advance(1_000);
      if (fox !== null) {
        const own = fox.last('hand_start').posts.filter(({ seat }) => seat === 5);
        posted += own.reduce((sum, { amount }) => sum + amount, 0);
        hands++;
      }
      while (driver.table.inHand) driver.actor.act(driver.actor.turn!.valid_actions[0]!.action);
      driver.forget();
    };
    for (const { dealt, away } of stays) {
      for (let i = 0; i < dealt; i++) play();
      fox.leave();
      fox = null;
      for (let i = 0; i < away; i++) play();
      fox = driver.join('fox', 1e6);
    }
    if (posted < leastAHand * hands - free) throw new Error(`${posted} chips of blinds in ${hands} hands`);
  };
  const stay = fc.record({ dealt: fc.integer({ min: 1, max: 6 }), away: fc.integer({ min: 0, max: 3 }) });
  fc.assert(fc.property(fc.array(stay, { minLength: 4, maxLength: 6 }), pays), { seed, numRuns: 6 });
  for (const [dealt, away] of [
    [4, 1],
    [4, 2],
    [5, 1],
    [1, 0],
  ] as const) {
    pays(Array.from({ length: 8 }, () => ({ dealt, away })));
  }
  t.end();
});
