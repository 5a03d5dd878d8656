#include "cli/tournament/option_flags.h"

#include "absl/strings/str_format.h"
#include "cli/files.h"
#include "cli/rules/position_options.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "spec/bot_flag.h"
#include "spec/option_reference.h"
#include "spec/tournament_options.h"

namespace triarch {

void AddOptionFlags(const Command& command, absl::FunctionRef<bool(const Option&)> is_wanted,
                    OptionTexts* texts) {
  for (const Option& option : TournamentOptions()) {
    if (!option.has_flag || !is_wanted(option)) continue;
    const std::string section(SectionOf(option.key));
    const auto read = [texts, &option](const std::string& text) {
      (*texts)[option.key] = text;
      return absl::OkStatus();
    };
    const CommandOption flag =
        command.Add({.name = FlagName(option),
                     .value = FlagPlaceholder(option),
                     .help = FlagHelp(option),
                     .group = section.empty() ? "" : "Options (" + section + " in a file)"},
                    read);
    if (option.key == "game") flag.Completes(GameNames());
  }
}

absl::Status CheckOneBot(std::string_view argument, const std::string& bot) {
  if (SplitBots(bot).size() == 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrFormat("%s is %s; expected one bot, without commas", argument, Quote(bot)));
}

absl::Status CheckOutput(const TournamentSpec& spec, const std::string& file) {
  if (IsSameFile(spec.tpgn, spec.db) || IsSameFile(spec.tpgn, file) || IsSameFile(spec.db, file)) {
    return absl::InvalidArgumentError(
        "--db, --tpgn: the database, the TPGN file and the tournament file must be different "
        "files");
  }
  const std::string svg = spec.tune ? spec.tune->svg : "";
  if (IsSameFile(svg, spec.db) || IsSameFile(svg, spec.tpgn) || IsSameFile(svg, file)) {
    return absl::InvalidArgumentError(
        "--svg: the picture and the other files must be different files");
  }
  if (svg == "-") {
    return absl::InvalidArgumentError("--svg: standard output is for the result; expected a file");
  }
  if (spec.tpgn != "-") return absl::OkStatus();
  return absl::InvalidArgumentError(
      "--tpgn: standard output is for the standings; expected a file (`triarch games --tpgn -` "
      "prints recorded games)");
}

absl::Status SetOptionFlags(const OptionTexts& texts, TournamentDraft* draft) {
  for (const Option& option : TournamentOptions()) {
    const auto given = texts.find(option.key);
    if (given != texts.end()) RETURN_IF_ERROR(SetFlag(option, given->second, draft));
  }
  return absl::OkStatus();
}

}  // namespace triarch
