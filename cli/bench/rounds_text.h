// Prints measurements of several rounds as a table and as JSON.

#ifndef TRIARCH_CLI_BENCH_ROUNDS_TEXT_H_
#define TRIARCH_CLI_BENCH_ROUNDS_TEXT_H_

#include <string>
#include <vector>

#include "cli/bench/rounds.h"

namespace triarch {

std::string RoundsText(const RoundsPlan& plan, const std::vector<RoundsRow>& rows);
std::string RoundsJson(const RoundsPlan& plan, const std::vector<RoundsRow>& rows);

}  // namespace triarch

#endif  // TRIARCH_CLI_BENCH_ROUNDS_TEXT_H_
