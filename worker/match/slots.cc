#include "worker/match/slots.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <exception>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/status_macros.h"
#include "worker/match/match.h"

namespace triarch {
namespace {

// Records are made by one thread and freed by another, megabytes at a time. glibc would give that
// memory back to the system and fetch it again page by page, which costs fast bots a tenth of their
// speed.
void KeepFreedMemory() {
#ifdef __GLIBC__
  constexpr int kBytesKept = 256 << 20;
  mallopt(M_TRIM_THRESHOLD, kBytesKept);
#endif
}

}  // namespace

Slots::Slots(const Options& options, SpecSource next, PlayerMaker make_player)
    : options_(options),
      next_(std::move(next)),
      make_player_(std::move(make_player)),
      slots_playing_(options.slots) {
  KeepFreedMemory();
  threads_.reserve(static_cast<size_t>(options.slots));
  for (int64_t i = 0; i < options.slots; ++i) {
    try {
      threads_.emplace_back([this] { PlayGames(); });
    } catch (const std::system_error& error) {
      GoOnWith(i, error.what());
      break;
    }
  }
}

// The system gives no more threads: those that there are play on.
void Slots::GoOnWith(int64_t threads, const std::string& why) {
  MutexLock lock(&mutex_);
  slots_playing_ -= options_.slots - threads;
  if (threads == 0) status_ = absl::ResourceExhaustedError("cannot start a thread: " + why);
  changed_.NotifyAll();
}

Slots::~Slots() { Stop(); }

std::vector<GameRecord> Slots::Take(std::chrono::milliseconds wait) {
  const auto deadline = std::chrono::steady_clock::now() + wait;
  std::vector<GameRecord> taken;
  MutexLock lock(&mutex_);
  while (plies_waiting_ < options_.batch_plies && slots_playing_ > 0) {
    if (!changed_.WaitUntil(&mutex_, deadline)) break;
  }
  taken.swap(waiting_);
  plies_waiting_ = 0;
  changed_.NotifyAll();
  return taken;
}

bool Slots::is_done() const {
  MutexLock lock(&mutex_);
  return slots_playing_ == 0 && waiting_.empty();
}

absl::Status Slots::status() const {
  MutexLock lock(&mutex_);
  return status_;
}

void Slots::Stop() {
  MutexLock lock(&mutex_);
  stop_.store(true, std::memory_order_relaxed);
  changed_.NotifyAll();
}

void Slots::PlayGames() {
  absl::Status status;
  try {
    PlayerCache cache(make_player_);
    while (status.ok() && !stop_.load(std::memory_order_relaxed)) {
      const std::optional<GameSpec> spec = next_();
      if (!spec) break;
      status = PlayOne(*spec, cache);
    }
  } catch (const std::exception& error) {  // no memory, for one; nothing may leave a thread
    status = absl::ResourceExhaustedError(std::string("a slot failed: ") + error.what());
  }
  End(status);
}

absl::Status Slots::PlayOne(const GameSpec& spec, PlayerCache& cache) {
  ASSIGN_OR_RETURN(const PerSeat<Player*> players, cache.SeatPlayers(spec));
  absl::StatusOr<std::optional<GameRecord>> record = PlayGame(spec, players, stop_);
  if (!record.ok()) {
    const std::string message(record.status().message());
    return absl::Status(record.status().code(),
                        "game " + std::to_string(spec.index + 1) + ": " + message);
  }
  if (!*record) return absl::OkStatus();
  cache.Discard(**record);
  Put(**std::move(record));
  return absl::OkStatus();
}

void Slots::Put(GameRecord record) {
  MutexLock lock(&mutex_);
  while (plies_waiting_ >= options_.plies_waiting_max && !stop_.load(std::memory_order_relaxed)) {
    changed_.Wait(&mutex_);
  }
  plies_waiting_ += record.plies;
  waiting_.push_back(std::move(record));
  if (plies_waiting_ >= options_.batch_plies) changed_.NotifyAll();
}

void Slots::End(const absl::Status& status) {
  MutexLock lock(&mutex_);
  --slots_playing_;
  if (!status.ok()) {
    status_.Update(status);  // the first one counts
    stop_.store(true, std::memory_order_relaxed);
  }
  changed_.NotifyAll();
}

}  // namespace triarch
