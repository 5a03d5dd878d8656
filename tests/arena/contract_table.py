"""Plays a game with seats of our own, for contract_check.py: joining, states, accepted moves."""

import random
import time

from contract_client import PROMOTIONS, ContractClient, Reply, is_promotion, random_legal
from contract_shapes import MOVE_KEYS, Report, Stop, check_keys, check_state


class Table:
    """A game with one to three seats of ours; requests that meet a 429 are repeated."""

    def __init__(self, report: Report, url: str, timeout: float, rng: random.Random):
        self.report, self.url, self.timeout, self.rng = report, url, timeout, rng
        self.seats: dict[str, ContractClient] = {}

    def patient(self, send) -> Reply:
        for _ in range(8):
            reply = send()
            if reply.status != 429:
                break
            time.sleep(2)
        return reply

    def join(self, tag: str, name: str, color: str, **options) -> ContractClient:
        client = ContractClient(self.url, self.timeout)
        reply = self.patient(lambda: client.join(name, **options))
        self.report.need(f"join_{tag}_2xx_json", reply.ok, "2xx JSON", reply)
        keys = {"player_token": str, "game_id": str, "color": str, "status": str}
        if not check_keys(self.report, "join", reply.data, keys):
            raise Stop
        self.report.need(f"join_{tag}_color", client.color == color, color, client.color)
        self.seats[color] = client
        return client

    def join_all(self) -> None:
        """Three seats, with the longest names, each kind of player, and a model for one."""
        first = self.join("white", "Ж" * 80, "white")
        self.waiting_checks(first)
        game = first.game_id
        self.join("black", "b" * 80, "black", kind="llm", model="model-1", game_id=game)
        self.join("red", "Red", "red", kind="smartbot", game_id=game)
        games = {client.game_id for client in self.seats.values()}
        self.report.need("join_game_id_same_game", games == {game}, game, games)
        tokens = {client.token for client in self.seats.values()}
        self.report.check("join_tokens_differ", len(tokens) == 3, "three tokens", len(tokens))

    def waiting_checks(self, client: ContractClient) -> None:
        state = self.state(client)
        status = state["game_status"]
        if self.report.check("waiting_after_first_join", status == "waiting", "waiting", status):
            reply = self.patient(lambda: client.move("E2", "E4", state["move_number"]))
            good = 400 <= reply.status <= 499 and reply.status != 410
            self.report.check("also_no_move_while_waiting", good, "4xx but not 410", reply)

    def state(self, client: ContractClient | None = None) -> dict:
        """The state as one seat sees it (any seat by default), checked."""
        client = client or next(iter(self.seats.values()))
        reply = self.patient(client.state)
        good = reply.status == 200 and reply.is_json
        if not self.report.many("state_200", good, "200 JSON", reply):
            raise Stop
        if not check_state(self.report, reply.data):
            raise Stop
        same = reply.data["game_id"] == client.game_id
        self.report.many("state_of_own_game", same, client.game_id, reply.data["game_id"])
        return reply.data

    def turn(self) -> tuple[ContractClient, list[ContractClient], dict]:
        """The seat on turn, the other surviving seats of ours, and the state."""
        state = self.state()
        if state["game_status"] != "playing":
            self.report.need("game_still_playing", False, "playing", state["game_status"])
        mover = self.seats[state["current_player"]]
        alive = [p["color"] for p in state["players"] if p["status"] != "eliminated"]
        others = [self.seats[c] for c in alive if c in self.seats and c != mover.color]
        return mover, others, state

    def post(self, client: ContractClient, state: dict, move, number=None, **more) -> Reply:
        number = state["move_number"] if number is None else number
        return self.patient(lambda: client.move(*move, number, **more))

    def play(self, client, state, move=None, bots=False, **more) -> dict:
        """A legal move, which must be accepted; the response is checked."""
        report = self.report
        source, target = move or random_legal(state, self.rng)
        promotes = is_promotion(state, source, target)
        if promotes:
            more["promotion"] = self.rng.choice([None, *PROMOTIONS])
        reply = self.post(client, state, (source, target), **more)
        good = reply.status == 200 and reply.is_json
        if not report.many("legal_move_200", good, f"200 for {source}-{target} {more}", reply):
            raise Stop
        data = reply.data
        if not check_keys(report, "move_response", data, MOVE_KEYS):
            raise Stop
        report.many("move_success_true", data["success"] is True, True, data["success"])
        after = data["state"]
        if not check_state(report, after):
            raise Stop
        over = after["game_status"] == "finished"
        report.many("game_over_matches_state", data["game_over"] == over, over, data["game_over"])
        pair = (data["winner"], data["reason"])
        wanted = (after["winner"], after["reason"])
        report.many("winner_matches_state", pair == wanted, wanted, pair)
        gone = data["eliminated_player"]
        out = [p["color"] for p in after["players"] if p["status"] == "eliminated"]
        report.many("eliminated_is_out", gone is None or gone in out, f"null or {out}", gone)
        if bots:
            return after
        before = [p["color"] for p in state["players"] if p["status"] == "eliminated"]
        fresh = [color for color in out if color not in before]
        good = gone in fresh if fresh else gone is None
        report.many("also_eliminated_named", good, fresh or None, gone)
        last = after["last_move"] or {}
        ends = (last.get("from_square"), last.get("to_square"))
        report.many("last_move_is_ours", ends == (source, target), (source, target), last)
        previous = after["prev_move"]
        report.many("prev_move_kept", previous == state["last_move"], state["last_move"], previous)
        letter = PROMOTIONS[more["promotion"] or "queen"] if promotes else None
        report.many("promotion_as_asked", last.get("promotion") == letter, more or letter, last)
        types = {piece["notation"]: piece["type"] for piece in state["board"]}
        taken = "P" if last.get("move_type") == "en_passant" else types.get(target)
        report.many("also_captured_as_on_board", last.get("captured") == taken, taken, last)
        return after
