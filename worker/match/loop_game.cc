#include "worker/match/loop_game.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>
#include <utility>
#include <variant>

#include "core/base/check.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "core/record/played_game.h"
#include "worker/match/cpu_meter.h"

namespace triarch {

namespace {

// Returns null if the player is synchronous or missing.
AsyncPlayer* AsyncOf(const PlayerRef& player) {
  AsyncPlayer* const* const async = std::get_if<AsyncPlayer*>(&player);
  return async == nullptr ? nullptr : *async;
}

// Describes the exception that is being handled.
absl::Status Thrown() {
  try {
    throw;
  } catch (const std::exception& e) {
    return absl::InternalError(std::string("it threw: ") + e.what());
  } catch (...) {
    return absl::InternalError("it threw");
  }
}

}  // namespace

std::optional<PerSeat<SyncPlayer*>> AllSync(const PerSeat<PlayerRef>& players) {
  PerSeat<SyncPlayer*> sync{};
  for (size_t i = 0; i < kSeatsMax; ++i) {
    SyncPlayer* const* const player = std::get_if<SyncPlayer*>(&players[SeatAt(i)]);
    if (player == nullptr) return std::nullopt;
    sync[SeatAt(i)] = *player;
  }
  return sync;
}

bool WantContext(const PerSeat<PlayerRef>& players) {
  return std::any_of(players.begin(), players.end(), [](const PlayerRef& player) {
    if (AsyncOf(player) != nullptr) return true;
    const SyncPlayer* const sync = std::get<SyncPlayer*>(player);
    return sync != nullptr && sync->wants_context();
  });
}

absl::Status BeginGame(SyncPlayer& player, const GameSpec& spec, Seat seat) {
  try {
    player.NewGame(seat, PlayerSeed(spec, seat));
    return absl::OkStatus();
  } catch (...) {
    return Thrown();
  }
}

absl::StatusOr<Decision> AskPlayer(SyncPlayer& player, const AnyState& state,
                                   const AnyState::Moves& moves, const SearchLimits& limits) {
  try {
    if (!limits.reads_cpu) return player.Choose(state, moves, limits);
    const std::chrono::nanoseconds began = ThreadCpuTime();
    Decision decision = player.Choose(state, moves, limits);
    decision.cpu = ThreadCpuTime() - began;
    return decision;
  } catch (...) {
    return Thrown();
  }
}

LoopGame::LoopGame(const GameSpec& spec, const PerSeat<PlayerRef>& players,
                   const std::atomic<bool>& stop, EventLoop& loop, LoopMoves& moves,
                   RunningGame::TimePoint (*now)(), Hooks hooks)
    : spec_(spec),
      players_(players),
      stop_(stop),
      loop_(loop),
      moves_(moves),
      now_(now),
      hooks_(std::move(hooks)) {}

absl::Status LoopGame::Begin() {
  ASSIGN_OR_RETURN(PlayedGame played, PlayedGame::Begin(spec_));
  game_.emplace(spec_, std::move(played), now_, /*is_one_thread=*/false);
  game_->ShowIn(hooks_.live);
  RETURN_IF_ERROR(game_->PlayOpening(WantContext(players_)));
  for (size_t i = 0; i < game_->seats(); ++i) {
    const Seat seat = SeatAt(i);
    if (!game_->state().is_in(seat)) continue;
    if (AsyncPlayer* const async = AsyncOf(players_[seat])) {
      RETURN_IF_ERROR(async->Prepare());
    } else {
      begun_[seat] = BeginGame(*std::get<SyncPlayer*>(players_[seat]), spec_, seat);
    }
  }
  return absl::OkStatus();
}

void LoopGame::Start() {
  if (stop_.load(std::memory_order_relaxed)) return End(/*is_abandoned=*/true);
  beginning_ = 1;  // guards against starting before all players were asked
  for (size_t i = 0; i < game_->seats(); ++i) {
    const Seat seat = SeatAt(i);
    AsyncPlayer* const async = AsyncOf(players_[seat]);
    if (async == nullptr || !game_->state().is_in(seat)) continue;
    ++beginning_;
    async->BeginGame(loop_, spec_, seat, [this, seat](bool is_ready) {
      // The player itself describes its fault.
      begun_[seat] = is_ready ? absl::OkStatus() : absl::InternalError("");
      Begun();
    });
  }
  Begun();
}

void LoopGame::Begun() {
  if (--beginning_ > 0) return;
  // A player that fails to begin forfeits before its first move.
  for (size_t i = 0; i < game_->seats() && !game_->is_over(); ++i) {
    const absl::Status& begun = begun_[SeatAt(i)];
    if (!begun.ok() && game_->state().is_in(SeatAt(i))) {
      game_->Forfeit(SeatAt(i), Termination::kCrash, std::string(begun.message()));
    }
  }
  if (!game_->is_over()) moves_.Make(this, game_->state());
  NextTurn();
}

void LoopGame::NextTurn() {
  if (stop_.load(std::memory_order_relaxed)) return End(/*is_abandoned=*/true);
  if (game_->is_over()) return End(/*is_abandoned=*/false);
  const AnyState::Moves& moves = moves_.Of(this, game_->state());
  DCHECK(moves.size() > 0);
  limits_ = game_->BeginTurn(stop_);
  Ask(moves);
}

void LoopGame::Ask(const AnyState::Moves& moves) {
  if (AsyncPlayer* const async = AsyncOf(players_[game_->state().to_move()])) {
    async->BeginTurn(game_->state(), moves, limits_,
                     [this](const Decision& decision) { Answered(decision); });
    return;
  }
  is_thinking_ = true;
  hooks_.think();
}

void LoopGame::Think() {
  SyncPlayer& player = *std::get<SyncPlayer*>(players_[game_->state().to_move()]);
  const AnyState::Moves moves = game_->state().LegalMoves();  // a copy, because the loop may handle
                                                              // other games in the meantime
  loop_.Post([this, decision = AskPlayer(player, game_->state(), moves, limits_)] {
    is_thinking_ = false;
    Answered(decision);
  });
}

void LoopGame::Answered(const absl::StatusOr<Decision>& decision) {
  if (stop_.load(std::memory_order_relaxed)) return End(/*is_abandoned=*/true);
  AnyState::Moves& moves = moves_.Of(this, game_->state());
  game_->Answer(moves, decision) ? NextTurn() : Ask(moves);
}

void LoopGame::Abandon() {
  if (!is_ended_ && !is_thinking_) End(/*is_abandoned=*/true);
}

void LoopGame::End(bool is_abandoned) {
  is_ended_ = true;
  is_abandoned_ = is_abandoned;
  if (!is_abandoned) game_->DescribeFaults(players_);
  for (size_t i = 0; i < game_->seats(); ++i) {
    const Seat seat = SeatAt(i);
    AsyncPlayer* const async = AsyncOf(players_[seat]);
    if (async == nullptr) continue;
    if (!is_abandoned) game_->SetCpuOfGame(seat, async->CpuOfGame());
    async->EndGame();
  }
  hooks_.end();
}

std::optional<GameRecord> LoopGame::TakeRecord() {
  if (is_abandoned_) return std::nullopt;
  return game_->TakeRecord();
}

}  // namespace triarch
