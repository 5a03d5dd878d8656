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

// What a seat is by its material.
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

// A seat leads if it is so far ahead of every other, in hundredths of a pawn, and is the underdog
// if it is so far behind every other. All others are in the middle; so are all where nobody's lead
// is worth the name, and one of two may well be the leader and the other the underdog.
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

// Whom a seat should attack first, if anybody: a leader the underdog, whose end is nearest (and
// whose army it may inherit), all others the leader.
template <HasAttackers P>
std::optional<Seat> TargetOf(const PerSeat<Role>& roles, Seat me) {
  const Role wanted = roles[me] == Role::kLeader ? Role::kUnderdog : Role::kLeader;
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    if (SeatAt(i) != me && roles[SeatAt(i)] == wanted) return SeatAt(i);
  }
  return std::nullopt;
}

// How much of a rival's loss counts as a gain of `me`, in percent, by seat; 0 for `me` and for who
// is out. Of one rival's loss all counts. With two, 50 and 70 won fewer games than 90, and
// 30 more for one of them won fewer than the same for both; 10 more costs nothing.
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
