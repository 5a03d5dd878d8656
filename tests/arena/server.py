"""Starts `triarch arena`, stops, kills and restarts it, and checks that nothing is left of it."""

import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import uuid

TRIARCH = os.environ["TRIARCH_PROGRAM"]
SERVING = re.compile(r"Serving http://(127\.0\.0\.1:\d+) with the database (\S+)\. Ctrl-C ends\.\n")
START_SECONDS = 20  # far more than it takes, even beside other work
# Every process that a server starts inherits this variable, by whose value it is found.
MARK = "TRIARCH_TEST_ARENA"


def marked_processes(mark):
    """Returns the ids of the processes that have the mark, with their command lines."""
    found = {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            variables = (process / "environ").read_bytes().split(b"\0")
            if f"{MARK}={mark}".encode() in variables:
                found[int(process.name)] = (process / "cmdline").read_bytes().decode()
        except OSError:
            pass  # it has ended, or belongs to another user
    return found


class Arena:
    """A server with a folder and a database of its own, unless it has the URL of a store; a context
    that ends with the server."""

    def __init__(self, *options, linger=0, address="127.0.0.1:0", store=None):
        self._folder = tempfile.TemporaryDirectory(prefix="triarch_arena_")
        self.database = store or pathlib.Path(self._folder.name) / "arena.db"
        self._store = ["--store", store] if store else ["--db", str(self.database)]
        self._errors = open(pathlib.Path(self._folder.name) / "errors", "w+", encoding="utf-8")
        self._options = ["--linger-seconds", str(linger), *options]
        self._linger = linger
        self._mark = uuid.uuid4().hex
        self._process = None
        self.address = address
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._process and self._process.poll() is None:
            self.end(signal.SIGKILL)
        left = self.left_processes(self._linger + 20)
        for process in left:
            os.kill(process, signal.SIGKILL)
        self._errors.close()
        self._folder.cleanup()
        if left:
            raise AssertionError(f"still running: {left}")

    @property
    def url(self):
        return f"http://{self.address}/api/v1"

    @property
    def host_and_port(self):
        host, port = self.address.split(":")
        return host, int(port)

    def start(self):
        """Starts the server, which keeps its port from the first start on."""
        # If this process dies, so does the server.
        self._process = subprocess.Popen(
            [shutil.which("setpriv") or "/usr/bin/setpriv", "--pdeathsig", "KILL", TRIARCH, "arena",
             "--listen", self.address, *self._store, *self._options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors,
            env={**os.environ, MARK: self._mark})
        readable, _, _ = select.select([self._process.stdout], [], [], START_SECONDS)
        line = self._process.stdout.readline().decode() if readable else ""
        match = SERVING.fullmatch(line)
        if not match:
            raise AssertionError(f"it printed {line!r} and the errors {self.errors()!r}")
        assert match[2] == str(self.database), line
        self.address = match[1]

    def end(self, with_signal=signal.SIGTERM):
        """Ends the server, which must still run, and returns its exit code."""
        if self._process.poll() is not None:
            raise AssertionError(f"it has ended by itself: {self.errors()!r}")
        self._process.send_signal(with_signal)
        code = self._process.wait(timeout=START_SECONDS)
        self._process.stdout.close()
        return code

    def left_processes(self, seconds=0):
        """Returns what still runs of this server after at most that time."""
        until = time.monotonic() + seconds
        while (left := marked_processes(self._mark)) and time.monotonic() < until:
            time.sleep(0.05)
        return left

    def errors(self):
        self._errors.flush()
        return pathlib.Path(self._errors.name).read_text(encoding="utf-8")

    def events(self, table):
        """Returns the stored events of a table."""
        database = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=10)
        try:
            rows = database.execute(
                "SELECT event FROM arena_events WHERE table_id = ? ORDER BY n", (table,)).fetchall()
        finally:
            database.close()
        return [json.loads(row[0]) for row in rows]

    def connect(self):
        return socket.create_connection(self.host_and_port, timeout=START_SECONDS)
