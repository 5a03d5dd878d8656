#include "coordinator/store/postgres_db.h"

#include <array>
#include <exception>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "coordinator/store/postgres_errors.h"
#include "core/base/status_macros.h"

namespace triarch::postgres {
namespace {

// The first attempt and one on a new connection. If the server is still unavailable, the
// caller must handle it.
constexpr int kAttempts = 2;

// pg_current_xact_id (13), SET COMPRESSION (14)
constexpr int kServerVersionMin = 140'000;

// How long to wait for a transaction whose connection was lost.
constexpr absl::Duration kSettlingTime = absl::Seconds(3);
constexpr absl::Duration kSettlingStep = absl::Milliseconds(20);

// Limits on the server: when this process or its link disappears, the server ends the transaction
// and frees the leader's lock within about ten seconds. No statement runs forever.
constexpr const char* kSession =
    "SET statement_timeout = '30s'; SET lock_timeout = '10s'; "
    "SET idle_in_transaction_session_timeout = '30s'; "
    "SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3; "
    "SET tcp_user_timeout = '6s'; SET TimeZone = 'UTC'; SET jit = off";

// Every statement reads along a key, one page at a time. Without statistics for a newly filled
// table, or without a parameter's value, the planner tends to read everything and sort it.
constexpr const char* kPlans =
    "SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off; "
    "SET enable_mergejoin = off; SET enable_hashagg = off; SET enable_sort = off";
constexpr const char* kReadersSession = "SET default_transaction_read_only = on";

constexpr std::array<Prepared, 7> kSessionStatements = {{
    // Conflicts only with the next coordinator, which waits here until this transaction has ended.
    {"begin_write", "SELECT epoch, pg_current_xact_id()::text FROM cluster FOR SHARE"},
    {"try_lock", "SELECT pg_try_advisory_lock($1), epoch FROM cluster"},
    // A coordinator that is stopped or hangs keeps its connection, and so the lock. A living one
    // writes every two seconds, and no statement takes longer than statement_timeout.
    {"end_silent_lead",
     "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid) "
     "WHERE locktype = 'advisory' AND granted AND database = datid AND objsubid = 1 "
     "AND ((classid::bigint << 32) | objid::bigint) = $1::bigint "
     "AND datname = current_database() AND usename = current_user "
     "AND clock_timestamp() - state_change > "
     "CASE state WHEN 'active' THEN interval '40 s' ELSE interval '10 s' END"},
    {"unlock", "SELECT pg_advisory_unlock($1)"},
    {"schema_version", "SELECT max(version) FROM triarch_schema"},
    {"next_epoch", "UPDATE cluster SET epoch = epoch + 1 RETURNING epoch"},
    {"transaction_status", "SELECT coalesce(pg_xact_status($1::xid8), 'unknown')"},
}};

}  // namespace

const std::string& Text(const std::string& text) {
  if (text.find('\0') != text.npos) throw pqxx::argument_error("a text contains a NUL character");
  return text;
}

absl::StatusOr<std::unique_ptr<Database>> Database::Open(const std::string& url, bool is_reader) {
  ASSIGN_OR_RETURN(Address address, ParseUrl(url, is_reader));
  std::unique_ptr<Database> database(new Database(std::move(address), is_reader));
  database->Add(kSessionStatements);
  RETURN_IF_ERROR(database->Connect());
  return database;
}

Database::~Database() {
  if (holds_lock_) Unlock();
}

// ---- The connection.

void Database::Add(std::span<const Prepared> statements) {
  for (const Prepared& statement : statements) {
    statements_.push_back(statement);
    if (connection_ != nullptr) connection_->prepare(statement.name, statement.sql);
  }
}

absl::Status Database::Connect() {
  if (connection_ != nullptr && connection_->is_open()) return absl::OkStatus();
  Disconnect();
  absl::Status status;
  try {
    connection_ = std::make_unique<pqxx::connection>(address_.conninfo);
    status = StartSession();
  } catch (const std::exception& error) {
    status = ConnectError(address_.shown, error);
  }
  if (!status.ok()) Disconnect();
  return status;
}

void Database::Disconnect() {
  no_messages_.reset();
  connection_.reset();
  holds_lock_ = false;
}

absl::Status Database::StartSession() {
  no_messages_ = std::make_unique<pqxx::quiet_errorhandler>(*connection_);
  // libpqxx would reconnect on its own, unaware that this loses the leader's lock.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  connection_->inhibit_reactivation(true);
#pragma GCC diagnostic pop
  if (connection_->server_version() < kServerVersionMin) {
    return absl::FailedPreconditionError(
        absl::StrFormat("database %s: the server is PostgreSQL %d; expected 14 or newer",
                        address_.shown, connection_->server_version() / 10'000));
  }
  pqxx::nontransaction session(*connection_);
  session.exec0(kSession);
  session.exec0(kPlans);
  if (is_reader_) session.exec0(kReadersSession);
  for (const Prepared& statement : statements_) {
    connection_->prepare(statement.name, statement.sql);
  }
  return absl::OkStatus();
}

// ---- Attempts.

template <class Transaction>
Database::Attempt Database::Try(Body body) {
  try {
    Transaction transaction(*connection_);
    absl::Status status = body(transaction);
    // Otherwise the destructor rolls it back.
    if (status.ok()) transaction.commit();
    return {Attempt::End::kSettled, std::move(status)};
  } catch (const std::exception& error) {
    const Fault fault = FaultOf(error);
    const bool is_lost = fault == Fault::kLost || !connection_->is_open();
    Attempt ended = {Attempt::End::kSettled, ErrorOf(address_.shown, error)};
    if (is_lost || fault == Fault::kRolledBack) ended.end = Attempt::End::kAgain;
    if (fault == Fault::kInDoubt) ended.end = Attempt::End::kInDoubt;
    if (is_lost) Disconnect();
    return ended;
  }
}

absl::Status Database::Read(Body body) {
  absl::Status status;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    RETURN_IF_ERROR(Connect());
    const Attempt ended = Try<pqxx::nontransaction>(body);
    if (ended.end == Attempt::End::kSettled) return ended.status;
    status = ended.status;
  }
  return status;
}

absl::Status Database::RunOnce(Body body) {
  RETURN_IF_ERROR(Connect());
  return Try<pqxx::work>(body).status;
}

absl::Status Database::Write(Body body) {
  std::string transaction;  // its id on the server, to ask for it later
  const auto checked = [&](pqxx::transaction_base& tx) -> absl::Status {
    const pqxx::row row = tx.exec_prepared1("begin_write");
    const auto epoch = row[0].as<uint64_t>();
    transaction = row[1].c_str();
    if (epoch_ && *epoch_ != epoch) return Succeeded(epoch);
    return body(tx);
  };
  absl::Status status;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    RETURN_IF_ERROR(Connect());
    RETURN_IF_ERROR(ResumeLead());
    const Attempt ended = Try<pqxx::work>(checked);
    status = ended.status;
    if (ended.end == Attempt::End::kSettled) return status;
    if (ended.end == Attempt::End::kInDoubt) {
      ASSIGN_OR_RETURN(const bool is_committed, AskWhetherCommitted(transaction));
      if (is_committed) return absl::OkStatus();
    }
  }
  return status;
}

// The server knows whether each transaction was committed, even after a restart.
absl::StatusOr<bool> Database::AskWhetherCommitted(const std::string& transaction) {
  std::string answer;
  const absl::Time deadline = absl::Now() + kSettlingTime;
  while (true) {
    const absl::Status status = Read([&](pqxx::transaction_base& tx) {
      answer = tx.exec_prepared1("transaction_status", transaction)[0].c_str();
      return absl::OkStatus();
    });
    if (!status.ok()) {
      return absl::Status(
          status.code(),
          absl::StrFormat("%s (while the outcome of a commit is not known)", status.message()));
    }
    // The transaction's server process may not have noticed yet that its client has disappeared.
    if (answer != "in progress" || absl::Now() > deadline) break;
    absl::SleepFor(kSettlingStep);
  }
  if (answer == "committed" || answer == "aborted") return answer == "committed";
  return absl::UnavailableError(absl::StrFormat(
      "database %s: the connection was lost during a commit, whose outcome is not known (%s)",
      address_.shown, answer));
}

// ---- Leading.

absl::Status Database::Succeeded(uint64_t epoch) const {
  return absl::FailedPreconditionError(
      absl::StrFormat("database %s: another coordinator has taken over (its epoch is %d, ours %d)",
                      address_.shown, epoch, *epoch_));
}

absl::Status Database::ResumeLead() {
  if (!epoch_ || holds_lock_) return absl::OkStatus();
  ASSIGN_OR_RETURN(const Lock lock, TryLock());
  if (lock.epoch != *epoch_) {
    if (lock.is_ours) Unlock();
    return Succeeded(lock.epoch);
  }
  if (lock.is_ours) {
    holds_lock_ = true;
    // Do not use another connection, which would not hold the lock.
    const Attempt ended =
        Try<pqxx::nontransaction>([this](pqxx::transaction_base& tx) { return CheckSchema(tx); });
    if (!ended.status.ok()) Unlock();
    return ended.status;
  }
  // This happens until the server notices the loss of the old connection, or while another
  // coordinator is taking over.
  return absl::UnavailableError(absl::StrFormat(
      "database %s: the coordinator's lock is not free yet after the connection was lost",
      address_.shown));
}

absl::StatusOr<Database::Lock> Database::TryLock() {
  Lock lock;
  RETURN_IF_ERROR(Read([&](pqxx::transaction_base& tx) {
    const pqxx::row row = tx.exec_prepared1("try_lock", kLeadLock);
    lock = {.is_ours = row[0].as<bool>(), .epoch = row[1].as<uint64_t>()};
    return absl::OkStatus();
  }));
  return lock;
}

absl::Status Database::CheckSchema(pqxx::transaction_base& tx) const {
  const auto version = tx.exec_prepared1("schema_version")[0].as<int64_t>();
  if (version == schema_version_) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrFormat(
      "database %s was migrated to schema %d while this coordinator, which knows %d, waited",
      address_.shown, version, schema_version_));
}

// The server would also release the lock, but only after noticing that the connection is closed.
void Database::Unlock() {
  holds_lock_ = false;
  if (connection_ == nullptr) return;
  const Attempt ended = Try<pqxx::nontransaction>([](pqxx::transaction_base& tx) {
    tx.exec_prepared1("unlock", kLeadLock);
    return absl::OkStatus();
  });
  if (!ended.status.ok()) Disconnect();
}

// Its writes cannot interfere with those of the next leader: the server rolls back what it has
// begun, and refuses its epoch later.
absl::Status Database::EndSilentLead() {
  return Read([](pqxx::transaction_base& tx) {
    tx.exec_prepared("end_silent_lead", kLeadLock);
    return absl::OkStatus();
  });
}

absl::StatusOr<std::optional<uint64_t>> Database::TryLead() {
  RETURN_IF_ERROR(Connect());
  if (!holds_lock_) {
    ASSIGN_OR_RETURN(const Lock lock, TryLock());
    if (!lock.is_ours) {
      RETURN_IF_ERROR(EndSilentLead());
      return std::nullopt;
    }
    holds_lock_ = true;
  }
  uint64_t epoch = 0;
  // Do not use another connection, which would not hold the lock.
  const Attempt ended = Try<pqxx::work>([&](pqxx::transaction_base& tx) -> absl::Status {
    RETURN_IF_ERROR(CheckSchema(tx));
    epoch = tx.exec_prepared1("next_epoch")[0].as<uint64_t>();
    return absl::OkStatus();
  });
  if (!ended.status.ok()) {
    Unlock();
    return ended.status;
  }
  epoch_ = epoch;
  return epoch_;
}

}  // namespace triarch::postgres
