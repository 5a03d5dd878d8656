"""examples/train/nnue.py learns, goes on after it was killed, and writes what the program reads."""
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

from small_data import PYTHON, ROOT, TRIARCH, play, triarch

TRAINER = ROOT / "examples" / "train" / "nnue.py"


def command(data, out, *more):
    return [PYTHON, "-B", str(TRAINER), "--triarch", TRIARCH, "--data", str(data), "--out",
            str(out), "--accumulator", "32", "--batch", "32", "--threads", "1", *more]


class TrainerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.data = play(cls.folder, "tri-d", 150)

    def train(self, name, *more, code=0):
        done = subprocess.run(command(self.data, self.folder / name, *more), capture_output=True,
                              text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_goes_on_after_it_was_killed(self):
        whole = self.train("whole.net", "--device", "cpu").stdout
        losses = [float(loss) for loss in re.findall(r"loss ([\d.]+)", whole)]
        self.assertLess(losses[-1], losses[0])
        out = self.folder / "killed.net"
        saved = self.folder / "killed.net.checkpoint"
        with subprocess.Popen(command(self.data, out, "--device", "cpu", "--checkpoint-seconds",
                                      "0.05"),
                              stdout=subprocess.DEVNULL, start_new_session=True) as process:
            end = time.monotonic() + 120
            while not saved.exists() and process.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
        self.assertTrue(saved.exists())
        self.assertFalse(out.exists())
        self.assertIn("going on after step", self.train("killed.net", "--device", "cpu").stdout)
        self.assertEqual(out.read_bytes(), (self.folder / "whole.net").read_bytes())
        self.assertFalse(saved.exists())
        info = triarch("net", "info", out).stdout.decode()
        self.assertRegex(info, r"game +tri-d\n")
        self.assertIn("positions of random games", triarch("net", "check", out).stdout.decode())
        # A later generation begins with these weights.
        next_one = self.train("next.net", "--start", str(out), "--rate", "0.0001").stdout
        first = float(re.search(r"loss ([\d.]+)", next_one).group(1))
        self.assertLess(first, losses[0])

    def test_too_few_samples(self):
        done = self.train("few.net", "--batch", "8192", code=1)
        self.assertIn("too few; expected at least 819200", done.stderr)

    def test_another_width(self):
        self.train("narrow.net")
        done = self.train("wide.net", "--accumulator", "64", "--start",
                          str(self.folder / "narrow.net"), code=1)
        self.assertIn("an accumulator of 64", done.stderr)


if __name__ == "__main__":
    unittest.main()
