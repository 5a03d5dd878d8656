#!/usr/bin/env python3
"""Checks a running arena strictly against what existing clients of /api/v1 send and expect.

  contract_check.py http://127.0.0.1:8080/api/v1 [--plies N] [--seed N] [--timeout S]

Prints `ok NAME` or `FAIL NAME: what was expected, what came`; exit code 1 if any check failed.
Names that begin with "also_" are of nothing that clients rely on: they follow from the rules or
from plain consistency. The time limits (30 s, 300 s, five timeouts, one hour) are not checked.
Use a quiet server: a stranger who joins at the same time can take a seat of our tables.
"""

import argparse
import random
import sys
import time
import traceback

from contract_client import ContractClient, TransportError, random_illegal, random_legal
from contract_shapes import STATE_KEYS, Report, Stop, check_games, check_keys
from contract_table import Table


def unchanged(table: Table, name: str, state: dict) -> None:
    """Nothing happened in the game since `state` was fetched."""
    after = table.state()
    changed = [key for key in STATE_KEYS if after[key] != state[key]]
    table.report.check(name, not changed, "the same state", f"other values of {changed}")


def general(report: Report, url: str, timeout: float) -> None:
    """Endpoints without a game, unknown tokens, and no redirects."""
    client = ContractClient(url, timeout, token="no-such-token")
    health = client.health()
    good = health.status == 200 and isinstance(health.data, dict)
    report.check("health_object", good, "200 and an object", health)
    for name, send in (
        ("board_geometry", client.board_geometry),
        ("stats_colors", client.stats_colors),
        ("leaderboard", client.leaderboard),
        ("openapi_json", client.openapi),
    ):
        reply = send()
        report.check(f"{name}_200_json", reply.status == 200 and reply.is_json, "200 JSON", reply)
    reply = client.llms_txt()
    report.check("llms_txt_200", reply.status == 200 and reply.raw, "200 and text", reply)
    for path in ("health/", "games/", "state/", "no-such-endpoint", ""):
        reply = client.any_path(path)
        report.check(f"no_redirect_of_/{path}", not 300 <= reply.status <= 399, "no 3xx", reply)
    reply = client.move("E2", "E4", 1)
    report.check("move_unknown_token_401", reply.status == 401, 401, reply)
    body = {"from": "E2", "to": "E4", "move_number": 1}
    reply = client.request("POST", "/move", body)
    report.check("move_no_token_401", reply.status == 401, 401, reply)
    for name, send in (
        ("state", client.state),
        ("skip_waiting", client.skip_waiting),
        ("resign", client.resign),
    ):
        reply = send()
        report.check(f"{name}_unknown_token_4xx", 400 <= reply.status <= 499, "4xx", reply)
    for name, body in (
        ("bad_type", {"name": "x", "type": "wizard"}),
        ("no_name", {"type": "llm"}),
        ("name_81", {"name": "x" * 81}),
        ("not_an_object", ["x"]),
    ):
        reply = client.request("POST", "/join", body)
        good = 400 <= reply.status <= 499 and reply.status != 429
        report.check(f"join_{name}_refused_4xx", good, "4xx", reply)


def full_table(table: Table) -> None:
    """What holds as soon as three seats are taken."""
    report, white = table.report, table.seats["white"]
    state = table.state()
    report.need("playing_when_full", state["game_status"] == "playing", "playing", state)
    pair = (state["last_move"], state["prev_move"])
    report.check("no_last_move_at_start", pair == (None, None), "null, null", pair)
    report.check("no_chat_at_start", state["chat_history"] == [], [], state["chat_history"])
    report.check("white_begins", state["current_player"] == "white", "white", state)
    report.check("also_48_pieces", len(state["board"]) == 48, 48, len(state["board"]))
    names = [(p["name"], p["player_type"], p["model"]) for p in state["players"]]
    wanted = [("Ж" * 80, "human", None), ("b" * 80, "llm", "model-1"), ("Red", "smartbot", None)]
    report.check("players_as_joined_default_human", names == wanted, wanted, names)
    views = [table.state(client) for client in table.seats.values()]
    same = all(view["legal_moves"] == state["legal_moves"] for view in views)
    report.check("legal_moves_same_for_all", same, "the same for all", "different ones")
    fourth = ContractClient(table.url, table.timeout)
    reply = table.patient(lambda: fourth.join("Fourth", game_id=white.game_id))
    report.check("also_join_full_game_refused", reply.status >= 400, "4xx or 503", reply)
    before = table.state()
    for number in (1, 2):
        reply = white.skip_waiting()
        good = reply.ok and isinstance(reply.data, dict) and reply.data.get("ok") is True
        report.check(f"skip_waiting_when_full_{number}", good, '2xx {"ok": true}', reply)
    unchanged(table, "skip_waiting_changes_nothing", before)
    check_games(report, white, "running_game", True)


def code_order(table: Table) -> None:
    """403 before 409 before 422, and what a refusal leaves alone."""
    report = table.report
    mover, others, state = table.turn()
    legal, illegal = random_legal(state, table.rng), random_illegal(state, table.rng)
    number, long = state["move_number"], "x" * 257
    other = others[0]
    for name, client, move, sent, message, code in (
        ("403_not_your_turn", other, legal, number, None, 403),
        ("403_before_409", other, legal, number + 7, None, 403),
        ("403_before_422_illegal", other, illegal, number, None, 403),
        ("403_before_422_message", other, legal, number, long, 403),
        ("403_before_409_and_422", other, illegal, number + 7, long, 403),
        ("409_number_too_high", mover, legal, number + 1, None, 409),
        ("409_number_too_low", mover, legal, number - 1, None, 409),
        ("409_before_422_illegal", mover, illegal, number + 7, None, 409),
        ("409_before_422_message", mover, legal, number + 7, long, 409),
    ):
        reply = table.post(client, state, move, sent, message=message)
        report.check(f"move_{name}", reply.status == code, code, reply)
        if code == 409:
            good = isinstance(reply.data, dict) and isinstance(reply.data.get("detail"), str)
            report.many("409_detail_is_text", good, '{"detail": text}', reply)
    unchanged(table, "refusals_change_nothing", state)


def illegal_reply(table: Table, name: str, remaining: int, **more) -> None:
    """One illegal move of the player on turn and the body of its 422."""
    report = table.report
    mover, _, state = table.turn()
    reply = table.post(mover, state, random_illegal(state, table.rng), **more)
    report.check(f"{name}_422", reply.status == 422, 422, reply)
    detail = reply.data.get("detail") if isinstance(reply.data, dict) else None
    keys = {"error": str, "attempts_remaining": int}
    if check_keys(report, "illegal_detail", detail, keys):
        left = detail["attempts_remaining"]
        report.check(f"{name}_attempts_remaining", left == remaining, remaining, left)
        report.many("illegal_detail.legal_moves_present", "legal_moves" in detail, "it", detail)
        if remaining:
            same = detail.get("legal_moves") == state["legal_moves"]
            report.many("also_illegal_detail_same_moves", same, "those of the state", detail)


def chat(table: Table) -> None:
    """Messages: limits in code points, trimming, who sees them, the last six."""
    report = table.report
    state = table.state()
    illegal_reply(table, "first_illegal", 2, message="not kept")
    unchanged(table, "chat_of_illegal_not_kept", state)
    smile = "\U0001f600"
    for name, message, kept, ascii_only in (
        ("256_ascii", "x" * 256, "x" * 256, True),
        ("257_ascii", "x" * 257, "", True),
        ("256_two_byte_utf8", "я" * 256, "я" * 256, False),
        ("257_two_byte_utf8", "я" * 257, "", False),
        ("256_astral_utf8", smile * 256, smile * 256, False),
        ("256_astral_escaped", smile * 256, smile * 256, True),
        ("257_astral_escaped", smile * 257, "", True),
        ("257_astral_utf8", smile * 257, "", False),
        ("quotes", 'a "b" \\ / <c> & \'d\'', 'a "b" \\ / <c> & \'d\'', True),
        ("trimmed", "  two  words ", "two  words", True),
        ("trimmed_also_tabs", " \t two \n", "two", True),
        ("empty", "", None, True),
        ("blanks", "   ", None, True),
        ("blanks_also_tabs", " \t \n", None, True),
    ):
        mover, _, state = table.turn()
        if kept == "":
            reply = table.post(
                mover, state, random_legal(state, table.rng), message=message, ascii_only=ascii_only
            )
            report.check(f"chat_{name}_422", reply.status == 422, 422, reply)
            unchanged(table, f"chat_{name}_no_move", state)
            continue
        after = table.play(mover, state, message=message, ascii_only=ascii_only)
        wanted = state["chat_history"]
        if kept is not None:
            name_shown = {p["color"]: p["name"] for p in state["players"]}[mover.color]
            entry = {"color": mover.color, "player_name": name_shown, "message": kept}
            wanted = [*wanted, {"move_number": state["move_number"], **entry}][-6:]
        shown = [strip_entry(entry) for entry in after["chat_history"]]
        wanted = [strip_entry(entry) for entry in wanted]
        report.check(f"chat_{name}", shown == wanted, short_chat(wanted), short_chat(shown))
        views = [table.state(client)["chat_history"] for client in table.seats.values()]
        good = all(view == after["chat_history"] for view in views)
        report.many("chat_visible_to_all", good, "the same for all", "different ones")
    for number in range(8):
        mover, _, state = table.turn()
        after = table.play(mover, state, message=f"line {number}")
    shown = [entry["message"] for entry in after["chat_history"]]
    wanted = [f"line {number}" for number in range(2, 8)]
    report.check("chat_last_six_in_order", shown == wanted, wanted, shown)


def strip_entry(entry: dict) -> dict:
    return {key: entry.get(key) for key in ("move_number", "color", "player_name", "message")}


def short_chat(entries: list) -> list:
    return [(e["move_number"], e["color"], e["message"][:12], len(e["message"])) for e in entries]


def bad_bodies(table: Table) -> None:
    """Invalid bodies of POST /move, one for each turn, each followed by a legal move."""
    report = table.report
    for name, change, codes in (
        ("no_to", {"to": None}, (422,)),
        ("no_from", {"from": None}, (422,)),
        ("number_for_cell", {"to": 7}, (422,)),
        ("no_such_cell", {"to": "Z99"}, (422,)),
        ("message_no_text", {"message": 7}, (422,)),
        ("no_promotion", {"promotion": "king"}, (422,)),
        ("stale_and_no_promotion", {"promotion": "king", "move_number": 10**6}, (409,)),
        ("no_move_number", {"move_number": None}, (409, 422)),
        ("move_number_text", {"move_number": "one"}, (409, 422)),
        ("no_json", None, (422,)),
    ):
        mover, _, state = table.turn()
        source, target = random_legal(state, table.rng)
        body = {"from": source, "to": target, "move_number": state["move_number"]}
        body = {key: value for key, value in (body | (change or {})).items() if value is not None}
        raw = b'{"from": ' if change is None else None
        reply = table.patient(
            lambda m=mover, b=body, r=raw: m.request("POST", "/move", b, raw=r, token=m.token)
        )
        report.check(f"body_{name}_{codes[-1]}", reply.status in codes, codes, reply)
        unchanged(table, f"body_{name}_no_move", state)
        table.play(mover, state)


def forced_move(table: Table) -> None:
    """The third illegal attempt of a turn brings a random legal move."""
    report = table.report
    mover, _, state = table.turn()
    illegal_reply(table, "attempt_1", 2)
    illegal_reply(table, "attempt_2", 1)
    unchanged(table, "two_attempts_no_move", state)
    illegal_reply(table, "also_attempt_3", 0)
    after = table.state()
    last = after["last_move"] or {}
    played = last.get("to_square") in state["legal_moves"].get(last.get("from_square"), ())
    good = played and last != state["last_move"]
    report.check("forced_move_was_legal", good, "a move that was legal", last)
    turn = after["current_player"]
    report.check("forced_move_passes_turn", turn != mover.color, "another player", turn)
    reply = table.post(mover, after, random_legal(after, table.rng))
    report.check("move_403_after_forced_move", reply.status == 403, 403, reply)


def closed(table: Table, client: ContractClient, state: dict, name: str) -> None:
    """POST /move of a seat that cannot move any more: 403 whatever the body, never 410."""
    for what, number, message in (
        ("legal", 0, None),
        ("wrong_number", 5, None),
        ("long_message", 0, "x" * 257),
    ):
        move = random_legal(state, table.rng) if state["legal_moves"] else ("E2", "E4")
        reply = table.post(client, state, move, state["move_number"] + number, message=message)
        table.report.check(f"move_403_{name}_{what}", reply.status == 403, 403, reply)


def resignations(table: Table) -> None:
    """One resigns off turn, the others play on, then the next one ends the game."""
    report = table.report
    _, others, _ = table.turn()
    loser = others[0]
    for name, left in (("first", 2), ("second", 1)):
        reply = loser.resign()
        good = reply.ok and isinstance(reply.data, dict) and "game_status" in reply.data
        report.need(f"{name}_resign_2xx_game_status", good, "2xx with game_status", reply)
        wanted = "playing" if left == 2 else "finished"
        came = reply.data["game_status"]
        report.check(f"{name}_resign_game_status", came == wanted, wanted, came)
        state = table.state(loser)
        statuses = {p["color"]: p["status"] for p in state["players"]}
        good = statuses[loser.color] == "eliminated"
        report.check(f"{name}_resigned_is_eliminated", good, "eliminated", statuses)
        pieces = [p for p in state["board"] if p["owner"] == loser.color]
        report.check(f"also_{name}_pieces_inherited", not pieces, "no piece left", pieces)
        closed(table, loser, state, f"{name}_resigned")
        if left == 2:
            check_games(report, loser, "after_elimination", True)
            for _ in range(4):
                mover, rest, state = table.turn()
                table.play(mover, state)
                table.state(loser)
            loser = table.turn()[0]
    alive = [color for color, status in statuses.items() if status != "eliminated"]
    good = state["game_status"] == "finished" and [state["winner"]] == alive
    came = (state["game_status"], state["winner"])
    report.check("last_survivor_wins", good, alive, came)
    for color, client in table.seats.items():
        after = table.state(client)
        good = after["game_status"] == "finished"
        report.check(f"state_after_the_end_{color}", good, "finished", after["game_status"])
        closed(table, client, after, f"game_over_{color}")
    check_games(report, loser, "finished_game", False)


def house_bots(table: Table, moves: int = 12) -> None:
    """One seat of ours: skip-waiting fills the others, and the house bots answer."""
    report = table.report
    client = table.join("alone", "Alone", "white")
    for number in (1, 2, 3):
        reply = client.skip_waiting()
        good = reply.ok and isinstance(reply.data, dict) and reply.data.get("ok") is True
        report.check(f"skip_waiting_{number}", good, '2xx {"ok": true}', reply)
        state = table.state()
        report.check(f"filled_{number}", state["game_status"] == "playing", "playing", state)
    for bot in state["players"][1:]:
        good = bot["player_type"] == "smartbot" and bot["model"] is None and bot["name"]
        report.check(f"house_bot_{bot['color']}", good, "smartbot without a model", bot)
    report.check("nothing_moved_yet", state["last_move"] is None, None, state["last_move"])
    for number in range(moves):
        deadline = time.monotonic() + 120
        while state["current_player"] != client.color and state["game_status"] == "playing":
            report.need("house_bots_move", time.monotonic() < deadline, "a move in 120 s", state)
            time.sleep(0.2)
            state = table.state()
        if state["game_status"] != "playing":
            print("# the game with house bots ended early; its last checks were left out")
            return
        state = table.play(client, state, bots=True, message=f"hello {number}")
    colors = {entry["color"] for entry in state["chat_history"]}
    report.check("house_bots_do_not_chat", colors == {client.color}, {client.color}, colors)
    reply = client.resign()
    report.check("resign_among_bots_2xx", reply.ok, "2xx JSON", reply)
    statuses = [p["status"] for p in table.state()["players"]]
    report.check("state_after_elimination", statuses[0] == "eliminated", "eliminated", statuses)
    reply = client.move("E2", "E4", state["move_number"])
    report.check("move_403_not_410_when_out", reply.status == 403, 403, reply)


def random_game(table: Table, plies: int) -> None:
    """Three seats play at random, promotions and captures first; every state is checked."""
    for _ in range(plies):
        state = table.state()
        if state["game_status"] == "finished":
            break
        mover = table.seats[state["current_player"]]
        pawns = [move for move in state["promotion_moves"] if isinstance(move, str)]
        taken = {piece["notation"] for piece in state["board"]}
        pairs = [(a, b) for a, targets in state["legal_moves"].items() for b in targets]
        pick = [pair for pair in pairs if "".join(pair) in pawns]
        if not pick and table.rng.random() < 0.4:
            pick = [pair for pair in pairs if pair[1] in taken]
        table.play(mover, state, table.rng.choice(pick or pairs))
    for client in table.seats.values():
        if table.state()["game_status"] == "playing":
            client.resign()
    for color, client in table.seats.items():
        status = table.state(client)["game_status"]
        table.report.check(f"random_game_over_{color}", status == "finished", "finished", status)


def main() -> int:
    parser = argparse.ArgumentParser(description="Check a running server against the contract.")
    parser.add_argument("url", help="base URL, http://127.0.0.1:PORT/api/v1")
    parser.add_argument("--plies", type=int, default=300, help="length of the random game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=30.0, help="seconds for one request")
    options = parser.parse_args()
    report, rng = Report(), random.Random(options.seed)
    ordered, bots, play = (
        Table(report, options.url, options.timeout, rng) for _ in ("ordered", "bots", "random")
    )
    sections = (
        (ordered, lambda: general(report, options.url, options.timeout)),
        (ordered, lambda: (ordered.join_all(), full_table(ordered))),
        (ordered, lambda: code_order(ordered)),
        (ordered, lambda: chat(ordered)),
        (ordered, lambda: bad_bodies(ordered)),
        (ordered, lambda: forced_move(ordered)),
        (ordered, lambda: resignations(ordered)),
        (bots, lambda: house_bots(bots)),
        (play, lambda: (play.join_all(), random_game(play, options.plies))),
    )
    names = ("general", "full_table", "code_order", "chat", "bad_bodies", "forced_move")
    names += ("resignations", "house_bots", "random_game")
    for name, (table, section) in zip(names, sections):
        if table is ordered and name not in names[:2] and len(table.seats) < 3:
            report.check(f"section_{name}", False, "three seats to play with", "no such table")
            continue
        try:
            section()
        except Stop:
            print(f"# the section {name} was cut short", flush=True)
        except TransportError as error:
            report.check(f"section_{name}", False, "responses", error)
        except Exception:  # A shape that no check foresaw must not hide the other sections.
            traceback.print_exc()
            report.check(f"section_{name}", False, "no exception", "see the traceback")
    report.flush()
    print(f"# {report.failed} checks failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
