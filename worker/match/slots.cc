#include "worker/match/slots.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <exception>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "worker/match/match.h"

namespace triarch {
namespace {

// One thread allocates records and another frees them, megabytes at a time. By default glibc
// returns that memory to the system and maps it again page by page, which costs fast bots a tenth
// of their speed.
void KeepFreedMemory() {
#ifdef __GLIBC__
  constexpr int kBytesKept = 256 << 20;
  mallopt(M_TRIM_THRESHOLD, kBytesKept);
#endif
}

}  // namespace

Slots::Slots(int64_t slots, Source source, Sink sink, const PlayerMaker& make_player, Refuse refuse)
    : source_(std::move(source)), sink_(std::move(sink)), refuse_(std::move(refuse)) {
  KeepFreedMemory();
  for (int64_t i = 0; i < slots; ++i) slots_.emplace_back(make_player);
  MutexLock lock(&mutex_);
  for (Slot& slot : slots_) free_.push_back(&slot);
  WakeOrStart();
}

Slots::~Slots() {
  std::vector<std::jthread> threads;
  {
    MutexLock lock(&mutex_);
    is_ending_ = true;
    for (Slot& slot : slots_) AbandonGame(slot);
    while (retired_ < slots_.size() && !threads_.empty()) all_retired_.Wait(&mutex_);
    threads.swap(threads_);
  }
  threads.clear();  // joins the threads; afterwards the loop has nothing left to do
  loop_.Stop();
}

void Slots::Abandon(absl::FunctionRef<bool(const Job&)> is_over) {
  MutexLock lock(&mutex_);
  for (Slot& slot : slots_) {
    if (slot.job && is_over(*slot.job)) AbandonGame(slot);
  }
}

void Slots::AbandonGame(Slot& slot) {
  const bool is_told = slot.stop.exchange(true, std::memory_order_relaxed);
  if (is_told || !slot.game) return;
  loop_.Post([this, &slot] {
    MutexLock lock(&mutex_);
    // If another game has begun since, it has cleared `stop`.
    if (slot.game && slot.stop.load(std::memory_order_relaxed)) slot.game->Abandon();
  });
}

absl::StatusOr<Player> Slots::Slot::MakeWatched(const PlayerMaker& make_player,
                                                const GameInfo& info, const BotSpec& bot) {
  int seat = 0;
  for (size_t i = 0; i < info.seats; ++i) {
    if (&job->spec.seats[SeatAt(i)] == &bot) seat = static_cast<int>(i);
  }
  watch.Enter(seat, nullptr);
  absl::StatusOr<Player> player = absl::InternalError("it threw");
  try {
    player = make_player(info, bot);
  } catch (...) {
    watch.Leave();
    throw;
  }
  watch.Leave();
  if (!player.ok() || !std::holds_alternative<std::unique_ptr<SyncPlayer>>(*player)) return player;
  return std::make_unique<WatchedPlayer>(std::get<std::unique_ptr<SyncPlayer>>(*std::move(player)),
                                         &watch);
}

std::string Slots::Slot::Text(const CallWatch::Silence& call) const {
  if (!job) return "a player";
  const Seat seat = SeatAt(static_cast<size_t>(call.seat));
  const absl::StatusOr<const GameInfo*> info = FindGame(job->spec.game);
  std::string text =
      absl::StrFormat("bot %s in game %d, ", job->spec.seats[seat].name, job->spec.index + 1);
  text += call.ply ? absl::StrFormat("ply %d", *call.ply) : "before its first move";
  return info.ok() ? text + ", " + (*info)->seat_name(seat) : text;
}

std::vector<std::string> Slots::TakeSilences() {
  const auto now = CallWatch::Clock::now();
  std::vector<std::string> lines;
  MutexLock lock(&mutex_);
  for (Slot& slot : slots_) {
    const std::optional<CallWatch::Silence> call = slot.watch.FindSilence(now);
    if (!call) continue;
    lines.push_back(absl::StrFormat("%s: it has not answered for %d s%s", slot.Text(*call),
                                    call->duration.count(),
                                    call->has_deadline ? ", and its time is up" : ""));
  }
  return lines;
}

std::vector<std::string> Slots::CallsUnderWay() const {
  const auto now = CallWatch::Clock::now();
  std::vector<std::string> lines;
  MutexLock lock(&mutex_);
  for (const Slot& slot : slots_) {
    if (!slot.watch.is_in_call()) continue;
    lines.push_back(slot.Text(slot.watch.Describe(now)));
  }
  return lines;
}

void Slots::SetWatched(bool is_watched) {
  for (Slot& slot : slots_) slot.live.SetWatched(is_watched);
}

std::vector<LiveReport> Slots::LiveGames(size_t games_max) const {
  std::vector<LiveReport> games;
  MutexLock lock(&mutex_);
  for (const Slot& slot : slots_) {
    if (games.size() == games_max) break;
    if (!slot.job) continue;
    LiveReport report{.token = slot.job->token, .game = {}};
    report.game.events = slot.live.Events();
    if (report.game.events.empty()) continue;
    report.game.index = slot.job->spec.index;
    for (const RecordedEvent& event : report.game.events) {
      report.game.plies += event.kind == RecordedEvent::Kind::kMove ? 1 : 0;
      report.game.fallbacks += event.is_fallback ? 1 : 0;
    }
    games.push_back(std::move(report));
  }
  return games;
}

absl::Status Slots::status() const {
  MutexLock lock(&mutex_);
  return failure_;
}

void Slots::OnError(std::function<void()> f) {
  MutexLock lock(&mutex_);
  on_error_ = std::move(f);
}

// ---- Threads.
// A thread that plays, takes a turn or asks for a game does so for a slot, and a slot that waits
// for a thread has none. So there are never too few threads.

void Slots::WakeOrStart() {
  static const size_t kProcessors = std::max(1u, std::thread::hardware_concurrency());
  const size_t wanted = turns_.size() + ended_.size() + (is_game_wanted() ? 1 : 0);
  if (wanted == 0) return;
  // Other threads become free shortly, which is soon enough for everything but a turn.
  const bool are_enough = turns_.empty() && threads_.size() - away_ >= kProcessors;
  if (waiting_ >= wanted || are_enough) {
    called_for_.NotifyOne();
  } else if (threads_.size() < slots_.size()) {
    try {
      threads_.emplace_back([this] { Serve(); });
    } catch (const std::system_error& error) {
      // The existing threads continue. Without any, nothing can be played.
      if (!threads_.empty()) return;
      failure_.Update(
          absl::ResourceExhaustedError(std::string("cannot start a thread: ") + error.what()));
    }
  }
}

void Slots::StartAsking(Slot& slot) {
  if (!slot.is_asking) ++asking_;
  slot.is_asking = true;
}

void Slots::StopAsking(Slot& slot) {
  if (slot.is_asking) --asking_;
  slot.is_asking = false;
}

class Slots::Away {
 public:
  explicit Away(Slots& slots) : slots_(slots) {
    MutexLock lock(&slots_.mutex_);
    ++slots_.away_;
    slots_.WakeOrStart();
  }
  ~Away() {
    MutexLock lock(&slots_.mutex_);
    --slots_.away_;
  }
  Away(const Away&) = delete;
  Away& operator=(const Away&) = delete;

 private:
  Slots& slots_;
};

bool Slots::is_game_wanted() const { return !free_.empty() && asking_ == 0; }

void Slots::Serve() {
  while (Slot* const slot = TakeSlot()) {
    absl::Status status;
    try {
      status = std::exchange(slot->next, nullptr)();
    } catch (const std::exception& error) {  // e.g. out of memory; no exception may leave a thread
      status = absl::ResourceExhaustedError(std::string("a slot failed: ") + error.what());
    }
    if (!status.ok()) Retire(*slot, status);
  }
}

Slots::Slot* Slots::TakeSlot() {
  MutexLock lock(&mutex_);
  while (retired_ < slots_.size()) {
    Slot* slot = nullptr;
    if (std::deque<Slot*>& called = turns_.empty() ? ended_ : turns_; !called.empty()) {
      slot = called.front();
      called.pop_front();
    } else if (is_game_wanted()) {
      slot = free_.back();
      free_.pop_back();
      StartAsking(*slot);
      slot->next = [this, slot] { return PlayGames(*slot); };
    }
    if (slot != nullptr) {
      WakeOrStart();
      return slot;
    }
    ++waiting_;
    called_for_.Wait(&mutex_);
    --waiting_;
  }
  return nullptr;
}

void Slots::CallForTurn(Slot& slot) {
  MutexLock lock(&mutex_);
  slot.next = [this, &slot] {
    const Away away(*this);
    slot.game->Think();
    return absl::OkStatus();
  };
  turns_.push_back(&slot);
  WakeOrStart();
}

void Slots::CallForEnd(Slot& slot) {
  MutexLock lock(&mutex_);
  slot.next = [this, &slot] { return GoOn(slot); };
  ended_.push_back(&slot);
  WakeOrStart();
}

void Slots::Retire(Slot& slot, const absl::Status& status) {
  if (!status.ok()) Fail(status);
  MutexLock lock(&mutex_);
  StopAsking(slot);
  if (++retired_ < slots_.size()) return;
  called_for_.NotifyAll();
  all_retired_.NotifyAll();
}

// ---- Games.

absl::Status Slots::PlayGames(Slot& slot) {
  while (true) {
    std::optional<Job> job;
    {
      const Away away(*this);
      job = source_();
    }
    {
      MutexLock lock(&mutex_);
      slot.stop.store(is_ending_, std::memory_order_relaxed);
      slot.job = std::move(job);
    }
    if (!slot.job) {
      Retire(slot, absl::OkStatus());
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(const bool is_over, PlayOne(slot));
    if (!is_over) return absl::OkStatus();
    MutexLock lock(&mutex_);
    StartAsking(slot);
  }
}

absl::StatusOr<bool> Slots::PlayOne(Slot& slot) {
  busy_.fetch_add(1, std::memory_order_relaxed);
  const GameSpec& spec = slot.job->spec;
  absl::StatusOr<std::optional<GameRecord>> record = std::nullopt;
  const absl::StatusOr<PerSeat<PlayerRef>> players = slot.cache.SeatPlayers(spec);
  if (!players.ok()) {
    record = players.status();
  } else if (!AllSync(*players)) {
    const absl::Status status = BeginInLoop(slot, *players);
    if (status.ok()) return false;
    record = status;
  } else {
    {
      // This thread has its game, so another one may ask for the next.
      MutexLock lock(&mutex_);
      StopAsking(slot);
    }
    const Away away(*this);
    record = PlayGame(spec, *players, slot.stop, std::chrono::steady_clock::now, &slot.live);
  }
  RETURN_IF_ERROR(HandIn(slot, std::move(record)));
  return true;
}

absl::Status Slots::HandIn(Slot& slot, absl::StatusOr<std::optional<GameRecord>> record) {
  busy_.fetch_sub(1, std::memory_order_relaxed);
  std::optional<Job> job;
  {
    MutexLock lock(&mutex_);
    job.swap(slot.job);
    slot.live.End();
    slot.game.reset();
  }
  if (!record.ok() && refuse_) {
    refuse_(*job, record.status());
    return absl::OkStatus();
  }
  if (!record.ok()) {
    sink_(*job, std::nullopt);
    return absl::Status(record.status().code(), "game " + std::to_string(job->spec.index + 1) +
                                                    ": " + std::string(record.status().message()));
  }
  if (*record) slot.cache.Discard(**record);
  sink_(*job, *std::move(record));
  return absl::OkStatus();
}

absl::Status Slots::BeginInLoop(Slot& slot, const PerSeat<PlayerRef>& players) {
  ASSIGN_OR_RETURN(std::unique_ptr<LoopGame> game,
                   loop_.Make(slot.job->spec, players, slot.stop,
                              {.think = [this, &slot] { CallForTurn(slot); },
                               .end = [this, &slot] { CallForEnd(slot); },
                               .live = &slot.live}));
  MutexLock lock(&mutex_);
  StopAsking(slot);
  slot.game = std::move(game);
  // Before this point the game could not be abandoned.
  if (is_ending_) slot.stop.store(true, std::memory_order_relaxed);
  loop_.Post([begun = slot.game.get()] { begun->Start(); });
  return absl::OkStatus();
}

absl::Status Slots::GoOn(Slot& slot) {
  RETURN_IF_ERROR(HandIn(slot, slot.game->TakeRecord()));
  {
    MutexLock lock(&mutex_);
    if (asking_ > 0) {  // that thread will serve this slot too
      free_.push_back(&slot);
      return absl::OkStatus();
    }
    StartAsking(slot);
  }
  return PlayGames(slot);
}

void Slots::Fail(const absl::Status& status) {
  std::function<void()> tell;
  {
    MutexLock lock(&mutex_);
    if (failure_.ok()) tell = on_error_;
    failure_.Update(status);  // keeps the first error
  }
  if (tell) tell();
}

}  // namespace triarch
