"""Implements Triarch's bot protocol, so a bot is just a function that chooses a move:

    import triarch_bot

    def choose(turn):
        return turn.random.choice(turn.legal)

    triarch_bot.run(choose, name="My bot 1.0")

Copy this file into your bot's folder: a bot sees no other files. It needs Python 3.9 or newer and
no packages. An exception in the bot ends the program and thus the game; Python prints it to
standard error, which Triarch keeps. print() is harmless, but its output is not shown.
"""

import collections
import dataclasses
import functools
import json
import os
import random
import re
import select
import subprocess
import sys

RESIGN = "resign"
CLAIM = "claim"  # claims a draw by the rules

# Each game's seats in turn order, and the field of a position's text with the seat to move.
SEATS = {"triumvirate": "wbr", "three-way": "wgb", "tri-d": "wb"}
_ACTIVE_FIELD = {"triumvirate": 1, "three-way": 3, "tri-d": 2}

# --- the options of a bot: run(…, options={"Level": Spin(3, 1, 9)}) ---


@dataclasses.dataclass(frozen=True)
class Check:
    """True or False."""
    default: bool = False

    def declaration(self):
        return f"type check default {str(self.default).lower()}"

    def value_of(self, text):
        if text not in ("true", "false"):
            raise ValueError("true or false")
        return text == "true"


@dataclasses.dataclass(frozen=True)
class Spin:
    """A whole number from lowest to highest."""
    default: int
    lowest: int
    highest: int

    def declaration(self):
        return f"type spin default {self.default} min {self.lowest} max {self.highest}"

    def value_of(self, text):
        if not text.lstrip("-").isdecimal() or not self.lowest <= int(text) <= self.highest:
            raise ValueError(f"a number from {self.lowest} to {self.highest}")
        return int(text)


@dataclasses.dataclass(frozen=True)
class Combo:
    """One of several words; the first is the default: Combo(["calm", "wild"])."""
    values: list

    @property
    def default(self):
        return self.values[0]

    def declaration(self):
        return f"type combo default {self.default} var " + " var ".join(self.values)

    def value_of(self, text):
        if text not in self.values:
            raise ValueError("one of " + ", ".join(self.values))
        return text


@dataclasses.dataclass(frozen=True)
class String:
    """Any text."""
    default: str = ""

    def declaration(self):
        return f"type string default {self.default or '<empty>'}"

    def value_of(self, text):
        return "" if text == "<empty>" else text


# --- the rules, from a child process ---


class _Rules:
    """A running `triarch rules`. It counts against the bot's own time and limits."""

    def __init__(self, game):
        program = os.environ.get("TRIARCH_PROGRAM", "triarch")
        self._process = subprocess.Popen([program, "rules", "--game", game],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, *words):
        self._process.stdin.write("\t".join(words).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("triarch rules has ended")
        answer = json.loads(line)
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer


_rules_of = functools.cache(_Rules)


class State:
    """A position, without the history that repetition depends on.

    text     the position as text
    seat     the seat to move, 0, 1 or 2; `seats` of a turn has their letters
    scores   Triarch's evaluation for each seat, in hundredths of a pawn
    is_in    by seat: whether it has not been eliminated
    in_check by seat: whether its king is attacked
    places   by seat, once the position ends the game: 1 is best; otherwise None
    legal    the legal moves; none once the game is over
    """

    def __init__(self, rules, answer):
        self._rules = rules
        self.text = answer["position"]
        self.seat = answer["seat"]
        self.scores = answer["scores"]
        self.is_in = list(map(bool, answer["in"]))
        self.in_check = list(map(bool, answer["check"]))
        self.places = answer["places"]
        self._legal = answer.get("moves")

    @property
    def legal(self):
        if self._legal is None:
            self._legal = self._rules.ask("look", self.text)["moves"]
        return self._legal

    def play(self, move):
        """Returns the state after a move in any form of the game, or several, separated by
        spaces."""
        return State(self._rules, self._rules.ask("play", self.text, move))

    def children(self):
        """Returns (move, the state after it) for each legal move, at less cost than `play`."""
        answer = self._rules.ask("children", self.text)
        return [(child["move"], State(self._rules, child)) for child in answer["children"]]

    def attackers(self, cell):
        """Returns the cells of the pieces of all seats that attack a cell, pinned or not."""
        return self._rules.ask("attackers", self.text, cell)["attackers"]


# --- a turn ---


class Turn:
    """The request for a move.

    game        "triumvirate", "three-way" or "tri-d"
    position    before `moves`: "startpos", or a text (3PF, HexFEN or TFEN)
    moves       the moves played since then, by all seats
    legal       the legal moves
    seats       the letters of all seats in turn order: "wbr"
    seat        the letter of the bot's seat (derived from the moves if the host does not send it)
    can_claim   whether CLAIM would be granted now
    clocks, increments   milliseconds by seat letter; empty if there are no clocks
    moves_to_go     moves until the bot's clock gets more time; None if it never does
    movetime    milliseconds for this move, or None; nodes and depth likewise
    is_claim_refused     whether the bot has made an invalid draw claim this turn
    options     the values of the options, by name
    random      a random.Random seeded at the start of the game: take all randomness from it, so
                that games are reproducible
    memory      a dict for the bot's own use, empty at the start of each game
    state       the current State. Its first use starts a child process that knows the rules
    """

    def __init__(self, words, **facts):
        self.legal = []
        self.clocks = {}
        self.increments = {}
        self.can_claim = False
        self.movetime = self.nodes = self.depth = self.moves_to_go = None
        self.__dict__.update(facts)
        words = iter(words)
        for word in words:
            if word == "legal":
                self.legal = list(words)
            elif word == "seat":
                self.seat = next(words)
            elif word == "claimable":
                self.can_claim = True
            elif word in ("movetime", "nodes", "depth"):
                setattr(self, word, int(next(words)))
            elif word == "movestogo":
                self.moves_to_go = int(next(words))
            elif word.endswith("time"):
                self.clocks[word.removesuffix("time")] = int(next(words))
            elif word.endswith("inc"):
                self.increments[word.removesuffix("inc")] = int(next(words))

    @functools.cached_property
    def state(self):
        rules = _rules_of(self.game)
        if self.moves:
            return State(rules, rules.ask("play", self.position, " ".join(self.moves)))
        return State(rules, rules.ask("look", self.position))

    @property
    def budget_ms(self):
        """The recommended time for this move in milliseconds; None if there is no time limit. With
        a clock it is the same as for the bundled bots: 1/25 of the remaining time, or a larger
        share if the clock soon gets more time, plus the increment."""
        budgets = [] if self.movetime is None else [self.movetime]
        if self.seat in self.clocks:
            left = self.clocks[self.seat]
            shares = min(25, (self.moves_to_go or 25) + 1)
            budgets.append(min(left, left / shares + self.increments.get(self.seat, 0)))
        return min(budgets, default=None)

    def is_stopped(self):
        """Returns whether to answer now. Takes a few microseconds; call it about every hundred
        positions."""
        return self._lines.has_arrived("stop", "quit")

    def info(self, *, depth=None, nodes=None, shares=None, pv=(), string=None):
        """Reports the search: depth in plies, number of positions, each seat's expected share of
        the points, the expected line, and any text."""
        words = [f" depth {depth}" if depth is not None else "",
                 f" nodes {nodes}" if nodes is not None else "",
                 " score shares " + " ".join(f"{x:.6f}" for x in shares) if shares else "",
                 " pv " + " ".join(pv) if pv else ""]
        if any(words):
            _write("info" + "".join(words))
        if string is not None:
            _write("info string " + " ".join(str(string).splitlines()))


# --- the session ---


def _is_freed_promotion(game, move):
    """Returns whether the mover moves again: after promoting a pawn that the opponent's board move
    has freed, "a8B=Q". All other moves of Tri-D contain a dash."""
    return game == "tri-d" and "-" not in move


def _write(line):
    print(line, flush=True)


class _Lines:
    """The lines that arrive at a file descriptor. They can be inspected ahead of their turn, so
    a thinking bot sees `stop` without a thread."""

    def __init__(self, descriptor):
        self._descriptor = descriptor
        self._lines = collections.deque()
        self._rest = b""
        self._is_open = True

    def _read(self):
        chunk = os.read(self._descriptor, 65536)
        self._is_open = bool(chunk)
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        self._lines.extend(line.decode(errors="replace").strip() for line in lines)

    def __iter__(self):
        while True:
            while not self._lines and self._is_open:
                self._read()
            if not self._lines:
                return
            yield self._lines.popleft()

    def has_arrived(self, *wanted):
        """Returns whether one of these lines has arrived or the input has ended."""
        while self._is_open and select.select([self._descriptor], [], [], 0)[0]:
            self._read()
        return not self._is_open or any(line in wanted for line in self._lines)


class _Conversation:
    def __init__(self, choose, name, games, options):
        self._choose = choose
        self._name = name
        self._options = {"UCI_Variant": Combo(games), "LegalMoves": Check(), "Seed": String("0"),
                         **options}
        self._values = {name: option.default for name, option in self._options.items()}
        self._lines = _Lines(sys.stdin.fileno())
        self._begin_game()

    def hold(self):
        answers = {"uci": self._introduce, "setoption": self._set_option, "go": self._go,
                   "isready": lambda _: _write("readyok"), "position": self._set_position,
                   "ucinewgame": lambda _: self._begin_game()}
        for line in self._lines:
            command, _, rest = line.partition(" ")
            if command == "quit":
                return
            if command in answers:
                answers[command](rest)

    def _introduce(self, _):
        _write(f"id name {self._name}")
        for name, option in self._options.items():
            _write(f"option name {name} {option.declaration()}")
        _write("uciok")

    def _set_option(self, rest):
        name, text = re.fullmatch("(?:name )?(.*?)(?: value(?: (.*))?)?", rest).groups("")
        if name not in self._options:
            _write(f"info string there is no option {name}")
            return
        try:
            self._values[name] = self._options[name].value_of(text)
        except ValueError as error:
            # Playing on with another value would measure a different bot.
            sys.exit(f"error: option {name} is {text!r}; expected {error}")

    def _begin_game(self):
        self._position, self._moves = "startpos", []
        self._seat = None
        self._memory = {}
        self._random = random.Random(self._values["Seed"])
        self._claimed_at = None  # position and moves

    def _set_position(self, rest):
        position, _, moves = rest.partition(" moves")
        self._position = position.removeprefix("fen ")
        self._moves = moves.split()

    def _count_seat(self):
        """Returns the seat to move, assuming that no seat is out."""
        game = self._values["UCI_Variant"]
        first = 0
        if self._position != "startpos":
            first = SEATS[game].index(self._position.split()[_ACTIVE_FIELD[game]].lower())
        turns = sum(not _is_freed_promotion(game, move) for move in self._moves)
        return SEATS[game][(first + turns) % len(SEATS[game])]

    def _go(self, rest):
        if self._seat is None:
            self._seat = self._count_seat()
        game = self._values["UCI_Variant"]
        move = self._choose(Turn(
            rest.split(), game=game, position=self._position, moves=list(self._moves),
            seats=SEATS[game], seat=self._seat,
            is_claim_refused=self._claimed_at == (self._position, self._moves),
            options=dict(self._values), random=self._random, memory=self._memory,
            _lines=self._lines))
        if not isinstance(move, str):
            raise TypeError(f"the bot answered {move!r}; expected a move as text, RESIGN or CLAIM")
        # After an invalid claim the same turn is requested again.
        self._claimed_at = (self._position, self._moves) if move == CLAIM else None
        _write(f"bestmove {move}")


def run(choose, name, games=tuple(SEATS), options=None):
    """Runs the bot until Triarch sends `quit`. choose(turn) returns a move as text, RESIGN or
    CLAIM. `games` are the games that the bot plays, `options` its own options by name."""
    _Conversation(choose, name, games, options or {}).hold()
