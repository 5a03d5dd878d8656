#ifndef TRIARCH_CORE_RECORD_TPGN_H_
#define TRIARCH_CORE_RECORD_TPGN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/game/position.h"
#include "core/record/game_record.h"

// TPGN, the text form of a recorded game (docs/tpgn.md). Writing needs no rules; reading is in
// two steps, the text's own grammar and then the replay by the rules.
namespace triarch {

// One game, tags first, ending with an empty line. Equal records give equal bytes. Requires: the
// record's game is one of the list, and each event is by a seat of it.
std::string WriteTpgn(const GameRecord& record);
// The same with the names and seats of `info`, whatever game the record names.
std::string WriteTpgn(const GameRecord& record, const GameInfo& info);

// One thing in the movetext of a game.
struct TpgnItem {
  enum class Kind : uint8_t { kMove, kSkip, kUnrecorded, kComment };  // E2-E4  --  ...  {…}
  Kind kind = Kind::kMove;
  int64_t round = 0;  // the move number before it; 0 if none has come yet
  size_t slot = 0;    // how many items but comments stand between that number and it
  std::string text;   // a move without its + or #; a comment without braces, on one line
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

// Reads the games of a text one by one. It takes what PGN readers take: any white space, a byte
// order mark, `;` and `%` comments, variations and glyphs ($1, !?), which are passed over.
class TpgnReader {
 public:
  // The text must outlive the reader.
  explicit TpgnReader(std::string_view text) : text_(text) {}

  // The next game; nothing at the end of the text. After an error ("line N: …") the reader goes on
  // with the next game's tags.
  std::optional<absl::StatusOr<TpgnGame>> Next();

 private:
  std::string_view text_;
  size_t offset_ = 0;
  int line_ = 1;
};

// Plays the game by the rules: each move must be legal, in its seat's slot and under its number
// (where numbers stand); what resigns, forfeits or claims in a comment is obeyed; the tags on how
// it ended must agree with the rules as far as they are given. A missing + or # is no fault, one
// that claims what is not so is. After "..." nothing more can be checked: the record has the moves
// up to there and is not finished. The error says where and why: "move 12, Black: …", "tag
// Result: …".
absl::StatusOr<GameRecord> ReplayTpgn(const TpgnGame& game);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_TPGN_H_
