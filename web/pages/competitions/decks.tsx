import { useRoute } from 'preact-iso';
import type { Answer } from '../../lib/api.js';
import { count, counted } from '../../lib/format.js';
import { pathTo } from '../../lib/paths.js';
import { useApi } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { Cards } from '../../ui/cards.js';
import { HandNameLink } from '../../ui/links.js';
import { Page, Section } from '../../ui/page.js';
import { Empty, Problem, Skeleton } from '../../ui/states.js';
import { Amount } from '../../ui/values.js';
import { doneBy, groupsOf, type DeckHand, type Group } from './deck-groups.js';

/** One deck of a duplicate competition: each table a column, each place a row, so that only the players differ. */
export default function Decks() {
  const { slug = '' } = useRoute().params;
  const [query, change] = useQuery();
  const deck = Math.max(1, Math.floor(Number(query['deck'] ?? 1)) || 1);
  const { data, error, reload } = useApi('GET /api/public/competitions/{competition_slug}/decks/{deck}', {
    params: { competition_slug: slug, deck: String(deck) },
  });
  const back = <a href={pathTo('competition', { slug })}>To the competition</a>;
  if (data === null) {
    return (
      <Page title="Side by side">
        {error === null ? (
          <Skeleton rows={8} />
        ) : error.status === 404 ? (
          <Empty>
            <p>No table has played this deck. {back}</p>
          </Empty>
        ) : error.status === 409 ? (
          <Empty>
            <p>Others may still play these cards: all of them open when play is over. {back}</p>
          </Empty>
        ) : (
          <Problem error={error} retry={reload} />
        )}
      </Page>
    );
  }
  const show = (next: number) => change({ deck: next === 1 ? '' : String(next) });
  return (
    <Page
      title={`Deck ${count(data.deck)}`}
      lead={
        <>
          {data.name}: the same cards at every table. {back}
        </>
      }
      wide
      actions={<Turn of={data} show={show} />}
    >
      {data.hands.length === 0 ? (
        <Empty>
          <p>Only the players may see these hands, or no table has met this deck.</p>
        </Empty>
      ) : (
        groupsOf(data.hands).map((group) => <SideBySide key={`${group.players} ${group.pass}`} of={group} />)
      )}
    </Page>
  );
}

function Turn({
  of: { deck, decks },
  show,
}: {
  of: Answer<'GET /api/public/competitions/{competition_slug}/decks/{deck}'>;
  show: (deck: number) => void;
}) {
  return (
    <nav class="row" aria-label="Decks">
      <button type="button" class="quiet" disabled={deck === 1} onClick={() => show(deck - 1)}>
        Deck before
      </button>
      <label class="row">
        <span class="hidden">Number of the deck</span>
        <input
          class="deck-number"
          type="number"
          min={1}
          max={decks}
          value={deck}
          onChange={({ currentTarget: { value } }) =>
            show(Math.min(decks, Math.max(1, Math.floor(Number(value)) || 1)))
          }
        />
        <span class="soft">of {count(decks)}</span>
      </label>
      <button type="button" class="quiet" disabled={deck === decks} onClick={() => show(deck + 1)}>
        Next deck
      </button>
    </nav>
  );
}

function SideBySide({ of: { players, pass, hands, board, places } }: { of: Group }) {
  const title = `${counted(players, 'player')}${pass === 0 ? '' : `, pass ${count(pass + 1)}`}`;
  const name = `${title}, ${counted(hands.length, 'table')} side by side`;
  return (
    <Section title={title} aside={<Board cards={board} />}>
      <div class="list" tabIndex={0} role="region" aria-label={`${name}, scrolls sideways`}>
        <table class="side-by-side" aria-label={name}>
          <thead>
            <tr>
              <th scope="col">Cards</th>
              {hands.map((hand) => (
                <th key={hand.hand_id} scope="col">
                  <HandNameLink of={hand} />
                  <span class="soft"> · pot {count(hand.total_pot)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {places.map(({ place, cards }) => (
              <tr key={place}>
                <th scope="row">
                  {cards === null ? <span class="soft">not shown</span> : <Cards cards={cards} />}
                  <span class="soft place">{placeName(place, players)}</span>
                </th>
                {hands.map((hand) => (
                  <Did key={hand.hand_id} hand={hand} place={place} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

const Board = ({ cards }: { cards: readonly string[] }) =>
  cards.length === 0 ? <span class="soft">no board was dealt</span> : <Cards cards={cards} />;

/** By its way from the button, as cards are dealt. */
const placeName = (place: number, players: number) =>
  place === players ? 'button' : place === 1 ? 'left of the button' : `${place} left of the button`;

/** The actions of the player at a place at one table, street by street, and their result. */
function Did({ hand, place }: { hand: DeckHand; place: number }) {
  const player = hand.players.find((each) => each.place === place);
  if (player === undefined) return <td />;
  return (
    <td>
      <span class="did">
        <strong>{player.name}</strong>
        <Amount value={player.profit} bb={hand.big_blind} gain />
      </span>
      <ol class="streets">
        {doneBy(hand, player.seat).map(([street, words]) => (
          <li key={street}>
            <span class="soft">{street}</span> {words}
          </li>
        ))}
      </ol>
    </td>
  );
}
