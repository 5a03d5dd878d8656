#include "worker/host/plugin_check.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/any_state.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "core/record/claim_bounds.h"
#include "worker/host/plugin_rules.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int kPliesMax = 400;  // longest game
constexpr int64_t kNodes = 2'000;
constexpr milliseconds kMoveTime{50};
constexpr milliseconds kMargin{50};
constexpr milliseconds kStopAfter{20};
constexpr milliseconds kStopTime{1'000};  // time allowed after the stop flag is set
constexpr int kTimedPly = 5;              // the ply of each game that has a deadline
constexpr int kStoppedPly = 8;            // the ply of each game at which the bot is stopped

// One instance of the bot.
class Instance {
 public:
  Instance(const triarch_bot& bot, void* self) : bot_(bot), self_(self) {}
  ~Instance() { bot_.destroy(self_); }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  void* self() const { return self_; }

 private:
  const triarch_bot& bot_;
  void* const self_;
};

class Checker {
 public:
  Checker(const Plugin& plugin, const GameInfo& game)
      : bot_(plugin.bot()), game_(game), host_(*FindPluginHost(game.name)) {}

  absl::Status Make(const Plugin& plugin, const std::map<std::string, std::string>& options);
  // Plays a game and returns its moves.
  std::vector<std::string> PlayGame(uint64_t seed);
  PluginReport TakeReport() { return std::move(report_); }
  void Warn(const std::string& what) { Note(what, &report_.warnings); }

 private:
  void Fault(const std::string& what) { Note(what + Where(), &report_.faults); }
  std::string Where() const {
    return absl::StrFormat(" (game %d, ply %d, %s)", report_.games + 1, ply_ + 1,
                           std::string(game_.seat_names[Index(seat_)]));
  }
  // Adds each message once.
  void Note(const std::string& what, std::vector<std::string>* notes) {
    if (said_.insert(what.substr(0, what.find(" ("))).second) notes->push_back(what);
  }
  std::optional<triarch_move> Choose(const AnyState& state, const AnyState::Moves& moves);
  void CheckAnswer(const triarch_turn& turn, const triarch_answer& answer);
  void CheckPolicy(const triarch_turn& turn);

  const triarch_bot& bot_;
  const GameInfo& game_;
  const triarch_host& host_;
  std::vector<std::unique_ptr<Instance>> instances_;  // by seat
  PluginReport report_;
  std::set<std::string> said_;
  int ply_ = 0;
  Seat seat_ = Seat::kFirst;
};

absl::Status Checker::Make(const Plugin& plugin,
                           const std::map<std::string, std::string>& options) {
  BotSpec spec;
  spec.options = options;
  RETURN_IF_ERROR(plugin.Check(game_, spec));
  for (size_t i = 0; i < game_.seats; ++i) {
    ASSIGN_OR_RETURN(void* const self, plugin.Create(game_, spec));
    instances_.push_back(std::make_unique<Instance>(bot_, self));
  }
  return absl::OkStatus();
}

std::vector<std::string> Checker::PlayGame(uint64_t seed) {
  AnyState state = AnyState::Start(game_.name, "").value();
  std::vector<std::string> played;
  ply_ = 0;
  for (size_t i = 0; i < game_.seats; ++i) {
    seat_ = SeatAt(i);
    const int fault =
        bot_.new_game(instances_[i]->self(), static_cast<triarch_seat>(i), DeriveSeed(seed, i + 1));
    if (fault != 0) Fault(absl::StrFormat("new_game returned %d", fault));
  }
  for (; ply_ < kPliesMax && !state.outcome(); ++ply_) {
    seat_ = state.to_move();
    const AnyState::Moves moves = state.LegalMoves();
    const std::optional<triarch_move> move = Choose(state, moves);
    if (!move) break;
    const SearchLimits none;
    const PluginTurn asked(state, moves, none);
    const triarch_move* const end = asked.turn().moves + moves.size();
    const auto number =
        static_cast<size_t>(std::find(asked.turn().moves, end, *move) - asked.turn().moves);
    played.push_back(state.MoveToString(moves, number));
    state.Play(moves, number);
  }
  ++report_.games;
  report_.plies += ply_;
  return played;
}

// Asks the bot for a move. Returns the move to continue with, or nullopt to stop the game.
std::optional<triarch_move> Checker::Choose(const AnyState& state, const AnyState::Moves& moves) {
  std::atomic<bool> stop = false;
  const bool is_timed = ply_ == kTimedPly;
  const bool is_stopped = ply_ == kStoppedPly;
  SearchLimits limits{.nodes = is_timed || is_stopped ? std::nullopt : std::optional(kNodes),
                      .stop = &stop};
  std::jthread stopper;
  const Clock::time_point began = Clock::now();
  if (is_timed) limits.deadline = began + kMoveTime;
  if (is_stopped) {
    stopper = std::jthread([&stop] {
      std::this_thread::sleep_for(kStopAfter);
      stop = true;
    });
  }
  const PluginTurn asked(state, moves, limits);
  triarch_answer answer{};
  void* const self = instances_[Index(seat_)]->self();
  const int fault = bot_.choose_move(self, &asked.turn(), &answer);
  const auto used = std::chrono::duration_cast<milliseconds>(Clock::now() - began);
  if (fault != 0) {
    Fault(absl::StrFormat("choose_move returned %d", fault));
    return std::nullopt;
  }
  if (is_timed && used > kMoveTime + kMargin) {
    Fault(absl::StrFormat("a move of %d ms took %d ms: it must call should_stop more often",
                          kMoveTime.count(), used.count()));
  }
  if (is_stopped && used > kStopAfter + kStopTime) {
    Fault(absl::StrFormat("it continued for %d ms after the stop flag was set", used.count()));
  }
  CheckAnswer(asked.turn(), answer);
  CheckPolicy(asked.turn());
  if (answer.kind != TRIARCH_PLAY)
    return asked.turn().moves[0];  // ignore resignations and claims, to test longer games
  const triarch_move* const end = asked.turn().moves + moves.size();
  if (std::find(asked.turn().moves, end, answer.move) == end) return std::nullopt;
  return answer.move;
}

void Checker::CheckAnswer(const triarch_turn& turn, const triarch_answer& answer) {
  const triarch_move* const end = turn.moves + turn.move_count;
  if (answer.kind > TRIARCH_CLAIM_DRAW) {
    Fault(absl::StrFormat("invalid answer kind %d", answer.kind));
    return;
  }
  if (answer.kind == TRIARCH_CLAIM_DRAW && !turn.can_claim_draw) {
    Fault("it claimed a draw that it may not claim");
  }
  if (answer.kind != TRIARCH_PLAY) return;
  if (std::find(turn.moves, end, answer.move) == end) {
    Fault(absl::StrFormat("its move %#x is illegal", answer.move));
    return;
  }
  if (turn.nodes > 0 && answer.nodes > turn.nodes + turn.nodes / 10) {
    Warn(absl::StrFormat("it reports %d nodes, more than the limit of %d", answer.nodes,
                         turn.nodes) +
         Where());
  }
  PerSeat<double> shares{};
  for (size_t i = 0; i < game_.seats; ++i) shares[SeatAt(i)] = answer.shares[i];
  if (answer.has_shares != 0 && !AreShares(shares, game_.seats)) {
    Warn("its shares are not numbers from 0 to 1 that add up to 1" + Where());
  }
  if (answer.pv_length > TRIARCH_PV_MAX) {
    Warn(absl::StrFormat("its principal variation has %d moves, more than %d", answer.pv_length,
                         TRIARCH_PV_MAX) +
         Where());
  } else if (answer.pv_length > 0 && answer.pv[0] != answer.move) {
    Warn("its principal variation does not begin with its move" + Where());
  }
}

void Checker::CheckPolicy(const triarch_turn& turn) {
  if (bot_.policy == nullptr) return;
  constexpr float kUntouched = -7;
  constexpr double kTolerance = 1e-3;
  // One element more than the bot may write.
  std::vector<float> shares(turn.move_count + 1, kUntouched);
  if (bot_.policy(instances_[Index(seat_)]->self(), &turn, shares.data()) != 0) {
    Warn("policy failed" + Where());
    return;
  }
  double sum = 0;
  bool is_some = true;
  for (size_t i = 0; i < turn.move_count; ++i) {
    is_some &= std::isfinite(shares[i]) && shares[i] >= 0;
    sum += static_cast<double>(shares[i]);
  }
  if (!is_some || std::abs(sum - 1) > kTolerance) {
    Warn("its policy has negative numbers or does not add up to 1" + Where());
  }
  if (shares.back() != kUntouched) Fault("policy wrote more than one number per move");
}

}  // namespace

absl::StatusOr<PluginReport> CheckPlugin(const Plugin& plugin, const GameInfo& game,
                                         const std::map<std::string, std::string>& options,
                                         int64_t games) {
  Checker checker(plugin, game);
  RETURN_IF_ERROR(checker.Make(plugin, options));
  std::vector<std::string> first;
  const auto began = Clock::now();
  for (int64_t i = 0; i < games; ++i) {
    std::vector<std::string> played = checker.PlayGame(static_cast<uint64_t>(i) + 1);
    if (i == 0) first = std::move(played);
  }
  const std::chrono::duration<double> time = Clock::now() - began;
  // Repeats the first game with instances that have since played others, and compares the moves up
  // to the first one that depends on time.
  std::vector<std::string> again = checker.PlayGame(1);
  const size_t plies = std::min<size_t>({first.size(), again.size(), kTimedPly});
  if (!std::equal(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(plies),
                  again.begin())) {
    checker.Warn(
        "the same seed produced a different game: randomness must come only from the seed, "
        "and earlier games must not matter");
  }
  PluginReport report = checker.TakeReport();
  report.plies_per_second = static_cast<double>(report.plies) / std::max(time.count(), 1e-9);
  return report;
}

}  // namespace triarch
