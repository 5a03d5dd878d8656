// Measures on real games which model of the results predicts better.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "coordinator/ratings/coalition.h"
#include "coordinator/ratings/rating.h"
#include "coordinator/store/store.h"
#include "core/base/status_macros.h"
#include "tests/statistics/experiments.h"

namespace triarch::statistics {
namespace {

using ratings::RatingFit;

// The games of one tournament with three seats.
struct RealGames {
  std::string name;
  size_t bots = 0;
  std::vector<GameSummary> games = {};
};

absl::StatusOr<RealGames> ReadGames(const std::string& path) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Store> store, OpenSqliteStore(path, OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(const std::vector<StoredTournament> all, store->Tournaments());
  if (all.size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s has %d tournaments; expected one", path, all.size()));
  }
  RealGames real{.name = std::filesystem::path(path).stem(), .bots = all[0].spec.bots.size()};
  RETURN_IF_ERROR(store->VisitGames(all[0].id, {}, [&](const GameSummary& game) {
    if (game.outcome.place[Seat::kThird] == 0) {
      return absl::InvalidArgumentError(path + " has games of two players; expected three");
    }
    real.games.push_back(game);
    return absl::OkStatus();
  }));
  return real;
}

// Turns results upside down. Fitted to such games, the model draws the first place first, with the
// strengths negated.
std::vector<GameSummary> Reverse(std::vector<GameSummary> games) {
  for (GameSummary& game : games) {
    PerSeat<uint8_t> reversed;
    for (size_t i = 0; i < kSeatsMax; ++i) {
      const PerSeat<uint8_t>& place = game.outcome.place;
      const auto behind = std::count_if(place.begin(), place.end(),
                                        [&](uint8_t other) { return other > place[SeatAt(i)]; });
      reversed[SeatAt(i)] = static_cast<uint8_t>(1 + behind);
    }
    game.outcome.place = reversed;
  }
  return games;
}

// Returns the logarithm of each game's probability by a fit to the matches of the other half: those
// with an odd number for those with an even one, and vice versa. −∞ if the game has a tie of a kind
// that did not occur there.
absl::StatusOr<std::vector<double>> HeldOut(size_t bots, const std::vector<GameSummary>& games) {
  std::vector<RatingFit> fits;
  for (const int64_t half : {0, 1}) {
    std::vector<GameSummary> others;
    for (const GameSummary& game : games) {
      if (game.match % 2 != half) others.push_back(game);
    }
    ASSIGN_OR_RETURN(const ratings::GameCounts counts, ratings::CountGames(bots, 3, others));
    ASSIGN_OR_RETURN(RatingFit fit, ratings::FitRatings(counts));
    fits.push_back(std::move(fit));
  }
  std::vector<double> logs;
  for (const GameSummary& game : games) {
    const RatingFit& fit = fits[static_cast<size_t>(game.match % 2)];
    const std::optional<size_t> placement = ratings::PlacementIndex(game.outcome.place, 3);
    logs.push_back(std::log(fit.PlacementProbabilities(game.bots)[*placement]));
  }
  return logs;
}

// Returns by how much the model predicts a game better than its reverse. Games of a match are
// correlated, so the error is that of the matches' sums.
absl::StatusOr<ratings::Estimate> GainPerGame(const RealGames& real) {
  ASSIGN_OR_RETURN(const std::vector<double> ours, HeldOut(real.bots, real.games));
  ASSIGN_OR_RETURN(const std::vector<double> reverse, HeldOut(real.bots, Reverse(real.games)));
  std::map<int64_t, double> gains;  // by match
  double games = 0;
  for (size_t i = 0; i < ours.size(); ++i) {
    if (!std::isfinite(ours[i]) || !std::isfinite(reverse[i])) continue;
    gains[real.games[i].match] += ours[i] - reverse[i];
    ++games;
  }
  std::vector<double> sums;
  for (const auto& [match, gain] : gains) sums.push_back(gain);
  const ratings::Estimate mean = MeanOf(sums);
  const double matches_per_game = static_cast<double>(sums.size()) / games;
  return ratings::Estimate{mean.value * matches_per_game, mean.error * matches_per_game};
}

absl::StatusOr<ratings::Estimate> LowTriples(const RealGames& real) {
  ASSIGN_OR_RETURN(const ratings::GameCounts counts, ratings::CountGames(real.bots, 3, real.games));
  ASSIGN_OR_RETURN(RatingFit fit,
                   ratings::FitRatings(counts, {.strengths = ratings::Strengths::kByStage}));
  std::vector<bool> low;
  for (const auto& triple : ratings::CheckCoalitions(std::move(fit), counts).triples) {
    if (triple.degrees > 0) low.push_back(triple.p_value < 0.05);
  }
  return low.empty() ? ratings::Estimate{} : PercentageOf(low);
}

}  // namespace

absl::StatusOr<std::vector<Figure>> MeasureFit(const std::vector<std::string>& databases) {
  std::vector<Figure> figures;
  for (const std::string& path : databases) {
    ASSIGN_OR_RETURN(const RealGames real, ReadGames(path));
    const std::string name =
        absl::StrFormat("%s: %d bots, %d games", real.name, real.bots, real.games.size());
    ASSIGN_OR_RETURN(const ratings::Estimate gain, GainPerGame(real));
    figures.push_back({name, "held-out log-likelihood per game, gain", gain, {.low = 0.05}, 3});
    if (real.bots < ratings::kCoalitionBotsMin) continue;
    ASSIGN_OR_RETURN(const ratings::Estimate low, LowTriples(real));
    figures.push_back({name, "% of triples with p < 5 %", low, {.low = 1, .high = 12}, 1});
  }
  return figures;
}

}  // namespace triarch::statistics
