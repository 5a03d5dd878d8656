#!/usr/bin/env python3
"""Runs the checks of contract_check.py and a game of contract_client.py against a fresh arena."""

import json
import pathlib
import subprocess
import sys
import unittest

from server import Arena

HERE = pathlib.Path(__file__).resolve().parent


def call(script, *arguments):
    return subprocess.run([sys.executable, "-B", str(HERE / script), *arguments],
                          capture_output=True, text=True, check=False, timeout=50)


class ContractTest(unittest.TestCase):
    def arena(self):
        return self.enterContext(Arena("--house-ms", "20"))

    def test_it_keeps_the_contract(self):
        done = call("contract_check.py", self.arena().url)
        failed = [line for line in done.stdout.splitlines() if line.startswith("FAIL ")]
        self.assertEqual(failed, [])
        self.assertEqual(done.stderr, "")
        passed = [line for line in done.stdout.splitlines() if line.startswith("ok ")]
        self.assertGreater(len(passed), 280)

    def test_a_client_plays_against_house_bots(self):
        arena = self.arena()
        done = call("contract_client.py", arena.url, "--poll", "0.02", "--illegal-every", "4",
                    "--resign-after", "12", "--chat-chance", "0.5", "--seed", "5", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        result = json.loads(done.stdout)
        self.assertEqual(result["transport_errors"], 0)
        self.assertEqual(set(result["refusals"]) - {"422"}, set())
        self.assertTrue(result["reason"])
        self.assertEqual((arena.end(), arena.errors()), (0, ""))


if __name__ == "__main__":
    unittest.main()
