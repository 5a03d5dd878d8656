// Defines what the parts of /api/v2 share.

#ifndef TRIARCH_ARENA_API_V2_PARTS_H_
#define TRIARCH_ARENA_API_V2_PARTS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "arena/api/accounts.h"
#include "arena/api/reply.h"
#include "arena/api/results.h"
#include "arena/api/route.h"
#include "arena/session/event_log.h"
#include "arena/session/session.h"

namespace triarch::arena {

struct V2Parts {
  // A bot that players can choose as an opponent.
  struct HouseBot {
    std::string bot;
    std::string description;
  };
  Session* session = nullptr;
  EventLog* log = nullptr;
  Accounts* accounts = nullptr;
  StoreAccess store;
  std::function<int64_t()> now_ms;
  TableSettings settings;  // the times of tables
  std::vector<HouseBot> bots;
  // Checks that a house bot with these options can play the game.
  std::function<absl::Status(const std::string& game, const std::string& word)> check_bot;
  std::function<std::shared_ptr<const Results>()> results;
};

struct V2Call {
  Exchange exchange;
  std::vector<std::string> path;  // the parameters
  const Route& route;
};

struct V2Entry {
  Route route;
  std::function<void(const V2Call&)> handle;
};

// Reads the parameter `notations` for a game.
absl::StatusOr<std::vector<std::string>> NotationsOf(
    const std::map<std::string, std::string>& query, const std::string& game);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_V2_PARTS_H_
