// Defines what a bundled bot registers: its name, its options and how to make a player of it.

#ifndef TRIARCH_BOTS_BOT_H_
#define TRIARCH_BOTS_BOT_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/game/position.h"
#include "core/play/player.h"
#include "core/record/game_spec.h"

namespace triarch {

// An option of a bundled bot. Help texts, checks and the UCI dialect derive from this.
struct BotOption {
  enum class Type : uint8_t { kWhole, kNumber, kChoice, kText };

  std::string_view name;         // "depth"
  std::string_view description;  // without bounds and default
  Type type = Type::kText;
  double low = 0;  // bounds of a number, inclusive
  double high = 0;
  std::span<const std::string_view> choices = {};  // of kChoice, the default first
  std::optional<double> default_number = {};
  std::string_view default_note = {};  // "no limit"; when there is a default: when it applies
};

constexpr BotOption WholeOption(std::string_view name, std::string_view description, double low,
                                double high, std::optional<double> default_number,
                                std::string_view default_note = {}) {
  return {.name = name,
          .description = description,
          .type = BotOption::Type::kWhole,
          .low = low,
          .high = high,
          .default_number = default_number,
          .default_note = default_note};
}

constexpr BotOption NumberOption(std::string_view name, std::string_view description, double low,
                                 double high, std::optional<double> default_number,
                                 std::string_view default_note = {}) {
  BotOption option = WholeOption(name, description, low, high, default_number, default_note);
  option.type = BotOption::Type::kNumber;
  return option;
}

// Returns the description with bounds and default, for help texts.
std::string DescribeOption(const BotOption& option);

struct BundledBot;

// The options that a spec gives to a bundled bot, checked; the defaults stand in for the others.
class OptionValues {
 public:
  // Returns InvalidArgument if the bot has no such option or an option does not take its value.
  static absl::StatusOr<OptionValues> Read(const BundledBot& bot, const BotSpec& spec);

  bool is_given(std::string_view name) const { return given_.contains(name); }

  // These require that the bot has such an option. Without a value or default they are empty.
  std::optional<int64_t> Whole(std::string_view name) const;
  std::optional<double> Number(std::string_view name) const;
  std::string Text(std::string_view name) const;

  // Null if the bot has no such option.
  const BotOption* FindOption(std::string_view name) const;

 private:
  OptionValues(const BundledBot& bot, const BotSpec& spec)
      : bot_(&bot), given_(spec.options.begin(), spec.options.end()) {}

  const BundledBot* bot_;
  std::map<std::string, std::string, std::less<>> given_;
};

// Receives one line whenever a player cannot do what it should. Called while it plays.
using PlayerLog = std::function<void(const std::string&)>;

// What a bot makes a player from.
struct PlayerRequest {
  const GameInfo& game;
  const BotSpec& spec;
  const OptionValues& options;
  const PlayerLog& log;
};

// The registration of a bundled bot, one per bot in bots/NAME/NAME.cc.
struct BundledBot {
  std::string_view name;
  std::string_view description;
  std::span<const BotOption> options = {};

  absl::StatusOr<std::unique_ptr<Player>> (*make)(const PlayerRequest& request);

  // Check what the types and bounds of the options do not say. May be null.
  absl::Status (*check)(const OptionValues& options) = nullptr;
  absl::Status (*check_game)(const OptionValues& options, const GameInfo& game) = nullptr;
  // Returns FailedPrecondition if this process lacks something that the bot needs. May be null.
  absl::Status (*check_here)(const OptionValues& options) = nullptr;
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_BOT_H_
