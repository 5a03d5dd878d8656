// Wraps SQLite's C interface in owners and statuses.

#ifndef TRIARCH_COORDINATOR_STORE_SQLITE_DB_H_
#define TRIARCH_COORDINATOR_STORE_SQLITE_DB_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

struct sqlite3;
struct sqlite3_stmt;

// Errors name the file and the attempted action. FailedPrecondition means that the file is not a
// database; DataLoss, that it is damaged; PermissionDenied, that the file or its folder cannot be
// read or written; ResourceExhausted, that the disk is full; and Unavailable, that other processes
// lock it for too long or that the disk fails.
namespace triarch::sqlite {

// A binary value.
struct Bytes {
  std::string_view bytes;
};

// A prepared statement. Bind it, step through the rows, and bind it again.
class Statement {
 public:
  // Restarts the statement with these values for the parameters ?1, ?2, …
  template <class... Values>
  Statement& Bind(const Values&... values) {
    Reset();
    int parameter = 0;
    (BindOne(++parameter, values), ...);
    return *this;
  }

  // Moves to the next row. Returns false after the last one.
  absl::StatusOr<bool> Step();
  // Steps to the end.
  absl::Status Run();

  // Return columns of the current row, counted from 0. A text is valid until the next call to any
  // other function.
  int64_t Int(int column) const;
  double Real(int column) const;
  std::string_view Text(int column) const;
  std::string_view Blob(int column) const;
  bool IsNull(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(sqlite3_stmt* statement, std::string shown)
      : statement_(statement), shown_(std::move(shown)) {}

  void Reset();
  void BindOne(int parameter, int64_t value);
  void BindOne(int parameter, double value);
  void BindOne(int parameter, std::string_view value);
  void BindOne(int parameter, Bytes value);
  void BindNull(int parameter);
  template <class Value>
  void BindOne(int parameter, const std::optional<Value>& value) {
    value ? BindOne(parameter, *value) : BindNull(parameter);
  }

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::string shown_;
};

// Calls visit(row) for each row; the statement's parameters are already bound.
template <class Visit>
absl::Status ForEachRow(Statement& select, Visit visit) {
  while (true) {
    const absl::StatusOr<bool> has_row = select.Step();
    if (!has_row.ok()) return has_row.status();
    if (!*has_row) return absl::OkStatus();
    visit(select);
  }
}

enum class Access : uint8_t {
  kCreate,     // read and write; created if it does not exist
  kWrite,      // read and write
  kRead,       // alongside a writer
  kReadAlone,  // reads a file that has no writer; SQLite creates no companion files
};

class Database {
 public:
  // `shown` names the file in messages.
  static absl::StatusOr<std::unique_ptr<Database>> Open(const std::string& path,
                                                        const std::string& shown, Access access);

  // Runs statements separated by semicolons and ignores their rows.
  absl::Status Run(std::string_view sql);
  absl::StatusOr<Statement> Prepare(std::string_view sql);
  // Returns the number or text in the first column of the first row.
  absl::StatusOr<int64_t> AskInt(std::string_view sql);
  absl::StatusOr<std::string> AskText(std::string_view sql);

  int64_t last_id() const;  // id of the last inserted row
  int64_t changes() const;  // rows changed by the last statement
  bool in_transaction() const;
  void set_patience_ms(int milliseconds);  // how long to wait for others' locks

 private:
  struct Close {
    void operator()(sqlite3* db) const;
  };
  explicit Database(std::string shown) : shown_(std::move(shown)) {}

  std::string shown_;
  std::unique_ptr<sqlite3, Close> db_;
};

// A write transaction: either everything before Commit takes effect, or nothing.
class Transaction {
 public:
  static absl::StatusOr<Transaction> Begin(Database& db);
  ~Transaction();
  Transaction(Transaction&& other) noexcept : db_(std::exchange(other.db_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;

  absl::Status Commit();

 private:
  explicit Transaction(Database* db) : db_(db) {}
  Database* db_;  // null if moved from
};

}  // namespace triarch::sqlite

#endif  // TRIARCH_COORDINATOR_STORE_SQLITE_DB_H_
