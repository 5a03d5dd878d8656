// A small search bot, as a template for your C++ bot. It assumes that each player maximizes its own
// evaluation (max-n) and deepens by one ply at a time up to the limits of the turn. Build it alone
// with
//   c++ -std=c++20 -shared -fPIC -O2 -I capi -I bots/sdk -o search_bot.so
//   bots/sdk/examples/search_bot.cc
// and enter it as {name: mine, library: ./search_bot.so, depth: 2}.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "triarch_bot.h"

namespace {

using Scores = std::array<int32_t, TRIARCH_SEATS_MAX>;

constexpr int32_t kWin = 100'000;
constexpr uint32_t kDepthMax = 32;
constexpr uint64_t kNodesBetweenLooks = 256;

class SearchBot {
 public:
  SearchBot(triarch_game game, uint32_t depth)
      : seats_(triarch_get_game_info(game)->seats), depth_(depth), plies_(kDepthMax + 1) {}

  void NewGame(uint64_t seed) { seed_ = seed; }

  void Choose(const triarch_turn& turn, triarch_answer& answer) {
    turn_ = &turn;
    nodes_ = 0;
    is_stopped_ = false;
    std::vector<triarch_move> moves(turn.moves, turn.moves + turn.move_count);
    Shuffle(moves);  // so games differ if moves are equal
    const triarch_position& position = turn.state->position;
    const triarch_seat me = triarch_to_move(&position);
    const uint32_t depth_max = turn.depth > 0 ? std::min(turn.depth, kDepthMax) : depth_;
    answer.move = moves.front();
    for (uint32_t depth = 1; depth <= depth_max; ++depth) {
      std::optional<Scores> best;
      size_t best_at = 0;
      for (size_t i = 0; i < moves.size(); ++i) {
        const Scores scores = ScoresOf(position, moves[i], depth - 1);
        if (is_stopped_) break;
        if (best && scores[me] <= (*best)[me]) continue;
        best = scores;
        best_at = i;
      }
      if (!best) break;
      // The best move comes first, so that an interrupted search still has it.
      std::rotate(moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(best_at),
                  moves.begin() + static_cast<std::ptrdiff_t>(best_at) + 1);
      answer.move = moves.front();
      SetShares(*best, answer);
      if (is_stopped_) break;
    }
    answer.nodes = nodes_;
    answer.pv_length = 1;
    answer.pv[0] = answer.move;
  }

 private:
  // One position and one move list per ply, created once.
  struct Ply {
    triarch_position position;
    std::array<triarch_move, TRIARCH_MOVES_MAX> moves;
  };

  // Returns each seat's score after `move`, searched `depth` plies further.
  Scores ScoresOf(const triarch_position& before, triarch_move move, uint32_t depth) {
    Ply& ply = plies_[depth];
    ply.position = before;
    triarch_play(&ply.position, move);
    if (++nodes_ % kNodesBetweenLooks == 0) is_stopped_ = turn_->should_stop(turn_) != 0;
    if (turn_->nodes > 0 && nodes_ >= turn_->nodes) is_stopped_ = true;

    triarch_outcome outcome;
    if (triarch_get_outcome(&ply.position, &outcome)) return ScoresOfPlaces(outcome);
    Scores scores{};
    if (depth == 0 || is_stopped_) {
      triarch_evaluate(&ply.position, scores.data());
      return scores;
    }
    const triarch_seat mover = triarch_to_move(&ply.position);
    const size_t count = triarch_legal_moves(&ply.position, ply.moves.data());
    bool is_first = true;
    for (size_t i = 0; i < count && (is_first || !is_stopped_); ++i) {
      const Scores after = ScoresOf(ply.position, ply.moves[i], depth - 1);
      if (is_first || after[mover] > scores[mover]) scores = after;
      is_first = false;
    }
    return scores;
  }

  Scores ScoresOfPlaces(const triarch_outcome& outcome) const {
    Scores scores{};
    for (uint32_t seat = 0; seat < seats_; ++seat) {
      scores[seat] = kWin * (static_cast<int32_t>(seats_) -
                             2 * static_cast<int32_t>(outcome.places[seat]) + 1);
    }
    return scores;
  }

  // Estimates each seat's share of the points: a softmax of the scores with scale 200.
  void SetShares(const Scores& scores, triarch_answer& answer) const {
    const int32_t top = *std::max_element(scores.begin(), scores.begin() + seats_);
    double sum = 0;
    for (uint32_t seat = 0; seat < seats_; ++seat) {
      answer.shares[seat] = std::exp((scores[seat] - top) / 200.0);
      sum += answer.shares[seat];
    }
    for (uint32_t seat = 0; seat < seats_; ++seat) answer.shares[seat] /= sum;
    answer.has_shares = 1;
  }

  void Shuffle(std::vector<triarch_move>& moves) {
    for (size_t i = moves.size(); i > 1; --i) {
      seed_ = seed_ * 6364136223846793005u + 1442695040888963407u;
      std::swap(moves[i - 1], moves[(seed_ >> 33) % i]);
    }
  }

  const uint32_t seats_;
  const uint32_t depth_;
  std::vector<Ply> plies_;
  uint64_t seed_ = 0;
  const triarch_turn* turn_ = nullptr;
  uint64_t nodes_ = 0;
  bool is_stopped_ = false;
};

// ---- The ABI. No exception may cross it.

void* Create(triarch_game game, const char* const* values, char* error, size_t error_size) {
  uint32_t depth = 0;
  const char* const end = values[0] + std::strlen(values[0]);
  const auto [rest, fault] = std::from_chars(values[0], end, depth);
  if (fault != std::errc() || rest != end || depth < 1 || depth > kDepthMax) {
    std::snprintf(error, error_size, "usual_depth: %s is not a number from 1 to %u", values[0],
                  kDepthMax);
    return nullptr;
  }
  try {
    return new SearchBot(game, depth);
  } catch (const std::exception& e) {
    std::snprintf(error, error_size, "%s", e.what());
    return nullptr;
  }
}

int NewGame(void* self, triarch_seat /*seat*/, uint64_t seed) {
  static_cast<SearchBot*>(self)->NewGame(seed);
  return 0;
}

int ChooseMove(void* self, const triarch_turn* turn, triarch_answer* answer) {
  try {
    static_cast<SearchBot*>(self)->Choose(*turn, *answer);
    return 0;
  } catch (...) {
    return 1;
  }
}

void Destroy(void* self) { delete static_cast<SearchBot*>(self); }

constexpr const char* kGames[] = {"triumvirate", "three-way", "tri-d", nullptr};
constexpr triarch_option kOptions[] = {
    {"usual_depth", "plies to search if the match sets no depth, 1 to 32 (2)", "2"}};
constexpr triarch_bot kBot = {.size = sizeof(triarch_bot),
                              .abi_version = TRIARCH_ABI_VERSION,
                              .name = "search-cc",
                              .version = "1.0",
                              .games = kGames,
                              .options = kOptions,
                              .option_count = std::size(kOptions),
                              .create = Create,
                              .new_game = NewGame,
                              .choose_move = ChooseMove,
                              .policy = nullptr,
                              .destroy = Destroy};

}  // namespace

const triarch_bot* triarch_bot_entry(uint32_t abi_version) {
  return abi_version == TRIARCH_ABI_VERSION ? &kBot : nullptr;
}
