// Defines the features of a position, from which a small network estimates its value.

#ifndef TRIARCH_CORE_GAME_FEATURES_H_
#define TRIARCH_CORE_GAME_FEATURES_H_

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/game/position.h"
#include "core/game/seat.h"

// A feature is a fact about a position that holds or not: "a knight of the first seat stands on
// A1", "the second seat is to move". A move changes a handful of them. Features are numbered from
// 0; every game declares in its features.h:
//   constexpr size_t FeatureCount(kGame<P>)
//   Feature FeatureInView(kGame<P>, Feature, Seat viewer)
//       the feature as the viewer sees it, who is seat 0 of a board that is turned accordingly. For
//       each viewer, this is a permutation.
//   void ListPieces(const P&, Set cells, FeatureList&)
//       adds the feature of each piece on these cells, which are occupied
//   Set ChangedCells(const P& a, const P& b)
//       all cells for which ListPieces may differ, also those that are empty in one of both
//   constexpr Feature FlagFeature(kGame<P>)  the first of the kFlags last numbers, of other facts
//   uint32_t Flags(const P&)                  which of these hold
//   void ListMarks(const P&, FeatureList&)    features of cells without a piece, such as en passant
namespace triarch {

using Feature = uint16_t;

class FeatureList {
 public:
  static constexpr size_t kMax = 128;  // 96 pieces, the flags and some marks

  void Add(Feature feature) { features_[size_++] = feature; }
  void clear() { size_ = 0; }
  size_t size() const { return size_; }
  const Feature* begin() const { return features_.data(); }
  const Feature* end() const { return features_.data() + size_; }

 private:
  std::array<Feature, kMax> features_;
  size_t size_ = 0;
};

// The numbers of common flags: kind · 3 + seat.
enum class Flag : uint8_t { kToMove, kIsIn, kInCheck, kShortCastling, kLongCastling };

inline constexpr size_t kFlags = 15;

constexpr uint32_t FlagBit(Flag flag, Seat seat, bool is_set) {
  return (is_set ? 1u : 0u) << (3 * static_cast<unsigned>(flag) + Index(seat));
}
// Returns the number of a seat as the viewer sees it.
constexpr int SeatInView(int seat, Seat viewer, size_t seats) {
  const int turned = seat - static_cast<int>(Index(viewer));
  return turned < 0 ? turned + static_cast<int>(seats) : turned;
}
// Returns the number of a flag as the viewer sees it. The third seat of a game for two has flags
// that are never set.
constexpr int FlagInView(int flag, Seat viewer, size_t seats) {
  const int seat = flag % 3;
  if (seat >= static_cast<int>(seats)) return flag;
  return flag - seat + SeatInView(seat, viewer, seats);
}

// Returns the flags that every game has.
template <Position P>
uint32_t CommonFlags(const P& position) {
  uint32_t flags = FlagBit(Flag::kToMove, position.to_move(), true);
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    const Seat seat = SeatAt(i);
    flags |= FlagBit(Flag::kIsIn, seat, position.is_in(seat)) |
             FlagBit(Flag::kInCheck, seat, position.in_check(seat));
  }
  return flags;
}

template <class P>
concept HasFeatures = Position<P> && requires(const P p, FeatureList& list, Seat viewer) {
  { FeatureCount(kGame<P>) } -> std::same_as<size_t>;
  { FeatureInView(kGame<P>, Feature{}, viewer) } -> std::same_as<Feature>;
  { FlagFeature(kGame<P>) } -> std::same_as<Feature>;
  { Flags(p) } -> std::same_as<uint32_t>;
  { ListMarks(p, list) } -> std::same_as<void>;
};

// Adds the feature of each flag that is set.
template <class P>
void ListFlags(uint32_t flags, FeatureList& list) {
  for (; flags != 0; flags &= flags - 1) {
    list.Add(static_cast<Feature>(FlagFeature(kGame<P>) + std::countr_zero(flags)));
  }
}

// Replaces the list by all features of the position.
template <HasFeatures P>
void ListFeatures(const P& position, FeatureList& list) {
  list.clear();
  ListPieces(position, position.occupied(), list);
  ListMarks(position, list);
  ListFlags<P>(Flags(position), list);
}

// Adds the features of `list` that `other` lacks.
inline void AddMissing(const FeatureList& list, const FeatureList& other, FeatureList& missing) {
  for (const Feature feature : list) {
    if (std::find(other.begin(), other.end(), feature) == other.end()) missing.Add(feature);
  }
}

// Replaces the lists by the features that `before` has and `after` lacks, and the other way round.
// A feature may stand in both lists.
template <HasFeatures P>
void ListChanges(const P& before, uint32_t flags_before, const P& after, uint32_t flags_after,
                 FeatureList& lost, FeatureList& gained) {
  lost.clear();
  gained.clear();
  const auto changed = ChangedCells(before, after);
  ListPieces(before, changed & before.occupied(), lost);
  ListPieces(after, changed & after.occupied(), gained);
  FeatureList marks_before;
  FeatureList marks_after;
  ListMarks(before, marks_before);
  ListMarks(after, marks_after);
  AddMissing(marks_before, marks_after, lost);
  AddMissing(marks_after, marks_before, gained);
  ListFlags<P>(flags_before & ~flags_after, lost);
  ListFlags<P>(flags_after & ~flags_before, gained);
}

// The features as each seat sees them: `table[viewer][feature]`.
using FeatureViews = PerSeat<std::vector<Feature>>;

template <HasFeatures P>
const FeatureViews& ViewsOfFeatures() {
  static const FeatureViews views = [] {
    FeatureViews made;
    for (size_t i = 0; i < P::kInfo.seats; ++i) {
      for (size_t feature = 0; feature < FeatureCount(kGame<P>); ++feature) {
        made[SeatAt(i)].push_back(
            FeatureInView(kGame<P>, static_cast<Feature>(feature), SeatAt(i)));
      }
    }
    return made;
  }();
  return views;
}

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_FEATURES_H_
