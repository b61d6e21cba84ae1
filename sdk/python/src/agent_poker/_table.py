"""The table's state from its frames. A turn makes a Hand of it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

from .hand import STREETS, Hand, PlayedAction, Player, position_of, pots_of

Frame = Mapping[str, Any]
#: Frames that a turn may follow at once.
MOVES = ("hand_start", "player_action", "community_cards")


class Table:
    """One stay at a table. A frame with a number that does not rise has no news."""

    def __init__(self, table_id: str, seat: int) -> None:
        self.table_id = table_id
        self.seat = seat
        #: The highest table_seq so far. A resync asks from it.
        self.last_seq = 0
        self.hand_id: Optional[str] = None
        self._state: Optional[Frame] = None
        self._hole: Tuple[str, ...] = ()
        self._actions: List[Frame] = []
        #: Blinds by seat, if known.
        self._posted: Dict[int, int] = {}
        #: The time of the hand's last event, by the server's clock.
        self._moved: Optional[datetime] = None
        #: Whether all actions of the hand are known.
        self._whole = False

    def is_news(self, frame: Frame) -> bool:
        """Notes the number of a frame of this table. False if it does not rise."""
        seq = frame.get("table_seq") or 0
        if seq <= self.last_seq:
            return False
        self.last_seq = seq
        return True

    def tell(self, frame: Frame) -> None:
        """Reads a frame of this table."""
        kind = frame["type"]
        if kind in MOVES:
            self._moved = datetime.fromisoformat(frame["ts"])
        if kind == "hand_start":
            self._begin(frame["hand_id"], whole=True)
            self._post(frame)
        elif kind == "hole_cards":
            self._hole = tuple(frame["cards"])
        elif kind == "player_action":
            self._add(frame)
        elif kind == "table_state":
            self._look(frame)
        elif kind == "resync_response":
            self._catch_up(frame)

    def lost(self) -> None:
        """The connection is gone. Frames may be missing until a resync."""
        self._whole = False

    def shows(self, hand_id: str) -> bool:
        """Whether a state of this hand was read."""
        return self._state is not None and self._state["hand_id"] == hand_id

    def open_for(self, snapshot: Frame) -> float:
        """
        How long the turn of a resync's snapshot has been open: seconds since the hand's last event, by the server's
        clock.
        """
        if self._moved is None:
            return 0.0
        return max(0.0, (datetime.fromisoformat(snapshot["ts"]) - self._moved).total_seconds())

    def hand(self, turn: Frame, deadline: float) -> Hand:
        """The hand in this turn: of `your_turn`, or of a resync's snapshot and its hero."""
        state = self._state
        assert state is not None and self.shows(turn["hand_id"])
        offers: Dict[str, Frame] = {offer["action"]: offer for offer in turn["valid_actions"]}
        players = tuple(_players(state))
        own = next(player for player in players if player.seat == self.seat)
        dealt_in = [entry["seat"] for entry in state["seats"] if entry.get("in_hand")]
        folded = [player.seat for player in players if player.folded]
        raise_offer = offers.get("raise", {})
        return Hand(
            hand_id=turn["hand_id"],
            table_id=self.table_id,
            seat=self.seat,
            street=state["street"],
            hole=self._hole,
            board=tuple(state["board"]),
            pot=state["pot"],
            pots=pots_of(self._contributions(), folded),
            to_call=offers.get("call", {}).get("amount") or 0,
            stack=own.stack,
            bet=own.bet,
            button=state["dealer_seat"],
            position=position_of(self.seat, state["dealer_seat"], dealt_in),
            small_blind=state["small_blind"],
            big_blind=state["big_blind"],
            players=players,
            can_check="check" in offers,
            can_call="call" in offers,
            can_raise="raise" in offers,
            can_fold="fold" in offers,
            can_all_in="all_in" in offers,
            min_raise=raise_offer.get("min") or 0,
            max_raise=raise_offer.get("max") or 0,
            history=self._history(),
            deadline=deadline,
            time_bank_ms=turn.get("time_bank_ms"),
        )

    # ---- what frames change

    def _begin(self, hand_id: str, whole: bool) -> None:
        self.hand_id, self._whole = hand_id, whole
        self._hole, self._actions, self._posted = (), [], {}

    def _post(self, start: Frame) -> None:
        """A hand_start made of lean frames has no posts. The next state has them."""
        self._posted = {}
        for post in start.get("posts", ()):
            self._posted[post["seat"]] = self._posted.get(post["seat"], 0) + post["amount"]

    def _look(self, state: Frame) -> None:
        hand_id = state.get("hand_id")
        if hand_id is not None and hand_id != self.hand_id:
            self._begin(hand_id, whole=False)
        self._state = state
        self._hole = tuple(state.get("hero", {}).get("hole_cards", self._hole))
        if state["street"] == "preflop" and self._whole and not self._posted:
            put_in = _sums(self._actions)
            self._posted = {
                entry["seat"]: entry["bet"] - put_in.get(entry["seat"], 0)
                for entry in state["seats"]
                if entry.get("in_hand")
            }

    def _add(self, action: Frame) -> None:
        known = any(other["hand_seq"] == action["hand_seq"] for other in self._actions)
        if action["hand_id"] == self.hand_id and not known:
            self._actions.append(action)

    def _catch_up(self, answer: Frame) -> None:
        """Reads the hand's missed frames and its present state, after a time without a connection."""
        snapshot = answer["snapshot"]
        hand_id = snapshot["hand_id"]
        if hand_id is not None and hand_id != self.hand_id:
            self._begin(hand_id, whole=True)
        for event in answer["replayed_events"]:
            if event["type"] in MOVES:
                self._moved = datetime.fromisoformat(event["ts"])
            if event["type"] == "hand_start" and event["hand_id"] == hand_id:
                self._post(event)
            if event["type"] == "player_action" and event["hand_id"] == hand_id:
                self._add(event)
        self._actions.sort(key=lambda action: int(action["hand_seq"]))
        self._whole = True
        self._look(snapshot)
        if not self._posted:
            self._posted = _blinds(snapshot, self._actions)

    # ---- what a hand is made of

    def _contributions(self) -> Dict[int, int]:
        if not self._posted:
            return {}
        put_in = _sums(self._actions)
        for seat, chips in self._posted.items():
            put_in[seat] = put_in.get(seat, 0) + chips
        return put_in

    def _history(self) -> Dict[str, Tuple[PlayedAction, ...]]:
        return {
            street: tuple(_played(action) for action in self._actions if action["street"] == street)
            for street in STREETS
        }


def _players(state: Frame) -> Iterable[Player]:
    for entry in state["seats"]:
        if entry["name"] is not None:
            folded = bool(entry.get("folded"))
            yield Player(
                seat=entry["seat"],
                name=entry["name"],
                stack=entry["stack"],
                bet=entry["bet"],
                status=entry["status"],
                in_hand=bool(entry["in_hand"]) and not folded,
                folded=folded,
            )


def _played(action: Frame) -> PlayedAction:
    return PlayedAction(**{key: action[key] for key in PlayedAction.__dataclass_fields__})


def _sums(actions: Iterable[Frame]) -> Dict[int, int]:
    """The chips of each seat's actions, without blinds."""
    sums: Dict[int, int] = {}
    for action in actions:
        sums[action["seat"]] = sums.get(action["seat"], 0) + action["contribution_delta"]
    return sums


def _blinds(state: Frame, actions: List[Frame]) -> Dict[int, int]:
    """
    The blinds of a hand without its beginning, by the places behind the button. A short post is the part that the pot
    lacks, from the blind without chips.
    """
    button = state["dealer_seat"]
    dealt_in = [entry["seat"] for entry in state["seats"] if entry.get("in_hand")]
    order = sorted(dealt_in, key=lambda seat: int(seat - button - 1) % 64)
    if len(order) < 2:
        return {}
    small, big = (order[1], order[0]) if len(order) == 2 else (order[0], order[1])
    posted = {**dict.fromkeys(dealt_in, 0), small: state["small_blind"], big: state["big_blind"]}
    excess = sum(posted.values()) + sum(_sums(actions).values()) - state["pot"]
    stacks = {entry["seat"]: entry["stack"] for entry in state["seats"]}
    for seat in (big, small):
        if excess > 0 and stacks[seat] == 0:
            short = min(excess, posted[seat] - 1)
            posted[seat] -= short
            excess -= short
    return posted
