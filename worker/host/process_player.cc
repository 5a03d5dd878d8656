#include "worker/host/process_player.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/bot_error.h"
#include "core/record/error_cause.h"
#include "core/text.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr seconds kReadyTime{10};  // time to answer with uciok or readyok
constexpr seconds kDeadTime{60};   // time for a move without a time limit
constexpr milliseconds kMoment{100};
constexpr nanoseconds kCpuPollInterval =
    milliseconds(2);           // shortest interval between checks of CPU time
constexpr int kPatience = 10;  // a turn may take this many times its CPU time
constexpr size_t kErrorsKept = 4 << 10;

// Ignores SIGPIPE, which would end the worker when a bot closes its input.
void IgnoreBrokenPipes() {
  thread_local const bool is_blocked = [] {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    return pthread_sigmask(SIG_BLOCK, &signals, nullptr) == 0;
  }();
  (void)is_blocked;
}

}  // namespace

// The event loop's watches for the process.
struct ProcessPlayer::Wires {
  using Watch = EventLoop::Watch;
  Wires(EventLoop& loop, ProcessPlayer* player)
      : output(loop, Watch::For::kReading, [player] { player->OnOutput(); }),
        errors(loop, Watch::For::kReading, [player] { player->OnErrors(); }),
        end(loop, Watch::For::kReading, [player] { player->OnEnd(); }),
        input(loop, Watch::For::kWriting, [player] { player->OnInput(); }),
        timer(loop, [player] { player->OnTimer(); }) {}

  Watch output;
  Watch errors;
  Watch end;
  Watch input;
  EventLoop::Timer timer;
};

ProcessPlayer::ProcessPlayer(const GameInfo& game, BotSpec spec, Log log, Tap protocol)
    : game_(game),
      spec_(std::move(spec)),
      log_(std::move(log)),
      transcript_(protocol ? [this, protocol = std::move(protocol)](
                                 Transcript::Stream stream,
                                 std::string_view line) { protocol(label_, stream, line); }
                           : Transcript::Sink()) {}

ProcessPlayer::~ProcessPlayer() {
  if (wires_) StopWires();
}

absl::Status ProcessPlayer::Check() {
  EventLoop loop;
  bool is_ready = false;
  RETURN_IF_ERROR(StartProcess());
  BeginGame(loop, GameSpec(), Seat::kFirst, [&](bool ready) {
    is_ready = ready;
    loop.Stop();
  });
  loop.Run();
  EndGame();
  wires_.reset();
  return is_ready ? absl::OkStatus() : fault_;
}

absl::Status ProcessPlayer::Prepare() {
  const absl::Status status = StartProcess();
  return status.ok() ? status : WithBotName(spec_, status);
}

absl::Status ProcessPlayer::StartProcess() {
  ended_.reset();
  pollfd end = {.fd = process_ ? process_->pidfd() : -1, .events = POLLIN, .revents = 0};
  if (process_ && poll(&end, 1, 0) == 0) return absl::OkStatus();
  process_.reset();
  session_.reset();
  unwritten_.clear();
  errors_.clear();
  is_closed_ = false;
  ASSIGN_OR_RETURN(process_, BotProcess::Start(spec_));
  return absl::OkStatus();
}

void ProcessPlayer::BeginGame(EventLoop& loop, const GameSpec& spec, Seat seat,
                              std::function<void(bool)> done) {
  IgnoreBrokenPipes();
  wires_ = std::make_unique<Wires>(loop, this);
  on_begun_ = std::move(done);
  seed_ = PlayerSeed(spec, seat);
  label_ = absl::StrFormat("%s %d.%d", spec_.name, spec.match + 1, spec.index + 1);
  transcript_.Begin(Clock::now());
  patience_ = Clock::now() + kReadyTime;
  fault_ = absl::OkStatus();
  report_ = {};
  cpu_at_begin_.reset();
  cpu_of_game_.reset();
  wires_->output.Start(process_->output());
  wires_->errors.Start(process_->errors());
  wires_->end.Start(process_->pidfd());
  wires_->timer.Set(patience_);
  if (session_) return Ask(Step::kNewGame, session_->NewGame(seed_));
  session_.emplace(game_);
  Ask(Step::kUci, session_->Begin());
}

void ProcessPlayer::BeginTurn(const AnyState& state, const AnyState::Moves& moves,
                              const SearchLimits& limits, std::function<void(Decision)> done) {
  on_decision_ = std::move(done);
  const TurnContext& context = *limits.context;
  turn_ = {.state = &state,
           .began = context.began,
           .allowed = context.allowed,
           .late = context.late,
           .info = limits.search_info,
           .charges_cpu = limits.charges_cpu && context.late.has_value()};
  if (!process_) {
    step_ = Step::kMove;
    return wires_->timer.Set(turn_.began);
  }
  if (turn_.late && !turn_.charges_cpu) {
    patience_ = turn_.began + *turn_.late;
  } else {
    patience_ = turn_.began + kDeadTime + turn_.late.value_or(nanoseconds(0)) * kPatience;
  }
  if (is_closed_) {
    wires_->timer.Set(Clock::now() + kMoment);
  } else {
    wires_->timer.Set(turn_.allowed ? turn_.began + *turn_.allowed : patience_);
  }
  WriteLegal(state, moves);
  // The text takes kilobytes but is usually written in one call, so all players of a thread share
  // the buffer.
  thread_local std::string lines;
  session_->Go(limits, legal_, &lines);
  Ask(Step::kMove, lines);
  if (wires_->output.is_on() && polls_.BeginTurn()) wires_->output.Expect();
}

// A turn has dozens of legal moves. Appending such short texts one at a time would take twice as
// long.
void ProcessPlayer::WriteLegal(const AnyState& state, const AnyState::Moves& moves) {
  legal_.clear();
  legal_ends_.clear();
  if (!session_->wants_legal_moves()) return;
  legal_.resize(moves.size() * (1 + kMoveTextMax));
  legal_ends_.resize(moves.size());
  uint16_t* end = legal_ends_.data();
  char* at = legal_.data();
  state.Visit([&]<class P>(const GameState<P>& game) {
    moves.As<P>().ForEach([&](typename P::Move move) {
      *at++ = ' ';
      at = WriteMove(game.position(), move, at);
      *end++ = static_cast<uint16_t>(at - legal_.data());
    });
  });
  legal_.resize(static_cast<size_t>(at - legal_.data()));
}

void ProcessPlayer::EndGame() {
  transcript_.Flush();
  if (wires_) StopWires();
  if (step_ != Step::kNothing) EndProcess();  // otherwise its answer would arrive in the next game
  step_ = Step::kNothing;
  on_begun_ = nullptr;
  on_decision_ = nullptr;
}

// Reading CPU time costs up to tens of µs, as much as a whole turn. Do it every turn only if CPU
// time is charged.
void ProcessPlayer::RecordCpuAtStart() {
  const absl::StatusOr<nanoseconds> cpu = process_->CpuTime();
  cpu_charged_ = cpu.value_or(nanoseconds(0));
  cpu_at_begin_.reset();
  if (cpu.ok()) cpu_at_begin_ = *cpu;
  cpu_of_game_.reset();
}

std::optional<nanoseconds> ProcessPlayer::CpuOfGame() {
  if (!process_ || !cpu_at_begin_) return cpu_of_game_;
  const absl::StatusOr<nanoseconds> cpu = process_->CpuTime();
  if (!cpu.ok()) return std::nullopt;
  return *cpu - *cpu_at_begin_;
}

// Leaves all waiting to the thread that prepares the next game or destroys this object.
void ProcessPlayer::EndProcess() {
  if (!process_) return;
  cpu_of_game_ = CpuOfGame();
  process_->Kill();
  ended_ = std::move(process_);
}

void ProcessPlayer::StopWires() {
  wires_->output.Stop();
  wires_->errors.Stop();
  wires_->end.Stop();
  wires_->input.Stop();
  wires_->timer.Clear();
}

// ---- Requests and responses.

void ProcessPlayer::Ask(Step step, std::string_view lines) {
  step_ = step;
  error_bytes_ = 0;
  Write(lines);
}

void ProcessPlayer::Continue() {
  switch (step_) {
    case Step::kNothing:
      return;
    case Step::kUci: {
      absl::StatusOr<std::string> lines = session_->SetOptions(spec_.options);
      if (!lines.ok()) return Fault(lines.status());
      return Ask(Step::kOptions, *std::move(lines));
    }
    case Step::kOptions:
      return Ask(Step::kNewGame, session_->NewGame(seed_));
    case Step::kNewGame:
      // Starting and getting ready are not charged.
      RecordCpuAtStart();
      step_ = Step::kNothing;
      return std::exchange(on_begun_, nullptr)(true);
    case Step::kMove: {
      absl::Status fault;
      Decision decision = TakeDecision(&fault);
      if (!fault.ok()) report_.answer = session_->answer();
      if (fault.ok() && turn_.charges_cpu) fault = Charge(&decision);
      if (!fault.ok()) return Fault(fault);
      step_ = Step::kNothing;
      return std::exchange(on_decision_, nullptr)(decision);
    }
  }
}

Decision ProcessPlayer::TakeDecision(absl::Status* fault) const {
  Decision decision{.nodes = session_->info().nodes, .eval = session_->info().shares};
  if (session_->answer() == "resign") {
    decision.kind = Decision::Kind::kResign;
  } else if (session_->answer() == "claim") {
    decision.kind = Decision::Kind::kClaimDraw;
  } else {
    const absl::StatusOr<size_t> move = FindMove(session_->answer());
    if (move.ok()) {
      decision.move = *move;
      if (turn_.info != nullptr) session_->info().CopyTo(turn_.info);
    }
    if (!move.ok()) *fault = absl::InvalidArgumentError(move.status().message());
  }
  return decision;
}

absl::Status ProcessPlayer::Charge(Decision* decision) {
  ASSIGN_OR_RETURN(const nanoseconds used, Used());
  decision->cpu = used;
  cpu_charged_ += used;
  return absl::OkStatus();
}

// Usually the answer is exactly one of the listed moves.
absl::StatusOr<size_t> ProcessPlayer::FindMove(std::string_view text) const {
  size_t begin = 1;
  for (size_t i = 0; i < legal_ends_.size(); ++i) {
    if (std::string_view(legal_).substr(begin, legal_ends_[i] - begin) == text) return i;
    begin = legal_ends_[i] + 1;
  }
  return turn_.state->FindMove(turn_.state->LegalMoves(), text);
}

absl::Status ProcessPlayer::WithErrorOutput(const absl::Status& fault) {
  // The cause is at the end; a pipe holds 64 KiB.
  constexpr int kReadsMax = 32;
  for (int i = 0; i < kReadsMax && process_ && wires_->errors.is_on() && ReadErrors(); ++i) {
  }
  std::string line(fault.message());
  if (!errors_.empty()) line += "; its standard error: " + ErrorCause(errors_);
  return absl::Status(fault.code(), line);
}

void ProcessPlayer::Fault(const absl::Status& fault) {
  fault_ = WithErrorOutput(fault);
  report_.message = std::string(fault.message());
  if (const std::string exit = process_->DescribeExit(); exit != BotProcess::kStillRunning) {
    report_.exit_status = exit;
  }
  StopWires();
  EndProcess();
  log_("bot " + spec_.name + ": " + std::string(fault_.message()));
  const Step step = std::exchange(step_, Step::kNothing);
  // During another seat's turn, the player forfeits only when its own turn comes.
  if (step == Step::kNothing) return;
  if (step == Step::kMove) return Forfeit();
  std::exchange(on_begun_, nullptr)(false);
}

void ProcessPlayer::DescribeFault(FaultReport* report) {
  if (report->message.empty()) report->message = report_.message;
  report->answer = report_.answer;
  report->exit_status = report_.exit_status;
  report->errors = errors_;
  report->protocol = transcript_.Text();
}

void ProcessPlayer::Forfeit() {
  Termination why = Termination::kCrash;
  if (absl::IsInvalidArgument(fault_)) why = Termination::kIllegalMove;
  if (absl::IsDeadlineExceeded(fault_)) why = Termination::kTimeForfeit;
  std::exchange(on_decision_, nullptr)({.kind = Decision::Kind::kForfeit, .why = why, .eval = {}});
}

void ProcessPlayer::OnTimer() {
  if (!process_) {  // it failed during another seat's turn
    step_ = Step::kNothing;
    return Forfeit();
  }
  if (is_closed_) return Fault(absl::InternalError("it closed its standard output"));
  if (step_ == Step::kNothing) return;  // it has already answered
  const bool is_over = Clock::now() >= patience_;
  if (step_ != Step::kMove) {
    if (is_over) Fault(absl::DeadlineExceededError("it did not answer in time"));
    return;
  }
  if (is_over && (turn_.charges_cpu || !turn_.late)) {
    return Fault(absl::InternalError("it did not answer within a minute"));
  }
  const absl::StatusOr<nanoseconds> used = Used();
  if (!used.ok()) return Fault(used.status());
  if (is_over || *used >= *turn_.late) {
    return Fault(absl::DeadlineExceededError(LateMessage(*used)));
  }
  if (*used >= *turn_.allowed && !turn_.is_told_to_stop) {
    turn_.is_told_to_stop = true;
    Write("stop\n");
  }
  const nanoseconds left = (turn_.is_told_to_stop ? *turn_.late : *turn_.allowed) - *used;
  // A bot with several threads uses CPU time faster than real time passes, and a waiting bot uses
  // it more slowly.
  wires_->timer.Set(Clock::now() +
                    (turn_.charges_cpu ? std::max(left / 4, kCpuPollInterval) : left));
}

std::string ProcessPlayer::LateMessage(nanoseconds used) const {
  const auto in_seconds = [](nanoseconds time) {
    return std::chrono::duration<double>(time).count();
  };
  std::string text = absl::StrFormat(
      "it did not answer in time: no answer after %.3f s%s; it had %.3f s and a margin of %.3f s",
      in_seconds(used), turn_.charges_cpu ? " of CPU time" : "", in_seconds(*turn_.allowed),
      in_seconds(*turn_.late - *turn_.allowed));
  // A bot becomes slow when its memory runs out.
  if (const std::string memory = process_->DescribeMemory(); !memory.empty()) text += "; " + memory;
  return text;
}

absl::StatusOr<nanoseconds> ProcessPlayer::Used() const {
  if (!turn_.charges_cpu) return Clock::now() - turn_.began;
  ASSIGN_OR_RETURN(const nanoseconds cpu, process_->CpuTime());
  return cpu - cpu_charged_;
}

// ---- Pipes.

void ProcessPlayer::Write(std::string_view bytes) {
  transcript_.AddSent(bytes, Clock::now());
  if (unwritten_.empty()) {
    unwritten_ = WriteSome(bytes);
  } else {
    unwritten_ += bytes;
  }
  if (!unwritten_.empty() && !wires_->input.is_on()) wires_->input.Start(process_->input());
}

void ProcessPlayer::OnInput() {
  std::string rest(WriteSome(unwritten_));
  unwritten_.swap(rest);
  if (unwritten_.empty()) wires_->input.Stop();
}

std::string_view ProcessPlayer::WriteSome(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(process_->input(), bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<size_t>(count));
    } else if (errno == EAGAIN) {
      break;
    } else if (errno != EINTR) {
      return {};  // it no longer reads, but its output may contain the reason
    }
  }
  return bytes;
}

void ProcessPlayer::OnOutput() {
  const bool is_poll = polls_.TakePoll();
  const bool is_hit = ReadOutput();
  if (is_poll) polls_.Note(is_hit);
}

bool ProcessPlayer::ReadOutput() {
  std::array<char, 16 << 10> bytes;
  const ssize_t count = read(process_->output(), bytes.data(), bytes.size());
  if (count < 0) return false;
  if (count == 0) {
    // The output ends just before the process exits, and the exit status is more informative.
    is_closed_ = true;
    wires_->output.Stop();
    wires_->timer.Set(Clock::now() + kMoment);
    return false;
  }
  const std::string_view received(bytes.data(), static_cast<size_t>(count));
  transcript_.AddReceived(received, Clock::now());
  const absl::Status status = session_->Receive(received);
  if (!status.ok()) {
    Fault(status);
  } else if (step_ != Step::kNothing && !session_->is_waiting()) {
    Continue();
  }
  return true;
}

void ProcessPlayer::OnEnd() {
  // It may have answered before it exited.
  while (process_ && !is_closed_ && ReadOutput()) {
  }
  if (process_) Fault(absl::InternalError("it exited: " + process_->DescribeExit()));
}

void ProcessPlayer::OnErrors() {
  ReadErrors();
  if (error_bytes_ > UciSession::kBytesPerAnswerMax) {
    Fault(absl::ResourceExhaustedError("it wrote more than 1 MiB to its standard error"));
  }
}

bool ProcessPlayer::ReadErrors() {
  std::array<char, 4 << 10> bytes;
  const ssize_t count = read(process_->errors(), bytes.data(), bytes.size());
  if (count == 0) wires_->errors.Stop();
  if (count <= 0) return false;
  error_bytes_ += static_cast<size_t>(count);
  transcript_.AddErrors({bytes.data(), static_cast<size_t>(count)});
  errors_.append(bytes.data(), static_cast<size_t>(count));
  if (errors_.size() > kErrorsKept) errors_.erase(0, errors_.size() - kErrorsKept);
  return true;
}

}  // namespace triarch
