// The workers: how many, how busy, how fast, and what becomes of their leases.
import * as dashboard from "@grafana/grafana-foundation-sdk/dashboard";
import * as units from "@grafana/grafana-foundation-sdk/units";

import { frame } from "./frame";
import {
  kBadAboveZero,
  kBadAtZero,
  kGamesPerSecond,
  kPliesPerSecond,
  lines,
  number,
  quantiles,
  rows,
  stacked,
} from "./panels";

const kCpuPerPly =
  "sum(rate(triarch_worker_cpu_seconds_total[$__rate_interval]))" +
  " / (sum(rate(triarch_plies_total[$__rate_interval])) > 0)";

const kNow = [
  number(
    {
      title: "Workers alive",
      description: "Those whose heartbeats come and that are not quarantined.",
      width: 4,
      decimals: 0,
    },
    'sum(triarch_workers{state="alive"})',
    kBadAtZero,
  ),
  number(
    {
      title: "Quarantined",
      description: "Workers that reported false games; `triarch list` says why.",
      width: 4,
      decimals: 0,
    },
    'sum(triarch_workers{state="quarantined"})',
    kBadAboveZero,
  ),
  number(
    {
      title: "Utilisation",
      description:
        "Slots that play of those that could. Low with open games: leases come too late.",
      width: 4,
      unit: units.PercentUnit,
      decimals: 0,
      min: 0,
      max: 1,
    },
    "sum(triarch_worker_busy_slots) / (sum(triarch_worker_slots) > 0)",
  ),
  number(
    {
      title: "Games per second",
      description: "Recorded, all tournaments together.",
      width: 4,
      unit: kGamesPerSecond,
      decimals: 1,
    },
    "sum(rate(triarch_games_total[$__rate_interval]))",
  ),
  number(
    {
      title: "Games held",
      description: "Finished and not acknowledged: they grow while the coordinator is away.",
      width: 4,
      decimals: 0,
    },
    "sum(triarch_worker_held_games)",
  ),
  number(
    {
      title: "CPU per ply",
      description: "Processor time of all workers' own processes for one recorded ply.",
      width: 4,
      unit: units.Seconds,
      decimals: 2,
    },
    kCpuPerPly,
  ),
];

const kCapacity = [
  lines(
    {
      title: "Workers",
      description: "alive; quarantined; gone: not heard of, shown for a while after.",
      width: 8,
      decimals: 0,
      min: 0,
    },
    [["sum by (state) (triarch_workers)", "{{state}}"]],
  ),
  lines(
    {
      title: "Slots",
      description: "Games that could be played at a time, and that are.",
      width: 8,
      decimals: 0,
      min: 0,
    },
    [
      ["sum(triarch_worker_slots)", "slots"],
      ["sum(triarch_worker_busy_slots)", "busy"],
    ],
  ),
  lines(
    {
      title: "The least busy workers",
      description: "Share of a worker's slots that play; the ten lowest.",
      width: 8,
      unit: units.PercentUnit,
      min: 0,
      max: 1,
    },
    [
      [
        "bottomk(10, sum by (worker) (triarch_worker_busy_slots)" +
          " / (sum by (worker) (triarch_worker_slots) > 0))",
        "{{worker}}",
      ],
    ],
  ),
];

const kThroughput = [
  lines(
    {
      title: "Plies by tournament",
      description: "Recorded; tournaments are served in the order in which they were submitted.",
      width: 8,
      unit: kPliesPerSecond,
      min: 0,
    },
    [["sum by (tournament) (rate(triarch_plies_total[$__rate_interval]))", "{{tournament}}"]],
  ),
  lines(
    {
      title: "CPU per ply",
      description: "Rises with deeper bots, and with machines that do something else besides.",
      width: 8,
      unit: units.Seconds,
      min: 0,
    },
    [[kCpuPerPly, "a ply"]],
  ),
  lines(
    {
      title: "Time of a move by kind of bot",
      description: "As the workers measured it; 95 % of moves take less.",
      width: 8,
      unit: units.Seconds,
      min: 0,
    },
    [
      [
        "histogram_quantile(0.95, sum by (bot, le) " +
          "(rate(triarch_played_bot_move_seconds_bucket[$__rate_interval])))",
        "{{bot}}",
      ],
    ],
  ),
];

const kLeases = [
  stacked(
    {
      title: "Leases: how they came and went",
      description:
        "granted and stolen ones begin; the others end. Every expired lease is a worker that " +
        "died, stood still or was cut off, and its games are played again.",
      width: 12,
      unit: "suffix:leases/s",
    },
    [["sum by (event) (rate(triarch_lease_events_total[$__rate_interval]))", "{{event}}"]],
  ),
  lines(
    {
      title: "Age of leases at their end",
      description:
        "About ten seconds of play each. A p99 far above p50 is stragglers: workers that are " +
        "slower than they were when the lease was sized.",
      width: 6,
      unit: units.Seconds,
      min: 0,
    },
    quantiles("triarch_lease_seconds", '{event="finished"}'),
  ),
  lines(
    {
      title: "Games in a lease",
      description: "Small for slow bots, and towards the end of a tournament.",
      width: 6,
      min: 0,
    },
    quantiles("triarch_lease_games"),
  ),
  lines(
    {
      title: "Expired and rejected leases",
      description: "Both should be rare. In the last five minutes.",
      width: 8,
      decimals: 1,
      min: 0,
    },
    [
      [
        'sum by (event) (increase(triarch_lease_events_total{event=~"expired|rejected"}[5m]))',
        "{{event}}",
      ],
    ],
  ),
  lines(
    {
      title: "Stolen leases",
      description:
        "What was left of a straggler's lease and was given to one more worker; the first report " +
        "wins. Normal at a tournament's end. In the last five minutes.",
      width: 8,
      decimals: 1,
      min: 0,
    },
    [['sum(increase(triarch_lease_events_total{event="stolen"}[5m]))', "stolen"]],
  ),
  lines(
    {
      title: "The slowest workers",
      description: "Recorded games for each slot; the ten lowest. The stragglers are among them.",
      width: 8,
      unit: kGamesPerSecond,
      min: 0,
    },
    [
      [
        "bottomk(10, sum by (worker) (rate(triarch_worker_recorded_games_total[5m]))" +
          " / (sum by (worker) (triarch_worker_slots) > 0))",
        "{{worker}}",
      ],
    ],
  ),
];

const kWorkers = [
  rows(
    {
      title: "Workers",
      description: "Each as the coordinator sees it.",
      width: 24,
      height: 10,
    },
    "worker",
    [
      { name: "alive", expression: "max by (worker) (triarch_worker_up)" },
      { name: "quarantined", expression: "max by (worker) (triarch_worker_quarantined)" },
      {
        name: "last heard",
        expression: "min by (worker) (triarch_worker_last_seen_seconds)",
        unit: units.Seconds,
        decimals: 1,
      },
      { name: "slots", expression: "sum by (worker) (triarch_worker_slots)" },
      { name: "busy", expression: "sum by (worker) (triarch_worker_busy_slots)" },
      { name: "leases", expression: "sum by (worker) (triarch_worker_leases)" },
      { name: "games held", expression: "sum by (worker) (triarch_worker_held_games)" },
      {
        name: "games per second",
        expression: "sum by (worker) (rate(triarch_worker_recorded_games_total[5m]))",
        decimals: 2,
      },
      {
        name: "CPUs",
        expression: "sum by (worker) (rate(triarch_worker_cpu_seconds_total[5m]))",
        decimals: 2,
      },
      {
        name: "false reports",
        expression: "sum by (worker) (triarch_worker_rejected_reports_total)",
      },
    ],
  ),
];

const kReports = [
  lines(
    {
      title: "Games held by worker",
      description: "The ten with the most. A worker that may hold no more waits.",
      width: 8,
      decimals: 0,
      min: 0,
    },
    [["topk(10, sum by (worker) (triarch_worker_held_games))", "{{worker}}"]],
  ),
  lines(
    {
      title: "Workers that wait or are cut off",
      description:
        "full: no room for finished games. cut off: no coordinator knows it. By their own word.",
      width: 8,
      decimals: 0,
      min: 0,
    },
    [
      ["sum(triarch_full)", "full"],
      ["sum(1 - triarch_connected)", "cut off"],
    ],
  ),
  stacked(
    {
      title: "Reports by outcome",
      description:
        "recorded; stale: the lease was over; rejected: a game was false; retry: the coordinator " +
        "was busy or the store away.",
      width: 8,
      unit: units.RequestsPerSecond,
    },
    [["sum by (outcome) (rate(triarch_sent_reports_total[$__rate_interval]))", "{{outcome}}"]],
  ),
];

const kProcesses = [
  lines(
    {
      title: "Calls to the coordinator, p95",
      description: "As the workers saw them: the network and the coordinator together.",
      width: 8,
      unit: units.Seconds,
      min: 0,
    },
    [
      [
        "histogram_quantile(0.95, sum by (method, le) " +
          "(rate(triarch_grpc_client_call_seconds_bucket[$__rate_interval])))",
        "{{method}}",
      ],
    ],
  ),
  lines(
    {
      title: "Calls that failed",
      description: "By code, as the workers saw them.",
      width: 8,
      unit: units.RequestsPerSecond,
      min: 0,
    },
    [
      [
        'sum by (method, code) (rate(triarch_grpc_client_calls_total{code!="OK"}' +
          "[$__rate_interval])) or on () vector(0)",
        "{{method}} {{code}}",
      ],
    ],
  ),
  lines(
    {
      title: "Memory of workers",
      description: "The ten largest processes.",
      width: 8,
      unit: units.BytesIEC,
      min: 0,
    },
    [['topk(10, process_resident_memory_bytes{job="triarch-worker"})', "{{instance}}"]],
  ),
];

export function fleet(): dashboard.Dashboard {
  return frame({
    uid: "triarch-fleet",
    title: "Triarch: fleet",
    description: "The workers: utilisation, throughput, leases, stragglers.",
    rows: [
      { title: "Now", panels: kNow },
      { title: "Capacity", panels: kCapacity },
      { title: "Throughput", panels: kThroughput },
      { title: "Leases", panels: kLeases },
      { title: "Workers", panels: kWorkers },
      { title: "Reports", panels: kReports },
      { title: "Worker processes", panels: kProcesses },
    ],
  });
}
