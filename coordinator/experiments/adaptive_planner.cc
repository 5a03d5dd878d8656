#include "coordinator/experiments/adaptive_planner.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "absl/strings/str_format.h"
#include "coordinator/experiments/adaptive_pairing.h"
#include "coordinator/ratings/figures.h"
#include "core/base/check.h"
#include "core/base/random.h"
#include "core/schedule/pairing.h"

namespace triarch::experiments {
namespace {

// Returns the last batch up to this one that is followed by a fit.
int64_t LastLook(int64_t batches) {
  return batches - batches % std::max<int64_t>(1, batches / 100);
}

}  // namespace

AdaptivePlanner::AdaptivePlanner(const TournamentSpec& spec, size_t seats)
    : options_(spec.format_options),
      seats_(seats),
      seed_(spec.seed),
      games_max_(spec.games),
      batch_(static_cast<int64_t>(spec.bots.size() / seats)),
      counter_(spec.bots.size(), seats),
      matches_(spec.bots.size(), 0) {
  for (const BotSpec& bot : spec.bots) {
    if (!spec.anchor.empty() && bot.name == spec.anchor)
      rating_options_.anchor = static_cast<int>(names_.size());
    names_.push_back(bot.name);
  }
  looks_.push_back(LookNow());
}

// ---- Results.

void AdaptivePlanner::OnPlanned(const PlannedMatch& match) {
  for (const int bot : match.bots) ++matches_[static_cast<size_t>(bot)];
  tables_.push_back(match.bots);
  ++planned_;
}

void AdaptivePlanner::OnFinished(const FinishedMatch& match) {
  for (const GameSummary& game : match.games) CHECK(counter_.Add(game).ok());
  ++finished_;
  const int64_t batches = finished_ / batch_;
  if (finished_ % batch_ != 0 || LastLook(batches) != batches) return;
  if (looks_.size() > 1) {
    const int64_t forgotten = batch_ * (looks_[1].batches - looks_[0].batches);
    tables_.erase(tables_.begin(), tables_.begin() + forgotten);
    looks_.erase(looks_.begin());
  }
  looks_.push_back(LookNow());
  if (!matches_max_ && IsGoalReached()) matches_max_ = (batches + 1) * batch_;
}

AdaptivePlanner::Look AdaptivePlanner::LookNow() {
  const absl::StatusOr<ratings::GameCounts> counts = counter_.Counts();
  CHECK(counts.ok());
  absl::StatusOr<ratings::RatingFit> fit = ratings::FitRatings(*counts, rating_options_);
  CHECK(fit.ok());
  return {.batches = finished_ / batch_, .fit = *std::move(fit)};
}

bool AdaptivePlanner::IsGoalReached() const {
  const ratings::RatingFit& fit = looks_.back().fit;
  const int64_t games_min = kStartMatches * SeatingsPerSet(seats_);
  for (int bot = 0; bot < std::ssize(names_); ++bot) {
    if (fit.GamesOf(bot) < games_min) return false;
  }
  if (options_.adaptive_goal == AdaptiveGoal::kBest) {
    return LeaderOf(fit).deviates >= kBestDeviates;
  }
  const std::optional<double> margin = fit.TypicalMargin();
  return margin && *margin <= options_.adaptive_error;
}

// ---- Planning.

const AdaptivePlanner::Look& AdaptivePlanner::LookForNext() const {
  const int64_t known = LastLook(std::max<int64_t>(0, planned_ / batch_ - 1));
  const auto look = std::find_if(looks_.begin(), looks_.end(),
                                 [known](const Look& l) { return l.batches == known; });
  CHECK(look != looks_.end());
  return *look;
}

std::vector<PlannedMatch> AdaptivePlanner::Next() {
  const int64_t batch = planned_ / batch_;
  const bool is_last_planned = matches_max_ && planned_ >= *matches_max_;
  if (is_last_planned || finished_ < (batch - 1) * batch_) return {};
  const Look& look = LookForNext();
  const auto known = static_cast<size_t>(batch_ * (look.batches - looks_.front().batches));
  std::vector<Table> tables = NextBatch(look.fit, matches_, options_.adaptive_goal,
                                        DeriveSeed(seed_, static_cast<uint64_t>(planned_)),
                                        std::span(tables_).subspan(known));
  // Ends a batch that an earlier maximum of games cut off.
  tables.resize(static_cast<size_t>(batch_ - planned_ % batch_));
  std::vector<PlannedMatch> matches;
  for (Table& table : tables) matches.emplace_back().bots = std::move(table);
  return matches;
}

// ---- State.

std::string AdaptivePlanner::GoalText() const {
  const ratings::RatingFit& fit = looks_.back().fit;
  if (options_.adaptive_goal == AdaptiveGoal::kBest) {
    const Leader leader = LeaderOf(fit);
    return absl::StrFormat("best: %s %s", names_[static_cast<size_t>(leader.bot)],
                           triarch::Percent(ratings::NormalCdf(leader.deviates), true));
  }
  const std::optional<double> margin = fit.TypicalMargin();
  std::string text = margin ? absl::StrFormat("±%.0f Elo", *margin) : "no ratings yet";
  if (options_.adaptive_error > 0) {
    text += absl::StrFormat(" for most, goal ±%g", options_.adaptive_error);
  }
  return text;
}

PlanState AdaptivePlanner::State() const {
  PlanState state;
  if (looks_.back().batches == 0) return {.line = "first matches"};
  state.line = GoalText();
  if (options_.adaptive_goal == AdaptiveGoal::kBest) return state;
  const ratings::RatingFit& fit = looks_.back().fit;
  const std::optional<int64_t> more = options_.adaptive_error > 0
                                          ? fit.GamesUntil(options_.adaptive_error)
                                          : std::optional<int64_t>();
  state.games_expected = more ? std::min(games_max_, fit.games() + *more) : games_max_;
  return state;
}

}  // namespace triarch::experiments
