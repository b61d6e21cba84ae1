"""The one object that `decide` gets: the seat, the hand and the legal actions, in this turn."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .errors import IllegalAction

STREETS = ("preflop", "flop", "turn", "river")
#: Positions by the number of places behind the button, for two to six players.
POSITIONS: Mapping[int, Tuple[str, ...]] = {
    2: ("button", "big_blind"),
    3: ("button", "small_blind", "big_blind"),
    4: ("button", "small_blind", "big_blind", "cutoff"),
    5: ("button", "small_blind", "big_blind", "hijack", "cutoff"),
    6: ("button", "small_blind", "big_blind", "under_the_gun", "hijack", "cutoff"),
}


@dataclass(frozen=True)
class Action:
    """A bot's action in its turn. `amount` is the raise-to total of the street, for a raise alone."""

    action: str
    amount: Optional[int] = None

    @property
    def fields(self) -> Dict[str, Any]:
        """As a message has them."""
        return {"action": self.action, **({} if self.amount is None else {"amount": self.amount})}


@dataclass(frozen=True)
class Mix:
    """
    A mixed action: 1 to 8 actions with probabilities that sum to 1. The server draws one of them (protocol.md, "Mixed
    actions").
    """

    parts: Tuple[Tuple[Action, float], ...]

    @property
    def message(self) -> Dict[str, Any]:
        """As it stands in the place of an action's name."""
        return {"mix": [{**action.fields, "p": p} for action, p in self.parts]}


@dataclass(frozen=True)
class PlayedAction:
    """A played action. Amounts are as in `player_action`."""

    seat: int
    name: str
    action: str
    #: Chips added for call and all_in, the raise-to total for raise, else None.
    amount: Optional[int]
    street: str
    #: The player's stack and the pot afterwards.
    stack: int
    pot: int
    #: "timeout" or "left" if the server acted for the player.
    reason: Optional[str]


@dataclass(frozen=True)
class Player:
    """A player at the table. `status` is the state of the socket. `in_hand` means dealt in and not folded."""

    seat: int
    name: str
    stack: int
    #: Chips bet on this street.
    bet: int
    status: str
    in_hand: bool
    folded: bool


@dataclass(frozen=True)
class Pot:
    """Chips, and the seats that can win them."""

    amount: int
    seats: Tuple[int, ...]


@dataclass(frozen=True)
class Hand:
    """All amounts are chips. A hand never changes: each turn has its own."""

    hand_id: str
    table_id: str
    seat: int
    street: str
    #: Cards such as "As" and "Td".
    hole: Tuple[str, ...]
    board: Tuple[str, ...]
    #: All bets included, those of this street too.
    pot: int
    #: The main pot first, then side pots.
    pots: Tuple[Pot, ...]
    #: The chips that a call adds; 0 if checking is free. Never more than the own stack.
    to_call: int
    #: The own stack behind, and the own bet on this street.
    stack: int
    bet: int
    #: The seat of the button.
    button: int
    #: The own position: "button", "small_blind", "big_blind", "under_the_gun", "hijack" or "cutoff". None if the table
    #: does not tell it.
    position: Optional[str]
    small_blind: int
    big_blind: int
    #: All players at the table, by seat, the own one included.
    players: Tuple[Player, ...]
    can_check: bool
    can_call: bool
    can_raise: bool
    can_fold: bool
    can_all_in: bool
    #: Raise-to totals of the street; 0 if no raise is offered.
    min_raise: int
    max_raise: int
    #: The actions by street, without blinds.
    history: Mapping[str, Tuple[PlayedAction, ...]]
    #: The time when the kit answers by itself, in milliseconds since 1970.
    deadline: float
    #: The time bank when the turn was sent, in milliseconds. None: this turn has none.
    time_bank_ms: Optional[int] = None
    #: Set when this decision is no longer wanted. A long decision checks `is_cancelled` now and then.
    _cancelled: threading.Event = field(default_factory=threading.Event, repr=False, compare=False)

    @property
    def is_cancelled(self) -> bool:
        """The turn is over, or the kit answered it. A decision is dropped now."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """For the kit: this decision is no longer wanted."""
        self._cancelled.set()

    @property
    def stacks(self) -> Dict[int, int]:
        """Stacks behind, by seat."""
        return {player.seat: player.stack for player in self.players}

    @property
    def highest_bet(self) -> int:
        """On this street."""
        return max((player.bet for player in self.players), default=0)

    @property
    def actions(self) -> List[PlayedAction]:
        """The actions of this hand, in order."""
        return [action for street in STREETS for action in self.history.get(street, ())]

    # ---- what may be done

    def check(self) -> Action:
        """Raises IllegalAction if there is a bet to call."""
        if not self.can_check:
            raise IllegalAction(f"cannot check: {self.to_call} to call")
        return Action("check")

    def call(self) -> Action:
        """Calls, or checks if there is nothing to call."""
        return Action("call") if self.can_call else self.check()

    def fold(self) -> Action:
        """Folds, or checks if checking is free: the server offers no fold then."""
        return Action("check") if self.can_check else Action("fold")

    def all_in(self) -> Action:
        """The whole stack. A call, if all-in is not legal."""
        return Action("all_in") if self.can_all_in else self.call()

    def raise_to(self, total: float) -> Action:
        """
        Raises to a total of the street, moved into the legal range. If no raise is offered, it is an all-in if the
        total asks for one and exceeds a call. Else it is a call or a check.
        """
        if math.isnan(total):
            raise IllegalAction("raise_to was given no number")
        if self.can_raise:
            return Action("raise", rounded(min(max(total, self.min_raise), self.max_raise)))
        if self.can_all_in and total >= self.bet + self.stack and self.stack > self.to_call:
            return Action("all_in")
        return self.call()

    def raise_by(self, chips: float) -> Action:
        """Raises to so much above the highest bet."""
        return self.raise_to(self.highest_bet + chips)

    def raise_pot(self, fraction: float = 1.0) -> Action:
        """Raises by a fraction of the pot as it would be after a call."""
        return self.raise_to(self.highest_bet + rounded(fraction * (self.pot + self.to_call)))

    @property
    def safe(self) -> Action:
        """The kit's own action if it must act by itself: a check, else a fold."""
        return self.fold()


def rounded(chips: float) -> int:
    """Rounds to the nearest whole number, halves up, as in every language."""
    return math.floor(chips + 0.5)


def legal_choice(hand: Hand, answer: Any) -> Union[Action, Mix]:
    """The result of `decide`, an action or a mix, if it is legal. Raises IllegalAction with the reason."""
    if isinstance(answer, Mapping) and "mix" in answer:
        return _legal_mix(hand, answer["mix"])
    if isinstance(answer, Mix):
        return _legal_mix(hand, [{**action.fields, "p": p} for action, p in answer.parts])
    return legal_action(hand, answer)


#: The most parts of a mix; its probabilities sum to 1 but for so much.
MIX_PARTS, MIX_ERROR = 8, 1e-6


def _legal_mix(hand: Hand, parts: Any) -> Mix:
    if not isinstance(parts, (list, tuple)) or not 1 <= len(parts) <= MIX_PARTS:
        raise IllegalAction(f"a mix is a list of 1 to {MIX_PARTS} parts, not {parts!r}")
    mix: List[Tuple[Action, float]] = []
    for part in parts:
        p = part.get("p") if isinstance(part, Mapping) else None
        if isinstance(p, bool) or not isinstance(p, (int, float)) or not p > 0:
            raise IllegalAction(f"each part of a mix needs a probability p above 0: {part!r}")
        mix.append((legal_action(hand, part), float(p)))
    total = sum(p for _, p in mix)
    if abs(total - 1) > MIX_ERROR:
        raise IllegalAction(f"the probabilities of a mix sum to {total}, not to 1")
    return Mix(tuple(mix))


def legal_action(hand: Hand, answer: Any) -> Action:
    """The action, if it is legal. Raises IllegalAction with the reason."""
    action, amount = _read(answer)
    offered = {
        "fold": hand.can_fold,
        "check": hand.can_check,
        "call": hand.can_call,
        "raise": hand.can_raise,
        "all_in": hand.can_all_in,
    }
    if not isinstance(action, str) or action not in offered:
        raise IllegalAction(f"decide returned {answer!r}, which is no action")
    if action == "fold" and hand.can_check:
        return hand.fold()
    if not offered[action]:
        raise IllegalAction(f"{action} is not offered now")
    if action != "raise":
        return Action(action)
    if isinstance(amount, bool) or not isinstance(amount, (int, float)) or not float(amount).is_integer():
        raise IllegalAction(f"a raise needs an amount in whole chips, not {amount!r}")
    if not hand.min_raise <= amount <= hand.max_raise:
        raise IllegalAction(f"raise to {amount}: allowed is {hand.min_raise} to {hand.max_raise}")
    return Action("raise", int(amount))


def _read(answer: Any) -> Tuple[Any, Any]:
    if isinstance(answer, Action):
        return answer.action, answer.amount
    if isinstance(answer, Mapping):
        return answer.get("action"), answer.get("amount")
    return (answer, None) if isinstance(answer, str) else (None, None)


def position_of(seat: int, button: int, dealt_in: Sequence[int]) -> Optional[str]:
    """The name of a seat's place among the dealt-in seats."""
    order = sorted(dealt_in, key=lambda other: (other - button) % 64)
    names = POSITIONS.get(len(order), ())
    return names[order.index(seat)] if seat in order and len(names) == len(order) else None


def pots_of(contributions: Mapping[int, int], folded: Sequence[int]) -> Tuple[Pot, ...]:
    """Main and side pots of the seats' chips. Chips above the last live level belong to the pot below."""
    live = [seat for seat in contributions if seat not in folded and contributions[seat] > 0]
    pots: List[Pot] = []
    below = 0
    for level in sorted({contributions[seat] for seat in live}):
        amount = sum(min(chips, level) - min(chips, below) for chips in contributions.values())
        seats = tuple(sorted(seat for seat in live if contributions[seat] >= level))
        pots.append(Pot(amount, seats))
        below = level
    rest = sum(max(0, chips - below) for chips in contributions.values())
    if pots and rest > 0:
        pots[-1] = Pot(pots[-1].amount + rest, pots[-1].seats)
    return tuple(pots)
