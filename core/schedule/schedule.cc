#include "core/schedule/schedule.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/any_state.h"
#include "core/base/check.h"
#include "core/base/counted.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "core/record/spec_words.h"
#include "core/schedule/copies.h"
#include "core/schedule/pairing.h"
#include "core/schedule/random_opening.h"
#include "core/schedule/test_pairing.h"

namespace triarch {
namespace {

// The purposes of derived seeds, so that game i and match i get different seeds.
enum class SeedUse : uint64_t { kGame = 1, kOpening = 2, kSeating = 3 };

uint64_t SeedFor(const TournamentSpec& spec, SeedUse use, int64_t number) {
  return DeriveSeed(DeriveSeed(spec.seed, static_cast<uint64_t>(use)),
                    static_cast<uint64_t>(number));
}

absl::Status CheckSelfplay(const TournamentSpec& spec) {
  if (spec.bots.size() > kSelfplayBotsMax) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "%d bots are too many; self-play takes at most %d", spec.bots.size(), kSelfplayBotsMax));
  }
  for (const BotSpec& bot : spec.bots) {
    if (bot.weight > 0) continue;
    return absl::InvalidArgumentError(
        absl::StrFormat("the weight of %s is %g; expected a number above 0", bot.name, bot.weight));
  }
  return absl::OkStatus();
}

absl::Status CheckOpeningsVary(const TournamentSpec& spec, std::string_view mode) {
  if (spec.openings.random_plies > 0 || std::ssize(spec.openings.lines) >= kTestUnitsMin) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrFormat(
      "%s needs different openings, or its games repeat; expected openings.random_plies above "
      "0 or at least %d openings",
      mode, kTestUnitsMin));
}

absl::Status CheckHypotheses(const std::array<double, 2>& elo) {
  if (elo[1] - elo[0] >= kTestWidthMin) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrFormat("the hypotheses are %g and %g; expected at least %g between them", elo[0],
                      elo[1], kTestWidthMin));
}

absl::Status CheckBestOf(const TournamentSpec& spec) {
  RETURN_IF_ERROR(CheckHypotheses(spec.best_of->elo));
  if (spec.bots.size() < 2 || spec.bots.size() > kVariantsMax + 1) {
    return absl::InvalidArgumentError(
        absl::StrFormat("best-of has %s; expected the base and 1 to %d variants",
                        Counted(spec.bots.size(), "bot"), kVariantsMax));
  }
  return CheckOpeningsVary(spec, "best-of");
}

absl::Status CheckTune(const TournamentSpec& spec, const GameInfo& game) {
  RETURN_IF_ERROR(CheckHypotheses(spec.tune->elo));
  if (spec.tune->options.empty()) {
    return absl::InvalidArgumentError("no option to tune; expected at least one");
  }
  if (spec.bots.size() != 2) return absl::InvalidArgumentError("tuning has one bot, in two copies");
  const int64_t unit = GamesPerTestUnit(game.seats);
  if (spec.games >= unit && spec.games % unit == 0) return CheckOpeningsVary(spec, "tuning");
  return absl::InvalidArgumentError(absl::StrFormat(
      "games is %d; expected a multiple of %d, the games of one iteration", spec.games, unit));
}

absl::Status CheckFormat(const TournamentSpec& spec, const GameInfo& game) {
  if (spec.format == Format::kKnockout && spec.format_options.knockout_advancing > 1 &&
      game.seats == 2) {
    return absl::InvalidArgumentError(
        absl::StrFormat("knockout.advancing is %d; expected 1, as %s has two seats",
                        spec.format_options.knockout_advancing, game.name));
  }
  const size_t bots_max = spec.format == Format::kAdaptive ? kAdaptiveBotsMax : kEventBotsMax;
  if (spec.format >= Format::kAdaptive && spec.bots.size() > bots_max) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%d bots are too many for the format %s; at most %d", spec.bots.size(),
                        kFormatWords[static_cast<size_t>(spec.format)], bots_max));
  }
  return absl::OkStatus();
}

absl::Status CheckTestGames(const TournamentSpec& spec, const GameInfo& game) {
  const auto& [low, high] = spec.test->bounds();
  if (high - low < kTestWidthMin) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "the hypotheses of the test are %g and %g; expected at least %g between them", low, high,
        kTestWidthMin));
  }
  const int64_t games_min = kTestUnitsMin * GamesPerTestUnit(game.seats);
  if (spec.games < games_min) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "games is %d; expected at least %d, after which a test first looks at its result",
        spec.games, games_min));
  }
  return CheckOpeningsVary(spec, "a test");
}

absl::Status CheckTest(const TournamentSpec& spec, const GameInfo& game) {
  const bool is_pool = spec.test->field == TestField::kPool;
  if (is_pool && game.seats == 2) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "the field pool needs three seats, and %s has two; expected the field mirror", game.name));
  }
  if (is_pool ? spec.bots.size() >= 3 : spec.bots.size() == 2) return CheckTestGames(spec, game);
  return absl::InvalidArgumentError(
      absl::StrFormat("a test in the field %s has %s; expected %s",
                      kTestFieldWords[is_pool ? 1 : 0], Counted(spec.bots.size(), "bot"),
                      is_pool ? "at least three: the new bot, the base and a third bot"
                              : "two: the new bot and the base"));
}

absl::Status CheckBotCount(const TournamentSpec& spec, const GameInfo& game) {
  if (spec.bots.empty()) return absl::InvalidArgumentError("no bots; expected at least one");
  if (spec.selfplay) RETURN_IF_ERROR(CheckSelfplay(spec));
  if (spec.test) RETURN_IF_ERROR(CheckTest(spec, game));
  if (spec.best_of) RETURN_IF_ERROR(CheckBestOf(spec));
  if (spec.tune) RETURN_IF_ERROR(CheckTune(spec, game));
  const bool is_tournament = !spec.selfplay && !spec.test && !spec.best_of && !spec.tune;
  if (is_tournament) RETURN_IF_ERROR(CheckFormat(spec, game));
  if (is_tournament && spec.bots.size() < game.seats) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s %s too few; %s has %d seats", Counted(spec.bots.size(), "bot"),
                        spec.bots.size() == 1 ? "is" : "are", std::string(game.name), game.seats));
  }
  if (spec.bots.size() > static_cast<size_t>(kBotsMax)) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%d bots are too many; at most %d", spec.bots.size(), kBotsMax));
  }
  return absl::OkStatus();
}

// The games by which a match of three bots is shorter if two of them are copies.
constexpr int64_t kSavedByCopies = 3;

// Returns the first games, in a round, of the matches with copies.
std::vector<int64_t> ShortMatches(const TournamentSpec& spec) {
  std::vector<int64_t> firsts;
  for (const int64_t set : SetsWithCopies(spec, 3)) {
    firsts.push_back(SeatingsPerSet(3) * set - kSavedByCopies * std::ssize(firsts));
  }
  return firsts;
}

}  // namespace

absl::Status CheckPliesMax(const TournamentSpec& spec) {
  int64_t opening_plies = spec.openings.random_plies;
  for (const Openings::Line& line : spec.openings.lines) {
    opening_plies = std::max(opening_plies, static_cast<int64_t>(line.moves.size()));
  }
  if (spec.adjudication.plies_max > opening_plies) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrFormat("adjudication.plies_max is %d, but an opening has %s; expected more",
                      spec.adjudication.plies_max, Counted(opening_plies, "ply", "plies")));
}

absl::StatusOr<Schedule> Schedule::Make(TournamentSpec spec) {
  ASSIGN_OR_RETURN(const GameInfo* game, FindGame(spec.game));
  RETURN_IF_ERROR(CheckBotCount(spec, *game));
  RETURN_IF_ERROR(CheckPliesMax(spec));
  ASSIGN_OR_RETURN(const AnyState start, AnyState::Start(spec.game, spec.start));
  ASSIGN_OR_RETURN(const AnyState default_start, AnyState::Start(spec.game, ""));
  Schedule schedule(std::move(spec));
  if (start.ToString() != default_start.ToString()) schedule.start_ = start.ToString();
  schedule.seats_ = game->seats;
  if (schedule.spec_.selfplay) {
    schedule.seatings_ = schedule.matches_per_round_ = 1;
    return schedule;
  }
  if (schedule.spec_.test) {
    schedule.seatings_ = GamesPerTestMatch(schedule.spec_.test->field, game->seats);
    schedule.matches_per_round_ = 1;
    return schedule;
  }
  schedule.seatings_ = SeatingsPerSet(game->seats);
  if (IsPlanned(schedule.spec_)) {
    schedule.matches_per_round_ = 1;
    return schedule;
  }
  schedule.matches_per_round_ = SetsPerRound(
      schedule.spec_.format, static_cast<int64_t>(schedule.spec_.bots.size()), game->seats);
  if (game->seats == 3) schedule.short_matches_ = ShortMatches(schedule.spec_);
  return schedule;
}

int64_t Schedule::games_per_round() const {
  return seatings_ * matches_per_round_ - kSavedByCopies * std::ssize(short_matches_);
}

int64_t Schedule::FullIndex(int64_t index) const {
  if (short_matches_.empty()) return index;
  const int64_t round = index / games_per_round();
  const int64_t game = index % games_per_round();
  const auto next = std::upper_bound(short_matches_.begin(), short_matches_.end(), game);
  int64_t completed = next - short_matches_.begin();
  if (completed > 0 && game - *std::prev(next) < seatings_ - kSavedByCopies) --completed;
  return round * seatings_ * matches_per_round_ + game + kSavedByCopies * completed;
}

PerSeat<int> Schedule::Bots(int64_t index) const {
  CHECK(index >= 0 && !IsPlanned(spec_));
  if (spec_.selfplay) return DrawBots(index);
  if (spec_.test) {
    return SeatTestBots(spec_.test->field, static_cast<int64_t>(spec_.bots.size()), seats_, index);
  }
  const int64_t full = FullIndex(index);
  return SeatBots(spec_.format, static_cast<int64_t>(spec_.bots.size()), seats_,
                  full / seatings_ % matches_per_round_, full % seatings_);
}

PerSeat<int> Schedule::DrawBots(int64_t index) const {
  Random random(SeedFor(spec_, SeedUse::kSeating, index));
  double sum = 0;
  for (const BotSpec& bot : spec_.bots) sum += bot.weight;
  PerSeat<int> bots{};
  for (size_t i = 0; i < seats_; ++i) {
    double left = random.Unit() * sum;
    size_t bot = 0;
    while (bot + 1 < spec_.bots.size() && left >= spec_.bots[bot].weight) {
      left -= spec_.bots[bot++].weight;
    }
    bots[SeatAt(i)] = static_cast<int>(bot);
  }
  return bots;
}

size_t Schedule::LineOf(int64_t match) const {
  // In turn, but at random in a test or where matches are planned, so that the openings do not
  // follow the same cycle as the halves of the mirror or the bots of the pool.
  const uint64_t number = spec_.test || IsPlanned(spec_)
                              ? SeedFor(spec_, SeedUse::kOpening, match)
                              : static_cast<uint64_t>(match / matches_per_round_);
  return number % spec_.openings.lines.size();
}

Openings::Line Schedule::OpeningOf(int64_t match) const {
  if (!spec_.openings.lines.empty()) {
    Openings::Line line = spec_.openings.lines[LineOf(match)];
    if (line.position.empty()) line.position = start_;
    return line;
  }
  Openings::Line line = {.position = start_, .moves = {}};
  if (spec_.openings.random_plies > 0) {
    const absl::StatusOr<AnyState> start =
        AnyState::Start(spec_.game, spec_.start, spec_.draw_rules);
    CHECK(start.ok());  // checked by Make()
    line.moves = RandomOpening(*start, spec_.openings.random_plies,
                               SeedFor(spec_, SeedUse::kOpening, match));
  }
  return line;
}

GameSpec Schedule::GameOf(int64_t match, int64_t index, const GameSpec* earlier) const {
  GameSpec game;
  game.index = index;
  game.game = spec_.game;
  game.match = match;
  if (earlier != nullptr && earlier->match == match) {
    game.position = earlier->position;
    game.opening = earlier->opening;
  } else {
    Openings::Line opening = OpeningOf(match);
    game.position = std::move(opening.position);
    game.opening = std::move(opening.moves);
  }
  game.seed = SeedFor(spec_, SeedUse::kGame, index);
  game.time_control = spec_.time_control;
  game.adjudication = spec_.adjudication;
  game.draw_rules = spec_.draw_rules;
  game.selfplay = spec_.selfplay;
  game.search_info = spec_.search_info;
  return game;
}

GameSpec Schedule::Game(int64_t index, const GameSpec* earlier) const {
  const PerSeat<int> bots = Bots(index);
  GameSpec game = GameOf(FullIndex(index) / seatings_, index, earlier);
  for (size_t i = 0; i < seats_; ++i) {
    game.seats[SeatAt(i)] = spec_.bots[static_cast<size_t>(bots[SeatAt(i)])];
  }
  return game;
}

GameSpec Schedule::PlannedGame(const PlannedMatch& match, int64_t index,
                               const GameSpec* earlier) const {
  CHECK(IsPlanned(spec_) && match.bots.size() == seats_);
  const PerSeat<int> places = SeatPlaces(match, index);
  GameSpec game = GameOf(match.number, index, earlier);
  for (size_t i = 0; i < seats_; ++i) {
    const auto place = static_cast<size_t>(places[SeatAt(i)]);
    BotSpec& bot = game.seats[SeatAt(i)];
    bot = spec_.bots[static_cast<size_t>(match.bots[place])];
    if (match.options.empty()) continue;
    for (const auto& [name, value] : match.options[place]) bot.options[name] = value;
  }
  return game;
}

}  // namespace triarch
