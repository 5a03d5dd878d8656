"""Reads a folder of shards, in order or in shuffled batches."""

import json
import pathlib
from typing import Iterator

import numpy as np

from .samples import Sample, Samples, Shard
from .shards import FORMAT, DataError, read_shard

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
