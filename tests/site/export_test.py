#!/usr/bin/env python3
"""Tests `triarch export site` (docs/static-site.md) on tournaments of all three games."""

import json
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

from web_site import GAMES, PLAYED, run, Site, TRIARCH

HOSTILE = "<img src=x onerror=alert(1)>&\"'</script>"
CALL = re.compile(r"^triarchData\(", re.MULTILINE)


def export(*arguments):
    return subprocess.run([TRIARCH, "export", "site", *map(str, arguments)], capture_output=True,
                          text=True, check=False, timeout=60)


def read(site, name):
    """Returns what a script passes on, by key."""
    calls = CALL.split((site / "data" / f"{name}.js").read_text(encoding="utf-8"))
    assert calls[0] == "", calls[0]
    return dict(json.loads(f"[{call.removesuffix(');' + chr(10))}]") for call in calls[1:])


def has_page(folder):
    """Returns whether the program was built with its page."""
    return export(folder / "probe", folder / "tri-d.db").returncode == 0


class ExportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.databases = [run(cls.folder, game, name=HOSTILE if game == "tri-d" else None)
                         for game in GAMES]
        if not has_page(cls.folder):
            raise unittest.SkipTest("the program was built without its page")
        cls.site = cls.folder / "site"
        cls.done = export(cls.site, *cls.databases)

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def refused(self, arguments, code, about):
        """Checks that a call fails, says why and leaves nothing behind."""
        before = self.files()
        done = export(*arguments)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertRegex(done.stderr.splitlines()[-1], r"\Aerror: .+\Z")
        self.assertIn(about, done.stderr)
        self.assertEqual(self.files(), before)

    def test_it_says_what_it_wrote(self):
        self.assertEqual((self.done.returncode, self.done.stderr), (0, ""))
        files = sum(1 for path in self.site.rglob("*") if path.is_file())
        self.assertRegex(self.done.stdout, rf"\A3 tournaments with {3 * PLAYED} games in "
                         rf"{self.site}: {files} files, \d+\.\d MB\n\Z")
        self.assertNotIn("site.tmp", self.files())

    def test_the_data_is_that_of_the_api(self):
        listed = read(self.site, "tournaments")["tournaments"]
        self.assertEqual([(one["id"], one["game"]) for one in listed],
                         [(3, "tri-d"), (2, "three-way"), (1, "triumvirate")])
        for number, (game, database) in enumerate(zip(GAMES, self.databases), 1):
            with self.subTest(game=game), Site(database) as server:
                self.check_tournament(server, number)
                for kind in ("geometry", "start"):
                    self.assertEqual(read(self.site, f"{kind}/{game}"),
                                     {f"{kind}/{game}": server.get(f"/{kind}/{game}")})
                rules = server.ask(f"/api/v2/rules/{game}").body.decode()
                self.assertEqual(read(self.site, f"rules/{game}"), {f"rules/{game}": rules})

    def check_tournament(self, server, number):
        key = f"tournaments/{number}"
        self.assertEqual(read(self.site, key)[key], server.get("/tournaments/1") | {"id": number})
        self.assertEqual(read(self.site, f"{key}/standings")[f"{key}/standings"],
                         server.get("/tournaments/1/standings"))
        self.assertEqual(read(self.site, f"{key}/games/page-0")[f"{key}/games/page-0"],
                         server.get("/tournaments/1/games?limit=200"))
        for index in range(PLAYED):
            data = read(self.site, f"{key}/games/file-{index // 10}")
            game = server.get(f"/tournaments/1/games/{index}")
            game["tournament"]["id"] = number
            self.assertEqual(data[f"{key}/games/{index}"], game)
            tpgn = server.ask(f"/api/v2/tournaments/1/games/{index}/tpgn").body.decode()
            self.assertEqual(data[f"{key}/games/{index}/tpgn"], tpgn)

    def test_hostile_names(self):
        self.assertEqual(read(self.site, "tournaments/3")["tournaments/3"]["name"], HOSTILE)
        for path in (self.site / "data").rglob("*.js"):
            self.assertNotIn("</", path.read_text(encoding="utf-8"), path)

    def test_the_page_runs_only_its_own_scripts(self):
        index = (self.site / "index.html").read_text(encoding="utf-8")
        with Site(self.databases[0]) as server:
            policy = server.ask("/").headers["Content-Security-Policy"]
        policy = policy.removesuffix("; frame-ancestors 'none'")  # which a page cannot say itself
        self.assertIn(f'content="{policy}"', index)
        scripts = re.findall(r"<script([^>]*)>(.*?)</script>", index, re.DOTALL)
        self.assertIn((' src="data/site.js"', ""), scripts)
        self.assertEqual([body for _, body in scripts if body], [])

    def test_unfinished_tournaments_are_left_out(self):
        database = self.folder / "unfinished.db"
        shutil.copy(self.databases[1], database)
        with sqlite3.connect(database) as connection:
            connection.execute("UPDATE tournaments SET ended = NULL, "
                               "spec = json_set(spec, '$.games', 99)")
        connection.close()
        left_out = 'left out tournament 1, "three-way & <b>friends</b>": it is active'
        self.refused([self.folder / "none", database], 1, left_out)
        self.refused([self.folder / "none", database], 1, "no finished tournament")
        site = self.folder / "partly"
        done = export(site, database, self.databases[2])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(left_out, done.stderr)
        self.assertEqual(read(site, "tournaments")["tournaments"][0]["id"], 1)

    def test_folders_that_are_taken(self):
        database = self.databases[0]
        self.refused([self.site, database], 1, "expected a new or an empty folder")
        self.refused([database, database], 1, "expected a new or an empty folder")
        self.refused([self.folder / "no" / "such", database], 1, "there is no folder")
        (self.folder / "other.tmp").mkdir()
        self.refused([self.folder / "other", database], 1, "other.tmp exists")
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertEqual(export(f"{empty}/", database).returncode, 0)
        self.assertTrue((empty / "index.html").is_file())

    def test_wrong_arguments(self):
        text = self.folder / "text.db"
        text.write_text("hello\n", encoding="utf-8")
        new = self.folder / "new"
        self.refused([new], 2, "DB")
        self.refused([new, self.folder / "none.db"], 1, "there is no database")
        self.refused([new, self.databases[0], text], 1, "not a database")
        self.refused([new, "postgresql://127.0.0.1:1/none"], 1, "postgresql://127.0.0.1:1/none")

    def test_a_damaged_game_leaves_no_half_site(self):
        database = self.folder / "damaged.db"
        shutil.copy(self.databases[2], database)
        with sqlite3.connect(database) as connection:
            connection.execute("UPDATE game_texts SET tpgn = 'nonsense' "
                               "WHERE game = (SELECT id FROM games WHERE idx = 3)")
        connection.close()
        self.refused([self.folder / "half", database], 1,
                     f"tournament {json.dumps(HOSTILE)}: game 2.4: ")


class NoPageTest(unittest.TestCase):
    def test_it_says_how_to_get_the_page(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            database = run(folder, "tri-d", 2)
            if has_page(folder):
                self.skipTest("the program has its page")
            done = export(folder / "site", database)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("./run.sh --web", done.stderr)
            self.assertFalse((folder / "site").exists())


if __name__ == "__main__":
    unittest.main()
