// Converts cells and pieces in texts between the notations that can be shown to a model.

#ifndef TRIARCH_BOTS_LLM_NOTATION_H_
#define TRIARCH_BOTS_LLM_NOTATION_H_

#include <string>
#include <string_view>

#include "bots/llm/settings.h"

// Convert the names of cells and pieces in a text between the classic form and Triumvirate's. For
// the classic notation both functions change nothing.
namespace triarch::llm {

// Converts "E2-E4" to "W2/R2.3-C/W.R" and "A7-A8=Q" to "B2/W2.0-B3/W3.0=M". Leaves words that are
// not cells unchanged.
std::string ToNotation(Notation notation, std::string_view classic);

// Converts back to the classic form.
std::string FromNotation(Notation notation, std::string_view text);

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_NOTATION_H_
