// Defines the dashboard of arenas: tables, moves, waits, refusals, load.
import * as dashboard from "@grafana/grafana-foundation-sdk/dashboard";
import * as units from "@grafana/grafana-foundation-sdk/units";

import { frame } from "./frame";
import { lines, quantiles, stacked } from "./panels";

const kGames = [
  stacked(
    {
      title: "Tables",
      description: "Those that wait for players, and those that are played.",
      width: 8,
      decimals: 0,
    },
    [['sum by (stage) (triarch_arena_tables{stage=~"waiting|playing"})', "{{stage}}"]],
  ),
  stacked(
    {
      title: "Moves",
      description: "By who chose them. The table chooses when a player does not.",
      width: 8,
      unit: "suffix:moves/s",
    },
    [["sum by (by) (rate(triarch_arena_moves_total[$__rate_interval]))", "{{by}}"]],
  ),
  stacked(
    {
      title: "Forced moves",
      description: "Many timeouts: players are gone, or cannot reach the arena.",
      width: 8,
      unit: "suffix:moves/s",
    },
    [["sum by (reason) (rate(triarch_arena_forced_moves_total[$__rate_interval]))", "{{reason}}"]],
  ),
  lines(
    {
      title: "Wait for a game",
      description: "From taking a seat until the game begins.",
      width: 8,
      unit: units.Seconds,
      min: 0,
    },
    quantiles("triarch_arena_wait_seconds"),
  ),
  stacked(
    {
      title: "Refusals",
      description: "By reason. rate_limited: a client asks too often.",
      width: 16,
      unit: units.RequestsPerSecond,
    },
    [["sum by (reason) (rate(triarch_arena_refusals_total[$__rate_interval]))", "{{reason}}"]],
  ),
];

const kServer = [
  lines(
    {
      title: "Time to store a move",
      description: "From the request until the move is stored and answered.",
      width: 8,
      unit: units.Seconds,
      min: 0,
    },
    quantiles("triarch_arena_move_seconds"),
  ),
  stacked(
    {
      title: "Requests",
      description: "By status.",
      width: 8,
      unit: units.RequestsPerSecond,
    },
    [["sum by (code) (rate(triarch_arena_requests_total[$__rate_interval]))", "{{code}}"]],
  ),
  lines(
    {
      title: "Connections and store errors",
      description: "A spectator is an event stream or a WebSocket. Errors: in the last five minutes.",
      width: 8,
      decimals: 0,
      min: 0,
    },
    [
      ["sum(triarch_arena_connections)", "connections"],
      ["sum(triarch_arena_spectators)", "spectators"],
      ["sum(increase(triarch_arena_store_errors_total[5m]))", "store errors"],
    ],
  ),
];

export function arena(): dashboard.Dashboard {
  return frame({
    uid: "triarch-arena",
    title: "Triarch: arena",
    description: "The games of arenas, and the load of their servers.",
    rows: [
      { title: "Games", panels: kGames },
      { title: "Server", panels: kServer },
    ],
  });
}
