// Adds the option --names, which chooses how the cells of a game are named.

#ifndef TRIARCH_CLI_RULES_NAMES_OPTION_H_
#define TRIARCH_CLI_RULES_NAMES_OPTION_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/command.h"
#include "core/game/position.h"
#include "core/triumvirate/v4_notation.h"

namespace triarch {

CommandOption AddNamesOption(const Command& command, std::string* scheme);

// The names of cells and pieces in texts of the user.
class Names {
 public:
  // Returns an error that names the option if the game has no such scheme. "" is the default names.
  static absl::StatusOr<Names> Read(const std::string& scheme, const GameInfo& game);

  // Converts the default names in a text to those of the scheme, and back. The default names stay
  // valid in texts of the user.
  std::string Write(std::string_view text) const;
  std::string Parse(std::string_view text) const;
  std::vector<std::string> Parse(const std::vector<std::string>& texts) const;
  absl::Status Write(const absl::Status& status) const;

 private:
  explicit Names(std::optional<triumvirate::V4Table> table) : table_(table) {}

  std::optional<triumvirate::V4Table> table_;  // empty for the default names
};

}  // namespace triarch

#endif  // TRIARCH_CLI_RULES_NAMES_OPTION_H_
