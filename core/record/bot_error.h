// Names the bot in an error.

#ifndef TRIARCH_CORE_RECORD_BOT_ERROR_H_
#define TRIARCH_CORE_RECORD_BOT_ERROR_H_

#include <string>

#include "absl/status/status.h"
#include "core/record/game_spec.h"

namespace triarch {

// Returns the error with "bot NAME: " before its message. Requires: it is an error.
inline absl::Status WithBotName(const BotSpec& bot, const absl::Status& error) {
  return absl::Status(error.code(), "bot " + bot.name + ": " + std::string(error.message()));
}

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_BOT_ERROR_H_
