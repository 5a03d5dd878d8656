#include "cli/rules/rules_engine.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/game_spec.h"
#include "scenarios/listed_moves.h"
#include "worker/host/uci_session.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr size_t kErrorsKept = 4 << 10;

// Appends what can be read now. Returns false at the end of the stream.
bool ReadInto(int fd, std::string* text) {
  std::array<char, 64 << 10> bytes;
  while (true) {
    const ssize_t count = read(fd, bytes.data(), bytes.size());
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) return false;
    text->append(bytes.data(), static_cast<size_t>(count));
  }
}

int MillisecondsUntil(steady_clock::time_point deadline) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
  return static_cast<int>(std::max(left, milliseconds(0)).count());
}

}  // namespace

absl::StatusOr<RulesEngine> RulesEngine::Start(const GameInfo& game, const std::string& command,
                                               std::chrono::seconds patience) {
  // A write after the program has closed its input fails instead of ending this process.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  BotSpec spec;
  spec.name = "engine";
  spec.bot = kProcessBot;
  spec.command = {"/bin/sh", "-c", command};
  spec.is_sandboxed = false;
  ASSIGN_OR_RETURN(std::unique_ptr<BotProcess> process, BotProcess::Start(spec));
  RulesEngine engine(std::move(process), patience);
  RETURN_IF_ERROR(engine.Begin(game));
  return engine;
}

absl::StatusOr<std::set<std::string>> RulesEngine::LegalMoves(const std::string& position) {
  RETURN_IF_ERROR(Write("position fen " + position + "\ngo perft 1\nisready\n"));
  ASSIGN_OR_RETURN(const std::string answer, ReadUntilReady());
  return ReadListedMoves(answer);
}

absl::Status RulesEngine::Begin(const GameInfo& game) {
  UciSession session(game);
  const auto finish = [&](const std::string& lines) -> absl::Status {
    RETURN_IF_ERROR(Write(lines));
    const auto deadline = steady_clock::now() + patience_;
    while (session.is_waiting()) {
      RETURN_IF_ERROR(ReadMore(deadline));
      RETURN_IF_ERROR(session.Receive(std::exchange(output_, std::string())));
    }
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(finish(session.Begin()));
  ASSIGN_OR_RETURN(const std::string lines, session.SetOptions({}));
  return finish(lines);
}

absl::Status RulesEngine::Write(std::string_view text) {
  const auto deadline = steady_clock::now() + patience_;
  while (!text.empty()) {
    const ssize_t count = write(process_->input(), text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<size_t>(count));
      continue;
    }
    if (errno != EAGAIN && errno != EINTR) return Ended();
    pollfd input = {process_->input(), POLLOUT, 0};
    if (poll(&input, 1, MillisecondsUntil(deadline)) == 0) {
      return absl::DeadlineExceededError(
          absl::StrFormat("it did not read its input for %d s", patience_.count()));
    }
  }
  return absl::OkStatus();
}

absl::Status RulesEngine::ReadMore(steady_clock::time_point deadline) {
  std::array<pollfd, 2> streams = {
      {{process_->output(), POLLIN, 0}, {process_->errors(), POLLIN, 0}}};
  // Its standard error may be closed.
  const bool is_late = poll(streams.data(), streams.size(), MillisecondsUntil(deadline)) == 0 ||
                       (streams[0].revents == 0 && steady_clock::now() >= deadline);
  if (is_late) {
    return absl::DeadlineExceededError(
        absl::StrFormat("it did not answer within %d s", patience_.count()));
  }
  if (streams[1].revents != 0) ReadErrors();
  if (streams[0].revents != 0 && !ReadInto(process_->output(), &output_)) return Ended();
  if (output_.size() > UciSession::kBytesPerAnswerMax) {
    return absl::ResourceExhaustedError("it wrote more than 1 MiB for one answer");
  }
  return absl::OkStatus();
}

void RulesEngine::ReadErrors() {
  ReadInto(process_->errors(), &errors_);
  if (errors_.size() > kErrorsKept) errors_.erase(0, errors_.size() - kErrorsKept);
}

absl::StatusOr<std::string> RulesEngine::ReadUntilReady() {
  const auto deadline = steady_clock::now() + patience_;
  std::string answer;
  while (true) {
    for (size_t end = output_.find('\n'); end != std::string::npos; end = output_.find('\n')) {
      const std::string line = output_.substr(0, end);
      output_.erase(0, end + 1);
      if (Trim(line) == "readyok") return answer;
      answer += line + "\n";
    }
    RETURN_IF_ERROR(ReadMore(deadline));
  }
}

absl::Status RulesEngine::Ended() {
  pollfd end = {process_->pidfd(), POLLIN, 0};
  poll(&end, 1, static_cast<int>(milliseconds(1000).count()));
  ReadErrors();
  const std::string_view said = Trim(errors_);
  const std::string exit = process_->DescribeExit();
  return absl::UnavailableError(
      (exit == BotProcess::kStillRunning ? "it closed its output" : "it ended: " + exit) +
      (said.empty() ? "" : "; it said: " + std::string(said.substr(said.rfind('\n') + 1))));
}

}  // namespace triarch
