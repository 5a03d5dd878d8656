"""Speaks /api/v2 of an arena as docs/arena-api.md describes it, with one connection per request."""

import random

from v2_client import V2Client

SEATS = {"triumvirate": ("white", "black", "red"), "three-way": ("white", "gray", "black"),
         "tri-d": ("white", "black")}


class Web:
    """Sends requests to a server."""

    def __init__(self, arena):
        self.arena = arena

    def ask(self, method, path, body=None, secret=None, fields=None):
        return V2Client(self.arena).ask(method, path, body, secret, fields, base="")

    def get(self, path, secret=None):
        """Returns the JSON of a page of /api/v2, which must be there."""
        answer = self.ask("GET", f"/api/v2{path}", secret=secret)
        assert answer.status == 200, answer
        return answer.json

    def post(self, path, body=None, secret=None, status=200):
        """Returns the JSON of the answer, which must have this status."""
        answer = self.ask("POST", f"/api/v2{path}", body, secret)
        assert answer.status == status, (path, body, answer)
        return answer.json

    def account(self, name, key=None):
        """Makes an account and returns its key."""
        return self.post("/players", {"name": name}, key, status=201)["key"]


class Seat(Web):
    """A player who has joined."""

    def __init__(self, arena, game="tri-d", name="Player", key=None, **more):
        super().__init__(arena)
        body = {**({} if "table" in more else {"game": game}),
                **({} if key else {"name": name}), **more}
        self.take(self.post("/join", body, key))

    def take(self, joined):
        self.joined, self.token = joined, joined["token"]
        self.table, self.seat = joined["table"], joined["seat"]

    def turn(self, query=""):
        return self.get(f"/turn{query}", self.token)

    def move(self, move, ply, **more):
        return self.ask("POST", "/api/v2/move", {"move": move, "ply": ply, **more}, self.token)

    def do(self, what, **body):
        return self.ask("POST", f"/api/v2/{what}", body or None, self.token)

    def play(self, move=None, **more):
        """Plays a move, or any if none is given; it must be this player's turn."""
        turn = self.turn()
        assert turn["your_turn"], turn
        answer = self.move(move or random.choice(turn["moves"]), turn["ply"], **more)
        assert answer.status == 200, answer
        return answer.json


def sit(arena, game="tri-d", **more):
    """Seats as many players as the game needs, in the order of the seats."""
    seats = [Seat(arena, game, f"Player {number}", **more) for number in range(len(SEATS[game]))]
    assert len({seat.table for seat in seats}) == 1, seats
    return seats


def play_out(seats, choose, plies_max):
    """Plays random moves until the end, or resigns after so many plies; returns the last turn."""
    by_seat = {seat.seat: seat for seat in seats}
    turn = seats[0].turn()
    while turn["stage"] == "playing":
        mover = by_seat[turn["to_move"]]
        if turn["ply"] >= plies_max:
            turn = mover.do("resign").json
            continue
        moves = turn["moves"] if turn["seat"] == mover.seat else mover.turn()["moves"]
        answer = mover.move(choose.choice(moves), turn["ply"])
        assert answer.status == 200, answer
        turn = answer.json
    return turn
