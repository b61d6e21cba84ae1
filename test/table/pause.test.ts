/** A table whose players cannot be heard: its clocks stand still for a while, and go on with what was left of them. */
import t from 'tap';
import { FILE_MS } from '../support/limits.js';
import { PLACES } from '../../src/table/api.js';
import { playerNamed, TableDriver } from '../support/table-driver.js';

t.setTimeout(FILE_MS);
const { headsUp, ring } = TableDriver;

const pause = (driver: TableDriver, unheardMs = 0, place: number | null = null) =>
  driver.do((now) => driver.table.pause(now, now - unheardMs, place));
const goOn = (driver: TableDriver) => driver.do((now) => driver.table.pause(now, null, null));

void t.test('an open decision keeps what was left of its time', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  driver.advance(100_000);
  pause(driver);
  driver.advance(50_000);
  t.same(ada.all('player_action'), [], 'nobody is timed out who cannot be heard');
  goOn(driver);
  driver.advance(19_999);
  t.same(ada.all('player_action'), []);
  driver.advance(1);
  t.match(ada.last('player_action'), { reason: 'timeout' });
  t.end();
});

void t.test('it counts from when nobody was heard any more', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  driver.advance(100_000);
  pause(driver, 1_500);
  pause(driver);
  driver.advance(10_000);
  goOn(driver);
  driver.advance(21_499);
  t.same(ada.all('player_action'), []);
  driver.advance(1);
  t.equal(ada.all('player_action').length, 1);
  t.end();
});

void t.test('a minute, and no longer, for the decision as for held seats', (t) => {
  const {
    driver,
    players: [ada, , cyd],
  } = ring('ada bob cyd', { rules: { actionTimeoutMs: 20_000, disconnectHoldMs: 40_000 } });
  driver.deal();
  cyd.drop();
  pause(driver);
  driver.advance(79_999);
  t.same(ada.all('player_action'), []);
  t.same(driver.releases, []);
  driver.advance(1);
  t.match(ada.all('player_action'), [{ reason: 'timeout' }]);
  driver.advance(20_000);
  t.equal(ada.types().includes('player_left'), true, 'held as long as it would have been, and the minute');
  t.end();
});

void t.test('a turn that is opened meanwhile has its time, and not more', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  pause(driver);
  driver.advance(30_000);
  const actor = driver.actor;
  actor.act('call');
  driver.advance(20_000);
  goOn(driver);
  driver.advance(119_999);
  t.equal(ada.all('player_action').length, 1);
  driver.advance(1);
  t.equal(ada.all('player_action').length, 2);
  t.ok(bob.inbox.length > 0);
  t.end();
});

void t.test('no hand begins, however long it lasts', (t) => {
  const { driver, ada } = headsUp();
  pause(driver);
  driver.advance(600_000);
  t.same(ada.all('hand_start'), []);
  goOn(driver);
  driver.advance(1_000);
  t.equal(ada.all('hand_start').length, 1, 'and then at once');
  t.end();
});

/** Sockets of the driver are serial numbers: each is held at a place of its own. */
const placeOfAda = 1;

void t.test('where only those elsewhere cannot be heard, a table whose players are all here plays on', (t) => {
  const driver = new TableDriver();
  const ada = driver.join('ada');
  const elsewhere = (place: number) => driver.do((now) => driver.table.pause(now, now, place));
  elsewhere(placeOfAda);
  const bob = driver.join('bob');
  driver.advance(10_000);
  t.same(ada.all('hand_start'), [], 'bob is elsewhere');
  const here = 2 * PLACES + placeOfAda;
  driver.do((now) => driver.table.attach(now, bob.agentId, here));
  driver.advance(1_000);
  t.equal(ada.all('hand_start').length, 1, 'now he is here');
  driver.do((now) => driver.table.detach(now, bob.agentId, here));
  driver.advance(120_000);
  t.match(ada.all('player_action'), [{ reason: 'timeout' }], 'he was here last, and clocks run');
  t.end();
});

void t.test('its situation may change: somebody elsewhere comes, or goes for good', (t) => {
  const {
    driver,
    players: [ada, bob, cyd],
  } = ring('ada bob cyd', { rules: { actionTimeoutMs: 20_000, disconnectHoldMs: 40_000 } });
  const attach = (agentId: string, socket: number) => driver.do((now) => driver.table.attach(now, agentId, socket));
  for (const [n, { agentId }] of [bob, cyd].entries()) attach(agentId, (n + 5) * PLACES + placeOfAda);
  driver.deal();
  driver.do((now) => driver.table.pause(now, now, placeOfAda));
  driver.advance(5_000);
  const actor = driver.table.summary().players.find(({ agentId }) => agentId === cyd.agentId)!.agentId;
  attach(actor, 7 * PLACES + 2);
  driver.advance(30_000);
  t.same(ada.all('player_action'), [], 'she cannot be heard');
  attach(actor, 8 * PLACES + placeOfAda);
  driver.advance(14_999);
  t.same(ada.all('player_action'), []);
  driver.advance(1);
  t.equal(ada.all('player_action').length, 1, 'what was left of the turn');
  t.end();
});

void t.test('whoever is held, and was never heard here, may be anywhere', (t) => {
  const sitting = (name: string, seat: number) => ({
    ...{ sitting: `stay of ${name}`, seat, stack: 1000 },
    player: { ...playerNamed(name), agentId: `agent-${name}` },
  });
  const driver = new TableDriver({ opening: { sittings: [sitting('ada', 0), sitting('bob', 1)] } });
  driver.do((now) => driver.table.pause(now, now, placeOfAda));
  driver.do((now) => driver.table.attach(now, 'agent-ada', PLACES + placeOfAda));
  driver.advance(130_000);
  t.same(driver.releases, [], 'held for a minute longer');
  driver.advance(60_000);
  t.match(driver.releases, [{ agentId: 'agent-bob' }]);
  t.end();
});
