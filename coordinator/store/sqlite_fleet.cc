#include "coordinator/store/sqlite_fleet.h"

#include <string>
#include <utility>

#include "coordinator/store/store_rules.h"
#include "core/base/status_macros.h"
#include "spec/spec_json.h"

namespace triarch::sqlite {
namespace {

// SQLite's integers are signed; these numbers are not.
int64_t Signed(uint64_t value) { return static_cast<int64_t>(value); }

}  // namespace

absl::StatusOr<uint64_t> NextEpoch(Database& db) {
  ASSIGN_OR_RETURN(const int64_t epoch,
                   db.AskInt("UPDATE cluster SET epoch = epoch + 1 RETURNING epoch"));
  return static_cast<uint64_t>(epoch);
}

absl::Status SaveLeases(Database& db, std::span<const StoredLease> leases) {
  ASSIGN_OR_RETURN(Statement save,
                   db.Prepare("INSERT INTO leases (token, tournament, first, last, worker, "
                              "instance, ended, ended_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, "
                              "CASE WHEN ?7 <> '' THEN strftime('%Y-%m-%dT%H:%M:%SZ', 'now') END) "
                              "ON CONFLICT (token) DO UPDATE SET ended = excluded.ended, "
                              "ended_at = excluded.ended_at"));
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(db));
  for (const StoredLease& stored : leases) {
    const Lease& lease = stored.lease;
    RETURN_IF_ERROR(save.Bind(Signed(lease.token), lease.tournament, lease.games.first,
                              lease.games.last, stored.worker.name, Signed(stored.worker.instance),
                              stored.ended)
                        .Run());
  }
  return transaction.Commit();
}

absl::StatusOr<std::vector<StoredLease>> LiveLeases(Database& db) {
  ASSIGN_OR_RETURN(Statement select,
                   db.Prepare("SELECT token, tournament, first, last, worker, instance FROM leases "
                              "WHERE ended = '' ORDER BY token < 0, token"));
  std::vector<StoredLease> leases;
  RETURN_IF_ERROR(ForEachRow(select, [&](const Statement& row) {
    leases.push_back({.worker = {.name = std::string(row.Text(4)),
                                 .instance = static_cast<uint64_t>(row.Int(5))},
                      .lease = {.tournament = row.Int(1),
                                .games = {row.Int(2), row.Int(3)},
                                .token = static_cast<uint64_t>(row.Int(0))},
                      .ended = ""});
  }));
  return leases;
}

absl::Status SaveWorkers(Database& db, std::span<const StoredWorker> workers) {
  ASSIGN_OR_RETURN(Statement save,
                   db.Prepare("INSERT INTO workers (name, slots, build, quarantine, seen) "
                              "VALUES (?1, ?2, ?3, ?4, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')) "
                              "ON CONFLICT (name) DO UPDATE SET "
                              "slots = excluded.slots, build = excluded.build, "
                              "quarantine = excluded.quarantine, seen = excluded.seen"));
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(db));
  for (const StoredWorker& worker : workers) {
    RETURN_IF_ERROR(save.Bind(worker.name, worker.slots, worker.build, worker.quarantine).Run());
  }
  return transaction.Commit();
}

absl::StatusOr<std::vector<StoredWorker>> Workers(Database& db) {
  ASSIGN_OR_RETURN(Statement select,
                   db.Prepare("SELECT name, slots, build, quarantine FROM workers ORDER BY name"));
  std::vector<StoredWorker> workers;
  RETURN_IF_ERROR(ForEachRow(select, [&](const Statement& row) {
    workers.push_back({.name = std::string(row.Text(0)),
                       .slots = row.Int(1),
                       .build = std::string(row.Text(2)),
                       .quarantine = std::string(row.Text(3))});
  }));
  return workers;
}

absl::Status AddMatches(Database& db, int64_t tournament, std::span<const PlannedMatch> matches) {
  if (matches.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(Statement add,
                   db.Prepare("INSERT INTO batches (tournament, first_match, matches) "
                              "VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING"));
  return add.Bind(tournament, matches.front().number, MatchesToJson(matches)).Run();
}

absl::StatusOr<std::vector<PlannedMatch>> Matches(Database& db, int64_t tournament,
                                                  const TournamentSpec& spec) {
  ASSIGN_OR_RETURN(Statement select, db.Prepare("SELECT matches FROM batches WHERE tournament = ?1 "
                                                "ORDER BY first_match"));
  std::vector<std::string> batches;
  RETURN_IF_ERROR(ForEachRow(select.Bind(tournament),
                             [&](const Statement& row) { batches.emplace_back(row.Text(0)); }));
  return JoinBatches(batches, spec);
}

absl::Status AddRatings(Database& db, int64_t tournament, std::span<const RatingPoint> points) {
  ASSIGN_OR_RETURN(
      Statement add,
      db.Prepare("INSERT INTO ratings (tournament, time, games, bot, rating, error) "
                 "VALUES (?1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?2, ?3, ?4, ?5)"));
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(db));
  for (const RatingPoint& point : points) {
    RETURN_IF_ERROR(add.Bind(tournament, point.games, point.bot, point.rating, point.error).Run());
  }
  return transaction.Commit();
}

absl::StatusOr<std::vector<RatingPoint>> Ratings(Database& db, int64_t tournament) {
  ASSIGN_OR_RETURN(Statement select,
                   db.Prepare("SELECT time, games, bot, rating, error FROM ratings "
                              "WHERE tournament = ?1 ORDER BY id"));
  std::vector<RatingPoint> points;
  RETURN_IF_ERROR(ForEachRow(select.Bind(tournament), [&](const Statement& row) {
    points.push_back({.time = std::string(row.Text(0)),
                      .games = row.Int(1),
                      .bot = std::string(row.Text(2)),
                      .rating = row.Real(3),
                      .error = row.Real(4)});
  }));
  return points;
}

absl::Status AddBundle(Database& db, const StoredBundle& bundle, const std::string& tar) {
  ASSIGN_OR_RETURN(
      Statement add,
      db.Prepare(
          "INSERT INTO bundles (number, digest, name, version, type, manifest, bytes, added, "
          "added_by, tar) VALUES ((SELECT coalesce(max(number), 0) + 1 FROM bundles), ?1, "
          "?2, ?3, ?4, ?5, ?6, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?7, ?8) "
          "ON CONFLICT (digest) DO UPDATE SET number = excluded.number, "
          "added = excluded.added, added_by = excluded.added_by"));
  return add
      .Bind(bundle.digest, bundle.name, bundle.version, bundle.type, bundle.manifest, bundle.bytes,
            bundle.added_by, Bytes{tar})
      .Run();
}

absl::StatusOr<std::vector<StoredBundle>> Bundles(Database& db) {
  ASSIGN_OR_RETURN(
      Statement select,
      db.Prepare("SELECT digest, manifest, name, version, type, bytes, added, added_by "
                 "FROM bundles ORDER BY number"));
  std::vector<StoredBundle> bundles;
  RETURN_IF_ERROR(ForEachRow(select, [&](const Statement& row) {
    bundles.push_back({.digest = std::string(row.Text(0)),
                       .manifest = std::string(row.Text(1)),
                       .name = std::string(row.Text(2)),
                       .version = std::string(row.Text(3)),
                       .type = std::string(row.Text(4)),
                       .bytes = row.Int(5),
                       .added = std::string(row.Text(6)),
                       .added_by = std::string(row.Text(7))});
  }));
  return bundles;
}

absl::StatusOr<std::string> BundleTar(Database& db, const std::string& digest) {
  ASSIGN_OR_RETURN(Statement select, db.Prepare("SELECT tar FROM bundles WHERE digest = ?1"));
  ASSIGN_OR_RETURN(const bool has_row, select.Bind(digest).Step());
  if (!has_row) return NoBundle(digest);
  return std::string(select.Blob(0));
}

absl::Status RemoveBundle(Database& db, const std::string& digest) {
  ASSIGN_OR_RETURN(Statement remove, db.Prepare("DELETE FROM bundles WHERE digest = ?1"));
  RETURN_IF_ERROR(remove.Bind(digest).Run());
  return db.changes() == 0 ? NoBundle(digest) : absl::OkStatus();
}

absl::StatusOr<std::optional<ShardEntry>> FindShard(Database& db, int64_t tournament,
                                                    const std::string& shard) {
  ASSIGN_OR_RETURN(Statement select, db.Prepare("SELECT sha256, games, first, last FROM shards "
                                                "WHERE tournament = ?1 AND shard = ?2"));
  std::optional<ShardEntry> found;
  RETURN_IF_ERROR(ForEachRow(select.Bind(tournament, shard), [&](const Statement& row) {
    found = ShardEntry{.shard = shard,
                       .sha256 = std::string(row.Text(0)),
                       .games = row.Int(1),
                       .first = row.Int(2),
                       .last = row.Int(3)};
  }));
  return found;
}

absl::Status AddShard(Database& db, int64_t tournament, const ShardEntry& shard) {
  ASSIGN_OR_RETURN(
      Statement add,
      db.Prepare("INSERT INTO shards (tournament, shard, sha256, samples, bytes, games, first, "
                 "last, format, game, spec, build) "
                 "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"));
  return add
      .Bind(tournament, shard.shard, shard.sha256, shard.samples, shard.bytes, shard.games,
            shard.first, shard.last, shard.format, shard.game, shard.spec, shard.build)
      .Run();
}

absl::StatusOr<std::vector<ShardEntry>> Shards(Database& db, int64_t tournament) {
  ASSIGN_OR_RETURN(
      Statement select,
      db.Prepare("SELECT shard, sha256, samples, bytes, games, first, last, format, game, spec, "
                 "build FROM shards WHERE tournament = ?1 ORDER BY first, shard"));
  std::vector<ShardEntry> shards;
  RETURN_IF_ERROR(ForEachRow(select.Bind(tournament), [&](const Statement& row) {
    shards.push_back({.shard = std::string(row.Text(0)),
                      .sha256 = std::string(row.Text(1)),
                      .samples = row.Int(2),
                      .bytes = row.Int(3),
                      .games = row.Int(4),
                      .first = row.Int(5),
                      .last = row.Int(6),
                      .format = row.Int(7),
                      .game = std::string(row.Text(8)),
                      .spec = std::string(row.Text(9)),
                      .build = std::string(row.Text(10))});
  }));
  return shards;
}

}  // namespace triarch::sqlite
