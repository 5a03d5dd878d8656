// Implements `triarch rules`, which answers a bot's questions about the rules.

#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/rules/position_options.h"
#include "core/attackers.h"
#include "core/base/text.h"
#include "core/evaluate.h"
#include "core/games.h"
#include "core/text.h"

// A question is a line of words separated by tabs, an answer one line of JSON
// (docs/bot-protocol.md). It keeps no state: a question contains the position. The JSON is written
// by hand, because a search asks for thousands of positions, and none of its texts needs an escape
// except in errors.
namespace triarch {
namespace {

std::string ErrorAnswer(std::string_view message) {
  const nlohmann::json json = {{"error", message}};
  return json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

// Appends "[1,2,3]" of what value_of(seat) returns.
template <Position P, class F>
void AppendPerSeat(F value_of, std::string* to) {
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    absl::StrAppendFormat(to, "%c%d", i == 0 ? '[' : ',', value_of(SeatAt(i)));
  }
  *to += ']';
}

// Appends what a bot wants to know about a position, without the braces.
template <Position P>
void AppendPosition(const P& position, std::string* to) {
  *to += "\"position\":\"" + ToString(position) + "\"";
  absl::StrAppendFormat(to, ",\"seat\":%d,\"scores\":", Index(position.to_move()));
  const PerSeat<int> scores = Evaluate(position);
  AppendPerSeat<P>([&](Seat seat) { return scores[seat]; }, to);
  *to += ",\"in\":";
  AppendPerSeat<P>([&](Seat seat) { return position.is_in(seat) ? 1 : 0; }, to);
  *to += ",\"check\":";
  AppendPerSeat<P>([&](Seat seat) { return position.in_check(seat) ? 1 : 0; }, to);
  *to += ",\"places\":";
  if (const std::optional<Outcome> outcome = position.outcome()) {
    AppendPerSeat<P>([&](Seat seat) { return static_cast<int>(outcome->place[seat]); }, to);
  } else {
    *to += "null";
  }
}

template <Position P>
std::string Look(const P& position) {
  std::string answer = "{";
  AppendPosition(position, &answer);
  answer += ",\"moves\":[";
  bool is_first = true;
  for (const typename P::Move move : position.LegalMoves()) {
    answer += (is_first ? "\"" : ",\"") + MoveToString(position, move) + "\"";
    is_first = false;
  }
  return answer + "]}";
}

template <Position P>
std::string Children(const P& position) {
  std::string answer = "{\"children\":[";
  bool is_first = true;
  for (const typename P::Move move : position.LegalMoves()) {
    P next = position;
    next.Play(move);
    answer += is_first ? "{" : ",{";
    answer += "\"move\":\"" + MoveToString(position, move) + "\",";
    AppendPosition(next, &answer);
    answer += '}';
    is_first = false;
  }
  return answer + "]}";
}

template <Position P>
std::string Play(P position, std::string_view moves) {
  for (const std::string_view text : Split(moves, ' ')) {
    if (position.outcome()) return ErrorAnswer("the game is over before " + Quote(text));
    const absl::StatusOr<typename P::Move> move = ParseMove(position, text);
    if (!move.ok()) {
      return ErrorAnswer(std::string(text) + ": " + std::string(move.status().message()));
    }
    position.Play(*move);
  }
  return Look(position);
}

template <Position P>
std::string Attackers(const P& position, std::string_view name) {
  const auto cell = FindCell(position, name);
  if (!cell) return ErrorAnswer("there is no cell " + Quote(name) + " now");
  std::string answer = "{\"attackers\":[";
  bool is_first = true;
  for (const CellNumber from : AllAttackersOf(position, CellNumber::At(cell->index()))) {
    answer += (is_first ? "\"" : ",\"") + CellText(position, from.index()) + "\"";
    is_first = false;
  }
  return answer + "]}";
}

template <Position P>
absl::StatusOr<P> ReadBoard(std::string_view text) {
  if (text == "startpos") return Start(kGame<P>, "");
  return Parse(kGame<P>, text);
}

template <Position P>
std::string AnswerFor(std::string_view line) {
  const std::vector<std::string_view> words = Split(line, '\t');
  const std::string_view what = words[0];
  const bool is_long = what == "play" || what == "attackers";
  if (!is_long && what != "look" && what != "children") {
    return ErrorAnswer("unknown question " + Quote(what) +
                       "; expected look, children, play or attackers");
  }
  if (words.size() != (is_long ? 3u : 2u)) {
    return ErrorAnswer(
        absl::StrFormat("%s: %d words after it; expected a position%s, separated by "
                        "tabs",
                        std::string(what), words.size() - 1,
                        what == "play" ? " and moves"
                        : is_long      ? " and a cell"
                                       : ""));
  }
  const absl::StatusOr<P> position = ReadBoard<P>(words[1]);
  if (!position.ok()) return ErrorAnswer(std::string(position.status().message()));
  if (what == "look") return Look(*position);
  if (what == "children") return Children(*position);
  return what == "play" ? Play(*position, words[2]) : Attackers(*position, words[2]);
}

bool WriteAll(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(STDOUT_FILENO, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

// Answers until the input ends. Writes when all complete lines that have arrived are answered.
template <Position P>
int Serve() {
  std::string unread;
  std::array<char, 1 << 16> chunk;
  while (true) {
    const ssize_t count = read(STDIN_FILENO, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return kExitDone;
    unread.append(chunk.data(), static_cast<size_t>(count));
    std::string answers;
    size_t begin = 0;
    for (size_t end = 0; (end = unread.find('\n', begin)) != std::string::npos; begin = end + 1) {
      answers += AnswerFor<P>(std::string_view(unread).substr(begin, end - begin)) + "\n";
    }
    unread.erase(0, begin);
    if (!WriteAll(answers)) return kExitDone;  // the bot has closed the pipe
  }
}

struct RulesOptions {
  std::string game = "triumvirate";
};

int RunRules(const RulesOptions& options) {
  const absl::StatusOr<const GameInfo*> info = LoadGame(options.game);
  if (!info.ok()) return UsageError(info.status());
  int result = kExitFailed;
  ForEachGame(Games(), [&]<class P>() {
    if (&P::kInfo != *info) return false;
    result = Serve<P>();
    return true;
  });
  return result;
}

}  // namespace

void AddRulesCommand(const Command& app) {
  auto options = std::make_shared<RulesOptions>();
  const Command command = app.AddCommand("rules", "Answer a bot's questions about the rules.");
  AddGameOption(command, &options->game);
  command.Footer(
      "For a bot that starts this program itself. Each line of the input is a question, of which\n"
      "the words are separated by tabs; the answer is a line of JSON (docs/bot-protocol.md):\n"
      "  look POSITION            the legal moves and all about the position\n"
      "  children POSITION        the position after each legal move\n"
      "  play POSITION MOVES      the position after these moves\n"
      "  attackers POSITION CELL  the cells of the pieces that attack a cell\n"
      "POSITION may be startpos.\n\n"
      "Example:\n"
      "  printf 'play\\tstartpos\\tE2-E4\\n' | triarch rules");
  command.OnRun(options, RunRules);
}

}  // namespace triarch
