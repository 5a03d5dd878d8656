#include "selfplay/shard/shard.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/game/json_reader.h"
#include "selfplay/shard/npz.h"
#include "selfplay/shard/sample_row.h"

namespace triarch {
namespace {

// Compression levels of libdeflate. Samples with a policy come from searching bots, so compression
// costs almost nothing in comparison: level 5 takes 1.0 µs a sample (level 6 takes 1.3, level 3
// takes 0.8), and its output is 3 % smaller than that of level 3 and 1 % larger than that of level
// 6. Samples without a policy come from bots as fast as the compression: for random play, level 2
// takes three quarters of the time of level 3 (level 1 takes two thirds, level 5 takes 1.1), and
// its output is 2 % larger (level 1: 11 %, level 5: −3 %).
constexpr int kLevelWithPolicy = 5;
constexpr int kLevelWithoutPolicy = 2;
constexpr size_t kTextMax = 4096;  // longest string in game_start and meta, bytes
constexpr size_t kBotsMax = 256;
constexpr size_t kSeatsMin = 2;
constexpr std::string_view kMetaKeys[] = {"format",     "game", "seats", "cells", "policy_size",
                                          "tournament", "spec", "start", "bots",  "build"};

absl::Status Wrong(std::string_view array, const std::string& what) {
  return absl::InvalidArgumentError("array " + std::string(array) + ": " + what);
}

// ---- meta

std::string MetaToJson(const ShardMeta& meta) {
  const Json json = {{"format", kShardFormat},
                     {"game", meta.game},
                     {"seats", meta.seats},
                     {"cells", meta.cells},
                     {"policy_size", meta.policy_size},
                     {"tournament", meta.tournament},
                     {"spec", meta.spec},
                     {"start", meta.start},
                     {"bots", meta.bots},
                     {"build", meta.build}};
  // ASCII only, so that readers need not deal with encodings.
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

absl::StatusOr<int64_t> Number(const JsonNode& meta, std::string_view key, int64_t min,
                               int64_t max) {
  const Json& json = meta.At(key).json();
  const bool is_right = json.is_number_integer() && json.get<int64_t>() >= min &&
                        (!json.is_number_unsigned() || json.get<uint64_t>() <= INT64_MAX) &&
                        json.get<int64_t>() <= max;
  if (is_right) return json.get<int64_t>();
  return meta.At(key).Wrong(absl::StrFormat("a number from %d to %d", min, max));
}

absl::StatusOr<std::string> ShortText(const JsonNode& node) {
  if (node.json().is_string()) {
    const std::string text = node.json().get<std::string>();
    if (text.size() <= kTextMax && IsPlainText(text)) return text;
  }
  return node.Wrong(absl::StrFormat("a string of at most %d bytes", int{kTextMax}));
}

absl::StatusOr<std::vector<std::string>> Texts(const JsonNode& node) {
  if (!node.json().is_array() || node.json().empty() || node.json().size() > kBotsMax) {
    return node.Wrong(absl::StrFormat("a list of 1 to %d strings", int{kBotsMax}));
  }
  std::vector<std::string> texts;
  for (size_t i = 0; i < node.json().size(); ++i) {
    ASSIGN_OR_RETURN(texts.emplace_back(), ShortText(node.At(i)));
  }
  return texts;
}

absl::StatusOr<ShardMeta> MetaFromJson(std::string_view text) {
  ASSIGN_OR_RETURN(const Json json, ParseJson(text));
  const JsonNode node(json);
  // Check the version first: for another version no other error matters.
  if (json.is_object() && json.contains("format")) {
    RETURN_IF_ERROR(Number(node, "format", kShardFormat, kShardFormat).status());
  }
  RETURN_IF_ERROR(node.CheckKeys(kMetaKeys));
  ShardMeta meta;
  ASSIGN_OR_RETURN(meta.game, ShortText(node.At("game")));
  ASSIGN_OR_RETURN(meta.seats, Number(node, "seats", kSeatsMin, kSeatsMax));
  ASSIGN_OR_RETURN(meta.cells, Number(node, "cells", 1, kRowCellsMax));
  ASSIGN_OR_RETURN(meta.policy_size, Number(node, "policy_size", 1, kSeatLeft));
  ASSIGN_OR_RETURN(meta.tournament, Number(node, "tournament", 0, INT64_MAX));
  ASSIGN_OR_RETURN(meta.spec, ShortText(node.At("spec")));
  ASSIGN_OR_RETURN(meta.start, ShortText(node.At("start")));
  ASSIGN_OR_RETURN(meta.bots, Texts(node.At("bots")));
  ASSIGN_OR_RETURN(meta.build, ShortText(node.At("build")));
  return meta;
}

// ---- String arrays: each element is as wide as the longest, padded with zeros.

std::string PadTexts(const std::vector<std::string>& texts, size_t* width) {
  *width = 1;
  for (const std::string& text : texts) *width = std::max(*width, text.size());
  std::string padded;
  padded.reserve(*width * texts.size());
  for (const std::string& text : texts) {
    padded += text;
    padded.append(*width - text.size(), '\0');
  }
  return padded;
}

std::string_view WithoutZeros(std::string_view padded) {
  return padded.substr(0, padded.find_last_not_of('\0') + 1);
}

int LevelOf(const Shard& shard, Compression compression) {
  if (compression == Compression::kStored) return kNpzStored;
  const bool has_policy = std::any_of(shard.policy.begin(), shard.policy.end(),
                                      [](uint8_t share) { return share != 0; });
  return has_policy ? kLevelWithPolicy : kLevelWithoutPolicy;
}

// ---- Reading.

using Files = std::map<std::string, std::string>;

absl::StatusOr<NpyArray> Find(const Files& files, std::string_view name) {
  const auto found = files.find(std::string(name));
  if (found == files.end()) return Wrong(name, "missing");
  absl::StatusOr<NpyArray> array = ReadNpy(found->second);
  if (!array.ok()) return Wrong(name, std::string(array.status().message()));
  return array;
}

absl::StatusOr<std::string> ReadMeta(const Files& files) {
  ASSIGN_OR_RETURN(const NpyArray array, Find(files, "meta"));
  if (array.type.kind != 'S' || !array.shape.empty()) {
    return Wrong("meta", ToString(array.type) + " " + ShapeText(array.shape) +
                             "; expected a scalar of bytes (|S)");
  }
  return std::string(WithoutZeros(array.data));
}

absl::Status ReadStarts(const Files& files, Shard* shard) {
  ASSIGN_OR_RETURN(const NpyArray array, Find(files, "game_start"));
  if (array.type.kind != 'S' || array.shape != std::vector<size_t>{shard->games()} ||
      array.type.width > kTextMax) {
    return Wrong("game_start",
                 absl::StrFormat("%s %s; expected at most |S%d, (%d,)", ToString(array.type),
                                 ShapeText(array.shape), kTextMax, shard->games()));
  }
  for (size_t i = 0; i < shard->games(); ++i) {
    shard->game_start.emplace_back(
        WithoutZeros(array.data.substr(i * array.type.width, array.type.width)));
  }
  return absl::OkStatus();
}

// Returns the required length of a column, or nullopt if the column itself defines it.
std::optional<size_t> Length(const Shard& shard, Extent extent) {
  switch (extent) {
    case Extent::kGames:
      return shard.games();
    case Extent::kGamesAnd1:
      return shard.games() + 1;
    case Extent::kSamples:
      return shard.samples();
    case Extent::kSamplesAnd1:
      return shard.samples() + 1;
    case Extent::kAny:
      return std::nullopt;
  }
  return std::nullopt;
}

// Reads a column. The first column of each extent defines the length of the others.
template <class T>
absl::Status ReadColumn(const Files& files, std::string_view name, const Shard& shard,
                        Extent extent, size_t width, std::vector<T>* column) {
  ASSIGN_OR_RETURN(const NpyArray array, Find(files, name));
  const size_t axes = width == 0 ? 1 : 2;
  const bool is_first = name == "game_index" || name == "game";
  const std::optional<size_t> length = is_first ? std::nullopt : Length(shard, extent);
  if (array.type != NpyTypeOf<T>() || array.shape.size() != axes ||
      (width != 0 && array.shape[1] != width) || (length && array.shape[0] != *length)) {
    const std::string expected = (length ? std::to_string(*length) : std::string("any")) +
                                 (width == 0 ? "," : ", " + std::to_string(width));
    return Wrong(name, absl::StrFormat("%s %s; expected %s (%s)", ToString(array.type),
                                       ShapeText(array.shape), ToString(NpyTypeOf<T>()), expected));
  }
  *column = ValuesOf<T>(array);
  return absl::OkStatus();
}

absl::Status CheckNames(const Files& files, const Shard& shard) {
  std::set<std::string> known = {"meta", "game_start"};
  ForEachColumn(shard,
                [&known](const char* name, const auto&, Extent, size_t) { known.insert(name); });
  for (const auto& [name, bytes] : files) {
    if (!known.contains(name)) {
      return Wrong(Quote(name),
                   "format " + std::to_string(kShardFormat) + " does not define this array");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> WriteShard(const Shard& shard, Compression compression,
                                       std::string memory) {
  const std::string meta = MetaToJson(shard.meta);
  size_t start_width = 0;
  const std::string starts = PadTexts(shard.game_start, &start_width);
  std::vector<NamedArray> arrays = {
      {"meta", {.type = {'S', meta.size()}, .shape = {}, .data = meta}},
      {"game_start", {.type = {'S', start_width}, .shape = {shard.games()}, .data = starts}}};
  ForEachColumn(shard, [&](const char* name, const auto& column, Extent extent, size_t width) {
    std::vector<size_t> shape = {Length(shard, extent).value_or(column.size())};
    if (width != 0) shape.push_back(width);
    arrays.push_back({name, NpyOf(column, std::move(shape))});
  });
  return WriteNpz(arrays, LevelOf(shard, compression), std::move(memory));
}

absl::StatusOr<Shard> ReadShard(std::string_view bytes) {
  ASSIGN_OR_RETURN(const Files files, ReadNpz(bytes));
  return ReadShardArrays(files);
}

absl::StatusOr<Shard> ReadShardArrays(const std::map<std::string, std::string>& files) {
  Shard shard;
  ASSIGN_OR_RETURN(const std::string meta, ReadMeta(files));
  absl::StatusOr<ShardMeta> parsed = MetaFromJson(meta);
  if (!parsed.ok()) return Wrong("meta", std::string(parsed.status().message()));
  shard.meta = *std::move(parsed);
  absl::Status status = CheckNames(files, shard);
  ForEachColumn(shard, [&](const char* name, auto& column, Extent extent, size_t width) {
    if (status.ok()) status = ReadColumn(files, name, shard, extent, width, &column);
  });
  RETURN_IF_ERROR(status);
  RETURN_IF_ERROR(ReadStarts(files, &shard));
  RETURN_IF_ERROR(CheckShard(shard));
  return shard;
}

}  // namespace triarch
