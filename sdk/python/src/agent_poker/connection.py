"""A socket to the platform that reconnects after every loss."""

from __future__ import annotations

import asyncio
import inspect
import json
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Mapping, Optional, Sequence, Tuple, Union

import websockets
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI, WebSocketException

from .backoff import Backoff
from .errors import KitError

#: Close codes that end the bot, with the reason. Another attempt would fail again, or end the session that replaced
#: ours.
FINAL_CODES = {4001: "refused", 4002: "taken_over", 4003: "token_expired", 4009: "other_scope"}
TOKEN_OVER, FLOODING = 4003, 1008
#: The server asks for a pause: we send too much, it restarts, or we read too slowly.
BUSY_CODES = (FLOODING, 1012, 1013)
#: The code of a connection that ends without a close frame.
NO_CLOSE_FRAME = 1006
#: Seconds between pings and for their pongs, which find a dead connection. Seconds for a handshake, and for a close.
PING, OPEN, CLOSE = 10, 10, 2
#: Seconds between messages while the server says that there are too many.
SLOW, SLOW_FOR = 0.5, 5.0


@dataclass(frozen=True)
class ConnectionChange:
    """`state`: "open", "lost" (the next attempt is in `retry_in_ms`), or "closed" for good."""

    state: str
    url: str
    code: Optional[int] = None
    text: str = ""
    retry_in_ms: Optional[float] = None


class Connection:
    """A connection that lasts until the server ends it for good, or its task is cancelled."""

    def __init__(
        self,
        url: str,
        credential: Callable[[], Union[str, Awaitable[str]]],
        is_renewed: bool,
        on_text: Callable[[str], None],
        on_change: Callable[[ConnectionChange], None],
        subprotocols: Sequence[str] = (),
    ) -> None:
        """
        `credential` is called before each attempt. If it `is_renewed`, 4003 leads to an attempt with a new one. The
        server takes the first of the `subprotocols` that it knows.
        """
        self._url, self._credential, self._is_renewed = url, credential, is_renewed
        self._on_text, self._on_change, self._subprotocols = on_text, on_change, subprotocols
        self._backoff = Backoff()
        self._outbox: Optional[asyncio.Queue[str]] = None
        self._slow_until = 0.0
        self._is_stopped = False

    def send(self, message: Mapping[str, Any]) -> bool:
        """
        Sends a message. False without an open connection. Messages on the way when a connection is lost may not have
        arrived.
        """
        if self._outbox is None:
            return False
        self._outbox.put_nowait(json.dumps(message, separators=(",", ":")))
        return True

    def stop(self) -> None:
        """
        For the canceller of `run`: up to Python 3.12 a handshake that ends at that moment swallows the cancellation.
        """
        self._is_stopped = True

    def welcomed(self) -> None:
        """The connection works. After the next loss the first attempt comes soon."""
        self._backoff.reset()

    def slow_down(self) -> None:
        """The server reports too many messages."""
        self._slow_until = asyncio.get_running_loop().time() + SLOW_FOR

    async def run(self) -> int:
        """Returns the close code that ended it for good. Raises KitError if the server refuses the bot."""
        while True:
            code, text, pause = await self._attempt()
            final = code in FINAL_CODES and not (code == TOKEN_OVER and self._is_renewed)
            if code == FLOODING:
                self.slow_down()
            state = "closed" if final else "lost"
            self._on_change(ConnectionChange(state, self._url, code, text, None if final else 1000 * pause))
            if final:
                assert code is not None
                return code
            await asyncio.sleep(pause)

    async def _attempt(self) -> Tuple[Optional[int], str, float]:
        """Runs one connection to its end. Returns the close code (if any), the reason, and how long to wait."""
        credential = self._credential()
        if not isinstance(credential, str):
            credential = await credential
        try:
            socket = await open_socket(self._url, credential, self._subprotocols)
        except InvalidURI as error:
            raise KitError(str(error)) from error
        except InvalidHandshake as error:
            return None, str(error), self._pause_after(error)
        except (OSError, asyncio.TimeoutError, WebSocketException) as error:
            return None, str(error) or type(error).__name__, self._backoff.next()
        code, text = await self._converse(socket)
        return code, text, self._backoff.next(busy=code in BUSY_CODES)

    def _pause_after(self, error: InvalidHandshake) -> float:
        status, headers = refusal_of(error)
        if status is None or status >= 500 or status in (408, 425):
            return self._backoff.next(retry_after_of(headers), busy=status is not None)
        if status == 429:
            return self._backoff.next(retry_after_of(headers), busy=True)
        raise KitError(f"{self._url} answers {status}: no bot can connect there") from error

    async def _converse(self, socket: Any) -> Tuple[int, str]:
        self._outbox = asyncio.Queue()
        writer = asyncio.ensure_future(self._write(socket, self._outbox))
        self._on_change(ConnectionChange("open", self._url))
        try:
            if self._is_stopped:
                raise asyncio.CancelledError
            async for text in socket:
                self._on_text(text if isinstance(text, str) else text.decode())
        except ConnectionClosed:
            pass  # the close code tells the rest
        finally:
            self._outbox = None
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
            await socket.close()
        return socket.close_code or NO_CLOSE_FRAME, socket.close_reason or ""

    async def _write(self, socket: Any, outbox: asyncio.Queue[str]) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            text = await outbox.get()
            try:
                await socket.send(text)
            except ConnectionClosed:
                return  # the reader sees the loss
            if clock() < self._slow_until:
                await asyncio.sleep(SLOW)


async def open_socket(url: str, credential: str, subprotocols: Sequence[str]) -> Any:
    """A socket of the package `websockets`, version 10 to 15."""
    connect: Any = getattr(websockets, "connect")
    newer = "additional_headers" in inspect.signature(connect).parameters
    headers = {"additional_headers" if newer else "extra_headers": {"Authorization": f"Bearer {credential}"}}
    limits = {"open_timeout": OPEN, "ping_interval": PING, "ping_timeout": PING, "close_timeout": CLOSE}
    offered = {"subprotocols": subprotocols or None, "max_size": None, "compression": None}
    return await connect(url, **offered, **headers, **limits)


def refusal_of(error: InvalidHandshake) -> Tuple[Optional[int], Mapping[str, str]]:
    """Status and headers of a refused upgrade; older versions of the package keep them elsewhere."""
    response: Any = getattr(error, "response", error)
    return getattr(response, "status_code", None), getattr(response, "headers", {})


def retry_after_of(headers: Mapping[str, str]) -> Optional[float]:
    """The header's seconds, or None."""
    text = headers.get("Retry-After", "")
    return float(text) if text.isdigit() else None
