"""Loads libtriarch and declares its functions (triarch.h)."""

import ctypes
import ctypes.util
import os
import pathlib
import threading

ABI_VERSION = 2
SONAME = f"libtriarch.so.{ABI_VERSION}"
SEATS_MAX, MOVES_MAX, PV_MAX = 3, 2048, 32
POSITION_BYTES, STATE_BYTES = 256, 256 + 8 * 256
DRAWS_CLAIMED, MATERIAL_DRAWS, FIXED_VIEW, NO_RESET = 1, 2, 16, 32
ACTION_RESIGN, ACTION_NONE = 0xff00, 0xffff

_u8p, _u32, _u64, _text, _void = (ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64,
                                  ctypes.c_char_p, ctypes.c_void_p)


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_char * 32), ("field", ctypes.c_int32),
                ("message", ctypes.c_char * 476)]


class Piece(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint8) for name in ("cell", "type", "owner", "color")]


class Outcome(ctypes.Structure):
    _fields_ = [("places", ctypes.c_uint32 * SEATS_MAX), ("points", ctypes.c_double * SEATS_MAX),
                ("termination", ctypes.c_uint32)]


class GameInfo(ctypes.Structure):
    _fields_ = [("name", _text), ("notation", _text), ("seats", _u32), ("cells", _u32),
                ("policy_size", _u32), ("planes", _u32), ("seat_names", _text * SEATS_MAX),
                ("seat_letters", ctypes.c_char * SEATS_MAX),
                ("starts", ctypes.POINTER(_text)), ("move_forms", ctypes.POINTER(_text)),
                ("plane_names", ctypes.POINTER(_text))]


class Picture(ctypes.Structure):
    _fields_ = [("size", _u32), ("has_last_move", ctypes.c_int), ("last_move", _u32),
                ("has_cell_names", ctypes.c_int), ("is_colored", ctypes.c_int),
                ("players", _text * SEATS_MAX)]


class BatchOptions(ctypes.Structure):
    _fields_ = [(name, _u32) for name in ("size", "flags", "threads", "plies_max")]


class BatchArrays(ctypes.Structure):
    _fields_ = [("size", _u32)] + [(name, _void) for name in (
        "seat", "legal_offsets", "legal", "legal_bits", "legal_mask", "planes", "plane_bits",
        "clock", "cells", "state", "rewards", "ended", "places", "plies")]


class Limits(ctypes.Structure):
    _fields_ = [("size", _u32), ("depth", _u32), ("nodes", _u64), ("milliseconds", ctypes.c_int64)]


class Answer(ctypes.Structure):
    _fields_ = [("kind", _u32), ("move", _u32), ("nodes", _u64), ("has_shares", ctypes.c_int),
                ("shares", ctypes.c_double * SEATS_MAX), ("pv_length", _u32),
                ("pv", _u32 * PV_MAX)]


def _candidates():
    """Yields the places of the library, best first."""
    given = os.environ.get("TRIARCH_LIBRARY")
    if given:
        yield given
        return
    folder = pathlib.Path(__file__).parent / "lib"
    levels = ["x86-64-v3", "x86-64-v2"] if _has_v3() else ["x86-64-v2"]
    for level in levels + ["."]:
        path = folder / level / SONAME
        if path.exists():
            yield str(path)
    yield SONAME  # the system's


def _has_v3():
    """Returns whether the processor has the instructions of x86-64-v3."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            flags = next((line for line in file if line.startswith("flags")), "").split()
    except OSError:
        return False
    return {"avx2", "bmi1", "bmi2", "fma", "movbe", "abm"} <= set(flags)


def _load_needed():
    """Loads the libraries that libtriarch needs, if the package contains them. Each finds those
    that are loaded already, so some have to wait for others."""
    waiting = sorted((pathlib.Path(__file__).parent / "lib" / "needed").glob("*"))
    while waiting:
        failed = []
        for path in waiting:
            try:
                ctypes.CDLL(str(path))
            except OSError:
                failed.append(path)
        if len(failed) == len(waiting):
            return  # libtriarch says what is missing
        waiting = failed


def _load():
    faults = []
    _load_needed()
    for path in _candidates():
        try:
            # Short calls keep the interpreter's lock: releasing it takes longer than the calls.
            return ctypes.PyDLL(path), ctypes.CDLL(path)
        except OSError as error:
            faults.append(str(error))
    raise ImportError(
        f"cannot load {SONAME}: {'; '.join(faults)}. Install Triarch's package libtriarch2, or set "
        "TRIARCH_LIBRARY to the path of the library")


quick, slow = _load()

for _name, _result, _arguments in (
        ("abi_version", _u32, ()),
        ("version", _text, ()),
        ("find_game", ctypes.c_int, (_text, _void, _void)),
        ("get_game_info", ctypes.POINTER(GameInfo), (_u32,)),
        ("termination_name", _text, (_u32,)),
        ("start", ctypes.c_int, (_u32, _text, _void, _void)),
        ("parse", ctypes.c_int, (_u32, _text, _void, _void)),
        ("equal", ctypes.c_int, (_void, _void)),
        ("game_of", _u32, (_void,)),
        ("to_move", _u32, (_void,)),
        ("is_in", ctypes.c_int, (_void, _u32)),
        ("in_check", ctypes.c_int, (_void, _u32)),
        ("hash", _u64, (_void,)),
        ("halfmove_clock", _u32, (_void,)),
        ("move_number", _u32, (_void,)),
        ("legal_moves_from", ctypes.c_size_t, (_void, _u32, _void)),
        ("perft", _u64, (_void, _u32)),
        ("pieces", ctypes.c_size_t, (_void, _void)),
        ("attackers", ctypes.c_size_t, (_void, _u32, _void)),
        ("evaluate", None, (_void, _void)),
        ("capture_gain", ctypes.c_int32, (_void, _u32)),
        ("text", ctypes.c_size_t, (_void, _void, ctypes.c_size_t)),
        ("json", ctypes.c_size_t, (_void, _void, ctypes.c_size_t)),
        ("move_text", ctypes.c_size_t, (_void, _u32, _void, ctypes.c_size_t)),
        ("move_in_form", ctypes.c_size_t, (_void, _u32, _u32, _void, ctypes.c_size_t)),
        ("move_json", ctypes.c_size_t, (_void, _u32, _void, ctypes.c_size_t)),
        ("parse_move", ctypes.c_int, (_void, _text, _void, _void)),
        ("cell_text", ctypes.c_size_t, (_void, _u32, _void, ctypes.c_size_t)),
        ("find_cell", ctypes.c_int, (_void, _text, _void, _void)),
        ("cells_json", ctypes.c_size_t, (_void, _void, ctypes.c_size_t)),
        ("svg", ctypes.c_size_t, (_void, _void, _void, ctypes.c_size_t)),
        ("board", ctypes.c_size_t, (_void, _void, _void, ctypes.c_size_t)),
        ("state_begin", None, (_void, _void, _u32)),
        ("state_equal", ctypes.c_int, (_void, _void)),
        ("state_legal_moves", ctypes.c_size_t, (_void, _void)),
        ("state_play", ctypes.c_int, (_void, _u32, _void)),
        ("state_resign", ctypes.c_int, (_void, _u32, _void)),
        ("state_claim_draw", ctypes.c_int, (_void, _void)),
        ("state_can_claim_draw", ctypes.c_int, (_void,)),
        ("state_get_outcome", ctypes.c_int, (_void, _void)),
        ("state_ending", ctypes.c_int, (_void, _u32)),
        ("state_occurrences", _u32, (_void, _u64)),
        ("state_last_move", ctypes.c_int, (_void, _void)),
        ("sample", None, (_void, _u8p, _u8p)),
        ("policy_index", _u32, (_void, _u32)),
        ("move_at_index", ctypes.c_int, (_void, _u32, _void, _void)),
        ("batch_create", ctypes.c_int, (_void, ctypes.c_size_t, _void, _void, _void)),
        ("batch_destroy", None, (_void,)),
        ("batch_reset", None, (_void,)),
        ("batch_step", ctypes.c_int, (_void, _void, _void, _void)),
        ("batch_observe", ctypes.c_int, (_void, _void, _void)),
        ("batch_get", None, (_void, ctypes.c_size_t, _void)),
        ("batch_set", None, (_void, ctypes.c_size_t, _void)),
        ("searchers", ctypes.POINTER(_text), ()),
        ("search_create", ctypes.c_int, (_u32, _text, _void, _void, _void)),
        ("search_destroy", None, (_void,)),
        ("search_new_game", None, (_void, _u64)),
        ("search_choose", ctypes.c_int, (_void, _void, _void, _void, _void, _void)),
        ("search_stop", None, (_void,))):
    for _library in (quick, slow):
        _function = getattr(_library, "triarch_" + _name)
        _function.restype = _result
        _function.argtypes = _arguments

if quick.triarch_abi_version() != ABI_VERSION:
    raise ImportError(f"libtriarch has ABI version {quick.triarch_abi_version()}; this package "
                      f"needs {ABI_VERSION}")


class TriarchError(ValueError):
    """What the rules or the library refuse.

    code    of an invalid position, as its notation names it: "BAD_CELL"; otherwise None
    field   of the position's text, from 1; None if there is none
    """

    def __init__(self, message, code=None, field=None):
        super().__init__(message)
        self.code = code
        self.field = field


class IllegalMoveError(TriarchError):
    """A move, resignation or claim that the rules do not allow now."""


class _Scratch(threading.local):
    """Each thread's room for results."""

    def __init__(self):
        self.moves = (ctypes.c_uint32 * MOVES_MAX)()
        self.moves_at = ctypes.addressof(self.moves)
        self.error = Error()
        self.error_at = ctypes.addressof(self.error)
        self.number = ctypes.c_uint32()
        self.number_at = ctypes.addressof(self.number)
        self.text = ctypes.create_string_buffer(1 << 16)


scratch = _Scratch()


def check(status):
    """Raises the error of a call that had `scratch.error_at`."""
    if status == 0:
        return
    error = scratch.error
    message = error.message.decode(errors="replace")
    code = error.code.decode() or None
    if code:
        place = f"field {error.field}: " if error.field else ""
        raise TriarchError(f"{code} {place}{message}", code, error.field or None)
    if status == 2:
        raise IllegalMoveError(message)
    raise TriarchError(message)


def text_of(function, *arguments):
    """Returns the text that a function of the library writes."""
    buffer = scratch.text
    length = function(*arguments, buffer, len(buffer))
    if length >= len(buffer):
        buffer = ctypes.create_string_buffer(length + 1)
        function(*arguments, buffer, length + 1)
    return buffer.value.decode()


def words_of(pointer):
    """Returns the texts of a list that ends with NULL."""
    words = []
    while pointer[len(words)]:
        words.append(pointer[len(words)].decode())
    return tuple(words)
