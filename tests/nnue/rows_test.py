"""`triarch data features` writes every sample, shuffled, and `triarch net` refuses what is wrong."""
import json
import pathlib
import sys
import tempfile
import unittest

import numpy as np

from small_data import ROOT, play, triarch

sys.path.insert(0, str(ROOT / "examples" / "train"))
import nnue  # noqa: E402


def rows_of(*arguments):
    """Returns header, views and rows."""
    out = triarch("data", "features", *arguments).stdout
    line, rest = out.split(b"\n", 1)
    header = json.loads(line)
    size = 2 * header["seats"] * header["features"]
    return header, np.frombuffer(rest[:size], "<u2"), np.frombuffer(rest[size:], nnue.ROW)


class RowsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.folder = pathlib.Path(folder)
        cls.data = {game: play(folder, game, 12) for game in ("triumvirate", "three-way", "tri-d")}

    def test_has_every_sample(self):
        for game, data in self.data.items():
            with self.subTest(game=game):
                header, views, rows = rows_of(data)
                manifest = (data / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
                samples = sum(json.loads(line)["samples"] for line in manifest)
                self.assertEqual((header["game"], header["rows"], len(rows)),
                                 (game, samples, samples))
                self.assertEqual(header["row_bytes"], nnue.ROW.itemsize)
                for view in views.reshape(header["seats"], -1):
                    self.assertEqual(sorted(view), list(range(header["features"])))
                seats = header["seats"]
                np.testing.assert_allclose(rows["points"][:, :seats].sum(1), 1, atol=1e-6)
                np.testing.assert_allclose(rows["value"][:, :seats].sum(1), 1, atol=0.01)
                filled = rows["features"] != 0xffff
                self.assertTrue((rows["features"][filled] < header["features"]).all())
                # A piece on each occupied cell; whose turn it is, and two who are in.
                cells = np.concatenate([np.load(path)["cells"]
                                        for path in (data / "shards").iterdir()])
                pieces = np.sort((cells != 0).sum(1))
                self.assertTrue((np.sort(filled.sum(1)) >= pieces + 3).all())

    def test_the_seed_alone_decides_the_order(self):
        data = self.data["tri-d"]
        first = triarch("data", "features", data, "--seed", 7, "--shuffle", 600).stdout
        for threads in (1, 3):
            again = triarch("data", "features", data, "--seed", 7, "--shuffle", 600,
                            "--threads", threads).stdout
            self.assertEqual(again, first)
        self.assertNotEqual(triarch("data", "features", data, "--seed", 8).stdout, first)

    def test_passes_repeat_the_samples_in_another_order(self):
        _, _, once = rows_of(self.data["tri-d"])
        header, _, twice = rows_of(self.data["tri-d"], "--passes", 2)
        self.assertEqual((header["rows"], len(twice)), (2 * len(once), 2 * len(once)))
        first, second = twice[:len(once)], twice[len(once):]
        self.assertEqual(sorted(map(bytes, first)), sorted(map(bytes, second)))
        self.assertNotEqual(first.tobytes(), second.tobytes())

    def test_says_what_is_wrong(self):
        missing = triarch("data", "features", self.folder / "none", code=1)
        self.assertRegex(missing.stderr.decode(), r"\Aerror: [^\n]+none[^\n]*\n\Z")
        mixed = triarch("data", "features", self.data["tri-d"], self.data["three-way"], code=1)
        self.assertIn("expected only tri-d", mixed.stderr.decode())
        for arguments, what in ((("info", self.folder / "none.net"), "cannot read"),
                                (("info", "chess"), 'unknown game "chess"; known: '),
                                (("check", self.folder / "tri-d-1.yaml"), "not a network")):
            done = triarch("net", *arguments, code=1)
            self.assertRegex(done.stderr.decode(), r"\Aerror: [^\n]+\n\Z")
            self.assertIn(what, done.stderr.decode())
        # A tournament names the user's file, not the copy that a run makes of it.
        wrong = self.folder / "wrong.net"
        wrong.write_text("hello\n", encoding="utf-8")
        file = self.folder / "wrong.yaml"
        file.write_text("game: tri-d\nbots:\n  - random\n  - {bot: paranoid, net: wrong.net}\n",
                        encoding="utf-8")
        done = triarch("run", file, code=1)
        self.assertIn(f'wrong.yaml:4:11: "{wrong}": line 1 is not', done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
