"""The services that a player needs: sockets, clocks and tasks."""

from __future__ import annotations

from typing import Any, Mapping, Protocol

from .hand import Hand


class Port(Protocol):
    """Timers have names. A new timer replaces the one with the same name."""

    def send(self, message: Mapping[str, Any]) -> bool:
        """Sends a message. False without an open connection."""

    def later(self, name: str, seconds: float) -> None:
        """Rings the timer after so many seconds."""

    def cancel(self, name: str) -> None:
        """Stops the timer."""

    def think(self, token: str, hand: Hand) -> None:
        """Asks `decide`. Its answer comes back by `decided`."""

    def stop_thinking(self) -> None:
        """Cancels the last question."""

    def ask_rebuy(self, offer: Mapping[str, Any]) -> None:
        """Asks the rebuy function. Its answer comes back by `rebuy_decided`."""

    def tell(self, event: str, about: Mapping[str, Any]) -> None:
        """Calls the hook of this name."""

    def log(self, level: str, event: str, text: str, **fields: Any) -> None:
        """Writes an event to the log."""

    def slow_down(self) -> None:
        """Sends less for a while."""

    def now(self) -> float:
        """Seconds since 1970."""


def warn(port: Port, kind: str, text: str, **about: Any) -> None:
    """Reports a fault of the bot, or of its treatment, to the hook `warning` and to the log."""
    port.tell("warning", {"kind": kind, "text": text, **about})
    port.log("warn", kind, text, **{key: value for key, value in about.items() if key != "error"})
