"""Mixed actions: what a bot may return, and draws that are as the dice were committed to."""

import hashlib
import unittest

from agent_poker.errors import IllegalAction
from agent_poker.fair import verify
from agent_poker.hand import Action, Mix, legal_choice

from test_hand import hand_after


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


SEEDS = [f"{seat:032x}" for seat in range(1, 7)]
PLACE = "table-1|7|"


def fair_deal(parts=(("call", 0.5), ("fold", 0.5)), number=2, seat=0):
    """A deal that shows one draw of the seat, and no card."""
    undealt, leaves = "ab" * 32, ["cd" * 32] * 17
    hashes = [sha256(f"agent-poker/dice|{PLACE}{at}|{seed}") for at, seed in enumerate(SEEDS)]
    rest = sha256(f"agent-poker/rest|{PLACE}{undealt}{''.join(hashes)}")
    root = sha256(f"agent-poker/deck|{PLACE}{''.join(leaves)}{rest}")
    nonces = [{"seat": 1, "nonce": "ef" * 32}]
    digits = sha256(f"agent-poker/draw|{root}|{SEEDS[seat]}|{number}|1:{'ef' * 32}")
    u = (int(digits[:14], 16) >> 3) / 2**53
    part = 0 if u < 0.5 else 1
    mix = {"number": number, "u": u, "part": part, "parts": [{"action": name, "p": p} for name, p in parts]}
    return {
        "table_id": "table-1",
        "hand_number": 7,
        "dealer_seat": 0,
        "seat": seat,
        "seats": [0, 1],
        "board": [],
        "shown_cards": {},
        "deck_commitment": root,
        "deal_nonces": nonces,
        "deal_proof": {"hashes": leaves, "rest": rest, "opened": []},
        "own_dice": {"seed": SEEDS[seat], "undealt": undealt, "hashes": hashes, "mixes": [mix]},
        "actions": [
            {"seat": 1, "action": "call", "amount": 20},
            {"seat": 1, "action": "call", "amount": 20},
            {"seat": seat, "action": parts[part][0], "amount": None},
        ],
    }


class DiceTest(unittest.TestCase):
    def test_a_fair_draw(self):
        self.assertEqual(verify(fair_deal()), [])
        self.assertEqual(verify({**fair_deal(), "actions": None}), [])

    def test_every_way_to_cheat_is_found(self):
        def change(**fields):
            deal = fair_deal()
            return {**deal, "own_dice": {**deal["own_dice"], **fields}}

        [mix] = fair_deal()["own_dice"]["mixes"]
        ways = {
            "not the own dice": change(seed=SEEDS[1]),
            "not the committed dice": change(undealt="00" * 32),
            "action 2: not the draw of the dice": change(mixes=[{**mix, "u": 0.25}]),
            "action 2: not the part that was drawn": change(mixes=[{**mix, "part": 1 - mix["part"]}]),
            "action 2: not the action that was played": {**fair_deal(), "actions": []},
            "action 2: another draw than was acknowledged": {
                **fair_deal(),
                "draws": [{"number": 2, "u": 0.5, "part": mix["part"]}],
            },
            "action 2: another mix than was sent": {
                **fair_deal(),
                "draws": [{**mix, "parts": [{"action": "call", "p": 1}]}],
            },
            "own dice left out": {**fair_deal(), "own_dice": None, "draws": [mix]},
        }
        for fault, deal in ways.items():
            self.assertIn(fault, verify(deal))


class MixTest(unittest.TestCase):
    def test_a_mix_of_legal_actions_is_a_choice(self):
        hand = hand_after()
        mix = Mix(((hand.call(), 0.25), (hand.raise_to(60), 0.75)))
        self.assertEqual(legal_choice(hand, mix), mix)
        said = {"mix": [{"action": "call", "p": 0.25}, {"action": "raise", "amount": 60, "p": 0.75}]}
        self.assertEqual(legal_choice(hand, said), mix)
        self.assertEqual(mix.message, said)
        self.assertEqual(legal_choice(hand, "call"), Action("call"))

    def test_what_is_no_mix_is_refused(self):
        hand = hand_after()
        call = {"action": "call", "p": 0.5}
        for parts in ([], "call", [call], [call] * 9, [{"action": "call"}], [{**call, "p": 0}, {**call, "p": 1}]):
            with self.assertRaises(IllegalAction, msg=repr(parts)):
                legal_choice(hand, {"mix": parts})
        with self.assertRaises(IllegalAction):
            legal_choice(hand, {"mix": [call, {"action": "check", "p": 0.5}]})
