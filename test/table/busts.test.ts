/** Stacks that end a stay, or leave the table in part: busts, and the excess over a maximum (protocol.md, "Rebuys"). */
import t from 'tap';
import { FILE_MS } from '../support/limits.js';
import { TableDriver } from '../support/table-driver.js';

t.setTimeout(FILE_MS);

const { headsUp } = TableDriver;

void t.test('bust with auto-rebuy off: only a stack of 0; a shorter stack than a blind still plays, all-in', (t) => {
  const { driver, ada, bob } = headsUp({}, [2000, 2010]);
  driver.deal('As Ks Ad Kd 2c 7d 9h Jc 4s');
  ada.act('all_in');
  bob.act('call');
  t.match(driver.releases, [{ agentId: 'agent-ada', stack: 0, reason: 'busted' }]);
  t.match(bob.last('player_left'), { seat: 0, reason: 'busted' });
  t.match(ada.last('player_left'), { seat: 0, reason: 'busted' }, 'before busted, or the messages of its rebuy');
  t.equal(ada.inbox.at(-1)?.type, 'player_left', 'and no state of a table that is not its own any more');

  const short = headsUp({}, [2000, 2010]);
  // ada wins this time, bob keeps 10 chips.
  short.driver.deal('Ks As Kd Ad 2c 7d 9h Jc 4s');
  short.ada.act('all_in');
  short.bob.act('call');
  t.same(short.driver.releases, []);
  short.driver.forget();
  short.driver.deal();
  t.equal(short.bob.last('hand_start').seat, 1);
  t.match(short.ada.all('table_state').find(({ street }) => street === 'preflop')?.seats[1], { bet: 10, stack: 0 });
  t.end();
});

void t.test('bust with auto-rebuy on: below one big blind, the rest going back to the balance', (t) => {
  const driver = new TableDriver();
  const ada = driver.join('ada', 2000);
  const bob = driver.join('bob', 2010, { autoRebuy: true });
  driver.deal('Ks As Kd Ad 2c 7d 9h Jc 4s');
  ada.act('all_in');
  bob.act('call');
  t.match(driver.releases, [{ agentId: 'agent-bob', stack: 10, reason: 'busted' }]);
  t.end();
});

void t.test('the preference counts as it is at the end of the hand', (t) => {
  const { driver, ada, bob } = headsUp({}, [2000, 2010]);
  driver.deal('Ks As Kd Ad 2c 7d 9h Jc 4s');
  driver.do((now) => driver.table.update(now, bob.agentId, { autoRebuy: true }));
  ada.act('all_in');
  bob.act('call');
  t.match(driver.releases, [{ agentId: 'agent-bob', stack: 10, reason: 'busted' }]);
  t.end();
});

void t.test(
  'a stack above the maximum is cut after the hand: told once it is in the balance, the new state behind',
  (t) => {
    const { driver, ada, bob } = headsUp({ rules: { maxStack: 2500 } }, [2000, 3000]);
    driver.holdSkims = true;
    driver.deal('Ks As Kd Ad 2c 7d 9h Jc 4s');
    ada.act('all_in');
    driver.forget();
    bob.act('call');
    const [skim] = driver.skims;
    t.match(skim, { agentId: 'agent-ada', stack: 4000, excess: 1500, handId: ada.last('hand_result').hand_id });
    t.equal(ada.last('table_state').seats[0]?.stack, 4000, 'the settled state, before it');
    driver.advance(60_000);
    t.same(ada.all('hand_start'), [], 'the next hand waits for it');

    driver.forget();
    driver.do(() => driver.skimmed());
    t.same(ada.take().slice(0, 1), [{ type: 'chips_skimmed', excess: 1500, new_stack: 2500, new_balance: 1500 }]);
    t.same(bob.all('chips_skimmed'), [], 'a matter between the player and its balance');
    t.equal(bob.last('table_state').seats[0]?.stack, 2500);
    driver.nextDeadline();
    t.match(bob.last('hand_start'), { type: 'hand_start' });
    t.equal(driver.skims.length, 1);
    t.end();
  },
);

void t.test('a leave and a closing wait for the excess, then cash out the rest', (t) => {
  for (const go of ['leave', 'close'] as const) {
    const { driver, ada, bob } = headsUp({ rules: { maxStack: 2500 } }, [2000, 2010]);
    driver.holdSkims = true;
    driver.deal('Ks As Kd Ad 2c 7d 9h Jc 4s');
    ada.act('all_in');
    bob.act('call');
    if (go === 'leave') ada.leave();
    else driver.do((now) => driver.table.close(now, 'season_ended'));
    const released = () => driver.releases.filter(({ agentId }) => agentId === 'agent-ada');
    t.same(released(), []);
    driver.do(() => driver.skimmed());
    t.match(released(), [{ stack: 2500, reason: go === 'leave' ? 'left' : 'closed' }]);
    t.equal(driver.tableClosed, go === 'close');
  }
  t.end();
});

void t.test('an excess that a crash left on the table is cut when it opens again', (t) => {
  const { driver, ada } = headsUp();
  const sitting = { sitting: 'stay', seat: 0, player: ada.player, stack: 4000 };
  const reopened = new TableDriver({ rules: { ...driver.rules, maxStack: 2500 }, opening: { sittings: [sitting] } });
  t.match(reopened.skims, [{ sitting: 'stay', stack: 4000, excess: 1500, handId: null }]);
  t.match(reopened.table.seatOf(ada.agentId), { stack: 2500 });
  t.end();
});
