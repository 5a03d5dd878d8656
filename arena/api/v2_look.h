// Serves the part of /api/v2 about the arena and its players.

#ifndef TRIARCH_ARENA_API_V2_LOOK_H_
#define TRIARCH_ARENA_API_V2_LOOK_H_

#include <vector>

#include "arena/api/v2_parts.h"

namespace triarch::arena {

class V2Look {
 public:
  explicit V2Look(const V2Parts& parts) : parts_(parts) {}

  std::vector<V2Entry> Entries();

 private:
  void ShowHealth(const V2Call& call);
  void ListBots(const V2Call& call);
  void ShowLeaderboard(const V2Call& call);
  void ShowStandings(const V2Call& call);
  void ShowPlayer(const V2Call& call);
  void AddPlayer(const V2Call& call);
  void RenewKey(const V2Call& call);

  const V2Parts& parts_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_V2_LOOK_H_
