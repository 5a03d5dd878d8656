#include "worker/host/plugin.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/any_state.h"
#include "core/base/check.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "worker/host/exit_guard.h"
#include "worker/host/plugin_turn.h"

namespace triarch {
namespace {

constexpr const char* kEntry = "triarch_bot_entry";

// Throws, which the game counts as a crash of the player.
void ThrowFault(const char* function, int code) {
  throw std::runtime_error(absl::StrFormat("%s returned %d", function, code));
}

class PluginPlayer final : public SyncPlayer {
 public:
  PluginPlayer(const triarch_bot& bot, std::string name, size_t seats, void* self)
      : bot_(bot), name_(std::move(name)), seats_(seats), self_(self) {}
  ~PluginPlayer() override {
    const PluginCall call(name_, "destroy");
    bot_.destroy(self_);
  }

  void NewGame(Seat seat, uint64_t seed) override {
    const PluginCall call(name_, "new_game");
    const int fault = bot_.new_game(self_, static_cast<triarch_seat>(Index(seat)), seed);
    if (fault != 0) ThrowFault("new_game", fault);
  }

  Decision Choose(const AnyState& state, const AnyState::Moves& moves,
                  const SearchLimits& limits) override {
    const PluginTurn asked(state, moves, limits);
    const triarch_turn& turn = asked.turn();
    triarch_answer answer{};
    const PluginCall call(name_, "choose_move");
    const int fault = bot_.choose_move(self_, &turn, &answer);
    if (fault != 0) ThrowFault("choose_move", fault);
    Decision decision{.nodes = static_cast<int64_t>(std::min<uint64_t>(answer.nodes, INT64_MAX)),
                      .eval = std::nullopt};
    switch (answer.kind) {
      case TRIARCH_PLAY:
        // A move that is not in the list counts as illegal.
        decision.move = static_cast<size_t>(
            std::find(turn.moves, turn.moves + turn.move_count, answer.move) - turn.moves);
        break;
      case TRIARCH_RESIGN:
        decision.kind = Decision::Kind::kResign;
        break;
      case TRIARCH_CLAIM_DRAW:
        decision.kind = Decision::Kind::kClaimDraw;
        break;
      default:
        throw std::runtime_error(absl::StrFormat("invalid answer kind %d", answer.kind));
    }
    if (answer.has_shares != 0) {
      decision.eval.emplace();
      for (size_t i = 0; i < seats_; ++i) (*decision.eval)[SeatAt(i)] = answer.shares[i];
    }
    const bool wants_policy = limits.search_info != nullptr && limits.search_info->wants_policy;
    if (wants_policy && bot_.policy != nullptr) Think(turn, *limits.search_info);
    return decision;
  }

 private:
  // Ignores an invalid policy; the move still counts.
  void Think(const triarch_turn& turn, SearchInfo& search_info) const {
    const PluginCall call(name_, "policy");
    search_info.policy.assign(turn.move_count, 0);
    bool is_right = bot_.policy(self_, &turn, search_info.policy.data()) == 0;
    double sum = 0;
    for (const float share : search_info.policy) {
      is_right = is_right && share >= 0;
      sum += static_cast<double>(share);
    }
    if (!is_right || std::abs(sum - 1) > kPolicySumSlack) search_info.policy.clear();
  }

  static constexpr double kPolicySumSlack = 1e-3;

  const triarch_bot& bot_;
  const std::string name_;
  const size_t seats_;
  void* const self_;
};

// Checks a bot's description of itself.
absl::Status CheckBot(const triarch_bot& bot) {
  if (bot.abi_version != TRIARCH_ABI_VERSION || bot.size < sizeof(triarch_bot)) {
    return absl::InvalidArgumentError(
        absl::StrFormat("ABI version %d (a struct of %d bytes); expected %d (%d bytes)",
                        bot.abi_version, bot.size, TRIARCH_ABI_VERSION, sizeof(triarch_bot)));
  }
  const auto missing = [](std::string_view field) {
    return absl::InvalidArgumentError("missing " + std::string(field));
  };
  if (bot.name == nullptr || *bot.name == '\0') return missing("name");
  if (bot.version == nullptr || *bot.version == '\0') return missing("version");
  if (bot.games == nullptr || *bot.games == nullptr) return missing("list of games");
  if (bot.create == nullptr) return missing("function create");
  if (bot.new_game == nullptr) return missing("function new_game");
  if (bot.choose_move == nullptr) return missing("function choose_move");
  if (bot.destroy == nullptr) return missing("function destroy");
  if (bot.option_count > 0 && bot.options == nullptr) return missing("list of options");
  for (const char* const* game = bot.games; *game != nullptr; ++game) {
    RETURN_IF_ERROR(FindGame(*game).status());
  }
  std::set<std::string_view> names;
  for (size_t i = 0; i < bot.option_count; ++i) {
    const triarch_option& option = bot.options[i];
    if (option.name == nullptr || option.description == nullptr ||
        option.default_value == nullptr) {
      return missing(absl::StrFormat("name, description or default of option %d", i));
    }
    if (!names.insert(option.name).second) {
      return absl::InvalidArgumentError("duplicate option " + Quote(option.name));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<const triarch_bot*> LoadBot(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return absl::NotFoundError(path + ": no such file");
  }
  // The path contains a slash, so dlopen does not search other folders.
  void* const library = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return absl::InvalidArgumentError(std::string(dlerror()));
  using Entry = const triarch_bot* (*)(uint32_t);
  const auto entry = reinterpret_cast<Entry>(dlsym(library, kEntry));
  if (entry == nullptr) {
    return absl::InvalidArgumentError(path + ": does not export the function " + kEntry);
  }
  const triarch_bot* const bot = entry(TRIARCH_ABI_VERSION);
  if (bot == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: the bot does not support ABI version %d", path, TRIARCH_ABI_VERSION));
  }
  const absl::Status fits = CheckBot(*bot);
  if (!fits.ok()) return absl::InvalidArgumentError(path + ": " + std::string(fits.message()));
  return bot;
}

}  // namespace

absl::StatusOr<const Plugin*> Plugin::Load(const std::string& path) {
  static Mutex mutex;
  static auto& loaded = *new std::map<std::string, std::unique_ptr<const Plugin>>();
  MutexLock lock(&mutex);
  std::unique_ptr<const Plugin>& plugin = loaded[path];
  if (plugin == nullptr) {
    ASSIGN_OR_RETURN(const triarch_bot* const bot, LoadBot(path));
    plugin.reset(new Plugin(path, bot));
  }
  return plugin.get();
}

std::vector<std::string> Plugin::games() const {
  std::vector<std::string> games;
  for (const char* const* game = bot_->games; *game != nullptr; ++game) games.emplace_back(*game);
  return games;
}

bool Plugin::plays(std::string_view game) const {
  const std::vector<std::string> all = games();
  return std::find(all.begin(), all.end(), game) != all.end();
}

absl::Status Plugin::Check(const GameInfo& game, const BotSpec& spec) const {
  if (!plays(game.name)) {
    return absl::InvalidArgumentError(absl::StrFormat("%s does not play %s, only %s", path_,
                                                      std::string(game.name),
                                                      absl::StrJoin(games(), ", ")));
  }
  std::vector<std::string> names;
  for (size_t i = 0; i < bot_->option_count; ++i) names.emplace_back(bot_->options[i].name);
  for (const auto& [name, value] : spec.options) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return absl::InvalidArgumentError(
        absl::StrFormat("%s has no option %s; expected %s", path_, Quote(name),
                        names.empty() ? "none" : absl::StrJoin(names, ", ")));
  }
  return absl::OkStatus();
}

absl::StatusOr<void*> Plugin::Create(const GameInfo& game, const BotSpec& spec) const {
  RETURN_IF_ERROR(Check(game, spec));
  triarch_game number = 0;
  CHECK(triarch_find_game(std::string(game.name).c_str(), &number, nullptr) == TRIARCH_OK);
  std::vector<const char*> values;
  for (size_t i = 0; i < bot_->option_count; ++i) {
    const auto given = spec.options.find(bot_->options[i].name);
    values.push_back(given == spec.options.end() ? bot_->options[i].default_value
                                                 : given->second.c_str());
  }
  std::array<char, 512> error{};
  void* self = nullptr;
  const PluginCall call(spec.name, "create");
  try {
    self = bot_->create(number, values.data(), error.data(), error.size());
  } catch (...) {
    return absl::InvalidArgumentError(path_ + ": create threw an exception");
  }
  if (self == nullptr) {
    error.back() = '\0';
    return absl::InvalidArgumentError(
        path_ + ": " +
        (error[0] == '\0' ? "the bot could not be created" : std::string(error.data())));
  }
  return self;
}

absl::StatusOr<std::unique_ptr<SyncPlayer>> Plugin::MakePlayer(const GameInfo& game,
                                                               const BotSpec& spec) const {
  ASSIGN_OR_RETURN(void* const self, Create(game, spec));
  return std::make_unique<PluginPlayer>(*bot_, spec.name, game.seats, self);
}

}  // namespace triarch
