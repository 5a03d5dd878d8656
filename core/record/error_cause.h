// Finds the cause of a crash in what a bot wrote to its standard error.

#ifndef TRIARCH_CORE_RECORD_ERROR_CAUSE_H_
#define TRIARCH_CORE_RECORD_ERROR_CAUSE_H_

#include <string>
#include <string_view>

namespace triarch {

// Returns the last line that is not empty, trimmed; "" if there is none. If it ends a traceback of
// Python, the innermost place comes first: `File "bot.py", line 3: SyntaxError: invalid syntax`.
std::string ErrorCause(std::string_view errors);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_ERROR_CAUSE_H_
