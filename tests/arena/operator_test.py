"""Tests what an operator of an arena has: limits, blocks, muting, removal, metrics."""

import pathlib
import re
import tempfile
import time
import unittest
import urllib.request

from server import Arena
from v2_client import V2Client

TOKEN = "operator-secret-0123456789"
WORKER = "worker-secret-0123456789"
# Behind a proxy, clients have other addresses than this machine's.
ANN, BEN, FAR = "192.0.2.1", "192.0.2.2", "2001:db8::7"


def forwarded(address):
    return {"X-Forwarded-For": address}


class OperatorTest(unittest.TestCase):
    OPTIONS = ()

    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        tokens = pathlib.Path(folder) / "tokens"
        tokens.write_text(f"operator {TOKEN}\nworker {WORKER}\n", encoding="utf-8")
        self.arena = self.enterContext(Arena("--trust-proxy", "--token-file", str(tokens),
                                             "--metrics", "127.0.0.1:0", *self.OPTIONS))
        self.client = V2Client(self.arena)

    def operate(self, verb, body, token=TOKEN):
        return self.client.post(f"/operator/{verb}", body, token)

    def done(self, verb, **body):
        reply = self.operate(verb, body)
        self.assertEqual(reply.status, 200, reply)
        return reply.json

    def bans(self):
        reply = self.client.get("/operator/bans", TOKEN)
        self.assertEqual(reply.status, 200, reply)
        return [(ban["kind"], ban["what"]) for ban in reply.json["bans"]]

    def join(self, name, address="127.0.0.1", **options):
        return self.client.post("/join", {"game": "tri-d", "name": name, **options},
                                headers=forwarded(address))

    def metrics(self):
        """Returns the values by name and labels, as they stand in the page."""
        address = re.search(r"metrics=\"?(127\.0\.0\.1:\d+)", self.arena.errors())[1]
        with urllib.request.urlopen(f"http://{address}/metrics", timeout=20) as page:
            lines = page.read().decode().splitlines()
        return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1])
                for line in lines if not line.startswith("#")}


class BansTest(OperatorTest):
    def test_only_operators(self):
        for token in (None, "wrong-secret-0123456789", WORKER):
            reply = self.operate("block", {"name": "x"}, token)
            self.assertEqual(reply.status, 401, reply)
            self.assertEqual(self.client.get("/operator/bans", token).status, 401)
        with Arena() as other:
            reply = V2Client(other).post("/operator/block", {"name": "x"}, TOKEN)
            self.assertEqual(reply.status, 401, reply)

    def test_wrong_requests(self):
        for verb, body, status in (
                ("block", {}, 422), ("block", {"name": "a", "address": "10.0.0.1"}, 422),
                ("block", {"name": "*"}, 422), ("block", {"address": "10.0.0.1/8"}, 422),
                ("block", {"name": "a", "nme": "b"}, 422), ("block", {"name": 1}, 422),
                ("block", {"name": "a", "note": "x" * 501}, 422), ("mute", {}, 422),
                ("unblock", {"name": "nobody"}, 404), ("unmute", {"name": "nobody"}, 404),
                ("close", {"table": "none"}, 404), ("close", {}, 422),
                ("remove", {"table": "none", "seat": "white"}, 404), ("nothing", {}, 404)):
            reply = self.operate(verb, body)
            self.assertEqual(reply.status, status, (verb, body, reply))
        self.assertEqual(self.bans(), [])

    def test_a_blocked_name(self):
        key = self.client.account("Spam king")
        self.done("block", name="SPAM*", note="advertises")
        for name in ("spammer", "Spam"):
            reply = self.join(name)
            self.assertEqual(reply.status, 403, reply)
            self.assertIn("blocked this name", reply.json["detail"])
            self.assertEqual(self.client.post("/players", {"name": name}).status, 403)
        self.assertEqual(self.client.post("/join", {"game": "tri-d"}, key).status, 403)
        old = self.client.post("/join", {"name": "spam", "type": "human"}, base="/api/v1")
        self.assertEqual(old.status, 403, old)
        self.assertEqual(self.join("Ann").status, 200)
        self.assertEqual(self.client.get("/players/Spam%20king").status, 200)

        self.arena.end()
        self.arena.start()
        self.assertEqual(self.bans(), [("name", "spam*")])
        self.assertEqual(self.join("spammer").status, 403)
        self.done("unblock", name="spam*")
        self.assertEqual(self.join("spammer").status, 200)

    def test_a_blocked_address(self):
        self.done("block", address="192.0.2.0/31")
        self.done("block", address=FAR)
        for address in (ANN, FAR):
            reply = self.join("Ann", address)
            self.assertEqual(reply.status, 403, reply)
            self.assertNotIn(address, reply.text)
            made = self.client.post("/players", {"name": "Ann"}, headers=forwarded(address))
            self.assertEqual(made.status, 403)
            self.assertEqual(self.client.get("/tables", headers=forwarded(address)).status, 200)
        self.assertEqual(self.join("Ben", BEN).status, 200)
        self.assertEqual(self.bans(), [("address", "192.0.2.0/31"), ("address", "2001:db8::7")])

    def test_a_muted_player(self):
        loud = self.join("Loud", opponents="private").json
        quiet = self.join("Quiet", table=loud["table"]).json
        self.done("mute", name="loud")
        players = {data["seat"]: data["token"] for data in (loud, quiet)}
        for ply in range(2):
            turns = [self.client.get("/turn", token).json for token in players.values()]
            turn = next(turn for turn in turns if turn["your_turn"])
            body = {"move": turn["moves"][0], "ply": ply, "message": f"Hello {ply}"}
            for _ in range(2):  # the second time, it is the same move
                moved = self.client.post("/move", body, players[turn["seat"]])
                self.assertEqual(moved.status, 200, moved)
        table = self.client.get(f"/tables/{loud['table']}").json
        self.assertEqual(table["ply"], 2)
        self.assertEqual([line["name"] for line in table["chat"]], ["Quiet"])
        stored = [event for event in self.arena.events(loud["table"]) if event.get("message")]
        self.assertEqual(len(stored), 1)

    def test_a_table_is_closed_and_a_player_removed(self):
        first = self.join("Ann", opponents="private").json
        self.join("Ben", table=first["table"])
        self.assertEqual(self.operate("remove", {"table": first["table"], "seat": "pink"}).status,
                         422)
        self.assertEqual(self.done("close", table=first["table"])["stage"], "closed")
        self.assertEqual(self.client.get("/turn", first["token"]).json["stage"], "closed")

        second = self.join("Ann", opponents="private").json
        self.join("Ben", table=second["table"])
        self.done("remove", table=second["table"], seat=second["seat"])
        events = self.client.get(f"/tables/{second['table']}/events").json["events"]
        self.assertIn(("resigned", second["seat"]),
                      [(event["kind"], event.get("seat")) for event in events])

    def test_another_arena_with_this_database_may_add_bans(self):
        import sqlite3
        database = sqlite3.connect(self.arena.database, timeout=10)
        with database:
            database.execute("INSERT INTO arena_bans VALUES ('name', 'eve', '', 1)")
        database.close()
        until = time.monotonic() + 15
        while self.bans() != [("name", "eve")]:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.2)
        self.assertEqual(self.join("Eve").status, 403)


class KeysTest(OperatorTest):
    def test_a_lost_key_is_replaced(self):
        old = self.client.account("Ann")
        new = self.done("key", name="ann")["key"]
        for key, status in ((old, 401), (new, 200)):
            self.assertEqual(self.client.post("/join", {"game": "tri-d"}, key).status, status)
        self.assertEqual(self.operate("key", {"name": "nobody"}).status, 404)
        self.assertEqual(self.operate("key", {}).status, 422)
        self.assertNotIn(new, self.arena.errors())


class OpenRequestsTest(OperatorTest):
    OPTIONS = ("--requests-per-second", "0")

    def test_are_limited_for_each_address(self):
        joined = self.join("Ann", opponents="private").json
        streams = []
        for _ in range(201):
            stream = self.enterContext(self.arena.connect())
            stream.sendall((f"GET /api/v2/tables/{joined['table']}/events HTTP/1.1\r\n"
                            f"Host: x\r\nX-Forwarded-For: {ANN}\r\n"
                            "Accept: text/event-stream\r\n\r\n").encode())
            streams.append(stream)
        answers = [stream.recv(12).decode() for stream in streams]
        self.assertEqual(answers, ["HTTP/1.1 200"] * 200 + ["HTTP/1.1 429"])
        self.assertEqual(self.client.get("/health", headers=forwarded(ANN)).status, 429)
        self.assertEqual(self.client.get("/health", headers=forwarded(BEN)).status, 200)
        streams[0].close()
        until = time.monotonic() + 10
        while self.client.get("/health", headers=forwarded(ANN)).status != 200:
            self.assertLess(time.monotonic(), until)


class LimitsTest(OperatorTest):
    OPTIONS = ("--requests-per-second", "4")  # and 40 at once

    def until_refused(self, ask, at_most=500):
        for served in range(at_most):
            reply = ask()
            if reply.status == 429:
                self.assertGreaterEqual(int(reply.headers["Retry-After"]), 1)
                self.assertIn("too many requests", reply.json["detail"])
                return served
        return at_most

    def get_from(self, address, token=None):
        return lambda: self.client.get("/health", token, headers=forwarded(address))

    def test_of_an_address(self):
        self.assertGreaterEqual(self.until_refused(self.get_from(ANN)), 40)
        self.assertEqual(self.get_from(BEN)().status, 200)
        self.assertEqual(self.until_refused(self.get_from("127.0.0.1"), 100), 100)
        time.sleep(int(self.until_refused_seconds(ANN)))
        self.assertEqual(self.get_from(ANN)().status, 200)

    def until_refused_seconds(self, address):
        while (reply := self.get_from(address)()).status == 200:
            pass
        return reply.headers["Retry-After"]

    def test_of_a_token(self):
        addresses = (f"198.51.100.{i}" for i in range(255))
        served = self.until_refused(lambda: self.get_from(next(addresses), "a" * 64)(), 200)
        self.assertTrue(20 <= served < 60, served)

    def test_joins_and_unknown_tokens_are_dearer(self):
        joins = self.until_refused(lambda: self.join("Ann", ANN))
        self.assertTrue(4 <= joins <= 8, joins)
        numbers = iter(range(1000))
        wrong = self.until_refused(lambda: self.client.get(
            "/turn", f"{next(numbers):064}", headers=forwarded(BEN)))
        self.assertTrue(2 <= wrong <= 6, wrong)
        accounts = self.until_refused(lambda: self.client.post(
            "/players", {"name": f"A{next(numbers)}"}, headers=forwarded(FAR)))
        self.assertTrue(1 <= accounts <= 3, accounts)


class MetricsTest(OperatorTest):
    def test_tell_what_happened(self):
        # Two players, of whom one is refused something, and a game that begins.
        first = self.join("Ann", opponents="private").json
        self.join("Ben", table=first["table"])
        turn = self.client.get("/turn", first["token"]).json
        body = {"move": turn["moves"][0], "ply": 0}
        self.assertEqual(self.client.post("/move", body, first["token"]).status, 200)
        self.assertEqual(self.client.post("/move", {"move": "a1-a2", "ply": 7},
                                          first["token"]).status, 403)
        self.client.get("/turn", "0" * 64)
        self.done("block", name="spam")
        self.join("spam")
        values = self.metrics()
        for name, value in (
                ('triarch_arena_moves_total{by="player",game="tri-d"}', 1),
                ('triarch_arena_move_seconds_count', 1),
                ('triarch_arena_wait_seconds_count{game="tri-d"}', 2),
                ('triarch_arena_refusals_total{reason="not_your_turn"}', 1),
                ('triarch_arena_refusals_total{reason="unknown_secret"}', 1),
                ('triarch_arena_refusals_total{reason="blocked"}', 1),
                ('triarch_arena_requests_total{code="200",route="/api/v2/join"}', 2),
                ('triarch_arena_requests_total{code="403",route="/api/v2/join"}', 1),
                ('triarch_arena_store_errors_total', 0)):
            self.assertEqual(values.get(name), value, (name, sorted(values)))
        until = time.monotonic() + 15
        name = 'triarch_arena_tables{game="tri-d",stage="playing"}'
        while self.metrics()[name] != 1:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.2)

    def test_operators_see_addresses_in_the_log_and_players_do_not(self):
        joined = self.join("Ann", ANN).json
        for path in ("/tables", f"/tables/{joined['table']}", "/games"):
            self.assertNotIn(ANN, self.client.get(path).text)
        until = time.monotonic() + 10
        while f"client={ANN}" not in self.arena.errors():
            self.assertLess(time.monotonic(), until, self.arena.errors())
            time.sleep(0.1)
        self.assertNotIn(joined["token"], self.arena.errors())


if __name__ == "__main__":
    unittest.main()
