"""Plays any legal move."""

import triarch_bot


def choose(turn):
    return turn.random.choice(turn.legal)


triarch_bot.run(choose, name="random-py 1.0")
