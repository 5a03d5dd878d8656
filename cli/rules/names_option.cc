#include "cli/rules/names_option.h"

#include "absl/strings/str_format.h"
#include "core/base/text.h"
#include "core/triumvirate/position.h"
#include "core/triumvirate/v4_text.h"

namespace triarch {

CommandOption AddNamesOption(const Command& command, std::string* scheme) {
  return command
      .AddText({"--names", "SCHEME",
                "triumvirate: use the pieces L M T D N P and the cell names of\n"
                "Triumvirate v4.0 (only for --game triumvirate), as printed;\n"
                "triumvirate-client: as computed by the client"},
               scheme)
      .Completes({"triumvirate", "triumvirate-client"});
}

absl::StatusOr<Names> Names::Read(const std::string& scheme, const GameInfo& game) {
  if (scheme.empty()) return Names(std::nullopt);
  const std::optional<triumvirate::V4Table> table = triumvirate::V4TableOfNames(scheme);
  if (game.name != triumvirate::Position::kInfo.name) {
    return absl::InvalidArgumentError(
        absl::StrFormat("--names: the game %s has only its default names, not %s",
                        std::string(game.name), Quote(scheme)));
  }
  if (table) return Names(table);
  return absl::InvalidArgumentError("--names: expected triumvirate or triumvirate-client, not " +
                                    Quote(scheme));
}

std::string Names::Write(std::string_view text) const {
  return table_ ? triumvirate::ToV4Text(text, *table_) : std::string(text);
}

std::string Names::Parse(std::string_view text) const {
  return table_ ? triumvirate::FromV4Text(text, *table_) : std::string(text);
}

std::vector<std::string> Names::Parse(const std::vector<std::string>& texts) const {
  std::vector<std::string> parsed;
  for (const std::string& text : texts) parsed.push_back(Parse(text));
  return parsed;
}

absl::Status Names::Write(const absl::Status& status) const {
  return {status.code(), Write(std::string_view(status.message().data(), status.message().size()))};
}

}  // namespace triarch
