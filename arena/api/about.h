// Serves the pages that describe the API: /llms.txt and /openapi.json.

#ifndef TRIARCH_ARENA_API_ABOUT_H_
#define TRIARCH_ARENA_API_ABOUT_H_

#include "arena/api/reply.h"

namespace triarch::arena {

// Answers the request if it is for one of these pages; otherwise returns false.
bool ShowAbout(const Exchange& exchange);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_ABOUT_H_
