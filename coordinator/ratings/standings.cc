#include "coordinator/ratings/standings.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "coordinator/ratings/davidson_luce.h"
#include "coordinator/ratings/game_counts.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

using ratings::GameCount;
using ratings::GameCounts;
using ratings::RatingFit;

// Sums of results, by index in the spec.
struct ResultSums {
  std::vector<BotStanding> bots;
  PerSeat<double> seat_points;
  std::vector<std::vector<CrossScore>> cross;
};

void CountPlace(const PerSeat<uint8_t>& place, Seat seat, size_t seats, int64_t games,
                BotStanding& bot) {
  const auto end = place.begin() + static_cast<std::ptrdiff_t>(seats);
  const bool is_shared = std::count(place.begin(), end, place[seat]) > 1;
  if (place[seat] == 1) {
    (is_shared ? bot.draws : bot.firsts) += games;
  } else {
    (place[seat] == 2 ? bot.seconds : bot.thirds) += games;
  }
}

void AddToCross(const GameCount& count, const PerSeat<uint8_t>& place, size_t seats,
                std::vector<std::vector<CrossScore>>& cross) {
  for (size_t i = 0; i < seats; ++i) {
    for (size_t j = 0; j < seats; ++j) {
      const int a = count.bots[SeatAt(i)];
      const int b = count.bots[SeatAt(j)];
      if (a == b) continue;
      CrossScore& score = cross[static_cast<size_t>(a)][static_cast<size_t>(b)];
      score.games += count.games;
      const bool is_level = place[SeatAt(i)] == place[SeatAt(j)];
      const double share = is_level ? 0.5 : place[SeatAt(i)] < place[SeatAt(j)] ? 1 : 0;
      score.score += share * static_cast<double>(count.games);
    }
  }
}

ResultSums SumsOf(const GameCounts& counts) {
  ResultSums sums;
  sums.bots.resize(counts.bots);
  sums.cross.assign(counts.bots, std::vector<CrossScore>(counts.bots));
  for (const GameCount& count : counts.counts) {
    const PerSeat<uint8_t>& place = ratings::Placements(counts.seats)[count.placement];
    const PerSeat<double> points = Points(place, counts.seats);
    for (size_t i = 0; i < counts.seats; ++i) {
      const Seat seat = SeatAt(i);
      BotStanding& bot = sums.bots[static_cast<size_t>(count.bots[seat])];
      const double more = points[seat] * static_cast<double>(count.games);
      bot.games += count.games;
      bot.points += more;
      sums.seat_points[seat] += more;
      CountPlace(place, seat, counts.seats, count.games, bot);
    }
    AddToCross(count, place, counts.seats, sums.cross);
  }
  return sums;
}

absl::StatusOr<std::optional<int>> AnchorOf(const TournamentSpec& spec) {
  if (spec.anchor.empty()) return std::nullopt;
  for (size_t i = 0; i < spec.bots.size(); ++i) {
    if (spec.bots[i].name == spec.anchor) return static_cast<int>(i);
  }
  return absl::InvalidArgumentError("the anchor \"" + spec.anchor + "\" is not one of the bots");
}

// Fills in what needs neither results nor a fit.
void AddCosts(const BotCosts& costs, BotStanding& standing) {
  standing.fallbacks = costs.fallbacks;
  if (costs.moves > 0) {
    const auto moves = static_cast<double>(costs.moves);
    standing.time_per_move_ms = static_cast<double>(costs.time_us) / 1000 / moves;
    standing.nodes_per_move = static_cast<double>(costs.nodes) / moves;
  }
  if (costs.measured_moves > 0) {
    standing.cpu_per_move_ms =
        static_cast<double>(costs.cpu_us) / 1000 / static_cast<double>(costs.measured_moves);
  }
}

// Ranks the bots, which are in the order of the spec.
void RankBots(const RatingFit& fit, std::vector<BotStanding>& bots) {
  for (BotStanding& standing : bots) {
    standing.is_unconnected = fit.IsUnconnected(standing.bot);
    standing.is_one_sided = fit.IsOneSided(standing.bot);
    if (standing.games > 0) standing.rating = fit.Rating(standing.bot);
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

std::vector<SeatStanding> SeatsOf(const GameInfo& game, const ResultSums& sums, int64_t games) {
  std::vector<SeatStanding> seats;
  for (size_t i = 0; i < game.seats; ++i) {
    SeatStanding seat{.name = std::string(game.seat_names[i]), .effect = {}, .points_per_game = {}};
    if (games > 0) seat.points_per_game = sums.seat_points[SeatAt(i)] / static_cast<double>(games);
    seats.push_back(std::move(seat));
  }
  return seats;
}

// Returns the scores by rows instead of by bots.
std::vector<std::vector<CrossScore>> InRows(const std::vector<BotStanding>& bots,
                                            const std::vector<std::vector<CrossScore>>& by_bot) {
  std::vector<std::vector<CrossScore>> rows;
  for (const BotStanding& row : bots) {
    std::vector<CrossScore>& scores = rows.emplace_back();
    for (const BotStanding& column : bots) {
      scores.push_back(by_bot[static_cast<size_t>(row.bot)][static_cast<size_t>(column.bot)]);
    }
  }
  return rows;
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

absl::Status CheckBotsToRate(const TournamentSpec& spec) {
  if (spec.bots.size() <= kRatedBotsMax) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrFormat(
      "no standings for %d bots: their ratings would take too much time and memory; "
      "at most %d bots are rated",
      spec.bots.size(), kRatedBotsMax));
}

StandingsBuilder::StandingsBuilder(const TournamentSpec& spec, const GameInfo& game)
    : spec_(spec),
      game_(game),
      counter_(spec.bots.size(), game.seats),
      faults_(spec.bots.size()),
      costs_(spec.bots.size()) {}

absl::Status StandingsBuilder::Add(const GameSummary& game) {
  RETURN_IF_ERROR(counter_.Add(game));
  ++terminations_[static_cast<size_t>(game.outcome.termination)];
  for (size_t i = 0; i < game_.seats; ++i) {
    const Seat seat = SeatAt(i);
    if (game.endings[seat]) {
      faults_[static_cast<size_t>(game.bots[seat])].Count(game.endings[seat]);
    }
  }
  return absl::OkStatus();
}

absl::Status StandingsBuilder::AddCosts(const GameCosts& costs) {
  plies_ += costs.plies;
  for (const auto& [bot, more] : costs.bots) {
    if (bot < 0 || static_cast<size_t>(bot) >= costs_.size()) {
      return absl::InvalidArgumentError(absl::StrFormat(
          "costs of bot %d, which does not exist; there are %d bots", bot, costs_.size()));
    }
    costs_[static_cast<size_t>(bot)].Add(more);
  }
  return absl::OkStatus();
}

// Fills in what needs no fit. The bots are in the order of the spec.
Standings StandingsBuilder::ComputeUnrated(const GameCounts& counts) const {
  Standings standings;
  standings.name = spec_.name.empty() ? std::string(game_.variant) : spec_.name;
  standings.games_recorded = counts.games;
  standings.games_asked = spec_.games;
  ResultSums sums = SumsOf(counts);
  standings.seats = SeatsOf(game_, sums, counts.games);
  for (size_t i = 0; i < terminations_.size(); ++i) {
    if (terminations_[i] > 0) {
      standings.terminations[static_cast<Termination>(i)] = terminations_[i];
    }
  }
  if (counts.games > 0) {
    standings.plies_per_game = static_cast<double>(plies_) / static_cast<double>(counts.games);
  }
  standings.bots = std::move(sums.bots);
  for (size_t i = 0; i < standings.bots.size(); ++i) {
    BotStanding& bot = standings.bots[i];
    bot.bot = static_cast<int>(i);
    bot.name = spec_.bots[i].name;
    bot.faults = faults_[i];
    triarch::AddCosts(costs_[i], bot);
  }
  standings.cross = std::move(sums.cross);
  return standings;
}

absl::StatusOr<Standings> StandingsBuilder::Compute(StandingsParts parts) {
  RETURN_IF_ERROR(CheckBotsToRate(spec_));
  ASSIGN_OR_RETURN(const GameCounts counts, counter_.Counts());
  Standings standings = ComputeUnrated(counts);
  if (spec_.selfplay) {
    standings.cross.clear();
    standings.samples.emplace();
    return standings;
  }
  ASSIGN_OR_RETURN(standings.anchor, AnchorOf(spec_));
  ratings::RatingOptions options;
  options.anchor = standings.anchor;
  const bool is_small = spec_.bots.size() <= ratings::kCoalitionBotsMax;
  const bool has_styles = parts == StandingsParts::kAll && game_.seats == 3 && is_small;
  // The two fits take most of the time.
  const auto fit_by_stage = [&counts] {
    ratings::RatingOptions by_stage;  // no anchor: the tests compare all bots alike
    by_stage.strengths = ratings::Strengths::kByStage;
    return ratings::FitRatings(counts, by_stage);
  };
  std::future<absl::StatusOr<RatingFit>> fitted_by_stage;
  if (has_styles) fitted_by_stage = std::async(std::launch::async, fit_by_stage);
  ASSIGN_OR_RETURN(standings.fit, ratings::FitRatings(counts, options));
  const RatingFit& fit = *standings.fit;

  RankBots(fit, standings.bots);
  for (size_t i = 0; i < standings.seats.size(); ++i) {
    standings.seats[i].effect = fit.SeatEffect(i);
  }
  standings.ties = RatesOfTies(fit, counts);
  standings.cross = InRows(standings.bots, standings.cross);
  standings.next_margin = NextMarginOf(fit);
  if (!has_styles) return standings;
  ASSIGN_OR_RETURN(RatingFit by_stage, fitted_by_stage.get());
  AddStyles(by_stage, standings.bots);
  standings.coalitions = CheckCoalitions(std::move(by_stage), counts);
  return standings;
}

absl::StatusOr<Standings> ComputeStandings(const TournamentSpec& spec,
                                           std::span<const GameSummary> games,
                                           const GameInfo& game) {
  StandingsBuilder builder(spec, game);
  GameCosts costs;
  for (const GameSummary& one : games) {
    RETURN_IF_ERROR(builder.Add(one));
    costs.Add(one);
  }
  RETURN_IF_ERROR(builder.AddCosts(costs));
  return builder.Compute();
}

}  // namespace triarch
