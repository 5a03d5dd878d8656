#include "spec/next_season.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/bot_manifest.h"
#include "spec/yaml_map.h"

namespace triarch {
namespace {

// A part of the text, from `begin` up to `end`.
struct Slot {
  size_t begin = 0;
  size_t end = 0;
};

// Replaces a part of the text.
struct Edit {
  Slot slot;
  std::string text;
};

// Returns the first character of each line.
std::vector<size_t> LineStarts(std::string_view text) {
  std::vector<size_t> starts = {0};
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts.push_back(i + 1);
  }
  return starts;
}

size_t PositionOf(std::string_view text, const YAML::Mark& mark) {
  const std::vector<size_t> starts = LineStarts(text);
  const size_t position = starts[static_cast<size_t>(mark.line)] + static_cast<size_t>(mark.column);
  return std::min(position, text.size());
}

size_t LineOf(std::string_view text, size_t position) {
  const size_t before = text.rfind('\n', position);
  return position == 0 || before == std::string_view::npos ? 0 : before + 1;
}

// ---- Lists in brackets: [a, {bot: b}].

// Returns the end of the entry that begins there.
size_t EndOfFlowEntry(std::string_view text, size_t position) {
  int depth = 0;
  char quote = 0;
  size_t end = position;
  for (; position < text.size(); ++position) {
    const char c = text[position];
    if (quote != 0) {
      if (c == '\\' && quote == '"') ++position;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (depth == 0 && (c == ',' || c == ']')) {
      break;
    } else if (c == ']' || c == '}') {
      --depth;
    }
    if (c != ' ' && c != '\n' && c != '\r') end = position + 1;
  }
  return end;
}

// ---- Lists of lines that begin with a dash.

// Returns the dash before the entry that begins there.
std::optional<size_t> DashBefore(std::string_view text, size_t position) {
  while (position > 0) {
    const char c = text[--position];
    if (c == '-') return position;
    if (c != ' ' && c != '\n' && c != '\r') return std::nullopt;
  }
  return std::nullopt;
}

// Returns the end of the entry with that dash: of its last line that is more indented and neither
// empty nor a comment.
size_t EndOfBlockEntry(std::string_view text, size_t dash) {
  const size_t indent = dash - LineOf(text, dash);
  size_t end = std::min(text.find('\n', dash), text.size());
  for (size_t line = end + 1; line < text.size();) {
    const size_t line_end = std::min(text.find('\n', line), text.size());
    const size_t first = text.find_first_not_of(" \r", line);
    const bool is_empty = first == std::string_view::npos || first >= line_end;
    if (!is_empty && first - line <= indent) break;
    if (!is_empty && text[first] != '#') end = line_end;
    line = line_end + 1;
  }
  return end > dash && text[end - 1] == '\r' ? end - 1 : end;
}

// ---- The file.

class SeasonFile {
 public:
  SeasonFile(std::string_view text, std::string_view file_name) : text_(text), source_(file_name) {}

  absl::StatusOr<std::string> Rewrite(const TournamentSpec& spec,
                                      std::span<const std::string> names);

 private:
  absl::Status Parse();
  absl::Status CheckBots(const TournamentSpec& spec) const;
  absl::StatusOr<std::vector<Slot>> FindBots() const;
  absl::Status AddBotEdits(std::span<const size_t> order);
  void AddSeedEdit(const std::string& seed);
  std::string Apply();
  // Reads the new text: lists can be written in ways that this class does not know.
  absl::Status CheckResult(std::string_view text, std::span<const size_t> order,
                           const std::string& seed) const;

  std::string_view text_;
  YamlSource source_;
  YAML::Node root_;
  YAML::Node bots_;
  YAML::Mark bots_key_;
  std::vector<Edit> edits_;
};

absl::StatusOr<std::string> SeasonFile::Rewrite(const TournamentSpec& spec,
                                                std::span<const std::string> names) {
  RETURN_IF_ERROR(Parse());
  RETURN_IF_ERROR(CheckBots(spec));
  std::vector<size_t> order;
  for (const std::string& name : names) {
    const auto bot = std::find_if(spec.bots.begin(), spec.bots.end(),
                                  [&name](const BotSpec& b) { return b.name == name; });
    CHECK(bot != spec.bots.end());
    order.push_back(static_cast<size_t>(bot - spec.bots.begin()));
  }
  CHECK(order.size() == spec.bots.size());
  const std::string seed = std::to_string(spec.seed + 1);
  RETURN_IF_ERROR(AddBotEdits(order));
  AddSeedEdit(seed);
  std::string text = Apply();
  RETURN_IF_ERROR(CheckResult(text, order, seed));
  return text;
}

absl::Status SeasonFile::Parse() {
  ASSIGN_OR_RETURN(root_, source_.Parse(text_));
  if (root_.IsMap()) {
    for (const auto& entry : root_) {
      if (!entry.first.IsScalar() || entry.first.Scalar() != "bots") continue;
      bots_key_ = entry.first.Mark();
      bots_ = entry.second;
      return absl::OkStatus();
    }
  }
  return source_.ErrorAt(YAML::Mark(), "bots is missing; expected the file of the tournament");
}

absl::Status SeasonFile::CheckBots(const TournamentSpec& spec) const {
  if (!bots_.IsSequence() || bots_.size() != spec.bots.size()) {
    return source_.ErrorAt(
        bots_key_,
        absl::StrFormat("expected a list of the %d bots of the tournament", spec.bots.size()));
  }
  for (size_t i = 0; i < spec.bots.size(); ++i) {
    const YAML::Node entry = bots_[i];
    const YAML::Node name = entry.IsMap() ? entry["name"] : entry;
    if (!name.IsDefined() || !name.IsScalar()) continue;
    const std::string& bot = spec.bots[i].name;
    if (name.Scalar() == bot || name.Scalar() == GivenBotName(bot)) continue;
    return source_.ErrorAt(name.Mark(),
                           absl::StrFormat("the bot is %s; expected %s, as in the tournament",
                                           Quote(name.Scalar()), Quote(bot)));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Slot>> SeasonFile::FindBots() const {
  std::vector<Slot> slots;
  for (const YAML::Node& entry : bots_) {
    const size_t begin = PositionOf(text_, entry.Mark());
    if (bots_.Style() == YAML::EmitterStyle::Flow) {
      slots.push_back({begin, EndOfFlowEntry(text_, begin)});
      continue;
    }
    const std::optional<size_t> dash = DashBefore(text_, begin);
    if (!dash) return source_.ErrorAt(entry.Mark(), "expected a dash before the bot");
    slots.push_back({*dash, EndOfBlockEntry(text_, *dash)});
  }
  return slots;
}

absl::Status SeasonFile::AddBotEdits(std::span<const size_t> order) {
  ASSIGN_OR_RETURN(const std::vector<Slot> slots, FindBots());
  for (size_t i = 0; i < slots.size(); ++i) {
    const Slot& from = slots[order[i]];
    if (i > 0 && slots[i].begin < slots[i - 1].end) {
      return source_.ErrorAt(bots_[i].Mark(), "expected the bot after the end of the one before");
    }
    edits_.push_back({slots[i], std::string(text_.substr(from.begin, from.end - from.begin))});
  }
  return absl::OkStatus();
}

void SeasonFile::AddSeedEdit(const std::string& seed) {
  if (const YAML::Node old = root_["seed"]; old.IsDefined()) {
    const size_t begin = PositionOf(text_, old.Mark());
    edits_.push_back({{begin, begin + old.Scalar().size()}, seed});
    return;
  }
  const size_t begin = PositionOf(text_, bots_key_);
  const std::string after = root_.Style() == YAML::EmitterStyle::Flow
                                ? ", "
                                : "\n" + std::string(static_cast<size_t>(bots_key_.column), ' ');
  edits_.push_back({{begin, begin}, "seed: " + seed + after});
}

std::string SeasonFile::Apply() {
  std::sort(edits_.begin(), edits_.end(),
            [](const Edit& a, const Edit& b) { return a.slot.begin < b.slot.begin; });
  std::string text;
  size_t done = 0;
  for (const Edit& edit : edits_) {
    text += text_.substr(done, edit.slot.begin - done);
    text += edit.text;
    done = edit.slot.end;
  }
  return text + std::string(text_.substr(done));
}

absl::Status SeasonFile::CheckResult(std::string_view text, std::span<const size_t> order,
                                     const std::string& seed) const {
  const absl::StatusOr<YAML::Node> root = source_.Parse(text);
  bool is_right = root.ok() && (*root)["seed"].as<std::string>("") == seed &&
                  (*root)["bots"].IsSequence() && (*root)["bots"].size() == order.size();
  for (size_t i = 0; is_right && i < order.size(); ++i) {
    is_right = YAML::Dump((*root)["bots"][i]) == YAML::Dump(bots_[order[i]]);
  }
  if (is_right) return absl::OkStatus();
  return source_.ErrorAt(bots_.Mark(),
                         "the bots cannot be reordered; expected each in a line or lines of its "
                         "own, without anchors");
}

}  // namespace

absl::StatusOr<std::string> NextSeasonFile(std::string_view text, std::string_view file_name,
                                           const TournamentSpec& spec,
                                           std::span<const std::string> names) {
  try {
    return SeasonFile(text, file_name).Rewrite(spec, names);
  } catch (const YAML::Exception& error) {
    return YamlSource(file_name).ErrorAt(error.mark, error.msg);
  }
}

}  // namespace triarch
