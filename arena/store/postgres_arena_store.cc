// Stores the events of an arena's tables in PostgreSQL, which several arenas may share.

#include <algorithm>
#include <array>
#include <optional>
#include <pqxx/pqxx>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "arena/store/arena_store.h"
#include "arena/store/postgres_peers.h"
#include "coordinator/store/postgres_db.h"
#include "core/base/status_macros.h"

namespace triarch::arena {
namespace {

using postgres::Prepared;

constexpr std::array<Prepared, 12> kArenaStatements = {{
    // One round trip and one transaction. A conflict undoes everything.
    {"arena_append",
     "WITH opened AS (INSERT INTO arena_tables (id, game, opened_ms, runner) "
     " SELECT id, game, opened_ms, $1 FROM unnest($2::text[], $3::text[], $4::bigint[]) "
     " AS opening (id, game, opened_ms)), "
     "added AS (INSERT INTO arena_events (table_id, n, event) "
     " SELECT * FROM unnest($5::text[], $6::bigint[], $7::text[])) "
     "SELECT pg_notify($8, note) FROM unnest($9::text[]) AS note"},
    {"arena_events", "SELECT event FROM arena_events WHERE table_id = $1 AND n >= $2 ORDER BY n"},
    {"arena_tables",
     "SELECT id, (SELECT max(n) + 1 FROM arena_events WHERE table_id = id) FROM arena_tables "
     "WHERE ended_ms = 0 UNION ALL "
     "SELECT id, (SELECT max(n) + 1 FROM arena_events WHERE table_id = id) FROM arena_tables "
     "WHERE ended_ms > greatest($1, 0::bigint)"},
    {"arena_end",
     "WITH ended AS (UPDATE arena_tables SET ended_ms = $2 WHERE id = $1) "
     "SELECT pg_notify($3, $4)"},
    {"arena_add_player",
     "INSERT INTO arena_players (id, name, owner, key_hash, created_ms) "
     "VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING"},
    {"arena_find_player",
     "SELECT name, owner, key_hash, created_ms FROM arena_players WHERE id = $1"},
    {"arena_find_key",
     "SELECT name, owner, key_hash, created_ms FROM arena_players WHERE key_hash = $1"},
    {"arena_set_key", "UPDATE arena_players SET key_hash = $2 WHERE id = $1"},
    {"arena_add_ban",
     "INSERT INTO arena_bans (kind, what, note, since_ms) VALUES ($1, $2, $3, $4) "
     "ON CONFLICT (kind, what) DO UPDATE SET note = $3, since_ms = $4"},
    {"arena_remove_ban", "DELETE FROM arena_bans WHERE kind = $1 AND what = $2"},
    {"arena_bans", "SELECT kind, what, note, since_ms FROM arena_bans"},
    {"arena_list_games",
     "SELECT t.id, t.game, t.ended_ms, tournaments.name, games.result, games.placement, "
     "games.termination, games.plies, "
     "coalesce((SELECT bots.name FROM game_seats JOIN bots ON bots.id = game_seats.bot "
     " WHERE game_seats.tournament = games.tournament AND game_seats.idx = games.idx "
     " AND seat = 1), ''), "
     "coalesce((SELECT bots.name FROM game_seats JOIN bots ON bots.id = game_seats.bot "
     " WHERE game_seats.tournament = games.tournament AND game_seats.idx = games.idx "
     " AND seat = 2), ''), "
     "coalesce((SELECT bots.name FROM game_seats JOIN bots ON bots.id = game_seats.bot "
     " WHERE game_seats.tournament = games.tournament AND game_seats.idx = games.idx "
     " AND seat = 3), ''), games.tournament, games.idx "
     "FROM arena_tables AS t JOIN arena_games ON arena_games.table_id = t.id "
     "JOIN tournaments ON tournaments.id = arena_games.tournament "
     "JOIN games ON games.tournament = arena_games.tournament AND games.idx = arena_games.idx "
     "WHERE t.ended_ms > 0 AND (t.ended_ms, t.id) < ($1::bigint, $2::text) "
     "AND ($3::text = '' OR t.game = $3) AND ($4::text = '' OR t.id = $4) "
     "ORDER BY t.ended_ms DESC, t.id DESC LIMIT $5"},
}};

// Writes a list as PostgreSQL reads arrays: {"a","b"}.
class ArrayWriter {
 public:
  void Add(std::string_view text) {
    text_ += text_.empty() ? "{\"" : ",\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') text_ += '\\';
      text_ += c;
    }
    text_ += '"';
  }
  void Add(int64_t number) { Add(std::to_string(number)); }
  std::string text() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

// Appended events with their place in the batch.
struct BatchPart {
  const Appended* appended = nullptr;
  size_t place = 0;
};

StoredPlayer StoredPlayerOf(const pqxx::row& row) {
  return {.name = row[0].as<std::string>(),
          .owner = row[1].as<std::string>(),
          .key_hash = row[2].as<std::string>(),
          .created_ms = row[3].as<int64_t>()};
}

ListedGame ListedGameOf(const pqxx::row& row) {
  ListedGame game{.table = row[0].as<std::string>(),
                  .game = row[1].as<std::string>(),
                  .tournament_name = row[3].as<std::string>(),
                  .place = {.tournament = row[11].as<int64_t>(), .index = row[12].as<int64_t>()},
                  .ended_ms = row[2].as<int64_t>(),
                  .players = {},
                  .result = row[4].as<std::string>(),
                  .placement = row[5].as<std::string>(),
                  .termination = row[6].as<std::string>(),
                  .plies = row[7].as<int64_t>()};
  for (int i = 0; i < 3; ++i) {
    game.players[SeatAt(static_cast<size_t>(i))] = row[8 + i].as<std::string>();
  }
  return game;
}

class PostgresArenaStore final : public ArenaStore {
 public:
  PostgresArenaStore(std::unique_ptr<Store> games, std::unique_ptr<postgres::Database> db,
                     std::string instance)
      : games_(std::move(games)), db_(std::move(db)), instance_(std::move(instance)) {
    db_->Add(kArenaStatements);
  }

  absl::StatusOr<std::vector<absl::Status>> Append(std::span<const Appended> batch) override {
    std::vector<absl::Status> statuses(batch.size());
    std::vector<BatchPart> parts;
    for (const Appended& appended : batch) parts.push_back({&appended, parts.size()});
    // Two batches with the same tables wait for each other in the same order.
    std::stable_sort(parts.begin(), parts.end(), [](const BatchPart& a, const BatchPart& b) {
      return a.appended->table < b.appended->table;
    });
    RETURN_IF_ERROR(AppendAll(parts, statuses));
    return statuses;
  }

  absl::StatusOr<std::vector<Event>> Events(const std::string& table, int64_t first) override {
    std::vector<Event> events;
    RETURN_IF_ERROR(db_->Read([&](pqxx::transaction_base& tx) -> absl::Status {
      events.clear();
      for (const pqxx::row& row : tx.exec_prepared("arena_events", postgres::Text(table), first)) {
        ASSIGN_OR_RETURN(Event event, EventFromJson(row[0].c_str()));
        events.push_back(std::move(event));
      }
      return absl::OkStatus();
    }));
    return events;
  }

  absl::StatusOr<std::vector<TableSize>> Tables(int64_t ended_after_ms) override {
    std::vector<TableSize> tables;
    RETURN_IF_ERROR(db_->Read([&](pqxx::transaction_base& tx) {
      tables.clear();
      for (const pqxx::row& row : tx.exec_prepared("arena_tables", ended_after_ms)) {
        tables.push_back({.table = row[0].as<std::string>(), .events = row[1].as<int64_t>(0)});
      }
      return absl::OkStatus();
    }));
    return tables;
  }

  absl::Status End(const EndedTable& ended) override {
    if (ended.record) RETURN_IF_ERROR(games_->RecordArenaGame(*ended.record).status());
    return db_->WriteAnyway([&](pqxx::transaction_base& tx) {
      tx.exec_prepared("arena_end", ended.table, ended.ended_ms, kArenaChannel, instance_);
      return absl::OkStatus();
    });
  }

  absl::Status AddPlayer(const StoredPlayer& player) override {
    bool is_added = false;
    RETURN_IF_ERROR(db_->WriteAnyway([&](pqxx::transaction_base& tx) {
      const std::string id = absl::AsciiStrToLower(player.name);
      is_added = tx.exec_prepared("arena_add_player", postgres::Text(id), player.name,
                                  postgres::Text(player.owner), player.key_hash, player.created_ms)
                     .affected_rows() > 0;
      return absl::OkStatus();
    }));
    if (is_added) return absl::OkStatus();
    // It may be ours, if the first attempt lost its answer.
    ASSIGN_OR_RETURN(const std::optional<StoredPlayer> there, FindPlayer(player.name));
    if (there == player) return absl::OkStatus();
    return absl::AlreadyExistsError("the name belongs to an account");
  }

  absl::StatusOr<std::optional<StoredPlayer>> FindPlayer(const std::string& name) override {
    return PlayerWhere("arena_find_player", absl::AsciiStrToLower(name));
  }
  absl::StatusOr<std::optional<StoredPlayer>> FindKey(const std::string& key_hash) override {
    return PlayerWhere("arena_find_key", key_hash);
  }

  absl::Status SetKey(const std::string& name, const std::string& key_hash) override {
    bool is_there = false;
    RETURN_IF_ERROR(db_->WriteAnyway([&](pqxx::transaction_base& tx) {
      const std::string id = absl::AsciiStrToLower(name);
      is_there =
          tx.exec_prepared("arena_set_key", postgres::Text(id), key_hash).affected_rows() > 0;
      return absl::OkStatus();
    }));
    return is_there ? absl::OkStatus() : absl::NotFoundError("there is no such player");
  }

  absl::Status AddBan(const Ban& ban) override {
    return db_->WriteAnyway([&](pqxx::transaction_base& tx) {
      tx.exec_prepared("arena_add_ban", std::string(ToString(ban.kind)), postgres::Text(ban.what),
                       postgres::Text(ban.note), ban.since_ms);
      return absl::OkStatus();
    });
  }

  absl::Status RemoveBan(Ban::Kind kind, const std::string& what) override {
    bool is_there = false;
    RETURN_IF_ERROR(db_->WriteAnyway([&](pqxx::transaction_base& tx) {
      is_there =
          tx.exec_prepared("arena_remove_ban", std::string(ToString(kind)), postgres::Text(what))
              .affected_rows() > 0;
      return absl::OkStatus();
    }));
    return is_there ? absl::OkStatus() : absl::NotFoundError("there is no such ban");
  }

  absl::StatusOr<std::vector<Ban>> Bans() override {
    std::vector<Ban> bans;
    RETURN_IF_ERROR(db_->Read([&](pqxx::transaction_base& tx) -> absl::Status {
      bans.clear();
      for (const pqxx::row& row : tx.exec_prepared("arena_bans")) {
        ASSIGN_OR_RETURN(const Ban::Kind kind, ParseBanKind(row[0].c_str()));
        bans.push_back(
            {kind, row[1].as<std::string>(), row[2].as<std::string>(), row[3].as<int64_t>()});
      }
      return absl::OkStatus();
    }));
    SortBans(bans);
    return bans;
  }

  absl::StatusOr<std::vector<ListedGame>> Games(const GamesQuery& query) override {
    std::vector<ListedGame> games;
    RETURN_IF_ERROR(db_->Read([&](pqxx::transaction_base& tx) {
      games.clear();
      for (const pqxx::row& row :
           tx.exec_prepared("arena_list_games", query.before_ms, postgres::Text(query.before_table),
                            postgres::Text(query.game), postgres::Text(query.table), query.limit)) {
        games.push_back(ListedGameOf(row));
      }
      return absl::OkStatus();
    }));
    return games;
  }

 private:
  // Appends all parts, or finds out which ones conflict by appending each half.
  absl::Status AppendAll(std::span<const BatchPart> parts, std::vector<absl::Status>& statuses) {
    if (parts.empty()) return absl::OkStatus();
    const absl::Status status = AppendTogether(parts);
    if (!absl::IsAlreadyExists(status)) return status;
    if (parts.size() == 1) {
      statuses[parts[0].place] = status;
      return absl::OkStatus();
    }
    const size_t half = parts.size() / 2;
    RETURN_IF_ERROR(AppendAll(parts.first(half), statuses));
    return AppendAll(parts.subspan(half), statuses);
  }

  // AlreadyExists: some part conflicts, and nothing is stored.
  absl::Status AppendTogether(std::span<const BatchPart> parts) {
    ArrayWriter opened, games, times, tables, numbers, events, notes;
    for (const BatchPart& part : parts) {
      const Appended& appended = *part.appended;
      int64_t n = appended.first;
      for (const Event& event : appended.events) {
        if (event.kind == Event::Kind::kOpened) {
          opened.Add(appended.table);
          games.Add(event.settings.game);
          times.Add(event.time_ms);
        }
        tables.Add(appended.table);
        numbers.Add(n++);
        events.Add(EventToJson(event));
      }
      notes.Add(absl::StrFormat("%s %s %d", instance_, appended.table, n));
    }
    return db_->WriteAnyway([&](pqxx::transaction_base& tx) -> absl::Status {
      try {
        tx.exec_prepared("arena_append", instance_, opened.text(), games.text(), times.text(),
                         postgres::Text(tables.text()), numbers.text(),
                         postgres::Text(events.text()), kArenaChannel, notes.text());
        return absl::OkStatus();
      } catch (const pqxx::unique_violation&) {
        return absl::AlreadyExistsError("the table has gone on");
      }
    });
  }

  absl::StatusOr<std::optional<StoredPlayer>> PlayerWhere(const char* statement,
                                                          const std::string& value) {
    std::optional<StoredPlayer> found;
    RETURN_IF_ERROR(db_->Read([&](pqxx::transaction_base& tx) {
      for (const pqxx::row& row : tx.exec_prepared(statement, postgres::Text(value))) {
        found = StoredPlayerOf(row);
      }
      return absl::OkStatus();
    }));
    return found;
  }

  const std::unique_ptr<Store> games_;
  const std::unique_ptr<postgres::Database> db_;
  const std::string instance_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ArenaStore>> OpenPostgresArenaStore(const std::string& url,
                                                                   const std::string& instance) {
  // Makes the tables.
  ASSIGN_OR_RETURN(std::unique_ptr<Store> games, OpenPostgresStore(url, OpenMode::kCreate));
  ASSIGN_OR_RETURN(std::unique_ptr<postgres::Database> db,
                   postgres::Database::Open(url, /*is_reader=*/false));
  return std::make_unique<PostgresArenaStore>(std::move(games), std::move(db), instance);
}

}  // namespace triarch::arena
