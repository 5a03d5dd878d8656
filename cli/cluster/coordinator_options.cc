#include "cli/cluster/coordinator_options.h"

#include <optional>
#include <string_view>

#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

// Accepts "host:port"; the host may be in brackets.
absl::Status CheckAddress(std::string_view address) {
  const size_t colon = address.rfind(':');
  std::optional<int64_t> port;
  if (colon != std::string_view::npos) port = ParseInt64(address.substr(colon + 1));
  if (colon != 0 && port && *port >= 0 && *port <= 65535) return absl::OkStatus();
  return absl::InvalidArgumentError("expected HOST:PORT with a port from 0 to 65535, not " +
                                    Quote(address));
}

}  // namespace

CommandOption AddCoordinatorOptions(const Command& command, CoordinatorOptions* options) {
  const auto read = [options](const std::string& text) -> absl::Status {
    for (const std::string_view address : Split(text, ',')) {
      RETURN_IF_ERROR(CheckAddress(Trim(address)));
    }
    options->addresses = text;
    return absl::OkStatus();
  };
  const CommandOption coordinator = command.Add(
      {"--coordinator", "HOST:PORT",
       "Address of the coordinator, or a comma-separated list that\nincludes its standbys"},
      read);
  command.AddText({"--token-file", "FILE", "File with the token to present"}, &options->token_file);
  command.AddText({"--tls-ca", "FILE", "PEM file of the authority that signed the coordinator"},
                  &options->tls_ca);
  command.AddText({"--tls-cert", "FILE", "PEM file of this client's certificate"},
                  &options->tls_cert);
  command.AddText({"--tls-key", "FILE", "PEM file of this client's private key"},
                  &options->tls_key);
  return coordinator;
}

void AddIdArgument(const Command& command, int64_t* id) {
  command.AddNumber({"ID", "", "ID of the tournament (see `triarch list`)"}, {1, INT64_MAX}, id)
      .Required();
}

CommandOption AddAddressOption(const Command& command, const OptionText& text,
                               std::string* address) {
  return command.Add(text, [address](const std::string& given) -> absl::Status {
    if (given.empty()) return absl::OkStatus();
    *address = given;
    return CheckAddress(given);
  });
}

}  // namespace triarch
