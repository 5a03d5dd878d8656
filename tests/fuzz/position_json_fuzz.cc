// Fuzzes position JSON in every game: an accepted position survives a round trip and can be played.

#include "core/games.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/play_some.h"

namespace triarch {
namespace {

template <Position P>
void TryGame(std::string_view text) {
  const absl::StatusOr<P> position = P::FromJson(text);
  if (!position.ok()) return;
  const std::string json = position->ToJson();
  const absl::StatusOr<P> again = P::FromJson(json);
  CHECK(again.ok());
  CHECK(again->ToJson() == json);
  CHECK(again->ToString() == position->ToString());
  CheckText(*position);
  PlaySome(*position, SeedOf(text));
}

}  // namespace
}  // namespace triarch

FUZZ_TEXT(text) {
  triarch::ForEachGame(triarch::Games(), [&]<class P>() {
    triarch::TryGame<P>(text);
    return false;
  });
}
