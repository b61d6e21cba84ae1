"""The kit's reports on its work: records of level, event and fields, to the hook `log`, else as lines on stderr."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Mapping

LEVELS = ("debug", "info", "warn", "error")


@dataclass(frozen=True)
class LogRecord:
    """An event. No field ever holds a key or a token."""

    level: str
    event: str
    text: str
    fields: Mapping[str, Any] = field(default_factory=dict)


def to_stderr(name: Callable[[], str]) -> Callable[[LogRecord], None]:
    """Prints the events that matter to a person, one line each."""

    def write(record: LogRecord) -> None:
        if record.level != "debug":
            mark = "" if record.level == "info" else f"{record.level}: "
            print(f"{name()}: {mark}{record.text}", file=sys.stderr, flush=True)

    return write


def note_warning(kind: str, text: str) -> None:
    """Writes one more line for a program that examines bots, to the file named by AGENT_POKER_WARNINGS."""
    path = os.environ.get("AGENT_POKER_WARNINGS")
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"kind": kind, "text": text}) + "\n")


class Log:
    """Makes records without secrets."""

    def __init__(self, write: Callable[[LogRecord], None]) -> None:
        self._write = write
        self._secrets: Dict[str, str] = {}

    def hide(self, what: str, secret: str) -> None:
        """From now on records have this name in place of the secret."""
        if secret:
            self._secrets[secret] = f"<{what}>"

    def __call__(self, level: str, event: str, text: str, **fields: Any) -> None:
        clean = {key: self.clean(value) for key, value in fields.items()}
        self._write(LogRecord(level, event, self.clean(text), clean))

    def clean(self, value: Any) -> Any:
        """The value without secrets: texts have their names instead."""
        if isinstance(value, str):
            for secret, name in self._secrets.items():
                value = value.replace(secret, name)
        return value
