#include "spec/bot_limits.h"

#include <array>
#include <optional>
#include <string>

#include "absl/strings/str_format.h"
#include "core/base/text.h"
#include "spec/tournament_options.h"

namespace triarch {
namespace {

template <auto member>
BotLimitKey MakeKey(std::string_view key, std::string_view option) {
  using T = typename std::remove_reference_t<decltype(BotLimits().*member)>::value_type;
  return {.key = key,
          .option = FindOption(option),
          .get =
              [](const BotLimits& limits) {
                const std::optional<T>& value = limits.*member;
                return value ? OptionValue(*value) : OptionValue();
              },
          .set = [](BotLimits& limits,
                    const OptionValue& value) { limits.*member = std::get<T>(value); }};
}

}  // namespace

std::span<const BotLimitKey> BotLimitKeys() {
  static const std::array kKeys = {
      MakeKey<&BotLimits::clock>("tc", "time_control.tc"),
      MakeKey<&BotLimits::movetime_ms>("movetime_ms", "time_control.movetime_ms"),
      MakeKey<&BotLimits::nodes>("nodes", "time_control.nodes"),
      MakeKey<&BotLimits::depth>("depth", "time_control.depth")};
  return kKeys;
}

const BotLimitKey* FindBotLimit(const BotSpec& bot, std::string_view key) {
  if (!IsUserSupplied(bot) && (key == "nodes" || key == "depth")) return nullptr;
  for (const BotLimitKey& limit : BotLimitKeys()) {
    if (limit.key == key) return &limit;
  }
  return nullptr;
}

absl::Status TakeLimits(BotSpec* bot) {
  for (auto option = bot->options.begin(); option != bot->options.end();) {
    const auto& [key, text] = *option;
    const BotLimitKey* const limit = FindBotLimit(*bot, key);
    if (limit == nullptr) {
      ++option;
      continue;
    }
    const std::optional<OptionValue> value = ParseOption(*limit->option, text);
    if (!value) {
      return absl::InvalidArgumentError(absl::StrFormat(
          "%s of bot %s is %s%s", key, bot->bot, Quote(text), Expectation(*limit->option, text)));
    }
    limit->set(bot->limits, *value);
    option = bot->options.erase(option);
  }
  return absl::OkStatus();
}

}  // namespace triarch
