#!/usr/bin/env python3
"""Tests `triarch join`: bots of all kinds at a real arena, and everything that can go wrong."""

import contextlib
import http.server
import json
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "bots/sdk/python"))
import triarch_arena  # noqa: E402
from faulty_network import FaultyNetwork  # noqa: E402
from server import TRIARCH, Arena  # noqa: E402

LINE = re.compile(r"table ([0-9a-f-]+): (\w+) against (.+): place (\d) of (\d), (\w+), (\d+) pl")
SECONDS = 60


class JoinTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.folder.chmod(0o755)  # sandboxed bots run as another user

    def serve(self, *options, **more):
        self.arena = self.enterContext(Arena("--house-bots", "random", *options, **more))
        self.url = "http://" + self.arena.address

    def start(self, *words, before=()):
        """Starts the command; the test ends it if it has not ended by then."""
        process = subprocess.Popen([*before, TRIARCH, "join", *words], text=True,
                                   cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
            process.communicate()

    def finish(self, process, code=0):
        output, errors = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, code, (output, errors))
        return output, errors

    def join(self, *words, code=0):
        return self.finish(self.start(self.url, *words), code)

    def refused(self, code, text, *words):
        """Runs the command, which must fail with one line that contains the text."""
        output, errors = self.finish(self.start(*words), code)
        last = errors.splitlines()[-1]
        self.assertTrue(last.startswith("error: "), errors)
        self.assertIn(text, last)
        return output, errors

    def ask(self, path, body=None, key=None):
        request = urllib.request.Request(self.url + "/api/v2" + path,
                                         data=None if body is None else json.dumps(body).encode())
        if key:
            request.add_header("Authorization", "Bearer " + key)
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.load(answer)

    def wait_for_table(self, stage, ply=0):
        until = time.monotonic() + 20
        while time.monotonic() < until:
            for table in self.ask("/tables"):
                if table["stage"] == stage and table["ply"] >= ply:
                    return table
            time.sleep(0.02)
        self.fail(f"no table is {stage}")

    def wait_for_words(self, process, text):
        """Reads lines of standard error up to one with the text, and returns it."""
        for line in process.stderr:
            if text in line:
                return line
        self.fail(f"it ended without {text!r}")


class PlayTest(JoinTest):
    def test_bundled_bots_play_all_games(self):
        self.serve()
        for game, opponents in (("triumvirate", "random,greedy"), ("three-way", "random,random"),
                                ("tri-d", "random")):
            with self.subTest(game):
                output, errors = self.join("--bot", "mcts:nodes=20", "--game", game,
                                           "--opponents", opponents, "--seat", "black")
                line, summary = output.splitlines()
                match = LINE.match(line)
                self.assertIsNotNone(match, line)
                self.assertEqual(match[2], "black")
                self.assertRegex(summary, r"^1 game: [\d.]+ points?, 1× place [123]$")
                self.assertIn("seated as black", errors)
                stored = self.ask("/games/" + match[1])
                self.assertEqual(stored["result"]["places"]["black"], int(match[4]))
                self.assertEqual(stored["result"]["termination"], match[6])
                names = {player["seat"]: player["name"] for player in stored["players"]}
                self.assertEqual(names["black"], "mcts:nodes=20")

    def test_json(self):
        self.serve()
        output, _ = self.join("--bot", "mine=greedy", "--game", "tri-d", "--opponents", "random",
                              "--games", "2", "--json")
        report = json.loads(output)
        self.assertEqual((report["arena"], report["game"], report["bot"]),
                         (self.url, "tri-d", "mine"))
        self.assertEqual(len(report["games"]), 2)
        for game in report["games"]:
            stored = self.ask("/games/" + game["table"])
            self.assertEqual(game["place"], stored["result"]["places"][game["seat"]])
            self.assertEqual(game["result"], stored["result"]["result"])
            self.assertEqual([player["seat"] for player in game["players"]], ["white", "black"])
            self.assertIsNone(game["fault"])
            self.assertIn(game["points"], (0, 0.5, 1))

    def test_three_kinds_of_bots_meet(self):
        self.serve("--fill-seconds", "30")
        shutil.copytree(ROOT / "bots/sdk/examples/python/random", self.folder / "random")
        shutil.copytree(ROOT / "bots/sdk/python", self.folder / "random", dirs_exist_ok=True)
        chat_server = (sys.executable, str(ROOT / "examples/chat_server.py"))
        players = [self.start(self.url, "--bot", "llm", before=chat_server),
                   self.start(self.url, "--bot", "process=./random/bot.py")]
        # The third one needs no program of ours.
        result = triarch_arena.play(self.url, lambda turn: turn.moves[-1], game="triumvirate",
                                    name="script")
        lines = [LINE.match(self.finish(player)[0]) for player in players]
        self.assertEqual({line[1] for line in lines}, {result.table})
        self.assertEqual(len({line[2] for line in lines} | {result.seat}), 3)
        stored = self.ask("/games/" + lines[0][1])
        self.assertEqual({player["name"]: (player["type"], player["model"])
                          for player in stored["players"]},
                         {"llm": ("llm", "random"), "process": ("bot", ""),
                          "script": ("bot", "")})
        self.assertFalse(any(event["kind"] == "missed" or event.get("forced")
                             for event in stored["events"]))

    def test_several_tables_at_a_time(self):
        self.serve()
        output, errors = self.join("--bot", "random", "--game", "tri-d", "--opponents", "random",
                                   "--games", "6", "--concurrency", "3")
        lines = output.splitlines()
        self.assertEqual(len({LINE.match(line)[1] for line in lines[:-1]}), 6)
        self.assertTrue(lines[-1].startswith("6 games: "), output)

    def test_a_private_table_and_its_id(self):
        self.serve()
        first = self.start(self.url, "--bot", "a=random", "--game", "tri-d", "--opponents",
                           "private")
        table = re.search(r"table (\S+): seated", self.wait_for_words(first, "seated"))[1]
        second, _ = self.join("--bot", "b=random", "--game", "tri-d", "--table", table)
        self.assertEqual(LINE.match(second)[1], table)
        self.assertEqual(LINE.match(second)[3], "a")
        self.assertEqual(LINE.match(self.finish(first)[0])[3], "b")

    def test_an_account(self):
        self.serve("--fill-seconds", "1")
        key = self.ask("/players", {"name": "Ann"})["key"]
        file = self.folder / "ann.key"
        file.write_text(key + "\n", encoding="utf-8")
        file.chmod(0o640)
        self.refused(2, "chmod 600", self.url, "--bot", "random", "--key-file", str(file))
        file.chmod(0o600)
        output, _ = self.join("--bot", "random", "--game", "tri-d", "--key-file", str(file),
                              "--rated")
        stored = self.ask("/games/" + LINE.match(output)[1])
        self.assertTrue(stored["rated"])
        self.assertIn("Ann", {player["name"] for player in stored["players"]})
        output, _ = self.join("--bot", "random", "--game", "tri-d", "--key-file", str(file),
                              "--unrated", "--opponents", "random")
        self.assertFalse(self.ask("/games/" + LINE.match(output)[1])["rated"])
        # The name belongs to the account.
        self.refused(1, "the arena says: ", self.url, "--bot", "random", "--name", "Ann")
        file.write_text("wrong\n", encoding="utf-8")
        self.refused(1, "the arena says: ", self.url, "--bot", "random", "--key-file", str(file))

    def test_https(self):
        self.serve()
        certificate = self.folder / "cert.pem"
        key = self.folder / "key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                        "-keyout", str(key), "-out", str(certificate)],
                       check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        proxy = self.enterContext(tls_proxy(context, self.arena.host_and_port))
        url = f"https://localhost:{proxy}"
        words = ("--bot", "random", "--game", "tri-d", "--opponents", "random")
        self.refused(1, "cannot reach " + url, url, *words)
        output, _ = self.finish(self.start(url, *words, "--tls-ca", str(certificate)))
        self.assertRegex(output, LINE)


@contextlib.contextmanager
def tls_proxy(context, target):
    """Decrypts connections to a free port, which it returns, and passes them on."""
    listener = socket.create_server(("127.0.0.1", 0))

    def copy(source, sink):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)

    def serve(connection):
        with contextlib.suppress(OSError):
            with context.wrap_socket(connection, server_side=True) as client:
                with socket.create_connection(target) as server:
                    back = threading.Thread(target=copy, args=(server, client), daemon=True)
                    back.start()
                    copy(client, server)
                    back.join()

    def accept():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.close()


class TroubleTest(JoinTest):
    def test_a_restart_and_a_kill_in_the_middle(self):
        self.serve(linger=5)
        process = self.start(self.url, "--bot", "random", "--game", "triumvirate", "--opponents",
                             "mcts:nodes=2000,mcts:nodes=2000")
        self.wait_for_table("playing", ply=3)
        self.assertEqual(self.arena.end(), 0)
        self.arena.start()
        table = self.wait_for_table("playing", ply=6)
        self.assertEqual(self.arena.end(signal.SIGKILL), -signal.SIGKILL)
        time.sleep(1)  # without a server
        self.arena.start()
        output, _ = self.finish(process)
        self.assertEqual(LINE.match(output)[1], table["table"])
        events = self.ask("/games/" + table["table"])["events"]
        self.assertFalse(any(event["kind"] == "missed" or event.get("forced")
                             for event in events))

    def test_a_network_that_loses_requests_and_answers(self):
        self.serve()
        # The seed spares the first request, without whose answer the address counts as wrong.
        network = self.enterContext(FaultyNetwork(self.arena.host_and_port, 0.15, seed=2))
        output, _ = self.finish(self.start(
            network.url, "--bot", "random", "--game", "tri-d", "--opponents", "random", "--json"))
        games = json.loads(output)["games"]
        self.assertEqual([game["forced"] for game in games], [0])
        self.assertTrue(all(network.faults[kind] > 0 for kind in network.KINDS), network.faults)
        # Repeating a join takes no second seat.
        self.assertEqual(self.ask("/tables"), [])
        self.assertEqual({game["table"] for game in self.ask("/games")["games"]},
                         {game["table"] for game in games})
        for game in games:
            events = self.ask("/games/" + game["table"])["events"]
            self.assertNotIn("missed", {event["kind"] for event in events})

    def test_an_arena_whose_port_is_closed_for_a_while(self):
        self.serve()
        process = self.start(self.url, "--bot", "random", "--game", "triumvirate", "--opponents",
                             "mcts:nodes=2000,mcts:nodes=2000")
        self.wait_for_table("playing", ply=3)
        self.assertEqual(self.arena.end(), 0)
        self.assertIn("trying again", self.wait_for_words(process, "cannot reach"))
        self.arena.start()
        self.assertRegex(self.finish(process)[0], LINE)

    def test_a_bot_that_crashes(self):
        self.serve()
        (self.folder / "bot.py").write_text(
            "import sys\nfor line in sys.stdin:\n"
            "    if line.startswith('go'): print('boom', file=sys.stderr); sys.exit(3)\n"
            "    if line.strip() == 'uci': print('option name UCI_Variant type combo default "
            "tri-d var tri-d\\nuciok', flush=True)\n"
            "    if line.strip() == 'isready': print('readyok', flush=True)\n", encoding="utf-8")
        output, errors = self.refused(
            1, "bot crasher has failed in 3 games in a row", self.url, "--bot",
            "crasher=./bot.py", "--game", "tri-d", "--opponents", "random", "--games", "9")
        lines = output.splitlines()
        self.assertEqual(len(lines), 4)
        for line in lines[:3]:
            self.assertIn("place 2 of 2, resignation", line)
            self.assertIn("resigned after a fault: crash", line)
        self.assertIn("boom", errors)
        table = LINE.match(lines[0])[1]
        kinds = [event["kind"] for event in self.ask("/games/" + table)["events"]]
        self.assertIn("resigned", kinds)
        # One fault of one game.
        self.refused(1, "bot crasher failed in 1 of 1 game", self.url, "--bot",
                     "crasher=./bot.py", "--game", "tri-d", "--opponents", "random")

    def test_a_bot_that_is_silent(self):
        self.serve()
        (self.folder / "bot.py").write_text(
            "import sys\nfor line in sys.stdin:\n"
            "    if line.strip() == 'uci': print('option name UCI_Variant type combo default "
            "tri-d var tri-d\\nuciok', flush=True)\n"
            "    if line.strip() == 'isready': print('readyok', flush=True)\n", encoding="utf-8")
        output, _ = self.refused(1, "failed in 1 of 1 game", self.url, "--bot", "mute=./bot.py",
                                 "--game", "tri-d", "--opponents", "random", "--move-seconds", "2",
                                 "--seat", "white")
        self.assertIn("resigned after a fault: time_forfeit", output)

    def test_an_interrupt_resigns(self):
        self.serve("--fill-seconds", "60")
        waiting = self.start(self.url, "--bot", "random", "--game", "tri-d")
        table = self.wait_for_table("waiting")["table"]
        waiting.send_signal(signal.SIGINT)
        output, errors = self.finish(waiting, 1)
        self.assertIn("left before the game began", output)
        self.assertIn("interrupted: 0 of 1 games were played", errors)
        self.assertEqual([event["kind"] for event in self.ask(f"/tables/{table}/events")["events"]],
                         ["opened", "joined", "left", "closed"])
        playing = self.start(self.url, "--bot", "mcts:nodes=1000", "--game", "tri-d",
                             "--opponents", "mcts:nodes=1000", "--games", "0")
        table = self.wait_for_table("playing", ply=2)["table"]
        playing.send_signal(signal.SIGINT)
        output, errors = self.finish(playing, 0)
        self.assertIn("left after", output)
        self.assertRegex(output, r"\d+ games?: ")
        kinds = [event["kind"] for event in self.ask("/games/" + table)["events"]]
        self.assertIn("resigned", kinds)

    def freeze(self, process, kind):
        """Stops the process for so long that the table has such an event; returns the table."""
        table = self.wait_for_table("playing")["table"]
        process.send_signal(signal.SIGSTOP)
        until = time.monotonic() + 40
        after = 0
        while time.monotonic() < until:
            news = self.ask(f"/tables/{table}/events?after={after}&wait=5")
            after = news["next"]
            if any(event["kind"] == kind for event in news["events"]):
                process.send_signal(signal.SIGCONT)
                return table
        process.send_signal(signal.SIGCONT)
        return self.fail(f"nothing was {kind}")

    def test_a_seat_that_is_lost(self):
        self.serve("--fill-seconds", "2", "--move-seconds", "1")
        lost = self.start(self.url, "--bot", "mcts:nodes=300")
        other = self.start(self.url, "--bot", "other=mcts:nodes=300")
        table = self.freeze(lost, "replaced")
        output, errors = self.finish(lost, 1)
        self.assertRegex(output, f"{table}.*lost the seat to a house bot.*random moves? of the")
        self.assertIn("0 points", output)
        self.assertIn("the arena has played a random move for this seat", errors)
        self.assertIn("failed in 1 of 1 game", errors)
        line, _ = self.finish(other)
        self.assertEqual(LINE.match(line)[1], table)

    def test_a_table_that_is_closed(self):
        self.serve("--move-seconds", "1")
        process = self.start(self.url, "--bot", "mcts:nodes=300", "--game", "tri-d", "--opponents",
                             "mcts:nodes=300")
        self.freeze(process, "closed")
        output, _ = self.finish(process, 1)
        self.assertIn("lost the seat to a house bot", output)
        # Nobody has come to a private table.
        output, errors = self.join("--bot", "random", "--opponents", "private", "--fill-seconds",
                                   "1", code=1)
        self.assertRegex(output, "table .*: white against nobody: closed by the arena before the ")
        self.assertIn("failed in 1 of 1 game", errors)

    def test_wrong_arenas(self):
        words = ("--bot", "random", "--game", "tri-d")
        with socket.create_server(("127.0.0.1", 0)) as free:
            closed = f"http://127.0.0.1:{free.getsockname()[1]}"
        began = time.monotonic()
        self.refused(1, "cannot reach " + closed, closed, *words)
        self.assertLess(time.monotonic() - began, 10)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), QuietHandler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        other = f"http://127.0.0.1:{server.server_port}"
        self.refused(1, f"{other} does not answer like an arena (HTTP 501)", other, *words)

    def test_wrong_tables(self):
        self.serve("--fill-seconds", "60")
        first = self.start(self.url, "--bot", "a=random", "--game", "tri-d")
        table = self.wait_for_table("waiting")["table"]
        self.refused(1, "there is no such table", self.url, "--bot", "random", "--game", "tri-d",
                     "--table", "nowhere")
        self.refused(1, "the table plays tri-d", self.url, "--bot", "random", "--game",
                     "triumvirate", "--table", table)
        second = self.start(self.url, "--bot", "mcts:nodes=5000", "--game", "tri-d", "--table",
                            table)
        self.wait_for_table("playing")
        self.refused(1, "the arena says: ", self.url, "--bot", "random", "--game", "tri-d",
                     "--table", table)
        for process in (first, second):
            process.send_signal(signal.SIGINT)
        for process in (first, second):
            process.communicate(timeout=SECONDS)
        self.refused(1, "opponents", self.url, "--bot", "random", "--game", "tri-d", "--opponents",
                     "nobody-knows-it")

    def test_wrong_options(self):
        url = "http://127.0.0.1:9"
        for text, words in (
                ("expected the address of an arena", ("arena.example.org", "--bot", "random")),
                ("--bot", (url,)),
                ('unknown bot "nobody"', (url, "--bot", "nobody")),
                ("--game", (url, "--bot", "random", "--game", "chess")),
                ("expected one bot", (url, "--bot", "random,greedy")),
                ("tc", (url, "--bot", "random:tc=60+1")),
                ("--rated needs --key-file", (url, "--bot", "random", "--rated")),
                ("--table", (url, "--bot", "random", "--table", "x", "--games", "2")),
                ("--table", (url, "--bot", "random", "--table", "../x")),
                ("--key-file", (url, "--bot", "random", "--key-file", "none.key")),
                ("--tls-ca", (url, "--bot", "random", "--tls-ca", "none.pem")),
                ("--games", (url, "--bot", "random", "--games", "-1"))):
            with self.subTest(text=text, words=words):
                self.refused(2, text, *words)


class QuietHandler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass


if __name__ == "__main__":
    unittest.main()
