"""`run_bot` and `play_bot` take the fields of `Options` by name."""

from __future__ import annotations

import asyncio
from typing import Any, Callable, Coroutine, ParamSpec

from .bot import Bot, Summary
from .options import Options
from .selfplay import run_stdio, stdio_asked

P = ParamSpec("P")


def _runs(options: Callable[P, Options]) -> Callable[P, Coroutine[Any, Any, Summary]]:
    async def run_bot(*args: P.args, **kwargs: P.kwargs) -> Summary:
        """Plays until it is cancelled. Takes the fields of `Options`."""
        return await Bot(options(*args, **kwargs)).run()

    return run_bot


def _plays(options: Callable[P, Options]) -> Callable[P, Summary]:
    def play_bot(*args: P.args, **kwargs: P.kwargs) -> Summary:
        """
        Plays until the bot ends or Ctrl-C, in a program that does nothing else. Takes the fields of `Options`. With
        `--stdio` the program plays a match in memory for the engine that started it.
        """
        told = options(*args, **kwargs)
        if stdio_asked():
            played = run_stdio(told.decide)
            return Summary(played.hands, None, "stopped")
        bot = Bot(told)
        try:
            return asyncio.run(bot.run())
        except KeyboardInterrupt:
            return bot.summary

    return play_bot


run_bot = _runs(Options)
play_bot = _plays(Options)
