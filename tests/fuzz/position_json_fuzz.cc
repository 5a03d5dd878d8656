#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/play_some.h"

namespace {
using triarch::triumvirate::Position;
}  // namespace

// Position JSON: what is read can be written, read again and played.
FUZZ_TEXT(text) {
  const absl::StatusOr<Position> position = Position::FromJson(text);
  if (!position.ok()) return;
  const std::string json = position->ToJson();
  const absl::StatusOr<Position> again = Position::FromJson(json);
  CHECK(again.ok());
  CHECK(again->ToJson() == json);
  CHECK(again->ToString() == position->ToString());
  triarch::CheckText(*position);
  triarch::PlaySome(*position, triarch::SeedOf(text));
}
