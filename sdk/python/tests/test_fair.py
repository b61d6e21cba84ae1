"""A deal as committed has no fault. Each way to cheat is a fault."""

import copy
import hashlib
import random
import unittest

from agent_poker.fair import CARDS, CHAIN, Deals, NonceChain, permutation, verify

TABLE = "table-1"
SEATS, DEALER = [0, 2, 5], 2
#: The dealing order, from the left of the button.
ORDER = [5, 0, 2]


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


class Dealer:
    """A server that deals fairly."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.decks = {}

    def deck(self, number):
        """The deck of a hand: cards, salts, leaves, rest and commitment. The first call fixes it."""
        if number not in self.decks:
            cards = list(CARDS)
            self.dice.shuffle(cards)
            salts = [f"{self.dice.getrandbits(128):032x}" for _ in cards]
            place = f"{TABLE}|{number}|"
            leaves = [sha256(f"agent-poker/leaf|{place}{i:02}|{cards[i]}|{salts[i]}") for i in range(17)]
            rest = sha256(f"agent-poker/rest|{place}" + "".join(cards[i] + salts[i] for i in range(17, 52)))
            root = sha256(f"agent-poker/deck|{place}{''.join(leaves)}{rest}")
            self.decks[number] = (cards, salts, leaves, rest, root)
        return self.decks[number]

    def frames(self, number, nonces=(), anchors=(), hand_id=None):
        """One hand as seat 0 reads it. Seat 2 shows its cards."""
        cards, salts, leaves, rest, root = self.deck(number)
        dealt = permutation(root, nonces)
        shown = lambda at: dealt[CARDS.index(cards[at])]  # noqa: E731
        opened = lambda places: [{"index": i, "card": cards[i], "salt": salts[i]} for i in places]  # noqa: E731
        own, other = [ORDER.index(0), ORDER.index(0) + 3], [ORDER.index(2), ORDER.index(2) + 3]
        board = [6, 7, 8, 9, 10]
        hand = {"table_id": TABLE, "hand_id": hand_id or f"hand-{number}"}
        next_deal = {"deck_commitment": self.deck(number + 1)[4], "anchors": list(anchors)}
        fair = {"hand_number": number, "deck_commitment": root, "deal_nonces": list(nonces), "next_deal": next_deal}
        proof = {"hashes": leaves, "rest": rest, "opened": opened(board + other)}
        result = {"final_stacks": {str(seat): 100 for seat in SEATS}, "shown_cards": {"2": [shown(at) for at in other]}}
        return [
            {"type": "hand_start", **hand, "seat": 0, "dealer_seat": DEALER, **fair},
            {"type": "hole_cards", **hand, "cards": [shown(at) for at in own]},
            {"type": "community_cards", **hand, "cards": [shown(at) for at in board[:3]]},
            {"type": "community_cards", **hand, "cards": [shown(9)]},
            {"type": "community_cards", **hand, "cards": [shown(10)]},
            {"type": "hand_result", **hand, **result, "deal_proof": proof, "own_opened": opened(own)},
        ]


def read(deals, frames):
    """Messages and verdicts."""
    answers = [deals.read(frame) for frame in frames]
    return [message for message, _ in answers if message], [verdict for _, verdict in answers if verdict]


def faults_of(frames, before=None):
    deals = Deals()
    if before:
        read(deals, before)
    [verdict] = read(deals, frames)[1]
    return list(verdict.faults)


class VerifyTest(unittest.TestCase):
    def setUp(self):
        self.dealer = Dealer(1)

    def test_a_fair_hand(self):
        self.assertEqual(faults_of(self.dealer.frames(7)), [])

    def test_a_fair_hand_with_nonces_that_were_announced(self):
        nonces = [{"seat": 0, "nonce": "a" * 64}, {"seat": 5, "nonce": "b" * 64}]
        anchors = [{"seat": each["seat"], "anchor": sha256(each["nonce"])} for each in nonces]
        before = self.dealer.frames(7, anchors=anchors)
        self.assertEqual(faults_of(self.dealer.frames(8, nonces), before), [])

    def test_hands_that_the_competition_opened(self):
        nonces = [{"seat": 0, "nonce": "a" * 64}]
        start, hole, *_, result = self.dealer.frames(7, nonces)
        cards, salts, _, _, root = self.dealer.deck(7)
        dealt = permutation(root, nonces)
        places = [ORDER.index(5), ORDER.index(5) + 3]
        held = [dealt[CARDS.index(cards[at])] for at in places]
        leaves = [{"index": at, "card": cards[at], "salt": salts[at]} for at in places]
        hand = {"seat": 5, "hole_cards": held, "opened": leaves}
        board = [dealt[CARDS.index(cards[at])] for at in range(6, 11)]
        deal = {**start, **result, "hole_cards": hole["cards"], "board": board, "seats": SEATS, "announced": None}
        self.assertEqual(verify({**deal, "opened_hands": [hand]}), [])
        swapped = {**hand, "hole_cards": list(reversed(held))}
        self.assertEqual(verify({**deal, "opened_hands": [swapped]}), ["opened seat 5: not the cards of the deck"])
        forged = {**hand, "opened": [{**leaves[0], "salt": "0" * 32}, leaves[1]]}
        self.assertIn(f"wrong leaf {places[0]}", verify({**deal, "opened_hands": [forged]}))

    def test_every_way_to_cheat_is_found(self):
        def change(path, value):
            def do(frames):
                place = frames
                for key in path[:-1]:
                    place = place[key]
                place[path[-1]] = value(place[path[-1]])

            return do

        other = lambda text: ("0" if text[0] != "0" else "1") + text[1:]  # noqa: E731
        swap = lambda cards: list(reversed(cards))  # noqa: E731
        ways = {
            "not the committed deck": change([0, "deck_commitment"], other),
            "wrong leaf 6": change([5, "deal_proof", "opened", 0, "salt"], other),
            "own cards: not the cards of the deck": change([1, "cards"], swap),
            "seat 2: not the cards of the deck": change([5, "shown_cards", "2"], swap),
            "board: not the cards of the deck": change([2, "cards"], swap),
        }
        for fault, cheat in ways.items():
            frames = copy.deepcopy(self.dealer.frames(7))
            cheat(frames)
            self.assertIn(fault, faults_of(frames))

    def test_what_was_announced_binds(self):
        nonces = [{"seat": 5, "nonce": "b" * 64}]
        before = self.dealer.frames(7)
        self.assertEqual(faults_of(self.dealer.frames(8, nonces), before), ["nonce of seat 5 was not fixed"])
        before[0]["next_deal"]["deck_commitment"] = "0" * 64
        self.assertEqual(faults_of(self.dealer.frames(8), before), ["another deck than was announced"])
        self.assertEqual(faults_of(self.dealer.frames(9), before), [], "a void hand was in between")
        self.assertEqual(faults_of(self.dealer.frames(8), before[:-1]), [], "it was void itself")

    def test_an_own_nonce_that_is_left_out(self):
        root = self.dealer.deck(8)[4]
        ack = {"type": "deal_nonce_ack", "nonce": "c" * 64, "counts": True, "hand_number": 8, "deck_commitment": root}
        self.assertEqual(faults_of(self.dealer.frames(8), [ack]), ["own nonce left out"])
        self.assertEqual(faults_of(self.dealer.frames(8), [{**ack, "counts": False}]), [])

    def test_a_proof_of_the_history(self):
        frames = self.dealer.frames(7)
        start, hole, *_, result = frames
        proof = {**start, **result, "hole_cards": hole["cards"], "seats": SEATS}
        proof["board"] = [card for frame in frames[2:5] for card in frame["cards"]]
        self.assertEqual(verify(proof), [])

    def test_a_card_that_is_twice_in_the_deck(self):
        cards, salts, *_ = self.dealer.deck(7)
        cards[7] = cards[6]
        place = f"{TABLE}|7|"
        leaves = [sha256(f"agent-poker/leaf|{place}{i:02}|{cards[i]}|{salts[i]}") for i in range(17)]
        rest = "0" * 64
        root = sha256(f"agent-poker/deck|{place}{''.join(leaves)}{rest}")
        self.dealer.decks[7] = (cards, salts, leaves, rest, root)
        self.assertEqual(faults_of(self.dealer.frames(7)), ["a card is twice in the deck"])


class ChainTest(unittest.TestCase):
    def test_each_nonce_hashes_to_the_one_before(self):
        chain = NonceChain()
        sent = [chain.next(None)]
        for _ in range(5):
            sent.append(chain.next(sent[-1]))
        self.assertEqual([sha256(nonce) for nonce in sent[1:]], sent[:-1])
        self.assertEqual(chain.next(sent[2]), sent[3], "what was sent last got lost")
        self.assertNotIn(sha256(chain.next("f" * 64)), sent, "an anchor of nobody's begins a new chain")

    def test_a_chain_that_is_used_up_is_followed_by_another(self):
        chain = NonceChain()
        nonce = chain.next(None)
        for _ in range(CHAIN - 1):
            nonce = chain.next(nonce)
        self.assertNotEqual(sha256(chain.next(nonce)), nonce)

    def test_a_nonce_goes_out_with_each_hand(self):
        dealer, deals = Dealer(2), Deals()
        [first], _ = read(deals, dealer.frames(1))
        [second], _ = read(deals, dealer.frames(2, anchors=[{"seat": 0, "anchor": first["nonce"]}]))
        self.assertEqual(sha256(second["nonce"]), first["nonce"])
        nonces = [{"seat": 0, "nonce": second["nonce"]}]
        _, [verdict] = read(deals, dealer.frames(3, nonces))
        self.assertEqual((verdict.faults, verdict.counted, verdict.hand_number), ((), True, 3))

    def test_a_hand_that_is_told_again_is_checked_once(self):
        dealer, deals = Dealer(3), Deals()
        frames = dealer.frames(1)
        self.assertEqual(len(read(deals, frames + frames)[1]), 1)

    def test_a_state_before_the_first_hand(self):
        idle = {"type": "table_state", "table_id": TABLE, "hand_id": None, "hero": {"seat": 0}}
        ack = {"type": "deal_nonce_ack", "counts": False}
        self.assertEqual(read(Deals(), [idle, idle, ack, {"type": "connected"}]), ([], []))

    def test_own_cards_that_only_a_state_told(self):
        dealer = Dealer(4)
        start, hole, *rest = dealer.frames(1)
        state = {"type": "table_state", "table_id": TABLE, "hand_id": "hand-1"}
        for cards, faults in ((hole["cards"], ()), (hole["cards"][::-1], ("own cards: not the cards of the deck",))):
            shown = {**state, "hero": {"seat": 0, "hole_cards": cards}}
            [verdict] = read(Deals(), [start, shown, {**state, "hero": {"seat": 0}}, *rest])[1]
            self.assertEqual(verdict.faults, faults)

    def test_a_server_without_fair_deals(self):
        start = {"type": "hand_start", "table_id": TABLE, "hand_id": "hand-1", "seat": 0, "dealer_seat": 0}
        result = {"type": "hand_result", "table_id": TABLE, "hand_id": "hand-1", "final_stacks": {}}
        self.assertEqual(read(Deals(), [start, result]), ([], []))


if __name__ == "__main__":
    unittest.main()
