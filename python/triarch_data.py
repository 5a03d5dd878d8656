"""Reads Triarch's self-play data (docs/selfplay-data.md) for training. Needs only numpy.

  data = triarch_data.Dataset("data")
  for batch in data.batches(1024, seed=epoch):
      x = triarch_data.planes(batch)          # float32 [1024, planes, cells]
      p = triarch_data.policy_targets(batch)  # float32 [1024, policy_size]
      v = triarch_data.value_targets(batch)   # float32 [1024, seats]

All network inputs and targets are in the *mover's view*: the board is rotated so that the player to
move is seat 0 and the next one seat 1. `to_mover` converts a batch; `rotation` returns the tables,
also for a model that plays.

Games are named "triumvirate", "three-way" and "tri-d". N is the number of samples, C and S are the
numbers of a game's cells and seats. A faulty file raises DataError, which names the file and the
array.
"""

import dataclasses
import functools
import hashlib
import io
import json
import pathlib
import struct
import zipfile
import zlib
from typing import Iterator, NamedTuple

import numpy as np

FORMAT = 1
TYPES = ("pawn", "knight", "bishop", "rook", "queen", "king")  # bits 0 to 2 of a cell: 1 to 6
NO_CELL = 255
SEAT_LEFT = 0xff00  # in a game's moves: this plus a seat means that the seat left the game
PINS = tuple(side + number for side in ("QL", "KL") for number in "123456")

# The bytes of `state`.
STATE = 16
TO_MOVE, OUT, RIGHTS, EN_PASSANT, CLOCK, PIN, PENDING = 0, 1, 4, 5, 8, 9, 13


class DataError(ValueError):
    """A file that violates docs/selfplay-data.md."""


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


def _game(name):
    if name not in GAMES:
        raise ValueError(f"there is no game {name!r}; expected one of {', '.join(GAMES)}")
    return GAMES[name]


def policy_size(game):
    """Returns the number of policy indices of the game."""
    return _game(game).policy_size


# --- cells and moves as text ---

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
    _game(game)
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


# --- views ---

class View(NamedTuple):
    """Tables that convert positions from the board's numbers to a view's.

      view_cells[:, cells] = pieces[board_cells]
      view_state[:, state_columns] = state_values[range(16), board_state]
      view_index = policy[board_index]
      view_points[:, seats] = board_points
      board_logits = view_logits[:, policy]
    """
    cells: np.ndarray          # int64 [C], a permutation
    policy: np.ndarray         # int64 [policy_size], a permutation
    seats: np.ndarray          # int64 [S], a permutation
    pieces: np.ndarray         # uint8 [256], a permutation of the bytes of cells
    state_columns: np.ndarray  # int64 [16], a permutation
    state_values: np.ndarray   # uint8 [16, 256], a permutation of the bytes per column

    def inverse(self):
        """Returns the view back to the board."""
        values = np.empty_like(self.state_values)
        values[self.state_columns] = np.argsort(self.state_values, axis=1)
        return View(np.argsort(self.cells), np.argsort(self.policy), np.argsort(self.seats),
                    np.argsort(self.pieces).astype(np.uint8), np.argsort(self.state_columns),
                    values)


def _bytes_of(permutation):
    """Returns a table of 256 bytes that permutes the first ones and keeps the others."""
    table = np.arange(256, dtype=np.uint8)
    table[:len(permutation)] = permutation
    return table


def _moves_of(cells):
    """Returns the table of policy indices kind · C² + from · C + to."""
    count = len(cells)
    moves = cells[:, None] * count + cells[None, :]
    return (np.arange(4)[:, None] * count * count + moves.reshape(1, -1)).reshape(-1)


def _pieces_of(seats):
    """Returns the table of the bytes of cells. Bytes that are not pieces stay unchanged."""
    table = np.arange(256)
    owner, colour = table >> 3 & 3, table >> 5 & 3
    count = len(seats)
    is_piece = (table & 7 != 0) & (table & 7 != 7) & (owner < count) & (colour < count)
    shown = np.append(seats, range(count, 4))
    return np.where(is_piece, table & 0x87 | shown[owner] << 3 | shown[colour] << 5,
                    table).astype(np.uint8)


def _view(game, cells, seats, policy=None):
    """Returns the view of these tables, without the state's boards and pins."""
    count = len(seats)
    columns = np.arange(STATE)
    columns[OUT:OUT + count] = OUT + seats
    values = np.tile(np.arange(256, dtype=np.uint8), (STATE, 1))
    values[TO_MOVE] = _bytes_of(seats)
    rights = np.arange(256)
    shown = rights & 0xff >> 2 * count << 2 * count
    for seat in range(count):
        shown |= (rights >> 2 * seat & 3) << 2 * int(seats[seat])
    values[RIGHTS] = shown
    if game == "three-way":  # one field for each seat
        columns[EN_PASSANT:EN_PASSANT + count] = EN_PASSANT + seats
        values[EN_PASSANT:EN_PASSANT + count] = _bytes_of(cells)
    else:
        values[EN_PASSANT] = _bytes_of(cells)
    return View(cells, _moves_of(cells) if policy is None else policy, seats, _pieces_of(seats),
                columns, values)


def _turned(game, seat):
    """Rotates by thirds: 32 cells further is the next seat's cell."""
    return _view(game, (np.arange(96) - 32 * seat) % 96, (np.arange(3) - seat) % 3)


def _tri_d_mirrored():
    """Mirrors the ranks (9 - rank) and swaps the colours: W with B, and each attack board with
    the other colour's on the same side."""
    cell = np.arange(64)
    main = 16 * (2 - cell // 16) + 4 * (3 - cell % 16 // 4) + cell % 4
    on_board = cell - 48
    attack = 48 + 4 * (on_board // 4 ^ 2) + (on_board % 4 ^ 2)
    cells = np.where(cell < 48, main, attack)
    boards = np.arange(4) ^ 2
    pin = np.arange(12)
    pins = pin // 6 * 6 + 5 - pin % 6
    kinds = 4 * 64 * 64 + np.arange(4)[:, None, None] * 48
    board_moves = (kinds + boards[None, :, None] * 12 + pins[None, None, :]).reshape(-1)
    view = _view("tri-d", cells, np.array([1, 0]), np.append(_moves_of(cells), board_moves))
    view.state_columns[PIN:PIN + 4] = PIN + boards
    view.state_values[PIN:PIN + 4] = _bytes_of(pins)
    view.state_values[PENDING] = _bytes_of(cells)
    return view


@functools.cache
def rotation(game, seat):
    """Returns the view in which `seat` is seat 0 and the others follow in turn order.

    Three-Way and Triumvirate rotate the board by thirds; Tri-D mirrors its ranks and exchanges the
    colours. The view of a position is a position of the game with exactly the view's legal moves,
    and each leads to the view of its result, because the rules treat all seats alike. The only
    exceptions are the start cells of kings and rooks; see `is_exact`.
    """
    count = _game(game).seats
    if not 0 <= seat < count:
        raise ValueError(f"there is no seat {seat} in {game}")
    if game != "tri-d":
        view = _turned(game, seat)
    elif seat == 1:
        view = _tri_d_mirrored()
    else:
        view = _view(game, np.arange(64), np.arange(2), np.arange(policy_size(game)))
    for table in view:
        table.setflags(write=False)
    return view


def is_exact(samples):
    """Returns bool [N]: whether every view of the position is a valid position of the game.

    It is invalid while a player may still castle from a cell where no other player's king castles:
    Black in Triumvirate's start `document`, whose king stands on the other side of the queen, and
    both players in Tri-D's `document`. Such views hold castling rights that no position of the game
    has. Everything except castling is still right, and `inverse` restores the original. Three-Way
    is always exact, and so are games that began in `server` or `meder`.
    """
    kind, owner, _, _ = unpack(samples.cells)
    cell = np.arange(samples.cells.shape[1])
    odd_home = {"triumvirate": cell % 32 == 3, "three-way": cell < 0, "tri-d": cell < 48}
    exact = np.ones(len(samples), bool)
    for seat in range(_game(samples.game).seats):
        has_right = samples.state[:, RIGHTS] >> 2 * seat & 3 != 0
        is_odd = ((kind == 6) & (owner == seat) & odd_home[samples.game]).any(axis=1)
        exact &= ~(has_right & is_odd)
    return exact


@functools.cache
def rotations(game):
    """Returns the views of all seats in one, each table with a leading axis for the seat."""
    views = [rotation(game, seat) for seat in range(_game(game).seats)]
    return View(*(np.stack(tables) for tables in zip(*views)))


@functools.cache
def _back_rotations(game):
    views = [rotation(game, seat).inverse() for seat in range(_game(game).seats)]
    return View(*(np.stack(tables) for tables in zip(*views)))


def _show_position(views, seat, cells, state):
    """Converts each position by the view of its `seat`."""
    rows = np.arange(len(seat))[:, None]
    shown_cells = np.empty_like(cells)
    shown_cells[rows, views.cells[seat]] = views.pieces[seat[:, None], cells]
    shown_state = np.empty_like(state)
    shown_state[rows, views.state_columns[seat]] = views.state_values[
        seat[:, None], np.arange(STATE), state]
    return shown_cells, shown_state


def _show_seats(views, seat, values):
    """Converts numbers [N, S] by seat."""
    shown = np.empty_like(values)
    shown[np.arange(len(seat))[:, None], views.seats[seat]] = values
    return shown


def _show(samples, views, seat):
    cells, state = _show_position(views, seat, samples.cells, samples.state)
    of_legal = np.repeat(seat, np.diff(samples.legal_offsets))
    return dataclasses.replace(
        samples, cells=cells, state=state,
        legal=views.policy[of_legal, samples.legal].astype(np.uint16),
        played=views.policy[seat, samples.played].astype(np.uint16),
        points=_show_seats(views, seat, samples.points),
        value=_show_seats(views, seat, samples.value))


def to_mover(samples):
    """Converts samples to the mover's view: cells, state, legal (no longer ascending), played,
    points and value. `seat` stays the mover's seat on the board, for `from_mover`. Samples that are
    already in that view stay unchanged."""
    return _show(samples, rotations(samples.game), samples.state[:, TO_MOVE])


def from_mover(samples):
    """Reverses `to_mover`."""
    return _show(samples, _back_rotations(samples.game), samples.seat)


# --- samples and shards ---

# Per column: its type, its length, and its second axis or "" for none.
_SAMPLE_COLUMNS = {
    "index": ("<i8", ""), "ply": ("<u2", ""), "seat": ("|u1", ""), "cells": ("|u1", "cells"),
    "state": ("|u1", "state"), "played": ("<u2", ""), "points": ("<f4", "seats"),
    "value": ("<f2", "seats"), "plies_left": ("<u2", ""), "weight": ("<f4", ""),
}
_GAME_COLUMNS = {
    "game_index": ("<i8", ""), "game_points": ("<f4", "seats"), "game_bots": ("|u1", "seats"),
    "game_resign_ply": ("<i4", "seats"),
}


class Sample(NamedTuple):
    """One sample; docs/selfplay-data.md defines its columns."""
    game: str
    index: int
    ply: int
    seat: int
    cells: np.ndarray   # uint8 [C]
    state: np.ndarray   # uint8 [16]
    legal: np.ndarray   # uint16 [moves]
    policy: np.ndarray  # uint8 [moves]
    played: int
    points: np.ndarray  # float32 [S]
    value: np.ndarray   # float16 [S]
    plies_left: int
    weight: float

    def move_text(self, index):
        """Returns a legal move in the rules' notation."""
        return move_text(self.game, index, self.cells, self.state, self.legal)

    def move_texts(self):
        """Returns the legal moves in the order of `legal`."""
        return [self.move_text(index) for index in self.legal]


@dataclasses.dataclass
class Samples:
    """N samples of one game, by column."""
    game: str
    index: np.ndarray          # int64 [N], index of the game in its tournament
    ply: np.ndarray            # uint16 [N]
    seat: np.ndarray           # uint8 [N], the seat to move
    cells: np.ndarray          # uint8 [N, C]
    state: np.ndarray          # uint8 [N, 16]
    legal_offsets: np.ndarray  # int64 [N + 1], of legal and policy
    legal: np.ndarray          # uint16, policy indices of the legal moves
    policy: np.ndarray         # uint8, parallel to legal: adds up to 255 per sample, or all 0
    played: np.ndarray         # uint16 [N]
    points: np.ndarray         # float32 [N, S]
    value: np.ndarray          # float16 [N, S], NaN if the bot gave none
    plies_left: np.ndarray     # uint16 [N]
    weight: np.ndarray         # float32 [N]

    def __len__(self):
        return len(self.seat)

    def __getitem__(self, row):
        """Returns the sample with this number from 0 on; raises IndexError if it does not exist."""
        if not 0 <= row < len(self):
            raise IndexError(f"there is no sample {row} of {len(self)}")
        moves = slice(self.legal_offsets[row], self.legal_offsets[row + 1])
        return Sample(self.game, int(self.index[row]), int(self.ply[row]), int(self.seat[row]),
                      self.cells[row], self.state[row], self.legal[moves], self.policy[moves],
                      int(self.played[row]), self.points[row], self.value[row],
                      int(self.plies_left[row]), float(self.weight[row]))

    def __iter__(self):
        return (self[row] for row in range(len(self)))

    def take(self, rows):
        """Returns a copy of the samples of these numbers, in this order."""
        rows = np.asarray(rows, np.int64)
        starts = self.legal_offsets[rows]
        lengths = self.legal_offsets[rows + 1] - starts
        offsets = np.concatenate(([0], np.cumsum(lengths)))
        moves = np.repeat(starts - offsets[:-1], lengths) + np.arange(offsets[-1])
        columns = {name: getattr(self, name)[rows] for name in _SAMPLE_COLUMNS}
        return Samples(game=self.game, legal_offsets=offsets, legal=self.legal[moves],
                       policy=self.policy[moves], **columns)

    @staticmethod
    def concatenate(parts):
        """Joins the samples of one or more parts, all of one game."""
        columns = {name: np.concatenate([getattr(part, name) for part in parts])
                   for name in (*_SAMPLE_COLUMNS, "legal", "policy")}
        lengths = np.concatenate([np.diff(part.legal_offsets) for part in parts])
        return Samples(game=parts[0].game, legal_offsets=np.concatenate(([0], np.cumsum(lengths))),
                       **columns)


@dataclasses.dataclass
class Shard:
    """A file of samples and the G games that they come from."""
    meta: dict                 # format, game, seats, cells, policy_size, bots, …
    samples: Samples
    game: np.ndarray           # int64 [N], the row in the game_* arrays
    game_index: np.ndarray     # int64 [G], ascending
    game_start: list           # [G] texts; "" the default start
    game_moves: list           # [G] uint16 [moves]; SEAT_LEFT + seat: it left the game here
    game_points: np.ndarray    # float32 [G, S]
    game_bots: np.ndarray      # uint8 [G, S], indices into meta["bots"]
    game_resign_ply: np.ndarray  # int32 [G, S], -1: never

    def __len__(self):
        return len(self.samples)


class _ShardReader:
    """Reads a shard's arrays and checks everything."""

    def __init__(self, name, arrays):
        self._name = name
        self._arrays = arrays

    def fail(self, array, what):
        raise DataError(f"{self._name}: array {array}: {what}")

    def expect(self, is_right, array, what):
        """Fails unless `is_right`, a single value or one per row, is true."""
        if np.ndim(is_right) == 0:
            if not is_right:
                self.fail(array, what)
        elif not np.all(is_right):
            self.fail(array, f"row {int(np.argmin(is_right))}: {what}")

    def array(self, name, dtype, *shape):
        """Returns the array; None in `shape` allows any length."""
        if name not in self._arrays:
            self.fail(name, "it is missing")
        array = self._arrays[name]
        fits = array.dtype == np.dtype(dtype) and array.ndim == len(shape) and all(
            want is None or want == length for want, length in zip(shape, array.shape))
        if not fits:
            wanted = ", ".join("any" if want is None else str(want) for want in shape)
            self.fail(name, f"{array.dtype.str} {array.shape}; expected {dtype} ({wanted})")
        return array

    def text(self, array, value):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return self.fail(array, "it is not UTF-8")

    def meta(self):
        if "meta" not in self._arrays or self._arrays["meta"].dtype.kind != "S" \
                or self._arrays["meta"].ndim != 0:
            self.fail("meta", "expected bytes (|S) and no axis")
        try:
            meta = json.loads(self.text("meta", self._arrays["meta"].item()))
        except json.JSONDecodeError as error:
            self.fail("meta", f"it is not JSON: {error}")
        self.expect(isinstance(meta, dict), "meta", "expected a JSON object")
        self.expect(meta.get("format") == FORMAT, "meta",
                    f"format {meta.get('format')!r}; this reader knows {FORMAT}")
        self.expect(meta.get("game") in GAMES, "meta", f"there is no game {meta.get('game')!r}")
        game = GAMES[meta["game"]]
        for key in ("seats", "cells", "policy_size"):
            self.expect(meta.get(key) == getattr(game, key), "meta",
                        f"{key} {meta.get(key)!r}; {game.name} has {getattr(game, key)}")
        self.expect(isinstance(meta.get("bots"), list) and meta["bots"] != [], "meta",
                    "expected a list of bots")
        return meta

    def offsets(self, name, dtype, count, length):
        offsets = self.array(name, dtype, count + 1).astype(np.int64)
        self.expect(offsets[0] == 0 and offsets[-1] == length, name,
                    f"expected them to go from 0 to {length}")
        self.expect(np.diff(offsets) >= 0, name, "they fall")
        return offsets

    def columns(self, table, count, meta):
        widths = {"cells": meta["cells"], "seats": meta["seats"], "state": STATE}
        return {name: self.array(name, dtype, count, *([widths[width]] if width else []))
                for name, (dtype, width) in table.items()}

    def check_shares(self, name, shares, slack):
        self.expect((np.abs(shares.astype(np.float32).sum(axis=1) - 1) <= slack)
                    & (shares >= 0).all(axis=1), name, "expected shares that add up to 1")

    def check_position(self, samples, game):
        kind, owner, colour, _ = unpack(samples.cells)
        is_piece = (kind <= 6) & (owner < game.seats) & (colour < game.seats)
        is_right = np.where(kind == 0, samples.cells == 0, is_piece).all(axis=1)
        self.expect(is_right, "cells", "there is no such piece")
        self.expect(samples.seat < game.seats, "seat", "there is no such seat")
        self.expect(samples.state[:, TO_MOVE] == samples.seat, "state", "expected the seat first")
        self.expect(samples.state[:, RIGHTS] < 1 << 2 * game.seats, "state",
                    "there are no such castling rights")
        cells = samples.state[:, EN_PASSANT:EN_PASSANT + 3]
        if game.name != "three-way":
            cells = cells[:, :1]
        if game.name == "tri-d":
            cells = np.column_stack((cells, samples.state[:, PENDING]))
            self.expect((samples.state[:, PIN:PIN + 4] < len(PINS)).all(axis=1), "state",
                        "there is no such pin")
        self.expect(((cells < game.cells) | (cells == NO_CELL)).all(axis=1), "state",
                    "there is no such cell")

    def check_moves(self, samples, game):
        offsets = samples.legal_offsets
        counts = np.diff(offsets)
        self.expect(counts > 0, "legal_offsets", "expected legal moves")
        self.expect(samples.legal < game.policy_size, "legal", "there is no such move")
        ascends = samples.legal[1:] > samples.legal[:-1]
        ascends[offsets[1:-1] - 1] = True  # where the next sample begins
        self.expect(ascends, "legal", "expected indices that ascend within a sample")
        row = np.repeat(np.arange(len(samples)), counts)
        is_played = samples.legal == samples.played[row]
        self.expect(np.bincount(row[is_played], minlength=len(samples)) == 1, "played",
                    "expected a legal move")
        sums = np.bincount(row, weights=samples.policy, minlength=len(samples))
        self.expect((sums == 255) | (sums == 0), "policy", "expected 255 parts, or none")

    def check_numbers(self, samples):
        self.check_shares("points", samples.points, 1e-3)
        has_value = ~np.isnan(samples.value).all(axis=1)
        value = samples.value.copy()
        value[~has_value] = [1] + [0] * (value.shape[1] - 1)
        self.check_shares("value", value, 1e-2)
        self.expect(np.isfinite(samples.weight) & (samples.weight >= 1), "weight",
                    "expected 1 or more")

    def read(self):
        meta = self.meta()
        game = GAMES[meta["game"]]
        games = len(self.array("game_index", "<i8", None))
        count = len(self.array("game", "<u4", None))
        of_games = self.columns(_GAME_COLUMNS, games, meta)
        moves = self.array("game_moves", "<u2", None)
        move_offsets = self.offsets("game_moves_offsets", "<i8", games, len(moves))
        starts = self._arrays.get("game_start")
        self.expect(starts is not None and starts.dtype.kind == "S" and starts.shape == (games,),
                    "game_start", f"expected |S ({games},)")
        legal = self.array("legal", "<u2", None)
        samples = Samples(
            game=game.name, legal=legal, policy=self.array("policy", "|u1", len(legal)),
            legal_offsets=self.offsets("legal_offsets", "<u4", count, len(legal)),
            **self.columns(_SAMPLE_COLUMNS, count, meta))
        row = self._arrays["game"].astype(np.int64)
        self.expect(row < games, "game", "there is no such game")
        self.expect(of_games["game_bots"].reshape(-1) < len(meta["bots"]), "game_bots",
                    "there is no such bot")
        self.expect(samples.index == of_games["game_index"][row], "index", "expected its game's")
        self.expect((samples.points == of_games["game_points"][row]).all(axis=1), "points",
                    "expected its game's")
        self.check_position(samples, game)
        self.check_moves(samples, game)
        self.check_numbers(samples)
        return Shard(meta=meta, samples=samples, game=row,
                     game_start=[self.text("game_start", start) for start in starts],
                     game_moves=np.split(moves, move_offsets[1:-1]) if games else [], **of_games)


def read_shard(path, sha256=None):
    """Reads and checks the shard in the file, also against `sha256` if it is given."""
    path = pathlib.Path(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from None
    if sha256 is not None and hashlib.sha256(content).hexdigest() != sha256:
        raise DataError(f"{path}: its SHA-256 differs from the manifest")
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
    except (ValueError, EOFError, OSError, KeyError, AttributeError, RuntimeError, struct.error,
            zipfile.BadZipFile, zlib.error) as error:
        raise DataError(f"{path}: it is not an .npz file: {error}") from None
    return _ShardReader(path, arrays).read()


# --- the folder ---

_MANIFEST_KEYS = {"shard": str, "sha256": str, "samples": int, "bytes": int, "games": int,
                  "first": int, "last": int, "format": int, "game": str, "spec": str, "build": str}


def _read_manifest(path):
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise DataError(f"{path}: it is not UTF-8") from None
    entries = []
    for number, line in enumerate(lines, 1):
        def fail(what):
            raise DataError(f"{path}:{number}: {what}")
        try:
            entry = json.loads(line)
        except json.JSONDecodeError as error:
            fail(error)
        if not isinstance(entry, dict):
            fail("expected a JSON object")
        if entry.get("format") != FORMAT:
            fail(f"format {entry.get('format')!r}; this reader knows {FORMAT}")
        for key, kind in _MANIFEST_KEYS.items():
            if not isinstance(entry.get(key), kind):
                fail(f"{key} {entry.get(key)!r}; expected {kind.__name__}")
        name = pathlib.PurePosixPath(entry["shard"])
        if name.is_absolute() or ".." in name.parts:
            fail(f"shard {entry['shard']!r} is outside of the folder")
        if entries and entry["game"] != entries[0]["game"]:
            fail(f"a shard of {entry['game']} among those of {entries[0]['game']}")
        entries.append(entry)
    return entries


class Dataset:
    """A folder of shards. Only those in its manifest.jsonl are read; other files, from a running or
    interrupted run, are ignored. The manifest is read once: create a new Dataset to see later
    shards.

    `verify` compares each file's SHA-256 with the manifest whenever it is read.
    """

    def __init__(self, path, verify=False):
        self.path = pathlib.Path(path)
        self.entries = _read_manifest(self.path / "manifest.jsonl")  # a dict for each shard
        self._verifies = verify

    @property
    def game(self):
        """The game's name, or None without shards."""
        return self.entries[0]["game"] if self.entries else None

    def __len__(self):
        """Returns the number of samples."""
        return sum(entry["samples"] for entry in self.entries)

    def _load(self, entry):
        path = self.path / entry["shard"]
        shard = read_shard(path, entry["sha256"] if self._verifies else None)
        for key, found in (("game", shard.meta["game"]), ("samples", len(shard)),
                           ("games", len(shard.game_index))):
            if found != entry[key]:
                raise DataError(f"{path}: {key} {found}; the manifest says {entry[key]}")
        return shard

    def shards(self) -> Iterator[Shard]:
        """Yields the shards in the manifest's order."""
        return map(self._load, self.entries)

    def samples(self) -> Iterator[Sample]:
        """Yields the samples in order of shards, games and plies."""
        for shard in self.shards():
            yield from shard.samples

    def batches(self, size, shuffle=True, seed=0, buffer=4, part=(0, 1),
                drop_last=False) -> Iterator[Samples]:
        """Yields every sample once, in batches of `size`; the last may be smaller, unless
        drop_last.

        `shuffle` takes the shards in random order and draws batches from the samples of about
        `buffer` shards at a time. The same seed gives the same batches, so use another for each
        epoch. At most `buffer` + 1 of the largest shards are in memory, twice that while loading.
        part = (i, n) yields the i-th of n parts of the shards, 0 <= i < n, for n workers with the
        same seed.
        """
        number, parts = part
        if size < 1 or buffer < 1 or not 0 <= number < parts:
            raise ValueError("expected size and buffer of 1 or more, and part = (i, n), i below n")
        order = np.arange(len(self.entries))
        if shuffle:
            order = np.random.default_rng([seed, 0]).permutation(order)
        entries = [self.entries[i] for i in order[number::parts]]
        pools = self._pools(entries, np.random.default_rng([seed, 1, number]), buffer) \
            if shuffle else (self._load(entry).samples for entry in entries)
        return _cut(pools, size, drop_last)

    def _pools(self, entries, random, buffer):
        """Yields the samples in random order, in pieces of about a shard. A pool is filled up to
        `buffer` shards before each piece is drawn from it."""
        room = buffer * max((entry["samples"] for entry in entries), default=0)
        pool = None
        for number, entry in enumerate(entries):
            shard = self._load(entry).samples
            pool = Samples.concatenate([pool, shard]) if pool else shard
            following = entries[number + 1:number + 2]
            if following and len(pool) + following[0]["samples"] > room:
                count = len(pool) + following[0]["samples"] - room
                rows = random.permutation(len(pool))
                yield pool.take(rows[:count])
                pool = pool.take(rows[count:])
        if pool:
            yield pool.take(random.permutation(len(pool)))


def _cut(pools, size, drop_last):
    """Yields batches of `size` from pieces of any size."""
    rest = []
    have = 0
    for pool in pools:
        begin = 0
        while have + len(pool) - begin >= size:
            end = begin + size - have
            rest.append(pool.take(range(begin, end)))
            yield Samples.concatenate(rest) if len(rest) > 1 else rest[0]
            rest, have, begin = [], 0, end
        if begin < len(pool):
            rest.append(pool.take(range(begin, len(pool))))
            have += len(pool) - begin
    if rest and not drop_last:
        yield Samples.concatenate(rest)


# --- for networks, in the mover's view ---

def _relative_seats(game):
    return ("own", "next", "last") if _game(game).seats == 3 else ("own", "other")


@functools.cache
def _piece_planes(game):
    """Returns the names of the planes that depend on a cell's byte alone, and float32 [256,
    planes]."""
    seats = _relative_seats(game)
    kind, owner, colour, flag = unpack(np.arange(256))
    names = [f"{seat} {piece}" for seat in seats for piece in TYPES]
    columns = [(kind == number) & (owner == seat) for seat in range(len(seats))
               for number in range(1, 7)]
    if game == "triumvirate":
        names += [f"colour of {seat}" for seat in seats] + ["pawn that walks home"]
        columns += [(kind != 0) & (colour == seat) for seat in range(3)] + [flag]
    if game == "tri-d":
        names += ["pawn with double step"]
        columns += [flag]
    return names, np.stack(columns, axis=1).astype(np.float32)


@functools.cache
def plane_names(game):
    """Returns the names of the planes of `planes` in order. "own" is the player to move, "next" the
    one after, "last" the third; Tri-D has "own" and "other".

      own pawn … last king      1 on that owner's pieces of that type
      colour of own …           Triumvirate: 1 on pieces of that colour
      pawn that walks home      Triumvirate: a pawn whose target is its current sector
      pawn with double step     Tri-D
      en passant                1 on the cell passed over (Tri-D: of the pawn that may be taken);
                                Three-Way: one plane per player
      board on QL1 …            Tri-D: 1 on the four cells of the attack board on that pin
      promotes first            Tri-D: the pawn that a board move has freed
      own castles short …       1 everywhere while the right is held
      next is out, last is out  1 everywhere, with three seats
      clock                     halfmove clock as a share of the plies that make a draw, everywhere
    """
    seats = _relative_seats(game)
    names = list(_piece_planes(game)[0])
    names += [f"en passant of {seat}" for seat in seats] if game == "three-way" else ["en passant"]
    if game == "tri-d":
        names += [f"board on {pin}" for pin in PINS] + ["promotes first"]
    names += [f"{seat} castles {side}" for seat in seats for side in ("short", "long")]
    names += [f"{seat} is out" for seat in seats[1:] if len(seats) == 3]
    return tuple(names + ["clock"])


def _marked(cells, count):
    """Returns bool [N, 1, count]: true at each number's cell; all false for NO_CELL."""
    return (cells[:, None] == np.arange(count))[:, None, :]


def _clock(game, state):
    """Returns the halfmove clock as a share of the plies that make a draw: float [N]."""
    limit = 100
    if game == "triumvirate":
        limit = 75 * (3 - np.count_nonzero(state[:, OUT:OUT + 3], axis=1))
    return np.minimum(state[:, CLOCK] / limit, 1)


def position_planes(game, cells, state):
    """Returns `planes` of positions in any view: cells [N, C] and state [N, 16]."""
    count = _game(game).cells
    seats = _game(game).seats
    cells, state = _show_position(rotations(game), state[:, TO_MOVE], cells, state)
    parts = [_piece_planes(game)[1][cells].transpose(0, 2, 1)]
    for seat in range(3 if game == "three-way" else 1):
        parts.append(_marked(state[:, EN_PASSANT + seat], count))
    if game == "tri-d":
        pin = np.full(cells.shape, NO_CELL)
        pin[:, 48:] = np.repeat(state[:, PIN:PIN + 4], 4, axis=1)
        parts += [pin[:, None, :] == np.arange(len(PINS))[:, None],
                  _marked(state[:, PENDING], count)]
    whole = [state[:, RIGHTS, None] >> np.arange(2 * seats) & 1]
    if seats == 3:
        whole.append(state[:, OUT + 1:OUT + 3] != 0)
    whole.append(_clock(game, state)[:, None])
    whole = np.concatenate(whole, axis=1)[:, :, None]
    parts.append(np.broadcast_to(whole, (*whole.shape[:2], count)))
    return np.concatenate(parts, axis=1, dtype=np.float32)


def planes(samples):
    """Returns a network's input, float32 [N, planes, C]: the planes of plane_names(game) in the
    mover's view."""
    return position_planes(samples.game, samples.cells, samples.state)


def _shown_moves(samples):
    """Returns the sample and the mover's policy index of each legal move: int64 [moves] twice."""
    row = np.repeat(np.arange(len(samples)), np.diff(samples.legal_offsets))
    return row, rotations(samples.game).policy[samples.state[row, TO_MOVE], samples.legal]


def sparse_policy(samples):
    """Returns the bots' policies in the mover's view as (sample, policy index, weight): int64,
    int64 and float32 [moves], with an entry per legal move. The weights of a sample add up to 1. If
    the bot gave no policy, the move played has weight 1."""
    row, index = _shown_moves(samples)
    sums = np.bincount(row, weights=samples.policy, minlength=len(samples))
    is_played = samples.legal == samples.played[row]
    weight = np.where(sums[row] > 0, samples.policy / np.maximum(sums[row], 1), is_played)
    return row, index, weight.astype(np.float32)


def policy_targets(samples):
    """Returns sparse_policy as float32 [N, policy_size]."""
    row, index, weight = sparse_policy(samples)
    targets = np.zeros((len(samples), policy_size(samples.game)), np.float32)
    targets[row, index] = weight
    return targets


def legal_mask(samples):
    """Returns bool [N, policy_size]: the legal moves in the mover's view."""
    mask = np.zeros((len(samples), policy_size(samples.game)), bool)
    mask[_shown_moves(samples)] = True
    return mask


def played_targets(samples):
    """Returns int64 [N]: the policy index of the move played, in the mover's view."""
    return rotations(samples.game).policy[samples.state[:, TO_MOVE], samples.played]


def value_targets(samples, own_share=0.0):
    """Returns float32 [N, S]: shares of the points, the mover's first, then in turn order.
    own_share is the weight of the bot's own value, if it gave one."""
    value = samples.value.astype(np.float32)
    own = np.where(np.isnan(value), samples.points, value)
    mixed = (1 - own_share) * samples.points + own_share * own
    return _show_seats(rotations(samples.game), samples.state[:, TO_MOVE],
                       mixed.astype(np.float32))
