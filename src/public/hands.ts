import type { Static } from 'typebox';
import { Hand } from '../holdem/hand.js';
import {
  cardNames,
  handText,
  holeSeen,
  isOpened,
  isPoolOver,
  opensCards,
  playerSight,
  postItems,
  spectatorSight,
  type Sight,
} from '../history/index.js';
import { audienceOf, isShown, type Audience } from '../lobby/index.js';
import { utc } from '../protocol/common.js';
import type { PublicHand } from '../protocol/rest/public.js';
import type { Queryable } from '../store/database.js';
import { ByteWriter } from '../table/frames/byte-writer.js';
import { writeBody } from '../table/frames/event.js';
import type { PublicEvent } from '../table/events.js';
import { decodeRecord, type StoredHand } from '../table/record/record-codec.js';
import { dealOf, dealtHandOf } from '../table/record/stored-deal.js';
import { eventsOf } from '../table/record/stored-events.js';
import { replayStored } from '../table/record/stored-hand.js';
import { timeOfUuid7 } from '../table/uuid.js';
import { selectBeside, selectFaces, selectHandInView, type BesideRow, type Face, type HandInView } from './queries.js';

type Body = Static<typeof PublicHand>;

/** One of a thread, reused from hand to hand. */
const engine = new Hand();
const writer = new ByteWriter();

/** A hand that somebody may see, and how much of it. */
export interface ShownHand {
  stored: StoredHand;
  sight: Sight;
  view: HandInView;
  faces: ReadonlyMap<string, Face>;
}

/** The hands beside one that the same reader may see. */
export interface HandsBeside {
  previous: string | null;
  next: string | null;
}

/** The form of competitions' slugs, with the longest that there is. */
export const COMPETITION_SLUG = /^[a-z0-9-]{1,200}$/;

/**
 * How somebody sees a stored hand; null: not at all. A dealt-in player sees its own view, whatever spectators see.
 * Before play is over, hands of duplicates are hidden here.
 */
export function sightOn(
  house: Audience,
  { competition, takesPart, later }: Omit<HandInView, 'record' | 'poolId'>,
  stored: { readonly players: readonly Pick<StoredHand['players'][number], 'agentId'>[] },
  viewer: string | null,
): Sight | null {
  const audience = audienceOf(house, competition && { ...competition, over: isPoolOver(competition.state) });
  if (audience.sealed) return null;
  if (viewer !== null && stored.players.some(({ agentId }) => agentId === viewer)) {
    return playerSight(viewer, opensCards(competition));
  }
  const old = later === null || later >= audience.delayHands;
  return old && isShown(audience, takesPart) ? spectatorSight(opensCards(competition)) : null;
}

/** Null where there is no such hand, or it is not for who asks. */
export async function shownHand(
  sql: Queryable,
  house: Audience,
  handId: string,
  viewer: string | null,
): Promise<ShownHand | null> {
  const began = new Date(timeOfUuid7(handId));
  if (began.getTime() > LATEST) return null;
  const view = await selectHandInView(sql, handId, began, viewer);
  if (view === undefined) return null;
  const stored = decodeRecord(view.record);
  const sight = sightOn(house, view, stored, viewer);
  if (sight === null) return null;
  const players = stored.players.map(({ agentId }) => agentId);
  return { stored, sight, view, faces: await selectFaces(sql, view.poolId, players) };
}

/** Of a hand that stands alone. */
export const NO_HANDS_BESIDE: HandsBeside = { previous: null, next: null };

/** The hands of the same table before and after a shown one, as far as its reader may see them. */
export async function handsBeside(
  sql: Queryable,
  house: Audience,
  { stored, view }: Pick<ShownHand, 'stored' | 'view'>,
  viewer: string | null,
): Promise<HandsBeside> {
  const { previous, next } = await selectBeside(sql, stored, viewer);
  const seen = (row: BesideRow | null): string | null => {
    if (row === null) return null;
    const later = view.later === null ? null : view.later + stored.handNumber - row.handNumber;
    const players = viewer !== null && row.own ? [{ agentId: viewer }] : [];
    return sightOn(house, { ...view, later }, { players }, viewer) === null ? null : row.handId;
  };
  return { previous: seen(previous), next: seen(next) };
}

/** A time of no hand: any other UUID may state it, and PostgreSQL reads years of at most four digits in this form. */
const LATEST = Date.UTC(9999, 0, 1);

export function handBody({ stored, sight, view, faces }: ShownHand, beside: HandsBeside): Body {
  const { competition, poolId } = view;
  const names = namesOf(faces);
  const { blinds, events, at } = eventsOf(stored, names, engine);
  const sent = events.map((event, i) => ({ ...bodyOf(event), at_ms: at[i]! }));
  const { outcome } = replayStored(stored, engine);
  const seats = (mask: number) => stored.players.map(({ seat }) => seat).filter((seat) => (mask & (1 << seat)) !== 0);
  const { returnedSeat, returned } = outcome;
  return {
    hand_id: stored.handId,
    table_id: stored.tableId,
    hand_number: stored.handNumber,
    season_id: competition === null ? poolId : null,
    competition: competition && { competition_id: poolId, slug: competition.slug, name: competition.name },
    open_cards: competition?.openCards ?? 'never',
    dealer_seat: stored.button,
    small_blind: stored.smallBlind,
    big_blind: stored.bigBlind,
    players: stored.players.map((player) => {
      const face = faces.get(player.agentId);
      const cards = holeSeen(sight, player);
      return {
        seat: player.seat,
        name: names.get(player.agentId) ?? `seat_${player.seat}`,
        public_profile_slug: face?.slug ?? null,
        avatar_url: face?.avatarUrl ?? null,
        is_house: player.isHouse,
        stack_start: player.stackStart,
        stack_end: player.stackEnd,
        contributed: player.contributed,
        payout: player.payout,
        shown: player.shown,
        hole_cards: cards && cardNames(cards),
        opened: isOpened(sight, player) ? openingsOf(stored, player.seat) : null,
      };
    }),
    blinds: postItems(blinds),
    // Written by what writes the frames, so that they are the same.
    events: [startOf(stored, postItems(blinds)), ...sent] as Body['events'],
    pots: outcome.pots.map(({ amount, eligible, winners }) => ({
      amount,
      seats: seats(eligible),
      winners: seats(winners),
    })),
    returned: returned === 0 ? null : { seat: returnedSeat, amount: returned },
    own: ownOf(stored, sight),
    previous_hand_id: beside.previous,
    next_hand_id: beside.next,
    started_at: utc(stored.startedAt),
    ended_at: utc(stored.endedAt),
  };
}

/** The same as a file. */
export const handFileOf = ({ stored, sight, view, faces }: ShownHand, format: 'phh' | 'pokerstars') =>
  handText(stored, { sight, names: namesOf(faces), engine }, { format, inCompetition: view.competition !== null });

const namesOf = (faces: ReadonlyMap<string, Face>) => new Map([...faces].map(([id, { name }]) => [id, name]));

function bodyOf(event: PublicEvent): Record<string, unknown> {
  writer.pos = 0;
  writer.ascii(`{"type":"${event.kind}"`);
  writeBody(writer, event);
  writer.ascii('}');
  return JSON.parse(new TextDecoder().decode(writer.buffer.subarray(0, writer.pos))) as Record<string, unknown>;
}

/** hand_start as it was, but for the deck of the hand that came next. */
function startOf(stored: StoredHand, posts: ReturnType<typeof postItems>) {
  const { button, smallBlind, bigBlind, handNumber } = stored;
  const deal = dealOf(stored);
  return {
    type: 'hand_start',
    dealer_seat: button,
    blinds: { small_blind: smallBlind, big_blind: bigBlind },
    posts,
    ...(deal && { hand_number: handNumber, deck_commitment: deal.deck.commitment, deal_nonces: deal.nonces }),
    at_ms: 0,
  };
}

function ownOf(stored: StoredHand, sight: Sight): Body['own'] {
  if (sight.kind !== 'player') return null;
  const own = stored.players.find(({ agentId }) => agentId === sight.agentId);
  if (own === undefined) return null;
  return { seat: own.seat, hole_cards: cardNames(own.hole), opened: openingsOf(stored, own.seat) };
}

/** The proof of a seat's hole cards; null where the deck was not committed to. */
const openingsOf = (stored: StoredHand, seat: number) => dealOf(stored)?.own(dealtHandOf(stored), seat) ?? null;
