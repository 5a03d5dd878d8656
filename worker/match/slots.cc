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

Slots::Slots(int64_t slots, Source source, Sink sink, PlayerMaker make_player, Refuse refuse)
    : source_(std::move(source)),
      sink_(std::move(sink)),
      make_player_(std::move(make_player)),
      refuse_(std::move(refuse)),
      slots_(static_cast<size_t>(slots)) {
  KeepFreedMemory();
  threads_.reserve(slots_.size());
  for (Slot& slot : slots_) {
    try {
      threads_.emplace_back([this, &slot] { PlayGames(slot); });
    } catch (const std::system_error& error) {
      // Those that there are play on; without any, nobody does.
      if (threads_.empty()) {
        Fail(absl::ResourceExhaustedError(std::string("cannot start a thread: ") + error.what()));
      }
      break;
    }
  }
}

Slots::~Slots() {
  MutexLock lock(&mutex_);
  is_ending_ = true;
  for (Slot& slot : slots_) slot.stop.store(true, std::memory_order_relaxed);
}

void Slots::Abandon(absl::FunctionRef<bool(const Job&)> is_over) {
  MutexLock lock(&mutex_);
  for (Slot& slot : slots_) {
    if (slot.job != nullptr && is_over(*slot.job)) {
      slot.stop.store(true, std::memory_order_relaxed);
    }
  }
}

absl::Status Slots::status() const {
  MutexLock lock(&mutex_);
  return status_;
}

void Slots::OnError(std::function<void()> f) {
  MutexLock lock(&mutex_);
  on_error_ = std::move(f);
}

void Slots::PlayGames(Slot& slot) {
  absl::Status status;
  try {
    PlayerCache cache(make_player_);
    while (status.ok()) {
      const std::optional<Job> job = source_();
      if (!job) break;
      status = PlayOne(*job, cache, slot);
    }
  } catch (const std::exception& error) {  // no memory, for one; nothing may leave a thread
    status = absl::ResourceExhaustedError(std::string("a slot failed: ") + error.what());
  }
  if (!status.ok()) Fail(status);
}

absl::Status Slots::PlayOne(const Job& job, PlayerCache& cache, Slot& slot) {
  {
    MutexLock lock(&mutex_);
    slot.stop.store(is_ending_, std::memory_order_relaxed);
    slot.job = &job;
  }
  busy_.fetch_add(1, std::memory_order_relaxed);
  absl::StatusOr<std::optional<GameRecord>> record = std::nullopt;
  const absl::StatusOr<PerSeat<Player*>> players = cache.SeatPlayers(job.spec);
  if (players.ok()) {
    record = PlayGame(job.spec, *players, slot.stop);
  } else {
    record = players.status();
  }
  busy_.fetch_sub(1, std::memory_order_relaxed);
  {
    MutexLock lock(&mutex_);
    slot.job = nullptr;
  }
  if (!record.ok() && refuse_) {
    refuse_(job, record.status());
    return absl::OkStatus();
  }
  if (!record.ok()) {
    sink_(job, std::nullopt);
    return absl::Status(record.status().code(), "game " + std::to_string(job.spec.index + 1) +
                                                    ": " + std::string(record.status().message()));
  }
  if (*record) cache.Discard(**record);
  sink_(job, *std::move(record));
  return absl::OkStatus();
}

void Slots::Fail(const absl::Status& status) {
  std::function<void()> tell;
  {
    MutexLock lock(&mutex_);
    if (status_.ok()) tell = on_error_;
    status_.Update(status);  // the first one counts
  }
  if (tell) tell();
}

}  // namespace triarch
