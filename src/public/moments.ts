import type { Static } from 'typebox';
import { KeptAnswers } from '../ops/kept-answers.js';
import { cardNames, holeSeen, SPECTATOR } from '../history/index.js';
import { Act } from '../holdem/types.js';
import { isShown, type Audience } from '../lobby/index.js';
import { utc } from '../protocol/common.js';
import { SHOWN_MOMENTS, type MomentsOfDay } from '../protocol/rest/moments.js';
import type { Database } from '../store/database.js';
import { decodeRecord } from '../table/record/record-codec.js';
import { selectFaces, selectMoments, type Face, type MomentRow } from './queries.js';

type Body = Static<typeof MomentsOfDay>;
type Item = Body['big_pots'][number];

/** A page is made once in a while, however many look at it. */
const KEPT_MS = 5000;

/** The moments of the day for spectators of the season. */
export class MomentsPage {
  readonly #kept = new KeptAnswers<Body>(KEPT_MS, 1);

  constructor(
    private readonly sql: Database,
    private readonly house: Audience,
  ) {}

  body(): Promise<Body> {
    return this.#kept.of('', () => this.#make());
  }

  async #make(): Promise<Body> {
    const { sql, house } = this;
    if (!isShown(house, false)) return { big_pots: [], all_ins: [], upsets: [] };
    const rows = await selectMoments(sql, { delayHands: house.delayHands, each: SHOWN_MOMENTS });
    const faces = await this.#faces(rows);
    const of = (kind: MomentRow['kind']) =>
      rows.filter((row) => row.kind === kind).map((row) => itemOf(row, faces.get(row.poolId)!));
    return { big_pots: of('pot'), all_ins: of('all_in'), upsets: of('upset') };
  }

  /** By pool: around the end of a season the day has hands of two. */
  async #faces(rows: readonly MomentRow[]): Promise<Map<string, Map<string, Face>>> {
    const agents = new Map<string, Set<string>>();
    for (const { poolId, record } of rows) {
      const known = agents.get(poolId) ?? new Set();
      for (const { agentId } of decodeRecord(record).players) known.add(agentId);
      agents.set(poolId, known);
    }
    const faces = [...agents].map(
      async ([poolId, ids]) => [poolId, await selectFaces(this.sql, poolId, [...ids])] as const,
    );
    return new Map(await Promise.all(faces));
  }
}

function itemOf({ kind, record, equities }: MomentRow, faces: ReadonlyMap<string, Face>): Item {
  const hand = decodeRecord(record);
  const folded = new Set(hand.actions.flatMap(({ seat, act }) => (act === Act.fold ? [seat] : [])));
  return {
    hand_id: hand.handId,
    table_id: hand.tableId,
    hand_number: hand.handNumber,
    // The money of an all-in went in with the last action.
    step: kind === 'pot' ? 'result' : String(hand.actions.length),
    total_pot: hand.totalPot,
    big_blind: hand.bigBlind,
    players: hand.players
      .filter(({ seat }) => !folded.has(seat))
      .map((player) => {
        const face = faces.get(player.agentId);
        const cards = holeSeen(SPECTATOR, player);
        return {
          seat: player.seat,
          name: face?.name ?? `seat_${player.seat}`,
          public_profile_slug: face?.slug ?? null,
          payout: player.payout,
          hole_cards: cards && cardNames(cards),
          equity: equities?.[String(player.seat)] ?? null,
        };
      }),
    started_at: utc(hand.startedAt),
  };
}
