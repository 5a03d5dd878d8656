"""Checks the shapes of the JSON of /api/v1, for contract_check.py.

Every function takes a Report and one decoded JSON value, and reports what is wrong with it.
"""

import re

from contract_client import CELLS, ContractClient, Reply

COLORS = ("white", "black", "red")
LETTERS = dict(zip("wbr", COLORS))
BASE_ROW = {"white": "1", "black": "8", "red": "12"}
STATUSES = {"a": "active", "c": "in_check", "s": "stalemate", "m": "eliminated", "x": "eliminated"}
STATE_KEYS = {
    "game_id": str, "board": list, "current_player": str, "legal_moves": dict,
    "promotion_moves": list, "last_move": (dict, None), "prev_move": (dict, None),
    "players": list, "move_number": int, "game_status": str, "check": (dict, None),
    "position_3pf": str, "chat_history": list, "winner": (str, None), "reason": (str, None),
    "server_version": str,
}  # fmt: skip
MOVE_KEYS = {
    "success": bool, "state": dict, "is_check": bool, "is_checkmate": bool, "is_stalemate": bool,
    "eliminated_player": (str, None), "inherited_pieces": list, "game_over": bool,
    "winner": (str, None), "reason": (str, None),
}  # fmt: skip
PIECE_KEYS = {
    "notation": str, "type": str, "color": str, "owner": str, "is_stuck": (bool, None),
    "promotion_target_color": (str, None),
}  # fmt: skip
LAST_KEYS = {
    "from_square": str, "to_square": str, "move_type": str, "promotion": (str, None),
    "captured": (str, None),
}  # fmt: skip
PLAYER_KEYS = {
    "color": str, "name": str, "player_type": str, "model": (str, None), "status": str,
    "is_replacement": bool,
}  # fmt: skip
CHAT_KEYS = {"move_number": int, "color": str, "player_name": str, "message": str}
PIECE_3PF = re.compile(r"([wbr])([KQRBNP])(?:>([wbr]))?([A-L]\d{1,2})(?:\^[wbr])?")
UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


class Stop(Exception):
    """The rest of a section makes no sense; the reason has been reported."""


class Report:
    """Counts and prints. `many` is for a check that is made over and over again."""

    def __init__(self):
        self.failed = 0
        self.repeated: dict[str, list[int]] = {}

    def check(self, name: str, good, expected, came) -> bool:
        if good:
            print(f"ok {name}", flush=True)
        else:
            self.failed += 1
            print(f"FAIL {name}: expected {expected}, came {short(came)}", flush=True)
        return bool(good)

    def many(self, name: str, good, expected, came) -> bool:
        count = self.repeated.setdefault(name, [0, 0])
        count[0] += 1
        if not good:
            count[1] += 1
            if count[1] == 1:
                self.check(name, False, expected, came)
        return bool(good)

    def need(self, name: str, good, expected, came) -> None:
        if not self.check(name, good, expected, came):
            raise Stop

    def flush(self) -> None:
        """One line for each repeated check that never failed; the others have had theirs."""
        for name, (times, bad) in sorted(self.repeated.items()):
            print(f"# {name}: failed {bad} times of {times}" if bad else f"ok {name}")


def short(value) -> str:
    text = value.brief() if isinstance(value, Reply) else repr(value)
    return text if len(text) <= 240 else text[:240] + "..."


def has_type(value, kind) -> bool:
    """Exact types, so that true is no integer; a pair (kind, None) allows null."""
    if isinstance(kind, tuple):
        return value is None or type(value) is kind[0]
    return type(value) is kind


def check_keys(report: Report, what: str, value, keys: dict) -> bool:
    if not report.many(f"{what}_is_object", isinstance(value, dict), "an object", value):
        return False
    good = True
    for key, kind in keys.items():
        name = f"{what}.{key}_present_and_typed"
        wanted = getattr(kind, "__name__", None) or f"{kind[0].__name__} or null"
        came = value.get(key) if key in value else "no such key"
        good &= report.many(name, key in value and has_type(value[key], kind), wanted, came)
    return good


def bridge(cell: str) -> set:
    """The two sectors that the column of a cell joins."""
    column = "ABCDEFGHIJKL".index(cell[0]) // 4
    return ({"white", "black"}, {"white", "red"}, {"black", "red"})[column]


def check_board(report: Report, board: list) -> bool:
    many = report.many
    for piece in board:
        if not check_keys(report, "board_piece", piece, PIECE_KEYS):
            return False
        cell, stuck = piece["notation"], piece["is_stuck"]
        target = piece["promotion_target_color"]
        pawn = piece["type"] == "P"
        good = many("board_cells_upper_case", cell in CELLS, "one of the 96 cells", piece)
        good &= many("board_types", piece["type"] in tuple("KQRBNP"), "K Q R B N P", piece)
        good &= many("board_colors", piece["color"] in COLORS, COLORS, piece)
        good &= many("board_owners", piece["owner"] in COLORS, COLORS, piece)
        if not good:
            return False
        many("is_stuck_null_unless_pawn", (stuck is not None) == pawn, "bool for P only", piece)
        null = not pawn or stuck
        many("target_null_rule", (target is None) == bool(null), "null unless free pawn", piece)
        if target is not None:
            wanted = bridge(cell) - {piece["owner"]}
            many("also_target_on_bridge", target in wanted, f"one of {wanted}", piece)
        if pawn:
            formula = piece["color"] != piece["owner"]
            formula = formula and bridge(cell) == {piece["color"], piece["owner"]}
            many("also_stuck_formula", stuck == formula, formula, piece)
    cells = [piece["notation"] for piece in board]
    return many("board_cells_unique", len(set(cells)) == len(cells), "no cell twice", cells)


def check_last(report: Report, what: str, last) -> None:
    """last_move or prev_move, where it is not null."""
    if last is None or not check_keys(report, what, last, LAST_KEYS):
        return
    ends = (last["from_square"], last["to_square"])
    report.many(f"{what}_cells", all(cell in CELLS for cell in ends), "two cells", last)
    promotion, captured, kind = last["promotion"], last["captured"], last["move_type"]
    known = ("normal", "capture", "promotion", "promotion_capture", "castling", "en_passant")
    report.many(f"{what}_type", kind in known, known, last)
    good = promotion in tuple("QRBN") if "promotion" in kind else promotion is None
    report.many(f"{what}_promotion_letter", good, "Q R B N for promotions only", last)
    taken = kind in ("capture", "promotion_capture", "en_passant")
    good = captured in tuple("QRBNP") if taken else captured is None
    report.many(f"{what}_captured_letter", good, "a letter for captures only", last)


def check_moves(report: Report, state: dict) -> None:
    many, moves = report.many, state["legal_moves"]
    owner = {piece["notation"]: piece for piece in state["board"]}
    turn = state["current_player"]
    if state["game_status"] == "playing":
        many("legal_moves_never_empty_on_a_turn", moves, "some move", moves)
    promotions = set()
    for source, targets in moves.items():
        good = isinstance(targets, list) and targets and set(targets) <= set(CELLS)
        good = many("legal_moves_cells", good and source in CELLS, "cells", {source: targets})
        if not good:
            return
        many("legal_moves_unique", len(set(targets)) == len(targets), "no cell twice", targets)
        if state["game_status"] != "playing":
            continue
        piece = owner.get(source, {})
        many("legal_moves_of_current_player", piece.get("owner") == turn, turn, (source, piece))
        mine = [cell for cell in targets if owner.get(cell, {}).get("owner") == turn]
        many("also_no_own_piece_captured", not mine, "none", (source, mine))
        for cell in targets if piece.get("type") == "P" else ():
            if cell[1:] in BASE_ROW.values() and cell[1:] != BASE_ROW[turn]:
                promotions.add(source + cell)
    if state["game_status"] == "playing":
        listed = state["promotion_moves"]
        good = len(listed) == len(set(listed)) and set(listed) == promotions
        many("promotion_moves_list", good, sorted(promotions), listed)


def check_players(report: Report, state: dict) -> None:
    many, players = report.many, state["players"]
    if not all([check_keys(report, "player", player, PLAYER_KEYS) for player in players]):
        return
    colors = tuple(player["color"] for player in players)
    if not many("players_white_black_red", colors == COLORS, COLORS, colors):
        return
    for player in players:
        kinds = ("human", "llm", "smartbot")
        many("player_type", player["player_type"] in kinds, kinds, player)
        many("player_status", player["status"] in STATUSES.values(), "a known status", player)
    turn = players[COLORS.index(state["current_player"])]
    many("current_player_not_out", turn["status"] != "eliminated", "a survivor", turn)
    checked = [player["color"] for player in players if player["status"] == "in_check"]
    check = state["check"]
    if check is not None:
        if not check_keys(report, "check", check, {"is_check": bool, "checked_colors": list}):
            return
        good = check["is_check"] == bool(check["checked_colors"])
        many("check_flag_matches_list", good, "is_check exactly if colours are listed", check)
    listed = sorted(check["checked_colors"]) if check else []
    many("also_check_matches_statuses", listed == sorted(checked), sorted(checked), check)


def check_3pf(report: Report, state: dict) -> None:
    many, fields = report.many, state["position_3pf"].split(" ")
    if not many("also_3pf_seven_fields", len(fields) == 7, "7 fields", fields):
        return
    pieces = [PIECE_3PF.fullmatch(text) for text in fields[0].split(",")]
    if many("also_3pf_pieces", all(pieces), "piece syntax", fields[0]):
        text = {(m[4], m[2], LETTERS[m[1]], LETTERS[m[3] or m[1]]) for m in pieces}
        board = {(p["notation"], p["type"], p["color"], p["owner"]) for p in state["board"]}
        many("also_3pf_same_as_board", text == board, "no difference", sorted(text ^ board))
    turn = LETTERS.get(fields[1])
    many("also_3pf_same_turn", turn == state["current_player"], state["current_player"], turn)
    statuses = [STATUSES.get(letter) for letter in fields[4]]
    players = [player["status"] for player in state["players"]]
    many("also_3pf_same_statuses", statuses == players, players, fields[4])


def check_state(report: Report, state) -> bool:
    """All that holds for one state; False where the shape is too wrong to go on."""
    many = report.many
    if not check_keys(report, "state", state, STATE_KEYS):
        return False
    many("game_id_is_uuid", UUID.fullmatch(state["game_id"]), "a UUID", state["game_id"])
    turn, status = state["current_player"], state["game_status"]
    good = many("current_player", turn in COLORS, COLORS, turn)
    known = ("waiting", "playing", "finished")
    good &= many("game_status", status in known, known, status)
    if not good or not check_board(report, state["board"]):
        return False
    check_moves(report, state)
    check_last(report, "last_move", state["last_move"])
    check_last(report, "prev_move", state["prev_move"])
    many("players_three", len(state["players"]) == 3, 3, state["players"])
    check_players(report, state)
    check_3pf(report, state)
    many("chat_at_most_six", len(state["chat_history"]) <= 6, "6 or less", state["chat_history"])
    for entry in state["chat_history"]:
        if check_keys(report, "chat_entry", entry, CHAT_KEYS):
            text = entry["message"]
            many("chat_color", entry["color"] in COLORS, COLORS, entry)
            good = text == text.strip() and 1 <= len(text) <= 256
            many("chat_message_trimmed", good, "1 to 256 code points, trimmed", entry)
    pair = (state["winner"], state["reason"])
    if status == "finished":
        good = pair[0] in (*COLORS, None) and pair[1]
        many("winner_and_reason_when_finished", good, "colour or null, and a reason", pair)
    else:
        many("no_winner_before_the_end", pair == (None, None), (None, None), pair)
    return True


def check_games(report: Report, client: ContractClient, name: str, listed: bool) -> None:
    """GET /games and whether the client's own game is in it."""
    games = client.games()
    good = games.status == 200 and isinstance(games.data, list)
    if report.check(f"games_list_{name}", good, "200 and a list", games):
        keys = {"game_id": str, "players": list, "move_number": int}
        for game in games.data:
            if check_keys(report, "games_entry", game, keys):
                for player in game["players"]:
                    check_keys(report, "games_player", player, {"color": str, "name": str})
        ids = [game.get("game_id") for game in games.data if isinstance(game, dict)]
        wanted = "our game listed" if listed else "our game not listed"
        report.check(f"games_{name}", (client.game_id in ids) == listed, wanted, ids)
