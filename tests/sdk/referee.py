"""Implements the referee's side of docs/bot-protocol.md, for tests of bots."""

import os
import pathlib
import queue
import shutil
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SDK = ROOT / "bots" / "sdk"
COMMANDS = {
    "python": ["python3", "bot.py"],
    # Some distributions have only one of the two names.
    "javascript": [shutil.which("node") or "nodejs", "bot.js"],
    "shell": ["sh", "bot.sh"],
}
# The SDK file to copy next to a bot in this language; a shell script needs none.
HELPERS = {"python": "triarch_bot.py", "javascript": "triarch_bot.js"}
# Letters of the seats in the order of play, and the field of a position's text that holds the seat
# to move.
SEATS = {"triumvirate": "wbr", "three-way": "wgb", "tri-d": "wb"}
ACTIVE_FIELD = {"triumvirate": 1, "three-way": 3, "tri-d": 2}

ANSWER_SECONDS = 10  # as documented; far more than these bots need


def helpers_for(language):
    """Returns the files to copy next to a bot in this language."""
    return [SDK / language / HELPERS[language]] if language in HELPERS else []


class Bot:
    """A running bot, in a folder that contains only the given files."""

    def __init__(self, command, files, newline="\n"):
        self._newline = newline
        self._folder = tempfile.TemporaryDirectory(prefix="triarch_bot_")
        for file in files:
            shutil.copy(file, self._folder.name)
        self._errors = tempfile.TemporaryFile("w+")
        self._process = subprocess.Popen(
            command, cwd=self._folder.name, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self._errors, env={"PATH": os.environ["PATH"], "HOME": self._folder.name})
        self._lines = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            self._lines.put(line.decode().rstrip("\n"))
        self._lines.put(None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self.exit_code()
        self._reader.join()
        self._process.stdin.close()
        self._process.stdout.close()
        self._errors.close()
        self._folder.cleanup()

    def send(self, *lines):
        """Sends all lines in one write."""
        text = "".join(line + self._newline for line in lines)
        self._process.stdin.write(text.encode())
        self._process.stdin.flush()

    def close_input(self):
        self._process.stdin.close()

    def line(self, seconds=ANSWER_SECONDS):
        """Returns the next line, or None if the bot closed its output."""
        try:
            return self._lines.get(timeout=seconds)
        except queue.Empty:
            raise AssertionError(f"no line within {seconds} s; standard error: {self.errors()}")

    def is_silent(self, seconds):
        """Returns whether the bot writes nothing for `seconds`."""
        time.sleep(seconds)
        return self._lines.empty()

    def lines_until(self, command):
        """Returns the lines up to and including the one that begins with `command`."""
        lines = []
        while not lines or lines[-1].split()[:1] != [command]:
            line = self.line()
            assert line is not None, f"the bot ended after {lines}: {self.errors()}"
            lines.append(line)
        return lines

    def start(self, game="tri-d", options=()):
        """Does the handshake. Returns the lines with which the bot introduced itself."""
        self.send("uci")
        introduction = self.lines_until("uciok")
        self.send(f"setoption name UCI_Variant value {game}",
                  "setoption name LegalMoves value true",
                  *(f"setoption name {name} value {value}"
                    for name, value in dict(options).items()),
                  "isready")
        assert self.line() == "readyok"
        return introduction

    def begin_game(self, seed=1):
        self.send(f"setoption name Seed value {seed}", "ucinewgame", "isready")
        assert self.line() == "readyok"

    def move(self):
        """Returns the answer to a `go`, skipping info lines."""
        return self.lines_until("bestmove")[-1].split()[1]

    def exit_code(self):
        return self._process.wait(timeout=ANSWER_SECONDS)

    def errors(self):
        self._errors.seek(0)
        return self._errors.read()


class Rules:
    """The rules of the games, as the triarch binary knows them."""

    def __init__(self, binary):
        self._binary = binary

    def _ask(self, *words):
        return subprocess.run([self._binary, *words], check=True, capture_output=True,
                              text=True).stdout.splitlines()

    def after(self, game, moves):
        """Returns the position after these moves from the start, and whether the game is over."""
        lines = self._ask("play", "--game", game, *moves)
        return lines[0], len(lines) > 1

    def legal_moves(self, game, position):
        return self._ask("moves", "--game", game, "--position", position)


def position_words(moves):
    return "position startpos" + (" moves " + " ".join(moves) if moves else "")


def play(rules, game, bots, plies, limit="nodes 100"):
    """Plays at most `plies` plies from the start, with bots[i] on seat i. Returns the moves."""
    moves = []
    while len(moves) < plies:
        position, is_over = rules.after(game, moves)
        if is_over:
            break
        legal = rules.legal_moves(game, position)
        bot = bots[SEATS[game].index(position.split()[ACTIVE_FIELD[game]].lower())]
        bot.send(position_words(moves), f"go {limit} legal {' '.join(legal)}")
        move = bot.move()
        assert move in legal, f"{move} is not legal in {position}"
        moves.append(move)
    return moves
