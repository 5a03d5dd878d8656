#include "cli/cluster/operator_json.h"

#include <string>
#include <vector>

namespace triarch {
namespace {

// Of the games of late, if these have as many as those before.
double SamplesPerSecond(const v1::Tournament& tournament) {
  if (tournament.done() == 0) return 0;
  return tournament.games_per_second() * static_cast<double>(tournament.samples()) /
         static_cast<double>(tournament.done());
}

}  // namespace

OperatorJson ToJson(const v1::Tournament& tournament) {
  OperatorJson json = {{"id", tournament.id()},
                       {"name", tournament.name()},
                       {"game", tournament.game()},
                       {"state", tournament.state()},
                       {"created", tournament.created()},
                       {"games", tournament.games()},
                       {"open", tournament.open()},
                       {"leased", tournament.leased()},
                       {"done", tournament.done()},
                       {"games_per_second", tournament.games_per_second()},
                       {"plies_per_second", tournament.plies_per_second()}};
  json["bots"] = OperatorJson::array();
  for (const std::string& bot : tournament.bots()) json["bots"].push_back(bot);
  if (!tournament.data().empty()) {
    json["data"] = {{"place", tournament.data()},
                    {"shards", tournament.shards()},
                    {"samples", tournament.samples()},
                    {"bytes", tournament.sample_bytes()},
                    {"samples_per_second", SamplesPerSecond(tournament)},
                    {"error", tournament.data_error()}};
  }
  json["refusals"] = OperatorJson::array();
  for (const std::string& why : tournament.refusals()) json["refusals"].push_back(why);
  return json;
}

std::optional<DataFigures> DataOf(const v1::Tournament& tournament) {
  if (tournament.data().empty()) return std::nullopt;
  return DataFigures{.shards = tournament.shards(),
                     .samples = tournament.samples(),
                     .bytes = tournament.sample_bytes(),
                     .samples_per_second = SamplesPerSecond(tournament),
                     .error = tournament.data_error()};
}

OperatorJson ToJson(const v1::Worker& worker) {
  return {
      {"name", worker.name()},
      {"state", worker.state()},
      {"why", worker.why()},
      {"slots", worker.slots()},
      {"busy_slots", worker.busy_slots()},
      {"build", worker.build()},
      {"leases", worker.leases()},
      {"games_recorded", worker.games_recorded()},
      {"games_held", worker.games_held()},
      {"rejections", worker.rejections()},
      {"last_seen_ms", worker.last_seen_ms()},
      {"refusals", std::vector<std::string>(worker.refusals().begin(), worker.refusals().end())}};
}

OperatorJson ToJson(const v1::Bot& bot) {
  return {{"name", bot.name()},
          {"version", bot.version()},
          {"digest", bot.digest()},
          {"type", bot.type()},
          {"games", std::vector<std::string>(bot.games().begin(), bot.games().end())},
          {"bytes", bot.bytes()},
          {"added", bot.added()},
          {"added_by", bot.added_by()}};
}

std::string JsonLine(const OperatorJson& json) {
  return json.dump(-1, ' ', false, OperatorJson::error_handler_t::replace) + "\n";
}

}  // namespace triarch
