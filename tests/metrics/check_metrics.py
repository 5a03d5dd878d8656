#!/usr/bin/env python3
"""Starts a Prometheus against running processes, evaluates every expression of every dashboard and
rule, and checks the pages with promtool.

  check_metrics.py --coordinator 127.0.0.1:9080 --worker 127.0.0.1:9081 --worker 127.0.0.1:9082
  check_metrics.py --sample-exporter build/release/tests/metrics/sample_exporter
"""

import argparse
import contextlib
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import evaluate_expressions

RULES = evaluate_expressions.DASHBOARDS / "prometheus"

# What the simulated run contains (sample_events.cc).
SAMPLE = {
    "workers": ["w1", "w2"],
    "gone_workers": [],
    "seats": {"1 sample": 3},
    "bots": {"1 sample": {bot: bot for bot in ["random", "greedy", "paranoid", "maxn"]}},
    "faulty_bots": {"1 sample": ["random", "paranoid"]},
    "values": {},
}


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def config(jobs):
    """Returns the configuration (JSON is valid YAML), with enough scrapes for rates in a short run."""
    return json.dumps({
        "global": {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"},
        "rule_files": [str(RULES / "recording_rules.yml"), str(RULES / "alerting_rules.yml")],
        "scrape_configs": [
            {"job_name": name, "static_configs": [{"targets": targets}]}
            for name, targets in jobs.items()
        ],
    })


def started(command, **options):
    """Starts a program that is killed when this one ends, for whatever reason."""
    return subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *command], **options)


@contextlib.contextmanager
def ended_after(process):
    """Ends the process on exit."""
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def started_prometheus(binary, jobs):
    """Starts a Prometheus that scrapes the jobs, and returns its URL once it answers."""
    with tempfile.TemporaryDirectory(prefix="triarch_prometheus_") as folder:
        file = pathlib.Path(folder) / "prometheus.yml"
        file.write_text(config(jobs))
        url = f"http://127.0.0.1:{free_port()}"
        with open(pathlib.Path(folder) / "log", "w+") as log:
            command = [binary, f"--config.file={file}", f"--storage.tsdb.path={folder}/data",
                       f"--web.listen-address={url.removeprefix('http://')}"]
            with ended_after(started(command, stdout=log, stderr=log)) as process:
                wait_until_ready(url, process, log)
                print(f"scraping: {url}", file=sys.stderr, flush=True)
                yield url


def wait_until_ready(url, process, log):
    for _ in range(300):
        if process.poll() is not None:
            break
        with contextlib.suppress(OSError):
            with urllib.request.urlopen(f"{url}/-/ready", timeout=1):
                return
        time.sleep(0.1)
    log.seek(0)
    sys.exit(f"error: prometheus did not start\n{log.read()}")


@contextlib.contextmanager
def started_sample(binary):
    """Starts a sample exporter and returns its jobs."""
    process = started([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with ended_after(process):
        coordinator, worker, arena = process.stdout.readline().split()
        yield {"triarch-coordinator": [f"127.0.0.1:{coordinator}"],
               "triarch-worker": [f"127.0.0.1:{worker}"],
               "triarch-arena": [f"127.0.0.1:{arena}"]}


def lint(promtool, jobs):
    """Returns promtool's findings in the page of the first target of each job."""
    problems = []
    for targets in jobs.values():
        with urllib.request.urlopen(f"http://{targets[0]}/metrics", timeout=10) as page:
            done = subprocess.run([promtool, "check", "metrics"], input=page.read(),
                                  capture_output=True, check=False)
        if done.returncode != 0:
            problems.append(f"promtool check metrics, {targets[0]}:\n{done.stderr.decode()}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--coordinator", action="append", default=[], metavar="HOST:PORT")
    parser.add_argument("--worker", action="append", default=[], metavar="HOST:PORT")
    parser.add_argument("--sample-exporter", metavar="FILE", help="instead of real processes")
    parser.add_argument("--prometheus", default="prometheus", metavar="FILE")
    parser.add_argument("--promtool", default="promtool", metavar="FILE")
    evaluate_expressions.add_options(parser)
    parser.set_defaults(wait=60)
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        if arguments.sample_exporter:
            jobs = stack.enter_context(started_sample(arguments.sample_exporter))
            arguments.run = SAMPLE
            # The simulated run includes every kind of trouble.
            arguments.may_fire += ["TriarchStoreErrors", "TriarchReportsRejected",
                                   "TriarchBotFaultsSurging", "TriarchLeasesExpiring",
                                   "TriarchArenaStoreErrors", "TriarchArenaMovesForced"]
        elif arguments.coordinator and arguments.worker:
            jobs = {"triarch-coordinator": arguments.coordinator,
                    "triarch-worker": arguments.worker}
        else:
            parser.error("expected --coordinator and --worker, or --sample-exporter")
        url = stack.enter_context(started_prometheus(arguments.prometheus, jobs))
        count, problems = evaluate_expressions.wait_for_all(
            url, arguments.wait, **evaluate_expressions.options_of(arguments))
        return evaluate_expressions.report(count, problems + lint(arguments.promtool, jobs))


if __name__ == "__main__":
    sys.exit(main())
