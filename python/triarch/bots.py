"""Bundled bots as objects, Python classes as process bots, and tournaments."""

import ctypes
import inspect
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import NamedTuple, Optional

from . import _library
from ._library import TriarchError, check, quick, scratch, slow
from .games import find_game
from .state import Move, State

RESIGN = "resign"
CLAIM = "claim"


class Analysis(NamedTuple):
    """What a bot thinks of a position."""
    answer: object               # a Move, RESIGN or CLAIM
    move: Move                   # the move it would play, even if it resigns or claims
    nodes: int                   # positions searched
    shares: Optional[tuple]      # each seat's expected share of the points; None without an estimate
    line: list                   # the expected moves as texts, beginning with `move`
    policy: dict                 # the share of each legal move, by Move; empty if it has none


class Bot:
    """A bundled searcher. It remembers one game of one seat at a time: call `new_game` before each
    game. `choose` may run in several threads at once only for several bots.

    name     "random", "greedy", "smart", "paranoid", "maxn" or "mcts"
    seed     determines all random choices
    options  as in a tournament file: nodes=300, depth=2, …
    """

    def __init__(self, name: str, seed: int = 0, **options):
        self.name = name
        self.options = options
        self._seed = seed
        self._searches = {}
        self._make("tri-d")  # reports wrong options now

    def _make(self, game):
        if game not in self._searches:
            words = [text for name, value in self.options.items()
                     for text in (name.encode(), str(value).encode())]
            array = (ctypes.c_char_p * (len(words) + 1))(*words, None)
            made = ctypes.c_void_p()
            check(quick.triarch_search_create(
                find_game(game).number, self.name.encode(), ctypes.addressof(array),
                ctypes.addressof(made), scratch.error_at))
            quick.triarch_search_new_game(made, self._seed)
            self._searches[game] = made
        return self._searches[game]

    def new_game(self, seed: int = 0) -> None:
        """Forgets the last game."""
        self._seed = seed
        for search in self._searches.values():
            quick.triarch_search_new_game(search, seed)

    def analyse(self, state: State, *, nodes: int = 0, depth: int = 0,
                milliseconds: int = 0) -> Analysis:
        """Searches a position. Limits of 0 do not apply; the bot's own options do."""
        search = self._make(state.game)
        limits = _library.Limits(ctypes.sizeof(_library.Limits), depth, nodes, milliseconds)
        answer = _library.Answer()
        moves = state.legal_moves()
        shares = (ctypes.c_float * max(1, len(moves)))()
        check(slow.triarch_search_choose(
            search, state._at, ctypes.addressof(limits), ctypes.addressof(answer),
            ctypes.addressof(shares), scratch.error_at))
        move = next(move for move in moves if move.number == answer.move)
        line = []
        follow = state.copy()
        for number in answer.pv[:answer.pv_length]:
            follow.play(number)
            line.append(follow.last_move)
        policy = dict(zip(moves, shares)) if any(shares) else {}
        return Analysis((move, RESIGN, CLAIM)[answer.kind], move, answer.nodes,
                        tuple(answer.shares[:find_game(state.game).seats])
                        if answer.has_shares else None, line, policy)

    def choose(self, state: State, **limits):
        """Returns the bot's answer: a Move, RESIGN or CLAIM. Limits as for `analyse`."""
        return self.analyse(state, **limits).answer

    def stop(self) -> None:
        """Makes a running `choose`, or the next one, answer soon. Any thread may call it."""
        for search in self._searches.values():
            quick.triarch_search_stop(search)

    def __del__(self):
        for search in getattr(self, "_searches", {}).values():
            quick.triarch_search_destroy(search)

    def __repr__(self):
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"triarch.bot({self.name!r}{options})"


def bot(name: str, seed: int = 0, **options) -> Bot:
    """Returns a bundled searcher: triarch.bot("mcts", nodes=300)."""
    return Bot(name, seed, **options)


def serve(player, name: Optional[str] = None, games=None) -> None:
    """Plays as a process bot until Triarch sends `quit`. `player` is a class, of which each game
    gets an instance, or a function choose(state). A class has choose(self, state), where `state` is
    a State, and may have __init__(self, seed). The answer is a Move, a text, RESIGN or CLAIM.

        class Mine:
            def choose(self, state):
                return max(state.legal_moves(), key=lambda move: move.capture_gain)

        triarch.serve(Mine)
    """
    from . import triarch_bot

    def choose(turn):
        memory = turn.memory
        if "state" not in memory:
            text = None if turn.position == "startpos" else turn.position
            memory["state"] = State(turn.game, text, draws="claimed")
            memory["moves"] = 0
            if not isinstance(player, type):
                memory["choose"] = player
            elif inspect.signature(player).parameters:
                memory["choose"] = player(turn.random.getrandbits(63)).choose
            else:
                memory["choose"] = player().choose
        state = memory["state"]
        # A seat that resigns changes the start of what the host sends.
        text = None if turn.position == "startpos" else turn.position
        if memory.get("position", text) != text:
            memory["state"] = state = State(turn.game, text, draws="claimed")
            memory["moves"] = 0
        memory["position"] = text
        for move in turn.moves[memory["moves"]:]:
            state.play(move)
        memory["moves"] = len(turn.moves)
        return str(memory["choose"](state))

    arguments = {} if games is None else {"games": tuple(games)}
    triarch_bot.run(choose, name=name or f"{player.__name__} 1.0", **arguments)


# --- tournaments ---


class Result(NamedTuple):
    """What a tournament came to, as plain values (docs/json.md)."""
    standings: list  # of dicts: rank, name, rating, games, points, …
    games: list      # of dicts: id, result, placement, termination, plies, seats, …
    summary: dict    # everything that `triarch run --json` prints


def _find_program(program):
    program = program or os.environ.get("TRIARCH_PROGRAM") or shutil.which("triarch")
    if program is None:
        raise TriarchError("the program triarch is not in PATH; install Triarch's package, or set "
                           "TRIARCH_PROGRAM to its path")
    return program


def _call(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise TriarchError(done.stderr.strip().removeprefix("error: ") or f"{arguments[0]} ended with {done.returncode}")
    return done.stdout


def run(spec, *, db: Optional[str] = None, program: Optional[str] = None) -> Result:
    """Plays a tournament with the program `triarch` and returns its result.

    spec     a dict with the keys of a tournament file, its YAML text, or the path of a file
    db       keeps the games in this database, where an interrupted run continues
    program  default: $TRIARCH_PROGRAM or `triarch` in PATH
    """
    program = _find_program(program)
    with tempfile.TemporaryDirectory() as folder:
        is_path = isinstance(spec, str) and "\n" not in spec and spec.endswith((".yaml", ".yml"))
        if is_path or isinstance(spec, os.PathLike):
            path = os.fspath(spec)
        else:
            path = os.path.join(folder, "tournament.yaml")
            # JSON is YAML.
            text = spec if isinstance(spec, str) else json.dumps(spec)
            pathlib.Path(path).write_text(text, encoding="utf-8")
        where = db or os.path.join(folder, "games.db")
        summary = json.loads(_call([program, "run", path, "--db", where, "--json"]))
        games = json.loads(_call([program, "games", "--db", where, "--json"]))
    return Result(summary["bots"], games, summary)
