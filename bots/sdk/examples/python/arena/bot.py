#!/usr/bin/env python3
"""Plays one game at an arena: bot.py URL GAME NAME. Captures if it can."""
import random
import sys

import triarch_arena

url, game, name = sys.argv[1:]
NOTATION = "short" if game == "tri-d" else "tpgn"  # shows captures: "E2xD3"


def choose(turn):
    captures = [move for move, text in zip(turn.moves, turn.texts[NOTATION]) if "x" in text]
    return random.choice(captures or turn.moves)


print(triarch_arena.play(url, choose, game=game, name=name, notations=[NOTATION]))
