#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/play_some.h"

namespace {
using triarch::triumvirate::Position;
}  // namespace

// 3PF: the reader and the validator agree; what is read can be written, read again and played.
FUZZ_TEXT(text) {
  const absl::StatusOr<Position> position = Position::Parse(text);
  const auto validation = Position::Validate3pf(text);
  CHECK(validation.ok == position.ok());
  if (!position.ok()) {
    CHECK(!validation.error_code.empty());
    CHECK(validation.field >= 0 && validation.field <= 7);
    return;
  }
  triarch::CheckText(*position);
  triarch::PlaySome(*position, triarch::SeedOf(text));
}
