"""A whole bot against a server that the test plays: sockets, decisions, hooks, and its end."""

import asyncio
import json
import os
import tempfile
import threading
import time
import unittest
from unittest import mock

from agent_poker import ApiError, Bot, KitError, Options, play_bot, run_bot
from agent_poker.connection import Connection

from frames import CONNECTED, Frames, LeanFrames, error
from servers import HttpServer, SocketServer


def check_or_fold(hand):
    return hand.fold()


class Seated:
    """A bot at its first turn."""

    def __init__(self, clock=None, **options):
        self.clock = {} if clock is None else {"deadline_ms": int(clock * 1000), "time_bank_ms": None}
        self.options = {"decide": check_or_fold, "api_key": "ap_secret", "url": "http://127.0.0.1:1", **options}
        self.logged = []
        self.options["on"] = {"log": self.logged.append, **self.options.get("on", {})}
        self.frames = Frames()

    async def __aenter__(self):
        self.server = await SocketServer().__aenter__()
        self.bot = Bot(Options(**{"ws_url": self.server.url, **self.options}))
        self.run = asyncio.ensure_future(self.bot.run())
        self.talk = await self.server.talk(self.run)
        await self.talk.say(CONNECTED)
        self.first = await self.talk.heard()
        await self.talk.say(*self.frames.to_turn(**self.clock))
        return self

    async def __aexit__(self, *_):
        self.run.cancel()
        await asyncio.gather(self.run, return_exceptions=True)
        await self.server.__aexit__()

    def texts(self, level="warn"):
        return [record.text for record in self.logged if record.level == level]


class DecisionTest(unittest.IsolatedAsyncioTestCase):
    async def test_plain_functions_coroutines_and_what_returns_one(self):
        async def slow(hand):
            await asyncio.sleep(0)
            return hand.raise_to(60)

        for decide in (lambda hand: hand.raise_to(60), slow, lambda hand: slow(hand), lambda hand: {"action": "raise", "amount": 60}):
            async with Seated(decide=decide) as seated:
                answer = await seated.talk.heard()
                self.assertEqual((answer["action"], answer["amount"]), ("raise", 60))
                self.assertEqual(seated.first, {"type": "join_lobby"})
                self.assertEqual(seated.talk.authorization, "Bearer ap_secret")

    async def test_faults_of_decide_are_told_and_cost_no_turn(self):
        def stop(hand):
            raise StopIteration

        async def give_up(hand):
            raise asyncio.CancelledError

        for decide in (lambda hand: 1 / 0, stop, give_up, lambda hand: "dance"):
            warnings = []
            async with Seated(decide=decide, on={"warning": warnings.append}) as seated:
                self.assertEqual((await seated.talk.heard())["action"], "fold")
                self.assertEqual([each["kind"] for each in warnings], ["decide"])

    async def test_a_decide_that_blocks_holds_nothing_up(self):
        release = threading.Event()
        hands = []

        def decide(hand):
            hands.append(hand)
            if len(hands) == 1:
                release.wait(60)
            return hand.call()

        async with Seated(decide=decide, clock=0.5) as seated:
            frames = seated.frames
            self.assertEqual((await seated.talk.heard())["action"], "fold", "the guard answers")
            self.assertTrue(hands[0].is_cancelled)
            release.set()
            await seated.talk.say(frames.act(0, "fold", 0), frames.result(), frames.start("hand-2"))
            await seated.talk.say(frames.state(), frames.turn("token-2"))
            answer = await seated.talk.heard()
            self.assertEqual((answer["action"], answer["turn_token"]), ("call", "token-2"), "one after the other")

    async def test_a_coroutine_that_is_late_is_cancelled(self):
        ended = asyncio.Event()

        async def decide(hand):
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        async with Seated(decide=decide, clock=0.1) as seated:
            self.assertEqual((await seated.talk.heard())["action"], "fold")
            await ended.wait()

    async def test_the_worker_thread_goes_with_the_bot(self):
        async with Seated() as seated:
            await seated.talk.heard()
        for _ in range(1000):
            if not any(thread.name == "decide" for thread in threading.enumerate()):
                return
            await asyncio.sleep(0.01)
        self.fail("the thread lives on")


class HooksTest(unittest.IsolatedAsyncioTestCase):
    async def test_every_message_and_event_has_its_hook(self):
        seen = []
        kinds = ("connected", "your_turn", "decision", "connection", "weather")
        async with Seated(on={kind: lambda about, kind=kind: seen.append(kind) for kind in kinds}) as seated:
            await seated.talk.heard()
            await seated.talk.say({"type": "weather"}, error("rate_limited"))
            await seated.talk.heard()
        self.assertEqual(seen, ["connection", "connected", "your_turn", "decision", "weather"])

    async def test_a_hook_that_throws_is_told_and_stops_nothing(self):
        async def later(_):
            raise ValueError("later")

        def at_once(_):
            raise ValueError("at once")

        with mock.patch("sys.stderr"):
            async with Seated(on={"hand_start": at_once, "hole_cards": later}) as seated:
                self.assertEqual((await seated.talk.heard())["action"], "fold")
                texts = seated.texts("error")
        self.assertEqual(len([text for text in texts if "at once" in text]), 1)
        self.assertEqual(len([text for text in texts if "later" in text]), 1)

    async def test_what_throws_is_told_with_file_and_line(self):
        def broken(_):
            raise ValueError("no hook")

        place = r"\(test_bot\.py:\d+\)$"
        with mock.patch("sys.stderr") as stderr:
            async with Seated(on={"hand_start": broken}, decide=lambda hand: 1 / 0) as seated:
                await seated.talk.heard()
                self.assertRegex(seated.texts("error")[0], "^the handler of hand_start threw ValueError: no hook " + place)
                self.assertRegex(seated.texts()[0], "^decide threw ZeroDivisionError: division by zero " + place)
                self.assertEqual(stderr.write.call_count, 0, "the log has its own handler")

    async def test_warnings_are_noted_for_who_examines_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "warnings")
            with mock.patch.dict(os.environ, {"AGENT_POKER_WARNINGS": path}):
                async with Seated(decide=lambda hand: "ap_secret") as seated:
                    await seated.talk.heard()
            with open(path, encoding="utf-8") as file:
                noted = [json.loads(line) for line in file]
        self.assertEqual(noted, [{"kind": "decide", "text": "decide returned '<key>', which is no action"}])

    async def test_a_frame_that_it_cannot_read_is_told(self):
        warnings = []
        async with Seated(on={"warning": warnings.append}) as seated:
            await seated.talk.heard()
            await seated.talk.socket.send("no json")
            await seated.talk.say([], {"no": "type"}, {"type": "error"}, {"type": "rebuy_confirmed"}, error("rate_limited"))
            await seated.talk.heard()
        self.assertEqual([each["kind"] for each in warnings], ["frame"] * 4 + ["rate_limited"])

    async def test_the_key_is_in_no_log(self):
        async with Seated() as seated:
            seated.bot.log("info", "x", "the key ap_secret", fields="ap_secret")
            self.assertEqual((seated.logged[-1].text, seated.logged[-1].fields), ("the key <key>", {"fields": "<key>"}))

    async def test_a_rebuy_function(self):
        async def wanted(offer):
            return offer["hands"] > 0

        async with Seated(rebuy=wanted) as seated:
            await seated.talk.heard()
            frames = seated.frames
            await seated.talk.say(frames.event("player_left", seat=0, reason="busted"), {"type": "busted", "options": ["rebuy"]})
            self.assertEqual((await seated.run).reason, "busted")


class EndTest(unittest.IsolatedAsyncioTestCase):
    async def test_codes_that_are_final(self):
        for code, reason in ((4001, "refused"), (4002, "taken_over"), (4003, "token_expired"), (4009, "other_scope")):
            async with Seated() as seated:
                await seated.talk.close(code)
                summary = await seated.run
                self.assertEqual((summary.reason, summary.close_code, summary.hands), (reason, code, 0))

    async def test_after_1008_it_comes_back_not_at_once_and_says_less(self):
        changes = []
        with mock.patch.object(Connection, "slow_down", autospec=True) as slowed:
            async with Seated(on={"connection": changes.append}) as seated:
                await seated.talk.heard()
                await seated.talk.close(1008)
                again = await seated.server.talk(seated.run)
                self.assertEqual((changes[1].state, changes[1].code), ("lost", 1008))
                self.assertGreaterEqual(changes[1].retry_in_ms, 1000)
                slowed.assert_called_once()
                await again.say(CONNECTED)
                self.assertEqual((await again.heard())["type"], "resync_request")

    async def test_any_other_end_of_a_connection_is_followed_by_another(self):
        for end in (lambda talk: talk.close(1012), lambda talk: talk.close(1000), lambda talk: asyncio.sleep(0, talk.cut())):
            async with Seated() as seated:
                answer = await seated.talk.heard()
                await end(seated.talk)
                again = await seated.server.talk(seated.run)
                await again.say(CONNECTED)
                self.assertEqual((await again.heard())["type"], "resync_request")
                await again.say(seated.frames.turn())
                self.assertEqual(await again.heard(), answer, "the same under the same id")

    async def test_a_new_bot_token_is_asked_for(self):
        tokens = iter(["bt_1", "bt_2"])
        async with Seated(bot_token=lambda: next(tokens)) as seated:
            self.assertEqual(seated.talk.authorization, "Bearer bt_1")
            await seated.talk.close(4003)
            again = await seated.server.talk(seated.run)
            self.assertEqual(again.authorization, "Bearer bt_2")

    async def test_it_leaves_when_it_is_told_to(self):
        async with Seated() as seated:
            await seated.talk.heard()
            seated.bot.leave()
            self.assertEqual(await seated.talk.heard(), {"type": "leave_table"})
            await seated.talk.say(seated.frames.event("player_left", seat=0, reason="left"))
            self.assertEqual((await seated.run).reason, "left")
            await seated.talk.over.wait()
            self.assertEqual(seated.talk.socket.close_code, 1000)

    async def test_cancelling_it_ends_all_of_it(self):
        async with Seated(decide=lambda hand: asyncio.Event().wait()) as seated:
            await asyncio.sleep(0)
            seated.run.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await seated.run
            await seated.talk.over.wait()
            mine = {asyncio.current_task()}
            left = [task for task in asyncio.all_tasks() - mine if "agent_poker" in repr(task)]
            self.assertEqual(left, [])

    async def test_a_fault_of_the_kit_ends_it_aloud(self):
        async with Seated() as seated:
            await seated.talk.heard()
            with mock.patch("agent_poker._player.Player.ring", side_effect=RuntimeError("a fault")):
                seated.bot.later("again", 0)
                with self.assertRaisesRegex(RuntimeError, "a fault"):
                    await seated.run


class ConnectingTest(unittest.IsolatedAsyncioTestCase):
    async def first_change(self, answer):
        """The bot's reaction to this answer to an upgrade."""
        changes = asyncio.Queue()
        async with HttpServer(answer) as server:
            url = server.url.replace("http", "ws")
            connection = Connection(url, lambda: "key", False, lambda text: None, changes.put_nowait)
            run, change = asyncio.ensure_future(connection.run()), asyncio.ensure_future(changes.get())
            await asyncio.wait((run, change), return_when=asyncio.FIRST_COMPLETED)
            if run.done():
                change.cancel()
                return run.result()
            connection.stop()
            run.cancel()
            await asyncio.gather(run, return_exceptions=True)
            return change.result()

    async def test_refusals_that_pass(self):
        for answer, least in (((429, {"Retry-After": "7"}, {}), 7), ((429, {}, {}), 1), ((503, {}, {}), 1), (None, 0)):
            change = await self.first_change(answer)
            self.assertEqual(change.state, "lost")
            self.assertGreaterEqual(change.retry_in_ms, 1000 * least)
            self.assertLess(change.retry_in_ms, 1000 * least + 250)

    async def test_refusals_that_do_not(self):
        for status in (400, 401, 404, 426):
            with self.assertRaisesRegex(KitError, f"answers {status}"):
                await self.first_change((status, {}, {}))

    async def test_addresses_that_are_none(self):
        with self.assertRaises(KitError):
            await Connection("nowhere", lambda: "key", False, lambda text: None, lambda change: None).run()


class LeanTest(unittest.IsolatedAsyncioTestCase):
    async def test_lean_frames_are_offered_and_read(self):
        frames = LeanFrames()
        async with Seated(lean=True, decide=lambda hand: hand.raise_to(60)) as seated:
            self.assertEqual(seated.talk.offered, "agent-poker.lean.1, agent-poker")
            self.assertEqual((await seated.talk.heard())["amount"], 60, "by a server that does not know them, in full")
            frames.seq = seated.frames.seq
            await seated.talk.say(frames.hand("hand-2"), frames.own(0, token="token-2"))
            answer = await seated.talk.heard()
            self.assertEqual((answer["turn_token"], answer["hand_id"]), ("token-2", "hand-2"))
        async with Seated() as seated:
            self.assertIsNone(seated.talk.offered)


class AccountTest(unittest.IsolatedAsyncioTestCase):
    REGISTERED = (201, {}, {"api_key": "ap_new", "name": "ada", "agent_id": "a", "email": "e", "wallet_address": None})

    async def key_used(self, http, **options):
        async with SocketServer() as server:
            run = asyncio.ensure_future(run_bot(decide=check_or_fold, url=http.url, ws_url=server.url, on={"log": str}, **options))
            talk = await server.talk(run)
            run.cancel()
            await asyncio.gather(run, return_exceptions=True)
            return talk.authorization

    async def test_it_registers_once_where_it_keeps_its_key(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, clear=True):
            path = os.path.join(folder, "key")
            async with HttpServer(self.REGISTERED) as http:
                for _ in range(2):
                    self.assertEqual(await self.key_used(http, name="Ada", key_file=path), "Bearer ap_new")
                body = {"name": "Ada", "email": "ada@example.com", "terms_accepted": True}
                self.assertEqual([request[3] for request in http.requests], [body])
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)

    async def test_keys_that_are_given(self):
        async with HttpServer() as http:
            with mock.patch.dict(os.environ, {"API_KEY": "ap_env"}):
                self.assertEqual(await self.key_used(http), "Bearer ap_env")
                self.assertEqual(await self.key_used(http, api_key="ap_own"), "Bearer ap_own")

    async def test_a_name_that_is_taken(self):
        with mock.patch.dict(os.environ, clear=True):
            async with HttpServer((409, {}, {"detail": "Agent name already taken"})) as http:
                with self.assertRaisesRegex(KitError, "cannot register ada: 409 .*; give api_key or key_file") as caught:
                    await self.key_used_soon(http, name="ada")
                self.assertIsInstance(caught.exception.__cause__, ApiError)

    async def test_it_waits_where_it_is_to_register_later(self):
        busy = (429, {"Retry-After": "0"}, {"detail": "Too many requests"})
        again = "too many register from this address: ada tries again in 0 s"
        taken = (409, {}, {"detail": "Agent name already taken"})
        for answers, why, waits in (
            ((busy, busy, taken), "409", [again, again]),
            ((busy,) * 6, "429", [again] * 5),
            (((429, {"Retry-After": "61"}, {"detail": "Too many requests"}),), "429", []),
        ):
            heard = []
            on = {"log": lambda record: heard.append(record.text) if record.event == "register" else None}
            with mock.patch.dict(os.environ, clear=True):
                async with HttpServer(*answers) as http:
                    with self.assertRaisesRegex(KitError, f"cannot register ada: {why}"):
                        await run_bot(decide=check_or_fold, url=http.url, name="ada", on=on)
                    self.assertEqual((http.answers, heard), ([], waits))

    async def key_used_soon(self, http, **options):
        return await run_bot(decide=check_or_fold, url=http.url, on={"log": str}, **options)

    async def test_the_clock_of_a_competition(self):
        record = (200, {}, {"action_timeout_ms": 300})
        left = []

        def decide(hand):
            left.append(hand.deadline - 1000 * time.time())
            return hand.fold()

        async with HttpServer(record) as http:
            async with Seated(decide=decide, url=http.url, competition_id="c-1") as seated:
                self.assertEqual((await seated.talk.heard())["action"], "fold")
                self.assertLess(left[0], 300, "ms: not the usual clock of 120 s")
            self.assertEqual(http.requests[0][1], "/api/competitions/c-1")

    async def test_addresses(self):
        with mock.patch.dict(os.environ, {"BASE_URL": "http://env", "WS_URL": "ws://env/socket"}):
            options = lambda **told: Options(decide=check_or_fold, **told)  # noqa: E731
            self.assertEqual((options().base_url, options().socket_url), ("http://env", "ws://env/socket"))
            own = options(url="https://poker.example/")
            self.assertEqual((own.base_url, own.socket_url), ("https://poker.example", "wss://poker.example/ws"))
            cup = options(url="http://x", competition_id="a b")
            self.assertEqual(cup.socket_url, "ws://x/ws?competition_id=a%20b")


class PlainProgramTest(unittest.TestCase):
    def test_ctrl_c_ends_it_with_what_was_played(self):
        async def interrupted(bot):
            raise KeyboardInterrupt

        with mock.patch.object(Bot, "run", interrupted):
            self.assertEqual(play_bot(decide=check_or_fold).reason, "stopped")


if __name__ == "__main__":
    unittest.main()
