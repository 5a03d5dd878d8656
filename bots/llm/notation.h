// Converts cells and pieces in texts between the notations that a model is shown.

#ifndef TRIARCH_BOTS_LLM_NOTATION_H_
#define TRIARCH_BOTS_LLM_NOTATION_H_

#include <string>
#include <string_view>

#include "bots/llm/settings.h"

// Triumvirate's other names of cells and pieces, in texts that have them in the classic form. In
// the classic notation both functions change nothing.
namespace triarch::llm {

// "E2-E4" becomes "W2/R2.3-C/W.R", "A7-A8=Q" "B2/W2.0-B3/W3.0=M"; a word that is no cell stays.
std::string ToNotation(Notation notation, std::string_view classic);

// The other way round.
std::string FromNotation(Notation notation, std::string_view text);

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_NOTATION_H_
