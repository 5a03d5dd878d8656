#ifndef TRIARCH_WORKER_HOST_BOT_DIGEST_H_
#define TRIARCH_WORKER_HOST_BOT_DIGEST_H_

#include <string>

#include "absl/status/statusor.h"
#include "bundle/bundle.h"
#include "core/record/game_spec.h"

namespace triarch {

// The SHA-256 of a file's contents, in hex.
absl::StatusOr<std::string> DigestFile(const std::string& path);

// The digest of what a bot brings along: its library, its folder (DigestFolder), which is that of
// its bundle too, or a torch bot's model; empty if it has none of them.
absl::StatusOr<std::string> DigestBot(const BotSpec& spec);

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_BOT_DIGEST_H_
