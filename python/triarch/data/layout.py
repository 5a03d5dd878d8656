"""Defines the sizes of the games and the bytes of positions."""

from typing import NamedTuple

import numpy as np

TYPES = ("pawn", "knight", "bishop", "rook", "queen", "king")  # bits 0 to 2 of a cell: 1 to 6
NO_CELL = 255
SEAT_LEFT = 0xff00  # in a game's moves: this plus a seat means that the seat left the game
PINS = tuple(side + number for side in ("QL", "KL") for number in "123456")

# The bytes of `state`.
STATE = 16
TO_MOVE, OUT, RIGHTS, EN_PASSANT, CLOCK, PIN, PENDING = 0, 1, 4, 5, 8, 9, 13


class Game(NamedTuple):
    """The sizes of a game."""
    name: str
    seats: int
    cells: int
    policy_size: int


GAMES = {game.name: game for game in (
    Game("triumvirate", 3, 96, 4 * 96 * 96),
    Game("three-way", 3, 96, 4 * 96 * 96),
    Game("tri-d", 2, 64, 4 * 64 * 64 + 4 * 4 * 12),
)}


def find_game(name):
    """Returns the named game; raises ValueError if it does not exist."""
    if name not in GAMES:
        raise ValueError(f"there is no game {name!r}; expected one of {', '.join(GAMES)}")
    return GAMES[name]


def policy_size(game):
    """Returns the number of policy indices of the game."""
    return find_game(game).policy_size


class Pieces(NamedTuple):
    """The pieces on cells, in arrays of the bytes' shape; 0 for an empty cell."""
    type: np.ndarray    # uint8, 1 to 6: TYPES[type - 1]
    owner: np.ndarray   # uint8, a seat
    colour: np.ndarray  # uint8, a seat; other than the owner only in Triumvirate
    flag: np.ndarray    # bool; Triumvirate: a pawn that moves towards the base row of its current
    #                     sector; Tri-D: one that still has its double step


def unpack(cells):
    """Splits the bytes of cells, in an array of any shape."""
    cells = np.asarray(cells, np.uint8)
    return Pieces(cells & 7, cells >> 3 & 3, cells >> 5 & 3, cells >> 7 != 0)
