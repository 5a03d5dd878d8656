#include "selfplay/shard/manifest.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "core/base/sha256.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/game/json_reader.h"
#include "selfplay/shard/shard.h"
#include "spec/spec_json.h"

namespace triarch {
namespace {

constexpr std::string_view kKeys[] = {"shard", "sha256", "samples", "bytes", "games", "first",
                                      "last",  "format", "game",    "spec",  "build"};

absl::StatusOr<std::string> Text(const JsonNode& node) {
  if (node.json().is_string() && IsPlainText(node.json().get_ref<const std::string&>())) {
    return node.json().get<std::string>();
  }
  return node.Wrong("a string");
}

absl::StatusOr<int64_t> Number(const JsonNode& node) {
  const Json& json = node.json();
  const bool is_right = json.is_number_unsigned() && json.get<uint64_t>() <= INT64_MAX;
  return is_right ? absl::StatusOr<int64_t>(json.get<int64_t>())
                  : node.Wrong("a non-negative number");
}

// Checks constraints between keys.
absl::Status Check(const ShardEntry& entry) {
  const auto wrong = [](const char* what) { return absl::InvalidArgumentError(what); };
  if (!IsSha256(entry.sha256)) return wrong("/sha256: expected a SHA-256 of 64 hex digits");
  if (entry.first > entry.last) return wrong("/last: before first");
  // Computed so that last - first + 1 cannot overflow.
  if (entry.games < 1 || entry.games - 1 > entry.last - entry.first) {
    return wrong("/games: expected at least 1 and at most last - first + 1");
  }
  return absl::OkStatus();
}

}  // namespace

std::string ManifestLine(const ShardEntry& entry) {
  const Json json = {{"shard", entry.shard}, {"sha256", entry.sha256}, {"samples", entry.samples},
                     {"bytes", entry.bytes}, {"games", entry.games},   {"first", entry.first},
                     {"last", entry.last},   {"format", entry.format}, {"game", entry.game},
                     {"spec", entry.spec},   {"build", entry.build}};
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

absl::StatusOr<ShardEntry> ParseManifestLine(std::string_view line) {
  ASSIGN_OR_RETURN(const Json json, ParseJson(line));
  const JsonNode node(json);
  if (json.is_object() && json.contains("format") && json.at("format") != kShardFormat) {
    return node.At("format").Wrong(std::to_string(kShardFormat));
  }
  RETURN_IF_ERROR(node.CheckKeys(kKeys));
  ShardEntry entry;
  ASSIGN_OR_RETURN(entry.shard, Text(node.At("shard")));
  ASSIGN_OR_RETURN(entry.sha256, Text(node.At("sha256")));
  ASSIGN_OR_RETURN(entry.samples, Number(node.At("samples")));
  ASSIGN_OR_RETURN(entry.bytes, Number(node.At("bytes")));
  ASSIGN_OR_RETURN(entry.games, Number(node.At("games")));
  ASSIGN_OR_RETURN(entry.first, Number(node.At("first")));
  ASSIGN_OR_RETURN(entry.last, Number(node.At("last")));
  ASSIGN_OR_RETURN(entry.format, Number(node.At("format")));
  ASSIGN_OR_RETURN(entry.game, Text(node.At("game")));
  ASSIGN_OR_RETURN(entry.spec, Text(node.At("spec")));
  ASSIGN_OR_RETURN(entry.build, Text(node.At("build")));
  RETURN_IF_ERROR(Check(entry));
  return entry;
}

absl::StatusOr<std::vector<ShardEntry>> ParseManifest(std::string_view text,
                                                      std::string_view file) {
  std::vector<ShardEntry> entries;
  const std::vector<std::string_view> lines = Split(text, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i + 1 == lines.size() && lines[i].empty()) break;  // the file ends with a newline
    absl::StatusOr<ShardEntry> entry = ParseManifestLine(lines[i]);
    if (!entry.ok()) {
      return absl::InvalidArgumentError(absl::StrFormat("%s:%d: %s", std::string(file), i + 1,
                                                        std::string(entry.status().message())));
    }
    entries.push_back(*std::move(entry));
  }
  return entries;
}

std::string ShardPrefix(std::string_view run) { return "shards/" + std::string(run) + "-"; }

std::string SpecDigest(const TournamentSpec& spec) { return Sha256Hex(SpecIdentity(spec)); }

}  // namespace triarch
