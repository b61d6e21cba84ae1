"""
Results less luck, computed again from the public file of a closed pool (docs/explanation/measuring.md).

    python -m agent_poker.luck hands.json

prints each agent's hands, its result in big blinds per 100 hands, and the same less luck. The file is the JSON export of a
pool with open cards: all players' hole cards and mixed actions stand in it. The platform's figures are over the
agent's first 100, 200, … hands; `tally` has them, to the last digit.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from importlib.resources import files
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from ._board import CLASSES, Event, Facts, Hole, Mixed, Pair, board_facts, parts_facts, pots_of
from .fair import CARDS

_STREETS = ("preflop", "flop", "turn", "river")
_HANDS, _COMBINATIONS = 169, 1326
_FULL_STACK = 100
_PAIR_TERMS = CLASSES * (CLASSES - 1) // 2
_SPR_LIMITS = (0.5, 2, 6)
_POTS = (1, 4)
_SHARE_TERMS = 12
#: The luck of a hand is within so many times what a player may lose, while bets may come.
_LIMIT = 1.5
#: Hands between two sums that the platform shows.
STEP = 100

Hand = Mapping[str, Any]


class Value:
    """A value function: what cards are worth. `sha256` stands in the record of a pool that it measures."""

    def __init__(self, text: str) -> None:
        data = json.loads(text)
        units = data["units"]
        self.sha256 = hashlib.sha256(text.encode()).hexdigest()
        self.pairs = [value / units for value in data["pairs"]]
        self.board = [[value / units for value in row] for row in data["board"]]
        self.own: List[float] = []
        for start in range(0, len(data["own"]), _HANDS):
            row = data["own"][start : start + _HANDS]
            mean = sum(_combinations(place) * value for place, value in enumerate(row)) / _COMBINATIONS
            self.own += [(value - mean) / units for value in row]


def value_function() -> Value:
    """The value function of this release."""
    return Value(files("agent_poker").joinpath("value.json").read_text("utf-8"))


def _combinations(place: int) -> int:
    row, column = divmod(place, 13)
    return 6 if row == column else 4 if row < column else 12


def _place(hole: Hole) -> int:
    high, low = (12 - rank for rank in sorted((hole[0] >> 2, hole[1] >> 2), reverse=True))
    return high * 13 + low if hole[0] & 3 == hole[1] & 3 else low * 13 + high


def _positions(seats: Sequence[int], button: int, big_blind: int) -> Dict[int, int]:
    order = sorted(seats, key=lambda seat: (seat - button - 1) % 64)
    if len(order) == 2:
        other = 4 if big_blind == button else 3
        return {seat: 5 if seat == big_blind else other for seat in order}
    back = len(order) - 1
    return {seat: 4 + i if i < 2 else 3 - (back - i) for i, seat in enumerate(order)}


def _deal(value: Value, dealt: Sequence[Tuple[int, int, float]]) -> List[float]:
    """By player (class, position, stack in big blinds)."""
    count = len(dealt)
    luck = [0.0] * count
    table = (count - 2) * 6
    for i in range(count):
        for j in range(i + 1, count):
            (a, at_a, stack_a), (b, at_b, stack_b) = dealt[i], dealt[j]
            scale = min(stack_a, stack_b, _FULL_STACK) / _FULL_STACK
            own = value.own[(table + at_a) * _HANDS + a] - value.own[(table + at_b) * _HANDS + b]
            pair = 0.0
            if a > b:
                pair = value.pairs[a * (a - 1) // 2 + b]
            elif b > a:
                pair = -value.pairs[b * (b - 1) // 2 + a]
            made = scale * (own / (count - 1) + pair)
            luck[i] += made
            luck[j] -= made
    return luck


def _share_term(stacks: Sequence[int], total: int) -> int:
    second = sorted(stacks, reverse=True)[1]
    spr = sum(second >= limit * total for limit in _SPR_LIMITS)
    return 3 * spr + min(2, len(stacks) - 2)


def _first_term(stacks: Sequence[int]) -> int:
    return _SHARE_TERMS + (0 if len(stacks) == 2 else len(_POTS) * _PAIR_TERMS)


def _stakes(stacks: Sequence[int], i: int, j: int, total: int, blind: int) -> List[float]:
    behind = min(stacks[i], stacks[j])
    return [min(pots * total, behind) / blind for pots in _POTS]


def _pair_values(factors: Sequence[float], first: int, stakes: Sequence[float]) -> List[float]:
    values = [0.0] * CLASSES**2
    for high in range(1, CLASSES):
        for low in range(high):
            made = 0.0
            for pots, stake in enumerate(stakes):
                made += stake * factors[first + pots * _PAIR_TERMS + high * (high - 1) // 2 + low]
            values[CLASSES * high + low] = made
            values[CLASSES * low + high] = -made
    return values


def _range(pair: Pair, values: Sequence[float]) -> Tuple[float, float, float]:
    total, least, most = 0.0, math.inf, -math.inf
    for count, value in zip(pair.counts, values):
        if count:
            total += count * value
        if pair.complete and not count:
            continue
        least, most = min(least, value), max(most, value)
    return total / pair.outcomes, least, most


def _board(value: Value, facts: Facts, event: Event, blind: int) -> Tuple[List[float], List[float], List[float]]:
    """The event's luck by live player, and its limits."""
    factors = value.board[event.street]
    stacks = [event.stack[seat] for seat in event.live]
    total = event.pots.total
    share = 1.0 if facts.pairs is None else factors[_share_term(stacks, total)]
    luck, low, high = ([share * each / blind for each in part] for part in (facts.shift, facts.low, facts.high))
    for pair in facts.pairs or ():
        values = _pair_values(factors, _first_term(stacks), _stakes(stacks, pair.i, pair.j, total, blind))
        mean, least, most = _range(pair, values)
        made = values[CLASSES * pair.classes[0] + pair.classes[1]] - mean
        luck[pair.i] += made
        luck[pair.j] -= made
        low[pair.i] += least - mean
        high[pair.i] += most - mean
        low[pair.j] -= most - mean
        high[pair.j] -= least - mean
    return luck, low, high


def _state_value(
    value: Value, paid: Sequence[float], classes: Optional[Mapping[int, int]], state: Event, blind: int
) -> List[float]:
    """The expected part of live players in the pots and the bets to come, in big blinds."""
    if state.closed:
        return [chips / blind for chips in paid]
    factors = value.board[max(0, state.street - 1)]
    stacks = [state.stack[seat] for seat in state.live]
    total = state.pots.total
    share = factors[_share_term(stacks, total)]
    rest = (1 - share) * total / len(paid)
    values = [(share * chips + rest) / blind for chips in paid]
    if classes is None:
        return values
    own = [classes[seat] for seat in state.live]
    first = _first_term(stacks)
    for i in range(len(own)):
        for j in range(i + 1, len(own)):
            if own[i] == own[j]:
                continue
            better, worse = (i, j) if own[i] > own[j] else (j, i)
            term = own[better] * (own[better] - 1) // 2 + own[worse]
            made = 0.0
            for pots, stake in enumerate(_stakes(stacks, i, j, total, blind)):
                made += stake * factors[first + pots * _PAIR_TERMS + term]
            values[better] += made
            values[worse] -= made
    return values


def _mix(
    value: Value, hand_id: str, button: int, board: Sequence[int], holes: Mapping[int, Hole], mix: Mixed, blind: int
) -> Tuple[List[float], List[float], List[float]]:
    """The luck of each player in the draw of a mixed action, and its limits."""
    means, classes = parts_facts(hand_id, button, board, holes, mix)
    by_part: List[Dict[int, float]] = []
    for (_, state), paid in zip(mix.parts, means):
        values = {seat: -state.pots.contributed[seat] / blind for seat in holes}
        for seat, made in zip(state.live, _state_value(value, paid, classes, state, blind)):
            values[seat] += made
        by_part.append(values)
    every = 0.0
    for p, _ in mix.parts:
        every += p
    luck: List[float] = []
    low: List[float] = []
    high: List[float] = []
    for seat in holes:
        values_of_seat = [values[seat] for values in by_part]
        total = 0.0
        for (p, _), each in zip(mix.parts, values_of_seat):
            total += p * each
        mean = total / every
        luck.append(values_of_seat[mix.drawn] - mean)
        low.append(min(values_of_seat) - mean)
        high.append(max(values_of_seat) - mean)
    return luck, low, high


def _nobody_bets(committed: Mapping[int, int], stack: Mapping[int, int], live: Sequence[int]) -> bool:
    """Whether at most one live seat has chips, and that seat owes none."""
    with_chips = [seat for seat in live if stack[seat] > 0]
    if len(live) < 2 or not with_chips:
        return True
    return len(with_chips) == 1 and committed[with_chips[0]] == max(committed[seat] for seat in live)


def events_of(hand: Hand) -> List[Union[Event, Mixed]]:
    """The moments at which board cards came or a mixed action was drawn, from the posts and actions of a hand."""
    stack = {player["seat"]: player["stack_start"] for player in hand["players"]}
    committed = {seat: 0 for seat in stack}
    bet = dict(committed)
    live = sorted(stack)
    events: List[Union[Event, Mixed]] = []
    street = 0

    def put(seat: int, chips: int) -> None:
        stack[seat] -= chips
        committed[seat] += chips
        bet[seat] += chips

    def close(closed: bool) -> None:
        events.append(Event(street, closed, list(live), dict(stack), pots_of(committed, live)))

    def after(seat: int, kind: str, amount: Optional[int]) -> Event:
        """The hand as a part of a mix leaves it. A fold where checking is free is a check."""
        owed = max(hand["big_blind"] if street == 0 else 0, max(bet.values())) - bet[seat]
        chips = 0
        if kind == "call":
            chips = min(owed, stack[seat])
        elif kind == "raise":
            chips = (amount or 0) - bet[seat]
        elif kind == "all_in":
            chips = stack[seat]
        left, behind = {**committed, seat: committed[seat] + chips}, {**stack, seat: stack[seat] - chips}
        staying = [each for each in live if each != seat or kind != "fold" or owed <= 0]
        return Event(street, _nobody_bets(left, behind, staying), staying, behind, pots_of(left, staying))

    for post in hand["posts"]:
        put(post["seat"], post["amount"])
    for action in hand["actions"]:
        seat, kind, amount = action["seat"], action["action"], action["amount"]
        if _STREETS.index(action["street"]) > street:
            close(False)
            street += 1
            bet = {each: 0 for each in bet}
        mix = action.get("mix")
        if mix is not None:
            parts = [(part["p"], after(seat, part["action"], part.get("amount"))) for part in mix["parts"]]
            events.append(Mixed(mix["part"], parts))
        if kind == "fold":
            live.remove(seat)
        elif kind == "raise":
            put(seat, amount - bet[seat])
        elif amount is not None:
            put(seat, amount)
    if len(live) > 1 and street < 3:
        close(True)
    return events


def hand_luck(hand: Hand, value: Value) -> Dict[int, float]:
    """The luck of each seat in big blinds. Throws ValueError where cards are not open."""
    players = sorted(hand["players"], key=lambda player: int(player["seat"]))
    if any(player["hole_cards"] is None for player in players):
        raise ValueError(f"hand {hand['hand_id']} has hidden cards")
    blind, button = hand["big_blind"], hand["button"]
    holes: Dict[int, Hole] = {}
    for player in players:
        first, second = player["hole_cards"]
        holes[player["seat"]] = (CARDS.index(first), CARDS.index(second))
    stacks = {player["seat"]: player["stack_start"] for player in players}
    poster = next(post["seat"] for post in hand["posts"] if post["kind"] == "big_blind")
    positions = _positions(list(stacks), button, poster)
    board = [CARDS.index(card) for card in hand["board"]]
    dealt = _deal(value, [(_place(holes[seat]), positions[seat], stacks[seat] / blind) for seat in stacks])
    luck = dict(zip(stacks, dealt))
    limit = {
        seat: _LIMIT * min(own, max(other for each, other in stacks.items() if each != seat)) / blind
        for seat, own in stacks.items()
    }
    for event in events_of(hand):
        if isinstance(event, Mixed):
            seats: Sequence[int] = list(stacks)
            made, low, high = _mix(value, hand["hand_id"], button, board, holes, event, blind)
        else:
            seats = event.live
            facts = board_facts(hand["hand_id"], button, board, holes, event)
            made, low, high = _board(value, facts, event, blind)
        factor = 1.0
        for i, seat in enumerate(() if isinstance(event, Event) and event.closed else seats):
            up, down = max(0.0, limit[seat] - luck[seat]), max(0.0, limit[seat] + luck[seat])
            if high[i] * factor > up:
                factor = up / high[i]
            if -low[i] * factor > down:
                factor = down / -low[i]
        for i, seat in enumerate(seats):
            luck[seat] += factor * made[i]
    return luck


class Sums(NamedTuple):
    """Results of an agent: chips won in big blinds, and less luck in whole millionths of a big blind."""

    hands: int = 0
    big_blinds: float = 0.0
    millionths: int = 0
    squares: float = 0.0

    def per_100(self) -> float:
        return self.millionths / 1e6 / self.hands * 100


def tally(hands: Iterable[Hand], value: Value) -> Dict[str, Tuple[Sums, Sums]]:
    """By agent id: the sums over all hands of a pool, and those over its first 100, 200, … as the platform shows them."""
    sums: Dict[str, Tuple[Sums, Sums]] = {}
    for hand in sorted(hands, key=lambda each: str(each["hand_id"])):
        luck = hand_luck(hand, value)
        for player in hand["players"]:
            profit = (player["payout"] - player["contributed"]) / hand["big_blind"]
            millionths = math.floor((profit - luck[player["seat"]]) * 1e6 + 0.5)
            all_of_them, shown = sums.get(player["agent_id"], (Sums(), Sums()))
            now = Sums(
                all_of_them.hands + 1,
                all_of_them.big_blinds + profit,
                all_of_them.millionths + millionths,
                all_of_them.squares + (millionths / 1e6) ** 2,
            )
            sums[player["agent_id"]] = (now, now if now.hands % STEP == 0 else shown)
    return sums


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as file:
        hands = json.load(file)["hands"]
    value = value_function()
    print(f"value function {value.sha256}")
    for agent, (sums, shown) in sorted(tally(hands, value).items(), key=lambda entry: -entry[1][0].millionths):
        raw = sums.big_blinds / sums.hands * 100
        told = f"{shown.per_100():.6f} over {shown.hands}" if shown.hands else "none"
        print(f"{agent}  {sums.hands} hands  {raw:+.2f} bb/100  less luck {sums.per_100():+.2f}  shown {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
