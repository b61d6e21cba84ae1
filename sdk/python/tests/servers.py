"""Servers with the test in the server's role."""

from __future__ import annotations

import asyncio
import contextlib
import json

import websockets


class Talk:
    """One connection. The test sends the server's messages, and reads the bot's."""

    def __init__(self, socket, headers):
        self.socket, self.authorization = socket, headers.get("Authorization")
        self.offered = headers.get("Sec-WebSocket-Protocol")
        self.heard_all = asyncio.Queue()
        self.over = asyncio.Event()

    async def say(self, *frames):
        for frame in frames:
            await self.socket.send(json.dumps(frame))

    async def heard(self):
        return await self.heard_all.get()

    async def close(self, code):
        await self.socket.close(code)

    def cut(self):
        self.socket.transport.abort()


class SocketServer:
    """`async with SocketServer() as server: talk = await server.talk()`."""

    async def __aenter__(self):
        self.talks = asyncio.Queue()
        self._server = await websockets.serve(self._serve, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.url = f"ws://127.0.0.1:{port}/ws"
        return self

    async def __aexit__(self, *_):
        self._server.close()
        await self._server.wait_closed()

    async def talk(self, run=None):
        """The next connection. If `run` ends before one comes, the test fails."""
        waiting = asyncio.ensure_future(self.talks.get())
        await asyncio.wait({waiting} | ({run} if run else set()), return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            waiting.cancel()
            raise AssertionError(f"the bot ended: {run.result()}")
        return waiting.result()

    async def _serve(self, socket, *_):
        headers = socket.request.headers if hasattr(socket, "request") else socket.request_headers
        talk = Talk(socket, headers)
        self.talks.put_nowait(talk)
        with contextlib.suppress(websockets.exceptions.ConnectionClosed):
            async for text in socket:
                talk.heard_all.put_nowait(json.loads(text))
        talk.over.set()


class HttpServer:
    """
    Answers each request with the next of its answers: (status, headers, body); None cuts the connection. A body may come
    in pieces, from an asynchronous generator.
    """

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []
        #: Set when a client gives a download up.
        self.given_up = asyncio.Event()

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_):
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        method, path, _ = first.split(" ")
        self.requests.append((method, path, headers, json.loads(body) if body else None))
        answer = self.answers.pop(0)
        if answer is not None and hasattr(answer[2], "__aiter__"):
            await self._stream(writer, *answer)
        elif answer is not None:
            status, told, content = answer
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            told = {"Content-Length": str(len(data)), "Connection": "close", **told}
            text = "".join(f"{name}: {value}\r\n" for name, value in told.items())
            writer.write(f"HTTP/1.1 {status} X\r\n{text}\r\n".encode() + data)
            with contextlib.suppress(ConnectionError):
                await writer.drain()
        writer.close()

    async def _stream(self, writer, status, told, pieces):
        lines = "".join(f"{name}: {value}\r\n" for name, value in {"Connection": "close", **told}.items())
        writer.write(f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode())
        try:
            async for piece in pieces:
                writer.write(piece)
                await writer.drain()
        except ConnectionError:
            self.given_up.set()
