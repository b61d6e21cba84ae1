/** Resync, numbering and determinism (protocol.md, "Resync" and "The envelope"). */
import t from 'tap';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import { FILE_MS } from '../support/limits.js';
import { TableDriver, type Client } from '../support/table-driver.js';

t.setTimeout(FILE_MS);

const { headsUp, ring } = TableDriver;

const REPLAYABLE = ['hand_start', 'player_action', 'community_cards', 'hand_result', 'player_joined', 'player_left'];

/** The replayable events among those a client read, as it read them. */
const seen = (client: Client) => client.inbox.filter(({ type }) => REPLAYABLE.includes(type));

void t.test('a replay repeats every public event exactly as this player saw it, and nothing private', (t) => {
  const {
    driver,
    players: [ada, bob, cyd],
  } = ring('ada bob cyd');
  for (let hand = 0; hand < 3; hand++) {
    driver.deal();
    driver.actor.act('raise', 60);
    driver.checkDown();
  }
  driver.deal();
  driver.actor.act('call');
  for (const client of [ada, bob, cyd]) {
    const live = seen(client);
    const { replayed_events, role } = client.resync(null);
    const joins = replayed_events.filter(({ type }) => type === 'player_joined');
    t.equal(joins.length, 3);
    t.same(
      replayed_events.filter(({ type }) => type !== 'player_joined'),
      live,
    );
    t.equal(role, 'player');
  }
  const dealt = ada.last('resync_response').replayed_events.filter(({ type }) => type === 'hand_start');
  t.ok(
    dealt.every((event) => 'seat' in event && event.seat === 0),
    'hand_start with the own seat',
  );
  t.end();
});

void t.test('a replay is written as the frames were: byte for byte', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  driver.checkDown();
  driver.deal();
  const live = driver.sent.filter(({ socket, message }) => socket === ada.socket && REPLAYABLE.includes(message.type));
  ada.resync(live[0]?.message.type === 'player_joined' ? 0 : null);
  const answer = driver.sent.at(-1)!.text;
  for (const { text } of live) t.ok(answer.includes(text), text.slice(0, 120));
  t.end();
});

void t.test(
  'a table of a duplicate pool shows nothing to who does not sit there: others have yet to play its decks',
  (t) => {
    const { driver, ada } = headsUp({ rules: { duplicate: { secret: 'ab'.repeat(32) } } });
    driver.deal();
    driver.do((now) => driver.table.resync(now, 'agent-eve', 99, null));
    t.match(driver.sent.at(-1), { socket: 99, message: { type: 'error', code: 'table_not_found' } });
    t.equal(ada.resync(null).role, 'player');
    t.end();
  },
);

void t.test('a replay of what was missed: only what came after last_table_seq', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  ada.act('call');
  const last = ada.last('table_state').table_seq;
  ada.drop();
  bob.act('check');
  ada.connect();
  const answer = ada.resync(last);
  t.same(
    answer.replayed_events.map(({ type }) => type),
    ['player_action', 'community_cards'],
  );
  t.equal(answer.from_table_seq, last + 1);
  t.ok(answer.to_table_seq >= answer.replayed_events.at(-1)!.table_seq);
  const nothing = ada.resync(answer.to_table_seq);
  t.same(nothing.replayed_events, []);
  t.equal(nothing.from_table_seq, null);
  t.same(ada.resync(Number.MAX_SAFE_INTEGER).replayed_events, [], 'a number of the future: nothing to replay');
  t.end();
});

void t.test('null and 0 mean the whole window', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  t.same(ada.resync(null).replayed_events, ada.resync(0).replayed_events);
  t.end();
});

void t.test("the snapshot is the requester's own table_state; only the actor's carries the token", (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  const deadline = driver.table.nextDeadline;
  const own = ada.resync(0).snapshot;
  t.equal(own.hero?.turn_token, ada.turn?.turn_token);
  t.same(own.hero?.valid_actions, ada.last('table_state').hero?.valid_actions);
  t.match(own, { to_call: 10, min_raise_to: 40, max_raise_to: 2000, hero: { seat: 0 } });
  t.equal(own.table_seq, ada.last('resync_response').to_table_seq);
  const other = bob.resync(0).snapshot;
  t.same(Object.keys(other.hero ?? {}), ['hole_cards', 'seat']);
  t.notOk('to_call' in other || 'min_raise_to' in other);
  t.equal(driver.table.nextDeadline, deadline, 'the turn is not extended');
  ada.act('call', null, { turn_token: own.hero?.turn_token });
  t.equal(ada.last('action_ack').status, 'accepted', 'the token of the snapshot is good');
  t.end();
});

/** A resync from a socket that has no seat. */
function watch(driver: TableDriver, agentId: string | null, last: number | null = null) {
  driver.do((now) => driver.table.resync(now, agentId, 999, last));
  return driver.sent.findLast(({ socket }) => socket === 999)!.message as ServerMessageOf['resync_response'];
}

void t.test('a requester without a seat is a spectator: no hero, no hole cards, no seat in hand_start', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  ada.act('call');
  for (const agentId of [null, 'agent-nobody']) {
    const { role, snapshot, replayed_events } = watch(driver, agentId);
    t.equal(role, 'spectator');
    t.notOk('hero' in snapshot);
    t.notOk(replayed_events.some((event) => event.type === 'hand_start' && 'seat' in event));
  }
  const published = JSON.parse(driver.table.publicState(driver.now)) as ServerMessageOf['table_state'];
  t.equal(published.state_hash, watch(driver, null).snapshot.state_hash, 'GET /tables/{id} shows the same');
  t.end();
});

void t.test('g spectators are answered from one encoding of each event, whoever asks from whatever number on', (t) => {
  const {
    driver,
    players: [ada],
  } = ring('ada bob cyd', { rules: { replayHands: 4 } });
  const told = new Set<number>();
  for (let hand = 0; hand < 12; hand++) {
    driver.deal();
    driver.actor.act('raise', 60);
    for (let asked = 0; asked < 2; asked++) {
      const { replayed_events: all } = watch(driver, null, 0);
      for (const { table_seq } of all) told.add(table_seq);
      t.same(all.map(shared), ada.resync(0).replayed_events.map(shared), `hand ${hand}`);
      t.notMatch(JSON.stringify(all), '"ada-', 'ids of actions are their own');
      for (const [n, { table_seq }] of all.entries()) {
        const { replayed_events, from_table_seq } = watch(driver, 'agent-nobody', table_seq);
        t.same(replayed_events, all.slice(n + 1));
        t.equal(from_table_seq, n + 1 < all.length ? table_seq + 1 : null);
      }
      if (asked === 0) driver.checkDown();
    }
  }
  t.equal(driver.out.replays.of('table-1').encoded, told.size);
  t.end();
});

/** The fields of an event that all readers read alike. */
function shared(event: Replayed): object {
  if (event.type === 'hand_start') return { ...event, seat: null };
  return event.type === 'player_action' ? { ...event, action_id: null } : event;
}
type Replayed = ServerMessageOf['resync_response']['replayed_events'][number];

void t.test('who has left is a spectator, but still sees its old hands from its own seat', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  const fold = ada.act('fold');
  ada.leave();
  const answer = watch(driver, ada.agentId);
  t.equal(answer.role, 'spectator');
  t.match(
    answer.replayed_events.find(({ type }) => type === 'hand_start'),
    { seat: 0 },
  );
  t.match(
    answer.replayed_events.find(({ type }) => type === 'player_action'),
    { action_id: fold.client_action_id },
  );
  t.ok(answer.replayed_events.some(({ type }) => type === 'player_left'));
  t.ok(bob.inbox.length > 0);
  t.end();
});

void t.test('the window keeps at least the last hands asked for, and from_table_seq says where it starts', (t) => {
  const { driver, ada } = headsUp({ rules: { replayHands: 4 } });
  const first = ada.resync(0);
  for (let hand = 0; hand < 10; hand++) {
    driver.deal();
    driver.actor.act('fold');
  }
  driver.deal();
  const answer = ada.resync(first.to_table_seq);
  const starts = answer.replayed_events.filter(({ type }) => type === 'hand_start');
  t.equal(starts.length, 5, 'four complete ones and the one in progress');
  t.ok(answer.from_table_seq! > first.to_table_seq + 1, 'the gap shows');
  t.ok(answer.from_table_seq! <= starts[0]!.table_seq);
  t.equal(ada.resync(starts[0]!.table_seq - 1).replayed_events.length, answer.replayed_events.length);
  t.end();
});

void t.test('the byte cap makes the window shorter, never the hand in progress', (t) => {
  const { driver, ada } = headsUp({ rules: { replayBytes: 2_000 } });
  for (let hand = 0; hand < 15; hand++) {
    driver.deal();
    driver.checkDown();
  }
  driver.deal();
  const starts = ada.resync(0).replayed_events.filter(({ type }) => type === 'hand_start').length;
  t.ok(starts >= 2 && starts < 10, `${starts} hands`);
  t.end();
});

void t.test('people coming and going for days at an idle table drop out of the window too', (t) => {
  const driver = new TableDriver({ rules: { replayBytes: 20_000 } });
  for (let i = 0; i < 2_000; i++) {
    driver.join(`walker${i}`).leave();
    driver.sent.length = 0;
  }
  const { replayed_events, from_table_seq } = watch(driver, null);
  t.ok(replayed_events.length > 100 && replayed_events.length < 3_000, `${replayed_events.length} events`);
  t.ok(from_table_seq! <= replayed_events[0]!.table_seq);
  t.end();
});

void t.test('one answer holds only so many bytes of events, however many hands the window has', (t) => {
  const most = 40_000;
  const { driver, ada } = headsUp({ rules: { resyncBytes: most, fairDeals: true } });
  const nothing = ada.resync(0).to_table_seq;
  for (let hand = 0; hand < 20; hand++) {
    driver.deal();
    driver.actor.act('call', null, { client_action_id: '"'.repeat(64) });
    driver.checkDown();
  }
  const answer = ada.resync(nothing);
  const bytes = JSON.stringify(answer.replayed_events).length;
  t.ok(bytes <= most && bytes > most / 2, `${bytes} bytes of events`);
  t.ok(answer.from_table_seq! > nothing + 1, 'the gap shows');
  t.equal(answer.replayed_events[0]!.type, 'hand_start', 'it starts with a whole hand');
  t.ok(answer.replayed_events[0]!.table_seq >= answer.from_table_seq!);
  t.equal(answer.replayed_events.at(-1)!.type, 'hand_result', 'and ends with what came last');
  const { from_table_seq, replayed_events } = ada.resync(answer.replayed_events[3]!.table_seq);
  t.equal(from_table_seq, answer.replayed_events[3]!.table_seq + 1);
  t.same(replayed_events, answer.replayed_events.slice(4));
  t.end();
});

void t.test('the longest hand is told in frames that any reader can take', (t) => {
  const stacks = Array.from({ length: 6 }, () => 1e6);
  const rules = { smallBlind: 1, bigBlind: 2, fairDeals: true };
  const { driver } = ring('ada bob cyd dan eve fay', { rules }, stacks);
  driver.deal();
  const before = driver.sent.length;
  // As many decisions as the rules leave room for: the last to answer raises again, at the bound one after the other is
  // all-in.
  for (let answered = 0; driver.table.inHand;) {
    const { actor } = driver;
    const offered = new Map(actor.turn!.valid_actions.map((action) => [action.action, action]));
    const raise = offered.get('raise');
    if (raise !== undefined && answered++ % 5 === 0) actor.act('raise', raise.min);
    else if (raise === undefined && offered.has('all_in')) actor.act('all_in');
    else actor.act(offered.has('check') ? 'check' : 'call');
  }
  const told = driver.sent.slice(before);
  const result = told.find(({ message }) => message.type === 'hand_result')!;
  const { actions } = result.message as ServerMessageOf['hand_result'];
  t.ok(actions.length >= 200 && actions.length < 260, `${actions.length} actions`);
  t.ok(result.text.length < 32 * 1024, `hand_result of ${result.text.length} bytes`);
  t.ok(told.filter(({ socket }) => socket === result.socket).reduce((sum, { text }) => sum + text.length, 0) < 1 << 20);
  t.end();
});

void t.test('from_table_seq is null wherever nothing is replayed', (t) => {
  const driver = new TableDriver({ opening: { seqFloor: 1_000_000 } });
  for (const last of [null, 0, 1, 999_000, 1_000_000, 1e12]) {
    t.match(watch(driver, null, last), { from_table_seq: null, replayed_events: [] }, `after ${last}`);
  }
  const ada = driver.join('ada');
  for (const last of [null, 0, 999_000]) t.equal(ada.resync(last).from_table_seq! > 1_000_000, true, `after ${last}`);
  t.end();
});

void t.test('after a restart the window starts where the new life began', (t) => {
  const driver = new TableDriver({ opening: { seqFloor: 1_000_000 } });
  const ada = driver.join('ada');
  const answer = ada.resync(999_000);
  t.ok(answer.from_table_seq! > 1_000_000);
  t.same(
    answer.replayed_events.map(({ type }) => type),
    ['player_joined'],
  );
  t.end();
});

void t.test('table_closed can be replayed while the closed table lingers', (t) => {
  const { driver } = headsUp();
  driver.do((now) => driver.table.close(now, 'insufficient_players'));
  const { replayed_events, snapshot } = watch(driver, 'agent-ada');
  t.match(replayed_events.at(-1), { type: 'table_closed', reason: 'insufficient_players' });
  t.ok(snapshot.seats.every(({ status }) => status === 'empty'));
  t.end();
});

void t.test('table_seq rises strictly for every reader, whatever they ask for', (t) => {
  const { driver, ada, bob } = headsUp();
  driver.deal();
  // The driver throws on a number that does not rise.
  for (const client of [ada, bob, ada]) client.resync(0);
  ada.drop();
  ada.connect();
  ada.act('call');
  ada.act('call');
  const seqs = ada.inbox.flatMap((message: ServerMessage) => ('table_seq' in message ? [message.table_seq] : []));
  t.same(
    seqs,
    [...new Set(seqs)].sort((a, b) => a - b),
  );
  t.end();
});

void t.test('ts never runs backwards, also when the clock is put back', (t) => {
  const { driver, ada } = headsUp();
  driver.deal();
  driver.now -= 60_000;
  ada.act('call');
  const times = ada.inbox.flatMap((message) => ('ts' in message ? [message.ts] : []));
  t.same(times, [...times].sort());
  t.equal(ada.resync(0).replayed_events.length > 0, true);
  t.end();
});

void t.test('the same seed and the same inputs give the same bytes', (t) => {
  const play = (seed: number) => {
    const {
      driver,
      players: [ada, bob],
    } = ring('ada bob cyd', { seed });
    for (let hand = 0; hand < 5; hand++) {
      driver.deal();
      driver.actor.act('raise', 55);
      if (hand === 2) bob.drop();
      driver.checkDown();
      ada.resync(0);
    }
    return driver.sent.map(({ socket, text }) => `${socket} ${text}`);
  };
  t.same(play(7), play(7));
  t.not(play(7).at(-1), play(8).at(-1));
  t.end();
});
