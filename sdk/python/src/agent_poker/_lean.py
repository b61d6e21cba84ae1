"""Translates frames of the lean subprotocol (protocol.md, "Lean") into frames of the full one."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from typing import Any, Callable, Dict, List, Mapping, Sequence

from .hand import STREETS

Frame = Mapping[str, Any]
#: The subprotocols that a lean socket offers. A server without lean frames takes the second.
LEAN_PROTOCOLS = ("agent-poker.lean.1", "agent-poker")
#: The street by the number of board cards.
STREET_OF = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}
#: The fields of a line of `actions`.
LINE = ("seat", "action", "amount", "street")


@dataclass
class _Seat:
    """A player of the hand. Chips: `stack` behind, `bet` on this street."""

    seat: int
    name: str
    stack: int
    bet: int
    folded: bool = False


class LeanReader:
    """
    Turns lean frames into full ones, so that the player handles one protocol. Lean frames leave out everything that
    follows from the rest. It is computed here: stacks, bets and the pot after each action. Other frames pass.
    """

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        """Lean frames have no time. They get the time of their arrival by this clock, in seconds since 1970."""
        self._now = now
        self._hand: Frame = {"hand_id": None}
        self._seats: Dict[int, _Seat] = {}
        self._pot, self._street = 0, "preflop"
        #: The known actions of the hand, and the number of the frame with the last of them.
        self._lines: List[Frame] = []
        self._seq = 0
        self._on: Dict[str, Callable[[Frame], Sequence[Frame]]] = {
            "hand": self._begin,
            "turn": self._turn,
            "result": self._result,
            "ack": lambda ack: [{**ack, "type": "action_ack", "status": "accepted"}],
            "resync_response": lambda answer: [self._renumbered(answer)],
        }

    def read(self, frame: Frame) -> Sequence[Frame]:
        """The frames that a full socket reads in its place."""
        handler = self._on.get(frame["type"])
        return [frame] if handler is None else handler(frame)

    # ---- lean frames

    def _begin(self, hand: Frame) -> Sequence[Frame]:
        if hand["hand_id"] == self._hand["hand_id"]:
            return []  # The hand was sent again to a new socket. Its known actions and its open turn hold.
        self._hand = hand
        return _numbered(hand["table_seq"], self._deal())

    def _turn(self, turn: Frame) -> Sequence[Frame]:
        events = self._catch_up(turn)
        self._open(STREET_OF.get(len(turn["board"]), self._street))
        told = ("valid_actions", "pot", "turn_token", "deadline_ms", "time_bank_ms")
        asked = {"seat": self._hand["seat"], **{key: turn[key] for key in told if key in turn}}
        return _numbered(turn["table_seq"], [*events, self._state(turn["board"]), self._event("your_turn", **asked)])

    def _result(self, result: Frame) -> Sequence[Frame]:
        events = self._catch_up(result)
        told = {key: result[key] for key in ("final_stacks", "shown_cards")}
        return _numbered(result["table_seq"], [*events, self._event("hand_result", **told)])

    def _catch_up(self, frame: Frame) -> List[Frame]:
        """The new actions. A new socket gets all actions of the hand again."""
        first, lines = frame["first"], [_line(action) for action in frame["actions"]]
        if frame["hand_id"] != self._hand["hand_id"] or first > len(self._lines):
            raise ValueError(f"actions of hand {frame['hand_id']} are missing")
        known = self._lines[first:]
        if known == lines[: len(known)]:
            events = [self._play(line) for line in lines[len(known) :]]
        else:
            lines = [*self._lines[:first], *lines]
            events = [*self._deal(), *(self._play(line) for line in lines)]
        self._seq = frame["table_seq"]
        return events

    def _renumbered(self, answer: Frame) -> Frame:
        """
        A resync has the hand's actions as full frames. They get the numbers that they have, or would have, as lean
        frames.
        """
        hand_id = self._hand["hand_id"]
        if hand_id is None or answer["snapshot"]["hand_id"] != hand_id:
            return answer
        events = answer["replayed_events"]
        told = [event for event in events if event["type"] == "player_action" and event["hand_id"] == hand_id]
        number = len(self._lines) - sum(event["table_seq"] <= self._seq for event in told)
        for event in told:
            if event["table_seq"] > self._seq:
                self._play(_line(event))
                self._seq = event["table_seq"]
        numbers = {event["table_seq"]: number + i for i, event in enumerate(told, 1)}
        replayed = [{**event, "hand_seq": numbers.get(event["table_seq"], event["hand_seq"])} for event in events]
        return {**answer, "replayed_events": replayed}

    # ---- what follows

    def _deal(self) -> List[Frame]:
        hand = self._hand
        self._seats = {each["seat"]: _Seat(*(each[key] for key in ("seat", "name", "stack", "bet"))) for each in hand["players"]}
        self._pot, self._street = sum(seat.bet for seat in self._seats.values()), "preflop"
        self._lines, self._seq = [], 0
        told = {key: hand[key] for key in ("seat", "dealer_seat", "blinds")}
        return [
            self._event("hand_start", **told),
            self._event("hole_cards", cards=hand["hole_cards"]),
            self._state(()),
        ]

    def _play(self, line: Frame) -> Frame:
        seat, amount = self._seats[line["seat"]], line["amount"] or 0
        self._open(line["street"])
        before = seat.stack
        added = amount - seat.bet if line["action"] == "raise" else amount
        seat.stack -= added
        seat.bet += added
        seat.folded = seat.folded or line["action"] == "fold"
        self._pot += added
        self._lines.append(line)
        told = {"name": seat.name, "stack": seat.stack, "pot": self._pot, "contribution_delta": before - seat.stack}
        # Lean frames do not tell why the server acted for somebody.
        return self._event("player_action", **line, **told, reason=None, hand_seq=len(self._lines))

    def _open(self, street: str) -> None:
        """On a later street nobody has bet yet."""
        if STREETS.index(street) > STREETS.index(self._street):
            self._street = street
            for seat in self._seats.values():
                seat.bet = 0

    def _state(self, board: Sequence[str]) -> Frame:
        hand = self._hand
        seats = [{**asdict(seat), "in_hand": True, "status": "active"} for seat in self._seats.values()]
        hero = {"seat": hand["seat"], "hole_cards": hand["hole_cards"]}
        told = {"street": self._street, "board": board, "pot": self._pot, "dealer_seat": hand["dealer_seat"]}
        return self._event("table_state", seats=seats, hero=hero, **told, **hand["blinds"])

    def _event(self, kind: str, **told: Any) -> Frame:
        ids = {key: self._hand[key] for key in ("table_id", "hand_id")}
        return {"type": kind, **ids, "ts": datetime.fromtimestamp(self._now(), timezone.utc).isoformat(), **told}


def _line(action: Frame) -> Frame:
    return {key: action[key] for key in LINE}


def _numbered(seq: int, frames: Sequence[Frame]) -> Sequence[Frame]:
    """
    One frame has become several. The last one has its number, the others have numbers between it and the number below.
    """
    last = len(frames)
    return [{**frame, "table_seq": seq if i == last else seq - 1 + i / last} for i, frame in enumerate(frames, 1)]
