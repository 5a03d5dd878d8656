#include "spec/tournament_file.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "spec/bot_entry.h"
#include "spec/tournament_options.h"
#include "spec/tuned_options.h"
#include "spec/yaml_map.h"

namespace triarch {
namespace {

class FileReader {
 public:
  FileReader(const YamlSource& source, std::string_view file_name, const TournamentHooks& hooks,
             const OptionValues& flags)
      : source_(source), hooks_(hooks), flags_(flags) {
    draft_.file = file_name;
    draft_.start = source.Where(YAML::Mark());
  }

  absl::StatusOr<TournamentDraft> Read(const YAML::Node& root) {
    RETURN_IF_ERROR(ReadSection(root, ""));
    RETURN_IF_ERROR(ReadBots());
    return std::move(draft_);
  }

 private:
  absl::Status ReadSection(const YAML::Node& node, const std::string& section);
  // Reads `time_control: 60+0.6`, short for `time_control: {tc: 60+0.6}`.
  absl::Status ReadClock(const YamlMap& map);
  absl::Status ReadStructure(const Option& option, const YAML::Node& node);
  absl::Status ReadPositions(const YAML::Node& list);
  absl::Status ReadTemperature(const YAML::Node& list);
  absl::Status ReadBots();
  absl::Status NotA(const Option& option, const YAML::Node& node) const;

  const YamlSource& source_;
  const TournamentHooks& hooks_;
  const OptionValues& flags_;
  TournamentDraft draft_;
  std::optional<YAML::Node> bots_;  // read last, because bots depend on the game and the mode
};

absl::Status FileReader::ReadSection(const YAML::Node& node, const std::string& section) {
  ASSIGN_OR_RETURN(const YamlMap map, YamlMap::Make(source_, node, section, KeysIn(section)));
  for (const auto& [name, entry] : map.entries()) {
    const std::string key = map.Path(name);
    const Option* const option = FindOption(key);
    if (option == nullptr) {
      if (key == "time_control" && entry.value.IsScalar()) {
        RETURN_IF_ERROR(ReadClock(map));
        continue;
      }
      if (entry.value.IsNull()) {
        return map.ErrorAt(name, absl::StrFormat("%s is empty; expected a map {key: value}", key));
      }
      RETURN_IF_ERROR(ReadSection(entry.value, key));
      continue;
    }
    draft_.where[option->key] = map.Where(name);
    OptionValue& value = draft_.values[option->key];
    if (std::holds_alternative<Structure>(option->type)) {
      RETURN_IF_ERROR(ReadStructure(*option, entry.value));
    } else {
      ASSIGN_OR_RETURN(value, map.ReadOption(name, *option));
    }
  }
  return absl::OkStatus();
}

absl::Status FileReader::ReadClock(const YamlMap& map) {
  const std::string_view name = "time_control";
  const Option& clock = *FindOption("time_control.tc");
  draft_.where[clock.key] = map.Where(name);
  ASSIGN_OR_RETURN(draft_.values[clock.key], map.ReadOption(name, clock));
  return absl::OkStatus();
}

absl::Status FileReader::NotA(const Option& option, const YAML::Node& node) const {
  const std::string_view what = node.IsSequence() ? "empty" : KindOf(node);
  return absl::InvalidArgumentError(absl::StrFormat("%s%s is %s%s", draft_.where.at(option.key),
                                                    option.key, what, Expectation(option, "")));
}

absl::Status FileReader::ReadStructure(const Option& option, const YAML::Node& node) {
  if (option.key == "tune.options") {
    ASSIGN_OR_RETURN(draft_.tuned, ReadTunedOptions(source_, node));
    return absl::OkStatus();
  }
  const bool may_be_empty = option.key == "bots";  // too few bots have a separate message
  if (!node.IsSequence() || (node.size() == 0 && !may_be_empty)) return NotA(option, node);
  if (option.key == "openings.positions") return ReadPositions(node);
  if (option.key == "selfplay.temperature") return ReadTemperature(node);
  bots_ = node;
  return absl::OkStatus();
}

absl::Status FileReader::ReadPositions(const YAML::Node& list) {
  for (const YAML::Node& node : list) {
    if (!node.IsScalar()) {
      return source_.ErrorAt(node.Mark(),
                             absl::StrFormat("a position is %s; expected text", KindOf(node)));
    }
    draft_.positions.push_back({node.Scalar(), source_.Where(node.Mark())});
  }
  return absl::OkStatus();
}

absl::Status FileReader::ReadTemperature(const YAML::Node& list) {
  int64_t before = -1;
  for (const YAML::Node& node : list) {
    if (!node.IsSequence() || node.size() != 2 || !node[0].IsScalar() || !node[1].IsScalar()) {
      return source_.ErrorAt(node.Mark(), "a step is not a pair; expected [plies, temperature]");
    }
    const std::optional<int64_t> plies = ParseInt64(node[0].Scalar());
    if (!plies || *plies <= before || *plies > kTemperaturePlyMax) {
      return source_.ErrorAt(
          node[0].Mark(), absl::StrFormat("plies %s; expected a whole number from %d to %d",
                                          Quote(node[0].Scalar()), before + 1, kTemperaturePlyMax));
    }
    const std::optional<double> temperature = ParseDouble(node[1].Scalar());
    if (!temperature || *temperature < 0 || *temperature > kTemperatureMax) {
      return source_.ErrorAt(node[1].Mark(),
                             absl::StrFormat("temperature %s; expected a number from 0 to %g",
                                             Quote(node[1].Scalar()), kTemperatureMax));
    }
    draft_.temperature.push_back({*plies, *temperature});
    before = *plies;
  }
  return absl::OkStatus();
}

absl::Status FileReader::ReadBots() {
  if (!bots_) return absl::OkStatus();
  OptionValues values = flags_;
  values.insert(draft_.values.begin(), draft_.values.end());
  const auto game = values.find("game");
  if (game == values.end()) return absl::OkStatus();  // ResolveDraft reports it
  const auto& name = std::get<std::string>(game->second);
  if (!CheckGameName(name).ok()) return absl::OkStatus();
  const bool is_selfplay = ModeOf(values) == OptionMode::kSelfplay;
  for (const YAML::Node& node : *bots_) {
    ASSIGN_OR_RETURN(BotSpec bot,
                     ReadBotEntry(source_, node, name, draft_.file, hooks_, is_selfplay));
    draft_.bots.push_back({std::move(bot), source_.Where(node.Mark())});
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TournamentDraft> ReadTournamentFile(std::string_view text,
                                                   std::string_view file_name,
                                                   const TournamentHooks& hooks,
                                                   const OptionValues& flags) {
  const YamlSource source(file_name);
  try {
    ASSIGN_OR_RETURN(const YAML::Node root, source.Parse(text));
    return FileReader(source, file_name, hooks, flags).Read(root);
  } catch (const YAML::Exception& error) {
    return source.ErrorAt(error.mark, error.msg);
  }
}

absl::StatusOr<TournamentSpec> ParseTournamentFile(std::string_view text,
                                                   std::string_view file_name,
                                                   const TournamentHooks& hooks) {
  ASSIGN_OR_RETURN(const TournamentDraft draft, ReadTournamentFile(text, file_name, hooks));
  return ResolveDraft(draft, hooks);
}

}  // namespace triarch
