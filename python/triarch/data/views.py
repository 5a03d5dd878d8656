"""Converts positions and samples between the board's view and the mover's."""

import dataclasses
import functools
from typing import NamedTuple

import numpy as np

from .layout import EN_PASSANT, OUT, PENDING, PIN, RIGHTS, STATE, TO_MOVE
from .layout import find_game, policy_size, unpack


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
    count = find_game(game).seats
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
    for seat in range(find_game(samples.game).seats):
        has_right = samples.state[:, RIGHTS] >> 2 * seat & 3 != 0
        is_odd = ((kind == 6) & (owner == seat) & odd_home[samples.game]).any(axis=1)
        exact &= ~(has_right & is_odd)
    return exact


@functools.cache
def rotations(game):
    """Returns the views of all seats in one, each table with a leading axis for the seat."""
    views = [rotation(game, seat) for seat in range(find_game(game).seats)]
    return View(*(np.stack(tables) for tables in zip(*views)))


@functools.cache
def _back_rotations(game):
    views = [rotation(game, seat).inverse() for seat in range(find_game(game).seats)]
    return View(*(np.stack(tables) for tables in zip(*views)))


def show_position(views, seat, cells, state):
    """Converts each position by the view of its `seat`."""
    rows = np.arange(len(seat))[:, None]
    shown_cells = np.empty_like(cells)
    shown_cells[rows, views.cells[seat]] = views.pieces[seat[:, None], cells]
    shown_state = np.empty_like(state)
    shown_state[rows, views.state_columns[seat]] = views.state_values[
        seat[:, None], np.arange(STATE), state]
    return shown_cells, shown_state


def show_seats(views, seat, values):
    """Converts numbers [N, S] by seat."""
    shown = np.empty_like(values)
    shown[np.arange(len(seat))[:, None], views.seats[seat]] = values
    return shown


def _show(samples, views, seat):
    cells, state = show_position(views, seat, samples.cells, samples.state)
    of_legal = np.repeat(seat, np.diff(samples.legal_offsets))
    return dataclasses.replace(
        samples, cells=cells, state=state,
        legal=views.policy[of_legal, samples.legal].astype(np.uint16),
        played=views.policy[seat, samples.played].astype(np.uint16),
        points=show_seats(views, seat, samples.points),
        value=show_seats(views, seat, samples.value))


def to_mover(samples):
    """Converts samples to the mover's view: cells, state, legal (no longer ascending), played,
    points and value. `seat` stays the mover's seat on the board, for `from_mover`. Samples that are
    already in that view stay unchanged."""
    return _show(samples, rotations(samples.game), samples.state[:, TO_MOVE])


def from_mover(samples):
    """Reverses `to_mover`."""
    return _show(samples, _back_rotations(samples.game), samples.seat)
