import { Hand } from '../../holdem/hand.js';
import { Act } from '../../holdem/types.js';
import { openCursor, portions } from '../../store/cursor.js';
import type { Queryable } from '../../store/database.js';
import type { Deal } from '../../table/deal/deal.js';
import { partAt } from '../../table/mix.js';
import { decodeRecord, type StoredHand } from '../../table/record/record-codec.js';
import { replayStored, setupOf } from '../../table/record/stored-hand.js';
import { SHOWN, type Check } from './check.js';
import { DECK_SIZE } from '../../cards/card.js';
import { duplicateDeck } from '../../cards/duplicate.js';
import { dealOf, dealtAsCommitted } from '../../table/record/stored-deal.js';

interface HandRow {
  poolId: string;
  handId: string;
  tableId: string;
  handNumber: number;
  startedAt: Date;
  endedAt: Date;
  totalPot: number;
  record: Buffer;
  /** Seat, agent, stack at the start and at the end of each player, in seat order; null when nobody is stored. */
  players: [number, string, number, number][] | null;
}

/**
 * Each record matches its row, the rules lead from its cards and actions to its result, and the deck is the right one.
 * `onHands` gets the number of checked hands.
 */
export const recordCheck = (onHands: (done: number) => void): Check => ({
  title: 'a hand agrees with its record, and the record with the rules',
  async find(sql) {
    const problems: string[] = [];
    const engine = new Hand();
    const secrets = await deckSecrets(sql);
    let done = 0;
    const fetch = await openHands(sql);
    for await (const batch of portions(() => fetch(500))) {
      for (const row of batch) {
        const problem = problemOf(row, engine, secrets.get(row.poolId));
        if (problem !== null) problems.push(`hand ${row.handId}: ${problem}`);
        if (problems.length === SHOWN) return problems;
      }
      onHands((done += batch.length));
    }
    return problems;
  },
});

function openHands(sql: Queryable) {
  const hands = sql`
    select h.pool_id as "poolId", h.hand_id as "handId", h.table_id as "tableId", h.hand_number as "handNumber",
      h.started_at as "startedAt", h.ended_at as "endedAt", h.total_pot as "totalPot", h.record, p.players
    from hands h left join (
      select pool_id, hand_id, json_agg(json_build_array(seat, agent_id, stack_start, stack_end) order by seat) as players
      from hand_players group by pool_id, hand_id) p using (pool_id, hand_id)`;
  return openCursor<HandRow[]>(sql, 'hands', hands);
}

function problemOf(row: HandRow, engine: Hand, secret: string | undefined): string | null {
  try {
    const hand = decodeRecord(row.record);
    const difference = differenceToRow(hand, row) ?? differenceToRules(hand, engine) ?? differenceToDeck(hand, secret);
    return difference && `the record has another ${difference}`;
  } catch (error) {
    return `the record is broken: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The difference between a record and its row, or null. */
function differenceToRow(hand: StoredHand, row: HandRow): string | null {
  if (hand.handId !== row.handId || hand.tableId !== row.tableId || hand.poolId !== row.poolId) return 'id';
  if (hand.handNumber !== row.handNumber) return 'number';
  if (hand.startedAt !== row.startedAt.getTime() || hand.endedAt !== row.endedAt.getTime()) return 'time';
  if (hand.totalPot !== row.totalPot) return 'pot';
  const players = hand.players.map(({ seat, agentId, stackStart, stackEnd }) => [seat, agentId, stackStart, stackEnd]);
  return JSON.stringify(players) === JSON.stringify(row.players) ? null : 'stack or player';
}

/** The difference between a record and its replay by the rules, or null. */
function differenceToRules(hand: StoredHand, engine: Hand): string | null {
  const { over, outcome, boardCount } = replayStored(hand, engine);
  if (!over || boardCount !== hand.boardCount || outcome.totalPot !== hand.totalPot) return 'course than the rules';
  const agrees = hand.players.every(
    ({ seat, stackEnd, contributed, payout }) =>
      stackEnd === outcome.finalStacks[seat] &&
      contributed === outcome.contributed[seat] &&
      payout === outcome.payouts[seat],
  );
  return agrees ? null : 'result than the rules';
}

/** Whether each mixed action is the part that its draw gives, and each draw the one of the dice that were committed to. */
function drawnByDice({ actions }: StoredHand, deal: Deal | null): boolean {
  return actions.every(({ seat, act, amount, mix }, number) => {
    if (mix === undefined) return true;
    const { parts, u, part } = mix;
    const drawn = parts[partAt(parts, u)]!;
    const isSaid = drawn.act === act && (drawn.amount === null || drawn.amount === amount);
    const isPlayed = isSaid || (drawn.act === Act.fold && act === Act.check);
    const isOfDice = deal === null || deal.ownDice(seat) === null || deal.draw(seat, number) === u;
    return part === partAt(parts, u) && isPlayed && isOfDice;
  });
}

/** The secrets of the duplicate pools' series of decks, by pool. */
async function deckSecrets(sql: Queryable): Promise<Map<string, string>> {
  const rows = await sql<{ poolId: string; secret: string }[]>`
    select competition_id as "poolId", encode(deck_secret, 'hex') as secret from competitions where duplicate`;
  return new Map(rows.map(({ poolId, secret }) => [poolId, secret]));
}

/** The difference between a hand's cards and their source, or null. `secret`: of its pool's series, if it has one. */
export function differenceToDeck(hand: StoredHand, secret: string | undefined): string | null {
  const deal = dealOf(hand);
  if (deal !== null && !dealtAsCommitted(hand, deal)) return 'deck than was committed to';
  if (!drawnByDice(hand, deal)) return 'draw of a mixed action than its dice';
  if (secret === undefined) return null;
  const series = new Uint8Array(DECK_SIZE);
  duplicateDeck(series, secret, hand.handNumber);
  const dealt = deal === null ? Array.from(setupOf(hand).deck) : Array.from(deal.deck.cards);
  return dealt.every((card, i) => card === series[i]) ? null : 'deck than that of its pool';
}
