#include "spec/tournament_file.h"

#include <array>
#include <filesystem>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/schedule/schedule.h"
#include "spec/bot_entry.h"
#include "spec/bot_flag.h"
#include "spec/opening_lines.h"
#include "spec/selfplay_keys.h"
#include "spec/spec_json.h"
#include "spec/yaml_map.h"

namespace triarch {
namespace {

using Keys = std::span<const std::string_view>;

constexpr std::string_view kInsufficientMaterial = "insufficient_material";
constexpr std::array<std::string_view, 19> kFileKeys = {
    "game",   "name",     "start",        "bots",   "format",       "games", "cycles",
    "seed",   "openings", "time_control", "limits", "adjudication", "draws", kInsufficientMaterial,
    "anchor", "slots",    "output",       "mode",   "selfplay"};
constexpr std::array<std::string_view, 4> kOpeningsKeys = {"random_plies", "positions", "tpgn",
                                                           "plies"};
constexpr std::array<std::string_view, 7> kTimeControlKeys = {
    "nodes", "depth", "movetime_ms", "clock_ms", "increment_ms", "margin_ms", "clock"};
constexpr std::array<std::string_view, 1> kLimitsKeys = {"max_plies"};
constexpr std::array<std::string_view, 2> kAdjudicationKeys = {"win_share", "win_plies"};
constexpr std::array<std::string_view, 3> kOutputKeys = {"db", "tpgn", "data"};
constexpr std::array<std::string_view, 2> kModeWords = {"tournament", "selfplay"};
// What says nothing where bots do not meet to be rated.
constexpr std::array<std::string_view, 3> kRatingKeys = {"format", "cycles", "anchor"};
constexpr std::array<std::string_view, 2> kFormatWords = {"round_robin", "gauntlet"};
constexpr std::array<std::string_view, 2> kClockWords = {"wall", "cpu"};
constexpr std::array<std::string_view, 2> kDrawsWords = {"automatic", "claimed"};

constexpr Bounds kRandomPlies = {0, 200};
constexpr Bounds kOpeningPlies = {1, 10'000};
constexpr Bounds kNodes = {1, 1'000'000'000'000};
constexpr Bounds kDepth = {1, 100};
constexpr Bounds kTimeMs = {1, 1'000'000'000};
constexpr Bounds kTimeMsOrNone = {0, 1'000'000'000};
constexpr Bounds kPlies = {1, 1'000'000};
constexpr Bounds kSlots = {0, 4096};

std::string_view Message(const absl::Status& status) {
  return {status.message().data(), status.message().size()};
}

std::vector<std::string_view> GameNames() {
  std::vector<std::string_view> names;
  for (const GameInfo* game : AllGames()) names.push_back(game->name);
  return names;
}

absl::Status CheckGameName(std::string_view name) {
  if (!name.empty() && FindGame(name).ok()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrFormat("unknown game %s%s", Quote(name), ExpectedOneOf(name, GameNames())));
}

// The defaults that depend on the game.
void SetGame(std::string_view name, TournamentSpec* spec) {
  const GameInfo& game = **FindGame(name);
  spec->game = game.name;
  spec->name = absl::StrFormat("%s tournament", game.variant);
  spec->openings.random_plies = kRandomPliesDefault;
}

class FileReader {
 public:
  FileReader(const YamlSource& source, const YamlMap& file, std::string_view file_name,
             const TournamentHooks& hooks)
      : source_(source), file_(file), file_name_(file_name), hooks_(hooks) {}

  absl::StatusOr<TournamentSpec> Read() {
    RETURN_IF_ERROR(ReadGame());
    RETURN_IF_ERROR(file_.ReadText("name", &spec_.name));
    RETURN_IF_ERROR(ReadMode());
    RETURN_IF_ERROR(ReadStart());
    RETURN_IF_ERROR(ReadBots());
    RETURN_IF_ERROR(ReadSelfplay());
    RETURN_IF_ERROR(ReadWord("format", kFormatWords, &ParseFormat, &spec_.format));
    RETURN_IF_ERROR(ReadGames());
    RETURN_IF_ERROR(file_.ReadSeed("seed", &spec_.seed));
    RETURN_IF_ERROR(ReadWord("draws", kDrawsWords, &ParseDraws, &spec_.draws));
    RETURN_IF_ERROR(ReadInsufficientMaterial());
    RETURN_IF_ERROR(ReadOpenings());
    RETURN_IF_ERROR(ReadTimeControl());
    RETURN_IF_ERROR(ReadLimits());
    RETURN_IF_ERROR(ReadAdjudication());
    RETURN_IF_ERROR(ReadAnchor());
    RETURN_IF_ERROR(file_.ReadInt("slots", kSlots, &spec_.slots));
    RETURN_IF_ERROR(ReadOutput());
    RETURN_IF_ERROR(CheckSelfplay());
    return std::move(spec_);
  }

 private:
  absl::Status ReadGame();
  absl::Status ReadMode();
  absl::Status ReadSelfplay();
  absl::Status CheckSelfplay();
  absl::Status ReadStart();
  absl::Status ReadBots();
  absl::Status ReadGames();
  absl::Status ReadOpenings();
  absl::Status ReadPositions(const YamlMap& openings);
  absl::Status ReadTpgn(const YamlMap& openings);
  absl::Status ReadTimeControl();
  absl::Status ReadLimits();
  absl::Status ReadAdjudication();
  absl::Status ReadInsufficientMaterial();
  absl::Status ReadAnchor();
  absl::Status ReadOutput();

  template <class T>
  absl::Status ReadWord(std::string_view key, Keys words,
                        std::optional<T> (*parse)(std::string_view), T* value);
  // The map under that key; nothing if it is not given.
  absl::StatusOr<std::optional<YamlMap>> ReadMap(std::string_view key, Keys keys) const;

  const YamlSource& source_;
  const YamlMap& file_;
  std::string file_name_;
  const TournamentHooks& hooks_;
  TournamentSpec spec_;
  std::optional<SelfplaySpec> selfplay_;
};

template <class T>
absl::Status FileReader::ReadWord(std::string_view key, Keys words,
                                  std::optional<T> (*parse)(std::string_view), T* value) {
  std::string word;
  RETURN_IF_ERROR(file_.ReadText(key, &word));
  if (word.empty()) return absl::OkStatus();
  const std::optional<T> parsed = parse(word);
  if (!parsed) {
    return file_.ErrorAt(
        key, absl::StrFormat("unknown %s %s%s", key, Quote(word), ExpectedOneOf(word, words)));
  }
  *value = *parsed;
  return absl::OkStatus();
}

absl::StatusOr<std::optional<YamlMap>> FileReader::ReadMap(std::string_view key, Keys keys) const {
  const YAML::Node* node = file_.Find(key);
  if (node == nullptr) return std::optional<YamlMap>();
  if (node->IsNull()) {
    return file_.ErrorAt(key, absl::StrFormat("%s is nothing; expected a map {key: value}", key));
  }
  ASSIGN_OR_RETURN(YamlMap map, YamlMap::Make(source_, *node, key, keys));
  return std::optional<YamlMap>(std::move(map));
}

absl::Status FileReader::ReadGame() {
  if (file_.Find("game") == nullptr) {
    return source_.ErrorAt(YAML::Mark(), "game is missing; expected a game's name");
  }
  std::string name;
  RETURN_IF_ERROR(file_.ReadText("game", &name));
  if (const absl::Status status = CheckGameName(name); !status.ok()) {
    return file_.ErrorAt("game", Message(status));
  }
  SetGame(name, &spec_);
  return absl::OkStatus();
}

absl::Status FileReader::ReadMode() {
  std::string mode(kModeWords[0]);
  RETURN_IF_ERROR(file_.ReadText("mode", &mode));
  if (mode == kModeWords[1]) {
    selfplay_.emplace();
    if (file_.Find("name") == nullptr) {
      spec_.name = absl::StrFormat("%s self-play", (*FindGame(spec_.game))->variant);
    }
    for (const std::string_view key : kRatingKeys) {
      if (file_.Find(key) == nullptr) continue;
      return file_.ErrorAt(key, absl::StrFormat("%s with mode: selfplay, where nobody is rated; "
                                                "expected no such key",
                                                key));
    }
  } else if (mode != kModeWords[0]) {
    return file_.ErrorAt(
        "mode", absl::StrFormat("unknown mode %s%s", Quote(mode), ExpectedOneOf(mode, kModeWords)));
  } else if (file_.Find("selfplay") != nullptr) {
    return file_.ErrorAt("selfplay", "selfplay without mode: selfplay; expected both");
  }
  return absl::OkStatus();
}

absl::Status FileReader::ReadSelfplay() {
  if (!selfplay_) return absl::OkStatus();
  if (const YAML::Node* node = file_.Find("selfplay")) {
    RETURN_IF_ERROR(ReadSelfplayKeys(source_, *node, &*selfplay_));
  }
  spec_.selfplay = std::make_shared<const SelfplaySpec>(*selfplay_);
  return absl::OkStatus();
}

absl::Status FileReader::CheckSelfplay() {
  if (spec_.data.empty() == !spec_.selfplay) return absl::OkStatus();
  const std::string_view key = spec_.selfplay ? "mode" : "output";
  return file_.ErrorAt(key, spec_.selfplay
                                ? "mode: selfplay without a place for the data; expected "
                                  "output: {data: FOLDER}"
                                : "output.data without mode: selfplay; expected both");
}

absl::Status FileReader::ReadStart() {
  std::string start;
  RETURN_IF_ERROR(file_.ReadText("start", &start));
  if (start.empty()) return absl::OkStatus();
  const std::span<const std::string_view> starts = AnyState::Starts(spec_.game);
  for (const std::string_view known : starts) {
    if (known != start) continue;
    // The default by its name is the same tournament as the default without.
    if (known != starts.front()) spec_.start = start;
    return absl::OkStatus();
  }
  return file_.ErrorAt(
      "start", absl::StrFormat("unknown start %s%s", Quote(start), ExpectedOneOf(start, starts)));
}

absl::Status FileReader::ReadBots() {
  const YAML::Node* list = file_.Find("bots");
  if (list == nullptr) {
    return source_.ErrorAt(YAML::Mark(), "bots is missing; expected a list of bots");
  }
  if (!list->IsSequence()) {
    return file_.ErrorAt("bots",
                         absl::StrFormat("bots is %s; expected a list of bots", KindOf(*list)));
  }
  std::set<std::string> names;
  for (const YAML::Node& node : *list) {
    double weight = 1;
    ASSIGN_OR_RETURN(BotSpec bot, ReadBotEntry(source_, node, spec_.game, file_name_, hooks_,
                                               selfplay_ ? &weight : nullptr));
    if (selfplay_) selfplay_->weights.push_back(weight);
    if (!names.insert(bot.name).second) {
      return source_.ErrorAt(
          node.Mark(), absl::StrFormat("two bots are named %s; expected a name for each, as in "
                                       "{name: other, bot: %s}",
                                       bot.name, bot.bot));
    }
    spec_.bots.push_back(std::move(bot));
  }
  return absl::OkStatus();
}

absl::Status FileReader::ReadGames() {
  const absl::StatusOr<Schedule> schedule = Schedule::Make(spec_);
  if (!schedule.ok()) return file_.ErrorAt("bots", Message(schedule.status()));
  if (file_.Find("games") && file_.Find("cycles")) {
    return file_.ErrorAt("cycles", "both games and cycles are given; expected one of them");
  }
  int64_t cycles = 1;
  const int64_t round = schedule->games_per_round();
  RETURN_IF_ERROR(file_.ReadInt("cycles", {1, kGamesMax / round}, &cycles));
  spec_.games = cycles * round;
  return file_.ReadInt("games", {1, kGamesMax}, &spec_.games);
}

absl::Status FileReader::ReadOpenings() {
  ASSIGN_OR_RETURN(const std::optional<YamlMap> openings, ReadMap("openings", kOpeningsKeys));
  if (!openings) return absl::OkStatus();
  int sources = 0;
  for (const std::string_view key : {"random_plies", "positions", "tpgn"}) {
    if (openings->Find(key) == nullptr) continue;
    if (++sources == 2) {
      return openings->ErrorAt(
          key, "openings come from two sources; expected one of random_plies, positions, tpgn");
    }
  }
  if (openings->Find("plies") && !openings->Find("tpgn")) {
    return openings->ErrorAt("plies", "openings.plies without tpgn; expected a file of games too");
  }
  if (openings->Find("positions")) return ReadPositions(*openings);
  if (openings->Find("tpgn")) return ReadTpgn(*openings);
  return openings->ReadInt("random_plies", kRandomPlies, &spec_.openings.random_plies);
}

absl::Status FileReader::ReadPositions(const YamlMap& openings) {
  const YAML::Node& list = *openings.Find("positions");
  if (!list.IsSequence() || list.size() == 0) {
    return openings.ErrorAt("positions",
                            absl::StrFormat("openings.positions is %s; expected a list of texts",
                                            list.IsSequence() ? "empty" : KindOf(list)));
  }
  spec_.openings.random_plies = 0;
  for (const YAML::Node& node : list) {
    if (!node.IsScalar()) {
      return source_.ErrorAt(node.Mark(),
                             absl::StrFormat("a position is %s; expected text", KindOf(node)));
    }
    absl::StatusOr<Openings::Line> line =
        LineFromPosition(spec_.game, node.Scalar(), spec_.draw_rules());
    if (!line.ok()) {
      return source_.ErrorAt(node.Mark(), absl::StrFormat("position: %s", Message(line.status())));
    }
    spec_.openings.lines.push_back(*std::move(line));
  }
  return absl::OkStatus();
}

absl::Status FileReader::ReadTpgn(const YamlMap& openings) {
  std::string file;
  RETURN_IF_ERROR(openings.ReadText("tpgn", &file));
  std::optional<int64_t> plies;
  RETURN_IF_ERROR(openings.ReadInt("plies", kOpeningPlies, &plies));
  const std::string path = (std::filesystem::path(file_name_).parent_path() / file).string();
  const absl::StatusOr<std::string> text = hooks_.read_file(path);
  if (!text.ok()) return openings.ErrorAt("tpgn", Message(text.status()));
  ASSIGN_OR_RETURN(const AnyState start,
                   AnyState::Start(spec_.game, spec_.start, spec_.draw_rules()));
  absl::StatusOr<std::vector<Openings::Line>> lines =
      LinesFromTpgn(start, *text, plies, spec_.draw_rules());
  if (!lines.ok()) {
    return openings.ErrorAt("tpgn", absl::StrFormat("%s: %s", path, Message(lines.status())));
  }
  spec_.openings.random_plies = 0;
  spec_.openings.lines = *std::move(lines);
  return absl::OkStatus();
}

absl::Status FileReader::ReadTimeControl() {
  ASSIGN_OR_RETURN(const std::optional<YamlMap> map, ReadMap("time_control", kTimeControlKeys));
  if (!map) return absl::OkStatus();
  TimeControl& time_control = spec_.time_control;
  RETURN_IF_ERROR(map->ReadInt("nodes", kNodes, &time_control.nodes));
  RETURN_IF_ERROR(map->ReadInt("depth", kDepth, &time_control.depth));
  RETURN_IF_ERROR(map->ReadInt("movetime_ms", kTimeMs, &time_control.movetime_ms));
  RETURN_IF_ERROR(map->ReadInt("clock_ms", kTimeMs, &time_control.clock_ms));
  RETURN_IF_ERROR(map->ReadInt("increment_ms", kTimeMsOrNone, &time_control.increment_ms));
  RETURN_IF_ERROR(map->ReadInt("margin_ms", kTimeMsOrNone, &time_control.margin_ms));
  if (map->Find("increment_ms") && !map->Find("clock_ms")) {
    return map->ErrorAt("increment_ms",
                        "time_control.increment_ms without clock_ms; expected a clock too");
  }
  std::string clock;
  RETURN_IF_ERROR(map->ReadText("clock", &clock));
  if (clock.empty()) return absl::OkStatus();
  if (clock != "wall" && clock != "cpu") {
    return map->ErrorAt("clock", absl::StrFormat("unknown clock %s%s", Quote(clock),
                                                 ExpectedOneOf(clock, kClockWords)));
  }
  time_control.charges_cpu = clock == "cpu";
  if (time_control.charges_cpu && time_control.is_deterministic()) {
    return map->ErrorAt("clock", "clock: cpu without movetime_ms or clock_ms; expected a time");
  }
  return absl::OkStatus();
}

absl::Status FileReader::ReadLimits() {
  ASSIGN_OR_RETURN(const std::optional<YamlMap> map, ReadMap("limits", kLimitsKeys));
  if (!map) return absl::OkStatus();
  RETURN_IF_ERROR(map->ReadInt("max_plies", kPlies, &spec_.adjudication.plies_max));
  const absl::Status fits = Schedule::Make(spec_).status();
  return fits.ok() || !map->Find("max_plies") ? fits : map->ErrorAt("max_plies", Message(fits));
}

absl::Status FileReader::ReadAdjudication() {
  ASSIGN_OR_RETURN(const std::optional<YamlMap> map, ReadMap("adjudication", kAdjudicationKeys));
  if (!map) return absl::OkStatus();
  // Half of the points or less is no win that evaluations could agree on.
  RETURN_IF_ERROR(map->ReadShare("win_share", 0.5, 1, &spec_.adjudication.win_share));
  RETURN_IF_ERROR(map->ReadInt("win_plies", kPlies, &spec_.adjudication.win_plies));
  if (map->Find("win_plies") && !map->Find("win_share")) {
    return map->ErrorAt("win_plies", "adjudication.win_plies without win_share; expected both");
  }
  return absl::OkStatus();
}

absl::Status FileReader::ReadInsufficientMaterial() {
  const std::string_view key = kInsufficientMaterial;
  if (file_.Find(key) == nullptr) return absl::OkStatus();
  const GameInfo& game = **FindGame(spec_.game);
  if (!game.has_material_option) {
    return file_.ErrorAt(
        key, absl::StrFormat("%s is no option of %s: its rules decide", key, game.name));
  }
  std::string word;
  RETURN_IF_ERROR(file_.ReadText(key, &word));
  const std::optional<bool> is_on = ParseOnOff(word);
  if (!is_on) {
    return file_.ErrorAt(key, absl::StrFormat("%s is %s; expected on or off", key, Quote(word)));
  }
  spec_.insufficient_material = *is_on;
  return absl::OkStatus();
}

absl::Status FileReader::ReadAnchor() {
  RETURN_IF_ERROR(file_.ReadText("anchor", &spec_.anchor));
  std::vector<std::string_view> names;
  for (const BotSpec& bot : spec_.bots) names.push_back(bot.name);
  for (const std::string_view name : names) {
    if (name == spec_.anchor) return absl::OkStatus();
  }
  if (spec_.anchor.empty()) return absl::OkStatus();
  std::vector<std::string> meant;
  for (const BotSpec& bot : spec_.bots) {
    if (!bot.bundle.empty() && GivenBotName(bot.name) == spec_.anchor) meant.push_back(bot.name);
  }
  if (meant.size() == 1) {
    spec_.anchor = meant[0];
    return absl::OkStatus();
  }
  if (meant.size() > 1) {
    std::string list;
    for (const std::string& name : meant) list += (list.empty() ? "" : ", ") + Quote(name);
    return file_.ErrorAt(
        "anchor", absl::StrFormat("anchor %s is the name of several bots; expected one of %s",
                                  Quote(spec_.anchor), list));
  }
  return file_.ErrorAt(
      "anchor", absl::StrFormat("anchor %s is no bot of this tournament%s", Quote(spec_.anchor),
                                ExpectedOneOf(spec_.anchor, names)));
}

absl::Status FileReader::ReadOutput() {
  ASSIGN_OR_RETURN(const std::optional<YamlMap> map, ReadMap("output", kOutputKeys));
  if (!map) return absl::OkStatus();
  RETURN_IF_ERROR(map->ReadText("db", &spec_.db));
  RETURN_IF_ERROR(map->ReadText("tpgn", &spec_.tpgn));
  return map->ReadText("data", &spec_.data);
}

absl::Status CheckFlagBots(std::string_view game, const std::vector<BotSpec>& bots,
                           const TournamentHooks& hooks) {
  std::set<std::string> names;
  for (const BotSpec& bot : bots) {
    RETURN_IF_ERROR(hooks.check_bot(game, bot));
    if (!names.insert(bot.name).second) {
      return absl::InvalidArgumentError(absl::StrFormat(
          "%s is given twice; expected different bots (a tournament file can name them apart)",
          Quote(bot.name)));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TournamentSpec> ParseTournamentFile(std::string_view text,
                                                   std::string_view file_name,
                                                   const TournamentHooks& hooks) {
  const YamlSource source(file_name);
  try {
    ASSIGN_OR_RETURN(const YAML::Node root, source.Parse(text));
    ASSIGN_OR_RETURN(const YamlMap file, YamlMap::Make(source, root, "", kFileKeys));
    return FileReader(source, file, file_name, hooks).Read();
  } catch (const YAML::Exception& error) {
    return source.ErrorAt(error.mark, error.msg);
  }
}

absl::StatusOr<TournamentSpec> TournamentFromFlags(const TournamentFlags& flags,
                                                   const TournamentHooks& hooks) {
  RETURN_IF_ERROR(CheckGameName(flags.game));
  TournamentSpec spec;
  SetGame(flags.game, &spec);
  spec.seed = flags.seed;
  ASSIGN_OR_RETURN(spec.bots, ParseBotFlags(flags.bots));
  RETURN_IF_ERROR(CheckFlagBots(spec.game, spec.bots, hooks));
  for (BotSpec& bot : spec.bots) {
    if (bot.bot != kTorchBot) continue;
    ASSIGN_OR_RETURN(bot.digest, hooks.digest_bot(bot));
  }
  if (flags.is_selfplay) {
    SelfplaySpec selfplay;
    selfplay.weights.assign(spec.bots.size(), 1);
    spec.selfplay = std::make_shared<const SelfplaySpec>(selfplay);
  }
  ASSIGN_OR_RETURN(const Schedule schedule, Schedule::Make(spec));
  spec.games = flags.games.value_or(schedule.games_per_round());
  if (spec.games < 1 || spec.games > kGamesMax) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%d games; expected a whole number from 1 to %d", spec.games, kGamesMax));
  }
  return spec;
}

}  // namespace triarch
