// Fuzzes position JSON in every game: an accepted position survives a round trip and can be played.

#include "core/games.h"
#include "core/json.h"
#include "core/text.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/play_some.h"

namespace triarch {
namespace {

template <Position P>
void TryGame(std::string_view text) {
  const absl::StatusOr<P> position = FromJson(kGame<P>, text);
  if (!position.ok()) return;
  const std::string json = ToJson(*position);
  const absl::StatusOr<P> again = FromJson(kGame<P>, json);
  CHECK(again.ok());
  CHECK(ToJson(*again) == json);
  CHECK(ToString(*again) == ToString(*position));
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
