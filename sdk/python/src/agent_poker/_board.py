"""Counts the outcomes of board cards for the live hands. `agent_poker.luck` uses it."""

from __future__ import annotations

from itertools import combinations
from typing import Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

Hole = Tuple[int, int]

#: Cards are rank * 4 + suit, ranks from the deuce, suits in the order c d h s.
DECK = range(52)
OPEN = (0, 3, 4, 5)
CLASSES = 10
_LIMITS = (0.25, 0.42, 0.56, 0.68, 0.78, 0.86, 0.92, 0.96, 0.985)
_DISTANCES = (5, 11, 17)
_FLOPS, _BOARDS = 64, 512
_WORD = 0xFFFFFFFF

#: The low 32 bits count ranks to the base 5, the bits above count suits to the base 8.
_KEYS = tuple(5 ** (card >> 2) + (8 ** (card & 3) << 32) for card in DECK)
#: The suit of five cards or more, by the counts of suits.
_FLUSHES: Dict[int, int] = {}
_ranked: Dict[int, int] = {}


def _fill_flushes() -> None:
    for suit in range(4):
        for many in range(5, 8):
            for others in combinations([*(s for s in range(4) if s != suit)] * 3, 7 - many):
                for most in range(len(others) + 1):
                    key = many * 8**suit + sum(8**s for s in others[:most])
                    _FLUSHES[key] = suit


_fill_flushes()


def _straight(ranks: Sequence[int]) -> Optional[int]:
    """The highest rank of five in a row; the ace also stands below the deuce."""
    there = set(ranks) | ({-1} if 12 in ranks else set())
    for high in range(12, 2, -1):
        if all(high - step in there for step in range(5)):
            return high
    return None


def _score(category: int, ranks: Sequence[int]) -> int:
    value = category
    for rank in [*ranks, 0, 0, 0, 0, 0][:5]:
        value = value * 13 + rank
    return value


def _of_ranks(key: int) -> int:
    counts = [(key // 5**rank) % 5 for rank in range(13)]
    ranks = [rank for rank in range(12, -1, -1) if counts[rank]]
    groups = sorted(ranks, key=lambda rank: (-counts[rank], -rank))
    first, rest = groups[0], [rank for rank in ranks if rank != groups[0]]
    if counts[first] == 4:
        return _score(7, [first, rest[0]])
    if counts[first] == 3:
        pairs = [rank for rank in rest if counts[rank] >= 2]
        if pairs:
            return _score(6, [first, pairs[0]])
    high = _straight(ranks)
    if high is not None:
        return _score(4, [high])
    if counts[first] == 3:
        return _score(3, [first, *rest[:2]])
    if counts[first] == 2:
        second = next((rank for rank in rest if counts[rank] == 2), None)
        if second is None:
            return _score(1, [first, *rest[:3]])
        return _score(2, [first, second, next(rank for rank in ranks if rank not in (first, second))])
    return _score(0, ranks[:5])


def _value(key: int, board: Sequence[int], open_cards: int, a: int, b: int) -> int:
    """Higher is better: the best five of two cards and the first cards of a board. `key`: the sum of all keys."""
    suit = _FLUSHES.get(key >> 32)
    if suit is None:
        ranks = key & _WORD
        value = _ranked.get(ranks)
        if value is None:
            value = _ranked[ranks] = _of_ranks(ranks)
        return value
    of_suit = sorted((card >> 2 for card in (*board[:open_cards], a, b) if card & 3 == suit), reverse=True)
    high = _straight(of_suit)
    return _score(5, of_suit[:5]) if high is None else _score(8, [high])


class Dice:
    """Random numbers that depend on a hand's id alone: FNV-1a seeds xorshift32."""

    def __init__(self, hand_id: str) -> None:
        state = 0x811C9DC5
        for letter in hand_id:
            state = ((state ^ ord(letter)) * 0x01000193) & _WORD
        self._state = state or 1
        for _ in range(8):
            self._next()

    def _next(self) -> int:
        x = self._state
        x ^= (x << 13) & _WORD
        x ^= x >> 17
        x ^= (x << 5) & _WORD
        self._state = x
        return x

    def below(self, bound: int) -> int:
        limit = 2**32 - 2**32 % bound
        x = self._next()
        while x >= limit:
            x = self._next()
        return x % bound

    def draw(self, count: int, rest: List[int]) -> List[int]:
        for i in range(count):
            chosen = i + self.below(len(rest) - i)
            rest[i], rest[chosen] = rest[chosen], rest[i]
        return rest[:count]


class Pots(NamedTuple):
    """The pots without uncalled chips: their amounts, the seats that may win each, and what each seat put in."""

    total: int
    parts: Sequence[Tuple[int, Sequence[int]]]
    contributed: Mapping[int, int]


def pots_of(committed: Mapping[int, int], live: Sequence[int]) -> Pots:
    put = dict(committed)
    top = max(sorted(live), key=lambda seat: put[seat])
    put[top] = min(put[top], max(chips for seat, chips in put.items() if seat != top))
    parts: List[Tuple[int, Sequence[int]]] = []
    base, left, eligible = 0, sum(put.values()), sorted(live)
    while eligible:
        level = min(put[seat] for seat in eligible)
        above = [seat for seat in eligible if put[seat] > level]
        amount = sum(min(chips, level) - base for chips in put.values() if chips > base) if above else left
        parts.append((amount, eligible))
        base, left, eligible = level, left - amount, above
    return Pots(sum(put.values()), parts, put)


class Event(NamedTuple):
    """A moment at which board cards come. `stack`: chips behind by seat."""

    street: int
    closed: bool
    live: Sequence[int]
    stack: Mapping[int, int]
    pots: Pots


class Mixed(NamedTuple):
    """A mixed action: the drawn part, and each part's probability with the hand as the part leaves it."""

    drawn: int
    parts: Sequence[Tuple[float, Event]]


class Pair(NamedTuple):
    i: int
    j: int
    classes: Tuple[int, int]
    counts: List[int]
    outcomes: int
    complete: bool


class Facts(NamedTuple):
    shift: List[float]
    low: List[float]
    high: List[float]
    pairs: Optional[List[Pair]]


class _Payouts:
    def __init__(self, event: Event, holes: Sequence[Hole], button: int) -> None:
        self._event, self._holes, self._button = event, holes, button
        self._sums = [_KEYS[a] + _KEYS[b] for a, b in holes]
        self._counts: Dict[Tuple[int, ...], int] = {}
        self._paid: Dict[Tuple[int, ...], List[int]] = {}

    def add(self, board: Sequence[int]) -> None:
        key = _KEYS[board[0]] + _KEYS[board[1]] + _KEYS[board[2]] + _KEYS[board[3]] + _KEYS[board[4]]
        values = [
            _value(key + own, board, 5, hole[0], hole[1]) for own, hole in zip(self._sums, self._holes)
        ]
        ranks = sorted(values, reverse=True)
        order = tuple(ranks.index(value) for value in values)
        self._counts[order] = self._counts.get(order, 0) + 1

    def take(self) -> Tuple[List[int], int]:
        """The sums of payouts by live player, and the number of boards. Forgets them."""
        sums, boards = [0] * len(self._holes), 0
        for order, count in self._counts.items():
            paid = self._paid.get(order)
            if paid is None:
                paid = self._paid[order] = self._pay(order)
            boards += count
            for i, chips in enumerate(paid):
                sums[i] += count * chips
        self._counts.clear()
        return sums, boards

    def _pay(self, order: Sequence[int]) -> List[int]:
        place = dict(zip(self._event.live, order))
        winners: List[List[int]] = []
        for _, eligible in self._event.pots.parts:
            best = min(place[seat] for seat in eligible)
            winners.append([seat for seat in eligible if place[seat] == best])
        paid = {seat: 0 for seat in self._event.live}
        at = 0
        while at < len(winners):
            won, amount = winners[at], 0
            while at < len(winners) and winners[at] == won:
                amount += self._event.pots.parts[at][0]
                at += 1
            equal, odd = divmod(amount, len(won))
            for n, seat in enumerate(sorted(won, key=lambda seat: (seat - self._button - 1) % 6)):
                paid[seat] += equal + (1 if n < odd else 0)
        return [paid[seat] for seat in self._event.live]


def _classes(board: Sequence[int], open_cards: int, holes: Sequence[Hole], rest: Sequence[int]) -> List[int]:
    there = board[:open_cards]
    left = [card for card in rest if card not in there]
    key = sum(_KEYS[card] for card in there)
    own = [_value(key + _KEYS[a] + _KEYS[b], board, open_cards, a, b) for a, b in holes]
    points = [0] * len(holes)
    size = len(left)
    for distance in _DISTANCES:
        for t, a in enumerate(left):
            b = left[(t + distance) % size]
            other = _value(key + _KEYS[a] + _KEYS[b], board, open_cards, a, b)
            for i, value in enumerate(own):
                points[i] += 2 if other < value else 1 if other == value else 0
    whole = 2 * len(_DISTANCES) * size
    return [next((c for c in range(CLASSES - 1) if point < _LIMITS[c] * whole), CLASSES - 1) for point in points]


def board_facts(hand_id: str, button: int, board: Sequence[int], holes: Mapping[int, Hole], event: Event) -> Facts:
    hands = [holes[seat] for seat in event.live]
    before = OPEN[event.street]
    after = 5 if event.closed else OPEN[event.street + 1]
    gone = {card for hole in holes.values() for card in hole} | set(board[:before])
    rest = [card for card in DECK if card not in gone]
    payouts = _Payouts(event, hands, button)

    def complete(opened: Sequence[int], cards: Sequence[int]) -> Tuple[List[int], int]:
        for more in combinations(cards, 5 - len(opened)):
            payouts.add([*opened, *more])
        return payouts.take()

    sums, boards = complete(board[:after], [card for card in rest if card not in board[before:after]])
    size = len(hands)
    counts: Dict[Tuple[int, int], List[int]] = {
        (i, j): [0] * CLASSES**2 for i in range(size) for j in range(i + 1, size)
    }
    outcomes = 0

    def count(cards: Sequence[int], open_cards: int) -> None:
        nonlocal outcomes
        classes = _classes(cards, open_cards, hands, rest)
        for (i, j), cells in counts.items():
            cells[CLASSES * classes[i] + classes[j]] += 1
        outcomes += 1

    if before == 0:
        dice, deck = Dice(hand_id), list(rest)
        for n in range(_BOARDS):
            cards = dice.draw(5, deck)
            payouts.add(cards)
            if not event.closed and n < _FLOPS:
                count(cards, 3)
        expected, every = payouts.take()
    else:
        expected, every = complete(board[:before], rest)
        if not event.closed:
            for card in rest:
                count([*board[:before], card], after)
    means = [each / every for each in expected]
    most = [sum(amount for amount, eligible in event.pots.parts if seat in eligible) for seat in event.live]
    pairs = None
    if not event.closed:
        now = _classes(board, after, hands, rest)
        pairs = [
            Pair(i, j, (now[i], now[j]), cells, outcomes, before > 0) for (i, j), cells in counts.items()
        ]
    return Facts(
        [each / boards - mean for each, mean in zip(sums, means)],
        [-mean for mean in means],
        [chips - mean for chips, mean in zip(most, means)],
        pairs,
    )


def parts_facts(
    hand_id: str, button: int, board: Sequence[int], holes: Mapping[int, Hole], mix: Mixed
) -> Tuple[List[List[float]], Optional[Dict[int, int]]]:
    """By part and live player the expected payout; by seat the class of strength on the open board, if there is one."""
    states = [state for _, state in mix.parts]
    opened = list(board[: OPEN[states[0].street]])
    gone = {card for hole in holes.values() for card in hole} | set(opened)
    rest = [card for card in DECK if card not in gone]
    counted = [_Payouts(state, [holes[seat] for seat in state.live], button) for state in states]
    if opened:
        boards = [[*opened, *more] for more in combinations(rest, 5 - len(opened))]
    else:
        dice, deck = Dice(hand_id), list(rest)
        boards = [dice.draw(5, deck) for _ in range(_BOARDS)]
    means: List[List[float]] = []
    for payouts in counted:
        for cards in boards:
            payouts.add(cards)
        sums, every = payouts.take()
        means.append([each / every for each in sums])
    if not opened:
        return means, None
    return means, dict(zip(holes, _classes(opened, len(opened), list(holes.values()), rest)))
