import { randomUUID } from 'node:crypto';
import { drawCards, seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import type { RandomSource } from '../../src/cards/random.js';
import { nextButton } from '../../src/holdem/button.js';
import { Hand } from '../../src/holdem/hand.js';
import { actionsOf } from '../../src/holdem/record.js';
import { Act } from '../../src/holdem/types.js';
import { buyIn, claimShard, openTable, type Fence } from '../../src/shard/commit/queries.js';
import type { Database } from '../../src/store/database.js';
import type { HandRecord } from '../../src/table/effects.js';

/** Rows for tests and benches of the store, made as the platform makes them. */

export const GRANT = 5000;
export const SEQ_STEP = 1_000_000;
const [SMALL_BLIND, BIG_BLIND] = [10, 20];

export async function addPool(sql: Database): Promise<string> {
  const poolId = randomUUID();
  await sql`select create_pool(${poolId}, 'season')`;
  return poolId;
}

/** Agents with an entry and the first chips, as registration gives them. */
export async function addAgents(sql: Database, poolId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await sql`
    with agent as (
      insert into agents (agent_id, email, name, key_hash, terms_accepted_at)
      select id, id || '@example.org', left('bot_' || replace(id::text, '-', ''), 32), sha256(id::text::bytea), now()
      from unnest(${ids}::uuid[]) as id returning agent_id)
    select from agent`;
  await enterPool(sql, poolId, ids);
  return ids;
}

/** Gives agents an entry in another pool, with the first chips. */
export async function enterPool(sql: Database, poolId: string, agentIds: readonly string[]): Promise<void> {
  await sql`
    with entry as (
      insert into entries (pool_id, agent_id, chip_balance)
      select ${poolId}::uuid, agent_id, ${GRANT}::bigint from unnest(${agentIds as string[]}::uuid[]) as agent_id
      returning pool_id, agent_id, chip_balance)
    insert into chip_ledger (pool_id, agent_id, type, amount, balance_after)
    select pool_id, agent_id, 'grant', chip_balance, chip_balance from entry`;
}

export interface Seated {
  agentId: string;
  seat: number;
  sitting: string;
  stack: number;
}

/** A table with players and their hands: real hands, with random but repeatable choices. */
export class RandomTable {
  handNumber = 0;
  /** Mask of seats that return with the next hand. Two players never post for a return. */
  returns = 0;
  #button = -1;
  #bigBlindSeat = -1;
  readonly #hand = new Hand();
  readonly #deck = new Uint8Array(17);

  constructor(
    readonly poolId: string,
    readonly tableId: string,
    readonly seated: Seated[],
    readonly random: RandomSource,
    /** Time of the last hand, epoch ms. */
    public clock = Date.UTC(2026, 0, 1),
  ) {}

  /** Plays one hand, by `decide` if given. The stacks are then those after the hand. */
  play(decide: (hand: Hand) => void = (hand) => this.#act(hand)): HandRecord {
    const players = this.seated.filter(({ stack }) => stack > 0);
    const hand = this.#hand;
    const dealt = players.reduce((mask, { seat }) => mask | (1 << seat), 0);
    const stacks = new Int32Array(6);
    for (const { seat, stack } of players) stacks[seat] = stack;
    drawCards(this.#deck, 2 * players.length + 5, this.random);
    const button = nextButton({ previousButton: this.#button, previousBigBlind: this.#bigBlindSeat, dealt });
    const returns = players.length > 2 ? this.returns & dealt : 0;
    hand.start({
      button,
      smallBlind: SMALL_BLIND,
      bigBlind: BIG_BLIND,
      dealt,
      returns,
      stacks,
      deck: this.#deck,
      headsUpBlinds: 'standard',
    });
    while (!hand.over) decide(hand);
    this.#button = button;
    this.#bigBlindSeat = hand.bigBlindSeat;
    this.handNumber++;
    return this.#record(hand, players);
  }

  #act(hand: Hand): void {
    const legal = hand.legal();
    const choice = uniformBelow(10, this.random);
    if (choice < 2 && legal.fold) hand.act(Act.fold);
    else if (choice === 9 && legal.raiseMax > 0) hand.act(Act.raise, legal.raiseMin);
    else hand.act(legal.check ? Act.check : Act.call);
  }

  #record(hand: Hand, players: Seated[]): HandRecord {
    const { outcome } = hand;
    const returns = hand.setup.returns;
    const startedAt = (this.clock += 1000);
    const cards = 2 * players.length;
    const record: HandRecord = {
      handId: handIdAt(startedAt),
      tableId: this.tableId,
      poolId: this.poolId,
      handNumber: this.handNumber,
      button: this.#button,
      bigBlindSeat: this.#bigBlindSeat,
      smallBlind: SMALL_BLIND,
      bigBlind: BIG_BLIND,
      ...(returns !== 0 && { returns }),
      headsUpBlinds: 'standard',
      startedAt,
      endedAt: startedAt + 900,
      totalPot: outcome.totalPot,
      board: [...this.#deck.subarray(cards, cards + 5)],
      boardCount: hand.boardCount,
      players: players.map(({ seat, agentId, sitting, stack }) => ({
        seat,
        agentId,
        sitting,
        name: `bot_${seat}`,
        stackStart: stack,
        stackEnd: outcome.finalStacks[seat]!,
        contributed: outcome.contributed[seat]!,
        payout: outcome.payouts[seat]!,
        isHouse: false,
        hole: [hand.hole[2 * seat]!, hand.hole[2 * seat + 1]!],
        shown: (outcome.shown & (1 << seat)) !== 0,
      })),
      actions: actionsOf(hand.log).map(({ seat, act, amount, street }, i) => ({
        seat,
        act,
        street,
        amount: act > Act.check ? amount : null,
        at: 40 * i,
        timeout: false,
      })),
      seqReserved: this.handNumber * 1000 + SEQ_STEP,
    };
    for (const player of players) player.stack = outcome.finalStacks[player.seat]!;
    return record;
  }
}

/** A UUIDv7 of this time, a whole millisecond. */
function handIdAt(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000${randomUUID().slice(18)}`;
}

/** The holder of the tests' own shards. */
export const HOLDER = randomUUID();

/** Opens tables of `players` each, all bought in, on a freshly claimed shard. Agents are new, except the given ones. */
export async function openRandomTables(
  sql: Database,
  {
    tables = 1,
    players = 6,
    shard = 0,
    holder = HOLDER as string,
    chips = 2000,
    seed = 1,
    old = [] as readonly string[],
  } = {},
): Promise<{ fence: Fence; poolId: string; randomTables: RandomTable[] }> {
  const poolId = await addPool(sql);
  const fence = { shard, epoch: await claimShard(sql, shard, holder) };
  await enterPool(sql, poolId, old);
  const agents = [...old, ...(await addAgents(sql, poolId, tables * players - old.length))];
  const randomTables = Array.from({ length: tables }, async (_, t) => {
    const tableId = randomUUID();
    await openTable(sql, fence, { tableId, poolId, seqReserved: SEQ_STEP });
    const seated = agents.slice(t * players, (t + 1) * players).map(async (agentId, seat) => {
      const sitting = randomUUID();
      await buyIn(sql, fence, { poolId, agentId, tableId, seat, sitting, amount: chips });
      return { agentId, seat, sitting, stack: chips };
    });
    return new RandomTable(poolId, tableId, await Promise.all(seated), seededRandom(seed + t));
  });
  return { fence, poolId, randomTables: await Promise.all(randomTables) };
}
