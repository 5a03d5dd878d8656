#!/usr/bin/env python3
"""Tests the SDK's clients in Python and JavaScript, and their examples, at a real arena.

  sdk_test.py ClientsTest     games, accounts, events
  sdk_test.py BotsTest        what bots do, right and wrong
"""

import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

SDK = pathlib.Path(__file__).parents[2] / "bots" / "sdk"
sys.path.insert(0, str(SDK / "python"))
import triarch_arena  # noqa: E402

from server import Arena  # noqa: E402


def choose(turn):
    return random.choice(turn.moves)


class SdkTest(unittest.TestCase):
    def setUp(self):
        self.serve()
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for file in (SDK / "python/triarch_arena.py", SDK / "javascript/triarch_arena.mjs",
                     SDK / "examples/python/arena/bot.py",
                     SDK / "examples/javascript/arena/bot.mjs"):
            shutil.copy(file, folder)
        self.folder = folder

    def serve(self, fill_seconds=1, move_seconds=300, **options):
        self.arena = self.enterContext(
            Arena("--house-bots", "random,greedy", "--fill-seconds", str(fill_seconds),
                  "--move-seconds", str(move_seconds), **options))
        self.url = "http://" + self.arena.address

    def start(self, *command):
        return subprocess.Popen(command, cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)


class ClientsTest(SdkTest):
    def test_the_examples_play_all_games(self):
        for game in ("triumvirate", "three-way", "tri-d"):
            with self.subTest(game):
                bots = [self.start(sys.executable, "bot.py", self.url, game, "Python"),
                        self.start("node", "bot.mjs", self.url, game, "JavaScript")]
                outputs = [bot.communicate(timeout=60)[0] for bot in bots]
                self.assertEqual([bot.returncode for bot in bots], [0, 0], outputs)
                self.assertRegex(outputs[0], r"Result\(table='.*place=[123]")
                self.assertRegex(outputs[1], r"place: [123]")
                names = {player["name"]
                         for player in next(triarch_arena.Arena(self.url).games(game))["players"]}
                self.assertLessEqual({"Python", "JavaScript"}, names)

    def test_restarts_are_waited_out(self):
        self.serve(linger=3)
        results = []

        def slowly(turn):
            time.sleep(0.02)
            return random.choice(turn.moves)

        def play(name):
            results.append(triarch_arena.play(self.url, slowly, game="tri-d", name=name))

        players = [threading.Thread(target=play, args=(name,)) for name in ("Ann", "Ben")]
        for player in players:
            player.start()
        for _ in range(2):
            time.sleep(0.7)
            self.arena.end()
            self.arena.start()
        for player in players:
            player.join()
        self.assertEqual([result.table for result in results], [results[0].table] * 2)
        self.assertEqual(results[0].places, results[1].places)

    def test_an_account_and_its_events(self):
        arena = triarch_arena.Arena(self.url)
        arena.key = arena.claim_name("Zoë")
        result = arena.play(choose, game="tri-d")
        events = list(arena.events(result.table))
        self.assertEqual(events[-1]["result"]["places"], result.places)
        self.assertEqual(arena.game(result.table)["events"], events)
        self.assertIn('[White "', arena.tpgn(result.table))
        old = arena.key
        self.assertNotEqual(arena.renew_key("Zoë"), old)
        with self.assertRaises(triarch_arena.ArenaError) as refused:
            triarch_arena.Arena(self.url, old).join("tri-d")
        self.assertEqual(refused.exception.status, 401)
        self.assertEqual(arena.player("Zoë")["name"], "Zoë")

    def test_the_bots_of_the_document_play(self):
        text = (SDK.parents[1] / "docs" / "arena.md").read_text(encoding="utf-8")
        for language, program, file in (("python", sys.executable, "mine.py"),
                                        ("js", "node", "mine.mjs")):
            code = re.search(rf"```{language}\n(.*?)```", text, re.DOTALL)[1]
            self.assertLessEqual(len(code.splitlines()), 20)
            self.assertIn("http://127.0.0.1:8080", code)
            (self.folder / file).write_text(code.replace("http://127.0.0.1:8080", self.url),
                                            encoding="utf-8")
            output = self.start(program, file).communicate(timeout=60)[0]
            self.assertRegex(output, "place[=:] ?[12]")

    def test_an_end_has_no_more_events(self):
        arena = triarch_arena.Arena(self.url)
        result = arena.play(lambda turn: triarch_arena.RESIGN, game="tri-d", name="Ann",
                            opponents=["random"])
        events = list(arena.events(result.table))
        self.assertEqual(list(arena.events(result.table, after=len(events) - 1)), events[-1:])
        self.assertEqual(list(arena.events(result.table, after=len(events))), [])

    def test_accounts_meet_in_a_rated_game(self):
        script = """
            import { Arena, RESIGN } from "./triarch_arena.mjs";
            const arena = new Arena(process.argv[2]);
            arena.key = await arena.claimName("Ann");
            const { place } = await arena.play((turn) => turn.rated ? RESIGN : "", { game: "tri-d" });
            console.log(place);
        """
        (self.folder / "script.mjs").write_text(script, encoding="utf-8")
        self.serve(fill_seconds=60)
        other = self.start("node", "script.mjs", self.url)
        key = triarch_arena.Arena(self.url).claim_name("Ben")
        result = triarch_arena.play(self.url, choose, key=key, game="tri-d")
        self.assertEqual((other.communicate(timeout=60)[0], result.place), ("2\n", 1))
        self.assertTrue(triarch_arena.Arena(self.url).game(result.table)["rated"])

    def test_javascript_reads_everything(self):
        script = """
            import { Arena } from "./triarch_arena.mjs";
            const arena = new Arena(process.argv[2]);
            arena.key = await arena.claimName("Ann");
            const random = (turn) => turn.moves[Math.floor(Math.random() * turn.moves.length)];
            const result = await arena.play(random, { game: "three-way" });
            const events = [];
            for await (const event of arena.events(result.table)) events.push(event);
            const game = await arena.game(result.table);
            if (JSON.stringify(game.events) !== JSON.stringify(events)) throw new Error("events");
            for await (const listed of arena.games("three-way")) {
              if (listed.table !== result.table) throw new Error("games");
            }
            const seat = await arena.join({ game: "tri-d", opponents: ["random"], rated: false });
            const fault = await seat.play(() => "nonsense").catch((error) => error.status);
            if (fault !== 422) throw new Error(`an illegal move: ${fault}`);
            console.log("done");
        """
        (self.folder / "script.mjs").write_text(script, encoding="utf-8")
        bot = self.start("node", "script.mjs", self.url)
        self.assertEqual(bot.communicate(timeout=60)[0], "done\n")


class BotsTest(SdkTest):
    def test_games_in_a_row_and_chat(self):
        script = """
            import { play, RESIGN } from "./triarch_arena.mjs";
            const choose = (turn) => turn.ply < 2 ? [turn.moves[0], "Salut"] : RESIGN;
            const results = await play(process.argv[2], choose,
              { games: 2, game: "tri-d", name: "Ann", seat: "white", opponents: ["random"] });
            console.log(results.map(({ table, place }) => `${table} ${place}`).join("\\n"));
        """
        (self.folder / "script.mjs").write_text(script, encoding="utf-8")
        lines = self.start("node", "script.mjs", self.url).communicate(timeout=60)[0].splitlines()
        results = triarch_arena.play(
            self.url,
            lambda turn: (turn.moves[0], "Salut") if turn.ply < 2 else triarch_arena.RESIGN,
            games=2, game="tri-d", name="Ann", seat="white", opponents=["random"])
        lines += [f"{result.table} {result.place}" for result in results]
        self.assertEqual([line[-2:] for line in lines], [" 2"] * 4)
        self.assertEqual(len(set(lines)), 4)
        for line in lines:
            events = triarch_arena.Arena(self.url).events(line.split()[0])
            moved = next(event for event in events if event["kind"] == "moved")
            self.assertEqual(moved["message"], "Salut")

    def test_bots_that_are_too_slow(self):
        """They lose their seats at the fifth timeout."""
        self.serve(fill_seconds=60, move_seconds=1)
        script = """
            import { play } from "./triarch_arena.mjs";
            console.warn = (text) => console.log(/too slow/.test(text));
            const choose = async (turn) => {
              await new Promise((wake) => setTimeout(wake, 1500));
              return turn.moves[0];
            };
            const result = await play(process.argv[2], choose, { game: "triumvirate", name: "B" });
            console.log(result.place, result.termination);
        """
        (self.folder / "script.mjs").write_text(script, encoding="utf-8")

        def slowly(turn):
            time.sleep(1.5)
            return turn.moves[0]

        def until_they_are_gone(turn):
            is_alone = sum(player["replaced"] for player in turn.players) == 2
            return triarch_arena.RESIGN if is_alone else random.choice(turn.moves)

        quick = threading.Thread(target=lambda: triarch_arena.play(
            self.url, until_they_are_gone, game="triumvirate", name="A"))
        quick.start()
        other = self.start("node", "script.mjs", self.url)
        seat = triarch_arena.Arena(self.url).join("triumvirate", name="C")
        with self.assertLogs("triarch_arena") as log:
            result = seat.play(slowly)
        self.assertEqual((result.place, result.termination), (None, "replaced"))
        self.assertGreater(len(log.output), 0)
        for line in log.output:
            self.assertIn("the bot was too slow", line)
        *warnings, last = other.communicate(timeout=60)[0].splitlines()
        self.assertEqual((set(warnings), last), ({"true"}, "null replaced"))
        quick.join()
        # Also for a bot that comes back after the end of the game.
        self.assertEqual(seat.turn(wait=0).stage, "finished")
        self.assertEqual(seat.play(slowly), result)
        script = """
            import { Arena, Seat } from "./triarch_arena.mjs";
            const seat = new Seat(new Arena(process.argv[2]), { token: process.argv[3] });
            console.log((await seat.play(() => "")).termination);
        """
        (self.folder / "script.mjs").write_text(script, encoding="utf-8")
        again = self.start("node", "script.mjs", self.url, seat.token)
        self.assertEqual(again.communicate(timeout=60)[0], "replaced\n")

    def test_ctrl_c_resigns(self):
        script = """if True:
            import sys, time, triarch_arena
            def choose(turn):
                print(turn.table, flush=True)
                time.sleep(60)
            triarch_arena.play(sys.argv[1], choose, game="tri-d", name="Ann", opponents=["random"])
        """
        bot = self.start(sys.executable, "-c", script, self.url)
        table = bot.stdout.readline().strip()
        bot.send_signal(signal.SIGINT)
        self.assertIn("KeyboardInterrupt", bot.communicate(timeout=60)[0])
        game = triarch_arena.Arena(self.url).game(table)
        self.assertEqual(game["result"]["termination"], "resignation")

    def test_what_a_bot_does_wrong(self):
        for wrong, error in ((lambda turn: "nonsense", triarch_arena.ArenaError),
                             (lambda turn: 1 / 0, ZeroDivisionError),
                             (lambda turn: triarch_arena.CLAIM, triarch_arena.ArenaError)):
            arena = triarch_arena.Arena(self.url)
            seat = arena.join("tri-d", name="Ann", opponents=["random"])
            with self.assertRaises(error):
                seat.play(wrong)
            turn = seat.turn(wait=0)
            self.assertEqual(turn.result["termination"], "resignation")
        result = arena.play(lambda turn: triarch_arena.RESIGN, game="tri-d", name="Ann",
                            opponents=["random"])
        self.assertEqual((result.place, result.termination), (2, "resignation"))


if __name__ == "__main__":
    unittest.main()
