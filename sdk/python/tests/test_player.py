"""A player's reactions to frames, without sockets and clocks."""

import unittest

from agent_poker._player import Player
from agent_poker.hand import Action

from frames import CONNECTED, IN_LOBBY, OFFERS, SEASON_ENDED, FakePort, Frames, ack, error, rejected

JOIN = {"type": "join_lobby"}
LEAVE = {"type": "leave_table"}


def action(name, amount=None, token="token-1", suffix="", hand="hand-1"):
    ids = {"client_action_id": token + suffix, "turn_token": token, "hand_id": hand}
    return {"type": "action", "action": name, **({} if amount is None else {"amount": amount}), **ids}


class PlayerTest(unittest.TestCase):
    def setUp(self):
        self.make()

    def make(self, **options):
        self.port, self.frames = FakePort(), Frames()
        self.player = Player(self.port, **options)

    def read(self, *frames):
        for frame in frames:
            self.player.read(frame)
        return self.port.take()

    def to_turn(self):
        """Connects, takes a seat and reads the first turn."""
        return self.read(CONNECTED, *self.frames.to_turn())

    def reconnect(self):
        self.player.disconnected()
        return self.read(CONNECTED)

    # ---- turns

    def test_joins_and_answers_a_turn_once(self):
        self.assertEqual(self.to_turn(), [JOIN])
        self.player.decided("token-1", self.port.hands[0].raise_to(60))
        self.assertEqual(self.port.take(), [action("raise", 60)])
        self.player.decided("token-1", Action("fold"))
        told_again = self.frames.turn()
        self.assertEqual(self.read(told_again, ack(self.frames), self.frames.turn()), [])
        self.assertEqual(len(self.port.hands), 1)

    def test_the_buy_in_is_asked_for(self):
        self.make(buy_in=3000)
        self.assertEqual(self.read(CONNECTED), [{**JOIN, "buy_in": 3000}])

    def test_what_decide_may_not_do_is_told_and_made_safe(self):
        self.to_turn()
        self.player.decided("token-1", {"action": "raise", "amount": 1})
        self.assertEqual(self.port.take(), [action("fold")])
        self.assertEqual(self.port.warnings(), ["decide"])

    def test_a_decide_that_throws(self):
        self.to_turn()
        fault = ZeroDivisionError("oh")
        self.player.decided("token-1", None, fault)
        self.assertEqual(self.port.take(), [action("fold")])
        self.assertIs(self.port.told[0][1]["error"], fault)

    def test_a_late_decide_is_answered_for_before_the_clock_does(self):
        self.to_turn()
        self.assertEqual(self.port.timers, {"guard": 118.0})
        self.assertEqual(self.port.hands[0].deadline, (1000 + 118) * 1000)
        self.player.ring("guard")
        self.assertEqual(self.port.take(), [action("fold")])
        self.assertEqual(self.port.warnings(), ["late"])
        self.assertTrue(self.port.hands[0].is_cancelled)
        self.player.decided("token-1", Action("call"))
        self.assertEqual(self.port.take(), [], "the late answer is dropped")

    def test_the_clock_that_is_told(self):
        for options, told, left in (({}, {"deadline_ms": 5000, "time_bank_ms": None}, 4.0), ({"turn_seconds": 20}, {}, 18.0), ({"reserve": 1}, {}, 119.0)):
            self.make(**options)
            self.read(CONNECTED, *self.frames.to_turn()[:-1], self.frames.turn(**told))
            self.assertEqual(self.port.timers["guard"], left)

    def test_a_new_turn_or_hand_ends_the_old_decision(self):
        self.to_turn()
        self.read(self.frames.turn("token-2"))
        self.assertTrue(self.port.hands[0].is_cancelled)
        self.player.decided("token-1", Action("call"))
        self.assertEqual(self.port.take(), [])
        self.player.decided("token-2", Action("call"))
        self.assertEqual(self.port.take(), [action("call", token="token-2")])
        self.read(self.frames.turn("token-3"), self.frames.start("hand-2"))
        self.assertTrue(self.port.hands[2].is_cancelled)
        self.assertNotIn("guard", self.port.timers)

    def test_a_state_without_the_hand_of_the_turn_ends_the_decision(self):
        self.to_turn()
        self.read(self.frames.state())
        self.assertFalse(self.port.hands[0].is_cancelled, "its own hand goes on")
        self.read(self.frames.state(hand_id=None, street="idle", board=[]))
        self.assertTrue(self.port.hands[0].is_cancelled)
        self.assertNotIn("guard", self.port.timers)
        self.player.decided("token-1", Action("call"))
        self.assertEqual(self.port.take(), [], "the hand is void")

    def test_a_refused_action_is_made_safe_once(self):
        self.to_turn()
        self.player.decided("token-1", Action("call"))
        self.port.take()
        self.assertEqual(self.read(rejected(self.frames, "invalid_action", "another")), [])
        self.assertEqual(self.read(rejected(self.frames, "invalid_action")), [action("fold", suffix="-safe")])
        self.assertEqual(self.read(rejected(self.frames, "invalid_action", "token-1-safe")), [])

    def test_all_other_rejections_say_that_the_turn_went_on(self):
        self.to_turn()
        self.player.decided("token-1", Action("call"))
        self.port.take()
        for code in ("stale_turn_token", "not_your_turn", "stale_hand_action", "action_id_conflict", "no_hand_in_progress"):
            self.assertEqual(self.read(rejected(self.frames, code)), [], code)
        self.assertEqual(set(self.port.warnings()), {"rejected"})
        self.assertEqual(self.read(rejected(self.frames, "not_at_table")), [JOIN])

    def test_a_clock_that_ran_out_is_told(self):
        self.to_turn()
        self.read(self.frames.act(0, "fold", 0, reason="timeout"))
        self.assertEqual(self.port.warnings(), ["timeout"])
        self.assertTrue(self.port.hands[0].is_cancelled)

    def test_a_turn_whose_state_never_came_asks_for_it(self):
        self.read(CONNECTED, self.frames.joined(), self.frames.start())
        asked = self.read(self.frames.turn())
        self.assertEqual(asked, [{"type": "resync_request", "table_id": "table-1", "last_table_seq": 3}])
        self.read(self.frames.resync(token="token-1"))
        self.assertEqual(len(self.port.hands), 1)

    # ---- lost connections

    def test_a_lost_answer_goes_out_again_as_it_was(self):
        self.to_turn()
        self.player.decided("token-1", Action("call"))
        first = self.port.take()
        self.assertEqual(self.reconnect(), [{"type": "resync_request", "table_id": "table-1", "last_table_seq": 5}])
        self.assertEqual(self.read(self.frames.state(), self.frames.turn()), first)
        self.assertEqual(self.read(self.frames.resync(token="token-1")), [], "once a connection")
        self.assertEqual(self.read(ack(self.frames)), [])
        self.assertEqual(self.port.warnings(), [])

    def test_an_answer_made_between_two_connections(self):
        self.to_turn()
        self.player.disconnected()
        self.port.is_open = False
        self.player.decided("token-1", Action("call"))
        self.port.is_open = True
        self.read(CONNECTED)
        self.assertEqual(self.read(self.frames.turn()), [action("call")])

    def test_an_acknowledged_answer_is_not_sent_again(self):
        self.to_turn()
        self.player.decided("token-1", Action("call"))
        self.read(ack(self.frames))
        self.reconnect()
        self.assertEqual(self.read(self.frames.resync(token="token-1")), [])

    def test_a_turn_that_went_on_meanwhile_is_forgotten(self):
        self.to_turn()
        self.player.decided("token-1", Action("call"))
        self.reconnect()
        self.assertEqual(self.read(self.frames.resync([self.frames.act(0, "call", 20)])), [])
        self.assertEqual(self.read(self.frames.turn("token-2")), [])
        self.assertEqual(len(self.port.hands[1].actions), 1)

    def test_a_new_turn_waits_for_what_was_missed_and_keeps_its_clock(self):
        self.to_turn()
        self.player.decided("token-1", Action("call"))
        self.reconnect()
        missed = [self.frames.act(0, "call", 20), self.frames.act(1, "raise", 90), self.frames.act(2, "fold", 0)]
        self.frames.seq += 30
        self.read(self.frames.turn("token-2"))
        self.assertEqual(len(self.port.hands), 1)
        self.read(self.frames.resync(missed, token="token-2"))
        self.assertEqual([each.action for each in self.port.hands[1].actions], ["call", "raise", "fold"])
        self.assertEqual(self.port.timers["guard"], 118.0 - 32)

    def test_a_seat_that_is_gone(self):
        self.to_turn()
        self.reconnect()
        self.assertEqual(self.read(self.frames.resync(role="spectator")), [JOIN])
        self.read(self.frames.joined())
        self.assertEqual(self.reconnect()[0]["type"], "resync_request")
        self.assertEqual(self.read(error("table_not_found")), [JOIN])

    def test_a_seat_it_did_not_know_of(self):
        self.read(CONNECTED)
        self.frames.start()
        asked = self.read(error("already_seated", table_id="table-1", seat=0))
        self.assertEqual(asked, [{"type": "resync_request", "table_id": "table-1", "last_table_seq": None}])
        self.read(self.frames.resync(token="token-1"))
        self.assertEqual(self.port.hands[0].hand_id, "hand-1")

    def test_hands_that_ended_meanwhile_count_once(self):
        self.to_turn()
        self.reconnect()
        result = self.frames.result(2500)
        self.read(result, self.frames.resync([result]))
        self.assertEqual((self.player.tally.hands, self.player.tally.chips), (1, 2500))

    def test_a_gap_is_no_loss(self):
        self.read(CONNECTED, self.frames.joined(), self.frames.start())
        self.frames.seq += 500
        self.assertEqual(self.read(self.frames.hole(), self.frames.state(), self.frames.turn()), [])

    # ---- limits

    def test_what_was_dropped_is_said_again(self):
        self.to_turn()
        self.player.decided("token-1", Action("call"))
        first = self.port.take()
        self.read(error("rate_limited"))
        self.assertEqual(self.port.timers["again"], 1.0)
        self.player.ring("again")
        self.assertEqual(self.port.take(), first)
        self.make()
        self.read(CONNECTED, error("rate_limited"))
        self.player.ring("again")
        self.assertEqual(self.port.take(), [JOIN])

    def test_a_dropped_resync_asks_from_the_same_number(self):
        self.to_turn()
        asked = self.reconnect()
        self.read(self.frames.state(), error("rate_limited"))
        self.player.ring("again")
        self.assertEqual(self.port.take(), asked)

    def test_a_flood_warning_slows_it_down(self):
        self.to_turn()
        self.read(error("flood_warning"))
        self.assertTrue(self.port.is_slow)

    def test_not_now_is_asked_again(self):
        for code in ("no_active_season", "season_error", "season_buy_in_failed", "lobby_full"):
            self.make()
            self.read(CONNECTED, error(code))
            self.assertEqual(self.port.timers["again"], 2.0)
            self.player.ring("again")
            self.assertEqual(self.port.take(), [JOIN])

    # ---- the end of a stay

    def test_whatever_ends_a_stay_it_joins_again(self):
        for end in (
            lambda f: f.event("player_left", seat=0, reason="left"),
            lambda f: f.event("table_closed", reason="insufficient_players"),
            lambda f: {"type": "season_ended"},
        ):
            self.make()
            self.to_turn()
            self.assertEqual(self.read(self.frames.event("player_left", seat=1, reason="left")), [])
            self.assertEqual(self.read(end(self.frames)), [JOIN])
            self.assertTrue(self.port.hands[0].is_cancelled)

    def test_one_join_at_a_time(self):
        self.to_turn()
        self.player.decided("token-1", Action("call"))
        self.read()
        self.assertEqual(self.read(self.frames.event("table_closed", reason="season_ended")), [JOIN])
        stale = rejected(self.frames, "table_not_found")
        self.assertEqual(self.read(stale, SEASON_ENDED, error("table_not_found")), [], "its answer is still to come")
        self.assertEqual(self.read(IN_LOBBY, error("not_at_table")), [])
        self.player.ring("again")
        self.assertEqual(self.port.take(), [], "it is in line")
        self.assertEqual(self.read(SEASON_ENDED), [JOIN], "in line for what is over")
        self.read(error("already_in_lobby"))
        self.assertEqual(self.reconnect(), [JOIN], "a lost connection loses the place")
        self.read(error("rate_limited"))
        self.player.ring("again")
        self.assertEqual(self.port.take(), [JOIN], "it may have been the join that was dropped")

    def test_a_late_word_of_the_lobby_hinders_nothing(self):
        self.read(CONNECTED, self.frames.joined(), IN_LOBBY)
        self.assertEqual(self.read(self.frames.event("table_closed", reason="insufficient_players")), [JOIN])

    def test_a_seat_is_told_once(self):
        self.to_turn()
        self.reconnect()
        self.read(error("already_seated", table_id="table-1", seat=0), self.frames.joined())
        self.assertEqual(self.port.lines, ["sits at table table-1, seat 0"])

    def test_it_leaves_after_so_many_hands(self):
        self.make(hands=1)
        self.to_turn()
        self.assertEqual(self.read(self.frames.result()), [LEAVE])
        self.assertEqual(self.read(self.frames.start("hand-2"), self.frames.state(), self.frames.turn("token-2")), [])
        # Without a pause between hands the server deals the next hand before it reads the leave, and passes the turn.
        self.frames.stacks[0] = 7
        self.assertEqual(self.read(self.frames.result(), self.frames.start("hand-3")), [])
        self.assertEqual((self.player.tally.hands, self.player.tally.chips), (1, 2000))
        self.assertEqual(self.reconnect(), [{"type": "resync_request", "table_id": "table-1", "last_table_seq": 11}, LEAVE])
        self.assertEqual(self.read(self.frames.event("player_left", seat=0, reason="left")), [])
        self.assertEqual(self.player.reason, "hands")

    def test_a_leave_that_finds_no_seat(self):
        self.to_turn()
        self.player.leave()
        self.read(error("leave_pending"))  # the server gave the seat up first: no warning
        self.assertEqual(self.port.warnings(), [])
        self.read(error("not_at_table"))
        self.assertEqual(self.player.reason, "left")
        self.make()
        self.player.leave()
        self.assertEqual(self.player.reason, "left")

    def test_a_seat_that_comes_after_the_leave_is_given_up(self):
        self.make(hands=1)
        self.to_turn()
        self.read(self.frames.result(), error("rate_limited"))
        self.player.ring("again")
        self.assertEqual(self.port.take(), [LEAVE])

    # ---- chips

    def bust(self, *options):
        self.to_turn()
        self.assertEqual(self.read(self.frames.event("player_left", seat=0, reason="busted")), [])
        return self.read({"type": "busted", "options": list(options)})

    def test_a_bust_is_bought_out_of(self):
        [asked] = self.bust("rebuy", "leave")
        self.assertEqual((asked["type"], asked["amount"]), ("rebuy", 0))
        self.assertEqual(self.reconnect(), [asked], "the answer may be lost: the same question")
        self.assertEqual(self.read({"type": "rebuy_confirmed", "chip_balance": 1500, "new_stack": 0}), [JOIN])

    def test_a_cooldown_is_waited_for(self):
        [asked] = self.bust("rebuy")
        self.read(error("rebuy_cooldown", cooldown_seconds=600, rebuy_at="2026-01-01T00:10:00+00:00"))
        self.assertEqual(self.port.timers["again"], 600.0)
        self.player.ring("again")
        self.assertEqual(self.port.take(), [asked])

    def test_chips_that_are_left_are_played(self):
        self.assertEqual(self.bust("leave"), [JOIN])
        self.assertEqual(self.read(error("insufficient_season_chips"))[0]["type"], "rebuy")
        self.read(error("not_at_table"))
        self.player.ring("again")
        self.assertEqual(self.port.take(), [JOIN])

    def test_never_ends_it(self):
        self.make(rebuy="never")
        self.assertEqual(self.bust("rebuy", "leave"), [])
        self.assertEqual(self.player.reason, "busted")

    def test_a_function_says_whether(self):
        self.make(rebuy=lambda offer: True)
        self.assertEqual(self.bust("rebuy", "leave"), [])
        self.assertEqual(self.port.offers, [{"options": ["rebuy", "leave"], "hands": 0}])
        self.assertEqual(self.reconnect(), [], "it waits for the function")
        self.player.rebuy_decided(True)
        self.assertEqual(self.port.take()[0]["type"], "rebuy")
        self.make(rebuy=lambda offer: False)
        self.bust("rebuy")
        self.player.rebuy_decided(False)
        self.assertEqual(self.player.reason, "busted")
        with self.assertRaises(ValueError):
            Player(FakePort(), rebuy="sometimes")

    def test_a_rebuy_keeps_it_from_joining(self):
        [asked] = self.bust("rebuy")
        self.assertEqual(self.read(rejected(self.frames, "table_not_found")), [], "of before the bust")
        self.assertEqual(self.reconnect(), [asked])

    def test_a_season_that_ends_settles_what_was_asked(self):
        for said in (True, False):
            self.make(rebuy=lambda offer: True)
            self.bust("rebuy")
            self.assertEqual(self.read(SEASON_ENDED), [JOIN])
            self.player.rebuy_decided(said)
            self.assertEqual((self.port.take(), self.player.reason), ([], None), "nobody needs it any more")
        self.make()
        self.bust("rebuy")
        self.read(SEASON_ENDED, error("invalid_rebuy"))
        self.assertIsNone(self.player.reason, "an answer of the season before")

    def test_none_left_ends_it(self):
        self.bust("rebuy")
        self.read(error("invalid_rebuy"))
        self.assertEqual(self.player.reason, "busted")

    def test_an_unverified_address_is_waited_for(self):
        [asked] = self.bust("rebuy")
        self.read(error("email_not_verified"))
        self.assertEqual(self.port.timers["again"], 60.0)

    def test_competitions(self):
        self.make(in_competition=True)
        self.to_turn()
        self.assertEqual(self.read({"type": "season_ended"}), [], "not its own")
        self.read(self.frames.event("table_closed", reason="competition_ended"))
        self.assertEqual(self.player.reason, "competition_ended")
        self.make(in_competition=True)
        self.read(CONNECTED, error("no_active_season"))
        self.assertEqual(self.player.reason, "competition_ended")

    def test_unknown_types_and_fields_are_ignored(self):
        self.to_turn()
        self.assertEqual(self.read({"type": "weather", "rain": True}, self.frames.event("table_weather", rain=1)), [])
        self.assertEqual(len(OFFERS), 4)


if __name__ == "__main__":
    unittest.main()
