#!/usr/bin/env python3
"""Tests how players come to a table of /api/v2: what they may ask for, and what they are told."""

import sqlite3
import unittest

from server import Arena
from v2_seats import Seat, Web, sit


class TablesTest(unittest.TestCase):
    def setUp(self):
        self.arena = self.enterContext(Arena("--house-bots", "random,greedy"))
        self.web = Web(self.arena)

    def refused(self, body, text, key=None, status=422):
        """Asks to join with this body; the refusal must contain the text."""
        answer = self.web.ask("POST", "/api/v2/join", body, key)
        self.assertEqual(answer.status, status, answer)
        self.assertIn(text, answer.json["detail"])

    def test_joining_twice_with_a_secret(self):
        secret = "0123456789abcdef" * 2
        first = Seat(self.arena, secret=secret)
        self.assertEqual(Seat(self.arena, secret=secret).joined, first.joined)
        self.assertTrue(first.token.endswith(secret))
        self.assertEqual(self.web.get("/health")["tables"], 1)

    def test_a_lost_key_of_a_new_account_is_asked_for_again(self):
        for _ in range(2):
            body = {"name": "Ann", "key": "a" * 64}
            self.assertEqual(self.web.post("/players", body, status=201), body)
        for _ in range(2):
            renewed = self.web.post("/players/Ann/key", {"key": "b" * 64}, "a" * 64)
            self.assertEqual(renewed, {"key": "b" * 64})
        for body in ({"key": "b"}, {"key": "B" * 64}, {"key": 1}, {"token": "b" * 64}):
            self.web.post("/players/Ann/key", body, "b" * 64, status=422)
        self.assertTrue(Seat(self.arena, key="b" * 64).turn()["rated"])

    def test_a_position(self):
        start = Seat(self.arena, opponents="private").turn()["position"]
        seat = Seat(self.arena, opponents=["random"], seat="black",
                    position=start.replace(" w ", " b "))
        self.assertEqual(seat.turn()["to_move"], "black")

    def test_bots_of_the_wish(self):
        seat = Seat(self.arena, "three-way", seat="gray", opponents=["greedy", "maxn:depth=1"])
        self.assertEqual((seat.seat, seat.joined["stage"]), ("gray", "playing"))
        # Strangers get neither programs, files nor requests from the arena's machine.
        for bots, text in ((["greedy"], "expected 2 house bots, one"), (["nobody", "greedy"], "nobody"),
                           (["llm:url=http://127.0.0.1:1", "greedy"], "llm"),
                           (["torch:model=/etc/passwd", "greedy"], "torch"),
                           (["./bot.py", "greedy"], "bot.py")):
            self.refused({"game": "three-way", "name": "Ann", "opponents": bots}, text)

    def test_refusals_name_the_member(self):
        good = {"game": "tri-d", "name": "Ann"}
        for change, text in (({"nme": 1}, "nme"), ({"game": 3}, "game"), ({"game": None}, "game"),
                             ({"game": "chess"}, "chess"), ({"name": None}, "name"),
                             ({"name": "A" * 81}, "80"), ({"type": "cat"}, "type"),
                             ({"seat": "red"}, "red"), ({"draws": "x"}, "draws"),
                             ({"opponents": "x"}, "opponents"), ({"opponents": [1]}, "opponents"),
                             ({"move_seconds": 0}, "move_seconds"), ({"rated": True}, "rated"),
                             ({"position": "x"}, "position"), ({"secret": "x"}, "secret")):
            with self.subTest(change):
                self.refused({**good, **change}, text)
        for body in (b"{", b"[]"):
            self.refused(body, "not a JSON object")
        self.refused({"table": "none", "name": "Ann"}, "table", status=404)
        key = self.web.account("Zoë")
        self.refused({"game": "tri-d", "name": "Ann"}, "Zoë", key)
        self.refused({"game": "tri-d", "name": "Zoë"}, "belongs", status=409)
        for options in ({"opponents": "private"}, {"draws": "claimed"}, {"move_seconds": 5}):
            self.refused({"game": "tri-d", "rated": True, **options}, "rated", key)

    def test_turns_name_the_notations_and_missed_attempts(self):
        white, _ = sit(self.arena)
        wrong = self.web.ask("GET", "/api/v2/turn?notations=morse", secret=white.token)
        self.assertIn("document, short, board, json", wrong.json["detail"])
        for _ in range(3):
            self.assertIn("nonsense", white.move("nonsense", 0).json["detail"])
        events = self.web.get(f"/tables/{white.table}/events?after=3")["events"]
        self.assertEqual([event["kind"] for event in events], ["missed", "missed", "moved"])
        self.assertEqual((events[0]["move"], events[2]["forced"]), ("nonsense", "illegal_moves"))

    def test_a_damaged_table_harms_no_other(self):
        white, _ = sit(self.arena)
        bad = Seat(self.arena, "triumvirate", opponents="private")
        self.arena.end()
        database = sqlite3.connect(self.arena.database)
        with database:
            database.execute("UPDATE arena_events SET event = 'x' WHERE table_id = ? AND n = 1",
                             (bad.table,))
        database.close()
        self.arena.start()
        self.assertTrue(white.turn()["your_turn"])
        self.assertEqual(self.web.ask("GET", "/api/v2/turn", secret=bad.token).status, 401)
        self.assertIn("A table cannot go on", self.arena.errors())

    def test_pages_of_other_servers_may_ask(self):
        answer = self.web.ask("OPTIONS", "/api/v2/join")
        self.assertEqual((answer.status, answer.text), (204, ""))
        self.assertIn("Authorization", answer.headers["Access-Control-Allow-Headers"])
        health = self.web.ask("GET", "/api/v2/health").headers
        self.assertEqual(health["Access-Control-Allow-Origin"], "*")
        self.assertEqual(health["Access-Control-Expose-Headers"], "Retry-After")


if __name__ == "__main__":
    unittest.main()
