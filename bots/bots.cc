// The one heavy unit of this folder: it makes every bot for every game of core/games.h.

#include "bots/bots.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "bots/greedy/greedy.h"
#include "bots/llm/curl_client.h"
#include "bots/llm/environment.h"
#include "bots/llm/llm_player.h"
#include "bots/maxn/maxn.h"
#include "bots/mcts/mcts.h"
#include "bots/paranoid/paranoid.h"
#include "bots/random/random_player.h"
#include "bots/settings.h"
#include "bots/smart/smart.h"
#include "bots/torch/puct.h"
#include "bots/torch/torch_models.h"
#include "core/attackers.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "core/games.h"

namespace triarch {
namespace {

constexpr int kResignTurns = 3;

// A bot of one game in a seat of any game.
template <class Bot>
class BotPlayer final : public Player {
 public:
  using P = typename Bot::Game;

  template <class... Args>
  explicit BotPlayer(const BotSettings& settings, Args&&... args)
      : settings_(settings), bot_(std::forward<Args>(args)...) {}

  // Is told why the bot forfeits, if it can fail.
  void SetLog(std::function<void(const std::string&)> log) { log_ = std::move(log); }

  void NewGame(Seat seat, uint64_t seed) override {
    seat_ = seat;
    hopeless_turns_ = 0;
    bot_.NewGame(seat, seed);
  }

  Decision Choose(const AnyState& any_state, const AnyState::Moves& any_moves,
                  const SearchLimits& limits) override {
    const GameState<P>* state = any_state.As<P>();
    CHECK(state != nullptr);
    const auto result = bot_.Search(*state, LimitsFor(settings_, limits));
    if constexpr (requires { Bot::kTakesNoise; }) {
      if (limits.search_info != nullptr) limits.search_info->has_noise = limits.noise.has_value();
    }
    Decision decision{.nodes = result.nodes, .eval = std::nullopt};
    if constexpr (requires { bot_.status(); }) {
      if (!bot_.status().ok()) return Forfeit(bot_.status());
    }
    if constexpr (requires { bot_.Think(*state, *limits.search_info); }) {
      if (limits.search_info != nullptr) bot_.Think(*state, *limits.search_info);
    }
    const MoveList<typename P::Move>& moves = any_moves.As<P>();
    decision.move =
        static_cast<size_t>(std::find(moves.begin(), moves.end(), result.move) - moves.begin());
    if (result.points) {
      decision.eval = Shares<P>(*result.points);
      decision.kind = KindOf(*state, *result.points, (*decision.eval)[seat_]);
    }
    if constexpr (requires { bot_.Policy(); }) {
      if (limits.search_info != nullptr)
        Think(state->position(), result, moves, *limits.search_info);
    }
    return decision;
  }

 private:
  Decision Forfeit(const absl::Status& status) const {
    if (log_) log_(std::string(status.message()));
    return {.kind = Decision::Kind::kForfeit, .why = Termination::kCrash, .eval = std::nullopt};
  }

  // What the last search thinks, in the order of `moves`, and, if asked, in words: "depth 4, nodes
  // 2000, shares 0.52 0.31 0.17, line E2-E4 …".
  void Think(const P& position, const SearchResult<typename P::Move>& result,
             const MoveList<typename P::Move>& moves, SearchInfo& search_info) const {
    search_info.policy.assign(moves.size(), 0);
    for (const auto& [move, weight] : bot_.Policy()) {
      const auto found = std::find(moves.begin(), moves.end(), move);
      search_info.policy[static_cast<size_t>(found - moves.begin())] = weight;
    }
    if (!search_info.wants_explanation) return;
    search_info.explanation =
        absl::StrFormat("depth %d, nodes %d, shares", result.depth, result.nodes);
    const PerSeat<double> shares = Shares<P>(*result.points);
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      absl::StrAppendFormat(&search_info.explanation, " %.3f", shares[SeatAt(i)]);
    }
    search_info.explanation += ", line";
    P next = position;
    for (const typename P::Move move : bot_.Line()) {
      search_info.explanation += ' ' + next.MoveToString(move);
      next.Play(move);
    }
  }

  // Claims a draw unless playing on is better; resigns if asked to, when it sees no hope.
  Decision::Kind KindOf(const GameState<P>& state, const PerSeat<Score>& points, double share) {
    if (state.claimable() && points[seat_] <= DrawPoints(state.position())[seat_]) {
      return Decision::Kind::kClaimDraw;
    }
    hopeless_turns_ = share * 100 < settings_.resign_percent ? hopeless_turns_ + 1 : 0;
    return hopeless_turns_ >= kResignTurns ? Decision::Kind::kResign : Decision::Kind::kMove;
  }

  const BotSettings settings_;
  Bot bot_;
  Seat seat_ = Seat::kFirst;
  int hopeless_turns_ = 0;  // in a row
  std::function<void(const std::string&)> log_ = nullptr;
};

// Requires: the bot is a bundled one that searches.
template <Position P>
std::unique_ptr<Player> MakePlayerOf(const BotSpec& spec, BotSettings settings) {
  if (spec.bot == "greedy") {
    return std::make_unique<BotPlayer<Greedy<P>>>(settings);
  }
  if (spec.bot == "smart") {
    return std::make_unique<BotPlayer<Smart<P>>>(settings, settings.weights);
  }
  if (spec.bot == "paranoid") {
    return std::make_unique<BotPlayer<Paranoid<P>>>(settings);
  }
  if (spec.bot == "maxn") {
    return std::make_unique<BotPlayer<Maxn<P>>>(settings);
  }
  CHECK(spec.bot == "mcts");
  return std::make_unique<BotPlayer<Mcts<P>>>(settings,
                                              MctsOptions{.exploration = settings.exploration});
}

template <Position... Ps>
std::unique_ptr<Player> MakePlayerFor(GameList<Ps...>, const GameInfo& game, const BotSpec& spec,
                                      const BotSettings& settings) {
  std::unique_ptr<Player> player;
  ((Ps::kInfo.name == game.name ? void(player = MakePlayerOf<Ps>(spec, settings)) : void()), ...);
  return player;
}

template <Position P>
absl::StatusOr<std::unique_ptr<Player>> MakeTorchPlayerOf(
    const BotSpec& spec, const BotSettings& settings, std::function<void(const std::string&)> log) {
  ASSIGN_OR_RETURN(std::shared_ptr<EvalQueue> queue,
                   FindTorchModel(settings.torch, ShapeOf<P>(), spec.digest));
  auto player = std::make_unique<BotPlayer<Puct<P>>>(settings, settings.puct, std::move(queue));
  player->SetLog(std::move(log));
  return player;
}

absl::StatusOr<std::unique_ptr<Player>> MakeTorchPlayer(
    const GameInfo& game, const BotSpec& spec, const BotSettings& settings,
    const std::function<void(const std::string&)>& log) {
  absl::StatusOr<std::unique_ptr<Player>> player = nullptr;
  ForEachGame(Games(), [&]<Position P>() {
    if (P::kInfo.name != game.name) return false;
    player = MakeTorchPlayerOf<P>(spec, settings, log);
    return true;
  });
  return player;
}

absl::StatusOr<std::unique_ptr<Player>> MakeLlmPlayer(const GameInfo& game, const BotSpec& spec,
                                                      std::function<void(const std::string&)> log) {
  RETURN_IF_ERROR(CheckBot(game, spec));
  ASSIGN_OR_RETURN(const llm::Settings settings, ReadLlmSettings(spec));
  ASSIGN_OR_RETURN(llm::Environment environment, llm::ReadEnvironment(settings));
  return std::make_unique<llm::LlmPlayer>(settings, std::move(environment), llm::MakeCurlClient(),
                                          std::move(log));
}

}  // namespace

absl::Status CheckBotHere(const BotSpec& spec) {
  if (spec.bot == kTorchBot) return CheckTorch();
  if (spec.bot != kLlmBot) return absl::OkStatus();
  ASSIGN_OR_RETURN(const llm::Settings settings, ReadLlmSettings(spec));
  return llm::ReadEnvironment(settings).status();
}

bool IsPlayedHere(std::string_view bot) {
  BotSpec spec;
  spec.bot = bot;
  return CheckBotHere(spec).ok();
}

absl::StatusOr<std::unique_ptr<Player>> MakePlayer(const GameInfo& game, const BotSpec& spec,
                                                   std::function<void(const std::string&)> log) {
  if (spec.bot == kLlmBot) return MakeLlmPlayer(game, spec, std::move(log));
  ASSIGN_OR_RETURN(const BotSettings settings, ReadSettings(spec));
  if (spec.bot == "random") return std::make_unique<RandomPlayer>();
  if (spec.bot == kTorchBot) return MakeTorchPlayer(game, spec, settings, log);
  std::unique_ptr<Player> player = MakePlayerFor(Games(), game, spec, settings);
  CHECK(player != nullptr);
  return player;
}

}  // namespace triarch
