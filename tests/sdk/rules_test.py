#!/usr/bin/env python3
"""Tests `triarch rules`, and the examples that ask it, in Triarch's sandbox.

  rules_test.py build/release/triarch
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SDK = pathlib.Path(__file__).resolve().parents[2] / "bots" / "sdk"
TRIARCH = sys.argv.pop(1)
sys.path.insert(0, str(SDK / "python"))


def ask(game, *questions):
    """Sends all questions at once and returns the answers."""
    done = subprocess.run([TRIARCH, "rules", "--game", game], capture_output=True, check=False,
                          input="".join("\t".join(words) + "\n" for words in questions), text=True)
    assert (done.returncode, done.stderr) == (0, ""), done
    return [json.loads(line) for line in done.stdout.splitlines()]


class RulesTest(unittest.TestCase):
    def test_answers_agree_with_the_commands(self):
        for game, move in (("triumvirate", "E2-E4"), ("three-way", "h5-h7"), ("tri-d", "b3W-b4N")):
            look, children, played = ask(game, ("look", "startpos"), ("children", "startpos"),
                                         ("play", "startpos", move))

            def call(*options, game=game):
                return subprocess.run([TRIARCH, *options, "--game", game], capture_output=True,
                                      text=True, check=True).stdout.splitlines()
            self.assertEqual(sorted(look["moves"]), call("moves"))
            self.assertEqual(played["position"], call("play", move)[0])
            self.assertEqual([child["move"] for child in children["children"]], look["moves"])
            child = next(child for child in children["children"] if child["move"] == move)
            self.assertEqual({**child, "moves": played["moves"]}, {**played, "move": move})
            self.assertEqual(played["seat"], 1)
            self.assertIsNone(played["places"])

    def test_plays_several_moves_to_the_end(self):
        moves = subprocess.run([TRIARCH, "moves"], capture_output=True, text=True, check=True)
        self.assertIn("E2-E4", moves.stdout)
        answer, = ask("triumvirate", ("play", "startpos", "E2-E4 D7-D6 I11-I10"))
        self.assertEqual(answer["seat"], 0)
        attackers, = ask("triumvirate", ("attackers", answer["position"], "D3"))
        self.assertEqual(sorted(attackers["attackers"]), ["C2", "F1"])

    def test_explains_errors_and_goes_on(self):
        answers = ask("tri-d", ("dance",), ("look",), ("look", "nonsense"),
                      ("play", "startpos", "E2-E4"), ("attackers", "startpos", "q9"),
                      ("play", "startpos"), ("look", "startpos"))
        expected = ["unknown question \"dance\"; expected look", "look: 0 words", "field",
                    "E2-E4: ", "no cell \"q9\"", "expected a position and moves"]
        for answer, text in zip(answers, expected):
            self.assertIn(text, answer["error"])
        self.assertEqual(len(answers[-1]["moves"]), 40)
        done = subprocess.run([TRIARCH, "rules", "--game", "chess"], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 2)

    def test_the_helper_wraps_it(self):
        os.environ["TRIARCH_PROGRAM"] = TRIARCH
        import triarch_bot
        rules = triarch_bot._rules_of("triumvirate")
        start = triarch_bot.State(rules, rules.ask("look", "startpos"))
        after = start.play("E2-E4")
        self.assertEqual((start.seat, after.seat), (0, 1))
        self.assertIn("D7-D6", after.legal)
        move, child = start.children()[0]
        self.assertEqual(child.text, start.play(move).text)
        self.assertEqual(child.legal, start.play(move).legal)
        self.assertEqual(sorted(after.attackers("D3")), ["C2", "F1"])
        with self.assertRaisesRegex(ValueError, "E2-E9: "):
            start.play("E2-E9")

    def test_the_examples_win_in_the_sandbox(self):
        for language, command in (("python", ["python3", "bot.py"]), ("javascript",
                                                                     ["node", "bot.js"])):
            with tempfile.TemporaryDirectory() as folder:
                shutil.copytree(SDK / "examples" / language / "searcher", folder,
                                dirs_exist_ok=True)
                for helper in (SDK / language).iterdir():
                    if helper.is_file():
                        shutil.copy(helper, folder)
                for game, others in (("tri-d", ["random"]), ("triumvirate", ["random", "greedy"])):
                    spec = pathlib.Path(folder) / "run.yaml"
                    spec.write_text(json.dumps({
                        "game": game, "games": 6 if game == "tri-d" else 3, "seed": 2,
                        "bots": others + [{"name": "mine", "command": command, "dir": folder}]}),
                        encoding="utf-8")
                    done = subprocess.run([TRIARCH, "run", str(spec), "--json"], cwd=folder,
                                          capture_output=True, text=True, check=False)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    bots = {bot["name"]: bot for bot in json.loads(done.stdout)["bots"]}
                    self.assertEqual(set(bots["mine"]["faults"].values()), {0}, done.stderr)
                    self.assertGreater(bots["mine"]["points"], bots["random"]["points"])
                    for file in pathlib.Path(folder).glob("*.db*"):
                        file.unlink()


if __name__ == "__main__":
    unittest.main()
