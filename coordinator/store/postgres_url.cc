// Completes and checks PostgreSQL addresses, and hides their passwords.

#include <libpq-fe.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "coordinator/store/postgres_db.h"
#include "coordinator/store/store.h"
#include "core/base/text.h"

namespace triarch {

bool IsPostgresUrl(std::string_view text) {
  return text.starts_with("postgresql://") || text.starts_with("postgres://");
}

namespace postgres {
namespace {

using Options = std::map<std::string, std::string>;

// Parameters that are added if the URL omits them. The timeouts and keepalives detect a lost server
// or link within seconds.
constexpr std::array<std::pair<const char*, const char*>, 8> kDefaults = {{
    {"application_name", "triarch"},
    {"client_encoding", "UTF8"},
    {"connect_timeout", "5"},
    {"keepalives", "1"},
    {"keepalives_count", "3"},
    {"keepalives_idle", "3"},
    {"keepalives_interval", "1"},
    {"tcp_user_timeout", "6000"},
}};

absl::Status InvalidUrl(std::string_view why) {
  return absl::InvalidArgumentError(absl::StrFormat(
      "the store's URL is invalid: %s; expected postgresql://user@host:port/database", why));
}

// libpq notices a wrong port only when it connects. "5432,5433" has one for each host.
bool ArePorts(std::string_view text) {
  for (const std::string_view port : Split(text, ',')) {
    const auto number = ParseInt64(port);
    if (!port.empty() && (!number || *number < 1 || *number > 65'535)) return false;
  }
  return true;
}

absl::StatusOr<Options> OptionsOf(const std::string& url) {
  char* why = nullptr;
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed(
      PQconninfoParse(url.c_str(), &why), PQconninfoFree);
  const std::unique_ptr<char, decltype(&PQfreemem)> owned_why(why, PQfreemem);
  if (!IsPostgresUrl(url) || parsed == nullptr) {
    return InvalidUrl(why != nullptr ? Trim(why) : std::string_view("unknown scheme"));
  }
  Options options;
  for (const PQconninfoOption* option = parsed.get(); option->keyword != nullptr; ++option) {
    if (option->val != nullptr) options[option->keyword] = option->val;
  }
  const auto port = options.find("port");
  if (port != options.end() && !ArePorts(port->second)) {
    return InvalidUrl(Quote(port->second, 200) + " is no port");
  }
  return options;
}

// Returns the address without its password, wherever that was.
std::string ShownOf(const Options& options) {
  const auto value = [&options](const char* key) {
    const auto found = options.find(key);
    return found == options.end() ? std::string() : found->second;
  };
  std::string shown = "postgresql://";
  if (!value("user").empty()) shown += value("user") + "@";
  shown += value("host").empty() ? value("hostaddr") : value("host");
  if (!value("port").empty()) shown += ":" + value("port");
  return shown + "/" + value("dbname");
}

std::string ConninfoOf(const Options& options) {
  std::string conninfo;
  for (const auto& [key, value] : options) {
    conninfo += key + "='";
    for (const char c : value) {
      if (c == '\'' || c == '\\') conninfo += '\\';
      conninfo += c;
    }
    conninfo += "' ";
  }
  return conninfo;
}

}  // namespace

absl::StatusOr<Address> ParseUrl(const std::string& url, bool is_reader) {
  absl::StatusOr<Options> options = OptionsOf(url);
  if (!options.ok()) return options.status();
  Address address;
  address.shown = ShownOf(*options);
  for (const auto& [key, value] : kDefaults) options->try_emplace(key, value);
  // Of several hosts, selects the one that is not a replica.
  if (!is_reader) options->try_emplace("target_session_attrs", "read-write");
  address.conninfo = ConninfoOf(*options);
  return address;
}

}  // namespace postgres

absl::Status CheckStoreUrl(const std::string& url_or_path) {
  if (IsPostgresUrl(url_or_path)) return postgres::ParseUrl(url_or_path, true).status();
  if (url_or_path.find("://") == std::string::npos) return absl::OkStatus();
  return absl::InvalidArgumentError(url_or_path +
                                    " is no store; expected postgresql://USER@HOST/DATABASE or the "
                                    "path of an SQLite file");
}

std::string StoreName(const std::string& url_or_path) {
  if (!IsPostgresUrl(url_or_path)) return url_or_path;
  const absl::StatusOr<postgres::Address> address = postgres::ParseUrl(url_or_path, true);
  return address.ok() ? address->shown : "postgresql://";
}

}  // namespace triarch
