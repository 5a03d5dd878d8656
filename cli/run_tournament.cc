#include "cli/run_tournament.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "bots/bots.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/missing_games.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/standings_text.h"
#include "coordinator/schedule/schedule.h"
#include "coordinator/store/store.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "worker/match/slots.h"

// The one place where scheduling and playing meet. Specs go down to the slots and records come up;
// the store is used by this thread alone.
namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;

// So long, at most, a finished game waits to be recorded.
constexpr auto kBatchWait = std::chrono::milliseconds(250);

class TournamentRun {
 public:
  TournamentRun(Schedule schedule, std::unique_ptr<Store> store, int64_t id, size_t seats,
                std::span<const Store::Range> recorded)
      : schedule_(std::move(schedule)),
        store_(std::move(store)),
        id_(id),
        missing_(recorded, spec().games),
        leaderboard_(seats) {}

  static absl::StatusOr<std::unique_ptr<TournamentRun>> Open(const TournamentSpec& spec);

  // Plays and records until all is there, somebody interrupts, or something fails.
  absl::Status Play(const Interrupt& interrupt);
  absl::Status WriteTpgn();
  absl::Status PrintStandings();

  const TournamentSpec& spec() const { return schedule_.spec(); }
  int64_t games_missing_at_first() const { return missing_.count(); }
  int64_t games_recorded() const { return spec().games - missing_.count() + games_now_; }
  bool is_complete() const { return games_recorded() == spec().games; }

 private:
  absl::Status CountRecorded();
  absl::Status Record(std::vector<GameRecord> records);
  int64_t SlotCount() const;
  std::optional<GameSpec> NextGame();
  ProgressFigures Figures(Clock::time_point began, Clock::time_point now) const;

  const Schedule schedule_;
  const std::unique_ptr<Store> store_;
  const int64_t id_;
  MissingGames missing_;
  Leaderboard leaderboard_;
  int64_t games_now_ = 0;  // recorded by this run
  int64_t plies_now_ = 0;
};

absl::StatusOr<std::unique_ptr<Store>> OpenStore(const TournamentSpec& spec) {
  if (spec.db.empty()) return MakeMemoryStore();
  return OpenSqliteStore(spec.db, OpenMode::kCreate);
}

// Better to learn at once than after hours of play that the file cannot be written.
absl::Status TryOutput(const std::string& path) {
  if (path.empty()) return absl::OkStatus();
  return OutputFile::Create(path).status();
}

absl::StatusOr<std::unique_ptr<TournamentRun>> TournamentRun::Open(const TournamentSpec& spec) {
  ASSIGN_OR_RETURN(Schedule schedule, Schedule::Make(spec));
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(spec.game));
  ASSIGN_OR_RETURN(std::unique_ptr<Store> store, OpenStore(spec));
  ASSIGN_OR_RETURN(const int64_t id, store->OpenTournament(spec));
  ASSIGN_OR_RETURN(const std::vector<Store::Range> recorded, store->Recorded(id));
  RETURN_IF_ERROR(TryOutput(spec.tpgn));
  auto run = std::make_unique<TournamentRun>(std::move(schedule), std::move(store), id, info->seats,
                                             recorded);
  RETURN_IF_ERROR(run->CountRecorded());
  return run;
}

// Enters the games of earlier runs into the leaderboard.
absl::Status TournamentRun::CountRecorded() {
  return store_->VisitGames(id_, {}, [this](const GameSummary& game) {
    PerSeat<std::string_view> bots;
    for (size_t i = 0; i < kSeatsMax; ++i) {
      bots[SeatAt(i)] = spec().bots[static_cast<size_t>(game.bots[SeatAt(i)])].name;
    }
    leaderboard_.Add(bots, game.outcome);
    return absl::OkStatus();
  });
}

absl::Status TournamentRun::Play(const Interrupt& interrupt) {
  ProgressLine progress(stderr, TerminalColumns(stderr), Clock::now());
  const auto began = Clock::now();
  Slots slots(
      {.slots = SlotCount()}, [this] { return NextGame(); }, MakePlayer);
  while (!slots.is_done()) {
    if (interrupt.is_asked()) slots.Stop();
    RETURN_IF_ERROR(Record(slots.Take(kBatchWait)));
    const auto now = Clock::now();
    progress.Update(Figures(began, now), now);
  }
  return slots.status();
}

int64_t TournamentRun::SlotCount() const {
  const int64_t wanted =
      spec().slots > 0 ? spec().slots : std::max<int64_t>(std::thread::hardware_concurrency(), 1);
  return std::min(wanted, missing_.count());
}

std::optional<GameSpec> TournamentRun::NextGame() {
  const std::optional<int64_t> index = missing_.Next();
  if (!index) return std::nullopt;
  return schedule_.Game(*index);
}

absl::Status TournamentRun::Record(std::vector<GameRecord> records) {
  if (records.empty()) return absl::OkStatus();
  // The slots know the game that they play, not what it is part of.
  for (GameRecord& record : records) record.event = spec().name;
  RETURN_IF_ERROR(store_->Record(id_, records));
  for (const GameRecord& record : records) {
    leaderboard_.Add(
        {{record.bots[Seat::kFirst], record.bots[Seat::kSecond], record.bots[Seat::kThird]}},
        record.outcome);
    ++games_now_;
    plies_now_ += record.plies;
  }
  return absl::OkStatus();
}

ProgressFigures TournamentRun::Figures(Clock::time_point began, Clock::time_point now) const {
  return {.games_done = games_recorded(),
          .games_total = spec().games,
          .games_now = games_now_,
          .plies_now = plies_now_,
          .elapsed = now - began,
          .leader = leaderboard_.Leader()};
}

absl::Status TournamentRun::WriteTpgn() {
  if (spec().tpgn.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(spec().tpgn));
  RETURN_IF_ERROR(store_->VisitTpgn(
      id_, {}, [&file](const GameSummary&, std::string_view tpgn) { return file.Write(tpgn); }));
  return file.Commit();
}

absl::Status TournamentRun::PrintStandings() {
  ASSIGN_OR_RETURN(const std::string text, StandingsText(*store_, id_));
  Print(text);
  return absl::OkStatus();
}

void Announce(const TournamentRun& run) {
  const TournamentSpec& spec = run.spec();
  const int64_t recorded = run.games_recorded();
  std::string line =
      absl::StrFormat("%s: %d bots, %d games", spec.name, spec.bots.size(), spec.games);
  if (recorded > 0) line += absl::StrFormat(", %d of them recorded already", recorded);
  std::fprintf(stderr, "%s\n", line.c_str());
}

// What is where, and what one may do next.
void PrintOutputs(const TournamentRun& run) {
  const TournamentSpec& spec = run.spec();
  std::string text;
  if (!spec.db.empty()) text += "recorded in " + spec.db + "\n";
  if (!spec.tpgn.empty() && spec.tpgn != "-") text += "games in " + spec.tpgn + "\n";
  if (run.games_missing_at_first() == 0) {
    text += absl::StrFormat("already complete: %d games; delete %s to start afresh\n", spec.games,
                            spec.db);
  }
  Print("\n" + text);
}

int ReportInterrupted(const TournamentRun& run) {
  const TournamentSpec& spec = run.spec();
  return Fail(absl::StrFormat("interrupted: %d of %d games were played; %s", run.games_recorded(),
                              spec.games,
                              spec.db.empty() ? "without a db a run cannot go on from there"
                                              : "the same command goes on from there"));
}

}  // namespace

int RunTournament(const TournamentSpec& spec) {
  const Interrupt interrupt;
  const absl::StatusOr<std::unique_ptr<TournamentRun>> opened = TournamentRun::Open(spec);
  if (!opened.ok()) return Fail(opened.status());
  TournamentRun& run = **opened;
  if (run.games_missing_at_first() > 0) Announce(run);
  // Whatever fails, what was played is shown and, where that can be done, written.
  absl::Status status = run.Play(interrupt);
  status.Update(run.WriteTpgn());
  status.Update(run.PrintStandings());
  if (!status.ok()) return Fail(status);
  PrintOutputs(run);
  return run.is_complete() ? kExitDone : ReportInterrupted(run);
}

}  // namespace triarch
