#include "cli/bench/other_programs.h"

#include <optional>

#include "absl/status/status.h"
#include "cli/bench/child.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

// Counts the leaves as our perft does: the last ply is generated, but not played.
constexpr std::string_view kPythonPerft =
    "import chess\n"
    "def perft(board, depth):\n"
    "    if depth == 1:\n"
    "        return board.legal_moves.count()\n"
    "    nodes = 0\n"
    "    for move in board.legal_moves:\n"
    "        board.push(move)\n"
    "        nodes += perft(board, depth - 1)\n"
    "        board.pop()\n"
    "    return nodes\n"
    "print('counted', perft(chess.Board(), 4))\n";

// Random games with the automatic draws of our playouts.
constexpr std::string_view kPythonPlayouts =
    "import chess, random\n"
    "random.seed(1)\n"
    "plies = 0\n"
    "for game in range(5):\n"
    "    board = chess.Board()\n"
    "    while not board.is_game_over(claim_draw=True):\n"
    "        board.push(random.choice(list(board.legal_moves)))\n"
    "        plies += 1\n"
    "print('counted', plies)\n";

// Debian's folder for games is not in root's PATH.
OtherProgram UciPerft(const std::string& name) {
  const std::string file = "/usr/games/" + name;
  return {.name = name + "/perft",
          .unit = "nodes",
          .command = {file},
          .input = "go perft 6\nquit\n",
          .idle_command = {file},
          .idle_input = "quit\n",
          .label = "Nodes searched:"};
}

OtherProgram Python(const std::string& what, const std::string& unit, std::string_view script) {
  return {.name = "python-chess/" + what,
          .unit = unit,
          .command = {"/usr/bin/python3", "-c", std::string(script)},
          .input = "",
          .idle_command = {"/usr/bin/python3", "-c", "import chess, random"},
          .idle_input = "",
          .label = "counted"};
}

absl::StatusOr<ChildResult> RunToSuccess(const std::vector<std::string>& command,
                                         const std::string& input) {
  ASSIGN_OR_RETURN(ChildResult result, RunChild(command, input));
  if (result.exit_code != 0) {
    return absl::InternalError(command[0] + " failed: " + result.err);
  }
  return result;
}

// Returns the number behind the label in the program's output.
std::optional<int64_t> CountIn(const std::string& out, const std::string& label) {
  for (const std::string_view line : Split(out, '\n')) {
    if (!line.starts_with(label)) continue;
    return ParseInt64(Trim(line.substr(label.size())));
  }
  return std::nullopt;
}

}  // namespace

std::vector<OtherProgram> InstalledPrograms() {
  std::vector<OtherProgram> programs;
  for (const OtherProgram& program :
       {UciPerft("stockfish"), UciPerft("fairy-stockfish"), Python("perft", "nodes", kPythonPerft),
        Python("playouts", "plies", kPythonPlayouts)}) {
    if (RunToSuccess(program.idle_command, program.idle_input).ok()) programs.push_back(program);
  }
  return programs;
}

absl::StatusOr<double> Measure(const OtherProgram& program) {
  ASSIGN_OR_RETURN(const ChildResult idle, RunToSuccess(program.idle_command, program.idle_input));
  ASSIGN_OR_RETURN(const ChildResult busy, RunToSuccess(program.command, program.input));
  const std::optional<int64_t> count = CountIn(busy.out, program.label);
  if (!count) {
    return absl::InternalError(program.command[0] + " printed no line that begins with \"" +
                               program.label + "\"");
  }
  const double seconds = busy.cpu_seconds - idle.cpu_seconds;
  if (seconds <= 0) return absl::InternalError(program.command[0] + " used no CPU time");
  return static_cast<double>(*count) / seconds;
}

}  // namespace triarch
