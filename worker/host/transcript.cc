#include "worker/host/transcript.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "core/base/text.h"

namespace triarch {
namespace {

// An incomplete line is cut here, so that a flood takes no memory.
constexpr size_t kPieceBytesMax = 64 << 10;

// Replaces `to` by the text, without its middle if it is long.
void Shorten(std::string_view text, std::string* to) {
  constexpr size_t kHalf = Transcript::kLineBytesKept / 2;
  if (text.size() <= Transcript::kLineBytesKept) {
    to->assign(text);
    return;
  }
  to->assign(text.substr(0, kHalf));
  *to += absl::StrFormat(" … %d bytes … ", text.size() - 2 * kHalf);
  to->append(text.substr(text.size() - kHalf));
}

// Calls `take` with each line that `bytes` completes, and keeps the rest in `piece`.
template <class Take>
void TakeLines(std::string_view bytes, std::string* piece, Take take) {
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    const bool is_whole = end != std::string_view::npos;
    if (is_whole && piece->empty()) {
      take(part);
    } else {
      piece->append(part);
      if (is_whole || piece->size() > kPieceBytesMax) {
        take(*piece);
        piece->clear();
      }
    }
    if (!is_whole) return;
    bytes.remove_prefix(end + 1);
  }
}

}  // namespace

void Transcript::Begin(Clock::time_point now) {
  began_ = now;
  count_ = 0;
  received_.clear();
  errors_.clear();
}

void Transcript::AddSent(std::string_view lines, Clock::time_point now) {
  std::string none;
  TakeLines(lines, &none, [&](std::string_view line) { Add(Stream::kSent, line, now); });
}

void Transcript::AddReceived(std::string_view bytes, Clock::time_point now) {
  TakeLines(bytes, &received_, [&](std::string_view line) { Add(Stream::kOutput, line, now); });
}

void Transcript::AddErrors(std::string_view bytes) {
  if (!sink_) return;
  TakeLines(bytes, &errors_, [&](std::string_view line) { sink_(Stream::kErrors, line); });
}

void Transcript::Flush() {
  if (!sink_) return;
  if (!received_.empty()) sink_(Stream::kOutput, received_);
  if (!errors_.empty()) sink_(Stream::kErrors, errors_);
}

void Transcript::Add(Stream stream, std::string_view text, Clock::time_point now) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  Line& line = lines_[count_++ % kLinesKept];
  line.time = now - began_;
  line.stream = stream;
  Shorten(text, &line.text);
  if (sink_) sink_(stream, text);
}

std::string Transcript::Text() const {
  std::string text;
  const auto write = [&](const Line& line) {
    text += absl::StrFormat("%.6f %c %s\n", std::chrono::duration<double>(line.time).count(),
                            MarkOf(line.stream), Printable(line.text));
  };
  for (size_t i = count_ - std::min(count_, kLinesKept); i < count_; ++i) {
    write(lines_[i % kLinesKept]);
  }
  // An unfinished line may be what went wrong.
  if (!received_.empty()) {
    Line rest;
    Shorten(received_, &rest.text);
    text += "         < " + Printable(rest.text) + " (no line break)\n";
  }
  return text;
}

}  // namespace triarch
