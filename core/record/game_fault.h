// Describes how a bot forfeited a game, for its author.

#ifndef TRIARCH_CORE_RECORD_GAME_FAULT_H_
#define TRIARCH_CORE_RECORD_GAME_FAULT_H_

#include <cstdint>
#include <string>

#include "core/game/outcome.h"
#include "core/game/seat.h"

namespace triarch {

// What is known about a fault. The texts come from strangers, so they pass Sanitize before they
// leave the worker, and again when a coordinator receives them.
struct FaultReport {
  std::string message = {};      // one line: "it did not answer in time"
  std::string answer = {};       // the illegal answer itself; otherwise empty
  std::string exit_status = {};  // "exit code 1" if the program exited by itself
  std::string errors = {};       // the end of its standard error
  // The last lines sent ("> ") and received ("< "), each after the seconds since the game began:
  // "1.204615 < bestmove E2-E4". Empty for bots in this process.
  std::string protocol = {};

  friend bool operator==(const FaultReport&, const FaultReport&) = default;
};

// Makes the texts Printable (core/base/text.h) and no longer than about 50 KiB together: cuts off
// the beginnings of the standard error and the protocol, and the ends of the others, which become
// one line each. Sanitizing again changes nothing.
void Sanitize(FaultReport* report);

// A forfeit by a seat. A game has at most one for each seat.
struct GameFault {
  Seat seat = Seat::kFirst;
  int64_t ply = 1;  // the number of the ply that was to be played, from 1
  Termination why = Termination::kCrash;
  FaultReport report = {};

  friend bool operator==(const GameFault&, const GameFault&) = default;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_RECORD_GAME_FAULT_H_
