#ifndef TRIARCH_COORDINATOR_RATINGS_TEXT_TABLE_H_
#define TRIARCH_COORDINATOR_RATINGS_TEXT_TABLE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Aligned text for terminals. Widths are columns on the screen, not bytes: UTF-8 is decoded, wide
// East Asian characters and emoji take two columns, combining marks none; bytes that are no UTF-8
// take one each.
namespace triarch {

size_t DisplayWidth(std::string_view text);

// `text` in at most `width` columns. What is too long loses its middle ("parano…th-3-b"): long
// names of bots tend to differ at their ends. Requires: width >= 1.
std::string CutToWidth(std::string_view text, size_t width);

// Cells in rows, the first row the heading; two spaces between columns.
class TextTable {
 public:
  enum class Align : unsigned char { kLeft, kRight };

  void AddColumn(std::string_view heading, Align align = Align::kRight);
  // Requires: as many cells as columns.
  void AddRow(std::vector<std::string> cells);

  // One line per row, each ending with a line break and none wider than `width` as long as
  // narrowing column `flexible` to eight columns suffices. No spaces at the ends of lines.
  std::string Render(size_t width, size_t flexible) const;

 private:
  std::vector<Align> aligns_;
  std::vector<std::vector<std::string>> rows_ = {{}};
};

// "label  part · part · part", broken between parts into lines of at most `width`, the later ones
// indented to where the first part stands; each line ends with a line break.
std::string WrapParts(std::string_view label, size_t indent, const std::vector<std::string>& parts,
                      size_t width);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_RATINGS_TEXT_TABLE_H_
