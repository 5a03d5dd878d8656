#!/usr/bin/env python3
"""Tests `triarch web` and its API (docs/web-api.md) on tournaments of all three games."""

import json
import pathlib
import re
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import unittest
import urllib.parse

from web_site import GAMES, HOSTILE, PLAYED, run, Site, triarch, TRIARCH

DOCS = pathlib.Path(__file__).parents[2] / "docs" / "web-api.md"
ROUTE = re.compile(r"^\| `(GET|POST) (/[^` ]*)`", re.MULTILINE)
SEATS = {"triumvirate": ["white", "black", "red"], "three-way": ["white", "gray", "black"],
         "tri-d": ["white", "black"]}
LETTERS = {"triumvirate": "wbr", "three-way": "wgb", "tri-d": "wb"}
HEADERS = {
    "Content-Security-Policy":
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
        "img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer"}


class SiteTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.databases = {game: run(cls.folder, game) for game in GAMES}
        cls.sites = {game: cls.enterClassContext(Site(database))
                     for game, database in cls.databases.items()}

    def detail(self, answer, status):
        """Returns what an answer with that status says was wrong."""
        self.assertEqual(answer.status, status, answer)
        self.assertEqual(list(answer.json), ["detail"])
        return answer.json["detail"]

    def games(self, game, query=""):
        return self.sites[game].get(f"/tournaments/1/games?limit=200{query}")["games"]

    def test_tournaments(self):
        for game, site in self.sites.items():
            (listed,) = site.get("/tournaments")
            self.assertRegex(listed.pop("created"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
            self.assertEqual(listed, {"id": 1, "name": f"{game} & <b>friends</b>", "game": game,
                                      "state": "done", "games": PLAYED, "recorded": PLAYED,
                                      "bots": 4})
            self.assertEqual(site.get("/tournaments/1")["bots"],
                             [{"name": "random", "bot": "random"},
                              {"name": "p1", "bot": "paranoid:depth=1"},
                              {"name": HOSTILE, "bot": "greedy"},
                              {"name": "m", "bot": "mcts:nodes=20"}])

    def test_lists_and_standings_are_those_of_the_commands(self):
        for game, site in self.sites.items():
            database = self.databases[game]
            listed = json.loads(triarch("games", "--db", database, "--json"))
            self.assertEqual(self.games(game), listed[::-1])
            standings = json.loads(triarch("standings", "--db", database, "--json"))
            for _ in range(2):  # the second answer is a stored one
                self.assertEqual(site.get("/tournaments/1/standings"), standings)

    def test_pages_have_no_gaps(self):
        for game, site in self.sites.items():
            for limit in (1, 5, PLAYED - 1, PLAYED, 200):
                seen, before = [], ""
                while True:
                    page = site.get(f"/tournaments/1/games?limit={limit}{before}")
                    self.assertLessEqual(len(page["games"]), limit)
                    seen += [game["index"] for game in page["games"]]
                    if page["before"] is None:
                        break
                    before = f"&before={page['before']}"
                self.assertEqual(seen, list(range(PLAYED))[::-1], (game, limit))
        self.assertEqual(len(site.get("/tournaments/1/games")["games"]), PLAYED)

    def test_filters(self):
        for game in GAMES:
            every = self.games(game)

            def expect(query, condition):
                expected = [each["index"] for each in every if condition(each)]
                found = [each["index"] for each in self.games(game, query)]
                self.assertEqual(found, expected, (game, query))

            for bot in ("random", HOSTILE):
                quoted = urllib.parse.quote(bot)
                expect(f"&bot={quoted}", lambda g: bot in [seat["bot"] for seat in g["seats"]])
                for number, word in enumerate(SEATS[game]):
                    expect(f"&bot={quoted}&seat={word}",
                           lambda g: g["seats"][number]["bot"] == bot)
            for ending in {each["termination"] for each in every}:
                expect(f"&termination={ending}", lambda g: ending == g["termination"] or ending in
                       [seat["ending"] for seat in g["seats"]])
            middle = sorted(each["plies"] for each in every)[PLAYED // 2]
            expect(f"&plies_min={middle}", lambda g: g["plies"] >= middle)
            expect(f"&plies_max={middle}", lambda g: g["plies"] <= middle)
            expect("&faults=1", lambda g: False)
            expect("&before=7", lambda g: g["index"] < 7)

    def test_a_game_is_that_of_the_command_with_more(self):
        for game, site in self.sites.items():
            for index in (0, 5, PLAYED - 1):
                shown = site.get(f"/tournaments/1/games/{index}")
                self.assertEqual(shown.pop("tournament"),
                                 {"id": 1, "name": f"{game} & <b>friends</b>"})
                self.assertEqual(shown.pop("game"), game)
                self.assertEqual(shown.pop("previous"), index - 1 if index else None)
                self.assertEqual(shown.pop("next"), index + 1 if index + 1 < PLAYED else None)
                shown.pop("start")
                for event in shown["events"]:
                    self.assertTrue(event.pop("cells") or "move" not in event)
                    event.pop("after")
                told = triarch("games", "--db", self.databases[game], "--id", shown["id"], "--json")
                self.assertEqual(shown, json.loads(told))
                text = site.ask(f"/api/v2/tournaments/1/games/{index}/tpgn")
                self.assertEqual(text.headers["Content-Type"], "text/plain; charset=utf-8")
                tpgn = triarch("games", "--db", self.databases[game], "--tpgn", "-")
                self.assertIn(text.body.decode(), tpgn)

    def test_positions_are_those_of_play(self):
        for game, site in self.sites.items():
            index = min(self.games(game), key=lambda each: each["plies"])["index"]
            shown = site.get(f"/tournaments/1/games/{index}")
            moves = [event["move"].rstrip("+#") for event in shown["events"] if "move" in event]
            self.assertEqual(len(moves), shown["plies"])
            positions = [shown["start"]] + [event["after"] for event in shown["events"]
                                            if "move" in event]
            for count, position in enumerate(positions):
                played = triarch("play", "--game", game, *moves[:count]).split("\n")
                self.assertEqual(position["text"], played[0], (game, count))
                if position["to_move"]:
                    self.check_position(game, position)
            self.assertTrue(any(position["checks"] for position in positions))

    def check_position(self, game, position):
        """Compares the parts of a position that goes on with the JSON of its text."""
        told = json.loads(triarch("play", "--game", game, "--position", position["text"], "--json"))
        letters = {"Pawn": "P", "Knight": "N", "Bishop": "B", "Rook": "R", "Queen": "Q", "King": "K"}
        of_seat = dict(zip(SEATS[game], LETTERS[game]))
        expected = set()
        for piece in told["pieces"]:
            owner = piece.get("owner", piece["color"])
            word = f"{piece['cell']}:{letters[piece['type']]}{of_seat[piece['color']]}"
            expected.add(word + (of_seat[owner] if owner != piece["color"] else ""))
        words = position["pieces"].split(" ")
        self.assertEqual((len(words), set(words)), (len(expected), expected))
        self.assertEqual(position["to_move"], told["active_player"].lower())
        self.assertEqual(position["checks"], [seat for seat in SEATS[game]
                                              if told["statuses"][seat] == "check"])
        self.assertEqual(position.get("pins"), list(told["pins"].values()) if "pins" in told
                         else None)

    def test_inherited_pieces(self):
        site = self.sites["triumvirate"]
        inherited, out = 0, 0
        for index in range(PLAYED):
            for event in site.get(f"/tournaments/1/games/{index}")["events"]:
                position = event["after"]
                seats = dict(zip("wbr", SEATS["triumvirate"]))
                for word in position["pieces"].split(" "):
                    self.assertRegex(word, r"^[A-L](1[0-2]|[1-9]):[PNBRQK][wbr]{1,2}$")
                    letters = word.split(":")[1][1:]
                    if len(letters) == 2:
                        inherited += 1
                        self.assertIn(seats[letters[0]], position["out"])
                out += len(position["out"])
        self.assertGreater(inherited, 100)
        self.assertGreater(out, 100)

    def test_geometry_and_rules(self):
        for game, site in self.sites.items():
            self.assertEqual(site.get(f"/geometry/{game}"),
                             json.loads(triarch("cells", "--game", game, "--json")))
            rules = site.ask(f"/api/v2/rules/{game}")
            file = DOCS.parent / "rules" / f"{game}.md"
            self.assertEqual(rules.body.decode(), file.read_text(encoding="utf-8"))
            self.assertEqual(rules.headers["Content-Type"], "text/markdown; charset=utf-8")
            self.assertEqual(site.get("/health")["status"], "ok")
            self.assertNotIn("live", site.get("/health"))
            self.assertEqual(site.get("/live"), [])

    def test_openapi_the_document_and_the_routes_agree(self):
        site = self.sites["tri-d"]
        description = site.ask("/openapi.json").json
        described, values = set(), {"id": "1", "index": "0", "game": "tri-d"}
        text = DOCS.read_text(encoding="utf-8")
        for path, methods in description["paths"].items():
            described.add(re.sub(r"{\w+}", "{}", path.removeprefix("/api/v2")))
            full = re.sub(r"{(\w+)}", lambda match: values[match[1]], path)
            full += "?name=random" if path.endswith("/bot") else ""
            answer, head = site.ask(full), site.ask(full, "HEAD")
            # There is no coordinator, so no game is in progress.
            status = 404 if path == "/api/v2/live/{id}/{index}" else 200
            self.assertEqual((answer.status, list(methods)), (status, ["get"]))
            self.assertEqual((head.status, head.body), (status, b""))
            self.assertEqual(head.headers["Content-Length"], str(len(answer.body)))
            refused = site.ask(full, "POST")
            self.assertEqual(refused.headers["Allow"], "GET")
            self.detail(refused, 405)
            for parameter in methods["get"].get("parameters", []):
                if parameter["in"] == "query":
                    self.assertIn(f"{parameter['name']}=", text)
        documented = {re.sub(r"\b[A-Z]+\b", "{}", path.split("?")[0])
                      for _, path in ROUTE.findall(text)}
        self.assertEqual(described, documented)
        self.assertNotIn("components", description)

    def test_a_bot_has_the_results_of_the_commands(self):
        for game, site in self.sites.items():
            self.assertEqual([bot["name"] for bot in site.get("/bots")],
                             sorted(["random", "p1", HOSTILE, "m"]))
            standings = json.loads(triarch("standings", "--db", self.databases[game], "--json"))
            digests = {bot["name"]: bot["digest"] for bot in json.loads(
                triarch("ratings", self.databases[game], "--json"))["bots"]}
            for row in standings["bots"]:
                bot = site.get(f"/bot?name={urllib.parse.quote(row['name'], safe='')}")
                self.assertEqual(bot["name"], row["name"])
                (played,) = bot["tournaments"]
                self.assertEqual(played["rank"], row["rank"])
                self.assertEqual(played["name"], f"{game} & <b>friends</b>")
                (total,) = bot["totals"]
                self.assertEqual(total.pop("game"), game)
                for results in (total, played["results"]):
                    self.assertEqual(results, {key: row[key] for key in results})
                self.assertAlmostEqual(played["rating"]["elo"], row["rating"]["elo"], 6)
                number = standings["cross"]["names"].index(row["name"])
                cross = {other["name"]: (other["games"], other["score"] / other["games"])
                         for other in bot["opponents"]}
                expected = {name: (games, share) for name, games, share in zip(
                    standings["cross"]["names"], standings["cross"]["games"][number],
                    standings["cross"]["score"][number]) if name != row["name"]}
                self.assertEqual(cross.keys(), expected.keys())
                for name, (games, share) in expected.items():
                    self.assertEqual(cross[name][0], games)
                    self.assertAlmostEqual(cross[name][1], share, 6)
                self.assertEqual(len(bot["versions"]), 1)
                self.assertIn(row["name"], digests)
            self.detail(site.ask("/api/v2/bot?name=nobody"), 404)
            self.detail(site.ask("/api/v2/bot?name=.."), 404)
            self.detail(site.ask("/api/v2/bot"), 422)

    def test_a_client_that_has_the_answer_gets_304(self):
        site = self.sites["tri-d"]
        for path in ("/tournaments", "/tournaments/1/standings", "/tournaments/1/games/3",
                     "/bot?name=m"):
            answer = site.ask(f"/api/v2{path}")
            tag = answer.headers["ETag"]
            self.assertRegex(tag, r'^"[0-9a-f]+"$')
            self.assertEqual(answer.headers["Cache-Control"], "no-cache")
            for sent in (tag, f'"other", {tag}', f"W/{tag}", "*"):
                again = site.ask(f"/api/v2{path}", headers={"If-None-Match": sent})
                self.assertEqual((again.status, again.body), (304, b""))
                self.assertEqual(again.headers["ETag"], tag)
                self.assertIsNone(again.headers["Content-Length"])
            other = site.ask(f"/api/v2{path}", headers={"If-None-Match": '"other"'})
            self.assertEqual((other.status, other.body), (200, answer.body))

    def test_other_hosts_are_refused(self):
        site = self.sites["tri-d"]
        port = site.address.split(":")[1]
        for host in (site.address, f"localhost:{port}", "localhost", "[::1]:9"):
            self.assertEqual(site.ask("/api/v2/tournaments", headers={"Host": host}).status, 200)
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example"):
            for path in ("/", "/api/v2/tournaments", "/openapi.json"):
                answer = site.ask(path, headers={"Host": host})
                detail = self.detail(answer, 421)
                self.assertIn(f'the header Host is "{host}"', detail)
                self.assertIn("expected one of 127.0.0.1, [::1], localhost", detail)

    def test_errors(self):
        site = self.sites["triumvirate"]
        for path in ("/tournaments/2", "/tournaments/0", "/tournaments/x", "/tournaments/1x",
                     "/tournaments/99999999999999999999", "/tournaments/2/standings",
                     "/tournaments/2/games", "/tournaments/1/games/24", "/tournaments/1/games/-1",
                     "/tournaments/1/games/x", "/tournaments/1/games/24/tpgn",
                     "/tournaments/2/games/0", "/live/1/0", "/live/x/0", "/live/1/x",
                     "/geometry/go", "/rules/go", "/rules/%00",
                     "/tournaments/", "/none", ""):
            with self.subTest(path=path):
                self.detail(site.ask(f"/api/v2{path}"), 404)
        for query, about in (("bot=nobody", "bot: "), ("seat=white", "seat: "),
                             ("bot=m&seat=grey", "seat: "), ("termination=boredom", "termination"),
                             ("faults=yes", "faults: "), ("plies_min=-1", "plies_min: "),
                             ("plies_max=9e9", "plies_max: "), ("before=", "before: "),
                             ("before=99999999999999999999", "before: "),
                             ("limit=201", "limit: ")):
            with self.subTest(query=query):
                detail = self.detail(site.ask(f"/api/v2/tournaments/1/games?{query}"), 422)
                self.assertIn(about, detail)

    def test_pages_and_headers(self):
        site = self.sites["three-way"]
        for path in ("/", "/none", "/openapi.json", "/api/v2/health", "/api/v2/tournaments/1",
                     "/api/v2/none", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd"):
            answer, head = site.ask(path), site.ask(path, "HEAD")
            self.assertEqual((head.status, head.body), (answer.status, b""), path)
            for name, value in HEADERS.items():
                self.assertEqual(answer.headers[name], value, path)
            self.assertNotIn("Access-Control-Allow-Origin", answer.headers)
            self.assertNotIn(b"root:", answer.body)
        self.assertEqual(site.ask("/").status, 200)
        self.assertEqual(site.ask("/").headers["Content-Type"], "text/html; charset=utf-8")
        self.assertEqual(site.ask("/none").status, 404)
        self.assertEqual(site.ask("/", "POST").status, 405)


class LifeTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_a_database_that_grows(self):
        database = run(self.folder, "three-way", 6)
        with Site(database) as site:
            self.assertEqual(site.get("/tournaments/1/standings")["games"]["recorded"], 6)
            more = subprocess.Popen(
                [TRIARCH, "run", "--game", "triumvirate", "--bots", "random,greedy,paranoid",
                 "--games", "100000", "--seed", "8", "--db", str(database)],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                counts = self.follow(site)
            finally:
                more.send_signal(signal.SIGINT)
                more.wait(timeout=60)
            self.assertEqual(counts, sorted(counts))
            self.assertGreater(counts[-1], counts[0])
            # The run could tidy up although its file was served.
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                             ["three-way.db", "three-way.yaml"])
            self.assertEqual(site.get("/tournaments")[1]["recorded"], 6)
            recorded = site.get("/tournaments/2")["recorded"]
            until = time.monotonic() + 30
            while site.get("/tournaments/2/standings")["games"]["recorded"] != recorded:
                self.assertLess(time.monotonic(), until)
                time.sleep(0.1)

    def follow(self, site):
        """Returns how many games of the second tournament were there, again and again."""
        counts, until = [], time.monotonic() + 60
        while len(set(counts)) < 4 and time.monotonic() < until:
            for tournament in site.get("/tournaments"):
                if tournament["id"] != 2 or not tournament["recorded"]:
                    continue
                counts.append(tournament["recorded"])
                newest = site.get("/tournaments/2/games?limit=1")["games"][0]["index"]
                self.assertGreaterEqual(newest + 1, tournament["recorded"])
                # Standings that took long may be older while games are played.
                self.assertGreater(site.get("/tournaments/2/standings")["games"]["recorded"], 0)
            time.sleep(0.05)
        return counts

    def test_signals_end_it_well(self):
        database = run(self.folder, "tri-d", 2)
        for number in (signal.SIGINT, signal.SIGTERM):
            with Site(database) as site:
                site.get("/tournaments")
                self.assertEqual(site.end(number), 0)

    def test_wrong_options(self):
        database = run(self.folder, "tri-d", 2)
        text = self.folder / "text.db"
        text.write_text("hello\n", encoding="utf-8")
        foreign = self.folder / "foreign.db"
        with sqlite3.connect(foreign) as other:
            other.execute("CREATE TABLE recipes (name TEXT)")
        taken = self.enterContext(socket.create_server(("127.0.0.1", 0)))
        for code, options, about in (
                (2, [], "--db"),
                (1, ["--db", self.folder / "none.db"], "there is no database"),
                (1, ["--db", self.folder], "is not a file"),
                (1, ["--db", text], "not a database"),
                (1, ["--db", foreign], "another application"),
                (1, ["--db", "postgresql://127.0.0.1:1/none"], "postgresql://127.0.0.1:1/none"),
                (2, ["--db", database, "--listen", "nonsense"], "expected HOST:PORT"),
                (2, ["--db", database, "--listen", "127.0.0.1:99999"], "from 0 to 65535"),
                (1, ["--db", database, "--listen", "127.0.0.1:%d" % taken.getsockname()[1]],
                 "Address already in use"),
                (2, ["--db", database, "more"], "more")):
            with self.subTest(options=options):
                done = subprocess.run([TRIARCH, "web", *map(str, options)], capture_output=True,
                                      text=True, check=False, timeout=20)
                self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
                self.assertRegex(done.stderr, r"\Aerror: [^\n]+\n\Z")
                self.assertIn(about, done.stderr)


if __name__ == "__main__":
    unittest.main()
