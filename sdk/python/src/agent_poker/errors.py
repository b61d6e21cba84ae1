"""What can go wrong for good. Everything else (lost connections, rejections, limits) the kit lives through."""

from __future__ import annotations

import os
import traceback
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


def thrown_text(error: BaseException) -> str:
    """What was thrown, and where: `ValueError: no model (bot.py:12)`."""
    text = "".join(traceback.format_exception_only(type(error), error)).strip()
    frames = traceback.extract_tb(error.__traceback__)
    return f"{text} ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else text


def text_of(detail: Any) -> str:
    """The `detail` of an error answer in one line."""
    if not isinstance(detail, list):
        return str(detail)
    return "; ".join(f"{'.'.join(str(part) for part in item['loc'])}: {item['msg']}" for item in detail)
