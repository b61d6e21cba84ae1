"""The seat as the kit knows it: the table, and whether a resync must confirm the seat."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from ._port import Port
from ._table import Frame, Table


class Seat:
    """A seat at a table, or none."""

    def __init__(self, port: Port) -> None:
        self._port = port
        self.table: Optional[Table] = None
        #: The number to ask from while a resync is under way.
        self._asked_from: Optional[int] = None
        #: The table in the last line of the log.
        self._told: Optional[str] = None

    @property
    def is_unsure(self) -> bool:
        """A resync is under way. Frames that come meanwhile may not be all."""
        return self._asked_from is not None

    def is_at(self, frame: Frame) -> bool:
        """Whether a frame is of the table."""
        return self.table is not None and frame.get("table_id") == self.table.table_id

    def is_own(self, frame: Frame) -> bool:
        """Whether a frame is about the own seat."""
        return self.table is not None and self.is_at(frame) and frame["seat"] == self.table.seat

    def take(self, place: Mapping[str, Any]) -> Table:
        """Sits down, at `table_id` and `seat`."""
        table_id, seat = place["table_id"], place["seat"]
        self.table, self._asked_from = Table(table_id, seat), None
        if table_id != self._told:
            self._port.log("info", "seated", f"sits at table {table_id}, seat {seat}", table_id=table_id, seat=seat)
            self._told = table_id
        return self.table

    def follow(self, frame: Frame) -> bool:
        """Passes a frame to its table. False for a frame with a number that does not rise: it has no news."""
        if self.table is None or not self.is_at(frame) or "table_seq" not in frame:
            return True
        if not self.table.is_news(frame):
            return False
        self.table.tell(frame)
        return True

    def lost(self) -> None:
        """The connection is gone. The next connection asks for missed frames."""
        if self.table is not None:
            self.table.lost()
            self._asked_from = self.table.last_seq if self._asked_from is None else self._asked_from

    def resync(self, from_start: bool = False) -> None:
        """Asks for missed frames, from the same number until the answer comes, or for all that the table remembers."""
        if self.table is None:
            return
        if from_start or self._asked_from is None:
            self._asked_from = 0 if from_start else self.table.last_seq
        since = self._asked_from or None
        self._port.send({"type": "resync_request", "table_id": self.table.table_id, "last_table_seq": since})

    def resynced(self) -> None:
        """The answer to a resync is here."""
        self._asked_from = None

    def forget(self) -> None:
        """The seat is gone."""
        self.table = self._asked_from = None
