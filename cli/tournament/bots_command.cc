// Implements `triarch bots`: lists the bundled bots.

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/str_format.h"
#include "bots/bots.h"
#include "cli/commands.h"
#include "cli/files.h"

namespace triarch {
namespace {

using Json = nlohmann::ordered_json;

struct BotsOptions {
  bool is_json = false;
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

}  // namespace

void AddBotsCommand(const Command& app) {
  auto options = std::make_shared<BotsOptions>();
  const Command command = app.AddCommand(
      "bots", "List the bundled bots, check your bot, or manage the bots of a coordinator.");
  command.AddFlag({"--json", "", "Print a JSON array"}, &options->is_json);
  AddCheckBotCommand(command);
  AddBundleCommands(command);
  command.Footer(
      "Without a command, lists the bundled bots with their options.\n\n"
      "Examples:\n"
      "  triarch bots\n"
      "  triarch bots check ./mine/bot.py");
  command.OnRun(options, RunBots);
}

}  // namespace triarch
