"""Final errors. The kit recovers from all others: lost connections, rejections, limits."""

from __future__ import annotations

import os
import traceback
from typing import Any, Optional


class KitError(Exception):
    """The kit cannot go on. The text has the reason."""


class IllegalAction(KitError):
    """`decide` returned an action that is not legal now."""


class ApiError(KitError):
    """A refused REST call."""

    def __init__(self, status: int, detail: Any, retry_after: Optional[float], operation: str) -> None:
        super().__init__(f"{operation}: {status} {text_of(detail)}")
        self.status = status
        #: A text, or for a 422 a list of `{loc, msg, type}`.
        self.detail = detail
        #: Seconds, if the server sent them.
        self.retry_after = retry_after
        #: The operationId.
        self.operation = operation


class Unreachable(KitError):
    """No answer came: no server, a broken connection, or a timeout. The request may have taken effect."""


def thrown_text(error: BaseException) -> str:
    """An error and its place: `ValueError: no model (bot.py:12)`."""
    text = "".join(traceback.format_exception_only(type(error), error)).strip()
    frames = traceback.extract_tb(error.__traceback__)
    return f"{text} ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else text


def text_of(detail: Any) -> str:
    """The `detail` of an error answer in one line."""
    if not isinstance(detail, list):
        return str(detail)
    return "; ".join(f"{'.'.join(str(part) for part in item['loc'])}: {item['msg']}" for item in detail)
