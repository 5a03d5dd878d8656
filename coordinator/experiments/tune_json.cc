// Renders a tuning as JSON.

#include <cstddef>
#include <string>
#include <vector>

#include "coordinator/experiments/tune_text.h"
#include "nlohmann/json.hpp"

namespace triarch::experiments {
namespace {

constexpr size_t kPathPoints = 101;

nlohmann::ordered_json TunedOptionJson(const Tune& tune, size_t option, double mean,
                                       const std::string& result) {
  const TunedOption& tuned = tune.options()[option];
  nlohmann::ordered_json json = {{"name", tuned.name},
                                 {"start", tuned.start},
                                 {"min", tuned.min},
                                 {"max", tuned.max},
                                 {"step", tuned.step},
                                 {"integer", tuned.is_integer},
                                 {"mean", mean},
                                 {"result", result},
                                 {"steps", tune.StepsFromStart(option, mean)},
                                 {"still_moving", tune.spsa().IsStillMoving(option)},
                                 {"path", nlohmann::ordered_json::array()}};
  for (const PathPoint& point : SamplePath(tune, option, kPathPoints)) {
    json["path"].push_back({point.iteration, point.value});
  }
  return json;
}

}  // namespace

std::string TuneJson(const TournamentSpec& spec, const Tune& tune) {
  const BotSpec tuned = TunedBot(spec, tune);
  nlohmann::ordered_json json = {{"iterations", tune.spsa().applied()},
                                 {"iterations_asked", tune.spsa().iterations()},
                                 {"rate", FinalRate(spec)},
                                 {"bot", TunedBotText(spec, tune)},
                                 {"options", nlohmann::ordered_json::array()}};
  const std::vector<double> mean = tune.spsa().Mean();
  for (size_t i = 0; i < mean.size(); ++i) {
    json["options"].push_back(
        TunedOptionJson(tune, i, mean[i], tuned.options.at(tune.options()[i].name)));
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace triarch::experiments
