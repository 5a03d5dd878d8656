#ifndef TRIARCH_BOTS_SETTINGS_H_
#define TRIARCH_BOTS_SETTINGS_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "bots/bots.h"
#include "bots/llm/settings.h"
#include "bots/search/limits.h"
#include "bots/smart/smart_weights.h"
#include "bots/torch/puct_options.h"
#include "bots/torch/torch_models.h"
#include "core/play/player.h"
#include "core/record/game_spec.h"

namespace triarch {

// What an option of bundled bots takes.
struct OptionBounds {
  std::string_view name;
  double low;
  double high;
  bool is_whole;
};

// Null for an option that takes a text (those of llm, some of torch).
const OptionBounds* FindBounds(std::string_view name);

// The options of a bundled bot, read.
struct BotSettings {
  std::optional<int64_t> nodes;
  std::optional<int64_t> depth;
  std::optional<int64_t> movetime_ms;
  double resign_percent = 0;  // 0: never
  double exploration = 0;
  SmartWeights weights;  // of smart
  PuctOptions puct;      // of torch
  TorchSettings torch;

  bool takes_depth = true;    // else a limit of depth means nothing to it
  int64_t nodes_default = 0;  // when nothing limits it
};

// Of those that search. Fails as CheckBot does.
absl::StatusOr<BotSettings> ReadSettings(const BotSpec& spec);

// Of the one that asks. Requires: it is that.
inline constexpr std::string_view kLlmBot = "llm";
absl::StatusOr<llm::Settings> ReadLlmSettings(const BotSpec& spec);

// What one search may spend. A bot with limits of its own keeps to them in place of the match's
// nodes and depth; the match's deadline holds in any case.
Limits LimitsFor(const BotSettings& settings, const SearchLimits& given);

}  // namespace triarch

#endif  // TRIARCH_BOTS_SETTINGS_H_
