// Stores positions and states as the plain bytes of the C ABI.

#ifndef TRIARCH_CAPI_PLAIN_STATE_H_
#define TRIARCH_CAPI_PLAIN_STATE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>

#include "capi/triarch.h"
#include "core/game/game_state.h"
#include "core/games.h"

namespace triarch::capi {

// The number of a game: triarch_game.
template <class P>
inline constexpr uint64_t kTag = 0;
template <>
inline constexpr uint64_t kTag<triumvirate::Position> = TRIARCH_TRIUMVIRATE;
template <>
inline constexpr uint64_t kTag<three_way::Position> = TRIARCH_THREE_WAY;
template <>
inline constexpr uint64_t kTag<tri_d::Position> = TRIARCH_TRI_D;

// A triarch_position: a P, and at the end the number of its game.
template <class P>
struct TaggedPosition : P {
  TaggedPosition() = default;
  explicit TaggedPosition(const P& position) : P(position) {}

  static_assert(sizeof(P) < sizeof(triarch_position));
  std::array<uint8_t, sizeof(triarch_position) - sizeof(uint64_t) - sizeof(P)> padding{};
  uint64_t tag = kTag<P>;
};

// The keys of the last positions, without a pointer. Forgets the oldest key when it is full. By
// then a draw may be claimed in every game: after 225 plies without an irreversible move in
// Triumvirate, 100 in the others.
class RecentKeys {
 public:
  void clear() { size_ = 0; }
  void push_back(uint64_t key) {
    if (size_ == kMax) {
      std::copy(keys_.begin() + 1, keys_.end(), keys_.begin());
      --size_;
    }
    keys_[size_++] = key;
  }
  uint64_t back() const { return keys_[size_ - 1]; }
  const uint64_t* begin() const { return keys_.data(); }
  const uint64_t* end() const { return keys_.data() + size_; }

 private:
  static constexpr size_t kMax = 240;

  uint64_t size_ = 0;
  std::array<uint64_t, kMax> keys_{};
};

template <class P>
struct PlainStorage {
  using Position = TaggedPosition<P>;
  using Keys = RecentKeys;
};

// A triarch_state. Its position is at its beginning.
template <class P>
using PlainState = GameState<P, PlainStorage<P>>;

template <class P>
const P& PositionOf(const triarch_position* position) {
  static_assert(sizeof(TaggedPosition<P>) == sizeof(triarch_position));
  static_assert(std::is_trivially_copyable_v<TaggedPosition<P>>);
  return *std::launder(reinterpret_cast<const TaggedPosition<P>*>(position));
}
template <class P>
P& PositionOf(triarch_position* position) {
  return *std::launder(reinterpret_cast<TaggedPosition<P>*>(position));
}
template <class P>
const PlainState<P>& StateOf(const triarch_state* state) {
  static_assert(sizeof(PlainState<P>) <= sizeof(triarch_state));
  static_assert(std::is_trivially_copyable_v<PlainState<P>>);
  return *std::launder(reinterpret_cast<const PlainState<P>*>(state));
}
template <class P>
PlainState<P>& StateOf(triarch_state* state) {
  return *std::launder(reinterpret_cast<PlainState<P>*>(state));
}
template <class P>
void Store(const P& from, triarch_position* to) {
  new (to) TaggedPosition<P>(from);
}

// Reads triarch_state_flags.
constexpr DrawRules RulesOf(uint32_t flags) {
  return {.draws = (flags & TRIARCH_DRAWS_CLAIMED) != 0 ? Draws::kClaimed : Draws::kAutomatic,
          .insufficient_material = (flags & TRIARCH_MATERIAL_DRAWS) != 0};
}

// Convert a move to its number and back.
template <class Move>
constexpr triarch_move NumberOf(Move move) {
  static_assert(sizeof(Move) == sizeof(triarch_move));
  return __builtin_bit_cast(triarch_move, move);  // Emscripten's library has no std::bit_cast
}
template <class P>
constexpr typename P::Move MoveOf(triarch_move number) {
  return __builtin_bit_cast(typename P::Move, number);
}

inline uint64_t TagOf(const triarch_position* position) {
  return position->words[sizeof(position->words) / sizeof(uint64_t) - 1];
}

// Returns f.operator()<P>() for the game with that number; for another number, the last game's.
template <class F, class P, class... Ps>
decltype(auto) VisitTag(GameList<P, Ps...>, uint64_t tag, F f) {
  if constexpr (sizeof...(Ps) == 0) {
    return f.template operator()<P>();
  } else {
    if (tag == kTag<P>) return f.template operator()<P>();
    return VisitTag(GameList<Ps...>(), tag, f);
  }
}

// Calls f(position) with the P, and f(state) with the PlainState<P>.
template <class F>
decltype(auto) Visit(const triarch_position* position, F f) {
  return VisitTag(Games(), TagOf(position),
                  [&]<class P>() -> decltype(auto) { return f(PositionOf<P>(position)); });
}
template <class F>
decltype(auto) Visit(triarch_position* position, F f) {
  return VisitTag(Games(), TagOf(position),
                  [&]<class P>() -> decltype(auto) { return f(PositionOf<P>(position)); });
}
template <class F>
decltype(auto) Visit(const triarch_state* state, F f) {
  return VisitTag(Games(), TagOf(&state->position),
                  [&]<class P>() -> decltype(auto) { return f(StateOf<P>(state)); });
}
template <class F>
decltype(auto) Visit(triarch_state* state, F f) {
  return VisitTag(Games(), TagOf(&state->position),
                  [&]<class P>() -> decltype(auto) { return f(StateOf<P>(state)); });
}

}  // namespace triarch::capi

#endif  // TRIARCH_CAPI_PLAIN_STATE_H_
