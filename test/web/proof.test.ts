/** The proof that the page computes: it holds for a deck that was committed to, and fails for each thing that is forged. */
import { createHash, randomBytes } from 'node:crypto';
import t from 'tap';
import { CARD_NAMES } from '../../src/cards/card.js';
import { CommittedDeck, publicPermutation } from '../../src/cards/committed-deck.js';
import { verify, type DealFacts } from '../../web/proof/verify.js';

const nonce = () => randomBytes(32).toString('hex');
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

/** A hand of three with the button on seat 4, with what two of them showed. */
function dealt(nonces: DealFacts['nonces']): DealFacts {
  const deck = new CommittedDeck('table-1', 12, randomBytes(32));
  const mixed = publicPermutation(deck.commitment, nonces);
  const cardAt = (index: number) => CARD_NAMES[mixed?.[deck.cards[index]!] ?? deck.cards[index]!]!;
  const opened = [0, 3, 2, 5, 6, 7, 8, 9, 10].map((index) => deck.open(index));
  return {
    tableId: 'table-1',
    handNumber: 12,
    commitment: deck.commitment,
    nonces,
    hashes: deck.hashes,
    rest: deck.rest,
    opened,
    seats: [1, 3, 4],
    button: 4,
    board: [6, 7, 8, 9, 10].map(cardAt),
    holes: new Map([
      [1, [cardAt(0), cardAt(3)]],
      [4, [cardAt(2), cardAt(5)]],
    ]),
  };
}

await t.test('an honest deal, with nonces and without', async (t) => {
  t.match(await verify(dealt([]), null), { committed: true, opens: true, cards: 9, announced: null, nonces: 0 });
  const nonces = [1, 3].map((seat) => ({ seat, nonce: nonce() }));
  const facts = dealt(nonces);
  const anchors = nonces.map((each) => ({ seat: each.seat, anchor: hash(each.nonce) }));
  const all = { committed: true, opens: true, announced: true, fixed: true, nonces: 2 };
  t.match(await verify(facts, { commitment: facts.commitment, anchors }), all);
});

await t.test('what is forged is found', async (t) => {
  const nonces = [{ seat: 1, nonce: nonce() }];
  const facts = dealt(nonces);
  const [first, ...others] = facts.opened;
  const other = CARD_NAMES.find((card) => card !== first!.card)!;
  const opens = async (change: Partial<DealFacts>) => (await verify({ ...facts, ...change }, null)).opens;
  t.equal(await opens({}), true);
  t.equal(await opens({ opened: [{ ...first!, card: other }, ...others] }), false, 'another card');
  t.equal(await opens({ opened: [{ ...first!, salt: '0'.repeat(32) }, ...others] }), false, 'another salt');
  t.equal(await opens({ opened: others }), false, 'a card that was shown and does not open');
  t.equal(await opens({ board: [...facts.board].reverse() }), false, 'cards at other places');
  t.equal(await opens({ button: 1 }), false, 'another order of dealing');
  t.equal(await opens({ nonces: [{ seat: 1, nonce: nonce() }] }), false, 'another shuffle');
  t.equal((await verify({ ...facts, rest: '0'.repeat(64) }, null)).committed, false);
  t.equal((await verify({ ...facts, handNumber: 13 }, null)).committed, false);
  const anchors = [{ seat: 1, anchor: hash(nonce()) }];
  t.match(await verify(facts, { commitment: hash('another'), anchors }), { announced: false, fixed: false });
});
