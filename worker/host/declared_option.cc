#include "worker/host/declared_option.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_format.h"
#include "bots/bots.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/bot_error.h"
#include "worker/host/any_bot.h"
#include "worker/host/plugin_check.h"
#include "worker/host/process_player.h"

namespace triarch {
namespace {

absl::Status NotANumber(const std::string& name) {
  return absl::InvalidArgumentError(absl::StrFormat(
      "the values of option %s are not numbers; expected an option with numbers", name));
}

absl::StatusOr<DeclaredOption> DeclaredByBundled(const BotSpec& spec, const std::string& name) {
  ASSIGN_OR_RETURN(const BundledBot* const bot, FindBot(spec.bot));
  const auto option = std::find_if(bot->options.begin(), bot->options.end(),
                                   [&](const BotOption& one) { return one.name == name; });
  if (option == bot->options.end()) {
    // The check names the options that exist.
    RETURN_IF_ERROR(CheckBot({.name = spec.name, .bot = spec.bot, .options = {{name, ""}}}));
    return NotANumber(name);
  }
  const bool is_whole = option->type == BotOption::Type::kWhole;
  if (!is_whole && option->type != BotOption::Type::kNumber) return NotANumber(name);
  return DeclaredOption{.default_value = option->default_number,
                        .min = option->low,
                        .max = option->high,
                        .is_integer = is_whole};
}

absl::StatusOr<DeclaredOption> DeclaredByPlugin(const GameInfo& game, const BotSpec& spec,
                                                const std::string& name) {
  BotSpec with = spec;
  with.options.try_emplace(name);
  ASSIGN_OR_RETURN(const PluginDescription plugin, DescribePlugin(LibraryOf(spec)));
  const auto option = std::find_if(plugin.options.begin(), plugin.options.end(),
                                   [&](const auto& one) { return one.name == name; });
  // The check names the options that exist.
  if (option == plugin.options.end()) return TryPlugin(LibraryOf(spec), game, with);
  return DeclaredOption{.default_value = ParseDouble(option->default_value)};
}

absl::StatusOr<DeclaredOption> DeclaredByProcess(const GameInfo& game, const BotSpec& spec,
                                                 const std::string& name) {
  ProcessPlayer player(game, spec, [](const std::string&) {});
  RETURN_IF_ERROR(player.Check());
  const std::map<std::string, UciSession::Option>& options = player.options();
  const auto found = options.find(name);
  if (found == options.end()) return UciSession::UnknownOption(options, name);
  const UciSession::Option& option = found->second;
  if (option.type != "spin" && option.type != "string") return NotANumber(name);
  DeclaredOption declared = {.default_value = ParseDouble(option.default_value),
                             .is_integer = option.type == "spin"};
  if (option.min) declared.min = static_cast<double>(*option.min);
  if (option.max) declared.max = static_cast<double>(*option.max);
  return declared;
}

}  // namespace

absl::StatusOr<DeclaredOption> FindDeclaredOption(std::string_view game, const BotSpec& spec,
                                                  const std::string& name) {
  if (!IsUserSupplied(spec)) return DeclaredByBundled(spec, name);
  if (!spec.bundle.empty() && spec.dir.empty()) return DeclaredOption{};
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(game));
  absl::StatusOr<DeclaredOption> declared = spec.bot == kProcessBot
                                                ? DeclaredByProcess(*info, spec, name)
                                                : DeclaredByPlugin(*info, spec, name);
  if (!declared.ok()) return WithBotName(spec, declared.status());
  return declared;
}

}  // namespace triarch
