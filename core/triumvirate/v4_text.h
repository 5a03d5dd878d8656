// Converts the cells and pieces in a text to and from the notation Triumvirate v4.0.

#ifndef TRIARCH_CORE_TRIUMVIRATE_V4_TEXT_H_
#define TRIARCH_CORE_TRIUMVIRATE_V4_TEXT_H_

#include <string>
#include <string_view>

#include "core/triumvirate/v4_notation.h"

namespace triarch::triumvirate {

// Converts "E2-E4" to "W2/R2.3-C/W.R", "A7-A8=Q" to "B2/R2.0-B3/R3.0=M", and "the rook" to "the
// Train". Leaves other words unchanged.
std::string ToV4Text(std::string_view classic, V4Table table);

// Converts cells and promotions back to the classic form. Ignores case.
std::string FromV4Text(std::string_view text, V4Table table);

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_V4_TEXT_H_
