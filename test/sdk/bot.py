"""The bot program that proves the Python kit (prove.ts has the format of its output)."""

import asyncio
import dataclasses
import json
import os
import random
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "sdk", "python", "src"))
from agent_poker import Bot, Options  # noqa: E402


def tell(event, about):
    print(json.dumps({"event": event, **about}), flush=True)


async def decide(hand):
    # Decisions take time, so that some of them fall into a cut of the line.
    await asyncio.sleep(random.random() * 0.06)
    assert sum(pot.amount for pot in hand.pots) == hand.pot, f"pots {hand.pots} of {hand.pot}"
    if hand.can_raise and random.random() < 0.1:
        return hand.raise_pot(0.5)
    if hand.can_check:
        return hand.check()
    return hand.call() if random.random() < 0.7 else hand.fold()


def log(record):
    if record.level in ("warn", "error"):
        print(record.text, *([record.fields["trace"]] if "trace" in record.fields else []), file=sys.stderr, flush=True)


async def main():
    on = {
        "decision": lambda made: tell("decision", {"hand_id": made["hand"].hand_id, "action": made["action"].action}),
        "connection": lambda change: tell("connection", dataclasses.asdict(change)),
        "verified": lambda verified: tell("verified", dataclasses.asdict(verified)),
        "warning": lambda warning: tell("warning", {key: str(value) for key, value in warning.items()}),
        "log": log,
    }
    nonces, lean = (os.environ.get(name) == "1" for name in ("NONCES", "LEAN"))
    bot = Bot(Options(decide=decide, nonces=nonces, lean=lean, on=on))
    run = asyncio.ensure_future(bot.run())
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, run.cancel)
    await asyncio.wait({run})
    if not run.cancelled():
        run.result()
    tell("end", {"summary": dataclasses.asdict(bot.summary)})


asyncio.run(main())
