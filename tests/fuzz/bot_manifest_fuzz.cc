#include "spec/bot_manifest.h"
#include "tests/fuzz/fuzz.h"

// Manifests: a fault is one line with its place.
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
