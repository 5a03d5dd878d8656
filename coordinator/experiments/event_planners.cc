#include "coordinator/experiments/event_planners.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "absl/strings/str_format.h"
#include "core/schedule/format_games.h"

namespace triarch::experiments {
namespace {

constexpr int64_t kLeagueMatchesAhead = 2000;

std::vector<int> BotsInOrder(const TournamentSpec& spec) {
  std::vector<int> bots(spec.bots.size());
  std::iota(bots.begin(), bots.end(), 0);
  return bots;
}

std::vector<PlannedMatch> MatchesAt(const std::vector<Table>& tables) {
  std::vector<PlannedMatch> matches;
  for (const Table& table : tables) matches.emplace_back().bots = table;
  return matches;
}

// Returns the bots that play none of these matches.
std::vector<int> ByesOf(const RoundResult& round, size_t bots) {
  std::set<int> playing;
  for (const MatchResult& match : round.matches) {
    playing.insert(match.bots.begin(), match.bots.end());
  }
  std::vector<int> byes;
  for (int bot = 0; static_cast<size_t>(bot) < bots; ++bot) {
    if (!playing.contains(bot)) byes.push_back(bot);
  }
  return byes;
}

}  // namespace

// ---- Swiss.

SwissPlanner::SwissPlanner(const TournamentSpec& spec, size_t seats)
    : event_{.seats = seats, .starting_order = DrawStartingOrder(spec.bots.size(), spec.seed)},
      rounds_(spec.format_options.swiss_rounds),
      tables_(spec.bots.size() / seats) {}

void SwissPlanner::OnPlanned(const PlannedMatch&) { ++planned_; }

void SwissPlanner::OnFinished(const FinishedMatch& match) {
  current_.matches.push_back(ResultOf(match));
  if (current_.matches.size() < tables_) return;
  current_.byes = ByesOf(current_, event_.starting_order.size());
  event_.rounds.push_back(std::move(current_));
  current_ = {};
}

std::vector<PlannedMatch> SwissPlanner::Next() {
  if (is_over() || planned_ > event_.rounds.size() * tables_) return {};
  return MatchesAt(NextSwissRound(event_).tables);
}

PlanState SwissPlanner::State() const {
  const auto round = std::min<int64_t>(std::ssize(event_.rounds) + 1, rounds_);
  return {.line = absl::StrFormat("round %d of %d", round, rounds_)};
}

// ---- Knock-out.

KnockoutPlanner::KnockoutPlanner(const TournamentSpec& spec, size_t seats)
    : knockout_{.seats = seats,
                .advancing = static_cast<size_t>(spec.format_options.knockout_advancing),
                .starting_order = BotsInOrder(spec)},
      state_(StateOf(knockout_, results_)) {}

void KnockoutPlanner::OnPlanned(const PlannedMatch&) { ++planned_; }

void KnockoutPlanner::OnFinished(const FinishedMatch& match) {
  results_.push_back(ResultOf(match));
  state_ = StateOf(knockout_, results_);
}

std::vector<PlannedMatch> KnockoutPlanner::Next() {
  // Every match of the round, and every further one, is played before the next are planned.
  if (is_over() || planned_ > results_.size()) return {};
  return MatchesAt(state_.tables);
}

PlanState KnockoutPlanner::State() const {
  return {.line = absl::StrFormat("round %d", state_.round)};
}

// ---- League.

LeaguePlanner::LeaguePlanner(const TournamentSpec& spec, size_t seats)
    : seats_(seats),
      divisions_(MakeDivisions(BotsInOrder(spec),
                               static_cast<size_t>(spec.format_options.league_division))),
      results_(divisions_.size()) {
  for (const Division& division : divisions_) season_ += MatchCount(division, seats);
  const int64_t cycles = std::max<int64_t>(1, spec.games / GamesOfFormat(spec));
  matches_ = cycles * season_;
}

LeaguePlanner::Place LeaguePlanner::PlaceOf(int64_t number) const {
  Place place = {.division = 0, .match = number % season_};
  for (; place.division + 1 < divisions_.size(); ++place.division) {
    const int64_t matches = MatchCount(divisions_[place.division], seats_);
    if (place.match < matches) break;
    place.match -= matches;
  }
  return place;
}

void LeaguePlanner::OnPlanned(const PlannedMatch&) { ++planned_; }

void LeaguePlanner::OnFinished(const FinishedMatch& match) {
  results_[PlaceOf(match.match.number).division].matches.push_back(ResultOf(match));
  ++finished_;
}

std::vector<PlannedMatch> LeaguePlanner::Next() {
  std::vector<PlannedMatch> matches;
  const int64_t end = std::min(matches_, finished_ + kLeagueMatchesAhead);
  // Several at a time, so that they are stored together.
  if (end - planned_ < kLeagueMatchesAhead / 2 && end < matches_) return matches;
  for (int64_t number = planned_; number < end; ++number) {
    const Place place = PlaceOf(number);
    matches.emplace_back().bots = MatchAt(divisions_[place.division], seats_, place.match);
  }
  return matches;
}

PlanState LeaguePlanner::State() const {
  return {.line = absl::StrFormat("%d of %d matches", finished_, matches_)};
}

}  // namespace triarch::experiments
