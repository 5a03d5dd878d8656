// Fuzzes the output of process bots: it cannot break the game runner, however it is split.

#include <algorithm>
#include <string>

#include "core/any_state.h"
#include "tests/fuzz/fuzz.h"
#include "worker/host/uci_session.h"

// A line "?" in the input stands for the next request.
namespace triarch {
namespace {

// Feeds `text` to a session in pieces of at most `piece` bytes, and returns a trace of its state.
std::string Understand(std::string_view text, size_t piece) {
  const GameInfo& game = **FindGame("triumvirate");
  UciSession session(game);
  TurnContext context;
  context.position = "startpos";
  int asked = 0;
  std::string trace = session.Begin();
  while (!text.empty()) {
    const size_t end = std::min(text.find("\n?\n"), text.size());
    std::string_view part = text.substr(0, end == text.size() ? end : end + 1);
    text.remove_prefix(end == text.size() ? end : end + 3);
    absl::Status status;
    while (!part.empty() && status.ok()) {
      const std::string_view bytes = part.substr(0, piece);
      status = session.Receive(bytes);
      part.remove_prefix(bytes.size());
    }
    trace += status.ToString() + (session.is_waiting() ? " waits" : " is done") + "\n";
    if (!status.ok()) {
      CHECK(!status.message().empty());
      return trace;
    }
    for (const auto& [name, option] : session.options()) {
      trace += name + "=" + option.type + option.default_value + "\n";
    }
    trace +=
        session.name() + "|" + session.answer() + "|" + std::to_string(session.info().nodes) + "\n";
    CHECK(session.info().nodes >= 0);
    if (session.is_waiting()) continue;
    if (asked == 0) {
      const absl::StatusOr<std::string> lines = session.SetOptions({});
      trace += lines.ok() ? *lines : lines.status().ToString();
      if (!lines.ok()) return trace;
    } else {
      std::string lines;
      if (asked == 1) lines = session.NewGame(7);
      if (asked > 1) session.Go({.context = &context}, " E2-E4 D7-D6", &lines);
      trace += lines;
    }
    ++asked;
  }
  return trace;
}

}  // namespace
}  // namespace triarch

FUZZ_TEXT(text) {
  const std::string whole = triarch::Understand(text, text.size() + 1);
  CHECK(triarch::Understand(text, 1) == whole);
  CHECK(triarch::Understand(text, 7) == whole);
}
