#include "worker/host/transcript.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "core/base/text.h"

namespace triarch {
namespace {

// An incomplete line is cut here, so that a flood takes no memory.
constexpr size_t kPieceBytesMax = 64 << 10;

constexpr size_t kHalf = Transcript::kLineBytesKept / 2;

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
  Keep(text, &line);
  if (sink_) sink_(stream, text);
}

// Only copies, because it runs several times in every turn, and Text only after a fault.
void Transcript::Keep(std::string_view text, Line* line) {
  line->bytes = text.size();
  if (text.size() <= kLineBytesKept) {
    line->text.assign(text);
  } else {
    line->text.assign(text.substr(0, kHalf));
    line->text.append(text.substr(text.size() - kHalf));
  }
}

std::string Transcript::Shown(const Line& line) {
  if (line.bytes == line.text.size()) return Printable(line.text);
  return Printable(absl::StrFormat("%s … %d bytes … %s", line.text.substr(0, kHalf),
                                   line.bytes - line.text.size(), line.text.substr(kHalf)));
}

std::string Transcript::Text() const {
  std::string text;
  const auto write = [&](const Line& line) {
    text += absl::StrFormat("%.6f %c %s\n", std::chrono::duration<double>(line.time).count(),
                            MarkOf(line.stream), Shown(line));
  };
  for (size_t i = count_ - std::min(count_, kLinesKept); i < count_; ++i) {
    write(lines_[i % kLinesKept]);
  }
  // An unfinished line may be what went wrong.
  if (!received_.empty()) {
    Line rest;
    Keep(received_, &rest);
    text += "         < " + Shown(rest) + " (no line break)\n";
  }
  return text;
}

}  // namespace triarch
