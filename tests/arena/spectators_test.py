#!/usr/bin/env python3
"""Tests how spectators watch a game through a WebSocket."""

import random
import unittest

from contract_client import ContractClient, random_legal
from server import Arena
from web_socket import CLOSE, PING, PONG, TEXT, WebSocket


class SpectatorsTest(unittest.TestCase):
    def setUp(self):
        self.arena = self.enterContext(Arena())
        self.seats = {}
        game = None
        for _ in range(3):
            client = ContractClient(self.arena.url)
            self.assertEqual(client.join("Player", game_id=game).status, 200)
            game = client.game_id
            self.seats[client.color] = client
        self.path = f"/api/v1/ws/{game}"

    def spectator(self):
        connection = self.arena.connect()
        return self.enterContext(WebSocket(connection, self.arena.address, self.path))

    def state(self):
        return self.seats["white"].state().data

    def test_every_move_is_shown(self):
        state = self.state()
        sockets = [self.spectator(), self.spectator()]
        for socket in sockets:
            self.assertEqual(socket.json(), state)
        choose = random.Random(1)
        for number in range(40):
            chat = f"мир {number}" if number % 3 == 0 else None
            mover = self.seats[state["current_player"]]
            reply = mover.move(*random_legal(state, choose), state["move_number"], message=chat)
            self.assertEqual(reply.status, 200, reply)
            state = reply.data["state"]
            expected = {"type": "move", "state": state}
            if chat:
                expected["chat_message"] = chat
            for socket in sockets:
                self.assertEqual(socket.json(), expected)
            if number == 20:
                # One leaves without a word, and another one comes.
                sockets.pop(0).__exit__()
                sockets.append(self.spectator())
                self.assertEqual(sockets[-1].json(), state)
            if state["game_status"] == "finished":
                break
        for client in self.seats.values():
            client.resign()
        for socket in sockets:
            while (message := socket.json())["state"]["game_status"] != "finished":
                self.assertEqual(message["type"], "move")
            self.assertEqual(message["state"], self.state())

    def test_it_keeps_the_web_socket_protocol(self):
        socket = self.spectator()
        self.assertEqual(socket.json(), self.state())
        socket.send(TEXT, b"a spectator has nothing to say")
        socket.send(PING, b"there?")
        self.assertEqual(socket.message(), (PONG, b"there?"))
        socket.send(CLOSE, b"\x03\xe8")
        self.assertEqual(socket.message(), (CLOSE, b"\x03\xe8"))
        self.assertEqual(socket.message(), (None, b""))

    def test_a_spectator_does_not_hold_up_the_end(self):
        socket = self.spectator()
        socket.json()
        self.assertEqual((self.arena.end(), self.arena.errors()), (0, ""))
        self.assertIn(socket.message()[0], (None, CLOSE))

    def test_other_requests_are_refused(self):
        client = self.seats["white"]
        self.assertEqual(client.any_path(self.path.removeprefix("/api/v1")).status, 426)
        self.assertEqual(client.any_path("/ws/no-such-game").status, 404)
        with self.assertRaisesRegex(AssertionError, "404"):
            WebSocket(self.arena.connect(), self.arena.address, "/api/v1/ws/no-such-game")


if __name__ == "__main__":
    unittest.main()
