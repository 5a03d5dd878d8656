#include "coordinator/store/postgres_fleet.h"

#include <array>
#include <string>

#include "absl/strings/str_format.h"
#include "coordinator/store/store_rules.h"
#include "core/base/status_macros.h"
#include "spec/spec_json.h"

namespace triarch::postgres {
namespace {

constexpr std::array<Prepared, 12> kFleetStatements = {{
    {"add_batch",
     "INSERT INTO batches (tournament, first_match, matches) VALUES ($1, $2, $3) "
     "ON CONFLICT DO NOTHING"},
    {"batches", "SELECT matches FROM batches WHERE tournament = $1 ORDER BY first_match"},
    {"save_lease",
     "INSERT INTO leases (token, tournament, first, last, worker, instance, ended, ended_at) "
     "VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $7 <> '' THEN now() END) "
     "ON CONFLICT (token) DO UPDATE SET ended = excluded.ended, ended_at = excluded.ended_at"},
    {"live_leases",
     "SELECT token, tournament, first, last, worker, instance FROM leases WHERE ended = '' "
     "ORDER BY token"},
    {"save_worker",
     "INSERT INTO workers (name, slots, build, quarantine) VALUES ($1, $2, $3, $4) "
     "ON CONFLICT (name) DO UPDATE SET slots = excluded.slots, build = excluded.build, "
     "quarantine = excluded.quarantine, seen = now()"},
    {"workers", "SELECT name, slots, build, quarantine FROM workers ORDER BY name COLLATE \"C\""},
    {"add_rating",
     "INSERT INTO ratings (tournament, games, bot, rating, error) VALUES ($1, $2, $3, $4, $5)"},
    {"ratings",
     "SELECT to_char(time, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), games, bot, rating, error "
     "FROM ratings WHERE tournament = $1 ORDER BY id"},
    {"add_bundle",
     "INSERT INTO bundles (number, digest, name, version, type, manifest, bytes, added, added_by, "
     "tar) VALUES ((SELECT coalesce(max(number), 0) + 1 FROM bundles), $1, $2, $3, $4, $5, $6, "
     "now(), $7, $8) ON CONFLICT (digest) DO UPDATE SET number = excluded.number, "
     "added = excluded.added, added_by = excluded.added_by"},
    {"bundles",
     "SELECT digest, manifest, name, version, type, bytes, "
     "to_char(added, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), added_by FROM bundles ORDER BY number"},
    {"bundle_tar", "SELECT tar FROM bundles WHERE digest = $1"},
    {"remove_bundle", "DELETE FROM bundles WHERE digest = $1"},
}};

// Formats all digits, because libpqxx rounds some doubles.
std::string Exactly(double value) { return absl::StrFormat("%.17g", value); }

}  // namespace

std::span<const Prepared> FleetStatements() { return kFleetStatements; }

absl::Status SaveLeases(Database& db, std::span<const StoredLease> leases) {
  return db.Write([leases](pqxx::transaction_base& tx) {
    for (const StoredLease& stored : leases) {
      const Lease& lease = stored.lease;
      tx.exec_prepared0("save_lease", lease.token, lease.tournament, lease.games.first,
                        lease.games.last, Text(stored.worker.name), stored.worker.instance,
                        Text(stored.ended));
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<std::vector<StoredLease>> LiveLeases(Database& db) {
  std::vector<StoredLease> leases;
  RETURN_IF_ERROR(db.Read([&leases](pqxx::transaction_base& tx) {
    leases.clear();
    for (const pqxx::row& row : tx.exec_prepared("live_leases")) {
      leases.push_back(
          {.worker = {.name = row[4].as<std::string>(), .instance = row[5].as<uint64_t>()},
           .lease = {.tournament = row[1].as<int64_t>(),
                     .games = {row[2].as<int64_t>(), row[3].as<int64_t>()},
                     .token = row[0].as<uint64_t>()},
           .ended = ""});
    }
    return absl::OkStatus();
  }));
  return leases;
}

absl::Status SaveWorkers(Database& db, std::span<const StoredWorker> workers) {
  return db.Write([workers](pqxx::transaction_base& tx) {
    for (const StoredWorker& worker : workers) {
      tx.exec_prepared0("save_worker", Text(worker.name), worker.slots, Text(worker.build),
                        Text(worker.quarantine));
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<std::vector<StoredWorker>> Workers(Database& db) {
  std::vector<StoredWorker> workers;
  RETURN_IF_ERROR(db.Read([&workers](pqxx::transaction_base& tx) {
    workers.clear();
    for (const pqxx::row& row : tx.exec_prepared("workers")) {
      workers.push_back({.name = row[0].as<std::string>(),
                         .slots = row[1].as<int64_t>(),
                         .build = row[2].as<std::string>(),
                         .quarantine = row[3].as<std::string>()});
    }
    return absl::OkStatus();
  }));
  return workers;
}

absl::Status AddMatches(Database& db, int64_t tournament, std::span<const PlannedMatch> matches) {
  if (matches.empty()) return absl::OkStatus();
  const std::string json = MatchesToJson(matches);
  return db.Write([&](pqxx::transaction_base& tx) {
    tx.exec_prepared0("add_batch", tournament, matches.front().number, Text(json));
    return absl::OkStatus();
  });
}

absl::StatusOr<std::vector<PlannedMatch>> Matches(Database& db, int64_t tournament,
                                                  const TournamentSpec& spec) {
  std::vector<std::string> batches;
  RETURN_IF_ERROR(db.Read([&](pqxx::transaction_base& tx) {
    batches.clear();
    for (const pqxx::row& row : tx.exec_prepared("batches", tournament)) {
      batches.push_back(row[0].as<std::string>());
    }
    return absl::OkStatus();
  }));
  return JoinBatches(batches, spec);
}

absl::Status AddRatings(Database& db, int64_t tournament, std::span<const RatingPoint> points) {
  return db.Write([tournament, points](pqxx::transaction_base& tx) {
    for (const RatingPoint& point : points) {
      tx.exec_prepared0("add_rating", tournament, point.games, Text(point.bot),
                        Exactly(point.rating), Exactly(point.error));
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<std::vector<RatingPoint>> Ratings(Database& db, int64_t tournament) {
  std::vector<RatingPoint> points;
  RETURN_IF_ERROR(db.Read([&](pqxx::transaction_base& tx) {
    points.clear();
    for (const pqxx::row& row : tx.exec_prepared("ratings", tournament)) {
      points.push_back({.time = row[0].as<std::string>(),
                        .games = row[1].as<int64_t>(),
                        .bot = row[2].as<std::string>(),
                        .rating = row[3].as<double>(),
                        .error = row[4].as<double>()});
    }
    return absl::OkStatus();
  }));
  return points;
}

absl::Status AddBundle(Database& db, const StoredBundle& bundle, const std::string& tar) {
  return db.Write([&](pqxx::transaction_base& tx) {
    tx.exec_prepared0("add_bundle", Text(bundle.digest), Text(bundle.name), Text(bundle.version),
                      Text(bundle.type), Text(bundle.manifest), bundle.bytes, Text(bundle.added_by),
                      pqxx::binarystring(tar));
    return absl::OkStatus();
  });
}

absl::StatusOr<std::vector<StoredBundle>> Bundles(Database& db) {
  std::vector<StoredBundle> bundles;
  RETURN_IF_ERROR(db.Read([&bundles](pqxx::transaction_base& tx) {
    bundles.clear();
    for (const pqxx::row& row : tx.exec_prepared("bundles")) {
      bundles.push_back({.digest = row[0].as<std::string>(),
                         .manifest = row[1].as<std::string>(),
                         .name = row[2].as<std::string>(),
                         .version = row[3].as<std::string>(),
                         .type = row[4].as<std::string>(),
                         .bytes = row[5].as<int64_t>(),
                         .added = row[6].as<std::string>(),
                         .added_by = row[7].as<std::string>()});
    }
    return absl::OkStatus();
  }));
  return bundles;
}

absl::StatusOr<std::string> BundleTar(Database& db, const std::string& digest) {
  std::string tar;
  RETURN_IF_ERROR(db.Read([&](pqxx::transaction_base& tx) -> absl::Status {
    const pqxx::result rows = tx.exec_prepared("bundle_tar", Text(digest));
    if (rows.empty()) return NoBundle(digest);
    tar = pqxx::binarystring(rows[0][0]).str();
    return absl::OkStatus();
  }));
  return tar;
}

absl::Status RemoveBundle(Database& db, const std::string& digest) {
  return db.Write([&](pqxx::transaction_base& tx) -> absl::Status {
    const pqxx::result removed = tx.exec_prepared("remove_bundle", Text(digest));
    return removed.affected_rows() == 0 ? NoBundle(digest) : absl::OkStatus();
  });
}

}  // namespace triarch::postgres
