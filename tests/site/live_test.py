#!/usr/bin/env python3
"""Watches the games of a real cluster through `triarch serve --web` (docs/web-api.md)."""

import json
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

from web_site import triarch, TRIARCH

SECONDS = 60  # far more than anything takes, even beside other work


class Program:
    """A coordinator or a worker; a context that ends with it."""

    def __init__(self, *arguments):
        # If this process dies, so does the program.
        self._process = subprocess.Popen(
            [shutil.which("setpriv") or "/usr/bin/setpriv", "--pdeathsig", "KILL", TRIARCH,
             *map(str, arguments)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self._lines = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        for line in self._process.stderr:
            self._lines.append(line)

    def log(self):
        return "".join(self._lines)

    def said(self, pattern):
        """Waits for a line of the log, and returns what the pattern's group matches."""
        found = wait_for(lambda: re.search(pattern, self.log()), lambda: self.log())
        return found[1] if found.groups() else found[0]

    def end(self, with_signal=signal.SIGTERM):
        self._process.send_signal(with_signal)
        code = self._process.wait(timeout=SECONDS)
        self._reader.join()
        self._process.stderr.close()
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._process.poll() is None:
            self.end(signal.SIGKILL)


def wait_for(is_so, why=lambda: "it took too long"):
    """Returns what the function returns, once that is true."""
    end = time.monotonic() + SECONDS
    while not (result := is_so()):
        assert time.monotonic() < end, why()
        time.sleep(0.05)
    return result


def ask(address, path):
    """Returns the status and the JSON or text of an answer."""
    try:
        with urllib.request.urlopen(f"http://{address}{path}", timeout=SECONDS) as answer:
            status, body = answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            status, body = error.code, error.read().decode()
    return status, json.loads(body) if path.startswith("/api/") else body


class LiveTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.store = self.folder / "arena.db"

    def serve(self):
        """Starts a coordinator and returns it with the address of its page."""
        program = self.enterContext(Program(
            "serve", "--store", self.store, "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0",
            "--http", "127.0.0.1:0", "--lease-seconds", "6"))
        return program, program.said(r"web=(\S+)")

    def submit(self, coordinator, game="triumvirate", games=4, ms=100, plies=90):
        file = self.folder / "tournament.yaml"
        file.write_text(json.dumps({
            "name": "live & <b>friends</b>", "game": game, "games": games, "seed": 3,
            "bots": ["random", {"name": "p", "bot": "paranoid"}, {"name": "m", "bot": "mcts"}],
            "time_control": {"movetime_ms": ms, "margin_ms": 60_000},
            "openings": {"random_plies": 2},
            "adjudication": {"plies_max": plies}}), encoding="utf-8")
        address = coordinator.said(r"workers and operators\..* listen=(\S+)")
        triarch("submit", file, "--coordinator", address)
        return address

    def test_moves_grow_and_are_those_of_the_record(self):
        coordinator, web = self.serve()
        address = self.submit(coordinator)
        self.assertEqual(ask(web, "/api/v2/health")[1]["live"], True)
        http = coordinator.said(r"metrics\..* http=(\S+)")
        worker = self.enterContext(Program("work", "--coordinator", address, "--slots", "1"))
        worker.said("A coordinator answers")
        time.sleep(2.5)  # some heartbeats
        self.assertIn('triarch_live_reports_total{result="ok"} 0\n', ask(http, "/metrics")[1],
                      "games were sent although nobody watches")

        # One that has most of its moves before it.
        (listed,) = wait_for(lambda: [game for game in ask(web, "/api/v2/live")[1]
                                      if game["plies"] < 30])
        self.assertEqual(listed["tournament"], {"id": 1, "name": "live & <b>friends</b>"})
        self.assertEqual(listed["game"], "triumvirate")
        index = listed["index"]
        path = f"/api/v2/live/1/{index}"
        seen = []
        while True:
            status, game = ask(web, path)
            if status == 404:
                break
            self.assertEqual((status, game["confirmed"]), (200, False))
            self.assertEqual((game["index"], game["id"]), (index, listed["id"]))
            self.assertEqual((game["result"], game["termination"]), ("*", None))
            self.assertEqual([{"seat": seat["seat"], "bot": seat["bot"]} for seat in game["seats"]],
                             listed["seats"])
            if not seen or seen[-1] != game["events"]:
                seen.append(game["events"])
            time.sleep(0.3)
        self.assertGreater(len(seen), 2, "the moves did not grow")
        self.assertIn("detail", game)

        status, recorded = wait_for(lambda: (
            lambda answer: answer if answer[0] == 200 else None)(
                ask(web, f"/api/v2/tournaments/1/games/{index}")))
        for event in recorded["events"]:
            event.pop("eval", None)
        for before, after in zip(seen, seen[1:] + [recorded["events"]]):
            self.assertEqual(before, after[:len(before)])
        self.assertNotIn("confirmed", recorded)

        wait_for(lambda: ask(web, "/api/v2/tournaments/1")[1]["state"] == "done")
        wait_for(lambda: ask(web, "/api/v2/live") == (200, []))
        metrics = ask(http, "/metrics")[1]
        self.assertIn('triarch_live_reports_total{result="error"} 0\n', metrics)
        self.assertEqual((worker.end(), coordinator.end()), (0, 0))

    def test_a_standby_shows_the_store_and_games_once_it_leads(self):
        first, web = self.serve()
        self.submit(first, "tri-d", games=100, ms=100, plies=200)
        second, other = self.serve()
        second.said("Standing by|Waiting for the store")
        self.assertEqual(ask(other, "/api/v2/tournaments")[1],
                         ask(web, "/api/v2/tournaments")[1])
        self.assertEqual(ask(other, "/api/v2/live"), (200, []))
        self.assertEqual(first.end(), 0)
        address = second.said(r"workers and operators\..* listen=(\S+)")
        self.enterContext(Program("work", "--coordinator", address, "--slots", "2"))
        games = wait_for(lambda: (lambda all: all if len(all) == 2 else None)(
            ask(other, "/api/v2/live")[1]))
        self.assertEqual({game["game"] for game in games}, {"tri-d"})
        self.assertEqual(second.end(), 0)

    def test_games_of_a_dead_worker_disappear(self):
        coordinator, web = self.serve()
        address = self.submit(coordinator, "three-way", games=10, ms=100, plies=900)
        worker = self.enterContext(Program("work", "--coordinator", address, "--slots", "1"))
        wait_for(lambda: ask(web, "/api/v2/live")[1])
        worker.end(signal.SIGKILL)
        wait_for(lambda: ask(web, "/api/v2/live")[1] == [])

    def test_wrong_addresses(self):
        for address, code, about in (("nonsense", 2, "--web: "), ("192.0.2.1:80", 1, "--web: ")):
            done = subprocess.run([TRIARCH, "serve", "--store", str(self.store), "--web", address],
                                  capture_output=True, text=True, check=False, timeout=SECONDS)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(about, done.stderr)
        self.assertFalse(self.store.exists(), "a database was left behind")


if __name__ == "__main__":
    unittest.main()
