#!/usr/bin/env python3
"""Tests an example bot with a referee for docs/bot-protocol.md.

  check_example.py --bot python/taker --triarch build/release/triarch
"""

import argparse
import re
import sys
import time
import unittest

import referee

OPTION = re.compile(r"option name (\S+) type (check default (true|false)|string default \S+"
                    r"|spin default -?\d+ min -?\d+ max -?\d+|combo default \S+( var \S+)+)")
LEGAL = "a2W-a3W a2W-a3N b2W-b3W b2W-b3N c2W-c3W c2W-c3N d2W-d3W d2W-d3N 0-0 QL1-QL3".split()
GO = "go nodes 100 legal " + " ".join(LEGAL)


class Example(unittest.TestCase):
    folder = None
    rules = None

    def started(self, **how):
        language = self.folder.relative_to(referee.SDK / "examples").parts[0]
        files = [file for file in self.folder.iterdir() if file.is_file()]
        files += referee.helpers_for(language)
        bot = referee.Bot(referee.COMMANDS[language], files, **how)
        self.enterContext(bot)
        return bot

    def test_it_is_short(self):
        for file in self.folder.glob("bot.*"):
            self.assertLess(len(file.read_text().splitlines()), 60, file)

    def test_it_introduces_itself(self):
        lines = self.started().start()
        self.assertRegex(lines[0], r"id name \S+ \d")
        options = {}
        for line in lines[1:-1]:
            self.assertRegex(line, OPTION)
            options[line.split()[2]] = line.split()[4:]
        self.assertEqual(options["UCI_Variant"][0], "combo")
        for game in referee.SEATS:
            self.assertIn(game, options["UCI_Variant"][4::2])
        self.assertEqual(options["LegalMoves"], ["check", "default", "false"])
        self.assertEqual(options["Seed"][0], "string")

    def test_it_follows_the_protocol(self):
        bot = self.started()
        bot.start(game="tri-d")
        bot.send("ucinewgame")
        bot.send("isready")
        self.assertEqual(bot.line(), "readyok")
        bot.send("position startpos")
        bot.send("go nodes 1000 legal a2W-a3W a2W-a3N")
        self.assertIn(bot.move(), ["a2W-a3W", "a2W-a3N"])
        bot.send("position startpos moves a2W-a3W b7B-b6B")
        bot.send("go wtime 60000 btime 60000 winc 100 binc 100 depth 3 legal a3W-a4W")
        self.assertEqual(bot.move(), "a3W-a4W")
        bot.send("position fen QL1,KL1,QL6,KL6 4/4/4/1K2|4/4/4/4|1k2/4/4/4|2/2|2/2|2/2|2/2 w - - "
                 "3 9 moves b1W-a1W")
        bot.send("go movetime 1000 legal b8B-a8B")
        self.assertEqual(bot.move(), "b8B-a8B")
        bot.send("quit")
        self.assertEqual(bot.line(), None)
        self.assertEqual(bot.exit_code(), 0)
        self.assertEqual(bot.errors(), "")

    def test_it_plays_all_games(self):
        for game, letters in referee.SEATS.items():
            bots = [self.started() for _ in letters]
            for bot in bots:
                bot.start(game)
            for seed in (1, 2):
                for bot in bots:
                    bot.begin_game(seed)
                self.assertEqual(len(referee.play(self.rules, game, bots, plies=10)), 10)

    def moves_with_seed(self, bot, seed):
        bot.begin_game(seed)
        moves = []
        for _ in range(20):
            bot.send(referee.position_words(moves), GO)
            moves.append(bot.move())
        return moves

    def test_a_seed_repeats_its_moves(self):
        bot = self.started()
        bot.start()
        first = self.moves_with_seed(bot, 7)
        second = self.moves_with_seed(bot, 18446744073709551615)
        self.assertNotEqual(first, second)
        self.assertEqual(self.moves_with_seed(bot, 7), first)
        anew = self.started()
        anew.start()
        self.assertEqual(self.moves_with_seed(anew, 18446744073709551615), second)

    def test_it_plays_every_legal_move(self):
        bot = self.started()
        bot.start()
        moves = set()
        for seed in range(100):
            bot.begin_game(seed)
            bot.send("position startpos", GO)
            moves.add(bot.move())
        self.assertEqual(moves, set(LEGAL))

    def test_it_ignores_a_late_stop(self):
        bot = self.started()
        bot.start()
        bot.begin_game()
        for _ in range(3):
            bot.send("position startpos", GO, "stop")
            self.assertIn(bot.move(), LEGAL)
        bot.send("stop", "isready")
        self.assertEqual(bot.line(), "readyok")

    def test_it_ignores_unknown_commands(self):
        bot = self.started()
        bot.start()
        bot.send("", "   ", "xyzzy", "gonzo 1 2", "debug on", "ponderhit", "positional", "\u2654",
                 "stop", "isready")
        self.assertEqual(bot.line(), "readyok")
        bot.send("setoption name NoSuchOption value 3", "setoption name NoSuchButton", "isready")
        self.assertEqual(bot.lines_until("readyok")[-1], "readyok")
        bot.send("position startpos", "go ponderwhat 3 " + GO.removeprefix("go "))
        self.assertIn(bot.move(), LEGAL)

    def test_lines_may_end_with_a_carriage_return(self):
        bot = self.started(newline="\r\n")
        bot.start()
        bot.begin_game()
        for _ in range(20):
            bot.send("position startpos", GO)
            self.assertIn(bot.move(), LEGAL)
        bot.send("quit")
        self.assertEqual(bot.exit_code(), 0)

    def test_it_exits_when_its_input_ends(self):
        bot = self.started()
        bot.start()
        bot.close_input()
        self.assertEqual(bot.line(), None)
        self.assertEqual(bot.exit_code(), 0)

    def test_it_is_quick(self):
        """Checks speed late in a long game. The limit is ten times what it needs."""
        bot = self.started()
        bot.start()
        bot.begin_game()
        began = time.monotonic()
        for _ in range(100):
            bot.send(referee.position_words(LEGAL * 20), "go nodes 1 legal " + " ".join(LEGAL * 10))
            bot.move()
        self.assertLess(time.monotonic() - began, 5)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bot", required=True, metavar="FOLDER", help="in bots/sdk/examples")
    parser.add_argument("--triarch", required=True, metavar="FILE")
    arguments, rest = parser.parse_known_args()
    Example.folder = referee.SDK / "examples" / arguments.bot
    Example.rules = referee.Rules(arguments.triarch)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
