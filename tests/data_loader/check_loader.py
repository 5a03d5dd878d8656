#!/usr/bin/env python3
"""Compares triarch.data with the rules, on random games: the samples in shards, and the
same samples as the rules describe them.

  check_loader.py --game tri-d --tool build/release/tests/data_loader/sample_tool
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import triarch.data as td  # noqa: E402


# --- Positions as text, seen from another seat. ---

def turned_triumvirate(text, seat):
    """Returns 3PF with the board rotated so that `seat` is White."""
    names = td.cell_names("triumvirate")
    cell = {name: names[number - 32 * seat] for number, name in enumerate(names)} | {"-": "-"}
    player = {letter: "wbr"[number - seat] for number, letter in enumerate("wbr")} | {None: None}
    fields = text.split()
    pieces = []
    for piece in fields[0].split(","):
        colour, kind, owner, where, target = re.fullmatch(
            r"([wbr])([PNBRQK])(?:>([wbr]))?([A-L]\d+)(?:\^([wbr]))?", piece).groups()
        pieces.append(player[colour] + kind + (">" + player[owner] if owner else "") + cell[where]
                      + ("^" + player[target] if target else ""))
    rights = [part[1:] for part in fields[2].split(".")]
    fields[0] = ",".join(pieces)
    fields[1] = player[fields[1]]
    fields[2] = ".".join("wbr"[i] + rights[(i + seat) % 3] for i in range(3))
    fields[3] = cell[fields[3]]
    fields[4] = "".join(fields[4][(i + seat) % 3] for i in range(3))
    return " ".join(fields)


def turned_three_way(text, seat):
    """Does the same for HexFEN."""
    fields = text.split()

    def thirds(part):
        tokens, found = part.split("/"), []
        while tokens:
            count = 1 if tokens[0] == "X" else 4
            found.append("/".join(tokens[:count]))
            del tokens[:count]
        return found

    def turned(items):
        return [items[(i + seat) % 3] for i in range(3)]

    fields[:3] = turned(["/".join(turned(thirds(part))) for part in fields[:3]])
    fields[3] = "WGB"["WGB".index(fields[3]) - seat]
    fields[4] = "".join(turned([fields[4][i:i + 2] for i in (0, 2, 4)]))
    fields[5] = "".join(turned(fields[5]))
    return " ".join(fields)


def turned_tri_d(text, seat):
    """Returns TFEN with the ranks mirrored and the colours exchanged."""
    assert seat == 1
    fields = text.split()

    def pin(name):
        return name[:2] + str(7 - int(name[2]))

    def cell(name):
        if name == "-":
            return name
        level = name[2:]
        level = {"W": "B", "N": "N", "B": "W"}[level] if len(level) == 1 else pin(level)
        return name[0] + str(9 - int(name[1])) + level

    pins = [pin(name) for name in fields[0].split(",")]
    blocks = ["/".join(reversed(block.swapcase().split("/"))) for block in fields[1].split("|")]
    fields[0] = ",".join(pins[i] for i in (2, 3, 0, 1))
    fields[1] = "|".join(blocks[i] for i in (2, 1, 0, 5, 6, 3, 4))
    fields[2] = {"w": "b", "b": "w"}[fields[2]]
    fields[3] = "".join(sorted(fields[3].swapcase(), key="KQkq-".index))
    fields[4] = cell(fields[4])
    fields[7:] = [cell(name) for name in fields[7:]]
    return " ".join(fields)


TURNED = {"triumvirate": turned_triumvirate, "three-way": turned_three_way, "tri-d": turned_tri_d}


def without_rights(game, text):
    """Returns the position's text without castling rights."""
    fields = text.split()
    fields[{"triumvirate": 2, "three-way": 4, "tri-d": 3}[game]] = {
        "triumvirate": "w-.b-.r-", "three-way": "------", "tri-d": "-"}[game]
    return " ".join(fields)


def is_castling(sample, index):
    """Recognizes castling without move_text, by the cells of king and rook."""
    count = len(sample.cells)
    if index >= 4 * count * count:
        return False
    start, end = divmod(int(index) % (count * count), count)
    if sample.cells[start] & 7 != 6:
        return False
    if sample.game == "tri-d":
        return start != end and sample.cells[end] != 0 \
            and (sample.cells[end] ^ sample.cells[start]) & 0x18 == 0
    return start // 8 == end // 8 and start % 32 < 8 and abs(start - end) == 2


def bytes_of(digits):
    return np.frombuffer(bytes.fromhex(digits), np.uint8)


class Loader(unittest.TestCase):
    game = None
    tool = None
    games = None
    seed = None

    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="triarch_data_"))
        print(f"{cls.game}: {cls.games} games of seed {cls.seed}", file=sys.stderr)
        written = subprocess.run(
            [cls.tool, "write", cls.game, str(cls.games), str(cls.seed), cls.folder],
            check=True, stdout=subprocess.PIPE, text=True)
        cls.lines = [json.loads(line) for line in written.stdout.splitlines()]
        cls.data = td.Dataset(cls.folder, verify=True)
        cls.seats = td.GAMES[cls.game].seats

    def ask_rules(self, questions):
        """Asks sample_tool about positions, each with the index of a move."""
        lines = "".join(f"{text}\t{index}\n" for text, index in questions)
        asked = subprocess.run([self.tool, "pack", self.game], check=True, input=lines,
                               stdout=subprocess.PIPE, text=True)
        return [json.loads(line) for line in asked.stdout.splitlines()]

    # --- Content of the files. ---

    def test_every_sample_agrees_with_the_rules(self):
        count = 0
        for sample, line in zip(self.data.samples(), self.lines, strict=True):
            with self.subTest(position=line["position"]):
                self.check_sample(sample, line)
            count += 1
        self.assertEqual(count, len(self.data))
        self.assertGreater(count, 4000)
        print(f"{self.game}: {count} samples", file=sys.stderr)

    def check_sample(self, sample, line):
        for key in ("index", "ply", "seat"):
            self.assertEqual(getattr(sample, key), line[key], key)
        np.testing.assert_array_equal(sample.cells, bytes_of(line["cells"]))
        np.testing.assert_array_equal(sample.state, bytes_of(line["state"]))
        names = td.cell_names(self.game, sample.state)
        pieces = td.unpack(sample.cells)
        found = {names[cell]: f"{td.TYPES[pieces.type[cell] - 1]} {pieces.owner[cell]}"
                 for cell in np.flatnonzero(pieces.type)}
        self.assertEqual(found, line["pieces"])
        legal = sorted(line["legal"], key=lambda move: move[1])
        self.assertEqual(sample.move_texts(), [text for text, _, _ in legal])
        self.assertEqual(sample.legal.tolist(), [index for _, index, _ in legal])
        self.assertEqual(sample.policy.tolist(), [policy for _, _, policy in legal])
        self.assertEqual(sample.move_text(sample.played), line["played"])
        self.assertEqual(sample.played, td.policy_index(self.game, line["played"], sample.cells,
                                                        sample.state, sample.legal))
        self.assertEqual(sample.points.tolist(), np.float32(line["points"]).tolist())
        if line["value"] is None:
            self.assertTrue(np.isnan(sample.value).all())
        else:
            self.assertEqual(sample.value.tolist(), line["value"])

    def test_no_game_is_missing(self):
        lines = iter(self.lines)
        line = next(lines)
        for shard in self.data.shards():
            for row, index in enumerate(shard.game_index):
                if line is None or index != line["index"]:
                    continue  # no ply of this game was kept
                self.assertEqual(shard.game_moves[row].tolist(), line["moves"])
                self.assertEqual(shard.game_start[row], line["start"])
                left = shard.game_moves[row][shard.game_moves[row] >= td.SEAT_LEFT]
                self.assertTrue((left < td.SEAT_LEFT + self.seats).all())
                while line is not None and line["index"] == index:
                    line = next(lines, None)
        self.assertIsNone(line)

    def test_colours_and_targets_of_pawns(self):
        if self.game != "triumvirate":
            return
        for sample, line in zip(self.data.samples(), self.lines, strict=True):
            pieces = td.unpack(sample.cells)
            names = td.cell_names(self.game)
            for text in line["position"].split()[0].split(","):
                match = re.fullmatch(r"([wbr])[PNBRQK](>[wbr])?([A-L]\d+)(?:\^([wbr]))?", text)
                cell = names.index(match[3])
                self.assertEqual("wbr"[pieces.colour[cell]], match[1])
                if match[4]:  # the kept target of a pawn that walks home
                    self.assertEqual(pieces.flag[cell], match[4] == "wbr"[cell // 32])

    # --- Views. ---

    def test_views_agree_with_the_rules(self):
        """Builds the position as another seat sees it from its text: bytes and moves equal those of
        the view, and the played move leads to the view of the next position."""
        samples = list(self.data.samples())
        played = self.ask_rules([(line["position"], sample.played)
                                 for sample, line in zip(samples, self.lines, strict=True)])
        is_exact = np.concatenate([td.is_exact(batch) for batch in
                                   self.data.batches(1000, shuffle=False)])
        self.assertEqual(len(is_exact), len(samples))
        exact, shorn = collections.Counter(), collections.Counter()
        for seat in range(1, self.seats):
            view = td.rotation(self.game, seat)
            texts = [TURNED[self.game](line["position"], seat) for line in self.lines]
            indices = [view.policy[sample.played] for sample in samples]
            answers = self.ask_rules(zip(texts, indices))
            # Compares positions with impossible rights without their rights.
            lost = [i for i, answer in enumerate(answers) if "error" in answer]
            self.assertEqual(lost, np.flatnonzero(~is_exact).tolist())
            for i in lost:
                self.assertEqual(answers[i]["error"], "CASTLING_IMPOSSIBLE", texts[i])
            again = self.ask_rules([(without_rights(self.game, texts[i]), indices[i])
                                    for i in lost])
            for i, answer in enumerate(answers):
                if "error" not in answer:
                    self.check_view(view, samples[i], played[i]["next"], answer, True)
            for i, answer in zip(lost, again, strict=True):
                self.assertNotEqual(samples[i].state[td.RIGHTS], 0)
                self.check_view(view, samples[i], played[i]["next"], answer, False)
            exact[seat] += len(samples) - len(lost)
            shorn[seat] += len(lost)
        print(f"{self.game}: views by seat: {dict(exact)} exact, {dict(shorn)} exact but for "
              "castling rights", file=sys.stderr)
        self.assertGreater(min(exact.values()), 1000)
        if self.game == "three-way":
            self.assertTrue(is_exact.all())
        else:
            self.assertGreater(min(shorn.values()), 0)
        seen = self.special_samples(samples, is_exact)
        print(f"{self.game}: of them {dict(seen)}", file=sys.stderr)
        self.assertGreater(min(seen.values()), 0)

    def special_samples(self, samples, is_exact):
        """Counts the special cases that views could get wrong."""
        seen = collections.Counter()
        for sample, line, exact in zip(samples, self.lines, is_exact, strict=True):
            pieces = td.unpack(sample.cells)
            state = sample.state
            seen["castles in exact views"] += bool(exact) and any(
                is_castling(sample, index) for index in sample.legal)
            seen["promotes"] += any("=" in text for text, _, _ in line["legal"])
            fields = state[5:8] if self.game == "three-way" else state[5:6]
            seen["en passant"] += bool((fields != td.NO_CELL).any())
            if self.seats == 3:
                seen["a seat is out"] += bool(state[td.OUT:td.OUT + 3].any())
            if self.game == "triumvirate":
                seen["inherited pieces"] += bool((pieces.owner != pieces.colour).any())
                seen["pawns walk home"] += bool(pieces.flag.any())
            if self.game == "tri-d":
                seen["boards have moved"] += bool((state[9:13] != (0, 6, 5, 11)).any())
                seen["promotes first"] += bool(state[td.PENDING] != td.NO_CELL)
        return seen

    def shown(self, view, cells, state):
        shown_cells, shown_state = np.empty_like(cells), np.empty_like(state)
        shown_cells[view.cells] = view.pieces[cells]
        shown_state[view.state_columns] = view.state_values[range(td.STATE), state]
        return shown_cells, shown_state

    def check_view(self, view, sample, led_to, answer, has_rights):
        def check_bytes(cells, state, found):
            cells, state = self.shown(view, cells, state)
            state[td.RIGHTS] *= has_rights
            found_state = bytes_of(found["state"]).copy()
            found_state[td.RIGHTS] *= has_rights
            self.assertEqual(cells.tolist(), bytes_of(found["cells"]).tolist())
            self.assertEqual(state.tolist(), found_state.tolist())

        check_bytes(sample.cells, sample.state, answer)
        legal = [index for index in sample.legal if has_rights or not is_castling(sample, index)]
        self.assertEqual(sorted(view.policy[legal]), sorted(answer["legal"]))
        if sample.played in legal:
            check_bytes(bytes_of(led_to["cells"]), bytes_of(led_to["state"]), answer["next"])

    def test_the_mover_is_seat_0(self):
        batch = next(self.data.batches(3000, shuffle=False))
        shown = td.to_mover(batch)
        self.assertTrue((shown.state[:, td.TO_MOVE] == 0).all())
        self.assertEqual(set(shown.seat), set(range(self.seats)))
        for row in range(len(batch)):
            view = td.rotation(self.game, batch.seat[row])
            cells, state = self.shown(view, batch.cells[row], batch.state[row])
            np.testing.assert_array_equal(shown.cells[row], cells)
            np.testing.assert_array_equal(shown.state[row], state)
            sample, seen = batch[row], shown[row]
            self.assertEqual(seen.legal.tolist(), view.policy[sample.legal].tolist())
            self.assertEqual(seen.played, view.policy[sample.played])
            np.testing.assert_array_equal(seen.points, np.roll(sample.points, -sample.seat))
            np.testing.assert_array_equal(seen.value, np.roll(sample.value, -sample.seat))
        back = td.from_mover(shown)
        for column in ("cells", "state", "legal", "played", "points", "value", "seat"):
            np.testing.assert_array_equal(getattr(back, column), getattr(batch, column))
        # The network's input must not depend on which samples are requested.
        few, few_shown = batch.take(range(40)), shown.take(range(40))
        for make in (td.planes, td.policy_targets, td.legal_mask, td.played_targets,
                     td.value_targets):
            np.testing.assert_array_equal(make(few), make(few_shown))

    # --- Network inputs and targets. ---

    def test_planes_show_the_position(self):
        """Compares with the text of the position as the mover sees it."""
        names = td.plane_names(self.game)
        self.assertEqual(len(set(names)), len(names))
        seats = ("own", "next", "last")[:self.seats] if self.seats == 3 else ("own", "other")
        for batch in self.data.batches(500, shuffle=False):
            x = td.planes(batch)
            self.assertEqual(x.shape, (len(batch), len(names), td.GAMES[self.game].cells))
            self.assertEqual(x.dtype, np.float32)
            shown = td.to_mover(batch)
            for row in range(0, len(batch), 7):
                cells = td.cell_names(self.game, shown.state[row])
                where = {f"{seat} {kind}": set() for seat in seats for kind in td.TYPES}
                for cell, byte in enumerate(shown.cells[row]):
                    if byte:
                        where[f"{seats[byte >> 3 & 3]} {td.TYPES[(byte & 7) - 1]}"].add(cell)
                for name, expected in where.items():
                    plane = x[row, names.index(name)]
                    self.assertEqual(set(np.flatnonzero(plane)), expected, name)
                    self.assertTrue(np.isin(plane, (0, 1)).all())
                rights = shown.state[row, td.RIGHTS]
                for number, seat in enumerate(seats):
                    for bit, side in enumerate(("short", "long")):
                        plane = x[row, names.index(f"{seat} castles {side}")]
                        self.assertTrue((plane == (rights >> 2 * number + bit & 1)).all())
                if self.game == "tri-d":
                    for cell in range(64):
                        on = [pin for pin in td.PINS
                              if x[row, names.index(f"board on {pin}"), cell]]
                        self.assertEqual(on, [cells[cell][2:]] if cell >= 48 else [])
                clock = x[row, names.index("clock")]
                limit = 100
                if self.game == "triumvirate":
                    limit = 75 * (3 - np.count_nonzero(shown.state[row, 1:4]))
                np.testing.assert_allclose(clock, min(1, shown.state[row, td.CLOCK] / limit))
                fields = sum(1 for cell in shown.state[row, 5:8 if self.game == "three-way" else 6]
                             if cell != td.NO_CELL)
                marked = sum(x[row, number].sum() for number, name in enumerate(names)
                             if name.startswith("en passant"))
                self.assertEqual(marked, fields)

    def test_targets(self):
        batch = next(self.data.batches(200, seed=3))
        policy, mask = td.policy_targets(batch), td.legal_mask(batch)
        played, value = td.played_targets(batch), td.value_targets(batch)
        mixed = td.value_targets(batch, own_share=0.5)
        self.assertEqual(policy.shape, (200, td.policy_size(self.game)))
        self.assertEqual(policy.dtype, np.float32)
        self.assertEqual(value.dtype, np.float32)
        without = 0
        for row, sample in enumerate(batch):
            view = td.rotation(self.game, sample.seat)
            self.assertEqual(set(np.flatnonzero(mask[row])), set(view.policy[sample.legal]))
            expected = sample.policy / 255
            if not sample.policy.any():
                expected = (sample.legal == sample.played).astype(float)
                without += 1
            # As a player uses it: the network's output, on the board.
            board = policy[row][view.policy]
            np.testing.assert_allclose(board[sample.legal], expected, atol=1e-6)
            self.assertAlmostEqual(float(policy[row].sum()), 1, places=5)
            self.assertEqual(played[row], view.policy[sample.played])
            self.assertEqual(value[row, 0], sample.points[sample.seat])
            own = sample.points if np.isnan(sample.value).any() else sample.value
            np.testing.assert_allclose(mixed[row], np.roll((sample.points + own) / 2,
                                                           -sample.seat), atol=1e-6)
        self.assertGreater(without, 0)

    # --- Batches. ---

    def keys(self, batches):
        return [(sample.index, sample.ply) for batch in batches for sample in batch]

    def test_batches_contain_every_sample_once(self):
        everything = [(line["index"], line["ply"]) for line in self.lines]
        self.assertEqual(self.keys(self.data.batches(64, shuffle=False)), everything)
        for buffer in (1, 2, 100):
            shuffled = self.keys(self.data.batches(64, seed=5, buffer=buffer))
            self.assertNotEqual(shuffled, everything)
            self.assertEqual(sorted(shuffled), sorted(everything))
            self.assertEqual(shuffled, self.keys(self.data.batches(64, seed=5, buffer=buffer)))
            self.assertNotEqual(shuffled, self.keys(self.data.batches(64, seed=6, buffer=buffer)))
        parts = [self.keys(self.data.batches(64, seed=5, part=(i, 4))) for i in range(4)]
        self.assertEqual(sorted(sum(parts, [])), sorted(everything))

    def test_batches_mix_shards(self):
        first = next(self.data.batches(256, seed=1, buffer=4))
        shards = {int(index) // 20 for index in first.index}  # ten games, every other index
        self.assertGreaterEqual(len(shards), 3)
        self.assertEqual(len(first), 256)
        for row in range(len(first)):
            self.assertIn(first.played[row], first[row].legal)
        sizes = [len(batch) for batch in self.data.batches(64, seed=1)]
        self.assertEqual(set(sizes[:-1]), {64})
        sizes = [len(batch) for batch in self.data.batches(64, seed=1, drop_last=True)]
        self.assertEqual(set(sizes), {64})


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", required=True)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seed", type=int, default=20261121)
    args, rest = parser.parse_known_args()
    Loader.game = args.game
    Loader.tool = args.tool
    Loader.games = args.games
    Loader.seed = args.seed
    unittest.main(argv=[sys.argv[0], *rest])
