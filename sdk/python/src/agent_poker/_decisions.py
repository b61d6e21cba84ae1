"""Gets a decision for each turn in time, and answers each turn once."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Tuple, Union

from ._port import Port, warn
from ._table import Table
from ._turn import OpenTurn
from .errors import IllegalAction, thrown_text
from .hand import Action, Mix, legal_choice

#: The server's seconds for a decision, if it does not send them (protocol.md, "Time").
TURN_SECONDS = 120.0


def reserve_of(clock: float) -> float:
    """Seconds of a turn's clock that are reserved for the way to the server."""
    return 2.0 if clock >= 10 else clock / 5


class Decisions:
    """The open turn: from the question to the acknowledgement."""

    def __init__(self, port: Port, reserve: Optional[float], turn_seconds: Optional[float]) -> None:
        self._port = port
        self._reserve, self._turn_seconds = reserve, turn_seconds
        self._turn: Optional[OpenTurn] = None
        #: The clock of the last turn: token, end, time bank. A snapshot has a turn without its clock.
        self._told: Tuple[str, float, Optional[int]] = ("", 0.0, None)

    def knows(self, token: str) -> bool:
        """Whether this turn was asked before."""
        return self._turn is not None and self._turn.token == token

    def timed(self, asked: Mapping[str, Any]) -> None:
        """Reads the clock of `your_turn`. An older server sends none."""
        left = asked.get("deadline_ms")
        if left is not None:
            self._told = (asked["turn_token"], self._port.now() + left / 1000, asked.get("time_bank_ms"))

    def ask(self, table: Table, asked: Mapping[str, Any], elapsed: float) -> None:
        """
        A turn that has been open for `elapsed` seconds. A repeated turn gets its answer again, if the answer may be
        lost.
        """
        if self._turn is not None and self._turn.token == asked["turn_token"]:
            self._answer(self._turn)
            return
        self.drop()
        token, ends_at, bank = self._told
        now = self._port.now()
        clock = self._turn_seconds or TURN_SECONDS
        if token != asked["turn_token"]:
            bank = None
        elif self._turn_seconds is None or ends_at - now < clock - elapsed:
            clock, elapsed = ends_at - now, 0.0
        reserve = reserve_of(clock) if self._reserve is None else self._reserve
        left = max(0.0, clock - elapsed - reserve)
        hand = table.hand({**asked, "time_bank_ms": bank}, (now + left) * 1000)
        self._turn = OpenTurn(asked["turn_token"], hand)
        self._port.later("guard", left)
        self._port.think(self._turn.token, hand)

    def decided(self, token: str, answer: Any, error: Optional[BaseException]) -> None:
        """Takes the result or the error of `decide`. A late one is dropped."""
        turn = self._turn
        if turn is None or turn.token != token or turn.action is not None:
            return
        try:
            if error is not None:
                raise IllegalAction(f"decide threw {thrown_text(error)}")
            action = legal_choice(turn.hand, answer)
        except IllegalAction as why:
            warn(self._port, "decide", str(why), hand_id=turn.hand.hand_id, error=error or why)
            action = turn.hand.safe
        self._decide(turn, action)

    def late(self) -> None:
        """The clock is about to run out."""
        turn = self._turn
        if turn is not None and turn.action is None:
            warn(self._port, "late", f"decide is late: {turn.hand.safe.action}", hand_id=turn.hand.hand_id)
            turn.hand.cancel()
            self._port.stop_thinking()
            self._decide(turn, turn.hand.safe)

    def acknowledged(self, action_id: Optional[str]) -> None:
        """The server accepted the answer."""
        if self._turn is not None:
            self._turn.accept(action_id)

    def refused(self, action_id: Optional[str]) -> None:
        """The rules forbade the answer, and the turn is still open. Sends the safe action, once."""
        if self._turn is not None and self._turn.fall_back(action_id):
            self._answer(self._turn)

    def lost(self) -> None:
        """The connection is gone. The last answer may not have arrived."""
        if self._turn is not None:
            self._turn.resend()

    def say_again(self) -> None:
        """The last message may have been dropped."""
        if self._turn is not None:
            self._turn.resend()
            self._answer(self._turn)

    def drop_unless_of(self, hand_id: Optional[str]) -> None:
        """This hand is played now, or none (None). A turn of another hand is over."""
        if self._turn is not None and self._turn.hand.hand_id != hand_id:
            self.drop()

    def drop(self) -> None:
        """The turn is over, or no longer ours."""
        if self._turn is not None:
            self._turn.hand.cancel()
            self._turn = None
            self._port.cancel("guard")
            self._port.stop_thinking()

    def _decide(self, turn: OpenTurn, action: Union[Action, Mix]) -> None:
        turn.decide(action)
        self._port.cancel("guard")
        self._port.tell("decision", {"hand": turn.hand, "action": action})
        self._answer(turn)

    def _answer(self, turn: OpenTurn) -> None:
        message = turn.to_send()
        # Between two connections the answer waits until the turn comes again.
        if message is not None and not self._port.send(message):
            turn.resend()
