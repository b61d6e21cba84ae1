import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Static } from 'typebox';
import { PairReader } from '../../collusion/pair-hand.js';
import { ALL, cardNames, holeSeen } from '../../history/index.js';
import { Hand } from '../../holdem/hand.js';
import { utc } from '../../protocol/common.js';
import type { CollusionHands } from '../../protocol/rest/operator/index.js';
import type { Database } from '../../store/database.js';
import { decodeRecord, type StoredHand } from '../../table/record/record-codec.js';
import { selectCommonHands } from '../common-hands.js';
import { selectRecords } from '../keeper-queries.js';
import { selectRegistrations } from './queries.js';

type Body = Static<typeof CollusionHands>;
type Shown = Body['hands'][number];

/** Newest common hands that are looked through. */
const LOOKED_THROUGH = 2000;
/** Newest hands of the first agent that are searched for common ones. */
const SEARCHED = 20_000;
/** Hands that are read at once. */
const CHUNK = 200;
const SHOWN = 50;

/** The hands that two agents played to the end alone, those with the most chips between them first. */
export async function handsOfPair(sql: Database, poolId: string, pair: readonly [string, string]): Promise<Body> {
  const reader = new PairReader(new Hand());
  const ids = await selectCommonHands(sql, {
    poolId,
    agents: pair,
    searched: SEARCHED,
    most: LOOKED_THROUGH,
    delayHands: 0,
  });
  const hands: Shown[] = [];
  for (let at = 0; at < ids.length; at += CHUNK) {
    for (const { record } of await selectRecords(sql, poolId, ids.slice(at, at + CHUNK))) {
      const stored = decodeRecord(record);
      const towards = reader
        .read(stored)
        .filter(({ agentId, otherId }) => pair.includes(agentId) && pair.includes(otherId));
      const [to, back] = pair.map((id) => towards.find(({ agentId }) => agentId === id)!) as [Sums, Sums];
      if (to.duels > 0) hands.push(shownHand(stored, pair, to.lost - back.lost));
    }
    await nextTurn();
  }
  const agents = await selectRegistrations(sql, pair);
  const [first_name, second_name] = pair.map((id) => agents.find(({ agentId }) => agentId === id)?.name ?? null) as [
    string | null,
    string | null,
  ];
  const by = ({ chips }: Shown) => Math.abs(chips);
  hands.sort((a, b) => by(b) - by(a) || (a.hand_id < b.hand_id ? 1 : -1));
  return { first_name, second_name, looked_through: ids.length, duels: hands.length, hands: hands.slice(0, SHOWN) };
}

type Sums = ReturnType<PairReader['read']>[number];

function shownHand(stored: StoredHand, pair: readonly [string, string], chips: number): Shown {
  const [first, second] = pair.map((id) => {
    const player = stored.players.find(({ agentId }) => agentId === id)!;
    return {
      seat: player.seat,
      profit: player.stackEnd - player.stackStart,
      hole_cards: cardNames(holeSeen(ALL, player)!) as Shown['first']['hole_cards'],
      shown: player.shown,
    };
  }) as [Shown['first'], Shown['first']];
  return {
    hand_id: stored.handId,
    table_id: stored.tableId,
    hand_number: stored.handNumber,
    big_blind: stored.bigBlind,
    board: cardNames(stored.board.slice(0, stored.boardCount)) as Shown['board'],
    total_pot: stored.totalPot,
    chips,
    first,
    second,
    started_at: utc(stored.startedAt),
  };
}
