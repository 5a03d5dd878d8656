#!/usr/bin/env python3
"""Tests that the SDK's clients lose nothing when the network or the arena fails.

  sdk_network_test.py FaultsTest      lost requests and answers, restarts and kills
  sdk_network_test.py AddressesTest   wrong addresses, proxies and certificates
"""

import http.server
import json
import logging
import os
import pathlib
import random
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

SDK = pathlib.Path(__file__).parents[2] / "bots" / "sdk"
sys.path.insert(0, str(SDK / "python"))
import triarch_arena  # noqa: E402

from faulty_network import FaultyNetwork  # noqa: E402
from server import Arena  # noqa: E402

NODE = shutil.which("node") or "nodejs"
# A player that also follows the events of its table. Prints its result, the number of its moves,
# and the numbers of the events.
PLAYER = """
import { Arena } from "./triarch_arena.mjs";
console.warn = () => {};
const [url, table, pause, resignAt] = process.argv.slice(2);
const arena = new Arena(url);
const seat = await arena.join({ table, name: "JavaScript" });
const events = [];
const watching = (async () => {
  for await (const event of arena.events(table)) events.push(event.n);
})();
let moves = 0;
const result = await seat.play(async (turn) => {
  await new Promise((wake) => setTimeout(wake, 1000 * Number(pause)));
  if (turn.ply > Number(resignAt)) return "resign";
  ++moves;
  return turn.moves[Math.floor(Math.random() * turn.moves.length)];
});
await watching;
console.log(JSON.stringify({ result, moves, events }));
"""


class Watcher(threading.Thread):
    """Follows the events of a table."""

    def __init__(self, arena, table):
        super().__init__(daemon=True)
        self._events = arena.events(table)
        self.events = []
        self.start()

    def run(self):
        for event in self._events:
            self.events.append(event)


class SdkNetworkTest(unittest.TestCase):
    def setUp(self):
        log = logging.getLogger("triarch_arena")
        log.setLevel(logging.ERROR)
        self.addCleanup(log.setLevel, logging.NOTSET)
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        shutil.copy(SDK / "javascript/triarch_arena.mjs", self.folder)

    def node(self, script, *arguments):
        file = self.folder / "script.mjs"
        file.write_text(script, encoding="utf-8")
        process = subprocess.Popen([NODE, str(file), *map(str, arguments)], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(process.kill)
        return process


class FaultsTest(SdkNetworkTest):
    def play(self, game, url, server, pause=0.0, resign_at=80, meanwhile=lambda: None):
        """Plays and watches a game of both clients, with house bots in the other seats, and checks
        that nothing was lost or done twice."""
        arena = triarch_arena.Arena(url)
        seat = arena.join(game, name="Python", opponents="private")
        watcher = Watcher(arena, seat.table)
        node = self.node(PLAYER, url, seat.table, pause, resign_at)
        direct = triarch_arena.Arena(f"http://{server.address}")
        until = time.monotonic() + 30
        while len(direct.table(seat.table)["players"]) < 2:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.02)
        seat.fill()
        moves = []

        def choose(turn):
            time.sleep(pause)
            if turn.ply > resign_at:
                return triarch_arena.RESIGN
            moves.append(random.choice(turn.moves))
            return moves[-1]

        results = []
        player = threading.Thread(target=lambda: results.append(seat.play(choose)), daemon=True)
        player.start()
        meanwhile()  # in this thread: a server dies with the thread that has started it
        player.join(90)
        watcher.join(30)
        result, = results
        output, _ = node.communicate(timeout=30)
        self.assertEqual(node.returncode, 0, output)
        other = json.loads(output)
        self.assertEqual((result.place, other["result"]["place"]),
                         (result.places[seat.seat], result.places[other["result"]["seat"]]))
        for member in ("table", "places", "termination"):
            self.assertEqual(other["result"][member], getattr(result, member))
        events = direct.game(seat.table)["events"]
        self.assertEqual(watcher.events, events)
        self.assertEqual(other["events"], list(range(len(events))))
        for player, count in ((seat.seat, len(moves)), (other["result"]["seat"], other["moves"])):
            played = [event for event in events
                      if event["kind"] == "moved" and event["seat"] == player]
            self.assertEqual([event["forced"] for event in played], [None] * count)
        joined = [event["name"] for event in events if event["kind"] == "joined"]
        self.assertEqual((joined.count("Python"), joined.count("JavaScript")), (1, 1))

    def test_lost_requests_and_answers(self):
        server = self.enterContext(Arena("--house-bots", "random"))
        for seed, game in enumerate(("triumvirate", "three-way", "tri-d")):
            with self.subTest(game):
                network = self.enterContext(FaultyNetwork(server.host_and_port, 0.15, seed))
                self.play(game, network.url, server)
                for kind, count in network.faults.items():
                    self.assertGreater(count, 0, kind)

    def test_restarts_and_kills(self):
        # Without a socket that outlives the server, connections are refused meanwhile.
        server = self.enterContext(Arena("--house-bots", "random", linger=0))

        def restart():
            for how, pause in ((signal.SIGTERM, 0.5), (signal.SIGKILL, 3), (signal.SIGTERM, 0)):
                time.sleep(0.8)
                server.end(how)
                time.sleep(pause)
                server.start()

        self.play("tri-d", f"http://{server.address}", server, 0.04, 120, restart)


class AddressesTest(SdkNetworkTest):
    def serve(self, answer, context=None):
        """Returns the port of a server that gives each request to the function; with a TLS context,
        it speaks https."""

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                answer(self)

            do_POST = do_GET

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):
                pass  # a client that does not trust the certificate

        server = Server(("127.0.0.1", 0), Handler)
        if context:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server.server_port

    def errors(self, url, patience=300):
        """Returns what both clients say when they join there."""
        with self.assertRaises((triarch_arena.ArenaError, OSError, ValueError)) as raised:
            triarch_arena.play(url, None, game="tri-d", name="Ann", patience=patience)
        script = """
            import { play } from "./triarch_arena.mjs";
            console.warn = () => {};
            const [url, patience] = process.argv.slice(2);
            await play(url, null, { game: "tri-d", name: "Ann", patience: Number(patience) })
              .catch((error) => console.log(error.message, error.cause?.message ?? ""));
        """
        output, _ = self.node(script, url, patience).communicate(timeout=60)
        return str(raised.exception), output

    def test_a_url_without_a_scheme(self):
        for text in self.errors("127.0.0.1:8080"):
            self.assertIn("expected a URL such as http://127.0.0.1:8080", text)

    def test_nobody_listens(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        began = time.monotonic()
        for text in self.errors(f"http://127.0.0.1:{port}", patience=1):
            self.assertRegex(text, "Connection refused|ECONNREFUSED")
        self.assertLess(time.monotonic() - began, 20)

    def test_redirections_are_not_followed(self):
        def redirect(request):
            request.send_response(301)
            request.send_header("Location", "https://arena.example/api/v2/join")
            request.send_header("Content-Length", "0")
            request.end_headers()

        for text in self.errors("http://127.0.0.1:%d" % self.serve(redirect)):
            self.assertIn("the server is at https://arena.example/api/v2/join (HTTP 301)", text)

    def test_no_patience_for_a_busy_arena(self):
        def busy(request):
            request.send_response(429)
            request.send_header("Retry-After", "3600")
            request.send_header("Content-Length", "8")
            request.end_headers()
            request.wfile.write(b"too many")

        began = time.monotonic()
        for text in self.errors("http://127.0.0.1:%d" % self.serve(busy)):
            self.assertIn("too many (HTTP 429)", text)
        self.assertLess(time.monotonic() - began, 20)

    def test_a_busy_arena_says_when_to_come_back(self):
        arena = self.enterContext(Arena("--house-bots", "random"))
        network = self.enterContext(FaultyNetwork(arena.host_and_port, 0, 0))
        times = []

        def busy_once(request):
            times.append(time.monotonic())
            if len(times) % 2 == 0:
                return network.handle(request)
            request.send_response(429)
            request.send_header("Retry-After", "2")
            request.send_header("Content-Length", "0")
            request.end_headers()

        url = f"http://127.0.0.1:{self.serve(busy_once)}"
        self.assertEqual(triarch_arena.Arena(url).health()["status"], "ok")
        script = """
            import { Arena } from "./triarch_arena.mjs";
            console.warn = () => {};
            console.log((await new Arena(process.argv[2]).health()).status);
        """
        self.assertEqual(self.node(script, url).communicate(timeout=60)[0], "ok\n")
        for first, second in (times[:2], times[2:]):
            self.assertTrue(2 <= second - first < 20, times)

    def test_a_proxy(self):
        """The proxy gets the whole URL, of a host that does not exist."""
        arena = self.enterContext(Arena("--house-bots", "random"))
        seen = []

        def forward(request):
            seen.append(request.path)
            request.path = request.path.removeprefix("http://arena.invalid")
            network.handle(request)

        network = self.enterContext(FaultyNetwork(arena.host_and_port, 0, 0))
        proxy = self.serve(forward)
        script = """if True:
            import triarch_arena
            def choose(turn):
                return turn.moves[0] if turn.ply < 6 else triarch_arena.RESIGN
            print(triarch_arena.play("http://arena.invalid", choose, game="tri-d", name="Ann",
                                     opponents=["random"]).place)
        """
        environment = {key: value for key, value in os.environ.items()
                       if not key.lower().endswith("_proxy")}
        environment["http_proxy"] = f"http://127.0.0.1:{proxy}"
        done = subprocess.run([sys.executable, "-B", "-c", script], cwd=SDK / "python",
                              capture_output=True, text=True, check=False, timeout=60,
                              env=environment)
        self.assertEqual((done.stdout, done.stderr), ("2\n", ""))
        self.assertIn("http://arena.invalid/api/v2/join", seen)

    def make_certificate(self):
        """Returns the files of a certificate for localhost that nobody has signed, and its key."""
        certificate, key = self.folder / "certificate.pem", self.folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)],
            check=True, capture_output=True)
        return certificate, key

    def test_certificates(self):
        arena = self.enterContext(Arena("--house-bots", "random"))
        certificate, key = self.make_certificate()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        network = self.enterContext(FaultyNetwork(arena.host_and_port, 0, 0))
        url = f"https://localhost:{self.serve(network.handle, context)}"
        began = time.monotonic()
        for text in self.errors(url):
            self.assertRegex(text, "(?i)certificate")
        self.assertLess(time.monotonic() - began, 20)
        scripts = {
            "SSL_CERT_FILE": [sys.executable, "-B", "-c", (
                "import sys; sys.path.insert(0, sys.argv[2]); import triarch_arena; "
                "print(triarch_arena.Arena(sys.argv[1]).health()['status'])")],
            "NODE_EXTRA_CA_CERTS": [NODE, "--input-type=module", "-e", (
                "const { Arena } = await import(`${process.argv[2]}/triarch_arena.mjs`);"
                "console.log((await new Arena(process.argv[1]).health()).status);")]}
        for (variable, command), folder in zip(scripts.items(), (SDK / "python", self.folder)):
            done = subprocess.run([*command, url, str(folder)], capture_output=True, text=True,
                                  check=False, timeout=60,
                                  env={**os.environ, variable: str(certificate)})
            self.assertEqual((done.stdout, done.stderr), ("ok\n", ""))


if __name__ == "__main__":
    unittest.main()
