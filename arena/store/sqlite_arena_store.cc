// Stores the events of an arena's tables in an SQLite file.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

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

  absl::StatusOr<std::vector<std::string>> Tables(int64_t ended_after_ms) override {
    ASSIGN_OR_RETURN(Statement select,
                     db_->Prepare("SELECT id FROM arena_tables WHERE ended_ms = 0 OR "
                                  "ended_ms > ?1"));
    select.Bind(ended_after_ms);
    std::vector<std::string> ids;
    RETURN_IF_ERROR(
        ForEachRow(select, [&ids](const Statement& row) { ids.emplace_back(row.Text(0)); }));
    return ids;
  }

  absl::Status End(const EndedTable& ended) override {
    if (ended.record) RETURN_IF_ERROR(games_->RecordArenaGame(*ended.record).status());
    ASSIGN_OR_RETURN(Statement update,
                     db_->Prepare("UPDATE arena_tables SET ended_ms = ?2 WHERE id = ?1"));
    return update.Bind(ended.table, ended.ended_ms).Run();
  }

 private:
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
