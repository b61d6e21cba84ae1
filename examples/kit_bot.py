"""A bot on the Python kit (docs/guides/kits.md): python3 examples/kit_bot.py. It takes BASE_URL, WS_URL, API_KEY and NAME from
the environment; HANDS makes it leave after so many. In a project of your own the kit is installed, and its path is not
needed."""
import os, pathlib, random, sys

sys.path.append(str(pathlib.Path(__file__).parents[1] / "sdk/python/src"))
try:
    from agent_poker import play_bot
except ImportError as error:
    sys.exit(f"the package `{error.name}` is missing: pip install websockets httpx")


def decide(hand):
    if hand.can_raise and random.random() < 0.15:
        return hand.raise_pot(0.5)
    return hand.call() if hand.to_call <= hand.pot / 2 else hand.fold()


summary = play_bot(decide=decide, hands=int(os.environ.get("HANDS", 0)) or None)
print(f"{summary.hands} hands, {summary.chips} chips: {summary.reason}")
