"""A hand shows the facts of the frames, and its helpers make only legal actions."""

import math
import random
import unittest
from dataclasses import replace

from agent_poker._table import Table
from agent_poker.errors import IllegalAction
from agent_poker.hand import Action, Pot, legal_action, position_of, pots_of

from frames import CALL, FOLD, OFFERS, Frames


def hand_after(*frames, offers=OFFERS):
    script = Frames()
    table = Table("table-1", 0)
    told = [script.joined(), script.start(), script.hole(), script.state()]
    told += [make(script) for make in frames]
    for frame in told:
        table.is_news(frame)
        table.tell(frame)
    return table.hand(script.turn(offers=offers), 5.0)


class TableTest(unittest.TestCase):
    def test_the_first_turn(self):
        hand = hand_after()
        self.assertEqual((hand.hole, hand.board, hand.pot), (("As", "Kd"), (), 30))
        self.assertEqual((hand.to_call, hand.stack, hand.bet, hand.min_raise, hand.max_raise), (20, 2000, 0, 40, 2000))
        self.assertEqual((hand.position, hand.button, hand.small_blind, hand.big_blind), ("button", 0, 10, 20))
        self.assertEqual(hand.stacks, {0: 2000, 1: 1990, 2: 1980})
        self.assertEqual(sum(pot.amount for pot in hand.pots), hand.pot)
        self.assertEqual([player.name for player in hand.players], ["ada", "bob", "cleo"])
        self.assertFalse(hand.can_check)
        self.assertEqual(hand.deadline, 5.0)

    def test_history_by_street_and_contributions(self):
        hand = hand_after(
            lambda f: f.act(0, "raise", 60),
            lambda f: f.act(1, "call", 50),
            lambda f: f.act(2, "call", 40),
            lambda f: f.state("flop", ["2c", "3c", "4c"], pot=180),
            lambda f: f.act(1, "raise", 100, "flop"),
            lambda f: f.state("flop", ["2c", "3c", "4c"], pot=280),
        )
        self.assertEqual([action.action for action in hand.history["preflop"]], ["raise", "call", "call"])
        self.assertEqual([action.seat for action in hand.history["flop"]], [1])
        self.assertEqual(hand.history["river"], ())
        self.assertEqual(len(hand.actions), 4)
        self.assertEqual(hand.pots, (Pot(180, (0, 1, 2)), Pot(100, (1,))))

    def test_a_hand_seen_from_its_middle_is_whole_after_a_resync(self):
        script, table = Frames(), Table("table-1", 0)
        script.joined()
        script.start()
        missed = [script.act(0, "call", 20), script.act(1, "call", 10), script.act(2, "check", 0)]
        script.bets = {0: 0, 1: 0, 2: 0}
        # After a reconnect the state comes first, without earlier streets.
        table.tell(script.state("flop", ["2c", "3c", "4c"], pot=60))
        table.tell(script.resync(missed, street="flop", board=["2c", "3c", "4c"], pot=60))
        hand = table.hand(script.turn(), 0)
        self.assertEqual([action.action for action in hand.actions], ["call", "call", "check"])
        self.assertEqual(hand.pots, (Pot(60, (0, 1, 2)),))

    def test_a_blind_that_was_posted_short(self):
        script, table = Frames(), Table("table-1", 0)
        script.joined()
        script.start()
        missed = [script.act(0, "call", 20), script.act(1, "call", 10)]
        script.stacks[2] = 0
        script.bets = {0: 0, 1: 0, 2: 0}
        table.tell(script.resync(missed, street="flop", board=["2c", "3c", "4c"], pot=47))
        self.assertEqual(table.hand(script.turn(), 0).pots, (Pot(21, (0, 1, 2)), Pot(26, (0, 1))))

    def test_what_comes_twice_counts_once(self):
        script, table = Frames(), Table("table-1", 0)
        for frame in (script.joined(), script.start(), script.hole(), script.state()):
            table.tell(frame)
        action = script.act(0, "call", 20)
        table.tell(action)
        table.lost()
        table.tell(script.resync([action], pot=50))
        self.assertEqual(len(table.hand(script.turn(), 0).actions), 1)

    def test_numbers_that_do_not_rise_are_no_news(self):
        table = Table("table-1", 0)
        self.assertTrue(table.is_news({"table_seq": 7}))
        self.assertFalse(table.is_news({"table_seq": 7}))
        self.assertTrue(table.is_news({"table_seq": 1_000_007}))

    def test_for_how_long_a_turn_has_been_open(self):
        script, table = Frames(), Table("table-1", 0)
        for frame in (script.joined(), script.start(), script.hole()):
            table.tell(frame)
        snapshot = script.resync(token="token-1")["snapshot"]
        self.assertEqual(table.open_for(snapshot), 2.0)  # the start has :02, the snapshot :04


class HelpersTest(unittest.TestCase):
    def test_raises_are_brought_into_what_is_allowed(self):
        hand = hand_after()
        totals = {1: 40, 40: 40, 100.5: 101, 99.4: 99, 5000: 2000, math.inf: 2000, -math.inf: 40}
        for asked, total in totals.items():
            self.assertEqual(hand.raise_to(asked), Action("raise", total))
        self.assertEqual(hand.raise_by(80), Action("raise", 100))
        self.assertEqual(hand.raise_pot(), Action("raise", 70))
        self.assertEqual(hand.raise_pot(0.5), Action("raise", 45))
        with self.assertRaises(IllegalAction):
            hand.raise_to(math.nan)

    def test_where_no_raise_is_offered(self):
        hand = hand_after(offers=[FOLD, CALL, {"action": "all_in", "amount": 2000}])
        self.assertEqual(hand.raise_to(100), Action("call"))
        self.assertEqual(hand.raise_to(2000), Action("all_in"))
        short = replace(hand, to_call=2000)
        self.assertEqual(short.raise_to(9999), Action("call"))
        self.assertEqual(replace(hand, can_call=False, can_check=True).raise_to(100), Action("check"))

    def test_check_call_fold_and_all_in(self):
        free = hand_after(offers=[{"action": "check"}])
        self.assertEqual([free.check(), free.call(), free.fold(), free.all_in()], [Action("check")] * 4)
        bet = hand_after(offers=[FOLD, CALL])
        self.assertEqual([bet.call(), bet.fold(), bet.all_in()], [Action("call"), Action("fold"), Action("call")])
        with self.assertRaises(IllegalAction):
            bet.check()

    def test_answers_of_decide(self):
        hand = hand_after()
        good = [Action("call"), {"action": "raise", "amount": 60.0}, "fold"]
        self.assertEqual([legal_action(hand, each) for each in good], [Action("call"), Action("raise", 60), Action("fold")])
        bad = ["check", "bet", None, 7, {}, {"action": "raise"}, {"action": "raise", "amount": True}, Action("raise", 39)]
        bad += [{"action": "raise", "amount": 60.5}, {"action": "raise", "amount": math.nan}, {"action": []}, Action("raise", 2001)]
        bad += [{"action": "raise", "amount": math.inf}]
        for each in bad:
            with self.assertRaises(IllegalAction, msg=repr(each)):
                legal_action(hand, each)


class PotsTest(unittest.TestCase):
    def test_side_pots(self):
        self.assertEqual(pots_of({0: 50, 1: 100, 2: 100}, []), (Pot(150, (0, 1, 2)), Pot(100, (1, 2))))
        self.assertEqual(pots_of({0: 50, 1: 100, 2: 100}, [2]), (Pot(150, (0, 1)), Pot(100, (1,))))
        self.assertEqual(pots_of({0: 50, 1: 120, 2: 20}, [1]), (Pot(60, (0, 2)), Pot(130, (0,))))
        self.assertEqual(pots_of({}, []), ())

    def test_no_chip_is_lost(self):
        dice = random.Random(7)
        for _ in range(500):
            put_in = {seat: dice.choice((0, 10, 20, 50, 200)) for seat in range(dice.randint(2, 6))}
            folded = [seat for seat in put_in if dice.random() < 0.4]
            pots = pots_of(put_in, folded)
            if any(put_in[seat] > 0 for seat in put_in if seat not in folded):
                self.assertEqual(sum(pot.amount for pot in pots), sum(put_in.values()))
            for pot in pots:
                self.assertFalse(set(pot.seats) & set(folded))

    def test_positions(self):
        self.assertEqual([position_of(seat, 3, [0, 3]) for seat in (3, 0)], ["button", "big_blind"])
        self.assertEqual(position_of(2, 0, [0, 1, 2, 3, 4, 5]), "big_blind")
        self.assertEqual(position_of(5, 0, [0, 1, 2, 3, 4, 5]), "cutoff")
        self.assertIsNone(position_of(4, 0, [0, 1]))


if __name__ == "__main__":
    unittest.main()
