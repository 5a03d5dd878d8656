#!/usr/bin/env python3
"""Tests the routes of /api/v2 against their documents, and each status code of refusals."""

import pathlib
import re
import shlex
import subprocess
import time
import unittest

from server import Arena
from v2_seats import Seat, Web, sit

DOCS = pathlib.Path(__file__).parents[2] / "docs"
ROUTE = re.compile(r"^\| `(GET|POST) (/[^` ]*)`", re.MULTILINE)


def documented():
    """Returns the routes that the documents name: ("GET", "/tables/{}/events")."""
    routes = set()
    text = "".join((DOCS / name).read_text(encoding="utf-8")
                   for name in ("arena-api.md", "web-api.md"))
    for method, path in ROUTE.findall(text):
        routes.add((method, re.sub(r"\b[A-Z]+\b", "{}", path.split("?")[0])))
    return routes


class RoutesTest(unittest.TestCase):
    def setUp(self):
        self.arena = self.enterContext(Arena("--house-bots", "random"))
        self.web = Web(self.arena)

    def status(self, method, path, body=None, secret=None, **more):
        """Returns the status of an answer, which has a `detail` if it is an error."""
        answer = self.web.ask(method, f"/api/v2{path}", body, secret, **more)
        if answer.status >= 400:
            self.assertIsInstance(answer.json["detail"], str, answer)
            self.assertTrue(answer.json["detail"])
        return answer.status

    def paths(self):
        answer = self.web.ask("GET", "/openapi.json")
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.json["openapi"], "3.0.3")
        # The routes of operators have a test and a document of their own.
        return {path: methods for path, methods in answer.json["paths"].items()
                if not path.startswith("/api/v2/operator/")}

    def test_openapi_and_the_document_have_the_same_routes(self):
        described = {(method.upper(), re.sub(r"{\w+}", "{}", path.removeprefix("/api/v2")))
                     for path, methods in self.paths().items() if path.startswith("/api/v2/")
                     for method in methods}
        self.assertIn(("GET", "/tables/{}/socket"), described)
        self.assertEqual(described, documented())

    def test_every_route_is_there_with_no_other_method(self):
        seats = sit(self.arena, "triumvirate")
        table = seats[0].table
        key = self.web.account("Ann")
        for seat in seats[:2]:
            seat.do("resign")
        game = {"id": table, "game": "triumvirate", "name": "Ann", "game_id": table}
        recorded = {"id": "1", "index": "0"}
        while self.web.ask("GET", "/api/v2/tournaments/1/games/0").status != 200:
            time.sleep(0.05)  # until it is recorded
        (listed,) = self.web.get(f"/games?table={table}")["games"]
        self.assertEqual((listed["tournament"], listed["index"]), (1, 0))
        self.assertEqual(self.web.get("/games?table=none")["games"], [])
        asked = 0
        for path, methods in self.paths().items():
            of = recorded if path.startswith(("/api/v2/tournaments", "/api/v2/live")) else game
            full = re.sub(r"{(\w+)}", lambda match: of[match[1]], path)
            for method, operation in methods.items():
                asked += 1
                secret = {"token": seats[0].token, "key": key}.get(
                    next(iter(operation.get("security", [{}])[0]), None))
                answer = self.web.ask(method.upper(), full, secret=secret)
                # An arena has no workers, so none reports a game in progress.
                refused = (401, 405) if path.startswith("/api/v2/live/") else (401, 404, 405)
                self.assertNotIn(answer.status, refused, (path, answer))
                if operation["responses"].get("200") and answer.status < 300:
                    self.assertEqual(answer.status, 200)
                if method == "get" and not path.endswith("/ws/{game_id}"):
                    head = self.web.ask("HEAD", full, secret=secret)
                    self.assertEqual((head.status, head.text), (answer.status, ""), path)
            answer = self.web.ask("PATCH", full)
            self.assertEqual(answer.status, 405, path)
            self.assertEqual({word.lower() for word in answer.headers["allow"].split(", ")},
                             set(methods))
        self.assertGreater(asked, 30)

    def test_the_lines_for_language_models_work(self):
        text = self.web.ask("GET", "/llms.txt").text
        lines = re.findall(r"^   (curl [^\\\n]*(?:\\\n.*)?)$", text, re.MULTILINE)
        self.assertEqual(len(lines), 5, lines)
        variables = {"ARENA": f"http://{self.arena.address}"}

        def run(line):
            script = f"set -u; {line.replace('curl', 'curl -sS --fail-with-body', 1)}"
            done = subprocess.run(["bash", "-c", script], env={**variables, "PATH": "/usr/bin:/bin"},
                                  capture_output=True, text=True, check=False, timeout=40)
            self.assertEqual((done.returncode, done.stderr), (0, ""), (line, done.stdout))
            return done.stdout

        join, fill, turn, move, resign = lines
        variables["TOKEN"] = re.search(r'"token":"(\w+)"', run(join))[1]
        self.assertIn('"stage":"playing"', run(fill))
        self.assertIn('"your_turn":true', run(turn))
        self.assertIn('"last_move":"E2-E4"', run(move))
        self.assertIn('"in":false', run(resign))
        self.assertIn(shlex.quote("Hello"), move)
        for game in ("Triumvirate", "Three-Way", "Tri-D"):
            self.assertRegex(text, rf"(?mi)^# .*{game}")

    def test_pages_about_the_arena(self):
        health = self.web.get("/health")
        self.assertEqual((health["status"], health["tables"], health["playing"]), ("ok", 0, 0))
        sit(self.arena)
        self.assertEqual(self.web.get("/health")["playing"], 1)
        bots = {bot["bot"]: bot["description"] for bot in self.web.get("/house-bots")}
        self.assertIn("mcts", bots)
        self.assertTrue(all(bots.values()))
        for game, cells in (("triumvirate", 96), ("three-way", 96), ("tri-d", 64)):
            rules = self.web.ask("GET", f"/api/v2/rules/{game}")
            self.assertEqual((rules.status, rules.headers["content-type"]),
                             (200, "text/markdown; charset=utf-8"))
            self.assertTrue(rules.text.startswith("#"))
            self.assertGreaterEqual(len(self.web.get(f"/geometry/{game}")["cells"]), cells)
            self.assertEqual(self.web.get(f"/leaderboard?game={game}"), [])

    # ---- Each code of the table "Refusals".

    def test_401_without_a_token_or_key(self):
        for method, path in (("GET", "/turn"), ("POST", "/move"), ("POST", "/resign"),
                             ("POST", "/claim"), ("POST", "/fill"), ("POST", "/rematch"),
                             ("POST", "/say"),
                             ("POST", "/players/Ann/key")):
            bodies = {"/move": {"move": "a3W-a4W", "ply": 0}, "/say": {"message": "hi"}}
            body = bodies.get(path)
            self.assertEqual(self.status(method, path, body), 401, path)
            self.assertEqual(self.status(method, path, body, "f" * 64), 401, path)
            fields = {"Authorization": "Basic abcd"}
            self.assertEqual(self.status(method, path, body, fields=fields), 401, path)
        self.assertEqual(self.status("POST", "/join", {"game": "tri-d"}, "f" * 64), 401)
        self.assertEqual(self.status("POST", "/players", {"name": "Ann"}, "f" * 64), 401)

    def test_403_not_now_or_not_you(self):
        white = Seat(self.arena)
        self.assertEqual(white.move("a3W-a4W", 0).status, 403)
        for what in ("claim", "rematch"):
            self.assertEqual(white.do(what).status, 403)
        black = Seat(self.arena)
        self.assertEqual(black.do("leave").status, 403)
        self.assertEqual(black.move("a6B-a5B", 0).status, 403)
        self.assertEqual(white.do("claim").status, 403)
        key, other = self.web.account("Ann"), self.web.account("Ben")
        self.assertEqual(self.status("POST", "/players/Ann/key", secret=other), 403)
        self.assertEqual(self.status("POST", "/players/Ann/key", secret=key), 200)

    def test_404_and_405(self):
        for path in ("", "/", "/nothing", "/tables/", "/tables/none", "/tables/none/events",
                     "/tables/none/socket", "/tables/%00", "/games/none", "/games/none/tpgn",
                     "/rules/chess", "/geometry/chess", "/players/nobody", "/turn/", "/%74urn"):
            self.assertEqual(self.status("GET", path), 404, path)
        for method, path in (("GET", "/join"), ("POST", "/turn"), ("DELETE", "/players/Ann"),
                             ("PUT", "/move")):
            self.assertEqual(self.status(method, path), 405, path)
        self.assertEqual(self.web.ask("GET", "/nothing").status, 404)
        self.assertEqual(self.web.ask("GET", "/api/v3/turn").status, 404)

    def test_409_conflicts(self):
        white, _ = sit(self.arena)
        self.assertEqual(white.move("a3W-a4W", 1).status, 409)
        self.assertEqual(white.move("a3W-a4W", -1).status, 409)
        self.assertEqual(self.status("POST", "/join", {"table": white.table, "name": "x"}), 409)
        self.web.account("Ann")
        for name in ("Ann", "aNN", " ann "):
            self.assertEqual(self.status("POST", "/players", {"name": name}), 409)
            self.assertEqual(self.status("POST", "/join", {"game": "tri-d", "name": name}), 409)
        for name in ("smart", "Random", "mcts:nodes=5"):
            self.assertEqual(self.status("POST", "/players", {"name": name}), 409)

    def test_410_the_seat_is_lost(self):
        first, second = Seat(self.arena, "triumvirate"), Seat(self.arena, "triumvirate")
        self.assertEqual(first.do("leave").status, 200)
        for what in ("resign", "leave", "claim", "fill", "rematch"):
            self.assertEqual(first.do(what).status, 410, what)
        self.assertEqual(first.move("E2-E4", 0).status, 410)
        self.assertEqual(self.status("GET", "/turn", secret=first.token), 410)
        self.assertEqual(second.turn()["stage"], "waiting")

    def test_413_a_large_body(self):
        body = b'{"game": "tri-d", "name": "' + b"x" * 70_000 + b'"}'
        self.assertEqual(self.web.ask("POST", "/api/v2/join", body).status, 413)
        self.assertEqual(self.web.get("/health")["tables"], 0)

    def test_422_wrong_bodies_and_queries(self):
        good = {"game": "tri-d", "name": "x"}
        for change in ({"game": "chess"}, {"game": None}, {"name": ""}, {"name": "x" * 81},
                       {"name": "a\u202eb"}, {"name": 5}, {"type": "wizard"}, {"seat": "red"},
                       {"seat": 1}, {"opponents": "me"}, {"opponents": {}}, {"rated": 1},
                       {"rated": True}, {"secret": "x"}, {"position": "x"}, {"draws": "no"},
                       {"fill_seconds": 1.5}, {"fill_seconds": 2**64 - 1}, {"move_seconds": 0},
                       {"move_seconds": 2**63}, {"table": 7}, {"unknown": 1}):
            self.assertEqual(self.status("POST", "/join", {**good, **change}), 422, change)
        for body in (b"", b"x", b"[]", b"\xff", b"{" * 30_000, b'{"game": "tri-d"'):
            self.assertEqual(self.status("POST", "/join", body), 422, body[:20])
        self.assertEqual(self.web.get("/health")["tables"], 0)
        white, _ = sit(self.arena)
        for path in ("/turn?wait=31", "/turn?wait=x", "/turn?notations=x"):
            self.assertEqual(self.status("GET", path, secret=white.token), 422, path)
        for path in (f"/tables/{white.table}?notations=x", f"/tables/{white.table}/events?after=x",
                     "/games?limit=x", "/games?before=x", "/tables?game=x", "/standings",
                     "/leaderboard?game=x"):
            self.assertEqual(self.status("GET", path), 422, path)
        for left in (2, 1, 0):
            answer = white.move("a1W-h8W", 0)
            self.assertEqual((answer.status, answer.json["attempts_left"]), (422, left))
            self.assertEqual(bool(answer.json["moves"]), left > 0)
        self.assertEqual(white.turn()["ply"], 1)

    def test_426_a_page_for_web_sockets(self):
        white, _ = sit(self.arena)
        self.assertEqual(self.status("GET", f"/tables/{white.table}/socket"), 426)

    def test_503_a_full_arena(self):
        with Arena("--house-bots", "random", "--tables", "1") as arena:
            Seat(arena, opponents="private")
            body = {"game": "tri-d", "name": "x"}
            answer = Web(arena).ask("POST", "/api/v2/join", body)
            self.assertEqual(answer.status, 503, answer)
            self.assertIn("full", answer.json["detail"])


if __name__ == "__main__":
    unittest.main()
