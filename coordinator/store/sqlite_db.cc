#include "coordinator/store/sqlite_db.h"

#include <sqlite3.h>

#include <cstring>

#include "absl/strings/str_format.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"

namespace triarch::sqlite {
namespace {

constexpr int kPatienceMs = 10'000;

absl::StatusCode CodeOf(int result) {
  switch (result & 0xff) {
    case SQLITE_NOTADB:
      return absl::StatusCode::kFailedPrecondition;
    case SQLITE_CORRUPT:
      return absl::StatusCode::kDataLoss;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
    case SQLITE_AUTH:
      return absl::StatusCode::kPermissionDenied;
    case SQLITE_FULL:
      return absl::StatusCode::kResourceExhausted;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_IOERR:
      return absl::StatusCode::kUnavailable;
    default:
      return absl::StatusCode::kInternal;
  }
}

// Returns the message for the user: our own for common errors, otherwise SQLite's.
std::string WordsOf(sqlite3* db, int result) {
  switch (result & 0xff) {
    case SQLITE_NOTADB:
      return "it is not a database; expected one that Triarch made";
    case SQLITE_CORRUPT:
      return "it is damaged (cut short or overwritten); restore a copy, or use another database";
    case SQLITE_FULL:
      return "the disk is full; the last batch was not recorded";
    case SQLITE_BUSY:
      return "other programs are using it; try again when they have ended";
    default: {
      std::string words = sqlite3_errmsg(db);
      const int system_error = sqlite3_system_errno(db);
      if (system_error != 0) words += absl::StrFormat(" (%s)", std::strerror(system_error));
      return words;
    }
  }
}

absl::Status ErrorOf(sqlite3* db, int result, const std::string& shown) {
  return absl::Status(CodeOf(result),
                      absl::StrFormat("database %s: %s", shown, WordsOf(db, result)));
}

// Returns a file name as a URI, with special characters escaped.
std::string UriOf(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      uri += absl::StrFormat("%%%02x", static_cast<int>(c));
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

int FlagsOf(Access access) {
  switch (access) {
    case Access::kCreate:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Access::kWrite:
      return SQLITE_OPEN_READWRITE;
    case Access::kRead:
      return SQLITE_OPEN_READONLY;
    case Access::kReadAlone:
      return SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
  }
  CHECK(false);
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::Reset() { sqlite3_reset(statement_.get()); }

void Statement::BindOne(int parameter, int64_t value) {
  CHECK(sqlite3_bind_int64(statement_.get(), parameter, value) == SQLITE_OK);
}
void Statement::BindOne(int parameter, double value) {
  CHECK(sqlite3_bind_double(statement_.get(), parameter, value) == SQLITE_OK);
}
void Statement::BindOne(int parameter, std::string_view value) {
  CHECK(sqlite3_bind_text64(statement_.get(), parameter, value.data(), value.size(),
                            SQLITE_TRANSIENT, SQLITE_UTF8) == SQLITE_OK);
}
void Statement::BindOne(int parameter, Bytes value) {
  CHECK(sqlite3_bind_blob64(statement_.get(), parameter, value.bytes.data(), value.bytes.size(),
                            SQLITE_TRANSIENT) == SQLITE_OK);
}
void Statement::BindNull(int parameter) {
  CHECK(sqlite3_bind_null(statement_.get(), parameter) == SQLITE_OK);
}

absl::StatusOr<bool> Statement::Step() {
  const int result = sqlite3_step(statement_.get());
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) {
    Reset();
    return false;
  }
  absl::Status error = ErrorOf(sqlite3_db_handle(statement_.get()), result, shown_);
  Reset();
  return error;
}

absl::Status Statement::Run() {
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, Step());
    if (!has_row) return absl::OkStatus();
  }
}

int64_t Statement::Int(int column) const { return sqlite3_column_int64(statement_.get(), column); }

double Statement::Real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string_view Statement::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (text == nullptr) return {};
  return {text, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::string_view Statement::Blob(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

bool Statement::IsNull(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

void Database::Close::operator()(sqlite3* db) const { sqlite3_close_v2(db); }

absl::StatusOr<std::unique_ptr<Database>> Database::Open(const std::string& path,
                                                         const std::string& shown, Access access) {
  std::unique_ptr<Database> database(new Database(shown));
  const std::string name = access == Access::kReadAlone ? UriOf(path) : path;
  sqlite3* db = nullptr;
  const int result =
      sqlite3_open_v2(name.c_str(), &db, FlagsOf(access) | SQLITE_OPEN_NOMUTEX, nullptr);
  database->db_.reset(db);  // a failed attempt also leaves something to close
  if (result != SQLITE_OK) return ErrorOf(db, result, shown);
  sqlite3_extended_result_codes(db, 1);
  database->set_patience_ms(kPatienceMs);
  return database;
}

void Database::set_patience_ms(int milliseconds) { sqlite3_busy_timeout(db_.get(), milliseconds); }

absl::Status Database::Run(std::string_view sql) {
  const std::string text(sql);
  const int result = sqlite3_exec(db_.get(), text.c_str(), nullptr, nullptr, nullptr);
  return result == SQLITE_OK ? absl::OkStatus() : ErrorOf(db_.get(), result, shown_);
}

absl::StatusOr<Statement> Database::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int result = sqlite3_prepare_v3(db_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (result != SQLITE_OK) return ErrorOf(db_.get(), result, shown_);
  return Statement(statement, shown_);
}

absl::StatusOr<int64_t> Database::AskInt(std::string_view sql) {
  ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
  ASSIGN_OR_RETURN(const bool has_row, statement.Step());
  return has_row ? statement.Int(0) : 0;
}

absl::StatusOr<std::string> Database::AskText(std::string_view sql) {
  ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
  ASSIGN_OR_RETURN(const bool has_row, statement.Step());
  return has_row ? std::string(statement.Text(0)) : std::string();
}

int64_t Database::last_id() const { return sqlite3_last_insert_rowid(db_.get()); }
int64_t Database::changes() const { return sqlite3_changes64(db_.get()); }
bool Database::in_transaction() const { return sqlite3_get_autocommit(db_.get()) == 0; }

absl::StatusOr<Transaction> Transaction::Begin(Database& db) {
  RETURN_IF_ERROR(db.Run("BEGIN IMMEDIATE"));
  return Transaction(&db);
}

Transaction::~Transaction() {
  // Some errors (a full disk) have already rolled back.
  if (db_ != nullptr && db_->in_transaction()) db_->Run("ROLLBACK").IgnoreError();
}

absl::Status Transaction::Commit() { return db_->Run("COMMIT"); }

}  // namespace triarch::sqlite
