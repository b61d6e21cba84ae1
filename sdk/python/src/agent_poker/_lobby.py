"""A player without a seat joins the lobby, buys new chips, and waits after "not now"."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from ._port import Port, warn
from ._rebuys import RebuyPolicy, Rebuys

#: Pauses in seconds: after "not now", for the window of the server's limits, and for a verified address.
NOT_NOW, RATE, UNVERIFIED = 2.0, 1.0, 60.0

#: Errors that allow a repeat of the message, and the pause before it.
PAUSES = {
    "rate_limited": RATE,
    "email_not_verified": UNVERIFIED,
    **dict.fromkeys(("no_active_season", "season_error", "season_buy_in_failed", "lobby_full"), NOT_NOW),
    "not_registered_for_season": NOT_NOW,
}


class Lobby:
    """The way to a seat."""

    def __init__(
        self, port: Port, buy_in: Optional[int], version: Optional[str], rebuy: RebuyPolicy, in_competition: bool
    ) -> None:
        self._port, self._in_competition = port, in_competition
        wished = {"buy_in": buy_in, "version": version}
        self._join = {"type": "join_lobby", **{name: value for name, value in wished.items() if value is not None}}
        self.rebuys = Rebuys(port, rebuy)
        #: "outside", "waiting", or "asked": a join has no answer yet. A second join would be refused, or count against
        #: the limits.
        self._state = "outside"

    def join(self) -> None:
        """Asks for a seat, unless that is under way."""
        if self._state == "outside" and self._port.send(self._join):
            self._state = "asked"

    def seek(self) -> None:
        """Sends the wish, or repeats it: chips, else a seat."""
        if self.rebuys.under_way:
            self.rebuys.request()
        else:
            self.join()

    def waits(self) -> None:
        """The server has put us in line."""
        self._state = "waiting"

    def left(self) -> None:
        """A request for a seat is answered or lost. A player that wants a seat asks again."""
        self._state = "outside"

    def season_ended(self) -> None:
        """All begins anew. A player in line asks again. A late answer is of the next season."""
        self.rebuys.forget()
        if self._state == "waiting":
            self.left()

    def refused(self, frame: Mapping[str, Any], is_seated: bool) -> Optional[str]:
        """Handles an error without a seat. Returns the player's reason to end, or None."""
        code, text = frame["code"], f"error {frame['code']}: {frame['message']}"
        if code == "no_active_season" and self._in_competition:
            return "competition_ended"
        if code == "already_in_lobby":
            self.waits()
            self._port.log("debug", "error", text)
        elif code == "leave_pending":
            # Its wish is under way: it was sent twice after a resync, or the server gave the seat up first.
            self._port.log("debug", "error", text)
        elif code == "rebuy_cooldown":
            self._port.log("info", "rebuy", f"the next rebuy is at {frame['rebuy_at']}", rebuy_at=frame["rebuy_at"])
            self._port.later("again", max(RATE, float(frame["cooldown_seconds"])))
        else:
            return self._told_off(code, text, is_seated)
        return None

    def _told_off(self, code: str, text: str, is_seated: bool) -> Optional[str]:
        """Errors that a sound bot rarely gets."""
        warn(self._port, "rate_limited" if code == "rate_limited" else "error", text, code=code)
        if code == "flood_warning":
            self._port.slow_down()
        elif code == "invalid_rebuy" and not is_seated and self.rebuys.under_way:
            return "busted"
        elif code in PAUSES:
            self.left()  # After rate_limited as well: the dropped message may have been the join.
            if code == "not_registered_for_season":
                self.rebuys.forget()
            self._port.later("again", PAUSES[code])
        # auth_failed and scope_connection_already_active: the close code decides.
        return None
