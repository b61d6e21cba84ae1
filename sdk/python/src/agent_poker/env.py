"""
An environment for reinforcement learning, in the shape of PettingZoo's AEC. It needs only the kit's own packages::

    from agent_poker.env import PokerEnv

    with PokerEnv(agents=2, opponents=["shark"]) as env:
        env.reset(seed=7)
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, info = env.last()
            if terminated:
                env.step(None)
                continue
            legal = [action for action, may in enumerate(seen["action_mask"]) if may]
            env.step(random.choice(legal))

Each hand is an episode. All players begin it with the same stack. Rewards are chips, given when the hand is over.
"""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Type, Union

from ._lines import LINES_VERSION, LineTable
from .errors import IllegalAction, KitError
from .hand import STREETS, Action, Hand, Mix, legal_choice
from .selfplay import start_engine

#: The action of each number in `step`, by its place in the mask. Raises are by a share of the pot after a call.
ACTIONS = ("fold", "check_or_call", "raise_half_pot", "raise_pot", "all_in")
FOLD, CHECK_OR_CALL, RAISE_HALF_POT, RAISE_POT, ALL_IN = range(len(ACTIONS))

RANKS, SUITS = "23456789TJQKA", "cdhs"
_CARDS = {rank + suit: 4 * r + s for r, rank in enumerate(RANKS) for s, suit in enumerate(SUITS)}
#: Numbers of an observation: own cards, board, street, then eight of chips and places.
OBSERVATION_SIZE = 52 + 52 + len(STREETS) + 8

Observation = Dict[str, Any]
AnyAction = Union[int, str, Action, Mix, Mapping[str, Any]]


def observation_of(hand: Hand, start_stack: int) -> List[float]:
    """
    The hand as `OBSERVATION_SIZE` numbers. First come 52 for own cards and 52 for the board (1.0 where a card is, card
    = rank * 4 + suit), then 4 for the street. Then pot, to_call, own stack, own bet, min_raise and max_raise, as shares
    of the stack at the beginning. Then players left and places behind the button, as shares of all players.
    """
    numbers = [0.0] * OBSERVATION_SIZE
    for card in hand.hole:
        numbers[_CARDS[card]] = 1.0
    for card in hand.board:
        numbers[52 + _CARDS[card]] = 1.0
    numbers[104 + STREETS.index(hand.street)] = 1.0
    chips = (hand.pot, hand.to_call, hand.stack, hand.bet, hand.min_raise, hand.max_raise)
    numbers[108:114] = [amount / start_stack for amount in chips]
    players = len(hand.players)
    numbers[114] = sum(player.in_hand for player in hand.players) / players
    numbers[115] = (hand.seat - hand.button) % players / players
    return numbers


def action_mask(hand: Hand) -> List[int]:
    """1 for each legal action of ACTIONS. All are 0 if it is not the agent's turn."""
    can_raise = int(hand.can_raise)
    return [int(hand.can_fold), int(hand.can_check or hand.can_call), can_raise, can_raise, int(hand.can_all_in)]


class PokerEnv:
    """
    Agents are "agent_0" and up, on the seats from 0 on. Opponents sit after them and are played by the engine: built-in
    styles or paths of JavaScript modules. Close the environment, or use it in a `with`.
    """

    metadata = {"name": "agent_poker_v1", "is_parallelizable": False}

    def __init__(
        self,
        agents: int = 2,
        opponents: Sequence[str] = (),
        *,
        stack: int = 100,
        engine: Union[str, Sequence[str], None] = None,
    ) -> None:
        """`stack` in big blinds. `engine` is the command, `npx agent-poker` by default."""
        self.possible_agents = [f"agent_{number}" for number in range(agents)]
        #: The episode's agents that are not done.
        self.agents: List[str] = []
        #: The agent to act. After the end of the hand it is each agent in turn, until it has stepped with None.
        self.agent_selection = ""
        #: Chips by agent: of the last step, and since the agent acted last.
        self.rewards: Dict[str, float] = {}
        self._cumulative_rewards: Dict[str, float] = {}
        self.terminations: Dict[str, bool] = {}
        self.truncations: Dict[str, bool] = {}
        self.infos: Dict[str, Dict[str, Any]] = {}
        #: The hand as each agent sees it.
        self.hands: Dict[str, Hand] = {}
        self._seed = -1
        self._number = 0
        options: List[object] = ["--env", agents, "--stack", stack]
        if opponents:
            options += ["--bots", ",".join(opponents)]
        self._child = start_engine(options, engine)
        hello = self._read()["hello"]
        if hello["version"] != LINES_VERSION:
            raise KitError(f"the engine speaks version {hello['version']} of the lines, this kit {LINES_VERSION}")
        #: Each player's chips at the beginning of a hand.
        self.start_stack: int = hello["stack"]
        self._tables = [LineTable("0", hello["stack"], hello["blinds"]) for _ in self.possible_agents]

    # ---- the episode

    def reset(self, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None) -> None:
        """
        Deals a hand. The same seed gives the same cards, button and random choices of the opponents. The default is the
        last seed plus 1, from 0 on, so that the button moves.
        """
        self._seed = self._seed + 1 if seed is None else seed
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._take(self._ask({"reset": {"seed": self._seed}}))

    def step(self, action: Optional[AnyAction]) -> None:
        """
        Acts for `agent_selection`: a number of ACTIONS, or a result that a bot's `decide` may return. Only None after
        the end of the hand. Raises IllegalAction for an illegal action, and changes nothing then.
        """
        agent = self.agent_selection
        if not self.agents:
            raise KitError("the episode is over: reset the environment")
        if self.terminations[agent]:
            if action is not None:
                raise IllegalAction(f"{agent} is done: step with None")
            self._remove(agent)
            return
        if action is None:
            raise IllegalAction(f"{agent} is not done: step with an action")
        wanted = self._action(self.hands[agent], action)
        self._cumulative_rewards[agent] = 0.0
        seat = self.possible_agents.index(agent)
        told = {"t": seat, **({"action": wanted.message} if isinstance(wanted, Mix) else wanted.fields)}
        self._take(self._ask({"n": self._number, "actions": [told]}))

    def observe(self, agent: str) -> Observation:
        """`observation`: see `observation_of`; `action_mask`: see `action_mask`; `hand`: the Hand itself."""
        hand = self.hands[agent]
        numbers = observation_of(hand, self.start_stack)
        return {"observation": numbers, "action_mask": action_mask(hand), "hand": hand}

    def last(self, observe: bool = True) -> Tuple[Optional[Observation], float, bool, bool, Dict[str, Any]]:
        """
        The state of `agent_selection`: observation, reward since it acted last, whether it is done, truncated, and
        infos.
        """
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Yields the agent to act, until the episode is over."""
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    # ---- the engine

    def close(self) -> None:
        """Ends the engine."""
        child = self._child
        assert child.stdin is not None and child.stdout is not None
        child.stdin.close()
        child.wait()
        child.stdout.close()

    def __enter__(self) -> "PokerEnv":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def _ask(self, line: Mapping[str, Any]) -> Dict[str, Any]:
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(json.dumps(line) + "\n")
            self._child.stdin.flush()
        except BrokenPipeError:
            raise KitError(f"the engine ended with exit code {self._child.wait()}") from None
        return self._read()

    def _read(self) -> Dict[str, Any]:
        assert self._child.stdout is not None
        text = self._child.stdout.readline()
        if text == "":
            raise KitError(f"the engine ended with exit code {self._child.wait()}")
        line: Dict[str, Any] = json.loads(text)
        if "error" in line:
            raise IllegalAction(line["error"])
        return line

    def _take(self, line: Mapping[str, Any]) -> None:
        """Reads the state of the hand after a reset or an action."""
        asked = line.get("decide", ())
        for seen in [*asked, *line.get("see", ())]:
            self.hands[self.possible_agents[seen["t"]]] = self._tables[seen["t"]].hand(seen["hand"])
        if asked:
            self._number = line["n"]
            self.agent_selection = self.possible_agents[asked[0]["t"]]
            return
        for result in line["results"]:
            agent = self.possible_agents[result["t"]]
            self.rewards[agent] = float(result["chips"])
            self._cumulative_rewards[agent] += float(result["chips"])
            self.terminations[agent] = True
        self.agent_selection = self.agents[0]

    def _remove(self, agent: str) -> None:
        self.agents.remove(agent)
        if self.agents:
            self.agent_selection = self.agents[0]

    def _action(self, hand: Hand, action: AnyAction) -> Union[Action, Mix]:
        """The bot's action for a number. Other forms are checked as the kit checks them."""
        if isinstance(action, (str, Action, Mix)) or isinstance(action, Mapping):
            return legal_choice(hand, action)
        number = int(action)
        mask = action_mask(hand)
        if not 0 <= number < len(ACTIONS) or not mask[number]:
            raise IllegalAction(f"action {action} is not legal now: the mask is {mask}")
        if number == FOLD:
            return Action("fold")
        if number == CHECK_OR_CALL:
            return hand.call()
        if number == ALL_IN:
            return hand.all_in()
        return hand.raise_pot(0.5 if number == RAISE_HALF_POT else 1.0)
