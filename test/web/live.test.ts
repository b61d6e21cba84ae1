/**
 * The pages' picture of a live table agrees with its players' view. After every public frame, seats, bets, stacks, pot,
 * board and turn agree with the table_state at this moment.
 */
import t from 'tap';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import { LiveTable, type WatchFrame } from '../../web/game/live.js';
import { FILE_MS, inSuite } from '../support/limits.js';
import { SEED } from '../support/seed.js';
import { TableDriver } from '../support/table-driver.js';

t.setTimeout(FILE_MS);
t.comment(`SEED=${SEED}`);

const HANDS = inSuite(600);
const PUBLIC = new Set([
  'hand_start',
  'player_action',
  'community_cards',
  'hand_result',
  'player_joined',
  'player_left',
]);

/** The frames of ada's socket, over hands in which everybody does as chance says. */
function played(hands: number, seed: number, players: number): ServerMessage[] {
  const random = seededRandom(seed);
  const names = ['ada', 'bob', 'cleo', 'dora', 'eve', 'fay'].slice(0, players).join(' ');
  const stacks = Array.from({ length: players }, () => 60 + uniformBelow(3000, random));
  const { driver } = TableDriver.ring(names, { seed, rules: { fairDeals: true } }, stacks);
  const [ada] = driver.sent.filter(({ message }) => message.type === 'table_joined').map(({ socket }) => socket);
  for (let hand = 0; hand < hands && !driver.tableClosed; hand++) {
    try {
      driver.deal();
    } catch {
      break;
    }
    while (driver.table.inHand) {
      const { actor } = driver;
      const offered = actor.turn!.valid_actions;
      const choice = offered[uniformBelow(offered.length, random)]!;
      const shy = choice.action === 'all_in' && uniformBelow(8, random) > 0;
      const action = shy
        ? (offered.find((each) => each.action === 'check' || each.action === 'call') ?? choice)
        : choice;
      const amount = action.action === 'raise' ? action.min + uniformBelow(Math.min(200, action.max - action.min + 1), random) : null; // prettier-ignore
      actor.act(action.action, amount);
    }
  }
  return driver.sent.filter(({ socket }) => socket === ada).map(({ message }) => message);
}

type State = ServerMessageOf['table_state'];

/** The facts that picture and state must share. */
const factsOf = ({ seats, pot, board, actor_seat: actor }: State) => ({
  pot,
  board,
  actor: actor ?? null,
  seats: seats.map(({ seat, name, stack, bet }) => ({ seat, name, stack, bet })),
});

function shownBy(table: LiveTable) {
  const { seats, pot, board, actor } = table.view();
  return { pot, board, actor, seats: seats.map(({ seat, name, stack, bet }) => ({ seat, name, stack, bet })) };
}

/** Where the pages differ from a state; the settled one comes before its result, which tells the same. */
function differences(frames: readonly ServerMessage[]) {
  const table = new LiveTable();
  const found: unknown[] = [];
  let compared = 0;
  let begun = false;
  let settled: State | null = null;
  for (const frame of frames) {
    if (frame.type === 'table_state') {
      if (!begun) {
        begun = true;
        table.apply(frame as WatchFrame);
      } else if (frame.street !== 'idle') {
        compared++;
        const [wanted, shown] = [factsOf(frame), shownBy(table)];
        if (JSON.stringify(wanted) !== JSON.stringify(shown)) found.push({ wanted, shown });
      } else settled = frame;
    }
    if (!begun || !PUBLIC.has(frame.type)) continue;
    table.apply(frame as WatchFrame);
    if (frame.type !== 'hand_result' || settled === null) continue;
    compared++;
    const stacks = settled.seats.map(({ stack }) => stack);
    const shown = table.view().seats.map(({ stack }) => stack);
    if (JSON.stringify(stacks) !== JSON.stringify(shown)) found.push({ stacks, shown });
  }
  return { found, compared };
}

for (const players of [2, 3, 6]) {
  await t.test(`${players} players`, (t) => {
    let compared = 0;
    for (let n = 0; n < HANDS / 15; n++) {
      const result = differences(played(15, SEED + n, players));
      compared += result.compared;
      t.same(result.found.slice(0, 1), [], `table ${n}`);
    }
    t.ok(compared > HANDS, `${compared} states compared`);
    t.end();
  });
}

await t.test('who begins to watch in the middle of a hand sees it from there on', (t) => {
  const frames = played(10, SEED, 4);
  const at = frames.findIndex((frame) => frame.type === 'table_state' && frame.street === 'flop');
  t.ok(at > 0, 'there is a flop');
  t.same(differences(frames.slice(at)).found.slice(0, 1), []);
  t.end();
});

await t.test('shown cards, winners and their words stand on the plates until the next deal', (t) => {
  let table = new LiveTable();
  let results = 0;
  for (const frame of [...played(25, SEED + 7, 6), ...played(25, SEED + 8, 5), ...played(25, SEED + 9, 4)]) {
    if (frame.type === 'table_joined') table = new LiveTable();
    if (frame.type !== 'table_state' && !PUBLIC.has(frame.type)) continue;
    table.apply(frame as WatchFrame);
    if (frame.type === 'hand_start') t.ok(table.view().seats.every(({ won, note }) => won === 0 && note === null));
    if (frame.type !== 'hand_result') continue;
    results++;
    const seats = table.view().seats;
    for (const { seat, amount } of frame.payouts) t.equal(seats[seat]!.won, amount);
    for (const [seat, cards] of Object.entries(frame.shown_cards)) t.same(seats[Number(seat)]!.cards, cards);
  }
  t.ok(results > 5);
  t.end();
});
