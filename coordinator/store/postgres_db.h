// Keeps one connection to PostgreSQL through restarts of the server, with statuses.

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
// Errors name the database (without its password). Unavailable: the server cannot be reached, was
// lost, or did not answer in time. FailedPrecondition: another coordinator leads. PermissionDenied,
// ResourceExhausted, DataLoss as in Store. InvalidArgument: a text that PostgreSQL cannot hold.
namespace triarch::postgres {

// The advisory lock that the leading coordinator of a database holds.
inline constexpr int64_t kLeadLock = 0x5472694172000001;

// A statement that each connection prepares at its first use.
struct Prepared {
  const char* name;
  const char* sql;
};

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
  // The number of migrations that the schema must have for this process to lead.
  void set_schema_version(int64_t version) { schema_version_ = version; }

  // Runs each statement of `body` on its own. Repeats it if the connection was lost.
  absl::Status Read(Body body);
  // Runs all of `body` or, on an error, nothing, and only while this coordinator leads. Repeats it
  // if the connection was lost; asks for the outcome of a commit that is unknown. Unavailable if
  // that gets no answer; the message then says so.
  absl::Status Write(Body body);
  // Runs all of `body` or nothing, once, whether this coordinator leads or not.
  absl::Status RunOnce(Body body);

  // As Store::TryLead.
  absl::StatusOr<std::optional<uint64_t>> TryLead();

  const std::string& shown() const { return address_.shown; }

 private:
  struct Attempt {
    enum class End : uint8_t {
      kSettled,  // the status is the answer
      kAgain,    // nothing has happened; it may be tried again
      kInDoubt,  // the commit was sent, its answer was lost
    };
    End end = End::kSettled;
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
  // Takes the lead's lock again after the connection was lost.
  absl::Status ResumeLead();
  absl::StatusOr<Lock> TryLock();
  void Unlock();
  // Checks that the schema has not been migrated since it was opened. Requires the lock, which
  // keeps it so.
  absl::Status CheckSchema(pqxx::transaction_base& tx) const;
  absl::StatusOr<bool> AskWhetherCommitted(const std::string& transaction);
  absl::Status Succeeded(uint64_t epoch) const;

  template <class Transaction>
  Attempt Try(Body body);

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
