// Implements `triarch bots check`: plays a bot against itself and reports its faults.

#include <unistd.h>

#include <algorithm>
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
#include "cli/cluster/tournament_hooks.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/rules/position_options.h"
#include "core/any_state.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "spec/bot_word.h"
#include "worker/host/any_bot.h"
#include "worker/host/bot_copies.h"
#include "worker/host/bot_digest.h"
#include "worker/host/plugin_check.h"
#include "worker/host/process_check.h"

namespace triarch {
namespace {

using Json = nlohmann::ordered_json;

struct CheckBotOptions {
  std::string bot;
  std::vector<std::string> games;    // empty means all that the bot supports
  std::vector<std::string> options;  // "usual_depth=3"
  int64_t rounds = 4;
  bool is_json = false;
  bool is_asan = false;
};

// What the bot says about itself, as text and JSON.
struct Description {
  std::string text;
  Json json;
  std::vector<std::string> games;
  std::vector<BotFinding> findings = {};
};

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
absl::Status RunUnderSanitizer(const CheckBotOptions& options, const std::string& library) {
  std::vector<std::string> words = {"triarch",   "bots",    "check",
                                    options.bot, "--games", std::to_string(options.rounds)};
  for (const std::string& game : options.games) words.insert(words.end(), {"--game", game});
  for (const std::string& option : options.options) {
    words.insert(words.end(), {"--option", option});
  }
  if (options.is_json) words.emplace_back("--json");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  setenv("LD_PRELOAD", SanitizerOf(library).c_str(), 1);
  // This program's own memory that is never freed is not a leak of the plugin.
  setenv("ASAN_OPTIONS", "detect_leaks=0:exitcode=1", 0);
  execv("/proc/self/exe", arguments.data());
  return absl::InternalError("cannot run under the address sanitizer");
}

absl::Status AddOptions(const std::vector<std::string>& words, BotSpec* bot) {
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      return absl::InvalidArgumentError("--option: expected NAME=VALUE, not " + Quote(word));
    }
    bot->options[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return absl::OkStatus();
}

// Finds the bot, which must have code of its own.
absl::StatusOr<BotSpec> FindCheckedBot(const CheckBotOptions& options,
                                       std::vector<std::string>* games) {
  ASSIGN_OR_RETURN(LocatedBot bot,
                   LocateBot(options.bot, "", MakeTournamentHooks(), /*may_be_nameless=*/true));
  if (!IsUserSupplied(bot.spec)) {
    return absl::InvalidArgumentError(
        Quote(options.bot) +
        " has no code of its own to check; expected a program, a plugin (.so), a folder with a "
        "bot.yaml, or a command such as 'python3 ./mine/bot.py --fast'");
  }
  RETURN_IF_ERROR(AddOptions(options.options, &bot.spec));
  *games = bot.manifest.games;
  return std::move(bot.spec);
}

absl::StatusOr<Description> DescribeAPlugin(const std::string& library) {
  ASSIGN_OR_RETURN(const PluginDescription plugin, DescribePlugin(library));
  ASSIGN_OR_RETURN(const std::string digest, DigestFile(library));
  Description description = {
      .text = absl::StrFormat("%s %s, plugin, ABI %d, %s, sha256 %s\n", plugin.name, plugin.version,
                              plugin.abi, plugin.has_policy ? "policy" : "no policy",
                              digest.substr(0, 12)),
      .json = {{"name", plugin.name},
               {"version", plugin.version},
               {"type", kPluginBot},
               {"abi", plugin.abi},
               {"digest", digest},
               {"games", plugin.games},
               {"has_policy", plugin.has_policy},
               {"options", Json::array()}},
      .games = plugin.games};
  for (const auto& option : plugin.options) {
    description.text += absl::StrFormat("  option %s = %s: %s\n", option.name, option.default_value,
                                        option.description);
    description.json["options"].push_back({{"name", option.name},
                                           {"description", option.description},
                                           {"default", option.default_value}});
  }
  return description;
}

// Formats the bounds or values of an option.
std::string RangeOf(const UciSession::Option& option) {
  if (option.type == "spin" && option.min && option.max) {
    return absl::StrFormat(" from %d to %d", *option.min, *option.max);
  }
  return option.values.empty() ? "" : " of " + absl::StrJoin(option.values, ", ");
}

absl::StatusOr<Description> DescribeAProcess(const BotSpec& bot) {
  ASSIGN_OR_RETURN(const ProcessDescription process, DescribeProcess(bot));
  const std::string name = process.name.empty() ? bot.name : process.name;
  Description description = {
      .text = absl::StrFormat("%s, process%s\n", name, bot.is_sandboxed ? "" : ", no sandbox"),
      .json = {{"name", name},
               {"type", kProcessBot},
               {"command", bot.command},
               {"dir", bot.dir},
               {"games", process.games},
               {"options", Json::array()}},
      .games = process.games,
      .findings = CheckDeclaredOptions(process)};
  for (const auto& [option, declared] : process.options) {
    description.text += absl::StrFormat("  option %s = %s: %s%s\n", option, declared.default_value,
                                        declared.type, RangeOf(declared));
    description.json["options"].push_back(
        {{"name", option}, {"type", declared.type}, {"default", declared.default_value}});
  }
  return description;
}

Json FindingsJson(const std::vector<BotFinding>& findings) {
  Json json = Json::array();
  for (const BotFinding& one : findings) {
    json.push_back({{"kind", one.is_fault ? "fault" : "warning"},
                    {"what", one.what},
                    {"count", one.count},
                    {"first", one.first}});
  }
  return json;
}

Json ReportJson(const std::string& game, const BotReport& report) {
  return {{"game", game},
          {"games", report.games},
          {"plies", report.plies},
          {"plies_per_second", report.plies_per_second},
          {"findings", FindingsJson(report.findings)}};
}

std::string FindingsText(std::vector<BotFinding> findings) {
  std::stable_partition(findings.begin(), findings.end(),
                        [](const BotFinding& one) { return one.is_fault; });
  std::string text;
  for (const BotFinding& one : findings) {
    const char* const kind = one.is_fault ? "fault" : "warning";
    const std::string count = one.count == 1 ? "" : Counted(one.count, "time") + ", first ";
    text += absl::StrFormat("  %s: %s (%s%s)\n", kind, one.what, count, one.first);
  }
  return text;
}

std::string ReportText(const std::string& game, const BotReport& report) {
  return absl::StrFormat("%-12s %s, %d plies, %.0f plies/s\n", game, Counted(report.games, "game"),
                         report.plies, report.plies_per_second) +
         FindingsText(report.findings);
}

absl::StatusOr<BotReport> CheckIn(const GameInfo& game, const BotSpec& bot, int64_t rounds) {
  if (bot.bot == kPluginBot) return CheckPlugin(LibraryOf(bot), game, bot.options, rounds);
  return CheckProcess(game, bot, rounds);
}

// Returns the games to check: those asked for, or those of the bundle or the bot.
absl::StatusOr<std::vector<std::string>> GamesToPlay(const CheckBotOptions& options,
                                                     const std::vector<std::string>& of_bundle,
                                                     const Description& description) {
  std::vector<std::string> games = options.games;
  if (games.empty()) games = of_bundle.empty() ? description.games : of_bundle;
  for (const std::string& game : games) {
    RETURN_IF_ERROR(FindGame(game).status());
    const auto& played = description.games;
    if (std::find(played.begin(), played.end(), game) != played.end()) continue;
    return absl::InvalidArgumentError(
        absl::StrFormat("the bot does not play %s, only %s", game, absl::StrJoin(played, ", ")));
  }
  return games;
}

absl::StatusOr<bool> Check(const CheckBotOptions& options) {
  std::vector<std::string> of_bundle;
  ASSIGN_OR_RETURN(BotSpec bot, FindCheckedBot(options, &of_bundle));
  // A bundle has only the files that its manifest selects.
  std::unique_ptr<BotCopies> copies;
  if (!bot.bundle.empty()) {
    ASSIGN_OR_RETURN(copies, BotCopies::Make({&bot, 1}));
    bot = copies->Find(bot).value_or(bot);
  }
  const bool is_plugin = bot.bot == kPluginBot;
  if (options.is_asan && !is_plugin) {
    return absl::InvalidArgumentError("--asan: only a plugin runs under the address sanitizer");
  }
  if (options.is_asan) return RunUnderSanitizer(options, LibraryOf(bot));
  ASSIGN_OR_RETURN(const Description description,
                   is_plugin ? DescribeAPlugin(LibraryOf(bot)) : DescribeAProcess(bot));
  ASSIGN_OR_RETURN(const auto games, GamesToPlay(options, of_bundle, description));
  Json json = description.json;
  json["findings"] = FindingsJson(description.findings);
  if (!options.is_json) Print(Printable(description.text + FindingsText(description.findings)));
  bool is_fit = true;
  for (const std::string& name : games) {
    std::fflush(stdout);
    Log("playing " + name);
    ASSIGN_OR_RETURN(const GameInfo* const game, FindGame(name));
    ASSIGN_OR_RETURN(const BotReport report, CheckIn(*game, bot, options.rounds));
    is_fit &= !report.has_fault();
    json["reports"].push_back(ReportJson(name, report));
    if (!options.is_json) Print(Printable(ReportText(name, report)));
  }
  json["is_fit"] = is_fit;
  Print(options.is_json
            ? json.dump(2, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) + "\n"
            : std::string(is_fit ? "fit to play\n" : "not fit to play\n"));
  return is_fit;
}

int RunCheckBot(const CheckBotOptions& options) {
  const absl::StatusOr<bool> is_fit = Check(options);
  if (!is_fit.ok()) return Fail(is_fit.status());
  return *is_fit ? kExitDone : kExitFailed;
}

}  // namespace

void AddCheckBotCommand(const Command& bots) {
  auto options = std::make_shared<CheckBotOptions>();
  const Command command =
      bots.AddCommand("check", "Play your bot against itself, and report its faults.");
  command
      .AddText({"BOT", "",
                "Program, plugin (.so), folder with a bot.yaml, or command in quotes,\n"
                "with options as in `run --bots`"},
               &options->bot)
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
      "Prints a line for each kind of fault or warning, with its count and where it happened\n"
      "first. A fault would forfeit games; the exit code is then 1. A plugin runs in a process\n"
      "of its own, which is stopped if a call takes more than 20 s.\n\n"
      "Examples:\n"
      "  triarch bots check ./mine/bot.py\n"
      "  triarch bots check 'python3 ./mine/bot.py --fast' --game tri-d\n"
      "  triarch bots check ./search_bot.so --option usual_depth=3 --asan");
  command.OnRun(options, RunCheckBot);
}

}  // namespace triarch
