"""Makes a network's inputs and targets of samples, in the mover's view."""

import functools

import numpy as np

from .layout import CLOCK, EN_PASSANT, NO_CELL, OUT, PENDING, PIN, PINS, RIGHTS, TO_MOVE, TYPES
from .layout import find_game, policy_size, unpack
from .views import rotations, show_position, show_seats


def _relative_seats(game):
    return ("own", "next", "last") if find_game(game).seats == 3 else ("own", "other")


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
    count = find_game(game).cells
    seats = find_game(game).seats
    cells, state = show_position(rotations(game), state[:, TO_MOVE], cells, state)
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
    return show_seats(rotations(samples.game), samples.state[:, TO_MOVE],
                       mixed.astype(np.float32))
