"""Were hands dealt from the decks that were committed to (docs/protocol.md, "Fair deals")? Reads JSON: the answer of
GET /api/hands/{hand_id}/proof, or an array of a hand's frames from hand_start to hand_result. It is better to begin
at the hand_start of the hand before. Run: python3 examples/verify.py < hands.jsonl"""
import hashlib
import json
import sys

CARDS = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
sha256 = lambda text: hashlib.sha256(text.encode()).hexdigest()  # noqa: E731


def below(n, data):
    """Lemire's unbiased choice, from 16-bit words."""
    product = (next(data) * 256 + next(data)) * n
    return product // 65536 if product % 65536 >= 65536 % n else below(n, data)


def permutation(commitment, nonces):
    """The card dealt for each card of the deck: Fisher-Yates by the words of SHAKE-256."""
    seed = f"agent-poker/nonces|{commitment}" + "".join(f"|{n['seat']}:{n['nonce']}" for n in nonces)
    data, dealt = iter(hashlib.shake_256(seed.encode()).digest(1024)), list(CARDS)
    for i in range(52 if nonces else 0):
        chosen = i + below(52 - i, data)
        dealt[i], dealt[chosen] = dealt[chosen], dealt[i]
    return dealt


def dice(hand):
    """Describes the faults in the draws of the own mixed actions."""
    own, place, seat = hand.get("own_dice"), f"{hand['table_id']}|{hand['hand_number']}|", hand.get("seat")
    for number in [draw["number"] for draw in hand.get("draws", []) if not own]:
        yield f"action {number}: own dice left out"
    if not own:
        return
    if sha256(f"agent-poker/rest|{place}{own['undealt']}{''.join(own['hashes'])}") != hand["deal_proof"]["rest"]:
        yield "not the committed dice"
    if sha256(f"agent-poker/dice|{place}{seat}|{own['seed']}") != own["hashes"][seat]:
        yield "not the own dice"
    nonces = "".join(f"|{n['seat']}:{n['nonce']}" for n in hand["deal_nonces"])
    for mix in own["mixes"]:
        number, sums = mix["number"], [0.0]
        for part in mix["parts"]:
            sums.append(sums[-1] + part["p"])
        u = (int(sha256(f"agent-poker/draw|{hand['deck_commitment']}|{own['seed']}|{number}{nonces}")[:14], 16) >> 3) / 2**53
        if u != mix["u"]:
            yield f"action {number}: not the draw of the dice"
        drawn = next((i for i, top in enumerate(sums[1:]) if top > mix["u"] * sums[-1]), len(mix["parts"]) - 1)
        if drawn != mix["part"]:
            yield f"action {number}: not the part that was drawn"
        part, played = mix["parts"][drawn], (hand.get("actions", []) + [None] * 999)[number]
        as_said = (seat, part["action"], part.get("amount", played and played["amount"]))
        checked = played and (played["seat"], part["action"], played["action"]) == (seat, "fold", "check")
        if played and not checked and (played["seat"], played["action"], played["amount"]) != as_said:
            yield f"action {number}: not the action that was played"


def gather(frames):
    """The frames of a hand as one object with the fields of a proof."""
    starts = [frame for frame in frames if frame["type"] == "hand_start"]
    hand = {**starts[-1], "board": [], "acks": [], "announced": starts[-2]["next_deal"] if starts[1:] else None}
    for frame in frames:
        if frame["type"] == "deal_nonce_ack" and frame["counts"] and frame["deck_commitment"] == hand["deck_commitment"]:
            hand["acks"].append(frame["nonce"])
        elif frame.get("hand_id") != hand["hand_id"]:
            continue
        elif frame["type"] == "community_cards":
            hand["board"] = (hand["board"] if len(frame["cards"]) <= 3 else []) + frame["cards"]
        elif frame["type"] == "action_ack" and "drawn" in frame:
            hand["draws"] = [*hand.get("draws", []), frame["drawn"]]
        elif frame["type"] == "hole_cards":
            hand["hole_cards"] = frame["cards"]
        elif frame["type"] == "hand_result":
            hand = {**hand, **frame, "seats": [int(seat) for seat in frame["final_stacks"]]}
    return hand


def verify(hand):
    """The faults of a hand. Empty for a correct hand."""
    hand, faults = gather(hand) if isinstance(hand, list) else hand, []
    check = lambda holds, fault: holds or faults.append(fault)  # noqa: E731
    root, nonces, proof, own = hand["deck_commitment"], hand["deal_nonces"], hand["deal_proof"], hand.get("hole_cards")
    place, hashes = f"{hand['table_id']}|{hand['hand_number']}|", proof["hashes"]
    check(sha256(f"agent-poker/deck|{place}{''.join(hashes)}{proof['rest']}") == root, "not the committed deck")
    dealt, opened = permutation(root, nonces), {}
    hands = hand.get("opened_hands", [])
    for leaf in proof["opened"] + hand.get("own_opened", []) + [leaf for each in hands for leaf in each["opened"]]:
        index, card = leaf["index"], leaf["card"]
        check(sha256(f"agent-poker/leaf|{place}{index:02}|{card}|{leaf['salt']}") == hashes[index], f"wrong leaf {index}")
        opened[index] = dealt[CARDS.index(card)]
    check(len(set(opened.values())) == len(opened), "a card is twice in the deck")
    order = sorted(hand["seats"], key=lambda seat: (seat - hand["dealer_seat"] - 1) % 64)
    seen = [(f"seat {seat}", int(seat), cards) for seat, cards in hand["shown_cards"].items()]
    seen += [(f"opened seat {each['seat']}", each["seat"], each["hole_cards"]) for each in hands]
    seen = [(what, who, cards) for what, who, cards in [*seen, ("own cards", hand.get("seat"), own)] if cards]
    seen = [(what, [order.index(who), order.index(who) + len(order)], cards) for what, who, cards in seen]
    for what, places, cards in [*seen, ("board", range(2 * len(order), 2 * len(order) + 5), hand["board"])]:
        check(all(opened.get(at) == card for at, card in zip(places, cards)), f"{what}: not the cards of the deck")
    if announced := hand.get("announced"):
        check(announced["deck_commitment"] == root, "another deck than was announced")
        anchors = {each["seat"]: each["anchor"] for each in announced["anchors"]}
        for n in nonces:
            check(anchors.get(n["seat"]) == sha256(n["nonce"]), f"nonce of seat {n['seat']} was not fixed")
    for nonce in hand.get("acks", []) if own else []:
        check({"seat": hand["seat"], "nonce": nonce} in nonces, "own nonce left out")
    return faults + list(dice(hand))


results = [verify(json.loads(line)) for line in sys.stdin if line.strip()]
if not results:
    print("usage: python3 examples/verify.py < hands.jsonl", file=sys.stderr)
    sys.exit(2)
print("\n".join("; ".join(faults) or "ok" for faults in results))
sys.exit(any(results))
