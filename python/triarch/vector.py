"""Plays many games of one kind in step, for training. Needs numpy.

    env = triarch.vector.Env("three-way", 1024, planes="bits")
    batch = env.reset()
    while training:
        actions = choose(batch)            # policy indices, uint16 [N]
        batch = env.step(actions)

Planes and policy indices are in the *mover's view*: the board is rotated so that the seat to move is
seat 0 (docs/selfplay-data.md). With view="fixed" they are always seat 0's.
"""

import ctypes
import itertools
import numbers
import operator
from typing import Iterator, NamedTuple, Optional, Sequence

import numpy as np

from . import _library
from ._library import TriarchError, check, quick, scratch, slow
from .games import TERMINATIONS, find_game, start_bytes
from .state import State

RESIGN = _library.ACTION_RESIGN  # plus a seat: that seat resigns
NONE = _library.ACTION_NONE      # leaves a game as it is


class Batch(NamedTuple):
    """The state of all games after a step. The arrays belong to the environment, and the next step
    overwrites them: copy what you keep. What was not asked for is None.

    N games, S seats, C cells, P planes (Game.plane_names), A policy indices.
    """
    seat: np.ndarray           # uint8 [N]: the seat to move
    legal: np.ndarray          # uint16 [moves]: policy indices of the legal moves, ascending per game
    legal_offsets: np.ndarray  # uint32 [N + 1]: game i has legal[legal_offsets[i]:legal_offsets[i+1]]
    legal_bits: Optional[np.ndarray]  # uint64 [N, ceil(A / 64)]
    legal_mask: Optional[np.ndarray]  # bool [N, A]
    planes: Optional[np.ndarray]      # uint8 [N, P, C], 0 or 1; "bits": uint8 [N, P, C / 8]
    clock: np.ndarray          # uint8 [N]: halfmove clock as a share of the draw's, 0 to 255
    cells: Optional[np.ndarray]       # uint8 [N, C]: the bytes of samples, always in seat 0's view
    state: Optional[np.ndarray]       # uint8 [N, 16]
    rewards: np.ndarray        # float32 [N, S]: what the step earned each seat, -1 to 1
    ended: np.ndarray          # uint8 [N]: 0, or 1 + the number of the termination (TERMINATIONS)
    places: np.ndarray         # uint8 [N, S]: of the games that the step ended; otherwise 0
    plies: np.ndarray          # uint32 [N]: played in the game so far

    def counts(self) -> np.ndarray:
        """Returns the number of legal moves of each game."""
        return np.diff(self.legal_offsets)


def _check_actions(actions):
    """Refuses what a conversion to uint16 would change: -1 would become NONE."""
    if actions.dtype.kind not in "iu":
        raise TriarchError(f"actions of type {actions.dtype}; expected integers")
    wrong = actions[(actions < 0) | (actions > NONE)]
    if len(wrong):
        raise TriarchError(f"action {wrong[0]}; expected a policy index, RESIGN + a seat, or NONE")


def _number(players):
    """Numbers policies: texts and integers by value, others by identity."""
    known = {}
    return np.array([known.setdefault(
        player if isinstance(player, (str, numbers.Integral)) else (id(player),), len(known))
        for player in players])


class Env:
    """N games of one kind. A game that ends begins anew in the same step, unless resets=False.

    game       "triumvirate", "three-way" or "tri-d"
    n          the number of games
    planes     "bytes", "bits" or None: the form of the observations
    legal      what to compute beside the indices: "bits", "mask" or None. A mask has A bytes per
               game, 36 864 in the games with 96 cells
    samples    whether to compute `cells` and `state`
    view       "mover" or "fixed"
    position   the start of all games: a text or position JSON; `start` names one instead
    draws, material_draws   as for triarch.State
    plies_max  ends longer games as draws between the seats still in; 0 means never
    resets     whether finished games begin anew
    threads    how many threads a step uses
    """

    _batch = None  # the library's, while the environment is open
    _players = ()  # the policies that `groups` last numbered

    def __init__(self, game: str, n: int, *, planes: Optional[str] = None,
                 legal: Optional[str] = None, samples: bool = False, view: str = "mover",
                 position=None, start: Optional[str] = None, draws: str = "automatic",
                 material_draws: bool = False, plies_max: int = 0, resets: bool = True,
                 threads: int = 1):
        for name, value, allowed in (("planes", planes, (None, "bytes", "bits")),
                                     ("legal", legal, (None, "bits", "mask")),
                                     ("view", view, ("mover", "fixed")),
                                     ("draws", draws, ("automatic", "claimed"))):
            if value not in allowed:
                raise TriarchError(
                    f"{name} {value!r}; expected one of {', '.join(map(repr, allowed))}")
        if n < 1:
            raise TriarchError(f"n {n}; expected 1 or more")
        self.game = find_game(game)
        self.n = n
        self._random = np.random.default_rng()
        self._start = start_bytes(self.game, position, start)
        flags = ((_library.DRAWS_CLAIMED if draws == "claimed" else 0)
                 | (_library.MATERIAL_DRAWS if material_draws else 0)
                 | (_library.FIXED_VIEW if view == "fixed" else 0)
                 | (0 if resets else _library.NO_RESET))
        options = _library.BatchOptions(ctypes.sizeof(_library.BatchOptions), flags, threads,
                                        plies_max)
        made = ctypes.c_void_p()
        check(quick.triarch_batch_create(ctypes.addressof(self._start), n,
                                         ctypes.addressof(options), ctypes.addressof(made),
                                         scratch.error_at))
        self._batch = made
        self._make_arrays(planes, legal, samples)

    def _make_arrays(self, planes, legal, samples):
        game, n = self.game, self.n
        count = len(game.plane_names)
        self._all = np.empty(n * _library.MOVES_MAX, np.uint16)  # untouched memory costs nothing
        self._arrays = {
            "seat": np.zeros(n, np.uint8),
            "legal_offsets": np.zeros(n + 1, np.uint32),
            "legal": self._all,
            "legal_bits": np.zeros((n, (game.policy_size + 63) // 64), np.uint64)
            if legal == "bits" else None,
            "legal_mask": np.zeros((n, game.policy_size), np.bool_) if legal == "mask" else None,
            "planes": np.zeros((n, count, game.cells), np.uint8) if planes == "bytes" else None,
            "plane_bits": np.zeros((n, count, game.cells // 8), np.uint8)
            if planes == "bits" else None,
            "clock": np.zeros(n, np.uint8),
            "cells": np.zeros((n, game.cells), np.uint8) if samples else None,
            "state": np.zeros((n, 16), np.uint8) if samples else None,
            "rewards": np.zeros((n, game.seats), np.float32),
            "ended": np.zeros(n, np.uint8),
            "places": np.zeros((n, game.seats), np.uint8),
            "plies": np.zeros(n, np.uint32)}
        self._pointers = _library.BatchArrays(
            size=ctypes.sizeof(_library.BatchArrays),
            **{name: array.ctypes.data for name, array in self._arrays.items()
               if array is not None})
        self._at = ctypes.addressof(self._pointers)

    def _result(self):
        arrays = self._arrays
        offsets = arrays["legal_offsets"]
        planes = arrays["planes"] if arrays["planes"] is not None else arrays["plane_bits"]
        return Batch(arrays["seat"], self._all[:offsets[-1]], offsets, arrays["legal_bits"],
                     arrays["legal_mask"], planes, arrays["clock"], arrays["cells"],
                     arrays["state"], arrays["rewards"], arrays["ended"], arrays["places"],
                     arrays["plies"])

    def reset(self, seed: Optional[int] = None) -> Batch:
        """Begins all games anew. `seed` determines what `sample` chooses."""
        self._random = np.random.default_rng(seed)
        quick.triarch_batch_reset(self._open_batch())
        return self.observe()

    def observe(self) -> Batch:
        """Returns the present state of all games, without rewards."""
        check(slow.triarch_batch_observe(self._open_batch(), self._at, scratch.error_at))
        return self._result()

    def step(self, actions: Sequence[int]) -> Batch:
        """Plays a policy index in each game (or RESIGN + a seat, or NONE). If any of them is not
        possible, raises IllegalMoveError and plays nothing."""
        actions = np.asarray(actions)
        if actions.dtype != np.uint16:
            _check_actions(actions)
        actions = np.ascontiguousarray(actions, np.uint16)
        if actions.shape != (self.n,):
            raise TriarchError(f"actions of shape {actions.shape}; expected ({self.n},)")
        status = slow.triarch_batch_step(self._open_batch(), actions.ctypes.data, self._at,
                                         scratch.error_at)
        if status:
            check(status)
        return self._result()

    def sample(self) -> np.ndarray:
        """Returns a random legal action for each game; NONE for a finished one."""
        offsets = self._arrays["legal_offsets"]
        counts = np.diff(offsets)
        numbers = (self._random.random(self.n, np.float32) * counts).astype(np.uint32)
        # A product may be rounded up to the number of moves.
        np.minimum(numbers, np.maximum(counts, 1) - 1, out=numbers)
        first = offsets[:-1]
        if counts.all():
            return self._all[first + numbers]
        return np.where(counts > 0, self._all[np.minimum(first + numbers, len(self._all) - 1)],
                        np.uint16(NONE))

    def groups(self, policies) -> Iterator[tuple]:
        """Yields (policy, rows) for each policy that is to move somewhere: the rows whose seat to
        move it plays. policies[i][s] plays seat s of game i; a list of S policies means the same for
        all games. So several players' networks share one batch:

            for network, rows in env.groups([[new, old], [old, new]] * (n // 2)):
                actions[rows] = network(batch.planes[rows])
        """
        if isinstance(policies, np.ndarray):
            policies = policies.tolist()
        seats = self.game.seats
        if len(policies) == seats and not isinstance(policies[0], (list, tuple, np.ndarray)):
            players = list(policies)
        elif len(policies) == self.n and set(map(len, policies)) == {seats}:
            players = list(itertools.chain.from_iterable(policies))
        else:
            raise TriarchError(f"expected {seats} policies for each of {self.n} games")
        # A caller may change the list between steps, so the policies themselves are compared.
        if len(players) != len(self._players) or not all(map(operator.is_, players, self._players)):
            self._players = players
            self._table = _number(players).reshape(-1, seats)
        table = self._table
        current = table[np.arange(self.n) if len(table) > 1 else 0, self._arrays["seat"]]
        known = dict(zip(table.flat, players))
        for number, policy in known.items():
            rows = np.flatnonzero(current == number)
            if len(rows):
                yield policy, rows

    def state(self, number: int) -> State:
        """Returns a copy of a game, which `undo` cannot take further back."""
        self._check_number(number)
        state = State(self.game.name)
        quick.triarch_batch_get(self._open_batch(), number, state._at)
        return state

    def set_state(self, number: int, state: State) -> None:
        """Replaces a game. Call `observe` before the next step."""
        self._check_number(number)
        if state.game != self.game.name:
            raise TriarchError(f"a state of {state.game}; expected one of {self.game.name}")
        quick.triarch_batch_set(self._open_batch(), number, state._at)

    def _open_batch(self):
        if self._batch is None:
            raise TriarchError("the environment is closed")
        return self._batch

    def _check_number(self, number):
        if not 0 <= number < self.n:
            raise TriarchError(f"game {number}; expected 0 to {self.n - 1}")

    def close(self) -> None:
        """Frees the games. Further calls are errors."""
        if self._batch is not None:
            quick.triarch_batch_destroy(self._batch)
            self._batch = None

    def __del__(self):
        self.close()


__all__ = ["NONE", "RESIGN", "TERMINATIONS", "Batch", "Env"]
