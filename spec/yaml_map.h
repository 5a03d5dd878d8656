// Reads YAML and reports every fault with its location: "file:line:column: what was wrong;
// …expected".

#ifndef TRIARCH_SPEC_YAML_MAP_H_
#define TRIARCH_SPEC_YAML_MAP_H_

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "spec/option.h"
#include "yaml-cpp/yaml.h"

namespace triarch {

// One document and its name. Errors are InvalidArgument, in one line.
class YamlSource {
 public:
  explicit YamlSource(std::string_view file_name) : file_name_(file_name) {}

  absl::Status ErrorAt(const YAML::Mark& mark, std::string_view message) const;
  // Returns a location as messages begin with it: "file:line:column: ".
  std::string Where(const YAML::Mark& mark) const;
  // Parses the text, which must be a single document.
  absl::StatusOr<YAML::Node> Parse(std::string_view text) const;

 private:
  std::string file_name_;
};

// Describes a node for messages: "a map", "text".
std::string_view KindOf(const YAML::Node& node);

// A map whose keys are scalars and unique.
class YamlMap {
 public:
  struct Entry {
    YAML::Mark key_mark;
    YAML::Node value;
  };

  // `path` names the map in messages: "time_control", or "" for the whole file. If `keys` is not
  // empty, other keys are errors.
  static absl::StatusOr<YamlMap> Make(const YamlSource& source, const YAML::Node& node,
                                      std::string_view path,
                                      std::span<const std::string_view> keys);

  const std::map<std::string, Entry, std::less<>>& entries() const { return entries_; }
  // Returns the value of a key, or null.
  const YAML::Node* Find(std::string_view key) const;
  // Return an error at the value of that key, and the beginning of messages about it.
  absl::Status ErrorAt(std::string_view key, std::string_view message) const;
  std::string Where(std::string_view key) const;
  // Returns the full key: "time_control.nodes".
  std::string Path(std::string_view key) const;

  // Returns the value of an option. Requires: the key is present.
  absl::StatusOr<OptionValue> ReadOption(std::string_view key, const Option& option) const;
  // These functions leave `value` unchanged if the key is absent.
  absl::Status ReadText(std::string_view key, std::string* value) const;
  // Reads a non-empty list of texts. Errors show `example`.
  absl::Status ReadTexts(std::string_view key, std::string_view example,
                         std::vector<std::string>* values) const;

 private:
  YamlMap(const YamlSource& source, std::string_view path) : source_(source), path_(path) {}

  absl::Status Add(const YAML::Node& key, const YAML::Node& value,
                   std::span<const std::string_view> keys);
  absl::Status NotA(std::string_view key, std::string_view expected) const;

  YamlSource source_;
  std::string path_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace triarch

#endif  // TRIARCH_SPEC_YAML_MAP_H_
