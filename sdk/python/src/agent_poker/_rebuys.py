"""New chips after a bust: the decision, and the request."""

from __future__ import annotations

import uuid
from typing import Any, Awaitable, Callable, Mapping, Optional, Union

from ._port import Port

#: "auto", "never", or a function of the offer that decides.
RebuyPolicy = Union[str, Callable[[Mapping[str, Any]], Union[bool, Awaitable[bool]]]]


class Rebuys:
    """Requests a rebuy under one id until it is confirmed, so that the server grants repeated requests once."""

    def __init__(self, port: Port, policy: RebuyPolicy) -> None:
        if not callable(policy) and policy not in ("auto", "never"):
            raise ValueError(f'rebuy is "auto", "never" or a function, not {policy!r}')
        self._port, self._policy = port, policy
        self._request_id: Optional[str] = None
        #: "wanted" while the function thinks, "moot" if its answer is no longer needed.
        self._asking: Optional[str] = None

    @property
    def never(self) -> bool:
        """Whether the bot never wants a rebuy."""
        return self._policy == "never"

    @property
    def under_way(self) -> bool:
        """Whether the bot waits for chips. It does not join the lobby meanwhile."""
        return self._asking == "wanted" or self._request_id is not None

    def offer(self, offer: Mapping[str, Any]) -> None:
        """The chips are gone, and the server offers a rebuy."""
        if not callable(self._policy):
            self.request()
            return
        is_asked, self._asking = self._asking is not None, "wanted"
        if not is_asked:
            self._port.ask_rebuy(offer)

    def decided(self, wanted: bool) -> str:
        """Takes the function's answer. Returns "asked", "refused", or "moot" for an answer that comes too late."""
        is_moot, self._asking = self._asking == "moot", None
        if is_moot:
            return "moot"
        if not wanted:
            return "refused"
        self.request()
        return "asked"

    def request(self) -> None:
        """
        Asks the server. A repeat has the same id, since the answer may be lost. Does nothing while the function thinks.
        """
        if self._asking is None:
            self._request_id = self._request_id or str(uuid.uuid4())
            self._port.send({"type": "rebuy", "amount": 0, "request_id": self._request_id})

    def forget(self) -> None:
        """The rebuy was granted, refused for good, or is no longer needed."""
        self._request_id = None
        if self._asking is not None:
            self._asking = "moot"
