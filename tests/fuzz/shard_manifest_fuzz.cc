// Fuzzes shard manifests: an error is one line with its position; accepted entries round-trip.

#include "selfplay/shard/manifest.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TEXT(text) {
  const auto entries = triarch::ParseManifest(text, "m");
  if (!entries.ok()) {
    const std::string message(entries.status().message());
    CHECK(message.starts_with("m:") && message.find('\n') == std::string::npos);
    return;
  }
  for (const triarch::ShardEntry& entry : *entries) {
    const auto again = triarch::ParseManifestLine(triarch::ManifestLine(entry));
    CHECK(again.ok() && *again == entry);
  }
}
