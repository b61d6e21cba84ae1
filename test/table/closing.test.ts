/** How a table ends: drained, closed, a season over (protocol.md, "Match-making"). */
import t from 'tap';
import type { Sitting } from '../../src/table/api.js';
import { FILE_MS } from '../support/limits.js';
import { playerNamed, TableDriver, type Client } from '../support/table-driver.js';

t.setTimeout(FILE_MS);

const { headsUp } = TableDriver;

const errors = (client: Client) => client.all('error').map(({ code }) => code);

void t.test('a drained table finishes its hand, keeps its seats and takes no newcomer', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  driver.do((now) => driver.table.drain(now));
  t.equal(driver.table.reserveSeat('late'), -1);
  t.equal(driver.table.summary().closing, true);
  driver.checkDown();
  driver.advance(60_000);
  t.equal(driver.table.inHand, false);
  t.equal(ada.last('table_state').waiting_reason, 'table_closing');
  t.same(driver.releases, []);
  t.equal(driver.table.nextDeadline, Infinity);
  t.same(driver.table.seatOf(bob.agentId)?.seat, 1);
  t.end();
});

void t.test('a drained table goes on when it is told to, unless it closes', (t) => {
  const { driver, ada } = headsUp({ rules: { betweenHandsMs: 1000 } });
  driver.do((now) => driver.table.drain(now));
  driver.advance(60_000);
  t.equal(driver.table.inHand, false);
  driver.do((now) => driver.table.resume(now));
  t.equal(ada.last('table_state').waiting_reason, 'between_hands_delay', 'the usual delay runs first');
  t.equal(driver.table.summary().closing, false);
  driver.advance(1000);
  t.equal(driver.table.inHand, true);
  t.not(driver.table.reserveSeat('late'), -1);
  driver.table.unreserveSeat('late');

  driver.do((now) => driver.table.close(now, 'competition_ended'));
  driver.do((now) => driver.table.resume(now));
  driver.checkDown();
  t.match(ada.last('table_closed'), { reason: 'competition_ended' });
  t.end();
});

void t.test('closing: the hand ends, all stacks go back, and only then table_closed, with no player_left', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.holdReleases = true;
  driver.deal();
  driver.do((now) => driver.table.close(now, 'season_ended'));
  t.same(driver.releases, []);
  driver.checkDown();
  t.same(
    driver.releases.map(({ reason }) => reason),
    ['closed', 'closed'],
  );
  driver.forget();
  driver.cashOut(driver.releases[0]);
  t.same(ada.types(), [], 'not before every stack is back');
  ada.leave();
  t.same(errors(ada), ['leave_pending']);
  driver.forget();
  driver.cashOut(driver.releases[1]);
  t.equal(ada.last('table_closed').reason, 'season_ended');
  t.same(ada.types(), ['table_closed']);
  t.same(bob.types(), ['table_closed']);
  t.equal(driver.tableClosed, true);
  t.equal(driver.table.summary().occupied, 0);
  t.end();
});

void t.test("a season's end does not wait for the hand in progress: it is void, stacks are what they were", (t) => {
  const { driver, ada, bob } = headsUp();
  const before = [ada, bob].map(({ agentId }) => driver.table.seatOf(agentId)!.stack);
  driver.deal();
  ada.act('call');
  driver.do((now) => driver.table.close(now, 'season_ended', true));
  t.same(driver.records, [], 'no hand is stored');
  t.same(
    driver.releases.map(({ stack, reason }) => [stack, reason]),
    before.map((stack) => [stack, 'closed']),
  );
  t.same(ada.last('table_closed').reason, 'season_ended');
  t.equal(ada.last('table_closed').hand_id, null);
  driver.advance(200_000);
  t.equal(driver.table.nextDeadline, Infinity, 'no turn is left to run out');

  const stored = headsUp();
  stored.driver.holdCommits = true;
  stored.driver.deal();
  stored.driver.actor.act('fold');
  stored.driver.do((now) => stored.driver.table.close(now, 'season_ended', true));
  t.equal(stored.driver.tableClosed, false, 'a hand that is over and being stored still counts');
  t.equal(stored.driver.records.length, 1);
  t.end();
});

void t.test('a table closes between hands at once, and an empty one too', (t) => {
  const { driver, ada } = headsUp();
  driver.do((now) => driver.table.close(now, 'insufficient_players'));
  t.equal(ada.last('table_closed').reason, 'insufficient_players');
  const empty = new TableDriver();
  empty.do((now) => empty.table.close(now, 'insufficient_players'));
  t.equal(empty.tableClosed, true);
  t.end();
});

void t.test('a buy-in that is paid while the table closes is seated and paid back before table_closed', (t) => {
  const driver = new TableDriver();
  const seat = driver.table.reserveSeat('late');
  driver.do((now) => driver.table.close(now, 'season_ended'));
  t.equal(driver.tableClosed, false, 'the reservation is waited for');
  const sitting: Sitting = { sitting: 'late', seat, stack: 1000, player: playerNamed('late') };
  driver.do((now) => driver.table.sit(now, sitting, 77));
  t.match(driver.releases, [{ sitting: 'late', stack: 1000, reason: 'closed' }]);
  t.equal(driver.tableClosed, true);

  const given = new TableDriver();
  given.table.reserveSeat('failed');
  given.do((now) => given.table.close(now, 'season_ended'));
  given.table.unreserveSeat('failed');
  given.settle();
  t.equal(given.tableClosed, true, 'or for its failure');
  t.end();
});

void t.test('a bust on a closing table is a bust, not a closing', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal('As Ks Ad Kd 2c 7d 9h Jc 4s');
  driver.do((now) => driver.table.close(now, 'season_ended'));
  ada.act('all_in');
  bob.act('call');
  t.same(
    driver.releases.map(({ agentId, reason }) => [agentId, reason]),
    [
      ['agent-ada', 'busted'],
      ['agent-bob', 'closed'],
    ],
  );
  t.end();
});
