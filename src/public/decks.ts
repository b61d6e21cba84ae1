import type { Static } from 'typebox';
import { decksMet, duplicateSlot, handsOfDeck } from '../cards/duplicate.js';
import { actionItems, cardNames, holeSeen, isPoolOver, postItems, type Sight } from '../history/index.js';
import type { Audience } from '../lobby/index.js';
import { utc } from '../protocol/common.js';
import { MOST_HANDS, type DuplicateDeck } from '../protocol/rest/duplicate-decks.js';
import { Detail, HttpError, notFrom } from '../protocol/rest/errors.js';
import type { Queryable } from '../store/database.js';
import { decodeRecord, type StoredHand } from '../table/record/record-codec.js';
import { postsOfStored } from '../table/record/stored-hand.js';
import { COMPETITION_SLUG, sightOn } from './hands.js';
import { selectCompetitionInView, selectFaces, selectMostHands, selectNumbered, type Face } from './queries.js';

type Body = Static<typeof DuplicateDeck>;

/** The play of every table with one deck (from 1). Throws HttpError 404, and 409 while others may yet play it. */
export async function deckBody(
  sql: Queryable,
  house: Audience,
  { slug, deck, viewer }: { slug: string; deck: number; viewer: string | null },
): Promise<Body> {
  // A text of another form was never given out, and may hold bytes that the database refuses.
  const competition = COMPETITION_SLUG.test(slug) ? await selectCompetitionInView(sql, slug, viewer) : undefined;
  if (competition === undefined) throw new HttpError(404, Detail.competitionNotFound);
  const { poolId, takesPart, duplicate, name, state } = competition;
  if (!duplicate) throw new HttpError(404, Detail.deckNotFound);
  if (!isPoolOver(state)) throw new HttpError(409, notFrom('show decks', state));
  const decks = decksMet(await selectMostHands(sql, poolId));
  if (deck > decks) throw new HttpError(404, Detail.deckNotFound);
  const records = await selectNumbered(sql, { poolId, numbers: handsOfDeck(deck - 1), limit: MOST_HANDS });
  const seen = records
    .map((record) => decodeRecord(record))
    .map((hand) => ({ hand, sight: sightOn(house, { competition, takesPart, later: null }, hand, viewer) }))
    .filter((each): each is { hand: StoredHand; sight: Sight } => each.sight !== null);
  const agents = new Set(seen.flatMap(({ hand }) => hand.players.map(({ agentId }) => agentId)));
  const faces = await selectFaces(sql, poolId, [...agents]);
  const hands = seen.map(({ hand, sight }) => handOf(hand, sight, faces));
  return {
    competition_id: poolId,
    name,
    deck,
    decks,
    hands: hands.sort((a, b) => b.players.length - a.players.length || a.pass - b.pass),
  };
}

function handOf(hand: StoredHand, sight: Sight, faces: ReadonlyMap<string, Face>): Body['hands'][number] {
  return {
    hand_id: hand.handId,
    table_id: hand.tableId,
    hand_number: hand.handNumber,
    pass: duplicateSlot(hand.handNumber).pass,
    big_blind: hand.bigBlind,
    board: cardNames(hand.board.slice(0, hand.boardCount)),
    total_pot: hand.totalPot,
    players: fromButton(hand).map((player, index) => {
      const cards = holeSeen(sight, player);
      return {
        place: index + 1,
        seat: player.seat,
        name: faces.get(player.agentId)?.name ?? `seat_${player.seat}`,
        stack_start: player.stackStart,
        profit: player.stackEnd - player.stackStart,
        hole_cards: cards && cardNames(cards),
      };
    }),
    posts: postItems(postsOfStored(hand)),
    actions: actionItems(hand, sight),
    started_at: utc(hand.startedAt),
  };
}

const SEATS = 64;

/** Left of the button first, as cards are dealt: the same place holds the same cards at every table. */
function fromButton({ players, button }: StoredHand): StoredHand['players'] {
  const place = (seat: number) => (seat - button - 1 + SEATS) % SEATS;
  return [...players].sort((a, b) => place(a.seat) - place(b.seat));
}
