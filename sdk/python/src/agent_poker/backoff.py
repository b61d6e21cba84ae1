"""Pauses between attempts."""

from __future__ import annotations

import random
from typing import Callable, Optional

#: Seconds.
FIRST, LONGEST = 0.25, 10.0
#: The least pause if the server asked for one without a length.
BUSY = 1.0


class Backoff:
    """
    Full jitter: a random pause up to a bound that doubles. So the bots of a restarted server do not all come at once.
    """

    def __init__(self, chance: Callable[[], float] = random.random) -> None:
        self._chance = chance
        self._bound = FIRST

    def next(self, retry_after: Optional[float] = None, busy: bool = False) -> float:
        """Seconds until the next attempt: not before `retry_after`, and after `busy` at least a second."""
        pause = self._bound * self._chance()
        self._bound = min(2 * self._bound, LONGEST)
        if retry_after is not None:
            return max(retry_after, BUSY) + pause
        return BUSY + pause if busy else pause

    def reset(self) -> None:
        """The connection works again."""
        self._bound = FIRST
