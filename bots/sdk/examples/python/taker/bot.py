"""Captures or promotes when it can; otherwise it plays a random legal move.

It knows no rules. It remembers where moves ended: a legal move to such a cell is a capture.
Copy bots/sdk/python/triarch_bot.py next to it.
"""

import triarch_bot


def cells(move):
    """Returns the cells where a move begins and ends: A7 and A8 for A7-A8=Q."""
    start, _, end = move.partition("=")[0].partition("-")
    return start, end


def occupied_cells(moves):
    """Returns the cells of the pieces that have moved."""
    occupied = set()
    for start, end in map(cells, moves):
        occupied.discard(start)
        occupied.add(end)
    return occupied


def choose(turn):
    occupied = occupied_cells(turn.moves)

    def worth(move):
        promotion = turn.options["Promotion"] if move.endswith("=Q") else 0
        capture = 1 if cells(move)[1] in occupied else 0
        return promotion + capture + turn.random.random()  # ties are broken at random

    best = max(turn.legal, key=worth)
    turn.info(depth=1, nodes=len(turn.legal), pv=[best])
    return best


triarch_bot.run(choose, name="taker-py 1.0", options={"Promotion": triarch_bot.Spin(2, 0, 9)})
