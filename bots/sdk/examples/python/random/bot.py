"""Plays random legal moves. Copy bots/sdk/python/triarch_bot.py next to it."""

import triarch_bot


def choose(turn):
    return turn.random.choice(turn.legal)


triarch_bot.run(choose, name="random-py 1.0")
