#include "cli/tournament/run_tournament.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_format.h"
#include "bots/bots.h"
#include "cli/cluster/worker_info.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/tournament/fault_text.h"
#include "cli/tournament/local_cluster.h"
#include "cli/tournament/protocol_log.h"
#include "coordinator/experiments/test_text.h"
#include "coordinator/experiments/tune_text.h"
#include "coordinator/ratings/standings.h"
#include "coordinator/service/data_publisher.h"
#include "coordinator/service/stored_standings.h"
#include "coordinator/store/store.h"
#include "coordinator/store/store_rules.h"
#include "core/base/counted.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/bot_error.h"
#include "core/schedule/schedule.h"
#include "selfplay/dataset/run_claim.h"
#include "selfplay/shard/manifest.h"
#include "selfplay/storage/blob_store.h"
#include "spec/spec_json.h"
#include "worker/host/any_bot.h"
#include "worker/host/bot_copies.h"

// The embedded mode: a store and, while games are missing, a whole cluster in this process.
namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;
using experiments::Verdict;

constexpr std::chrono::milliseconds kPollInterval{20};
// Time limit for an interrupted run to publish its data; the next run publishes the rest.
constexpr std::chrono::milliseconds kLastPublish{5'000};

class TournamentRun {
 public:
  // Sets `is_usage` if the command line is wrong.
  static absl::StatusOr<std::unique_ptr<TournamentRun>> Open(const TournamentSpec& spec,
                                                             bool* is_usage);

  // Plays and records until the tournament is complete, is interrupted, or fails.
  absl::Status Play(const Interrupt& interrupt, const RunSettings& settings);
  absl::Status WriteTpgn();
  // Returns an error if the folder for fault files holds others. `dir` may be empty.
  absl::Status CheckFaultFolder(const std::string& dir);
  // Returns the number of files.
  absl::StatusOr<int64_t> WriteFaults(const std::string& dir);
  absl::Status PrintStandings(const RunSettings& settings);
  // Only for a tuning: writes the picture, if one is wanted.
  absl::Status WriteSvg();
  // Only for a complete tuning: returns the test that confirms it.
  // Empty if the tuning changed nothing.
  absl::StatusOr<std::optional<TournamentSpec>> ConfirmingTest();
  // Only for self-play, which has no standings.
  absl::Status PrintData();
  absl::Status PublishData();

  // Ends the process if a player does not obey, because the destructor would wait for it.
  void ExitIfStuck(int exit_code) const;

  const TournamentSpec& spec() const { return spec_; }
  int64_t id() const { return id_; }
  // Whether the database holds other tournaments.
  bool has_others() const { return has_others_; }
  // If it joined them now: how the newest of them differs. Otherwise empty.
  const std::string& why_added() const { return why_added_; }
  int64_t games_missing_at_first() const { return games_missing_; }
  int64_t games_recorded() const { return games_recorded_; }
  bool is_complete() const { return is_decided_ || games_recorded_ >= spec_.games; }
  Verdict verdict() const { return verdict_; }
  // Whether the results have ended the tournament, so that more games make no difference.
  bool is_decided() const { return is_decided_ && verdict_ != Verdict::kUndecided; }

 private:
  explicit TournamentRun(const TournamentSpec& spec) : spec_(spec) {}
  // Copies the files of the bots, once.
  absl::Status CopyBots();
  // Compares this tournament with those that the database has already.
  void NoteOthers(const std::vector<StoredTournament>& before);
  int64_t SlotCount() const;
  void Note(const TournamentStatus& status);
  // Only for a tuning.
  absl::Status ReadTune(absl::FunctionRef<absl::Status(const experiments::Tune&)> task);
  // Runs a task with the store, which may have moved into the cluster.
  absl::Status Read(absl::FunctionRef<absl::Status(Store&)> task);
  ProgressFigures Figures(const TournamentStatus& status, Clock::time_point began,
                          Clock::time_point now) const;

  TournamentSpec spec_;
  std::unique_ptr<Store> store_;  // null after moving into the cluster
  std::shared_ptr<BotCopies> copies_;
  std::unique_ptr<LocalCluster> cluster_;
  int64_t id_ = 0;
  bool is_new_ = true;
  bool has_others_ = false;
  std::string why_added_;
  int64_t games_missing_ = 0;
  int64_t games_recorded_ = 0;
  // Where the results decide when the tournament ends: whether they do, and the verdict of a test.
  bool is_decided_ = false;
  Verdict verdict_ = Verdict::kUnderWay;
};

absl::StatusOr<std::unique_ptr<Store>> OpenStore(const TournamentSpec& spec) {
  if (spec.db.empty()) return MakeMemoryStore();
  return OpenSqliteStore(spec.db, OpenMode::kCreate);
}

// Fails early if the file cannot be written, not after hours of play.
absl::Status TryOutput(const std::string& path, const FileKind& kind) {
  if (path.empty()) return absl::OkStatus();
  return OutputFile::Create(path, kind).status();
}

// Fails early if a bot lacks something on this machine.
absl::Status CheckBotsHere(const TournamentSpec& spec) {
  for (const BotSpec& bot : spec.bots) {
    if (IsUserSupplied(bot)) continue;
    if (const absl::Status status = CheckBotHere(bot); !status.ok()) {
      return WithBotName(bot, status);
    }
  }
  return absl::OkStatus();
}

std::string NormalLocation(const std::string& location) {
  if (IsBucket(location)) {
    return location.ends_with('/') ? location.substr(0, location.size() - 1) : location;
  }
  const std::filesystem::path path = std::filesystem::path(location) / "";
  return path.lexically_normal().string();
}

// Checks that a run with data continues at its location. If the run was moved as a whole, or the
// location has several names, the location still holds the run's claim.
absl::Status CheckSameLocation(const TournamentSpec& stored, const TournamentSpec& asked) {
  if (NormalLocation(stored.data) == NormalLocation(asked.data)) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::unique_ptr<BlobStore> blobs, OpenBlobStore(asked.data));
  const absl::StatusOr<std::vector<std::string>> claims = ListClaims(*blobs);
  RETURN_IF_ERROR(claims.status());
  if (*claims == std::vector<std::string>{stored.run}) return absl::OkStatus();
  return absl::InvalidArgumentError(
      asked.db + " belongs to a run with its data in " + stored.data + ", not in " + asked.data +
      "; expected the same location (--data, output.data), or another --db for a new run");
}

// Finds the run in the store or begins it. Does not touch the data of other runs.
absl::StatusOr<int64_t> OpenSelfplay(Store& store, TournamentSpec spec, bool* is_usage) {
  const DataPublisher publisher({}, {});
  ASSIGN_OR_RETURN(const std::vector<StoredTournament> all, store.Tournaments());
  spec.run = NewRunName();
  if (all.empty()) {
    // A failure must not leave a claim.
    RETURN_IF_ERROR(CheckBotsHere(spec));
    RETURN_IF_ERROR(TryOutput(spec.tpgn, kTpgnFile));
    RETURN_IF_ERROR(publisher.Claim(spec, {}));
    absl::StatusOr<int64_t> id = store.OpenTournament(spec);
    if (!id.ok()) publisher.Unclaim(spec);
    return id;
  }
  // A run has a database of its own, next to its data.
  const StoredTournament& stored = all.front();
  RETURN_IF_ERROR(CheckContinues("the database " + spec.db, stored.spec, spec, 0));
  if (stored.games_recorded > 0) {
    const absl::Status status = CheckSameLocation(stored.spec, spec);
    *is_usage = absl::IsInvalidArgument(status);
    RETURN_IF_ERROR(status);
  }
  ASSIGN_OR_RETURN(const int64_t id, store.OpenTournament(spec));
  ASSIGN_OR_RETURN(const StoredTournament opened, store.Tournament(id));
  ASSIGN_OR_RETURN(const std::vector<ShardEntry> shards, store.Shards(id));
  RETURN_IF_ERROR(publisher.Claim(opened.spec, shards));
  return id;
}

absl::StatusOr<std::unique_ptr<TournamentRun>> TournamentRun::Open(const TournamentSpec& spec,
                                                                   bool* is_usage) {
  RETURN_IF_ERROR(Schedule::Make(spec).status());
  if (!spec.test) RETURN_IF_ERROR(CheckBotsToRate(spec));  // not after hours of play
  // A failure must leave neither an empty database nor an empty tournament.
  RETURN_IF_ERROR(TryOutput(spec.tpgn, kTpgnFile));
  if (spec.tune) RETURN_IF_ERROR(TryOutput(spec.tune->svg, kSvgFile));
  std::unique_ptr<TournamentRun> run(new TournamentRun(spec));
  ASSIGN_OR_RETURN(run->store_, OpenStore(spec));
  ASSIGN_OR_RETURN(const std::vector<StoredTournament> before, run->store_->Tournaments());
  run->NoteOthers(before);
  if (run->is_new_) {
    RETURN_IF_ERROR(CheckBotsHere(spec));
    RETURN_IF_ERROR(run->CopyBots());
  }
  ASSIGN_OR_RETURN(run->id_, spec.selfplay ? OpenSelfplay(*run->store_, spec, is_usage)
                                           : run->store_->OpenTournament(spec));
  ASSIGN_OR_RETURN(const StoredTournament stored, run->store_->Tournament(run->id_));
  run->spec_.run = stored.spec.run;
  run->games_recorded_ = stored.games_recorded;
  run->games_missing_ = spec.games - stored.games_recorded;
  if (spec.test) {
    ASSIGN_OR_RETURN(const experiments::SequentialTest test, StoredTest(*run->store_, stored));
    run->verdict_ = test.verdict();
    run->is_decided_ = run->verdict_ != Verdict::kUnderWay;
  }
  if (IsPlanned(spec)) {
    ASSIGN_OR_RETURN(const auto plan, StoredPlan(*run->store_, stored));
    run->verdict_ = plan->State().verdict.value_or(Verdict::kUnderWay);
    run->is_decided_ = plan->is_over();
  }
  if (run->is_complete()) run->games_missing_ = 0;
  if (run->games_missing_ == 0) return run;
  RETURN_IF_ERROR(CheckBotsHere(spec));
  RETURN_IF_ERROR(run->CopyBots());
  return run;
}

absl::Status TournamentRun::CopyBots() {
  if (copies_) return absl::OkStatus();
  ASSIGN_OR_RETURN(copies_, BotCopies::Make(spec_.bots));
  // A bot was checked in its folder, but only its own files are copied. Of a bundle, the manifest
  // may select few.
  for (const BotSpec& bot : spec_.bots) {
    if (bot.bundle.empty() && copies_->LeftOut(bot).empty()) continue;
    const std::optional<BotSpec> copy = copies_->Find(bot);
    if (!copy) continue;
    const absl::Status status = CheckAnyBot(spec_.game, *copy);
    if (!status.ok()) return copies_->Explain(bot, status);
  }
  return absl::OkStatus();
}

void TournamentRun::NoteOthers(const std::vector<StoredTournament>& before) {
  is_new_ = std::none_of(before.begin(), before.end(), [&](const StoredTournament& one) {
    return SpecDifference(one.spec, spec_).empty();
  });
  has_others_ = before.size() > (is_new_ ? 0 : 1);
  if (!is_new_ || !has_others_) return;
  if (before.back().spec.tune && spec_.test) return;  // the test that confirms it
  why_added_ = absl::StrFormat("tournament %d differs: %s", before.back().id,
                               SpecDifference(before.back().spec, spec_));
}

// Collects log lines from other threads while progress is shown.
class LogLines {
 public:
  void Add(const std::string& line) {
    MutexLock lock(&mutex_);
    lines_.push_back(line);
  }
  // Prints the lines collected so far.
  void Show(ProgressLine& progress) {
    std::vector<std::string> lines;
    {
      MutexLock lock(&mutex_);
      lines.swap(lines_);
    }
    if (lines.empty()) return;
    progress.Clear();
    for (const std::string& line : lines) Log(line);
  }

 private:
  Mutex mutex_;
  std::vector<std::string> lines_ ABSL_GUARDED_BY(mutex_);
};

// Needed even for a complete run: its last manifest may not have been published.
absl::Status TournamentRun::PublishData() {
  ASSIGN_OR_RETURN(const std::vector<ShardEntry> shards, store_->Shards(id_));
  DataPublisher publisher({}, [&shards](int64_t) { return shards; });
  publisher.Note(id_, spec_, TournamentState::kDone);
  return publisher.Finish();
}

absl::Status TournamentRun::Play(const Interrupt& interrupt, const RunSettings& settings) {
  if (games_missing_ == 0) return spec_.selfplay ? PublishData() : absl::OkStatus();
  const auto lines = std::make_shared<LogLines>();
  const auto show = [lines](const std::string& line) { lines->Add(line); };
  using LogLine = std::function<void(const std::string&)>;
  std::function<void(std::string_view)> protocol;
  if (settings.is_debug || !settings.log.empty()) {
    ASSIGN_OR_RETURN(const std::shared_ptr<ProtocolLog> log,
                     ProtocolLog::Open(settings.log, settings.is_debug ? LogLine(show) : nullptr));
    protocol = [log](std::string_view line) { log->Add(line); };
  }
  ASSIGN_OR_RETURN(cluster_, LocalCluster::Start(
                                 std::move(store_), id_, SlotCount(),
                                 MakePlayerMaker(show, {.copies = copies_, .protocol = protocol})));
  ProgressLine progress(stderr, TerminalColumns(stderr), Clock::now());
  const auto began = Clock::now();
  absl::Status status;
  while (true) {
    ASSIGN_OR_RETURN(const TournamentStatus now_at, cluster_->coordinator().Tournament(id_));
    Note(now_at);
    status = cluster_->status();
    if (is_complete() || !status.ok() || interrupt.is_asked()) break;
    const auto now = Clock::now();
    for (const std::string& silence : cluster_->TakeSilences()) {
      lines->Add(silence + "; Ctrl-C ends the run");
    }
    lines->Show(progress);
    progress.Update(Figures(now_at, began, now), now);
    std::this_thread::sleep_for(kPollInterval);
  }
  cluster_->StopPlaying();
  lines->Show(progress);
  ASSIGN_OR_RETURN(const TournamentStatus in_the_end, cluster_->coordinator().Tournament(id_));
  Note(in_the_end);
  if (!spec_.selfplay) return status;
  std::optional<std::chrono::milliseconds> patience;
  if (!is_complete()) patience = kLastPublish;  // the next call does the rest
  status.Update(cluster_->coordinator().PublishData(patience));
  return status;
}

void TournamentRun::ExitIfStuck(int exit_code) const {
  if (!cluster_) return;
  const std::vector<std::string> calls = cluster_->CallsUnderWay();
  if (calls.empty()) return;
  for (const std::string& call : calls) Log(call + ": it does not come back, so it is abandoned");
  copies_->Remove();
  std::fflush(nullptr);
  _exit(exit_code);
}

void TournamentRun::Note(const TournamentStatus& status) {
  games_recorded_ = status.done;
  if (status.test) {
    verdict_ = status.test->verdict;
    is_decided_ = verdict_ != Verdict::kUnderWay;
  }
  if (status.plan) {
    verdict_ = status.plan->verdict.value_or(Verdict::kUnderWay);
    is_decided_ = status.state == TournamentState::kDone;
  }
}

int64_t TournamentRun::SlotCount() const {
  return std::min(spec_.slots > 0 ? spec_.slots : DefaultSlots(), games_missing_);
}

ProgressFigures TournamentRun::Figures(const TournamentStatus& status, Clock::time_point began,
                                       Clock::time_point now) const {
  const double elapsed = std::max(std::chrono::duration<double>(now - began).count(), 1e-3);
  // Self-play games are recorded shard by shard, minutes after they were played.
  const int64_t held = spec_.selfplay ? cluster_->games_held() : 0;
  const int64_t done = std::min(status.done + held, spec_.games);
  const int64_t games_now = done - (spec_.games - games_missing_);
  ProgressFigures figures{
      .games_done = done,
      .games_total = spec_.games,
      .games_per_second = static_cast<double>(games_now) / elapsed,
      .plies_per_second = held > 0 ? 0 : static_cast<double>(status.plies) / elapsed,
      .state = "",
      .leader = "",
      .stage = ""};
  if (status.test) {
    figures.stage = TestLine(*status.test);
    // Games beyond a gap do not count yet.
    figures.games_total = std::max(done, status.test->games + status.test->games_left.value_or(0));
    return figures;
  }
  if (status.plan) {
    figures.stage = status.plan->line;
    figures.games_total = std::max(done, status.plan->games_expected.value_or(0));
    return figures;
  }
  if (!spec_.selfplay && !status.leaderboard.empty() && status.leaderboard.front().games > 0) {
    const auto& first = status.leaderboard.front();
    figures.leader = absl::StrFormat("%s %.0f%%", first.bot,
                                     100 * first.points / static_cast<double>(first.games));
  }
  return figures;
}

absl::Status TournamentRun::Read(absl::FunctionRef<absl::Status(Store&)> task) {
  if (!cluster_) return task(*store_);
  absl::Status status;
  cluster_->coordinator().Read([&](Store& store) { status = task(store); });
  return status;
}

absl::Status TournamentRun::WriteTpgn() {
  if (spec_.tpgn.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(spec_.tpgn, kTpgnFile));
  RETURN_IF_ERROR(Read([&](Store& store) {
    return store.VisitTpgn(
        id_, {}, [&file](const GameSummary&, std::string_view tpgn) { return file.Write(tpgn); });
  }));
  return file.Commit();
}

absl::Status TournamentRun::CheckFaultFolder(const std::string& dir) {
  if (dir.empty()) return absl::OkStatus();
  return Read([&](Store& store) { return triarch::CheckFaultFolder(store, id_, dir); });
}

absl::StatusOr<int64_t> TournamentRun::WriteFaults(const std::string& dir) {
  absl::StatusOr<int64_t> count = 0;
  RETURN_IF_ERROR(Read([&](Store& store) {
    count = WriteFaultFiles(store, id_, dir);
    return count.status();
  }));
  return count;
}

absl::Status TournamentRun::PrintStandings(const RunSettings& settings) {
  return Read([&](Store& store) -> absl::Status {
    ASSIGN_OR_RETURN(const StandingsReport report, ReadStandings(store, id_));
    if (settings.is_json) {
      Print(report.json);
      return absl::OkStatus();
    }
    std::string how = "--db " + ShellWord(spec_.db);
    if (has_others_) how = std::to_string(id_) + " " + how;
    if (spec_.db.empty()) how.clear();
    const bool has_files = spec_.db.empty() && !settings.faults.empty();
    Print(report.text + (has_files ? "" : HowToSeeFaults(report.json, how)));
    return absl::OkStatus();
  });
}

absl::Status TournamentRun::ReadTune(
    absl::FunctionRef<absl::Status(const experiments::Tune&)> task) {
  return Read([&](Store& store) -> absl::Status {
    ASSIGN_OR_RETURN(const StoredTournament stored, store.Tournament(id_));
    ASSIGN_OR_RETURN(const auto plan, StoredPlan(store, stored));
    return task(static_cast<const experiments::Tune&>(plan->planner()));
  });
}

absl::Status TournamentRun::WriteSvg() {
  if (!spec_.tune || spec_.tune->svg.empty()) return absl::OkStatus();
  return ReadTune([&](const experiments::Tune& tune) -> absl::Status {
    ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(spec_.tune->svg, kSvgFile));
    RETURN_IF_ERROR(file.Write(TuneSvg(spec_, tune)));
    return file.Commit();
  });
}

absl::StatusOr<std::optional<TournamentSpec>> TournamentRun::ConfirmingTest() {
  std::optional<TournamentSpec> test;
  RETURN_IF_ERROR(ReadTune([&](const experiments::Tune& tune) {
    if (!IsUnchanged(spec_, tune)) test = experiments::ConfirmingTest(spec_, tune);
    return absl::OkStatus();
  }));
  return test;
}

absl::Status TournamentRun::PrintData() {
  return Read([&](Store& store) -> absl::Status {
    ASSIGN_OR_RETURN(const std::vector<ShardEntry> shards, store.Shards(id_));
    int64_t samples = 0;
    int64_t bytes = 0;
    for (const ShardEntry& shard : shards) {
      samples += shard.samples;
      bytes += shard.bytes;
    }
    const double each =
        static_cast<double>(bytes) / static_cast<double>(std::max<int64_t>(samples, 1));
    Print(absl::StrFormat("%s: %s, %s in %s, %.1f bytes a sample\n", spec_.name,
                          Counted(games_recorded_, "game"), Counted(samples, "sample"),
                          Counted(shards.size(), "shard"), each));
    return absl::OkStatus();
  });
}

// Whether the results may end the tournament before all of its games are played.
bool MayEndEarly(const TournamentSpec& spec) {
  return spec.test || spec.best_of || spec.format == Format::kAdaptive ||
         spec.format == Format::kKnockout;
}

// Returns a line about a number of games with which the bots do not play under equal conditions.
std::string NoteOnRounds(const TournamentSpec& spec) {
  const absl::StatusOr<Schedule> schedule = Schedule::Make(spec);
  if (!schedule.ok() || spec.test || spec.selfplay || IsPlanned(spec)) return "";
  const int64_t round = schedule->games_per_round();
  const int64_t rest = spec.games % round;
  if (rest == 0) return "";
  const int64_t below = spec.games - rest;
  return absl::StrFormat(
      "\nnote: %s %s a round of %d incomplete, so the seats and openings are not the same for "
      "all bots; %s%d would be",
      Counted(spec.games, "game"), spec.games == 1 ? "leaves" : "leave", round,
      below > 0 ? absl::StrFormat("%d or ", below) : "", below + round);
}

void Announce(const TournamentRun& run) {
  const TournamentSpec& spec = run.spec();
  const int64_t recorded = run.games_recorded();
  std::string line = spec.name + ": " + Counted(spec.bots.size(), "bot") + ", " +
                     (MayEndEarly(spec) ? "at most " : "") + Counted(spec.games, "game");
  if (recorded > 0) line += absl::StrFormat(", %d of them recorded already", recorded);
  if (!run.why_added().empty()) {
    line +=
        absl::StrFormat("\nadded to %s as tournament %d; %s", spec.db, run.id(), run.why_added());
  }
  line += NoteOnRounds(spec);
  for (const std::string_view part : Split(line, '\n')) Log(part);
}

// Names the files of a run to delete before it can be played again.
std::string FilesOf(const TournamentSpec& spec) {
  if (!spec.selfplay) return spec.db;
  std::string location = NormalLocation(spec.data);
  if (IsBucket(location)) location = location.substr(0, location.find('?')) + "/";
  return location + std::string(kManifestName) + ", " + location + ClaimName(spec.run) + ", all " +
         location + ShardPrefix(spec.run) + "* and " + spec.db;
}

std::string HowToPlayMore(const TournamentRun& run) {
  const TournamentSpec& spec = run.spec();
  const bool has_fixed_games = spec.tune || spec.format > Format::kAdaptive;
  if (has_fixed_games || run.is_decided()) return "use another --seed to play again";
  if (run.has_others()) return "raise --games, or use another --seed";
  return "delete " + FilesOf(run.spec()) + " to start again";
}

// Prints where the output is and what to do next.
void PrintOutputs(const TournamentRun& run) {
  const TournamentSpec& spec = run.spec();
  std::string text;
  if (spec.selfplay) text += "samples in " + spec.data + ": triarch data info " + spec.data + "\n";
  if (run.has_others()) {
    text += absl::StrFormat("recorded in %s as tournament %d; triarch ratings %s rates them all\n",
                            spec.db, run.id(), ShellWord(spec.db));
  } else if (!spec.db.empty()) {
    text += "recorded in " + spec.db + "\n";
  }
  if (!spec.tpgn.empty() && spec.tpgn != "-") text += "games in " + spec.tpgn + "\n";
  if (spec.tune && !spec.tune->svg.empty()) text += "picture in " + spec.tune->svg + "\n";
  if (run.games_missing_at_first() == 0) {
    const int64_t games = MayEndEarly(spec) ? run.games_recorded() : spec.games;
    text += "already complete: " + Counted(games, "game") + "; " + HowToPlayMore(run) + "\n";
  }
  Print("\n" + text);
}

int ReportInterrupted(const TournamentRun& run) {
  const TournamentSpec& spec = run.spec();
  return Fail(absl::StrFormat("interrupted: %d of %d games were played; %s", run.games_recorded(),
                              spec.games,
                              spec.db.empty() ? "without a database the run cannot be continued"
                                              : "the same command resumes the run"));
}

// Tests the result of a tuning. Closes its database, which the test opens again.
int Confirm(std::unique_ptr<TournamentRun> run, const RunSettings& settings) {
  const absl::StatusOr<std::optional<TournamentSpec>> test = run->ConfirmingTest();
  if (!test.ok()) return Fail(test.status());
  if (!*test) {
    Log("the values have not changed, so there is nothing to confirm");
    return ExitCodeOfVerdict(ToString(Verdict::kNotShown));
  }
  run.reset();
  if (!settings.is_json) Print("\n");
  RunSettings of_test = settings;
  if (!of_test.faults.empty()) of_test.faults += "/test";
  return RunTournament(**test, of_test);
}

// Creates the folder for fault files, so that a wrong name is found before the games.
absl::Status CreateFaultFolder(const std::string& dir) {
  std::error_code error;
  if (!dir.empty()) std::filesystem::create_directories(dir, error);
  if (!error) return absl::OkStatus();
  return absl::InvalidArgumentError("--faults: cannot create the folder " + Quote(dir, 200) + ": " +
                                    error.message());
}

// Finds out before the games whether the log can be written.
absl::Status TryLog(const std::string& path) { return ProtocolLog::Open(path, nullptr).status(); }

// Writes the fault files and says where they are.
absl::Status WriteFaults(TournamentRun& run, const std::string& dir) {
  if (dir.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const int64_t count, run.WriteFaults(dir));
  Log(Counted(count, "fault file") + " in " + dir);
  return absl::OkStatus();
}

// Returns the exit code; for a tuning, before its result is tested.
int PlayAndReport(TournamentRun& run, const Interrupt& interrupt, const RunSettings& settings) {
  const TournamentSpec& spec = run.spec();
  if (run.games_missing_at_first() > 0) Announce(run);
  // Even after a failure, show and write what was played.
  absl::Status status = run.Play(interrupt, settings);
  status.Update(run.WriteTpgn());
  status.Update(run.WriteSvg());
  status.Update(WriteFaults(run, settings.faults));
  const bool has_standings = !spec.selfplay || settings.is_json;
  status.Update(has_standings ? run.PrintStandings(settings) : run.PrintData());
  if (!status.ok()) return Fail(status);
  if (!settings.is_json) PrintOutputs(run);
  if (!run.is_complete()) return ReportInterrupted(run);
  const bool has_verdict = spec.test || spec.best_of;
  return has_verdict ? ExitCodeOfVerdict(ToString(run.verdict())) : kExitDone;
}

}  // namespace

int RunTournament(const TournamentSpec& spec, const RunSettings& settings) {
  const Interrupt interrupt;
  absl::Status output = CreateFaultFolder(settings.faults);
  output.Update(TryLog(settings.log));
  if (!output.ok()) return UsageError(output);
  bool is_usage = false;
  absl::StatusOr<std::unique_ptr<TournamentRun>> opened = TournamentRun::Open(spec, &is_usage);
  if (!opened.ok()) return is_usage ? UsageError(opened.status()) : Fail(opened.status());
  TournamentRun& run = **opened;
  if (const absl::Status folder = run.CheckFaultFolder(settings.faults); !folder.ok()) {
    return UsageError(folder);
  }
  const int exit_code = PlayAndReport(run, interrupt, settings);
  const bool is_tuned = exit_code == kExitDone && spec.tune;
  run.ExitIfStuck(is_tuned ? kExitFailed : exit_code);
  return is_tuned ? Confirm(*std::move(opened), settings) : exit_code;
}

}  // namespace triarch
