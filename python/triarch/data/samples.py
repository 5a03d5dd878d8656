"""Holds samples by column, and shards."""

import dataclasses
from typing import NamedTuple

import numpy as np

from .notation import move_text

# Per column: its type, its length, and its second axis or "" for none.
SAMPLE_COLUMNS = {
    "index": ("<i8", ""), "ply": ("<u2", ""), "seat": ("|u1", ""), "cells": ("|u1", "cells"),
    "state": ("|u1", "state"), "played": ("<u2", ""), "points": ("<f4", "seats"),
    "value": ("<f2", "seats"), "plies_left": ("<u2", ""), "weight": ("<f4", ""),
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
        columns = {name: getattr(self, name)[rows] for name in SAMPLE_COLUMNS}
        return Samples(game=self.game, legal_offsets=offsets, legal=self.legal[moves],
                       policy=self.policy[moves], **columns)

    @staticmethod
    def concatenate(parts):
        """Joins the samples of one or more parts, all of one game."""
        columns = {name: np.concatenate([getattr(part, name) for part in parts])
                   for name in (*SAMPLE_COLUMNS, "legal", "policy")}
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
