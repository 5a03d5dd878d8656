// Wraps a connection to PostgreSQL with statuses instead of exceptions.

#ifndef TRIARCH_COORDINATOR_STORE_POSTGRES_DB_H_
#define TRIARCH_COORDINATOR_STORE_POSTGRES_DB_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <pqxx/pqxx>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

// One connection to PostgreSQL that outlives its server's restarts, with statuses instead of
// exceptions: what the store needs of libpqxx. Only the files postgres_*.cc include this.
//
// Errors name the database (without its password). Unavailable: the server cannot be reached, was
// lost, or did not answer in time. FailedPrecondition: another coordinator leads. PermissionDenied,
// ResourceExhausted, DataLoss as in Store. InvalidArgument: a text that PostgreSQL cannot hold.
namespace triarch::postgres {

// Of advisory locks, per database: who holds it leads.
inline constexpr int64_t kLeadLock = 0x5472694172000001;

// A statement that every connection prepares when it is first used.
struct Prepared {
  const char* name;
  const char* sql;
};

// Where a database is.
struct Address {
  std::string shown;     // for messages
  std::string conninfo;  // for libpq
};
absl::StatusOr<Address> ParseUrl(const std::string& url, bool is_reader);

// The text, as a parameter. Throws what ErrorOf knows as InvalidArgument if it has a NUL, at which
// libpq would cut it.
const std::string& Text(const std::string& text);

class Database {
 public:
  // May throw what libpqxx throws, which ends the attempt.
  using Body = absl::FunctionRef<absl::Status(pqxx::transaction_base&)>;

  static absl::StatusOr<std::unique_ptr<Database>> Open(const std::string& url, bool is_reader);

  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Requires: none of them was added before.
  void Add(std::span<const Prepared> statements);
  // Of how many migrations the schema must be to be led.
  void set_schema_version(int64_t version) { schema_version_ = version; }

  // Each statement of `body` for itself. Runs it again if the connection was lost.
  absl::Status Read(Body body);
  // All of `body` or, on an error, nothing, and only as long as no other coordinator has succeeded
  // this one. Runs it again if the connection was lost; a commit of unknown outcome is asked for.
  // Unavailable if even that cannot be answered: then the message says so.
  absl::Status Write(Body body);
  // All of `body` or nothing, once, whoever leads.
  absl::Status RunOnce(Body body);

  // As Store::TryLead.
  absl::StatusOr<std::optional<uint64_t>> TryLead();

  const std::string& shown() const { return address_.shown; }

 private:
  // How an attempt ended.
  enum class Fate : uint8_t {
    kSettled,  // the status is the answer
    kAgain,    // nothing has happened; it may be tried again
    kInDoubt,  // the commit was sent, its answer was lost
  };
  struct Outcome {
    Fate fate = Fate::kSettled;
    absl::Status status;
  };

  struct Lock {
    bool is_ours = false;
    uint64_t epoch = 0;  // as the table has it
  };

  Database(Address address, bool is_reader) : address_(std::move(address)), is_reader_(is_reader) {}

  absl::Status Connect();
  absl::Status StartSession();
  void Disconnect();
  // The right to write of a coordinator that leads, taken again after the connection was lost.
  absl::Status ResumeLead();
  absl::StatusOr<Lock> TryLock();
  void Unlock();
  // That nobody migrated it since it was opened. Requires the lock, which keeps it so.
  absl::Status CheckSchema(pqxx::transaction_base& tx) const;
  absl::StatusOr<bool> AskWhetherCommitted(const std::string& transaction);
  absl::Status Succeeded(uint64_t epoch) const;

  template <class Transaction>
  Outcome Try(Body body);

  const Address address_;
  const bool is_reader_;
  int64_t schema_version_ = 0;
  std::vector<Prepared> statements_;
  std::unique_ptr<pqxx::connection> connection_;           // null when it was lost
  std::unique_ptr<pqxx::quiet_errorhandler> no_messages_;  // of connection_
  std::optional<uint64_t> epoch_;                          // since TryLead
  bool holds_lock_ = false;  // the leader's, which belongs to the connection
};

}  // namespace triarch::postgres

#endif  // TRIARCH_COORDINATOR_STORE_POSTGRES_DB_H_
