"""A player's reactions to frames, without a socket, a clock or tasks. A port does the work."""

from __future__ import annotations

from typing import Any, Callable, Dict, Mapping, Optional, Sequence

from ._decisions import Decisions
from ._lobby import NOT_NOW, Lobby
from ._port import Port, warn
from ._rebuys import RebuyPolicy
from ._seat import Seat
from ._table import Frame
from ._tally import Tally


class Player:
    """
    Joins, plays, and goes on through lost connections, rejections, busts and season ends until it has a `reason` to
    end.
    """

    def __init__(
        self,
        port: Port,
        *,
        buy_in: Optional[int] = None,
        version: Optional[str] = None,
        rebuy: RebuyPolicy = "auto",
        hands: Optional[int] = None,
        reserve: Optional[float] = None,
        turn_seconds: Optional[float] = None,
        in_competition: bool = False,
    ) -> None:
        self.name = ""
        self.tally = Tally()
        #: Why it has ended; None while it plays.
        self.reason: Optional[str] = None
        self._port, self._hands = port, hands
        self._decisions = Decisions(port, reserve, turn_seconds)
        self._lobby = Lobby(port, buy_in, version, rebuy, in_competition)
        self._rebuys = self._lobby.rebuys
        self._in_competition = in_competition
        self._seat = Seat(port)
        #: Why it gives its seat up; None while it wants to play.
        self._leaving: Optional[str] = None
        self._on: Dict[str, Callable[[Any], None]] = {
            "connected": lambda _: self._ask_again(),
            "lobby_joined": lambda _: self._lobby.waits(),
            "table_joined": self._joined,
            "your_turn": self._asked,
            "action_ack": lambda frame: self._decisions.acknowledged(frame["client_action_id"]),
            "action_rejected": self._rejected,
            "player_action": self._acted,
            "hand_start": lambda _: self._decisions.drop(),
            "table_state": self._shown,
            "hand_result": self._result,
            "resync_response": self._resynced,
            "player_left": self._left,
            "table_closed": self._closed,
            "busted": self._busted,
            "rebuy_confirmed": self._rebought,
            "auto_rebuy_scheduled": self._rebuy_scheduled,
            "season_ended": self._season_ended,
            "error": self._error,
        }

    # ---- from outside

    def read(self, frame: Frame) -> None:
        """
        Handles a frame of the server. Ignores unknown types and fields, and frames with a number that does not rise.
        """
        handler = self._on.get(frame["type"])
        if self._seat.follow(frame) and handler is not None:
            handler(frame)

    @property
    def is_resyncing(self) -> bool:
        """Frames that come meanwhile may not be all."""
        return self._seat.is_unsure

    def disconnected(self) -> None:
        """The connection is gone, and a new one follows."""
        self._port.cancel("again")
        self._lobby.left()
        self._seat.lost()
        self._decisions.lost()

    def decided(self, token: str, answer: Any, error: Optional[BaseException] = None) -> None:
        """Takes the result of `decide`, or its error."""
        self._decisions.decided(token, answer, error)

    def rebuy_decided(self, wanted: bool) -> None:
        """Takes the answer of the rebuy function."""
        if self.reason is None and self._rebuys.decided(wanted) == "refused":
            self._end("busted")

    def ring(self, timer: str) -> None:
        """A timer has run out."""
        {"again": self._ask_again, "guard": self._decisions.late}[timer]()

    def leave(self, reason: str = "left") -> None:
        """Gives the seat up, at the end of a running hand, and ends then."""
        self._leaving = self._leaving or reason
        self._decisions.drop()
        if not self._is_seated:
            self._end(self._leaving)
        else:
            self._port.send({"type": "leave_table"})

    # ---- connection, lobby and seat

    @property
    def _is_seated(self) -> bool:
        return self._seat.table is not None

    def _ask_again(self) -> None:
        """Sends the message that the state needs, after a connect or a lost message."""
        if self._is_seated:
            is_unsure = self._seat.is_unsure
            if is_unsure:
                self._seat.resync()
            if self._leaving is not None:
                self._port.send({"type": "leave_table"})
            elif not is_unsure:
                self._decisions.say_again()
        elif self._leaving is not None:
            self._end(self._leaving)
        else:
            self._lobby.seek()

    def _joined(self, frame: Frame) -> None:
        self._sit(frame)
        self._seat.follow(frame)
        if self._leaving is not None:
            self.leave()

    def _sit(self, place: Frame) -> None:
        self._port.cancel("again")
        self._decisions.drop()
        self._rebuys.forget()
        self._seat.take(place)

    def _seat_lost(self) -> None:
        """The seat is gone. Asks for another one, unless the player gave it up."""
        self._forget_seat()
        if self._leaving is not None:
            self._end(self._leaving)
        elif self.reason is None:
            self._lobby.join()

    def _seat_denied(self) -> None:
        """It may answer a message from before the seat's end. The seat's end has been handled already."""
        if self._is_seated:
            self._seat_lost()

    def _forget_seat(self) -> None:
        self._decisions.drop()
        if self._is_seated:
            self._lobby.left()
        self._seat.forget()

    def _left(self, frame: Frame) -> None:
        if not self._seat.is_own(frame):
            return
        if frame["reason"] == "busted" and self._leaving is None:
            self._forget_seat()  # The answer to a bust comes next.
        else:
            self._seat_lost()

    def _closed(self, frame: Frame) -> None:
        if not self._seat.is_at(frame):
            return
        if frame["reason"] == "competition_ended":
            self._forget_seat()
            self._end("competition_ended")
        else:
            self._seat_lost()

    def _season_ended(self, frame: Frame) -> None:
        # All players get this frame. A player of a competition goes on.
        if not self._in_competition:
            self._lobby.season_ended()
            self._seat_lost()

    def _resynced(self, frame: Frame) -> None:
        snapshot, table, hero = frame["snapshot"], self._seat.table, frame["snapshot"].get("hero")
        if table is None or not self._seat.is_at(frame):
            return
        was_leaving = self._leaving is not None
        for event in frame["replayed_events"]:
            if event["type"] == "hand_result":
                self._result(event)
        self._seat.resynced()
        if frame["role"] != "player" or hero is None:
            self._seat_lost()
            return
        table.seat = hero["seat"]
        if was_leaving:
            self._port.send({"type": "leave_table"})  # the first one may be lost
        elif hero.get("turn_token") is None:
            self._decisions.drop()
        else:
            self._ask({**hero, "hand_id": snapshot["hand_id"]}, table.open_for(snapshot))

    # ---- turns

    def _asked(self, frame: Frame) -> None:
        self._decisions.timed(frame)
        # During a resync a part of the hand may be missing. The turn comes again with the answer of the resync.
        if not self._seat.is_unsure or self._decisions.knows(frame["turn_token"]):
            self._ask(frame, 0.0)

    def _ask(self, turn: Mapping[str, Any], elapsed: float) -> None:
        table = self._seat.table
        # The server folds for a leaving player.
        if self._leaving is not None or table is None:
            return
        if table.shows(turn["hand_id"]):
            self._decisions.ask(table, turn, elapsed)
        else:
            self._seat.resync()

    def _shown(self, frame: Frame) -> None:
        # If the state does not have the hand of the open turn, this hand is void, and its table was opened again.
        if self._seat.is_at(frame):
            self._decisions.drop_unless_of(frame["hand_id"])

    def _rejected(self, frame: Frame) -> None:
        code = frame["code"]
        warn(self._port, "rejected", f"action_rejected {code}: {frame['reason']}", code=code, details=frame["details"])
        if code in ("not_at_table", "table_not_found"):
            self._seat_denied()
        elif code == "invalid_action":
            self._decisions.refused(frame["details"].get("client_action_id"))
        # All other codes mean that the turn went on. The next frames tell how.

    def _acted(self, frame: Frame) -> None:
        if not self._seat.is_own(frame):
            return
        if frame["reason"] == "timeout":
            warn(self._port, "timeout", f"the server played {frame['action']}: time was up", hand_id=frame["hand_id"])
        self._decisions.drop()

    def _result(self, frame: Frame) -> None:
        self._decisions.drop()
        table = self._seat.table
        # A table without a pause deals another hand before it reads the leave, and passes the turn. This hand does not
        # count.
        if table is None or (self._hands is not None and self.tally.hands >= self._hands):
            return
        if not self.tally.count(frame, table.seat):
            return
        hands, chips = self.tally.hands, self.tally.chips
        if self.tally.is_worth_a_line:
            self._port.log("info", "progress", f"{hands} hands, a stack of {chips} chips", hands=hands, chips=chips)
        if self._hands is not None and hands >= self._hands and self._leaving is None:
            self.leave("hands")

    # ---- chips

    def _busted(self, frame: Frame) -> None:
        self._forget_seat()
        if "rebuy" in frame["options"]:
            self._out_of_chips(frame["options"])
        else:
            self._seat_lost()

    def _out_of_chips(self, options: Sequence[str] = ("rebuy", "leave")) -> None:
        if self._leaving is not None or self._rebuys.never:
            self._end(self._leaving or "busted")
        else:
            self._rebuys.offer({"options": list(options), "hands": self.tally.hands})

    def _rebought(self, frame: Frame) -> None:
        self._rebuys.forget()
        if not self._is_seated:
            self._port.log("info", "rebuy", f"rebought: a balance of {frame['chip_balance']} chips")
            self._seat_lost()

    def _rebuy_scheduled(self, frame: Frame) -> None:
        if self._rebuys.never:
            self._end("busted")  # otherwise the server's automatic rebuy does it

    # ---- errors

    def _error(self, frame: Frame) -> None:
        code = frame["code"]
        if code == "already_seated":
            self._sit(frame)
            self._seat.resync(from_start=True)
        elif code == "not_at_table":
            self._not_at_table()
        elif code == "table_not_found":
            self._seat_denied()
        elif code == "insufficient_season_chips":
            self._lobby.left()
            self._out_of_chips()
        else:
            reason = self._lobby.refused(frame, is_seated=self._is_seated)
            if reason is not None:
                self._end(reason)

    def _not_at_table(self) -> None:
        """After a leave the seat is gone. After a rebuy there are chips left."""
        self._forget_seat()
        self._rebuys.forget()
        if self._leaving is not None:
            self._end(self._leaving)
        else:
            self._port.later("again", NOT_NOW)  # at once could loop

    def _end(self, reason: str) -> None:
        self.reason = self.reason or reason
        self._decisions.drop()
        self._port.cancel("again")
