#include "arena/table/chat.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "core/base/text.h"

namespace triarch::arena {
namespace {

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace

void Chat::Add(const Event& event, int64_t move_number, const std::string& name) {
  if (event.message.empty()) return;
  lines_.push_back(
      {.move_number = move_number, .seat = event.seat, .name = name, .text = event.message});
  if (lines_.size() > kChatKept) lines_.pop_front();
  if (event.kind == Event::Kind::kSaid) ++said_[event.seat];
}

absl::StatusOr<std::string> Chat::Check(Seat seat, std::string_view message) const {
  absl::StatusOr<std::string> text = CheckMessage(message);
  if (!text.ok()) return text;
  if (text->empty()) return absl::InvalidArgumentError("the message is empty");
  const bool is_repeated =
      !lines_.empty() && lines_.back().seat == seat && lines_.back().text == *text;
  if (is_repeated) return std::string();
  if (said_[seat] < kSaidMax) return text;
  return absl::ResourceExhaustedError(
      absl::StrFormat("you have sent %d messages, the most at a table", kSaidMax));
}

size_t CountCharacters(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !IsUtf8Tail(c); }));
}

absl::StatusOr<std::string> CheckMessage(std::string_view text) {
  const std::string_view message = Trim(text);
  if (!IsUtf8(message)) return absl::InvalidArgumentError("the message is not UTF-8");
  if (const size_t length = CountCharacters(message); length > kMessageMax) {
    return absl::InvalidArgumentError(
        absl::StrFormat("the message has %d characters; expected at most %d", length, kMessageMax));
  }
  return PrintableLine(message);
}

}  // namespace triarch::arena
