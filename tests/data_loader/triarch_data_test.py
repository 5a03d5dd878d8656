#!/usr/bin/env python3
"""Tests triarch.data alone: invalid files, the tables of views, the memory of batches, and
the PyTorch example. check_loader.py compares it with the rules."""

import hashlib
import importlib.util
import json
import pathlib
import sys
import tempfile
import types
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import triarch.data as td  # noqa: E402


def small_arrays(game="three-way", samples=6, first=0):
    """Returns the arrays of a shard with two games. The boards are not real positions."""
    rules = td.GAMES[game]
    random = np.random.default_rng(first)
    counts = random.integers(1, 5, samples)
    legal = np.concatenate([np.sort(random.choice(rules.policy_size, count, replace=False))
                            for count in counts]).astype("<u2")
    offsets = np.concatenate(([0], np.cumsum(counts))).astype("<u4")
    policy = np.zeros(len(legal), "u1")
    policy[offsets[:-1]] = 255
    row = np.sort(np.arange(samples) % 2).astype("<u4")
    seat = (np.arange(samples) % rules.seats).astype("u1")
    state = np.zeros((samples, 16), "u1")
    state[:, td.TO_MOVE] = seat
    state[:, td.EN_PASSANT:td.EN_PASSANT + 3] = td.NO_CELL
    state[:, td.PENDING] = td.NO_CELL
    cells = np.zeros((samples, rules.cells), "u1")
    cells[:, 3] = 1 | 1 << 3 | 1 << 5  # a pawn of seat 1
    points = np.zeros((2, rules.seats), "<f4")
    points[:, 0] = 1
    meta = {"format": 1, "game": game, "seats": rules.seats, "cells": rules.cells,
            "policy_size": rules.policy_size, "tournament": 1, "spec": "0" * 64, "start": "",
            "bots": ["one"], "build": "test"}
    return {
        "meta": np.array(json.dumps(meta).encode()),
        "game_index": np.array([first, first + 1], "<i8"),
        "game_start": np.array([b"", "wei\u00df".encode()]),
        "game_moves_offsets": np.array([0, 2, 3], "<i8"),
        "game_moves": np.array([1, 0xff01, 2], "<u2"),
        "game_points": points,
        "game_bots": np.zeros((2, rules.seats), "u1"),
        "game_resign_ply": np.full((2, rules.seats), -1, "<i4"),
        "game": row, "index": row.astype("<i8") + first,
        "ply": np.arange(samples).astype("<u2"), "seat": seat, "cells": cells, "state": state,
        "legal_offsets": offsets, "legal": legal, "policy": policy,
        "played": legal[offsets[:-1]], "points": points[row],
        "value": np.full((samples, rules.seats), np.nan, "<f2"),
        "plies_left": np.zeros(samples, "<u2"), "weight": np.ones(samples, "<f4"),
    }


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="triarch_data_")
        self.folder = pathlib.Path(self.enterContext(folder))
        (self.folder / "shards").mkdir()
        self.manifest = self.folder / "manifest.jsonl"
        self.lines = []

    def write(self, arrays, name="shards/a.npz"):
        path = self.folder / name
        np.savez(path, **arrays)
        return path

    def add(self, arrays, name="shards/a.npz", **changes):
        """Writes a shard and its manifest line."""
        content = self.write(arrays, name).read_bytes()
        first, last = (int(arrays["game_index"][i]) for i in (0, -1))
        entry = {"shard": name, "sha256": hashlib.sha256(content).hexdigest(),
                 "samples": len(arrays["game"]), "bytes": len(content), "games": 2, "first": first,
                 "last": last, "format": 1, "game": json.loads(arrays["meta"].item())["game"],
                 "spec": "0" * 64, "build": "test"}
        self.lines.append(json.dumps(entry | changes))
        self.manifest.write_text("".join(line + "\n" for line in self.lines))

    def assert_faulty(self, words, call):
        with self.assertRaises(td.DataError) as caught:
            call()
        for word in words:
            self.assertIn(word, str(caught.exception))


class Shards(Folder):
    def test_reads_a_shard(self):
        shard = td.read_shard(self.write(small_arrays(first=5)))
        self.assertEqual(len(shard), 6)
        self.assertEqual(shard.meta["bots"], ["one"])
        self.assertEqual(shard.game_start, ["", "wei\u00df"])
        self.assertEqual([moves.tolist() for moves in shard.game_moves], [[1, 0xff01], [2]])
        self.assertEqual(shard.samples[4].index, 6)
        for row in (-1, len(shard.samples)):
            with self.assertRaises(IndexError):
                shard.samples[row]
        self.assertEqual(shard.game.tolist(), [0, 0, 0, 1, 1, 1])

    def test_arrays_need_their_type_and_shape(self):
        for name, array in small_arrays().items():
            wrong = [None]
            if name not in ("meta", "game_start"):
                other = np.dtype("<f8")
                swapped = array.dtype.newbyteorder(">") if array.dtype.itemsize > 1 else "i1"
                wrong += [array.astype(other), array[..., None], array.astype(swapped)]
            if name not in ("meta", "legal", "game_moves", "game", "game_index"):
                wrong.append(array[:-1])
            for changed in wrong:
                arrays = small_arrays()
                del arrays[name]
                if changed is not None:
                    arrays[name] = changed
                with self.subTest(array=name, changed=None if changed is None else
                                  (changed.dtype.str, changed.shape)):
                    path = self.write(arrays)
                    self.assert_faulty([str(path), f"array {name}:"], lambda: td.read_shard(path))

    def test_rejects_invalid_values(self):
        def put(name, where, value):
            def change(arrays):
                arrays[name] = arrays[name].copy()
                arrays[name][where] = value
                return arrays
            return name, change

        def meta(key, value):
            def change(arrays):
                found = json.loads(arrays["meta"].item()) | {key: value}
                return arrays | {"meta": np.array(json.dumps(found).encode())}
            return "meta", change

        faults = [
            meta("format", 2), meta("game", "chess"), meta("seats", 2), meta("cells", 64),
            meta("policy_size", 5), meta("bots", []),
            ("meta", lambda arrays: arrays | {"meta": np.array(b"{")}),
            ("meta", lambda arrays: arrays | {"meta": np.array(b"\xff")}),
            put("game", 5, 2), put("index", 0, 1), put("points", (0, 1), 0.5),
            put("seat", 0, 3), put("state", (2, td.TO_MOVE), 0), put("state", (0, td.RIGHTS), 64),
            put("state", (0, td.EN_PASSANT + 2), 96), put("cells", (1, 7), 7),
            put("cells", (1, 7), 0x80), put("cells", (1, 7), 1 | 3 << 3),
            put("legal", 0, td.policy_size("three-way")), put("legal_offsets", 1, 0),
            put("legal_offsets", -1, 3), put("legal_offsets", 0, 1), put("policy", 0, 254),
            put("played", 0, 60000), put("value", (0, 0), 0.5), put("weight", 0, 0.5),
            put("weight", 0, np.inf), put("game_bots", (0, 0), 1), put("game_moves_offsets", 1, 9),
            ("legal", lambda arrays: arrays | {"legal": arrays["legal"][::-1].copy()}),
        ]
        for name, change in faults:
            with self.subTest(array=name):
                path = self.write(change(small_arrays()))
                self.assert_faulty([str(path), f"array {name}"], lambda: td.read_shard(path))

    def test_rejects_files_that_are_not_shards(self):
        path = self.write(small_arrays())
        content = path.read_bytes()
        middle = len(content) // 2
        for wrong in (b"", b"PK", content[:middle], b"\x93NUMPY\x01\x00\x00\x00",
                      content[:middle] + bytes([content[middle] ^ 255]) + content[middle + 1:]):
            path.write_bytes(wrong)
            self.assert_faulty([str(path)], lambda: td.read_shard(path))
        np.savez(path, **small_arrays() | {"weight": np.array([None] * 6)})  # pickled
        self.assert_faulty([str(path)], lambda: td.read_shard(path))
        self.assert_faulty(["shards/b.npz"], lambda: td.read_shard(self.folder / "shards/b.npz"))


class Manifests(Folder):
    def test_only_shards_of_the_manifest_count(self):
        self.add(small_arrays(first=0))
        self.write(small_arrays(first=2), "shards/orphan.npz")
        self.add(small_arrays(first=4), "shards/b.npz")
        data = td.Dataset(self.folder, verify=True)
        self.assertEqual((len(data), data.game), (12, "three-way"))
        self.assertEqual([sample.index for sample in data.samples()], [0] * 3 + [1] * 3 + [4] * 3
                         + [5] * 3)

    def test_empty_manifest(self):
        self.manifest.write_text("")
        data = td.Dataset(self.folder)
        self.assertEqual((len(data), data.game, list(data.batches(4))), (0, None, []))

    def test_rejects_invalid_manifests(self):
        self.assert_faulty(["manifest.jsonl"], lambda: td.Dataset(self.folder))
        self.add(small_arrays())
        good = json.loads(self.lines[0])
        for change, word in (({"format": 2}, "format 2"), ({"samples": "6"}, "samples"),
                             ({"shard": "../a.npz"}, "outside"), ({"shard": "/a.npz"}, "outside"),
                             ({"game": "tri-d"}, "tri-d among")):
            self.manifest.write_text(self.lines[0] + "\n" + json.dumps(good | change) + "\n")
            self.assert_faulty(["manifest.jsonl:2:", word], lambda: td.Dataset(self.folder))
        for text in ("{", "[]"):
            self.manifest.write_text(text + "\n")
            self.assert_faulty(["manifest.jsonl:1:"], lambda: td.Dataset(self.folder))

    def test_a_shard_must_match_its_manifest_entry(self):
        for change, word in (({"samples": 7}, "samples 6"), ({"games": 1}, "games 2"),
                             ({"game": "tri-d"}, "game three-way")):
            self.lines = []
            self.add(small_arrays(), **change)
            data = td.Dataset(self.folder)
            self.assert_faulty(["a.npz", word], lambda: list(data.shards()))
        self.lines = []
        self.add(small_arrays(), sha256="0" * 64)
        self.assertEqual(len(list(td.Dataset(self.folder).samples())), 6)
        data = td.Dataset(self.folder, verify=True)
        self.assert_faulty(["a.npz", "SHA-256"], lambda: list(data.samples()))


class Batches(Folder):
    def setUp(self):
        super().setUp()
        self.count = 12
        for number in range(self.count):
            self.add(small_arrays(first=2 * number, samples=20), f"shards/{number}.npz")

    def test_rows_stay_together(self):
        shards = [shard.samples for shard in td.Dataset(self.folder).shards()]
        everything = td.Samples.concatenate(shards)
        rows = np.random.default_rng(1).permutation(len(everything))
        taken = everything.take(rows)
        self.assertEqual(len(taken), 240)
        for number, row in enumerate(rows):
            for one, other in zip(taken[number], shards[row // 20][row % 20], strict=True):
                np.testing.assert_array_equal(one, other)

    def test_memory_is_bounded(self):
        for buffer in (1, 2, 5):
            data = td.Dataset(self.folder)
            loaded = []
            load = data._load
            data._load = lambda entry: loaded.append(entry["shard"]) or load(entry)
            given = 0
            most = 0
            for batch in data.batches(7, buffer=buffer):
                most = max(most, 20 * len(loaded) - given)
                given += len(batch)
            self.assertEqual(given, 240)
            self.assertEqual(sorted(loaded), sorted(entry["shard"] for entry in data.entries))
            # Pending rows: the buffer, the piece being cut, and a partial batch.
            self.assertLessEqual(most, 20 * buffer + 20 + 7)
            self.assertGreaterEqual(most, 20 * buffer)

    def test_arguments(self):
        data = td.Dataset(self.folder)
        for arguments in ({"size": 0}, {"size": 1, "buffer": 0}, {"size": 1, "part": (2, 2)},
                          {"size": 1, "part": (-1, 2)}):
            with self.assertRaises(ValueError):
                list(data.batches(**arguments))
        sizes = [len(batch) for batch in data.batches(1000)]
        self.assertEqual(sizes, [240])
        # More parts than shards: the last parts are empty.
        self.assertEqual(list(data.batches(8, part=(13, 14))), [])

    def test_the_pytorch_example_splits_shards(self):
        torch = types.ModuleType("torch")
        worker = None
        torch.from_numpy = lambda array: array
        torch.utils = types.SimpleNamespace(data=types.SimpleNamespace(
            IterableDataset=object, get_worker_info=lambda: worker))
        sys.modules["torch"] = torch
        self.addCleanup(sys.modules.pop, "torch")
        spec = importlib.util.spec_from_file_location(
            "dataset", ROOT / "examples" / "train" / "dataset.py")
        example = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(example)
        for workers in (0, 1, 3):
            count = 0
            for number in range(max(workers, 1)):
                if workers:
                    worker = types.SimpleNamespace(id=number, num_workers=workers)
                for batch in example.SelfPlay(self.folder, 16):
                    count += len(batch["value"])
                    self.assertEqual(batch["planes"].shape[0], len(batch["value"]))
                    self.assertAlmostEqual(float(batch["policy"].sum()), len(batch["value"]), 3)
            self.assertEqual(count, 240)


class Views(unittest.TestCase):
    def test_inverses_give_back_any_bytes(self):
        random = np.random.default_rng(4)
        for game, rules in td.GAMES.items():
            for seat in range(rules.seats):
                view = td.rotation(game, seat)
                again = view.inverse().inverse()
                for table, other in zip(view, again):
                    np.testing.assert_array_equal(table, other)
                    self.assertEqual(table.dtype, other.dtype)
                cells = random.integers(0, 256, rules.cells, np.uint8)
                state = random.integers(0, 256, 16, np.uint8)
                shown = self.shown(view.inverse(), *self.shown(view, cells, state))
                np.testing.assert_array_equal(shown[0], cells)
                np.testing.assert_array_equal(shown[1], state)
                np.testing.assert_array_equal(view.inverse().policy[view.policy],
                                              np.arange(rules.policy_size))

    def shown(self, view, cells, state):
        shown_cells, shown_state = np.empty_like(cells), np.empty_like(state)
        shown_cells[view.cells] = view.pieces[cells]
        shown_state[view.state_columns] = view.state_values[range(16), state]
        return shown_cells, shown_state

    def test_rotations_compose(self):
        for game in ("triumvirate", "three-way"):
            once, twice = td.rotation(game, 1), td.rotation(game, 2)
            np.testing.assert_array_equal(once.cells[once.cells], twice.cells)
            np.testing.assert_array_equal(once.policy[once.policy], twice.policy)
            np.testing.assert_array_equal(once.pieces[once.pieces], twice.pieces)
            for table, other in zip(once.inverse(), twice):
                np.testing.assert_array_equal(table, other)
        mirrored = td.rotation("tri-d", 1)
        for table, other in zip(mirrored.inverse(), mirrored):
            np.testing.assert_array_equal(table, other)
        for game, rules in td.GAMES.items():
            own = td.rotation(game, 0)
            np.testing.assert_array_equal(own.cells, np.arange(rules.cells))
            np.testing.assert_array_equal(own.policy, np.arange(rules.policy_size))

    def test_known_cells(self):
        names = td.cell_names("triumvirate")
        view = td.rotation("triumvirate", 1)  # Black's
        self.assertEqual(names[view.cells[names.index("L8")]], "A1")
        names = td.cell_names("three-way")
        view = td.rotation("three-way", 2)  # Black's
        self.assertEqual(names[view.cells[names.index("d15")]], "d4")
        state = np.zeros(16, np.uint8)
        state[td.PIN:td.PIN + 4] = (0, 6, 5, 11)
        view = td.rotation("tri-d", 1)
        for name, shown in (("b8B", "b1W"), ("c4N", "c5N"), ("z9QL6", "z0QL1"),
                            ("d1KL1", "d8KL6")):
            cell = td.cell_number("tri-d", name, state)
            self.assertEqual(view.cells[cell], td.cell_number("tri-d", shown, state))

    def test_errors(self):
        for call in (lambda: td.rotation("chess", 0), lambda: td.rotation("tri-d", 2),
                     lambda: td.cell_names("tri-d"), lambda: td.cell_number("three-way", "a1"),
                     lambda: td.policy_size("")):
            with self.assertRaises(ValueError):
                call()
        with self.assertRaises(ValueError):  # the shared tables are read-only
            td.rotation("tri-d", 0).cells[0] = 1


if __name__ == "__main__":
    unittest.main()
