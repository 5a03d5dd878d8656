// Serves the part of /api/v2 that players use.

#ifndef TRIARCH_ARENA_API_V2_PLAY_H_
#define TRIARCH_ARENA_API_V2_PLAY_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "arena/api/body.h"
#include "arena/api/long_polls.h"
#include "arena/api/v2_parts.h"

namespace triarch::arena {

class V2Play {
 public:
  V2Play(const V2Parts& parts, LongPolls& polls) : parts_(parts), polls_(polls) {}

  std::vector<V2Entry> Entries();

 private:
  void Join(const V2Call& call);
  void JoinAs(const Exchange& exchange, const std::shared_ptr<absl::StatusOr<Body>>& body);
  void ShowTurn(const V2Call& call);
  void Move(const V2Call& call);
  void Resign(const V2Call& call);
  void Leave(const V2Call& call);
  void Say(const V2Call& call);
  void ClaimDraw(const V2Call& call);
  void Fill(const V2Call& call);
  void Rematch(const V2Call& call);
  // Finds the seat of the request's token, or replies 401.
  using WithSeat = std::function<void(const Table&, const Table::Holder&)>;
  void FindSeat(const Exchange& exchange, const WithSeat& then);
  void Decide(const Exchange& exchange, const Session::Decide& decide);
  void ReplyTurn(const Exchange& exchange, const Reply& reply, const std::string& token);
  absl::StatusOr<JoinAsk> ReadJoin(const Body& body, const StoredPlayer* player) const;
  absl::Status ReadSettings(const Body& body, bool is_claimed, TableSettings& settings) const;
  absl::Status ReadOpponents(const Body& body, bool* is_anyone, TableSettings& settings) const;
  void Sit(const Exchange& exchange, JoinAsk ask);
  JoinAsk RematchOf(const Table& table, Seat seat) const;

  const V2Parts& parts_;
  LongPolls& polls_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_V2_PLAY_H_
