// Records games, their seats, texts and shards in PostgreSQL.

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/store/postgres_games.h"
#include "core/base/status_macros.h"
#include "core/record/tpgn.h"

namespace triarch::postgres {
namespace {

constexpr std::array<Prepared, 8> kRecordStatements = {{
    {"lock_tournament", "SELECT 1 FROM tournaments WHERE id = $1 FOR NO KEY UPDATE"},
    {"ledger_around",
     "SELECT first, last FROM ledger WHERE tournament = $1 AND first <= $3 AND first >= "
     "coalesce((SELECT max(first) FROM ledger WHERE tournament = $1 AND first <= $2), $2) "
     "ORDER BY first"},
    {"move_ledger",
     "WITH gone AS (DELETE FROM ledger WHERE tournament = $1 AND first = ANY($2::bigint[])) "
     "INSERT INTO ledger (tournament, first, last) "
     "SELECT $1, * FROM unnest($3::bigint[], $4::bigint[]) "
     "ON CONFLICT (tournament, first) DO UPDATE SET last = excluded.last"},
    {"count_games",
     "UPDATE tournaments SET games_recorded = games_recorded + $2, "
     "plies_recorded = plies_recorded + $3, games_audited = games_audited + $4, "
     "games_confirmed = games_confirmed + $5, games_unaudited = games_unaudited + $6, "
     "ended = CASE WHEN games_recorded + $2 >= games THEN now() ELSE ended END, "
     "state = CASE WHEN games_recorded + $2 >= games THEN 'done' ELSE state END WHERE id = $1"},
    {"add_fault",
     "INSERT INTO faults (tournament, idx, seat, bot, ply, kind, message, answer, exit_status, "
     "errors, protocol) SELECT $1::bigint, $2::bigint, $3::smallint, $4::bigint, $5::bigint, "
     "$6::text, "
     "$7::text, $8::text, $9::text, $10::text, $11::text "
     "WHERE (SELECT count(*) FROM faults WHERE bot = $4 AND kind = $6::text) < $12"},
    {"find_shard",
     "SELECT sha256, games, first, last FROM shards WHERE tournament = $1 AND shard = $2"},
    {"add_shard",
     "INSERT INTO shards (tournament, shard, sha256, samples, bytes, games, first, last, format, "
     "game, spec, build) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"},
    {"shards",
     "SELECT shard, sha256, samples, bytes, games, first, last, format, game, spec, build "
     "FROM shards WHERE tournament = $1 ORDER BY first, shard"},
}};

// A game to be recorded.
struct Entry {
  const GameRecord* record = nullptr;
  GameSummary summary;
  size_t seats = 0;
};

// Formats "{1,2,3}", as PostgreSQL reads arrays.
template <class Get>
std::string ArrayText(const std::vector<Range>& ranges, Get get) {
  std::string text = "{";
  for (const Range& range : ranges) {
    if (text.size() > 1) text += ',';
    text += std::to_string(get(range));
  }
  return text + "}";
}

// ---- The ledger.

// Reads the part of the ledger that a batch can change: the ranges that overlap or touch it.
std::vector<Range> ReadLedger(pqxx::transaction_base& tx, int64_t tournament, Range batch) {
  std::vector<Range> ranges;
  const pqxx::result rows = tx.exec_prepared("ledger_around", tournament, batch.first, batch.last);
  for (const pqxx::row& row : rows) {
    ranges.push_back({row[0].as<int64_t>(), row[1].as<int64_t>()});
  }
  return ranges;
}

void MoveLedger(pqxx::transaction_base& tx, int64_t tournament, const std::vector<Range>& before,
                const std::vector<Range>& after) {
  std::vector<Range> gone;
  for (const Range& range : before) {
    const bool stays = std::any_of(after.begin(), after.end(),
                                   [&](const Range& other) { return other.first == range.first; });
    if (!stays) gone.push_back(range);
  }
  std::vector<Range> changed;
  for (const Range& range : after) {
    if (std::find(before.begin(), before.end(), range) == before.end()) changed.push_back(range);
  }
  const auto first = [](const Range& range) { return range.first; };
  const auto last = [](const Range& range) { return range.last; };
  tx.exec_prepared0("move_ledger", tournament, ArrayText(gone, first), ArrayText(changed, first),
                    ArrayText(changed, last));
}

// ---- The games, by COPY.

std::string PairingText(const Entry& entry) {
  std::vector<int> numbers;
  for (size_t i = 0; i < entry.seats; ++i) numbers.push_back(entry.summary.bots[SeatAt(i)]);
  std::sort(numbers.begin(), numbers.end());
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : "-") + std::to_string(number);
  return text;
}

std::string OpeningText(const GameRecord& record) {
  std::string text;
  int64_t plies = 0;
  for (const RecordedEvent& event : record.events) {
    if (plies == record.opening_plies) break;
    if (event.kind != RecordedEvent::Kind::kMove) continue;
    if (plies++ > 0) text += ' ';
    text += event.move.text();
  }
  return text;
}

void CopyGames(pqxx::transaction_base& tx, int64_t tournament, const std::vector<Entry>& entries) {
  const std::vector<std::string> columns = {
      "tournament", "idx",    "match",     "plies",       "opening_plies", "time_us", "seed",
      "pairing",    "result", "placement", "termination", "position",      "opening"};
  pqxx::stream_to stream(tx, "games", columns);
  for (const Entry& entry : entries) {
    const GameRecord& record = *entry.record;
    int64_t time_us = 0;
    for (size_t i = 0; i < entry.seats; ++i) time_us += record.costs[SeatAt(i)].time_us;
    stream << std::make_tuple(
        tournament, record.index, record.match, record.plies, record.opening_plies, time_us,
        record.seed, PairingText(entry), ResultText(record.outcome.place, entry.seats),
        PlacementText(record.outcome.place, entry.seats),
        std::string(ToString(record.outcome.termination)), record.position, OpeningText(record));
  }
  stream.complete();
}

void CopySeats(pqxx::transaction_base& tx, int64_t tournament, const Roster& roster,
               const std::vector<Entry>& entries) {
  const std::vector<std::string> columns = {"tournament", "idx",     "bot",    "moves",
                                            "nodes",      "time_us", "cpu_us", "fallbacks",
                                            "points",     "seat",    "place",  "ending"};
  pqxx::stream_to stream(tx, "game_seats", columns);
  for (const Entry& entry : entries) {
    const GameSummary& summary = entry.summary;
    const PerSeat<double> points = Points(summary.outcome.place, entry.seats);
    for (size_t i = 0; i < entry.seats; ++i) {
      const Seat seat = SeatAt(i);
      const SeatCost& cost = summary.costs[seat];
      const std::string ending(summary.endings[seat] ? ToString(*summary.endings[seat]) : "");
      stream << std::make_tuple(
          tournament, summary.index, roster.bot_ids[static_cast<size_t>(summary.bots[seat])],
          cost.moves, cost.nodes, cost.time_us, cost.cpu_us, summary.fallbacks[seat],
          absl::StrFormat("%.17g", points[seat]), i + 1,
          static_cast<int>(summary.outcome.place[seat]), ending.empty() ? nullptr : ending.c_str());
    }
  }
  stream.complete();
}

void CopyTexts(pqxx::transaction_base& tx, int64_t tournament, const std::vector<Entry>& entries) {
  const std::vector<std::string> columns = {"tournament", "idx", "tpgn"};
  pqxx::stream_to stream(tx, "game_texts", columns);
  for (const Entry& entry : entries) {
    stream << std::make_tuple(tournament, entry.record->index, WriteTpgn(*entry.record));
  }
  stream.complete();
}

void AddFaults(pqxx::transaction_base& tx, int64_t tournament, const Roster& roster,
               const std::vector<Entry>& entries) {
  for (const Entry& entry : entries) {
    for (const GameFault& fault : entry.record->faults) {
      const FaultReport& report = fault.report;
      const auto bot = static_cast<size_t>(entry.summary.bots[fault.seat]);
      tx.exec_prepared0("add_fault", tournament, entry.summary.index, Index(fault.seat) + 1,
                        roster.bot_ids[bot], fault.ply, std::string(ToString(fault.why)),
                        report.message, report.answer, report.exit_status, report.errors,
                        report.protocol, kFaultsKept);
    }
  }
}

// ---- A batch.

// Returns each game that is not recorded yet once, ordered by index, and adds it to `there`.
std::vector<Entry> TakeNew(const std::vector<Entry>& entries, RangeSet* there) {
  std::vector<Entry> fresh;
  for (const Entry& entry : entries) {
    const int64_t index = entry.summary.index;
    if (there->Add({index, index + 1}) == 1) fresh.push_back(entry);
  }
  std::sort(fresh.begin(), fresh.end(),
            [](const Entry& a, const Entry& b) { return a.summary.index < b.summary.index; });
  return fresh;
}

Range SpanOf(const std::vector<Entry>& entries) {
  const auto [low, high] = std::minmax_element(
      entries.begin(), entries.end(),
      [](const Entry& a, const Entry& b) { return a.summary.index < b.summary.index; });
  return {low->summary.index, high->summary.index + 1};
}

absl::Status RecordIn(pqxx::transaction_base& tx, int64_t tournament, const Roster& roster,
                      const std::vector<Entry>& entries, const ShardEntry* shard) {
  // The lock on the row makes writers of one tournament wait for each other, so that the ledger
  // does not change after it was read.
  if (tx.exec_prepared("lock_tournament", tournament).empty()) {
    return absl::NotFoundError(absl::StrFormat("there is no tournament %d", tournament));
  }
  if (shard != nullptr) {
    for (const pqxx::row& row : tx.exec_prepared("find_shard", tournament, shard->shard)) {
      return CheckIsSame({.sha256 = row[0].as<std::string>(),
                          .games = row[1].as<int64_t>(),
                          .first = row[2].as<int64_t>(),
                          .last = row[3].as<int64_t>()},
                         *shard);
    }
  }
  const std::vector<Range> before = ReadLedger(tx, tournament, SpanOf(entries));
  RangeSet there(before);
  const std::vector<Entry> fresh = TakeNew(entries, &there);
  if (shard != nullptr && fresh.size() < entries.size()) return RecordedWithout(*shard);
  if (fresh.empty()) return absl::OkStatus();
  CopyGames(tx, tournament, fresh);
  CopySeats(tx, tournament, roster, fresh);
  CopyTexts(tx, tournament, fresh);
  AddFaults(tx, tournament, roster, fresh);
  MoveLedger(tx, tournament, before, there.ranges());
  int64_t plies = 0;
  GameChecks checks = {};
  std::vector<GameSummary> games;
  for (const Entry& entry : fresh) {
    plies += entry.summary.plies;
    ++checks[static_cast<size_t>(entry.record->check)];
    games.push_back(entry.summary);
  }
  RETURN_IF_ERROR(AddToTallies(tx, tournament, games));
  tx.exec_prepared0("count_games", tournament, fresh.size(), plies,
                    checks[static_cast<size_t>(GameCheck::kAudited)],
                    checks[static_cast<size_t>(GameCheck::kConfirmed)],
                    checks[static_cast<size_t>(GameCheck::kUnaudited)]);
  if (shard != nullptr) {
    tx.exec_prepared0("add_shard", tournament, shard->shard, shard->sha256, shard->samples,
                      shard->bytes, shard->games, shard->first, shard->last, shard->format,
                      shard->game, shard->spec, shard->build);
  }
  return absl::OkStatus();
}

}  // namespace

std::span<const Prepared> RecordStatements() { return kRecordStatements; }

absl::Status Record(Database& db, int64_t tournament, const Roster& roster,
                    std::span<const GameRecord> records, const ShardEntry* shard) {
  std::vector<Entry> entries;
  for (const GameRecord& record : records) {
    ASSIGN_OR_RETURN(GameSummary summary, Summarize(roster.spec, record));
    entries.push_back({&record, std::move(summary), SeatCount(record)});
  }
  if (entries.empty()) return absl::OkStatus();
  return db.Write(
      [&](pqxx::transaction_base& tx) { return RecordIn(tx, tournament, roster, entries, shard); });
}

absl::Status RecordOne(pqxx::transaction_base& tx, int64_t tournament, const Roster& roster,
                       const GameRecord& record) {
  ASSIGN_OR_RETURN(GameSummary summary, Summarize(roster.spec, record));
  const Entry entry{&record, std::move(summary), SeatCount(record)};
  return RecordIn(tx, tournament, roster, {entry}, nullptr);
}

absl::StatusOr<std::vector<ShardEntry>> Shards(Database& db, int64_t tournament) {
  std::vector<ShardEntry> shards;
  RETURN_IF_ERROR(db.Read([&](pqxx::transaction_base& tx) {
    shards.clear();
    for (const pqxx::row& row : tx.exec_prepared("shards", tournament)) {
      shards.push_back({.shard = row[0].as<std::string>(),
                        .sha256 = row[1].as<std::string>(),
                        .samples = row[2].as<int64_t>(),
                        .bytes = row[3].as<int64_t>(),
                        .games = row[4].as<int64_t>(),
                        .first = row[5].as<int64_t>(),
                        .last = row[6].as<int64_t>(),
                        .format = row[7].as<int64_t>(),
                        .game = row[8].as<std::string>(),
                        .spec = row[9].as<std::string>(),
                        .build = row[10].as<std::string>()});
    }
    return absl::OkStatus();
  }));
  return shards;
}

}  // namespace triarch::postgres
