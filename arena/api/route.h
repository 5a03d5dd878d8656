// Describes the routes of an API, and finds that of a request.

#ifndef TRIARCH_ARENA_API_ROUTE_H_
#define TRIARCH_ARENA_API_ROUTE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arena/api/reply.h"

namespace triarch::arena {

// What a request must show in its header Authorization.
enum class Secret : uint8_t { kNone, kToken, kKey, kMaybeKey, kOperator };

struct Route {
  std::string_view method;  // "GET" or "POST"
  std::string_view path;    // "/api/v2/tables/{id}/events"
  std::string_view summary;
  Secret secret = Secret::kNone;
  // The members of the body and the parameters of the query, separated by spaces. A member is a
  // text unless its name is followed by ":integer", ":boolean" or ":texts" (a text or a list).
  std::string_view fields = "";
  std::string_view query = "";
  std::string_view answer = "the answer, as JSON";
  int status = 200;  // of the answer
};

// Finds the route of a request, and returns its index and the texts of the path's parameters. If
// no route has the path and the method, replies 404 or 405 and returns nothing.
struct FoundRoute {
  size_t index = 0;
  std::vector<std::string> parameters;
};
std::optional<FoundRoute> FindRoute(const std::vector<Route>& routes, const Exchange& exchange);

// Returns the pattern of the request's route, such as "/api/v2/tables/{id}"; empty if it has none.
std::string_view PatternOf(const std::vector<Route>& routes, const WebRequest& request);

// Returns the names of a list such as Route::fields without their types, separated by spaces.
std::string NamesOf(std::string_view fields);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_ROUTE_H_
