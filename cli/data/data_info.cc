#include "cli/data/data_info.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/any_state.h"
#include "core/base/counted.h"

namespace triarch {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kBarsMax = 12;
constexpr int64_t kBarWidth = 40;  // columns of the longest bar

double Ratio(double part, int64_t whole) {
  return whole == 0 ? 0 : part / static_cast<double>(whole);
}
double Ratio(int64_t part, int64_t whole) { return Ratio(static_cast<double>(part), whole); }

// Rounds to six decimals.
double Rounded(double number) { return std::round(number * 1e6) / 1e6; }

double Mean(const std::map<int64_t, int64_t>& counts) {
  int64_t all = 0;
  double sum = 0;
  for (const auto& [value, count] : counts) {
    all += count;
    sum += static_cast<double>(value) * static_cast<double>(count);
  }
  return Ratio(sum, all);
}

// Returns the counts of each seat of the game, with its name.
std::vector<std::pair<std::string, EndCounts>> Seats(const DataSummary& summary) {
  std::vector<std::pair<std::string, EndCounts>> seats;
  const absl::StatusOr<const GameInfo*> info = FindGame(summary.meta.game);
  if (summary.shards == 0 || !info.ok()) return seats;
  for (size_t i = 0; i < (*info)->seats; ++i) {
    seats.emplace_back((*info)->seat_names[i], summary.seats[i]);
  }
  return seats;
}

std::string Line(std::string_view name, const std::string& value) {
  return absl::StrFormat("%-18s  %s\n", std::string(name), value);
}

std::string Percent(int64_t part, int64_t whole) {
  return absl::StrFormat("%.1f%%", 100 * Ratio(part, whole));
}

std::string HistogramText(const std::string& name, const std::map<int64_t, int64_t>& counts) {
  if (counts.empty()) return "";
  std::string text = absl::StrFormat("\n%s: %.1f on average, %d to %d\n", name, Mean(counts),
                                     counts.begin()->first, counts.rbegin()->first);
  const std::vector<Bar> bars = Histogram(counts, kBarsMax);
  int64_t most = 1;
  for (const Bar& bar : bars) most = std::max(most, bar.count);
  for (const Bar& bar : bars) {
    const int64_t length = (bar.count * kBarWidth + most - 1) / most;
    std::string line = absl::StrFormat("  %5d to %-5d  %9d", bar.first, bar.last, bar.count);
    if (length > 0) line += "  " + std::string(static_cast<size_t>(length), '#');
    text += line + "\n";
  }
  return text;
}

std::string EndsText(std::string_view head,
                     const std::vector<std::pair<std::string, EndCounts>>& rows) {
  size_t width = head.size();
  for (const auto& [name, counts] : rows) width = std::max(width, name.size());
  const int columns = static_cast<int>(width);
  std::string text =
      absl::StrFormat("\n%-*s  %9s  %9s  %6s  %9s  %6s  %9s\n", columns, std::string(head), "games",
                      "wins", "", "shared", "", "points");
  for (const auto& [name, counts] : rows) {
    text +=
        absl::StrFormat("%-*s  %9d  %9d  %6s  %9d  %6s  %9.3f\n", columns, name, counts.games,
                        counts.wins, Percent(counts.wins, counts.games), counts.shared,
                        Percent(counts.shared, counts.games), Ratio(counts.share, counts.games));
  }
  return text;
}

std::vector<std::pair<std::string, EndCounts>> Bots(const DataSummary& summary) {
  return {summary.bots.begin(), summary.bots.end()};
}

Json HistogramJson(const std::map<int64_t, int64_t>& counts) {
  Json json = {{"mean", Rounded(Mean(counts))}, {"min", nullptr}, {"max", nullptr}};
  if (!counts.empty()) {
    json["min"] = counts.begin()->first;
    json["max"] = counts.rbegin()->first;
  }
  json["bars"] = Json::array();
  for (const Bar& bar : Histogram(counts, kBarsMax)) {
    json["bars"].push_back({{"first", bar.first}, {"last", bar.last}, {"count", bar.count}});
  }
  return json;
}

Json EndsJson(const char* key, const std::vector<std::pair<std::string, EndCounts>>& rows) {
  Json json = Json::array();
  for (const auto& [name, counts] : rows) {
    json.push_back({{key, name},
                    {"games", counts.games},
                    {"wins", counts.wins},
                    {"shared", counts.shared},
                    {"points", Rounded(Ratio(counts.share, counts.games))}});
  }
  return json;
}

}  // namespace

std::string InfoText(const DataSummary& summary, const std::string& location) {
  std::string text = Line("location", location);
  text += Line("shards", std::to_string(summary.shards));
  if (summary.shards == 0) return text;
  text += Line("game", absl::StrFormat("%s, format %d", summary.meta.game, kShardFormat));
  text += Line("spec", absl::StrJoin(summary.specs, ", "));
  text += Line("builds", absl::StrJoin(summary.builds, ", "));
  text += Line("games", std::to_string(summary.games));
  text +=
      Line("samples", absl::StrFormat("%d, total weight %.0f", summary.samples, summary.weight));
  text += Line("bytes", absl::StrFormat("%d, %.1f per sample", summary.bytes,
                                        Ratio(summary.bytes, summary.samples)));
  text += Line("with a policy", Percent(summary.with_policy, summary.samples) + " of the samples");
  text += Line("with a value", Percent(summary.with_value, summary.samples) + " of the samples");
  text += Line("legal moves",
               absl::StrFormat("%.1f on average", Ratio(summary.legal_moves, summary.samples)));
  text += Line("openings", absl::StrFormat("%d distinct, by the first %s", summary.openings.size(),
                                           Counted(summary.opening_plies, "ply", "plies")));
  text += Line("false resignations",
               absl::StrFormat("%d of %d", summary.false_resignations, summary.resignations) +
                   (summary.resignations == 0
                        ? ""
                        : absl::StrFormat(", scoring %.3f of the points on average",
                                          Ratio(summary.resigned_share, summary.resignations))));
  text += EndsText("seat", Seats(summary)) + EndsText("bot", Bots(summary));
  text += HistogramText("plies of games", summary.game_plies);
  return text + HistogramText("plies of samples", summary.sample_plies);
}

std::string InfoJson(const DataSummary& summary, const std::string& location) {
  Json json = {{"location", location}, {"shards", summary.shards}, {"format", kShardFormat}};
  json["game"] = summary.meta.game;
  json["specs"] = summary.specs;
  json["builds"] = summary.builds;
  json["games"] = summary.games;
  json["samples"] = summary.samples;
  json["weight"] = summary.weight;
  json["bytes"] = summary.bytes;
  json["bytes_per_sample"] = Rounded(Ratio(summary.bytes, summary.samples));
  json["with_policy"] = Rounded(Ratio(summary.with_policy, summary.samples));
  json["with_value"] = Rounded(Ratio(summary.with_value, summary.samples));
  json["legal_moves"] = Rounded(Ratio(summary.legal_moves, summary.samples));
  json["openings"] = {{"plies", summary.opening_plies}, {"different", summary.openings.size()}};
  json["resignations"] = {{"played_out", summary.resignations},
                          {"false", summary.false_resignations},
                          {"points", Rounded(Ratio(summary.resigned_share, summary.resignations))}};
  json["seats"] = EndsJson("seat", Seats(summary));
  json["bots"] = EndsJson("bot", Bots(summary));
  json["game_plies"] = HistogramJson(summary.game_plies);
  json["sample_plies"] = HistogramJson(summary.sample_plies);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace triarch
