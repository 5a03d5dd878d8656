// Draws the paths of a tuning's options as SVG.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/experiments/tune_text.h"
#include "core/game/svg_pieces.h"

namespace triarch::experiments {
namespace {

constexpr size_t kPointsMax = 400;  // of a line
// The area of the plot in the picture.
constexpr double kLeft = 80, kRight = 740, kTop = 70, kBottom = 530;
constexpr double kLegendLine = 22;
constexpr double kPictureHeight = 600;

constexpr std::string_view kPlotStyle =
    "text{font-family:'DejaVu Sans','Helvetica Neue',Arial,sans-serif;font-size:14px;fill:#3a332a}"
    ".title{font-size:19px;font-weight:bold}.x{text-anchor:middle}.y{text-anchor:end}"
    ".grid{stroke:#d9d2c3}.zero{stroke:#3a332a}.path{fill:none;stroke-width:2}";
// Okabe and Ito's colours, which colour-blind people can tell apart.
constexpr std::array<std::string_view, 7> kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#e69f00", "#56b4e9", "#000000"};

// The scale of the plot.
struct Axes {
  double iterations = 0;  // at the right end
  double low = 0;         // in steps
  double high = 0;
  double tick = 1;  // steps between lines of the grid

  double X(double iteration) const { return kLeft + (kRight - kLeft) * iteration / iterations; }
  double Y(double steps) const { return kBottom - (kBottom - kTop) * (steps - low) / (high - low); }
};

// Returns 1, 2 or 5 times a power of ten, so that about five ticks fit.
double TickFor(double range) {
  const double power = std::pow(10, std::floor(std::log10(range / 5)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (range <= 6 * factor * power) return factor * power;
  }
  return 10 * power;
}

Axes AxesOf(const Tune& tune) {
  double low = -1;
  double high = 1;
  for (const std::vector<double>& values : tune.spsa().path()) {
    for (size_t i = 0; i < values.size(); ++i) {
      const double steps = tune.StepsFromStart(i, values[i]);
      low = std::min(low, steps);
      high = std::max(high, steps);
    }
  }
  const double tick = TickFor(high - low);
  return {.iterations = static_cast<double>(tune.spsa().iterations()),
          .low = tick * std::floor(low / tick),
          .high = tick * std::ceil(high / tick),
          .tick = tick};
}

// Each line has another colour; from the eighth on, they are dashed and the colours repeat.
std::string LineStyle(size_t option) {
  return absl::StrFormat("class=\"path\" stroke=\"%s\"%s", kColors[option % kColors.size()],
                         option < kColors.size() ? "" : " stroke-dasharray=\"6 4\"");
}

std::string DrawAxes(const Axes& axes) {
  std::string text;
  const auto lines = static_cast<int>(std::lround((axes.high - axes.low) / axes.tick));
  for (int i = 0; i <= lines; ++i) {
    const double steps = axes.low + i * axes.tick;
    const bool is_zero = std::abs(steps) < axes.tick / 2;
    text +=
        absl::StrFormat("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                        is_zero ? "zero" : "grid", kLeft, axes.Y(steps), kRight, axes.Y(steps));
    text += DrawSvgText("y", kLeft - 8, axes.Y(steps) + 5,
                        is_zero ? "0" : absl::StrFormat("%+g", steps));
  }
  for (int i = 0; i <= 4; ++i) {
    const double iteration = std::round(axes.iterations * i / 4);
    text += DrawSvgText("x", axes.X(iteration), kBottom + 22, absl::StrFormat("%.0f", iteration));
  }
  return text + DrawSvgText("label", kLeft, kTop - 16, "steps from the start") +
         DrawSvgText("x", (kLeft + kRight) / 2, kBottom + 48, "iterations");
}

std::string DrawPath(const Tune& tune, size_t option, const Axes& axes) {
  std::string points;
  for (const PathPoint& point : SamplePath(tune, option, kPointsMax)) {
    points += absl::StrFormat("%s%.1f,%.1f", points.empty() ? "" : " ",
                              axes.X(static_cast<double>(point.iteration)),
                              axes.Y(tune.StepsFromStart(option, point.value)));
  }
  return absl::StrFormat("<polyline %s points=\"%s\"/>\n", LineStyle(option), points);
}

std::string DrawLegend(const Tune& tune, size_t option, const std::string& start,
                       const std::string& result) {
  const double y = kTop + kLegendLine * static_cast<double>(option);
  return absl::StrFormat("<line %s x1=\"%.0f\" y1=\"%.1f\" x2=\"%.0f\" y2=\"%.1f\"/>\n",
                         LineStyle(option), kRight + 16, y, kRight + 44, y) +
         DrawSvgText(
             "label", kRight + 52, y + 5,
             EscapeXml(absl::StrFormat("%s: %s → %s", tune.options()[option].name, start, result)));
}

}  // namespace

std::string TuneSvg(const TournamentSpec& spec, const Tune& tune) {
  const BotSpec start = BotAtStart(spec);
  const BotSpec tuned = TunedBot(spec, tune);
  const Axes axes = AxesOf(tune);
  const std::string title = absl::StrFormat("tuning of %s: %s", start.name, tune.Progress());
  const size_t options = tune.options().size();
  const double height =
      std::max(kPictureHeight, kTop + kLegendLine * static_cast<double>(options + 1));
  std::string text = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1000 %.0f\" width=\"1000\" "
      "height=\"%.0f\" role=\"img\">\n<title>%s</title>\n<style>%s</style>\n"
      "<rect width=\"1000\" height=\"%.0f\" fill=\"#faf7f0\"/>\n",
      height, height, EscapeXml(title), std::string(kPlotStyle), height);
  text += DrawSvgText("title", kLeft, 32, EscapeXml(title)) + DrawAxes(axes);
  for (size_t i = 0; i < options; ++i) text += DrawPath(tune, i, axes);
  for (size_t i = 0; i < options; ++i) {
    const std::string& name = tune.options()[i].name;
    text += DrawLegend(tune, i, start.options.at(name), tuned.options.at(name));
  }
  return text + "</svg>\n";
}

}  // namespace triarch::experiments
