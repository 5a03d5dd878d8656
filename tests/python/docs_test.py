#!/usr/bin/env python3
"""Runs the code of docs/python.md and the examples."""

import contextlib
import io
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class DocsTest(unittest.TestCase):
    def test_the_code_of_the_guide_runs(self):
        for page in ("docs/python.md", "python/README.md"):
            blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"),
                                re.MULTILINE | re.DOTALL)
            self.assertTrue(blocks)
            names = {}
            with contextlib.redirect_stdout(io.StringIO()):
                for block in blocks:
                    exec(compile(block, page, "exec"), names)  # pylint: disable=exec-used

    def call(self, *arguments):
        done = subprocess.run([sys.executable, "-B", *map(str, arguments)], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_random_play_runs(self):
        output = self.call(ROOT / "examples/python/random_play.py", "--games", 300, "--size", 64)
        self.assertRegex(output, r"^3\d\d games, [0-9.]+ million moves per second\n")

    def test_the_training_example_runs(self):
        try:
            import torch  # noqa: F401
        except ImportError:
            # python3-torch is installed only for builds with the bot torch.
            compile((ROOT / "examples/python/ppo.py").read_text(encoding="utf-8"), "ppo.py",
                    "exec")
            return
        output = self.call(ROOT / "examples/python/ppo.py", "--minutes", 0.05, "--games", 10,
                           "--size", 16)
        self.assertRegex(output, r"after 0.05 minutes and \d+ moves: ")

    def test_the_benchmark_runs(self):
        self.assertIn("State.play", self.call("-m", "triarch.bench", "tri-d"))


if __name__ == "__main__":
    unittest.main()
