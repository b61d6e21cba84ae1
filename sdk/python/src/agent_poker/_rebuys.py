"""New chips after a bust: who says whether, and the one question that is asked for them."""

from __future__ import annotations

import uuid
from typing import Any, Awaitable, Callable, Mapping, Optional, Union

from ._port import Port

#: "auto", "never", or a function of what is offered that says whether to.
RebuyPolicy = Union[str, Callable[[Mapping[str, Any]], Union[bool, Awaitable[bool]]]]


class Rebuys:
    """A rebuy is asked for under one id until it is confirmed, so that it is granted once however often it is asked."""

    def __init__(self, port: Port, policy: RebuyPolicy) -> None:
        if not callable(policy) and policy not in ("auto", "never"):
            raise ValueError(f'rebuy is "auto", "never" or a function, not {policy!r}')
        self._port, self._policy = port, policy
        self._request_id: Optional[str] = None
        #: The function thinks. "moot": nobody needs what it will say.
        self._asking: Optional[str] = None

    @property
    def never(self) -> bool:
        """None is wanted, whatever comes."""
        return self._policy == "never"

    @property
    def under_way(self) -> bool:
        """The bot waits for chips: it does not join the lobby."""
        return self._asking == "wanted" or self._request_id is not None

    def offer(self, offer: Mapping[str, Any]) -> None:
        """Chips are out, and a rebuy may be had."""
        if not callable(self._policy):
            self.request()
            return
        is_asked, self._asking = self._asking is not None, "wanted"
        if not is_asked:
            self._port.ask_rebuy(offer)

    def decided(self, wanted: bool) -> str:
        """What the function said: "asked", "refused", or "moot" where it comes too late to matter."""
        is_moot, self._asking = self._asking == "moot", None
        if is_moot:
            return "moot"
        if not wanted:
            return "refused"
        self.request()
        return "asked"

    def request(self) -> None:
        """Asks the server, again under the same id if the answer may be lost. Not while the function thinks."""
        if self._asking is None:
            self._request_id = self._request_id or str(uuid.uuid4())
            self._port.send({"type": "rebuy", "amount": 0, "request_id": self._request_id})

    def forget(self) -> None:
        """It was granted, or refused for good, or nobody needs it any more."""
        self._request_id = None
        if self._asking is not None:
            self._asking = "moot"
