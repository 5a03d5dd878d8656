#!/usr/bin/env python3
"""Runs a command with a chat endpoint that plays random legal moves in place of a language model.

  examples/chat_server.py triarch run examples/llm.yaml
  examples/chat_server.py --invalid 0.2 --errors 0.1 --log chat.txt triarch run examples/llm.yaml

The command finds the endpoint in TRIARCH_LLM_URL. An answer depends on the request and the seed. At
the end a table on standard output shows, for each model that the requests name:
  moves      answers with a legal move from the prompt
  requests   all requests; those beyond `moves` are retries and moves that were given up
  errors     HTTP errors sent (--errors)
  invalid    answers without a legal move (--invalid)
  refused    answers with a legal move that the bot did not accept: 0 unless it has a bug
  asked      tokens of all prompts for one move, including retries
  longest    tokens of the longest prompt
  answered   tokens of all answers for one move
Tokens are estimated, within 7 % of OpenAI's tokenizer o200k on prompts of the bot llm.
"""

import argparse
import collections
import http.server
import json
import os
import random
import re
import subprocess
import sys
import threading

LEGAL = re.compile(r"^Legal moves \(\d+\): (.*)$", re.M)
# About the words of a tokenizer: letters, digits, signs, long or vertical white space.
TOKEN = re.compile(r"/?[^\W\d_]{1,7}|\d{1,3}|[^\w\s]{1,4}|_{1,4}|\s{2,}|\n")


def tokens(text):
    """Estimates how many tokens a language model sees."""
    return len(TOKEN.findall(text))


def move_in(answer):
    """Returns the move in one of the endpoint's own answers."""
    found = re.search(r'"move": "(.*?)"', answer)
    return found.group(1) if found else None


class Endpoint:
    """Answers requests and counts them by model."""

    def __init__(self, arguments):
        self._arguments = arguments
        self._log = open(arguments.log, "w", encoding="utf-8") if arguments.log else None
        self._lock = threading.Lock()
        self._seen = collections.Counter()  # how often a request has come, by hash
        self._counts = collections.defaultdict(collections.Counter)

    def reply(self, body):
        """Returns the HTTP status and the JSON to send."""
        request = json.loads(body)
        with self._lock:
            self._seen[hash(body)] += 1
            times = self._seen[hash(body)]
            dice = random.Random(f"{self._arguments.seed} {times} ".encode() + body)
            return self._reply(request["model"], request["messages"], dice)

    def _reply(self, model, messages, dice):
        counts = self._counts[model]
        legal = LEGAL.search(messages[1]["content"]).group(1).split(" ")
        prompt = sum(tokens(message["content"]) for message in messages)
        counts["requests"] += 1
        counts["prompt"] += prompt
        counts["longest"] = max(counts["longest"], prompt)
        if len(messages) > 2 and move_in(messages[-2]["content"]) in legal:
            counts["refused"] += 1
        if dice.random() < self._arguments.errors:
            counts["errors"] += 1
            return dice.choice((429, 500)), {"error": {"message": "try again"}}
        answer = self._answer(legal, dice)
        counts["moves" if move_in(answer) in legal else "invalid"] += 1
        counts["answer"] += tokens(answer)
        self._write(model, messages, answer)
        usage = {"prompt_tokens": prompt, "completion_tokens": tokens(answer)}
        choice = {"index": 0, "message": {"role": "assistant", "content": answer},
                  "finish_reason": "stop"}
        return 200, {"object": "chat.completion", "model": model, "choices": [choice],
                     "usage": usage}

    def _answer(self, legal, dice):
        move = dice.choice(legal)
        if dice.random() >= self._arguments.invalid:
            return f'{{"move": "{move}"}}'
        start = move.partition("-")[0]
        return dice.choice(("I am not sure.", f'{{"move": "{start}-{start}"}}',
                            '{"move": "Z9-Z8"}'))

    def _write(self, model, messages, answer):
        if self._log is None:
            return
        for message in messages if len(messages) == 2 else messages[-2:]:
            self._log.write(f"==== {model}: {message['role']}\n{message['content']}\n")
        self._log.write(f"==== {model}: answer\n{answer}\n")

    def report(self):
        """Returns the table."""
        names = "moves requests errors invalid refused asked longest answered".split()
        lines = [("model", *names)]
        for model, counts in sorted(self._counts.items()):
            moves = max(1, counts["moves"])
            counts["asked"] = round(counts["prompt"] / moves)
            counts["answered"] = round(counts["answer"] / moves)
            lines.append((model, *(str(counts[name]) for name in names)))
        width = max(len(line[0]) for line in lines)
        return "".join(line[0].ljust(width) + "".join(f"{cell:>10}" for cell in line[1:]) + "\n"
                       for line in lines)


def handler_of(endpoint):
    class Handler(http.server.BaseHTTPRequestHandler):
        """Hands requests to the endpoint."""

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, reply = endpoint.reply(body)
            text = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_):
            pass

    return Handler


def run(command, url):
    """Runs the command and returns its exit code."""
    environment = {name: value for name, value in os.environ.items() if name != "TRIARCH_LLM_KEY"}
    environment.update(TRIARCH_LLM_URL=url, no_proxy="127.0.0.1")
    environment.setdefault("TRIARCH_LLM_MODEL", "random")
    with subprocess.Popen(command, env=environment) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:  # the command has received it, too
                pass


def share(text):
    """Returns a number from 0 to 1."""
    if not 0 <= float(text) <= 1:
        raise ValueError
    return float(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--invalid", type=share, default=0, help="share of invalid answers")
    parser.add_argument("--errors", type=share, default=0, help="share of HTTP errors")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", metavar="FILE", help="write all messages to FILE")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the command to run")
    arguments = parser.parse_args()
    if not arguments.command:
        parser.error("no command to run")
    endpoint = Endpoint(arguments)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler_of(endpoint))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        code = run(arguments.command, f"http://127.0.0.1:{server.server_port}/v1")
    except OSError as error:
        sys.exit(f"error: {error}")
    server.shutdown()
    sys.stdout.write(endpoint.report())
    return code


if __name__ == "__main__":
    sys.exit(main())
