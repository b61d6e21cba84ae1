"""Were mixed actions drawn by the dice that were committed to (protocol.md, "Mixed actions")?"""

from __future__ import annotations

import hashlib
from typing import Any, Dict, Iterator, Mapping, Optional, Sequence


def sha256(text: str) -> str:
    """In hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def dice_faults(deal: Mapping[str, Any]) -> Iterator[str]:
    """Describes the faults in the draws of a deal. Empty without a fault."""
    seat, dice, draws = deal.get("seat"), deal.get("own_dice"), deal.get("draws", ())
    if dice is None:
        if draws:
            yield "own dice left out"
        return
    place = f"{deal['table_id']}|{deal['hand_number']}|"
    seed, hashes = dice["seed"], dice["hashes"]
    if sha256(f"agent-poker/rest|{place}{dice['undealt']}{''.join(hashes)}") != deal["deal_proof"]["rest"]:
        yield "not the committed dice"
    if seat is None or sha256(f"agent-poker/dice|{place}{seat}|{seed}") != hashes[seat]:
        yield "not the own dice"
    for mix in dice["mixes"]:
        number = mix["number"]
        if mix["u"] != _draw(deal, seed, number):
            yield f"action {number}: not the draw of the dice"
        if mix["part"] != _part_at(mix["parts"], mix["u"]):
            yield f"action {number}: not the part that was drawn"
        actions = deal.get("actions")
        if actions is not None and not _is_played(mix, seat, actions[number] if number < len(actions) else None):
            yield f"action {number}: not the action that was played"
    mixes: Dict[int, Mapping[str, Any]] = {mix["number"]: mix for mix in dice["mixes"]}
    for draw in draws:
        number, found = draw["number"], mixes.get(draw["number"])
        if found is None or (found["u"], found["part"]) != (draw["u"], draw["part"]):
            yield f"action {number}: another draw than was acknowledged"
        elif draw.get("parts") and not _is_same(found["parts"], draw["parts"]):
            yield f"action {number}: another mix than was sent"


def _draw(deal: Mapping[str, Any], seed: str, number: int) -> float:
    """The first 53 bits of the hash, from 0 up to 1."""
    nonces = "".join(f"|{each['seat']}:{each['nonce']}" for each in deal["deal_nonces"])
    digits = sha256(f"agent-poker/draw|{deal['deck_commitment']}|{seed}|{number}{nonces}")
    return float((int(digits[:14], 16) >> 3) / 2**53)


def _part_at(parts: Sequence[Mapping[str, Any]], u: float) -> int:
    """The first part with a sum of the probabilities up to it above the draw times the whole sum."""
    whole = 0.0
    for part in parts:
        whole += part["p"]
    total = 0.0
    for number, part in enumerate(parts):
        total += part["p"]
        if total > u * whole:
            return number
    return len(parts) - 1


def _is_played(mix: Mapping[str, Any], seat: Any, played: Optional[Mapping[str, Any]]) -> bool:
    """Whether the drawn part was played. A fold is taken as a check where checking is free."""
    if played is None or played["seat"] != seat or not 0 <= mix["part"] < len(mix["parts"]):
        return False
    drawn = mix["parts"][mix["part"]]
    if (drawn["action"], played["action"]) == ("fold", "check"):
        return True
    return bool(drawn["action"] == played["action"] and drawn.get("amount") in (None, played["amount"]))


def _is_same(shown: Sequence[Mapping[str, Any]], sent: Sequence[Mapping[str, Any]]) -> bool:
    def keys(parts: Sequence[Mapping[str, Any]]) -> Any:
        return [
            (each["action"], each.get("amount") if each["action"] == "raise" else None, each["p"]) for each in parts
        ]

    return bool(keys(shown) == keys(sent))
