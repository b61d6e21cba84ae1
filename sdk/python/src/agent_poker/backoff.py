"""Pauses between attempts."""

from __future__ import annotations

import random
from typing import Callable, Optional

#: Seconds.
FIRST, LONGEST = 0.25, 10.0
#: The least pause where the server asked to be left alone, but not for how long.
BUSY = 1.0


class Backoff:
    """Full jitter: from nothing to a bound that doubles, so that the bots of a restarted server do not come at once."""

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
        """It works again."""
        self._bound = FIRST
