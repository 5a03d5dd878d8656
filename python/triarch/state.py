"""A game in progress."""

import ctypes
import json
from typing import Iterator, NamedTuple, Optional, Sequence, Union

from . import _library
from ._library import IllegalMoveError, check, quick, scratch, text_of
from .games import GAMES, TERMINATIONS, find_game, start_bytes

_POSITION = _library.POSITION_BYTES
_STATE = _library.STATE_BYTES
_StateBytes = ctypes.c_uint64 * (_STATE // 8)
_PINS = tuple(f"{side}L{number}" for side in "QK" for number in range(1, 7))
_TYPES = ("pawn", "knight", "bishop", "rook", "queen", "king")

_legal_moves = quick.triarch_state_legal_moves
_play = quick.triarch_state_play
_read = ctypes.string_at


class Outcome(NamedTuple):
    """How a game ended."""
    places: tuple[int, ...]    # by seat; 1 is best, tied seats share a place
    points: tuple[float, ...]  # 1, 1/2, 0 for three seats and 1, 0 for two; ties share
    termination: str           # "checkmate", "threefold_repetition", …


class Piece(NamedTuple):
    """A piece on the board."""
    cell: str
    type: str   # "pawn" … "king"
    owner: int  # the seat that moves it
    color: int  # the seat whose colour it has: the owner's, unless it was inherited


class Move:
    """A legal move of one position. str(move) is its canonical text, "E2-E4"."""
    __slots__ = ("number", "_position")

    def __init__(self, number: int, position: bytes):
        self.number = number  # the library's; equal moves of one position have equal numbers
        self._position = position

    def __str__(self):
        return text_of(quick.triarch_move_text, self._position, self.number)

    def __repr__(self):
        return f"<Move {self}>"

    def __eq__(self, other):
        return isinstance(other, Move) and self.number == other.number

    def __hash__(self):
        return hash(self.number)

    def in_form(self, form: str) -> str:
        """Returns the move in one of the forms of its game (Game.move_forms)."""
        game = _game_of(self._position)
        if form not in game.move_forms:
            raise _library.TriarchError(
                f"unknown form {form!r}; known: {', '.join(game.move_forms)}")
        return text_of(quick.triarch_move_in_form, self._position, self.number,
                       game.move_forms.index(form))

    def to_json(self) -> dict:
        """Returns the move as an object, as `triarch moves --json` prints it."""
        return json.loads(text_of(quick.triarch_move_json, self._position, self.number))

    @property
    def index(self) -> int:
        """The policy index (docs/selfplay-data.md)."""
        return quick.triarch_policy_index(self._position, self.number)

    @property
    def capture_gain(self) -> int:
        """What a capture or promotion is expected to gain, in hundredths of a pawn; 0 for others."""
        return quick.triarch_capture_gain(self._position, self.number)


def _game_of(position):
    number = quick.triarch_game_of(position)
    return next(game for game in map(find_game, GAMES) if game.number == number)


class Moves(Sequence):
    """The legal moves of one position, in a fixed order. Moves are created when they are read."""
    __slots__ = ("_position", "_numbers")

    def __init__(self, position, numbers):
        self._position = position
        self._numbers = numbers

    def __len__(self):
        return len(self._numbers)

    def __getitem__(self, key):
        if isinstance(key, slice):
            return [Move(number, self._position) for number in self._numbers[key]]
        return Move(self._numbers[key], self._position)

    def __iter__(self) -> Iterator[Move]:
        position = self._position
        for number in self._numbers:
            yield Move(number, position)

    def __contains__(self, move):
        if isinstance(move, str):
            return any(str(other) == move for other in self)
        return isinstance(move, Move) and move.number in self._numbers

    def __repr__(self):
        return f"[{', '.join(map(str, self))}]"


class State:
    """A game in progress: the position and what depends on its history.

        state = triarch.State("tri-d")
        state.play("e2W-e4N")                 # a text in any form of the game, or a Move
        for move in state.legal_moves():
            print(move)

    game      "triumvirate", "three-way" or "tri-d"
    position  a text (3PF, HexFEN, TFEN) or position JSON; default: the start
    start     the name of another start (Game.starts)
    draws     "automatic": repetition and move-count draws end the game; "claimed": a player must
              claim them
    material_draws  Three-Way: insufficient material is a draw (§5.7)

    A state is used by one thread at a time.
    """
    __slots__ = ("_game", "_bytes", "_at", "_undo")

    def __init__(self, game: str, position=None, *, start: Optional[str] = None,
                 draws: str = "automatic", material_draws: bool = False):
        if draws not in ("automatic", "claimed"):
            raise _library.TriarchError(f"draws {draws!r}; expected 'automatic' or 'claimed'")
        self._game = find_game(game)
        begin = start_bytes(self._game, position, start)
        self._set_up()
        flags = (_library.DRAWS_CLAIMED if draws == "claimed" else 0) | (
            _library.MATERIAL_DRAWS if material_draws else 0)
        quick.triarch_state_begin(self._at, ctypes.addressof(begin), flags)

    def _set_up(self):
        self._bytes = _StateBytes()
        self._at = ctypes.addressof(self._bytes)
        self._undo = []

    # --- moves ---

    def legal_moves(self, cell: Optional[str] = None) -> Moves:
        """Returns the legal moves, or those of the piece on a cell (in Tri-D also of the board on a
        pin, "QL1"); none if the game is over."""
        space = scratch
        if cell is None:
            count = _legal_moves(self._at, space.moves_at)
        else:
            status = quick.triarch_find_cell(self._at, cell.encode(), space.number_at,
                                             space.error_at)
            if status and cell in _PINS and self.game == "tri-d":
                moves = self.legal_moves()
                return Moves(moves._position, [move.number for move in moves
                                               if str(move).startswith(cell + "-")])
            check(status)
            count = 0 if self.is_over else quick.triarch_legal_moves_from(
                self._at, space.number.value, space.moves_at)
        return Moves(_read(self._at, _POSITION), space.moves[:count])

    def parse_move(self, text: str) -> Move:
        """Returns the legal move that a text in any form of the game names."""
        space = scratch
        check(quick.triarch_parse_move(self._at, text.encode(), space.number_at, space.error_at))
        return Move(space.number.value, _read(self._at, _POSITION))

    def move_at_index(self, index: int) -> Move:
        """Returns the legal move with a policy index."""
        space = scratch
        check(quick.triarch_move_at_index(self._at, index, space.number_at, space.error_at))
        return Move(space.number.value, _read(self._at, _POSITION))

    def play(self, move: Union[str, Move, int]) -> "State":
        """Plays a move, or the one with this text or number, and returns the state. Raises
        IllegalMoveError, and changes nothing, if it is not legal."""
        if move.__class__ is str:
            move = self.parse_move(move)
        number = move.number if move.__class__ is Move else move
        if number.__class__ is not int:
            raise IllegalMoveError(f"{move!r}; expected a Move, its text or its number")
        before = _read(self._at, _STATE)
        status = _play(self._at, number, scratch.error_at)
        if status:
            check(status)
        self._undo.append(before)
        return self

    def undo(self) -> "State":
        """Takes back the last move, resignation or claim."""
        if not self._undo:
            raise IllegalMoveError("there is nothing to take back")
        ctypes.memmove(self._at, self._undo.pop(), _STATE)
        return self

    def resign(self, seat: Optional[int] = None) -> "State":
        """Resigns for a seat, by default the one to move."""
        return self._change(quick.triarch_state_resign, self.to_move if seat is None else seat)

    def claim_draw(self) -> "State":
        """Claims a draw for the seat to move."""
        return self._change(quick.triarch_state_claim_draw)

    def _change(self, function, *arguments):
        before = _read(self._at, _STATE)
        check(function(self._at, *arguments, scratch.error_at))
        self._undo.append(before)
        return self

    # --- what is so now ---

    @property
    def game(self) -> str:
        return self._game.name

    @property
    def to_move(self) -> int:
        """The seat to move."""
        return quick.triarch_to_move(self._at)

    @property
    def ply(self) -> int:
        """How many moves, resignations and claims `undo` can take back."""
        return len(self._undo)

    @property
    def is_over(self) -> bool:
        return bool(quick.triarch_state_get_outcome(self._at, None))

    @property
    def outcome(self) -> Optional[Outcome]:
        """How the game ended; None while it runs."""
        found = _library.Outcome()
        if not quick.triarch_state_get_outcome(self._at, ctypes.addressof(found)):
            return None
        seats = self._game.seats
        return Outcome(tuple(found.places[:seats]), tuple(found.points[:seats]),
                       TERMINATIONS[found.termination])

    def ending(self, seat: int) -> Optional[str]:
        """Returns how a seat left the game, or None if it has not."""
        number = quick.triarch_state_ending(self._at, seat)
        return None if number < 0 else TERMINATIONS[number]

    def is_in(self, seat: int) -> bool:
        """Returns whether a seat has not been eliminated."""
        return bool(quick.triarch_is_in(self._at, seat))

    def in_check(self, seat: Optional[int] = None) -> bool:
        """Returns whether a seat's king is attacked, by default that of the seat to move."""
        return bool(quick.triarch_in_check(self._at, self.to_move if seat is None else seat))

    @property
    def can_claim_draw(self) -> bool:
        return bool(quick.triarch_state_can_claim_draw(self._at))

    @property
    def occurrences(self) -> int:
        """How often the position has occurred since the last irreversible move, including now."""
        return quick.triarch_state_occurrences(self._at, quick.triarch_hash(self._at))

    @property
    def last_move(self) -> Optional[str]:
        """The canonical text of the last move, if `undo` can take it back."""
        if not self._undo or not quick.triarch_state_last_move(self._at, scratch.number_at):
            return None
        return text_of(quick.triarch_move_text, self._undo[-1], scratch.number.value)

    @property
    def halfmove_clock(self) -> int:
        """Plies since the last capture or pawn move."""
        return quick.triarch_halfmove_clock(self._at)

    @property
    def key(self) -> int:
        """Equal for positions that count as repeated and, barring collisions, only for those."""
        return quick.triarch_hash(self._at)

    def pieces(self) -> list[Piece]:
        """Returns the pieces on the board, by cell number."""
        found = (_library.Piece * 96)()
        count = quick.triarch_pieces(self._at, ctypes.addressof(found))
        return [Piece(self.cell_name(piece.cell), _TYPES[piece.type], piece.owner, piece.color)
                for piece in found[:count]]

    def cell_name(self, number: int) -> str:
        return text_of(quick.triarch_cell_text, self._at, number)

    def attackers(self, cell: str) -> list[str]:
        """Returns the cells of the pieces of all seats that attack a cell, pinned or not."""
        space = scratch
        check(quick.triarch_find_cell(self._at, cell.encode(), space.number_at, space.error_at))
        found = (ctypes.c_uint8 * 96)()
        count = quick.triarch_attackers(self._at, space.number.value, ctypes.addressof(found))
        return [self.cell_name(number) for number in found[:count]]

    def evaluate(self) -> tuple[int, ...]:
        """Returns the bundled searchers' evaluation for each seat, in hundredths of a pawn."""
        scores = (ctypes.c_int32 * _library.SEATS_MAX)()
        quick.triarch_evaluate(self._at, ctypes.addressof(scores))
        return tuple(scores[:self._game.seats])

    def perft(self, depth: int) -> int:
        """Returns the number of sequences of `depth` legal moves."""
        return _library.slow.triarch_perft(self._at, depth)

    # --- texts and pictures ---

    @property
    def fen(self) -> str:
        """The position as text: 3PF, HexFEN or TFEN."""
        return text_of(quick.triarch_text, self._at)

    def to_json(self) -> dict:
        """Returns the position as an object, as `triarch play --json` prints it."""
        return json.loads(text_of(quick.triarch_json, self._at))

    def _picture(self, **fields):
        picture = _library.Picture(size=ctypes.sizeof(_library.Picture), **fields)
        if quick.triarch_state_last_move(self._at, scratch.number_at):
            picture.has_last_move = 1
            picture.last_move = scratch.number.value
        return picture

    def to_svg(self, names: bool = False, players: Sequence[str] = ()) -> str:
        """Returns an SVG picture that marks the last move. `names` writes every cell's name,
        `players` the players' names by seat."""
        picture = self._picture(has_cell_names=int(names))
        for seat, player in enumerate(players):
            picture.players[seat] = player.encode()
        return text_of(quick.triarch_svg, self._at, ctypes.addressof(picture))

    def to_board(self, colored: bool = False) -> str:
        """Returns the board as text; `colored` with ANSI colours."""
        picture = self._picture(is_colored=int(colored))
        return text_of(quick.triarch_board, self._at, ctypes.addressof(picture))

    def _repr_svg_(self):
        return self.to_svg()

    def __str__(self):
        return self.fen

    def __repr__(self):
        return f"<triarch.State {self.game} {self.fen!r}>"

    # --- copies ---

    def copy(self) -> "State":
        """Returns an independent copy with the same history."""
        other = State.__new__(State)
        other._game = self._game
        other._set_up()
        ctypes.memmove(other._at, self._at, _STATE)
        other._undo = self._undo.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self, _):
        return self.copy()

    def __getstate__(self):
        return self.game, _read(self._at, _STATE), self._undo

    def __setstate__(self, kept):
        name, content, undo = kept
        self._game = find_game(name)
        self._set_up()
        ctypes.memmove(self._at, content, _STATE)
        self._undo = list(undo)

    def __eq__(self, other):
        """Returns whether positions and histories are equal."""
        if not isinstance(other, State):
            return NotImplemented
        return bool(quick.triarch_state_equal(self._at, other._at))

    __hash__ = None
