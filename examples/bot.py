"""A complete bot: registers, joins, plays, and lives through reconnects, rejections, busts and season ends. Replace
`decide`. Needs python3 and its package `websockets`, version 10 or later (pip install websockets). Environment:
BASE_URL, WS_URL, API_KEY (without one it registers), NAME (to register under), HANDS (leave after so many). It
prints every error, and its state every 20 hands."""
import asyncio, inspect, json, os, random, sys, urllib.error, urllib.request

try:
    import websockets
except ImportError:
    sys.exit("the package `websockets` is missing: pip install websockets, or apt install python3-websockets")

BASE_URL = os.environ.get("BASE_URL", "http://127.0.0.1:8080")
WS_URL = os.environ.get("WS_URL", BASE_URL.replace("http", "ws", 1) + "/ws")
HANDS = float(os.environ.get("HANDS", "inf"))
NAME = os.environ.get("NAME", f"bot_{random.getrandbits(40):x}")


def decide(turn):
    """The bot's decision. Amounts are chips. Checks or calls up to half the pot, raises the minimum now and then."""
    options = {option["action"]: option for option in turn["valid_actions"]}
    if "raise" in options and random.random() < 0.15:
        return {"action": "raise", "amount": options["raise"]["min"]}
    if "check" in options:
        return {"action": "check"}
    cheap = "call" in options and options["call"]["amount"] <= turn["pot"] / 2
    return {"action": "call" if cheap else "fold"}


def register():
    body = json.dumps({"name": NAME, "email": f"{NAME}@example.com", "terms_accepted": True}).encode()
    request = urllib.request.Request(f"{BASE_URL}/api/register", body, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["api_key"]
    except urllib.error.HTTPError as error:
        sys.exit(f"register: {error.code} {error.read().decode()}")
    except urllib.error.URLError as error:
        sys.exit(f"no server at {BASE_URL}: {error.reason}")


class Bot:
    name = NAME  # `connected` has the real one
    table = seat = socket = None  # our seat, as far as we know
    last_seq, hands, chips, pause, turn, last = 0, 0, 0, 0, {}, {}  # the turn answered last, the message sent last

    def say(self, text):
        print(f"{self.name}: {text}", flush=True)

    async def send(self, **message):
        self.last = message
        await self.socket.send(json.dumps(message))

    async def join(self):
        self.table, self.seat, self.last_seq = None, None, 0
        await (self.send(type="join_lobby") if self.hands < HANDS else self.socket.close())

    async def act(self, choice, attempt=""):
        # The token names the turn. The server recognises a repeated client_action_id and never plays it twice.
        ids = {key: self.turn[key] for key in ("hand_id", "turn_token")}
        await self.send(type="action", **choice, **ids, client_action_id=ids["turn_token"] + attempt)

    async def on(self, f):
        kind, code = f["type"], f.get("code")
        if f.get("table_id") == self.table:
            self.last_seq = max(self.last_seq, f.get("table_seq") or 0)
        if kind == "connected":  # a turn that comes again now has no answer: it got lost
            self.name, self.turn, self.pause = f["name"], {}, 0.5
            self.say(f"connected to {WS_URL}")
        if kind in ("error", "action_rejected"):
            self.say(f"{kind} {code}: {f.get('message') or f.get('reason')}")
        self.table = f["table_id"] if code == "already_seated" else self.table
        if self.table and (kind == "connected" or code == "already_seated"):  # is our seat still there?
            await self.send(type="resync_request", table_id=self.table, last_table_seq=self.last_seq or None)
        elif kind == "table_joined":
            self.table, self.seat = f["table_id"], f["seat"]
            self.say(f"sits at table {self.table}, seat {self.seat}")
        elif kind == "resync_response" and f["role"] == "player" and self.hands >= HANDS:
            await self.send(type="leave_table")  # sent before, and perhaps lost
        elif kind == "your_turn" or kind == "resync_response" and f["role"] == "player":
            turn = {**f["snapshot"], **f["snapshot"]["hero"]} if kind == "resync_response" else f
            self.seat = turn["seat"]
            if turn.get("turn_token") not in (None, self.turn.get("turn_token")) and self.hands < HANDS:
                self.turn = turn
                await self.act(decide(turn))
        elif code == "invalid_action" and not self.last.get("client_action_id", "-safe").endswith("-safe"):
            # The turn stays open with the same token. One safe answer only, so that it cannot loop.
            free = any(option["action"] == "check" for option in self.turn["valid_actions"])
            await self.act({"action": "check" if free else "fold"}, "-safe")
        elif kind == "hand_result":
            self.hands, self.chips = self.hands + 1, f["final_stacks"].get(str(self.seat), self.chips)
            if self.hands % 20 == 0:
                self.say(f"{self.hands} hands, a stack of {self.chips} chips")
            if self.hands == HANDS:
                await self.send(type="leave_table")  # from here on the server folds for us
        elif code == "rate_limited":  # it was dropped; a repeat is always safe
            await asyncio.sleep(1)
            await self.send(**self.last)
        elif code in ("insufficient_season_chips", "rebuy_cooldown"):
            await asyncio.sleep(f.get("cooldown_seconds", 0))  # without a seat there is nothing to miss
            await self.send(type="rebuy", amount=0)
        elif kind == "error" and code.startswith(
                ("no_active_season", "season_", "lobby_full", "not_at_table", "table_not_found")):
            await asyncio.sleep(2)
            await self.join()
        elif (kind in ("connected", "rebuy_confirmed", "table_closed", "season_ended", "resync_response")
              or kind == "player_left" and (f["table_id"], f["seat"]) == (self.table, self.seat)):
            await self.join()  # anything else, unknown message types included, needs no answer

    async def play(self, api_key):
        newer = "additional_headers" in inspect.signature(websockets.connect).parameters
        headers = {"additional_headers" if newer else "extra_headers": {"Authorization": f"Bearer {api_key}"}}
        while self.socket is None or self.socket.close_code not in (1000, 4001, 4002, 4003, 4009):
            await asyncio.sleep(self.pause)
            self.pause = min(2 * self.pause + 0.5, 10)
            try:
                async with websockets.connect(WS_URL, max_size=None, **headers) as self.socket:
                    try:
                        async for text in self.socket:
                            await self.on(json.loads(text))
                    except websockets.exceptions.ConnectionClosed:
                        pass  # reported below
                why = f" ({self.socket.close_reason})" if self.socket.close_reason else ""
                self.say(f"closed with {self.socket.close_code} after {self.hands} hands{why}")
            except (OSError, websockets.exceptions.WebSocketException) as error:
                self.say(repr(error))


try:
    asyncio.run(Bot().play(os.environ.get("API_KEY") or register()))
except KeyboardInterrupt:
    pass
