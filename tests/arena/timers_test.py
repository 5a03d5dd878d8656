#!/usr/bin/env python3
"""Tests what an arena does by itself: fill a table, move for a silent player, replace them."""

import random
import time
import unittest

from contract_client import ContractClient, random_legal
from server import Arena

TIMEOUTS_MAX = 5  # in a row, the last of which costs the seat


class TimersTest(unittest.TestCase):
    def arena(self, *options):
        return self.enterContext(Arena("--house-bots", "random", "--move-seconds", "1", *options))

    def joined(self, arena, **options):
        client = ContractClient(arena.url)
        self.assertEqual(client.join("Player", **options).status, 200)
        return client

    def state(self, client):
        reply = client.state()
        self.assertEqual(reply.status, 200, reply)
        return reply.data

    def wait(self, client, is_reached, seconds=20):
        """Polls the state until it is as wanted, and returns it."""
        until = time.monotonic() + seconds
        while not is_reached(state := self.state(client)):
            self.assertLess(time.monotonic(), until, state)
            time.sleep(0.02)
        return state

    def move(self, client, state, choose=random.Random(1)):
        reply = client.move(*random_legal(state, choose), state["move_number"])
        self.assertEqual(reply.status, 200, reply)

    def test_a_lonely_player_gets_company(self):
        arena = self.arena("--fill-seconds", "1")
        began = time.monotonic()
        client = self.joined(arena)
        self.assertEqual(self.state(client)["game_status"], "waiting")
        state = self.wait(client, lambda state: state["game_status"] != "waiting")
        self.assertGreater(time.monotonic() - began, 0.95)
        self.assertEqual(state["game_status"], "playing")
        types = [player["player_type"] for player in state["players"]]
        self.assertEqual(types, ["human", "smartbot", "smartbot"])

    def test_a_silent_player_is_moved_for_and_replaced(self):
        arena = self.arena()
        silent = self.joined(arena)
        lively = self.joined(arena, game_id=silent.game_id)
        self.assertEqual(silent.skip_waiting().status, 200)
        # Two moves in time, the second after two timeouts: only those in a row count.
        for timeouts in (0, 2):
            while timeouts > 0:
                state = self.wait(lively, lambda state: state["current_player"] != "red")
                number = state["move_number"]
                if state["current_player"] == "black":
                    self.move(lively, state)
                    continue
                self.wait(lively, lambda state, number=number: (
                    state["current_player"] != "white" or state["move_number"] != number))
                timeouts -= 1
            state = self.wait(lively, lambda state: state["current_player"] != "red")
            if state["current_player"] == "black":
                self.move(lively, state)
                state = self.wait(lively, lambda state: state["current_player"] == "white")
            self.move(silent, state)
        # From here on, white says nothing.
        until = time.monotonic() + 20
        while not (state := self.state(lively))["players"][0]["is_replacement"]:
            self.assertLess(time.monotonic(), until, state)
            if state["current_player"] == "black":
                self.move(lively, state)
            time.sleep(0.02)
        self.check_replaced(arena, silent, lively)

    def check_replaced(self, arena, silent, lively):
        state = self.state(silent)
        self.assertEqual([player["is_replacement"] for player in state["players"]],
                         [True, False, False])
        self.assertEqual(state["players"][0]["player_type"], "smartbot")
        reply = silent.move("E2", "E4", state["move_number"])
        self.assertEqual(reply.status, 410, reply)
        # The bot plays on, and so does the other player.
        for _ in range(3):
            state = self.wait(lively, lambda state: state["current_player"] == "black")
            self.move(lively, state)
        self.assertEqual(self.state(silent)["game_status"], "playing")

        events = [event for event in arena.events(silent.game_id) if event.get("seat") == 1]
        kinds = [event.get("forced", event["event"]) for event in events]
        self.assertEqual(kinds[:4], ["joined", "moved", "timeout", "timeout"])
        # The last timeout replaces the player instead of a move.
        expected = ["moved"] + ["timeout"] * (TIMEOUTS_MAX - 1) + ["replaced", "moved"]
        self.assertEqual(kinds[4:11], expected)

    def test_a_table_without_players_closes(self):
        arena = self.arena()
        client = self.joined(arena)
        client.skip_waiting()
        state = self.wait(client, lambda state: state["game_status"] == "finished")
        self.assertIsNone(state["winner"])
        self.assertEqual(state["reason"], "abandoned")
        self.assertEqual(client.move("E2", "E4", state["move_number"]).status, 410)
        self.assertEqual(client.games().data, [])


if __name__ == "__main__":
    unittest.main()
