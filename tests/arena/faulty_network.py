"""A proxy between clients and an arena that loses requests and answers, is busy, and cuts streams."""

import http.client
import http.server
import random
import socket
import threading

HOP = ("connection", "transfer-encoding", "content-length", "keep-alive")


class FaultyNetwork:
    """A context with the `url` of a server that forwards to the arena, with faults in a share of
    the requests. `faults` counts them by kind."""

    KINDS = ("refused", "busy", "lost answer", "half an answer")

    def __init__(self, host_and_port, share, seed):
        self.faults = dict.fromkeys((*self.KINDS, "cut stream"), 0)
        self._target = host_and_port
        self._share = share
        self._random = random.Random(seed)
        self._next = []  # kinds, so that a few faults already include every kind
        self._lock = threading.Lock()
        network = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                network.handle(self)

            do_POST = do_GET

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def _draw(self, request):
        """Returns the fault of a request, or None, and a random number for it."""
        is_stream = request.headers.get("Accept") == "text/event-stream"
        with self._lock:
            number = self._random.random()
            if is_stream:
                self.faults["cut stream"] += 1
                return "cut stream", number
            if number >= self._share:
                return None, number
            if not self._next:
                self._next = self._random.sample(self.KINDS, len(self.KINDS))
            kind = self._next.pop()
            self.faults[kind] += 1
            return kind, number

    def handle(self, request):
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        kind, number = self._draw(request)
        request.close_connection = True
        if kind == "refused":
            return
        if kind == "busy":
            self._answer(request, 503 if number < self._share / 2 else 429, [("Retry-After", "0")],
                         b"busy")
            return
        connection = http.client.HTTPConnection(*self._target, timeout=60)
        try:
            headers = {name: value for name, value in request.headers.items()
                       if name.lower() not in HOP}
            connection.request(request.command, request.path, body or None, headers)
            if kind == "lost answer":
                # At once, so that the repeated request may overtake this one.
                request.connection.shutdown(socket.SHUT_RDWR)
            answer = connection.getresponse()
            if kind == "cut stream" and answer.status == 200:
                self._stream(request, answer, int(number * 4000))
                return
            data = answer.read()
        except (OSError, http.client.HTTPException):
            return
        finally:
            connection.close()
        if kind != "lost answer":
            self._answer(request, answer.status, answer.getheaders(), data,
                         len(data) // 2 if kind == "half an answer" else len(data))

    def _answer(self, request, status, headers, data, sent=None):
        request.send_response_only(status)
        for name, value in headers:
            if name.lower() not in HOP:
                request.send_header(name, value)
        request.send_header("Content-Length", str(len(data)))
        request.send_header("Connection", "close")
        request.end_headers()
        try:
            request.wfile.write(data[:sent])
        except OSError:
            pass  # the client has gone

    def _stream(self, request, answer, size):
        """Forwards so many bytes of a stream."""
        request.send_response_only(200)
        request.send_header("Content-Type", "text/event-stream")
        request.send_header("Connection", "close")
        request.end_headers()
        try:
            while size > 0 and (data := answer.read1(size)):
                request.wfile.write(data)
                size -= len(data)
        except OSError:
            pass
