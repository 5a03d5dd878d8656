#include "core/record/odds.h"

#include <string>

#include "core/base/text.h"

namespace triarch {
namespace {

// Returns the value of a bundled bot's own option that limits it.
std::optional<int64_t> OwnOption(const BotSpec& bot, const std::string& name) {
  const auto option = bot.options.find(name);
  return option == bot.options.end() ? std::nullopt : ParseInt64(option->second);
}

}  // namespace

TimeControl TimeControlOf(const TimeControl& common, const BotSpec& bot) {
  BotLimits own = bot.limits;
  if (!IsUserSupplied(bot)) {
    own.nodes = OwnOption(bot, "nodes");
    own.depth = OwnOption(bot, "depth");
  }
  TimeControl control = common;
  if (own == BotLimits()) return control;
  control.nodes = own.nodes;
  control.depth = own.depth;
  if (!own.clock && !own.movetime_ms) return control;
  control.clock = own.clock;
  control.movetime_ms = own.movetime_ms;
  return control;
}

PerSeat<TimeControl> TimeControlsOf(const GameSpec& spec) {
  PerSeat<TimeControl> controls;
  for (size_t i = 0; i < kSeatsMax; ++i) {
    controls[SeatAt(i)] = TimeControlOf(spec.time_control, spec.seats[SeatAt(i)]);
  }
  return controls;
}

}  // namespace triarch
