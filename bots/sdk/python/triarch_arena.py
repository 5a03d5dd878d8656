"""Plays at a Triarch arena, over HTTP. A bot is a function that chooses a move:

    import random
    import triarch_arena

    def choose(turn):
        return random.choice(turn.moves)

    print(triarch_arena.play("http://127.0.0.1:8080", choose, game="tri-d", name="mine"))

The function may also return (move, message), RESIGN or CLAIM. If it raises an exception, or chooses
an illegal move, the seat resigns and the exception goes on to the caller. So it does with Ctrl-C.

Copy this file beside your bot. It needs Python 3.9 or newer and no packages. The class Arena has
the rest of the arena's API (docs/arena-api.md). Lost connections, restarts of the arena and "too
many requests" are waited out, for up to `patience` seconds; the logger "triarch_arena" tells, by
default on standard error. No move is played twice and no seat taken twice. Proxies are those of the
environment (https_proxy, no_proxy), and certificates are checked.
"""

import collections
import http.client
import json
import logging
import os
import random
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request

RESIGN = "resign"
CLAIM = "claim"  # claims a draw by the rules

_WAIT_SECONDS = 30  # the longest that an arena lets a request wait
_SILENCE_SECONDS = 60  # after which a connection is given up
_BUSY = (429, 502, 503, 504)

_log = logging.getLogger("triarch_arena")


class ArenaError(Exception):
    """The arena refused a request. `status` is the HTTP status, `data` the whole answer."""

    def __init__(self, status, data):
        detail = data.get("detail") if isinstance(data, dict) else data
        super().__init__(f"{detail} (HTTP {status})")
        self.status = status
        self.data = data


class Turn:
    """What the arena says of a table to the player of a seat.

    Its attributes are those of docs/arena-api.md: table, game, stage, seat, your_turn, ply,
    move_number, to_move, position, in_check, moves, texts, last_move, can_claim, attempts_left,
    seconds_left, players, chat, result, events.
    """

    def __init__(self, data):
        self.__dict__.update(data)

    @property
    def is_over(self):
        return self.stage in ("finished", "closed")

    def __repr__(self):
        return f"Turn({self.__dict__})"


# How a game ended. `place` is the seat's (1 is best), and `places` those of all seats. Both are
# None if the table was closed before the end ("abandoned"), or if a house bot took the seat after
# too many timeouts ("replaced").
Result = collections.namedtuple("Result", "table seat place places termination")


def _result_of(turn):
    if any(player["seat"] == turn.seat and player["replaced"] for player in turn.players):
        return Result(turn.table, turn.seat, None, None, "replaced")
    if not turn.result:
        return Result(turn.table, turn.seat, None, None, "abandoned")
    places = turn.result["places"]
    return Result(turn.table, turn.seat, places[turn.seat], places, turn.result["termination"])


class Arena:
    """An arena at a URL such as http://127.0.0.1:8080. `key` is that of your account, if any."""

    def __init__(self, url, key=None, patience=300):
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"expected a URL such as http://127.0.0.1:8080, not {url!r}")
        self.base = url.rstrip("/") + "/api/v2"
        self.key = key
        self.patience = patience

    # --- play ---

    def join(self, game=None, **options):
        """Takes a seat and returns it. The options are the members of docs/arena-api.md#join."""
        body = {"game": game, "secret": os.urandom(16).hex(), **options}
        body = {key: value for key, value in body.items() if value is not None}
        return Seat(self, self.post("/join", body, self.key))

    def play(self, choose, notations=(), **join):
        """Joins, plays one game and returns its Result. `join` is as for join()."""
        return self.join(**join).play(choose, notations)

    # --- look ---

    def tables(self, game=None):
        """Returns the tables that wait or are played."""
        return self.get("/tables", game=game)

    def table(self, table, notations=()):
        return self.get(f"/tables/{table}", notations=",".join(notations) or None)

    def events(self, table, after=0):
        """Yields the events of a table from number `after` on, as they come, until the last one of
        its game. It goes on where it was if the connection breaks."""
        if after > 0:
            now = self.table(table)
            if now["stage"] in ("finished", "closed") and now["events"] <= after:
                return
        retry = _Retry(self.patience)
        while True:
            headers = {"Accept": "text/event-stream"}
            if after > 0:
                headers["Last-Event-ID"] = str(after - 1)
            stream = self._send(f"/tables/{table}/events", lambda answer: answer, headers, retry)
            with stream:
                for event in _sent_events(stream):
                    retry = _Retry(self.patience)
                    if event is not None:
                        after = event["n"] + 1
                        yield event
                        if "result" in event or event["kind"] == "closed":
                            return
            retry.pause(ConnectionError("the stream of events broke off"))

    def games(self, game=None):
        """Yields the finished games, the latest first."""
        before = None
        while True:
            answer = self.get("/games", game=game, before=before)
            yield from answer["games"]
            before = answer["before"]
            if before is None:
                return

    def game(self, table):
        return self.get(f"/games/{table}")

    def tpgn(self, table):
        return self.get(f"/games/{table}/tpgn")

    def bots(self):
        return self.get("/house-bots")

    def rules(self, game):
        return self.get(f"/rules/{game}")

    def geometry(self, game):
        return self.get(f"/geometry/{game}")

    def leaderboard(self, game):
        return self.get("/leaderboard", game=game)

    def standings(self, game):
        return self.get("/standings", game=game)

    def player(self, name):
        return self.get("/players/" + urllib.parse.quote(name, safe=""))

    def health(self):
        return self.get("/health")

    # --- accounts ---

    def claim_name(self, name):
        """Claims a name and returns its key: keep it, for it is not shown again. With `key` set,
        the new account gets the same owner as that key's."""
        body = {"name": name, "key": os.urandom(32).hex()}
        return self.post("/players", body, self.key)["key"]

    def renew_key(self, name):
        """Replaces the key, which stops working at once, and returns the new one."""
        path = "/players/" + urllib.parse.quote(name, safe="") + "/key"
        self.key = self.post(path, {"key": os.urandom(32).hex()}, self.key)["key"]
        return self.key

    # --- requests ---

    def get(self, path, token=None, **query):
        query = {key: value for key, value in query.items() if value is not None}
        if query:
            path += "?" + urllib.parse.urlencode(query)
        return self._send(path, _content, _authorization(token), _Retry(self.patience))

    def post(self, path, body, token=None, patience=None):
        headers = {"Content-Type": "application/json", **_authorization(token)}
        retry = _Retry(self.patience if patience is None else patience)
        return self._send(path, _content, headers, retry, json.dumps(body).encode())

    def _send(self, path, take, headers, retry, body=None):
        """Sends a request until it is answered, and returns what `take` makes of the answer."""
        request = urllib.request.Request(self.base + path, body, headers)
        while True:
            asked = 0
            try:
                return take(_opener.open(request, timeout=_SILENCE_SECONDS))
            except urllib.error.HTTPError as error:
                failure = _refusal(error)
                if error.code not in _BUSY:
                    raise failure from None
                text = error.headers.get("Retry-After", "")
                asked = int(text) if text.isdecimal() else 0
            except (OSError, http.client.HTTPException) as error:
                if isinstance(getattr(error, "reason", None), ssl.SSLCertVerificationError):
                    raise
                failure = error
            retry.pause(failure, asked)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirection would make a GET of a POST, and show the token to another server."""

    def redirect_request(self, *_):
        return None


_opener = urllib.request.build_opener(_NoRedirect)


class _Retry:
    """The growing pauses between the attempts of a request, for at most `patience` seconds."""

    def __init__(self, patience):
        self._patience = patience
        self._until = None
        self._pause = 0.2

    def pause(self, failure, asked=0):
        """Waits for at least `asked` seconds, or raises the failure if the patience is over."""
        if self._until is None:
            self._until = time.monotonic() + self._patience
            if self._patience > 0:
                _log.warning("%s; trying again for %g s", failure, self._patience)
        # Clients that failed together should not come back together.
        wait = max(asked, self._pause * random.uniform(0.5, 1))
        if time.monotonic() + wait > self._until:
            raise failure
        time.sleep(wait)
        self._pause = min(2 * self._pause, 5)


def _authorization(token):
    return {"Authorization": f"Bearer {token}"} if token else {}


def _content(answer):
    with answer:
        data = answer.read()
        if answer.headers.get_content_type() != "application/json":
            return data.decode(errors="replace")
        return json.loads(data)


def _refusal(error):
    if 300 <= error.code < 400:
        error.close()
        return ArenaError(error.code, f"the server is at {error.headers.get('Location')}")
    try:
        return ArenaError(error.code, _content(error))
    except (OSError, http.client.HTTPException, ValueError):
        return ArenaError(error.code, error.reason)


def _sent_events(stream):
    """Yields the events of a stream of server-sent events, and None for other signs of life, until
    the stream ends or breaks off."""
    while True:
        try:
            line = stream.readline()
        except (OSError, http.client.HTTPException):
            return
        if not line.endswith(b"\n"):
            return
        # An arena sends the data of an event in one line.
        yield json.loads(line[len(b"data:"):]) if line.startswith(b"data:") else None


class Seat:
    """A seat at a table. `token` is all that it takes to go on later: Seat(arena, {"token": …})."""

    def __init__(self, arena, joined):
        self.arena = arena
        self.token = joined["token"]
        self.table = joined.get("table")
        self.seat = joined.get("seat")

    def turn(self, wait=_WAIT_SECONDS, notations=()):
        """Returns the turn when it is yours, or when the game is over, but after `wait` seconds in
        any case."""
        turn = Turn(self.arena.get("/turn", self.token, wait=wait,
                                   notations=",".join(notations) or None))
        self.table, self.seat = turn.table, turn.seat
        return turn

    def move(self, move, ply, message=None):
        """Plays a move. ArenaError: it is refused; status 422 means that it is illegal."""
        body = {"move": move, "ply": ply}
        if message:
            body["message"] = message
        return self._post("/move", body)

    def resign(self):
        return self._post("/resign")

    def claim(self):
        return self._post("/claim")

    def fill(self):
        """Lets house bots take the empty seats now."""
        return self._post("/fill")

    def rematch(self):
        """Takes a seat at the rematch, and returns it."""
        return Seat(self.arena, self.arena.post("/rematch", {}, self.token))

    def play(self, choose, notations=()):
        """Plays to the end of the game and returns its Result."""
        try:
            while True:
                turn = self.turn(notations=notations)
                if turn.is_over:
                    return _result_of(turn)
                if turn.your_turn:
                    self._answer(turn, choose(turn))
        except BaseException as error:
            if isinstance(error, ArenaError) and error.status == 410:
                return Result(self.table, self.seat, None, None, "replaced")
            self._leave()
            raise

    def _answer(self, turn, choice):
        try:
            if choice == RESIGN:
                self.resign()
            elif choice == CLAIM:
                self.claim()
            else:
                move, message = choice if isinstance(choice, tuple) else (choice, None)
                self.move(move, turn.ply, message)
        except ArenaError as error:
            if error.status not in (403, 409):
                raise
            now = self.turn(wait=0)
            if now.your_turn and now.ply == turn.ply:
                raise
            if now.stage == "playing":
                _log.warning("%s: the bot was too slow; the arena has played a random move", error)

    def _leave(self):
        try:
            self.arena.post("/resign", {}, self.token, patience=0)
        except (ArenaError, OSError, http.client.HTTPException):
            pass  # what made the bot leave is more important

    def _post(self, path, body=None):
        return Turn(self.arena.post(path, body or {}, self.token))


def play(url, choose, *, games=None, key=None, patience=300, notations=(), **join):
    """Plays one game at the arena with this URL and returns its Result. With `games`, plays so
    many, one after another, and returns the list of their Results.

    `choose(turn)` returns one of turn.moves. `key` is an account's; without one, give a `name`.
    `notations` asks for turn.texts, for example ["board"]. All other arguments are those of a join:
    game="triumvirate", opponents=["smart", "mcts:nodes=500"], …
    """
    arena = Arena(url, key, patience)
    results = [arena.play(choose, notations, **join) for _ in range(1 if games is None else games)]
    return results[0] if games is None else results
