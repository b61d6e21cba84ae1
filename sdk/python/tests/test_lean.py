"""Lean frames: the player does the same as on full frames, and sees the same hands."""

import unittest

from agent_poker import KitError, Options
from agent_poker._lean import LeanReader
from agent_poker._player import Player

from frames import CONNECTED, TABLE, FakePort, LeanFrames


def line(seat, action, amount=None, street="preflop"):
    return {"seat": seat, "action": action, "amount": amount, "street": street}


RAISES = [line(0, "raise", 60), line(1, "call", 50), line(2, "fold")]
FLOP = ["2c", "7d", "Jh"]


class LeanTest(unittest.TestCase):
    def setUp(self):
        self.port, self.frames, self.reader = FakePort(), LeanFrames(), LeanReader()
        self.player = Player(self.port)

    def read(self, *frames):
        for frame in frames:
            for each in self.reader.read(frame):
                self.player.read(each)
        return self.port.take()

    def to_turn(self):
        return self.read(CONNECTED, self.frames.joined(), self.frames.hand(), self.frames.own(0))

    def to_flop(self):
        self.to_turn()
        self.player.decided("token-1", self.port.hands[0].raise_to(60))
        self.port.take()
        self.read({"type": "ack", "client_action_id": "token-1"})
        return self.read(self.frames.own(0, *RAISES, token="token-2", board=FLOP, pot=140))

    def told(self):
        return [(action.seat, action.action, action.stack, action.pot) for action in self.port.hands[-1].actions]

    def reconnect(self):
        self.player.disconnected()
        return self.read(CONNECTED)

    def test_what_follows_is_worked_out(self):
        self.to_flop()
        first, second = self.port.hands
        self.assertEqual((first.street, first.pot, first.to_call, first.position), ("preflop", 30, 20, "button"))
        self.assertEqual((first.hole, first.stacks), (("As", "Kd"), {0: 2000, 1: 1990, 2: 1980}))
        self.assertEqual((second.street, second.board, second.pot, second.bet), ("flop", tuple(FLOP), 140, 0))
        self.assertEqual(second.stacks, {0: 1940, 1: 1940, 2: 1980})
        self.assertEqual([player.folded for player in second.players], [False, False, True])
        self.assertEqual(self.told(), [(0, "raise", 1940, 90), (1, "call", 1940, 140), (2, "fold", 1980, 140)])
        self.assertEqual([(pot.amount, pot.seats) for pot in second.pots], [(140, (0, 1))])

    def test_an_answer_goes_out_again_until_it_is_acknowledged(self):
        self.to_turn()
        self.player.decided("token-1", self.port.hands[0].call())
        (answer,) = self.port.take()
        self.reconnect()
        again = self.frames.own(0)
        self.assertEqual(self.read(self.frames.hand(), again), [answer], "it may be lost")
        self.assertEqual(self.read({"type": "ack", "client_action_id": "token-1"}, self.frames.own(0)), [])
        self.assertEqual(len(self.port.hands), 1)

    def test_a_result_counts(self):
        self.to_turn()
        self.read(self.frames.end(0, line(0, "fold"), stack=2010))
        self.assertEqual((self.player.tally.hands, self.player.tally.chips), (1, 2010))

    def test_a_turn_told_again_is_the_same_turn(self):
        self.to_flop()
        self.reconnect()
        self.port.timers = {"guard": "as it was"}
        self.assertEqual(self.read(self.frames.hand(), self.frames.own(0, *RAISES, token="token-2", board=FLOP)), [])
        self.assertEqual((len(self.port.hands), self.port.timers["guard"]), (2, "as it was"), "not asked again, nor given time")

    def test_what_was_missed_is_told_once(self):
        """The turn comes in the resync and, lean, on the new socket, in either order. The clock is the resync's."""
        for is_turn_first in (True, False):
            self.setUp()
            self.to_turn()
            self.player.decided("token-1", self.port.hands[0].raise_to(60))
            self.port.take()
            ask = self.reconnect()
            self.assertEqual(ask[-1]["last_table_seq"], self.frames.seq)
            frames = self.frames
            again = frames.hand()
            frames.start()
            missed = [frames.act(0, "raise", 60), frames.act(1, "call", 50), frames.act(2, "fold", 0)]
            turn = frames.own(0, *RAISES, token="token-2", board=FLOP, pot=140) if is_turn_first else None
            answer = frames.resync(missed, token="token-2", street="flop", board=FLOP, pot=140)
            self.read(again, *([turn] if is_turn_first else []), answer)
            late = frames.own(0, *RAISES, token="token-2", board=FLOP, pot=140)
            self.read(*([] if is_turn_first else [late]))
            self.assertEqual(len(self.port.hands), 2)
            self.assertEqual([(seat, action) for seat, action, _, _ in self.told()], [(0, "raise"), (1, "call"), (2, "fold")])
            self.assertEqual(sum(pot.amount for pot in self.port.hands[-1].pots), 140)
            self.assertLess(self.port.timers["guard"], 118, "not as if it had just begun")

    def test_a_program_that_was_started_again(self):
        """The seat is held. The socket reads its hand before the player knows its seat."""
        frames = self.frames
        frames.start()
        told = [frames.act(0, "raise", 60), frames.act(1, "call", 50), frames.act(2, "fold", 0)]
        self.read(CONNECTED, frames.hand(), frames.own(0, *RAISES, token="token-2", board=FLOP, pot=140))
        seated = {"type": "error", "code": "already_seated", "message": "no", "table_id": TABLE, "seat": 0}
        self.assertEqual(self.read(seated)[-1]["last_table_seq"], None)
        self.read(frames.resync(told, token="token-2", street="flop", board=FLOP, pot=140))
        self.assertEqual(len(self.told()), 3)
        self.read(frames.own(3, line(0, "check", street="flop"), line(1, "check", street="flop"), token="token-3", board=[*FLOP, "2d"]))
        self.assertEqual(len(self.told()), 5)

    def test_where_the_server_tells_otherwise_it_is_right(self):
        self.to_flop()
        others = [RAISES[0], line(1, "fold"), line(2, "call", 40)]
        self.read(self.frames.own(0, *others, token="token-3", board=FLOP, pot=130))
        self.assertEqual([action for _, action, _, _ in self.told()], ["raise", "fold", "call"])
        self.assertEqual(self.port.hands[-1].stacks, {0: 1940, 1: 1990, 2: 1940})

    def test_what_cannot_be(self):
        self.to_turn()
        for wrong in (self.frames.own(2), self.frames.own(0, line(5, "fold")), {**self.frames.own(0), "hand_id": "other"}):
            with self.assertRaises((KeyError, ValueError)):
                self.read(wrong)

    def test_fair_deals_are_not_for_lean_bots(self):
        with self.assertRaisesRegex(KitError, "lean or nonces"):
            Options(decide=lambda hand: hand.fold(), lean=True, nonces=True)


if __name__ == "__main__":
    unittest.main()
