/** The simulation is only worth what its witness, its questions and its vault notice. */
import t from 'tap';
import type { ServerMessage } from '../../src/protocol/server.js';
import { Agenda, type Planned } from './agenda.js';
import { Kernel, Killed } from './machine/kernel.js';
import { Questions } from './questions.js';
import { judgeSeasons } from './seasons.js';
import type { TableRow } from './vault/rows.js';
import { insertEntry, insertSeason, rollOver } from './vault/seasons.js';
import { Vault } from './vault/vault.js';
import { Reader, Witness } from './witness.js';
import { FILE_MS } from '../support/limits.js';
import type { HandRecord } from '../../src/table/effects.js';

t.setTimeout(FILE_MS);

const head = (seq: number, handId: string | null) => ({
  stream: 'event',
  table_id: 'table-1',
  hand_id: handId,
  table_seq: seq,
  hand_seq: handId === null ? null : 2,
  ts: '2026-01-31T12:00:00.000000+00:00',
  state_hash: null,
});
const HAND = '018f4e0b-0000-7000-8000-000000000001';
const json = JSON.stringify;
/** A socket that has been greeted. */
function reader(id: number, agentId: string | null): Reader {
  const reader = new Reader(id, agentId);
  reader.greeted = true;
  return reader;
}

const start = (seq: number) =>
  json({
    ...head(seq, HAND),
    hand_seq: 1,
    type: 'hand_start',
    dealer_seat: 0,
    blinds: { small_blind: 10, big_blind: 20 },
    seat: 0,
  });
const hole = (seq: number, cards: string[]) => json({ ...head(seq, HAND), type: 'hole_cards', cards });
const left = (seq: number) => json({ ...head(seq, null), type: 'player_left', seat: 0, name: 'ada', reason: 'left' });
const flop = (seq: number, cards: string[]) =>
  json({ ...head(seq, HAND), type: 'community_cards', cards, street: 'flop' });
const state = (seq: number, more: object = {}) =>
  json({
    ...head(seq, HAND),
    stream: 'state',
    type: 'table_state',
    street: 'preflop',
    dealer_seat: 0,
    small_blind: 10,
    big_blind: 20,
    pot: 30,
    board: [],
    seats: [0, 1].map((seat) => ({ seat, name: null, stack: 0, bet: 0, status: 'empty' })),
    ...more,
  });
const result = (seq: number, stacks: object) =>
  json({
    ...head(seq, HAND),
    type: 'hand_result',
    winners: [{ seat: 0, name: 'ada', stack: 20, amount: 10, hand_description: 'Uncontested' }],
    pot: 10,
    total_pot: 20,
    transferable_pot: 10,
    net_pot_after_rake: 10,
    final_stacks: stacks,
    pot_kind: 'transferable',
    rake: 0,
    rake_settled: 0,
    shown_cards: {},
    actions: [],
    payouts: [{ seat: 0, amount: 20 }],
    outcome_kind: 'win',
  });
const idle = (seq: number) => state(seq, { street: 'idle', pot: 0 });

/** A witness at table-1, where ada and bob may sit. */
class Watch {
  readonly vault = new Vault(() => 0);
  readonly ada = reader(1, 'ada');
  readonly bob = reader(2, 'bob');
  readonly witness = new Witness(this.vault);

  constructor() {
    const row = { tableId: 'table-1', poolId: 'pool-1', shardNo: 0, status: 'open', seqReserved: 1_000 };
    this.vault.tables.set('table-1', { ...row, handNumber: 0, button: -1, bigBlindSeat: -1 } as TableRow);
    for (const agentId of ['ada', 'bob']) {
      const agent = { agentId, name: agentId, email: '', avatarUrl: null, slug: null, keyHash: '' };
      this.vault.agents.set(agentId, {
        ...agent,
        isHouse: false,
        isPlatform: false,
        emailVerified: true,
        banned: false,
      });
    }
    insertSeason(this.vault, 'pool-1', 0, 1_000);
    this.vault.claimShard(0, 'house');
  }

  read(reader: Reader, text: string): void {
    this.witness.read(reader, JSON.parse(text) as ServerMessage, text);
  }

  /** Buys in with 1,000 of 5,000 chips. */
  sit(agentId: string, seat: number): void {
    insertEntry(this.vault, 'pool-1', agentId, 5_000);
    const stay = { poolId: 'pool-1', agentId, tableId: 'table-1', seat, sitting: `stay of ${agentId}`, amount: 1_000 };
    this.vault.buyIn({ shard: 0, epoch: 1 }, stay);
  }
}

void t.test('the witness lets good frames pass', (t) => {
  const watch = new Watch();
  watch.read(watch.ada, state(1));
  watch.read(watch.ada, start(2));
  watch.read(watch.ada, hole(3, ['As', 'Kd']));
  watch.read(watch.ada, state(4, { actor_seat: 1, hero: { seat: 0, hole_cards: ['As', 'Kd'] } }));
  watch.read(watch.ada, flop(5, ['2c', '3c', '4c']));
  t.equal(watch.witness.frames, 5);
  t.end();
});

void t.test('the witness objects to cards that the reader must not see', (t) => {
  const dealt = () => {
    const watch = new Watch();
    for (const [reader, cards] of [
      [watch.ada, ['As', 'Kd']],
      [watch.bob, ['2h', '3h']],
    ] as const) {
      watch.read(reader, state(1));
      watch.read(reader, start(2));
      watch.read(reader, hole(3, [...cards]));
    }
    return watch;
  };
  const told = (cards: string[]) => state(4, { hero: { seat: 0, hole_cards: cards } });
  const one = dealt();
  t.throws(() => one.read(one.ada, told(['2h', '3h'])), /must not see/, "another's cards");
  const two = dealt();
  t.throws(() => two.read(two.ada, state(4, { board: ['5s'] })), /must not see/, 'a board card that is not open');
  const three = dealt();
  const open = { board: ['As'], street: 'flop' };
  t.throws(() => three.witness.view(JSON.parse(state(4, open)) as never), /must not see/, 'a view by REST');
  const four = dealt();
  const latecomer = reader(3, 'cid');
  t.throws(() => four.read(latecomer, told(['As', '9d'])), /must not see/, 'cards that somebody else has');
  t.end();
});

void t.test('the witness holds what was told as own cards against the stored hand', (t) => {
  const watch = new Watch();
  watch.read(watch.ada, state(1));
  watch.read(watch.ada, start(2));
  watch.read(watch.ada, hole(3, ['As', 'Kd']));
  const stored = (hole: number[]) => ({ handId: HAND, players: [{ agentId: 'ada', hole }], board: [] });
  watch.vault.hands.set(HAND, stored([51, 45]) as unknown as HandRecord);
  watch.witness.judge();
  watch.vault.hands.set(HAND, stored([0, 1]) as unknown as HandRecord);
  t.throws(() => watch.witness.judge(), /was told As,Kd/);
  t.end();
});

void t.test('the witness objects to numbers that do not rise, are used again, or are above the bound', (t) => {
  const watch = new Watch();
  watch.read(watch.ada, state(5));
  t.throws(() => watch.read(watch.ada, state(5)), /does not rise/);
  t.throws(() => watch.read(watch.ada, state(1_001)), /above the stored bound/);
  watch.witness.tableOpens('table-1', 5);
  t.throws(() => watch.witness.tableOpens('table-1', 4), /opens above 4, though 5 was sent/);
  t.end();
});

void t.test('the witness objects to frames out of order, and to frames of a wrong shape', (t) => {
  const watch = new Watch();
  t.throws(() => watch.read(new Reader(3, null), state(1)), /first or again/, 'before the greeting');
  watch.read(watch.ada, state(1));
  t.throws(() => watch.read(watch.ada, hole(2, ['As', 'Kd'])), /comes before/);
  t.throws(() => watch.read(watch.ada, result(3, {})), /no settled state/);
  t.throws(() => watch.read(watch.bob, left(4)), /where the reader does not sit/);
  const shapeless = new Watch();
  t.throws(
    () => shapeless.read(shapeless.ada, json({ ...head(5, null), type: 'player_left', seat: 0, reason: 'bored' })),
    /schema/,
  );
  t.end();
});

void t.test('the witness objects to a second seat', (t) => {
  const watch = new Watch();
  watch.vault.tables.set('table-2', { ...watch.vault.tables.get('table-1')!, tableId: 'table-2' });
  watch.read(watch.ada, state(1));
  const other = (seq: number) => json({ ...(JSON.parse(state(seq)) as object), table_id: 'table-2' });
  t.throws(() => watch.read(watch.ada, other(2)), /where the reader does not sit/);
  watch.read(watch.ada, left(3));
  watch.read(watch.ada, other(4));
  t.pass('after leaving it may');
  t.end();
});

void t.test('the witness objects to two actors, and to a turn offered to another than the actor', (t) => {
  const watch = new Watch();
  watch.read(watch.ada, state(3, { actor_seat: 1 }));
  t.throws(() => watch.read(watch.bob, state(3, { actor_seat: 0 })), /two actors/);
  const offered = { hero: { seat: 0, valid_actions: [{ action: 'check' }] }, actor_seat: 1 };
  t.throws(() => watch.read(watch.ada, state(4, offered)), /non-actor/);
  t.end();
});

void t.test('the witness objects to results that are not the stored ones, and to a wrong hash', (t) => {
  const watch = new Watch();
  const { vault, ada } = watch;
  watch.read(ada, idle(1));
  t.throws(() => watch.read(ada, result(2, { '0': 20 })), /not stored/);
  const player = { seat: 0, stackEnd: 20, shown: false, hole: [0, 1] };
  // Two cards of the board were drawn, ace and king, and the first was opened.
  const stored = { handId: HAND, players: [player], actions: [], totalPot: 20, board: [51, 45], boardCount: 1 };
  vault.hands.set(HAND, stored as unknown as HandRecord);
  t.throws(() => watch.read(ada, result(3, { '0': 21 })), /final stacks/);
  watch.read(ada, result(4, { '0': 20 }));
  const showing = (seq: number, card: string) =>
    result(seq, { '0': 20 }).replace('"shown_cards":{}', `"shown_cards":{"0":["${card}","${card}"]}`);
  watch.read(ada, idle(5));
  watch.read(ada, showing(6, 'As'));
  watch.read(ada, idle(7));
  t.throws(() => watch.read(ada, showing(8, 'Kd')), /must not see Kd/);
  const hashed = { state_hash: `sha256:${'0'.repeat(64)}` };
  const other = new Watch();
  t.throws(() => other.read(other.ada, state(3, hashed)), /state_hash/);
  t.end();
});

void t.test('the witness objects to a stack told between hands that is not the stored one', (t) => {
  const watch = new Watch();
  watch.sit('ada', 0);
  const seat = (stack: number) => ({
    street: 'idle',
    pot: 0,
    seats: [
      { seat: 0, name: 'ada', stack, bet: 0, status: 'active', is_pro: false, in_hand: false },
      { seat: 1, name: null, stack: 0, bet: 0, status: 'empty' },
    ],
  });
  watch.read(watch.ada, state(1, seat(1_000)));
  t.throws(() => watch.read(watch.ada, state(2, seat(1_010))), /stored is 1000/);
  t.end();
});

void t.test('the witness objects to an event told in two ways, and to one that a resync lacks', (t) => {
  const watch = new Watch();
  watch.read(watch.ada, state(1));
  watch.read(watch.ada, start(2));
  const changed = start(2).replace('"dealer_seat":0', '"dealer_seat":1');
  watch.read(watch.bob, state(1));
  t.throws(() => watch.read(watch.bob, changed), /told in two ways/);
  const resync = (events: object[]) =>
    json({
      ...head(9, HAND),
      type: 'resync_response',
      role: 'player',
      from_table_seq: 1,
      to_table_seq: 8,
      replayed_events: events,
      snapshot: JSON.parse(state(8)) as object,
    });
  const replayed = JSON.parse(start(2)) as object;
  t.throws(() => watch.read(watch.bob, resync([])), /event 2 is not replayed/);
  watch.read(watch.ada, resync([replayed]));
  t.end();
});

void t.test('the end of a table is replayed, not that which somebody read alone who left before', (t) => {
  const closed = (seq: number) => ({ ...head(seq, null), type: 'table_closed', reason: 'insufficient_players' });
  const resync = (events: object[]) => {
    const snapshot = JSON.parse(state(8)) as object;
    const range = { from_table_seq: 1, to_table_seq: 8 };
    return json({ ...head(9, null), type: 'resync_response', role: 'player', ...range, replayed_events: events, snapshot }); // prettier-ignore
  };
  const watch = new Watch();
  watch.read(watch.bob, state(1));
  watch.read(watch.bob, json(closed(5)));
  t.throws(() => watch.read(watch.ada, resync([])), /event 5 is not replayed/);
  const later = new Watch();
  later.read(later.bob, state(1));
  later.read(later.ada, state(1));
  later.read(later.bob, json(closed(5)));
  later.read(later.ada, json(closed(7)));
  t.doesNotThrow(() => later.read(later.ada, resync([closed(7)])));
  t.end();
});

void t.test('questions: each is answered, an action as often as it was sent, and a repeated one alike', (t) => {
  const kernel = new Kernel(0);
  const ask = () => new Questions(kernel);
  const action = { type: 'action', action: 'check', client_action_id: 'a-1', hand_id: HAND } as const;
  const answer = (body: object) => body as ServerMessage;
  const ack = answer({ type: 'action_ack', client_action_id: 'a-1' });
  const refusal = answer({ type: 'action_rejected', details: { code: 'stale_turn_token', client_action_id: 'a-1' } });

  const one = ask();
  one.join();
  t.equal(one.overdue(0), null, 'not yet');
  t.equal(one.overdue(1), 'join_lobby');
  one.read(answer({ type: 'lobby_joined' }));
  t.equal(one.overdue(1), null);

  const two = ask();
  two.action(action);
  two.read(ack);
  t.throws(() => two.read(ack), /2 answers to action a-1, sent 1 times/);

  const three = ask();
  three.read(answer({ type: 'hand_start', hand_id: HAND }));
  three.action(action);
  three.action(action);
  three.read(ack);
  t.throws(() => three.read(refusal), /is refused when repeated/);

  const four = ask();
  four.resync();
  four.autoRebuy();
  four.shardLost();
  t.equal(four.overdue(1), 'set_auto_rebuy', 'a lost shard answers nothing, the front does');
  four.read(answer({ type: 'error', code: 'rate_limited' }));
  t.equal(four.overdue(1), null, 'what was dropped needs no answer');

  // The front answers while the table waits for the database: its error would fit either.
  const unsure = () => {
    const five = ask();
    five.rebuy();
    five.autoRebuy();
    five.read(answer({ type: 'error', code: 'season_error' }));
    t.equal(five.overdue(1), 'set_auto_rebuy');
    return five;
  };
  const answered = unsure();
  answered.read(answer({ type: 'error', code: 'invalid_rebuy' }));
  t.equal(answered.overdue(1), null, 'the other one was meant');
  const lost = unsure();
  lost.shardLost();
  t.equal(lost.overdue(1), null, 'a table that is lost answered nothing');
  const silent = unsure();
  silent.read(answer({ type: 'lobby_joined' }));
  t.equal(silent.overdue(1), 'set_auto_rebuy', 'one answer is that of one question');
  t.end();
});

const fence = { shard: 0, epoch: 1 };

void t.test('the vault refuses hands that make chips, and cash-outs of other than the stored stack', (t) => {
  const watch = new Watch();
  const { vault } = watch;
  watch.sit('ada', 0);
  watch.sit('bob', 1);
  const player = (agentId: string, seat: number, stackEnd: number) =>
    ({ agentId, seat, sitting: `stay of ${agentId}`, stackStart: 1_000, stackEnd }) as const;
  const record = (stackEnd: number) =>
    ({
      handId: `h-${stackEnd}`,
      tableId: 'table-1',
      poolId: 'pool-1',
      handNumber: 1,
      button: 0,
      bigBlindSeat: 1,
      seqReserved: 1,
      players: [player('ada', 0, stackEnd), player('bob', 1, 1_000)],
    }) as unknown as HandRecord;
  t.throws(() => vault.commitHands(fence, [record(1_010)]), /chips are not conserved/);
  t.throws(() => vault.commitHands({ shard: 0, epoch: 0 }, [record(1_000)]), { name: 'Fenced' });
  vault.commitHands(fence, [record(1_000)]);
  const stay = { poolId: 'pool-1', agentId: 'ada', sitting: 'stay of ada' };
  t.throws(() => vault.cashOut(fence, { ...stay, stack: 999 }), /^stack$/);
  t.equal(vault.cashOut(fence, { ...stay, stack: 1_000 }), 5_000);
  t.equal(vault.cashOut(fence, { ...stay, stack: 1_000 }), 5_000, 'once, however often it is asked');
  vault.auditInFull();
  vault.entry('pool-1', 'ada')!.chipBalance = 4_999;
  t.throws(() => vault.audit(), /9999 chips where 10000 were brought in/);
  t.end();
});

void t.test('what is stored of a season must be what its hands and chips lead to', (t) => {
  const ended = () => {
    const { vault } = new Watch();
    for (const agentId of ['ada', 'bob']) insertEntry(vault, 'pool-1', agentId, 5_000);
    for (let n = 0; n < 10; n++) {
      const players = [10, -10].map((profit, i) => {
        const agentId = ['ada', 'bob'][i]!;
        vault.entry('pool-1', agentId)!.handsPlayed++;
        if (profit > 0) vault.entry('pool-1', agentId)!.handsWon++;
        return { agentId, stackStart: 100, stackEnd: 100 + profit };
      });
      vault.hands.set(`h-${n}`, { poolId: 'pool-1', players } as unknown as HandRecord);
    }
    const next = { seasonId: 'pool-2', start: new Date(0), end: new Date(1_000) };
    rollOver(vault, { seasonId: 'pool-1', prizePoolCents: 101, rebuyPenalty: 1_500 }, next);
    return vault;
  };
  judgeSeasons(ended());
  const faults: [fault: (vault: Vault) => void, says: RegExp][] = [
    [(vault) => vault.standings.reverse(), /season 1 is frozen as/],
    [(vault) => (vault.standings[1]!.badge = null), /season 1 is frozen as/],
    [(vault) => (vault.standings[0]!.prizeCents = 50), /season 1 is frozen as/],
    [(vault) => vault.credits.pop(), /ada got|bob got/],
    [(vault) => vault.credits.push(vault.credits.at(-1)!), /ada got|bob got/],
    [(vault) => vault.mails.clear(), /was not told of season 1/],
    [(vault) => vault.hands.delete('h-3'), /season 1 is frozen as/],
    [(vault) => (vault.ledger[0]!.amount += 1), /season 1 is frozen as/],
    [(vault) => (vault.ledger[0]!.type = 'cash_out'), /5000 chips came into the season, 10000 are left/],
    [(vault) => (vault.seasons[0]!.status = 'active'), /season 1 of 2 is active/],
  ];
  for (const [fault, says] of faults) {
    const vault = ended();
    fault(vault);
    t.throws(() => judgeSeasons(vault), says);
  }
  t.end();
});

void t.test('the agenda gives what is planned by time, and by order where the times are equal', (t) => {
  const agenda = new Agenda<Planned & { name: string }>();
  const planned = [
    [3, 'c'],
    [1, 'a'],
    [3, 'd'],
    [2, 'b'],
    [1, 'a2'],
  ] as const;
  planned.forEach(([at, name], order) => agenda.add({ at, order, name }));
  const names: string[] = [];
  for (let item = agenda.take(); item !== undefined; item = agenda.take()) names.push(item.name);
  t.same(names, ['a', 'a2', 'b', 'c', 'd']);
  t.equal(agenda.next, undefined);
  t.end();
});

void t.test('a dead thread runs nothing more, a hung one later, and children die with their parent', async (t) => {
  const kernel = new Kernel(0);
  const ran: string[] = [];
  const failed: string[] = [];
  const spawn = (name: string, parent = kernel.world) => kernel.spawn(name, parent, ({ name }) => failed.push(name));
  const [dead, hung, parent] = [spawn('dead'), spawn('hung'), spawn('parent')];
  const child = spawn('child', parent);
  for (const thread of [dead, hung, child]) kernel.plan(5, () => ran.push(`${thread.name} at ${kernel.now}`), thread);
  kernel.plan(5, () => void Promise.resolve().then(() => kernel.plan(6, () => ran.push('promise'))), hung);
  kernel.plan(
    4,
    () => {
      throw new Killed();
    },
    dead,
  );
  dead.onEnd(() => ran.push('the end'));
  hung.hungUntil = 7;
  dead.end();
  parent.end();
  await kernel.runUntil(10);
  t.same(ran, ['the end', 'hung at 7', 'promise']);
  t.same(failed, [], 'a dead thread throws nothing');
  t.equal(kernel.now, 10);
});
