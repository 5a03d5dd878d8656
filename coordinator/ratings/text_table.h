// Aligns text tables for terminals.

#ifndef TRIARCH_COORDINATOR_RATINGS_TEXT_TABLE_H_
#define TRIARCH_COORDINATOR_RATINGS_TEXT_TABLE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Widths are screen columns (display_width.h).
namespace triarch {

// Breaks a text into lines of at most `width` columns, after punctuation where possible. Returns at
// least one line.
std::vector<std::string> BreakText(std::string_view text, size_t width);

// A table of cells. The first row is the heading. Columns are separated by two spaces.
class TextTable {
 public:
  enum class Align : unsigned char { kLeft, kRight };

  void AddColumn(std::string_view heading, Align align = Align::kRight);
  // Requires: as many cells as columns.
  void AddRow(std::vector<std::string> cells);

  // Returns one line per row, each ending with a line break and without trailing spaces. Lines fit
  // in `width` if narrowing column `flexible` to no less than its heading and eight columns
  // suffices: its cells are shortened (short_names.h), or else take several lines.
  std::string Render(size_t width, size_t flexible) const;

 private:
  static std::vector<size_t> ColumnWidths(const std::vector<std::vector<std::string>>& rows);

  std::vector<Align> aligns_;
  std::vector<std::vector<std::string>> rows_ = {{}};
};

// Returns "label  part · part · part", broken between parts into lines of at most `width`.
// Continuation lines are indented to the first part. Each line ends with a line break.
std::string WrapParts(std::string_view label, size_t indent, const std::vector<std::string>& parts,
                      size_t width);

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_RATINGS_TEXT_TABLE_H_
