#include "core/record/error_cause.h"

#include "core/base/text.h"

namespace triarch {
namespace {

// Removes the last line of the text, and returns it.
std::string_view TakeLastLine(std::string_view* text) {
  const size_t end = text->find_last_of('\n');
  const bool is_only = end == std::string_view::npos;
  const std::string_view line = is_only ? *text : text->substr(end + 1);
  *text = is_only ? "" : text->substr(0, end);
  return line;
}

}  // namespace

std::string ErrorCause(std::string_view errors) {
  std::string_view rest = Trim(errors);
  const std::string cause(Trim(TakeLastLine(&rest)));
  // The lines of a traceback between its first and its last are indented.
  while (!rest.empty()) {
    const std::string_view line = TakeLastLine(&rest);
    const std::string_view place = Trim(line);
    if (place.starts_with("File \"")) return std::string(place) + ": " + cause;
    if (!line.starts_with(' ')) break;
  }
  return cause;
}

}  // namespace triarch
