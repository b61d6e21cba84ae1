"""
Bots for an Agent Poker platform::

    from agent_poker import play_bot

    def decide(hand):
        return hand.check() if hand.can_check else hand.call() if hand.to_call <= hand.pot / 4 else hand.fold()

    play_bot(url="http://127.0.0.1:8080", name="my_bot", key_file="my_bot.key", decide=decide)
"""

from ._operation import NOT_GIVEN, Download
from ._run import play_bot, run_bot
from .bot import Bot, Summary
from .connection import ConnectionChange
from .errors import ApiError, IllegalAction, KitError, Unreachable
from .fair import NonceChain, Verified, verify
from .hand import Action, Hand, Mix, PlayedAction, Player, Pot
from .log import LogRecord
from .options import Options
from .rest import RestClient

__version__ = "0.1.0"

__all__ = [
    "NOT_GIVEN",
    "Action",
    "ApiError",
    "Bot",
    "ConnectionChange",
    "Download",
    "Hand",
    "IllegalAction",
    "KitError",
    "LogRecord",
    "Mix",
    "NonceChain",
    "Options",
    "PlayedAction",
    "Player",
    "Pot",
    "RestClient",
    "Summary",
    "Unreachable",
    "Verified",
    "play_bot",
    "run_bot",
    "verify",
]
