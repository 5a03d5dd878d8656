"""A bot that behaves as its option Does says, to test triarch_bot.py."""

import json

import triarch_bot


def tell(turn):
    number = turn.random.random()
    turn.memory["turns"] = turn.memory.get("turns", 0) + 1
    turn.info(string=json.dumps({
        "game": turn.game, "position": turn.position, "moves": turn.moves, "legal": turn.legal,
        "seats": turn.seats, "seat": turn.seat, "clocks": turn.clocks,
        "increments": turn.increments, "moves_to_go": turn.moves_to_go, "movetime": turn.movetime, "nodes": turn.nodes,
        "depth": turn.depth, "budget": turn.budget_ms, "options": turn.options,
        "turns": turn.memory["turns"], "random": number}))
    turn.info(depth=3, nodes=40, shares=[0.5, 1 / 3, 1 / 6], pv=turn.legal[:2])


def choose(turn):
    does = turn.options["Does"]
    if does == "tell":
        tell(turn)
    if does == "think":
        nodes = 0
        turn.info(nodes=nodes)
        while not turn.is_stopped():
            nodes += 1
        turn.info(nodes=nodes)
    if does == "resign":
        return triarch_bot.RESIGN
    if does == "claim" and not turn.is_claim_refused:
        return triarch_bot.CLAIM
    if does == "throw":
        raise RuntimeError("thrown for a test")
    if does == "answer_nothing":
        return None
    return turn.legal[0]


triarch_bot.run(choose, name="odd 1.0", games=["tri-d", "triumvirate", "three-way"], options={
    "Does": triarch_bot.Combo(
        ["tell", "think", "resign", "claim", "throw", "answer_nothing"]),
    "Fast": triarch_bot.Check(True),
    "Level": triarch_bot.Spin(3, -1, 9),
    "Book": triarch_bot.String(),
    "Two words": triarch_bot.String("both words"),
})
