import { useEffect, useState } from 'preact/hooks';
import type { PublicHandAnswer } from '../game/public-hand.js';
import { pathTo } from '../lib/paths.js';
import { texts } from '../texts.js';
import { announcedOf } from './announced.js';
import { verify, type DealFacts, type Verdict } from './verify.js';

/** The deal's proof, in three lines that are computed here. Nothing where the deck was not committed to. */
export function Proof({ hand }: { hand: PublicHandAnswer }) {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const facts = factsOf(hand);
  useEffect(() => {
    if (facts === null) return;
    void verify(facts, announcedOf(facts.tableId, facts.handNumber)).then(setVerdict);
  }, [hand]);
  if (facts === null) return <p class="soft">{texts.proof.none}</p>;
  if (verdict === null) return <p class="soft">{texts.proof.computing}</p>;
  return (
    <>
      <ul class="proof">
        {texts.proof.lines(verdict).map(([holds, line, detail]) => (
          <li key={line} class={holds === null ? 'open' : holds ? 'holds' : 'fails'}>
            <span class="proof-tick" role="img" aria-label={texts.proof.ticks(holds)}>
              {holds === null ? '–' : holds ? '✓' : '✗'}
            </span>
            <span>
              <strong>{line}</strong> <span class="soft">{detail}</span>
            </span>
          </li>
        ))}
      </ul>
      <details class="how">
        <summary>{texts.proof.how}</summary>
        {texts.proof.explanation.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p>
          <a href={`${pathTo('doc', { page: 'protocol' })}#fair-deals`}>{texts.proof.more}</a>
        </p>
      </details>
    </>
  );
}

export function factsOf(hand: PublicHandAnswer): DealFacts | null {
  const start = hand.events.find((event) => event.type === 'hand_start');
  const result = hand.events.find((event) => event.type === 'hand_result');
  if (start?.deck_commitment === undefined || result?.deal_proof === undefined) return null;
  const { hashes, rest, opened } = result.deal_proof;
  const holes = new Map(
    hand.players.flatMap(({ seat, shown, hole_cards: cards }) => (shown && cards ? [[seat, cards] as const] : [])),
  );
  if (hand.own?.opened) holes.set(hand.own.seat, hand.own.hole_cards);
  const ownOpened = (hand.own?.opened ?? []).filter(({ index }) => !opened.some((other) => other.index === index));
  return {
    ...{ tableId: hand.table_id, handNumber: hand.hand_number, commitment: start.deck_commitment },
    ...{ nonces: start.deal_nonces ?? [], hashes, rest, opened: [...opened, ...ownOpened] },
    ...{ seats: hand.players.map(({ seat }) => seat), button: hand.dealer_seat, holes },
    board: hand.events.flatMap((event) => (event.type === 'community_cards' ? event.cards : [])),
  };
}
