#!/usr/bin/env python3
"""Tests that games survive a server that is restarted, and one that is killed.

  restarts_test.py RestartsTest     restarts: no client notices anything
  restarts_test.py KillsTest        kills: only a client whose move got no answer gives up
"""

import random
import re
import signal
import threading
import time
import unittest

from contract_client import ContractClient, Player, parse
from server import Arena

PLAYERS = 6
LINGER_SECONDS = 5
CELLS = re.compile(r"([A-L]\d+)[-x]([A-L]\d+)")
KINGS = {"E1", "I8", "I12", "E8", "E12"}
GAVE_UP = 4  # exit code of a client whose POST /move got no answer


class Client(threading.Thread):
    """A player in a thread of its own, with the exit code of contract_client.py."""

    def __init__(self, url, number, *options):
        super().__init__(daemon=True)
        options = parse([url, "--patient", "--name", f"Player {number}", "--seed", str(number),
                         "--max-seconds", "55", "--quiet", *options])
        self.player = Player(ContractClient(url), options)
        self.code = None

    def run(self):
        self.code = self.player.run()


def is_move(event, cells):
    """Whether a stored move goes from the one cell to the other."""
    match = CELLS.match(event["move"])
    # Castling is stored without cells.
    return match.groups() == cells if match else event["move"].startswith("O-O")


def check_moves(test, events, player):
    """Checks that every accepted move is among the stored events of the player's table, and no
    other move of that player, except one that got no answer."""
    seat = ("white", "black", "red").index(player.client.color) + 1
    moves = []
    for event in events:
        if event.get("seat") != seat:
            continue
        if event["event"] == "replaced":
            break
        if event["event"] == "moved" and "forced" not in event:
            moves.append(event)
    sent = list(player.accepted)
    if player.unanswered and len(moves) > len(sent):
        sent.append(player.unanswered)
    test.assertEqual(len(moves), len(sent), (moves, sent))
    for event, cells in zip(moves, sent):
        test.assertTrue(is_move(event, cells), (event, cells))
    test.assertGreater(len(moves), 0)


class Games(unittest.TestCase):
    def start(self, *options):
        self.arena = self.enterContext(Arena("--house-bots", "random", *options,
                                             linger=LINGER_SECONDS))

    def join(self, *options):
        """Starts the clients and waits until their two tables are full."""
        self.clients = [Client(self.arena.url, number, *options) for number in range(PLAYERS)]
        for client in self.clients:
            client.start()
        until = time.monotonic() + 20
        observer = ContractClient(self.arena.url)
        while observer.health().data["active_games"] < PLAYERS // 3:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)

    def interrupt(self, with_signal, code, pauses):
        """Restarts the server after each of these pauses while somebody plays; returns how often."""
        for times, pause in enumerate(pauses):
            until = time.monotonic() + pause
            while time.monotonic() < until and any(client.is_alive() for client in self.clients):
                time.sleep(0.01)
            if not any(client.is_alive() for client in self.clients):
                return times
            self.assertEqual(self.arena.end(with_signal), code)
            self.arena.start()
        return len(pauses)

    def check_moves(self, client):
        check_moves(self, self.arena.events(client.player.client.game_id), client.player)


class RestartsTest(Games):
    def test_no_client_notices_a_restart(self):
        self.start()
        self.join("--poll", "0.02", "--resign-after", "200")
        restarts = self.interrupt(signal.SIGTERM, 0, [1.5] * 20)
        self.assertGreaterEqual(restarts, 2)
        for client in self.clients:
            client.join(30)
            self.assertEqual(client.code, 0)
            self.assertEqual(client.player.client.errors, [])
            self.check_moves(client)
        self.assertEqual(self.arena.errors(), "")
        self.assertEqual(self.arena.end(), 0)


class KillsTest(Games):
    def test_no_accepted_move_is_lost(self):
        self.start("--move-seconds", "1")
        # They are so fast that most kills hit a request.
        self.join("--poll", "0.004", "--retry", "0.2", "--resign-after", "300")
        choose = random.Random(1)
        pauses = [choose.uniform(0.1, 0.5) for _ in range(12)]
        kills = self.interrupt(signal.SIGKILL, -signal.SIGKILL, pauses)
        self.assertGreaterEqual(kills, 2)
        for client in self.clients:
            client.join(50)
            self.assertIn(client.code, (0, GAVE_UP), client.player.client.errors)
            # The socket stayed open all the time.
            refused = [error for error in client.player.client.errors if "Refused" in error]
            self.assertEqual(refused, [])
            posts = [error for error in client.player.client.errors if "POST /move" in error]
            self.assertEqual(len(posts), 1 if client.code == GAVE_UP else 0)
            self.check_moves(client)
        self.assertEqual(self.arena.errors(), "")
        self.assertEqual(self.arena.end(), 0)


if __name__ == "__main__":
    unittest.main()
