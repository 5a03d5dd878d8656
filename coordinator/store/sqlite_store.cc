// Stores tournaments in a SQLite file.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

#include "absl/strings/str_format.h"
#include "coordinator/store/file_lock.h"
#include "coordinator/store/schema.h"
#include "coordinator/store/sqlite_audits.h"
#include "coordinator/store/sqlite_db.h"
#include "coordinator/store/sqlite_delete.h"
#include "coordinator/store/sqlite_fleet.h"
#include "coordinator/store/sqlite_schema.h"
#include "coordinator/store/sqlite_tallies.h"
#include "coordinator/store/sqlite_visit.h"
#include "coordinator/store/store.h"
#include "coordinator/store/store_rules.h"
#include "core/base/status_macros.h"
#include "core/record/tpgn.h"
#include "spec/spec_json.h"

// The schema is schema/sqlite/*.sql. The file is in WAL mode while a writer has it open. When the
// writer closes the file, it becomes an ordinary single file (journal mode DELETE) that can be
// copied and read from anywhere.
namespace triarch {
namespace {

using sqlite::Access;
using sqlite::Database;
using sqlite::Statement;
using sqlite::Transaction;

// How long closing waits for readers. If they take longer, the file stays in WAL mode.
constexpr int kClosePatienceMs = 200;

constexpr std::string_view kInsertGame =
    "INSERT INTO games (tournament, idx, match, seed, result, placement, termination, plies, "
    "opening_plies) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) "
    "ON CONFLICT (tournament, idx) DO NOTHING";
constexpr std::string_view kInsertSeat =
    "INSERT INTO game_seats (game, seat, bot, place, points, ending, moves, nodes, time_us, "
    "cpu_us, fallbacks) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
constexpr std::string_view kInsertText = "INSERT INTO game_texts (game, tpgn) VALUES (?1, ?2)";
constexpr std::string_view kInsertFault =
    "INSERT INTO faults (tournament, idx, seat, bot, ply, kind, message, answer, exit_status, "
    "errors, protocol) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 "
    "WHERE (SELECT count(*) FROM faults WHERE bot = ?4 AND kind = ?6) < ?12";

class SqliteStore : public Store {
 public:
  SqliteStore(std::string path, std::unique_ptr<FileLock> lock, std::unique_ptr<Database> db)
      : path_(std::move(path)), lock_(std::move(lock)), db_(std::move(db)) {}
  ~SqliteStore() override;

  absl::Status Prepare() {
    RETURN_IF_ERROR(sqlite::PrepareSchema(*db_, path_, is_writer(), SqliteMigrations()));
    is_ours_ = is_writer();
    return absl::OkStatus();
  }

  absl::StatusOr<int64_t> OpenTournament(const TournamentSpec& spec) override;
  absl::StatusOr<StoredTournament> AddTournament(const TournamentSpec& spec,
                                                 const std::string& spec_text) override;
  absl::Status SetState(int64_t tournament, TournamentState state) override;
  absl::Status SetPrecedence(int64_t tournament, const Precedence& precedence) override;
  absl::Status SetBotDigests(int64_t tournament, const std::vector<std::string>& digests) override;
  absl::StatusOr<std::vector<StoredTournament>> Tournaments() override;
  absl::StatusOr<StoredTournament> Tournament(int64_t id) override;
  absl::Status Record(int64_t tournament, std::span<const GameRecord> records) override {
    return Record(tournament, records, nullptr);
  }
  absl::Status RecordShard(int64_t tournament, std::span<const GameRecord> records,
                           const ShardEntry& shard) override {
    return Record(tournament, records, &shard);
  }
  absl::StatusOr<GamePlace> RecordArenaGame(const ArenaGame& game) override;
  absl::StatusOr<std::vector<ShardEntry>> Shards(int64_t tournament) override {
    RETURN_IF_ERROR(RosterOf(tournament).status());
    return sqlite::Shards(*db_, tournament);
  }
  absl::StatusOr<std::vector<Range>> Recorded(int64_t tournament) override;
  absl::Status VisitGames(int64_t tournament, const GameFilter& filter,
                          absl::FunctionRef<absl::Status(const GameSummary&)> visit) override;
  absl::Status VisitTpgn(
      int64_t tournament, const GameFilter& filter,
      absl::FunctionRef<absl::Status(const GameSummary&, std::string_view)> visit) override;

  absl::StatusOr<GameCosts> VisitResults(
      int64_t tournament, absl::FunctionRef<absl::Status(const GameSummary&)> visit) override {
    RETURN_IF_ERROR(RosterOf(tournament).status());
    return sqlite::VisitResults(*db_, tournament, visit);
  }

  absl::Status VisitFaults(int64_t tournament, const GameFilter& filter,
                           absl::FunctionRef<absl::Status(const StoredFault&)> visit) override {
    ASSIGN_OR_RETURN(const Roster* const roster, RosterOf(tournament));
    return sqlite::VisitFaults(*db_, tournament, *roster, filter, visit);
  }

  // The file's lock already makes this the only writer.
  absl::StatusOr<std::optional<uint64_t>> TryLead() override { return sqlite::NextEpoch(*db_); }
  absl::Status SaveLeases(std::span<const StoredLease> leases) override {
    return sqlite::SaveLeases(*db_, leases);
  }
  absl::StatusOr<std::vector<StoredLease>> LiveLeases() override {
    return sqlite::LiveLeases(*db_);
  }
  absl::Status SaveWorkers(std::span<const StoredWorker> workers) override {
    return sqlite::SaveWorkers(*db_, workers);
  }
  absl::StatusOr<std::vector<StoredWorker>> Workers() override { return sqlite::Workers(*db_); }
  absl::Status AddMatches(int64_t tournament, std::span<const PlannedMatch> matches) override {
    RETURN_IF_ERROR(RosterOf(tournament).status());
    return sqlite::AddMatches(*db_, tournament, matches);
  }
  absl::StatusOr<std::vector<PlannedMatch>> Matches(int64_t tournament) override {
    ASSIGN_OR_RETURN(const Roster* const roster, RosterOf(tournament));
    return sqlite::Matches(*db_, tournament, roster->spec);
  }
  absl::Status HoldReports(std::span<const StoredReport> reports) override {
    return sqlite::HoldReports(*db_, reports);
  }
  absl::StatusOr<std::vector<StoredReport>> HeldReports() override {
    return sqlite::HeldReports(*db_);
  }
  absl::StatusOr<std::string> HeldReport(int64_t id) override {
    return sqlite::HeldReport(*db_, id);
  }
  absl::Status DropReports(std::span<const int64_t> ids) override {
    return sqlite::DropReports(*db_, ids);
  }
  absl::Status AddAudits(std::span<const StoredAudit> audits) override {
    return sqlite::AddAudits(*db_, audits);
  }
  absl::StatusOr<std::vector<StoredAuditCount>> AuditCounts() override {
    return sqlite::AuditCounts(*db_);
  }
  absl::Status AddRatings(int64_t tournament, std::span<const RatingPoint> points) override {
    RETURN_IF_ERROR(RosterOf(tournament).status());
    return sqlite::AddRatings(*db_, tournament, points);
  }
  absl::StatusOr<std::vector<RatingPoint>> Ratings(int64_t tournament) override {
    RETURN_IF_ERROR(RosterOf(tournament).status());
    return sqlite::Ratings(*db_, tournament);
  }
  absl::Status BeginDelete(int64_t tournament) override {
    ASSIGN_OR_RETURN(const StoredTournament stored, Tournament(tournament));
    RETURN_IF_ERROR(CheckIsOver(tournament, stored.state));
    RETURN_IF_ERROR(sqlite::BeginDelete(*db_, tournament));
    rosters_.erase(tournament);
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<int64_t>> Deleting() override { return sqlite::Deleting(*db_); }
  absl::StatusOr<bool> DeleteSome(int64_t tournament) override {
    return sqlite::DeleteSome(*db_, tournament);
  }
  absl::StatusOr<int64_t> Prune(History what, const std::string& before, bool is_dry_run) override {
    return sqlite::Prune(*db_, what, before, is_dry_run);
  }
  absl::Status AddBundle(const StoredBundle& bundle, const std::string& tar) override {
    return sqlite::AddBundle(*db_, bundle, tar);
  }
  absl::StatusOr<std::vector<StoredBundle>> Bundles() override { return sqlite::Bundles(*db_); }
  absl::StatusOr<std::string> BundleTar(const std::string& digest) override {
    return sqlite::BundleTar(*db_, digest);
  }
  absl::Status RemoveBundle(const std::string& digest) override {
    return sqlite::RemoveBundle(*db_, digest);
  }

 private:
  bool is_writer() const { return lock_ != nullptr; }
  absl::StatusOr<int64_t> FindOrAdd(const TournamentSpec& spec);
  absl::StatusOr<int64_t> InsertTournament(const TournamentSpec& spec,
                                           const std::string& spec_text);
  absl::Status ReadDigests(StoredTournament* tournament);
  // Inserts the bots from number `first` on.
  absl::Status InsertBots(int64_t tournament, const std::vector<BotSpec>& bots, size_t first = 0);
  absl::StatusOr<StoredTournament> ArenaTournament(const ArenaGame& game);
  absl::Status PrepareRecording();
  absl::Status Continue(const StoredTournament& stored, const TournamentSpec& spec);
  absl::StatusOr<const Roster*> RosterOf(int64_t tournament);
  absl::Status Record(int64_t tournament, std::span<const GameRecord> records,
                      const ShardEntry* shard);
  // Returns false if it was recorded before.
  absl::StatusOr<bool> RecordOne(int64_t tournament, const Roster& roster, const GameRecord& record,
                                 const GameSummary& summary);
  absl::Status RecordSeats(int64_t game, const Roster& roster, size_t seats,
                           const GameSummary& summary);
  absl::Status RecordFaults(int64_t tournament, const Roster& roster, const GameRecord& record,
                            const GameSummary& summary);
  absl::Status Visit(int64_t tournament, const GameFilter& filter, sqlite::Visitor visit);

  std::string path_;
  std::unique_ptr<FileLock> lock_;  // held by the only writer; null for readers
  std::unique_ptr<Database> db_;
  bool is_ours_ = false;  // opened for writing, and safe to change
  std::map<int64_t, Roster> rosters_;
  // Prepared by the first call of Record.
  std::optional<Statement> insert_game_;
  std::optional<Statement> insert_seat_;
  std::optional<Statement> insert_text_;
};

SqliteStore::~SqliteStore() {
  if (!is_writer() || !is_ours_) return;
  insert_game_.reset();
  insert_seat_.reset();
  insert_text_.reset();
  db_->set_patience_ms(kClosePatienceMs);
  // Fails while the file is being read. The next writer then does this.
  db_->Run("PRAGMA journal_mode = DELETE").IgnoreError();
  db_.reset();  // before the lock
}

// An unknown word was written by a newer version. No games are then leased.
TournamentState StateOf(std::string_view word) {
  return ParseTournamentState(word).value_or(TournamentState::kPaused);
}

// ---- Tournaments.

absl::StatusOr<int64_t> SqliteStore::OpenTournament(const TournamentSpec& spec) {
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(*db_));
  ASSIGN_OR_RETURN(const int64_t id, FindOrAdd(WithoutOutput(spec)));
  RETURN_IF_ERROR(transaction.Commit());
  rosters_.clear();
  return id;
}

absl::StatusOr<int64_t> SqliteStore::FindOrAdd(const TournamentSpec& spec) {
  ASSIGN_OR_RETURN(const std::vector<StoredTournament> all, Tournaments());
  for (const StoredTournament& there : all) {
    if (!SpecDifference(there.spec, spec).empty()) continue;
    RETURN_IF_ERROR(Continue(there, spec));
    return there.id;
  }
  return InsertTournament(spec, "");
}

absl::StatusOr<int64_t> SqliteStore::InsertTournament(const TournamentSpec& spec,
                                                      const std::string& spec_text) {
  ASSIGN_OR_RETURN(Statement insert,
                   db_->Prepare("INSERT INTO tournaments (name, game, spec, spec_text, created) "
                                "VALUES (?1, ?2, ?3, ?4, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))"));
  RETURN_IF_ERROR(insert.Bind(spec.name, spec.game, SpecToJson(spec), spec_text).Run());
  const int64_t id = db_->last_id();
  RETURN_IF_ERROR(InsertBots(id, spec.bots));
  return id;
}

absl::Status SqliteStore::InsertBots(int64_t tournament, const std::vector<BotSpec>& bots,
                                     size_t first) {
  ASSIGN_OR_RETURN(Statement insert,
                   db_->Prepare("INSERT INTO bots (tournament, number, name, bot, options) "
                                "VALUES (?1, ?2, ?3, ?4, ?5)"));
  for (size_t i = first; i < bots.size(); ++i) {
    const BotSpec& bot = bots[i];
    insert.Bind(tournament, static_cast<int64_t>(i), bot.name, bot.bot, BotText(bot));
    RETURN_IF_ERROR(insert.Run());
  }
  return absl::OkStatus();
}

absl::Status SqliteStore::Continue(const StoredTournament& stored, const TournamentSpec& spec) {
  ASSIGN_OR_RETURN(Statement last,
                   db_->Prepare("SELECT coalesce(max(idx), -1) FROM games WHERE tournament = ?1"));
  ASSIGN_OR_RETURN([[maybe_unused]] const bool has_row, last.Bind(stored.id).Step());
  RETURN_IF_ERROR(CheckContinues(absl::StrFormat("the database %s", path_), stored.spec, spec,
                                 last.Int(0) + 1));
  const std::string continued = SpecToJson(Continued(stored.spec, spec));
  if (continued == SpecToJson(stored.spec)) return absl::OkStatus();
  ASSIGN_OR_RETURN(
      Statement update,
      db_->Prepare("UPDATE tournaments SET spec = ?2, ended = NULL, state = CASE state "
                   "WHEN 'done' THEN 'active' ELSE state END WHERE id = ?1"));
  return update.Bind(stored.id, continued).Run();
}

absl::StatusOr<StoredTournament> SqliteStore::AddTournament(const TournamentSpec& spec,
                                                            const std::string& spec_text) {
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(*db_));
  ASSIGN_OR_RETURN(const int64_t id, InsertTournament(WithoutOutput(spec), spec_text));
  ASSIGN_OR_RETURN(StoredTournament added, Tournament(id));
  RETURN_IF_ERROR(transaction.Commit());
  return added;
}

absl::Status SqliteStore::SetState(int64_t tournament, TournamentState state) {
  RETURN_IF_ERROR(RosterOf(tournament).status());
  ASSIGN_OR_RETURN(Statement update,
                   db_->Prepare("UPDATE tournaments SET state = ?2, ended = CASE WHEN ?2 IN "
                                "('done', 'cancelled') THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') "
                                "END WHERE id = ?1 AND state NOT IN ('deleting', 'deleted')"));
  return update.Bind(tournament, ToString(state)).Run();
}

absl::Status SqliteStore::SetPrecedence(int64_t tournament, const Precedence& precedence) {
  RETURN_IF_ERROR(RosterOf(tournament).status());
  ASSIGN_OR_RETURN(Statement update,
                   db_->Prepare("UPDATE tournaments SET priority = ?2, share = ?3 WHERE id = ?1"));
  return update.Bind(tournament, precedence.priority, precedence.share).Run();
}

absl::Status SqliteStore::SetBotDigests(int64_t tournament,
                                        const std::vector<std::string>& digests) {
  ASSIGN_OR_RETURN(const Roster* roster, RosterOf(tournament));
  ASSIGN_OR_RETURN(Statement update,
                   db_->Prepare("UPDATE bots SET digest = ?2 WHERE id = ?1 AND digest = ''"));
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(*db_));
  for (size_t i = 0; i < std::min(digests.size(), roster->bot_ids.size()); ++i) {
    RETURN_IF_ERROR(update.Bind(roster->bot_ids[i], digests[i]).Run());
  }
  return transaction.Commit();
}

absl::StatusOr<std::vector<StoredTournament>> SqliteStore::Tournaments() {
  ASSIGN_OR_RETURN(
      Statement select,
      db_->Prepare("SELECT id, spec, games_recorded, spec_text, state, created, priority, share, "
                   "coalesce(ended, ''), games_recorded - games_audited - games_confirmed - "
                   "games_unaudited, games_audited, games_confirmed, games_unaudited "
                   "FROM tournaments "
                   "WHERE state NOT IN ('deleting', 'deleted') ORDER BY id"));
  std::vector<StoredTournament> tournaments;
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) break;
    absl::StatusOr<TournamentSpec> spec = SpecFromJson(select.Text(1));
    if (!spec.ok()) {
      return absl::DataLossError(absl::StrFormat("database %s, tournament %d: %s", path_,
                                                 select.Int(0), spec.status().message()));
    }
    StoredTournament stored{
        .id = select.Int(0),
        .spec = *std::move(spec),
        .spec_text = std::string(select.Text(3)),
        .state = StateOf(select.Text(4)),
        .precedence = {.priority = select.Int(6), .share = select.Int(7)},
        .created = std::string(select.Text(5)),
        .ended = std::string(select.Text(8)),
        .games_recorded = select.Int(2),
        .checks = {select.Int(9), select.Int(10), select.Int(11), select.Int(12)},
        .bot_digests = {}};
    if (stored.games_recorded >= stored.spec.games) stored.state = TournamentState::kDone;
    tournaments.push_back(std::move(stored));
  }
  for (StoredTournament& tournament : tournaments) RETURN_IF_ERROR(ReadDigests(&tournament));
  return tournaments;
}

absl::Status SqliteStore::ReadDigests(StoredTournament* tournament) {
  ASSIGN_OR_RETURN(Statement select,
                   db_->Prepare("SELECT digest FROM bots WHERE tournament = ?1 ORDER BY number"));
  select.Bind(tournament->id);
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) return absl::OkStatus();
    tournament->bot_digests.emplace_back(select.Text(0));
  }
}

absl::StatusOr<StoredTournament> SqliteStore::Tournament(int64_t id) {
  ASSIGN_OR_RETURN(std::vector<StoredTournament> tournaments, Tournaments());
  for (StoredTournament& tournament : tournaments) {
    if (tournament.id == id) return std::move(tournament);
  }
  return absl::NotFoundError(
      absl::StrFormat("there is no tournament %d in database %s", id, path_));
}

absl::StatusOr<const Roster*> SqliteStore::RosterOf(int64_t tournament) {
  const auto found = rosters_.find(tournament);
  if (found != rosters_.end()) return &found->second;
  ASSIGN_OR_RETURN(StoredTournament stored, Tournament(tournament));
  Roster roster = {.spec = std::move(stored.spec), .bot_ids = {}, .bot_numbers = {}};
  ASSIGN_OR_RETURN(Statement select,
                   db_->Prepare("SELECT id FROM bots WHERE tournament = ?1 ORDER BY number"));
  select.Bind(tournament);
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) break;
    roster.bot_numbers[select.Int(0)] = static_cast<int>(roster.bot_ids.size());
    roster.bot_ids.push_back(select.Int(0));
  }
  if (roster.bot_ids.size() != roster.spec.bots.size()) {
    return absl::DataLossError(absl::StrFormat("database %s: its bots are incomplete", path_));
  }
  return &rosters_.emplace(tournament, std::move(roster)).first->second;
}

// ---- Recording.

absl::Status SqliteStore::Record(int64_t tournament, std::span<const GameRecord> records,
                                 const ShardEntry* shard) {
  ASSIGN_OR_RETURN(const Roster* roster, RosterOf(tournament));
  std::vector<GameSummary> summaries;
  for (const GameRecord& record : records) {
    ASSIGN_OR_RETURN(GameSummary summary, Summarize(roster->spec, record));
    summaries.push_back(std::move(summary));
  }
  RETURN_IF_ERROR(PrepareRecording());
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(*db_));
  if (shard != nullptr) {
    ASSIGN_OR_RETURN(const std::optional<ShardEntry> there,
                     sqlite::FindShard(*db_, tournament, shard->shard));
    if (there) return CheckIsSame(*there, *shard);
  }
  std::vector<GameSummary> fresh;
  GameChecks checks = {};
  for (size_t i = 0; i < records.size(); ++i) {
    ASSIGN_OR_RETURN(const bool is_new, RecordOne(tournament, *roster, records[i], summaries[i]));
    if (!is_new && shard != nullptr) return RecordedWithout(*shard);
    if (!is_new) continue;
    ++checks[static_cast<size_t>(records[i].check)];
    fresh.push_back(std::move(summaries[i]));
  }
  if (!fresh.empty()) RETURN_IF_ERROR(sqlite::CountGames(*db_, tournament, fresh, checks));
  if (shard != nullptr) RETURN_IF_ERROR(sqlite::AddShard(*db_, tournament, *shard));
  return transaction.Commit();
}

absl::Status SqliteStore::PrepareRecording() {
  if (insert_text_) return absl::OkStatus();
  ASSIGN_OR_RETURN(insert_game_, db_->Prepare(kInsertGame));
  ASSIGN_OR_RETURN(insert_seat_, db_->Prepare(kInsertSeat));
  ASSIGN_OR_RETURN(insert_text_, db_->Prepare(kInsertText));
  return absl::OkStatus();
}

absl::StatusOr<StoredTournament> SqliteStore::ArenaTournament(const ArenaGame& game) {
  ASSIGN_OR_RETURN(Statement find,
                   db_->Prepare("SELECT tournament FROM arena_tournaments WHERE name = ?1"));
  ASSIGN_OR_RETURN(const bool has_row, find.Bind(game.tournament).Step());
  if (has_row) {
    absl::StatusOr<StoredTournament> there = Tournament(find.Int(0));
    if (!absl::IsNotFound(there.status())) return there;  // otherwise it was deleted
  }
  ASSIGN_OR_RETURN(const int64_t id, InsertTournament(ArenaSpec(game), ""));
  ASSIGN_OR_RETURN(Statement insert,
                   db_->Prepare("INSERT INTO arena_tournaments (name, tournament) VALUES (?1, ?2) "
                                "ON CONFLICT (name) DO UPDATE SET tournament = ?2"));
  RETURN_IF_ERROR(insert.Bind(game.tournament, id).Run());
  return Tournament(id);
}

absl::StatusOr<GamePlace> SqliteStore::RecordArenaGame(const ArenaGame& game) {
  RETURN_IF_ERROR(PrepareRecording());
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(*db_));
  ASSIGN_OR_RETURN(Statement find, db_->Prepare("SELECT tournament, idx FROM arena_games "
                                                "WHERE table_id = ?1"));
  ASSIGN_OR_RETURN(const bool is_there, find.Bind(game.table).Step());
  if (is_there) return GamePlace{find.Int(0), find.Int(1)};
  ASSIGN_OR_RETURN(StoredTournament stored, ArenaTournament(game));
  const AddedGame added = AddToSpec(game, stored.games_recorded, &stored.spec);
  RETURN_IF_ERROR(InsertBots(stored.id, stored.spec.bots, added.bots_before));
  ASSIGN_OR_RETURN(Statement update,
                   db_->Prepare("UPDATE tournaments SET spec = ?2 WHERE id = ?1"));
  RETURN_IF_ERROR(update.Bind(stored.id, SpecToJson(stored.spec)).Run());
  rosters_.erase(stored.id);
  ASSIGN_OR_RETURN(const Roster* const roster, RosterOf(stored.id));
  ASSIGN_OR_RETURN(const GameSummary summary, Summarize(roster->spec, added.record));
  RETURN_IF_ERROR(RecordOne(stored.id, *roster, added.record, summary).status());
  GameChecks checks = {};
  ++checks[static_cast<size_t>(added.record.check)];
  RETURN_IF_ERROR(sqlite::CountGames(*db_, stored.id, {&summary, 1}, checks));
  ASSIGN_OR_RETURN(Statement insert, db_->Prepare("INSERT INTO arena_games (table_id, tournament, "
                                                  "idx) VALUES (?1, ?2, ?3)"));
  RETURN_IF_ERROR(insert.Bind(game.table, stored.id, added.record.index).Run());
  RETURN_IF_ERROR(transaction.Commit());
  return GamePlace{stored.id, added.record.index};
}

absl::StatusOr<bool> SqliteStore::RecordOne(int64_t tournament, const Roster& roster,
                                            const GameRecord& record, const GameSummary& summary) {
  const size_t seats = SeatCount(record);
  const PerSeat<uint8_t>& place = record.outcome.place;
  insert_game_->Bind(tournament, record.index, record.match, std::to_string(record.seed),
                     ResultText(place, seats), PlacementText(place, seats),
                     ToString(record.outcome.termination), record.plies, record.opening_plies);
  RETURN_IF_ERROR(insert_game_->Run());
  if (db_->changes() == 0) return false;
  const int64_t game = db_->last_id();
  RETURN_IF_ERROR(RecordSeats(game, roster, seats, summary));
  RETURN_IF_ERROR(insert_text_->Bind(game, WriteTpgn(record)).Run());
  RETURN_IF_ERROR(RecordFaults(tournament, roster, record, summary));
  return true;
}

absl::Status SqliteStore::RecordFaults(int64_t tournament, const Roster& roster,
                                       const GameRecord& record, const GameSummary& summary) {
  for (const GameFault& fault : record.faults) {
    const FaultReport& report = fault.report;
    ASSIGN_OR_RETURN(Statement insert, db_->Prepare(kInsertFault));
    insert.Bind(tournament, record.index, static_cast<int64_t>(Index(fault.seat) + 1),
                roster.bot_ids[static_cast<size_t>(summary.bots[fault.seat])], fault.ply,
                ToString(fault.why), report.message, report.answer, report.exit_status,
                report.errors, report.protocol, kFaultsKept);
    RETURN_IF_ERROR(insert.Run());
  }
  return absl::OkStatus();
}

absl::Status SqliteStore::RecordSeats(int64_t game, const Roster& roster, size_t seats,
                                      const GameSummary& summary) {
  const PerSeat<double> points = Points(summary.outcome.place, seats);
  for (size_t i = 0; i < seats; ++i) {
    const Seat seat = SeatAt(i);
    const int64_t bot = roster.bot_ids[static_cast<size_t>(summary.bots[seat])];
    const int64_t place = summary.outcome.place[seat];
    const SeatCost& cost = summary.costs[seat];
    std::optional<std::string_view> ending;
    if (summary.endings[seat]) ending = ToString(*summary.endings[seat]);
    insert_seat_->Bind(game, static_cast<int64_t>(i + 1), bot, place, points[seat], ending,
                       cost.moves, cost.nodes, cost.time_us, cost.cpu_us, summary.fallbacks[seat]);
    RETURN_IF_ERROR(insert_seat_->Run());
  }
  return absl::OkStatus();
}

// ---- Reading.

absl::StatusOr<std::vector<Range>> SqliteStore::Recorded(int64_t tournament) {
  RETURN_IF_ERROR(RosterOf(tournament).status());
  return sqlite::Recorded(*db_, tournament);
}

absl::Status SqliteStore::Visit(int64_t tournament, const GameFilter& filter,
                                sqlite::Visitor visit) {
  ASSIGN_OR_RETURN(const Roster* const roster, RosterOf(tournament));
  return sqlite::Visit(*db_, tournament, *roster, filter, visit);
}

absl::Status SqliteStore::VisitGames(int64_t tournament, const GameFilter& filter,
                                     absl::FunctionRef<absl::Status(const GameSummary&)> visit) {
  return Visit(tournament, filter,
               [&visit](int64_t, const GameSummary& summary) { return visit(summary); });
}

absl::Status SqliteStore::VisitTpgn(
    int64_t tournament, const GameFilter& filter,
    absl::FunctionRef<absl::Status(const GameSummary&, std::string_view)> visit) {
  ASSIGN_OR_RETURN(Statement select, db_->Prepare("SELECT tpgn FROM game_texts WHERE game = ?1"));
  return Visit(tournament, filter,
               [this, &select, &visit](int64_t id, const GameSummary& summary) -> absl::Status {
                 ASSIGN_OR_RETURN(const bool has_row, select.Bind(id).Step());
                 if (!has_row) {
                   return absl::DataLossError(
                       absl::StrFormat("database %s: game %d has no text", path_, summary.index));
                 }
                 return visit(summary, select.Text(0));
               });
}

// ---- Opening.

// Returns whether the file is in WAL mode without its companion files, as when it was copied alone.
// SQLite would create those files even for a reader.
bool IsLoneWalFile(const std::string& path) {
  constexpr std::streamoff kReadVersionOffset = 19;
  constexpr int kWalVersion = 2;
  if (std::filesystem::exists(path + "-wal")) return false;
  std::ifstream file(path, std::ios::binary);
  file.seekg(kReadVersionOffset);
  return file.get() == kWalVersion;
}

Access AccessFor(const std::string& path, OpenMode mode) {
  switch (mode) {
    case OpenMode::kCreate:
      return Access::kCreate;
    case OpenMode::kExisting:
      return Access::kWrite;
    default:
      return IsLoneWalFile(path) ? Access::kReadAlone : Access::kRead;
  }
}

absl::StatusOr<std::unique_ptr<FileLock>> LockFor(const std::string& path) {
  absl::StatusOr<std::unique_ptr<FileLock>> lock = FileLock::Take(path + ".lock");
  if (absl::IsUnavailable(lock.status())) {
    return absl::UnavailableError(absl::StrFormat(
        "database %s: another run, coordinator or arena is recording there (%s); wait for it, or "
        "use another database (for self-play, another --data)",
        path, lock.status().message()));
  }
  return lock;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::string& path, OpenMode mode) {
  if (IsPostgresUrl(path)) {
    return absl::InvalidArgumentError(
        StoreName(path) +
        " is a PostgreSQL database, in which only a coordinator records (triarch serve); expected "
        "a file's path");
  }
  std::error_code error;
  if (mode != OpenMode::kCreate && !std::filesystem::exists(path, error)) {
    return absl::NotFoundError(
        absl::StrFormat("there is no database %s; expected a file that Triarch wrote", path));
  }
  if (path.empty() || std::filesystem::is_directory(path, error)) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s is not a file; expected a database's path", path));
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, error)) {
    return absl::NotFoundError(
        absl::StrFormat("there is no folder %s for the database %s; expected one that exists",
                        folder.string(), path));
  }
  std::unique_ptr<FileLock> lock;
  if (mode != OpenMode::kReadOnly) {
    ASSIGN_OR_RETURN(lock, LockFor(path));
  }
  // Use an absolute path, because some names (":memory:") have a special meaning in SQLite.
  const std::string absolute = std::filesystem::absolute(path, error).string();
  ASSIGN_OR_RETURN(std::unique_ptr<Database> db,
                   Database::Open(absolute, path, AccessFor(absolute, mode)));
  auto store = std::make_unique<SqliteStore>(path, std::move(lock), std::move(db));
  RETURN_IF_ERROR(store->Prepare());
  return store;
}

}  // namespace triarch
