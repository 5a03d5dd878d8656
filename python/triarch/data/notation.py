"""Names cells and moves as the rules do."""

import functools

from .layout import PIN, PINS, find_game


def _triumvirate_cells():
    letters = ("ABCDEFGH", "LKJIDCBA", "HGFEIJKL")
    numbers = ((1, 2, 3, 4), (8, 7, 6, 5), (12, 11, 10, 9))
    return [letter + str(number) for sector in range(3) for number in numbers[sector]
            for letter in letters[sector]]


def _three_way_cells():
    names = []
    for cell in range(96):
        third, row, column = cell // 32, cell // 8 % 4, cell % 8
        q, r = column - 4, row - max(column, 4)
        s = -1 - q - r
        for _ in range(third):
            q, r, s = s, q, r
        names.append("abcdefghijklmno"[q + 7] + str(r + 8))
    return names


def _pin_column(pin, place):
    """Returns the file (0 is z) and rank of a place on an attack board."""
    return 4 * (pin // 6) + place % 2, (0, 4, 2, 6, 4, 8)[pin % 6] + place // 2


def _tri_d_cells(pins):
    names = ["abcd"[cell % 4] + str(1 + 2 * (cell // 16) + cell % 16 // 4) + "WNB"[cell // 16]
             for cell in range(48)]
    for pin in pins:
        for place in range(4):
            file, rank = _pin_column(pin, place)
            names.append("zabcde"[file] + str(rank) + PINS[pin])
    return names


@functools.cache
def _names(game, pins):
    if game == "tri-d":
        return tuple(_tri_d_cells(pins))
    return tuple(_triumvirate_cells() if game == "triumvirate" else _three_way_cells())


def cell_names(game, state=None):
    """Returns the names of all cells in order. Tri-D needs a position's `state`, because the cells
    of attack boards are named by the boards' pins."""
    find_game(game)
    if game != "tri-d":
        return _names(game, ())
    if state is None:
        raise ValueError("the cells of tri-d have names only where the boards stand: give a state")
    return _names(game, tuple(int(pin) for pin in state[PIN:PIN + 4]))


def cell_number(game, name, state=None):
    """Returns the number of the named cell; raises ValueError if it does not exist."""
    names = cell_names(game, state)
    if name not in names:
        raise ValueError(f"there is no cell {name!r}")
    return names.index(name)


def _promotion_step(game, index):
    """Returns the distance between two kinds of promotion at this index."""
    if game == "tri-d":
        return 4 * 12 if index >= 4 * 64 * 64 else 64 * 64
    return 96 * 96


def move_text(game, index, cells, state, legal):
    """Returns the move in the rules' notation. `cells` [C] and `state` [16] are the position before
    it, as in the shard; `legal` holds the policy indices of all its legal moves."""
    index = int(index)
    names = cell_names(game, state)
    step = _promotion_step(game, index)
    first = 4 * 64 * 64 if game == "tri-d" and index >= 4 * 64 * 64 else 0
    kind, rest = divmod(index - first, step)
    # All four promotions are legal together; a move without one to a rook is not a promotion.
    ending = "=" + "QRBN"[kind] if kind > 0 or index + step in legal else ""
    if first:
        board, pin = divmod(rest, 12)
        return f"{PINS[state[PIN + board]]}-{PINS[pin]}{ending}"
    start, end = divmod(rest, len(names))
    if game == "tri-d":
        if start == end:  # a pawn that the opponent's board move has freed
            return names[end] + ending
        # Castling ends on the rook's cell, where no other move ends.
        if cells[start] & 7 == 6 and cells[end] & 31 == (4 | int(cells[start]) & 24):
            return "0-0" if names[end][0] == "e" else "0-0-0"
    return f"{names[start]}-{names[end]}{ending}"


def policy_index(game, text, cells, state, legal):
    """Returns the policy index of the legal move with this text; raises ValueError if the move is
    not legal."""
    for index in legal:
        if move_text(game, index, cells, state, legal) == text:
            return int(index)
    raise ValueError(f"{text!r} is not a legal move here")
