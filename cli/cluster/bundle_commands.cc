// Implements `triarch bots add`, `list`, `show` and `remove`: manages the bots of a coordinator.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "bundle/bundle.h"
#include "cli/cluster/operator_client.h"
#include "cli/cluster/operator_json.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "core/base/status_macros.h"
#include "spec/bot_manifest.h"

namespace triarch {
namespace {

struct BundleOptions {
  CoordinatorOptions coordinator;
  std::string bot;  // a path, or a name
  bool is_json = false;
};

std::string Label(const v1::Bot& bot) {
  return absl::StrFormat("%s %s (%s)", bot.name(), bot.version(), ShortDigest(bot.digest()));
}

// Checks the manifest here, so that errors name its file.
absl::StatusOr<Bundle> ReadBundle(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    ASSIGN_OR_RETURN(Bundle bundle, ReadBundleFolder(path));
    RETURN_IF_ERROR(ManifestOf(bundle, path).status());
    return bundle;
  }
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  absl::StatusOr<Bundle> bundle = Bundle::FromTar(file.text());
  if (!bundle.ok()) {
    return absl::InvalidArgumentError(path + ": " + std::string(bundle.status().message()));
  }
  RETURN_IF_ERROR(ManifestOf(*bundle, path).status());
  return bundle;
}

int RunAdd(const BundleOptions& options) {
  const absl::StatusOr<Bundle> bundle = ReadBundle(options.bot);
  if (!bundle.ok()) return Fail(bundle.status());
  const auto client = MakeUserClient(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const auto added = (*client)->AddBot(bundle->ToTar());
  if (!added.ok()) return Fail(added.status());
  if (options.is_json) {
    Print(AddBotJson(*added));
  } else {
    PrintLine(Label(added->bot()) + (added->is_new() ? "" : " was already there"));
  }
  return kExitDone;
}

int RunList(const BundleOptions& options) {
  const auto client = MakeUserClient(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const auto list = (*client)->ListBots();
  if (!list.ok()) return Fail(list.status());
  if (options.is_json) {
    Print(ListBotsJson(*list));
    return kExitDone;
  }
  Print(absl::StrFormat("%-20s  %-10s  %-8s  %-8s  %9s  %-20s  %-8s  %s\n", "name", "version",
                        "digest", "type", "kB", "added", "by", "games"));
  for (const v1::Bot& bot : list->bots()) {
    PrintLine(absl::StrFormat("%-20s  %-10s  %-8s  %-8s  %9.1f  %-20s  %-8s  %s", bot.name(),
                              bot.version(), ShortDigest(bot.digest()), bot.type(),
                              static_cast<double>(bot.bytes()) / 1000, bot.added(), bot.added_by(),
                              absl::StrJoin(bot.games(), ", ")));
  }
  return kExitDone;
}

int RunShow(const BundleOptions& options) {
  const auto client = MakeUserClient(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const auto found = (*client)->GetBot(options.bot);
  if (!found.ok()) return Fail(found.status());
  const v1::Bot& bot = found->bot();
  if (options.is_json) {
    Print(ShowBotJson(*found));
    return kExitDone;
  }
  Print(absl::StrFormat("%s, a %s of %d bytes, added %s by %s\nsha256 %s\n", Label(bot), bot.type(),
                        bot.bytes(), bot.added(),
                        bot.added_by() == "operator" ? "an operator" : "user " + bot.added_by(),
                        bot.digest()));
  if (found->tournaments_size() > 0) {
    PrintLine("plays in tournament " + absl::StrJoin(found->tournaments(), ", "));
  }
  Print("\n" + found->manifest() + (found->manifest().ends_with('\n') ? "" : "\n"));
  return kExitDone;
}

int RunRemove(const BundleOptions& options) {
  const auto client = MakeUserClient(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const auto removed = (*client)->RemoveBot(options.bot);
  if (!removed.ok()) return Fail(removed.status());
  Print(options.is_json ? RemoveBotJson(*removed) : Label(removed->bot()) + " removed\n");
  return kExitDone;
}

// Adds a command whose argument, if it takes one, names the bot.
void AddOne(const Command& bots, const std::string& name, const std::string& help,
            const OptionText& argument, const std::string& example,
            int (*run)(const BundleOptions&)) {
  auto options = std::make_shared<BundleOptions>();
  const Command command = bots.AddCommand(name, help);
  if (!argument.name.empty()) command.AddText(argument, &options->bot).Required();
  AddCoordinatorOptions(command, &options->coordinator).Required();
  command.AddFlag({"--json", "", "Print JSON"}, &options->is_json);
  command.Footer("Example:\n  triarch bots " + example + " --coordinator localhost:7071");
  command.OnRun(options, run);
}

}  // namespace

void AddBundleCommands(const Command& bots) {
  const OptionText name = {"NAME", "", "NAME, NAME@VERSION or NAME@DIGEST (or its first digits)"};
  AddOne(bots, "add", "Upload your bot to a coordinator, for its workers to download.",
         {"PATH", "", "Folder with a bot.yaml, or a tar of it"}, "add ./mine", RunAdd);
  AddOne(bots, "list", "List the bots of a coordinator, the newest last.", {}, "list", RunList);
  AddOne(bots, "show", "Show one of these bots.", name, "show mine@1.2", RunShow);
  AddOne(bots, "remove", "Remove one of these bots, unless a tournament still needs it.", name,
         "remove mine@1.2", RunRemove);
}

}  // namespace triarch
