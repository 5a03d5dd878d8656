// Defines the dashboard of the coordinator and its store.
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

// The recording rule triarch:open_games:sum, for a Prometheus without it.
const kOpen =
  "sum(sum by (tournament) (triarch_tournament_open_games)" +
  ' * on (tournament) max by (tournament) (triarch_tournament_state{state="active"}))' +
  " or vector(0)";

const kNow = [
  yesOrNo(
    {
      title: "A coordinator leads",
      description:
        "One coordinator holds the store's lock. Without a leader nothing is leased or recorded.",
      width: 4,
    },
    ["max(triarch_leading)", "leads"],
  ),
  yesOrNo(
    {
      title: "The store works",
      description: "According to the leading coordinator's last request.",
      width: 4,
    },
    ["max(triarch_store_up)", "up"],
  ),
  number(
    {
      title: "Recorded",
      description: "Committed games.",
      width: 4,
      unit: kGamesPerSecond,
      decimals: 1,
    },
    "sum(rate(triarch_store_commit_games_sum[$__rate_interval]))",
  ),
  number(
    {
      title: "Commit, p99",
      description: "99 % of the transactions that record games are faster.",
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
      description: "CPU time of the coordinators, excluding the store's.",
      width: 4,
      unit: units.Seconds,
      decimals: 2,
    },
    `sum(rate(process_cpu_seconds_total${kJob}[$__rate_interval]))` +
      " / (sum(rate(triarch_games_total[$__rate_interval])) > 0)",
  ),
  number(
    {
      title: "Invalid reports",
      description: "In the last hour. Each comes from a broken or dishonest worker.",
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
      description: "Finished gRPC calls by method.",
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
        "Measured in the coordinator. Report includes the replay and the commit; Lease and " +
        "Heartbeat wait for nothing and should take milliseconds.",
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
      title: "Failed calls",
      description:
        "By code. UNAUTHENTICATED: a wrong token. RESOURCE_EXHAUSTED: refused admission.",
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
      description: "Every reported game is replayed by the rules before it is recorded.",
      width: 6,
      unit: kPliesPerSecond,
      min: 0,
    },
    [["sum(rate(triarch_replayed_plies_total[$__rate_interval]))", "plies"]],
  ),
  lines(
    {
      title: "Replay time per ply",
      description: "Normally microseconds; more means that the replay threads lack CPU time.",
      width: 6,
      unit: units.Seconds,
      min: 0,
    },
    [
      [
        "sum(rate(triarch_replay_seconds_sum[$__rate_interval]))" +
          " / (sum(rate(triarch_replayed_plies_total[$__rate_interval])) > 0)",
        "per ply",
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
      description: "At its bound, workers are asked to report more slowly.",
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
        "recorded; stale: the lease was over; rejected: a game was invalid; retry: the " +
        "coordinator was busy or the store unavailable.",
      width: 12,
      unit: units.RequestsPerSecond,
    },
    [["sum by (outcome) (rate(triarch_reports_total[$__rate_interval]))", "{{outcome}}"]],
  ),
  lines(
    {
      title: "Games not recorded",
      description: "By outcome. Duplicates were already recorded and count as successes.",
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
      description: "Transactions that record games. A second band far above comes from the disk.",
      width: 8,
      unit: units.Seconds,
    },
    'sum by (le) (increase(triarch_store_commit_seconds_bucket{result="ok"}[$__rate_interval]))',
  ),
  lines(
    {
      title: "Commit latency",
      description: "Successful commits.",
      width: 8,
      unit: units.Seconds,
      min: 0,
    },
    quantiles("triarch_store_commit_seconds", '{result="ok"}'),
  ),
  lines(
    {
      title: "Games per commit",
      description: "It grows with the load, because waiting games are recorded together.",
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
      description: "By result. Failed commits are retried; no game is lost.",
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
      title: "Store up, recorder full",
      description: "1 means yes. Full: the queue to the store is full, and leasing pauses.",
      width: 8,
      decimals: 0,
      min: 0,
      max: 1,
    },
    [
      ["max(triarch_store_up)", "store up"],
      ["max(triarch_recorder_full)", "recorder full"],
    ],
  ),
  lines(
    {
      title: "Games of all tournaments",
      description:
        "The queue: leased games are on workers; open games of active tournaments wait for a " +
        "worker.",
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
      title: "CPUs",
      description: "CPUs used by each coordinator.",
      width: 6,
      unit: "suffix:CPUs",
      min: 0,
    },
    [[`rate(process_cpu_seconds_total${kJob}[$__rate_interval])`, "{{instance}}"]],
  ),
  lines(
    {
      title: "Memory",
      description: "Resident memory. It does not depend on the number of games of a tournament.",
      width: 6,
      unit: units.BytesIEC,
      min: 0,
    },
    [[`process_resident_memory_bytes${kJob}`, "{{instance}}"]],
  ),
  lines(
    {
      title: "Open files",
      description: "Open descriptors as a share of the limit; every worker takes one.",
      width: 6,
      unit: units.PercentUnit,
      min: 0,
    },
    [[`process_open_fds${kJob} / process_max_fds${kJob}`, "{{instance}}"]],
  ),
  lines(
    {
      title: "Leading",
      description: "1 for the leading coordinator; a change is a takeover.",
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
