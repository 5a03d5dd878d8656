"""Sends single requests to /api/v2 and returns what comes back, without any retries."""

import http.client
import json


class Reply:
    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.text = body.decode()
        is_json = headers.get("Content-Type", "").startswith("application/json")
        self.json = json.loads(self.text) if is_json and body else None

    def __repr__(self):
        return f"{self.status} {self.text[:300]}"


class V2Client:
    def __init__(self, arena):
        self._arena = arena

    def ask(self, method, path, body=None, token=None, headers=None, base="/api/v2"):
        """`body` is sent as JSON, or as it is if it is bytes."""
        host, port = self._arena.host_and_port
        connection = http.client.HTTPConnection(host, port, timeout=60)
        try:
            if body is not None and not isinstance(body, bytes):
                body = json.dumps(body).encode()
            headers = dict(headers or {})
            if token:
                headers["Authorization"] = f"Bearer {token}"
            connection.request(method, base + path, body, headers)
            answer = connection.getresponse()
            return Reply(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def get(self, path, token=None, **rest):
        return self.ask("GET", path, token=token, **rest)

    def post(self, path, body=None, token=None, **rest):
        return self.ask("POST", path, body, token, **rest)

    def join(self, game="tri-d", name="Ann", key=None, **options):
        """Joins, and returns the answer's data, which must be good."""
        body = {"game": game, **options}
        if key is None:
            body["name"] = name
        reply = self.post("/join", {k: v for k, v in body.items() if v is not None}, key)
        assert reply.status == 200, reply
        return reply.json

    def account(self, name, key=None):
        reply = self.post("/players", {"name": name}, key)
        assert reply.status == 201, reply
        return reply.json["key"]
