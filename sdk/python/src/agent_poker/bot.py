"""A bot, from its options to its summary."""

from __future__ import annotations

import asyncio
import inspect
import json
import time
import traceback
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Coroutine, Dict, Mapping, Optional, Set

from ._account import key_of, turn_seconds_of
from ._lean import LEAN_PROTOCOLS, LeanReader
from ._player import Player
from ._port import warn
from ._worker import Worker
from .connection import FINAL_CODES, Connection, ConnectionChange
from .errors import thrown_text
from .fair import Deals
from .hand import Hand
from .log import Log, LogRecord, note_warning, to_stderr
from .options import Options
from .selfplay import run_stdio, stdio_asked


@dataclass(frozen=True)
class Summary:
    """The summary of a run."""

    #: Hands that the bot was dealt in.
    hands: int
    #: The stack after the last hand; None before the first.
    chips: Optional[int]
    #: "hands", "left", "busted", "competition_ended", "stopped", or by a close code: "refused" (4001), "taken_over"
    #: (4002), "token_expired" (4003), "other_scope" (4009).
    reason: str
    close_code: Optional[int] = None


class Bot:
    """One bot, one run: `await Bot(Options(decide=…)).run()`. Cancel the task to stop it; its seat is held."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self.log = Log(self._write_log)
        self._print = to_stderr(lambda: self.name)
        self._player: Optional[Player] = None
        self._connection: Optional[Connection] = None
        self._deals = Deals() if options.nonces else None
        self._lean = LeanReader() if options.lean else None
        self._timers: Dict[str, asyncio.TimerHandle] = {}
        self._tasks: Set[asyncio.Task[None]] = set()
        self._thought: Optional[asyncio.Task[None]] = None
        self._worker = Worker()
        #: Done, with a result or an error, when the run is over.
        self._over: Optional[asyncio.Future[None]] = None

    @property
    def name(self) -> str:
        """The bot's name, as the server has it once connected."""
        return (self._player and self._player.name) or self._options.name or "bot"

    @property
    def summary(self) -> Summary:
        """The summary so far."""
        player = self._player
        if player is None:
            return Summary(0, None, "stopped")
        return Summary(player.tally.hands, player.tally.chips, player.reason or "stopped")

    def leave(self) -> None:
        """Gives the seat up at the end of the hand. Then `run` returns."""
        if self._player is not None:
            self._do(self._player.leave)

    async def run(self) -> Summary:
        """Plays until its end; with `--stdio` a match in memory. Raises KitError if it cannot go on."""
        options = self._options
        if stdio_asked():
            played = await asyncio.to_thread(run_stdio, options.decide)
            return Summary(played.hands, None, "stopped")
        self._over = asyncio.get_running_loop().create_future()
        try:
            key = None if options.bot_token is not None else await key_of(options, self.log)
            self.log.hide("key", key or "")
            self._player = self._new_player(await turn_seconds_of(options, key, self.log))
            self._connection = self._new_connection(key)
            line = asyncio.ensure_future(self._connection.run())
            try:
                await asyncio.wait((line, self._over), return_when=asyncio.FIRST_COMPLETED)
                return self._summed_up(line)
            finally:
                self._connection.stop()
                line.cancel()
                await asyncio.gather(line, return_exceptions=True)
        finally:
            await self._clean_up()

    def _summed_up(self, line: asyncio.Task[int]) -> Summary:
        if self._over is not None and self._over.done():
            self._over.result()
            return self.summary
        code = line.result()
        summary = self.summary
        return Summary(summary.hands, summary.chips, FINAL_CODES[code], code)

    async def _clean_up(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self.stop_thinking()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._worker.stop()

    def _new_player(self, clock: Optional[float]) -> Player:
        options = self._options
        return Player(
            self,
            buy_in=options.buy_in,
            version=options.version,
            rebuy=options.rebuy,
            hands=options.hands,
            reserve=None if options.deadline is None else options.deadline / 1000,
            turn_seconds=clock,
            in_competition=options.competition_id is not None,
        )

    def _new_connection(self, key: Optional[str]) -> Connection:
        token = self._options.bot_token

        async def credential() -> str:
            told = key or (token() if callable(token) else token) or ""
            secret = told if isinstance(told, str) else await told
            self.log.hide("key" if key else "token", secret)
            return secret

        offered = LEAN_PROTOCOLS if self._options.lean else ()
        return Connection(self._options.socket_url, credential, callable(token), self._read_text, self._changed, offered)

    # ---- what comes in

    def _do(self, work: Callable[..., None], *about: Any) -> None:
        """Runs one step. A fault of the kit ends the run."""
        over, player = self._over, self._player
        if over is None or over.done() or player is None:
            return
        try:
            work(*about)
        except Exception as error:
            over.set_exception(error)
            return
        if player.reason is not None:
            over.set_result(None)

    def _read_text(self, text: str) -> None:
        self._do(self._read, text)

    def _read(self, text: str) -> None:
        assert self._player is not None and self._connection is not None
        try:
            frame = json.loads(text)
            if frame["type"] == "connected":
                self._connection.welcomed()
                self._player.name = frame["name"]
                self.log("info", "connected", f"connected to {self._options.socket_url}")
            self.tell(frame["type"], frame)
            if self._deals is not None:
                self._follow_deals(self._deals, frame)
            for each in [frame] if self._lean is None else self._lean.read(frame):
                self._player.read(each)
        except (KeyError, TypeError, ValueError, AttributeError, StopIteration) as error:
            # A later server may send frames that this kit does not understand. The bot keeps its seat.
            about = {"error": error, "trace": traceback.format_exc(), "frame": text[:500]}
            warn(self, "frame", f"a frame that the kit cannot read: {error!r}", **about)

    def _follow_deals(self, deals: Deals, frame: Mapping[str, Any]) -> None:
        assert self._player is not None
        replayed = [*frame["replayed_events"], frame["snapshot"]] if frame["type"] == "resync_response" else None
        if replayed is None and self._player.is_resyncing and frame["type"] != "deal_nonce_ack":
            return  # it comes again with the resync
        for event in [frame] if replayed is None else replayed:
            message, verified = deals.read(event)
            if message is not None and (replayed is None or event["hand_id"] == frame["snapshot"]["hand_id"]):
                self.send(message)
            if verified is not None:
                self.tell("verified", verified)
                if verified.faults:
                    about = {"hand_id": verified.hand_id, "faults": verified.faults}
                    warn(self, "unfair", f"hand {verified.hand_id}: {'; '.join(verified.faults)}", **about)

    def _changed(self, change: ConnectionChange) -> None:
        self.tell("connection", change)
        if change.state != "open":
            code = "" if change.code is None else f" with {change.code}"
            again = "" if change.retry_in_ms is None else f"; again in {change.retry_in_ms / 1000:.1f} s"
            text = f"connection {change.state}{code}{f' ({change.text})' if change.text else ''}{again}"
            self.log("warn", "connection", text, state=change.state, code=change.code)
            assert self._player is not None
            self._do(self._player.disconnected)

    # ---- the player's port

    def send(self, message: Mapping[str, Any]) -> bool:
        if self._deals is not None:
            self._deals.sent(message)
        return self._connection is not None and self._connection.send(message)

    def later(self, name: str, seconds: float) -> None:
        self.cancel(name)
        assert self._player is not None
        loop = asyncio.get_running_loop()
        self._timers[name] = loop.call_later(seconds, self._do, self._player.ring, name)

    def cancel(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()

    def think(self, token: str, hand: Hand) -> None:
        self.stop_thinking()
        self._thought = self._task(self._think(token, hand))

    def stop_thinking(self) -> None:
        thought, self._thought = self._thought, None
        if thought is not None:
            thought.cancel()

    def ask_rebuy(self, offer: Mapping[str, Any]) -> None:
        self._task(self._ask_rebuy(offer))

    def tell(self, event: str, about: Any) -> None:
        if event == "warning":
            note_warning(about["kind"], self.log.clean(about["text"]))
        handler = self._options.on.get(event)
        if handler is None:
            return
        try:
            done = handler(about)
        except Exception as error:
            self._hook_failed(event, error)
        else:
            if inspect.isawaitable(done):
                self._task(self._finish_hook(event, done))

    def slow_down(self) -> None:
        if self._connection is not None:
            self._connection.slow_down()

    def now(self) -> float:
        return time.time()

    # ---- what the author wrote

    async def _think(self, token: str, hand: Hand) -> None:
        assert self._player is not None
        try:
            answer = await self._decide(hand)
        except asyncio.CancelledError as error:
            if asyncio.current_task() is not self._thought:
                raise
            self._do(self._player.decided, token, None, error)
        except Exception as error:
            self._do(self._player.decided, token, None, error)
        else:
            self._do(self._player.decided, token, answer)

    async def _decide(self, hand: Hand) -> Any:
        decide = self._options.decide
        if inspect.iscoroutinefunction(decide):
            return await decide(hand)
        answer = await self._worker.ask(decide, hand)
        return await answer if inspect.isawaitable(answer) else answer

    async def _ask_rebuy(self, offer: Mapping[str, Any]) -> None:
        assert self._player is not None and callable(self._options.rebuy)
        try:
            wanted = self._options.rebuy(offer)
            wanted = await wanted if inspect.isawaitable(wanted) else wanted
        except Exception as error:
            self._hook_failed("rebuy", error)
            wanted = False
        self._do(self._player.rebuy_decided, bool(wanted))

    async def _finish_hook(self, event: str, done: Awaitable[None]) -> None:
        try:
            await done
        except Exception as error:
            self._hook_failed(event, error)

    def _hook_failed(self, event: str, error: Exception) -> None:
        text = f"the handler of {event} threw {thrown_text(error)}"
        trace = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        record = LogRecord("error", "hook", text, {"trace": trace})
        # If the log's own handler fails, stderr is left.
        if event == "log":
            self._print(record)
        else:
            self._write_log(record)

    def _write_log(self, record: LogRecord) -> None:
        if "log" in self._options.on:
            self.tell("log", record)
        else:
            self._print(record)

    def _task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
