#include "worker/host/plugin_checker.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "core/record/claim_bounds.h"
#include "worker/host/plugin_turn.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int64_t kPliesMax = 400;  // longest game
constexpr int64_t kNodes = 2'000;
constexpr milliseconds kMoveTime{50};
constexpr milliseconds kMargin{50};
constexpr milliseconds kStopAfter{20};
constexpr milliseconds kStopTime{1'000};  // time allowed after the stop flag is set
constexpr int64_t kTimedPly = 6;          // the ply of each game that has a deadline
constexpr int64_t kStoppedPly = 9;        // the ply of each game at which the bot is stopped

}  // namespace

std::string FunctionText(const PluginPlace& place) {
  constexpr std::array<const char*, 6> kTexts = {"while it was loaded", "in create", "in new_game",
                                                 "in choose_move",      "in policy", "in destroy"};
  return kTexts[static_cast<size_t>(place.function.load())];
}

std::string PlaceText(const PluginPlace& place, const GameInfo& game) {
  if (place.game == 0) return "";
  const std::string seat = game.seat_name(SeatAt(static_cast<size_t>(place.seat.load())));
  if (place.ply == 0) return absl::StrFormat("game %d, %s", place.game.load(), seat);
  return absl::StrFormat("game %d, ply %d, %s", place.game.load(), place.ply.load(), seat);
}

PluginChecker::PluginChecker(const Plugin& plugin, const GameInfo& game, PluginPlace* place,
                             OnFinding on_finding)
    : plugin_(plugin),
      bot_(plugin.bot()),
      game_(game),
      place_(*place),
      on_finding_(std::move(on_finding)) {}

PluginChecker::~PluginChecker() {
  for (void* const instance : instances_) bot_.destroy(instance);
}

template <class F>
auto PluginChecker::Call(PluginPlace::Function function, F f) -> std::optional<decltype(f())> {
  std::optional<decltype(f())> result;
  place_.function = function;
  ++place_.calls;
  try {
    result = f();
  } catch (...) {
    Fault("an exception left the plugin", FunctionText(place_));
  }
  ++place_.calls;
  return result;
}

void PluginChecker::Add(BotFinding finding) {
  const std::string place = PlaceText(place_, game_);
  const std::string separator = place.empty() || finding.first.empty() ? "" : ": ";
  finding.first = place + separator + finding.first;
  on_finding_(finding);
}
void PluginChecker::Fault(const std::string& what, const std::string& detail, int64_t worst_ms) {
  Add({.what = what, .first = detail, .worst_ms = worst_ms});
}
void PluginChecker::Warn(const std::string& what, const std::string& detail) {
  Add({.is_fault = false, .what = what, .first = detail});
}

absl::Status PluginChecker::Make(const std::map<std::string, std::string>& options) {
  BotSpec spec;
  spec.options = options;
  RETURN_IF_ERROR(plugin_.Check(game_, spec));
  for (size_t i = 0; i < game_.seats; ++i) {
    place_.seat = static_cast<int>(i);
    place_.function = PluginPlace::kCreate;
    ++place_.calls;
    ASSIGN_OR_RETURN(void* const instance, plugin_.Create(game_, spec));
    ++place_.calls;
    instances_.push_back(instance);
  }
  return absl::OkStatus();
}

void PluginChecker::PlayGames(int64_t first, const CheckPlan& plan,
                              absl::FunctionRef<void()> after_game) {
  std::vector<std::string> of_first;
  for (int64_t number = first; number <= plan.games; ++number) {
    std::vector<std::string> played = PlayGame(number, static_cast<uint64_t>(number));
    if (number == 1) of_first = std::move(played);
    after_game();
  }
  if (first == 1) {
    Compare(of_first, PlayGame(plan.games + 1, 1));
    after_game();
  }
  PlayClockedGame(ClockedGame(plan), plan.clock);
  after_game();
}

// The instances have since played other games. Only the moves before the first one that depends on
// time must be equal.
void PluginChecker::Compare(const std::vector<std::string>& first,
                            const std::vector<std::string>& again) {
  const size_t compared = std::min<size_t>({first.size(), again.size(), kTimedPly - 1});
  const auto end = first.begin() + static_cast<std::ptrdiff_t>(compared);
  const auto differs = std::mismatch(first.begin(), end, again.begin()).first;
  if (differs == end) return;
  place_.ply = differs - first.begin() + 1;
  Warn("the same seed produced a different game",
       "it repeated game 1; randomness must come only from the seed, and earlier games must not "
       "matter");
}

void PluginChecker::PlayClockedGame(int64_t number, const ClockSpec& clock) {
  PerSeat<TimeControl> controls;
  for (TimeControl& control : controls) control = {.clock = clock, .margin_ms = kMargin.count()};
  clock_.emplace(controls);
  // If answers are late, the game might last much longer.
  until_ = Clock::now() + LongestGame(clock, game_.seats, kPliesMax) + 2 * kStopTime;
  PlayGame(number, static_cast<uint64_t>(number));
  until_ = Clock::time_point::max();
  clock_.reset();
}

void PluginChecker::Finish() {
  place_.game = 0;
  for (void* const instance : instances_) {
    Call(PluginPlace::kDestroy, [&] {
      bot_.destroy(instance);
      return true;
    });
  }
  instances_.clear();
}

std::vector<std::string> PluginChecker::PlayGame(int64_t number, uint64_t seed) {
  AnyState state = AnyState::Start(game_.name, "").value();
  std::vector<std::string> played;
  place_.ply = 0;
  place_.game = number;
  for (size_t i = 0; i < game_.seats; ++i) {
    place_.seat = static_cast<int>(i);
    const std::optional<int> fault = Call(PluginPlace::kNewGame, [&] {
      return bot_.new_game(self(), static_cast<triarch_seat>(i), DeriveSeed(seed, i + 1));
    });
    if (fault && *fault != 0) {
      Fault("new_game did not return 0", absl::StrFormat("it returned %d", *fault));
    }
  }
  for (int64_t ply = 1; ply <= kPliesMax && !state.outcome() && Clock::now() < until_; ++ply) {
    place_.seat = static_cast<int>(Index(state.to_move()));
    place_.ply = ply;
    const AnyState::Moves moves = state.LegalMoves();
    const std::optional<triarch_move> move = Choose(state, moves);
    if (!move) break;
    const SearchLimits none;
    const PluginTurn asked(state, moves, none);
    const triarch_move* const end = asked.turn().moves + moves.size();
    const auto index =
        static_cast<size_t>(std::find(asked.turn().moves, end, *move) - asked.turn().moves);
    played.push_back(state.MoveToString(moves, index));
    state.Play(moves, index);
    ++plies_;
  }
  return played;
}

SearchLimits PluginChecker::LimitsNow(std::atomic<bool>* stop) const {
  const Clock::time_point now = Clock::now();
  SearchLimits limits{.stop = stop};
  if (clock_) {
    limits.deadline = clock_->Deadline(SeatAt(static_cast<size_t>(place_.seat)), now);
  } else if (place_.ply == kTimedPly) {
    limits.deadline = now + kMoveTime;
  } else if (place_.ply != kStoppedPly) {
    limits.nodes = kNodes;
  }
  return limits;
}

void PluginChecker::CheckTime(milliseconds used) {
  if (clock_) {
    const Seat seat = SeatAt(static_cast<size_t>(place_.seat));
    const auto left = std::chrono::duration_cast<milliseconds>(*clock_->Allowed(seat));
    if (clock_->IsOverstepped(seat, used)) {
      Fault("a late answer in the game with a clock: it must call should_stop more often",
            absl::StrFormat("a move took %d ms, but the clock had %d ms left", used.count(),
                            left.count()),
            (used - left).count());
    }
    clock_->Charge(seat, std::min(used, left));
  } else if (place_.ply == kTimedPly && used > kMoveTime + kMargin) {
    Fault("a late answer: it must call should_stop more often",
          absl::StrFormat("a move of %d ms took %d ms", kMoveTime.count(), used.count()),
          (used - kMoveTime).count());
  } else if (place_.ply == kStoppedPly && used > kStopAfter + kStopTime) {
    Fault("it continued after the stop flag was set",
          absl::StrFormat("for %d ms", (used - kStopAfter).count()), (used - kStopAfter).count());
  }
}

// Asks the bot for a move. Returns the move to continue with, or nullopt to stop the game.
std::optional<triarch_move> PluginChecker::Choose(const AnyState& state,
                                                  const AnyState::Moves& moves) {
  std::atomic<bool> stop = false;
  const SearchLimits limits = LimitsNow(&stop);
  std::jthread stopper;
  const Clock::time_point began = Clock::now();
  if (!limits.nodes && !limits.deadline) {
    stopper = std::jthread([&stop] {
      std::this_thread::sleep_for(kStopAfter);
      stop = true;
    });
  }
  const PluginTurn asked(state, moves, limits);
  triarch_answer answer{};
  const std::optional<int> fault = Call(
      PluginPlace::kChooseMove, [&] { return bot_.choose_move(self(), &asked.turn(), &answer); });
  const auto used = std::chrono::duration_cast<milliseconds>(Clock::now() - began);
  if (!fault) return std::nullopt;
  if (*fault != 0) {
    Fault("choose_move did not return 0", absl::StrFormat("it returned %d", *fault));
    return std::nullopt;
  }
  CheckTime(used);
  CheckAnswer(asked.turn(), answer);
  CheckPolicy(asked.turn());
  if (answer.kind != TRIARCH_PLAY)
    return asked.turn().moves[0];  // ignore resignations and claims, to test longer games
  const triarch_move* const end = asked.turn().moves + moves.size();
  if (std::find(asked.turn().moves, end, answer.move) == end) return std::nullopt;
  return answer.move;
}

void PluginChecker::CheckAnswer(const triarch_turn& turn, const triarch_answer& answer) {
  const triarch_move* const end = turn.moves + turn.move_count;
  if (answer.kind > TRIARCH_CLAIM_DRAW) {
    return Fault("an invalid kind of answer", absl::StrFormat("kind %d", answer.kind));
  }
  if (answer.kind == TRIARCH_CLAIM_DRAW && triarch_state_can_claim_draw(turn.state) == 0) {
    Fault("it claimed a draw that it may not claim");
  }
  if (answer.kind != TRIARCH_PLAY) return;
  if (std::find(turn.moves, end, answer.move) == end) {
    return Fault("an illegal move", absl::StrFormat("%#x", answer.move));
  }
  if (turn.nodes > 0 && answer.nodes > turn.nodes + turn.nodes / 10) {
    Warn("it reports more nodes than the limit",
         absl::StrFormat("%d instead of %d", answer.nodes, turn.nodes));
  }
  PerSeat<double> shares{};
  for (size_t i = 0; i < game_.seats; ++i) shares[SeatAt(i)] = answer.shares[i];
  if (answer.has_shares != 0 && !AreShares(shares, game_.seats)) {
    Warn("its shares are not numbers from 0 to 1 that add up to 1");
  }
  if (answer.pv_length > TRIARCH_PV_MAX) {
    Warn("its principal variation is too long",
         absl::StrFormat("%d moves instead of %d", answer.pv_length, TRIARCH_PV_MAX));
  } else if (answer.pv_length > 0 && answer.pv[0] != answer.move) {
    Warn("its principal variation does not begin with its move");
  }
}

void PluginChecker::CheckPolicy(const triarch_turn& turn) {
  if (bot_.policy == nullptr) return;
  constexpr float kUntouched = -7;
  constexpr double kTolerance = 1e-3;
  // One element more than the bot may write.
  std::vector<float> shares(turn.move_count + 1, kUntouched);
  const std::optional<int> fault =
      Call(PluginPlace::kPolicy, [&] { return bot_.policy(self(), &turn, shares.data()); });
  if (!fault || *fault != 0) {
    return Warn("policy failed", fault ? absl::StrFormat("it returned %d", *fault) : "");
  }
  double sum = 0;
  bool is_some = true;
  for (size_t i = 0; i < turn.move_count; ++i) {
    is_some &= std::isfinite(shares[i]) && shares[i] >= 0;
    sum += static_cast<double>(shares[i]);
  }
  if (!is_some || std::abs(sum - 1) > kTolerance) {
    Warn("its policy has negative numbers or does not add up to 1");
  }
  if (shares.back() != kUntouched) Fault("policy wrote more than one number per move");
}

}  // namespace triarch
