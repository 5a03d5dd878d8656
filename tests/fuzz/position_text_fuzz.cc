// Fuzzes position texts (3PF, HexFEN, TFEN) in every game.

#include <string>

#include "core/base/text.h"
#include "core/games.h"
#include "core/text.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/play_some.h"

namespace triarch {
namespace {

// Checks that the message has the form "CODE field N: message".
void CheckError(std::string_view message) {
  constexpr std::string_view kField = " field ";
  const size_t code_end = message.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
  CHECK(code_end != 0 && code_end != std::string_view::npos);
  CHECK(message.substr(code_end).starts_with(kField));
  const std::string_view rest = message.substr(code_end + kField.size());
  CHECK(ParseUint64(rest.substr(0, rest.find(':'))).has_value());
}

template <Position P>
void TryGame(std::string_view text) {
  const absl::StatusOr<P> position = Parse(kGame<P>, text);
  if constexpr (std::is_same_v<P, triumvirate::Position>) {
    CHECK(triumvirate::Validate3pf(text).ok == position.ok());
  }
  if (!position.ok()) return CheckError(std::string(position.status().message()));
  CheckText(*position);
  PlaySome(*position, SeedOf(text));
}

}  // namespace
}  // namespace triarch

// Errors are well formed. An accepted position survives a round trip and can be played.
FUZZ_TEXT(text) {
  triarch::ForEachGame(triarch::Games(), [&]<class P>() {
    triarch::TryGame<P>(text);
    return false;
  });
}
