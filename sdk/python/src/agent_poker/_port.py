"""What a player needs done by somebody who has sockets, clocks and tasks."""

from __future__ import annotations

from typing import Any, Mapping, Protocol

from .hand import Hand


class Port(Protocol):
    """Timers have names: a new one replaces the one of its name."""

    def send(self, message: Mapping[str, Any]) -> bool:
        """False where there is no open connection."""

    def later(self, name: str, seconds: float) -> None:
        """Rings the timer then."""

    def cancel(self, name: str) -> None:
        """The timer does not ring."""

    def think(self, token: str, hand: Hand) -> None:
        """Has `decide` asked; its answer comes back by `decided`."""

    def stop_thinking(self) -> None:
        """The answer to the last question is no longer wanted."""

    def ask_rebuy(self, offer: Mapping[str, Any]) -> None:
        """Has the rebuy function asked; its answer comes back by `rebuy_decided`."""

    def tell(self, event: str, about: Mapping[str, Any]) -> None:
        """Calls the hook of this name."""

    def log(self, level: str, event: str, text: str, **fields: Any) -> None:
        """Notes what happened."""

    def slow_down(self) -> None:
        """Sends less for a while."""

    def now(self) -> float:
        """Seconds since 1970."""


def warn(port: Port, kind: str, text: str, **about: Any) -> None:
    """Something that the bot should not do, or that should not happen to it: to the hook `warning`, and to the log."""
    port.tell("warning", {"kind": kind, "text": text, **about})
    port.log("warn", kind, text, **{key: value for key, value in about.items() if key != "error"})
