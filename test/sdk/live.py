"""
The Python kit against a real server. Its play and its requests are printed as JSON (python-live.test.ts reads it).
"""

import asyncio
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "sdk", "python", "src"))
from agent_poker import ApiError, Bot, Options, RestClient, run_bot, verify  # noqa: E402

URL = os.environ["BASE_URL"]


#: The frames of a hand on a lean socket, and on a full one.
LEAN = ("hand", "turn", "ack", "result")
FULL = ("hand_start", "hole_cards", "table_state", "your_turn", "player_action", "community_cards", "action_ack")


def told(result):
    print(json.dumps(result), flush=True)


async def register(name):
    async with RestClient(URL) as rest:
        agent = await rest.register_agent(name=name, email=f"{name}@example.com", terms_accepted=True)
        return agent["api_key"]


class Seen:
    """A bot and its events."""

    def __init__(self, key, decide, **options):
        self.events, self.hands = [], []
        names = ("table_joined", "busted", "rebuy_confirmed", "hand_result", "warning", "verified", *LEAN, *FULL)
        on = {name: lambda about, name=name: self.note(name, about) for name in names}
        self.changed = asyncio.Condition()
        self.bot = Bot(Options(decide=self.deciding(decide), api_key=key, on={**on, "log": str}, **options))
        self.task = asyncio.ensure_future(self.bot.run())

    def deciding(self, decide):
        def remembered(hand):
            self.hands.append(hand)
            return decide(hand)

        return remembered

    async def note(self, name, about):
        async with self.changed:
            self.events.append((name, about))
            self.changed.notify_all()

    async def until(self, *names):
        """Waits for these events, one after the other. Fails if the bot fails."""

        async def wait():
            at = 0
            for name in names:
                async with self.changed:
                    while name not in (seen := [kind for kind, _ in self.events])[at:]:
                        await self.changed.wait()
                    at = seen.index(name, at) + 1

        waiting = asyncio.ensure_future(wait())
        await asyncio.wait({waiting, self.task}, return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            raise AssertionError(f"it ended: {self.task.result()}")

    def warnings(self):
        return [about["text"] for name, about in self.events if name == "warning"]

    async def stop(self):
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


def odd(hand):
    """The faults of a hand's fields. Empty for a correct hand."""
    dealt = sum(player.in_hand or player.folded for player in hand.players)
    checks = {
        "pots": sum(pot.amount for pot in hand.pots) == hand.pot,
        "cards": len(hand.hole) == 2 and len(hand.board) == {"preflop": 0, "flop": 3, "turn": 4, "river": 5}[hand.street],
        "own stack": hand.stacks[hand.seat] == hand.stack,
        "position": hand.position is not None and dealt >= 2,
        "to call": hand.can_check == (hand.to_call == 0),
        "raise": not hand.can_raise or hand.highest_bet < hand.min_raise <= hand.max_raise,
        "pot": not hand.actions or hand.pot == hand.actions[-1].pot,
    }
    return [what for what, holds in checks.items() if not holds]


def caller(hand):
    """Plays small pots, so that no player busts outside of the tests of busts."""
    raised = any(action.action == "raise" for action in hand.history[hand.street])
    return hand.raise_to(hand.min_raise) if hand.can_raise and hand.street == "river" and not raised else hand.call()


async def play(keys):
    """Three bots play until the first one has its hands. Each hand is correct, and each deal is as announced."""
    others = [Seen(key, caller) for key in keys[1:]]
    one = Seen(keys[0], caller, hands=25, nonces=True)
    summary = await one.task
    checked = [about for name, about in one.events if name == "verified"]
    told(
        {
            "what": "play",
            "hands": summary.hands,
            "reason": summary.reason,
            "odd": [odd(hand) for hand in one.hands if odd(hand)],
            "decisions": len(one.hands),
            "checked": len(checked),
            "counted": sum(verified.counted for verified in checked),
            "faults": [verified.faults for verified in checked if verified.faults],
            "warnings": one.warnings(),
        }
    )
    for other in others:
        await other.stop()


async def lean(keys):
    """The same with lean frames, at one table with full ones."""
    others = [Seen(key, caller) for key in keys[1:]]
    one = Seen(keys[0], caller, hands=15, lean=True)
    summary = await one.task
    kinds = {name for name, _ in one.events}
    told(
        {
            "what": "lean",
            "hands": summary.hands,
            "reason": summary.reason,
            "odd": [odd(hand) for hand in one.hands if odd(hand)],
            "decisions": len(one.hands),
            "frames": sorted(kinds.intersection(LEAN + FULL)),
            "warnings": one.warnings(),
        }
    )
    for other in others:
        await other.stop()


async def bust(keys):
    """Two bots that go all-in each time. A bot without chips buys new ones, or ends if it does not want them."""
    wanted = [Seen(key, lambda hand: hand.all_in(), buy_in=1000) for key in keys]
    waiting = [asyncio.ensure_future(each.until("busted", "rebuy_confirmed", "table_joined", "hand_result")) for each in wanted]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    for each in wanted:
        await each.stop()
    told({"what": "bust", "warnings": sum((each.warnings() for each in wanted), [])})


async def never(keys):
    """The same with a bust as the end."""
    tasks = [asyncio.ensure_future(run_bot(**Stubborn(key))) for key in keys]
    done, rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
    told({"what": "never", "reason": done.pop().result().reason})


def Stubborn(key):
    return {"decide": lambda hand: hand.all_in(), "api_key": key, "rebuy": "never", "on": {"log": str}}


async def takeover(keys):
    """A second copy takes over, and the first does not fight."""
    company, first = Seen(keys[1], caller), Seen(keys[0], caller)
    await first.until("hand_result")
    second = Seen(keys[0], caller)
    summary = await first.task
    await second.until("hand_result")
    told({"what": "takeover", "reason": summary.reason, "code": summary.close_code, "warnings": second.warnings()})
    await second.stop()
    await company.stop()


async def refused():
    summary = await run_bot(decide=caller, api_key="ap_nobody", on={"log": str})
    told({"what": "refused", "reason": summary.reason, "code": summary.close_code})


async def rest_api(key):
    """The play as the REST API reports it."""
    async with RestClient(URL, api_key=key) as rest:
        me = await rest.get_me()
        pages = [hand["hand_id"] async for hand in rest.iterate_hand_history(limit=7)]
        proof = await rest.get_hand_proof(hand_id=pages[0])
        async with await rest.export_hand_history(format="csv") as file:
            pieces = [chunk async for chunk in file]
        exported = json.loads(await (await rest.export_hand_history(format="json")).text())
        ledger = [entry["type"] async for entry in rest.iterate_season_chip_ledger(limit=2)]
        try:
            await rest.get_table(table_id="nowhere")
            refusal = None
        except ApiError as error:
            refusal = [error.status, error.detail, error.operation]
        told(
            {
                "what": "rest",
                "name": me["name"],
                "hands": len(set(pages)),
                "total": (await rest.get_hand_history(limit=1))["total_hands"],
                "proof": verify(proof),
                "file": [file.content_type, file.file_name, b"".join(pieces).count(b"\n")],
                "exported": len(exported["hands"]),
                "ledger": sorted(set(ledger) - {"rebuy"}),
                "refusal": refusal,
            }
        )


async def main():
    keys = [await register(f"py_{number}") for number in range(7)]
    await play(keys[:3])
    await rest_api(keys[0])
    await lean(keys[:3])
    await bust(keys[3:5])
    await never(keys[5:7])
    await takeover(keys[:2])
    await refused()


asyncio.run(main())
