"""Reads Triarch's self-play data (docs/selfplay-data.md) for training. Needs only numpy.

  data = triarch.data.Dataset("data")
  for batch in data.batches(1024, seed=epoch):
      x = triarch.data.planes(batch)          # float32 [1024, planes, cells]
      p = triarch.data.policy_targets(batch)  # float32 [1024, policy_size]
      v = triarch.data.value_targets(batch)   # float32 [1024, seats]

All network inputs and targets are in the *mover's view*: the board is rotated so that the player to
move is seat 0 and the next one seat 1. `to_mover` converts a batch; `rotation` returns the tables,
also for a model that plays.

Games are named "triumvirate", "three-way" and "tri-d". N is the number of samples, C and S are the
numbers of a game's cells and seats. A faulty file raises DataError, which names the file and the
array.
"""

from .dataset import Dataset
from .layout import (
    CLOCK, EN_PASSANT, GAMES, NO_CELL, OUT, PENDING, PIN, PINS, RIGHTS, SEAT_LEFT, STATE, TO_MOVE,
    TYPES, Game, Pieces, policy_size, unpack)
from .networks import (
    legal_mask, plane_names, planes, played_targets, policy_targets, position_planes, sparse_policy,
    value_targets)
from .notation import cell_names, cell_number, move_text, policy_index
from .samples import Sample, Samples, Shard
from .shards import FORMAT, DataError, read_shard
from .views import View, from_mover, is_exact, rotation, rotations, to_mover

__all__ = [
    "Dataset", "CLOCK", "EN_PASSANT", "GAMES", "NO_CELL", "OUT", "PENDING", "PIN", "PINS", "RIGHTS",
    "SEAT_LEFT", "STATE", "TO_MOVE", "TYPES", "Game", "Pieces", "policy_size", "unpack",
    "legal_mask", "plane_names", "planes", "played_targets", "policy_targets", "position_planes",
    "sparse_policy", "value_targets", "cell_names", "cell_number", "move_text", "policy_index",
    "Sample", "Samples", "Shard", "FORMAT", "DataError", "read_shard", "View", "from_mover",
    "is_exact", "rotation", "rotations", "to_mover"]
