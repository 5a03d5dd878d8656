#!/usr/bin/env python3
"""Tests a helper through a bot that behaves oddly, with a referee.

  check_helper.py --language python
"""

import argparse
import json
import sys
import time
import unittest

import referee

INTRODUCTION = """\
id name odd 1.0
option name UCI_Variant type combo default tri-d var tri-d var triumvirate var three-way
option name LegalMoves type check default false
option name Seed type string default 0
option name Does type combo default tell var tell var think var resign var claim var throw var \
answer_nothing
option name Fast type check default true
option name Level type spin default 3 min -1 max 9
option name Book type string default <empty>
option name Two words type string default both words
uciok
""".splitlines()
TRIUMVIRATE = ("wKE1,bKI8,rKI12,wRA1,bRA8,rRL12 r w-.b-.r- - aaa 4 17")
THREE_WAY = ("rnbqkbnr/pppppppp/8/8/X/X X/rnbqkbnr/pppppppp/8/8/X X/X/rnbqkbnr/pppppppp/8/8 G "
             "qkqkqk --- 0 1")

TRI_D = "QL1,KL1,QL6,KL6 4/4/4/2K1|4/4/4/4|P3/4/4/2k1|2/2|2/2|2/2|2/2 b - - 3 30"


class Helper(unittest.TestCase):
    language = None

    def started(self, game="tri-d", **options):
        folder = referee.ROOT / "tests" / "sdk" / "odd_bot" / self.language
        files = [*folder.glob("bot.*"), *referee.helpers_for(self.language)]
        bot = referee.Bot(referee.COMMANDS[self.language], files)
        self.enterContext(bot)
        self.assertEqual(bot.start(game, options), INTRODUCTION)
        bot.begin_game()
        return bot

    def told(self, bot, *lines):
        """Returns the turn as the bot sees it."""
        bot.send(*lines)
        lines = bot.lines_until("bestmove")
        self.assertEqual(len(lines), 3)
        return json.loads(lines[0].removeprefix("info string "))

    # --- What the bot receives. ---

    def test_a_turn(self):
        bot = self.started("three-way")
        turn = self.told(bot, "position startpos moves h5-h7 j9-i9",
                         "go wtime 1000 gtime 2000 btime 3000 winc 0 ginc 10 binc 20 movestogo 9 "
                         "movetime 500 nodes 7 depth 2 legal e12-e11 d12-d11=Q")
        number = turn.pop("random")
        self.assertTrue(0 <= number < 1)
        self.assertEqual(turn, {
            "game": "three-way", "position": "startpos", "moves": ["h5-h7", "j9-i9"],
            "legal": ["e12-e11", "d12-d11=Q"], "seats": "wgb", "seat": "b",
            "clocks": {"w": 1000, "g": 2000, "b": 3000}, "increments": {"w": 0, "g": 10, "b": 20},
            "moves_to_go": 9, "movetime": 500, "nodes": 7, "depth": 2, "budget": 320, "turns": 1,
            "options": {"UCI_Variant": "three-way", "LegalMoves": True, "Seed": "1", "Does": "tell",
                        "Fast": True, "Level": 3, "Book": "", "Two words": "both words"}})

    def test_missing_limits_do_not_limit(self):
        turn = self.told(self.started(), "position startpos", "go legal 0-0")
        for key in ("moves_to_go", "movetime", "nodes", "depth", "budget"):
            self.assertIsNone(turn[key], key)
        self.assertEqual(turn["clocks"], {})
        self.assertEqual(turn["increments"], {})
        self.assertEqual(turn["moves"], [])

    def test_the_budget_of_a_move(self):
        bot = self.started()
        for limits, budget in (("movetime 80", 80), ("wtime 50000 btime 10", 2000),
                               ("wtime 50000 btime 10 winc 5 binc 5", 2005),
                               ("wtime 50 btime 10 winc 500 binc 500", 50),
                               ("wtime 50000 btime 10 movestogo 4", 10000),
                               ("wtime 50000 btime 10 movestogo 40", 2000),
                               ("wtime 50000 btime 10 movetime 80", 80), ("btime 10", None)):
            turn = self.told(bot, "position startpos", f"go {limits} legal 0-0")
            self.assertEqual(turn["budget"], budget, limits)

    def test_the_seat_is_known_for_the_game(self):
        bot = self.started("triumvirate")
        go = "go legal A1-A2"
        self.assertEqual(self.told(bot, "position startpos moves a b c d", go)["seat"], "b")
        # White has been eliminated, so counting moves would give another seat.
        self.assertEqual(self.told(bot, "position startpos moves a b c d e f", go)["seat"], "b")
        bot.begin_game()
        turn = self.told(bot, f"position fen {TRIUMVIRATE}", go)
        self.assertEqual((turn["position"], turn["moves"], turn["seat"]), (TRIUMVIRATE, [], "r"))
        bot.begin_game()
        turn = self.told(bot, f"position fen {TRIUMVIRATE} moves I12-I11", go)
        self.assertEqual((turn["moves"], turn["seat"]), (["I12-I11"], "w"))
        bot = self.started("three-way")
        self.assertEqual(self.told(bot, f"position fen {THREE_WAY}", go)["seat"], "g")

    def test_a_freed_promotion_leaves_the_turn(self):
        bot = self.started()
        for moves, seat in (("QL6-QL4", "w"), ("QL6-QL4 a8B=R", "w"),
                            ("QL6-QL4 a8B=R c1W-c2W", "b"),
                            ("0-0 0-0-0 b7B-b8B=Q QL1-QL3=Q", "b")):
            bot.begin_game()
            turn = self.told(bot, f"position fen {TRI_D} moves {moves}", "go legal a1-a2")
            self.assertEqual(turn["seat"], seat, moves)

    def test_memory_and_randomness_belong_to_a_game(self):
        bot = self.started()
        games = []
        for seed in (5, 5, 6):
            bot.begin_game(seed)
            turns = [self.told(bot, "position startpos", "go legal 0-0") for _ in range(3)]
            self.assertEqual([turn["turns"] for turn in turns], [1, 2, 3])
            games.append([turn["random"] for turn in turns])
        self.assertEqual(games[0], games[1])
        self.assertEqual(len(set(games[0] + games[2])), 6)

    def test_random_numbers_are_uniform(self):
        bot = self.started()
        bot.begin_game(3)
        bot.send(*["position startpos", "go legal 0-0"] * 1000)
        numbers = []
        for _ in range(1000):
            lines = bot.lines_until("bestmove")
            numbers.append(json.loads(lines[0].removeprefix("info string "))["random"])
        self.assertLess(abs(sum(numbers) / 1000 - 0.5), 0.04)  # four standard errors
        for low in range(10):
            count = sum(low <= 10 * number < low + 1 for number in numbers)
            self.assertLess(abs(count - 100), 40)

    # --- Options. ---

    def test_options_have_their_types(self):
        bot = self.started(**{"Fast": "false", "Level": -1, "Book": "a b  \u2654",
                              "Two words": "<empty>"})
        options = self.told(bot, "position startpos", "go legal 0-0")["options"]
        self.assertIs(options["Fast"], False)
        self.assertEqual(options["Level"], -1)
        self.assertEqual(options["Book"], "a b  \u2654")
        self.assertEqual(options["Two words"], "")

    def test_an_unknown_option_is_reported(self):
        bot = self.started()
        bot.send("setoption name Levle value 3", "isready")
        self.assertEqual(bot.line(), "info string there is no option Levle")
        self.assertEqual(bot.line(), "readyok")

    def test_a_bad_value_ends_the_program(self):
        for name, value in (("Level", 10), ("Level", -2), ("Level", "x"), ("Level", "1.5"),
                            ("Level", ""), ("Fast", "yes"), ("Does", "nothing"),
                            ("UCI_Variant", "chess")):
            bot = self.started()
            bot.send(f"setoption name {name} value {value}")
            self.assertIsNone(bot.line())
            self.assertEqual(bot.exit_code(), 1)
            self.assertRegex(bot.errors(), f"^error: option {name} is '{value}'; expected .*\n$")

    # --- What the bot answers. ---

    def test_it_reports_its_evaluation(self):
        bot = self.started()
        bot.send("position startpos", "go legal a2W-a3W a2W-a3N 0-0")
        self.assertEqual(bot.lines_until("bestmove")[1:], [
            "info depth 3 nodes 40 score shares 0.500000 0.333333 0.166667 pv a2W-a3W a2W-a3N",
            "bestmove a2W-a3W"])

    def test_it_resigns(self):
        bot = self.started(Does="resign")
        bot.send("position startpos", "go legal 0-0")
        self.assertEqual(bot.line(), "bestmove resign")

    def test_it_recognizes_a_rejected_claim(self):
        bot = self.started(Does="claim")
        for turn in ("position startpos", "position startpos moves a2W-a3W b7B-b6B"):
            bot.send(turn, "go legal 0-0")
            self.assertEqual(bot.line(), "bestmove claim")
            bot.send(turn, "go legal 0-0")
            self.assertEqual(bot.line(), "bestmove 0-0")

    # --- Stop and exit. ---

    def test_it_thinks_until_it_is_stopped(self):
        bot = self.started(Does="think")
        for _ in range(3):
            bot.send("position startpos", "go legal 0-0")
            self.assertEqual(bot.line(), "info nodes 0")
            self.assertTrue(bot.is_silent(0.1))
            began = time.monotonic()
            bot.send("stop")
            lines = bot.lines_until("bestmove")
            self.assertLess(time.monotonic() - began, 1)
            self.assertGreater(int(lines[0].split()[2]), 1000)  # of about 50 000

    def test_a_stop_is_for_its_own_turn(self):
        bot = self.started(Does="think")
        bot.send("position startpos", "go legal 0-0", "stop")
        self.assertEqual(bot.move(), "0-0")
        # A late stop must not affect a later turn.
        bot.send("stop", "position startpos", "go legal 0-0")
        self.assertEqual(bot.line(), "info nodes 0")
        self.assertTrue(bot.is_silent(0.1))
        bot.send("stop")
        self.assertEqual(bot.move(), "0-0")

    def test_it_exits_while_it_thinks(self):
        for end in (lambda bot: bot.send("quit"), lambda bot: bot.close_input()):
            bot = self.started(Does="think")
            bot.send("position startpos", "go legal 0-0")
            self.assertEqual(bot.line(), "info nodes 0")
            end(bot)
            self.assertEqual(bot.exit_code(), 0)
            self.assertEqual(bot.errors(), "")

    def test_an_exception_ends_the_program(self):
        for does, message in (("throw", "thrown for a test"),
                              ("answer_nothing", "expected a move as text, RESIGN or CLAIM")):
            bot = self.started(Does=does)
            bot.send("position startpos", "go legal 0-0")
            self.assertIsNone(bot.line())
            self.assertEqual(bot.exit_code(), 1)
            self.assertIn(message, bot.errors().splitlines()[-1])
            self.assertRegex(bot.errors(), r"bot\.(py|js)\b")  # the location of the error

    def test_two_seats_use_two_processes(self):
        bots = [self.started(), self.started()]
        for turns in (1, 2):
            for bot in bots:
                self.assertEqual(
                    self.told(bot, "position startpos", "go legal 0-0")["turns"], turns)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", required=True, choices=referee.HELPERS)
    arguments, rest = parser.parse_known_args()
    Helper.language = arguments.language
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
