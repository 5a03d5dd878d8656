#ifndef TRIARCH_CLI_STORED_TOURNAMENT_H_
#define TRIARCH_CLI_STORED_TOURNAMENT_H_

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "coordinator/store/store.h"

// [ID] --db F: which recorded tournament a command is about.
namespace triarch {

struct StoredOptions {
  std::optional<std::string> id;
  std::string db;
};

// `options` must live as long as the command.
void AddStoredOptions(CLI::App* command, StoredOptions* options);

// The number that ID is; nothing if it was not given. An error is one of usage.
absl::StatusOr<std::optional<int64_t>> ReadId(const StoredOptions& options);

struct OpenedTournament {
  std::unique_ptr<Store> store;  // read only
  StoredTournament tournament;
};

// Opens the database and finds the tournament: the one of that id or, without an id, the only one.
absl::StatusOr<OpenedTournament> OpenStored(const std::string& db, std::optional<int64_t> id);

}  // namespace triarch

#endif  // TRIARCH_CLI_STORED_TOURNAMENT_H_
