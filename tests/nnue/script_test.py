"""examples/nnue.sh makes and tests two generations, and does nothing twice."""
import os
import pathlib
import subprocess
import tempfile
import unittest

from small_data import PYTHON, ROOT, TRIARCH, triarch

SETTINGS = {"GENERATIONS": "2", "GAMES": "100", "NODES": "10", "ACCUMULATOR": "32", "TEST_MS": "1", "TEST_GAMES": "40",
            "TRAIN_FLAGS": "--batch 32 --threads 1", "SLOTS": "2"}


class ScriptTest(unittest.TestCase):
    def run_script(self, *arguments, code=0):
        done = subprocess.run([ROOT / "examples" / "nnue.sh", *arguments], capture_output=True,
                              text=True, timeout=500, check=False,
                              env=os.environ | SETTINGS | {"TRIARCH": TRIARCH, "PYTHON": PYTHON})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_two_generations(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "nets"
            out = self.run_script("tri-d", folder)
            self.assertIn("against net: none", out)
            has_bundled = subprocess.run([TRIARCH, "net", "info", "tri-d"], capture_output=True,
                                         check=False).returncode == 0
            self.assertEqual("against net: bundled" in out, has_bundled)
            networks = [(folder / f"net-{i}.net").read_bytes() for i in (1, 2)]
            self.assertNotEqual(*networks)
            self.assertIn("generation 2", triarch("net", "info", folder / "net-2.net")
                          .stdout.decode())
            again = self.run_script("tri-d", folder)
            self.assertNotIn("samples/s", again)
            self.assertEqual([(folder / f"net-{i}.net").read_bytes() for i in (1, 2)], networks)

    def test_usage(self):
        self.assertIn("usage", self.run_script("tri-d", code=2))
        self.assertIn('not "chess"', self.run_script("chess", "nets", code=2))


if __name__ == "__main__":
    unittest.main()
