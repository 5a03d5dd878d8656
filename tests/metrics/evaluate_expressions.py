#!/usr/bin/env python3
"""Evaluates every expression of every dashboard and rule against a Prometheus that scraped a run.

Each expression must yield plausible data: at least one series with a number; no infinite values; no
negative ones except ratings and the like; none beyond the bounds of its panel, and no share above
1; none that stays 0 unless a healthy run lacks it; the labels that its legend or table names, with a series for
each known value; quantiles and interval ends in order; and equal results where something is counted
in two ways. Every series that an alert refers to must exist, although the alert itself yields
nothing in a healthy run. Variables are replaced as Grafana would: $tournament and $bot by each value
in turn, intervals by --rate-interval.

A JSON file (--run) can describe the run. Then there must be a series for each of its bots, workers,
seats and tournaments, and no others:
  {"workers": ["anna"], "gone_workers": [], "seats": {"1 cup": 3}, "faulty_bots": {"1 cup": []},
   "bots": {"1 cup": {"ann": "random"}}, "tests": [], "best_of": [], "tunings": [],
   "values": {"sum(triarch_worker_slots)": 2}}
where `bots` maps names to bot types, `tests`, `best_of` and `tunings` list the tournaments of
these modes, and `values` gives the
value of every series of an expression.

  evaluate_expressions.py http://127.0.0.1:9090 [--wait 60] [--may-fire ALERT]...
"""

import argparse
import json
import math
import pathlib
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

DASHBOARDS = pathlib.Path(__file__).resolve().parents[2] / "dashboards"
# Tolerance for rounding and extrapolated rates.
TOLERANCE = 0.02
AGREE_TRIES = 8

# Only these may be negative.
SIGNED = re.compile(r"_(rating|effect)_elo|triarch_test_(llr|elo)|_best_of_llr|_tune_steps")
# These may stay 0 in a healthy run.
MAY_STAY_ZERO = re.compile(
    r"faults|reject|store_errors|quarantined|stolen|expired|stale|held|full|duplicate|replay_queue|last_seen"
    r"|_connected|!=")
# These have no data in a run without an arena.
ARENA = re.compile("triarch[_-]arena")
# Known values of labels, by the prefix of the metric that has them. An expression may select some.
WORDS = {
    "triarch_reports": {"outcome": {"recorded", "stale", "rejected", "retry"}},
    "triarch_reported_games": {"outcome": {"recorded", "stale", "rejected", "retry"}},
    "triarch_sent_": {"outcome": {"recorded", "stale", "rejected", "retry"}},
    "triarch_lease_events": {"event": {"granted", "stolen", "finished", "expired", "released",
                                       "cancelled", "rejected", "stalled"}},
    "triarch_store_commit_seconds_count": {"result": {"ok", "error"}},
    "triarch_workers": {"state": {"alive", "quarantined", "gone"}},
    "triarch_bot_faults": {"fault": {"time_forfeit", "illegal_move", "crash"}},
    # For calls, the ones without which nothing is played.
    "triarch_grpc_": {"method": {"Lease", "Heartbeat", "Report"}},
}

# Quantities that are counted in two ways.
AGREE = [
    ("sum by (tournament) ({__name__=~'triarch_tournament_(open|leased|done)_games'})",
     "sum by (tournament) (triarch_tournament_games)"),
    ("sum by (tournament) (triarch_seat_games_total{seat='first'})",
     "sum by (tournament) (triarch_games_total)"),
    ("sum by (tournament) (triarch_bot_points_total)",
     "sum by (tournament) (triarch_seat_points_total)"),
    ("sum by (tournament) (triarch_game_plies_sum)", "sum by (tournament) (triarch_plies_total)"),
    ("sum(triarch_store_commit_games_sum)", "sum(triarch_games_total)"),
    ("sum(triarch_reported_games_total{outcome='recorded'})", "sum(triarch_games_total)"),
    ("sum by (tournament) (triarch_bot_games_total)",
     "sum by (tournament) (triarch_seat_games_total)"),
    # Equal players share the points of a game, whoever wins.
    ("sum by (tournament) (triarch_seat_points_total)",
     "sum by (tournament) (triarch_seat_games_total) / 2"),
    ("sum(triarch_worker_up)", "sum(triarch_workers{state='alive'})"),
]
# The same, if this coordinator has seen the run from its start.
AGREE_FROM_START = [
    ("sum by (tournament) (triarch_tournament_done_games)",
     "sum by (tournament) (triarch_games_total)"),
    ("sum(triarch_worker_recorded_games_total)", "sum(triarch_games_total)"),
]


class Prometheus:
    def __init__(self, url):
        self.url = url.rstrip("/")

    def get(self, path, **parameters):
        """Returns the data of a response. Raises ValueError with Prometheus's error message."""
        body = urllib.parse.urlencode(parameters, doseq=True).encode()
        request = f"{self.url}/api/v1/{path}" + (f"?{body.decode()}" if body else "")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            raise ValueError(json.load(error).get("error", str(error))) from None

    def series(self, expression, seconds):
        """Returns what the expression gave in the last `seconds`, or gives now if 0:
        [(labels, [values])]."""
        now = time.time()
        if seconds:
            data = self.get("query_range", query=expression, start=now - seconds, end=now, step=1)
        else:
            data = self.get("query", query=expression, time=now)
        return [
            (series["metric"],
             [float(value) for _, value in series.get("values") or [series["value"]]])
            for series in data["result"]
        ]

    def label_values(self, query):
        """Evaluates Grafana's label_values(METRIC, LABEL)."""
        match = re.fullmatch(r"label_values\((.+), *(\w+)\)", query)
        if not match:
            raise ValueError(f"unsupported variable query: {query}")
        data = self.get("query", query=f"group by ({match[2]}) ({match[1]})")
        return sorted(series["metric"][match[2]] for series in data["result"])


class Checker:
    def __init__(self, prometheus, window, rate_interval, run):
        self.prometheus = prometheus
        self.window = window
        self.run = run  # None if unknown
        self.intervals = {
            "$__rate_interval": rate_interval,
            "$__interval": rate_interval,
            "$__range": f"{window}s",
        }
        self.has_arena = bool(prometheus.series('up{job="triarch-arena"}', 0))
        self.count = 0
        self.problems = []

    def blame(self, where, expression, what):
        self.problems.append(f"{where}: {what}\n    {expression}")

    def evaluate(self, where, expression, is_instant=False):
        """Returns the series with plausible numbers. Returns none after reporting a problem."""
        if ARENA.search(expression) and not self.has_arena:
            return []
        self.count += 1
        try:
            series = self.prometheus.series(expression, 0 if is_instant else self.window)
        except ValueError as error:
            self.blame(where, expression, error)
            return []
        numbers = [(labels, [v for v in values if not math.isnan(v)]) for labels, values in series]
        numbers = [(labels, values) for labels, values in numbers if values]
        if not series:
            self.blame(where, expression, "no data")
        elif not numbers:
            self.blame(where, expression, f"{len(series)} series, and not one number")
        for labels, values in numbers:
            if not all(math.isfinite(v) for v in values):
                self.blame(where, expression, f"{labels}: infinite")
            if min(values) < 0 and not SIGNED.search(expression):
                self.blame(where, expression, f"{labels}: below 0: {min(values)}")
        return numbers

    def check_not_all_zero(self, where, expression, series):
        if not series or any(value != 0 for _, values in series for value in values):
            return
        if not MAY_STAY_ZERO.search(expression):
            self.blame(where, expression, "nothing but 0")

    # ---- Dashboards.

    def dashboard(self, path):
        content = json.loads(path.read_text())
        choices = [dict(self.intervals)]
        for variable in content["templating"]["list"]:
            if variable["type"] != "query":
                continue
            choices = [
                {**choice, f"${variable['name']}": value}
                for choice in choices
                for value in self.values_of(path.name, variable, choice)
            ]
        for panel in content["panels"]:
            seen = set()  # most panels do not depend on every variable
            for choice in choices:
                targets = [
                    {**target, "expr": substitute(target["expr"], choice)}
                    for target in panel.get("targets", [])
                ]
                key = tuple(target["expr"] for target in targets)
                if key not in seen and self.is_about(key, choice.get("$tournament")):
                    seen.add(key)
                    where = f"{path.name}, {panel['title']!r}"
                    self.panel(where, panel, targets, choice.get("$tournament"))

    def is_about(self, expressions, tournament):
        """Whether a real run has data for these expressions: only some tournaments are tests."""
        kinds = {"triarch_test_": "tests", "triarch_best_of_": "best_of", "triarch_tune_": "tunings"}
        for prefix, kind in kinds.items():
            if self.run and kind in self.run and any(prefix in each for each in expressions):
                return tournament in self.run[kind]
        return True

    def values_of(self, where, variable, choice):
        query = substitute(variable["query"]["query"], choice)
        values = self.prometheus.label_values(query)
        if not values:
            self.blame(f"{where}, variable {variable['name']}", query, "no values")
        return values

    def panel(self, where, panel, targets, tournament):
        ends = {}
        for target in targets:
            expression = target["expr"]
            if "$" in expression:
                self.blame(where, expression, "unknown variable")
                continue
            series = self.evaluate(where, expression, target.get("instant", False))
            self.check_not_all_zero(where, expression, series)
            self.check_bounds(where, expression, panel, series)
            for label in labels_shown(panel, target):
                self.check_label(where, expression, label, series, tournament)
            self.check_faults(where, expression, series, tournament)
            if series:
                ends[target.get("legendFormat", "")] = series[0][1][-1]
        self.check_order(where, ends, sorted(name for name in ends if re.fullmatch(r"p\d+", name)))
        if "rating" in ends and "lower" in ends and "upper" in ends:
            self.check_order(where, ends, ["lower", "rating", "upper"], is_strict=True)

    def check_bounds(self, where, expression, panel, series):
        defaults = panel.get("fieldConfig", {}).get("defaults", {})
        low = defaults.get("min", -math.inf)
        high = defaults.get("max", 1 if defaults.get("unit") == "percentunit" else math.inf)
        for labels, values in series:
            if min(values) < low - TOLERANCE or max(values) > high + TOLERANCE:
                self.blame(where, expression, f"{labels}: not within {low} and {high}: "
                           f"{min(values)} to {max(values)}")

    def check_order(self, where, ends, names, is_strict=False):
        values = [ends[name] for name in names]
        if values != sorted(values) or is_strict and len(set(values)) < len(values):
            self.blame(where, ", ".join(names), f"out of order: {values}")

    def check_label(self, where, expression, label, series, tournament):
        """Checks that each series has the shown label, and that no value is missing."""
        if "vector(0)" in expression:  # has no labels and stands for "none yet"
            series = [(labels, values) for labels, values in series if labels]
        if not series:
            return
        required, allowed = self.values_wanted(expression, label, tournament)
        if not all(label in labels for labels, _ in series):
            self.blame(where, expression, f"the panel shows the missing label {label}")
            return
        found = {labels[label] for labels, _ in series}
        if not required <= found or allowed is not None and not found <= allowed:
            self.blame(where, expression, f"series by {label}: {sorted(found)}; "
                       f"expected: {sorted(required)}, at most {sorted(allowed or [])}")

    def values_wanted(self, expression, label, tournament):
        """Returns the required and the allowed values of a label (None: any)."""
        for metric, words in WORDS.items():
            if "vector(0)" not in expression and metric in expression and label in words:
                return (chosen(expression, label, words[label]),
                        None if label == "method" else words[label])
        if label == "le":
            return {"+Inf"}, None
        if label == "instance":
            jobs = ("triarch-worker", "triarch-arena")
            job = next((job for job in jobs if job in expression), "triarch-coordinator")
            up = self.prometheus.series(f'up{{job="{job}"}}', 0)
            instances = {labels["instance"] for labels, _ in up}
            return instances, instances
        if self.run is None:
            return set(), None
        if label == "worker":
            workers = set(self.run["workers"])
            return workers, workers | set(self.run["gone_workers"])
        if label == "tournament":
            return set(self.run["bots"]), set(self.run["bots"])
        if label == "seat":
            seats = set(["first", "second", "third"][:self.run["seats"][tournament]])
            return seats, seats
        if label == "bot":
            bots = set(self.run["bots"][tournament]) if tournament else {
                kind for bots in self.run["bots"].values() for kind in bots.values()}
            return bots, bots
        return set(), None

    def check_faults(self, where, expression, series, tournament):
        """Checks that bots with known faults show them."""
        if self.run is None or "faults" not in expression or not tournament:
            return
        faulty = set(self.run["faulty_bots"].get(tournament, []))
        with_faults = [labels for labels, values in series if max(values) > 0]
        # A sum over all bots has no bot label.
        seen = {labels["bot"] for labels in with_faults if "bot" in labels}
        if with_faults and not seen:
            seen = faulty
        if not faulty <= seen:
            self.blame(where, expression, f"no fault of {sorted(faulty - seen)}")

    # ---- Quantities that must agree.

    def agreements(self):
        for left, right in AGREE + (AGREE_FROM_START if self.run is not None else []):
            difference = f"abs(({left}) - ({right})) / (({right}) > 0)"
            # A scrape may have come between the two queries, so try again.
            for _ in range(AGREE_TRIES):
                apart = [(labels, values[-1])
                         for labels, values in self.evaluate("what must agree", difference)
                         if values[-1] > TOLERANCE]
                if not apart:
                    break
                time.sleep(1)
            for labels, share in apart:
                self.blame(f"what must agree, {labels}", f"{left} = {right}", f"{share:.0%} apart")

    def values(self):
        for expression, wanted in (self.run or {}).get("values", {}).items():
            for labels, values in self.evaluate("the run's values", expression, is_instant=True):
                if values != [wanted]:
                    self.blame(f"the run's values, {labels}", expression,
                               f"{values}; expected {wanted}")

    # ---- Rules.

    def rules(self, may_fire):
        groups = self.prometheus.get("rules")["groups"]
        rules = [rule for group in groups for rule in group["rules"]]
        if not rules:
            self.blame("rules", "", "this Prometheus has no rules")
        for rule in rules:
            where = f"rule {rule['name']}"
            if rule["health"] != "ok":
                self.blame(where, rule["query"], rule.get("lastError") or rule["health"])
            if rule["type"] == "recording":
                for expression in (rule["query"], rule["name"]):
                    series = self.evaluate(where, expression)
                    self.check_not_all_zero(where, expression, series)
                    self.check_share(where, expression, rule["name"], series)
            else:
                for selector in selectors(rule["query"]):
                    self.evaluate(where, selector)
                if rule["state"] == "firing" and rule["name"] not in may_fire:
                    self.blame(where, rule["query"], "it fires")


    def check_share(self, where, expression, name, series):
        if ":ratio" not in name:
            return
        for labels, values in series:
            if max(values) > 1 + TOLERANCE:
                self.blame(where, expression, f"{labels}: more than all: {max(values)}")


def labels_shown(panel, target):
    """Returns the labels in a legend, or those by which a table merges its rows."""
    shown = re.findall(r"{{(\w+)}}", target.get("legendFormat") or "")
    if target.get("format") != "table":
        return shown
    organize = [step for step in panel["transformations"] if step["id"] == "organize"]
    renamed = organize[0]["options"]["renameByName"]
    return [name for name, shown_as in renamed.items() if name == shown_as]


def chosen(expression, label, words):
    """Returns the words that pass the expression's matchers of the label."""
    for operator, text in re.findall(rf'\b{label}\s*(=~|!=|=)\s*"([^"]*)"', expression):
        named = set(text.split("|"))
        words = words - named if operator == "!=" else words & named
    return words


def substitute(expression, choice):
    # Longest names first, because one name may be a prefix of another.
    for name in sorted(choice, key=len, reverse=True):
        value = choice[name].replace("\\", "\\\\").replace('"', '\\"')
        expression = expression.replace(name, value)
    return expression


def selectors(expression):
    """Returns the vector selectors of a PromQL expression, such as up{job="x"}."""
    strings = []

    def hide(match):
        strings.append(match[0])
        return f"\0{len(strings) - 1}\0"

    text = re.sub(r'"[^"]*"', hide, expression)
    # Label lists, durations and keywords are not selectors.
    text = re.sub(r"\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)", " ", text)
    text = re.sub(r"\[[^\]]*\]", " ", text)
    text = re.sub(r"\boffset\s+\w+", " ", text)
    found = set()
    name = r"(?<![\w:{,.\0])([a-zA-Z_:][\w:]*)(?![\w:])(\{[^}]*\})?(?!\s*\()"  # not a function
    for match in re.finditer(name, text):
        if match[1] in ("and", "or", "unless", "bool"):
            continue
        found.add(re.sub("\0(\\d+)\0", lambda m: strings[int(m[1])], match[0]))
    return sorted(found)


def check_all(url, window=30, rate_interval="10s", run=None, may_fire=()):
    """Returns (number of expressions evaluated, [problems])."""
    checker = Checker(Prometheus(url), window, rate_interval, run)
    for path in sorted((DASHBOARDS / "grafana" / "dashboards").glob("*.json")):
        checker.dashboard(path)
    checker.agreements()
    checker.values()
    checker.rules(may_fire)
    return checker.count, checker.problems


def wait_for_all(url, wait, **options):
    """Repeats check_all until there are no problems or `wait` seconds have passed."""
    deadline = time.time() + wait
    while True:
        count, problems = check_all(url, **options)
        if not problems or time.time() > deadline:
            return count, problems
        time.sleep(1)


def report(count, problems):
    for problem in problems:
        print(problem)
    print(f"{count} expressions evaluated, {len(problems)} problems")
    return 1 if problems or count == 0 else 0


def add_options(parser):
    parser.add_argument("--wait", type=float, default=0, metavar="SECONDS",
                        help="retry until there are no problems, for at most this long")
    parser.add_argument("--window", type=int, default=30, metavar="SECONDS",
                        help="evaluate expressions over this period (default: 30)")
    parser.add_argument("--rate-interval", default="10s",
                        help="for $__rate_interval; at least four scrapes (default: 10s)")
    parser.add_argument("--run", type=lambda path: json.loads(pathlib.Path(path).read_text()),
                        metavar="FILE", help="description of the run, as JSON")
    parser.add_argument("--may-fire", action="append", default=[], metavar="ALERT",
                        help="an alert that may fire in this run")


def options_of(arguments):
    return {"window": arguments.window, "rate_interval": arguments.rate_interval,
            "run": arguments.run, "may_fire": arguments.may_fire}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="a Prometheus with the rules of dashboards/prometheus")
    add_options(parser)
    arguments = parser.parse_args()
    return report(*wait_for_all(arguments.url, arguments.wait, **options_of(arguments)))


if __name__ == "__main__":
    sys.exit(main())
