#include "bots/settings.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <span>
#include <string>
#include <string_view>

#include "bots/llm/settings.h"
#include "bots/mcts/mcts_options.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

constexpr int64_t kNodesDefault = 20'000;
constexpr int64_t kWalksDefault = 2'000;

constexpr std::array kBounds = {
    OptionBounds{"nodes", 1, 1e12, true},      OptionBounds{"depth", 1, kDepthMax, true},
    OptionBounds{"movetime", 1, 1e8, true},    OptionBounds{"resign", 0, 33, false},
    OptionBounds{"exploration", 0, 10, false}, OptionBounds{"material", 0, 10, false},
    OptionBounds{"defence", 0, 10, false},     OptionBounds{"tactics", 0, 10, false},
    OptionBounds{"position", 0, 10, false},    OptionBounds{"risk", 0, 10, false}};

constexpr BotOption kNodes{
    "nodes", "positions searched per move, 1 to 1000000000000 (20000 if nothing limits the bot)"};
constexpr BotOption kWalks{
    "nodes",
    "walks through the tree per move, 1 to 1000000000000 (2000 if nothing limits the bot)"};
constexpr BotOption kDepth{
    "depth", "plies looked ahead, 1 to 64, captures beyond it not counted (no limit)"};
constexpr BotOption kMovetime{"movetime", "milliseconds per move, 1 to 100000000 (no limit)"};
constexpr BotOption kResign{
    "resign",
    "resigns once it has expected less than this percentage of all points for 3 turns in a row, "
    "0 to 33 (0: never)"};
constexpr BotOption kExploration{"exploration",
                                 "how widely it tries moves that look worse, 0 to 10 (0.3)"};

constexpr std::array kSmartOptions = {
    BotOption{"material", "weight of what a move takes and of what takes it again, 0 to 10 (1)"},
    BotOption{"defence", "weight of threats that the move answers, 0 to 10 (1)"},
    BotOption{"tactics", "weight of checks, forks and draws, 0 to 10 (1)"},
    BotOption{"position", "weight of mobility, centre and the kings' safety, 0 to 10 (1)"},
    BotOption{"risk", "weight of what the move leaves hanging, 0 to 10 (1)"},
    kResign};
constexpr std::array kAlphaBetaOptions = {kDepth, kNodes, kMovetime, kResign};
constexpr std::array kMctsOptions = {kWalks, kMovetime, kExploration, kResign};

constexpr std::array<BotInfo, 7> kBots = {
    BotInfo{"random", "plays any legal move", {}},
    BotInfo{"greedy", "takes what gains most by exchange value, else improves its standing", {}},
    BotInfo{"smart",
            "rates each move by material, defence, tactics, position and risk, and says why",
            kSmartOptions},
    BotInfo{"paranoid", "alpha-beta, as if all others played together against it",
            kAlphaBetaOptions},
    BotInfo{"maxn", "max^n: looks ahead as if each played for itself", kAlphaBetaOptions},
    BotInfo{"mcts", "Monte Carlo tree search with a vector of rewards", kMctsOptions},
    BotInfo{kLlmBot, "asks a language model: the endpoint that TRIARCH_LLM_URL names",
            llm::kOptions}};

template <class Named>
std::string ListNames(std::span<const Named> items) {
  std::string list;
  for (const Named& item : items) {
    if (!list.empty()) list += ", ";
    list += item.name;
  }
  return list;
}

// 1000 without a fraction, 0.5 with one.
std::string NumberText(double number) {
  if (number == std::floor(number)) return std::to_string(static_cast<int64_t>(number));
  return std::to_string(number);
}

absl::StatusOr<const BotInfo*> FindBot(std::string_view name) {
  for (const BotInfo& bot : kBots) {
    if (bot.name == name) return &bot;
  }
  return absl::InvalidArgumentError("unknown bot " + Quote(name) + "; known are " +
                                    ListNames(std::span<const BotInfo>(kBots)));
}

absl::Status CheckOptionName(const BotInfo& bot, std::string_view name) {
  for (const BotOption& option : bot.options) {
    if (option.name == name) return absl::OkStatus();
  }
  const std::string has = bot.options.empty() ? "it has none" : "it has " + ListNames(bot.options);
  return absl::InvalidArgumentError("bot " + Quote(bot.name) + " has no option " + Quote(name) +
                                    "; " + has);
}

absl::StatusOr<double> ReadOption(const BotInfo& bot, std::string_view name,
                                  std::string_view text) {
  RETURN_IF_ERROR(CheckOptionName(bot, name));
  const OptionBounds& bounds = *FindBounds(name);
  std::optional<double> value = ParseDouble(text);
  if (bounds.is_whole) {
    const std::optional<int64_t> whole = ParseInt64(text);
    value = whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
  }
  if (!value || *value < bounds.low || *value > bounds.high) {
    return absl::InvalidArgumentError(
        "option " + std::string(name) + " of bot " + Quote(bot.name) + ": " + Quote(text) +
        (bounds.is_whole ? " is no whole number from " : " is no number from ") +
        NumberText(bounds.low) + " to " + NumberText(bounds.high));
  }
  return *value;
}

}  // namespace

std::span<const BotInfo> BundledBots() { return kBots; }

const OptionBounds* FindBounds(std::string_view name) {
  const auto found = std::find_if(kBounds.begin(), kBounds.end(),
                                  [&](const OptionBounds& bounds) { return bounds.name == name; });
  return found == kBounds.end() ? nullptr : &*found;
}

absl::Status CheckBot(const BotSpec& spec) {
  if (spec.bot == kLlmBot) return ReadLlmSettings(spec).status();
  return ReadSettings(spec).status();
}

absl::Status CheckBot(const GameInfo& game, const BotSpec& spec) {
  if (spec.bot != kLlmBot) return CheckBot(spec);
  ASSIGN_OR_RETURN(const llm::Settings settings, ReadLlmSettings(spec));
  return llm::CheckNotation(settings, game);
}

absl::StatusOr<llm::Settings> ReadLlmSettings(const BotSpec& spec) {
  ASSIGN_OR_RETURN(const BotInfo* bot, FindBot(kLlmBot));
  for (const auto& [name, text] : spec.options) RETURN_IF_ERROR(CheckOptionName(*bot, name));
  return llm::ReadSettings(spec);
}

absl::StatusOr<BotSettings> ReadSettings(const BotSpec& spec) {
  ASSIGN_OR_RETURN(const BotInfo* bot, FindBot(spec.bot));
  BotSettings settings;
  settings.exploration = MctsOptions().exploration;
  settings.takes_depth = CheckOptionName(*bot, "depth").ok();
  settings.nodes_default = spec.bot == "mcts" ? kWalksDefault : kNodesDefault;
  for (const auto& [name, text] : spec.options) {
    ASSIGN_OR_RETURN(const double value, ReadOption(*bot, name, text));
    if (name == "nodes") settings.nodes = static_cast<int64_t>(value);
    if (name == "depth") settings.depth = static_cast<int64_t>(value);
    if (name == "movetime") settings.movetime_ms = static_cast<int64_t>(value);
    if (name == "resign") settings.resign_percent = value;
    if (name == "exploration") settings.exploration = value;
    if (name == "material") settings.weights.material = value;
    if (name == "defence") settings.weights.defence = value;
    if (name == "tactics") settings.weights.tactics = value;
    if (name == "position") settings.weights.position = value;
    if (name == "risk") settings.weights.risk = value;
  }
  return settings;
}

Limits LimitsFor(const BotSettings& settings, const SearchLimits& given) {
  const bool has_own = settings.nodes || settings.depth || settings.movetime_ms;
  const std::optional<int64_t> nodes = has_own ? settings.nodes : given.nodes;
  std::optional<int64_t> depth = has_own ? settings.depth : given.depth;
  if (!settings.takes_depth) depth = std::nullopt;
  Limits limits{.deadline = given.deadline, .stop = given.stop};
  if (settings.movetime_ms) {
    const auto own =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(*settings.movetime_ms);
    limits.deadline = given.deadline ? std::min(own, *given.deadline) : own;
  }
  if (nodes) limits.nodes_max = std::max(*nodes, int64_t{1});
  if (depth)
    limits.depth_max = static_cast<int>(std::clamp(*depth, int64_t{1}, int64_t{kDepthMax}));
  if (!nodes && !depth && !limits.deadline) limits.nodes_max = settings.nodes_default;
  return limits;
}

}  // namespace triarch
