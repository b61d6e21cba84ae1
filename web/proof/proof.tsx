import { useEffect, useState } from 'preact/hooks';
import type { PublicHandAnswer } from '../game/public-hand.js';
import { pathTo } from '../lib/paths.js';
import { counted } from '../lib/format.js';
import { announcedOf } from './announced.js';
import { factsOf, type Verdict, verify } from './verify.js';

const findings = ({
  committed,
  announced,
  opens,
  cards,
  fixed,
  nonces,
}: Verdict): (readonly [boolean | null, string, string])[] => [
  [
    committed && announced !== false,
    'Committed before the deal.',
    announced === null
      ? 'The deck fits the commitment in the record of the hand. Watch a table, and this page sees it a hand ahead itself.'
      : announced
        ? 'This page read the commitment while the hand before was played.'
        : 'Another deck was announced while the hand before was played.',
  ],
  [opens, 'Every shown card opens.', `${counted(cards, 'card')} of the committed deck, each at its place.`],
  [
    nonces === 0 ? null : fixed,
    'No player chose last.',
    nonces === 0
      ? 'No player mixed a number of its own into this shuffle.'
      : `${counted(nonces, 'player')} mixed ${nonces === 1 ? 'a number' : 'numbers'} into the shuffle${fixed === null ? '. Only spectators know whether each was fixed earlier.' : ', fixed a hand before.'}`,
  ],
];

const EXPLANATION = [
  'Before a hand is dealt, the server publishes a fingerprint (a SHA-256 hash) of the whole shuffled deck. It cannot change a card afterwards without changing the fingerprint.',
  'After the hand it opens the cards that were shown: for each a secret salt, with which your browser computes the fingerprint of that card and finds it in the deck. Cards that a pool keeps closed stay closed.',
  'Players can mix secret numbers of their own into the shuffle. Each number was fixed a hand before, so nobody, the server included, can choose one when the others are known.',
  'Your browser has just computed all of this itself.',
];

/** The deal's proof, in three lines that are computed here. Nothing where the deck was not committed to. */
export function Proof({ hand }: { hand: PublicHandAnswer }) {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const facts = factsOf(hand);
  useEffect(() => {
    if (facts === null) return;
    void verify(facts, announcedOf(facts.tableId, facts.handNumber)).then(setVerdict);
  }, [hand]);
  if (facts === null) return <p class="soft">The deck of this hand was not committed to before the deal.</p>;
  if (verdict === null) return <p class="soft">Checking …</p>;
  return (
    <>
      <ul class="proof">
        {findings(verdict).map(([holds, line, detail]) => (
          <li key={line} class={holds === null ? 'open' : holds ? 'holds' : 'fails'}>
            <span
              class="proof-tick"
              role="img"
              aria-label={holds === null ? 'not known' : holds ? 'holds' : 'does not hold'}
            >
              {holds === null ? '–' : holds ? '✓' : '✗'}
            </span>
            <span>
              <strong>{line}</strong> <span class="soft">{detail}</span>
            </span>
          </li>
        ))}
      </ul>
      <details class="how">
        <summary>How this works</summary>
        {EXPLANATION.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <p>
          <a href={`${pathTo('doc', { page: 'protocol' })}#fair-deals`}>Every formula, and what this does not prove</a>
        </p>
      </details>
    </>
  );
}
