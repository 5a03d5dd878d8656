"""Runs a PostgreSQL server with an empty database for a test."""

import glob
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

START_SECONDS = 60


def _program(name):
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))
    if not found:
        raise AssertionError(f"missing /usr/lib/postgresql/*/bin/{name}; install postgresql")
    return found[-1]


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Postgres:
    """A context that ends with the server. Data is not synced to the disk."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="triarch_postgres_")
        folder = self._folder.name
        self._as_user = [shutil.which("setpriv") or "/usr/bin/setpriv", "--pdeathsig", "QUIT"]
        if os.geteuid() == 0:  # as which PostgreSQL does not run
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
            self._as_user += ["--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
        self._port = _free_port()
        self._process = None
        try:
            self._start(folder)
        except BaseException:
            self.__exit__()
            raise

    def _start(self, folder):
        data = f"{folder}/data"
        subprocess.run([*self._as_user, _program("initdb"), "--pgdata", data, "--auth=trust",
                        "--no-sync", "--username=triarch", "--encoding=UTF8"],
                       check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd="/")
        self._process = subprocess.Popen(
            [*self._as_user, _program("postgres"), "-D", data, "-k", folder, "-p", str(self._port),
             "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
        until = time.monotonic() + START_SECONDS
        while subprocess.run([_program("pg_isready"), "-q", "-h", "127.0.0.1", "-p",
                              str(self._port)], check=False).returncode != 0:
            if self._process.poll() is not None or time.monotonic() > until:
                raise AssertionError("PostgreSQL does not start")
            time.sleep(0.05)
        self.ask("CREATE DATABASE arena", "postgres")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        self._folder.cleanup()

    def stop(self):
        if self._process and self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(timeout=START_SECONDS)

    @property
    def url(self):
        return f"postgresql://triarch@127.0.0.1:{self._port}/arena"

    def ask(self, sql, database="arena"):
        """Returns the lines of the answer."""
        answer = subprocess.run(
            [_program("psql"), "-X", "-A", "-t", "-q", "-h", "127.0.0.1", "-p", str(self._port),
             "-U", "triarch", "-d", database, "-c", sql],
            check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        return answer.stdout.decode().splitlines()

    def events(self, table):
        """Returns the stored events of a table."""
        lines = self.ask(f"SELECT event FROM arena_events WHERE table_id = '{table}' ORDER BY n")
        return [json.loads(line) for line in lines]
