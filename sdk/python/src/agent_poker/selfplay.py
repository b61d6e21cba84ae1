"""
Matches in memory, without a server (docs/guides/training.md). A program that calls `play_bot` is a bot of such a match
if it is started with `--stdio`::

    npx agent-poker selfplay --bots shark,rock --bot "python3 my_bot.py --stdio" --hands 20000

A program that trains starts the match itself::

    from agent_poker.selfplay import play
    report = play(decide, opponents=["shark", "rock"], hands=20000, seed=1)
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import random
import shlex
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, TextIO, Union

from ._lines import LINES_VERSION, LineTable
from .errors import IllegalAction, KitError, thrown_text
from .hand import Action, Hand, Mix, legal_choice
from .log import note_warning
from .options import Decide

#: The engine's command, unless a call or the environment's AGENT_POKER names another.
ENGINE = "npx agent-poker"
#: The number of faults of `decide` that are printed. All are counted.
PRINTED_FAULTS = 10
_ENCODED = {name: f'"action":"{name}"' for name in ("fold", "check", "call", "all_in")}


@dataclass(frozen=True)
class HandResult:
    """A finished hand."""

    hand_id: str
    #: Chips won less lost.
    chips: int


@dataclass(frozen=True)
class StdioSummary:
    """The summary of a match."""

    #: Hands that ended, and chips won less lost in them.
    hands: int
    chips: int
    decisions: int
    #: Decisions with an error or an illegal result of `decide`. The engine checked or folded.
    faults: int


def stdio_asked(args: Optional[Sequence[str]] = None) -> bool:
    """Whether this program was started with `--stdio`, as a bot of a match in memory."""
    return "--stdio" in (sys.argv[1:] if args is None else args)


def run_stdio(decide: Decide, on_result: Optional[Callable[[HandResult], Any]] = None) -> StdioSummary:
    """
    Plays the match of the engine that started this program, over stdin and stdout, until its lines end. The program's
    prints go to stderr from here on. `random` is seeded with the seed of the match.
    """
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as lines:
        os.dup2(2, 1)
        _, summary = _answer(sys.stdin, lines, decide, on_result)
        return summary


def play(
    decide: Decide,
    *,
    opponents: Sequence[str] = ("shark",),
    hands: int = 20_000,
    seed: int = 1,
    stack: int = 100,
    tables: int = 64,
    engine: Union[str, Sequence[str], None] = None,
    on_result: Optional[Callable[[HandResult], Any]] = None,
) -> Dict[str, Any]:
    """
    Plays a match against built-in styles, or paths of JavaScript modules, and returns its report. `bots` has a line of
    each bot, and this one's `bot` is "you". `stack` in big blinds. `engine` is the command, `npx agent-poker` by
    default. Raises KitError if the engine ends without a report.
    """
    options = ["--bot", "-", "--bots", ",".join(opponents), "--hands", hands, "--seed", seed, "--stack", stack]
    with start_engine([*options, "--tables", tables], engine) as child:
        assert child.stdin is not None and child.stdout is not None
        try:
            report, _ = _answer(child.stdout, child.stdin, decide, on_result)
        except BrokenPipeError:
            report = None
        except BaseException:
            child.kill()
            raise
        child.stdin.close()
        code = child.wait()
    if report is None:
        raise KitError(f"the engine ended with exit code {code} and without a report")
    return report


def start_engine(options: Sequence[object], engine: Union[str, Sequence[str], None] = None) -> "subprocess.Popen[str]":
    """Starts `npx agent-poker selfplay` with these options. Its lines are the process's stdin and stdout."""
    command = engine or os.environ.get("AGENT_POKER") or ENGINE
    words = shlex.split(command) if isinstance(command, str) else list(command)
    try:
        return subprocess.Popen(
            [*words, "selfplay", *map(str, options)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
    except FileNotFoundError as error:
        raise KitError(f"{words[0]} is not there: the engine needs Node, and `npx agent-poker`") from error


def _answer(
    source: TextIO, target: TextIO, decide: Decide, on_result: Optional[Callable[[HandResult], Any]]
) -> "tuple[Optional[Dict[str, Any]], StdioSummary]":
    """Answers lines until they end, or the report comes."""
    player = _LinePlayer(decide, on_result)
    try:
        for text in source:
            line = json.loads(text)
            if "report" in line:
                return line["report"], player.summary
            answer = player.read(line)
            if answer is not None:
                target.write(answer)
                target.flush()
        return None, player.summary
    finally:
        player.close()


class _LinePlayer:
    """Reads the lines of the engine, and decides the turns of each line."""

    def __init__(self, decide: Decide, on_result: Optional[Callable[[HandResult], Any]]) -> None:
        self._decide = decide
        self._on_result = on_result
        self._hello: Mapping[str, Any] = {}
        self._tables: Dict[int, LineTable] = {}
        self._hands = self._chips = self._decisions = self._faults = 0
        self._loop: Optional[asyncio.AbstractEventLoop] = None

    @property
    def summary(self) -> StdioSummary:
        """The summary so far."""
        return StdioSummary(self._hands, self._chips, self._decisions, self._faults)

    def read(self, line: Mapping[str, Any]) -> Optional[str]:
        """The answer to a line; None if it wants none."""
        if "hello" in line:
            return self._greet(line["hello"])
        for result in line.get("results", ()):
            self._hands += 1
            self._chips += result["chips"]
            if self._on_result is not None:
                self._on_result(HandResult(result["hand_id"], result["chips"]))
        if "decide" not in line:
            return None
        actions = ",".join([self._turn(turn["t"], turn["hand"]) for turn in line["decide"]])
        return f'{{"n":{line["n"]},"actions":[{actions}]}}\n'

    def close(self) -> None:
        """Ends the player after the last line."""
        if self._loop is not None:
            self._loop.close()

    def _greet(self, hello: Mapping[str, Any]) -> str:
        if hello["version"] != LINES_VERSION:
            raise KitError(f"the engine speaks version {hello['version']} of the lines, this kit {LINES_VERSION}")
        self._hello = hello
        random.seed(hello["seed"])
        return f'{{"hello":{{"version":{LINES_VERSION}}}}}\n'

    def _turn(self, number: int, told: Mapping[str, Any]) -> str:
        table = self._tables.get(number)
        if table is None:
            table = self._tables[number] = LineTable(str(number), self._hello["stack"], self._hello["blinds"])
        hand = table.hand(told)
        self._decisions += 1
        try:
            action = legal_choice(hand, self._decided(hand))
        except IllegalAction as error:
            return self._fault(number, str(error))
        except Exception as error:
            return self._fault(number, f"decide threw {thrown_text(error)}")
        if isinstance(action, Mix):
            return f'{{"t":{number},"action":{json.dumps(action.message)}}}'
        if action.action == "raise":
            return f'{{"t":{number},"action":"raise","amount":{action.amount}}}'
        return f'{{"t":{number},{_ENCODED[action.action]}}}'

    def _decided(self, hand: Hand) -> Any:
        answer = self._decide(hand)
        if type(answer) is Action or not inspect.isawaitable(answer):
            return answer
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
        return self._loop.run_until_complete(_awaited(answer))

    def _fault(self, number: int, text: str) -> str:
        """The engine counts a null, and checks or folds."""
        self._faults += 1
        note_warning("decide", text)
        if self._faults <= PRINTED_FAULTS:
            last = ", and is silent about further ones" if self._faults == PRINTED_FAULTS else ""
            print(f"decide: {text}{last}", file=sys.stderr, flush=True)
        return f'{{"t":{number},"action":null}}'


async def _awaited(answer: Any) -> Any:
    return await answer
