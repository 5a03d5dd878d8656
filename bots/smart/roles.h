// Assigns each seat a role by material: leader, middle or underdog.

#ifndef TRIARCH_BOTS_SMART_ROLES_H_
#define TRIARCH_BOTS_SMART_ROLES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "bots/smart/survey.h"
#include "core/game/seat.h"

namespace triarch {

// A seat's role by its material.
enum class Role : uint8_t { kOut, kUnderdog, kMiddle, kLeader };

constexpr std::string_view RoleName(Role role) {
  switch (role) {
    case Role::kOut:
      return "out";
    case Role::kUnderdog:
      return "underdog";
    case Role::kMiddle:
      return "middle";
    case Role::kLeader:
      return "leader";
  }
  return "";
}

// A seat leads if it is this far ahead of every other seat, in hundredths of a pawn. It is the
// underdog if it is this far behind every other. All other seats are in the middle, as are all
// seats if no lead is large enough. With two seats, one can be the leader and the other the
// underdog.
inline constexpr int kRoleMargin = 150;

template <HasAttackers P>
PerSeat<Role> RolesOf(const Survey<P>& survey) {
  PerSeat<Role> roles;
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    const Seat seat = SeatAt(i);
    if (!survey.position.is_in(seat)) continue;
    bool is_ahead = true;
    bool is_behind = true;
    for (size_t j = 0; j < P::kInfo.seats; ++j) {
      const Seat other = SeatAt(j);
      if (other == seat || !survey.position.is_in(other)) continue;
      const int lead = survey.material[seat] - survey.material[other];
      is_ahead &= lead >= kRoleMargin;
      is_behind &= lead <= -kRoleMargin;
    }
    roles[seat] = is_ahead ? Role::kLeader : is_behind ? Role::kUnderdog : Role::kMiddle;
  }
  return roles;
}

// Returns the seat to attack first, if any: for a leader the underdog, which is closest to
// elimination (and whose army it may inherit), for all others the leader.
template <HasAttackers P>
std::optional<Seat> TargetOf(const PerSeat<Role>& roles, Seat me) {
  const Role wanted = roles[me] == Role::kLeader ? Role::kUnderdog : Role::kLeader;
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    if (SeatAt(i) != me && roles[SeatAt(i)] == wanted) return SeatAt(i);
  }
  return std::nullopt;
}

// Returns, by seat, how much of a rival's loss counts as a gain of `me`, in percent: 0 for `me` and
// for eliminated seats, 100 for a sole rival. With two rivals, 50 and 70 won fewer games than 90.
// A difference of 30 between the rivals won fewer games than equal figures; 10 costs nothing.
template <HasAttackers P>
PerSeat<int> AimsOf(const PerSeat<Role>& roles, Seat me) {
  constexpr int kAim = 90;
  constexpr int kMoreForTarget = 10;
  PerSeat<int> aims;
  int rivals = 0;
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    if (SeatAt(i) != me && roles[SeatAt(i)] != Role::kOut) ++rivals;
  }
  const std::optional<Seat> target = TargetOf<P>(roles, me);
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    const Seat seat = SeatAt(i);
    if (seat == me || roles[seat] == Role::kOut) continue;
    aims[seat] = rivals == 1 ? 100 : kAim + (seat == target ? kMoreForTarget : 0);
  }
  return aims;
}

}  // namespace triarch

#endif  // TRIARCH_BOTS_SMART_ROLES_H_
