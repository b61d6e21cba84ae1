/** A table whose players cannot be heard: its clocks stand still for a while, and go on with what was left of them. */
import t from 'tap';
import { FILE_MS } from '../support/limits.js';
import { TableDriver } from '../support/table-driver.js';

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
