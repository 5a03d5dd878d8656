// Implements the searches of triarch.h.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bots/searchers.h"
#include "capi/errors.h"
#include "capi/plain_state.h"
#include "capi/triarch.h"
#include "core/any_state.h"
#include "core/base/text.h"
#include "core/text.h"

struct triarch_search {
  triarch_game game;
  std::unique_ptr<triarch::SyncPlayer> player;
  uint64_t seed = 0;
  std::optional<triarch::Seat> seat;  // of the game that the player plays, if it has begun
  std::atomic<bool> stop = false;
};

namespace capi = triarch::capi;

namespace triarch::capi {
namespace {

absl::StatusOr<BotSpec> ReadSpec(const char* bot, const char* const* options) {
  BotSpec spec{.name = bot, .bot = bot};
  for (; options != nullptr && *options != nullptr; options += 2) {
    if (options[1] == nullptr) {
      return absl::InvalidArgumentError("option " + Quote(options[0]) + " has no value");
    }
    spec.options[options[0]] = options[1];
  }
  return spec;
}

SearchLimits ReadLimits(const triarch_limits* given) {
  SearchLimits limits;
  if (given == nullptr) return limits;
  if (given->nodes > 0) {
    limits.nodes = static_cast<int64_t>(std::min<uint64_t>(given->nodes, INT64_MAX));
  }
  if (given->depth > 0) limits.depth = given->depth;
  if (given->milliseconds > 0) {
    limits.deadline =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(given->milliseconds);
  }
  return limits;
}

// Writes the expected line, as far as it is legal and has room.
template <class P>
void WriteLine(P position, const std::vector<std::string>& line, triarch_answer& answer) {
  for (const std::string& text : line) {
    if (answer.pv_length == TRIARCH_PV_MAX || position.outcome()) return;
    const absl::StatusOr<typename P::Move> move = ParseMove(position, text);
    if (!move.ok()) return;
    answer.pv[answer.pv_length++] = capi::NumberOf(*move);
    position.Play(*move);
  }
}

template <class P>
triarch_status Choose(triarch_search& search, const PlainState<P>& plain, SearchLimits limits,
                      triarch_answer& answer, float* policy, triarch_error* error) {
  if (kTag<P> != static_cast<uint64_t>(search.game)) {
    return Fail(TRIARCH_INVALID_ARGUMENT, "the search is for another game than the state", error);
  }
  if (plain.outcome()) return Fail(TRIARCH_ILLEGAL, "the game is over", error);
  if (search.seat != plain.position().to_move()) {
    search.seat = plain.position().to_move();
    search.player->NewGame(*search.seat, search.seed);
  }
  const AnyState state{GameState<P>(plain)};
  const AnyState::Moves moves = state.LegalMoves();
  SearchInfo info;
  limits.stop = &search.stop;
  limits.search_info = &info;
  const Decision decision = search.player->Choose(state, moves, limits);
  search.stop = false;
  if (decision.kind == Decision::Kind::kForfeit) {
    return Fail(TRIARCH_FAILED, "the searcher failed", error);
  }
  answer = {};
  switch (decision.kind) {
    case Decision::Kind::kResign:
      answer.kind = TRIARCH_RESIGN;
      break;
    case Decision::Kind::kClaimDraw:
      answer.kind = TRIARCH_CLAIM_DRAW;
      break;
    default:
      answer.kind = TRIARCH_PLAY;
      break;
  }
  answer.move = capi::NumberOf(moves.As<P>()[decision.move]);
  answer.nodes = static_cast<uint64_t>(decision.nodes);
  if (decision.eval) {
    answer.has_shares = 1;
    for (size_t i = 0; i < P::kInfo.seats; ++i) answer.shares[i] = (*decision.eval)[SeatAt(i)];
  }
  WriteLine<P>(plain.position(), info.line, answer);
  if (policy != nullptr) {
    info.policy.resize(moves.size());
    std::copy(info.policy.begin(), info.policy.end(), policy);
  }
  return TRIARCH_OK;
}

}  // namespace
}  // namespace triarch::capi

const char* const* triarch_searchers(void) {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const triarch::BundledBot* const bot : triarch::Searchers()) all.emplace_back(bot->name);
    return all;
  }();
  static const std::vector<const char*> pointers = [] {
    std::vector<const char*> all;
    for (const std::string& name : names) all.push_back(name.c_str());
    all.push_back(nullptr);
    return all;
  }();
  return pointers.data();
}

triarch_status triarch_search_create(triarch_game game, const char* bot, const char* const* options,
                                     triarch_search** search, triarch_error* error) {
  const triarch_game_info* const info = triarch_get_game_info(game);
  if (info == nullptr) {
    return capi::Fail(TRIARCH_INVALID_ARGUMENT, "unknown game; triarch_find_game knows them",
                      error);
  }
  return capi::Guard(error, [&] {
    const absl::StatusOr<const triarch::BundledBot*> found =
        triarch::FindBot(triarch::Searchers(), bot);
    if (!found.ok()) return capi::Fail(TRIARCH_INVALID_ARGUMENT, found.status(), error);
    const absl::StatusOr<triarch::BotSpec> spec = capi::ReadSpec(bot, options);
    if (!spec.ok()) return capi::Fail(TRIARCH_INVALID_ARGUMENT, spec.status(), error);
    auto player = triarch::MakePlayer(**found, **triarch::FindGame(info->name), *spec);
    if (!player.ok()) return capi::Fail(TRIARCH_INVALID_ARGUMENT, player.status(), error);
    auto made = std::make_unique<triarch_search>();
    made->game = game;
    made->player = *std::move(player);
    *search = made.release();
    return TRIARCH_OK;
  });
}

void triarch_search_destroy(triarch_search* search) { delete search; }

void triarch_search_new_game(triarch_search* search, uint64_t seed) {
  search->seed = seed;
  search->seat.reset();
}

triarch_status triarch_search_choose(triarch_search* search, const triarch_state* state,
                                     const triarch_limits* limits, triarch_answer* answer,
                                     float* policy, triarch_error* error) {
  return capi::Guard(error, [&] {
    return capi::Visit(state, [&]<class P>(const capi::PlainState<P>& plain) {
      return capi::Choose<P>(*search, plain, capi::ReadLimits(limits), *answer, policy, error);
    });
  });
}

void triarch_search_stop(triarch_search* search) { search->stop = true; }
