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

// bots add, list, show, remove: bots of one's own at a coordinator.
namespace triarch {
namespace {

struct BundleOptions {
  CoordinatorOptions coordinator;
  std::string what;  // a path, or a name
  bool is_json = false;
};

std::string Shown(const v1::Bot& bot) {
  return absl::StrFormat("%s %s (%s)", bot.name(), bot.version(), ShortDigest(bot.digest()));
}

// ---- add

// What is wrong with it is said here already, with its file.
absl::StatusOr<Bundle> ReadBundle(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    ASSIGN_OR_RETURN(Bundle bundle, Bundle::FromFolder(path));
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
  const absl::StatusOr<Bundle> bundle = ReadBundle(options.what);
  if (!bundle.ok()) return Fail(bundle.status());
  const auto client = OperatorClient::MakeForBots(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const auto added = (*client)->AddBot(bundle->ToTar());
  if (!added.ok()) return Fail(added.status());
  if (options.is_json) {
    OperatorJson json = ToJson(added->bot());
    json["is_new"] = added->is_new();
    Print(JsonLine(json));
  } else {
    Print(Shown(added->bot()) + (added->is_new() ? "\n" : ", which was there already\n"));
  }
  return kExitDone;
}

// ---- list

int RunList(const BundleOptions& options) {
  const auto client = OperatorClient::MakeForBots(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const auto list = (*client)->ListBots();
  if (!list.ok()) return Fail(list.status());
  if (options.is_json) {
    OperatorJson json = OperatorJson::array();
    for (const v1::Bot& bot : list->bots()) json.push_back(ToJson(bot));
    Print(JsonLine(json));
    return kExitDone;
  }
  Print(absl::StrFormat("%-20s  %-10s  %-8s  %-8s  %9s  %-20s  %-8s  %s\n", "name", "version",
                        "digest", "type", "kB", "added", "by", "games"));
  for (const v1::Bot& bot : list->bots()) {
    Print(absl::StrFormat("%-20s  %-10s  %-8s  %-8s  %9.1f  %-20s  %-8s  %s\n", bot.name(),
                          bot.version(), ShortDigest(bot.digest()), bot.type(),
                          static_cast<double>(bot.bytes()) / 1000, bot.added(), bot.added_by(),
                          absl::StrJoin(bot.games(), ", ")));
  }
  return kExitDone;
}

// ---- show

int RunShow(const BundleOptions& options) {
  const auto client = OperatorClient::MakeForBots(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const auto found = (*client)->GetBot(options.what);
  if (!found.ok()) return Fail(found.status());
  const v1::Bot& bot = found->bot();
  if (options.is_json) {
    OperatorJson json = ToJson(bot);
    json["manifest"] = found->manifest();
    json["tournaments"] = OperatorJson::array();
    for (const int64_t id : found->tournaments()) json["tournaments"].push_back(id);
    Print(JsonLine(json));
    return kExitDone;
  }
  Print(absl::StrFormat("%s, a %s of %d bytes, added %s by %s\nsha256 %s\n", Shown(bot), bot.type(),
                        bot.bytes(), bot.added(),
                        bot.added_by() == "user" ? "a user" : "an operator", bot.digest()));
  if (found->tournaments_size() > 0) {
    Print("plays in tournament " + absl::StrJoin(found->tournaments(), ", ") + "\n");
  }
  Print("\n" + found->manifest() + (found->manifest().ends_with('\n') ? "" : "\n"));
  return kExitDone;
}

// ---- remove

int RunRemove(const BundleOptions& options) {
  const auto client = OperatorClient::MakeForBots(options.coordinator);
  if (!client.ok()) return UsageError(client.status());
  const auto removed = (*client)->RemoveBot(options.what);
  if (!removed.ok()) return Fail(removed.status());
  Print(options.is_json ? JsonLine(ToJson(removed->bot())) : Shown(removed->bot()) + " removed\n");
  return kExitDone;
}

CLI::App* AddOne(CLI::App* bots, const std::string& name, const std::string& help,
                 const std::string& argument, const std::string& argument_help,
                 int (*run)(const BundleOptions&), int* exit_code) {
  auto options = std::make_shared<BundleOptions>();
  CLI::App* const command = bots->add_subcommand(name, help);
  if (!argument.empty()) {
    command->add_option(argument, options->what, argument_help)->type_name("")->required();
  }
  AddCoordinatorOptions(command, &options->coordinator, true);
  command->add_flag("--json", options->is_json, "JSON");
  SetRun(command, options, run, exit_code);
  return command;
}

}  // namespace

void AddBundleCommands(CLI::App* bots, int* exit_code) {
  const std::string which = "NAME, NAME@VERSION or NAME@DIGEST (its beginning)";
  AddOne(bots, "add", "Give a bot of your own to a coordinator, for its workers to fetch.", "PATH",
         "Its folder, with a bot.yaml, or a tar of that", RunAdd, exit_code)
      ->footer("Example:\n  triarch bots add ./mine --coordinator localhost:7071");
  AddOne(bots, "list", "List the bots that a coordinator was given, the newest last.", "", "",
         RunList, exit_code)
      ->footer("Example:\n  triarch bots list --coordinator localhost:7071");
  AddOne(bots, "show", "Show one of them.", "NAME", which, RunShow, exit_code)
      ->footer("Example:\n  triarch bots show mine@1.2 --coordinator localhost:7071");
  AddOne(bots, "remove", "Remove one of them, unless a tournament still needs it.", "NAME", which,
         RunRemove, exit_code)
      ->footer("Example:\n  triarch bots remove mine@1.2 --coordinator localhost:7071");
}

}  // namespace triarch
