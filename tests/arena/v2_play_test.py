#!/usr/bin/env python3
"""Tests how players of /api/v2 join, play and end games of all three kinds."""

import random
import threading
import time
import unittest

from contract_client import ContractClient, random_legal
from server import Arena
from v2_seats import SEATS, Seat, Web, play_out, sit


class GamesTest(unittest.TestCase):
    def setUp(self):
        self.arena = self.enterContext(Arena("--house-bots", "random"))

    def test_whole_games(self):
        for number, game in enumerate(SEATS):
            with self.subTest(game=game):
                seats = sit(self.arena, game)
                self.assertEqual(tuple(seat.seat for seat in seats), SEATS[game])
                last = play_out(seats, random.Random(number), plies_max=300)
                self.assertEqual(last["stage"], "finished")
                self.assertEqual(sorted(last["result"]["places"]), sorted(SEATS[game]))
                for seat in seats:
                    turn = seat.turn("?wait=30")
                    self.assertEqual(turn["result"], last["result"])
                    self.assertEqual((turn["your_turn"], turn["to_move"], turn["moves"]),
                                     (False, None, []))
                    self.assertEqual(seat.move("e2-e4", turn["ply"]).status, 403)
                game_page = Web(self.arena).get(f"/games/{seats[0].table}")
                self.assertEqual(game_page["result"], last["result"])
                moves = [event for event in game_page["events"] if event["kind"] == "moved"]
                self.assertEqual([event["ply"] for event in moves], list(range(last["ply"])))
                self.assertEqual([event["n"] for event in game_page["events"]],
                                 list(range(last["events"])))

    def test_every_notation_is_a_move(self):
        for game, forms in (("tri-d", ("document", "short")), ("triumvirate", ("tpgn",))):
            seats = sit(self.arena, game)
            for ply, form in enumerate(forms):
                turn = seats[ply].turn(f"?notations={form},board,json")
                self.assertEqual(len(turn["texts"][form]), len(turn["moves"]))
                self.assertIn("to move", turn["texts"]["board"])
                self.assertIsInstance(turn["texts"]["json"], dict)
                answer = seats[ply].move(turn["texts"][form][-1], ply)
                self.assertEqual(answer.status, 200, answer)
                self.assertEqual(answer.json["last_move"], turn["moves"][-1])

    def test_a_waiting_turn_comes_with_the_move(self):
        white, black = sit(self.arena)
        delays = []
        for ply in range(20):
            mover, other = (white, black) if ply % 2 == 0 else (black, white)
            answers = []

            def wait(other=other, answers=answers):
                answers.append((other.turn("?wait=30"), time.monotonic()))

            thread = threading.Thread(target=wait)
            thread.start()
            time.sleep(0.05)
            self.assertEqual(answers, [])
            mover.play()
            played = time.monotonic()
            thread.join(20)
            turn, came = answers[0]
            self.assertTrue(turn["your_turn"])
            self.assertEqual(turn["ply"], ply + 1)
            delays.append(came - played)
        # The move and the answer to the waiting player leave at once; a tick would take 100 ms.
        self.assertLess(sorted(delays)[len(delays) // 2], 0.05, delays)

    def test_a_waiting_turn_ends_with_its_time(self):
        _, black = sit(self.arena)
        began = time.monotonic()
        turn = black.turn("?wait=1")
        self.assertFalse(turn["your_turn"])
        self.assertGreaterEqual(time.monotonic() - began, 1)
        self.assertLess(time.monotonic() - began, 3)

    def test_a_retry_of_a_move(self):
        white, black = sit(self.arena)
        move = white.turn()["moves"][0]
        first, again = white.move(move, 0), white.move(move, 0)
        self.assertEqual((first.status, again.status), (200, 200))
        self.assertEqual(again.json["ply"], 1)
        black.play()
        self.assertEqual(white.move(move, 0).status, 200)
        other = white.turn()["moves"][-1]
        self.assertEqual(white.move(other, 0).status, 409)
        self.assertEqual(white.move(other, 1).status, 409)
        self.assertEqual(white.turn()["ply"], 2)

    def test_claims(self):
        seats = sit(self.arena, draws="claimed")
        self.assertEqual(seats[0].do("claim").status, 403)
        shuffle = ("b2W-a4W", "b7B-a5B", "a4W-b2W", "a5B-b7B")
        for ply in range(8):
            turn = seats[ply % 2].play(shuffle[ply % 4])
        turn = seats[0].turn()
        self.assertEqual((turn["stage"], turn["can_claim"]), ("playing", True))
        self.assertFalse(seats[1].turn()["can_claim"])
        self.assertEqual(seats[1].do("claim").status, 403)
        ended = seats[0].do("claim")
        self.assertEqual(ended.json["result"], {"result": "1/2-1/2",
                                                "places": {"white": 1, "black": 1},
                                                "termination": "threefold_repetition"})
        # Elsewhere the draw needs no claim.
        seats = sit(self.arena)
        for ply in range(8):
            turn = seats[ply % 2].play(shuffle[ply % 4])
        self.assertEqual(turn["result"]["termination"], "threefold_repetition")

    def test_private_tables(self):
        white = Seat(self.arena, opponents="private", seat="black")
        self.assertEqual((white.seat, white.joined["stage"]), ("black", "waiting"))
        self.assertEqual(Web(self.arena).get("/tables"), [])
        other = Seat(self.arena)
        self.assertNotEqual(other.table, white.table)
        guest = Seat(self.arena, table=white.table)
        self.assertEqual((guest.seat, guest.joined["stage"]), ("white", "playing"))
        events = Web(self.arena).get(f"/tables/{white.table}/events")["events"]
        self.assertTrue(events[0]["private"])

    def test_opponents_as_a_list(self):
        player = Seat(self.arena, "three-way", seat="gray", opponents=["random", "mcts:nodes=20"])
        self.assertEqual(player.seat, "gray")
        turn = player.turn("?wait=30")
        self.assertTrue(turn["your_turn"])
        self.assertEqual([bot["house_bot"] for bot in turn["players"]], [True, False, True])
        for number in range(1, 4):
            if turn["stage"] == "finished":  # a random player may be out of the game
                break
            self.assertEqual(turn["ply"], 3 * number - 2)
            player.play()
            turn = player.turn("?wait=30")
        web = Web(self.arena)
        for word in ("nobody", "greedy:nonsense=1", "./program", "random;x", ""):
            body = {"game": "tri-d", "name": "a", "opponents": [word]}
            self.assertIn("opponents", web.post("/join", body, status=422)["detail"])

    def test_a_rematch_moves_the_seats_on(self):
        seats = sit(self.arena, "triumvirate")
        first = seats[0].table
        for rounds in range(3):
            seats[0].do("resign")
            seats[1].do("resign")
            joined = [seat.do("rematch").json for seat in seats]
            self.assertEqual(len({one["table"] for one in joined}), 1)
            self.assertEqual(seats[2].do("rematch").json["token"], joined[2]["token"])
            for seat, one in zip(seats, joined):
                order = SEATS["triumvirate"]
                self.assertEqual(one["seat"], order[(order.index(seat.seat) + 1) % 3])
                seat.take(one)
            self.assertEqual(seats[0].turn()["stage"], "playing")
            events = Web(self.arena).get(f"/tables/{seats[0].table}/events")["events"]
            self.assertEqual(events[0]["rematch_of"], first, rounds)
            first = seats[0].table

    def test_house_bots_keep_their_seats(self):
        player = Seat(self.arena, opponents=["random"])
        player.do("resign")
        joined = player.do("rematch").json
        self.assertEqual((joined["seat"], joined["stage"]), ("black", "playing"))

    def test_chat_is_counted_in_characters(self):
        white, black = sit(self.arena)
        for message, is_good in (("x" * 256, True), ("x" * 257, False), ("♞" * 256, True),
                                 ("♞" * 257, False), ("\U0001f600" * 256, True),
                                 ("\U0001f600" * 257, False)):
            turn = white.turn()
            mover = white if turn["your_turn"] else black
            turn = mover.turn()
            answer = mover.move(turn["moves"][0], turn["ply"], message=message)
            self.assertEqual(answer.status, 200 if is_good else 422, message[:3])
            if is_good:
                line = answer.json["chat"][-1]
                self.assertEqual((line["text"], line["seat"]), (message, mover.seat))
            else:
                self.assertNotIn("attempts_left", answer.json)
        self.assertEqual(len(white.turn()["chat"]), 3)

    def test_players_chat_without_a_move_at_any_time(self):
        white = Seat(self.arena, name="white", seat="white")
        self.assertEqual(white.do("say", message=" anyone?\n").json["chat"][-1]["text"], "anyone?")
        black = Seat(self.arena, name="black")
        said = black.do("say", message="♞" * 256)
        self.assertEqual((said.status, said.json["your_turn"]), (200, False))
        for bad in ("", " ", "♞" * 257):
            self.assertEqual(black.do("say", message=bad).status, 422, bad)
        self.assertEqual(black.do("say").status, 422)
        white.do("resign")
        white.do("say", message="good game")
        white.do("say", message="good game")
        turn = black.turn()
        self.assertEqual([(line["seat"], line["text"][:9]) for line in turn["chat"]],
                         [("white", "anyone?"), ("black", "♞" * 9), ("white", "good game")])
        events = Web(self.arena).get(f"/tables/{white.table}/events")["events"]
        self.assertEqual(len(events), turn["events"])
        self.assertEqual([event["kind"] for event in events],
                         ["opened", "joined", "said", "joined", "said", "resigned", "said"])
        self.assertNotIn("result", events[-1])

    def test_a_rematch_is_shown_once_it_has_begun(self):
        white, black = sit(self.arena)
        white.do("resign")
        web = Web(self.arena)
        self.assertIsNone(web.get(f"/tables/{white.table}")["rematch"])
        table = white.do("rematch").json["table"]
        self.assertIsNone(web.get(f"/tables/{white.table}")["rematch"])
        black.do("rematch")
        self.assertEqual(web.get(f"/tables/{white.table}")["rematch"], table)

    def test_players_of_both_apis_meet(self):
        old = ContractClient(self.arena.url)
        self.assertEqual(old.join("Old").status, 200)
        new = [Seat(self.arena, "triumvirate", name) for name in ("New", "Newer")]
        self.assertEqual({seat.table for seat in new}, {old.game_id})
        choose = random.Random(5)
        for _ in range(30):
            state = old.state().data
            if state["current_player"] == old.color:
                reply = old.move(*random_legal(state, choose), state["move_number"], message="hi")
                self.assertEqual(reply.status, 200, reply)
            else:
                seat = next(seat for seat in new if seat.seat == state["current_player"])
                seat.play(message="hello")
        self.assertEqual(new[0].turn()["ply"], 30)
        self.assertEqual({line["text"] for line in new[0].turn()["chat"]}, {"hi", "hello"})

    def test_house_bots_come_after_the_wait_or_at_once(self):
        waiting = Seat(self.arena, "three-way", fill_seconds=1)
        asked = Seat(self.arena, "three-way")
        self.assertEqual(asked.do("fill").json["stage"], "playing")
        self.assertEqual(asked.do("fill").status, 200)
        self.assertTrue(waiting.turn("?wait=30")["your_turn"])
        players = waiting.turn()["players"]
        self.assertEqual([player["house_bot"] for player in players], [False, True, True])

    def test_a_move_comes_when_the_time_is_up(self):
        white, black = sit(self.arena, move_seconds=1)
        turn = black.turn("?wait=30")
        self.assertEqual((turn["ply"], turn["your_turn"]), (1, True))
        event = Web(self.arena).get(f"/tables/{white.table}/events?after=3")["events"][0]
        self.assertEqual((event["kind"], event["forced"]), ("moved", "timeout"))


if __name__ == "__main__":
    unittest.main()
