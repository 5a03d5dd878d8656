// Shortens the names of a table so that they stay different.

#ifndef TRIARCH_COORDINATOR_RATINGS_SHORT_NAMES_H_
#define TRIARCH_COORDINATOR_RATINGS_SHORT_NAMES_H_

#include <cstddef>
#include <string>
#include <vector>

namespace triarch {

// Returns the names in the same order. Those of more than `width` columns lose a part that they
// share with all names like them ("mybot-v1…move", "mybot-v2…move"), or stay as they are if that
// cannot make them short enough. Different names never become equal.
std::vector<std::string> ShortNames(const std::vector<std::string>& names, size_t width);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_RATINGS_SHORT_NAMES_H_
