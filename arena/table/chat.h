// Keeps what the players of a table say.

#ifndef TRIARCH_ARENA_TABLE_CHAT_H_
#define TRIARCH_ARENA_TABLE_CHAT_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "arena/table/event.h"
#include "core/game/seat.h"

namespace triarch::arena {

inline constexpr size_t kMessageMax = 256;  // characters (code points)
inline constexpr size_t kChatKept = 20;     // messages
inline constexpr int kSaidMax = 200;        // messages of a seat without a move

struct ChatLine {
  int64_t move_number = 0;
  Seat seat = Seat::kFirst;
  std::string name;
  std::string text;
};

class Chat {
 public:
  // Returns the last messages.
  const std::deque<ChatLine>& lines() const { return lines_; }

  // Adds the message of an event, if it has one; it came with a move or without one.
  void Add(const Event& event, int64_t move_number, const std::string& name);
  // Checks what a seat wants to say without a move and returns it as one line; empty if it has just
  // said that. InvalidArgument: it is no message. ResourceExhausted: the seat has said enough.
  absl::StatusOr<std::string> Check(Seat seat, std::string_view message) const;

 private:
  std::deque<ChatLine> lines_;
  PerSeat<int> said_{};  // messages without a move
};

// Returns the number of code points of a text in UTF-8.
size_t CountCharacters(std::string_view text);

// Checks a chat message, which must be one line of plain text, and returns it without blanks around
// it. InvalidArgument: it is too long or not UTF-8.
absl::StatusOr<std::string> CheckMessage(std::string_view text);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_TABLE_CHAT_H_
