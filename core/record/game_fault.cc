#include "core/record/game_fault.h"

#include <cstddef>
#include <string_view>

#include "core/base/text.h"

namespace triarch {
namespace {

constexpr size_t kMessageMax = 1 << 10;
constexpr size_t kErrorsMax = 8 << 10;
constexpr size_t kProtocolMax = 40 << 10;

// Returns whether a character of UTF-8 begins at `at`, or the text ends there.
bool IsBoundary(std::string_view text, size_t at) {
  return at >= text.size() || !IsUtf8Tail(text[at]);
}

// Keeps the first `bytes_max` bytes or a little less, on one line.
void KeepBegin(size_t bytes_max, std::string* text) {
  *text = PrintableLine(*text);
  size_t end = bytes_max;
  while (!IsBoundary(*text, end)) --end;
  if (end < text->size()) text->resize(end);
}

// Keeps the last `bytes_max` bytes or a little less.
void KeepEnd(size_t bytes_max, std::string* text) {
  *text = Printable(*text);
  if (text->size() <= bytes_max) return;
  size_t begin = text->size() - bytes_max;
  while (!IsBoundary(*text, begin)) ++begin;
  text->erase(0, begin);
}

}  // namespace

void Sanitize(FaultReport* report) {
  KeepBegin(kMessageMax, &report->message);
  KeepBegin(kMessageMax, &report->answer);
  KeepBegin(kMessageMax, &report->exit_status);
  KeepEnd(kErrorsMax, &report->errors);
  KeepEnd(kProtocolMax, &report->protocol);
}

}  // namespace triarch
