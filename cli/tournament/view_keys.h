// Reads keys from a terminal and moves through a game with them.

#ifndef TRIARCH_CLI_TOURNAMENT_VIEW_KEYS_H_
#define TRIARCH_CLI_TOURNAMENT_VIEW_KEYS_H_

#include <optional>
#include <string>
#include <string_view>

#include "cli/tournament/view_screen.h"
#include "core/record/game_steps.h"

namespace triarch {

// A character, or one of these keys.
enum Key : int {
  kKeyLeft = 256,
  kKeyRight,
  kKeyUp,
  kKeyDown,
  kKeyPageUp,
  kKeyPageDown,
  kKeyHome,
  kKeyEnd,
  kKeyShiftLeft,
  kKeyShiftRight,
  kKeyShiftUp,
  kKeyShiftDown,
  kKeyUnknown,
};

// Splits what a terminal sends into keys.
class KeyReader {
 public:
  void Add(std::string_view bytes) { rest_ += bytes; }
  // Returns the next key; empty if there is none or only a part of one.
  std::optional<int> Next();
  // Call it if nothing more came for a while: what is left was the Escape key.
  void Flush() { rest_.clear(); }

 private:
  std::string rest_;
};

// Changes the view as the key says. Returns false if the user quits.
bool Press(int key, const GameSteps& game, ViewState* view);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_VIEW_KEYS_H_
