#include "spec/selfplay_keys.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "spec/spec_json.h"

namespace triarch {
namespace {

constexpr std::array<std::string_view, 8> kKeys = {
    "temperature", "noise",           "full_search",   "resign",
    "sample_rate", "drop_duplicates", "shard_samples", "compression"};
constexpr std::array<std::string_view, 2> kNoiseKeys = {"alpha", "share"};
constexpr std::array<std::string_view, 2> kFullSearchKeys = {"share", "fast_nodes"};
constexpr std::array<std::string_view, 3> kResignKeys = {"below", "turns", "played_out"};
constexpr std::array<std::string_view, 2> kCompressionWords = {"deflate", "stored"};

constexpr Bounds kFastNodes = {1, 1'000'000'000'000};
constexpr Bounds kTurns = {1, 1'000};
constexpr Bounds kShardSamples = {1, 4'000'000};
constexpr int64_t kPlyMax = 1'000'000;
constexpr double kTemperatureMax = 100;
constexpr double kAlphaMax = 1'000;

class SelfplayReader {
 public:
  SelfplayReader(const YamlSource& source, const YamlMap& map, SelfplaySpec* selfplay)
      : source_(source), map_(map), selfplay_(*selfplay) {}

  absl::Status Read() {
    RETURN_IF_ERROR(ReadTemperature());
    RETURN_IF_ERROR(ReadNoise());
    RETURN_IF_ERROR(ReadFullSearch());
    RETURN_IF_ERROR(ReadResign());
    RETURN_IF_ERROR(map_.ReadShare("sample_rate", 0, 1, &selfplay_.sample_rate));
    RETURN_IF_ERROR(ReadDuplicates());
    RETURN_IF_ERROR(map_.ReadInt("shard_samples", kShardSamples, &selfplay_.shard_samples));
    return ReadCompression();
  }

 private:
  absl::StatusOr<std::optional<YamlMap>> ReadMap(std::string_view key,
                                                 std::span<const std::string_view> keys) const {
    const YAML::Node* node = map_.Find(key);
    if (node == nullptr) return std::optional<YamlMap>();
    ASSIGN_OR_RETURN(YamlMap map, YamlMap::Make(source_, *node, map_.Path(key), keys));
    return std::optional<YamlMap>(std::move(map));
  }

  // Of two keys that are nothing without each other.
  static absl::Status CheckBoth(const YamlMap& map, std::string_view one, std::string_view other) {
    for (const auto& [given, missing] : {std::pair(one, other), std::pair(other, one)}) {
      if (map.Find(given) == nullptr || map.Find(missing) != nullptr) continue;
      return map.ErrorAt(given, absl::StrFormat("%s without %s; expected both", map.Path(given),
                                                std::string(missing)));
    }
    return absl::OkStatus();
  }

  absl::Status ReadTemperature() {
    const YAML::Node* list = map_.Find("temperature");
    if (list == nullptr) return absl::OkStatus();
    constexpr std::string_view kExpected =
        "expected a list of pairs as [[0, 1.0], [30, 0]]: from that ply on that temperature";
    if (!list->IsSequence() || list->size() == 0) {
      return map_.ErrorAt("temperature",
                          absl::StrFormat("selfplay.temperature is %s; %s",
                                          list->IsSequence() ? "empty" : KindOf(*list), kExpected));
    }
    int64_t before = -1;
    for (const YAML::Node& node : *list) {
      if (!node.IsSequence() || node.size() != 2 || !node[0].IsScalar() || !node[1].IsScalar()) {
        return source_.ErrorAt(node.Mark(), absl::StrFormat("a step is no pair; %s", kExpected));
      }
      const std::optional<int64_t> ply = ParseInt64(node[0].Scalar());
      if (!ply || *ply <= before || *ply > kPlyMax) {
        return source_.ErrorAt(node[0].Mark(),
                               absl::StrFormat("ply %s; expected a whole number from %d to %d",
                                               Quote(node[0].Scalar()), before + 1, kPlyMax));
      }
      const std::optional<double> temperature = ParseDouble(node[1].Scalar());
      if (!temperature || *temperature < 0 || *temperature > kTemperatureMax) {
        return source_.ErrorAt(node[1].Mark(),
                               absl::StrFormat("temperature %s; expected a number from 0 to %g",
                                               Quote(node[1].Scalar()), kTemperatureMax));
      }
      selfplay_.temperature.push_back({*ply, *temperature});
      before = *ply;
    }
    return absl::OkStatus();
  }

  absl::Status ReadNoise() {
    ASSIGN_OR_RETURN(const std::optional<YamlMap> map, ReadMap("noise", kNoiseKeys));
    if (!map) return absl::OkStatus();
    RETURN_IF_ERROR(CheckBoth(*map, "alpha", "share"));
    RETURN_IF_ERROR(map->ReadShare("alpha", 0, kAlphaMax, &selfplay_.noise_alpha));
    return map->ReadShare("share", 0, 1, &selfplay_.noise_share);
  }

  absl::Status ReadFullSearch() {
    ASSIGN_OR_RETURN(const std::optional<YamlMap> map, ReadMap("full_search", kFullSearchKeys));
    if (!map) return absl::OkStatus();
    RETURN_IF_ERROR(CheckBoth(*map, "share", "fast_nodes"));
    RETURN_IF_ERROR(map->ReadShare("share", 0, 1, &selfplay_.full_share));
    return map->ReadInt("fast_nodes", kFastNodes, &selfplay_.fast_nodes);
  }

  absl::Status ReadResign() {
    ASSIGN_OR_RETURN(const std::optional<YamlMap> map, ReadMap("resign", kResignKeys));
    if (!map) return absl::OkStatus();
    if (map->Find("below") == nullptr) {
      return map_.ErrorAt("resign",
                          "selfplay.resign without below; expected a share of the points");
    }
    RETURN_IF_ERROR(map->ReadShare("below", 0, 0.5, &selfplay_.resign_below));
    RETURN_IF_ERROR(map->ReadInt("turns", kTurns, &selfplay_.resign_turns));
    return map->ReadShare("played_out", 0, 1, &selfplay_.played_out_share);
  }

  absl::Status ReadDuplicates() {
    std::string word;
    RETURN_IF_ERROR(map_.ReadText("drop_duplicates", &word));
    if (word.empty()) return absl::OkStatus();
    const std::optional<bool> is_on = ParseOnOff(word);
    if (is_on) selfplay_.drops_duplicates = *is_on;
    return is_on
               ? absl::OkStatus()
               : map_.ErrorAt("drop_duplicates",
                              absl::StrFormat("selfplay.drop_duplicates is %s; expected on or off",
                                              Quote(word)));
  }

  absl::Status ReadCompression() {
    std::string word;
    RETURN_IF_ERROR(map_.ReadText("compression", &word));
    if (word.empty()) return absl::OkStatus();
    selfplay_.is_deflated = word == kCompressionWords[0];
    if (selfplay_.is_deflated || word == kCompressionWords[1]) return absl::OkStatus();
    return map_.ErrorAt("compression", absl::StrFormat("unknown compression %s%s", Quote(word),
                                                       ExpectedOneOf(word, kCompressionWords)));
  }

  const YamlSource& source_;
  const YamlMap& map_;
  SelfplaySpec& selfplay_;
};

}  // namespace

absl::Status ReadSelfplayKeys(const YamlSource& source, const YAML::Node& node,
                              SelfplaySpec* selfplay) {
  ASSIGN_OR_RETURN(const YamlMap map, YamlMap::Make(source, node, "selfplay", kKeys));
  return SelfplayReader(source, map, selfplay).Read();
}

}  // namespace triarch
