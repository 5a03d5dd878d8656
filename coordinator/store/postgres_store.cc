// Stores any number of tournaments in a PostgreSQL database.

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/store/postgres_audits.h"
#include "coordinator/store/postgres_db.h"
#include "coordinator/store/postgres_delete.h"
#include "coordinator/store/postgres_fleet.h"
#include "coordinator/store/postgres_games.h"
#include "coordinator/store/postgres_schema.h"
#include "coordinator/store/schema.h"
#include "coordinator/store/store.h"
#include "coordinator/store/store_rules.h"
#include "core/base/status_macros.h"
#include "spec/spec_json.h"

// The schema is schema/postgres/*.sql, described in docs/database.md.
namespace triarch {
namespace {

using postgres::Database;
using postgres::Text;

constexpr std::array<postgres::Prepared, 13> kStoreStatements = {{
    {"tournaments",
     "SELECT id, spec, spec_text, state, to_char(created, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), "
     "games_recorded, priority, share, "
     "coalesce(to_char(ended, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), ''), games_recorded - "
     "games_audited - games_confirmed - games_unaudited, games_audited, games_confirmed, "
     "games_unaudited FROM tournaments "
     "WHERE ($1::bigint = 0 OR id = $1) AND state NOT IN ('deleting', 'deleted') ORDER BY id"},
    {"add_tournament",
     "INSERT INTO tournaments (name, game, spec, spec_text, games) VALUES ($1, $2, $3, $4, $5) "
     "RETURNING id"},
    {"add_bot",
     "INSERT INTO bots (tournament, number, name, bot, options) VALUES ($1, $2, $3, $4, $5)"},
    {"change_spec",
     "UPDATE tournaments SET spec = $2, games = $3, "
     "ended = CASE WHEN games_recorded >= $3 THEN ended END, state = CASE "
     "WHEN games_recorded >= $3 THEN 'done' WHEN state = 'done' THEN 'active' ELSE state END "
     "WHERE id = $1"},
    // kDone is final.
    {"set_state",
     "UPDATE tournaments SET state = $2, ended = CASE WHEN $2 IN ('done', 'cancelled') THEN now() "
     "END WHERE id = $1 AND state NOT IN ('done', 'deleting', 'deleted')"},
    {"set_precedence", "UPDATE tournaments SET priority = $2, share = $3 WHERE id = $1"},
    {"set_digest",
     "UPDATE bots SET digest = $3 WHERE tournament = $1 AND number = $2 AND digest = ''"},
    {"bots", "SELECT id, digest FROM bots WHERE tournament = $1 ORDER BY number"},
    {"find_arena_game", "SELECT tournament, idx FROM arena_games WHERE table_id = $1"},
    {"find_arena", "SELECT tournament FROM arena_tournaments WHERE name = $1"},
    {"set_arena",
     "INSERT INTO arena_tournaments (name, tournament) VALUES ($1, $2) "
     "ON CONFLICT (name) DO UPDATE SET tournament = $2"},
    {"add_arena_game", "INSERT INTO arena_games (table_id, tournament, idx) VALUES ($1, $2, $3)"},
    {"games_end", "SELECT coalesce(max(last), 0) FROM ledger WHERE tournament = $1"},
}};

class PostgresStore : public Store {
 public:
  explicit PostgresStore(std::unique_ptr<Database> db) : db_(std::move(db)) {
    db_->Add(kStoreStatements);
    db_->Add(postgres::RecordStatements());
    db_->Add(postgres::VisitStatements());
    db_->Add(postgres::TallyStatements());
    db_->Add(postgres::FleetStatements());
    db_->Add(postgres::AuditStatements());
    db_->Add(postgres::DeleteStatements());
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
    ASSIGN_OR_RETURN(const Roster* roster, RosterOf(tournament));
    return postgres::Record(*db_, tournament, *roster, records, nullptr);
  }
  absl::Status RecordShard(int64_t tournament, std::span<const GameRecord> records,
                           const ShardEntry& shard) override {
    ASSIGN_OR_RETURN(const Roster* roster, RosterOf(tournament));
    return postgres::Record(*db_, tournament, *roster, records, &shard);
  }
  absl::StatusOr<GamePlace> RecordArenaGame(const ArenaGame& game) override;
  absl::StatusOr<std::vector<ShardEntry>> Shards(int64_t tournament) override {
    RETURN_IF_ERROR(RosterOf(tournament).status());
    return postgres::Shards(*db_, tournament);
  }
  absl::StatusOr<std::vector<Range>> Recorded(int64_t tournament) override {
    RETURN_IF_ERROR(RosterOf(tournament).status());
    return postgres::Recorded(*db_, tournament);
  }
  absl::Status VisitGames(int64_t tournament, const GameFilter& filter,
                          absl::FunctionRef<absl::Status(const GameSummary&)> visit) override {
    ASSIGN_OR_RETURN(const Roster* roster, RosterOf(tournament));
    RETURN_IF_ERROR(postgres::Visit(
        *db_, tournament, *roster, filter, /*wants_texts=*/false,
        [&visit](const GameSummary& game, std::string_view) { return visit(game); }));
    return Tournament(tournament).status();  // as in VisitResults
  }
  absl::StatusOr<GameCosts> VisitResults(
      int64_t tournament, absl::FunctionRef<absl::Status(const GameSummary&)> visit) override {
    RETURN_IF_ERROR(RosterOf(tournament).status());
    ASSIGN_OR_RETURN(const GameCosts costs, postgres::VisitResults(*db_, tournament, visit));
    // It may have been deleted between two pages.
    RETURN_IF_ERROR(Tournament(tournament).status());
    return costs;
  }
  absl::Status VisitFaults(int64_t tournament, const GameFilter& filter,
                           absl::FunctionRef<absl::Status(const StoredFault&)> visit) override {
    ASSIGN_OR_RETURN(const Roster* roster, RosterOf(tournament));
    return postgres::VisitFaults(*db_, tournament, *roster, filter, visit);
  }
  absl::Status VisitTpgn(
      int64_t tournament, const GameFilter& filter,
      absl::FunctionRef<absl::Status(const GameSummary&, std::string_view)> visit) override {
    ASSIGN_OR_RETURN(const Roster* roster, RosterOf(tournament));
    RETURN_IF_ERROR(
        postgres::Visit(*db_, tournament, *roster, filter, /*wants_texts=*/true, visit));
    return Tournament(tournament).status();  // as in VisitResults
  }

  absl::StatusOr<std::optional<uint64_t>> TryLead() override { return db_->TryLead(); }
  absl::Status SaveLeases(std::span<const StoredLease> leases) override {
    return postgres::SaveLeases(*db_, leases);
  }
  absl::StatusOr<std::vector<StoredLease>> LiveLeases() override {
    return postgres::LiveLeases(*db_);
  }
  absl::Status SaveWorkers(std::span<const StoredWorker> workers) override {
    return postgres::SaveWorkers(*db_, workers);
  }
  absl::StatusOr<std::vector<StoredWorker>> Workers() override { return postgres::Workers(*db_); }
  absl::Status AddMatches(int64_t tournament, std::span<const PlannedMatch> matches) override {
    RETURN_IF_ERROR(RosterOf(tournament).status());
    return postgres::AddMatches(*db_, tournament, matches);
  }
  absl::StatusOr<std::vector<PlannedMatch>> Matches(int64_t tournament) override {
    ASSIGN_OR_RETURN(const Roster* const roster, RosterOf(tournament));
    return postgres::Matches(*db_, tournament, roster->spec);
  }
  absl::Status HoldReports(std::span<const StoredReport> reports) override {
    return postgres::HoldReports(*db_, reports);
  }
  absl::StatusOr<std::vector<StoredReport>> HeldReports() override {
    return postgres::HeldReports(*db_);
  }
  absl::StatusOr<std::string> HeldReport(int64_t id) override {
    return postgres::HeldReport(*db_, id);
  }
  absl::Status DropReports(std::span<const int64_t> ids) override {
    return postgres::DropReports(*db_, ids);
  }
  absl::Status AddAudits(std::span<const StoredAudit> audits) override {
    return postgres::AddAudits(*db_, audits);
  }
  absl::StatusOr<std::vector<StoredAuditCount>> AuditCounts() override {
    return postgres::AuditCounts(*db_);
  }
  absl::Status AddRatings(int64_t tournament, std::span<const RatingPoint> points) override {
    RETURN_IF_ERROR(RosterOf(tournament).status());
    return postgres::AddRatings(*db_, tournament, points);
  }
  absl::StatusOr<std::vector<RatingPoint>> Ratings(int64_t tournament) override {
    RETURN_IF_ERROR(RosterOf(tournament).status());
    return postgres::Ratings(*db_, tournament);
  }
  absl::Status BeginDelete(int64_t tournament) override {
    ASSIGN_OR_RETURN(const StoredTournament stored, Tournament(tournament));
    RETURN_IF_ERROR(CheckIsOver(tournament, stored.state));
    RETURN_IF_ERROR(postgres::BeginDelete(*db_, tournament));
    rosters_.erase(tournament);
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<int64_t>> Deleting() override { return postgres::Deleting(*db_); }
  absl::StatusOr<bool> DeleteSome(int64_t tournament) override {
    return postgres::DeleteSome(*db_, tournament);
  }
  absl::StatusOr<int64_t> Prune(History what, const std::string& before, bool is_dry_run) override {
    return postgres::Prune(*db_, what, before, is_dry_run);
  }
  absl::Status AddBundle(const StoredBundle& bundle, const std::string& tar) override {
    return postgres::AddBundle(*db_, bundle, tar);
  }
  absl::StatusOr<std::vector<StoredBundle>> Bundles() override { return postgres::Bundles(*db_); }
  absl::StatusOr<std::string> BundleTar(const std::string& digest) override {
    return postgres::BundleTar(*db_, digest);
  }
  absl::Status RemoveBundle(const std::string& digest) override {
    return postgres::RemoveBundle(*db_, digest);
  }

 private:
  absl::StatusOr<StoredTournament> ReadTournament(const pqxx::row& row) const;
  absl::Status ReadTournaments(pqxx::transaction_base& tx, int64_t id,
                               std::vector<StoredTournament>* tournaments) const;
  absl::StatusOr<int64_t> FindOrAdd(pqxx::transaction_base& tx, const TournamentSpec& spec) const;
  absl::StatusOr<const Roster*> RosterOf(int64_t tournament);
  absl::StatusOr<StoredTournament> ArenaTournament(pqxx::transaction_base& tx,
                                                   const ArenaGame& game) const;
  absl::StatusOr<GamePlace> RecordArenaGameIn(pqxx::transaction_base& tx,
                                              const ArenaGame& game) const;
  absl::Status NotThere(int64_t tournament) const;

  std::unique_ptr<Database> db_;
  // A tournament's bots never change; `games` in its spec may be outdated here.
  std::map<int64_t, Roster> rosters_;
};

// ---- Tournaments.

int64_t InsertTournament(pqxx::transaction_base& tx, const TournamentSpec& spec,
                         const std::string& spec_text) {
  const auto id = tx.exec_prepared1("add_tournament", Text(spec.name), spec.game, SpecToJson(spec),
                                    Text(spec_text), spec.games)[0]
                      .as<int64_t>();
  int64_t number = 0;
  for (const BotSpec& bot : spec.bots) {
    tx.exec_prepared0("add_bot", id, number++, Text(bot.name), bot.bot, Text(BotText(bot)));
  }
  return id;
}

absl::StatusOr<int64_t> PostgresStore::OpenTournament(const TournamentSpec& spec) {
  const TournamentSpec asked = WithoutOutput(spec);
  // Readers get the tournament as it is.
  ASSIGN_OR_RETURN(const std::vector<StoredTournament> all, Tournaments());
  for (const StoredTournament& there : all) {
    if (SpecToJson(there.spec) == SpecToJson(Continued(there.spec, spec))) return there.id;
  }
  int64_t id = 0;
  RETURN_IF_ERROR(db_->Write([&](pqxx::transaction_base& tx) -> absl::Status {
    ASSIGN_OR_RETURN(id, FindOrAdd(tx, asked));
    return absl::OkStatus();
  }));
  rosters_.clear();
  return id;
}

absl::StatusOr<int64_t> PostgresStore::FindOrAdd(pqxx::transaction_base& tx,
                                                 const TournamentSpec& spec) const {
  // Two processes that open the same tournament concurrently must find a single one.
  tx.exec0("LOCK TABLE tournaments IN SHARE ROW EXCLUSIVE MODE");
  std::vector<StoredTournament> all;
  RETURN_IF_ERROR(ReadTournaments(tx, 0, &all));
  for (const StoredTournament& there : all) {
    if (!SpecDifference(there.spec, spec).empty()) continue;
    const auto games_end = tx.exec_prepared1("games_end", there.id)[0].as<int64_t>();
    RETURN_IF_ERROR(CheckContinues(absl::StrFormat("the database %s", db_->shown()), there.spec,
                                   spec, games_end));
    tx.exec_prepared0("change_spec", there.id, SpecToJson(Continued(there.spec, spec)), spec.games);
    return there.id;
  }
  return InsertTournament(tx, spec, "");
}

absl::StatusOr<StoredTournament> PostgresStore::AddTournament(const TournamentSpec& spec,
                                                              const std::string& spec_text) {
  std::vector<StoredTournament> added;
  RETURN_IF_ERROR(db_->Write([&](pqxx::transaction_base& tx) {
    return ReadTournaments(tx, InsertTournament(tx, WithoutOutput(spec), spec_text), &added);
  }));
  return std::move(added.front());
}

absl::Status PostgresStore::SetState(int64_t tournament, TournamentState state) {
  RETURN_IF_ERROR(RosterOf(tournament).status());
  return db_->Write([&](pqxx::transaction_base& tx) {
    tx.exec_prepared0("set_state", tournament, std::string(ToString(state)));
    return absl::OkStatus();
  });
}

absl::Status PostgresStore::SetPrecedence(int64_t tournament, const Precedence& precedence) {
  RETURN_IF_ERROR(RosterOf(tournament).status());
  return db_->Write([&](pqxx::transaction_base& tx) {
    tx.exec_prepared0("set_precedence", tournament, precedence.priority, precedence.share);
    return absl::OkStatus();
  });
}

absl::Status PostgresStore::SetBotDigests(int64_t tournament,
                                          const std::vector<std::string>& digests) {
  ASSIGN_OR_RETURN(const Roster* roster, RosterOf(tournament));
  const size_t bots = std::min(digests.size(), roster->bot_ids.size());
  return db_->Write([&](pqxx::transaction_base& tx) {
    for (size_t i = 0; i < bots; ++i) {
      tx.exec_prepared0("set_digest", tournament, i, Text(digests[i]));
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<StoredTournament> PostgresStore::ReadTournament(const pqxx::row& row) const {
  StoredTournament stored;
  stored.id = row[0].as<int64_t>();
  absl::StatusOr<TournamentSpec> spec = SpecFromJson(row[1].c_str());
  if (!spec.ok()) {
    return absl::DataLossError(absl::StrFormat("database %s, tournament %d: %s", db_->shown(),
                                               stored.id, spec.status().message()));
  }
  stored.spec = *std::move(spec);
  stored.spec_text = row[2].as<std::string>();
  // An unknown word comes from a later version. No games are then leased.
  stored.state = ParseTournamentState(row[3].c_str()).value_or(TournamentState::kPaused);
  stored.created = row[4].as<std::string>();
  stored.games_recorded = row[5].as<int64_t>();
  stored.precedence = {.priority = row[6].as<int64_t>(), .share = row[7].as<int64_t>()};
  stored.ended = row[8].as<std::string>();
  for (size_t i = 0; i < kGameChecks; ++i) {
    stored.checks[i] = row[static_cast<pqxx::row::size_type>(9 + i)].as<int64_t>();
  }
  return stored;
}

absl::Status PostgresStore::ReadTournaments(pqxx::transaction_base& tx, int64_t id,
                                            std::vector<StoredTournament>* tournaments) const {
  tournaments->clear();
  for (const pqxx::row& row : tx.exec_prepared("tournaments", id)) {
    ASSIGN_OR_RETURN(StoredTournament stored, ReadTournament(row));
    for (const pqxx::row& bot : tx.exec_prepared("bots", stored.id)) {
      stored.bot_digests.push_back(bot[1].as<std::string>());
    }
    tournaments->push_back(std::move(stored));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<StoredTournament>> PostgresStore::Tournaments() {
  std::vector<StoredTournament> tournaments;
  RETURN_IF_ERROR(
      db_->Read([&](pqxx::transaction_base& tx) { return ReadTournaments(tx, 0, &tournaments); }));
  return tournaments;
}

absl::StatusOr<StoredTournament> PostgresStore::Tournament(int64_t id) {
  std::vector<StoredTournament> tournaments;
  if (id > 0) {
    RETURN_IF_ERROR(db_->Read(
        [&](pqxx::transaction_base& tx) { return ReadTournaments(tx, id, &tournaments); }));
  }
  if (tournaments.empty()) return NotThere(id);
  return std::move(tournaments.front());
}

absl::Status PostgresStore::NotThere(int64_t tournament) const {
  return absl::NotFoundError(
      absl::StrFormat("there is no tournament %d in database %s", tournament, db_->shown()));
}

absl::StatusOr<const Roster*> PostgresStore::RosterOf(int64_t tournament) {
  const auto found = rosters_.find(tournament);
  if (found != rosters_.end()) return &found->second;
  ASSIGN_OR_RETURN(StoredTournament stored, Tournament(tournament));
  Roster roster;
  RETURN_IF_ERROR(db_->Read([&](pqxx::transaction_base& tx) {
    roster = {.spec = stored.spec, .bot_ids = {}, .bot_numbers = {}};
    for (const pqxx::row& row : tx.exec_prepared("bots", tournament)) {
      roster.bot_numbers[row[0].as<int64_t>()] = static_cast<int>(roster.bot_ids.size());
      roster.bot_ids.push_back(row[0].as<int64_t>());
    }
    return absl::OkStatus();
  }));
  if (roster.bot_ids.size() != roster.spec.bots.size()) {
    return absl::DataLossError(
        absl::StrFormat("database %s: tournament %d lacks bots", db_->shown(), tournament));
  }
  return &rosters_.emplace(tournament, std::move(roster)).first->second;
}

// ---- Games of arenas.

absl::StatusOr<StoredTournament> PostgresStore::ArenaTournament(pqxx::transaction_base& tx,
                                                                const ArenaGame& game) const {
  std::vector<StoredTournament> found;
  for (const pqxx::row& row : tx.exec_prepared("find_arena", Text(game.tournament))) {
    RETURN_IF_ERROR(ReadTournaments(tx, row[0].as<int64_t>(), &found));
  }
  if (found.empty()) {  // or it was deleted
    const int64_t id = InsertTournament(tx, ArenaSpec(game), "");
    tx.exec_prepared0("set_arena", Text(game.tournament), id);
    RETURN_IF_ERROR(ReadTournaments(tx, id, &found));
  }
  return std::move(found.front());
}

absl::StatusOr<GamePlace> PostgresStore::RecordArenaGameIn(pqxx::transaction_base& tx,
                                                           const ArenaGame& game) const {
  // Of two arenas, one waits for the other.
  tx.exec0("LOCK TABLE arena_games IN SHARE ROW EXCLUSIVE MODE");
  for (const pqxx::row& row : tx.exec_prepared("find_arena_game", Text(game.table))) {
    return GamePlace{row[0].as<int64_t>(), row[1].as<int64_t>()};
  }
  ASSIGN_OR_RETURN(StoredTournament stored, ArenaTournament(tx, game));
  const AddedGame added = AddToSpec(game, stored.games_recorded, &stored.spec);
  for (size_t i = added.bots_before; i < stored.spec.bots.size(); ++i) {
    const BotSpec& bot = stored.spec.bots[i];
    tx.exec_prepared0("add_bot", stored.id, i, Text(bot.name), bot.bot, Text(BotText(bot)));
  }
  tx.exec_prepared0("change_spec", stored.id, SpecToJson(stored.spec), stored.spec.games);
  Roster roster{.spec = stored.spec, .bot_ids = {}, .bot_numbers = {}};
  for (const pqxx::row& row : tx.exec_prepared("bots", stored.id)) {
    roster.bot_ids.push_back(row[0].as<int64_t>());
  }
  RETURN_IF_ERROR(postgres::RecordOne(tx, stored.id, roster, added.record));
  tx.exec_prepared0("add_arena_game", Text(game.table), stored.id, added.record.index);
  return GamePlace{stored.id, added.record.index};
}

absl::StatusOr<GamePlace> PostgresStore::RecordArenaGame(const ArenaGame& game) {
  GamePlace place;
  RETURN_IF_ERROR(db_->RunOnce([&](pqxx::transaction_base& tx) -> absl::Status {
    ASSIGN_OR_RETURN(place, RecordArenaGameIn(tx, game));
    return absl::OkStatus();
  }));
  rosters_.erase(place.tournament);
  return place;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Store>> OpenPostgresStore(const std::string& url, OpenMode mode) {
  ASSIGN_OR_RETURN(std::unique_ptr<Database> db, Database::Open(url, mode == OpenMode::kReadOnly));
  RETURN_IF_ERROR(postgres::PrepareSchema(*db, mode, PostgresMigrations()));
  return std::make_unique<PostgresStore>(std::move(db));
}

}  // namespace triarch
