#include "cli/cluster/operator_json.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace triarch {
namespace {

using Json = nlohmann::ordered_json;

// Estimates the rate from recent games, which may have more or fewer samples than the average.
double SamplesPerSecond(const v1::Tournament& tournament) {
  if (tournament.done() == 0) return 0;
  return tournament.games_per_second() * static_cast<double>(tournament.samples()) /
         static_cast<double>(tournament.done());
}

Json ToJson(const v1::PlanState& plan) {
  return {
      {"line", plan.line()},
      {"games_expected", plan.has_games_expected() ? Json(plan.games_expected()) : Json(nullptr)},
      {"verdict", plan.verdict().empty() ? Json(nullptr) : Json(plan.verdict())}};
}

Json ToJson(const v1::TestState& test) {
  return {{"verdict", test.verdict()},
          {"units", test.units()},
          {"games", test.games()},
          {"games_left", test.has_games_left() ? Json(test.games_left()) : Json(nullptr)},
          {"llr", test.llr()},
          {"llr_low", test.llr_low()},
          {"llr_high", test.llr_high()},
          {"elo", test.has_elo() ? Json(test.elo()) : Json(nullptr)},
          {"elo_low", test.has_elo() ? Json(test.elo_low()) : Json(nullptr)},
          {"elo_high", test.has_elo() ? Json(test.elo_high()) : Json(nullptr)},
          {"adjusted", test.is_adjusted()}};
}

Json ToJson(const v1::Tournament& tournament) {
  Json json = {{"id", tournament.id()},
               {"name", tournament.name()},
               {"game", tournament.game()},
               {"state", tournament.state()},
               {"priority", tournament.priority()},
               {"share", tournament.share()},
               {"created", tournament.created()},
               {"games", tournament.games()},
               {"open", tournament.open()},
               {"leased", tournament.leased()},
               {"held", tournament.held()},
               {"done", tournament.done()},
               {"open_audits", tournament.open_audits()},
               {"audits_passed", tournament.audits_passed()},
               {"held_why", tournament.held_why()},
               {"games_per_second", tournament.games_per_second()},
               {"plies_per_second", tournament.plies_per_second()}};
  json["bots"] = Json::array();
  for (const std::string& bot : tournament.bots()) json["bots"].push_back(bot);
  if (!tournament.data().empty()) {
    json["data"] = {{"location", tournament.data()},
                    {"shards", tournament.shards()},
                    {"samples", tournament.samples()},
                    {"bytes", tournament.sample_bytes()},
                    {"samples_per_second", SamplesPerSecond(tournament)},
                    {"error", tournament.data_error()}};
  }
  if (tournament.has_test()) json["test"] = ToJson(tournament.test());
  if (tournament.has_plan()) json["plan"] = ToJson(tournament.plan());
  json["refusals"] = Json::array();
  for (const std::string& why : tournament.refusals()) json["refusals"].push_back(why);
  return json;
}

Json ToJson(const v1::Worker& worker) {
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

Json ToJson(const v1::Bot& bot) {
  return {{"name", bot.name()},
          {"version", bot.version()},
          {"digest", bot.digest()},
          {"type", bot.type()},
          {"games", std::vector<std::string>(bot.games().begin(), bot.games().end())},
          {"bytes", bot.bytes()},
          {"added", bot.added()},
          {"added_by", bot.added_by()}};
}

// Replaces bytes that are not UTF-8.
std::string Line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

template <class Messages>
Json ToArray(const Messages& messages) {
  Json array = Json::array();
  for (const auto& message : messages) array.push_back(ToJson(message));
  return array;
}

}  // namespace

std::string ListJson(const v1::ListResponse& list) {
  return Line({{"tournaments", ToArray(list.tournaments())}, {"workers", ToArray(list.workers())}});
}

std::string WatchJson(const v1::GetResponse& now, const v1::StandingsResponse* standings) {
  Json json = ToJson(now.tournament());
  json["leaderboard"] = Json::array();
  for (const v1::LeaderboardRow& row : now.leaderboard()) {
    if (json.contains("data")) break;  // self-play has no leaderboard leader
    json["leaderboard"].push_back(
        {{"bot", row.bot()}, {"games", row.games()}, {"points", row.points()}});
  }
  if (standings != nullptr) json["standings"] = Json::parse(standings->json(), nullptr, false);
  return Line(json);
}

std::string SubmitJson(int64_t tournament) { return Line({{"tournament", tournament}}); }

std::string StateJson(int64_t tournament, std::string_view state) {
  return Line({{"tournament", tournament}, {"state", state}});
}

std::string SetJson(int64_t tournament, const v1::SetPrecedenceResponse& now) {
  return Line({{"tournament", tournament}, {"priority", now.priority()}, {"share", now.share()}});
}

std::string PruneJson(const v1::PruneResponse& pruned) {
  return Line({{"leases", pruned.leases()},
               {"workers", pruned.workers()},
               {"ratings", pruned.ratings()},
               {"tournaments",
                std::vector<int64_t>(pruned.tournaments().begin(), pruned.tournaments().end())}});
}

std::string EvictJson(std::string_view worker, int64_t leases, std::string_view quarantine) {
  return Line({{"worker", worker}, {"leases", leases}, {"quarantine", quarantine}});
}

std::string UnquarantineJson(std::string_view worker) {
  return Line({{"worker", worker}, {"quarantine", ""}});
}

std::string AddBotJson(const v1::AddBotResponse& added) {
  Json json = ToJson(added.bot());
  json["is_new"] = added.is_new();
  return Line(json);
}

std::string ListBotsJson(const v1::ListBotsResponse& list) { return Line(ToArray(list.bots())); }

std::string ShowBotJson(const v1::GetBotResponse& found) {
  Json json = ToJson(found.bot());
  json["manifest"] = found.manifest();
  json["tournaments"] = Json::array();
  for (const int64_t id : found.tournaments()) json["tournaments"].push_back(id);
  return Line(json);
}

std::string RemoveBotJson(const v1::RemoveBotResponse& removed) {
  return Line(ToJson(removed.bot()));
}

std::optional<DataFigures> DataOf(const v1::Tournament& tournament) {
  if (tournament.data().empty()) return std::nullopt;
  return DataFigures{.shards = tournament.shards(),
                     .samples = tournament.samples(),
                     .bytes = tournament.sample_bytes(),
                     .samples_per_second = SamplesPerSecond(tournament),
                     .error = tournament.data_error()};
}

}  // namespace triarch
