"""What can go wrong for good. Everything else (lost connections, rejections, limits) the kit lives through."""

from __future__ import annotations

from typing import Any, Optional


class KitError(Exception):
    """The kit cannot go on; the text says why."""


class IllegalAction(KitError):
    """`decide` asked for what the rules do not offer now."""


class ApiError(KitError):
    """A REST call that was refused."""

    def __init__(self, status: int, detail: Any, retry_after: Optional[float], operation: str) -> None:
        super().__init__(f"{operation}: {status} {text_of(detail)}")
        self.status = status
        #: A text; of a 422 a list of `{loc, msg, type}`.
        self.detail = detail
        #: Seconds, where the server told them.
        self.retry_after = retry_after
        #: The operationId.
        self.operation = operation


class Unreachable(KitError):
    """No answer came: nobody there, a connection that broke, or the time was up. What was asked may have happened."""


def text_of(detail: Any) -> str:
    """The `detail` of an error answer in one line."""
    if not isinstance(detail, list):
        return str(detail)
    return "; ".join(f"{'.'.join(str(part) for part in item['loc'])}: {item['msg']}" for item in detail)
