"""The open turn and its answer, which counts once after any loss."""

from __future__ import annotations

from typing import Any, Dict, Optional, Union

from .hand import Action, Hand, Mix


class OpenTurn:
    """
    The server sends a turn again after a reconnect and in a resync. The answer is the same message with the same
    `client_action_id`, so that it counts once (protocol.md, "Actions").
    """

    def __init__(self, token: str, hand: Hand) -> None:
        self.token = token
        self.hand = hand
        #: The decision; None while `decide` thinks.
        self.action: Union[Action, Mix, None] = None
        self._message: Dict[str, Any] = {}
        self._sent = False
        self._accepted = False
        self._fell_back = False

    def decide(self, action: Union[Action, Mix]) -> None:
        """Sets the answer of this turn. Its id is made here, before the first send."""
        self._write(action, self.token)

    def to_send(self) -> Optional[Dict[str, Any]]:
        """The answer, if the present connection has not carried it yet."""
        if self.action is None or self._sent or self._accepted:
            return None
        self._sent = True
        return self._message

    def resend(self) -> None:
        """The answer may not have arrived. `to_send` gives it once more, unless it was acknowledged."""
        self._sent = False

    def accept(self, action_id: Optional[str]) -> bool:
        """An acknowledgement. False if it belongs to another answer."""
        self._accepted = self._accepted or self._is_mine(action_id)
        return self._accepted

    def fall_back(self, action_id: Optional[str]) -> bool:
        """
        The rules refused this answer, and the turn is still open. Takes the safe action, once. False if that was
        refused.
        """
        if self._fell_back or self._accepted or not self._is_mine(action_id):
            return False
        self._fell_back = True
        self._sent = False
        self._write(self.hand.safe, f"{self.token}-safe")
        return True

    def _is_mine(self, action_id: Optional[str]) -> bool:
        return self.action is not None and action_id == self._message["client_action_id"]

    def _write(self, action: Union[Action, Mix], action_id: str) -> None:
        self.action = action
        self._message = {
            "type": "action",
            **({"action": action.message} if isinstance(action, Mix) else action.fields),
            "client_action_id": action_id,
            "turn_token": self.token,
            "hand_id": self.hand.hand_id,
        }
