// Describes an API for programs, in the format OpenAPI.

#ifndef TRIARCH_ARENA_API_OPEN_API_H_
#define TRIARCH_ARENA_API_OPEN_API_H_

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "arena/api/route.h"

namespace triarch::arena {

// Returns the text of /openapi.json for an API with that title and these routes.
std::string OpenApiJson(std::string_view title,
                        std::initializer_list<const std::vector<Route>*> all);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_OPEN_API_H_
