#!/usr/bin/env python3
"""Tests two arenas on one PostgreSQL, of which either may be killed at any time."""

import json
import random
import signal
import threading
import time
import unittest
import urllib.request

from contract_client import ContractClient, Player, TransportError, parse
from postgres import Postgres
from restarts_test import GAVE_UP, check_moves
from server import Arena
from v2_client import V2Client

TAKEOVER_SECONDS = 5
PLAYERS = 6


class SpreadClient(ContractClient):
    """Sends each request to any of the arenas; if one is not there, to another."""

    def __init__(self, arenas, seed):
        super().__init__(arenas[0].url)
        self._arenas = arenas
        self._choose = random.Random(seed)

    def request(self, *args, **options):
        arenas = self._choose.sample(self._arenas, len(self._arenas))
        for number, arena in enumerate(arenas, 1):
            self.host, self.port = arena.host_and_port
            try:
                return super().request(*args, **options)
            except TransportError as error:
                is_refused = isinstance(error.__cause__, ConnectionRefusedError)
                if not is_refused or number == len(arenas):
                    raise
                self.errors.pop()


class SpreadPlayer(threading.Thread):
    """A player in a thread of its own, with the exit code of contract_client.py."""

    def __init__(self, arenas, number, *options):
        super().__init__(daemon=True)
        options = parse([arenas[0].url, "--name", f"Player {number}", "--seed", str(number),
                         "--quiet", "--poll", "0.02", "--retry", "0.2", "--max-seconds", "80",
                         *options])
        self.player = Player(SpreadClient(arenas, number), options)
        self.code = None

    def run(self):
        self.code = self.player.run()


class SharedTest(unittest.TestCase):
    def start(self, *options):
        self.postgres = self.enterContext(Postgres())
        self.arenas = [
            self.enterContext(Arena("--house-bots", "random", *options, store=self.postgres.url))
            for _ in range(2)]

    def wait_for(self, what, seconds):
        until = time.monotonic() + seconds
        while not (result := what()):
            self.assertLess(time.monotonic(), until, "it takes too long")
            time.sleep(0.05)
        return result

    def house_moves(self, table):
        """Counts the moves of the seats other than the first."""
        return sum(event["event"] == "moved" and event["seat"] > 1
                   for event in self.postgres.events(table))

    def check_house_moves_go_on(self, table, player):
        """A kill may cut off a move of the player, who then gives up: the others wait for it."""
        before = self.house_moves(table)
        self.wait_for(lambda: self.house_moves(table) > before or player.code == GAVE_UP,
                      TAKEOVER_SECONDS)

    def test_games_go_on_at_the_other_arena(self):
        self.start()
        player = SpreadPlayer(self.arenas, 1, "--resign-after", "100000", "--poll", "0.1")
        player.start()
        table = self.wait_for(lambda: player.player.client.game_id, 20)
        self.wait_for(lambda: self.house_moves(table) > 2, 20)
        for number in (0, 1, 0):
            # Whichever of them runs the table, one of the kills concerns it.
            self.assertEqual(self.arenas[number].end(signal.SIGKILL), -signal.SIGKILL)
            self.check_house_moves_go_on(table, player)
            self.arenas[number].start()
            self.wait_for(lambda: len(self.postgres.ask(
                "SELECT id FROM arena_instances WHERE alive_until > clock_timestamp()")) == 2, 10)
            if player.code is not None:
                break
        # A move under way may have ended the client.
        if player.code is None:
            player.player.options.resign_after = 0
        player.join(60)
        self.assertIn(player.code, (0, GAVE_UP), player.player.client.errors)
        check_moves(self, self.postgres.events(table), player.player)
        for arena in self.arenas:
            self.assertEqual(arena.errors(), "")
            self.assertEqual(arena.end(), 0)

    def test_a_table_is_known_to_both_at_once(self):
        self.start()
        one, two = (ContractClient(arena.url) for arena in self.arenas)
        for number in range(30):
            first, second = (one, two) if number % 2 else (two, one)
            self.assertTrue(first.join(f"Player {number}", "human", None, None).ok)
            second.token, second.game_id = first.token, first.game_id
            second.color = first.color
            state = second.state()
            self.assertTrue(state.ok, state)
            self.assertEqual(state.data["game_id"], first.game_id)
            self.assertTrue(second.resign().ok)
        for token in ("x", "0" * 64, "f" * 64):
            two.token = token
            self.assertEqual(two.state().status, 401)

    def test_results_are_known_to_both(self):
        self.start()
        player = SpreadPlayer(self.arenas, 1, "--resign-after", "1")
        player.start()
        player.join(60)
        self.assertEqual(player.code, 0)
        for arena in self.arenas:
            def is_listed():
                with urllib.request.urlopen(f"{arena.url}/leaderboard", timeout=20) as answer:
                    return any(row["name"] == "Player 1" for row in json.load(answer))
            self.wait_for(is_listed, 30)

    def test_no_accepted_move_is_lost(self):
        self.start("--move-seconds", "1", "--fill-seconds", "2")
        players = [SpreadPlayer(self.arenas, number, "--patient", "--poll", "0.004",
                                "--resign-after", "150") for number in range(PLAYERS)]
        for player in players:
            player.start()
        self.wait_for(lambda: all(player.player.accepted for player in players), 30)
        choose = random.Random(1)
        kills = 0
        while kills < 10 and any(player.is_alive() for player in players):
            time.sleep(choose.uniform(0.3, 1.5))
            arena = choose.choice(self.arenas)
            self.assertEqual(arena.end(signal.SIGKILL), -signal.SIGKILL)
            kills += 1
            time.sleep(choose.choice((0, 0, 0.5, 2)))
            arena.start()
        self.assertGreaterEqual(kills, 2)
        for player in players:
            player.join(90)
            self.assertIn(player.code, (0, GAVE_UP), player.player.client.errors)
            check_moves(self, self.postgres.events(player.player.client.game_id), player.player)
        for arena in self.arenas:
            self.assertEqual(arena.errors(), "")
            self.assertEqual(arena.end(), 0)

    def test_nobody_is_told_where_the_database_is(self):
        self.start()
        self.postgres.stop()
        client = V2Client(self.arenas[0])
        for reply in (client.post("/join", {"game": "tri-d", "name": "Ann"}), client.get("/games")):
            self.assertEqual(reply.status, 503, reply)
            self.assertEqual(reply.json["detail"],
                             "the arena's database does not answer; try again")
        self.wait_for(lambda: "event=store" in self.arenas[0].errors(), 10)
        self.assertEqual(self.arenas[0].errors().count("Other arenas are not heard"), 1)

    def test_an_arena_that_ends_takes_its_leave(self):
        self.start()
        for arena in self.arenas:
            self.assertEqual(arena.end(), 0)
        self.assertEqual(self.postgres.ask("SELECT count(*) FROM arena_instances"), ["0"])


if __name__ == "__main__":
    unittest.main()
