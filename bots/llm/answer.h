// Parses a model's answer: a move, a resignation or a draw claim.

#ifndef TRIARCH_BOTS_LLM_ANSWER_H_
#define TRIARCH_BOTS_LLM_ANSWER_H_

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "bots/llm/settings.h"
#include "core/any_state.h"

namespace triarch::llm {

// The model's choice.
struct Answer {
  enum class Kind : uint8_t { kMove, kResign, kClaimDraw };
  Kind kind = Kind::kMove;
  size_t move = 0;  // index of the legal move
};

// Extracts the choice from a model's text and ignores everything else:
// - Reasoning up to "</think>" and similar tags is skipped.
// - The answer is the last JSON object, fenced or not, with a string "move": a move in any form
//   that the game or the notation accepts, "resign", or "claim draw".
// - Without such an object, it is the last legal move mentioned, or the entire text if that resigns
//   or claims a draw.
// Returns InvalidArgument otherwise, and for a claim when no draw can be claimed. The message
// tells the model why, in its own notation, and begins in lower case.
absl::StatusOr<Answer> ReadAnswer(std::string_view text, const AnyState& state,
                                  const AnyState::Moves& moves, Notation notation);

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_ANSWER_H_
