// Fuzzes the answers of language models and their servers.

#include <string>
#include <vector>

#include "bots/llm/answer.h"
#include "bots/llm/chat.h"
#include "core/any_state.h"
#include "tests/fuzz/fuzz.h"

namespace triarch {
namespace {

// The starts of every game, and a repeated position of Tri-D, where a draw may be claimed.
const std::vector<AnyState>& States() {
  static const auto* const kStates = [] {
    auto* states = new std::vector<AnyState>;
    for (const GameInfo* const game : AllGames()) {
      states->push_back(*AnyState::Start(game->name, ""));
    }
    AnyState repeated = *AnyState::Start("tri-d", "", {.draws = Draws::kClaimed});
    for (int round = 0; round < 2; ++round) {
      for (const std::string_view move : {"b2W-c4N", "b7B-c5N", "c4N-b2W", "c5N-b7B"}) {
        CHECK(repeated.Play(move).ok());
      }
    }
    states->push_back(std::move(repeated));
    return states;
  }();
  return *kStates;
}

}  // namespace
}  // namespace triarch

// An answer is a legal move, a resignation or a valid claim of a draw; otherwise there is a reason.
FUZZ_TEXT(text) {
  using triarch::llm::Answer;
  for (const triarch::AnyState& state : triarch::States()) {
    const triarch::AnyState::Moves moves = state.LegalMoves();
    using triarch::llm::Notation;
    for (const auto notation :
         {Notation::kClassic, Notation::kTriumvirate, Notation::kTriumvirateClient}) {
      const absl::StatusOr<Answer> answer = ReadAnswer(text, state, moves, notation);
      if (!answer.ok()) {
        CHECK(!answer.status().message().empty());
      } else if (answer->kind == Answer::Kind::kMove) {
        CHECK(answer->move < moves.size());
      } else if (answer->kind == Answer::Kind::kClaimDraw) {
        CHECK(triarch::AnyState(state).ClaimDraw());
      }
    }
  }
  const absl::StatusOr<std::string> chat = triarch::llm::ReadChat(text);
  if (!chat.ok()) CHECK(!chat.status().message().empty());
  (void)triarch::llm::ReadChatError(text);
}
