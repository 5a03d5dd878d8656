"""Describes the games and the geometry of their boards."""

import ctypes
import functools
import json
from typing import NamedTuple

from . import _library
from ._library import TriarchError, check, quick, scratch


class Game(NamedTuple):
    """A game's names and sizes."""
    name: str                     # "triumvirate", "three-way", "tri-d"
    number: int                   # in triarch.h
    notation: str                 # of its positions' texts: "3PF", "HexFEN", "TFEN"
    seats: int
    cells: int
    policy_size: int              # policy indices are below it
    seat_names: tuple[str, ...]   # "White", …
    seat_letters: str             # "wbr"
    starts: tuple[str, ...]       # the default first
    move_forms: tuple[str, ...]   # "canonical", "tpgn", …
    plane_names: tuple[str, ...]  # of an observation


@functools.cache
def find_game(name: str) -> Game:
    """Returns the game of that name; raises TriarchError if there is none."""
    check(quick.triarch_find_game(name.encode(), scratch.number_at, scratch.error_at))
    number = scratch.number.value
    info = quick.triarch_get_game_info(number).contents
    return Game(
        name=info.name.decode(), number=number, notation=info.notation.decode(),
        seats=info.seats, cells=info.cells, policy_size=info.policy_size,
        seat_names=tuple(info.seat_names[i].decode() for i in range(info.seats)),
        seat_letters=info.seat_letters.decode(),
        starts=_library.words_of(info.starts), move_forms=_library.words_of(info.move_forms),
        plane_names=_library.words_of(info.plane_names))


GAMES = ("triumvirate", "three-way", "tri-d")


def terminations() -> tuple[str, ...]:
    """Returns the words that say how games end, by number."""
    words = []
    while (word := quick.triarch_termination_name(len(words))) is not None:
        words.append(word.decode())
    return tuple(words)


TERMINATIONS = terminations()


def start_bytes(game: Game, position=None, start=None):
    """Returns a position: a text or JSON, a named start, or the default start."""
    if position is not None and start is not None:
        raise TriarchError("expected a position or a start, not both")
    result = (ctypes.c_uint64 * (_library.POSITION_BYTES // 8))()
    at = ctypes.addressof(result)
    if position is not None:
        if isinstance(position, dict):
            position = json.dumps(position)
        check(quick.triarch_parse(game.number, position.encode(), at, scratch.error_at))
    else:
        check(quick.triarch_start(game.number, (start or "").encode(), at, scratch.error_at))
    return result


def cells(game: str, position=None) -> list[dict]:
    """Returns the geometry of each cell, in order of their numbers, as `triarch cells --json`
    prints it: name, coordinates, colour, neighbours, rays, knight's targets and promotions. The
    boards of Tri-D move, so its geometry is that of `position` (default: the start)."""
    where = start_bytes(find_game(game), position)
    text = _library.text_of(quick.triarch_cells_json, ctypes.addressof(where))
    return json.loads(text)["cells"]
