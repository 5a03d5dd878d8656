#include "cli/tournament_hooks.h"

#include <string>

#include "bots/bots.h"
#include "cli/files.h"
#include "core/base/status_macros.h"

namespace triarch {

TournamentHooks MakeTournamentHooks() {
  return {.check_bot = CheckBot,
          .read_file = [](const std::string& path) -> absl::StatusOr<std::string> {
            ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
            return std::string(file.text());
          }};
}

}  // namespace triarch
