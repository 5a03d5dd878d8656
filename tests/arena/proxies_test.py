"""Tests an arena behind nginx and Caddy, with the configurations of deploy/arena."""

import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from server import Arena
from v2_client import V2Client
from web_socket import WebSocket

HERE = pathlib.Path(__file__).resolve().parent
CONFIGURATIONS = HERE.parents[1] / "deploy" / "arena"
TOKEN = "operator-secret-0123456789"
FAR = "192.0.2.77"


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Proxy:
    """A proxy with TLS, and without it at a second port for clients that do not know TLS."""

    def __init__(self, folder, command):
        self._log = open(folder / "log", "w+", encoding="utf-8")
        setpriv = shutil.which("setpriv") or "/usr/bin/setpriv"
        self._process = subprocess.Popen(
            [setpriv, "--pdeathsig", "KILL", *command], stdin=subprocess.DEVNULL,
            stdout=self._log, stderr=self._log, cwd=folder,
            env={**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder),
                 "XDG_CONFIG_HOME": str(folder)})

    def wait(self, ports):
        until = time.monotonic() + 30
        for port in ports:
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=5).close()
                    break
                except OSError:
                    if self._process.poll() is not None or time.monotonic() > until:
                        raise AssertionError(self.log()) from None
                    time.sleep(0.05)

    def log(self):
        self._log.flush()
        return pathlib.Path(self._log.name).read_text(encoding="utf-8")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()


class Address:
    """What V2Client and the WebSocket need to know of a server."""

    def __init__(self, port):
        self.host_and_port = "127.0.0.1", port


class ProxyTests:
    LINGER = 3
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        tokens = self.folder / "tokens"
        tokens.write_text(f"operator {TOKEN}\n", encoding="utf-8")
        self.arena = self.enterContext(Arena("--trust-proxy", "--house-ms", "20", "--token-file",
                                             str(tokens), linger=self.LINGER))
        self.plain, self.tls = free_port(), free_port()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout",
                        "key.pem", "-out", "certificate.pem"],
                       cwd=self.folder, check=True, capture_output=True)
        self.proxy = self.enterContext(Proxy(self.folder, self.command()))
        self.proxy.wait((self.plain, self.tls))
        self.client = V2Client(Address(self.plain))

    def secure(self):
        """Returns a connection with TLS, whose certificate is checked."""
        context = ssl.create_default_context(cafile=str(self.folder / "certificate.pem"))
        plain = socket.create_connection(("127.0.0.1", self.tls), timeout=60)
        return context.wrap_socket(plain, server_hostname="localhost")

    def pair(self):
        """Returns the answers to two players who join a table of tri-d, by seat."""
        first = self.client.join(name="Ann", opponents="private")
        second = self.client.join(name="Ben", table=first["table"])
        return {data["seat"]: data for data in (first, second)}

    def move(self, player, ply, **options):
        turn = self.client.get("/turn", player["token"]).json
        body = {"move": turn["moves"][0], "ply": ply}
        reply = self.client.post("/move", body, player["token"], **options)
        self.assertEqual(reply.status, 200, reply)

    def test_an_existing_client_plays(self):
        done = subprocess.run(
            [sys.executable, "-B", str(HERE / "contract_client.py"),
             f"http://127.0.0.1:{self.plain}/api/v1", "--poll", "0.02", "--resign-after", "8",
             "--seed", "5", "--quiet"], capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads(done.stdout)["transport_errors"], 0)

    def test_spectators_see_each_move_at_once(self):
        players = self.pair()
        table = players["white"]["table"]
        connection = self.enterContext(self.secure())
        connection.sendall(f"GET /api/v2/tables/{table}/events HTTP/1.1\r\nHost: localhost\r\n"
                           "Accept: text/event-stream\r\n\r\n".encode())
        stream = connection.makefile("rb")
        self.assertIn(b" 200 ", stream.readline())
        path = f"/api/v2/tables/{table}/socket?after=3"
        with stream, WebSocket(self.secure(), "localhost", path) as web_socket:
            for ply, seat in enumerate(("white", "black")):
                self.move(players[seat], ply)
                began = time.monotonic()
                seen = web_socket.json()
                self.assertEqual((seen["kind"], seen["ply"]), ("moved", ply), seen)
                while True:
                    line = stream.readline().decode()
                    self.assertTrue(line, "the stream has ended")
                    if line.startswith("data: ") and '"moved"' in line:
                        break
                self.assertEqual(json.loads(line[6:]), seen)
                self.assertLess(time.monotonic() - began, 2)

    def test_a_restart_loses_no_request(self):
        players = self.pair()
        answers = []

        def wait_for_turn():
            answers.append(self.client.get("/turn?wait=30", players["black"]["token"]))

        waiting = threading.Thread(target=wait_for_turn)
        waiting.start()
        time.sleep(0.3)
        self.assertEqual(self.arena.end(), 0)
        waiting.join()
        self.assertEqual(answers[0].status, 200, answers[0])

        def move():
            turn_then_move.append(self.move(players["white"], 0))

        turn_then_move = []
        moving = threading.Thread(target=move)
        moving.start()
        time.sleep(0.5)
        self.assertEqual(turn_then_move, [])  # it waits
        self.arena.start()
        moving.join()
        self.assertEqual(len(turn_then_move), 1)

    def test_the_arena_knows_the_clients_addresses(self):
        # The proxy's client is this machine; what it says of itself does not count.
        body = {"address": FAR}
        self.assertEqual(self.client.post("/operator/block", body, TOKEN).status, 200)
        reply = self.client.post("/join", {"game": "tri-d", "name": "Ann"},
                                 headers={"X-Forwarded-For": FAR})
        self.assertEqual(reply.status, 200, reply)
        self.client.post("/operator/block", {"address": "127.0.0.0/8"}, TOKEN)
        self.assertEqual(self.client.post("/join", {"game": "tri-d", "name": "Ann"}).status, 403)


class NginxTest(ProxyTests, unittest.TestCase):
    def command(self):
        text = (CONFIGURATIONS / "nginx.conf").read_text(encoding="utf-8")
        text = re.sub(r"listen \[::\].*\n", f"listen 127.0.0.1:{self.plain};\n", text)
        text = re.sub(r"listen 443 ", f"listen 127.0.0.1:{self.tls} ", text)
        text = re.sub(r"ssl_certificate .*;", "ssl_certificate certificate.pem;", text)
        text = re.sub(r"ssl_certificate_key .*;", "ssl_certificate_key key.pem;", text)
        text = text.replace("127.0.0.1:8080", self.arena.address)
        folders = "".join(f"{kind}_temp_path {self.folder}/{kind};\n" for kind in
                          ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (self.folder / "nginx.conf").write_text(
            f"daemon off;\nmaster_process off;\npid {self.folder}/pid;\nerror_log stderr;\n"
            f"events {{}}\nhttp {{\naccess_log off;\n{folders}{text}}}\n", encoding="utf-8")
        return [shutil.which("nginx") or "/usr/sbin/nginx", "-e", "stderr", "-p", str(self.folder),
                "-c", "nginx.conf"]


class CaddyTest(ProxyTests, unittest.TestCase):
    def command(self):
        text = (CONFIGURATIONS / "Caddyfile").read_text(encoding="utf-8")
        text = text.replace("127.0.0.1:8080", self.arena.address)
        body = text[text.index("{") + 1:]
        text = ("{\nadmin off\nauto_https off\ndefault_bind 127.0.0.1\n}\n"
                f"https://localhost:{self.tls} {{\ntls certificate.pem key.pem\n{body}"
                f"http://:{self.plain} {{{body}")
        (self.folder / "Caddyfile").write_text(text, encoding="utf-8")
        return ["caddy", "run", "--config", "Caddyfile", "--adapter", "caddyfile"]


if __name__ == "__main__":
    unittest.main()
