#include "coordinator/ratings/standings.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/status/status.h"
#include "coordinator/ratings/game_counts.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

using ratings::GameCounts;
using ratings::RatingFit;

// Sums over the games, by index in the spec.
struct Tally {
  struct Bot {
    BotStanding standing;
    SeatCost cost;
    SeatCost measured;  // over the games in which CPU time was measured
  };
  std::vector<Bot> bots;
  PerSeat<double> seat_points;
  std::vector<std::vector<CrossScore>> cross;
  std::map<Termination, int64_t> terminations;
  int64_t games = 0;
  int64_t plies = 0;
};

void CountPlace(const PerSeat<uint8_t>& place, Seat seat, size_t seats, BotStanding& bot) {
  const auto end = place.begin() + static_cast<std::ptrdiff_t>(seats);
  const bool is_shared = std::count(place.begin(), end, place[seat]) > 1;
  if (place[seat] == 1) {
    ++(is_shared ? bot.draws : bot.firsts);
  } else {
    ++(place[seat] == 2 ? bot.seconds : bot.thirds);
  }
}

void AddToCross(const GameSummary& game, size_t seats,
                std::vector<std::vector<CrossScore>>& cross) {
  const PerSeat<uint8_t>& place = game.outcome.place;
  for (size_t i = 0; i < seats; ++i) {
    for (size_t j = 0; j < seats; ++j) {
      const int a = game.bots[SeatAt(i)];
      const int b = game.bots[SeatAt(j)];
      if (a == b) continue;
      CrossScore& score = cross[static_cast<size_t>(a)][static_cast<size_t>(b)];
      ++score.games;
      const bool is_level = place[SeatAt(i)] == place[SeatAt(j)];
      score.score += is_level ? 0.5 : place[SeatAt(i)] < place[SeatAt(j)] ? 1 : 0;
    }
  }
}

void AddCost(const SeatCost& cost, SeatCost& sum) {
  sum.moves += cost.moves;
  sum.nodes += cost.nodes;
  sum.time_us += cost.time_us;
  sum.cpu_us = sum.cpu_us.value_or(0) + cost.cpu_us.value_or(0);
}

void AddGame(const GameSummary& game, size_t seats, Tally& tally) {
  const PerSeat<double> points = Points(game.outcome.place, seats);
  for (size_t i = 0; i < seats; ++i) {
    const Seat seat = SeatAt(i);
    Tally::Bot& bot = tally.bots[static_cast<size_t>(game.bots[seat])];
    ++bot.standing.games;
    bot.standing.points += points[seat];
    tally.seat_points[seat] += points[seat];
    CountPlace(game.outcome.place, seat, seats, bot.standing);
    bot.standing.faults.Count(game.endings[seat]);
    bot.standing.fallbacks += game.fallbacks[seat];
    AddCost(game.costs[seat], bot.cost);
    if (game.costs[seat].cpu_us) AddCost(game.costs[seat], bot.measured);
  }
  AddToCross(game, seats, tally.cross);
  ++tally.games;
  ++tally.terminations[game.outcome.termination];
  tally.plies += game.plies;
}

absl::StatusOr<std::optional<int>> AnchorOf(const TournamentSpec& spec) {
  if (spec.anchor.empty()) return std::nullopt;
  for (size_t i = 0; i < spec.bots.size(); ++i) {
    if (spec.bots[i].name == spec.anchor) return static_cast<int>(i);
  }
  return absl::InvalidArgumentError("the anchor \"" + spec.anchor + "\" is not one of the bots");
}

// Fills in what needs no fit.
BotStanding StandingOf(const TournamentSpec& spec, int bot, const Tally& tally) {
  const Tally::Bot& sums = tally.bots[static_cast<size_t>(bot)];
  BotStanding standing = sums.standing;
  standing.bot = bot;
  standing.name = spec.bots[static_cast<size_t>(bot)].name;
  if (sums.cost.moves > 0) {
    const auto moves = static_cast<double>(sums.cost.moves);
    standing.time_per_move_ms = static_cast<double>(sums.cost.time_us) / 1000 / moves;
    standing.nodes_per_move = static_cast<double>(sums.cost.nodes) / moves;
  }
  if (sums.measured.moves > 0) {
    standing.cpu_per_move_ms = static_cast<double>(*sums.measured.cpu_us) / 1000 /
                               static_cast<double>(sums.measured.moves);
  }
  return standing;
}

std::vector<BotStanding> RankBots(const TournamentSpec& spec, const Tally& tally,
                                  const RatingFit& fit) {
  std::vector<BotStanding> bots;
  for (size_t i = 0; i < spec.bots.size(); ++i) {
    const int bot = static_cast<int>(i);
    BotStanding& standing = bots.emplace_back(StandingOf(spec, bot, tally));
    standing.is_unconnected = fit.IsUnconnected(bot);
    standing.is_one_sided = fit.IsOneSided(bot);
    if (standing.games > 0) standing.rating = fit.Rating(bot);
  }
  std::stable_sort(bots.begin(), bots.end(), [](const BotStanding& a, const BotStanding& b) {
    if (a.rating.has_value() != b.rating.has_value()) return a.rating.has_value();
    return a.rating && a.rating->value > b.rating->value;
  });
  for (size_t row = 0; row < bots.size(); ++row) {
    bots[row].rank = static_cast<int>(row) + 1;
    if (row + 1 < bots.size() && bots[row + 1].rating) {
      bots[row].superiority = fit.Superiority(bots[row].bot, bots[row + 1].bot);
    }
  }
  return bots;
}

void AddStyles(const RatingFit& by_stage, std::vector<BotStanding>& bots) {
  constexpr double kSignificance = 0.05;
  double styles = 0;
  for (BotStanding& bot : bots) {
    bot.style = by_stage.Style(bot.bot);
    styles += bot.style ? 1 : 0;
  }
  for (BotStanding& bot : bots) {
    if (!bot.style || bot.style->error <= 0) continue;
    const double z = std::abs(bot.style->value) / bot.style->error;
    bot.has_style = 2 * ratings::NormalCdf(-z) * styles < kSignificance;
  }
}

std::vector<SeatStanding> SeatsOf(const GameInfo& game, const Tally& tally) {
  std::vector<SeatStanding> seats;
  for (size_t i = 0; i < game.seats; ++i) {
    SeatStanding seat{.name = std::string(game.seat_names[i]), .effect = {}, .points_per_game = {}};
    if (tally.games > 0) {
      seat.points_per_game = tally.seat_points[SeatAt(i)] / static_cast<double>(tally.games);
    }
    seats.push_back(std::move(seat));
  }
  return seats;
}

// Fills in what needs no fit, except for the bots.
Standings CountsOf(const TournamentSpec& spec, const GameInfo& game, const Tally& tally) {
  Standings standings;
  standings.name = spec.name.empty() ? std::string(game.variant) : spec.name;
  standings.games_recorded = tally.games;
  standings.games_asked = spec.games;
  standings.seats = SeatsOf(game, tally);
  standings.terminations = tally.terminations;
  if (tally.games > 0) {
    standings.plies_per_game = static_cast<double>(tally.plies) / static_cast<double>(tally.games);
  }
  return standings;
}

// Returns the largest round figure (500, 200, 100, 50, 20, 10, 5, 2, 1) below the margin.
double NextRoundFigure(double margin_elo) {
  for (double scale = 100; scale >= 1; scale /= 10) {
    for (const double digit : {5.0, 2.0, 1.0}) {
      if (digit * scale < margin_elo) return digit * scale;
    }
  }
  return margin_elo / 2;
}

std::optional<Standings::NextMargin> NextMarginOf(const RatingFit& fit) {
  const std::optional<double> now = fit.TypicalMargin();
  if (!now || *now <= 0) return std::nullopt;
  const double next = NextRoundFigure(*now);
  return Standings::NextMargin{*now, next, fit.GamesUntil(next).value_or(0)};
}

}  // namespace

size_t Standings::RowOf(int bot) const {
  const auto row = std::find_if(bots.begin(), bots.end(),
                                [&](const BotStanding& standing) { return standing.bot == bot; });
  CHECK(row != bots.end());
  return static_cast<size_t>(row - bots.begin());
}

struct StandingsBuilder::Tally : triarch::Tally {};

StandingsBuilder::StandingsBuilder(const TournamentSpec& spec, const GameInfo& game)
    : spec_(spec),
      game_(game),
      counter_(spec.bots.size(), game.seats),
      tally_(std::make_unique<Tally>()) {
  tally_->bots.resize(spec.bots.size());
  tally_->cross.assign(spec.bots.size(), std::vector<CrossScore>(spec.bots.size()));
}

StandingsBuilder::~StandingsBuilder() = default;

absl::Status StandingsBuilder::Add(const GameSummary& game) {
  RETURN_IF_ERROR(counter_.Add(game));
  AddGame(game, game_.seats, *tally_);
  return absl::OkStatus();
}

Standings StandingsBuilder::ComputeUnrated() const {
  Standings standings = CountsOf(spec_, game_, *tally_);
  for (size_t i = 0; i < spec_.bots.size(); ++i) {
    standings.bots.push_back(StandingOf(spec_, static_cast<int>(i), *tally_));
  }
  standings.samples.emplace();
  return standings;
}

absl::StatusOr<Standings> StandingsBuilder::Compute(StandingsParts parts) const {
  if (spec_.selfplay) return ComputeUnrated();
  const TournamentSpec& spec = spec_;
  const Tally& tally = *tally_;
  Standings standings = CountsOf(spec, game_, tally);
  ASSIGN_OR_RETURN(standings.anchor, AnchorOf(spec));
  ASSIGN_OR_RETURN(const GameCounts counts, counter_.Counts());
  ratings::RatingOptions options;
  options.anchor = standings.anchor;
  ASSIGN_OR_RETURN(standings.fit, ratings::FitRatings(counts, options));
  const RatingFit& fit = *standings.fit;

  standings.bots = RankBots(spec, tally, fit);
  for (size_t i = 0; i < standings.seats.size(); ++i) {
    standings.seats[i].effect = fit.SeatEffect(i);
  }
  standings.ties = RatesOfTies(fit, counts);
  for (const BotStanding& row : standings.bots) {
    std::vector<CrossScore>& scores = standings.cross.emplace_back();
    for (const BotStanding& column : standings.bots) {
      scores.push_back(tally.cross[static_cast<size_t>(row.bot)][static_cast<size_t>(column.bot)]);
    }
  }
  standings.next_margin = NextMarginOf(fit);
  const bool is_too_large = spec.bots.size() > ratings::kCoalitionBotsMax;
  if (parts != StandingsParts::kAll || game_.seats < 3 || is_too_large) return standings;
  options.anchor.reset();  // the tests compare all bots alike
  options.strengths = ratings::Strengths::kByStage;
  ASSIGN_OR_RETURN(RatingFit by_stage, ratings::FitRatings(counts, options));
  AddStyles(by_stage, standings.bots);
  standings.coalitions = CheckCoalitions(std::move(by_stage), counts);
  return standings;
}

absl::StatusOr<Standings> ComputeStandings(const TournamentSpec& spec,
                                           std::span<const GameSummary> games,
                                           const GameInfo& game) {
  StandingsBuilder builder(spec, game);
  for (const GameSummary& one : games) RETURN_IF_ERROR(builder.Add(one));
  return builder.Compute();
}

}  // namespace triarch
