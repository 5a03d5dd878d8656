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
constexpr int64_t kPuctWalksDefault = 800;

constexpr std::array kBounds = {
    OptionBounds{"nodes", 1, 1e12, true},      OptionBounds{"depth", 1, kDepthMax, true},
    OptionBounds{"movetime", 1, 1e8, true},    OptionBounds{"resign", 0, 33, false},
    OptionBounds{"exploration", 0, 10, false}, OptionBounds{"material", 0, 10, false},
    OptionBounds{"defence", 0, 10, false},     OptionBounds{"tactics", 0, 10, false},
    OptionBounds{"position", 0, 10, false},    OptionBounds{"risk", 0, 10, false},
    OptionBounds{"batch", 1, 65'536, true},    OptionBounds{"wait_us", 0, 1e6, true},
    OptionBounds{"leaves", 1, 1'024, true},    OptionBounds{"cpuct", 0, 100, false},
    OptionBounds{"threads", 1, 1'024, true}};

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

constexpr std::array kTorchOptions = {
    BotOption{kModelOption, "the TorchScript file, as an absolute path"},
    BotOption{"device", "cpu or cuda (cpu)"},
    BotOption{
        "nodes",
        "walks through the tree per move, 1 to 1000000000000 (800 if nothing limits the bot); "
        "1: the policy's best move"},
    kMovetime,
    BotOption{"cpuct", "how much the policy counts against the values, 0 to 100 (1)"},
    BotOption{"leaves", "positions that a game asks for at a time, 1 to 1024 (8)"},
    BotOption{"batch", "positions of all games that are evaluated at a time, 1 to 65536 (64)"},
    BotOption{"wait_us", "microseconds that a batch waits to be full, 0 to 1000000 (500)"},
    BotOption{"threads", "threads for one batch, on the CPU, 1 to 1024 (1)"},
    kResign};

constexpr std::array<BotInfo, 8> kBots = {
    BotInfo{"random", "plays any legal move", {}},
    BotInfo{"greedy", "takes what gains most by exchange value, else improves its standing", {}},
    BotInfo{"smart",
            "rates each move by material, defence, tactics, position and risk, and says why",
            kSmartOptions},
    BotInfo{"paranoid",
            "alpha-beta, as if all others played together against it (plain with two players)",
            kAlphaBetaOptions},
    BotInfo{"maxn", "max^n: looks ahead as if each played for itself", kAlphaBetaOptions},
    BotInfo{"mcts", "Monte Carlo tree search with a vector of rewards", kMctsOptions},
    BotInfo{kTorchBot, "tree search with a model of your own: a TorchScript file (docs/bots.md)",
            kTorchOptions},
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

// The options of torch that are texts; false: it is none of them.
absl::StatusOr<bool> ReadTextOption(std::string_view name, const std::string& text,
                                    BotSettings* settings) {
  if (name == kModelOption) {
    settings->torch.model = text;
    if (text.starts_with('/')) return true;
    return absl::InvalidArgumentError("option model of bot \"torch\": " + Quote(text) +
                                      " is no absolute path");
  }
  if (name != "device") return false;
  settings->torch.device = text;
  if (text == "cpu" || text == "cuda") return true;
  return absl::InvalidArgumentError("option device of bot \"torch\": " + Quote(text) +
                                    " is neither cpu nor cuda");
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
  settings.nodes_default = spec.bot == "mcts"      ? kWalksDefault
                           : spec.bot == kTorchBot ? kPuctWalksDefault
                                                   : kNodesDefault;
  for (const auto& [name, text] : spec.options) {
    RETURN_IF_ERROR(CheckOptionName(*bot, name));
    ASSIGN_OR_RETURN(const bool is_text, ReadTextOption(name, text, &settings));
    if (is_text) continue;
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
    if (name == "cpuct") settings.puct.cpuct = value;
    if (name == "leaves") settings.puct.leaves = static_cast<int>(value);
    if (name == "batch") settings.torch.batch = static_cast<int64_t>(value);
    if (name == "wait_us") settings.torch.wait_us = static_cast<int64_t>(value);
    if (name == "threads") settings.torch.threads = static_cast<int64_t>(value);
  }
  if (spec.bot == kTorchBot && settings.torch.model.empty()) {
    return absl::InvalidArgumentError(
        "bot \"torch\" needs its option model: the path of a TorchScript file");
  }
  // A request larger than a batch could not be shared.
  settings.puct.leaves =
      static_cast<int>(std::min<int64_t>(settings.puct.leaves, settings.torch.batch));
  return settings;
}

Limits LimitsFor(const BotSettings& settings, const SearchLimits& given) {
  const bool has_own = !given.is_fast && (settings.nodes || settings.depth || settings.movetime_ms);
  const std::optional<int64_t> nodes = has_own ? settings.nodes : given.nodes;
  std::optional<int64_t> depth = has_own ? settings.depth : given.depth;
  if (!settings.takes_depth) depth = std::nullopt;
  Limits limits{.deadline = given.deadline, .stop = given.stop, .noise = given.noise};
  if (has_own && settings.movetime_ms) {
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
