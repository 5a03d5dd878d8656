#!/usr/bin/env python3
"""Installs the package with pip, without a network, as a new user would."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = os.environ["TRIARCH_LIBRARY"]
CHECK = ("import triarch; s = triarch.State('tri-d'); s.play(s.legal_moves()[0]); "
         "print(s.to_move, triarch.__file__.count('site-packages'))")


def call(*arguments, **variables):
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("TRIARCH_LIBRARY", "PYTHONPATH")}
    environment.update(variables, PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1",
                       PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run(arguments, capture_output=True, text=True, check=False,
                          env=environment, cwd="/")
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: {done.stdout}{done.stderr}")
    return done.stdout


class InstallTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def environment(self, *options):
        call(sys.executable, "-m", "venv", *options, str(self.folder / "venv"))
        return str(self.folder / "venv" / "bin" / "python")

    def test_pip_installs_the_sources_with_the_library(self):
        python = self.environment()
        call(python, "-m", "pip", "install", str(ROOT / "python"), TRIARCH_LIBRARY=LIBRARY)
        self.assertEqual(call(python, "-c", CHECK), "1 1\n")
        self.assertIn("Version: 0.1.0", call(python, "-m", "pip", "show", "triarch"))

    def test_a_wheel_contains_the_library(self):
        python = self.environment("--system-site-packages")
        call(python, "-m", "pip", "wheel", "-w", str(self.folder), str(ROOT / "python"),
             TRIARCH_LIBRARY=LIBRARY)
        wheel, = self.folder.glob("triarch-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            self.assertIn("triarch/lib/libtriarch.so.2", archive.namelist())
            self.assertIn("triarch/triarch_bot.py", archive.namelist())
        call(python, "-m", "pip", "install", "--no-deps", str(wheel))
        self.assertEqual(call(python, "-c", CHECK), "1 1\n")
        vector = ("import triarch; e = triarch.vector.Env('tri-d', 8); e.reset(seed=1); "
                  "print(len(e.step(e.sample()).seat))")
        self.assertEqual(call(python, "-c", vector), "8\n")

    def test_says_where_to_get_the_library(self):
        with self.assertRaisesRegex(AssertionError, "libtriarch2.*TRIARCH_LIBRARY"):
            call(sys.executable, "-c", "import triarch; triarch.State('tri-d')",
                 PYTHONPATH=str(ROOT / "python"), TRIARCH_LIBRARY="/no/such/library")
        with self.assertRaisesRegex(AssertionError, "no such file"):
            call(self.environment(), "-m", "pip", "install", str(ROOT / "python"),
                 TRIARCH_LIBRARY="/no/such/library")


if __name__ == "__main__":
    unittest.main()
