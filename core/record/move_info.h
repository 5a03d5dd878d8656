// Holds what a bot said about one of its moves, with bounds for what strangers write.

#ifndef TRIARCH_CORE_RECORD_MOVE_INFO_H_
#define TRIARCH_CORE_RECORD_MOVE_INFO_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace triarch {

class AnyState;

// The bot's own output about a move, recorded if the tournament's option `search_info` is on.
struct MoveInfo {
  static constexpr size_t kLineBytesMax = 200;
  static constexpr size_t kExplanationBytesMax = 500;

  int64_t ply = 0;    // of the move, from 0
  int64_t depth = 0;  // in plies; 0 if the bot did not report it
  int64_t nodes = 0;  // searched for this move; 0 if the bot did not report them
  // The expected continuation in canonical text, beginning with the move itself, with single
  // spaces. Empty if the bot predicted none.
  std::string line = {};
  // The bot's own words, in one or more lines. Empty if it gave none.
  std::string explanation = {};

  bool is_empty() const { return depth == 0 && nodes == 0 && line.empty() && explanation.empty(); }
  // Returns the memory that it takes, for limits.
  size_t bytes() const { return sizeof *this + line.size() + explanation.size(); }
  friend bool operator==(const MoveInfo&, const MoveInfo&) = default;
};

// Bounds the figures, and makes the explanation Printable (core/base/text.h) with single spaces and
// line feeds. Cuts it, after a character, and the line, after a move and before a word that cannot
// be one, to the bounds above. Doing it again changes nothing.
void Sanitize(MoveInfo* info);

// Returns the beginning of the line that is legal in `state`, in canonical text; empty if the line
// does not begin with `move`, the canonical text of the move that is played.
std::string LegalLine(const AnyState& state, std::string_view move, std::string_view line);

// Returns the info about the move of that ply, or null. `infos` ascend by ply.
const MoveInfo* FindInfo(const std::vector<MoveInfo>& infos, int64_t ply);

// Describes it to people: "depth 4, 2000 nodes, expects E2-E4 D7-D5", then the explanation on lines
// of its own.
std::string ToText(const MoveInfo& info);

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_MOVE_INFO_H_
