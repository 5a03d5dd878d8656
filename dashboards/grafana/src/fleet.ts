// Defines the dashboard of the workers: utilisation, throughput, leases.
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
      title: "Live workers",
      description: "Workers with regular heartbeats that are not quarantined.",
      width: 4,
      decimals: 0,
    },
    'sum(triarch_workers{state="alive"})',
    kBadAtZero,
  ),
  number(
    {
      title: "Quarantined",
      description: "Workers that reported invalid games; `triarch list` shows why.",
      width: 4,
      decimals: 0,
    },
    'sum(triarch_workers{state="quarantined"})',
    kBadAboveZero,
  ),
  number(
    {
      title: "Utilisation",
      description: "Busy slots as a share of all. Low with open games: leases arrive too late.",
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
      description: "Recorded games of all tournaments.",
      width: 4,
      unit: kGamesPerSecond,
      decimals: 1,
    },
    "sum(rate(triarch_games_total[$__rate_interval]))",
  ),
  number(
    {
      title: "Games held",
      description:
        "Finished games not yet acknowledged; they grow while the coordinator is unavailable.",
      width: 4,
      decimals: 0,
    },
    "sum(triarch_worker_held_games)",
  ),
  number(
    {
      title: "CPU per ply",
      description: "CPU time of all workers' own processes per recorded ply.",
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
      description: "alive; quarantined; gone: not heard from recently, shown for a while.",
      width: 8,
      decimals: 0,
      min: 0,
    },
    [["sum by (state) (triarch_workers)", "{{state}}"]],
  ),
  lines(
    {
      title: "Slots",
      description: "All slots, and busy slots.",
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
      title: "Least busy workers",
      description: "Busy share of a worker's slots; the ten lowest.",
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
      description: "Recorded plies. Tournaments are served in the order of submission.",
      width: 8,
      unit: kPliesPerSecond,
      min: 0,
    },
    [["sum by (tournament) (rate(triarch_plies_total[$__rate_interval]))", "{{tournament}}"]],
  ),
  lines(
    {
      title: "CPU per ply",
      description: "Rises with deeper searches, and with other load on the machines.",
      width: 8,
      unit: units.Seconds,
      min: 0,
    },
    [[kCpuPerPly, "per ply"]],
  ),
  lines(
    {
      title: "Time per move by bot type",
      description: "Measured by the workers; 95 % of moves are faster.",
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
      title: "Lease events",
      description:
        "granted and stolen begin a lease; the others end it, except stalled. An expired lease " +
        "means that a worker died, hung or was cut off; its games are played again. A stalled " +
        "lease means that a worker sends heartbeats but no games; its games go to others too.",
      width: 12,
      unit: "suffix:leases/s",
    },
    [["sum by (event) (rate(triarch_lease_events_total[$__rate_interval]))", "{{event}}"]],
  ),
  lines(
    {
      title: "Age of leases at their end",
      description:
        "A lease takes about ten seconds. A p99 far above p50 means stragglers: workers slower " +
        "than when the lease was sized.",
      width: 6,
      unit: units.Seconds,
      min: 0,
    },
    quantiles("triarch_lease_seconds", '{event="finished"}'),
  ),
  lines(
    {
      title: "Games per lease",
      description: "Small for slow bots and towards the end of a tournament.",
      width: 6,
      min: 0,
    },
    quantiles("triarch_lease_games"),
  ),
  lines(
    {
      title: "Expired and rejected leases",
      description: "In the last five minutes. Both should be rare.",
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
        "In the last five minutes. The rest of a straggler's lease goes to a second worker, and " +
        "the first report wins. Normal at a tournament's end.",
      width: 8,
      decimals: 1,
      min: 0,
    },
    [['sum(increase(triarch_lease_events_total{event="stolen"}[5m]))', "stolen"]],
  ),
  lines(
    {
      title: "Slowest workers",
      description: "Recorded games per slot; the ten lowest. They include the stragglers.",
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
      description: "As the coordinator sees them.",
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
      description: "The ten with the most. A worker that is full waits.",
      width: 8,
      decimals: 0,
      min: 0,
    },
    [["topk(10, sum by (worker) (triarch_worker_held_games))", "{{worker}}"]],
  ),
  lines(
    {
      title: "Workers full or cut off",
      description:
        "Reported by the workers. full: no room for finished games. cut off: not registered " +
        "with a coordinator.",
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
        "recorded; stale: the lease was over; rejected: a game was invalid; retry: the " +
        "coordinator was busy or the store unavailable.",
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
      description: "Measured by the workers, including the network.",
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
      title: "Failed calls",
      description: "By code, as seen by the workers.",
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
