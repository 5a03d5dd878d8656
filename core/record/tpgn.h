#ifndef TRIARCH_CORE_RECORD_TPGN_H_
#define TRIARCH_CORE_RECORD_TPGN_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/record/game_record.h"

// TPGN, the text form of a recorded game (docs/formats.md). Writing needs no rules; reading is in
// two steps, the text's own grammar and then the replay by the rules.
namespace triarch {

// One game, tags first, ending with an empty line.
std::string WriteTpgn(const GameRecord& record);

// One thing in the movetext of a game.
struct TpgnItem {
  enum class Kind : uint8_t { kMove, kSkip, kUnrecorded, kComment };  // E2-E4  --  ...  {…}
  Kind kind = Kind::kMove;
  int64_t round = 0;  // the move number that it stands under
  size_t slot = 0;    // 0..seats-1; of a comment: of the item before it
  std::string text;   // a move without its + or #; a comment without braces
  char suffix = 0;    // '+', '#' or 0
  int line = 0;       // in the file, from 1
};

struct TpgnGame {
  int line = 0;  // where it begins
  std::vector<std::pair<std::string, std::string>> tags;
  std::vector<TpgnItem> items;
  std::string result;  // the token that ends the movetext

  std::optional<std::string_view> tag(std::string_view name) const;
};

// Reads the games of a text one by one.
class TpgnReader {
 public:
  explicit TpgnReader(std::string_view text) : text_(text) {}

  // The next game; nothing at the end of the text. After an error ("line N: …") the reader goes on
  // with the next game's tags.
  std::optional<absl::StatusOr<TpgnGame>> Next();

 private:
  std::string_view text_;
  size_t offset_ = 0;
  int line_ = 1;
};

// Plays the game by the rules. The error says where and why: "move 12, Black: …", "tag Result: …".
absl::StatusOr<GameRecord> ReplayTpgn(const TpgnGame& game);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_TPGN_H_
