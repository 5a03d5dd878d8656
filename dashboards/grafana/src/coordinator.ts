// The coordinator and its store: whether they keep up.
import * as dashboard from "@grafana/grafana-foundation-sdk/dashboard";
import * as units from "@grafana/grafana-foundation-sdk/units";

import { frame } from "./frame";
import {
  buckets,
  kBadAboveZero,
  kGamesPerSecond,
  kPliesPerSecond,
  lines,
  number,
  quantiles,
  stacked,
  yesOrNo,
} from "./panels";

const kJob = '{job="triarch-coordinator"}';

// As the recording rule triarch:open_games:sum, which a Prometheus may lack.
const kOpen =
  "sum(sum by (tournament) (triarch_tournament_open_games)" +
  ' * on (tournament) max by (tournament) (triarch_tournament_state{state="active"}))' +
  " or vector(0)";

const kNow = [
  yesOrNo(
    {
      title: "A coordinator leads",
      description: "One of them holds the store's lock. Without one nothing is leased or recorded.",
      width: 4,
    },
    ["max(triarch_leading)", "leads"],
  ),
  yesOrNo(
    {
      title: "The store is there",
      description: "As the leading coordinator found when it asked last.",
      width: 4,
    },
    ["max(triarch_store_up)", "there"],
  ),
  number(
    {
      title: "Recorded",
      description: "Games that were committed.",
      width: 4,
      unit: kGamesPerSecond,
      decimals: 1,
    },
    "sum(rate(triarch_store_commit_games_sum[$__rate_interval]))",
  ),
  number(
    {
      title: "Commit, p99",
      description: "99 % of the transactions that record games take less.",
      width: 4,
      unit: units.Seconds,
      decimals: 1,
    },
    "histogram_quantile(0.99, sum by (le) " +
      '(rate(triarch_store_commit_seconds_bucket{result="ok"}[$__rate_interval])))',
  ),
  number(
    {
      title: "CPU per recorded game",
      description: "Of the coordinators' processes, without the store's own.",
      width: 4,
      unit: units.Seconds,
      decimals: 2,
    },
    `sum(rate(process_cpu_seconds_total${kJob}[$__rate_interval]))` +
      " / (sum(rate(triarch_games_total[$__rate_interval])) > 0)",
  ),
  number(
    {
      title: "False reports",
      description: "In the last hour. Each is a broken or dishonest worker.",
      width: 4,
      decimals: 0,
    },
    "sum(increase(triarch_replay_rejections_total[1h]))",
    kBadAboveZero,
  ),
];

const kCalls = [
  lines(
    {
      title: "Calls",
      description: "gRPC calls that ended, by method.",
      width: 8,
      unit: units.RequestsPerSecond,
      min: 0,
    },
    [["sum by (method) (rate(triarch_grpc_server_calls_total[$__rate_interval]))", "{{method}}"]],
  ),
  lines(
    {
      title: "Latency of calls, p99",
      description:
        "In the coordinator. Report waits for the replay and the commit; Lease and Heartbeat " +
        "wait for nothing and should stay at milliseconds.",
      width: 8,
      unit: units.Seconds,
      min: 0,
    },
    [
      [
        "histogram_quantile(0.99, sum by (method, le) " +
          "(rate(triarch_grpc_server_call_seconds_bucket[$__rate_interval])))",
        "{{method}}",
      ],
    ],
  ),
  lines(
    {
      title: "Calls that failed",
      description: "By code. UNAUTHENTICATED: a wrong token. RESOURCE_EXHAUSTED: admission.",
      width: 8,
      unit: units.RequestsPerSecond,
      min: 0,
    },
    [
      [
        'sum by (method, code) (rate(triarch_grpc_server_calls_total{code!="OK"}' +
          "[$__rate_interval])) or on () vector(0)",
        "{{method}} {{code}}",
      ],
    ],
  ),
];

const kReplay = [
  lines(
    {
      title: "Replayed plies",
      description: "Every reported game is played through the rules before it is recorded.",
      width: 6,
      unit: kPliesPerSecond,
      min: 0,
    },
    [["sum(rate(triarch_replayed_plies_total[$__rate_interval]))", "plies"]],
  ),
  lines(
    {
      title: "Replay time per ply",
      description: "Microseconds; more means that the replay threads lack processors.",
      width: 6,
      unit: units.Seconds,
      min: 0,
    },
    [
      [
        "sum(rate(triarch_replay_seconds_sum[$__rate_interval]))" +
          " / (sum(rate(triarch_replayed_plies_total[$__rate_interval])) > 0)",
        "a ply",
      ],
    ],
  ),
  lines(
    {
      title: "Replay of a report",
      description: "Time for all games of one report.",
      width: 6,
      unit: units.Seconds,
      min: 0,
    },
    quantiles("triarch_replay_seconds"),
  ),
  lines(
    {
      title: "Waiting to be replayed",
      description: "Workers are told to report more slowly when this has grown to its bound.",
      width: 6,
      unit: "suffix:plies",
      min: 0,
    },
    [["sum(triarch_replay_queue_plies)", "plies"]],
  ),
  stacked(
    {
      title: "Reports by outcome",
      description:
        "recorded; stale: the lease was over; rejected: a game was false; retry: busy, or the " +
        "store is away.",
      width: 12,
      unit: units.RequestsPerSecond,
    },
    [["sum by (outcome) (rate(triarch_reports_total[$__rate_interval]))", "{{outcome}}"]],
  ),
  lines(
    {
      title: "Games that were not recorded",
      description: "By outcome; duplicates were recorded before and are answered as successes.",
      width: 12,
      unit: kGamesPerSecond,
      min: 0,
    },
    [
      [
        'sum by (outcome) (rate(triarch_reported_games_total{outcome!="recorded"}[$__rate_interval]))',
        "{{outcome}}",
      ],
      ["sum(rate(triarch_duplicate_games_total[$__rate_interval]))", "duplicate"],
    ],
  ),
];

const kStore = [
  buckets(
    {
      title: "Commits by time",
      description: "Transactions that record games. A second band far above is the disk's.",
      width: 8,
      unit: units.Seconds,
    },
    'sum by (le) (increase(triarch_store_commit_seconds_bucket{result="ok"}[$__rate_interval]))',
  ),
  lines(
    {
      title: "Commit latency",
      description: "Of those that succeeded.",
      width: 8,
      unit: units.Seconds,
      min: 0,
    },
    quantiles("triarch_store_commit_seconds", '{result="ok"}'),
  ),
  lines(
    {
      title: "Games in a commit",
      description: "It grows with the load: what waits is recorded together.",
      width: 8,
      min: 0,
    },
    [
      [
        "sum(rate(triarch_store_commit_games_sum[$__rate_interval]))" +
          " / (sum(rate(triarch_store_commit_games_count[$__rate_interval])) > 0)",
        "mean",
      ],
      ...quantiles("triarch_store_commit_games"),
    ],
  ),
  lines(
    {
      title: "Commits",
      description: "By result. An error is tried again; no game is lost by it.",
      width: 8,
      unit: "suffix:commits/s",
      min: 0,
    },
    [
      [
        "sum by (result) (rate(triarch_store_commit_seconds_count[$__rate_interval]))",
        "{{result}}",
      ],
    ],
  ),
  lines(
    {
      title: "Store there, recorder full",
      description: "1 is yes. Full: as many games wait for the store as may; leasing pauses.",
      width: 8,
      decimals: 0,
      min: 0,
      max: 1,
    },
    [
      ["max(triarch_store_up)", "store there"],
      ["max(triarch_recorder_full)", "recorder full"],
    ],
  ),
  lines(
    {
      title: "Games of all tournaments",
      description:
        "The queue: leased ones are on workers; open ones, those of active tournaments, wait for " +
        "them.",
      width: 8,
      decimals: 0,
      min: 0,
    },
    [
      [kOpen, "open"],
      ["sum(triarch_tournament_leased_games)", "leased"],
    ],
  ),
];

const kProcess = [
  lines(
    {
      title: "Processors",
      description: "Used by each coordinator.",
      width: 6,
      unit: "suffix:CPUs",
      min: 0,
    },
    [[`rate(process_cpu_seconds_total${kJob}[$__rate_interval])`, "{{instance}}"]],
  ),
  lines(
    {
      title: "Memory",
      description: "In RAM. It does not depend on how many games a tournament has.",
      width: 6,
      unit: units.BytesIEC,
      min: 0,
    },
    [[`process_resident_memory_bytes${kJob}`, "{{instance}}"]],
  ),
  lines(
    {
      title: "Open files",
      description: "Descriptors of those that may be open; every worker takes one.",
      width: 6,
      unit: units.PercentUnit,
      min: 0,
    },
    [[`process_open_fds${kJob} / process_max_fds${kJob}`, "{{instance}}"]],
  ),
  lines(
    {
      title: "Leading",
      description: "1 is the coordinator that leads; a change is a takeover.",
      width: 6,
      decimals: 0,
      min: 0,
      max: 1,
    },
    [["triarch_leading", "{{instance}}"]],
  ),
];

export function coordinator(): dashboard.Dashboard {
  return frame({
    uid: "triarch-coordinator",
    title: "Triarch: coordinator and store",
    description: "The coordinator and its store: calls, replays, commits, queues, processes.",
    rows: [
      { title: "Now", panels: kNow },
      { title: "Calls", panels: kCalls },
      { title: "Reports and replays", panels: kReplay },
      { title: "Store", panels: kStore },
      { title: "Processes", panels: kProcess },
    ],
  });
}
