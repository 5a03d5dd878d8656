#include "core/game/outcome.h"

#include <array>

#include "core/base/text.h"

namespace triarch {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 16> kTerminations = {"checkmate",
                                                            "stalemate",
                                                            "insufficient_material",
                                                            "threefold_repetition",
                                                            "seventy_five_moves",
                                                            "clock_limit",
                                                            "fifty_moves",
                                                            "king_capture",
                                                            "resignation",
                                                            "time_forfeit",
                                                            "illegal_move",
                                                            "crash",
                                                            "adjudication",
                                                            "material_adjudication",
                                                            "ply_limit",
                                                            "abandoned"};

size_t CountInPlace(const PerSeat<uint8_t>& place, size_t seats, uint8_t which) {
  size_t count = 0;
  for (size_t i = 0; i < seats; ++i) count += place[SeatAt(i)] == which ? 1 : 0;
  return count;
}

}  // namespace

std::string_view ToString(Termination termination) {
  return kTerminations[static_cast<size_t>(termination)];
}

std::optional<Termination> ParseTermination(std::string_view word) {
  for (size_t i = 0; i < kTerminations.size(); ++i) {
    if (kTerminations[i] == word) return static_cast<Termination>(i);
  }
  return std::nullopt;
}

bool IsAdjudication(Termination termination) {
  return termination == Termination::kAdjudication ||
         termination == Termination::kMaterialAdjudication || termination == Termination::kPlyLimit;
}

bool IsForfeit(Termination termination) {
  return termination == Termination::kTimeForfeit || termination == Termination::kIllegalMove ||
         termination == Termination::kCrash;
}

PerSeat<double> Points(const PerSeat<uint8_t>& place, size_t seats) {
  PerSeat<double> points;
  for (size_t i = 0; i < seats; ++i) {
    size_t better = 0;
    size_t equal = 0;
    for (size_t j = 0; j < seats; ++j) {
      better += place[SeatAt(j)] < place[SeatAt(i)] ? 1 : 0;
      equal += place[SeatAt(j)] == place[SeatAt(i)] ? 1 : 0;
    }
    // The k-th of n seats gets (n - k) / (n - 1); ties share the mean of their places.
    const double rank = static_cast<double>(better) + static_cast<double>(equal + 1) / 2;
    points[SeatAt(i)] = (static_cast<double>(seats) - rank) / static_cast<double>(seats - 1);
  }
  return points;
}

std::string ResultText(const PerSeat<uint8_t>& place, size_t seats) {
  const size_t winners = CountInPlace(place, seats, 1);
  const std::string share = winners == 1 ? "1" : "1/2";
  std::string text;
  for (size_t i = 0; i < seats; ++i) {
    if (i != 0) text += '-';
    text += place[SeatAt(i)] == 1 ? share : "0";
  }
  return text;
}

std::string PlacementText(const PerSeat<uint8_t>& place, size_t seats) {
  std::string text;
  for (size_t i = 0; i < seats; ++i) {
    if (i != 0) text += '-';
    text += std::to_string(place[SeatAt(i)]);
  }
  return text;
}

std::optional<PerSeat<uint8_t>> ParsePlacement(std::string_view text, size_t seats) {
  const std::vector<std::string_view> parts = Split(text, '-');
  if (parts.size() != seats) return std::nullopt;
  PerSeat<uint8_t> place;
  for (size_t i = 0; i < seats; ++i) {
    const std::optional<uint64_t> value = ParseUint64(parts[i]);
    if (!value || *value < 1 || *value > seats) return std::nullopt;
    place[SeatAt(i)] = static_cast<uint8_t>(*value);
  }
  // Each place is one more than the number of seats that came in before it.
  for (size_t i = 0; i < seats; ++i) {
    size_t better = 0;
    for (size_t j = 0; j < seats; ++j) better += place[SeatAt(j)] < place[SeatAt(i)] ? 1 : 0;
    if (place[SeatAt(i)] != better + 1) return std::nullopt;
  }
  return place;
}

}  // namespace triarch
