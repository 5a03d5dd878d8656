// Adds the options of commands that call a coordinator: its address, a token, and TLS files.

#ifndef TRIARCH_CLI_CLUSTER_COORDINATOR_OPTIONS_H_
#define TRIARCH_CLI_CLUSTER_COORDINATOR_OPTIONS_H_

#include <cstdint>
#include <string>

#include "cli/command.h"

namespace triarch {

struct CoordinatorOptions {
  std::string addresses;  // "host:7071,other:7071"; empty if --coordinator is absent
  std::string token_file;
  std::string tls_ca;
  std::string tls_cert;
  std::string tls_key;
};

// Adds the options and returns --coordinator, which the caller may make required.
CommandOption AddCoordinatorOptions(const Command& command, CoordinatorOptions* options);

// Adds ID, which names a tournament of a coordinator.
void AddIdArgument(const Command& command, int64_t* id);

// Adds an option whose value is one HOST:PORT. An empty value leaves `address` as it is.
CommandOption AddAddressOption(const Command& command, const OptionText& text,
                               std::string* address);

}  // namespace triarch

#endif  // TRIARCH_CLI_CLUSTER_COORDINATOR_OPTIONS_H_
