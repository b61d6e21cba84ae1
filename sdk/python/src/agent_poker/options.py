"""What a bot may be told. All of it can be left out but `decide`."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass, field
from typing import Any, Awaitable, Callable, Mapping, Optional, Union
from urllib.parse import quote

from ._rebuys import RebuyPolicy
from .errors import KitError
from .hand import Hand

#: Returns what a helper of the hand made, `{"action": …, "amount": …}`, or a mix: `{"mix": [{"action": …, "p": …}, …]}`;
#: at once, or as an awaitable.
Decide = Callable[[Hand], Any]
Hook = Callable[[Any], Union[None, Awaitable[None]]]

LOCAL = "http://127.0.0.1:8080"


@dataclass(frozen=True)
class Options:
    """Everything that `play_bot` and `run_bot` take, by name."""

    decide: Decide
    #: The platform. Where it is not given: the environment's BASE_URL, else a platform on this machine.
    url: Optional[str] = None
    #: By default made of `url`, or the environment's WS_URL beside BASE_URL.
    ws_url: Optional[str] = None
    #: To register under, where there is no key; the environment's NAME, else a name by chance.
    name: Optional[str] = None
    #: To register with.
    email: Optional[str] = None
    #: Else the environment's API_KEY, else the content of `key_file`, else the bot registers.
    api_key: Optional[str] = None
    #: Where the key of a registration is kept, and found the next time.
    key_file: Optional[Union[str, "os.PathLike[str]"]] = None
    #: Opens the socket in the place of the key (docs/reference/rest.md, "Bots"). A function is asked for a new one before
    #: each connection; without one the end of the token is the end.
    bot_token: Union[str, Callable[[], Union[str, Awaitable[str]]], None] = None
    #: Plays there, not in the season.
    competition_id: Optional[str] = None
    #: Chips to take to a table; by default what the server takes.
    buy_in: Optional[int] = None
    #: "auto", "never", or a function of the offer that says whether to.
    rebuy: RebuyPolicy = "auto"
    #: Leaves after so many.
    hands: Optional[int] = None
    #: Milliseconds of a turn's clock that are kept in reserve: 2000, or a fifth of a clock below ten seconds.
    deadline: Optional[float] = None
    #: The server's clock for a turn, where it is not the usual one.
    timeout_seconds: Optional[float] = None
    #: Takes part in the shuffle of each deck, and checks each hand afterwards.
    nonces: bool = False
    #: Fewer and shorter frames (protocol.md, "Lean"): for bots that want speed. `decide` sees the same hand, but who
    #: disconnected and why the server acted; hooks are told `hand`, `turn`, `ack` and `result`. Not with `nonces`.
    lean: bool = False
    #: A handler by the name of a server message, or of decision, connection, verified, warning, log.
    on: Mapping[str, Hook] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.lean and self.nonces:
            raise KitError("lean frames have nothing of fair deals: give lean or nonces")

    @property
    def base_url(self) -> str:
        """Without a slash at its end."""
        return (self.url or os.environ.get("BASE_URL") or LOCAL).rstrip("/")

    @property
    def socket_url(self) -> str:
        """With the competition, if there is one."""
        told = self.ws_url or (os.environ.get("WS_URL") if self.url is None else None)
        url = told or self.base_url.replace("http", "ws", 1) + "/ws"
        if self.competition_id is None:
            return url
        return f"{url}{'&' if '?' in url else '?'}competition_id={quote(self.competition_id, safe='')}"

    def new_name(self) -> str:
        """To register under."""
        return self.name or os.environ.get("NAME") or f"bot_{secrets.token_hex(4)}"
