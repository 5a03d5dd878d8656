// Implements `triarch bots` and `triarch bots check`: lists bundled bots and tests a plugin.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "bots/bots.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/rules/position_options.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "worker/host/bot_digest.h"
#include "worker/host/plugin.h"
#include "worker/host/plugin_check.h"

namespace triarch {
namespace {

using Json = nlohmann::ordered_json;

struct BotsOptions {
  bool is_json = false;
};

struct CheckBotOptions {
  std::string path;
  std::vector<std::string> games;    // empty means all that the plugin supports
  std::vector<std::string> options;  // "usual_depth=3"
  int64_t rounds = 4;
  bool is_json = false;
  bool is_asan = false;
};

int RunBots(const BotsOptions& options) {
  Json bots = Json::array();
  std::string text;
  for (const BundledBot* const bot : BundledBots()) {
    Json json = {{"name", bot->name}, {"description", bot->description}};
    text += absl::StrFormat("%-10s %s\n", std::string(bot->name), std::string(bot->description));
    for (const BotOption& option : bot->options) {
      const std::string description = DescribeOption(option);
      json["options"].push_back({{"name", option.name}, {"description", description}});
      text += absl::StrFormat("%-10s   %-12s %s\n", "", std::string(option.name), description);
    }
    bots.push_back(std::move(json));
  }
  Print(options.is_json ? bots.dump(2) + "\n" : text);
  return kExitDone;
}

// Returns the sanitizer library that the plugin was linked with, or g++ 12's.
std::string SanitizerOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  for (const std::string_view name : {"libasan.so.", "libclang_rt.asan"}) {
    const size_t at = bytes.find(name);
    if (at != std::string::npos) return bytes.c_str() + at;
  }
  return "libasan.so.8";
}

// Executes this command again under the address sanitizer, which must be loaded before anything
// else. Returns only if that fails.
absl::Status RunUnderSanitizer(const CheckBotOptions& options) {
  std::vector<std::string> words = {"triarch",    "bots",    "check",
                                    options.path, "--games", std::to_string(options.rounds)};
  for (const std::string& game : options.games) words.insert(words.end(), {"--game", game});
  for (const std::string& option : options.options) {
    words.insert(words.end(), {"--option", option});
  }
  if (options.is_json) words.emplace_back("--json");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  setenv("LD_PRELOAD", SanitizerOf(options.path).c_str(), 1);
  // This program's own memory that is never freed is not a leak of the plugin.
  setenv("ASAN_OPTIONS", "detect_leaks=0:exitcode=1", 0);
  execv("/proc/self/exe", arguments.data());
  return absl::InternalError("cannot run under the address sanitizer");
}

absl::StatusOr<std::map<std::string, std::string>> ReadOptions(
    const std::vector<std::string>& words) {
  std::map<std::string, std::string> options;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      return absl::InvalidArgumentError("--option: expected NAME=VALUE, not " + Quote(word));
    }
    options[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return options;
}

Json ReportJson(const std::string& game, const PluginReport& report) {
  return {{"game", game},
          {"games", report.games},
          {"plies", report.plies},
          {"plies_per_second", report.plies_per_second},
          {"faults", report.faults},
          {"warnings", report.warnings}};
}

std::string ReportText(const std::string& game, const PluginReport& report) {
  std::string text = absl::StrFormat("%-12s %d games, %d plies, %.0f plies/s\n", game, report.games,
                                     report.plies, report.plies_per_second);
  for (const std::string& fault : report.faults) text += "  fault: " + fault + "\n";
  for (const std::string& warning : report.warnings) text += "  warning: " + warning + "\n";
  return text;
}

Json DescriptionJson(const Plugin& plugin, const std::string& digest) {
  const triarch_bot& bot = plugin.bot();
  Json json = {{"name", bot.name},        {"version", bot.version},
               {"abi", bot.abi_version},  {"digest", digest},
               {"games", plugin.games()}, {"has_policy", bot.policy != nullptr},
               {"options", Json::array()}};
  for (size_t i = 0; i < bot.option_count; ++i) {
    json["options"].push_back({{"name", bot.options[i].name},
                               {"description", bot.options[i].description},
                               {"default", bot.options[i].default_value}});
  }
  return json;
}

std::string DescriptionText(const Plugin& plugin, const std::string& digest) {
  const triarch_bot& bot = plugin.bot();
  std::string text =
      absl::StrFormat("%s %s, ABI %d, %s, sha256 %s\n", bot.name, bot.version, bot.abi_version,
                      bot.policy == nullptr ? "no policy" : "policy", digest.substr(0, 12));
  for (size_t i = 0; i < bot.option_count; ++i) {
    text += absl::StrFormat("  option %s = %s: %s\n", bot.options[i].name,
                            bot.options[i].default_value, bot.options[i].description);
  }
  return text;
}

absl::StatusOr<bool> Check(const CheckBotOptions& options) {
  ASSIGN_OR_RETURN(const auto given, ReadOptions(options.options));
  ASSIGN_OR_RETURN(const Plugin* const plugin, Plugin::Load(options.path));
  ASSIGN_OR_RETURN(const std::string digest, DigestFile(options.path));
  Json json = DescriptionJson(*plugin, digest);
  if (!options.is_json) Print(DescriptionText(*plugin, digest));
  size_t faults = 0;
  for (const std::string& name : options.games.empty() ? plugin->games() : options.games) {
    ASSIGN_OR_RETURN(const GameInfo* const game, FindGame(name));
    // A crashing plugin takes this process with it, so print known results first.
    std::fflush(stdout);
    std::fprintf(stderr, "playing %s\n", name.c_str());
    ASSIGN_OR_RETURN(const PluginReport report, CheckPlugin(*plugin, *game, given, options.rounds));
    faults += report.faults.size();
    json["reports"].push_back(ReportJson(name, report));
    if (!options.is_json) Print(ReportText(name, report));
  }
  json["is_fit"] = faults == 0;
  Print(options.is_json ? json.dump(2) + "\n"
                        : std::string(faults == 0 ? "fit to play\n" : "not fit to play\n"));
  return faults == 0;
}

int RunCheckBot(const CheckBotOptions& options) {
  if (options.is_asan) return Fail(RunUnderSanitizer(options));
  const absl::StatusOr<bool> is_fit = Check(options);
  if (!is_fit.ok()) return Fail(is_fit.status());
  return *is_fit ? kExitDone : kExitFailed;
}

void AddCheckBot(const Command& bots) {
  auto options = std::make_shared<CheckBotOptions>();
  const Command command =
      bots.AddCommand("check", "Load a plugin, play it against itself, and report its faults.");
  command
      .AddText({"LIBRARY", "", "Shared library to check (bots/sdk/triarch_bot.h)"}, &options->path)
      .Required();
  command.AddText({"--game", "GAME", "Play only this game; repeat it for more"}, &options->games)
      .Completes(GameNames());
  command.AddText({"--option", "NAME=VALUE", "Set an option of the bot; repeat it for more"},
                  &options->options);
  command.AddNumber({"--games", "N", "Play N games of each"}, {1, 1'000'000}, &options->rounds);
  command.AddFlag({"--asan", "",
                   "Run under the address sanitizer, for a plugin built with\n"
                   "-fsanitize=address"},
                  &options->is_asan);
  command.AddFlag({"--json", "", "Print one JSON object"}, &options->is_json);
  command.Footer(
      "The exit code is 1 if the plugin would forfeit games.\n\n"
      "Examples:\n"
      "  triarch bots check ./search_bot.so\n"
      "  triarch bots check ./search_bot.so --game tri-d --option usual_depth=3 --asan");
  command.OnRun(options, RunCheckBot);
}

}  // namespace

void AddBotsCommand(const Command& app) {
  auto options = std::make_shared<BotsOptions>();
  const Command command = app.AddCommand(
      "bots", "List the bundled bots, check a plugin, or manage the bots of a coordinator.");
  command.AddFlag({"--json", "", "Print a JSON array"}, &options->is_json);
  AddCheckBot(command);
  AddBundleCommands(command);
  command.Footer(
      "Without a command, lists the bundled bots with their options.\n\n"
      "Examples:\n"
      "  triarch bots\n"
      "  triarch bots check ./search_bot.so");
  command.OnRun(options, RunBots);
}

}  // namespace triarch
