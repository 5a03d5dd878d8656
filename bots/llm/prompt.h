// Writes the prompts for a model.

#ifndef TRIARCH_BOTS_LLM_PROMPT_H_
#define TRIARCH_BOTS_LLM_PROMPT_H_

#include <string>
#include <string_view>
#include <vector>

#include "bots/llm/chat.h"
#include "bots/llm/settings.h"
#include "core/any_state.h"
#include "core/play/player.h"

namespace triarch::llm {

// Returns the prompt for a move: short rules, a legend, the board, the material, the moves so far
// from `context` (none if null) and the legal moves, all in one notation. Requires: a seat is to
// move.
std::vector<Message> AskForMove(const AnyState& state, const AnyState::Moves& moves,
                                const TurnContext* context, Notation notation);

// Returns the follow-up to an unusable answer; `why` is the message of ReadAnswer.
std::vector<Message> AskAgain(std::string_view answer, std::string_view why);

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_PROMPT_H_
