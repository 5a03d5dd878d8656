#!/usr/bin/env python3
"""Tests how `triarch arena` refuses wrong options, databases and addresses."""

import pathlib
import sqlite3
import subprocess
import tempfile
import unittest

from server import TRIARCH, Arena


class UsageTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def refused(self, code, text, *options, database=None):
        """Runs the command, which must fail with one line that contains the text."""
        arguments = {"--listen": "127.0.0.1:0", "--db": str(database or self.folder / "arena.db"),
                     "--linger-seconds": "0", **dict(zip(options[::2], options[1::2]))}
        done = subprocess.run([TRIARCH, "arena", *(word for pair in arguments.items()
                                                   for word in pair)],
                              capture_output=True, text=True, check=False, timeout=20)
        self.assertEqual((done.returncode, done.stdout), (code, ""), (options, done.stderr))
        self.assertRegex(done.stderr, r"\Aerror: [^\n]+\n\Z")
        self.assertIn(text, done.stderr)

    def test_wrong_options(self):
        for option, value, text in (
                ("--house-bots", "nobody", 'unknown bot "nobody"'),
                ("--house-bots", "paranoid:depth=x", "depth"),
                ("--house-bots", "", "--house-bots"),
                ("--listen", "nonsense", "expected HOST:PORT"),
                ("--listen", "127.0.0.1:99999", "expected HOST:PORT"),
                ("--move-seconds", "0", "--move-seconds"),
                ("--fill-seconds", "-1", "--fill-seconds"),
                ("--tables", "many", "--tables"),
                ("--log-format", "morse", "--log-format"),
                ("--no-such-option", "1", "--no-such-option")):
            with self.subTest(option=option, value=value):
                self.refused(2, text, option, value)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_databases_of_others(self):
        text = self.folder / "text.db"
        text.write_text("hello\n", encoding="utf-8")
        self.refused(1, "not a database", database=text)
        self.assertEqual(text.read_text(encoding="utf-8"), "hello\n")

        foreign = self.folder / "foreign.db"
        database = sqlite3.connect(foreign)
        database.execute("CREATE TABLE recipes (name TEXT)")
        database.commit()
        database.close()
        before = foreign.read_bytes()
        self.refused(1, "another application", database=foreign)
        self.assertEqual(foreign.read_bytes(), before)

        self.refused(1, "no folder", database=self.folder / "none" / "arena.db")

    def test_a_database_or_an_address_in_use(self):
        arena = self.enterContext(Arena())
        self.refused(1, "another run, coordinator or arena is recording there", database=arena.database)
        self.refused(1, "already in use", "--listen", arena.address)
        # The first server has noticed nothing.
        self.assertEqual((arena.end(), arena.errors()), (0, ""))


if __name__ == "__main__":
    unittest.main()
