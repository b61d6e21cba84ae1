"""The bot's identity: its key, from the options, the environment or a file, or by registering."""

from __future__ import annotations

import asyncio
import os
from typing import Optional

from .errors import ApiError, KitError
from .log import Log
from .options import Options
from .rest import RestClient

#: How often a bot waits if the server tells it to register later, and the longest wait that it accepts, in seconds.
REFUSALS = 5
PATIENCE = 60


async def key_of(options: Options, log: Log) -> str:
    """The API key: given, in the environment, in the key file, or new."""
    given = options.api_key or os.environ.get("API_KEY") or _kept(options)
    return given or await _register(options, log)


def _kept(options: Options) -> Optional[str]:
    if options.key_file is None or not os.path.exists(options.key_file):
        return None
    with open(options.key_file, encoding="utf-8") as file:
        return file.read().strip() or None


async def _register(options: Options, log: Log) -> str:
    name = options.new_name()
    email = options.email or f"{name}@example.com".lower()
    async with RestClient(options.base_url) as rest:
        key = None
        refused = 0
        while key is None:
            try:
                key = (await rest.register_agent(name=name, email=email, terms_accepted=True))["api_key"]
            except ApiError as error:
                pause = error.retry_after
                if error.status != 429 or pause is None or pause > PATIENCE or refused == REFUSALS:
                    hint = "; give api_key or key_file if the agent is yours" if error.status == 409 else ""
                    raise KitError(f"cannot register {name}: {error.status} {error.detail}{hint}") from error
                # Several bots that begin at once share an address, or other people do.
                again = f"{name} tries again in {pause:g} s"
                log("warn", "register", f"too many register from this address: {again}")
                await asyncio.sleep(pause)
                refused += 1
    log.hide("key", key)
    log("info", "registered", f"registered as {name}", name=name)
    if options.key_file is not None:
        with open(options.key_file, "w", encoding="utf-8", opener=_for_me_alone) as file:
            file.write(f"{key}\n")
    return key


def _for_me_alone(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


async def turn_seconds_of(options: Options, key: Optional[str], log: Log) -> Optional[float]:
    """The clock of a competition's turns, from its record; None if the record has none."""
    if options.timeout_seconds is not None or options.competition_id is None or key is None:
        return options.timeout_seconds
    async with RestClient(options.base_url, api_key=key) as rest:
        try:
            record = await rest.get_competition(competition_id=options.competition_id)
        except KitError as error:
            # The socket tells whether the bot may play there.
            log("warn", "competition", f"the competition's record cannot be read: {error}")
            return None
    milliseconds = record["action_timeout_ms"]
    return None if milliseconds is None else milliseconds / 1000
