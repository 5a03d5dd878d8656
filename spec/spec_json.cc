#include "spec/spec_json.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/any_state.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "nlohmann/json.hpp"
#include "spec/bot_limits.h"
#include "spec/option_values.h"
#include "spec/tournament_options.h"

namespace triarch {
namespace {

using Json = nlohmann::json;

// Invalid UTF-8 must not throw; it becomes replacement characters.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// ---- Writing. Scalars come from the table of options; structures are written here.

Json ValueToJson(const Option& option, const OptionValue& value) {
  if (const auto* seed = std::get_if<uint64_t>(&value)) return *seed;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* pair = std::get_if<NumberPair>(&value)) return *pair;
  if (std::holds_alternative<IntBounds>(option.type)) return std::get<int64_t>(value);
  return ToText(option, value);
}

Json BotToJson(const BotSpec& bot, bool is_selfplay) {
  Json json = {{"name", bot.name}, {"bot", bot.bot}};
  if (!bot.options.empty()) json["options"] = bot.options;
  for (const BotLimitKey& limit : BotLimitKeys()) {
    const OptionValue value = limit.get(bot.limits);
    if (IsValid(*limit.option, value))
      json["limits"][std::string(limit.key)] = ValueToJson(*limit.option, value);
  }
  if (!bot.bundle.empty()) json["bundle"] = bot.bundle;
  if (!bot.library.empty()) json["library"] = bot.library;
  if (!bot.command.empty()) json["command"] = bot.command;
  if (!bot.dir.empty()) json["dir"] = bot.dir;
  if (!bot.is_sandboxed) json["sandbox"] = "none";
  if (!bot.digest.empty()) json["digest"] = bot.digest;
  if (is_selfplay) json["weight"] = bot.weight;
  return json;
}

Json LineToJson(const Openings::Line& line) {
  Json json = {{"moves", line.moves}};
  if (!line.position.empty()) json["position"] = line.position;
  return json;
}

Json TunedOptionToJson(const TunedOption& option) {
  return {{"name", option.name}, {"start", option.start}, {"min", option.min},
          {"max", option.max},   {"step", option.step},   {"is_integer", option.is_integer}};
}

// Returns the location of a dotted key in an object.
Json::json_pointer PointerTo(std::string_view key) {
  std::string path = "/" + std::string(key);
  std::replace(path.begin(), path.end(), '.', '/');
  return Json::json_pointer(path);
}

Json ToJson(const TournamentSpec& spec) {
  Json json = Json::object();
  for (const auto& [key, value] : OptionsOf(spec)) {
    json[PointerTo(key)] = ValueToJson(*FindOption(key), value);
  }
  for (const BotSpec& bot : spec.bots) {
    json["bots"].push_back(BotToJson(bot, spec.selfplay != nullptr));
  }
  for (const Openings::Line& line : spec.openings.lines) {
    json["openings"]["lines"].push_back(LineToJson(line));
  }
  if (spec.selfplay && !spec.selfplay->temperature.empty()) {
    for (const auto& [plies, temperature] : spec.selfplay->temperature) {
      json["selfplay"]["temperature"].push_back({plies, temperature});
    }
  }
  if (spec.tune) {
    for (const TunedOption& option : spec.tune->options) {
      json["tune"]["options"].push_back(TunedOptionToJson(option));
    }
  }
  if (!spec.run.empty()) json["run"] = spec.run;
  return json;
}

Json IdentityJson(const TournamentSpec& spec) {
  TournamentSpec same = spec;
  same.run.clear();
  Json json = ToJson(same);
  for (const Option& option : TournamentOptions()) {
    const Json::json_pointer pointer = PointerTo(option.key);
    if (option.is_identity || !json.contains(pointer)) continue;
    // The gains of an iteration depend on the number of all.
    if (spec.tune && option.key == "games") continue;
    Json& parent = json[pointer.parent_pointer()];
    parent.erase(pointer.back());
  }
  json.erase("output");
  return json;
}

// ---- Reading.

// Returns whether the option's value is text in JSON.
bool HasText(const Option& option) {
  return std::holds_alternative<Text>(option.type) || std::holds_alternative<Words>(option.type) ||
         std::holds_alternative<ClockType>(option.type);
}

// Returns an invalid value if the JSON has another type.
OptionValue FromJson(const Option& option, const Json& json) {
  if (json.is_string()) {
    if (!HasText(option)) return {};
    return ParseOption(option, json.get<std::string>()).value_or(OptionValue());
  }
  if (json.is_number_unsigned() && std::holds_alternative<SeedBounds>(option.type)) {
    return json.get<uint64_t>();
  }
  if (json.is_number() && std::holds_alternative<NumberBounds>(option.type)) {
    return json.get<double>();
  }
  if (json.is_array() && json.size() == 2 && json[0].is_number() && json[1].is_number()) {
    return json.get<NumberPair>();
  }
  if (json.is_number_integer() && std::holds_alternative<IntBounds>(option.type)) {
    // A number of 2^63 or more wraps to a negative number, which is out of all bounds, too.
    return json.get<int64_t>();
  }
  return {};
}

// Reads a spec's JSON key by key. Keeps only the first fault.
class SpecReader {
 public:
  absl::StatusOr<TournamentSpec> Read(const Json& json) {
    if (json.is_object()) {
      ReadObject(json, "");
    } else {
      Fail("it is not an object");
    }
    if (const auto conflict = FindConflict(values_)) Fail(conflict->message);
    if (!error_.empty()) return absl::InvalidArgumentError("spec: " + error_);
    SetOptions(values_, &spec_);
    if (!temperature_.empty() && spec_.selfplay) {
      SelfplaySpec selfplay = *spec_.selfplay;
      selfplay.temperature = std::move(temperature_);
      spec_.selfplay = std::make_shared<const SelfplaySpec>(std::move(selfplay));
    }
    if (!tuned_.empty() && spec_.tune) {
      TuneSpec tune = *spec_.tune;
      tune.options = std::move(tuned_);
      spec_.tune = std::make_shared<const TuneSpec>(std::move(tune));
    }
    return std::move(spec_);
  }

 private:
  void Fail(std::string_view what) {
    if (error_.empty()) error_ = what;
  }
  void FailUnknown(std::string_view key) {
    Fail(absl::StrFormat("%s is not a key of this version", Quote(key)));
  }
  void FailKey(const std::string& key, const Json& value, std::string_view expected) {
    Fail(absl::StrFormat("%s is %s; expected %s", key, Dump(value).substr(0, 60), expected));
  }

  void ReadObject(const Json& json, const std::string& prefix) {
    for (const auto& [name, value] : json.items()) {
      const std::string key = prefix + name;
      const Option* const option = FindOption(key);
      if (ReadStructure(key, value)) continue;
      if (option != nullptr && option->field.get != nullptr) {
        ReadValue(*option, value);
      } else if (IsSection(key) && value.is_object()) {
        ReadObject(value, key + ".");
      } else {
        FailUnknown(key);
      }
    }
  }

  void ReadValue(const Option& option, const Json& json) {
    OptionValue value = FromJson(option, json);
    if (!IsValid(option, value)) {
      return FailKey(std::string(option.key), json, BoundsText(option));
    }
    values_[option.key] = std::move(value);
  }

  // Reads a key that is not a plain option. Returns false if it is no such key.
  bool ReadStructure(const std::string& key, const Json& json) {
    if (key == "bots") {
      ReadList(key, json, [this](const Json& bot) { spec_.bots.push_back(ReadBot(bot)); });
    } else if (key == "openings.lines") {
      ReadList(key, json,
               [this](const Json& line) { spec_.openings.lines.push_back(ReadLine(line)); });
    } else if (key == "selfplay.temperature") {
      values_[FindOption(key)->key] = {};
      ReadList(key, json, [this, &key](const Json& step) { ReadStep(key, step); });
    } else if (key == "tune.options") {
      values_[FindOption(key)->key] = {};
      ReadList(key, json, [this, &key](const Json& option) { ReadTunedOption(key, option); });
    } else if (key == "run") {
      ReadText(key, json, &spec_.run);
    } else {
      return false;
    }
    return true;
  }

  template <class F>
  void ReadList(const std::string& key, const Json& json, F read) {
    if (!json.is_array()) return FailKey(key, json, "a list");
    for (const Json& item : json) read(item);
  }
  void ReadText(const std::string& key, const Json& json, std::string* text) {
    if (!json.is_string()) return FailKey(key, json, "text");
    *text = json.get<std::string>();
  }
  void ReadTexts(const std::string& key, const Json& json, std::vector<std::string>* texts) {
    ReadList(key, json, [&](const Json& item) { ReadText(key, item, &texts->emplace_back()); });
  }

  BotSpec ReadBot(const Json& json) {
    BotSpec bot;
    if (json.is_object()) {
      for (const auto& [name, value] : json.items()) ReadBotKey(name, value, &bot);
    } else {
      FailKey("bots", json, "a list of objects");
    }
    return bot;
  }
  void ReadBotKey(const std::string& name, const Json& value, BotSpec* bot) {
    const std::string key = "bots." + name;
    if (name == "options") return ReadBotOptions(key, value, bot);
    if (name == "limits") return ReadBotLimits(key, value, bot);
    if (name == "command") return ReadTexts(key, value, &bot->command);
    if (name == "weight") return ReadWeight(key, value, bot);
    if (name == "sandbox") {
      bot->is_sandboxed = false;
      if (value != "none") FailKey(key, value, "none");
      return;
    }
    const std::pair<std::string_view, std::string BotSpec::*> texts[] = {
        {"name", &BotSpec::name},       {"bot", &BotSpec::bot}, {"bundle", &BotSpec::bundle},
        {"library", &BotSpec::library}, {"dir", &BotSpec::dir}, {"digest", &BotSpec::digest}};
    for (const auto& [known, member] : texts) {
      if (known == name) return ReadText(key, value, &(bot->*member));
    }
    FailUnknown(key);
  }
  void ReadBotOptions(const std::string& key, const Json& json, BotSpec* bot) {
    if (!json.is_object()) return FailKey(key, json, "an object");
    for (const auto& [name, value] : json.items()) {
      ReadText(key + "." + name, value, &bot->options[name]);
    }
  }
  void ReadBotLimits(const std::string& key, const Json& json, BotSpec* bot) {
    if (!json.is_object()) return FailKey(key, json, "an object");
    for (const auto& [name, value] : json.items()) {
      const auto keys = BotLimitKeys();
      const auto limit =
          std::find_if(keys.begin(), keys.end(),
                       [&wanted = name](const BotLimitKey& known) { return known.key == wanted; });
      if (limit == keys.end()) return FailUnknown(key + "." + name);
      const OptionValue read = FromJson(*limit->option, value);
      if (!IsValid(*limit->option, read)) {
        return FailKey(key + "." + name, value, BoundsText(*limit->option));
      }
      limit->set(bot->limits, read);
    }
  }
  void ReadWeight(const std::string& key, const Json& json, BotSpec* bot) {
    if (!json.is_number() || !IsValid(BotWeightOption(), json.get<double>())) {
      return FailKey(key, json, BoundsText(BotWeightOption()));
    }
    bot->weight = json.get<double>();
  }

  Openings::Line ReadLine(const Json& json) {
    Openings::Line line;
    if (json.is_object()) {
      for (const auto& [name, value] : json.items()) ReadLineKey(name, value, &line);
    } else {
      FailKey("openings.lines", json, "a list of objects");
    }
    return line;
  }

  void ReadLineKey(const std::string& name, const Json& value, Openings::Line* line) {
    const std::string key = "openings.lines." + name;
    if (name == "position") return ReadText(key, value, &line->position);
    if (name == "moves") return ReadTexts(key, value, &line->moves);
    FailUnknown(key);
  }

  void ReadStep(const std::string& key, const Json& json) {
    const bool is_pair =
        json.is_array() && json.size() == 2 && json[0].is_number_integer() && json[1].is_number();
    if (!is_pair) return FailKey(key, json, "a pair [plies, temperature]");
    const SelfplaySpec::TemperatureStep step = {json[0].get<int64_t>(), json[1].get<double>()};
    const int64_t before = temperature_.empty() ? -1 : temperature_.back().plies;
    if (step.plies <= before || step.plies > kTemperaturePlyMax || !(step.temperature >= 0) ||
        step.temperature > kTemperatureMax) {
      return FailKey(key, json, "ascending plies, and temperatures from 0 to 100");
    }
    temperature_.push_back(step);
  }

  void ReadTunedOption(const std::string& key, const Json& json) {
    TunedOption option;
    bool is_complete = json.is_object() && json.size() == 6;
    const auto read_number = [&](const char* name, double* number) {
      is_complete = is_complete && json.contains(name) && json[name].is_number();
      if (is_complete) *number = json[name].get<double>();
    };
    read_number("start", &option.start);
    read_number("min", &option.min);
    read_number("max", &option.max);
    read_number("step", &option.step);
    is_complete = is_complete && json.contains("name") && json["name"].is_string() &&
                  json.contains("is_integer") && json["is_integer"].is_boolean();
    if (!is_complete || !(option.min <= option.start && option.start <= option.max) ||
        !(option.step > 0)) {
      return FailKey(key, json, "name, start, min, max, step and is_integer");
    }
    option.name = json["name"].get<std::string>();
    option.is_integer = json["is_integer"].get<bool>();
    tuned_.push_back(std::move(option));
  }

  TournamentSpec spec_;
  OptionValues values_;
  std::vector<TunedOption> tuned_;
  std::vector<SelfplaySpec::TemperatureStep> temperature_;
  std::string error_;
};

// ---- Planned matches.

Json ToJson(const PlannedMatch& match) {
  Json json = {{"number", match.number}, {"first_game", match.first_game}, {"bots", match.bots}};
  if (!match.options.empty()) json["options"] = match.options;
  return json;
}

// Returns nullopt if the JSON is not a match.
std::optional<PlannedMatch> MatchFromJson(const Json& json, size_t bots, size_t seats) {
  PlannedMatch match;
  try {
    match.number = json.at("number").get<int64_t>();
    match.first_game = json.at("first_game").get<int64_t>();
    match.bots = json.at("bots").get<std::vector<int>>();
    if (json.contains("options")) json.at("options").get_to(match.options);
  } catch (const Json::exception&) {
    return std::nullopt;
  }
  const bool are_bots = std::all_of(match.bots.begin(), match.bots.end(), [bots](int bot) {
    return bot >= 0 && static_cast<size_t>(bot) < bots;
  });
  const bool has_table = match.bots.size() == seats;
  const bool fits = match.options.empty() || match.options.size() == match.bots.size();
  const bool are_numbers = match.number >= 0 && match.number <= kGamesMax &&
                           match.first_game >= 0 && match.first_game <= kGamesMax;
  if (!are_numbers || !are_bots || !has_table || !fits) {
    return std::nullopt;
  }
  return match;
}

// ---- Comparing.

// Formats a value for a message.
std::string Shown(const Json* value) {
  if (value == nullptr) return "unset";
  return value->is_string() ? value->get<std::string>() : Dump(*value);
}

const Json* FindOrNull(const Json& object, const std::string& key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

// Adds a phrase for each key whose values differ. Compares objects key by key, lists as a whole.
void AddDifferences(const Json& stored, const Json& asked, const std::string& prefix,
                    std::vector<std::string>* phrases) {
  std::set<std::string> keys;
  for (const auto& [key, value] : stored.items()) keys.insert(key);
  for (const auto& [key, value] : asked.items()) keys.insert(key);
  for (const std::string& key : keys) {
    const Json* a = FindOrNull(stored, key);
    const Json* b = FindOrNull(asked, key);
    if (a && b && *a == *b) continue;
    const std::string path = prefix + key;
    if (a && b && a->is_object() && b->is_object()) {
      AddDifferences(*a, *b, path + ".", phrases);
    } else if ((a && a->is_array()) || (b && b->is_array())) {
      phrases->push_back("its " + path + " differs");
    } else {
      phrases->push_back(absl::StrFormat("its %s is %s, not %s", path, Shown(a), Shown(b)));
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

// Describes how the bots differ; empty if they are the same.
std::string BotsDifference(const std::vector<BotSpec>& stored, const std::vector<BotSpec>& asked) {
  if (NamesOf(stored) != NamesOf(asked)) {
    return absl::StrFormat("its bots are %s, not %s", NamesOf(stored), NamesOf(asked));
  }
  const auto [a, b] = std::mismatch(stored.begin(), stored.end(), asked.begin(), asked.end());
  if (a == stored.end() || b == asked.end()) return {};
  if (a->weight != b->weight) {
    return absl::StrFormat("the weight of its bot %s is %g, not %g", a->name, a->weight, b->weight);
  }
  if (BotText(*a) == BotText(*b)) {
    return absl::StrFormat("the files or the command of its bot %s have changed", a->name);
  }
  return absl::StrFormat("its bot %s is %s, not %s", a->name, BotText(*a), BotText(*b));
}

}  // namespace

std::string SpecToJson(const TournamentSpec& spec) { return Dump(ToJson(spec)); }

absl::StatusOr<TournamentSpec> SpecFromJson(std::string_view json) {
  const Json parsed = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded()) return absl::InvalidArgumentError("spec: it is not JSON");
  return SpecReader().Read(parsed);
}

std::string MatchesToJson(std::span<const PlannedMatch> matches) {
  Json json = Json::array();
  for (const PlannedMatch& match : matches) json.push_back(ToJson(match));
  return Dump(json);
}

absl::StatusOr<std::vector<PlannedMatch>> MatchesFromJson(std::string_view json,
                                                          const TournamentSpec& spec) {
  const size_t seats = (*FindGame(spec.game))->seats;
  const Json parsed = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  std::vector<PlannedMatch> matches;
  if (!parsed.is_array()) return absl::InvalidArgumentError("matches: they are not a JSON list");
  for (const Json& one : parsed) {
    std::optional<PlannedMatch> match = MatchFromJson(one, spec.bots.size(), seats);
    if (!match) {
      return absl::InvalidArgumentError(
          absl::StrFormat("matches: %s; expected number, first_game and the bots at a table",
                          Dump(one).substr(0, 100)));
    }
    matches.push_back(*std::move(match));
  }
  return matches;
}

std::string SpecIdentity(const TournamentSpec& spec) { return Dump(IdentityJson(spec)); }

std::string SpecDifference(const TournamentSpec& stored, const TournamentSpec& asked) {
  Json a = IdentityJson(stored);
  Json b = IdentityJson(asked);
  if (a == b) return {};
  std::vector<std::string> phrases;
  if (std::string bots = BotsDifference(stored.bots, asked.bots); !bots.empty()) {
    phrases.push_back(std::move(bots));
  }
  a.erase("bots");
  b.erase("bots");
  AddDifferences(a, b, "", &phrases);
  return absl::StrJoin(phrases, "; ");
}

std::string BotText(const BotSpec& bot) {
  std::string text = bot.bot;
  for (const auto& [option, value] : bot.options) text += ":" + option + "=" + value;
  for (const BotLimitKey& limit : BotLimitKeys()) {
    const std::string value = ToText(*limit.option, limit.get(bot.limits));
    if (!value.empty()) text += absl::StrFormat(":%s=%s", limit.key, value);
  }
  return text;
}

}  // namespace triarch
