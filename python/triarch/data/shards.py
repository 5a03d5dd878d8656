"""Reads and checks shards."""

import hashlib
import io
import json
import pathlib
import struct
import zipfile
import zlib

import numpy as np

from .layout import EN_PASSANT, GAMES, NO_CELL, PENDING, PIN, PINS, RIGHTS, STATE, TO_MOVE, unpack
from .samples import SAMPLE_COLUMNS, Samples, Shard

FORMAT = 1
# As SAMPLE_COLUMNS, per game.
GAME_COLUMNS = {
    "game_index": ("<i8", ""), "game_points": ("<f4", "seats"), "game_bots": ("|u1", "seats"),
    "game_resign_ply": ("<i4", "seats"),
}


class DataError(ValueError):
    """A file that violates docs/selfplay-data.md."""


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
        of_games = self.columns(GAME_COLUMNS, games, meta)
        moves = self.array("game_moves", "<u2", None)
        move_offsets = self.offsets("game_moves_offsets", "<i8", games, len(moves))
        starts = self._arrays.get("game_start")
        self.expect(starts is not None and starts.dtype.kind == "S" and starts.shape == (games,),
                    "game_start", f"expected |S ({games},)")
        legal = self.array("legal", "<u2", None)
        samples = Samples(
            game=game.name, legal=legal, policy=self.array("policy", "|u1", len(legal)),
            legal_offsets=self.offsets("legal_offsets", "<u4", count, len(legal)),
            **self.columns(SAMPLE_COLUMNS, count, meta))
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
