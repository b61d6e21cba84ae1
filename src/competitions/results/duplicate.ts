import { DECKS_A_PASS, PASSES_A_BLOCK } from '../../cards/duplicate.js';
import { interval95 } from '../../statistics/confidence-sequence.js';
import { inTime } from '../../store/bounded.js';
import { transaction, type Database } from '../../store/database.js';
import { stakesOf } from '../../store/stakes.js';
import type { SeenRecord } from '../queries.js';
import type { CompetitionRecord } from '../record.js';
import { isClosed } from '../states.js';

/**
 * A participant's score in a duplicate competition. For each hand it takes the difference from the mean of all players
 * with the same place behind the same deck and as many players.
 *
 * The hands of one deck depend on each other: a deck comes again in later passes, and one result stands in several
 * means. So the interval takes a deck as one result, the sum of the agent's differences there. A hand wins at most its
 * chance, and the mean of m holders is at least minus the mean of their risks. The agent itself holds q of m places. So
 * its differences sum up to at most `(1 − q/m) · (its chances) + q/m · (the others' risks)`. They sum up to at least
 * the same with risks and chances exchanged.
 *
 * The interval holds for all numbers of decks at once, counted by finished decks. Between them it holds at each single
 * look: later holders of a deck still move its mean.
 */
export interface DuplicateScore {
  /** Hands that somebody else's could be compared with. */
  hands: number;
  /** Hands that nobody else has had yet, with as many players. */
  uncompared: number;
  /** The mean of the differences; null before there are any. */
  bb_per_100_duplicate: number | null;
  bb_per_100_duplicate_ci95: [low: number, high: number] | null;
}

interface Compared {
  agent_id: string;
  hands: number;
  uncompared: number;
  /** Decks of the compared hands. */
  decks: number;
  /** Of the differences of hands, in big blinds. */
  sum: number;
  /** Of the sums of decks. */
  squares: number;
  /** The most that a deck could lose and win. */
  risk: number;
  chance: number;
}

/**
 * Compares all hands of a pool: seconds of one connection's work for a million of them, so ask through a
 * DuplicateScores. Places are counted from the button; deck and pass by the number of the hand, as
 * cards/duplicate.ts does it.
 */
export async function compareHands(
  sql: Database,
  poolId: string,
  bigBlind: number,
): Promise<Map<string, DuplicateScore>> {
  const rows = await transaction(
    sql,
    (tx) => tx<Compared[]>`
    with hand as (
      select hand_id, record_button(record) as button,
        (hand_number - 1) / ${DECKS_A_PASS * PASSES_A_BLOCK}::integer * ${DECKS_A_PASS}::integer
          + (hand_number - 1) % ${DECKS_A_PASS}::integer as deck
      from hands where pool_id = ${poolId}),
    held as (
      select p.agent_id, h.deck, count(*) over (partition by p.hand_id) as players,
        row_number() over (partition by p.hand_id order by (p.seat - h.button + 63) % 64) as place,
        (p.stack_end - p.stack_start)::float8 / ${bigBlind}::float8 as won, ${stakesOf(tx, bigBlind)}
      from hand_players p join hand h using (hand_id) where p.pool_id = ${poolId}),
    cell as (
      select deck, players, place, count(*) as all_hands, sum(won) as won, sum(risk) as risk, sum(chance) as chance
      from held group by deck, players, place),
    own as (
      select agent_id, deck, players, place, count(*) as hands, sum(won) as won, sum(risk) as risk, sum(chance) as chance
      from held group by agent_id, deck, players, place),
    beside as (
      select agent_id, deck, o.hands, o.hands < c.all_hands as with_others, o.won - o.hands * c.won / c.all_hands as sum,
        o.risk + o.hands * (c.chance - o.chance - o.risk) / c.all_hands as risk,
        o.chance + o.hands * (c.risk - o.risk - o.chance) / c.all_hands as chance
      from own o join cell c using (deck, players, place)),
    deck as (
      select agent_id, sum(hands) filter (where with_others) as hands,
        sum(hands) filter (where not with_others) as uncompared, sum(sum) filter (where with_others) as sum,
        sum(risk) filter (where with_others) as risk, sum(chance) filter (where with_others) as chance
      from beside group by agent_id, deck)
    select agent_id, coalesce(sum(hands), 0)::int as hands, coalesce(sum(uncompared), 0)::int as uncompared, count(hands)::int as decks,
      coalesce(sum(sum), 0) as sum, coalesce(sum(sum ^ 2), 0) as squares, coalesce(max(risk), 0) as risk,
      coalesce(max(chance), 0) as chance
    from deck group by agent_id`,
    'read only',
  );
  return new Map(rows.map((row) => [row.agent_id, scoreOf(row)]));
}

function scoreOf({ hands, uncompared, decks, sum, squares, risk, chance }: Compared): DuplicateScore {
  const [low, high] = interval95({ count: decks, sum, squares, risk, chance }) ?? [];
  return {
    hands,
    uncompared,
    bb_per_100_duplicate: hands === 0 ? null : (100 * sum) / hands,
    bb_per_100_duplicate_ci95:
      low === undefined || high === undefined ? null : [(low * decks) / hands, (high * decks) / hands],
  };
}

/**
 * The reason why parts of a duplicate competition cannot be compared with so many participants. It is shown at the
 * start and beside the standings. Null where everything can, or there is nothing to compare.
 */
export function duplicateNote({
  duplicate,
  participant_count: players,
  max_players: seats,
}: Pick<SeenRecord, 'duplicate' | 'participant_count' | 'max_players'>): string | null {
  const tables = Math.ceil(players / seats);
  const larger = players % tables;
  if (!duplicate || players < 2 || (tables > 1 && larger === 0)) return null;
  const again = `a deck comes again there, after ${DECKS_A_PASS} hands`;
  if (tables === 1) return `All ${players} fit one table: nothing can be compared before ${again}`;
  const size = Math.floor(players / tables);
  const at = (count: number, of: number) => `${count} ${count === 1 ? 'table' : 'tables'} of ${of}`;
  const alone = larger === 1 || tables - larger === 1 ? `; a table without its like waits until ${again}` : '';
  return `${players} sit at ${at(larger, size + 1)} and ${at(tables - larger, size)}: hands are compared between tables of the same size only${alone}`;
}

interface Kept {
  scores: ReadonlyMap<string, DuplicateScore>;
  /** Until when they will do, by performance.now(). */
  until: number;
  /** Play was over. */
  closed: boolean;
}

/** The most pools with remembered scores. */
const POOLS = 100;
/** Reckoning takes one part in so many of the time, at the most. */
const REST = 20;
/** So long an answer waits for them; who asks again later finds them. */
const ANSWER_MS = 60_000;

/**
 * The scores of duplicate pools: reckoned for one pool at a time, and not again for a while, or ever, once play is
 * over.
 */
export class DuplicateScores {
  readonly #kept = new Map<string, Kept>();
  readonly #underWay = new Map<string, Promise<Kept['scores']>>();
  #line: Promise<unknown> = Promise.resolve();

  /** `restMs`: how old scores may be, at least. */
  constructor(
    private readonly sql: Database,
    private readonly restMs: number,
  ) {}

  /** Empty for a competition that is none of duplicates. */
  async of(record: Pick<CompetitionRecord, 'competition_id' | 'big_blind' | 'duplicate' | 'state'>) {
    const { competition_id: id, duplicate, state } = record;
    if (!duplicate) return NONE;
    const kept = this.#kept.get(id);
    if (kept !== undefined && performance.now() < kept.until && kept.closed === isClosed(state)) return kept.scores;
    // All who ask meanwhile wait for the same; other pools wait for their turn.
    const under = this.#underWay.get(id) ?? this.#inLine(() => this.#reckon(record));
    this.#underWay.set(id, under);
    return inTime(
      under.finally(() => this.#underWay.delete(id)),
      ANSWER_MS,
    );
  }

  #inLine<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#line.then(work);
    this.#line = turn.catch(() => undefined);
    return turn;
  }

  async #reckon({ competition_id: id, big_blind: bigBlind, state }: Parameters<DuplicateScores['of']>[0]) {
    const start = performance.now();
    const scores = await compareHands(this.sql, id, bigBlind);
    const rest = Math.max(this.restMs, REST * (performance.now() - start));
    // The last to be reckoned stand last; the first goes.
    this.#kept.delete(id);
    const closed = isClosed(state);
    this.#kept.set(id, { scores, until: closed ? Infinity : start + rest, closed });
    if (this.#kept.size > POOLS) this.#kept.delete(this.#kept.keys().next().value!);
    return scores;
  }
}

const NONE: Kept['scores'] = new Map();
