#include "arena/client/seated_bot.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "absl/strings/str_format.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/play/time_control.h"
#include "worker/match/loop_game.h"
#include "worker/match/turn_facts.h"

namespace triarch::arena {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{50};
// Of the time for a move: the part that a bot may use in any case, and the part that a bot gets
// which would always use all of it.
constexpr double kLongShare = 0.8;
constexpr double kUsualShare = 1.0 / 30;
// What the way to the arena may take, as a part of the time and at most.
constexpr double kWayShare = 0.1;
constexpr milliseconds kWayMax{2'000};

milliseconds Part(milliseconds time, double share) {
  return milliseconds(static_cast<int64_t>(static_cast<double>(time.count()) * share));
}

AsyncPlayer* AsyncOf(const Player& player) {
  const auto* const async = std::get_if<std::unique_ptr<AsyncPlayer>>(&player);
  return async == nullptr ? nullptr : async->get();
}

}  // namespace

MoveTime TimeFor(const TimeRules& rules, milliseconds left) {
  milliseconds allowed = Part(left, kLongShare);
  if (rules.move_ms) {
    allowed = std::min(allowed, milliseconds(*rules.move_ms));
  } else if (!rules.may_take_long) {
    allowed = Part(left, kUsualShare);
  }
  allowed = std::max(allowed, milliseconds(1));
  const milliseconds end = left - std::min(Part(left, kWayShare), kWayMax);
  return {.allowed = allowed, .margin = std::max(end - allowed, milliseconds(1))};
}

SeatedBot::SeatedBot(Player& player, const FollowedGame& game, Seat seat, const GameSpec& spec,
                     const TimeRules& rules, const std::atomic<bool>& stop)
    : player_(player), game_(game), seat_(seat), spec_(spec), rules_(rules), stop_(stop) {}

SeatedBot::~SeatedBot() {
  AsyncPlayer* const async = AsyncOf(player_);
  if (has_begun_ && async != nullptr) async->EndGame();
}

absl::Status SeatedBot::Begin() {
  AsyncPlayer* const async = AsyncOf(player_);
  if (async == nullptr) {
    SyncPlayer& sync = *std::get<std::unique_ptr<SyncPlayer>>(player_);
    has_begun_ = true;
    const absl::Status begun = BeginGame(sync, spec_, seat_);
    if (!begun.ok()) NoteFault(Termination::kCrash, std::string(begun.message()));
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(async->Prepare());
  loop_.emplace();
  has_begun_ = true;
  std::optional<bool> is_ready;
  async->BeginGame(*loop_, spec_, seat_, [&](bool ready) {
    is_ready = ready;
    loop_->Stop();
  });
  RunLoop([&] { return is_ready.has_value(); });
  if (is_ready && !*is_ready) NoteFault(Termination::kCrash, "");
  return absl::OkStatus();
}

std::optional<Decision> SeatedBot::Ask(milliseconds left) {
  const AnyState& state = game_.state();
  const AnyState::Moves moves = state.LegalMoves();
  const auto began = std::chrono::steady_clock::now();
  const MoveTime time = TimeFor(rules_, left);
  PerSeat<TimeControl> controls;
  controls[seat_] = {.nodes = rules_.nodes,
                     .depth = rules_.depth,
                     .movetime_ms = time.allowed.count(),
                     .margin_ms = time.margin.count()};
  const GameClock clock(controls);
  const TurnContext context = FactsOfTurn(state, game_.history(), controls, clock, began);
  const SearchLimits limits{.nodes = rules_.nodes,
                            .depth = rules_.depth,
                            .deadline = clock.Deadline(seat_, began),
                            .stop = &stop_,
                            .context = &context,
                            .plies = game_.plies()};
  // After a wrong claim the bot is asked once more, as in a tournament.
  for (int answers = 0; answers < 2; ++answers) {
    const std::optional<Decision> decision = AskOnce(moves, limits);
    if (!decision || decision->kind != Decision::Kind::kClaimDraw || context.can_claim) {
      return decision;
    }
  }
  NoteFault(Termination::kIllegalMove, "it claimed a draw twice that the rules do not grant");
  return std::nullopt;
}

std::optional<Decision> SeatedBot::AskOnce(const AnyState::Moves& moves,
                                           const SearchLimits& limits) {
  std::optional<absl::StatusOr<Decision>> answer;
  if (AsyncPlayer* const async = AsyncOf(player_)) {
    async->BeginTurn(game_.state(), moves, limits, [&](const Decision& decision) {
      answer.emplace(decision);
      loop_->Stop();
    });
    RunLoop([&] { return answer.has_value(); });
  } else {
    SyncPlayer& sync = *std::get<std::unique_ptr<SyncPlayer>>(player_);
    answer.emplace(AskPlayer(sync, game_.state(), moves, limits));
  }
  if (stop_ || !answer) return std::nullopt;
  if (!answer->ok()) {
    NoteFault(Termination::kCrash, std::string(answer->status().message()));
    return std::nullopt;
  }
  const Decision decision = **answer;
  if (decision.kind == Decision::Kind::kForfeit) {
    NoteFault(decision.why, "");
    return std::nullopt;
  }
  if (decision.kind == Decision::Kind::kMove && decision.move >= moves.size()) {
    NoteFault(
        Termination::kIllegalMove,
        absl::StrFormat("it chose move number %d, but there %s only %s", decision.move,
                        moves.size() == 1 ? "is" : "are", Counted(moves.size(), "legal move")));
    return std::nullopt;
  }
  return decision;
}

void SeatedBot::RunLoop(const std::function<bool()>& is_done) {
  EventLoop::Timer look(*loop_,
                        [&] { stop_ ? loop_->Stop() : look.Set(EventLoop::Clock::now() + kLook); });
  look.Set(EventLoop::Clock::now() + kLook);
  while (!is_done() && !stop_) loop_->Run();
}

void SeatedBot::NoteFault(Termination why, std::string message) {
  if (stop_) return;
  fault_ = {.seat = seat_,
            .ply = game_.plies() + 1,
            .why = why,
            .report = {.message = std::move(message)}};
  std::visit([this](const auto& player) { player->DescribeFault(&fault_->report); }, player_);
  Sanitize(&fault_->report);
}

}  // namespace triarch::arena
