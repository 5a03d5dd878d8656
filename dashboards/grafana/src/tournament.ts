// Defines the dashboard of one tournament: progress, ratings, terminations, faults.
import * as dashboard from "@grafana/grafana-foundation-sdk/dashboard";
import * as units from "@grafana/grafana-foundation-sdk/units";

import { frame, queryVariable } from "./frame";
import {
  bars,
  buckets,
  kBadAboveZero,
  kElo,
  kGamesPerSecond,
  kPliesPerSecond,
  lines,
  number,
  numberNow,
  rows,
  shares,
  stacked,
  word,
} from "./panels";

const kHere = '{tournament="$tournament"}';
const kGamesLeft =
  `(sum(triarch_tournament_games${kHere}) - sum(triarch_tournament_done_games${kHere}))`;
const kDeviates95 = 1.96; // half a 95 % interval, in standard errors

const kTournamentNow = [
  number(
    {
      title: "Progress",
      description: "Recorded games as a share of the requested games.",
      width: 4,
      unit: units.PercentUnit,
      decimals: 1,
      min: 0,
      max: 1,
    },
    `sum(triarch_tournament_done_games${kHere}) / sum(triarch_tournament_games${kHere})`,
  ),
  numberNow(
    {
      title: "Time left",
      description:
        "At the rate of the last five minutes. Empty while nothing is recorded: see the fleet " +
        "dashboard.",
      width: 4,
      unit: units.Seconds,
      decimals: 0,
    },
    `${kGamesLeft} / (sum(rate(triarch_games_total${kHere}[5m])) > 0)`,
  ),
  number(
    {
      title: "Games recorded",
      description: "All recorded games, including those before the coordinator's last start.",
      width: 4,
      decimals: 0,
    },
    `sum(triarch_tournament_done_games${kHere})`,
  ),
  number(
    {
      title: "Games per second",
      description: "Recorded games of all workers.",
      width: 4,
      unit: kGamesPerSecond,
      decimals: 1,
    },
    `sum(rate(triarch_games_total${kHere}[$__rate_interval]))`,
  ),
  number(
    {
      title: "Faults",
      description: "Games forfeited since the coordinator started: time, illegal move, crash.",
      width: 4,
      decimals: 0,
    },
    `sum(triarch_bot_faults_total${kHere})`,
    kBadAboveZero,
  ),
  word(
    {
      title: "State",
      description: "active, paused, cancelled or done.",
      width: 4,
    },
    [`max by (state) (triarch_tournament_state${kHere}) == 1`, "{{state}}"],
  ),
];

const kProgress = [
  stacked(
    {
      title: "Games: recorded, leased, open",
      description:
        "Leased games are on workers. Leases shrink towards the end, so that all workers finish " +
        "together.",
      width: 12,
      decimals: 0,
    },
    [
      [`sum(triarch_tournament_done_games${kHere})`, "recorded"],
      [`sum(triarch_tournament_leased_games${kHere})`, "leased"],
      [`sum(triarch_tournament_open_games${kHere})`, "open"],
    ],
  ),
  lines(
    {
      title: "Throughput",
      description: "Recorded games and plies. Longer games mean fewer games for the same plies.",
      width: 12,
      unit: kGamesPerSecond,
      min: 0,
    },
    [
      [`sum(rate(triarch_games_total${kHere}[$__rate_interval]))`, "games"],
      [`sum(rate(triarch_plies_total${kHere}[$__rate_interval]))`, "plies"],
    ],
  ).overrideByName("plies", [
    { id: "unit", value: kPliesPerSecond },
    { id: "custom.axisPlacement", value: "right" },
  ]),
];

const kTest = [
  lines(
    {
      title: "Log-likelihood ratio",
      description:
        "Only for a sequential test. It ends when the ratio reaches a bound: the new bot is better " +
        "at the upper one, and that is not shown at the lower one.",
      width: 12,
      decimals: 2,
    },
    [
      [`max(triarch_test_llr_high${kHere})`, "better"],
      [`max(triarch_test_llr${kHere})`, "ratio"],
      [`max(triarch_test_llr_low${kHere})`, "not shown"],
    ],
  ),
  lines(
    {
      title: "Estimated advantage",
      description:
        "Of the new bot over the base, with its 95 % interval. Not adjusted for looking while the " +
        "test runs: wait for the verdict.",
      width: 8,
      unit: kElo,
      decimals: 1,
    },
    [
      [`max(triarch_test_elo_high${kHere})`, "upper"],
      [`max(triarch_test_elo${kHere})`, "estimate"],
      [`max(triarch_test_elo_low${kHere})`, "lower"],
    ],
  ),
  lines(
    {
      title: "Games left",
      description: "Expected number of games until the test ends, and the units of games that count so far.",
      width: 4,
    },
    [
      [`max(triarch_test_games_left${kHere})`, "left"],
      [`max(triarch_test_units${kHere})`, "units"],
    ],
  ),
  lines(
    {
      title: "Variants",
      description:
        "Only for best-of: each variant's log-likelihood ratio against the base. The first to reach " +
        "its upper bound is the best found; the others drop out at the lower one.",
      width: 12,
      decimals: 2,
    },
    [[`max by (bot) (triarch_best_of_llr${kHere})`, "{{bot}}"]],
  ),
  lines(
    {
      title: "Tuned options",
      description: "Only for tuning: each option's distance from its start, in units of its step.",
      width: 12,
      decimals: 1,
    },
    [[`max by (option) (triarch_tune_steps${kHere})`, "{{option}}"]],
  ),
];

const kRatings = [
  lines(
    {
      title: "Ratings",
      description:
        "Elo over time; the mean of all bots is 0 unless the tournament has an anchor. " +
        "Recomputed periodically while games are recorded.",
      width: 12,
      height: 10,
      unit: kElo,
      decimals: 0,
    },
    [[`max by (bot) (triarch_bot_rating_elo${kHere})`, "{{bot}}"]],
  ),
  rows(
    {
      title: "Standings",
      description:
        "Current ratings. ± is half the width of the 95 % interval; bots with widely " +
        "overlapping intervals are not yet distinguished. Games and points count from the " +
        "coordinator's start.",
      width: 12,
      height: 10,
    },
    "bot",
    [
      {
        name: "rating",
        expression: `max by (bot) (triarch_bot_rating_elo${kHere})`,
        unit: kElo,
      },
      {
        name: "±",
        expression: `${kDeviates95} * max by (bot) (triarch_bot_rating_error_elo${kHere})`,
        unit: kElo,
      },
      { name: "games", expression: `sum by (bot) (triarch_bot_games_total${kHere})` },
      {
        name: "points per game",
        expression:
          `sum by (bot) (triarch_bot_points_total${kHere})` +
          ` / sum by (bot) (triarch_bot_games_total${kHere})`,
        decimals: 3,
      },
      {
        name: "time per move",
        expression:
          `sum by (bot) (triarch_bot_move_seconds_sum${kHere})` +
          ` / sum by (bot) (triarch_bot_move_seconds_count${kHere})`,
        unit: units.Seconds,
        decimals: 2,
      },
      { name: "faults", expression: `sum by (bot) (triarch_bot_faults_total${kHere})` },
    ],
  ),
  ratingBand(),
];

// Grafana draws a band between two series of fixed names, so each bot has its own panel.
function ratingBand() {
  const bot = '{tournament="$tournament",bot="$bot"}';
  const error = `${kDeviates95} * max(triarch_bot_rating_error_elo${bot})`;
  return lines(
    {
      title: "$bot",
      description: "The rating and its 95 % interval, which shrinks as games are recorded.",
      width: 24,
      height: 7,
      unit: kElo,
      decimals: 0,
    },
    [
      [`max(triarch_bot_rating_elo${bot}) + ${error}`, "upper"],
      [`max(triarch_bot_rating_elo${bot})`, "rating"],
      [`max(triarch_bot_rating_elo${bot}) - ${error}`, "lower"],
    ],
  )
    .repeat("bot")
    .repeatDirection("h")
    .maxPerRow(4)
    .fillOpacity(0)
    .overrideByName("upper", [
      { id: "custom.fillBelowTo", value: "lower" },
      { id: "custom.fillOpacity", value: 20 },
      { id: "custom.lineWidth", value: 0 },
      { id: "color", value: { mode: "fixed", fixedColor: "blue" } },
    ])
    .overrideByName("lower", [
      { id: "custom.lineWidth", value: 0 },
      { id: "color", value: { mode: "fixed", fixedColor: "blue" } },
    ])
    .overrideByName("rating", [{ id: "color", value: { mode: "fixed", fixedColor: "blue" } }]);
}

const kSeats = [
  bars(
    {
      title: "Points per game by seat",
      description:
        "Placement points: 1, ½, 0 for three seats and 1, 0 for two. Equal bots in a fair game " +
        "give every seat ½.",
      width: 8,
      decimals: 3,
      max: 1,
    },
    [
      `sum by (seat) (triarch_seat_points_total${kHere})` +
        ` / sum by (seat) (triarch_seat_games_total${kHere})`,
      "{{seat}}",
    ],
  ),
  lines(
    {
      title: "Points per game by seat, over time",
      description: "Games recorded around each moment.",
      width: 8,
      decimals: 3,
      min: 0,
      max: 1,
    },
    [
      [
        `sum by (seat) (rate(triarch_seat_points_total${kHere}[5m]))` +
          ` / sum by (seat) (rate(triarch_seat_games_total${kHere}[5m]))`,
        "{{seat}}",
      ],
    ],
  ),
  lines(
    {
      title: "Seat effects",
      description:
        "Each seat's advantage by the rating model, corrected for the bots that sat there.",
      width: 8,
      unit: kElo,
      decimals: 1,
    },
    [[`max by (seat) (triarch_seat_effect_elo${kHere})`, "{{seat}}"]],
  ),
];

const kGames = [
  shares(
    {
      title: "How games ended",
      description: "Terminations since the coordinator started.",
      width: 8,
      decimals: 0,
    },
    [`sum by (termination) (triarch_games_total${kHere})`, "{{termination}}"],
  ),
  stacked(
    {
      title: "Terminations over time",
      description: "A sudden change of the mix points to a changed bot or a machine in trouble.",
      width: 8,
      unit: kGamesPerSecond,
    },
    [
      [
        `sum by (termination) (rate(triarch_games_total${kHere}[$__rate_interval]))`,
        "{{termination}}",
      ],
    ],
  ),
  buckets(
    {
      title: "Length of games",
      description: "Plies. Many games at the ply limit means many adjudications.",
      width: 8,
      unit: "suffix:plies",
    },
    `sum by (le) (increase(triarch_game_plies_bucket${kHere}[$__rate_interval]))`,
  ),
];

const kBots = [
  lines(
    {
      title: "Faults by bot",
      description: "Share of a bot's games forfeited by time, illegal move or crash.",
      width: 12,
      unit: units.PercentUnit,
      min: 0,
    },
    [
      [
        `sum by (bot, fault) (rate(triarch_bot_faults_total${kHere}[5m]))` +
          ` / on (bot) group_left () sum by (bot) (rate(triarch_bot_games_total${kHere}[5m]))`,
        "{{bot}}: {{fault}}",
      ],
    ],
  ),
  lines(
    {
      title: "Time per move",
      description: "95 % of a bot's moves are faster; each game contributes the mean of its moves.",
      width: 6,
      unit: units.Seconds,
      min: 0,
    },
    [
      [
        "histogram_quantile(0.95, sum by (bot, le) " +
          `(rate(triarch_bot_move_seconds_bucket${kHere}[$__rate_interval])))`,
        "{{bot}}",
      ],
    ],
  ),
  lines(
    {
      title: "Nodes per second of search",
      description: "Counted by the bot. It falls when machines are overcommitted.",
      width: 6,
      unit: "suffix:nodes/s",
      min: 0,
    },
    [
      [
        `sum by (bot) (rate(triarch_bot_nodes_total${kHere}[$__rate_interval]))` +
          ` / (sum by (bot) (rate(triarch_bot_move_seconds_sum${kHere}[$__rate_interval])) > 0)`,
        "{{bot}}",
      ],
    ],
  ),
];

export function tournament(): dashboard.Dashboard {
  return frame({
    uid: "triarch-tournament",
    title: "Triarch: tournament",
    description: "One tournament: progress, ratings, seats, terminations, faults.",
    variables: [
      queryVariable(
        "tournament",
        "Tournament",
        "label_values(triarch_tournament_games, tournament)",
      ),
      queryVariable(
        "bot",
        "Bot",
        'label_values(triarch_bot_rating_elo{tournament="$tournament"}, bot)',
      )
        .sort(dashboard.VariableSort.AlphabeticalAsc)
        .multi(true)
        .includeAll(true)
        .current({ selected: true, text: "All", value: "$__all" }),
    ],
    rows: [
      { title: "Now", panels: kTournamentNow },
      { title: "Progress", panels: kProgress },
      { title: "Test", panels: kTest },
      { title: "Ratings", panels: kRatings },
      { title: "Seats", panels: kSeats },
      { title: "Games", panels: kGames },
      { title: "Bots", panels: kBots },
    ],
  });
}
