// Reads the code and the field from an error of a position's text.

#ifndef TRIARCH_CORE_GAME_POSITION_FAULT_H_
#define TRIARCH_CORE_GAME_POSITION_FAULT_H_

#include <string>

#include "absl/status/status.h"

namespace triarch {

// What is wrong with a position.
struct PositionFault {
  std::string code;  // of the game's notation: "BAD_CELL"; "BAD_JSON" for position JSON
  int field = 0;     // from 1; 0 for position JSON
  std::string message;
};

// Reads the error of a Parse, "CODE field N: message". Errors in position JSON have no code of the
// game's notation, so they get the code BAD_JSON.
PositionFault FaultOf(const absl::Status& status);

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_POSITION_FAULT_H_
