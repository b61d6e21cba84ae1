"""The REST client: its requests, refusals, long lists, and files."""

import asyncio
import inspect
import re
import unittest

from agent_poker import ApiError, KitError, RestClient, Unreachable
from agent_poker._generated.rest import OPERATIONS, RestOperations

from servers import HttpServer

BUSY = (429, {"Retry-After": "0"}, {"detail": "Too many requests"})


def snake(name):
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


class CallsTest(unittest.IsolatedAsyncioTestCase):
    async def ask(self, server, call, **options):
        async with RestClient(server.url, **options) as rest:
            return await call(rest)

    async def test_where_everything_goes(self):
        answers = [(200, {}, {"hands": []})] * 3
        async with HttpServer(*answers) as server:
            await self.ask(server, lambda rest: rest.get_hand_history(limit=2, from_="2026-01-01"), api_key="ap_k")
            await self.ask(server, lambda rest: rest.remove_co_organizer(competition_id="a/b", agent_id="c d"), api_key="k")
            change = lambda rest: rest.update_me(name="ada", wallet_address=None)  # noqa: E731
            await self.ask(server, change, session="agent_poker_session=s")
        history, removal, profile = server.requests
        self.assertEqual(history[:2], ("GET", "/api/me/hand-history?limit=2&from=2026-01-01"))
        self.assertEqual(history[2]["authorization"], "Bearer ap_k")
        self.assertEqual(removal[:2], ("DELETE", "/api/competitions/a%2Fb/co-organizers/c%20d"))
        self.assertEqual((profile[0], profile[3]), ("PATCH", {"name": "ada", "wallet_address": None}))
        self.assertEqual(profile[2]["cookie"], "agent_poker_session=s")
        self.assertNotIn("authorization", profile[2])

    async def test_headers(self):
        seen = []
        async with HttpServer((200, {"ETag": '"3"'}, {})) as server:
            call = lambda rest: rest.start_competition(  # noqa: E731
                competition_id="c",
                if_match='"2"',
                idempotency_key="once",
                on_answer=lambda status, headers: seen.append((status, headers["ETag"])),
            )
            await self.ask(server, call, api_key="k")
        headers = server.requests[0][2]
        self.assertEqual((headers["if-match"], headers["idempotency-key"]), ('"2"', "once"))
        self.assertEqual(seen, [(200, '"3"')])

    async def test_refusals(self):
        invalid = [{"loc": ["body", "name"], "msg": "Field required", "type": "missing"}]
        cases = [
            ((409, {}, {"detail": "Agent name already taken"}), "getMe: 409 Agent name already taken"),
            ((422, {}, {"detail": invalid}), "getMe: 422 body.name: Field required"),
            ((502, {}, b"<html>"), "getMe: 502 <html>"),
            ((503, {"Retry-After": "7"}, {"detail": "away"}), "getMe: 503 away"),
        ]
        for answer, text in cases:
            async with HttpServer(answer) as server:
                with self.assertRaises(ApiError) as caught:
                    await self.ask(server, lambda rest: rest.get_me(), api_key="k")
            self.assertEqual(str(caught.exception), text)
            self.assertEqual((caught.exception.status, caught.exception.operation), (answer[0], "getMe"))
            self.assertEqual(caught.exception.retry_after, 7 if answer[0] == 503 else None)

    async def test_a_429_is_waited_out_where_that_does_no_harm(self):
        good = (200, {}, {"status": "ok"})
        async with HttpServer(BUSY, BUSY, BUSY, good) as server:
            self.assertEqual(await self.ask(server, lambda rest: rest.get_live()), {"status": "ok"})
        async with HttpServer(*[BUSY] * 5) as server:
            with self.assertRaises(ApiError):
                await self.ask(server, lambda rest: rest.get_live())
            self.assertEqual(len(server.requests), 4)
        async with HttpServer(BUSY, good) as server:
            with self.assertRaises(ApiError):
                await self.ask(server, lambda rest: rest.rebuy(), api_key="k")
        async with HttpServer(BUSY, good) as server:
            await self.ask(server, lambda rest: rest.withdraw(amount=1, idempotency_key="once"), api_key="k")
        async with HttpServer((429, {"Retry-After": "61"}, {"detail": "later"}), good) as server:
            with self.assertRaises(ApiError):
                await self.ask(server, lambda rest: rest.get_live())

    async def test_nobody_there(self):
        async with HttpServer(None) as server:
            with self.assertRaisesRegex(Unreachable, "getLive: no answer from http"):
                await self.ask(server, lambda rest: rest.get_live())
        with self.assertRaises(KitError):
            await self.ask(server, lambda rest: rest.get_live())


class PagesTest(unittest.IsolatedAsyncioTestCase):
    async def test_by_cursor(self):
        pages = [{"hands": [1, 2], "next_cursor": "x"}, {"hands": [], "next_cursor": "y"}, {"hands": [3], "next_cursor": None}]
        async with HttpServer(*[(200, {}, page) for page in pages]) as server, RestClient(server.url) as rest:
            items = [item async for item in rest.iterate_hand_history(limit=2, offset=1, season_id="s")]
        self.assertEqual(items, [1, 2, 3])
        self.assertEqual(
            [path.partition("?")[2] for _, path, _, _ in server.requests],
            ["limit=2&offset=1&season_id=s", "limit=2&cursor=x&season_id=s", "limit=2&cursor=y&season_id=s"],
        )

    async def test_by_offset(self):
        pages = [{"transactions": [0] * 200}, {"transactions": [0] * 3}]
        async with HttpServer(*[(200, {}, page) for page in pages]) as server, RestClient(server.url) as rest:
            field = OPERATIONS["listTransactions"].pages[1]
            server.answers[:] = [(200, {}, {field: page["transactions"]}) for page in pages]
            items = [item async for item in rest.iterate_transactions(offset=5)]
        self.assertEqual(len(items), 203)
        self.assertEqual([path.partition("?")[2] for _, path, _, _ in server.requests], ["limit=200&offset=5", "limit=200&offset=205"])


class FilesTest(unittest.IsolatedAsyncioTestCase):
    FILE = {"Content-Type": "text/csv", "Content-Disposition": 'attachment; filename="hands.csv"'}

    async def test_a_file_comes_piece_by_piece(self):
        async with HttpServer(*[(200, self.FILE, b"a,b\n1,2\n")] * 2) as server, RestClient(server.url) as rest:
            async with await rest.export_hand_history(format="csv") as file:
                self.assertEqual((file.content_type, file.file_name), ("text/csv", "hands.csv"))
                self.assertEqual(b"".join([chunk async for chunk in file]), b"a,b\n1,2\n")
            self.assertEqual(await (await rest.export_hand_history()).text(), "a,b\n1,2\n")

    async def test_a_piece_is_there_before_the_next_is_made(self):
        wanted, seen = asyncio.Event(), []

        async def pieces():
            yield b"a,b\n"
            await wanted.wait()
            yield b"1,2\n"

        async with HttpServer((200, self.FILE, pieces())) as server, RestClient(server.url) as rest:
            async for chunk in await rest.export_hand_history(format="csv"):
                seen.append(chunk)
                wanted.set()
        self.assertEqual(seen, [b"a,b\n", b"1,2\n"])

    async def test_what_is_not_read_is_given_up(self):
        async def endless():
            while True:
                yield b"1,2\n" * 10_000

        async with HttpServer((200, self.FILE, endless())) as server, RestClient(server.url) as rest:
            async with await rest.export_hand_history(format="csv") as file:
                async for _ in file:
                    break
            await server.given_up.wait()

    async def test_a_file_that_breaks_off_is_not_whole(self):
        async with HttpServer((200, {**self.FILE, "Content-Length": "100"}, b"a,b\n")) as server:
            async with RestClient(server.url) as rest:
                with self.assertRaisesRegex(Unreachable, "exportHandHistory: the file broke off"):
                    await (await rest.export_hand_history()).text()

    async def test_a_file_that_is_refused(self):
        async with HttpServer((403, {}, {"detail": "Season pass required"})) as server, RestClient(server.url) as rest:
            with self.assertRaisesRegex(ApiError, "403 Season pass required"):
                await rest.export_hand_history()


class CoverageTest(unittest.TestCase):
    def test_every_operation_has_its_method(self):
        """The generator's own test compares the operations with the server's."""
        self.assertGreater(len(OPERATIONS), 90)
        for name, operation in OPERATIONS.items():
            method = getattr(RestOperations, snake(name))
            names = [each.rstrip("_") for each in inspect.signature(method).parameters]
            given = [*operation.params, *operation.query, *operation.body, *operation.headers]
            self.assertEqual(set(names) - {"self", "timeout", "on_answer"}, set(given), name)
            self.assertEqual(set(re.findall(r"{(\w+)}", operation.path)), set(operation.params), name)
            self.assertEqual(operation.id, name)


if __name__ == "__main__":
    unittest.main()
