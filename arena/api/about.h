// Serves the pages that describe the API: /llms.txt and /openapi.json.

#ifndef TRIARCH_ARENA_API_ABOUT_H_
#define TRIARCH_ARENA_API_ABOUT_H_

#include <initializer_list>
#include <vector>

#include "arena/api/reply.h"
#include "arena/api/route.h"

namespace triarch::arena {

// Answers the request if it is for one of these pages, of an arena with these routes; otherwise
// returns false.
bool ShowAbout(const Exchange& exchange, std::initializer_list<const std::vector<Route>*> routes);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_ABOUT_H_
