#include "worker/host/bot_digest.h"

#include "core/base/sha256.h"
#include "core/base/status_macros.h"
#include "spec/bot_manifest.h"

namespace triarch {
namespace {

absl::StatusOr<std::string> DigestBotFolder(const BotSpec& spec) {
  const std::string& folder = spec.copy.empty() ? spec.dir : spec.copy;
  ASSIGN_OR_RETURN(const FilePatterns patterns, FilePatternsOf(folder));
  return DigestFolder(folder, patterns);
}

}  // namespace

absl::StatusOr<std::string> DigestFile(const std::string& path) {
  Sha256 sha;
  RETURN_IF_ERROR(sha.AddFile(path));
  return sha.Hex();
}

absl::StatusOr<std::string> DigestBot(const BotSpec& spec) {
  if (!spec.bundle.empty()) return DigestBotFolder(spec);
  if (const std::string file = FileOf(spec); !file.empty()) return DigestFile(file);
  if (!spec.library.empty()) return DigestFile(spec.library);
  if (!spec.dir.empty()) return DigestBotFolder(spec);
  return std::string();
}

}  // namespace triarch
