#include "coordinator/experiments/tune_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "coordinator/ratings/text_table.h"
#include "spec/spec_json.h"

namespace triarch::experiments {
namespace {

constexpr size_t kReportWidth = 100;
constexpr size_t kPlotWidth = 32;  // columns
// A path that covers fewer steps does not fill the height of its plot.
constexpr double kPlotStepsMin = 1;

// Returns the options of a bot as in "risk=0.712:depth=2".
std::string OptionsText(const BotSpec& bot) {
  std::string text;
  for (const auto& [name, value] : bot.options) {
    text += (text.empty() ? "" : ":") + name + "=" + value;
  }
  return text;
}

// Whether a command can name the bot; others need a file.
bool IsWord(const BotSpec& bot) { return !IsUserSupplied(bot) && bot.bundle.empty(); }

struct Plot {
  double low = 0;  // in steps from the start
  double high = 0;
  std::string bars = "";
};

// Draws the path from left to right; the start of a short tuning is stretched.
Plot PlotPath(const Tune& tune, size_t option) {
  constexpr std::array<std::string_view, 8> kBars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<double> steps;
  for (const PathPoint& point : SamplePath(tune, option, kPlotWidth)) {
    steps.push_back(tune.StepsFromStart(option, point.value));
  }
  const auto [low, high] = std::minmax_element(steps.begin(), steps.end());
  Plot plot = {.low = *low, .high = *high, .bars = ""};
  const double range = std::max(kPlotStepsMin, plot.high - plot.low);
  const double bottom = (plot.high + plot.low - range) / 2;
  for (const double at : steps) {
    const auto level = static_cast<size_t>((at - bottom) / range * kBars.size());
    plot.bars += kBars[std::min(level, kBars.size() - 1)];
  }
  return plot;
}

std::string OptionTable(const TournamentSpec& spec, const Tune& tune) {
  TextTable table;
  table.AddColumn("Option", TextTable::Align::kLeft);
  for (const std::string_view heading : {"Start", "Result", "Steps", "Low"}) {
    table.AddColumn(heading);
  }
  table.AddColumn("Path in steps", TextTable::Align::kLeft);
  table.AddColumn("High");
  table.AddColumn("", TextTable::Align::kLeft);
  const BotSpec start = BotAtStart(spec);
  const BotSpec tuned = TunedBot(spec, tune);
  const std::vector<double> mean = tune.spsa().Mean();
  for (size_t i = 0; i < tune.options().size(); ++i) {
    const std::string& name = tune.options()[i].name;
    const Plot plot = PlotPath(tune, i);
    table.AddRow({name, start.options.at(name), tuned.options.at(name),
                  absl::StrFormat("%+.1f", tune.StepsFromStart(i, mean[i])),
                  absl::StrFormat("%+.1f", plot.low), plot.bars,
                  absl::StrFormat("%+.1f", plot.high),
                  tune.spsa().IsStillMoving(i) ? "still moving" : ""});
  }
  return table.Render(kReportWidth, 0);
}

// Returns the command that tests the result; empty if it needs a file.
std::string TestCommand(const TournamentSpec& spec, const Tune& tune) {
  const BotSpec start = BotAtStart(spec);
  if (!IsWord(start)) return "";
  const auto& [low, high] = spec.tune->elo;
  const std::string command = absl::StrFormat("triarch test %s %s --elo %g,%g",
                                              TunedBotText(spec, tune), BotText(start), low, high);
  return spec.game == "triumvirate" ? command : command + " --game " + spec.game;
}

}  // namespace

std::vector<PathPoint> SamplePath(const Tune& tune, size_t option, size_t count) {
  const std::vector<std::vector<double>>& path = tune.spsa().path();
  const size_t last = path.size() - 1;
  const size_t intervals = std::min(last, count - 1);
  std::vector<PathPoint> points = {{.iteration = 0, .value = path[0][option]}};
  for (size_t i = 1; i <= intervals; ++i) {
    const size_t iteration = i * last / intervals;
    points.push_back({.iteration = iteration, .value = path[iteration][option]});
  }
  return points;
}

std::string TunedBotText(const TournamentSpec& spec, const Tune& tune) {
  const BotSpec bot = TunedBot(spec, tune);
  return IsWord(bot) ? BotText(bot) : OptionsText(bot);
}

std::string RenderTune(const TournamentSpec& spec, const Tune& tune) {
  const BotSpec start = BotAtStart(spec);
  std::string text = absl::StrFormat("tuning of %s: %s\n\n", start.name, tune.Progress());
  text += OptionTable(spec, tune);
  text += absl::StrFormat("\nresult: %s\n", TunedBotText(spec, tune));
  text +=
      "The result is the mean of the values over the last quarter of the iterations. It is no\n"
      "evidence that the bot is now stronger: the verdict is that of the test that follows";
  const std::string command = TestCommand(spec, tune);
  return text + (command.empty() ? ".\n" : ", like\n  " + command + "\n");
}

}  // namespace triarch::experiments
