"""
Fair deals (protocol.md, "Fair deals"): checks that a hand was dealt from the committed deck, and takes part in the
shuffle.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import deque
from dataclasses import dataclass
from typing import Any, Callable, Deque, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from ._dice import dice_faults, sha256

Frame = Mapping[str, Any]

CARDS = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
#: Nonces in a chain: one is sent in each hand.
CHAIN = 1024


def permutation(commitment: str, nonces: Sequence[Frame]) -> List[str]:
    """The card dealt for each card of the deck: Fisher-Yates by the words of SHAKE-256."""
    seed = f"agent-poker/nonces|{commitment}" + "".join(f"|{each['seat']}:{each['nonce']}" for each in nonces)
    data, dealt = iter(hashlib.shake_256(seed.encode()).digest(1024)), list(CARDS)
    for i in range(len(CARDS) if nonces else 0):
        chosen = i + _below(len(CARDS) - i, data)
        dealt[i], dealt[chosen] = dealt[chosen], dealt[i]
    return dealt


def _below(n: int, data: Iterator[int]) -> int:
    """Lemire's unbiased choice, from 16-bit words."""
    while True:
        product = (next(data) * 256 + next(data)) * n
        if product % 65536 >= 65536 % n:
            return product // 65536


def verify(deal: Mapping[str, Any]) -> List[str]:
    """
    The faults of a deal. Empty for a fair deal. A deal is the answer of GET /api/hands/{hand_id}/proof, or the same
    with the announcement before it, as `Deals` collects it.
    """
    faults: List[str] = []

    def check(holds: bool, fault: str) -> None:
        if not holds:
            faults.append(fault)

    root, nonces, proof = deal["deck_commitment"], deal["deal_nonces"], deal["deal_proof"]
    place = f"{deal['table_id']}|{deal['hand_number']}|"
    leaves = "".join(proof["hashes"])
    check(sha256(f"agent-poker/deck|{place}{leaves}{proof['rest']}") == root, "not the committed deck")
    dealt, opened = permutation(root, nonces), dict[int, str]()
    hands = deal.get("opened_hands", [])
    for leaf in [*proof["opened"], *deal.get("own_opened", []), *(leaf for hand in hands for leaf in hand["opened"])]:
        index, card = leaf["index"], leaf["card"]
        text = f"agent-poker/leaf|{place}{index:02}|{card}|{leaf['salt']}"
        check(sha256(text) == proof["hashes"][index], f"wrong leaf {index}")
        opened[index] = dealt[CARDS.index(card)]
    check(len(set(opened.values())) == len(opened), "a card is twice in the deck")
    for what, places, cards in _seen(deal):
        check(all(opened.get(at) == card for at, card in zip(places, cards)), f"{what}: not the cards of the deck")
    faults += _against_announcement(deal)
    faults += dice_faults(deal)
    return faults


def _seen(deal: Mapping[str, Any]) -> Iterator[Tuple[str, Sequence[int], Sequence[str]]]:
    """The seen cards, and their places in dealing order."""
    order = sorted(deal["seats"], key=lambda seat: int(seat - deal["dealer_seat"] - 1) % 64)
    hole_cards = {f"seat {seat}": (int(seat), cards) for seat, cards in deal["shown_cards"].items()}
    for hand in deal.get("opened_hands", []):
        hole_cards[f"opened seat {hand['seat']}"] = (hand["seat"], hand["hole_cards"])
    if deal.get("hole_cards"):
        hole_cards["own cards"] = (deal["seat"], deal["hole_cards"])
    for what, (seat, cards) in hole_cards.items():
        at = order.index(seat)
        yield what, (at, at + len(order)), cards
    yield "board", range(2 * len(order), 2 * len(order) + 5), deal["board"]


def _against_announcement(deal: Mapping[str, Any]) -> Iterator[str]:
    root, nonces, announced = deal["deck_commitment"], deal["deal_nonces"], deal.get("announced")
    if announced:
        if announced["deck_commitment"] != root:
            yield "another deck than was announced"
        anchors = {each["seat"]: each["anchor"] for each in announced["anchors"]}
        for each in nonces:
            if anchors.get(each["seat"]) != sha256(each["nonce"]):
                yield f"nonce of seat {each['seat']} was not fixed"
    if deal.get("hole_cards"):
        for nonce in deal.get("acks", ()):
            if {"seat": deal["seat"], "nonce": nonce} not in nonces:
                yield "own nonce left out"


class NonceChain:
    """A chain of nonces. Each nonce is the hash of the next one."""

    def __init__(self, end: Callable[[], str] = lambda: secrets.token_hex(32)) -> None:
        self._end = end
        self._chain: List[str] = []
        #: Where each nonce stands in the chain.
        self._places: Dict[str, int] = {}

    def next(self, anchor: Optional[str]) -> str:
        """
        The nonce to send after this anchor was announced for the own seat: the one with that hash, else the first of a
        new chain.
        """
        at = self._places.get(anchor or "", 0)
        if at > 0:
            return self._chain[at - 1]
        self._chain = [self._end()]
        while len(self._chain) < CHAIN:
            self._chain.append(sha256(self._chain[-1]))
        self._places = {nonce: place for place, nonce in enumerate(self._chain)}
        return self._chain[-1]


@dataclass(frozen=True)
class Verified:
    """A checked hand. `counted`: an own nonce had a part in its deck."""

    hand_id: str
    hand_number: int
    faults: Tuple[str, ...]
    counted: bool


class Deals:
    """Follows the deals of a table frame by frame: sends nonces, and checks each hand that ends."""

    def __init__(self, chain: Optional[NonceChain] = None) -> None:
        self._chain = chain or NonceChain()
        self._hand: Dict[str, Any] = {}
        self._acks: Deque[Frame] = deque(maxlen=8)
        #: The mix that was sent last, and its id.
        self._mix: Tuple[Any, Any] = (None, None)

    def sent(self, message: Mapping[str, Any]) -> None:
        """An own message: a mix is compared with the one that the proof shows."""
        action = message.get("action")
        if message["type"] == "action" and isinstance(action, Mapping):
            self._mix = (message.get("client_action_id"), action["mix"])

    def read(self, frame: Frame) -> Tuple[Optional[Dict[str, Any]], Optional[Verified]]:
        """Reads a frame, or an event of a resync. Returns the message to send, and the checked hand."""
        kind, hand = frame["type"], self._hand
        if kind == "hand_start":
            return self._begin(frame), None
        if kind == "deal_nonce_ack" and frame["counts"]:
            self._acks.append(frame)
        if not hand or frame.get("hand_id") != hand["hand_id"]:
            return None, None
        if kind == "action_ack" and "drawn" in frame:
            drawn, (sent_as, parts) = frame["drawn"], self._mix
            known = [each for each in hand["draws"] if each["number"] != drawn["number"]]
            hand["draws"] = [*known, {**drawn, "parts": parts if sent_as == frame["client_action_id"] else None}]
        if kind == "table_state" and "hole_cards" in frame.get("hero", {}):
            hand["hole_cards"] = frame["hero"]["hole_cards"]
        elif kind == "hole_cards":
            hand["hole_cards"] = frame["cards"]
        elif kind == "community_cards":
            # The frame has only the new cards, or all cards by a setting of the server.
            hand["board"] = frame["cards"] if len(frame["cards"]) > 3 else [*hand["board"], *frame["cards"]]
        elif kind == "hand_result":
            return None, self._finish(frame)
        return None, None

    def _begin(self, start: Frame) -> Optional[Dict[str, Any]]:
        if start["hand_id"] == self._hand.get("hand_id"):
            return None
        before, self._hand = self._hand, {}
        if "deck_commitment" not in start:
            return None
        follows = before.get("over") and before["table_id"] == start["table_id"]
        announced = before["next_deal"] if follows and before["hand_number"] + 1 == start["hand_number"] else None
        acks = [ack["nonce"] for ack in self._acks if ack["deck_commitment"] == start["deck_commitment"]]
        self._hand = {**start, "board": [], "announced": announced, "acks": acks, "draws": []}
        if start.get("seat") is None:
            return None
        anchors = {each["seat"]: each["anchor"] for each in start["next_deal"]["anchors"]}
        return {"type": "deal_nonce", "nonce": self._chain.next(anchors.get(start["seat"]))}

    def _finish(self, result: Frame) -> Optional[Verified]:
        hand, self._hand = self._hand, {**self._hand, "over": True}
        if "deal_proof" not in result or hand.get("over"):
            return None
        deal = {**hand, **result, "seats": [int(seat) for seat in result["final_stacks"]]}
        counted = any(each["seat"] == hand.get("seat") for each in hand["deal_nonces"])
        return Verified(hand["hand_id"], hand["hand_number"], tuple(verify(deal)), counted)
