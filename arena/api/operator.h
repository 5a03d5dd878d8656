// Serves /api/v2/operator, with which an operator blocks and mutes players and closes tables.

#ifndef TRIARCH_ARENA_API_OPERATOR_H_
#define TRIARCH_ARENA_API_OPERATOR_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arena/api/accounts.h"
#include "arena/api/bans.h"
#include "arena/api/body.h"
#include "arena/api/reply.h"
#include "arena/api/route.h"
#include "arena/session/session.h"

namespace triarch::arena {

class ApiOperator {
 public:
  struct Parts {
    Session* session = nullptr;
    Bans* bans = nullptr;
    Accounts* accounts = nullptr;
    StoreAccess store;
    std::function<int64_t()> now_ms;
    // Whether the header Authorization has an operator's token. Null: there are no operators.
    std::function<bool(std::string_view authorization)> is_operator;
    // Called with what an operator did: a literal, and what it concerned.
    std::function<void(std::string_view done, const std::string& what)> log;
  };
  explicit ApiOperator(Parts parts) : parts_(std::move(parts)) {}

  static const std::vector<Route>& Routes();

  // Answers the request if its path is one of this API's; otherwise returns false.
  bool Handle(const Exchange& exchange);

 private:
  struct Entry {
    Route route;
    void (ApiOperator::*handler)(const Exchange&, const Body&);
  };

  static const std::vector<Entry>& Entries();
  void ListBans(const Exchange& exchange, const Body& body);
  void Block(const Exchange& exchange, const Body& body);
  void Unblock(const Exchange& exchange, const Body& body);
  void Mute(const Exchange& exchange, const Body& body);
  void Unmute(const Exchange& exchange, const Body& body);
  void Close(const Exchange& exchange, const Body& body);
  void Remove(const Exchange& exchange, const Body& body);
  void ReplaceKey(const Exchange& exchange, const Body& body);
  void Add(const Exchange& exchange, const Body& body, Ban ban);
  void Lift(const Exchange& exchange, const Ban& ban);
  // Lets the table decide, and replies its stage after that.
  void Decide(const Exchange& exchange, std::string_view done, const std::string& table,
              Session::Decide decide);

  const Parts parts_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_OPERATOR_H_
