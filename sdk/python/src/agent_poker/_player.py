"""What a player says to what it reads: no socket, no clock, no task of its own. It tells a port what is to be done."""

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
    """Joins, plays, and goes on through lost connections, rejections, busts and season ends until it is `reason`."""

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
        """A frame of the server. Unknown types and fields are ignored, and so are numbers that do not rise."""
        handler = self._on.get(frame["type"])
        if self._seat.follow(frame) and handler is not None:
            handler(frame)

    @property
    def is_resyncing(self) -> bool:
        """What comes meanwhile may not be all of it."""
        return self._seat.is_unsure

    def disconnected(self) -> None:
        """The connection is gone, and will be made again."""
        self._port.cancel("again")
        self._lobby.left()
        self._seat.lost()
        self._decisions.lost()

    def decided(self, token: str, answer: Any, error: Optional[BaseException] = None) -> None:
        """What `decide` returned or threw."""
        self._decisions.decided(token, answer, error)

    def rebuy_decided(self, wanted: bool) -> None:
        """What the rebuy function said."""
        if self.reason is None and self._rebuys.decided(wanted) == "refused":
            self._end("busted")

    def ring(self, timer: str) -> None:
        """The time of a timer is up."""
        {"again": self._ask_again, "guard": self._decisions.late}[timer]()

    def leave(self, reason: str = "left") -> None:
        """Gives the seat up, at the end of the hand if there is one, and ends then."""
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
        """Says what the state asks for: after a connect, or where something said was not heard."""
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
        """Without a seat: another one, unless it was given up."""
        self._forget_seat()
        if self._leaving is not None:
            self._end(self._leaving)
        elif self.reason is None:
            self._lobby.join()

    def _seat_denied(self) -> None:
        """It may be an answer to what was said before the seat's end was read: that has told already what to do."""
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
            self._forget_seat()  # What comes of it is told next.
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
        # Everybody hears of it; whoever plays a competition goes on.
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
            self._port.send({"type": "leave_table"})  # The first one may have been lost.
        elif hero.get("turn_token") is None:
            self._decisions.drop()
        else:
            self._ask({**hero, "hand_id": snapshot["hand_id"]}, table.open_for(snapshot))

    # ---- turns

    def _asked(self, frame: Frame) -> None:
        self._decisions.timed(frame)
        # While a resync is under way something of the hand may be missing: the turn comes again with its answer.
        if not self._seat.is_unsure or self._decisions.knows(frame["turn_token"]):
            self._ask(frame, 0.0)

    def _ask(self, turn: Mapping[str, Any], elapsed: float) -> None:
        table = self._seat.table
        # The server folds for those who leave.
        if self._leaving is not None or table is None:
            return
        if table.shows(turn["hand_id"]):
            self._decisions.ask(table, turn, elapsed)
        else:
            self._seat.resync()

    def _shown(self, frame: Frame) -> None:
        # A state without the hand of the open turn: a hand that was cut off is void, and its table was opened again.
        if self._seat.is_at(frame):
            self._decisions.drop_unless_of(frame["hand_id"])

    def _rejected(self, frame: Frame) -> None:
        code = frame["code"]
        warn(self._port, "rejected", f"action_rejected {code}: {frame['reason']}", code=code, details=frame["details"])
        if code in ("not_at_table", "table_not_found"):
            self._seat_denied()
        elif code == "invalid_action":
            self._decisions.refused(frame["details"].get("client_action_id"))
        # All others say that the turn went on: what comes next tells how.

    def _acted(self, frame: Frame) -> None:
        if not self._seat.is_own(frame):
            return
        if frame["reason"] == "timeout":
            warn(self._port, "timeout", f"the server played {frame['action']}: time was up", hand_id=frame["hand_id"])
        self._decisions.drop()

    def _result(self, frame: Frame) -> None:
        self._decisions.drop()
        table = self._seat.table
        # A table without a pause deals another hand before it reads of the leave, and passes it: that one is not asked for.
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
            self._end("busted")  # Else the server, which somebody told to, does it and says so.

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
        """To a leave: the seat is gone. To a rebuy: there are chips left."""
        self._forget_seat()
        self._rebuys.forget()
        if self._leaving is not None:
            self._end(self._leaving)
        else:
            self._port.later("again", NOT_NOW)  # At once could go round in circles.

    def _end(self, reason: str) -> None:
        self.reason = self.reason or reason
        self._decisions.drop()
        self._port.cancel("again")
