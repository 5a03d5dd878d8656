#include "site/game_json.h"

#include <string_view>

#include "core/base/text.h"
#include "core/record/recorded_game.h"

namespace triarch::site {

using Json = nlohmann::ordered_json;

namespace {

Json InfoJson(const MoveInfo& info) {
  Json json = Json::object();
  if (info.depth > 0) json["depth"] = info.depth;
  if (info.nodes > 0) json["nodes"] = info.nodes;
  if (!info.line.empty()) {
    for (const std::string_view move : Split(info.line, ' ')) json["line"].push_back(move);
  }
  if (!info.explanation.empty()) json["explanation"] = info.explanation;
  return json;
}

Json EventJson(const GameSteps& game, size_t number) {
  const RecordedEvent& event = game.steps[number].event;
  Json json = {{"round", game.steps[number].round},
               {"ply", game.steps[number].ply},
               {"seat", game.info().seat_name(event.seat)}};
  json[event.kind == RecordedEvent::Kind::kMove ? "move" : "event"] = EventText(event);
  if (event.clock_ms) json["clock_ms"] = *event.clock_ms;
  if (event.eval) {
    for (size_t i = 0; i < game.info().seats; ++i) json["eval"].push_back((*event.eval)[SeatAt(i)]);
  }
  if (event.is_fallback) json["fallback"] = true;
  if (const MoveInfo* const info = game.steps[number].info(game.record)) {
    json["info"] = InfoJson(*info);
  }
  return json;
}

Json FaultJson(const GameFault& fault, const std::string& seat) {
  const FaultReport& report = fault.report;
  return {{"seat", seat},
          {"ply", fault.ply},
          {"kind", std::string(ToString(fault.why))},
          {"message", report.message},
          {"answer", report.answer},
          {"exit_status", report.exit_status},
          {"errors", report.errors},
          {"protocol", report.protocol}};
}

// Returns a seat's part of the JSON. `cost` is null if it is not known.
Json SeatJson(const GameSummary& game, const GameInfo& info, Seat seat, const std::string& bot,
              const SeatCost* cost) {
  const std::optional<Termination>& ending = game.endings[seat];
  Json json = {{"seat", info.seat_name(seat)}, {"bot", bot}};
  json["place"] = game.outcome.place[seat];
  json["points"] = Points(game.outcome.place, info.seats)[seat];
  json["ending"] = nullptr;
  if (ending) json["ending"] = std::string(ToString(*ending));
  for (const char* key : {"moves", "nodes", "time_us", "cpu_us"}) json[key] = nullptr;
  if (cost != nullptr) {
    json["moves"] = cost->moves;
    json["nodes"] = cost->nodes;
    json["time_us"] = cost->time_us;
    if (cost->cpu_us) json["cpu_us"] = *cost->cpu_us;
  }
  json["fallbacks"] = game.fallbacks[seat];
  return json;
}

// Summarises a game from a TPGN file.
GameSummary SummaryOf(const GameRecord& record, size_t seats) {
  GameSummary game = {};
  game.index = record.index;
  game.match = record.match;
  if (record.is_finished) game.outcome = record.outcome;
  game.endings = record.endings;
  game.plies = record.plies;
  for (size_t i = 0; i < seats; ++i) {
    game.fallbacks[SeatAt(i)] = FallbacksOf(record, SeatAt(i));
  }
  return game;
}

// What an unfinished game does not have is null, as its result is "*".
void EraseOutcome(Json* json) {
  (*json)["result"] = "*";
  for (const char* key : {"placement", "termination"}) (*json)[key] = nullptr;
  for (Json& seat : (*json)["seats"]) {
    for (const char* key : {"place", "points"}) seat[key] = nullptr;
  }
}

}  // namespace

PerSeat<std::string> BotsOf(const TournamentSpec& spec, const GameSummary& game, size_t seats) {
  PerSeat<std::string> bots;
  for (size_t i = 0; i < seats; ++i) {
    bots[SeatAt(i)] = spec.bots[static_cast<size_t>(game.bots[SeatAt(i)])].name;
  }
  return bots;
}

Json GameJson(const GameSummary& game, const GameInfo& info, const PerSeat<std::string>& bots,
              bool has_costs, std::span<const StoredFault> faults) {
  Json json = {{"id", ToString(GameNumber{game.match, game.index})},
               {"index", game.index},
               {"match", game.match}};
  json["result"] = ResultText(game.outcome.place, info.seats);
  json["placement"] = PlacementText(game.outcome.place, info.seats);
  json["termination"] = std::string(ToString(game.outcome.termination));
  json["plies"] = game.plies;
  for (size_t i = 0; i < info.seats; ++i) {
    const Seat seat = SeatAt(i);
    json["seats"].push_back(
        SeatJson(game, info, seat, bots[seat], has_costs ? &game.costs[seat] : nullptr));
  }
  for (const StoredFault& stored : faults) {
    json["faults"].push_back(FaultJson(stored.fault, info.seat_name(stored.fault.seat)));
  }
  return json;
}

Json FullGameJson(const RecordedGame& game, const GameSteps& steps,
                  std::span<const StoredFault> faults) {
  const GameInfo& info = steps.info();
  const GameSummary summary = game.summary ? *game.summary : SummaryOf(game.record, info.seats);
  Json json = GameJson(summary, info, game.record.bots, game.summary.has_value(), faults);
  if (!game.record.is_finished) EraseOutcome(&json);
  json["opening_plies"] = game.record.opening_plies;
  json["position"] = nullptr;
  if (!game.record.position.empty()) json["position"] = game.record.position;
  json["events"] = Json::array();
  for (size_t i = 0; i < steps.steps.size(); ++i) json["events"].push_back(EventJson(steps, i));
  return json;
}

}  // namespace triarch::site
