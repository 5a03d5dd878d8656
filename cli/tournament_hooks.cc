#include "cli/tournament_hooks.h"

#include <string>

#include "cli/files.h"
#include "core/base/status_macros.h"
#include "worker/host/any_bot.h"
#include "worker/host/bot_digest.h"

namespace triarch {

TournamentHooks MakeTournamentHooks() {
  return {.check_bot = CheckAnyBot,
          .digest_bot = DigestBot,
          .read_file = [](const std::string& path) -> absl::StatusOr<std::string> {
            ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
            return std::string(file.text());
          }};
}

}  // namespace triarch
