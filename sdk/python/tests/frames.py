"""Frames as the server sends them, for a table with Ada (seat 0), Bob (1) and Cleo (2). They number themselves."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional

from agent_poker.hand import Hand

TABLE, SEAT = "table-1", 0
FOLD, CALL = {"action": "fold"}, {"action": "call", "amount": 20}
RAISE, ALL_IN = {"action": "raise", "min": 40, "max": 2000}, {"action": "all_in", "amount": 2000}
OFFERS = [FOLD, CALL, RAISE, ALL_IN]


class Frames:
    """Each frame has a higher number than the one before."""

    def __init__(self) -> None:
        self.seq = 0
        self.hand_id: Optional[str] = None
        self.stacks = {0: 2000, 1: 2000, 2: 2000}
        self.bets = {0: 0, 1: 0, 2: 0}

    def event(self, kind: str, **fields: Any) -> Dict[str, Any]:
        self.seq += 1
        ts = f"2026-01-01T00:00:{self.seq % 60:02}.000000+00:00"
        ids = {"table_id": TABLE, "hand_id": self.hand_id, "table_seq": self.seq, "hand_seq": self.seq}
        return {"type": kind, **ids, "ts": ts, **fields}

    def joined(self) -> Dict[str, Any]:
        return self.event("table_joined", seat=SEAT, players=[])

    def start(self, hand_id: str = "hand-1") -> Dict[str, Any]:
        self.hand_id = hand_id
        self.bets = {0: 0, 1: 10, 2: 20}
        self.stacks = {0: 2000, 1: 1990, 2: 1980}
        blinds = {"small_blind": 10, "big_blind": 20}
        return self.event("hand_start", seat=SEAT, dealer_seat=0, blinds=blinds)

    def hole(self) -> Dict[str, Any]:
        return self.event("hole_cards", cards=["As", "Kd"])

    def state(self, street: str = "preflop", board: Any = (), pot: int = 30, **fields: Any) -> Dict[str, Any]:
        seats: List[Dict[str, Any]] = [
            {"seat": seat, "name": name, "stack": self.stacks[seat], "bet": self.bets[seat], "status": "active"}
            for seat, name in enumerate(("ada", "bob", "cleo"))
        ]
        for entry in seats:
            entry.update({"in_hand": True, "folded": False})
        seats.append({"seat": 3, "name": None, "stack": 0, "bet": 0, "status": "empty"})
        told = {"street": street, "board": list(board), "pot": pot, "seats": seats, "dealer_seat": 0}
        hero = {"seat": SEAT, "hole_cards": ["As", "Kd"]}
        return self.event("table_state", small_blind=10, big_blind=20, hero=hero, **{**told, **fields})

    def turn(self, token: str = "token-1", offers: Any = OFFERS, **fields: Any) -> Dict[str, Any]:
        return self.event("your_turn", seat=SEAT, valid_actions=offers, turn_token=token, **fields)

    def act(self, seat: int, action: str, chips: int, street: str = "preflop", **fields: Any) -> Dict[str, Any]:
        self.stacks[seat] -= chips
        self.bets[seat] += chips
        amount = {"raise": self.bets[seat], "call": chips, "all_in": chips}.get(action)
        told = {"name": "x", "reason": None, "pot": 0, "stack": self.stacks[seat], "contribution_delta": chips}
        return self.event("player_action", seat=seat, action=action, amount=amount, street=street, **{**told, **fields})

    def result(self, stack: int = 2000) -> Dict[str, Any]:
        return self.event("hand_result", final_stacks={"0": stack, "1": 2000}, shown_cards={})

    def resync(self, replayed: Any = (), role: str = "player", token: Optional[str] = None, **state: Any) -> Dict[str, Any]:
        snapshot = self.state(**state)
        if token is not None:
            snapshot["hero"].update(turn_token=token, valid_actions=OFFERS)
        if role != "player":
            del snapshot["hero"]
        return self.event("resync_response", role=role, replayed_events=list(replayed), snapshot=snapshot)

    def to_turn(self, **turn: Any) -> List[Dict[str, Any]]:
        """The frames from the seat to the first turn."""
        return [self.joined(), self.start(), self.hole(), self.state(), self.turn(**turn)]


class LeanFrames(Frames):
    """A lean `hand`."""

    def hand(self, hand_id="hand-1"):
        self.hand_id = hand_id
        stacks, bets = (2000, 1990, 1980), (0, 10, 20)
        players = [{"seat": i, "name": name, "stack": stacks[i], "bet": bets[i]} for i, name in enumerate(("ada", "bob", "cleo"))]
        blinds = {"small_blind": 10, "big_blind": 20}
        return self.lean("hand", seat=0, dealer_seat=0, blinds=blinds, players=players, hole_cards=["As", "Kd"])

    def lean(self, kind, **fields):
        self.seq += 1
        return {"type": kind, "table_id": TABLE, "hand_id": self.hand_id, "table_seq": self.seq, **fields}

    def own(self, first, *lines, token="token-1", board=(), pot=30):
        told = {"first": first, "actions": list(lines), "board": list(board), "pot": pot}
        return self.lean("turn", **told, valid_actions=OFFERS, turn_token=token)

    def end(self, first, *lines, stack=2000):
        told = {"first": first, "actions": list(lines), "board": [], "winners": []}
        return self.lean("result", **told, shown_cards={}, final_stacks={"0": stack, "1": 2000, "2": 2000})


def error(code: str, **fields: Any) -> Dict[str, Any]:
    return {"type": "error", "code": code, "message": "no", **fields}


def ack(frames: Frames, token: str = "token-1") -> Dict[str, Any]:
    return frames.event("action_ack", client_action_id=token, status="accepted")


def rejected(frames: Frames, code: str, action_id: str = "token-1") -> Dict[str, Any]:
    details = {"code": code, "client_action_id": action_id}
    return frames.event("action_rejected", code=code, reason="no", details=details)


IN_LOBBY = {"type": "lobby_joined", "position": 1, "estimated_wait": "~5s"}
SEASON_ENDED = {"type": "season_ended", "season_number": 1, "next_season_number": 2}
CONNECTED = {"type": "connected", "agent_id": "a", "name": "ada", "season_mode": True}


class FakePort:
    """A port that notes the player's requests."""

    def __init__(self) -> None:
        self.sent: List[Dict[str, Any]] = []
        self.timers: Dict[str, float] = {}
        self.hands: List[Hand] = []
        self.offers: List[Mapping[str, Any]] = []
        self.told: List[Any] = []
        self.lines: List[str] = []
        self.is_open = True
        self.is_slow = False

    def send(self, message: Mapping[str, Any]) -> bool:
        if self.is_open:
            self.sent.append(dict(message))
        return self.is_open

    def take(self) -> List[Dict[str, Any]]:
        """The messages sent since the last call."""
        sent, self.sent = self.sent, []
        return sent

    def later(self, name: str, seconds: float) -> None:
        self.timers[name] = seconds

    def cancel(self, name: str) -> None:
        self.timers.pop(name, None)

    def think(self, token: str, hand: Hand) -> None:
        self.hands.append(hand)

    def stop_thinking(self) -> None:
        pass

    def ask_rebuy(self, offer: Mapping[str, Any]) -> None:
        self.offers.append(offer)

    def tell(self, event: str, about: Any) -> None:
        self.told.append((event, about))

    def warnings(self) -> List[str]:
        """The kinds of the warnings."""
        return [about["kind"] for event, about in self.told if event == "warning"]

    def log(self, level: str, event: str, text: str, **fields: Any) -> None:
        self.lines.append(text)

    def slow_down(self) -> None:
        self.is_slow = True

    def now(self) -> float:
        return 1000.0
