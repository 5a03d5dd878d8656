#include "cli/arena/join_games.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <random>
#include <thread>
#include <utility>

#include "absl/strings/str_format.h"
#include "cli/interrupt.h"
#include "core/record/bot_error.h"

namespace triarch {
namespace {

uint64_t NewSeed() {
  std::random_device random;
  return uint64_t{random()} << 32 | random();
}

}  // namespace

JoinGames::JoinGames(JoinPlan plan, PlayerMaker make_player, const std::atomic<bool>& stop,
                     std::function<void(const std::string&)> log,
                     std::function<void(const arena::TableGame&)> played)
    : plan_(std::move(plan)),
      make_player_(std::move(make_player)),
      stop_(stop),
      log_(std::move(log)),
      played_(std::move(played)) {}

void JoinGames::Run() {
  const int64_t tables = plan_.games == 0 ? plan_.tables : std::min(plan_.tables, plan_.games);
  std::vector<std::jthread> threads;
  for (int64_t i = 0; i < tables; ++i) threads.emplace_back([this] { PlaySome(); });
  // Passes the caller's stop on to everyone, as an error of one of them is.
  std::jthread watch([this](const std::stop_token& is_done) {
    while (!is_done.stop_requested()) {
      if (stop_) is_ended_ = true;
      std::this_thread::sleep_for(kSignalPoll);
    }
  });
  for (std::jthread& thread : threads) thread.join();
}

void JoinGames::PlaySome() {
  arena::ArenaClient client(plan_.arena, arena::RealParts(log_, &is_ended_));
  std::optional<Player> player;
  for (int64_t number = 0; BeginGame(&number);) {
    if (!player) {
      absl::StatusOr<Player> made = make_player_(*plan_.game, plan_.bot);
      if (!made.ok()) return EndGame({}, WithBotName(plan_.bot, made.status()));
      player.emplace(*std::move(made));
    }
    GameSpec spec;
    spec.index = number;
    spec.match = number;
    spec.seed = NewSeed();
    arena::TablePlayer table(
        {.client = &client, .player = &*player, .stop = &is_ended_, .log = log_}, std::move(spec),
        plan_.rules);
    const absl::Status status = table.Play(plan_.wish);
    EndGame(table.game(), status);
    // A player that threw may be broken.
    if (table.game().fault) player.reset();
  }
}

bool JoinGames::BeginGame(int64_t* number) {
  MutexLock lock(&mutex_);
  if (stop_ || is_ended_ || (plan_.games > 0 && begun_ == plan_.games)) return false;
  *number = begun_++;
  return true;
}

void JoinGames::EndGame(const arena::TableGame& game, const absl::Status& status) {
  MutexLock lock(&mutex_);
  const bool is_first = status_.ok() || absl::IsCancelled(status_);
  if (!status.ok() && is_first && (status_.ok() || !absl::IsCancelled(status))) status_ = status;
  if (!game.table.empty()) {
    games_.push_back(game);
    played_(game);
  }
  const bool is_failure = !game.is_well_played();
  if (is_failure) ++failure_count_;
  failures_in_a_row_ = is_failure ? failures_in_a_row_ + 1 : 0;
  if (failures_in_a_row_ == kFailuresMax && begun_ != plan_.games && status_.ok()) {
    status_ = absl::FailedPreconditionError(
        absl::StrFormat("bot %s has failed in %d games in a row", plan_.bot.name, kFailuresMax));
  }
  if (!status_.ok()) is_ended_ = true;
}

}  // namespace triarch
