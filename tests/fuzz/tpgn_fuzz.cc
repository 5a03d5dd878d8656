// Fuzzes TPGN: a game that replays is written, read and replayed to the same bytes.

#include "core/record/tpgn.h"
#include "tests/fuzz/fuzz.h"

namespace {

absl::StatusOr<triarch::GameRecord> ReadOne(std::string_view text) {
  triarch::TpgnReader reader(text);
  const std::optional<absl::StatusOr<triarch::TpgnGame>> game = reader.Next();
  CHECK(game.has_value() && game->ok());
  CHECK(!reader.Next().has_value());
  return triarch::ReplayTpgn(**game);
}

}  // namespace

FUZZ_TEXT(text) {
  triarch::TpgnReader reader(text);
  size_t count = 0;
  while (const std::optional<absl::StatusOr<triarch::TpgnGame>> game = reader.Next()) {
    CHECK(++count <= text.size());
    if (!game->ok()) continue;
    const absl::StatusOr<triarch::GameRecord> record = triarch::ReplayTpgn(**game);
    if (!record.ok()) continue;
    const std::string written = triarch::WriteTpgn(*record);
    const absl::StatusOr<triarch::GameRecord> again = ReadOne(written);
    CHECK(again.ok());
    CHECK(triarch::WriteTpgn(*again) == written);
  }
}
