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

// Errors give their location as a JSON pointer ("/pieces/3/cell"). Every error is an
// InvalidArgument with a message of one line.
namespace triarch {

using Json = nlohmann::ordered_json;  // keeps the order of the keys
using JsonWords = std::span<const std::string_view>;

// Parses the text as a JSON document.
absl::StatusOr<Json> ParseJson(std::string_view text);

// A value of the document with the JSON pointer to it. The document must outlive the node.
class JsonNode {
 public:
  explicit JsonNode(const Json& document) : JsonNode(document, "") {}

  const Json& json() const { return *json_; }
  bool Has(std::string_view key) const { return json_->contains(key); }

  // Returns the error "/pieces/3/cell: expected …, not …".
  absl::Status Wrong(std::string_view expected) const;

  // Checks that the value is an object with all required keys and no unknown key; otherwise a
  // misspelt key would be ignored silently.
  absl::Status CheckKeys(JsonWords required, JsonWords optional = {}) const;

  // Returns a member. Requires: it exists.
  JsonNode At(std::string_view key) const {
    return {json_->at(std::string(key)), path_ + "/" + std::string(key)};
  }
  JsonNode At(size_t index) const {
    return {json_->at(index), path_ + "/" + std::to_string(index)};
  }

  absl::StatusOr<bool> Bool() const;
  // Returns the digits of the value, a non-negative integer.
  absl::StatusOr<std::string> Digits() const;
  // Returns the index in `words` of the value, a string.
  absl::StatusOr<size_t> OneOf(JsonWords words) const;
  // Returns the value if the game accepts it as a cell name. The error shows `example`.
  absl::StatusOr<std::string> CellName(bool (*is_cell)(std::string_view),
                                       std::string_view example) const;

 private:
  JsonNode(const Json& json, std::string path) : json_(&json), path_(std::move(path)) {}
  std::string Place() const { return path_.empty() ? "the document" : path_; }
  std::string Shown() const;

  const Json* json_;
  std::string path_;
};

// Castling rights, one per side.
struct CastlingSides {
  bool king = false;   // "K"
  bool queen = false;  // "Q"
};
// Reads {"white": {"K": true, "Q": true}, …}, with one entry of `players` per seat.
absl::StatusOr<PerSeat<CastlingSides>> ReadCastling(const JsonNode& node, JsonWords players);

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_JSON_READER_H_
