"""Hands from the lines of a match in memory (docs/guides/training.md, "Any language")."""

from __future__ import annotations

import math
import threading
from typing import Any, Callable, Dict, List, Mapping, Sequence, Tuple

from .hand import STREETS, Hand, PlayedAction, Player, Pot, position_of, pots_of

#: The version of the lines that this kit speaks.
LINES_VERSION = 1


class LineHand(Hand):
    """
    A hand of a line. Costly fields are computed at the first access, from the state of the line, so that a trivial bot
    is fast.
    """

    #: The table, its names by seat, its actions, the number of known actions, and stacks and bets by seat.
    _made: "_Made"

    def __getattr__(self, name: str) -> Any:
        maker = _LATER.get(name)
        if maker is None:
            raise AttributeError(name)
        value = self.__dict__[name] = maker(self.__dict__["_made"])
        return value


class LineTable:
    """One table of a match. It keeps the hand's facts from earlier lines."""

    def __init__(self, table_id: str, stack: int, blinds: Sequence[int]) -> None:
        """`stack`: each player's chips at the beginning of a hand."""
        self.table_id = table_id
        self.start_stack = stack
        self.names: Sequence[str] = ()
        self.actions: List[PlayedAction] = []
        self._blinds = {"small_blind": blinds[0], "big_blind": blinds[1]}
        #: Fields that are fixed for the whole hand.
        self._fixed: Dict[str, Any] = {}

    def hand(self, told: Mapping[str, Any]) -> Hand:
        """The hand of a line's `hand`."""
        if "hand_id" in told:
            self._begin(told)
        names, actions = self.names, self.actions
        for each in told["actions"]:
            action = object.__new__(PlayedAction)
            action.__dict__.update(each, name=names[each["seat"]], reason=None)
            actions.append(action)
        can, stacks, bets = told["can"], told["stacks"], told["bets"]
        seat: int = self._fixed["seat"]
        hand = object.__new__(LineHand)
        hand.__dict__.update(
            self._fixed,
            street=told["street"],
            board=tuple(told["board"]),
            pot=told["pot"],
            to_call=told["to_call"],
            stack=stacks[seat],
            bet=bets[seat],
            can_check="check" in can,
            can_call="call" in can,
            can_raise="raise" in can,
            can_fold="fold" in can,
            can_all_in="all_in" in can,
            min_raise=told["min_raise"],
            max_raise=told["max_raise"],
            _made=(self, names, actions, len(actions), stacks, bets),
        )
        return hand

    def _begin(self, told: Mapping[str, Any]) -> None:
        self.names, self.actions = told["names"], []
        seat, button = told["seat"], told["button"]
        self._fixed = {
            "hand_id": told["hand_id"],
            "table_id": self.table_id,
            "seat": seat,
            "hole": tuple(told["hole"]),
            "button": button,
            "position": position_of(seat, button, range(len(self.names))),
            # A match in memory has no clock.
            "deadline": math.inf,
            "time_bank_ms": None,
            **self._blinds,
        }


_Made = Tuple[LineTable, Sequence[str], List[PlayedAction], int, Sequence[int], Sequence[int]]


def _folded(actions: Sequence[PlayedAction]) -> List[int]:
    return [action.seat for action in actions if action.action == "fold"]


def _players(made: _Made) -> Tuple[Player, ...]:
    _, names, actions, count, stacks, bets = made
    folded = _folded(actions[:count])
    return tuple(
        Player(
            seat=seat,
            name=name,
            stack=stacks[seat],
            bet=bets[seat],
            status="active",
            in_hand=seat not in folded,
            folded=seat in folded,
        )
        for seat, name in enumerate(names)
    )


def _pots(made: _Made) -> Tuple[Pot, ...]:
    table, _, actions, count, stacks, _ = made
    put_in = {seat: table.start_stack - stack for seat, stack in enumerate(stacks)}
    return pots_of(put_in, _folded(actions[:count]))


def _history(made: _Made) -> Dict[str, Tuple[PlayedAction, ...]]:
    _, _, actions, count, _, _ = made
    return {street: tuple(each for each in actions[:count] if each.street == street) for street in STREETS}


_LATER: Dict[str, Callable[[_Made], Any]] = {
    "players": _players,
    "pots": _pots,
    "history": _history,
    "_cancelled": lambda _: threading.Event(),
}
