// Defines what a bundled bot registers: its name, its options and a factory for players.

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

// An option of a bundled bot. Help texts, checks and the UCI dialect are derived from it.
struct BotOption {
  enum class Type : uint8_t { kWhole, kNumber, kChoice, kText };

  std::string_view name;         // "depth"
  std::string_view description;  // without bounds and default value
  Type type = Type::kText;
  double low = 0;  // inclusive bounds of a number
  double high = 0;
  std::span<const std::string_view> choices = {};  // values of kChoice; the first is the default
  std::optional<double> default_number = {};
  std::string_view default_note = {};  // e.g. "no limit"; or when the default applies
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

// Returns the description with bounds and default value, for help texts.
std::string DescribeOption(const BotOption& option);

struct BundledBot;

// Holds the checked options that a spec gives to a bundled bot, with defaults for the rest.
class BotOptionValues {
 public:
  // Returns InvalidArgument if the bot lacks one of the options or a value is invalid.
  static absl::StatusOr<BotOptionValues> Read(const BundledBot& bot, const BotSpec& spec);

  bool is_given(std::string_view name) const { return given_.contains(name); }

  // Return nothing if the option has neither a value nor a default. Require: the bot has it.
  std::optional<int64_t> Whole(std::string_view name) const;
  std::optional<double> Number(std::string_view name) const;
  std::string Text(std::string_view name) const;

  // Returns null if the bot has no such option.
  const BotOption* FindOption(std::string_view name) const;

 private:
  BotOptionValues(const BundledBot& bot, const BotSpec& spec)
      : bot_(&bot), given_(spec.options.begin(), spec.options.end()) {}

  const BundledBot* bot_;
  std::map<std::string, std::string, std::less<>> given_;
};

// Receives one line whenever a player fails at its task. Called during the game.
using PlayerLog = std::function<void(const std::string&)>;

// The input from which a bot makes a player.
struct PlayerRequest {
  const GameInfo& game;
  const BotSpec& spec;
  const BotOptionValues& options;
  const PlayerLog& log;
};

// The registration of a bundled bot, one per bot in bots/NAME/NAME.cc.
struct BundledBot {
  std::string_view name;
  std::string_view description;
  std::span<const BotOption> options = {};

  absl::StatusOr<std::unique_ptr<SyncPlayer>> (*make)(const PlayerRequest& request);

  // Checks what the types and bounds of the options cannot express. May be null.
  absl::Status (*check)(const BotOptionValues& options) = nullptr;
  absl::Status (*check_game)(const BotOptionValues& options, const GameInfo& game) = nullptr;
  // Returns FailedPrecondition if this process lacks something the bot needs. May be null.
  absl::Status (*check_here)(const BotOptionValues& options) = nullptr;
};

// Returns InvalidArgument with a list of `bots` if none of them has this name.
absl::StatusOr<const BundledBot*> FindBot(std::span<const BundledBot* const> bots,
                                          std::string_view name);

// Checks the options that a spec gives to a bot. `game` may be null: any game.
absl::StatusOr<BotOptionValues> ReadOptions(const BundledBot& bot, const BotSpec& spec,
                                            const GameInfo* game);

// Makes a player of the bot for the game. Returns InvalidArgument if an option is wrong.
absl::StatusOr<std::unique_ptr<SyncPlayer>> MakePlayer(const BundledBot& bot, const GameInfo& game,
                                                       const BotSpec& spec,
                                                       const PlayerLog& log = {});

}  // namespace triarch

#endif  // TRIARCH_BOTS_BOT_H_
