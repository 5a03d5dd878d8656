#!/usr/bin/env python3
"""Generates docs/source-tour.md from the opening comment of every source file.

  docs/make_source_tour.py            writes the page and lists files without an opening comment
  docs/make_source_tour.py --check    changes nothing; exits with 1 if the page is out of date, a file
                                      lacks its comment, or a folder is not in FOLDERS
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/source-tour.md"

# Every folder with sources, in the order of dependence: no folder includes a later one.
FOLDERS = [
    ("core/base", "Helpers that know nothing about games"),
    ("core/game", "What every game shares"),
    ("core/triumvirate", "Triumvirate"),
    ("core/three_way", "Three-Way Chess"),
    ("core/tri_d", "Tri-D chess"),
    ("core", "The list of games, and the state of any game"),
    ("core/record", "Specs that go down and records that come up"),
    ("core/schedule", "The order of a tournament's games"),
    ("core/play", "The contract between a player and the game runner"),
    ("http", "HTTP: metrics and health for scrapers, requests to other servers"),
    ("proto", "Conversion between wire messages and our values"),
    ("proto/triarch/v1", "The wire format: messages and services"),
    ("bundle", "The files of user-supplied bots in transit"),
    ("scenarios", "Tables of moves that the rules allow or forbid"),
    ("spec", "Tournament files: reading, writing, checking"),
    ("selfplay/shard", "Samples of self-play as NumPy files"),
    ("selfplay/storage", "Where a run's files go: a folder or S3"),
    ("selfplay/dataset", "A run's files read back, checked and converted"),
    ("bots", "The list of bundled bots"),
    ("bots/search", "What the searchers share"),
    ("bots/random", "The bot `random`"),
    ("bots/greedy", "The bot `greedy`"),
    ("bots/smart", "The bot `smart`"),
    ("bots/paranoid", "The bot `paranoid`"),
    ("bots/maxn", "The bot `maxn`"),
    ("bots/mcts", "The bot `mcts`"),
    ("bots/nnue", "Small integer networks, which evaluate positions for the searchers"),
    ("bots/torch", "The bot `torch`: a search with a user's model"),
    ("bots/llm", "The bot `llm`: a language model over HTTP"),
    ("capi", "The library: the C ABI of rules, batches and searchers"),
    ("bots/uci", "A bundled bot as a program that speaks the bot protocol"),
    ("bots/sdk", "For authors of bots: the C ABI and examples"),
    ("worker/sandbox", "The sandbox of process bots"),
    ("worker/selfplay", "What self-play adds to a game; making shards"),
    ("worker/match", "The game runner"),
    ("worker/host", "User-supplied bots: plugins and processes"),
    ("worker/session", "What a worker has to play, report and call next: state machines"),
    ("worker", "The worker process"),
    ("coordinator/leases", "Which games are open, leased or recorded: state machines"),
    ("coordinator/audits", "Which recorded games are played again, and by whom: state machines"),
    ("coordinator/ratings", "The rating model and the standings"),
    ("coordinator/experiments", "Sequential tests, pairing and tuning: pure functions of results and a seed"),
    ("coordinator/store", "Stores of recorded games"),
    ("coordinator/pool", "Ratings over several databases"),
    ("coordinator/session", "The coordinator's decisions about reports and tournaments: state machines"),
    ("coordinator/service", "The coordinator and its gRPC services"),
    ("arena/table", "A table of an arena: a state machine whose events are the game"),
    ("arena/session", "All tables of an arena: seats, requests in order, timers: a state machine"),
    ("arena/store", "Where an arena's events are stored"),
    ("arena/api", "An arena's HTTP APIs"),
    ("arena/service", "The arena process"),
    ("arena/client", "A bot at somebody else's arena"),
    ("site", "The web page and its API"),
    ("cli", "The `triarch` command"),
    ("cli/rules", "Commands about positions and moves"),
    ("cli/data", "Commands about self-play data"),
    ("cli/cluster", "Commands that run and control a cluster"),
    ("cli/arena", "The commands that serve and join an arena"),
    ("cli/tournament", "Commands that play tournaments and show their results"),
    ("cli/bench", "Benchmarks"),
    ("python", "The library for Python, and its reader of self-play data"),
    ("javascript", "The library for browsers and Node"),
    ("web", "The web page"),
    ("web/src/lib", "The web page: the server's answers, places, numbers as text"),
    ("web/src/board", "The web page: the boards of all games"),
    ("web/src/pages", "The web page: tournaments, games, rules"),
    ("web/src/arena", "The web page: tables of an arena, to play and watch"),
    ("web/src/three", "The web page: the view of Tri-D in space, a script of its own"),
    ("web/src/play", "The web page: the analysis, which plays in the browser"),
    ("examples", "Example tournaments and scripts"),
    ("dashboards", "Grafana dashboards and Prometheus rules"),
    ("deploy", "Building, packaging and deploying"),
    ("docs", "Documentation"),
    ("tests", "Tests that span folders; unit tests are next to their sources"),
    ("", "The root"),
]
SKIPPED = {"build", "dist", "node_modules", "__pycache__", "corpus"}
SUFFIXES = {".h", ".cc", ".c", ".proto", ".py", ".js", ".ts", ".svelte", ".sh", ".sql", ".sbatch"}


def is_skipped(path):
    parts = path.relative_to(ROOT).parts
    return any(part in SKIPPED or part.startswith(".") for part in parts)


def sources():
    """Yields all sources, sorted, except those covered by a header or source of the same name."""
    found = sorted(path for path in ROOT.rglob("*") if path.suffix in SUFFIXES
                   and not is_skipped(path) and path.is_file())
    stems = {path.with_suffix("") for path in found if path.suffix != ".proto"}
    for path in found:
        if path.suffix == ".cc" and path.with_suffix(".h").exists():
            continue
        tested = path.with_name(path.name.removesuffix("_test.cc"))
        if path.name.endswith("_test.cc") and tested in stems:
            continue
        yield path


def folder_of(path):
    """Returns the longest listed folder that contains the file, or None."""
    relative = path.relative_to(ROOT).as_posix()
    within = [name for name, _ in FOLDERS if relative.startswith(name + "/")]
    if within:
        return max(within, key=len)
    return "" if "/" not in relative else None


def opening(path):
    """Returns the first sentence of the file's opening comment, or None."""
    text = re.sub(r'\A(#!.*\n|"use strict";\s*)*', "", path.read_text(encoding="utf-8"))
    if path.suffix == ".py":
        comment = re.match(r'"""(.*?)("""|\n\n)', text, re.DOTALL)
    elif path.suffix == ".svelte":
        comment = re.match(r"<!--(.*?)(-->|\n\n)", text, re.DOTALL)
    elif text.startswith("/*"):
        comment = re.match(r"/\*+(.*?)(\*/|\n( \*)?\n)", text, re.DOTALL)
    else:
        mark = {".sql": "--", ".sh": "#", ".sbatch": "#"}.get(path.suffix, "//")
        comment = re.match(rf"(({mark} \S.*\n)+)", text)
    if not comment:
        return None
    words = " ".join(re.sub(r"^\s*(//|--|#|\*)?\s*", "", line) for line in comment[1].splitlines())
    sentence = re.match(r".*?[.:](?=\s|$)", words.strip())
    return (sentence[0] if sentence else words).strip().rstrip(".:") + "."


def shown_name(path, folder):
    name = path.relative_to(ROOT / folder).as_posix()
    if path.suffix == ".h" and path.with_suffix(".cc").exists():
        name = name.removesuffix(".h")
    return name


def main():
    entries = {name: [] for name, _ in FOLDERS}
    faults = []
    for path in sources():
        relative = path.relative_to(ROOT)
        folder = folder_of(path)
        if folder is None:
            faults.append(f"{relative}: its folder is not in FOLDERS of docs/make_source_tour.py")
            continue
        sentence = opening(path)
        if sentence is None:
            faults.append(f"{relative}: no opening comment")
            continue
        entries[folder].append(f"- `{shown_name(path, folder)}`: {sentence}\n")

    page = ("# Source tour\n\n<!-- Generated by docs/make_source_tour.py; do not edit. -->\n"
            "Every source file with the first sentence of its opening comment, in the order of\n"
            "dependence. A name without a suffix stands for a header and its source file.\n")
    for name, sentence in FOLDERS:
        if entries[name]:
            page += f"\n## {name or 'Root'}\n{sentence}.\n\n" + "".join(entries[name])

    is_check = "--check" in sys.argv[1:]
    if not is_check:
        PAGE.write_text(page, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page:
        faults.append("docs/source-tour.md is out of date: run docs/make_source_tour.py")
    for fault in faults:
        print(fault)
    sys.exit(1 if is_check and faults else 0)


main()
