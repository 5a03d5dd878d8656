#ifndef TRIARCH_SPEC_YAML_MAP_H_
#define TRIARCH_SPEC_YAML_MAP_H_

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "yaml-cpp/yaml.h"

// YAML whose every fault has a place: what is read is checked, and errors (InvalidArgument) are one
// line, "file:line:column: what was wrong; what was expected".
namespace triarch {

// A whole number's bounds, both inclusive.
struct Bounds {
  int64_t min;
  int64_t max;
};

class YamlSource {
 public:
  explicit YamlSource(std::string_view file_name) : file_name_(file_name) {}

  absl::Status ErrorAt(const YAML::Mark& mark, std::string_view message) const;
  // The one document of the text.
  absl::StatusOr<YAML::Node> Parse(std::string_view text) const;

 private:
  std::string file_name_;
};

// "a map", "text": what a node is, for messages.
std::string_view KindOf(const YAML::Node& node);

// A map with scalars as keys, each given once.
class YamlMap {
 public:
  struct Entry {
    YAML::Mark key_mark;
    YAML::Node value;
  };

  // `path` names the map in messages: "time_control", or "" for the whole file. Whatever is not
  // empty in `keys` is the list of the keys that may be given.
  static absl::StatusOr<YamlMap> Make(const YamlSource& source, const YAML::Node& node,
                                      std::string_view path,
                                      std::span<const std::string_view> keys);

  const std::map<std::string, Entry, std::less<>>& entries() const { return entries_; }
  // The value of a key, or null.
  const YAML::Node* Find(std::string_view key) const;
  // An error at the value of that key.
  absl::Status ErrorAt(std::string_view key, std::string_view message) const;
  std::string Path(std::string_view key) const;

  // Each of these leaves `value` alone if the key is not given.
  absl::Status ReadText(std::string_view key, std::string* value) const;
  // A list with one text at least, as `example` is.
  absl::Status ReadTexts(std::string_view key, std::string_view example,
                         std::vector<std::string>* values) const;
  absl::Status ReadInt(std::string_view key, Bounds bounds, int64_t* value) const;
  absl::Status ReadInt(std::string_view key, Bounds bounds, std::optional<int64_t>* value) const;
  absl::Status ReadSeed(std::string_view key, uint64_t* value) const;
  // A number above `above`, at most `max`.
  absl::Status ReadShare(std::string_view key, double above, double max, double* value) const;

 private:
  YamlMap(const YamlSource& source, std::string_view path) : source_(source), path_(path) {}

  absl::Status Add(const YAML::Node& key, const YAML::Node& value,
                   std::span<const std::string_view> keys);
  absl::Status NotA(std::string_view key, std::string_view expected) const;

  YamlSource source_;
  std::string path_;
  std::map<std::string, Entry, std::less<>> entries_;
};

// How many letters must be put in, left out or changed to make one word of the other.
size_t EditDistance(std::string_view a, std::string_view b);

// `; did you mean "seed"?` or `; expected one of …`: the end of a message about an unknown word.
std::string ExpectedOneOf(std::string_view word, std::span<const std::string_view> known);

}  // namespace triarch

#endif  // TRIARCH_SPEC_YAML_MAP_H_
