#include "arena/table/event.h"

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "core/base/text.h"
#include "core/record/spec_words.h"

namespace triarch::arena {
namespace {

using Kind = Event::Kind;
using EventJson = nlohmann::ordered_json;

constexpr std::array<std::string_view, 12> kKindWords = {
    "opened",    "joined",       "left",     "moved", "missed",        "resigned",
    "forfeited", "claimed_draw", "replaced", "said",  "wants_rematch", "closed"};
constexpr std::array<std::string_view, 3> kTypeWords = {"human", "llm", "bot"};
constexpr std::array<std::string_view, 3> kForcedWords = {"", "timeout", "illegal_moves"};

// Returns the number of a word; throws if there is no such word.
size_t NumberOf(std::string_view word, std::span<const std::string_view> words) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return i;
  }
  throw std::invalid_argument("unknown word " + Quote(word));
}

// Writes a member unless it is empty, 0 or false, and reads it back.
template <class T>
void Put(EventJson& json, const char* key, const T& value) {
  if (value != T{}) json[key] = value;
}
template <class T>
void Get(const EventJson& json, const char* key, T* value) {
  if (const auto found = json.find(key); found != json.end()) found->get_to(*value);
}

EventJson ToJson(const TableSettings& settings) {
  EventJson json = {{"game", settings.game}};
  Put(json, "position", settings.position);
  if (settings.draws != Draws::kAutomatic) json["draws"] = ToString(settings.draws);
  Put(json, "rated", settings.is_rated);
  Put(json, "private", settings.is_private);
  if (settings.house_bots != PerSeat<std::string>{}) json["bots"] = settings.house_bots.values;
  json["fill_ms"] = settings.fill_ms;
  json["move_ms"] = settings.move_ms;
  json["seed"] = settings.seed;
  Put(json, "rematch_of", settings.rematch_of);
  return json;
}

TableSettings SettingsFromJson(const EventJson& json) {
  TableSettings settings;
  settings.game = json.at("game").get<std::string>();
  Get(json, "position", &settings.position);
  if (json.contains("draws")) {
    settings.draws = static_cast<Draws>(NumberOf(json["draws"].get<std::string>(), kDrawsWords));
  }
  Get(json, "rated", &settings.is_rated);
  Get(json, "private", &settings.is_private);
  Get(json, "bots", &settings.house_bots.values);
  json.at("fill_ms").get_to(settings.fill_ms);
  json.at("move_ms").get_to(settings.move_ms);
  json.at("seed").get_to(settings.seed);
  Get(json, "rematch_of", &settings.rematch_of);
  return settings;
}

EventJson ToJson(const Occupant& occupant) {
  EventJson json = {{"name", occupant.name}, {"type", ToString(occupant.type)}};
  Put(json, "model", occupant.model);
  Put(json, "token", occupant.token_hash);
  Put(json, "claimed", occupant.is_claimed);
  Put(json, "owner", occupant.owner);
  Put(json, "bot", occupant.house_bot);
  return json;
}

Occupant OccupantFromJson(const EventJson& json) {
  Occupant occupant;
  json.at("name").get_to(occupant.name);
  occupant.type = static_cast<PlayerType>(NumberOf(json.at("type").get<std::string>(), kTypeWords));
  Get(json, "model", &occupant.model);
  Get(json, "token", &occupant.token_hash);
  Get(json, "claimed", &occupant.is_claimed);
  Get(json, "owner", &occupant.owner);
  Get(json, "bot", &occupant.house_bot);
  return occupant;
}

bool HasSeat(Kind kind) { return kind != Kind::kOpened && kind != Kind::kClosed; }
bool HasOccupant(Kind kind) { return kind == Kind::kJoined || kind == Kind::kReplaced; }
bool HasReason(Kind kind) { return kind == Kind::kForfeited || kind == Kind::kClosed; }

Event ReadEvent(const EventJson& json) {
  Event event;
  event.kind = static_cast<Kind>(NumberOf(json.at("event").get<std::string>(), kKindWords));
  json.at("time").get_to(event.time_ms);
  if (event.kind == Kind::kOpened) event.settings = SettingsFromJson(json.at("table"));
  if (HasSeat(event.kind)) {
    const size_t seat = json.at("seat").get<size_t>();
    if (seat < 1 || seat > kSeatsMax) throw std::invalid_argument("seat out of range");
    event.seat = SeatAt(seat - 1);
  }
  if (HasOccupant(event.kind)) event.occupant = OccupantFromJson(json.at("player"));
  Get(json, "move", &event.move);
  if (json.contains("forced")) {
    event.forced = static_cast<Forced>(NumberOf(json["forced"].get<std::string>(), kForcedWords));
  }
  Get(json, "message", &event.message);
  if (HasReason(event.kind)) {
    const std::string word = json.at("why").get<std::string>();
    const std::optional<Termination> why = ParseTermination(word);
    if (!why) throw std::invalid_argument("unknown termination " + Quote(word));
    event.why = *why;
  }
  return event;
}

}  // namespace

std::string_view ToString(Kind kind) { return kKindWords[static_cast<size_t>(kind)]; }
std::string_view ToString(PlayerType type) { return kTypeWords[static_cast<size_t>(type)]; }

std::string EventToJson(const Event& event) {
  EventJson json = {{"event", ToString(event.kind)}, {"time", event.time_ms}};
  if (event.kind == Kind::kOpened) json["table"] = ToJson(event.settings);
  if (HasSeat(event.kind)) json["seat"] = Index(event.seat) + 1;
  if (HasOccupant(event.kind)) json["player"] = ToJson(event.occupant);
  Put(json, "move", event.move);
  if (event.forced != Forced::kNo) json["forced"] = kForcedWords[static_cast<size_t>(event.forced)];
  Put(json, "message", event.message);
  if (HasReason(event.kind)) json["why"] = ToString(event.why);
  return json.dump(-1, ' ', false, EventJson::error_handler_t::replace);
}

absl::StatusOr<Event> EventFromJson(std::string_view text) {
  try {
    return ReadEvent(EventJson::parse(text));
  } catch (const std::exception& error) {
    return absl::DataLossError(
        absl::StrFormat("stored event %s: %s", Quote(text, 100), error.what()));
  }
}

}  // namespace triarch::arena
