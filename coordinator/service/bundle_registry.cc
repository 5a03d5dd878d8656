#include "coordinator/service/bundle_registry.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "bundle/bundle.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "spec/bot_manifest.h"

namespace triarch {
namespace {

constexpr size_t kTarsKept = 2;         // in memory
constexpr size_t kDigestDigitsMin = 4;  // to name a bundle by its digest

std::string Shown(const StoredBundle& bundle) {
  return absl::StrFormat("%s %s (%s)", bundle.name, bundle.version, ShortDigest(bundle.digest));
}

// Checks that a spec describes the bot as its bundle does, and contains nothing specific to the
// submitter's machine.
absl::Status CheckAgainst(const BotSpec& bot, std::string_view game, const StoredBundle& bundle) {
  ASSIGN_OR_RETURN(const BotManifest manifest, ParseBotManifest(bundle.manifest, kManifestFile));
  const bool is_so = bot.bot == manifest.type && FileOf(bot) == manifest.file &&
                     bot.bundle == BundleText(manifest) && bot.command == manifest.command &&
                     bot.library == manifest.library && bot.dir.empty() && bot.is_sandboxed &&
                     bot.name == VersionedBotName(GivenBotName(bot.name), manifest, bot.digest);
  if (!is_so) {
    return absl::InvalidArgumentError("bot " + bot.name + " differs from its bundle " +
                                      Shown(bundle) + "; submit the tournament file again");
  }
  if (std::find(manifest.games.begin(), manifest.games.end(), game) == manifest.games.end()) {
    return absl::InvalidArgumentError("bot " + bot.name + " does not play " + std::string(game));
  }
  return absl::OkStatus();
}

// Owns the bots that operators added, whatever their names.
constexpr std::string_view kOperator = "operator";

std::string OwnerFor(const Access::Caller& caller) {
  return caller.is_operator() ? std::string(kOperator) : caller.name;
}

// Says who added a bundle.
std::string Adder(const StoredBundle& bundle) {
  return bundle.added_by == kOperator ? "an operator" : "user " + bundle.added_by;
}

}  // namespace

absl::StatusOr<StoredBundle> FindBundle(std::span<const StoredBundle> bundles,
                                        std::string_view text) {
  const size_t at = text.find('@');
  const std::string_view name = text.substr(0, at);
  const std::string_view which =
      at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  const auto find = [&](auto is_it) -> const StoredBundle* {
    const auto found = std::find_if(bundles.rbegin(), bundles.rend(), [&](const StoredBundle& one) {
      return one.name == name && is_it(one);
    });
    return found == bundles.rend() ? nullptr : &*found;
  };
  const StoredBundle* found = find([](const StoredBundle&) { return true; });
  if (found == nullptr) {
    return absl::NotFoundError("there is no bundle " + Quote(name) +
                               "; `triarch bots list` shows the bundles");
  }
  if (at == std::string_view::npos) return *found;
  found = find([&](const StoredBundle& one) { return one.version == which; });
  if (found == nullptr && which.size() >= kDigestDigitsMin) {
    found = find([&](const StoredBundle& one) { return one.digest.starts_with(which); });
  }
  if (found != nullptr) return *found;
  return absl::NotFoundError("there is no bundle " + Quote(text, 100) + "; expected a version of " +
                             std::string(name) + ", or the beginning of its digest");
}

BundleRegistry::BundleRegistry(const Options& options, FindUses find_uses, StoreThread& writer,
                               StoreThread& reader, Executor& reads)
    : options_(options),
      find_uses_(std::move(find_uses)),
      writer_(writer),
      reader_(reader),
      reads_(reads) {}

absl::Status BundleRegistry::Load(Store& store) {
  ASSIGN_OR_RETURN(std::vector<StoredBundle> bundles, store.Bundles());
  // Parsing takes most of the time, and this runs on the thread that records games: a user who adds
  // a bot again and again must not stop it.
  const auto before = All();
  std::map<std::string_view, const StoredBundle*> parsed;
  for (const StoredBundle& bundle : *before) parsed[bundle.digest] = &bundle;
  for (StoredBundle& bundle : bundles) {
    if (const auto found = parsed.find(bundle.digest); found != parsed.end()) {
      bundle.games = found->second->games;
      continue;
    }
    // It was valid when it was added.
    absl::StatusOr<BotManifest> manifest = ParseBotManifest(bundle.manifest, kManifestFile);
    if (manifest.ok()) bundle.games = std::move(manifest->games);
  }
  MutexLock lock(&mutex_);
  bundles_ = std::make_shared<const std::vector<StoredBundle>>(std::move(bundles));
  return absl::OkStatus();
}

absl::StatusOr<StoredBundle> BundleRegistry::Add(std::string_view tar, const Access::Caller& caller,
                                                 bool* is_new) {
  ASSIGN_OR_RETURN(const Bundle bundle, Bundle::FromTar(tar));
  ASSIGN_OR_RETURN(const BotManifest manifest, ManifestOf(bundle, "bundle"));
  const std::string stored_tar = bundle.ToTar();
  StoredBundle stored{.digest = bundle.digest(),
                      .manifest = bundle.Find(kManifestFile)->bytes,
                      .name = manifest.name,
                      .version = manifest.version,
                      .type = manifest.type,
                      .bytes = static_cast<int64_t>(stored_tar.size()),
                      .added = "",
                      .added_by = OwnerFor(caller)};
  if (!caller.is_operator()) RETURN_IF_ERROR(CheckUserMayAdd(stored, caller.quotas));
  const size_t before = All()->size();
  const absl::Status status = writer_.Ask([&](Store& store) {
    const absl::Status added = store.AddBundle(stored, stored_tar);
    return added.ok() ? Load(store) : added;
  });
  RETURN_IF_ERROR(status);
  const auto after = All();
  *is_new = after->size() > before;
  return after->back();
}

// Plugins and models run in the worker's own process. A user must also not replace an operator's
// bot.
absl::Status BundleRegistry::CheckUserMayAdd(const StoredBundle& bundle,
                                             const Access::Quotas& quotas) const {
  if (bundle.type == kPluginBot) {
    return absl::PermissionDeniedError(
        "a plugin runs with all rights of the worker; only an operator may add one");
  }
  if (bundle.type == kTorchBot) {
    return absl::PermissionDeniedError(
        "a TorchScript file runs in the worker's own process; only an operator may add one");
  }
  int64_t all_bytes = bundle.bytes;  // of all users
  int64_t bytes = bundle.bytes;      // of this one
  int64_t bots = 1;
  for (const StoredBundle& other : *All()) {
    const bool is_own = other.added_by == bundle.added_by;
    if (other.name == bundle.name && !is_own) {
      return absl::PermissionDeniedError(Adder(other) + " has added a bot named " + bundle.name +
                                         "; choose another name");
    }
    if (other.digest == bundle.digest || other.added_by == kOperator) continue;
    all_bytes += other.bytes;
    bytes += is_own ? other.bytes : 0;
    bots += is_own ? 1 : 0;
  }
  if (bots > quotas.bots) {
    return absl::ResourceExhaustedError(absl::StrFormat(
        "you may have at most %s of bots; remove some", Counted(quotas.bots, "version")));
  }
  if (bytes > quotas.megabytes << 20) {
    return absl::ResourceExhaustedError(absl::StrFormat(
        "your bots would take more than %d MB together; remove some", quotas.megabytes));
  }
  if (all_bytes > options_.user_bytes_max) {
    return absl::ResourceExhaustedError(
        absl::StrFormat("users' bots would take more than %d MB together; remove some",
                        options_.user_bytes_max >> 20));
  }
  return absl::OkStatus();
}

absl::StatusOr<StoredBundle> BundleRegistry::Remove(std::string_view name,
                                                    const Access::Caller& caller) {
  ASSIGN_OR_RETURN(StoredBundle bundle, FindBundle(*All(), name));
  if (!caller.is_operator() && bundle.added_by != caller.name) {
    return absl::PermissionDeniedError(Adder(bundle) + " has added " + Shown(bundle) +
                                       "; you may remove only your own bots");
  }
  const std::vector<int64_t> needed = find_uses_(bundle.digest);
  if (!needed.empty()) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "tournament %d needs %s; wait until it ends, or cancel it", needed.front(), Shown(bundle)));
  }
  RETURN_IF_ERROR(writer_.Ask([&](Store& store) { return store.RemoveBundle(bundle.digest); }));
  std::vector<StoredBundle> left = *All();
  std::erase_if(left, [&](const StoredBundle& one) { return one.digest == bundle.digest; });
  MutexLock lock(&mutex_);
  bundles_ = std::make_shared<const std::vector<StoredBundle>>(std::move(left));
  std::erase_if(tars_, [&](const auto& tar) { return tar.first == bundle.digest; });
  return bundle;
}

absl::Status BundleRegistry::CheckBots(const TournamentSpec& spec) const {
  const std::shared_ptr<const std::vector<StoredBundle>> bundles = All();
  for (const BotSpec& bot : spec.bots) {
    if (bot.bundle.empty()) {
      if (!IsUserSupplied(bot)) continue;
      return absl::InvalidArgumentError(
          "bot " + bot.name + " is a " + bot.bot +
          " whose files are not at the coordinator; give its folder a bot.yaml, add it with "
          "`triarch bots add`, and enter it as bundle: NAME");
    }
    const auto found = std::find_if(bundles->begin(), bundles->end(), [&](const StoredBundle& one) {
      return one.digest == bot.digest;
    });
    if (found == bundles->end()) {
      return absl::InvalidArgumentError("bot " + bot.name +
                                        ": there is no bundle with the digest " +
                                        ShortDigest(bot.digest) + "; it has been removed");
    }
    RETURN_IF_ERROR(CheckAgainst(bot, spec.game, *found));
  }
  return absl::OkStatus();
}

std::shared_ptr<const std::string> BundleRegistry::KeptTar(const std::string& digest) const {
  MutexLock lock(&mutex_);
  for (const auto& [kept, tar] : tars_) {
    if (kept == digest) return tar;
  }
  return nullptr;
}

void BundleRegistry::Fetch(const std::string& digest, TarDone done) {
  if (auto tar = KeptTar(digest)) return done(std::move(tar));
  reads_.Post([this, digest, done = std::move(done)] {
    // An earlier task may have read the tar in the meantime.
    if (auto tar = KeptTar(digest)) return done(std::move(tar));
    absl::StatusOr<std::string> read =
        reader_.Ask([&](Store& store) { return store.BundleTar(digest); });
    if (!read.ok()) return done(read.status());
    auto tar = std::make_shared<const std::string>(*std::move(read));
    {
      MutexLock lock(&mutex_);
      tars_.emplace_back(digest, tar);
      if (tars_.size() > kTarsKept) tars_.pop_front();
    }
    done(std::move(tar));
  });
}

}  // namespace triarch
