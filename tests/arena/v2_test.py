#!/usr/bin/env python3
"""Tests /api/v2 with single requests."""

import json
import random
import re
import sqlite3
import threading
import time
import unittest

from server import Arena
from v2_client import V2Client
from web_socket import WebSocket

SEATS = {"triumvirate": ["white", "black", "red"], "three-way": ["white", "gray", "black"],
         "tri-d": ["white", "black"]}
OPTIONS = ("--house-bots", "random,greedy", "--fill-seconds", "30")


class V2Test(unittest.TestCase):
    def setUp(self):
        self.arena = self.enterContext(Arena(*OPTIONS))
        self.client = V2Client(self.arena)
        self.get, self.post = self.client.get, self.client.post

    def refused(self, status, reply, text=""):
        self.assertEqual(reply.status, status, reply)
        self.assertIn(text, reply.data["detail"])

    def pair(self, **options):
        """Returns the tokens of White and Black at a table of Tri-D."""
        white = self.client.join(name="Ann", seat="white", **options)
        black = self.client.join(name="Ben", **options)
        self.assertEqual((black["table"], black["stage"]), (white["table"], "playing"))
        return white["token"], black["token"]

    def turn(self, token, query=""):
        reply = self.get("/turn" + query, token)
        self.assertEqual(reply.status, 200, reply)
        return reply.data

    def play_to_the_end(self, tokens, seed):
        """Plays random moves until the game is over, and returns the last turn."""
        choose = random.Random(seed)
        while True:
            for token in tokens:
                turn = self.turn(token)
                if turn["stage"] == "finished":
                    return turn
                if turn["your_turn"]:
                    break
            self.assertTrue(turn["your_turn"], turn)
            reply = self.post("/move", {"move": choose.choice(turn["moves"]), "ply": turn["ply"]},
                              token)
            self.assertEqual(reply.status, 200, reply)
            self.assertEqual(reply.data["ply"], turn["ply"] + 1)


class GamesTest(V2Test):
    def test_whole_games(self):
        for seed, (game, seats) in enumerate(SEATS.items()):
            with self.subTest(game):
                joined = [self.client.join(game, f"Player {i}") for i in range(len(seats))]
                self.assertEqual([one["seat"] for one in joined], seats)
                table = joined[0]["table"]
                last = self.play_to_the_end([one["token"] for one in joined], seed)
                self.assertEqual(list(last["result"]["places"]), seats)
                events = self.get(f"/tables/{table}/events").data
                self.assertEqual([event["n"] for event in events["events"]],
                                 list(range(events["next"])))
                self.assertEqual(events["events"][-1]["result"], last["result"])
                self.assertEqual(events["events"][-1]["position"], last["position"])
                recorded = self.get(f"/games/{table}").data
                self.assertEqual(recorded["events"], events["events"])
                self.assertEqual(recorded["tpgn"], self.get(f"/games/{table}/tpgn").text)
                self.assertIn(f'[Result "{last["result"]["result"]}"]', recorded["tpgn"])
        games = self.get("/games?limit=2").data
        self.assertEqual([game["game"] for game in games["games"]], ["tri-d", "three-way"])
        rest = self.get(f"/games?limit=2&before={games['before']}").data
        self.assertEqual([game["game"] for game in rest["games"]], ["triumvirate"])
        self.assertIsNone(rest["before"])
        self.assertEqual(len(self.get("/games?game=three-way").data["games"]), 1)

    def test_a_retried_move_is_played_once(self):
        white, black = self.pair()
        move = {"move": self.turn(white)["moves"][0], "ply": 0, "message": "мир" * 85}
        first = self.post("/move", move, white).data
        again = self.post("/move", move, white).data
        for turn in (first, again):
            turn.pop("seconds_left")
        self.assertEqual(first, again)
        self.assertEqual([line["text"] for line in first["chat"]], ["мир" * 85])
        other = {"move": "a2W-a4W", "ply": 0}
        if other["move"] != move["move"]:
            self.refused(403, self.post("/move", other, white), "turn")
        self.refused(409, self.post("/move", {"move": "b7B-b6B", "ply": 0}, black), "ply")

    def test_a_turn_is_awaited(self):
        white, black = self.pair()
        began = time.monotonic()
        self.assertFalse(self.turn(black, "?wait=1")["your_turn"])
        self.assertGreaterEqual(time.monotonic() - began, 0.99)
        came = []
        waiting = threading.Thread(
            target=lambda: came.append((self.turn(black, "?wait=30"), time.monotonic())))
        waiting.start()
        time.sleep(0.3)
        self.assertEqual(came, [])
        sent = time.monotonic()
        self.post("/move", {"move": self.turn(white)["moves"][0], "ply": 0}, white)
        waiting.join()
        turn, at = came[0]
        self.assertTrue(turn["your_turn"])
        self.assertLess(at - sent, 5)

    def test_notations(self):
        white, _ = self.pair()
        turn = self.turn(white, "?notations=document,board,json")
        self.assertEqual(list(turn["texts"]), ["document", "board", "json"])
        self.assertEqual(len(turn["texts"]["document"]), len(turn["moves"]))
        self.assertNotIn("\x1b", turn["texts"]["board"])
        self.refused(422, self.get("/turn?notations=morse", white), "document, short, board, json")
        # A move may be written in any of them.
        document = turn["texts"]["document"][0]
        self.assertEqual(self.post("/move", {"move": document, "ply": 0}, white).status, 200)

    def test_illegal_moves(self):
        white, _ = self.pair()
        for left in (2, 1, 0):
            reply = self.post("/move", {"move": "nonsense", "ply": 0}, white)
            self.refused(422, reply, "nonsense")
            self.assertEqual((reply.data["attempts_left"], bool(reply.data["moves"])),
                             (left, left > 0))
        turn = self.turn(white)
        self.assertEqual((turn["ply"], turn["your_turn"]), (1, False))
        events = self.get(f"/tables/{turn['table']}/events?after=3").data["events"]
        self.assertEqual([event["kind"] for event in events], ["missed", "missed", "moved"])
        self.assertEqual((events[0]["move"], events[2]["forced"]), ("nonsense", "illegal_moves"))

    def test_draws_are_claimed(self):
        white, black = self.pair(draws="claimed")
        self.refused(403, self.post("/claim", {}, white), "no draw")
        # The first of these positions differs from the later ones by castling rights.
        for ply, move in enumerate(("c1W-d1W", "c8B-d8B", "d1W-c1W", "d8B-c8B") * 3):
            reply = self.post("/move", {"move": move, "ply": ply}, (white, black)[ply % 2])
            self.assertEqual(reply.status, 200, reply)
        turn = self.turn(white)
        self.assertTrue(turn["can_claim"])
        self.assertEqual(self.post("/claim", {}, white).data["result"]["termination"],
                         "threefold_repetition")

    def test_resigning_and_leaving(self):
        white, black = self.pair()
        turn = self.post("/resign", {}, black).data
        self.assertEqual((turn["stage"], turn["result"]["places"]),
                         ("finished", {"white": 1, "black": 2}))
        self.refused(403, self.post("/move", {"move": "a2W-a4W", "ply": 0}, white), "over")
        left = self.client.join(opponents="private")
        self.assertEqual(self.post("/resign", {}, left["token"]).data["stage"], "closed")


class TablesTest(V2Test):
    def test_private_tables(self):
        host = self.client.join("triumvirate", opponents="private", fill_seconds=600)
        self.assertEqual(self.get("/tables").data, [])
        other = self.client.join("triumvirate", name="Ben")
        self.assertNotEqual(other["table"], host["table"])
        guest = self.client.join(None, "Cat", table=host["table"], seat="red")
        self.assertEqual((guest["table"], guest["seat"]), (host["table"], "red"))
        self.assertEqual(self.post("/fill", {}, host["token"]).data["stage"], "playing")
        self.refused(409, self.post("/join", {"table": host["table"], "name": "Dan"}), "begun")
        listed = self.get("/tables?game=triumvirate").data
        self.assertEqual({table["table"] for table in listed}, {host["table"], other["table"]})

    def test_chosen_house_bots(self):
        joined = self.client.join("three-way", seat="gray", opponents=["greedy", "maxn:depth=1"])
        self.assertEqual((joined["seat"], joined["stage"]), ("gray", "playing"))
        players = self.get(f"/tables/{joined['table']}").data["players"]
        self.assertEqual([player["house_bot"] for player in players], [True, False, True])
        for bots, text in ((["greedy"], "expected 2 house bots"), (["nobody", "greedy"], "nobody"),
                           (["llm:url=http://127.0.0.1:1", "greedy"], "llm"),
                           (["torch:model=/etc/passwd", "greedy"], "torch"),
                           (["./bot.py", "greedy"], "bot.py")):
            self.refused(422, self.post("/join", {"game": "three-way", "name": "Ann",
                                                  "opponents": bots}), text)

    def test_joining_twice_with_a_secret(self):
        secret = "0123456789abcdef" * 2
        first = self.client.join(secret=secret)
        self.assertEqual(self.client.join(secret=secret), first)
        self.assertTrue(first["token"].endswith(secret))
        self.refused(422, self.post("/join", {"game": "tri-d", "name": "A", "secret": "x"}),
                     "secret")

    def test_rematch(self):
        white, black = self.pair()
        self.refused(403, self.post("/rematch", {}, white), "end")
        self.post("/resign", {}, white)
        first = self.post("/rematch", {}, white).data
        self.assertEqual((first["seat"], first["stage"]), ("black", "waiting"))
        self.assertEqual(self.post("/rematch", {}, white).data, first)
        second = self.post("/rematch", {}, black).data
        self.assertEqual((second["table"], second["seat"], second["stage"]),
                         (first["table"], "white", "playing"))
        names = [player["name"] for player in self.turn(second["token"])["players"]]
        self.assertEqual(names, ["Ben", "Ann"])

    def test_a_damaged_table_harms_no_other(self):
        white, _ = self.pair()
        bad = self.client.join("triumvirate", opponents="private")
        self.arena.end()
        database = sqlite3.connect(self.arena.database)
        with database:
            database.execute("UPDATE arena_events SET event = 'x' WHERE table_id = ? AND n = 1",
                             (bad["table"],))
        database.close()
        self.arena.start()
        self.assertTrue(self.turn(white)["your_turn"])
        self.refused(401, self.get("/turn", bad["token"]))
        self.assertIn("A table cannot go on", self.arena.errors())

    def test_a_position(self):
        start = self.turn(self.client.join(opponents="private")["token"])["position"]
        joined = self.client.join(opponents=["random"], position=start.replace(" w ", " b "),
                                  seat="black")
        self.assertEqual(self.turn(joined["token"])["to_move"], "black")
        self.refused(422, self.post("/join", {"game": "tri-d", "name": "A", "position": "x"}),
                     "position")


class AccountsTest(V2Test):
    def test_names_are_claimed(self):
        key = self.client.account("Zoë")
        self.refused(409, self.post("/players", {"name": "Zoë"}), "belongs")
        self.refused(409, self.post("/join", {"game": "tri-d", "name": "Zoë"}), "belongs")
        self.refused(409, self.post("/join", {"name": "Zoë"}, base="/api/v1"), "belongs")
        self.refused(409, self.post("/players", {"name": "Smart"}), "house bot")
        self.refused(401, self.post("/join", {"game": "tri-d"}, "f" * 64), "key")
        self.refused(422, self.post("/join", {"game": "tri-d", "name": "Ann"}, key), "Zoë")
        self.assertEqual(self.client.join(key=key)["stage"], "waiting")
        new = self.post("/players/Zo%C3%AB/key", {}, key).data["key"]
        self.refused(401, self.post("/join", {"game": "tri-d"}, key))
        self.assertEqual(self.client.join("triumvirate", key=new)["stage"], "waiting")
        self.refused(403, self.post("/players/Ann/key", {}, new), "another")
        self.assertEqual(self.get("/players/zo%C3%AB").data["name"], "Zoë")

    def test_rated_games(self):
        ann, ben = self.client.account("Ann"), self.client.account("Ben")
        twin = self.client.account("Ann 2", ann)
        first = self.client.join(key=ann)
        # Neither a player of the same owner nor one without an account comes to this table.
        self.assertNotEqual(self.client.join(key=twin)["table"], first["table"])
        self.assertNotEqual(self.client.join(name="Cat")["table"], first["table"])
        self.refused(403, self.post("/join", {"table": first["table"], "name": "Cat"}), "rated")
        second = self.client.join(key=ben)
        self.assertEqual(second["table"], first["table"])
        self.assertTrue(self.turn(first["token"])["rated"])
        self.post("/resign", {}, second["token"])
        until = time.monotonic() + 30
        while not (rows := self.get("/leaderboard?game=tri-d").data):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.2)
        self.assertEqual([row["name"] for row in rows], ["Ann", "Ben"])
        self.assertGreater(rows[0]["rating"], rows[1]["rating"])
        player = self.get("/players/Ann").data
        self.assertEqual((player["games"]["tri-d"]["games"], player["games"]["tri-d"]["points"]),
                         (1, 1))
        # Seats are balanced: Ann had the other one.
        again = self.client.join(key=ann)
        self.assertNotEqual(again["seat"], first["seat"])
        # House bots play under the names by which they are rated.
        self.post("/fill", {}, again["token"])
        names = {player["name"] for player in self.turn(again["token"])["players"]}
        self.assertIn(names, ({"Ann", "random"}, {"Ann", "greedy"}))
        for options in ({"opponents": "private"}, {"draws": "claimed"}, {"move_seconds": 5}):
            self.refused(422, self.post("/join", {"game": "tri-d", "rated": True, **options}, ann),
                         "rated")


class StreamsTest(V2Test):
    def events_of(self, table, lines=None, **headers):
        """Reads server-sent events until the end of the game, or until so many lines."""
        connection = self.arena.connect()
        fields = "".join(f"{name.replace('_', '-')}: {value}\r\n"
                         for name, value in headers.items())
        connection.sendall((f"GET /api/v2/tables/{table}/events HTTP/1.1\r\nHost: x\r\n"
                            f"Accept: text/event-stream\r\n{fields}\r\n").encode())
        events, count = [], 0
        with connection, connection.makefile("rb") as file:
            while True:
                line = file.readline().decode()
                if line.startswith("data: "):
                    events.append(json.loads(line[6:]))
                    count += 1
                    if "result" in events[-1] or count == lines:
                        return events

    def test_all_forms_agree(self):
        white, black = self.pair()
        table = self.turn(white)["table"]
        seen = []
        watching = threading.Thread(target=lambda: seen.extend(self.events_of(table)))
        watching.start()
        socket = self.enterContext(
            WebSocket(self.arena.connect(), self.arena.address, f"/api/v2/tables/{table}/socket"))
        texts = []
        reading = threading.Thread(target=lambda: [texts.append(socket.json()) for _ in range(33)])
        reading.start()
        polled, after = [], 0
        choose = random.Random(7)
        for ply in range(30):
            token = (white, black)[ply % 2]
            moves = self.turn(token)["moves"]
            self.post("/move", {"move": choose.choice(moves), "ply": ply}, token)
            if ply % 5 == 0:
                answer = self.get(f"/tables/{table}/events?after={after}&wait=10").data
                polled += answer["events"]
                after = answer["next"]
        reading.join()
        self.post("/resign", {}, white)
        watching.join()
        polled += self.get(f"/tables/{table}/events?after={after}").data["events"]
        self.assertEqual(seen, polled)
        self.assertEqual(texts, polled[:33])
        self.assertEqual(self.events_of(table, Last_Event_ID=29), polled[30:])
        kinds = [event["kind"] for event in polled]
        self.assertEqual(kinds, ["opened", "joined", "joined"] + ["moved"] * 30 + ["resigned"])

    def test_a_stop_answers_those_who_wait(self):
        _, black = self.pair()
        answers = []
        waiting = threading.Thread(
            target=lambda: answers.append(self.get("/turn?wait=30", black)))
        waiting.start()
        time.sleep(0.5)
        began = time.monotonic()
        self.assertEqual(self.arena.end(), 0)
        waiting.join()
        self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(answers[0].status, 200)


class PagesTest(V2Test):
    def test_the_description_has_the_routes(self):
        api = self.get("/openapi.json", base="").data
        for path, operations in api["paths"].items():
            for method in operations:
                url = re.sub(r"\{[^}]*\}", "none", path)
                reply = self.client.ask(method.upper(), url, base="")
                self.assertNotEqual(reply.status, 405, (path, reply))
                self.assertNotIn("no such page", reply.text, path)
        self.refused(404, self.get("/nothing"), "llms.txt")
        wrong = self.post("/turn")
        self.refused(405, wrong)
        self.assertEqual(wrong.headers["Allow"], "GET")

    def test_pages_of_other_servers_may_ask(self):
        reply = self.client.ask("OPTIONS", "/join")
        self.assertEqual((reply.status, reply.text), (204, ""))
        self.assertIn("Authorization", reply.headers["Access-Control-Allow-Headers"])
        self.assertEqual(self.get("/health").headers["Access-Control-Allow-Origin"], "*")

    def test_pages_about_games(self):
        for game in SEATS:
            self.assertIn("#", self.get(f"/rules/{game}").text)
            self.assertEqual(self.get(f"/geometry/{game}").data["game"], game)
            self.assertEqual(self.get(f"/standings?game={game}").data, [])
        for path in ("/rules/chess", "/geometry/chess"):
            self.refused(404, self.get(path), "chess")
        self.assertEqual(self.get("/health").data["status"], "ok")
        self.assertIn("random", [bot["bot"] for bot in self.get("/bots").data])

    def test_the_lines_for_models_work(self):
        text = self.get("/llms.txt", base="").text
        joined = self.post("/join", json.loads(re.search(r"/join -d '([^']*)'", text)[1])).data
        self.assertEqual(self.post("/fill", {}, joined["token"]).status, 200)
        turn = self.turn(joined["token"], "?wait=30&notations=board")
        self.assertIn("|", turn["texts"]["board"])
        move = json.loads(re.search(r"/move .*?-d '([^']*)'", text, re.DOTALL)[1])
        self.assertEqual(self.post("/move", move, joined["token"]).status, 200)

    def test_wrong_requests(self):
        for body, text in ((b"{", "not a JSON object"), (b"[]", "not a JSON object"),
                           ({"game": "tri-d", "name": "A", "nme": 1}, "nme"),
                           ({"game": 3, "name": "A"}, "game"), ({"name": "A"}, "game"),
                           ({"game": "chess", "name": "A"}, "chess"),
                           ({"game": "tri-d"}, "name"),
                           ({"game": "tri-d", "name": "A" * 81}, "80"),
                           ({"game": "tri-d", "name": "A", "type": "cat"}, "type"),
                           ({"game": "tri-d", "name": "A", "seat": "red"}, "red"),
                           ({"game": "tri-d", "name": "A", "draws": "x"}, "draws"),
                           ({"game": "tri-d", "name": "A", "opponents": "x"}, "opponents"),
                           ({"game": "tri-d", "name": "A", "opponents": [1]}, "opponents"),
                           ({"game": "tri-d", "name": "A", "move_seconds": 0}, "move_seconds"),
                           ({"game": "tri-d", "name": "A", "rated": True}, "rated")):
            with self.subTest(body):
                self.refused(422, self.post("/join", body), text)
        self.refused(404, self.post("/join", {"table": "none", "name": "A"}), "table")
        self.refused(401, self.get("/turn"), "Bearer")
        self.refused(401, self.get("/turn", "0" * 64), "token")
        self.refused(404, self.get("/tables/none"))
        self.refused(404, self.get("/tables/none/events"))
        self.refused(404, self.get("/games/none"))
        self.refused(422, self.get("/games?limit=many"), "limit")
        self.refused(422, self.get("/games?before=x"), "before")
        white, _ = self.pair()
        self.refused(422, self.get("/turn?wait=31", white), "wait")
        self.refused(422, self.post("/move", {"move": "a2W-a4W"}, white), "ply")


if __name__ == "__main__":
    unittest.main()
