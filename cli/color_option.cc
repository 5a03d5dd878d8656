#include "cli/color_option.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace triarch {
namespace {

// Colors are for terminals whose user has not declined them (no-color.org).
bool IsColorWanted() {
  const char* const declined = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  if (declined != nullptr && *declined != '\0') return false;
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return isatty(STDOUT_FILENO) == 1;
}

}  // namespace

void AddColorOption(const Command& command, std::string* when) {
  command.AddChoice({"--color", "WHEN",
                     "Use colors: auto, always or never; auto means on a\n"
                     "terminal, unless NO_COLOR is set"},
                    {"auto", "always", "never"}, when);
}

bool IsColored(const std::string& when) {
  return when == "always" || (when == "auto" && IsColorWanted());
}

}  // namespace triarch
