#include "spec/spec_json.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/text.h"
#include "core/record/spec_words.h"
#include "nlohmann/json.hpp"

namespace triarch {
namespace {

using Json = nlohmann::json;

// ---- Writing.

Json BotToJson(const BotSpec& bot) {
  Json json = {{"name", bot.name}, {"bot", bot.bot}};
  if (!bot.options.empty()) json["options"] = bot.options;
  if (!bot.bundle.empty()) json["bundle"] = bot.bundle;
  if (!bot.library.empty()) json["library"] = bot.library;
  if (!bot.command.empty()) json["command"] = bot.command;
  if (!bot.dir.empty()) json["dir"] = bot.dir;
  if (!bot.is_sandboxed) json["sandbox"] = "none";
  if (!bot.digest.empty()) json["digest"] = bot.digest;
  return json;
}

Json LineToJson(const Openings::Line& line) {
  Json json = {{"moves", line.moves}};
  if (!line.position.empty()) json["position"] = line.position;
  return json;
}

Json OpeningsToJson(const Openings& openings) {
  Json json = Json::object();
  if (openings.random_plies > 0) json["random_plies"] = openings.random_plies;
  for (const Openings::Line& line : openings.lines) json["lines"].push_back(LineToJson(line));
  return json;
}

void PutIfGiven(Json& json, const char* key, const std::optional<int64_t>& value) {
  if (value) json[key] = *value;
}

Json TimeControlToJson(const TimeControl& time_control) {
  Json json = {{"margin_ms", time_control.margin_ms}};
  PutIfGiven(json, "nodes", time_control.nodes);
  PutIfGiven(json, "depth", time_control.depth);
  PutIfGiven(json, "movetime_ms", time_control.movetime_ms);
  PutIfGiven(json, "clock_ms", time_control.clock_ms);
  if (time_control.increment_ms > 0) json["increment_ms"] = time_control.increment_ms;
  if (time_control.charges_cpu) json["clock"] = "cpu";
  return json;
}

Json AdjudicationToJson(const Adjudication& adjudication) {
  return {{"plies_max", adjudication.plies_max},
          {"win_share", adjudication.win_share},
          {"win_plies", adjudication.win_plies}};
}

Json SelfplayToJson(const SelfplaySpec& selfplay) {
  Json json = {{"weights", selfplay.weights},
               {"full_share", selfplay.full_share},
               {"fast_nodes", selfplay.fast_nodes},
               {"noise_alpha", selfplay.noise_alpha},
               {"noise_share", selfplay.noise_share},
               {"resign_below", selfplay.resign_below},
               {"resign_turns", selfplay.resign_turns},
               {"played_out_share", selfplay.played_out_share},
               {"sample_rate", selfplay.sample_rate},
               {"drops_duplicates", selfplay.drops_duplicates},
               {"shard_samples", selfplay.shard_samples},
               {"is_deflated", selfplay.is_deflated},
               {"temperature", Json::array()}};
  for (const auto& [ply, temperature] : selfplay.temperature) {
    json["temperature"].push_back({ply, temperature});
  }
  return json;
}

Json ToJson(const TournamentSpec& spec) {
  Json json = {{"name", spec.name},
               {"game", spec.game},
               {"format", std::string(ToString(spec.format))},
               {"games", spec.games},
               {"seed", spec.seed},
               {"openings", OpeningsToJson(spec.openings)},
               {"time_control", TimeControlToJson(spec.time_control)},
               {"adjudication", AdjudicationToJson(spec.adjudication)},
               {"draws", std::string(ToString(spec.draws))}};
  for (const BotSpec& bot : spec.bots) json["bots"].push_back(BotToJson(bot));
  if (!spec.start.empty()) json["start"] = spec.start;
  if (spec.insufficient_material) json["insufficient_material"] = std::string(OnOff(true));
  if (!spec.anchor.empty()) json["anchor"] = spec.anchor;
  if (spec.slots > 0) json["slots"] = spec.slots;
  if (!spec.db.empty()) json["db"] = spec.db;
  if (!spec.tpgn.empty()) json["tpgn"] = spec.tpgn;
  if (!spec.data.empty()) json["data"] = spec.data;
  if (!spec.run.empty()) json["run"] = spec.run;
  if (spec.selfplay) json["selfplay"] = SelfplayToJson(*spec.selfplay);
  return json;
}

Json IdentityJson(const TournamentSpec& spec) {
  Json json = ToJson(spec);
  for (const char* key : {"games", "anchor", "slots", "db", "tpgn", "data", "run"}) json.erase(key);
  if (spec.selfplay) {
    for (const char* key : {"shard_samples", "is_deflated"}) json["selfplay"].erase(key);
  }
  return json;
}

// Text that is no UTF-8 must not throw; it comes out with replacement characters.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// ---- Reading.

// One JSON object: takes keys out of it one by one, and knows which were never asked for. Only the
// first error is kept.
class ObjectReader {
 public:
  ObjectReader(const Json& json, std::string path, std::string* error)
      : json_(json), path_(std::move(path)), error_(*error) {
    if (!json_.is_object()) Fail(path_.empty() ? "the spec" : path_, "an object");
  }
  ~ObjectReader() {
    if (!json_.is_object()) return;
    for (const auto& [key, value] : json_.items()) {
      if (!known_.contains(key)) Fail(Path(key), "a key of this version");
    }
  }
  ObjectReader(const ObjectReader&) = delete;
  ObjectReader& operator=(const ObjectReader&) = delete;

  // The value of that key, or null; null too if it is there but fails `is_right`.
  const Json* Find(const char* key, bool (Json::*is_right)() const, const char* expected) {
    known_.insert(key);
    if (!json_.is_object() || !json_.contains(key)) return nullptr;
    const Json& value = json_.at(key);
    if ((value.*is_right)()) return &value;
    Fail(Path(key), expected);
    return nullptr;
  }
  void Read(const char* key, std::string& value) {
    if (const Json* json = Find(key, &Json::is_string, "text")) value = json->get<std::string>();
  }
  template <class Integer>
  void ReadInt(const char* key, Integer& value) {
    if (const Json* json = Find(key, &Json::is_number_integer, "a whole number")) {
      value = json->get<Integer>();
    }
  }
  void Read(const char* key, std::optional<int64_t>& value) {
    if (const Json* json = Find(key, &Json::is_number_integer, "a whole number")) {
      value = json->get<int64_t>();
    }
  }
  void Read(const char* key, bool& value) {
    if (const Json* json = Find(key, &Json::is_boolean, "true or false")) value = json->get<bool>();
  }
  void Read(const char* key, double& value) {
    if (const Json* json = Find(key, &Json::is_number, "a number")) value = json->get<double>();
  }
  template <class T>
  void ReadWord(const char* key, std::optional<T> (*parse)(std::string_view), T& value) {
    const Json* json = Find(key, &Json::is_string, "text");
    if (json == nullptr) return;
    const std::optional<T> parsed = parse(json->get_ref<const std::string&>());
    if (parsed) value = *parsed;
    if (!parsed) Fail(Path(key), "a known word");
  }
  void ReadTexts(const char* key, std::vector<std::string>& values) {
    const Json* json = Find(key, &Json::is_array, "a list");
    for (const Json& item : json ? *json : Json::array()) {
      if (!item.is_string()) return Fail(Path(key), "a list of texts");
      values.push_back(item.get<std::string>());
    }
  }
  void Read(const char* key, std::vector<double>& values) {
    const Json* json = Find(key, &Json::is_array, "a list");
    for (const Json& item : json ? *json : Json::array()) {
      if (!item.is_number()) return Fail(Path(key), "a list of numbers");
      values.push_back(item.get<double>());
    }
  }
  std::string Path(std::string_view key) const {
    return path_.empty() ? std::string(key) : absl::StrFormat("%s.%s", path_, key);
  }
  void Fail(std::string_view path, std::string_view expected) {
    if (error_.empty()) error_ = absl::StrFormat("%s is not %s", path, expected);
  }

 private:
  const Json& json_;
  std::string path_;
  std::string& error_;
  std::set<std::string, std::less<>> known_;
};

BotSpec BotFromJson(const Json& json, const std::string& path, std::string* error) {
  ObjectReader reader(json, path, error);
  BotSpec bot;
  reader.Read("name", bot.name);
  reader.Read("bot", bot.bot);
  if (const Json* options = reader.Find("options", &Json::is_object, "an object")) {
    for (const auto& [key, value] : options->items()) {
      if (!value.is_string()) reader.Fail(reader.Path("options"), "an object of texts");
      if (value.is_string()) bot.options[key] = value.get<std::string>();
    }
  }
  reader.Read("bundle", bot.bundle);
  reader.Read("library", bot.library);
  reader.ReadTexts("command", bot.command);
  reader.Read("dir", bot.dir);
  std::string sandbox;
  reader.Read("sandbox", sandbox);
  if (!sandbox.empty() && sandbox != "none") reader.Fail(reader.Path("sandbox"), "none");
  bot.is_sandboxed = sandbox.empty();
  reader.Read("digest", bot.digest);
  return bot;
}

Openings::Line LineFromJson(const Json& json, const std::string& path, std::string* error) {
  ObjectReader reader(json, path, error);
  Openings::Line line;
  reader.Read("position", line.position);
  reader.ReadTexts("moves", line.moves);
  return line;
}

Openings OpeningsFromJson(const Json& json, std::string* error) {
  ObjectReader reader(json, "openings", error);
  Openings openings;
  reader.ReadInt("random_plies", openings.random_plies);
  if (const Json* lines = reader.Find("lines", &Json::is_array, "a list")) {
    for (const Json& line : *lines) {
      openings.lines.push_back(LineFromJson(line, "openings.lines", error));
    }
  }
  return openings;
}

std::optional<bool> ParseClock(std::string_view word) {
  if (word == "wall" || word == "cpu") return word == "cpu";
  return std::nullopt;
}

TimeControl TimeControlFromJson(const Json& json, std::string* error) {
  ObjectReader reader(json, "time_control", error);
  TimeControl time_control;
  reader.Read("nodes", time_control.nodes);
  reader.Read("depth", time_control.depth);
  reader.Read("movetime_ms", time_control.movetime_ms);
  reader.Read("clock_ms", time_control.clock_ms);
  reader.ReadInt("increment_ms", time_control.increment_ms);
  reader.ReadInt("margin_ms", time_control.margin_ms);
  reader.ReadWord("clock", &ParseClock, time_control.charges_cpu);
  return time_control;
}

Adjudication AdjudicationFromJson(const Json& json, std::string* error) {
  ObjectReader reader(json, "adjudication", error);
  Adjudication adjudication;
  reader.ReadInt("plies_max", adjudication.plies_max);
  reader.Read("win_share", adjudication.win_share);
  reader.ReadInt("win_plies", adjudication.win_plies);
  return adjudication;
}

SelfplaySpec SelfplayFromJson(const Json& json, std::string* error) {
  ObjectReader reader(json, "selfplay", error);
  SelfplaySpec selfplay;
  reader.Read("weights", selfplay.weights);
  reader.Read("full_share", selfplay.full_share);
  reader.ReadInt("fast_nodes", selfplay.fast_nodes);
  reader.Read("noise_alpha", selfplay.noise_alpha);
  reader.Read("noise_share", selfplay.noise_share);
  reader.Read("resign_below", selfplay.resign_below);
  reader.ReadInt("resign_turns", selfplay.resign_turns);
  reader.Read("played_out_share", selfplay.played_out_share);
  reader.Read("sample_rate", selfplay.sample_rate);
  reader.Read("drops_duplicates", selfplay.drops_duplicates);
  reader.ReadInt("shard_samples", selfplay.shard_samples);
  reader.Read("is_deflated", selfplay.is_deflated);
  const Json* steps = reader.Find("temperature", &Json::is_array, "a list");
  for (const Json& step : steps ? *steps : Json::array()) {
    const bool is_pair =
        step.is_array() && step.size() == 2 && step[0].is_number_integer() && step[1].is_number();
    if (!is_pair) reader.Fail(reader.Path("temperature"), "a list of pairs");
    if (is_pair) selfplay.temperature.push_back({step[0].get<int64_t>(), step[1].get<double>()});
  }
  return selfplay;
}

TournamentSpec FromJson(const Json& json, std::string* error) {
  ObjectReader reader(json, "", error);
  TournamentSpec spec;
  reader.Read("name", spec.name);
  reader.Read("game", spec.game);
  reader.Read("start", spec.start);
  reader.ReadWord("format", &ParseFormat, spec.format);
  reader.ReadInt("games", spec.games);
  reader.ReadInt("seed", spec.seed);
  reader.ReadWord("draws", &ParseDraws, spec.draws);
  reader.ReadWord("insufficient_material", &ParseOnOff, spec.insufficient_material);
  reader.Read("anchor", spec.anchor);
  reader.ReadInt("slots", spec.slots);
  reader.Read("db", spec.db);
  reader.Read("tpgn", spec.tpgn);
  reader.Read("data", spec.data);
  reader.Read("run", spec.run);
  if (const Json* part = reader.Find("selfplay", &Json::is_object, "an object")) {
    spec.selfplay = std::make_shared<const SelfplaySpec>(SelfplayFromJson(*part, error));
  }
  if (const Json* bots = reader.Find("bots", &Json::is_array, "a list")) {
    for (const Json& bot : *bots) spec.bots.push_back(BotFromJson(bot, "bots", error));
  }
  if (const Json* part = reader.Find("openings", &Json::is_object, "an object")) {
    spec.openings = OpeningsFromJson(*part, error);
  }
  if (const Json* part = reader.Find("time_control", &Json::is_object, "an object")) {
    spec.time_control = TimeControlFromJson(*part, error);
  }
  if (const Json* part = reader.Find("adjudication", &Json::is_object, "an object")) {
    spec.adjudication = AdjudicationFromJson(*part, error);
  }
  return spec;
}

// ---- Comparing.

// A value for a message.
std::string Shown(const Json* value) {
  if (value == nullptr) return "absent";
  return value->is_string() ? value->get<std::string>() : Dump(*value);
}

const Json* FindOrNull(const Json& object, const std::string& key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

// Adds a phrase for each key whose values differ; goes into objects, not into lists.
void AddDifferences(const Json& there, const Json& here, const std::string& prefix,
                    std::vector<std::string>* phrases) {
  std::set<std::string> keys;
  for (const auto& [key, value] : there.items()) keys.insert(key);
  for (const auto& [key, value] : here.items()) keys.insert(key);
  for (const std::string& key : keys) {
    const Json* a = FindOrNull(there, key);
    const Json* b = FindOrNull(here, key);
    if (a && b && *a == *b) continue;
    const std::string path = prefix + key;
    if (a && b && a->is_object() && b->is_object()) {
      AddDifferences(*a, *b, path + ".", phrases);
    } else if ((a && a->is_array()) || (b && b->is_array())) {
      phrases->push_back(path + " differ");
    } else {
      phrases->push_back(absl::StrFormat("%s is %s there, %s here", path, Shown(a), Shown(b)));
    }
  }
}

std::string NamesOf(const std::vector<BotSpec>& bots) {
  std::string names;
  for (const BotSpec& bot : bots) {
    if (!names.empty()) names += ' ';
    names += bot.name;
  }
  return names;
}

// Empty if the bots are the same.
std::string BotsDifference(const std::vector<BotSpec>& there, const std::vector<BotSpec>& here) {
  if (NamesOf(there) != NamesOf(here)) {
    return absl::StrFormat("the bots are %s there, %s here", NamesOf(there), NamesOf(here));
  }
  const auto [a, b] = std::mismatch(there.begin(), there.end(), here.begin(), here.end());
  if (a == there.end() || b == here.end()) return {};
  const std::string text = BotText(*a);
  if (text == BotText(*b)) {
    return absl::StrFormat("the files or the command of bot %s have changed", a->name);
  }
  return absl::StrFormat("bot %s is %s there, %s here", a->name, text, BotText(*b));
}

}  // namespace

std::string SpecToJson(const TournamentSpec& spec) { return Dump(ToJson(spec)); }

absl::StatusOr<TournamentSpec> SpecFromJson(std::string_view json) {
  const Json parsed = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded()) return absl::InvalidArgumentError("the spec is not JSON");
  std::string error;
  TournamentSpec spec = FromJson(parsed, &error);
  if (!error.empty()) return absl::InvalidArgumentError("spec: " + error);
  return spec;
}

std::string SpecIdentity(const TournamentSpec& spec) { return Dump(IdentityJson(spec)); }

std::string SpecDifference(const TournamentSpec& there, const TournamentSpec& here) {
  Json a = IdentityJson(there);
  Json b = IdentityJson(here);
  if (a == b) return {};
  std::vector<std::string> phrases;
  if (std::string bots = BotsDifference(there.bots, here.bots); !bots.empty()) {
    phrases.push_back(std::move(bots));
  }
  a.erase("bots");
  b.erase("bots");
  AddDifferences(a, b, "", &phrases);
  std::string text;
  for (const std::string& phrase : phrases) text += (text.empty() ? "" : "; ") + phrase;
  return text;
}

std::string BotText(const BotSpec& bot) {
  std::string text = bot.bot;
  for (const auto& [option, value] : bot.options) text += ":" + option + "=" + value;
  return text;
}

}  // namespace triarch
