#include "spec/yaml_map.h"

#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "spec/suggestion.h"

namespace triarch {
namespace {

// Returns the library's message on one line.
std::string OneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// Records where documents begin.
class DocumentStarts : public YAML::EventHandler {
 public:
  const std::vector<YAML::Mark>& marks() const { return marks_; }

  void OnDocumentStart(const YAML::Mark& mark) override { marks_.push_back(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  std::vector<YAML::Mark> marks_;
};

// Returns the start of a second document, if any. YAML::LoadAll cannot do this: on `{},` it finds
// empty documents forever.
std::optional<YAML::Mark> SecondDocument(std::string_view text) {
  std::istringstream in{std::string(text)};
  YAML::Parser parser(in);
  DocumentStarts starts;
  while (starts.marks().size() < 2 && parser.HandleNextDocument(starts)) {
  }
  if (starts.marks().size() < 2) return std::nullopt;
  return starts.marks()[1];
}

size_t IndentationOf(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// Says what was expected instead of a line that is not YAML. Most often its indentation is wrong.
std::string Expected(std::string_view text, const YAML::Mark& mark) {
  const std::vector<std::string_view> lines = Split(text, '\n');
  const auto at = static_cast<size_t>(mark.is_null() ? 0 : mark.line);
  if (at >= lines.size()) return "expected \"key: value\"";
  const std::string_view line = lines[at];
  const size_t indentation = IndentationOf(line);
  if (line.substr(indentation).starts_with('\t')) {
    return "a tab begins the line; expected spaces";
  }
  for (size_t above = at; above-- > 0;) {
    if (Trim(lines[above]).empty()) continue;
    const size_t other = IndentationOf(lines[above]);
    const size_t key = lines[above].find_first_not_of("- ");
    if (other == indentation && key > other + 1 && key < lines[above].size() &&
        !line.substr(indentation).starts_with('-')) {
      return absl::StrFormat(
          "the line is indented by %d, like the \"-\" above; expected %d, the column of the key "
          "after the \"-\"",
          indentation, key);
    }
    if (other == indentation) break;
    return absl::StrFormat(
        "the line is indented by %d and the one above by %d; expected the entries of a list, and "
        "the keys of a map, in one column",
        indentation, other);
  }
  return "expected \"key: value\"";
}

}  // namespace

std::string_view KindOf(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Map:
      return "a map";
    case YAML::NodeType::Sequence:
      return "a list";
    case YAML::NodeType::Scalar:
      return "text";
    default:
      return "empty";
  }
}

std::string YamlSource::Where(const YAML::Mark& mark) const {
  const YAML::Mark at = mark.is_null() ? YAML::Mark() : mark;
  return absl::StrFormat("%s:%d:%d: ", file_name_, at.line + 1, at.column + 1);
}

absl::Status YamlSource::ErrorAt(const YAML::Mark& mark, std::string_view message) const {
  return absl::InvalidArgumentError(absl::StrFormat("%s%s", Where(mark), PrintableLine(message)));
}

absl::StatusOr<YAML::Node> YamlSource::Parse(std::string_view text) const {
  try {
    if (const auto second = SecondDocument(text)) {
      return ErrorAt(*second, "a second document begins; expected one");
    }
    const YAML::Node document = YAML::Load(std::string(text));
    if (document.IsNull()) {
      return ErrorAt(YAML::Mark(),
                     "the file is empty; expected a map, one \"key: value\" per line");
    }
    return document;
  } catch (const YAML::Exception& error) {
    return ErrorAt(error.mark, absl::StrFormat("not YAML: %s; %s", OneLine(error.msg),
                                               Expected(text, error.mark)));
  }
}

absl::StatusOr<YamlMap> YamlMap::Make(const YamlSource& source, const YAML::Node& node,
                                      std::string_view path,
                                      std::span<const std::string_view> keys) {
  if (!node.IsMap()) {
    return source.ErrorAt(node.Mark(),
                          absl::StrFormat("%s is %s; expected a map {key: value}",
                                          path.empty() ? "the file" : path, KindOf(node)));
  }
  YamlMap map(source, path);
  for (const auto& entry : node) RETURN_IF_ERROR(map.Add(entry.first, entry.second, keys));
  return map;
}

absl::Status YamlMap::Add(const YAML::Node& key, const YAML::Node& value,
                          std::span<const std::string_view> keys) {
  if (!key.IsScalar()) {
    return source_.ErrorAt(key.Mark(),
                           absl::StrFormat("a key is %s; expected a word", KindOf(key)));
  }
  const std::string& name = key.Scalar();
  if (!IsPlainText(name)) {
    return source_.ErrorAt(
        key.Mark(),
        absl::StrFormat("the key %s contains control characters or invalid UTF-8", Quote(name)));
  }
  if (!keys.empty() && std::find(keys.begin(), keys.end(), name) == keys.end()) {
    return source_.ErrorAt(key.Mark(), absl::StrFormat("unknown key %s%s", Quote(Path(name)),
                                                       ExpectedOneOf(name, keys)));
  }
  if (!entries_.try_emplace(name, Entry{key.Mark(), value}).second) {
    return source_.ErrorAt(key.Mark(),
                           absl::StrFormat("%s is given twice; expected once", Path(name)));
  }
  return absl::OkStatus();
}

const YAML::Node* YamlMap::Find(std::string_view key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second.value;
}

std::string YamlMap::Path(std::string_view key) const {
  return path_.empty() ? std::string(key) : absl::StrFormat("%s.%s", path_, key);
}

std::string YamlMap::Where(std::string_view key) const {
  const Entry& entry = entries_.find(key)->second;
  // The library marks a missing value at whatever follows it.
  return source_.Where(entry.value.IsNull() ? entry.key_mark : entry.value.Mark());
}

absl::Status YamlMap::ErrorAt(std::string_view key, std::string_view message) const {
  return absl::InvalidArgumentError(absl::StrFormat("%s%s", Where(key), PrintableLine(message)));
}

absl::StatusOr<OptionValue> YamlMap::ReadOption(std::string_view key, const Option& option) const {
  const YAML::Node& node = *Find(key);
  const bool is_pair = std::holds_alternative<PairBounds>(option.type) && node.IsSequence() &&
                       node.size() == 2 && node[0].IsScalar() && node[1].IsScalar();
  if (!node.IsScalar() && !is_pair) return NotA(key, BoundsText(option));
  const std::string text = is_pair ? node[0].Scalar() + "," + node[1].Scalar() : node.Scalar();
  std::optional<OptionValue> value = ParseOption(option, text);
  if (value) return *std::move(value);
  return ErrorAt(key,
                 absl::StrFormat("%s is %s%s", Path(key), Quote(text), Expectation(option, text)));
}

absl::Status YamlMap::NotA(std::string_view key, std::string_view expected) const {
  const YAML::Node& node = *Find(key);
  const std::string what = node.IsScalar() ? Quote(node.Scalar()) : std::string(KindOf(node));
  return ErrorAt(key, absl::StrFormat("%s is %s; expected %s", Path(key), what, expected));
}

absl::Status YamlMap::ReadText(std::string_view key, std::string* value) const {
  const YAML::Node* node = Find(key);
  if (node == nullptr) return absl::OkStatus();
  if (!node->IsScalar() || node->Scalar().empty()) return NotA(key, "text");
  if (!IsPlainText(node->Scalar())) return NotA(key, "UTF-8 text without control characters");
  *value = node->Scalar();
  return absl::OkStatus();
}

absl::Status YamlMap::ReadTexts(std::string_view key, std::string_view example,
                                std::vector<std::string>* values) const {
  const YAML::Node* const node = Find(key);
  if (node == nullptr) return absl::OkStatus();
  const auto fail = [&](std::string_view what) {
    return ErrorAt(key, absl::StrFormat("%s is %s; expected a list of texts, as in %s", Path(key),
                                        what, example));
  };
  if (!node->IsSequence()) return fail(KindOf(*node));
  if (node->size() == 0) return fail("an empty list");
  for (const YAML::Node& text : *node) {
    if (!text.IsScalar() || text.Scalar().find('\0') != std::string::npos) return fail("a list");
    values->push_back(text.Scalar());
  }
  return absl::OkStatus();
}

}  // namespace triarch
