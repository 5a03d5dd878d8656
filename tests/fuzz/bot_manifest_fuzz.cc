// Fuzzes bot manifests: an error is one line with its position.

#include "spec/bot_manifest.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TEXT(text) {
  const absl::StatusOr<triarch::BotManifest> manifest = triarch::ParseBotManifest(text, "bot.yaml");
  if (manifest.ok()) {
    CHECK(!manifest->name.empty() && !manifest->games.empty());
    CHECK(manifest->command.empty() != manifest->library.empty());
    return;
  }
  const std::string message(manifest.status().message());
  CHECK(message.starts_with("bot.yaml:"));
  CHECK(message.find('\n') == std::string::npos);
}
