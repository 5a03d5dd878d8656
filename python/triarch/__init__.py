"""The rules of Triumvirate, Three-Way Chess and Tri-D chess, with batches for training and bots.

    import triarch

    state = triarch.State("tri-d")
    state.play(state.legal_moves()[0])
    bot = triarch.bot("mcts", nodes=300)
    state.play(bot.choose(state))

  triarch.State       a game in progress
  triarch.cells       the geometry of a board
  triarch.bot         a bundled searcher
  triarch.run         a tournament
  triarch.serve       makes a Python class a process bot
  triarch.notation    Triumvirate v4.0
  triarch.env         PettingZoo's AEC interface          (needs numpy)
  triarch.vector      many games at once, for training    (needs numpy)
  triarch.data        reads self-play data                (needs numpy)
"""

import importlib

_PLACES = {"IllegalMoveError": "_library", "TriarchError": "_library",
           "GAMES": "games", "Game": "games", "cells": "games", "find_game": "games",
           "Move": "state", "Moves": "state", "Outcome": "state", "Piece": "state",
           "State": "state",
           "Analysis": "bots", "Bot": "bots", "bot": "bots", "run": "bots", "serve": "bots"}
_MODULES = ("bots", "data", "env", "games", "notation", "state", "vector")

__all__ = [*_PLACES, *_MODULES]
__version__ = "0.1.0"


def __getattr__(name):
    """Imports what is used, so that triarch.data needs no library, and the rest no numpy."""
    if name in _MODULES:
        return importlib.import_module("." + name, __name__)
    if name not in _PLACES:
        raise AttributeError(f"module 'triarch' has no attribute {name!r}")
    value = getattr(importlib.import_module("." + _PLACES[name], __name__), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(__all__)
