"""What a player without a seat does: joins the lobby, buys new chips, and waits where the server says "not now"."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from ._port import Port, warn
from ._rebuys import RebuyPolicy, Rebuys

#: Pauses in seconds: where the server said "not now"; the window of its limits; for somebody to verify an address.
NOT_NOW, RATE, UNVERIFIED = 2.0, 1.0, 60.0

#: Errors after which the same may be said again, and when.
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
        #: "outside", "waiting", or "asked": a join has no answer yet. A second one would be refused, or count as too many.
        self._state = "outside"

    def join(self) -> None:
        """Asks for a seat, unless that is under way."""
        if self._state == "outside" and self._port.send(self._join):
            self._state = "asked"

    def seek(self) -> None:
        """Says what is wanted, or says it again: chips, else a seat."""
        if self.rebuys.under_way:
            self.rebuys.request()
        else:
            self.join()

    def waits(self) -> None:
        """The server has put us in line."""
        self._state = "waiting"

    def left(self) -> None:
        """What was asked for a seat is answered or lost: whoever wants one then asks again."""
        self._state = "outside"

    def season_ended(self) -> None:
        """All begins anew. Who has been in line asks again; an answer that is still to come is of the next season."""
        self.rebuys.forget()
        if self._state == "waiting":
            self.left()

    def refused(self, frame: Mapping[str, Any], is_seated: bool) -> Optional[str]:
        """An error that says nothing of a seat. Why the player is at its end, if it is."""
        code, text = frame["code"], f"error {frame['code']}: {frame['message']}"
        if code == "no_active_season" and self._in_competition:
            return "competition_ended"
        if code == "already_in_lobby":
            self.waits()
            self._port.log("debug", "error", text)
        elif code == "leave_pending":
            # What it wants is under way: said twice after a resync, or the server gave the seat up first.
            self._port.log("debug", "error", text)
        elif code == "rebuy_cooldown":
            self._port.log("info", "rebuy", f"the next rebuy is at {frame['rebuy_at']}", rebuy_at=frame["rebuy_at"])
            self._port.later("again", max(RATE, float(frame["cooldown_seconds"])))
        else:
            return self._told_off(code, text, is_seated)
        return None

    def _told_off(self, code: str, text: str, is_seated: bool) -> Optional[str]:
        """What a sound bot does not hear every day."""
        warn(self._port, "rate_limited" if code == "rate_limited" else "error", text, code=code)
        if code == "flood_warning":
            self._port.slow_down()
        elif code == "invalid_rebuy" and not is_seated and self.rebuys.under_way:
            return "busted"
        elif code in PAUSES:
            self.left()  # Of rate_limited as well: it may have been the join that was dropped.
            if code == "not_registered_for_season":
                self.rebuys.forget()
            self._port.later("again", PAUSES[code])
        # auth_failed and scope_connection_already_active: the close says what is to be done.
        return None
