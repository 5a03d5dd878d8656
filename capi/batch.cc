// Implements the batches of triarch.h.

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/str_format.h"
#include "capi/crew.h"
#include "capi/errors.h"
#include "capi/index_list.h"
#include "capi/plain_state.h"
#include "capi/positions.h"
#include "capi/triarch.h"
#include "core/planes.h"
#include "core/sample.h"

// What a caller holds: the games of one kind behind a common interface.
struct triarch_batch {
  virtual ~triarch_batch() = default;
  virtual void Reset() = 0;
  virtual triarch_status Step(const uint16_t* actions, const triarch_batch_arrays& arrays,
                              triarch_error* error) = 0;
  virtual void Observe(const triarch_batch_arrays& arrays) = 0;
  virtual void Get(size_t number, triarch_state* state) const = 0;
  virtual void Set(size_t number, const triarch_state* state) = 0;
};

namespace triarch::capi {
namespace {

// Byte i of entry b is bit i of b.
constexpr std::array<uint64_t, 256> kSpread = [] {
  std::array<uint64_t, 256> spread{};
  for (size_t bits = 0; bits < 256; ++bits) {
    for (size_t i = 0; i < 8; ++i) spread[bits] |= uint64_t{bits >> i & 1} << (8 * i);
  }
  return spread;
}();

template <class Cell>
std::array<uint64_t, 2> WordsOf(CellSet<Cell> set) {
  return {set.low, set.high};
}
std::array<uint64_t, 1> WordsOf(uint64_t set) { return {set}; }

template <class P>
class Batch final : public triarch_batch {
 public:
  Batch(const P& start, size_t count, const triarch_batch_options& options)
      : start_(start, RulesOf(options.flags)),
        options_(options),
        crew_(options.threads),
        games_(count),
        lists_(crew_.size()) {
    ListMoves(start_, start_moves_);
    Reset();
  }

  void Reset() override {
    for (Game& game : games_) Begin(game);
  }

  triarch_status Step(const uint16_t* actions, const triarch_batch_arrays& arrays,
                      triarch_error* error) override {
    std::atomic<size_t> bad = games_.size();  // the first game with an impossible action
    crew_.Run([&](size_t part) {
      for (size_t i = FirstOf(part); i < FirstOf(part + 1); ++i) {
        if (Read(games_[i], actions[i])) continue;
        size_t first = bad.load();
        while (i < first && !bad.compare_exchange_weak(first, i)) {
        }
        return;
      }
    });
    if (const size_t i = bad.load(); i < games_.size()) {
      return Fail(TRIARCH_ILLEGAL,
                  absl::StrFormat("game %d: action %d is neither a legal move's policy index nor a "
                                  "resignation that is possible",
                                  i, actions[i]),
                  error);
    }
    crew_.Run([&](size_t part) {
      for (size_t i = FirstOf(part); i < FirstOf(part + 1); ++i) Play(games_[i], i, arrays);
    });
    Write(arrays);
    return TRIARCH_OK;
  }

  void Observe(const triarch_batch_arrays& arrays) override {
    for (size_t i = 0; i < games_.size(); ++i) ClearResults(i, arrays);
    Write(arrays);
  }

  void Get(size_t number, triarch_state* state) const override {
    new (state) PlainState<P>(games_[number].state);
  }
  void Set(size_t number, const triarch_state* state) override {
    Game& game = games_[number];
    game.state = StateOf<P>(state);
    game.plies = 0;
    ListMoves(game.state, game.moves);
  }

 private:
  using Move = typename P::Move;
  using CellSet = typename IndexList<P>::Set;
  static constexpr size_t kSeats = P::kInfo.seats;
  static constexpr size_t kCells = SampleShape<P>::kCells;
  static constexpr size_t kPolicySize = SampleShape<P>::kPolicySize;
  static constexpr size_t kPolicyWords = (kPolicySize + 63) / 64;

  enum class Action : uint8_t { kNone, kMove, kResign };

  struct Game {
    PlainState<P> state{P()};
    uint32_t plies = 0;
    Action action = Action::kNone;
    Seat resigns = Seat::kFirst;
    Move move{};
    typename P::MoveSets moves;  // legal now; none if the game is over
  };

  // What a thread needs to list the moves of one game.
  struct Lists {
    IndexList<P> by_cell;
    std::array<uint16_t, IndexList<P>::kRoom> indices;
  };

  size_t FirstOf(size_t part) const { return games_.size() * part / crew_.size(); }

  static void ListMoves(const PlainState<P>& state, typename P::MoveSets& moves) {
    moves.clear();
    if (!state.outcome()) state.position().ListMoves(moves);
  }
  void Begin(Game& game) const {
    game.state = start_;
    game.plies = 0;
    game.moves = start_moves_;
  }
  Seat ViewerOf(const Game& game) const {
    const bool is_fixed = (options_.flags & TRIARCH_FIXED_VIEW) != 0;
    return is_fixed ? Seat::kFirst : game.state.position().to_move();
  }

  // Sets the game's next action. Returns whether it is possible.
  bool Read(Game& game, uint16_t action) const {
    game.action = Action::kNone;
    if (action == TRIARCH_ACTION_NONE) return true;
    if (game.state.outcome()) return false;
    if (action >= TRIARCH_ACTION_RESIGN) {
      const size_t seat = action - size_t{TRIARCH_ACTION_RESIGN};
      if (seat >= kSeats || !game.state.position().is_in(SeatAt(seat))) return false;
      game.action = Action::kResign;
      game.resigns = SeatAt(seat);
      return true;
    }
    if (action >= kPolicySize) return false;
    const std::optional<Move> move =
        MoveAtIndex<P>(game.moves, IndexFromView(kGame<P>, action, ViewerOf(game)));
    if (!move) return false;
    game.action = Action::kMove;
    game.move = *move;
    return true;
  }

  // Takes the game's next action, writes what came of it and begins the next game if it is over.
  void Play(Game& game, size_t i, const triarch_batch_arrays& arrays) const {
    ClearResults(i, arrays);
    if (game.action == Action::kNone) return;
    const P before = game.state.position();
    if (game.action == Action::kResign) {
      game.state.Eliminate(game.resigns, Termination::kResignation);
      ListMoves(game.state, game.moves);
    } else {
      game.state.PlayAndList(game.move, game.moves);
      ++game.plies;
      if (!game.state.outcome() && options_.plies_max > 0 && game.plies >= options_.plies_max) {
        game.state.Adjudicate(Termination::kPlyLimit);
      }
    }
    const P& after = game.state.position();
    const std::optional<Outcome>& outcome = game.state.outcome();
    if (arrays.rewards != nullptr)
      WriteRewards(before, after, outcome, &arrays.rewards[i * kSeats]);
    if (!outcome) return;
    if (arrays.ended != nullptr) {
      arrays.ended[i] = static_cast<uint8_t>(1 + static_cast<int>(outcome->termination));
    }
    if (arrays.places != nullptr) {
      for (size_t s = 0; s < kSeats; ++s) arrays.places[i * kSeats + s] = outcome->place[SeatAt(s)];
    }
    if ((options_.flags & TRIARCH_NO_RESET) == 0) {
      Begin(game);
    } else {
      game.moves.clear();
    }
  }

  static void WriteRewards(const P& before, const P& after, const std::optional<Outcome>& outcome,
                           float* rewards) {
    PerSeat<double> points;
    if (outcome) points = Points(outcome->place, kSeats);
    for (size_t s = 0; s < kSeats; ++s) {
      const Seat seat = SeatAt(s);
      if (!before.is_in(seat)) continue;  // it has had its reward
      if (outcome) {
        rewards[s] = static_cast<float>(2 * points[seat] - 1);
      } else if (!after.is_in(seat)) {
        rewards[s] = -1;  // a running game has at most one seat out, which is last
      }
    }
  }

  static void ClearResults(size_t i, const triarch_batch_arrays& arrays) {
    if (arrays.rewards != nullptr) std::fill_n(&arrays.rewards[i * kSeats], kSeats, 0.0f);
    if (arrays.ended != nullptr) arrays.ended[i] = 0;
    if (arrays.places != nullptr) std::fill_n(&arrays.places[i * kSeats], kSeats, uint8_t{0});
  }

  // Writes the present state of all games.
  void Write(const triarch_batch_arrays& arrays) {
    if (arrays.legal_offsets != nullptr) {
      uint32_t offset = 0;
      for (size_t i = 0; i < games_.size(); ++i) {
        arrays.legal_offsets[i] = offset;
        offset += static_cast<uint32_t>(games_[i].moves.size());
      }
      arrays.legal_offsets[games_.size()] = offset;
    }
    crew_.Run([&](size_t part) {
      for (size_t i = FirstOf(part); i < FirstOf(part + 1); ++i) {
        WriteGame(games_[i], i, arrays);
        WriteMoves(games_[i], i, lists_[part], arrays);
        WritePlanesOf(games_[i], i, arrays);
      }
    });
  }

  static void WriteGame(const Game& game, size_t i, const triarch_batch_arrays& arrays) {
    const P& position = game.state.position();
    if (arrays.seat != nullptr) arrays.seat[i] = static_cast<uint8_t>(Index(position.to_move()));
    if (arrays.plies != nullptr) arrays.plies[i] = game.plies;
    if (arrays.clock != nullptr) arrays.clock[i] = ClockShare(position);
    if (arrays.cells != nullptr && arrays.state != nullptr) {
      PackPosition(position, &arrays.cells[i * kCells], &arrays.state[i * kSampleState]);
    }
  }

  void WriteMoves(const Game& game, size_t i, Lists& lists,
                  const triarch_batch_arrays& arrays) const {
    if (arrays.legal == nullptr && arrays.legal_bits == nullptr && arrays.legal_mask == nullptr) {
      return;
    }
    const uint16_t* const begin = lists.indices.data();
    const uint16_t* const end =
        lists.by_cell.Write(game.moves, ViewerOf(game), lists.indices.data());
    if (arrays.legal != nullptr) std::copy(begin, end, &arrays.legal[arrays.legal_offsets[i]]);
    if (arrays.legal_bits != nullptr) {
      uint64_t* const bits = &arrays.legal_bits[i * kPolicyWords];
      std::fill_n(bits, kPolicyWords, uint64_t{0});
      for (const uint16_t* index = begin; index < end; ++index) {
        bits[*index / 64] |= uint64_t{1} << (*index % 64);
      }
    }
    if (arrays.legal_mask != nullptr) {
      uint8_t* const mask = &arrays.legal_mask[i * kPolicySize];
      std::memset(mask, 0, kPolicySize);
      for (const uint16_t* index = begin; index < end; ++index) mask[*index] = 1;
    }
  }

  void WritePlanesOf(const Game& game, size_t i, const triarch_batch_arrays& arrays) const {
    if (arrays.planes == nullptr && arrays.plane_bits == nullptr) return;
    constexpr size_t kPlanesMax = 64;
    std::array<CellSet, kPlanesMax> planes;
    const size_t count = PlaneNames(kGame<P>).size();
    WritePlanes(game.state.position(), ViewerOf(game), planes.data());
    for (size_t plane = 0; plane < count; ++plane) {
      const auto words = WordsOf(planes[plane]);
      const size_t place = i * count + plane;
      if (arrays.plane_bits != nullptr) {
        std::memcpy(&arrays.plane_bits[place * kCells / 8], words.data(), kCells / 8);
      }
      if (arrays.planes != nullptr) {
        uint8_t* const bytes = &arrays.planes[place * kCells];
        for (size_t b = 0; b < kCells / 8; ++b) {
          const uint64_t spread = kSpread[words[b / 8] >> (8 * (b % 8)) & 0xff];
          std::memcpy(bytes + 8 * b, &spread, 8);
        }
      }
    }
  }

  const PlainState<P> start_;
  const triarch_batch_options options_;
  typename P::MoveSets start_moves_;
  Crew crew_;
  std::vector<Game> games_;
  std::vector<Lists> lists_;  // by thread
};

constexpr uint32_t kThreadsMax = 1024;

// Copies the members that the caller's version of the struct has.
triarch_status ReadArrays(const triarch_batch_arrays& given, triarch_batch_arrays& arrays,
                          triarch_error* error) {
  std::memcpy(&arrays, &given, std::min<size_t>(given.size, sizeof(arrays)));
  if (arrays.legal != nullptr && arrays.legal_offsets == nullptr) {
    return Fail(TRIARCH_INVALID_ARGUMENT, "legal requires legal_offsets", error);
  }
  return TRIARCH_OK;
}

}  // namespace
}  // namespace triarch::capi

namespace capi = triarch::capi;

triarch_status triarch_batch_create(const triarch_position* start, size_t count,
                                    const triarch_batch_options* options, triarch_batch** batch,
                                    triarch_error* error) {
  triarch_batch_options chosen = {};
  if (options != nullptr) {
    std::memcpy(&chosen, options, std::min<size_t>(options->size, sizeof(chosen)));
  }
  if (chosen.threads == 0) chosen.threads = 1;
  if (chosen.threads > capi::kThreadsMax) {
    return capi::Fail(
        TRIARCH_INVALID_ARGUMENT,
        absl::StrFormat("threads %d; expected 1 to %d", chosen.threads, capi::kThreadsMax), error);
  }
#ifdef __EMSCRIPTEN__
  if (chosen.threads > 1) {
    return capi::Fail(TRIARCH_FAILED, "this build has no threads; expected 1", error);
  }
#endif
  return capi::Guard(error, [&] {
    *batch = capi::Visit(start, [&]<class P>(const P& p) -> triarch_batch* {
      return new capi::Batch<P>(p, count, chosen);
    });
    return TRIARCH_OK;
  });
}

void triarch_batch_destroy(triarch_batch* batch) { delete batch; }
void triarch_batch_reset(triarch_batch* batch) { batch->Reset(); }

triarch_status triarch_batch_step(triarch_batch* batch, const uint16_t* actions,
                                  const triarch_batch_arrays* arrays, triarch_error* error) {
  triarch_batch_arrays wanted = {};
  const triarch_status status = capi::ReadArrays(*arrays, wanted, error);
  return status == TRIARCH_OK ? batch->Step(actions, wanted, error) : status;
}

triarch_status triarch_batch_observe(triarch_batch* batch, const triarch_batch_arrays* arrays,
                                     triarch_error* error) {
  triarch_batch_arrays wanted = {};
  const triarch_status status = capi::ReadArrays(*arrays, wanted, error);
  if (status == TRIARCH_OK) batch->Observe(wanted);
  return status;
}

void triarch_batch_get(const triarch_batch* batch, size_t number, triarch_state* state) {
  batch->Get(number, state);
}
void triarch_batch_set(triarch_batch* batch, size_t number, const triarch_state* state) {
  batch->Set(number, state);
}
