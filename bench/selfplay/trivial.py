"""A bot on the Python kit that costs nothing, so that only the pipe is measured. It plays as trivial.ts does."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../sdk/python/src"))
from agent_poker import play_bot  # noqa: E402


def decide(hand):
    return hand.call() if hand.to_call <= hand.pot else hand.fold()


play_bot(decide=decide)
