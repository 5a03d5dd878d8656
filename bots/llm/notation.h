// Converts cells and pieces in texts between the notations that can be shown to a model.

#ifndef TRIARCH_BOTS_LLM_NOTATION_H_
#define TRIARCH_BOTS_LLM_NOTATION_H_

#include <optional>
#include <string>
#include <string_view>

#include "bots/llm/settings.h"
#include "core/triumvirate/v4_notation.h"

// Convert the names of cells and pieces in a text between the classic form and Triumvirate's. For
// the classic notation the functions change nothing.
namespace triarch::llm {

// Returns the notation's table of cell names, or nothing for the classic notation.
std::optional<triumvirate::V4Table> TableOf(Notation notation);

// Converts "E2-E4" to "W2/R2.3-C/W.R", "A7-A8=Q" to "B2/R2.0-B3/R3.0=M", and "the rook" to "the
// Train". Leaves other words unchanged.
std::string ToNotation(Notation notation, std::string_view classic);

// Converts cells and promotions back to the classic form. Ignores case.
std::string FromNotation(Notation notation, std::string_view text);

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_NOTATION_H_
