// Implements `triarch bots check`: plays a bot against itself and reports its faults.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "bundle/bundle.h"
#include "cli/cluster/tournament_hooks.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/rules/position_options.h"
#include "core/any_state.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/base/temporary_folder.h"
#include "core/base/text.h"
#include "core/record/bot_error.h"
#include "core/record/clock_text.h"
#include "spec/bot_flag.h"
#include "spec/bot_manifest.h"
#include "spec/bot_word.h"
#include "worker/host/any_bot.h"
#include "worker/host/bot_copies.h"
#include "worker/host/bot_digest.h"
#include "worker/host/check_plan.h"
#include "worker/host/plugin_check.h"
#include "worker/host/process_check.h"

namespace triarch {
namespace {

using Json = nlohmann::ordered_json;

struct CheckBotOptions {
  std::string bot;
  std::vector<std::string> games;    // empty means all that the bot supports
  std::vector<std::string> options;  // "usual_depth=3"
  CheckPlan plan;
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

// Executes this command again under the address sanitizer, a library that must be loaded before
// anything else. Returns only if that fails.
absl::Status RunUnderSanitizer(const CheckBotOptions& options, const std::string& sanitizer) {
  std::vector<std::string> words = {"triarch", "bots",
                                    "check",   options.bot,
                                    "--games", std::to_string(options.plan.games),
                                    "--tc",    ClockText(options.plan.clock)};
  for (const std::string& game : options.games) words.insert(words.end(), {"--game", game});
  for (const std::string& option : options.options) {
    words.insert(words.end(), {"--option", option});
  }
  if (options.is_json) words.emplace_back("--json");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  setenv("LD_PRELOAD", sanitizer.c_str(), 1);
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

// The bot, and the files that it needs until the end.
struct CheckedBot {
  BotSpec given = {};
  BotSpec spec = {};                    // with the files that a run would play
  std::vector<std::string> games = {};  // of a bundle
  std::unique_ptr<TemporaryFolder> unpacked = nullptr;
  std::unique_ptr<BotCopies> copies = nullptr;
};

// Unpacks the bundle into a folder and returns its path.
absl::StatusOr<std::string> Unpack(const std::string& tar, const TemporaryFolder& folder) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(tar));
  const absl::StatusOr<Bundle> bundle = Bundle::FromTar(file.text());
  if (!bundle.ok()) {
    return absl::InvalidArgumentError(tar + ": " + std::string(bundle.status().message()));
  }
  RETURN_IF_ERROR(ManifestOf(*bundle, tar).status());
  const std::string path = folder / "bot";
  RETURN_IF_ERROR(bundle->WriteFolder(path));
  return path;
}

absl::Status NoCode(const std::string& word, const LocatedBot& bot) {
  if (bot.spec.bot != kTorchBot) {
    return absl::InvalidArgumentError(
        Quote(word) +
        " has no code of its own to check; expected a program, a plugin (.so), a folder with a "
        "bot.yaml or a tar of it, or a command such as 'python3 ./mine/bot.py --fast'");
  }
  const std::vector<std::string>& games = bot.manifest.games;
  const std::string game = games.empty() ? "triumvirate" : games.front();
  const absl::StatusOr<const GameInfo*> info = FindGame(game);
  const bool is_tar = word.ends_with(".tar");
  return absl::InvalidArgumentError(
      absl::StrFormat("%s is a model for Triarch's own bot torch, so it has no code to check; "
                      "%slet it play instead, "
                      "as in triarch run --game %s --bots %s,random%s --games 6",
                      Quote(word), is_tar ? "unpack it and " : "", game,
                      is_tar ? word.substr(0, word.size() - 4) : word,
                      info.ok() && (*info)->seats == 2 ? "" : ",greedy"));
}

// Finds the bot, which must have code of its own, and copies its files.
absl::StatusOr<CheckedBot> FindCheckedBot(const CheckBotOptions& options) {
  CheckedBot checked;
  std::string text = options.bot;
  ASSIGN_OR_RETURN(const BotWord word, ParseBotWord(text));
  std::error_code error;
  if (word.what.ends_with(".tar") && std::filesystem::is_regular_file(word.what, error)) {
    checked.unpacked = std::make_unique<TemporaryFolder>();
    ASSIGN_OR_RETURN(const std::string folder, Unpack(word.what, *checked.unpacked));
    text.replace(text.find(word.what), word.what.size(), folder);
  }
  ASSIGN_OR_RETURN(LocatedBot bot,
                   LocateBot(text, "", MakeTournamentHooks(), /*may_be_nameless=*/true));
  if (!IsUserSupplied(bot.spec)) return NoCode(options.bot, bot);
  RETURN_IF_ERROR(AddOptions(options.options, &bot.spec));
  checked.games = bot.manifest.games;
  checked.given = std::move(bot.spec);
  BotSpec& given = checked.given;
  if (given.bot == kProcessBot) {
    ASSIGN_OR_RETURN(given.digest, DigestBot(given));
  }
  ASSIGN_OR_RETURN(checked.copies, BotCopies::Make({&given, 1}));
  checked.spec = checked.copies->Find(given).value_or(given);
  return checked;
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

absl::StatusOr<Description> DescribeAProcess(const CheckedBot& checked) {
  const BotSpec& bot = checked.given;
  const absl::StatusOr<ProcessDescription> described = DescribeProcess(checked.spec);
  if (!described.ok()) {
    return checked.copies->Explain(bot, WithBotName(bot, described.status()));
  }
  const ProcessDescription& process = *described;
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
                    {"first", one.first},
                    {"worst_ms", one.worst_ms > 0 ? Json(one.worst_ms) : Json()}});
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
    std::string count;
    if (one.count > 1) {
      count = Counted(one.count, "time");
      if (one.worst_ms > 0) count += absl::StrFormat(", at worst by %d ms", one.worst_ms);
      count += ", first ";
    }
    text += absl::StrFormat("  %s: %s (%s%s)\n", kind, one.what, count, one.first);
  }
  return text;
}

std::string ReportText(const std::string& game, const BotReport& report) {
  return absl::StrFormat("%-12s %s, %d plies, %.0f plies/s\n", game, Counted(report.games, "game"),
                         report.plies, report.plies_per_second) +
         FindingsText(report.findings);
}

absl::StatusOr<BotReport> CheckIn(const GameInfo& game, const BotSpec& bot, const CheckPlan& plan) {
  std::fflush(stdout);
  Log(absl::StrFormat("playing %s: %s, the first one again, and one with a clock of %s", game.name,
                      Counted(plan.games, "game"), ClockText(plan.clock)));
  if (bot.bot != kPluginBot) return CheckProcess(game, bot, plan);
  // A call may use most of a long clock.
  const std::chrono::milliseconds clock(plan.clock.base_ms + plan.clock.increment_ms);
  return CheckPlugin(LibraryOf(bot), game, bot.options, plan, std::max(kPluginPatience, 2 * clock));
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

// Plays the games, and prints each report or adds it to the JSON. Returns whether there was no
// fault.
absl::StatusOr<bool> CheckGames(const std::vector<std::string>& games, const BotSpec& bot,
                                const CheckPlan& plan, bool is_json, Json* json) {
  bool is_fit = true;
  for (const std::string& name : games) {
    if (IsInterrupted(plan)) break;
    ASSIGN_OR_RETURN(const GameInfo* const game, FindGame(name));
    ASSIGN_OR_RETURN(const BotReport report, CheckIn(*game, bot, plan));
    is_fit &= !report.has_fault();
    (*json)["reports"].push_back(ReportJson(name, report));
    if (!is_json) Print(Printable(ReportText(name, report)));
  }
  return is_fit;
}

const char* VerdictText(bool is_fit, bool is_interrupted) {
  if (is_interrupted) return "interrupted: these are the findings so far\n";
  return is_fit ? "fit to play\n" : "not fit to play\n";
}

absl::StatusOr<bool> Check(const CheckBotOptions& options) {
  ASSIGN_OR_RETURN(CheckedBot bot, FindCheckedBot(options));
  const bool is_plugin = bot.spec.bot == kPluginBot;
  if (options.is_asan && !is_plugin) {
    return absl::InvalidArgumentError("--asan: only a plugin runs under the address sanitizer");
  }
  if (options.is_asan) {
    const std::string sanitizer = SanitizerOf(LibraryOf(bot.spec));
    bot = CheckedBot();  // removes its files
    return RunUnderSanitizer(options, sanitizer);
  }
  ASSIGN_OR_RETURN(const Description description,
                   is_plugin ? DescribeAPlugin(LibraryOf(bot.spec)) : DescribeAProcess(bot));
  ASSIGN_OR_RETURN(const auto games, GamesToPlay(options, bot.games, description));
  Json json = description.json;
  json["findings"] = FindingsJson(description.findings);
  if (!options.is_json) Print(Printable(description.text + FindingsText(description.findings)));
  const Interrupt interrupt;
  CheckPlan plan = options.plan;
  plan.is_interrupted = [&interrupt] { return interrupt.is_asked(); };
  ASSIGN_OR_RETURN(bool is_fit, CheckGames(games, bot.spec, plan, options.is_json, &json));
  const bool is_interrupted = interrupt.is_asked();
  is_fit &= !is_interrupted;
  json["is_interrupted"] = is_interrupted;
  json["is_fit"] = is_fit;
  Print(options.is_json
            ? json.dump(2, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) + "\n"
            : std::string(VerdictText(is_fit, is_interrupted)));
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
                "Program, plugin (.so), folder with a bot.yaml or a tar of it, or command\n"
                "in quotes, with options as in `run --bots`"},
               &options->bot)
      .Required();
  command.AddText({"--game", "GAME", "Play only this game; repeat it for more"}, &options->games)
      .Completes(GameNames());
  command.AddText({"--option", "NAME=VALUE", "Set an option of the bot; repeat it for more"},
                  &options->options);
  command.AddNumber({"--games", "N", "Play N games of each, before the last two"}, {1, 1'000'000},
                    &options->plan.games);
  command.Add(
      {"--tc", "[MOVES/]TIME[+INCREMENT]", "Clock of the last game of each (default: 1+0.01)"},
      [options](const std::string& text) -> absl::Status {
        ASSIGN_OR_RETURN(options->plan.clock, ParseClock(text));
        return absl::OkStatus();
      });
  command.AddFlag({"--asan", "",
                   "Run under the address sanitizer, for a plugin built with\n"
                   "-fsanitize=address"},
                  &options->is_asan);
  command.AddFlag({"--json", "", "Print one JSON object"}, &options->is_json);
  command.Footer(
      "The bot plays itself: N games with limits on nodes or on the time for a move, then the\n"
      "first game again, because the same seed must give the same moves, and one game with a\n"
      "clock. Prints a line for each kind of fault or warning, with its count and where it\n"
      "happened first. A fault would forfeit games; the exit code is then 1. A plugin runs in a\n"
      "process of its own, which is stopped if a call takes more than 20 s (or twice the time of\n"
      "the clock).\n\n"
      "Examples:\n"
      "  triarch bots check ./mine/bot.py\n"
      "  triarch bots check 'python3 ./mine/bot.py --fast' --game tri-d\n"
      "  triarch bots check ./search_bot.so --option usual_depth=3 --asan");
  command.OnRun(options, RunCheckBot);
}

}  // namespace triarch
