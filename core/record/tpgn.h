// Writes and reads TPGN, the text form of a recorded game (docs/tpgn.md).

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

// Writing needs no rules. Reading has two steps: TpgnReader parses the text, ReplayTpgn plays it.
namespace triarch {

// Writes one game: tags, moves, an empty line. Equal records yield equal bytes. Requires: the
// record's game is known and has the seats of its events.
std::string WriteTpgn(const GameRecord& record);
// Writes a game with the names and seats of `info`, whatever the record's game.
std::string WriteTpgn(const GameRecord& record, const GameInfo& info);

// What an analysis adds to the text of a game. Its evaluations are those of the record's events.
struct TpgnNotes {
  struct Note {
    bool is_blunder = false;
    std::string comment = {};            // without braces; empty for none
    std::vector<std::string> line = {};  // a variation: the best moves instead; empty for none
  };
  std::string annotator;    // the tag
  std::vector<Note> notes;  // by event; only moves can have one
};
// Writes a game with notes. Requires: a note for each event.
std::string WriteTpgn(const GameRecord& record, const GameInfo& info, const TpgnNotes& notes);

// An item of the movetext.
struct TpgnItem {
  enum class Kind : uint8_t { kMove, kSkip, kUnrecorded, kComment };  // E2-E4  --  ...  {…}
  Kind kind = Kind::kMove;
  int64_t round = 0;  // the move number before it; 0 if none
  size_t slot = 0;    // number of items, excluding comments, since that number
  std::string text;   // a move without + or #; a comment without braces, on one line
  char suffix = 0;    // '+', '#' or 0
  int line = 0;       // in the file, from 1
};

struct TpgnGame {
  int line = 0;  // where it begins
  std::vector<std::pair<std::string, std::string>> tags;
  std::vector<TpgnItem> items;
  std::string result;  // the token at the end of the movetext

  std::optional<std::string_view> tag(std::string_view name) const;
};

// Reads the games of a text one by one. Like PGN readers, accepts any white space, a byte order
// mark, and `;` and `%` comments, and skips variations and glyphs ($1, !?).
class TpgnReader {
 public:
  // The text must outlive the reader.
  explicit TpgnReader(std::string_view text) : text_(text) {}

  // Returns the next game, or nullopt at the end of the text. After an error ("line N: …") the
  // reader continues with the next game's tags.
  std::optional<absl::StatusOr<TpgnGame>> Next();
  // Returns the bytes of the text that have been read.
  size_t offset() const { return offset_; }

 private:
  std::string_view text_;
  size_t offset_ = 0;
  int line_ = 1;
};

// Replays the game by the rules. Each move must be legal and stand in its seat's slot, under the
// right number if any. Executes resignations, forfeits and claims in comments. Tags about the
// ending must agree with the rules if present. A + or # may be missing but not wrong. Moves after
// "..." are unknown, so the record ends there, unfinished. Errors give location and reason: "move
// 12, Black: …", "tag Result: …".
absl::StatusOr<GameRecord> ReplayTpgn(const TpgnGame& game);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_TPGN_H_
