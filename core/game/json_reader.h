// Reads position JSON, with the location of each error.

#ifndef TRIARCH_CORE_GAME_JSON_READER_H_
#define TRIARCH_CORE_GAME_JSON_READER_H_

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/game/seat.h"

// What a game reads its position JSON with: each fault is told by its place in the document, a JSON
// pointer ("/pieces/3/cell"). All errors are InvalidArgument and one line.
namespace triarch {

using Json = nlohmann::ordered_json;  // keeps the order of the keys
using JsonWords = std::span<const std::string_view>;

// The document that the text is.
absl::StatusOr<Json> ParseJson(std::string_view text);

// A value of the document and the JSON pointer to it. The document must outlive it.
class JsonNode {
 public:
  explicit JsonNode(const Json& document) : JsonNode(document, "") {}

  const Json& json() const { return *json_; }
  bool Has(std::string_view key) const { return json_->contains(key); }

  // "/pieces/3/cell: expected …, not …".
  absl::Status Wrong(std::string_view expected) const;

  // That the value is an object with all of the required keys and no key that is not known: a
  // misspelt one would be passed over in silence otherwise.
  absl::Status CheckKeys(JsonWords required, JsonWords optional = {}) const;

  // A member. Requires: it is there.
  JsonNode At(std::string_view key) const {
    return {json_->at(std::string(key)), path_ + "/" + std::string(key)};
  }
  JsonNode At(size_t index) const {
    return {json_->at(index), path_ + "/" + std::to_string(index)};
  }

  absl::StatusOr<bool> Bool() const;
  // A number that is not negative, as its digits.
  absl::StatusOr<std::string> Digits() const;
  // The number of the value, a string, among the words.
  absl::StatusOr<size_t> OneOf(JsonWords words) const;
  // A text that the game takes for a cell; `example` is one, for the message.
  absl::StatusOr<std::string> CellName(bool (*is_cell)(std::string_view),
                                       std::string_view example) const;

 private:
  JsonNode(const Json& json, std::string path) : json_(&json), path_(std::move(path)) {}
  std::string Place() const { return path_.empty() ? "the document" : path_; }
  std::string Shown() const;

  const Json* json_;
  std::string path_;
};

// Castling rights by the sides' letters.
struct CastlingSides {
  bool king = false;   // "K"
  bool queen = false;  // "Q"
};
// {"white": {"K": true, "Q": true}, …}, a player for each seat.
absl::StatusOr<PerSeat<CastlingSides>> ReadCastling(const JsonNode& node, JsonWords players);

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_JSON_READER_H_
