"""Converts Triumvirate to and from the notation Triumvirate v4.0 (docs/formats.md).

A cell is "W3/B3.0": sector, ring, opponent, depth and flank; the six of the rosette are "C/W.B". Two
tables are in use: "published", the printed one, and "client", which is computed. All functions take
the table's name.

    >>> to_v4("A1")
    'W3/B3.0'
    >>> from_v4("C/W.B")
    'D4'
"""

import functools
import re
from typing import NamedTuple

from ._library import TriarchError
from .games import cells

TABLES = ("published", "client")
PIECES = {"K": "Leader", "Q": "Marshal", "R": "Train", "B": "Drone", "N": "Noctis", "P": "Private"}
_FROM_LETTER = {name[0]: letter for letter, name in PIECES.items()}
_SEATS = "WBR"


class Cell(NamedTuple):
    """The parts of a cell's name."""
    name: str          # in v4.0
    cell: str          # the classic name: "B3"
    sector: str        # "W", "B" or "R"
    opponent: str      # whom it faces according to the table
    ring: int
    depth: int
    flank: int
    is_rosette: bool
    buried_level: int  # ring plus depth
    buried_class: str  # "rosette", "inner", "middle" or "corner"


@functools.cache
def _table(table):
    if table not in TABLES:
        raise TriarchError(f"unknown table {table!r}; known: {', '.join(TABLES)}")
    described = []
    for cell in cells("triumvirate"):
        v4 = cell["v4"][table]
        described.append(Cell(v4["name"], cell["name"], _SEATS[v4["sector"]],
                              _SEATS[v4["opponent"]], v4["ring"], v4["depth"], v4["flank"],
                              v4["is_rosette"], v4["buried_level"], v4["buried_class"]))
    return {cell.cell: cell for cell in described}, {cell.name: cell for cell in described}


def describe(cell: str, table: str = "published") -> Cell:
    """Returns the parts of the name of a cell, which may be given in either notation."""
    by_cell, by_name = _table(table)
    found = by_cell.get(cell) or by_name.get(cell)
    if found is None:
        raise TriarchError(f"{cell!r} is neither a cell (B3) nor a name of the {table} table "
                           f"({by_cell['A1'].name}, C/W.B)")
    return found


def to_v4(cell: str, table: str = "published") -> str:
    """Returns the name of a cell: to_v4("A1") is "W3/B3.0"."""
    return describe(cell, table).name


def from_v4(name: str, table: str = "published") -> str:
    """Returns the classic name of a cell."""
    found = _table(table)[1].get(name)
    if found is None:
        other = TABLES[1 - TABLES.index(table)]
        hint = _table(other)[1].get(name)
        raise TriarchError(
            f"{name!r} is not a cell of the {table} table"
            + (f" (in the {other} table it is {hint.cell})" if hint else "")
            + f"; expected a name such as {to_v4('A1', table)} or C/W.B")
    return found.cell


def ring(number: int, table: str = "published") -> list[str]:
    """Returns the cells on a ring. The rosette counts as ring 0."""
    return [cell.cell for cell in _table(table)[0].values() if cell.ring == number]


def sector(letter: str, table: str = "published") -> list[str]:
    """Returns the cells of a sector: "W", "B" or "R"."""
    return [cell.cell for cell in _table(table)[0].values() if cell.sector == letter]


def buried_level(cell: str, table: str = "published") -> int:
    """Returns the buried level of a cell, 0 to 6: ring plus depth."""
    return describe(cell, table).buried_level


def piece_to_v4(piece: str) -> str:
    """Returns the name of a piece by its letter: piece_to_v4("K") is "Leader"."""
    if piece not in PIECES:
        raise TriarchError(f"unknown piece {piece!r}; expected one of {', '.join(PIECES)}")
    return PIECES[piece]


def piece_from_v4(name: str) -> str:
    """Returns the letter of a piece by its name or the name's first letter."""
    letter = _FROM_LETTER.get(name[:1].upper())
    if letter is None or name not in (PIECES[letter], PIECES[letter][0]):
        raise TriarchError(f"unknown piece {name!r}; expected one of {', '.join(PIECES.values())}")
    return letter


_CLASSIC_CELL = re.compile(r"(?<![A-Za-z0-9/.])([A-L](?:1[0-2]|[1-9]))(?![0-9/.])")
_CELL = r"(?:C/[WBR]\.[WBR]|[WBR][0-3]/[WBR][0-3]\.[0-3])"
_V4_CELL = re.compile(_CELL)
_PROMOTION = re.compile(r"=([A-Z])")


def move_to_v4(move: str, table: str = "published") -> str:
    """Converts a move in any of the game's forms: "E2-E4", "E4xD5", "A7-A8=Q", "O-O"."""
    move = _CLASSIC_CELL.sub(lambda found: to_v4(found[1], table), str(move))
    return _PROMOTION.sub(lambda found: "=" + piece_to_v4(found[1])[0], move)


def move_from_v4(move: str, table: str = "published") -> str:
    """The inverse of move_to_v4."""
    move = _PROMOTION.sub(lambda found: "=" + piece_from_v4(found[1]), str(move))
    move = _V4_CELL.sub(lambda found: from_v4(found[0], table), move)
    if "/" in move:
        raise TriarchError(f"{move!r} contains a name that is not a cell of the {table} table")
    return move


_PIECE = re.compile(r"([wbr])([KQRBNP])((?:>[wbr])?)([A-L]\d+)((?:\^[wbr])?)")
_V4_PIECE = re.compile(rf"([wbr])([LMTDNP])((?:>[wbr])?)({_CELL})((?:\^[wbr])?)")


def _convert_position(text, form, piece, cell, field):
    """Converts the pieces and the en passant cell of a 3PF text."""
    parts = text.split(" ")
    if len(parts) != 7:
        raise TriarchError(f"{len(parts)} fields; expected the 7 of 3PF", field=1)
    pieces = []
    for number, word in enumerate(parts[0].split(","), 1):
        found = form.fullmatch(word)
        if not found:
            raise TriarchError(f"piece {number}, {word!r}: expected {field}", field=1)
        colour, letter, owner, where, target = found.groups()
        pieces.append(colour + piece(letter) + owner + cell(where) + target)
    parts[0] = ",".join(pieces)
    if parts[3] != "-":
        parts[3] = cell(parts[3])
    return " ".join(parts)


def position_to_v4(text: str, table: str = "published") -> str:
    """Converts a 3PF text: its pieces ("wKE1" becomes "wLW3/R3.3") and its en passant cell."""
    return _convert_position(str(text), _PIECE, lambda letter: PIECES[letter][0],
                             lambda cell: to_v4(cell, table), "a piece such as wKE1")


def position_from_v4(text: str, table: str = "published") -> str:
    """The inverse of position_to_v4."""
    return _convert_position(text, _V4_PIECE, _FROM_LETTER.__getitem__,
                             lambda name: from_v4(name, table), "a piece such as wTW3/B3.0")
