// Identifies bots across tournaments, and labels the versions of one bot.

#ifndef TRIARCH_COORDINATOR_POOL_BOT_IDENTITY_H_
#define TRIARCH_COORDINATOR_POOL_BOT_IDENTITY_H_

#include <compare>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "coordinator/store/stored.h"
#include "core/record/game_spec.h"

namespace triarch {

// Everything that makes a bot play as it does. Equal identities are one bot, whatever their names.
struct BotIdentity {
  std::string type;         // the bot type: "paranoid", kPluginBot or kProcessBot
  std::string digest = {};  // of the bot's files; empty if it has none
  std::string build =
      {};  // bundled bots: the digest of the Triarch build that played; may be empty
  std::map<std::string, std::string> options = {};  // as in BotSpec
  std::vector<std::string> command = {};
  std::string limits = {};  // those of the tournament that the bot heeds (time_control_tag.h)

  friend auto operator<=>(const BotIdentity&, const BotIdentity&) = default;
};

struct IdentityRules {
  // Whether bundled bots of different builds of Triarch are one bot.
  bool ignores_builds = false;
  // Returns whether a bundled bot heeds limits on nodes and depth.
  std::function<bool(const BotSpec&)> searches = [](const BotSpec&) { return true; };
};

// Requires: `number` is below the number of the tournament's bots.
BotIdentity IdentityOf(const StoredTournament& tournament, size_t number,
                       const IdentityRules& rules);

// A bot with its bundle's version: "1.2", or empty.
struct BotRelease {
  BotIdentity identity;
  std::string bundle_version = {};
};

// Returns a distinct label for each of several different bots that share a name: the type, "1.2"
// (if each bundle has its own version) or "3fa94c1b" (the start of the digest of the files, or of
// the build), "depth=3" (the options that differ), the command, or "nodes=5000" (the limits). Takes
// the first of these that tells all bots apart, or several, separated by colons.
std::vector<std::string> VersionLabels(std::span<const BotRelease> bots);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_POOL_BOT_IDENTITY_H_
