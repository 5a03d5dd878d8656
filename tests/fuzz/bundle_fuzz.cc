// Fuzzes tars of bundles: an accepted bundle obeys the rules and survives a round trip.

#include "bundle/bundle.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TEXT(text) {
  const absl::StatusOr<triarch::Bundle> bundle = triarch::Bundle::FromTar(text);
  if (!bundle.ok()) return;
  CHECK(bundle->bytes() <= triarch::kBundleBytesMax);
  CHECK(bundle->files().size() <= triarch::kBundleFilesMax);
  for (const auto& [path, file] : bundle->files()) CHECK(triarch::CheckBundlePath(path).ok());
  const absl::StatusOr<triarch::Bundle> again = triarch::Bundle::FromTar(bundle->ToTar());
  CHECK(again.ok() && again->files() == bundle->files());
}
