"""Speaks enough of the WebSocket protocol (RFC 6455) to watch a game."""

import base64
import hashlib
import json
import os
import struct

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
CONTINUATION, TEXT, CLOSE, PING, PONG = 0, 1, 8, 9, 10


class WebSocket:
    """A connection that has been upgraded; a context that closes it."""

    def __init__(self, connection, host, path):
        self._connection = connection
        self._file = connection.makefile("rb")
        # Of a message whose last frame has not come: its kind and its data so far.
        self._kind, self._begun = None, b""
        key = base64.b64encode(os.urandom(16)).decode()
        connection.sendall((f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
                            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                            "Sec-WebSocket-Version: 13\r\n\r\n").encode())
        status = self._file.readline().decode()
        fields = {}
        while (line := self._file.readline().decode().strip()):
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
        expected = base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()
        if not status.startswith("HTTP/1.1 101 ") or fields.get("sec-websocket-accept") != expected:
            self.__exit__()
            raise AssertionError(f"no WebSocket: {status!r} {fields}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()
        self._connection.close()

    def send(self, kind, data=b""):
        """Sends one frame of at most 125 bytes, with a mask, as a client must."""
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        self._connection.sendall(bytes((0x80 | kind, 0x80 | len(data))) + mask + masked)

    def _frame(self):
        head = self._file.read(2)
        if len(head) < 2:
            return True, None, b""
        assert not head[1] & 0x80, "the server masks a frame"
        size = head[1]
        if size == 126:
            size, = struct.unpack(">H", self._file.read(2))
        elif size == 127:
            size, = struct.unpack(">Q", self._file.read(8))
        return bool(head[0] & 0x80), head[0] & 0x0f, self._file.read(size)

    def message(self):
        """Returns the kind and the data of the next message, or (None, b"") at the end."""
        while True:
            is_last, kind, data = self._frame()
            if kind == CONTINUATION:
                kind, data = self._kind, self._begun + data
                assert kind is not None, "a continuation of nothing"
                self._kind = None
            if is_last:
                return kind, data
            assert self._kind is None, "two messages at once"
            self._kind, self._begun = kind, data

    def json(self):
        """Returns the next message with text; answers pings on the way."""
        while True:
            kind, data = self.message()
            if kind == PING:
                self.send(PONG, data)
                continue
            assert kind == TEXT, (kind, data)
            return json.loads(data)
