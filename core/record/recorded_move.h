// Holds the text of a recorded move without allocating memory.

#ifndef TRIARCH_CORE_RECORD_RECORDED_MOVE_H_
#define TRIARCH_CORE_RECORD_RECORDED_MOVE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/check.h"

namespace triarch {

// Small, because a worker may hold the events of thousands of games.
class RecordedMove {
 public:
  static constexpr size_t kBytesMax = 17;  // "c1QL1xc2QL6=Q" takes 13

  RecordedMove() = default;
  // Requires: at most kBytesMax bytes.
  RecordedMove(std::string_view text) {  // NOLINT: implicit on purpose
    CHECK(text.size() <= kBytesMax);
    std::copy(text.begin(), text.end(), bytes_.begin());
    size_ = static_cast<uint8_t>(text.size());
  }
  // Gets the text from `write`, which writes it in place and returns its end.
  template <class F>
  static RecordedMove Written(F write) {
    RecordedMove move;
    move.size_ = static_cast<uint8_t>(write(move.bytes_.data()) - move.bytes_.data());
    return move;
  }
  RecordedMove(const char* text) : RecordedMove(std::string_view(text)) {}         // NOLINT
  RecordedMove(const std::string& text) : RecordedMove(std::string_view(text)) {}  // NOLINT

  std::string_view text() const { return {bytes_.data(), size_}; }
  operator std::string_view() const { return text(); }  // NOLINT: implicit on purpose

  friend bool operator==(const RecordedMove& a, const RecordedMove& b) {
    return a.text() == b.text();
  }

 private:
  std::array<char, kBytesMax> bytes_{};
  uint8_t size_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_RECORDED_MOVE_H_
