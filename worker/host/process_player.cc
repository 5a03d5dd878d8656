#include "worker/host/process_player.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr seconds kReadyTime{10};   // for uciok and readyok
constexpr seconds kDeadTime{60};    // for a move where time does not limit
constexpr milliseconds kLook{100};  // for the stop flag of an abandoned game
constexpr size_t kErrorsKept = 4 << 10;

// A bot that has closed its input is no reason to end the worker.
void IgnoreBrokenPipes() {
  thread_local const bool is_blocked = [] {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    return pthread_sigmask(SIG_BLOCK, &signals, nullptr) == 0;
  }();
  (void)is_blocked;
}

timespec ToTimespec(nanoseconds time) {
  const auto whole = std::chrono::duration_cast<seconds>(time);
  return {.tv_sec = whole.count(), .tv_nsec = (time - whole).count()};
}

// One line of a text: its last that is not empty.
std::string LastLine(std::string_view text) {
  text = Trim(text);
  return std::string(Trim(text.substr(text.find_last_of('\n') + 1)));
}

}  // namespace

ProcessPlayer::ProcessPlayer(const GameInfo& game, BotSpec spec, Log log)
    : game_(game), spec_(std::move(spec)), log_(std::move(log)) {}

ProcessPlayer::~ProcessPlayer() = default;

absl::Status ProcessPlayer::Start() {
  IgnoreBrokenPipes();
  unwritten_.clear();
  errors_.clear();
  is_errors_closed_ = false;
  ASSIGN_OR_RETURN(process_, BotProcess::Start(spec_));
  session_.emplace(game_);
  const Patience patience{.end = Clock::now() + kReadyTime};
  RETURN_IF_ERROR(Ask(session_->Begin(), patience));
  ASSIGN_OR_RETURN(std::string lines, session_->SetOptions(spec_.options));
  return Ask(std::move(lines), patience);
}

absl::Status ProcessPlayer::Check() {
  const absl::Status status = Start();
  return status.ok() ? status : absl::Status(status.code(), WithItsWords(status));
}

std::string ProcessPlayer::WithItsWords(const absl::Status& fault) {
  if (process_ && !is_errors_closed_) ReadErrors();
  std::string line(fault.message());
  if (!errors_.empty()) line += "; it said: " + LastLine(errors_);
  return line;
}

void ProcessPlayer::NewGame(Seat /*seat*/, uint64_t seed) {
  absl::Status status = process_ ? absl::OkStatus() : Start();
  if (status.ok()) {
    status = Ask(session_->NewGame(seed), {.end = Clock::now() + kReadyTime});
  }
  if (status.ok()) return;
  Fail(status);
  throw std::runtime_error(std::string(status.message()));
}

Decision ProcessPlayer::Choose(const AnyState& state, const AnyState::Moves& moves,
                               const SearchLimits& limits) {
  if (!process_) return {.kind = Decision::Kind::kForfeit, .why = Termination::kCrash, .eval = {}};
  IgnoreBrokenPipes();
  if (const absl::Status early = Drain(); !early.ok()) return Forfeit(early);
  std::vector<std::string> legal;
  if (session_->wants_legal_moves()) {
    legal.reserve(moves.size());
    for (size_t i = 0; i < moves.size(); ++i) legal.push_back(state.MoveToString(moves, i));
  }
  const TurnFacts& facts = *limits.facts;
  const Patience patience{.end = facts.late ? *facts.late : Clock::now() + kDeadTime,
                          .stop_at = facts.flag,
                          .stop = limits.stop};
  absl::Status status = Ask(session_->Go(limits, legal), patience);
  if (absl::IsDeadlineExceeded(status) && !facts.late) {
    status = absl::InternalError("it did not answer for a minute");
  }
  if (!status.ok()) return Forfeit(status);

  Decision decision{.nodes = session_->thought().nodes, .eval = session_->thought().shares};
  if (session_->answer() == "resign") {
    decision.kind = Decision::Kind::kResign;
  } else if (session_->answer() == "claim") {
    decision.kind = Decision::Kind::kClaimDraw;
  } else {
    const absl::StatusOr<size_t> move = state.FindMove(moves, session_->answer());
    if (!move.ok()) return Forfeit(absl::InvalidArgumentError(move.status().message()));
    decision.move = *move;
  }
  return decision;
}

Decision ProcessPlayer::Forfeit(const absl::Status& fault) {
  Fail(fault);
  Termination why = Termination::kCrash;
  if (absl::IsInvalidArgument(fault)) why = Termination::kIllegalMove;
  if (absl::IsDeadlineExceeded(fault)) why = Termination::kTimeForfeit;
  return {.kind = Decision::Kind::kForfeit, .why = why, .eval = std::nullopt};
}

void ProcessPlayer::Fail(const absl::Status& fault) {
  const std::string line = "bot " + spec_.name + ": " + WithItsWords(fault);
  process_.reset();
  if (!absl::IsCancelled(fault)) log_(line);
}

// ---- The pipes.

absl::Status ProcessPlayer::Ask(std::string lines, const Patience& patience) {
  unwritten_ += lines;
  return Exchange(patience);
}

absl::Status ProcessPlayer::Exchange(const Patience& patience) {
  bool is_told_to_stop = false;
  RETURN_IF_ERROR(Write());
  while (session_->is_waiting()) {
    if (patience.stop != nullptr && patience.stop->load(std::memory_order_relaxed)) {
      return absl::CancelledError("the game was abandoned");
    }
    Clock::time_point wake = patience.end;
    if (patience.stop != nullptr) wake = std::min(wake, Clock::now() + kLook);
    if (patience.stop_at && !is_told_to_stop) wake = std::min(wake, *patience.stop_at);
    RETURN_IF_ERROR(WaitUntil(wake));
    if (!session_->is_waiting()) break;
    const Clock::time_point now = Clock::now();
    if (now >= patience.end) return absl::DeadlineExceededError("it did not answer in time");
    if (patience.stop_at && !is_told_to_stop && now >= *patience.stop_at) {
      is_told_to_stop = true;
      unwritten_ += "stop\n";
      RETURN_IF_ERROR(Write());
    }
  }
  return absl::OkStatus();
}

absl::Status ProcessPlayer::WaitUntil(Clock::time_point time) {
  std::array<pollfd, 4> fds = {
      {{.fd = process_->output(), .events = POLLIN, .revents = 0},
       {.fd = process_->pidfd(), .events = POLLIN, .revents = 0},
       {.fd = is_errors_closed_ ? -1 : process_->errors(), .events = POLLIN, .revents = 0},
       {.fd = unwritten_.empty() ? -1 : process_->input(), .events = POLLOUT, .revents = 0}}};
  const auto left = std::max<nanoseconds>(time - Clock::now(), nanoseconds(0));
  const timespec timeout = ToTimespec(left);
  if (ppoll(fds.data(), fds.size(), &timeout, nullptr) < 0) {
    if (errno == EINTR) return absl::OkStatus();
    return absl::InternalError(std::string("ppoll: ") + std::strerror(errno));
  }
  if (fds[2].revents != 0) ReadErrors();
  if (fds[0].revents != 0) {
    RETURN_IF_ERROR(ReadOutput());
  } else if (fds[1].revents != 0) {
    return Gone();  // and has left nothing to be read
  }
  if (fds[3].revents != 0) RETURN_IF_ERROR(Write());
  return absl::OkStatus();
}

absl::Status ProcessPlayer::Write() {
  while (!unwritten_.empty()) {
    const ssize_t count = write(process_->input(), unwritten_.data(), unwritten_.size());
    if (count >= 0) {
      unwritten_.erase(0, static_cast<size_t>(count));
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      // It does not read any more; what it has written may still say why.
      unwritten_.clear();
      return absl::OkStatus();
    }
  }
  return absl::OkStatus();
}

absl::Status ProcessPlayer::ReadOutput() {
  std::array<char, 16 << 10> bytes;
  const ssize_t count = read(process_->output(), bytes.data(), bytes.size());
  if (count > 0) return session_->Take({bytes.data(), static_cast<size_t>(count)});
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return absl::OkStatus();
  return Gone();
}

void ProcessPlayer::ReadErrors() {
  std::array<char, 4 << 10> bytes;
  const ssize_t count = read(process_->errors(), bytes.data(), bytes.size());
  if (count == 0) is_errors_closed_ = true;
  if (count <= 0) return;
  errors_.append(bytes.data(), static_cast<size_t>(count));
  if (errors_.size() > kErrorsKept) errors_.erase(0, errors_.size() - kErrorsKept);
}

// Its end of file comes a moment before its end.
absl::Status ProcessPlayer::Gone() {
  pollfd end = {.fd = process_->pidfd(), .events = POLLIN, .revents = 0};
  constexpr int kMomentMs = 100;
  if (poll(&end, 1, kMomentMs) == 1) {
    return absl::InternalError("it ended: " + process_->HowItEnded());
  }
  return absl::InternalError("it closed its output");
}

absl::Status ProcessPlayer::Drain() {
  std::array<char, 4 << 10> bytes;
  ssize_t count = 0;
  while ((count = read(process_->output(), bytes.data(), bytes.size())) > 0) {
    RETURN_IF_ERROR(session_->Take({bytes.data(), static_cast<size_t>(count)}));
  }
  return count == 0 ? Gone() : absl::OkStatus();
}

}  // namespace triarch
