"""The options of a bot. Only `decide` is required."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass, field
from typing import Any, Awaitable, Callable, Mapping, Optional, Union
from urllib.parse import quote

from ._rebuys import RebuyPolicy
from .errors import KitError
from .hand import Hand

#: Returns the result of a helper of the hand, `{"action": …, "amount": …}`, or a mix: `{"mix": [{"action": …, "p": …}, …]}`.
#: It may return an awaitable of one.
Decide = Callable[[Hand], Any]
Hook = Callable[[Any], Union[None, Awaitable[None]]]

LOCAL = "http://127.0.0.1:8080"


@dataclass(frozen=True)
class Options:
    """The arguments of `play_bot` and `run_bot`, by name."""

    decide: Decide
    #: The platform's URL. Default: the environment's BASE_URL, else a platform on this machine.
    url: Optional[str] = None
    #: The socket's URL. Default: made of `url`, or the environment's WS_URL beside BASE_URL.
    ws_url: Optional[str] = None
    #: The name to register without a key. Default: the environment's NAME, else a random name.
    name: Optional[str] = None
    #: The address to register with.
    email: Optional[str] = None
    #: The key. Default: the environment's API_KEY, else the content of `key_file`, else the bot registers.
    api_key: Optional[str] = None
    #: The file that keeps the key of a registration for the next time.
    key_file: Optional[Union[str, "os.PathLike[str]"]] = None
    #: Opens the socket in place of the key (docs/reference/rest.md, "Bots"). A function is called for a new token
    #: before each connection. A plain token ends the bot when it runs out.
    bot_token: Union[str, Callable[[], Union[str, Awaitable[str]]], None] = None
    #: The competition to play, in place of the season.
    competition_id: Optional[str] = None
    #: Chips to take to a table; by default what the server takes.
    buy_in: Optional[int] = None
    #: The version of the bot: 1 to 32 letters, digits, `.`, `_` and `-`. Its owner sees the ratings of each one.
    version: Optional[str] = None
    #: "auto", "never", or a function of the offer that says whether to.
    rebuy: RebuyPolicy = "auto"
    #: Leaves after so many hands.
    hands: Optional[int] = None
    #: Milliseconds of a turn's clock that are reserved: 2000, or a fifth of a clock below ten seconds.
    deadline: Optional[float] = None
    #: The server's seconds for a turn, if not the usual ones.
    timeout_seconds: Optional[float] = None
    #: Takes part in the shuffle of each deck, and checks each hand afterwards.
    nonces: bool = False
    #: Fewer and shorter frames (protocol.md, "Lean"), for fast bots. `decide` sees the same hand, except disconnects
    #: and the reasons of the server's actions. Hooks get `hand`, `turn`, `ack` and `result`. Not with `nonces`.
    lean: bool = False
    #: Handlers by the name of a server message, or decision, connection, verified, warning, log.
    on: Mapping[str, Hook] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.lean and self.nonces:
            raise KitError("lean frames have nothing of fair deals: give lean or nonces")

    @property
    def base_url(self) -> str:
        """The platform's URL without a slash at its end."""
        return (self.url or os.environ.get("BASE_URL") or LOCAL).rstrip("/")

    @property
    def socket_url(self) -> str:
        """The socket's URL, with the competition if there is one."""
        told = self.ws_url or (os.environ.get("WS_URL") if self.url is None else None)
        url = told or self.base_url.replace("http", "ws", 1) + "/ws"
        if self.competition_id is None:
            return url
        return f"{url}{'&' if '?' in url else '?'}competition_id={quote(self.competition_id, safe='')}"

    def new_name(self) -> str:
        """The name to register."""
        return self.name or os.environ.get("NAME") or f"bot_{secrets.token_hex(4)}"
