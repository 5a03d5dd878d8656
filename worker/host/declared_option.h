// Finds out what a bot declares about one of its options.

#ifndef TRIARCH_WORKER_HOST_DECLARED_OPTION_H_
#define TRIARCH_WORKER_HOST_DECLARED_OPTION_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/record/declared_option.h"
#include "core/record/game_spec.h"

namespace triarch {

// Asks the bot, bundled or not; a process is started. A plugin declares only defaults, and a bundle
// that is not on this machine nothing. InvalidArgument if the bot has no such option or its values
// are no numbers; other codes if the bot cannot be asked.
absl::StatusOr<DeclaredOption> FindDeclaredOption(std::string_view game, const BotSpec& spec,
                                                  const std::string& name);

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_DECLARED_OPTION_H_
