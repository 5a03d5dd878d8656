#include "coordinator/pool/bot_identity.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "absl/strings/str_join.h"
#include "core/record/bot_manifest.h"
#include "core/record/odds.h"
#include "core/record/time_control_tag.h"

namespace triarch {
namespace {

// A bundled bot's own limit replaces those of the tournament on nodes and depth.
bool HasOwnLimit(const BotSpec& bot) {
  return bot.options.contains("depth") || bot.options.contains("nodes");
}

std::string LimitsOf(const TimeControl& control, const BotSpec& bot, const IdentityRules& rules) {
  TimeControl limits = TimeControlOf(control, bot);
  if (!IsUserSupplied(bot) && (HasOwnLimit(bot) || !rules.searches(bot))) {
    limits.nodes.reset();
    limits.depth.reset();
  }
  return TimeControlTag(limits);
}

using Labels = std::vector<std::string>;

size_t DistinctOf(const Labels& labels) {
  return std::set<std::string>(labels.begin(), labels.end()).size();
}

// Returns one label per bot.
template <class LabelOf>
Labels Map(std::span<const BotRelease> bots, LabelOf label_of) {
  Labels labels;
  for (const BotRelease& bot : bots) labels.push_back(label_of(bot));
  return labels;
}

// Shortens digests to 8 digits, or to as many as tell them apart.
Labels ShortDigests(const Labels& digests) {
  const std::set<std::string> distinct(digests.begin(), digests.end());
  const auto starts = [&](size_t length) {
    std::set<std::string> found;
    for (const std::string& digest : distinct) found.insert(digest.substr(0, length));
    return found;
  };
  size_t length = ShortDigest(std::string(64, '0')).size();
  while (starts(length).size() < distinct.size()) ++length;
  Labels shortened;
  for (const std::string& digest : digests) {
    shortened.push_back(digest.empty() ? "none" : digest.substr(0, length));
  }
  return shortened;
}

// Labels the bots' files by their bundles' versions, if each version is that of one digest.
Labels FileLabels(std::span<const BotRelease> bots) {
  std::map<std::string, std::string> digests;  // by version
  for (const BotRelease& bot : bots) {
    const auto [found, is_new] = digests.emplace(bot.bundle_version, bot.identity.digest);
    if (bot.bundle_version.empty() || found->second != bot.identity.digest) {
      return ShortDigests(Map(bots, [](const BotRelease& one) { return one.identity.digest; }));
    }
  }
  return Map(bots, [](const BotRelease& bot) { return bot.bundle_version; });
}

// Labels the bots by those options that are not the same for all of them.
Labels OptionLabels(std::span<const BotRelease> bots) {
  std::map<std::pair<std::string, std::string>, size_t> uses;  // by option and value
  for (const BotRelease& bot : bots) {
    for (const auto& option : bot.identity.options) ++uses[option];
  }
  return Map(bots, [&](const BotRelease& bot) {
    std::vector<std::string> parts;
    for (const auto& option : bot.identity.options) {
      if (uses.at(option) < bots.size()) parts.push_back(option.first + "=" + option.second);
    }
    return parts.empty() ? "default" : absl::StrJoin(parts, ":");
  });
}

// Writes "-", which means no limits, as a word, and commas for spaces.
std::string LimitsLabel(const BotRelease& bot) {
  std::string label = bot.identity.limits == "-" ? "unlimited" : bot.identity.limits;
  std::replace(label.begin(), label.end(), ' ', ',');
  return label;
}

}  // namespace

BotIdentity IdentityOf(const StoredTournament& tournament, size_t number,
                       const IdentityRules& rules) {
  const BotSpec& bot = tournament.spec.bots[number];
  BotIdentity identity{.type = bot.bot,
                       .digest = bot.digest,
                       .build = {},
                       .options = bot.options,
                       .command = bot.command,
                       .limits = LimitsOf(tournament.spec.time_control, bot, rules)};
  // The digest stands for the model or network, wherever its file is.
  if (!bot.digest.empty()) identity.options.erase(std::string(FileOptionOf(bot.bot)));
  if (!IsUserSupplied(bot) && !rules.ignores_builds && number < tournament.bot_digests.size()) {
    identity.build = tournament.bot_digests[number];
  }
  return identity;
}

std::vector<std::string> VersionLabels(std::span<const BotRelease> bots) {
  const Labels kinds[] = {
      Map(bots, [](const BotRelease& bot) { return bot.identity.type; }),
      FileLabels(bots),
      ShortDigests(Map(bots, [](const BotRelease& bot) { return bot.identity.build; })),
      OptionLabels(bots),
      Map(bots, [](const BotRelease& bot) { return absl::StrJoin(bot.identity.command, " "); }),
      Map(bots, LimitsLabel)};
  Labels joined(bots.size());
  for (const Labels& labels : kinds) {
    Labels longer = joined;
    for (size_t i = 0; i < bots.size(); ++i) {
      longer[i] += (longer[i].empty() ? "" : ":") + labels[i];
    }
    if (DistinctOf(longer) > DistinctOf(joined)) joined = std::move(longer);
  }
  return joined;
}

}  // namespace triarch
