#!/usr/bin/env python3
"""Tests how a game of /api/v2 is watched, also when its server ends or is killed."""

import http.client
import random
import signal
import threading
import time
import unittest

from server import Arena
from v2_seats import Seat, Web, play_out, sit
from web_socket import WebSocket


class EventStream:
    """Server-sent events; a context that closes the connection."""

    def __init__(self, arena, table, last_id=None, after=0):
        self._connection = http.client.HTTPConnection(*arena.host_and_port, timeout=30)
        fields = {"Accept": "text/event-stream"}
        if last_id is not None:
            fields["Last-Event-ID"] = str(last_id)
        self._connection.request("GET", f"/api/v2/tables/{table}/events?after={after}",
                                 headers=fields)
        self._answer = self._connection.getresponse()
        assert self._answer.status == 200, self._answer.status
        assert self._answer.headers["Content-Type"] == "text/event-stream"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._answer.close()
        self._connection.close()

    def fields(self):
        """Returns the fields of the next event, or None at the end."""
        fields = {}
        while True:
            try:
                line = self._answer.readline().decode()
            except OSError:
                return None
            if not line:
                return None
            if line == "\n" and fields:
                return fields
            if line != "\n" and not line.startswith(":"):
                name, _, value = line.rstrip("\n").partition(": ")
                fields[name] = value


class WatchTest(unittest.TestCase):
    def setUp(self):
        self.start()

    def start(self, **more):
        self.arena = self.enterContext(Arena("--house-bots", "random", **more))
        self.web = Web(self.arena)

    def events(self, table):
        return self.web.get(f"/tables/{table}/events")["events"]

    def stream(self, table, **more):
        return self.enterContext(EventStream(self.arena, table, **more))

    def test_all_forms_have_the_same_events(self):
        seats = sit(self.arena, "three-way")
        table = seats[0].table
        sent, texts = self.stream(table), self.enterContext(
            WebSocket(self.arena.connect(), self.arena.address, f"/api/v2/tables/{table}/socket"))
        got = {"json": [], "sent": [], "texts": []}

        def poll():
            after = 0
            while not got["json"] or "result" not in got["json"][-1]:
                page = self.web.get(f"/tables/{table}/events?after={after}&wait=20")
                got["json"] += page["events"]
                after = page["next"]

        def listen():
            while not got["sent"] or '"result"' not in got["sent"][-1]["data"]:
                got["sent"].append(sent.fields())

        threads = [threading.Thread(target=poll), threading.Thread(target=listen)]
        for thread in threads:
            thread.start()
        play_out(seats, random.Random(3), plies_max=90)
        for thread in threads:
            thread.join(20)
        while not got["texts"] or "result" not in got["texts"][-1]:
            got["texts"].append(texts.json())
        stored = self.events(table)
        self.assertEqual([event["n"] for event in stored], list(range(len(stored))))
        self.assertEqual(got["json"], stored)
        self.assertEqual(got["texts"], stored)
        self.assertEqual([int(event["id"]) for event in got["sent"]], list(range(len(stored))))
        self.assertEqual([event["event"] for event in got["sent"]],
                         [event["kind"] for event in stored])

    def test_a_stream_continues_after_an_event(self):
        white, black = sit(self.arena)
        white.play()
        for last_id, after, first in ((1, 0, 2), (2, 0, 3), (None, 3, 3), (0, 3, 1),
                                      ("x", 2, 2), (-1, 2, 2)):
            with EventStream(self.arena, white.table, last_id=last_id, after=after) as stream:
                self.assertEqual(stream.fields()["id"], str(first), (last_id, after))
        stream = self.stream(white.table, last_id=3)
        black.play()
        self.assertEqual(stream.fields()["id"], "4")

    def test_a_long_history_reaches_a_slow_reader(self):
        seats = sit(self.arena, "triumvirate")
        play_out(seats, random.Random(11), plies_max=300)
        events = self.events(seats[0].table)
        stream, numbers = self.stream(seats[0].table), []
        time.sleep(1)
        while len(numbers) < len(events):
            fields = stream.fields()
            self.assertIsNotNone(fields, (len(numbers), len(events)))
            numbers.append(int(fields["id"]))
        self.assertEqual(numbers, list(range(len(events))))

    def test_games_page_by_page(self):
        tables = []
        for game in ("tri-d", "three-way", "tri-d", "triumvirate", "tri-d"):
            seats = sit(self.arena, game)
            for seat in seats[1:]:
                seat.do("resign")
            tables.insert(0, seats[0].table)
        self.until(lambda: len(self.web.get("/games")["games"]) == 5)
        for limit in (1, 2, 3, 5, 50):
            listed, before = [], ""
            while before is not None:
                page = self.web.get(f"/games?limit={limit}&before={before}")
                self.assertLessEqual(len(page["games"]), limit)
                listed += [game["table"] for game in page["games"]]
                before = page["before"]
            self.assertEqual(listed, tables)
        page = self.web.get("/games?game=tri-d")["games"]
        self.assertEqual([game["table"] for game in page], tables[::2])
        game = page[0]
        self.assertEqual((game["result"], game["termination"], game["rated"], game["plies"]),
                         ("1-0", "resignation", False, 0))
        self.assertEqual([player["seat"] for player in game["players"]], ["white", "black"])
        text = self.web.ask("GET", f"/api/v2/games/{game['table']}/tpgn")
        self.assertTrue(text.text.startswith("[Event "))

    def until(self, is_so):
        until = time.monotonic() + 20
        while not is_so():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)

    def test_a_stop_answers_all_who_wait(self):
        self.start(linger=5)  # the socket outlives the process
        seats = sit(self.arena, "three-way")
        asks = [(f"/tables/{seats[0].table}/events?after=4&wait=30", None),
                *(("/turn?wait=30", seat.token) for seat in seats[1:])]
        answers = []

        def wait(path, token):
            answers.append(self.web.ask("GET", f"/api/v2{path}", secret=token))

        threads = [threading.Thread(target=wait, args=ask) for ask in asks]
        for thread in threads:
            thread.start()
        time.sleep(0.5)
        self.assertEqual(answers, [])
        began = time.monotonic()
        self.assertEqual(self.arena.end(signal.SIGTERM), 0)
        self.assertLess(time.monotonic() - began, 2)
        for thread in threads:
            thread.join(20)
        self.assertEqual([answer.status for answer in answers], [200, 200, 200])
        self.arena.start()
        seats[0].play()
        self.assertTrue(seats[1].turn()["your_turn"])

    def test_kills_lose_no_event(self):
        self.start(linger=5)
        white, black = sit(self.arena)
        stream, seen = self.stream(white.table), []
        choose = random.Random(7)
        for number in range(24):
            turn = white.turn()
            mover = white if turn["your_turn"] else black
            turn = mover.turn()
            if turn["stage"] != "playing":
                break
            move = choose.choice(turn["moves"])
            self.assertEqual(mover.move(move, turn["ply"]).status, 200)
            if number % 6 != 5:
                continue
            self.arena.end(signal.SIGKILL)
            while (fields := stream.fields()) is not None:
                seen.append(int(fields["id"]))
            self.arena.start()
            # A retry of the move whose answer might have been lost.
            self.assertEqual(mover.move(move, turn["ply"]).json["ply"], turn["ply"] + 1)
            stream = self.stream(white.table, last_id=seen[-1])
        white.do("resign")
        events = self.events(white.table)
        while not seen or seen[-1] < len(events) - 1:
            seen.append(int(stream.fields()["id"]))
        self.assertEqual(seen, list(range(len(events))))
        self.assertEqual(self.arena.errors(), "")

    def test_a_spectator_sees_the_table(self):
        white, black = sit(self.arena)
        white.play(message="hello")
        listed, = self.web.get("/tables?game=tri-d")
        self.assertEqual((listed["table"], listed["ply"], listed["stage"]),
                         (white.table, 1, "playing"))
        shown = self.web.get(f"/tables/{white.table}?notations=board")
        turn = black.turn("?notations=board")
        for of_seat in ("seat", "your_turn", "can_claim", "attempts_left"):
            self.assertNotIn(of_seat, shown)
            turn.pop(of_seat)
        for of_time in (shown, turn):
            of_time.pop("seconds_left")
        self.assertIsNone(shown.pop("rematch"))
        self.assertEqual(shown, turn)
        self.assertEqual(self.web.get("/tables?game=three-way"), [])

    def test_no_secret_is_shown(self):
        key = self.web.account("Ann")
        seat = Seat(self.arena, key=key)
        guest = Seat(self.arena, name="Ben", table=Seat(self.arena, opponents="private").table)
        secrets = {key, seat.token[32:], guest.token[32:]}
        for table in (seat.table, guest.table):
            for event in self.arena.events(table):
                player = event.get("player", {})
                secrets |= {player[name] for name in ("token", "owner") if player.get(name)}
        self.assertGreaterEqual(len(secrets), 7)
        guest.do("resign")
        pages = ["/api/v2/tables", "/api/v2/players/Ann", "/api/v2/games", "/api/v1/games"]
        for table in (seat.table, guest.table):
            pages += [f"/api/v2/tables/{table}", f"/api/v2/tables/{table}/events",
                      f"/api/v2/games/{table}", f"/api/v2/games/{table}/tpgn"]
        for page in pages:
            text = self.web.ask("GET", page).text
            self.assertTrue(text)
            for secret in secrets:
                self.assertNotIn(secret, text, page)


if __name__ == "__main__":
    unittest.main()
