#!/usr/bin/env python3
"""Measures what a question to `triarch rules` costs beyond the pipe, in microseconds.

  rules_speed.py build/release/triarch

The pipe's cost is that of `cat`, which returns the question and a text as long as the answer.
"""

import subprocess
import sys
import time

ROUNDS, COUNT = 5, 2000


def microseconds(command, line, size):
    """Returns the least time per question; an answer has `size` bytes."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        best = float("inf")
        for _ in range(ROUNDS):
            began = time.perf_counter()
            for _ in range(COUNT):
                process.stdin.write(line)
                process.stdin.flush()
                answer = process.stdout.readline()
                while size is not None and len(answer) < size:
                    answer += process.stdout.readline()
            best = min(best, (time.perf_counter() - began) / COUNT * 1e6)
        process.stdin.close()
        return best, len(answer)


def main():
    triarch = sys.argv[1]
    print(f"{'µs per question':24}{'triumvirate':>14}{'three-way':>14}{'tri-d':>14}")
    for name, words in (("look", ("look",)), ("play", ("play", None)), ("children", ("children",)),
                        ("attackers", ("attackers", None))):
        figures = []
        for game, move, cell in (("triumvirate", "E2-E4", "E3"), ("three-way", "h5-h7", "h6"),
                                 ("tri-d", "b3W-b4N", "b4N")):
            position = subprocess.run([triarch, "play", "--game", game, move], capture_output=True,
                                      text=True, check=True).stdout.strip()
            reply = subprocess.run([triarch, "moves", "--game", game, "--position", position],
                                   capture_output=True, text=True, check=True).stdout.split()[0]
            last = {"play": [reply], "attackers": [cell]}.get(name, [])
            line = "\t".join([words[0], position, *last]).encode() + b"\n"
            asked, size = microseconds([triarch, "rules", "--game", game], line, None)
            echo, _ = microseconds(["cat"], b"x" * (size - 1) + b"\n", size)
            figures.append(f"{asked - echo:14.1f}")
        print(f"{name:24}" + "".join(figures), flush=True)


if __name__ == "__main__":
    main()
