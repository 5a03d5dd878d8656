#include "site/progress_json.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "coordinator/experiments/best_of.h"
#include "coordinator/experiments/sequential_test.h"
#include "coordinator/ratings/standings.h"
#include "coordinator/service/stored_standings.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"

namespace triarch::site {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kRatings = 20;    // numbers of games at which ratings are computed
constexpr int kRatios = 200;    // numbers of games at which ratios are noted
constexpr int64_t kFirst = 12;  // games; fewer say nothing

// Returns numbers of games up to `games`, each about the same factor above the last.
std::vector<int64_t> GrowingNumbers(int64_t games) {
  std::vector<int64_t> numbers;
  const auto first = static_cast<double>(std::min(kFirst, games));
  for (int i = 0; i < kRatings; ++i) {
    const double share = static_cast<double>(i) / (kRatings - 1);
    const auto number = static_cast<int64_t>(
        std::llround(first * std::pow(static_cast<double>(games) / first, share)));
    if (number > 0 && (numbers.empty() || number > numbers.back())) numbers.push_back(number);
  }
  return numbers;
}

// The ratings after some numbers of games.
class RatingPath {
 public:
  RatingPath(const StoredTournament& tournament, const GameInfo& game)
      : builder_(tournament.spec, game), numbers_(GrowingNumbers(tournament.games_recorded)) {
    for (const BotSpec& bot : tournament.spec.bots) {
      const Json none = Json::array();
      json_["bots"].push_back({{"name", bot.name}, {"elo", none}, {"margin", none}});
    }
  }

  absl::Status Add(const GameSummary& game) {
    // The games of a match must be counted together.
    if (game.match != match_ && next_ < numbers_.size() && games_ >= numbers_[next_]) {
      RETURN_IF_ERROR(Note());
    }
    match_ = game.match;
    ++games_;
    return builder_.Add(game);
  }
  absl::StatusOr<Json> Finish() && {
    if (games_ > noted_) RETURN_IF_ERROR(Note());
    return std::move(json_);
  }

 private:
  absl::Status Note() {
    ASSIGN_OR_RETURN(const Standings standings, builder_.Compute(StandingsParts::kWithoutStyles));
    json_["games"].push_back(games_);
    for (const BotStanding& bot : standings.bots) {
      Json& path = json_["bots"][static_cast<size_t>(bot.bot)];
      // A bound says nothing about the width.
      const bool is_known = bot.rating && !bot.is_one_sided && !bot.is_unconnected;
      path["elo"].push_back(is_known ? Json(bot.rating->value) : Json(nullptr));
      path["margin"].push_back(is_known ? Json(bot.rating->margin()) : Json(nullptr));
    }
    noted_ = games_;
    while (next_ < numbers_.size() && numbers_[next_] <= games_) ++next_;
    return absl::OkStatus();
  }

  StandingsBuilder builder_;
  const std::vector<int64_t> numbers_;
  size_t next_ = 0;  // in numbers_
  int64_t match_ = -1;
  int64_t games_ = 0;
  int64_t noted_ = 0;
  Json json_ = {{"kind", "ratings"}, {"games", Json::array()}, {"bots", Json::array()}};
};

absl::StatusOr<Json> RatingsProgress(Store& store, const StoredTournament& tournament,
                                     const GameInfo& game) {
  RatingPath path(tournament, game);
  RETURN_IF_ERROR(store
                      .VisitResults(tournament.id,
                                    [&](const GameSummary& summary) { return path.Add(summary); })
                      .status());
  return std::move(path).Finish();
}

// Calls note() after about kRatios equal parts of the games, and after the last.
template <class Add, class Note>
absl::Status VisitParts(Store& store, const StoredTournament& tournament, Add add, Note note) {
  const int64_t part = std::max<int64_t>(1, tournament.games_recorded / kRatios);
  int64_t games = 0;
  const auto visit = [&](const GameSummary& summary) {
    add(summary);
    if (++games % part == 0) note();
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(store.VisitResults(tournament.id, visit).status());
  note();
  return absl::OkStatus();
}

absl::StatusOr<Json> TestProgress(Store& store, const StoredTournament& tournament,
                                  const GameInfo& game) {
  experiments::SequentialTest test(tournament.spec, game.seats);
  const Json none = Json::array();
  Json json = {{"kind", "test"}, {"games", none}, {"llr", none}, {"elo", none}, {"margin", none}};
  int64_t noted = 0;
  const auto note = [&] {
    const experiments::TestState state = test.State();
    if (state.games == noted) return;
    noted = state.games;
    json["games"].push_back(state.games);
    json["llr"].push_back(state.llr);
    json["elo"].push_back(state.elo ? Json(state.elo->value) : Json(nullptr));
    json["margin"].push_back(state.elo ? Json((state.elo->high - state.elo->low) / 2)
                                       : Json(nullptr));
  };
  RETURN_IF_ERROR(VisitParts(
      store, tournament, [&](const GameSummary& one) { test.Add(one); }, note));
  const experiments::Bounds bounds = test.State().bounds;
  json["llr_low"] = bounds.lower;
  json["llr_high"] = bounds.upper;
  return json;
}

absl::StatusOr<Json> BestOfProgress(Store& store, const StoredTournament& tournament) {
  ASSIGN_OR_RETURN(const auto plan, StoredPlan(store, tournament, /*has_games=*/false));
  const auto& best_of = static_cast<const experiments::BestOf&>(plan->planner());
  Json json = {{"kind", "best-of"},
               {"games", Json::array()},
               {"llr_low", best_of.bounds().lower},
               {"llr_high", best_of.bounds().upper},
               {"bots", Json::array()}};
  for (const experiments::VariantResult& variant : best_of.Variants()) {
    const BotSpec& bot = tournament.spec.bots[static_cast<size_t>(variant.bot)];
    json["bots"].push_back({{"name", bot.name}, {"llr", Json::array()}});
  }
  int64_t noted = 0;
  const auto note = [&] {
    if (best_of.games() == noted) return;
    noted = best_of.games();
    json["games"].push_back(noted);
    const std::vector<experiments::VariantResult> variants = best_of.Variants();
    for (size_t i = 0; i < variants.size(); ++i) {
      json["bots"][i]["llr"].push_back(variants[i].llr);
    }
  };
  RETURN_IF_ERROR(VisitParts(
      store, tournament, [&](const GameSummary& one) { plan->Add(one); }, note));
  return json;
}

}  // namespace

absl::StatusOr<Json> ProgressJson(Store& store, const StoredTournament& tournament) {
  const TournamentSpec& spec = tournament.spec;
  ASSIGN_OR_RETURN(const GameInfo* const game, FindGame(spec.game));
  if (spec.test) return TestProgress(store, tournament, *game);
  if (spec.best_of) return BestOfProgress(store, tournament);
  const bool is_rated = !spec.selfplay && !spec.tune && spec.bots.size() <= kProgressBotsMax;
  if (!is_rated) return Json{{"kind", nullptr}};
  return RatingsProgress(store, tournament, *game);
}

}  // namespace triarch::site
