"""Hands of a match in memory equal the hands of a table, and a fault of `decide` costs only its turn."""

import io
import json
import math
import unittest
from contextlib import redirect_stderr
from copy import copy
from dataclasses import replace

from agent_poker._lines import LineTable
from agent_poker.env import ALL_IN, CHECK_OR_CALL, FOLD, OBSERVATION_SIZE, action_mask, observation_of
from agent_poker.errors import KitError
from agent_poker.hand import PlayedAction, Pot
from agent_poker.selfplay import HandResult, _answer, stdio_asked

FIRST = {
    "hand_id": "0-0-1",
    "seat": 1,
    "button": 0,
    "names": ["ada", "bob", "cleo"],
    "hole": ["As", "Td"],
    "street": "preflop",
    "board": [],
    "pot": 90,
    "stacks": [1940, 1990, 1980],
    "bets": [60, 10, 20],
    "actions": [{"seat": 0, "action": "raise", "amount": 60, "street": "preflop", "stack": 1940, "pot": 90}],
    "can": ["fold", "call", "raise", "all_in"],
    "to_call": 50,
    "min_raise": 100,
    "max_raise": 2000,
}
SECOND = {
    "street": "flop",
    "board": ["2c", "3d", "4h"],
    "pot": 140,
    "stacks": [1940, 1940, 1980],
    "bets": [0, 0, 0],
    "actions": [
        {"seat": 1, "action": "call", "amount": 50, "street": "preflop", "stack": 1940, "pot": 140},
        {"seat": 2, "action": "fold", "amount": None, "street": "preflop", "stack": 1980, "pot": 140},
    ],
    "can": ["check", "raise", "all_in"],
    "to_call": 0,
    "min_raise": 20,
    "max_raise": 1940,
}
HELLO = {
    "hello": {
        "version": 1,
        "seed": 5,
        "you": "bob",
        "bots": ["ada", "bob", "cleo"],
        "stack": 2000,
        "blinds": [10, 20],
        "tables": 2,
    }
}


class LineTableTest(unittest.TestCase):
    def test_a_hand_is_what_its_lines_told(self):
        table = LineTable("3", 2000, (10, 20))
        first = table.hand(FIRST)
        second = table.hand(SECOND)
        self.assertEqual((first.hand_id, first.table_id, first.seat, first.position), ("0-0-1", "3", 1, "small_blind"))
        self.assertEqual((first.hole, first.board, first.street, first.pot), (("As", "Td"), (), "preflop", 90))
        self.assertEqual((first.stack, first.bet, first.to_call, first.highest_bet), (1990, 10, 50, 60))
        self.assertEqual((first.can_check, first.can_call, first.can_fold, first.can_all_in), (False, True, True, True))
        self.assertEqual((first.small_blind, first.big_blind, first.deadline, first.time_bank_ms), (10, 20, math.inf, None))
        # The fields are computed after the second line, from the first one.
        raised = PlayedAction(0, "ada", "raise", 60, "preflop", 1940, 90, None)
        self.assertEqual(first.actions, [raised])
        self.assertFalse(any(player.folded for player in first.players))
        self.assertEqual(second.history["preflop"][0], raised)
        self.assertEqual([(a.name, a.action, a.amount) for a in second.actions[1:]], [("bob", "call", 50), ("cleo", "fold", None)])
        self.assertEqual([player.in_hand for player in second.players], [True, True, False])
        self.assertEqual(second.pots, (Pot(140, (0, 1)),))
        self.assertEqual(second.stacks, {0: 1940, 1: 1940, 2: 1980})
        self.assertEqual(second.hole, ("As", "Td"))
        again = table.hand({**FIRST, "hand_id": "0-0-2", "actions": []})
        self.assertEqual(again.actions, [])
        self.assertEqual(len(second.actions), 3, "a hand never changes")

    def test_a_hand_is_as_good_as_a_table_s(self):
        hand = LineTable("3", 2000, (10, 20)).hand(FIRST)
        self.assertEqual(hand.raise_pot(0.5).amount, 60 + 70)
        self.assertFalse(hand.is_cancelled)
        self.assertEqual(copy(hand), hand)
        self.assertEqual(replace(hand, pot=7).pot, 7)
        self.assertIn("players=(Player(", repr(hand))
        with self.assertRaises(AttributeError):
            _ = hand.nothing

    def test_numbers_for_learners(self):
        hand = LineTable("3", 2000, (10, 20)).hand(FIRST)
        numbers = observation_of(hand, 2000)
        self.assertEqual(len(numbers), OBSERVATION_SIZE)
        self.assertEqual([place for place, number in enumerate(numbers[:108]) if number], [4 * 8 + 1, 4 * 12 + 3, 104])
        self.assertEqual(numbers[108:114], [90 / 2000, 50 / 2000, 1990 / 2000, 10 / 2000, 100 / 2000, 1.0])
        self.assertEqual(numbers[114:], [1.0, 1 / 3])
        self.assertEqual(action_mask(hand), [1, 1, 1, 1, 1])
        mask = action_mask(LineTable("3", 2000, (10, 20)).hand({**FIRST, "can": ["check"]}))
        self.assertEqual((mask[FOLD], mask[CHECK_OR_CALL], mask[ALL_IN]), (0, 1, 0))


class AnswerTest(unittest.TestCase):
    def said(self, decide, *lines, on_result=None):
        target = io.StringIO()
        source = io.StringIO("".join(json.dumps(line) + "\n" for line in (HELLO, *lines)))
        report, summary = _answer(source, target, decide, on_result)
        return [json.loads(line) for line in target.getvalue().splitlines()], summary, report

    def test_many_tables_a_line(self):
        turns = [{"t": 0, "hand": FIRST}, {"t": 7, "hand": {**FIRST, "can": ["check", "raise"]}}]
        results = []
        answers, summary, report = self.said(
            lambda hand: hand.raise_to(200) if hand.can_call else hand.check(),
            {"n": 1, "decide": turns},
            {"n": 2, "decide": [{"t": 0, "hand": SECOND}], "results": [{"t": 7, "hand_id": "x", "chips": -20}]},
            {"results": [{"t": 0, "hand_id": "y", "chips": 50}]},
            {"report": {"hands": 2}},
            on_result=results.append,
        )
        self.assertEqual(answers[0], {"hello": {"version": 1}})
        actions = [{"t": 0, "action": "raise", "amount": 200}, {"t": 7, "action": "check"}]
        self.assertEqual(answers[1:], [{"n": 1, "actions": actions}, {"n": 2, "actions": [{"t": 0, "action": "check"}]}])
        self.assertEqual(results, [HandResult("x", -20), HandResult("y", 50)])
        self.assertEqual((summary.hands, summary.chips, summary.decisions, summary.faults), (2, 30, 3, 0))
        self.assertEqual(report, {"hands": 2})

    def test_a_coroutine_decides(self):
        async def decide(hand):
            return hand.call()

        answers, _, _ = self.said(decide, {"n": 1, "decide": [{"t": 0, "hand": FIRST}]})
        self.assertEqual(answers[1], {"n": 1, "actions": [{"t": 0, "action": "call"}]})

    def test_a_fault_costs_the_turn(self):
        def throws(hand):
            raise ValueError("no model")

        for decide, text in (
            (throws, "decide threw ValueError: no model (test_lines.py:"),
            (lambda hand: hand.check(), "cannot check: 50 to call"),
            (lambda hand: None, "decide returned None, which is no action"),
        ):
            with redirect_stderr(io.StringIO()) as told:
                turns = [{"n": n, "decide": [{"t": 0, "hand": FIRST}]} for n in range(1, 15)]
                answers, summary, _ = self.said(decide, *turns)
            self.assertEqual(answers[1:], [{"n": n, "actions": [{"t": 0, "action": None}]} for n in range(1, 15)])
            self.assertEqual(summary.faults, 14)
            self.assertIn(text, told.getvalue())
            self.assertEqual(len(told.getvalue().splitlines()), 10, "a flood is no help")
            self.assertIn("is silent about further ones", told.getvalue())

    def test_another_version(self):
        line = {"hello": {**HELLO["hello"], "version": 2}}
        with self.assertRaisesRegex(KitError, "speaks version 2 of the lines, this kit 1"):
            _answer(io.StringIO(json.dumps(line)), io.StringIO(), lambda hand: None, None)

    def test_what_asks_for_it(self):
        self.assertTrue(stdio_asked(["--stdio"]))
        self.assertFalse(stdio_asked(["--hands", "5"]))
