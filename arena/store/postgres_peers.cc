#include "arena/store/postgres_peers.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <pqxx/pqxx>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "arena/store/arena_peers.h"
#include "coordinator/store/postgres_db.h"
#include "coordinator/store/postgres_errors.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch::arena {
namespace {

using std::chrono::milliseconds;
using PeerClock = std::chrono::steady_clock;

// An arena that has not renewed its row for three seconds, by the database's clock, is gone. Its
// tables go on within another second.
constexpr milliseconds kRenew{1'000};
constexpr milliseconds kReconnect{500};
constexpr long kPollMicroseconds = 50'000;  // for the end of the process

constexpr const char* kPeerSession =
    "SET statement_timeout = '2s'; SET synchronous_commit = off; SET TimeZone = 'UTC'";
constexpr const char* kRenewRow =
    "UPDATE arena_instances SET alive_until = clock_timestamp() + interval '3 s' "
    "WHERE id = $1 AND alive_until > clock_timestamp()";
constexpr const char* kAddRow =
    "INSERT INTO arena_instances (id, alive_until) "
    "VALUES ($1, clock_timestamp() + interval '3 s') "
    "ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until";
constexpr const char* kEndRow = "DELETE FROM arena_instances WHERE id = $1";
// The tables of an arena are taken over in the transaction that deletes its row. So an arena that
// finds its row missing knows that its tables are gone, or will find out now.
constexpr const char* kDeleteDead =
    "DELETE FROM arena_instances WHERE alive_until < clock_timestamp()";
constexpr const char* kTakeTables =
    "UPDATE arena_tables SET runner = $1 WHERE ended_ms = 0 "
    "AND runner <> ALL (ARRAY(SELECT id FROM arena_instances)) RETURNING id";
constexpr const char* kAllTables = "SELECT id, runner = $1 FROM arena_tables WHERE ended_ms = 0";

class PeerReceiver final : public pqxx::notification_receiver {
 public:
  PeerReceiver(pqxx::connection& connection, const std::string& instance,
               const ArenaPeers::News& news)
      : pqxx::notification_receiver(connection, kArenaChannel), instance_(instance), news_(news) {}

  void operator()(const std::string& payload, int /*backend_pid*/) override {
    const std::vector<std::string_view> words = Split(payload, ' ');
    if (words[0] == instance_) return;
    if (words.size() == 1) return news_.recorded();
    const std::optional<int64_t> events = words.size() == 3 ? ParseInt64(words[2]) : std::nullopt;
    if (events) news_.appended(std::string(words[1]), *events);
  }

 private:
  const std::string& instance_;
  const ArenaPeers::News& news_;
};

class PostgresPeers final : public ArenaPeers {
 public:
  PostgresPeers(postgres::Address address, std::string instance, News news)
      : address_(std::move(address)),
        instance_(std::move(instance)),
        news_(std::move(news)),
        thread_([this](const std::stop_token& stop) { Work(stop); }) {}

 private:
  void Work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      try {
        Serve(stop);
      } catch (const std::exception& error) {
        if (stop.stop_requested()) return;
        news_.lost(postgres::ErrorOf(address_.shown, error));
        std::unique_lock lock(mutex_);
        never_.wait_for(lock, stop, kReconnect, [] { return false; });
      }
    }
  }

  // Serves over one connection, until that is lost or the object ends.
  void Serve(const std::stop_token& stop) {
    pqxx::connection connection(address_.conninfo);
    const pqxx::quiet_errorhandler quiet(connection);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    connection.inhibit_reactivation(true);
#pragma GCC diagnostic pop
    pqxx::nontransaction(connection).exec0(kPeerSession);
    const PeerReceiver receiver(connection, instance_, news_);
    Renew(connection, /*is_first=*/true);
    news_.connected();
    PeerClock::time_point next = PeerClock::now() + kRenew;
    while (!stop.stop_requested()) {
      connection.await_notification(0, kPollMicroseconds);
      if (PeerClock::now() < next) continue;
      Renew(connection, /*is_first=*/false);
      next = PeerClock::now() + kRenew;
    }
    // The others need not wait until the row is old.
    pqxx::nontransaction(connection).exec_params0(kEndRow, instance_);
  }

  void Renew(pqxx::connection& connection, bool is_first) {
    bool is_late = is_first;
    {
      pqxx::nontransaction tx(connection);
      if (tx.exec_params(kRenewRow, instance_).affected_rows() == 0) {
        is_late = true;
        tx.exec_params0(kAddRow, instance_);
      }
    }
    Lease lease;
    pqxx::work tx(connection);
    tx.exec0(kDeleteDead);
    for (const pqxx::row& row : tx.exec_params(kTakeTables, instance_)) {
      lease.taken.push_back(row[0].as<std::string>());
    }
    if (is_late) {
      lease.taken.clear();
      for (const pqxx::row& row : tx.exec_params(kAllTables, instance_)) {
        (row[1].as<bool>() ? lease.taken : lease.lost).push_back(row[0].as<std::string>());
      }
    }
    tx.commit();
    if (!lease.taken.empty() || !lease.lost.empty()) news_.leased(lease);
  }

  const postgres::Address address_;
  const std::string instance_;
  const News news_;
  std::mutex mutex_;
  std::condition_variable_any never_;  // only the end interrupts a wait
  std::jthread thread_;                // declared last, because it uses all other members
};

}  // namespace

absl::StatusOr<std::unique_ptr<ArenaPeers>> JoinPostgresPeers(const std::string& url,
                                                              const std::string& instance,
                                                              ArenaPeers::News news) {
  ASSIGN_OR_RETURN(postgres::Address address, postgres::ParseUrl(url, /*is_reader=*/false));
  return std::make_unique<PostgresPeers>(std::move(address), instance, std::move(news));
}

}  // namespace triarch::arena
