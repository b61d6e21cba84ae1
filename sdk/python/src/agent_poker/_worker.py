"""A thread for plain `decide` functions, so that a slow one delays neither pings nor the clock."""

from __future__ import annotations

import asyncio
import queue
import threading
from typing import Any, Callable, Optional, Tuple

from .hand import Hand

_Job = Tuple["asyncio.Future[Tuple[Any, Optional[BaseException]]]", Callable[[Hand], Any], Hand]


class Worker:
    """Answers one question after the other. The thread ends with the program, also in the middle of a question."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Optional[_Job]] = queue.SimpleQueue()
        self._thread: Optional[threading.Thread] = None

    async def ask(self, decide: Callable[[Hand], Any], hand: Hand) -> Any:
        """Returns the function's result, or raises its error."""
        if self._thread is None:
            loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._run, args=(loop,), name="decide", daemon=True)
            self._thread.start()
        answer: asyncio.Future[Tuple[Any, Optional[BaseException]]] = asyncio.get_running_loop().create_future()
        self._jobs.put((answer, decide, hand))
        value, error = await answer
        if error is not None:
            raise error
        return value

    def stop(self) -> None:
        """The thread ends after its present question."""
        self._jobs.put(None)

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        for answer, decide, hand in iter(self._jobs.get, None):
            if hand.is_cancelled:
                continue  # the asker has gone
            try:
                result: Tuple[Any, Optional[BaseException]] = (decide(hand), None)
            except BaseException as error:  # noqa: B902 - it is thrown where the answer is awaited
                result = (None, error)
            try:
                loop.call_soon_threadsafe(_settle, answer, result)
            except RuntimeError:
                return  # the bot and its loop have ended


def _settle(answer: asyncio.Future[Any], result: Any) -> None:
    if not answer.done():
        answer.set_result(result)
