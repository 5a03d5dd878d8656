#!/usr/bin/env python3
"""Tests rated games of /api/v2: who may play them, and the ratings that follow."""

import time
import unittest

from server import Arena
from v2_seats import Seat, Web


class RatedTest(unittest.TestCase):
    def setUp(self):
        self.arena = self.enterContext(Arena("--house-bots", "random,greedy"))
        self.web = Web(self.arena)
        self.keys = {name: self.web.account(name) for name in ("Ann", "Ben")}

    def until(self, is_so):
        until = time.monotonic() + 40
        while not is_so():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.2)

    def play(self, loser):
        """Plays a rated game of Tri-D, which this player resigns."""
        seats = [Seat(self.arena, key=key) for key in self.keys.values()]
        self.assertEqual(seats[0].table, seats[1].table)
        self.assertTrue(seats[0].turn()["rated"])
        self.assertEqual(seats[list(self.keys).index(loser)].do("resign").status, 200)
        return {name: seat.seat for name, seat in zip(self.keys, seats)}

    def test_ratings_follow_from_games(self):
        seats = [self.play("Ann" if number == 2 else "Ben") for number in range(6)]
        self.assertEqual(len(seats), 6)
        page = "/leaderboard?game=tri-d"
        self.until(lambda: sum(row["games"] for row in self.web.get(page)) == 12)
        first, second = self.web.get(page)
        self.assertEqual((first["name"], first["rank"], first["points"]), ("Ann", 1, 5))
        self.assertEqual((second["name"], second["rank"], second["points"]), ("Ben", 2, 1))
        self.assertGreater(first["rating"], second["rating"])
        self.assertGreater(first["error"], 0)
        shown = self.web.get("/players/aNN")
        self.assertEqual((shown["name"], list(shown["games"])), ("Ann", ["tri-d"]))
        rest = {name: first[name] for name in ("rating", "error", "games", "points")}
        self.assertEqual(shown["games"]["tri-d"], rest)
        standings = self.web.get("/standings?game=tri-d")
        self.assertEqual([(row["name"], row["wins"]) for row in standings], [("Ann", 5), ("Ben", 1)])
        self.assertEqual(self.web.get("/leaderboard?game=three-way"), [])
        # Now the arena lets them sit where they have sat least.
        counts = {seat: [one["Ann"] for one in seats].count(seat) for seat in ("white", "black")}
        if counts["white"] != counts["black"]:
            rarer = min(counts, key=counts.get)
            self.assertEqual(Seat(self.arena, key=self.keys["Ann"]).seat, rarer)
        self.assertTrue(all(game["rated"] for game in self.web.get("/games")["games"]))

    def test_two_accounts_of_one_owner_do_not_meet(self):
        twin = self.web.account("Twin", self.keys["Ann"])
        first = Seat(self.arena, key=self.keys["Ann"])
        second = Seat(self.arena, key=twin)
        self.assertNotEqual(first.table, second.table)
        refused = self.web.ask("POST", "/api/v2/join", {"table": first.table}, twin)
        self.assertEqual(refused.status, 403, refused)
        self.assertEqual(Seat(self.arena, key=self.keys["Ben"]).table, first.table)
        # Unrated, they may.
        seats = [Seat(self.arena, key=key, rated=False) for key in (self.keys["Ann"], twin)]
        self.assertEqual(seats[0].table, seats[1].table)

    def test_names_without_a_key_play_unrated(self):
        rated = Seat(self.arena, key=self.keys["Ann"])
        guest = Seat(self.arena, name="Guest")
        self.assertNotEqual(guest.table, rated.table)
        self.assertFalse(guest.turn()["rated"])
        for body, status in (({"table": rated.table, "name": "Guest"}, 403),
                             ({"game": "tri-d", "name": "Guest", "rated": True}, 422),
                             ({"game": "tri-d", "name": "ANN"}, 409)):
            self.assertEqual(self.web.ask("POST", "/api/v2/join", body).status, status, body)

    def test_a_new_key_replaces_the_old_one(self):
        old = self.keys["Ann"]
        new = self.web.post("/players/Ann/key", secret=old)["key"]
        self.assertEqual(self.web.ask("POST", "/api/v2/join", {"game": "tri-d"}, old).status, 401)
        self.assertEqual(Seat(self.arena, key=new).joined["stage"], "waiting")

    def test_different_house_bots_come(self):
        seat = Seat(self.arena, "triumvirate", key=self.keys["Ann"])
        seat.do("fill")
        players = seat.turn()["players"]
        self.assertEqual({player["name"] for player in players}, {"Ann", "random", "greedy"})
        with Arena("--house-bots", "random") as arena:
            key = Web(arena).account("Ann")
            self.assertFalse(Seat(arena, "triumvirate", key=key).turn()["rated"])
            body = {"game": "triumvirate", "rated": True}
            self.assertEqual(Web(arena).ask("POST", "/api/v2/join", body, key).status, 422)
            self.assertTrue(Seat(arena, key=key).turn()["rated"])


if __name__ == "__main__":
    unittest.main()
