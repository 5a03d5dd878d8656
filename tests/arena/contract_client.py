#!/usr/bin/env python3
"""Plays one seat of an arena through /api/v1, as the existing clients of that API do.

  contract_client.py http://127.0.0.1:8080/api/v1 --name Bob

It was written from a description of those clients alone, without a look at the server: one new
TCP connection for each request, no redirects followed, GET /state polled every 0.5 s, and a seat
given up after a 410 or after a POST /move without an answer.

Exit codes: 0 the game finished; 1 /join failed; 2 wrong usage; 3 the seat was lost (410);
4 transport error of POST /move; 5 --max-seconds ran out; 6 the game finished, but the server
accepted a move that was not among the legal ones.
The JSON line goes to standard output only when the game finished; all else is on standard error.
"""

import argparse
import http.client
import json
import random
import sys
import time
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

MAX_MESSAGE = 256
CELLS = [
    f"{column}{row}"
    for columns, rows in (
        ("ABCDEFGH", (1, 2, 3, 4)),
        ("LKJIDCBA", (8, 7, 6, 5)),
        ("HGFEIJKL", (12, 11, 10, 9)),
    )
    for row in rows
    for column in columns
]
PROMOTIONS = {
    "queen": "Q",
    "QUEEN": "Q",
    "QuEeN": "Q",
    "rook": "R",
    "Bishop": "B",
    "kNIGHT": "N",
    "Q": "Q",
    "R": "R",
    "b": "B",
    "n": "N",
}
MESSAGES = (
    "Good luck to both of you.",
    "  blanks on both sides  ",
    "   ",
    "",
    "Ход сделан, ваша очередь.",
    "你好，白方。",
    "Zażółć gęślą jaźń",
    "e\u0301 as two code points",
    "\U0001f600 \U0001f3f0",
    'quotes " and \\ and / and a tab\there',
    "\U0001f600" * MAX_MESSAGE,
    "я" * MAX_MESSAGE,
    "x" * MAX_MESSAGE,
)


class TransportError(Exception):
    """No complete HTTP response came: refused, reset, timed out or malformed."""


class Reply(NamedTuple):
    """One HTTP response. `data` is the decoded JSON, or None where `is_json` is false."""

    status: int
    data: Any
    is_json: bool
    raw: bytes
    headers: dict

    @property
    def ok(self) -> bool:
        """True for a 2xx status with a JSON body."""
        return 200 <= self.status <= 299 and self.is_json

    def brief(self) -> str:
        """The status and the beginning of the body, on one line."""
        return f"{self.status} {self.raw[:200].decode('utf-8', 'replace')!r}"


class ContractClient:
    """Single requests to the arena. Each method returns a Reply or raises TransportError."""

    def __init__(self, base_url: str, timeout: float = 30.0, token: str | None = None):
        parts = urlsplit(base_url)
        if parts.scheme != "http" or not parts.hostname:
            raise ValueError(f"the base URL must be http://HOST:PORT/api/v1, not {base_url!r}")
        self.host = parts.hostname
        self.port = parts.port or 80
        self.prefix = parts.path.rstrip("/")
        self.timeout = timeout
        self.token = token
        self.game_id: str | None = None
        self.color: str | None = None
        # What went wrong with requests that got no complete response, at any endpoint.
        self.errors: list[str] = []

    def request(
        self,
        method: str,
        path: str,
        payload: Any = None,
        *,
        raw: bytes | None = None,
        token: str | None = None,
        root: bool = False,
        ascii_only: bool = True,
    ) -> Reply:
        """Send one request over its own connection.

        `payload` is sent as JSON, `raw` as it stands. `root` leaves out the /api/v1 prefix.
        `ascii_only` chooses between \\u escapes and plain UTF-8 for other characters.
        """
        headers = {"Accept": "application/json"}
        body = raw
        if raw is None and payload is not None:
            body = json.dumps(payload, ensure_ascii=ascii_only).encode("utf-8")
        if body is not None:
            headers["Content-Type"] = "application/json"
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        # http.client sends "Content-Length: 0" for a POST without a body.
        connection = http.client.HTTPConnection(self.host, self.port, timeout=self.timeout)
        try:
            connection.request(method, ("" if root else self.prefix) + path, body, headers)
            response = connection.getresponse()
            content = response.read()
            status, fields = response.status, dict(response.getheaders())
        except (OSError, http.client.HTTPException) as error:
            self.errors.append(f"{method} {path}: {type(error).__name__}: {error}")
            raise TransportError(self.errors[-1]) from error
        finally:
            connection.close()
        try:
            return Reply(status, json.loads(content), True, content, fields)
        except ValueError:
            return Reply(status, None, False, content, fields)

    def health(self) -> Reply:
        return self.request("GET", "/health")

    def join(
        self,
        name: str,
        kind: str | None = None,
        model: str | None = None,
        game_id: str | None = None,
    ) -> Reply:
        """POST /join; on success the token, the game and the colour are remembered."""
        payload = {"name": name}
        if kind is not None:
            payload["type"] = kind
        if model is not None:
            payload["model"] = model
        if game_id is not None:
            payload["game_id"] = game_id
        reply = self.request("POST", "/join", payload, ascii_only=False)
        if reply.ok and isinstance(reply.data, dict):
            self.token = reply.data.get("player_token")
            self.game_id = reply.data.get("game_id")
            self.color = reply.data.get("color")
        return reply

    def state(self) -> Reply:
        return self.request("GET", "/state", token=self.token)

    def move(
        self,
        source: str,
        target: str,
        move_number: int,
        promotion: str | None = None,
        message: str | None = None,
        ascii_only: bool = True,
    ) -> Reply:
        payload = {"from": source, "to": target, "move_number": move_number}
        if promotion is not None:
            payload["promotion"] = promotion
        if message is not None:
            payload["message"] = message
        return self.request("POST", "/move", payload, token=self.token, ascii_only=ascii_only)

    def skip_waiting(self) -> Reply:
        return self.request("POST", "/skip-waiting", token=self.token)

    def resign(self) -> Reply:
        return self.request("POST", "/resign", token=self.token)

    def games(self) -> Reply:
        return self.request("GET", "/games")

    def board_geometry(self) -> Reply:
        return self.request("GET", "/board-geometry")

    def stats_colors(self) -> Reply:
        return self.request("GET", "/stats/colors")

    def leaderboard(self) -> Reply:
        return self.request("GET", "/leaderboard")

    def openapi(self) -> Reply:
        return self.request("GET", "/openapi.json", root=True)

    def llms_txt(self) -> Reply:
        return self.request("GET", "/llms.txt", root=True)

    def any_path(self, path: str) -> Reply:
        return self.request("GET", "/" + quote(path.lstrip("/")))


def random_legal(state: dict, rng: random.Random) -> tuple[str, str]:
    """A random (from, to) out of `legal_moves`, all moves being equally likely."""
    pairs = [(source, to) for source, targets in state["legal_moves"].items() for to in targets]
    return rng.choice(pairs)


def random_illegal(state: dict, rng: random.Random) -> tuple[str, str]:
    """A (from, to) of two real cells that is not among the legal moves."""
    legal = state["legal_moves"]
    while True:
        # Half of them start from a piece that has moves, the others from anywhere.
        sources = sorted(legal) if legal and rng.random() < 0.5 else CELLS
        source, target = rng.choice(sources), rng.choice(CELLS)
        if target not in legal.get(source, ()):
            return source, target


def is_promotion(state: dict, source: str, target: str) -> bool:
    return source + target in (state.get("promotion_moves") or ())


class SeatLost(Exception):
    """410: a bot has taken the seat over."""


class Player:
    """Plays one seat to the end of the game, as the existing client does."""

    def __init__(self, client: ContractClient, options: argparse.Namespace):
        self.client = client
        self.options = options
        self.rng = random.Random(options.seed)
        self.moves = 0
        self.accepted: list[tuple[str, str]] = []  # (from, to) of moves answered with 200
        self.unanswered: tuple[str, str] | None = None
        self.refusals: dict[str, int] = {}
        self.illegal_sent_at = -1
        self.illegal_accepted = 0
        self.resigned = False

    def log(self, text: str) -> None:
        if not self.options.quiet:
            print(f"{self.options.name} {self.client.color or '-'}: {text}", file=sys.stderr)

    def totals(self) -> dict:
        return {
            "moves": self.moves,
            "refusals": dict(sorted(self.refusals.items())),
            "transport_errors": len(self.client.errors),
        }

    def check_health(self) -> None:
        """GET /health; whatever happens, the client continues."""
        try:
            reply = self.client.health()
            self.log(f"health {reply.brief()}")
        except TransportError as error:
            self.log(f"health failed, continuing: {error}")

    def join(self) -> str | None:
        """POST /join; returns why it failed, or None."""
        options = self.options
        try:
            reply = self.client.join(options.name, options.type, options.model, options.game_id)
        except TransportError as error:
            return str(error)
        if not reply.ok or not isinstance(reply.data, dict):
            return reply.brief()
        missing = {"player_token", "game_id", "color", "status"} - set(reply.data)
        if missing:
            return f"keys missing in the response: {sorted(missing)}"
        self.log(f"joined {self.client.game_id}, status {reply.data['status']}")
        return None

    def poll(self) -> dict | None:
        """GET /state; None on any failure at all."""
        try:
            reply = self.client.state()
        except TransportError as error:
            self.log(f"state failed: {error}")
            return None
        if not reply.ok or not isinstance(reply.data, dict):
            self.log(f"state failed: {reply.brief()}")
            return None
        return reply.data

    def skip_waiting(self) -> None:
        """POST /skip-waiting; a failure is ignored."""
        try:
            self.client.skip_waiting()
        except TransportError as error:
            self.log(f"skip-waiting failed, ignored: {error}")

    def resign(self) -> None:
        """POST /resign, once; a failure is logged and the polling goes on."""
        self.resigned = True
        try:
            self.log(f"resigned: {self.client.resign().brief()}")
        except TransportError as error:
            self.log(f"resigning failed: {error}")

    def choose(self, state: dict) -> tuple[str, str, str | None, bool]:
        """The next move: from, to, promotion, and whether it is wrong on purpose."""
        every = self.options.illegal_every
        due = every > 0 and (self.moves + 1) % every == 0
        if due and self.illegal_sent_at != self.moves:
            self.illegal_sent_at = self.moves
            return *random_illegal(state, self.rng), None, True
        source, target = random_legal(state, self.rng)
        promotion = None
        # A missing promotion means a queen; it is left out every third time or so.
        if is_promotion(state, source, target) and self.rng.random() < 0.67:
            promotion = self.rng.choice(sorted(PROMOTIONS))
        return source, target, promotion, False

    def play(self, state: dict) -> None:
        """One POST /move. TransportError goes up and ends the program."""
        if not state.get("legal_moves"):
            self.log("WARNING legal_moves is empty on our turn; polling again")
            return
        source, target, promotion, wrong = self.choose(state)
        message = None
        if self.rng.random() < self.options.chat_chance:
            message = self.rng.choice(MESSAGES)
        # Both spellings of characters beyond ASCII occur in JSON, so use both.
        ascii_only = self.rng.random() < 0.5
        self.unanswered = (source, target)
        reply = self.client.move(
            source, target, state.get("move_number"), promotion, message, ascii_only
        )
        self.unanswered = None
        if reply.status == 200:
            self.moves += 1
            self.accepted.append((source, target))
            if wrong:
                self.illegal_accepted += 1
                self.log(f"WARNING the illegal move {source}-{target} was accepted")
            if not isinstance(reply.data, dict):
                self.log(f"WARNING the response to {source}-{target} is no JSON object")
            return
        code = str(reply.status)
        self.refusals[code] = self.refusals.get(code, 0) + 1
        purpose = " (on purpose)" if wrong else ""
        self.log(f"{source}-{target}{purpose} refused: {reply.brief()}")
        if reply.status == 410:
            raise SeatLost
        if reply.status == 429:
            time.sleep(self.options.retry)
        # 403, 409, 422, 401 and codes that the contract does not name: poll again.

    def result(self, state: dict) -> dict:
        if "winner" not in state:
            self.log("WARNING the finished state has no winner key: logged as a draw")
        winner = state.get("winner", "draw")
        return {"winner": winner, "reason": state.get("reason"), **self.totals()}

    def stop(self, why: str, code: int) -> int:
        """End before the end of the game; the totals go to standard error."""
        print(json.dumps({"stopped": why, **self.totals()}), file=sys.stderr)
        return code

    def run(self) -> int:
        self.check_health()
        why = self.join()
        if why is not None:
            return self.stop(f"join failed: {why}", 1)
        limit = self.options.max_seconds
        started = time.monotonic()
        while True:
            if limit > 0 and time.monotonic() - started > limit:
                return self.stop("--max-seconds ran out", 5)
            state = self.poll()
            if state is None:
                time.sleep(self.options.retry)
                continue
            status = state.get("game_status")
            if status == "finished":
                print(json.dumps(self.result(state)), flush=True)
                return 6 if self.illegal_accepted else 0
            if status == "waiting":
                if not self.options.patient:
                    self.skip_waiting()
            else:
                after = self.options.resign_after
                if after is not None and not self.resigned and self.moves >= after:
                    self.resign()
                elif state.get("current_player") == self.client.color:
                    try:
                        self.play(state)
                    except SeatLost:
                        return self.stop("410: the seat was taken over", 3)
                    except TransportError as error:
                        return self.stop(f"transport error: {error}", 4)
            time.sleep(self.options.poll)


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Play one seat as the existing clients do.")
    add = parser.add_argument
    add("url", help="base URL, http://127.0.0.1:PORT/api/v1")
    add("--name", default="ContractClient")
    add("--type", default="llm", choices=("llm", "smartbot", "human"))
    add("--model", help="model name sent with /join; left out by default")
    add("--game-id", help="join this game")
    add("--patient", action="store_true", help="wait for other players, without skip-waiting")
    add("--poll", type=float, default=0.5, help="seconds between two polls of /state")
    add("--retry", type=float, default=2.0, help="seconds to wait after a failure or a 429")
    add("--illegal-every", type=int, default=0, metavar="N", help="0 means never")
    add("--resign-after", type=int, metavar="N", help="resign after N accepted moves")
    add("--chat-chance", type=float, default=0.2, help="share of the moves with a message")
    add("--timeout", type=float, default=30.0, help="seconds for one request")
    add("--max-seconds", type=float, default=0.0, help="give up after this time; 0 means never")
    add("--seed", type=int, help="makes the choices repeatable")
    add("--quiet", action="store_true", help="no log on standard error")
    return parser.parse_args(arguments)


def main() -> int:
    options = parse()
    try:
        client = ContractClient(options.url, options.timeout)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return Player(client, options).run()


if __name__ == "__main__":
    sys.exit(main())
