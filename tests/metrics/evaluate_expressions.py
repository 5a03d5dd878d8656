#!/usr/bin/env python3
"""Evaluates every expression of every dashboard and rule against a Prometheus that scraped a run.

Each must give data that makes sense: at least one series with a finite number, within the bounds
that its panel draws, with the labels that its legend names; quantiles in order; what is counted in
two ways, equal. Of an alert, which
gives nothing while all is well, every series that it looks at must be there. Variables are replaced
as Grafana would: $tournament and $bot by each value in turn, intervals by --rate-interval.

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
# Beyond a panel's bound by rounding and by rates that are extrapolated.
TOLERANCE = 0.02

# What is counted in two ways.
AGREE = [
    ("sum by (tournament) ({__name__=~'triarch_tournament_(open|leased|done)_games'})",
     "sum by (tournament) (triarch_tournament_games)"),
    ("sum by (tournament) (triarch_seat_games_total{seat='first'})",
     "sum by (tournament) (triarch_games_total)"),
    ("sum by (tournament) (triarch_bot_points_total)",
     "sum by (tournament) (triarch_seat_points_total)"),
    ("sum by (tournament) (triarch_game_plies_sum)", "sum by (tournament) (triarch_plies_total)"),
    ("sum(triarch_store_commit_games_sum)", "sum(triarch_games_total)"),
    ("sum(triarch_reported_games_total{fate='recorded'})", "sum(triarch_games_total)"),
]


class Prometheus:
    def __init__(self, url):
        self.url = url.rstrip("/")

    def get(self, path, **parameters):
        """The data of an answer. ValueError: what Prometheus says against the question."""
        body = urllib.parse.urlencode(parameters, doseq=True).encode()
        request = f"{self.url}/api/v1/{path}" + (f"?{body.decode()}" if body else "")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            raise ValueError(json.load(error).get("error", str(error))) from None

    def series(self, expression, seconds):
        """What the expression gave in the last seconds: [(labels, [finite values])]."""
        now = time.time()
        data = self.get("query_range", query=expression, start=now - seconds, end=now, step=1)
        found = []
        for series in data["result"]:
            values = [float(value) for _, value in series["values"]]
            found.append((series["metric"], [v for v in values if math.isfinite(v)]))
        return found

    def label_values(self, query):
        """Of Grafana's function label_values(METRIC, LABEL)."""
        match = re.fullmatch(r"label_values\((.+), *(\w+)\)", query)
        if not match:
            raise ValueError(f"a variable's query that is not understood: {query}")
        data = self.get("query", query=f"group by ({match[2]}) ({match[1]})")
        return sorted(series["metric"][match[2]] for series in data["result"])


class Checker:
    def __init__(self, prometheus, window, rate_interval):
        self.prometheus = prometheus
        self.window = window
        self.intervals = {
            "$__rate_interval": rate_interval,
            "$__interval": rate_interval,
            "$__range": f"{window}s",
        }
        self.count = 0
        self.problems = []

    def blame(self, where, expression, what):
        self.problems.append(f"{where}: {what}\n    {expression}")

    def evaluate(self, where, expression):
        """The series with numbers; none after a complaint."""
        self.count += 1
        try:
            series = self.prometheus.series(expression, self.window)
        except ValueError as error:
            self.blame(where, expression, error)
            return []
        finite = [(labels, values) for labels, values in series if values]
        if not series:
            self.blame(where, expression, "no data")
        elif not finite:
            self.blame(where, expression, f"{len(series)} series, and not one number")
        return finite

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
                if key not in seen:
                    seen.add(key)
                    self.panel(f"{path.name}, {panel['title']!r}", panel, targets)

    def values_of(self, where, variable, choice):
        query = substitute(variable["query"]["query"], choice)
        values = self.prometheus.label_values(query)
        if not values:
            self.blame(f"{where}, variable {variable['name']}", query, "no values")
        return values

    def panel(self, where, panel, targets):
        quantiles = {}
        for target in targets:
            expression = target["expr"]
            if "$" in expression:
                self.blame(where, expression, "a variable that is not known")
                continue
            series = self.evaluate(where, expression)
            self.check_bounds(where, expression, panel, series)
            self.check_legend(where, expression, target, series)
            if re.fullmatch(r"p\d+", target.get("legendFormat", "")) and series:
                quantiles[int(target["legendFormat"][1:])] = series[0][1][-1]
        ordered = [quantiles[percent] for percent in sorted(quantiles)]
        if ordered != sorted(ordered):
            self.blame(where, str(quantiles), "quantiles out of order")

    def check_bounds(self, where, expression, panel, series):
        defaults = panel.get("fieldConfig", {}).get("defaults", {})
        low = defaults.get("min", -math.inf)
        high = defaults.get("max", math.inf)
        for labels, values in series:
            if min(values) < low - TOLERANCE or max(values) > high + TOLERANCE:
                self.blame(where, expression, f"{labels}: not within {low} and {high}: "
                           f"{min(values)} to {max(values)}")

    def check_legend(self, where, expression, target, series):
        wanted = re.findall(r"{{(\w+)}}", target.get("legendFormat") or "")
        # "or vector(0)" has no labels, and stands for "none yet".
        if not series or "or vector(0)" in expression:
            return
        for label in wanted:
            if not all(label in labels for labels, _ in series):
                self.blame(where, expression, f"its legend wants the label {label}")

    # ---- What must agree.

    def agreements(self):
        for left, right in AGREE:
            difference = f"abs(({left}) - ({right})) / (({right}) > 0)"
            for labels, values in self.evaluate("what must agree", difference):
                if values[-1] > TOLERANCE:
                    self.blame(f"what must agree, {labels}", f"{left} = {right}",
                               f"{values[-1]:.0%} apart")

    # ---- Rules.

    def rules(self, may_fire):
        groups = self.prometheus.get("rules")["groups"]
        rules = [rule for group in groups for rule in group["rules"]]
        if not rules:
            self.blame("rules", "", "this Prometheus has none")
        for rule in rules:
            where = f"rule {rule['name']}"
            if rule["health"] != "ok":
                self.blame(where, rule["query"], rule.get("lastError") or rule["health"])
            if rule["type"] == "recording":
                self.evaluate(where, rule["query"])
                self.evaluate(where, rule["name"])
            else:
                for selector in selectors(rule["query"]):
                    self.evaluate(where, selector)
                if rule["state"] == "firing" and rule["name"] not in may_fire:
                    self.blame(where, rule["query"], "it fires")


def substitute(expression, choice):
    # The longest name first: $__range is no prefix of $__rate_interval, but $bot may be of another.
    for name in sorted(choice, key=len, reverse=True):
        value = choice[name].replace("\\", "\\\\").replace('"', '\\"')
        expression = expression.replace(name, value)
    return expression


def selectors(expression):
    """The vector selectors of an expression of PromQL, such as up{job="x"}."""
    strings = []

    def hide(match):
        strings.append(match[0])
        return f"\0{len(strings) - 1}\0"

    text = re.sub(r'"[^"]*"', hide, expression)
    # Lists of labels, durations, and words of the language are no selectors.
    text = re.sub(r"\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)", " ", text)
    text = re.sub(r"\[[^\]]*\]", " ", text)
    text = re.sub(r"\boffset\s+\w+", " ", text)
    found = set()
    name = r"(?<![\w:{,.\0])([a-zA-Z_:][\w:]*)(?![\w:])(\{[^}]*\})?(?!\s*\()"  # no function
    for match in re.finditer(name, text):
        if match[1] in ("and", "or", "unless", "bool"):
            continue
        found.add(re.sub("\0(\\d+)\0", lambda m: strings[int(m[1])], match[0]))
    return sorted(found)


def check_all(url, window=30, rate_interval="10s", may_fire=()):
    """(how many expressions were evaluated, [what is wrong])."""
    checker = Checker(Prometheus(url), window, rate_interval)
    for path in sorted((DASHBOARDS / "grafana" / "dashboards").glob("*.json")):
        checker.dashboard(path)
    checker.agreements()
    checker.rules(may_fire)
    return checker.count, checker.problems


def wait_for_all(url, wait, **options):
    """The same, again and again until nothing is wrong or so many seconds have passed."""
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
                        help="try again until nothing is wrong, at most that long")
    parser.add_argument("--window", type=int, default=30, metavar="SECONDS",
                        help="how far back expressions are evaluated (default: 30)")
    parser.add_argument("--rate-interval", default="10s",
                        help="for $__rate_interval; at least four scrapes (default: 10s)")
    parser.add_argument("--may-fire", action="append", default=[], metavar="ALERT",
                        help="an alert that the run gives reason for")


def options_of(arguments):
    return {"window": arguments.window, "rate_interval": arguments.rate_interval,
            "may_fire": arguments.may_fire}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="of a Prometheus with the rules of dashboards/prometheus")
    add_options(parser)
    arguments = parser.parse_args()
    return report(*wait_for_all(arguments.url, arguments.wait, **options_of(arguments)))


if __name__ == "__main__":
    sys.exit(main())
