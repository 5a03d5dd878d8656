"""Plays tournaments, starts `triarch web` on their database, and sends it requests."""

import http.client
import json
import os
import select
import re
import shutil
import signal
import subprocess

TRIARCH = os.environ["TRIARCH_PROGRAM"]
SERVING = re.compile(r"Serving http://(127\.0\.0\.1:\d+)/ from (.+)\n")
START_SECONDS = 20  # far more than it takes, even beside other work
GAMES = ("triumvirate", "three-way", "tri-d")
HOSTILE = "<img/src=x/onerror=alert(1)>&amp;%2e%2e/+#?"
PLAYED = 24  # games of each tournament


def triarch(*arguments):
    """Returns what the command prints."""
    done = subprocess.run([TRIARCH, *map(str, arguments)], capture_output=True, text=True,
                          check=False, timeout=60)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout


def run(folder, game, games=PLAYED, name=None):
    """Plays games of a tournament, and returns the database."""
    file = folder / f"{game}.yaml"
    file.write_text(json.dumps({
        "name": name or f"{game} & <b>friends</b>", "game": game, "games": games, "seed": 3,
        "bots": ["random", {"name": "p1", "bot": "paranoid", "depth": 1},
                 {"name": HOSTILE, "bot": "greedy"}, {"name": "m", "bot": "mcts", "nodes": 20}],
        "adjudication": {"plies_max": 300},
        "output": {"db": str(folder / f"{game}.db")}}), encoding="utf-8")
    triarch("run", file)
    return folder / f"{game}.db"


class Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body
        is_json = headers.get("Content-Type", "") == "application/json"
        self.json = json.loads(body) if is_json and body else None

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Site:
    """A server with a connection; a context that ends with the server."""

    def __init__(self, database):
        # If this process dies, so does the server.
        self._process = subprocess.Popen(
            [shutil.which("setpriv") or "/usr/bin/setpriv", "--pdeathsig", "KILL", TRIARCH, "web",
             "--db", str(database), "--listen", "127.0.0.1:0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        readable, _, _ = select.select([self._process.stdout], [], [], START_SECONDS)
        line = self._process.stdout.readline().decode() if readable else ""
        match = SERVING.fullmatch(line)
        assert match and match[2] == str(database), line
        self.address = match[1]
        self._connection = http.client.HTTPConnection(self.address, timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._connection.close()
        if self._process.poll() is None:
            self.end(signal.SIGKILL)

    def end(self, with_signal):
        """Ends the server, which must still run, and returns its exit code."""
        assert self._process.poll() is None
        self._process.send_signal(with_signal)
        code = self._process.wait(timeout=START_SECONDS)
        self._process.stdout.close()
        return code

    def ask(self, path, method="GET", headers=None):
        self._connection.request(method, path, headers=headers or {})
        answer = self._connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())

    def get(self, path):
        """Returns the JSON of a path of the API, which must be there."""
        answer = self.ask(f"/api/v2{path}")
        assert answer.status == 200, (path, answer)
        return answer.json
