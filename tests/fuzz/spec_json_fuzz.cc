// Fuzzes a tournament's spec as JSON: an accepted spec is written and read to the same bytes.

#include "spec/spec_json.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TEXT(text) {
  const absl::StatusOr<triarch::TournamentSpec> spec = triarch::SpecFromJson(text);
  if (!spec.ok()) return;
  const std::string json = triarch::SpecToJson(*spec);
  const absl::StatusOr<triarch::TournamentSpec> again = triarch::SpecFromJson(json);
  CHECK(again.ok());
  CHECK(triarch::SpecToJson(*again) == json);
  CHECK(triarch::SpecDifference(*spec, *again).empty());
}
