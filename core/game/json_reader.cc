#include "core/game/json_reader.h"

#include <algorithm>
#include <array>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

std::string Listed(JsonWords words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i != 0) text += i + 1 == words.size() ? " or " : ", ";
    text += Quote(words[i]);
  }
  return text;
}

bool IsIn(JsonWords words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

absl::StatusOr<Json> ParseJson(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const size_t at = std::min(text.size(), error.byte == 0 ? 0 : error.byte - 1);
    const std::string_view rest = text.substr(at);
    return absl::InvalidArgumentError(absl::StrFormat(
        "not JSON: syntax error at byte %d, %s", at + 1,
        rest.empty() ? "where the text ends" : "where it continues with " + Quote(rest, 20)));
  } catch (const Json::exception&) {
    return absl::InvalidArgumentError("not JSON: a number is too large");
  }
}

std::string JsonNode::Shown() const {
  if (json_->is_string()) return Quote(json_->get_ref<const std::string&>());
  if (json_->is_object()) return "an object";
  if (json_->is_array()) return json_->empty() ? "an empty array" : "an array";
  return json_->dump();
}

absl::Status JsonNode::Wrong(std::string_view expected) const {
  return absl::InvalidArgumentError(
      absl::StrFormat("%s: expected %s, not %s", Place(), std::string(expected), Shown()));
}

absl::Status JsonNode::CheckKeys(JsonWords required, JsonWords optional) const {
  if (!json_->is_object()) return Wrong("an object");
  for (const std::string_view key : required) {
    if (Has(key)) continue;
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: the key %s is missing", Place(), Quote(key)));
  }
  for (const auto& [key, value] : json_->items()) {
    if (IsIn(required, key) || IsIn(optional, key)) continue;
    std::vector<std::string_view> known(required.begin(), required.end());
    known.insert(known.end(), optional.begin(), optional.end());
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: unknown key %s; expected %s", Place(), Quote(key), Listed(known)));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> JsonNode::Bool() const {
  if (!json_->is_boolean()) return Wrong("true or false");
  return json_->get<bool>();
}

absl::StatusOr<std::string> JsonNode::Digits() const {
  if (!json_->is_number_unsigned()) return Wrong("a non-negative whole number");
  return json_->dump();
}

absl::StatusOr<size_t> JsonNode::OneOf(JsonWords words) const {
  if (json_->is_string()) {
    const auto& text = json_->get_ref<const std::string&>();
    const auto found = std::find(words.begin(), words.end(), text);
    if (found != words.end()) return static_cast<size_t>(found - words.begin());
  }
  return Wrong(Listed(words));
}

absl::StatusOr<std::string> JsonNode::CellName(bool (*is_cell)(std::string_view),
                                               std::string_view example) const {
  if (!json_->is_string() || !is_cell(json_->get_ref<const std::string&>())) {
    return Wrong("a cell of the board such as " + Quote(example));
  }
  return json_->get<std::string>();
}

absl::StatusOr<PerSeat<CastlingSides>> ReadCastling(const JsonNode& node, JsonWords players) {
  static constexpr std::array<std::string_view, 2> kSides = {"K", "Q"};
  RETURN_IF_ERROR(node.CheckKeys(players));
  PerSeat<CastlingSides> castling;
  for (size_t i = 0; i < players.size(); ++i) {
    const JsonNode rights = node.At(players[i]);
    RETURN_IF_ERROR(rights.CheckKeys(kSides));
    ASSIGN_OR_RETURN(castling[SeatAt(i)].king, rights.At("K").Bool());
    ASSIGN_OR_RETURN(castling[SeatAt(i)].queen, rights.At("Q").Bool());
  }
  return castling;
}

}  // namespace triarch
