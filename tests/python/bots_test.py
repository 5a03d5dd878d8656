#!/usr/bin/env python3
"""Tests bundled bots as objects, Python classes as process bots, and tournaments."""

import pathlib
import tempfile
import threading
import time
import unittest

import triarch

PACKAGE = pathlib.Path(triarch.__file__).resolve().parent


class BotTest(unittest.TestCase):
    def test_searchers_choose_legal_moves(self):
        for game in triarch.GAMES:
            for name in ("random", "greedy", "smart", "paranoid", "maxn", "mcts"):
                options = {} if name in ("random", "greedy", "smart") else {"nodes": 200}
                bot = triarch.bot(name, **options)
                state = triarch.State(game)
                for _ in range(3):
                    move = bot.choose(state)
                    self.assertIn(move, state.legal_moves())
                    state.play(move)

    def test_analyses(self):
        state = triarch.State("three-way")
        bot = triarch.bot("mcts", nodes=300)
        found = bot.analyse(state)
        self.assertEqual(found.line[0], str(found.move))
        self.assertAlmostEqual(sum(found.shares), 1)
        self.assertAlmostEqual(sum(found.policy.values()), 1, places=4)
        self.assertEqual(len(found.policy), len(state.legal_moves()))
        self.assertLessEqual(found.nodes, 300)
        self.assertEqual(triarch.bot("mcts", nodes=300).analyse(state), found)
        self.assertEqual(repr(bot), "triarch.bot('mcts', nodes=300)")

    def test_takes_limits_and_stops(self):
        state = triarch.State("tri-d")
        bot = triarch.bot("paranoid")
        self.assertLessEqual(bot.analyse(state, nodes=500).nodes, 500)
        began = time.monotonic()
        timer = threading.Timer(0.1, bot.stop)
        timer.start()
        bot.analyse(state, nodes=10**12)
        self.assertLess(time.monotonic() - began, 20)
        timer.join()

    def test_explains_bad_options(self):
        for arguments, text in ((("stockfish",), "unknown bot"),):
            with self.assertRaisesRegex(triarch.TriarchError, text):
                triarch.bot(*arguments)
        with self.assertRaisesRegex(triarch.TriarchError, "nodes"):
            triarch.bot("mcts", nodes="many")
        state = triarch.State("tri-d").resign()
        with self.assertRaisesRegex(triarch.TriarchError, "the game is over"):
            triarch.bot("greedy").choose(state)


BOT = """import sys
sys.path.insert(0, {package!r})
import os
os.environ["TRIARCH_LIBRARY"] = {library!r}
import triarch


class Taker:
    def choose(self, state):
        assert state.legal_moves()
        return max(state.legal_moves(), key=lambda move: move.capture_gain)


triarch.serve(Taker)
"""


class RunTest(unittest.TestCase):
    def test_runs_a_tournament(self):
        result = triarch.run({"game": "tri-d", "bots": ["random", "greedy"], "games": 6})
        self.assertEqual([bot["name"] for bot in result.standings], ["greedy", "random"])
        self.assertEqual(len(result.games), 6)
        self.assertEqual(result.summary["games"]["recorded"], 6)
        self.assertIn(result.games[0]["termination"], triarch.games.TERMINATIONS)

    def test_a_class_plays_as_a_process_bot(self):
        import os
        with tempfile.TemporaryDirectory() as folder:
            bot = pathlib.Path(folder) / "bot.py"
            bot.write_text(BOT.format(package=str(PACKAGE.parent),
                                      library=os.environ["TRIARCH_LIBRARY"]), encoding="utf-8")
            for game in triarch.GAMES:
                spec = {"game": game, "games": 6, "bots": [
                    "random", {"name": "taker", "command": ["/usr/bin/python3", "bot.py"],
                               "dir": folder, "sandbox": "none"}]}
                if game != "tri-d":
                    spec["bots"].append("greedy")
                result = triarch.run(spec)
                taker = next(bot for bot in result.standings if bot["name"] == "taker")
                self.assertEqual(taker["faults"],
                                 {"time_forfeit": 0, "illegal_move": 0, "crash": 0})
                self.assertGreater(taker["points"], 0)

    def test_explains_failures(self):
        with self.assertRaisesRegex(triarch.TriarchError, "^.*game is \"chess\"; expected"):
            triarch.run({"game": "chess", "bots": ["random", "greedy"]})
        with self.assertRaisesRegex(triarch.TriarchError, "missing.yaml"):
            triarch.run("missing.yaml")
        with self.assertRaisesRegex(FileNotFoundError, "no-such-program"):
            triarch.run("game: tri-d\n", program="/no-such-program")


if __name__ == "__main__":
    unittest.main()
