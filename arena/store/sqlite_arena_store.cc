// Stores the events of an arena's tables in an SQLite file.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "arena/store/arena_store.h"
#include "coordinator/store/sqlite_db.h"
#include "core/base/status_macros.h"

namespace triarch::arena {
namespace {

using sqlite::Database;
using sqlite::Statement;
using sqlite::Transaction;

class SqliteArenaStore final : public ArenaStore {
 public:
  SqliteArenaStore(std::unique_ptr<Store> games, std::unique_ptr<Database> db, Statement add_table,
                   Statement add_event)
      : games_(std::move(games)),
        db_(std::move(db)),
        add_table_(std::move(add_table)),
        add_event_(std::move(add_event)) {}

  absl::StatusOr<std::vector<absl::Status>> Append(std::span<const Appended> batch) override {
    std::vector<absl::Status> statuses;
    ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(*db_));
    for (const Appended& appended : batch) {
      absl::Status status = AppendOne(appended);
      if (!status.ok() && !absl::IsAlreadyExists(status)) return status;
      statuses.push_back(std::move(status));
    }
    RETURN_IF_ERROR(transaction.Commit());
    return statuses;
  }

  absl::StatusOr<std::vector<Event>> Events(const std::string& table, int64_t first) override {
    ASSIGN_OR_RETURN(Statement select,
                     db_->Prepare("SELECT event FROM arena_events WHERE table_id = ?1 AND n >= ?2 "
                                  "ORDER BY n"));
    select.Bind(table, first);
    std::vector<Event> events;
    while (true) {
      ASSIGN_OR_RETURN(const bool has_row, select.Step());
      if (!has_row) return events;
      ASSIGN_OR_RETURN(Event event, EventFromJson(select.Text(0)));
      events.push_back(std::move(event));
    }
  }

  absl::StatusOr<std::vector<TableSize>> Tables(int64_t ended_after_ms) override {
    ASSIGN_OR_RETURN(
        Statement select,
        db_->Prepare("SELECT id, (SELECT max(n) + 1 FROM arena_events WHERE table_id = id) "
                     "FROM arena_tables WHERE ended_ms = 0 OR ended_ms > ?1"));
    select.Bind(ended_after_ms);
    std::vector<TableSize> tables;
    RETURN_IF_ERROR(ForEachRow(select, [&tables](const Statement& row) {
      tables.push_back({.table = std::string(row.Text(0)), .events = row.Int(1)});
    }));
    return tables;
  }

  absl::Status End(const EndedTable& ended) override {
    if (ended.record) RETURN_IF_ERROR(games_->RecordArenaGame(*ended.record).status());
    ASSIGN_OR_RETURN(Statement update,
                     db_->Prepare("UPDATE arena_tables SET ended_ms = ?2 WHERE id = ?1"));
    return update.Bind(ended.table, ended.ended_ms).Run();
  }

  absl::Status AddPlayer(const StoredPlayer& player) override {
    ASSIGN_OR_RETURN(
        Statement insert,
        db_->Prepare("INSERT INTO arena_players (id, name, owner, key_hash, created_ms) "
                     "VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO NOTHING"));
    RETURN_IF_ERROR(insert
                        .Bind(absl::AsciiStrToLower(player.name), player.name, player.owner,
                              player.key_hash, player.created_ms)
                        .Run());
    if (db_->changes() == 0) return absl::AlreadyExistsError("the name belongs to an account");
    return absl::OkStatus();
  }

  absl::StatusOr<std::optional<StoredPlayer>> FindPlayer(const std::string& name) override {
    return PlayerWhere("id = ?1", absl::AsciiStrToLower(name));
  }

  absl::StatusOr<std::optional<StoredPlayer>> FindKey(const std::string& key_hash) override {
    return PlayerWhere("key_hash = ?1", key_hash);
  }

  absl::Status SetKey(const std::string& name, const std::string& key_hash) override {
    ASSIGN_OR_RETURN(Statement update,
                     db_->Prepare("UPDATE arena_players SET key_hash = ?2 WHERE id = ?1"));
    RETURN_IF_ERROR(update.Bind(absl::AsciiStrToLower(name), key_hash).Run());
    return db_->changes() == 0 ? absl::NotFoundError("there is no such player") : absl::OkStatus();
  }

  absl::StatusOr<std::vector<ListedGame>> Games(const GamesQuery& query) override {
    ASSIGN_OR_RETURN(
        Statement select,
        db_->Prepare(
            "SELECT arena_tables.id, arena_tables.game, arena_tables.ended_ms, tournaments.name, "
            "games.result, games.placement, games.termination, games.plies, "
            "(SELECT bots.name FROM game_seats JOIN bots ON bots.id = game_seats.bot "
            " WHERE game_seats.game = games.id AND seat = 1), "
            "(SELECT bots.name FROM game_seats JOIN bots ON bots.id = game_seats.bot "
            " WHERE game_seats.game = games.id AND seat = 2), "
            "(SELECT bots.name FROM game_seats JOIN bots ON bots.id = game_seats.bot "
            " WHERE game_seats.game = games.id AND seat = 3), "
            "games.tournament, games.idx "
            "FROM arena_tables JOIN arena_games ON arena_games.table_id = arena_tables.id "
            "JOIN tournaments ON tournaments.id = arena_games.tournament "
            "JOIN games ON games.tournament = arena_games.tournament "
            "AND games.idx = arena_games.idx "
            "WHERE arena_tables.ended_ms > 0 "
            "AND (arena_tables.ended_ms, arena_tables.id) < (?1, ?2) "
            "AND (?3 = '' OR arena_tables.game = ?3) "
            "AND (?4 = '' OR arena_tables.id = ?4) "
            "ORDER BY arena_tables.ended_ms DESC, arena_tables.id DESC LIMIT ?5"));
    select.Bind(query.before_ms, query.before_table, query.game, query.table, query.limit);
    std::vector<ListedGame> games;
    RETURN_IF_ERROR(ForEachRow(select, [&games](const Statement& row) {
      ListedGame game{.table = std::string(row.Text(0)),
                      .game = std::string(row.Text(1)),
                      .tournament_name = std::string(row.Text(3)),
                      .place = {.tournament = row.Int(11), .index = row.Int(12)},
                      .ended_ms = row.Int(2),
                      .players = {},
                      .result = std::string(row.Text(4)),
                      .placement = std::string(row.Text(5)),
                      .termination = std::string(row.Text(6)),
                      .plies = row.Int(7)};
      for (int i = 0; i < 3; ++i) {
        game.players[SeatAt(static_cast<size_t>(i))] = std::string(row.Text(8 + i));
      }
      games.push_back(std::move(game));
    }));
    return games;
  }

  absl::Status AddBan(const Ban& ban) override {
    ASSIGN_OR_RETURN(
        Statement insert,
        db_->Prepare("INSERT INTO arena_bans (kind, what, note, since_ms) VALUES (?1, ?2, ?3, ?4) "
                     "ON CONFLICT (kind, what) DO UPDATE SET note = ?3, since_ms = ?4"));
    return insert.Bind(ToString(ban.kind), ban.what, ban.note, ban.since_ms).Run();
  }

  absl::Status RemoveBan(Ban::Kind kind, const std::string& what) override {
    ASSIGN_OR_RETURN(Statement remove,
                     db_->Prepare("DELETE FROM arena_bans WHERE kind = ?1 AND what = ?2"));
    RETURN_IF_ERROR(remove.Bind(ToString(kind), what).Run());
    return db_->changes() == 0 ? absl::NotFoundError("there is no such ban") : absl::OkStatus();
  }

  absl::StatusOr<std::vector<Ban>> Bans() override {
    ASSIGN_OR_RETURN(Statement select,
                     db_->Prepare("SELECT kind, what, note, since_ms FROM arena_bans"));
    std::vector<Ban> bans;
    while (true) {
      ASSIGN_OR_RETURN(const bool has_row, select.Step());
      if (!has_row) break;
      ASSIGN_OR_RETURN(const Ban::Kind kind, ParseBanKind(select.Text(0)));
      bans.push_back(
          {kind, std::string(select.Text(1)), std::string(select.Text(2)), select.Int(3)});
    }
    SortBans(bans);
    return bans;
  }

 private:
  absl::StatusOr<std::optional<StoredPlayer>> PlayerWhere(const std::string& condition,
                                                          const std::string& value) {
    ASSIGN_OR_RETURN(Statement select,
                     db_->Prepare("SELECT name, owner, key_hash, created_ms FROM arena_players "
                                  "WHERE " +
                                  condition));
    std::optional<StoredPlayer> found;
    RETURN_IF_ERROR(ForEachRow(select.Bind(value), [&found](const Statement& row) {
      found = StoredPlayer{.name = std::string(row.Text(0)),
                           .owner = std::string(row.Text(1)),
                           .key_hash = std::string(row.Text(2)),
                           .created_ms = row.Int(3)};
    }));
    return found;
  }

  absl::Status AppendOne(const Appended& appended) {
    int64_t n = appended.first;
    for (const Event& event : appended.events) {
      if (event.kind == Event::Kind::kOpened) {
        RETURN_IF_ERROR(add_table_.Bind(appended.table, event.settings.game, event.time_ms).Run());
      }
      RETURN_IF_ERROR(add_event_.Bind(appended.table, n++, EventToJson(event)).Run());
      if (db_->changes() == 0) {
        return absl::AlreadyExistsError("the table has gone on");
      }
    }
    return absl::OkStatus();
  }

  std::unique_ptr<Store> games_;  // holds the file's lock
  std::unique_ptr<Database> db_;
  Statement add_table_;
  Statement add_event_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ArenaStore>> OpenSqliteArenaStore(const std::string& path) {
  ASSIGN_OR_RETURN(std::unique_ptr<Store> games, OpenSqliteStore(path, OpenMode::kCreate));
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(path, error).string();
  ASSIGN_OR_RETURN(std::unique_ptr<Database> db,
                   Database::Open(absolute, path, sqlite::Access::kWrite));
  // Accepted moves survive a power cut, unlike a tournament's last games, which would be played
  // again.
  RETURN_IF_ERROR(db->Run("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON"));
  ASSIGN_OR_RETURN(Statement add_table,
                   db->Prepare("INSERT INTO arena_tables (id, game, opened_ms) "
                               "VALUES (?1, ?2, ?3) ON CONFLICT (id) DO NOTHING"));
  ASSIGN_OR_RETURN(Statement add_event,
                   db->Prepare("INSERT INTO arena_events (table_id, n, event) VALUES (?1, ?2, ?3) "
                               "ON CONFLICT (table_id, n) DO NOTHING"));
  return std::make_unique<SqliteArenaStore>(std::move(games), std::move(db), std::move(add_table),
                                            std::move(add_event));
}

}  // namespace triarch::arena
