#include "coordinator/store/postgres_errors.h"

#include <algorithm>
#include <array>
#include <pqxx/pqxx>
#include <string_view>

#include "absl/strings/str_format.h"
#include "core/base/text.h"

namespace triarch::postgres {
namespace {

struct Meaning {
  std::string_view sqlstate;  // a code or its prefix
  absl::StatusCode code;
};

// SQLSTATE codes with a more specific meaning than a failed statement. The first match wins.
constexpr std::array<Meaning, 20> kMeanings = {{
    {"08", absl::StatusCode::kUnavailable},          // connection exception
    {"22021", absl::StatusCode::kInvalidArgument},   // not UTF-8, or a NUL
    {"22P05", absl::StatusCode::kInvalidArgument},   // a character that the encoding lacks
    {"22003", absl::StatusCode::kInvalidArgument},   // number out of range
    {"23503", absl::StatusCode::kNotFound},          // violated foreign key
    {"25006", absl::StatusCode::kPermissionDenied},  // opened for reading
    {"28", absl::StatusCode::kPermissionDenied},     // wrong role or password
    {"3D000", absl::StatusCode::kNotFound},          // no such database
    {"40", absl::StatusCode::kUnavailable},          // deadlock, serialization
    {"42501", absl::StatusCode::kPermissionDenied},
    {"42P07", absl::StatusCode::kFailedPrecondition},  // table already exists
    {"42P01", absl::StatusCode::kFailedPrecondition},  // no such table
    {"53300", absl::StatusCode::kUnavailable},         // too many connections
    {"53", absl::StatusCode::kResourceExhausted},      // disk or memory full
    {"54", absl::StatusCode::kInvalidArgument},        // exceeds a limit of the program
    {"55P03", absl::StatusCode::kUnavailable},         // lock timeout
    {"57", absl::StatusCode::kUnavailable},            // shutdown, statement timeout
    {"58", absl::StatusCode::kUnavailable},            // I/O error
    {"XX001", absl::StatusCode::kDataLoss},
    {"XX002", absl::StatusCode::kDataLoss},
}};

absl::StatusCode CodeOf(std::string_view sqlstate) {
  for (const Meaning& meaning : kMeanings) {
    if (sqlstate.starts_with(meaning.sqlstate)) return meaning.code;
  }
  return absl::StatusCode::kInternal;
}

// Returns the server's message on one line, without details for programmers.
std::string OneLine(std::string_view words) {
  std::string line;
  for (std::string_view rest = Trim(words); !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view part = Trim(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (part.starts_with("ERROR:")) part = Trim(part.substr(6));
    if (part.empty() || part.starts_with("CONTEXT:")) continue;
    line += (line.empty() ? "" : "; ") + std::string(part);
  }
  return line;
}

absl::Status Make(absl::StatusCode code, const std::string& shown, std::string_view words) {
  return absl::Status(code, absl::StrFormat("database %s: %s", shown, OneLine(words)));
}

template <class Exception>
bool Is(const std::exception& error) {
  return dynamic_cast<const Exception*>(&error) != nullptr;
}

// Returns the SQLSTATE code. libpqxx omits it for errors that have their own class.
std::string SqlState(const std::exception& error) {
  const auto* sql = dynamic_cast<const pqxx::sql_error*>(&error);
  if (sql == nullptr) return {};
  if (!sql->sqlstate().empty()) return sql->sqlstate();
  if (Is<pqxx::insufficient_privilege>(error)) return "42501";
  if (Is<pqxx::undefined_table>(error)) return "42P01";
  if (Is<pqxx::foreign_key_violation>(error)) return "23503";
  if (Is<pqxx::insufficient_resources>(error)) return "53";
  return {};
}

}  // namespace

Fault FaultOf(const std::exception& error) {
  if (Is<pqxx::in_doubt_error>(error)) return Fault::kInDoubt;
  if (Is<pqxx::transaction_rollback>(error)) return Fault::kRolledBack;
  const std::string state = SqlState(error);
  // The server shut down, crashed or is starting up, or the session was idle for too long.
  const bool is_ended = state.starts_with("57P0") || state == "25P03";
  return is_ended || Is<pqxx::broken_connection>(error) ? Fault::kLost : Fault::kOther;
}

absl::Status ErrorOf(const std::string& shown, const std::exception& error) {
  constexpr absl::StatusCode kUnavailable = absl::StatusCode::kUnavailable;
  switch (FaultOf(error)) {
    case Fault::kInDoubt:
      return Make(kUnavailable, shown, "the connection was lost during a commit");
    case Fault::kRolledBack:
      return Make(kUnavailable, shown, error.what());
    case Fault::kLost:
      return Make(kUnavailable, shown,
                  absl::StrFormat("the connection was lost: %s", error.what()));
    case Fault::kOther:
      break;
  }
  if (Is<pqxx::argument_error>(error)) {
    return Make(absl::StatusCode::kInvalidArgument, shown, error.what());
  }
  return Make(CodeOf(SqlState(error)), shown, error.what());
}

absl::Status ConnectError(const std::string& shown, const std::exception& error) {
  const std::string_view words = error.what();
  const auto has = [words](std::string_view part) { return words.find(part) != words.npos; };
  const bool is_about_database = has("database \"") && has("\" does not exist");
  if (is_about_database) return Make(absl::StatusCode::kNotFound, shown, words);
  if (has("authentication failed") || has("no password supplied") || has("pg_hba.conf") ||
      has("permission denied for database") || (has("role \"") && has("\" does not exist"))) {
    return Make(absl::StatusCode::kPermissionDenied, shown, words);
  }
  return Make(absl::StatusCode::kUnavailable, shown,
              absl::StrFormat("the server cannot be reached: %s", words));
}

}  // namespace triarch::postgres
