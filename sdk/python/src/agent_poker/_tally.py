"""Hands and chips so far."""

from __future__ import annotations

from collections import deque
from typing import Any, Deque, Mapping, Optional

#: Hands between two lines of the log.
REPORT = 20


class Tally:
    """Counts each hand once in which the player was dealt in, however often its result is told."""

    def __init__(self) -> None:
        self.hands = 0
        #: The stack after the last of them; None before the first.
        self.chips: Optional[int] = None
        self._counted: Deque[str] = deque(maxlen=64)

    def count(self, result: Mapping[str, Any], seat: int) -> bool:
        """A `hand_result`. False where it counts nothing new."""
        stack = result["final_stacks"].get(str(seat))
        if stack is None or result["hand_id"] in self._counted:
            return False
        self._counted.append(result["hand_id"])
        self.hands, self.chips = self.hands + 1, stack
        return True

    @property
    def is_worth_a_line(self) -> bool:
        """For people who watch."""
        return self.hands % REPORT == 0
