// Defines seats, and values per seat.

#ifndef TRIARCH_CORE_GAME_SEAT_H_
#define TRIARCH_CORE_GAME_SEAT_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace triarch {

// A player's position in the order of turns. A colour (White, Black, Red) is only its display name.
enum class Seat : uint8_t { kFirst, kSecond, kThird };

inline constexpr size_t kSeatsMax = 3;

constexpr size_t Index(Seat seat) { return static_cast<size_t>(seat); }
constexpr Seat SeatAt(size_t index) { return static_cast<Seat>(index); }

// One T per seat. A game with two seats does not use the third value.
template <class T>
struct PerSeat {
  std::array<T, kSeatsMax> values{};

  constexpr T& operator[](Seat seat) { return values[Index(seat)]; }
  constexpr const T& operator[](Seat seat) const { return values[Index(seat)]; }
  constexpr auto begin() { return values.begin(); }
  constexpr auto end() { return values.end(); }
  constexpr auto begin() const { return values.begin(); }
  constexpr auto end() const { return values.end(); }
  friend constexpr bool operator==(const PerSeat&, const PerSeat&) = default;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_SEAT_H_
