// Writes the questions to a model.

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

// What a model is asked for a move: the rules in a few lines, the board, who has what, the moves so
// far as `context` has them (null: none), and the legal moves. Requires: it is somebody's turn.
std::vector<Message> AskForMove(const AnyState& state, const AnyState::Moves& moves,
                                const TurnContext* context, Notation notation);

// What it is asked after an answer that was none: `why` as ReadAnswer says it.
std::vector<Message> AskAgain(std::string_view answer, std::string_view why);

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_PROMPT_H_
