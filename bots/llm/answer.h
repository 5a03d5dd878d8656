// Reads a model's answer: the move, resignation or claim in it.

#ifndef TRIARCH_BOTS_LLM_ANSWER_H_
#define TRIARCH_BOTS_LLM_ANSWER_H_

#include <cstddef>
#include <string_view>

#include "absl/status/statusor.h"
#include "bots/llm/settings.h"
#include "core/any_state.h"

namespace triarch::llm {

// What a model chose.
struct Answer {
  enum class Kind : uint8_t { kMove, kResign, kClaimDraw };
  Kind kind = Kind::kMove;
  size_t move = 0;  // number of the legal move
};

// Reads what a model wrote, whatever stands around it:
// - What it thought aloud, up to "</think>" and the like, does not count.
// - The last JSON object with a text "move", in a fence or not, is the answer: a move in any form
//   of the game or of the notation, "resign", or "claim draw".
// - Without one, the legal move that is mentioned last is; or the text is as a whole that the
//   player resigns or claims a draw.
// InvalidArgument otherwise, also for a claim where there is no draw to claim; the message tells
// the model in its own notation why, and begins in lower case.
absl::StatusOr<Answer> ReadAnswer(std::string_view text, const AnyState& state,
                                  const AnyState::Moves& moves, Notation notation);

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_ANSWER_H_
