"""Hands and chips so far."""

from __future__ import annotations

from collections import deque
from typing import Any, Deque, Mapping, Optional

#: Hands between two lines of the log.
REPORT = 20


class Tally:
    """Counts each hand of the player once, also if its result comes again."""

    def __init__(self) -> None:
        self.hands = 0
        #: The stack after the last hand; None before the first.
        self.chips: Optional[int] = None
        self._counted: Deque[str] = deque(maxlen=64)

    def count(self, result: Mapping[str, Any], seat: int) -> bool:
        """Counts a `hand_result`. False if it is counted already."""
        stack = result["final_stacks"].get(str(seat))
        if stack is None or result["hand_id"] in self._counted:
            return False
        self._counted.append(result["hand_id"])
        self.hands, self.chips = self.hands + 1, stack
        return True

    @property
    def is_worth_a_line(self) -> bool:
        """Whether a line of the log is due."""
        return self.hands % REPORT == 0
