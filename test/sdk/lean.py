"""
Plays the steps of Followers (follower.ts) to players of the Python kit. Prints a line of JSON for each, with its hands.
"""

import dataclasses
import json
import os
import sys

kit = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "sdk", "python")
sys.path[:0] = [os.path.join(kit, "src"), os.path.join(kit, "tests")]
from agent_poker._lean import LeanReader  # noqa: E402
from agent_poker._player import Player  # noqa: E402
from frames import FakePort  # noqa: E402

SEEN = """hand_id seat street hole board pot pots to_call stack bet button position deadline
    can_check can_call can_fold can_raise can_all_in min_raise max_raise small_blind big_blind""".split()


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def seen_by(hand):
    told = {camel(name): getattr(hand, name) for name in SEEN}
    told["pots"] = [dataclasses.asdict(pot) for pot in hand.pots]
    in_play = [player for player in hand.players if player.in_hand or player.folded]
    told["players"] = [{name: getattr(player, name) for name in ("seat", "name", "stack", "bet", "folded")} for player in in_play]
    told["actions"] = [{**dataclasses.asdict(action), "reason": None} for action in hand.actions]
    return told


class Clock(FakePort):
    time = 0.0

    def now(self):
        return self.time


def follow(steps):
    port = Clock()
    start = lambda: (LeanReader(port.now), Player(port, rebuy="never"))  # noqa: E731
    reader, player = start()
    for step in steps:
        port.time = step["now"] / 1000
        if step.get("end") == "lost":
            player.disconnected()
        elif step.get("end") == "program":
            reader, player = start()
        else:
            for frame in reader.read(step["frame"]):
                player.read(frame)
    return [seen_by(hand) for hand in port.hands]


for line in open(sys.argv[1], encoding="utf-8"):
    print(json.dumps(follow(json.loads(line))), flush=True)
