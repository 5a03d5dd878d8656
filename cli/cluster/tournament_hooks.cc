#include "cli/cluster/tournament_hooks.h"

#include <string>

#include "bots/bots.h"
#include "bundle/bundle.h"
#include "cli/files.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/games.h"
#include "spec/bot_manifest.h"
#include "worker/host/any_bot.h"
#include "worker/host/bot_digest.h"
#include "worker/host/declared_option.h"

namespace triarch {
namespace {

absl::StatusOr<FoundBundle> ReadBundle(const std::string& folder) {
  ASSIGN_OR_RETURN(const Bundle bundle, ReadBundleFolder(folder));
  ASSIGN_OR_RETURN(BotManifest manifest, ManifestOf(bundle, folder));
  return FoundBundle{.manifest = std::move(manifest), .digest = bundle.digest(), .dir = folder};
}

absl::StatusOr<FoundBundle> FindFolder(const std::string& folder, const std::string& name) {
  if (!folder.empty()) return ReadBundle(folder);
  return absl::InvalidArgumentError(
      "bundle " + Quote(name) +
      ": only a coordinator knows bundles by name (triarch submit); expected a folder, as in "
      "./mine");
}

// Asks the coordinator for the bundle with that name, or with the files of that folder.
absl::StatusOr<FoundBundle> Ask(OperatorClient* client, const std::string& folder,
                                const std::string& name) {
  std::string asked = name;
  if (!folder.empty()) {
    ASSIGN_OR_RETURN(const FoundBundle here, ReadBundle(folder));
    asked = here.manifest.name + "@" + here.digest;
  }
  const absl::StatusOr<v1::GetBotResponse> bot = client->GetBot(asked);
  if (absl::IsNotFound(bot.status()) && !folder.empty()) {
    return absl::NotFoundError("the coordinator does not have the bundle " + folder +
                               " with these files; add it with `triarch bots add`");
  }
  RETURN_IF_ERROR(bot.status());
  ASSIGN_OR_RETURN(BotManifest manifest, ParseBotManifest(bot->manifest(), kManifestFile));
  return FoundBundle{.manifest = std::move(manifest), .digest = bot->bot().digest(), .dir = ""};
}

// Also reads the network of a searcher, so that a message names the user's file rather than the
// copy that a run makes of it.
absl::Status CheckWithNetwork(std::string_view game, const BotSpec& spec) {
  RETURN_IF_ERROR(CheckAnyBot(game, spec));
  if (FileOptionOf(spec.bot) != kNetOption || !spec.bundle.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(game));
  return MakePlayer(*info, spec).status();
}

}  // namespace

TournamentHooks MakeTournamentHooks() {
  return {.check_bot = CheckWithNetwork,
          .digest_bot = DigestBot,
          .find_bundle = FindFolder,
          .read_file = [](const std::string& path) -> absl::StatusOr<std::string> {
            ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
            return std::string(file.text());
          },
          .declared_option = FindDeclaredOption};
}

TournamentHooks MakeSubmitHooks(OperatorClient* client, absl::Status* failure) {
  TournamentHooks hooks = MakeTournamentHooks();
  hooks.find_bundle = [client, failure](const std::string& folder, const std::string& name) {
    absl::StatusOr<FoundBundle> found = Ask(client, folder, name);
    if (!absl::IsNotFound(found.status()) && !absl::IsInvalidArgument(found.status())) {
      failure->Update(found.status());
    }
    return found;
  };
  return hooks;
}

}  // namespace triarch
