// Measures text in columns of a terminal.

#ifndef TRIARCH_COORDINATOR_RATINGS_DISPLAY_WIDTH_H_
#define TRIARCH_COORDINATOR_RATINGS_DISPLAY_WIDTH_H_

#include <cstddef>
#include <string_view>
#include <vector>

// UTF-8 is decoded: wide East Asian characters and emoji take two columns, combining marks none,
// and invalid bytes one each.
namespace triarch {

// A character: its bytes and its width in columns.
struct Glyph {
  std::string_view bytes;
  size_t width = 0;
};

// Splits text into characters, which point into it.
std::vector<Glyph> Glyphs(std::string_view text);

size_t DisplayWidth(std::string_view text);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_RATINGS_DISPLAY_WIDTH_H_
