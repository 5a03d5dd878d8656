// Computes digests that identify the files of a bot.

#ifndef TRIARCH_WORKER_HOST_BOT_DIGEST_H_
#define TRIARCH_WORKER_HOST_BOT_DIGEST_H_

#include <string>

#include "absl/status/statusor.h"
#include "bundle/bundle.h"
#include "core/record/game_spec.h"

namespace triarch {

// Returns the SHA-256 of a file's contents, in hex.
absl::StatusOr<std::string> DigestFile(const std::string& path);

// Returns the digest of the bot's files: its library, its folder (DigestFolder, equal to its
// bundle's digest) or the model of a torch bot. Returns "" if the bot has no files.
absl::StatusOr<std::string> DigestBot(const BotSpec& spec);

}  // namespace triarch

#endif  // TRIARCH_WORKER_HOST_BOT_DIGEST_H_
