// Keeps one connection to PostgreSQL across server restarts, and returns statuses.

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

// Only the files postgres_*.cc include this and libpqxx.
//
// Errors name the database (without its password). Unavailable means that the server cannot be
// reached, was lost, or did not answer in time; FailedPrecondition, that another coordinator leads;
// and InvalidArgument, that PostgreSQL cannot store a text. PermissionDenied, ResourceExhausted and
// DataLoss are as in Store.
namespace triarch::postgres {

// The advisory lock that the leading coordinator of a database holds.
inline constexpr int64_t kLeadLock = 0x5472694172000001;

// A statement that each connection prepares on first use.
struct Prepared {
  const char* name;
  const char* sql;
};

struct Address {
  std::string shown;     // for messages
  std::string conninfo;  // for libpq
};
absl::StatusOr<Address> ParseUrl(const std::string& url, bool is_reader);

// Returns the text as a parameter. If it contains a NUL, at which libpq would cut it, throws an
// exception that ErrorOf converts to InvalidArgument.
const std::string& Text(const std::string& text);

class Database {
 public:
  // May throw libpqxx exceptions, which end the attempt.
  using Body = absl::FunctionRef<absl::Status(pqxx::transaction_base&)>;

  static absl::StatusOr<std::unique_ptr<Database>> Open(const std::string& url, bool is_reader);

  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Requires: none of the statements was added before.
  void Add(std::span<const Prepared> statements);
  // Sets the number of migrations that the schema must have for this process to lead.
  void set_schema_version(int64_t version) { schema_version_ = version; }

  // Runs each statement of `body` in its own transaction. Repeats `body` if the connection was
  // lost.
  absl::Status Read(Body body);
  // Runs each statement of `body`, which may write, in its own transaction, whether or not this
  // coordinator leads. Repeats `body` if the connection was lost, so it may be performed twice.
  absl::Status WriteAnyway(Body body) { return Read(body); }
  // Runs `body` in one transaction, and only while this coordinator leads. Repeats it if the
  // connection was lost. Asks for the outcome of an uncertain commit; if the server does not
  // answer, returns Unavailable with a message that says so.
  absl::Status Write(Body body);
  // Runs `body` in one transaction, without repeating it, whether or not this coordinator leads.
  absl::Status RunOnce(Body body);

  // Implements Store::TryLead.
  absl::StatusOr<std::optional<uint64_t>> TryLead();

  const std::string& shown() const { return address_.shown; }

 private:
  struct Attempt {
    enum class End : uint8_t {
      kSettled,  // the status is final
      kAgain,    // nothing has happened, so another attempt is safe
      kInDoubt,  // the commit was sent, but its answer was lost
    };
    End end = End::kSettled;
    absl::Status status;
  };

  struct Lock {
    bool is_ours = false;
    uint64_t epoch = 0;  // from the table
  };

  Database(Address address, bool is_reader) : address_(std::move(address)), is_reader_(is_reader) {}

  absl::Status Connect();
  absl::Status StartSession();
  void Disconnect();
  // Reacquires the leader's lock after the connection was lost.
  absl::Status ResumeLead();
  absl::StatusOr<Lock> TryLock();
  void Unlock();
  // Frees the leader's lock, a moment later, if its holder has been silent for ten seconds.
  absl::Status EndSilentLead();
  // Checks that the schema has not been migrated since it was opened. Requires: the caller holds
  // the lock, which prevents migration.
  absl::Status CheckSchema(pqxx::transaction_base& tx) const;
  absl::StatusOr<bool> AskWhetherCommitted(const std::string& transaction);
  absl::Status Succeeded(uint64_t epoch) const;

  template <class Transaction>
  Attempt Try(Body body);

  const Address address_;
  const bool is_reader_;
  int64_t schema_version_ = 0;
  std::vector<Prepared> statements_;
  std::unique_ptr<pqxx::connection> connection_;           // null after a loss
  std::unique_ptr<pqxx::quiet_errorhandler> no_messages_;  // of connection_
  std::optional<uint64_t> epoch_;                          // set by TryLead
  bool holds_lock_ = false;  // the leader's lock, which belongs to the connection
};

}  // namespace triarch::postgres

#endif  // TRIARCH_COORDINATOR_STORE_POSTGRES_DB_H_
