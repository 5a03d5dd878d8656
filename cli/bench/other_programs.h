// Measures other people's chess programs, for comparison.

#ifndef TRIARCH_CLI_BENCH_OTHER_PROGRAMS_H_
#define TRIARCH_CLI_BENCH_OTHER_PROGRAMS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace triarch {

// What a program does once, and what it counts meanwhile.
struct OtherProgram {
  std::string name;  // of the benchmark: "stockfish/perft"
  std::string unit;  // "nodes"
  std::vector<std::string> command;
  std::string input;
  // The same without the work, so that its time can be subtracted.
  std::vector<std::string> idle_command;
  std::string idle_input;
  std::string label;  // the line of the output with the count begins with it
};

inline constexpr std::string_view kStockfishPerft = "stockfish/perft";

// Returns those that this machine has: stockfish, fairy-stockfish and python-chess.
std::vector<OtherProgram> InstalledPrograms();

// Returns what the program counts per second of CPU time, without its start.
absl::StatusOr<double> Measure(const OtherProgram& program);

}  // namespace triarch

#endif  // TRIARCH_CLI_BENCH_OTHER_PROGRAMS_H_
