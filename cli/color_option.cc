#include "cli/color_option.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "core/base/text.h"

namespace triarch {
namespace {

// Colours are for people: not for pipes, nor for those who decline them (no-color.org).
bool IsColorWanted() {
  const char* const declined = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  if (declined != nullptr && *declined != '\0') return false;
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return isatty(STDOUT_FILENO) == 1;
}

}  // namespace

void AddColorOption(CLI::App* command, std::string* when) {
  command
      ->add_option("--color", *when,
                   "auto, always or never; auto is only for terminals and heeds NO_COLOR")
      ->type_name("WHEN")
      ->capture_default_str();
}

absl::StatusOr<bool> IsColored(const std::string& when) {
  if (when == "auto") return IsColorWanted();
  if (when == "always" || when == "never") return when == "always";
  return absl::InvalidArgumentError("--color: expected auto, always or never, not " + Quote(when));
}

}  // namespace triarch
