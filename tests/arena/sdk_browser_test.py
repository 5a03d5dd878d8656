#!/usr/bin/env python3
"""Tests that a page of another server plays and watches in Chromium with triarch_arena.mjs."""

import http.client
import http.server
import json
import os
import pathlib
import queue
import signal
import subprocess
import tempfile
import threading
import unittest

from server import Arena

CLIENT = pathlib.Path(__file__).parents[2] / "bots" / "sdk" / "javascript" / "triarch_arena.mjs"
PAGE = """<!doctype html><script type="module">
  const report = (text) => fetch("/report", { method: "POST", body: text });
  try {
    const { Arena, RESIGN } = await import("/triarch_arena.mjs");
    const arena = new Arena("ARENA");
    const key = await arena.claimName("Ann");
    const seat = await arena.join({ game: "tri-d", name: "Guest", opponents: ["random"] });
    const kinds = [];
    const watching = (async () => {
      for await (const { kind } of arena.events(seat.table)) kinds.push(kind);
    })();
    const { place } = await seat.play((turn) => turn.ply < 8 ? turn.moves[0] : RESIGN);
    await watching;
    const resumed = [];
    for await (const { kind } of arena.events(seat.table, kinds.length - 2)) resumed.push(kind);
    await report(JSON.stringify({ key, place, kinds, resumed }));
  } catch (error) {
    await report(String(error.stack));
  }
</script>"""


class BrowserTest(unittest.TestCase):
    def serve(self, page):
        """Serves the page; returns the port, and the queue of what the page reports."""
        reports = queue.Queue()

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def answer(self, kind, data):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self):
                if self.path == "/triarch_arena.mjs":
                    self.answer("text/javascript", CLIENT.read_bytes())
                else:
                    self.answer("text/html", page.encode())

            def do_POST(self):
                size = int(self.headers["Content-Length"])
                reports.put(self.rfile.read(size).decode())
                self.answer("text/plain", b"")

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server.server_port, reports

    def test_a_page_plays(self):
        arena = self.enterContext(Arena("--house-bots", "random"))
        port, reports = self.serve(PAGE.replace("ARENA", f"http://{arena.address}"))
        profile = self.enterContext(
            tempfile.TemporaryDirectory(prefix="triarch-chromium-", ignore_cleanup_errors=True))
        browser = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             f"--user-data-dir={profile}", f"http://127.0.0.1:{port}/"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            report = reports.get(timeout=60)
        finally:
            os.killpg(browser.pid, signal.SIGKILL)
            browser.wait()
        self.assertTrue(report.startswith("{"), report)
        found = json.loads(report)
        self.assertEqual((len(found["key"]), found["place"]), (64, 2))
        kinds = [event["kind"] for event in self.events(arena)]
        self.assertEqual(found["kinds"], kinds)
        self.assertEqual(found["resumed"], kinds[-2:])
        self.assertEqual(kinds[-1], "resigned")

    def events(self, arena):
        """Returns the events of the only table."""
        connection = http.client.HTTPConnection(*arena.host_and_port, timeout=20)
        try:
            connection.request("GET", "/api/v2/games")
            table = json.load(connection.getresponse())["games"][0]["table"]
            connection.request("GET", f"/api/v2/games/{table}")
            return json.load(connection.getresponse())["events"]
        finally:
            connection.close()


if __name__ == "__main__":
    unittest.main()
