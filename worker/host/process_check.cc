#include "worker/host/process_check.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "bots/uci/uci_words.h"
#include "core/any_state.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "worker/host/process_player.h"
#include "worker/host/protocol_watch.h"
#include "worker/match/match.h"
#include "worker/sandbox/sandbox.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int64_t kNodesPerMove = 100;
constexpr int64_t kTimePerMove = 20;          // ms
constexpr milliseconds kLatestAnswer{2'000};  // after `stop`; a game ends only then
constexpr int64_t kGamePliesMax = 400;
constexpr int64_t kTimedPliesMax = 100;
constexpr int64_t kPositionPliesMax = 60;
constexpr int kPliesBefore = 9;  // random plies before the position of the third game

// The number of the current game and ply, which all seats share.
struct GamePlace {
  int64_t game = 0;
  int64_t ply = 0;
};

// A seat's process with its watch.
class CheckedPlayer final : public AsyncPlayer {
 public:
  CheckedPlayer(const GameInfo& game, const BotSpec& spec, Seat seat, milliseconds margin,
                GamePlace* place, BotReport* report)
      : place_(*place),
        report_(*report),
        watch_(game, seat, margin, report),
        prefix_("bot " + spec.name + ": "),
        player_(
            game, spec, [this](const std::string& line) { TakeFault(line); },
            [this](std::string_view, Transcript::Stream stream, std::string_view line) {
              watch_.SetPlace(place_.game, place_.ply);
              watch_.Take(stream, line);
            }) {}

  absl::Status Prepare() override { return player_.Prepare(); }
  void BeginGame(EventLoop& loop, const GameSpec& spec, Seat seat,
                 std::function<void(bool)> done) override {
    asked_.reset();
    player_.BeginGame(loop, spec, seat, [this, done = std::move(done)](bool is_ready) {
      Report();
      done(is_ready);
    });
  }
  void BeginTurn(const AnyState& state, const AnyState::Moves& moves, const SearchLimits& limits,
                 std::function<void(Decision)> done) override {
    ++place_.ply;
    asked_ = Clock::now();
    player_.BeginTurn(state, moves, limits, [this, done = std::move(done)](Decision decision) {
      asked_.reset();
      Report(decision.why);
      done(decision);
    });
  }
  std::optional<std::chrono::nanoseconds> CpuOfGame() override { return player_.CpuOfGame(); }
  void DescribeFault(FaultReport* report) override { player_.DescribeFault(report); }
  void EndGame() override {
    Report();
    player_.EndGame();
  }

  // Reports a game that was stopped while the bot had not answered for at least that time. Returns
  // false if it had.
  bool ReportHang(milliseconds patience) {
    if (!asked_ || Clock::now() - *asked_ < patience) return false;
    const std::chrono::duration<double> waited = Clock::now() - *asked_;
    watch_.SetPlace(place_.game, place_.ply);
    report_.Add({.what = "it does not answer",
                 .first = watch_.Where(absl::StrFormat("no answer for %.0f s; ", waited.count()) +
                                       watch_.LastLines())});
    return true;
  }

 private:
  void TakeFault(const std::string& line) {
    fault_ = line.starts_with(prefix_) ? line.substr(prefix_.size()) : line;
    watch_.SetPlace(place_.game, place_.ply);
    where_ = watch_.Where(fault_ + "; " + watch_.LastLines());
  }
  // Reports the fault, if there is one, as soon as its kind is known.
  void Report(Termination why = Termination::kCrash) {
    if (fault_.empty()) return;
    std::string what = fault_.substr(0, fault_.find_first_of(":;"));
    if (why == Termination::kTimeForfeit) what = "no answer in time";
    const bool is_asked_for = fault_.find("without being asked") == std::string::npos;
    if (why == Termination::kIllegalMove && is_asked_for) what = "an illegal move";
    report_.Add({.what = what, .first = where_});
    fault_.clear();
  }

  GamePlace& place_;
  BotReport& report_;
  ProtocolWatch watch_;
  const std::string prefix_;
  std::string fault_;  // not yet reported
  std::string where_;
  std::optional<Clock::time_point> asked_;  // when it was asked for the move that is pending
  ProcessPlayer player_;
};

// Sets a flag after some time or when the check is interrupted, unless it is destroyed before.
class Alarm {
 public:
  Alarm(milliseconds after, const CheckPlan& plan, std::atomic<bool>* flag)
      : thread_([this, after, &plan, flag](const std::stop_token& end) {
          const Clock::time_point until = Clock::now() + after;
          std::unique_lock lock(mutex_);
          while (!changed_.wait_for(lock, end, kLook, [&] { return end.stop_requested(); })) {
            if (Clock::now() >= until || IsInterrupted(plan)) *flag = true;
          }
        }) {}

 private:
  static constexpr milliseconds kLook{20};

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread thread_;
};

class ProcessChecker {
 public:
  ProcessChecker(const GameInfo& game, const BotSpec& spec, const CheckPlan& plan,
                 const ProcessCheckLimits& limits)
      : game_(game), bot_(spec), plan_(plan), limits_(limits) {}

  absl::StatusOr<BotReport> Run();

 private:
  using Players = std::vector<std::unique_ptr<CheckedPlayer>>;

  Players MakePlayers();
  GameSpec SpecOf(int64_t number) const;
  GameSpec ClockedSpec() const;
  // Plays a game and returns its moves.
  absl::StatusOr<std::vector<std::string>> Play(const GameSpec& spec, const Players& players);
  void ReportStopped(const Players& players);
  // Plays the numbered games. Returns the moves of the first one.
  absl::StatusOr<std::vector<std::string>> PlayAll(const Players& players);
  // Repeats the first game and compares its moves.
  absl::Status Repeat(const std::vector<std::string>& first, const Players& players);
  absl::Status CheckQuit();

  const GameInfo& game_;
  const BotSpec bot_;
  const CheckPlan& plan_;
  const ProcessCheckLimits limits_;
  GamePlace place_;
  BotReport report_;
};

ProcessChecker::Players ProcessChecker::MakePlayers() {
  Players players;
  for (size_t i = 0; i < game_.seats; ++i) {
    players.push_back(
        std::make_unique<CheckedPlayer>(game_, bot_, SeatAt(i), limits_.margin, &place_, &report_));
  }
  return players;
}

// Games take turns: with nodes, with time, from a position.
GameSpec ProcessChecker::SpecOf(int64_t number) const {
  GameSpec spec;
  spec.index = number - 1;
  spec.game = game_.name;
  spec.seed = static_cast<uint64_t>(number);
  spec.time_control = {.nodes = kNodesPerMove, .margin_ms = kLatestAnswer.count()};
  spec.adjudication.plies_max = kGamePliesMax;
  if (number % 3 == 2) {
    spec.time_control = {.movetime_ms = kTimePerMove, .margin_ms = kLatestAnswer.count()};
    spec.adjudication.plies_max = kTimedPliesMax;
  }
  if (number % 3 == 0) {
    AnyState state = AnyState::Start(game_.name, "").value();
    Random random(spec.seed);
    for (int ply = 0; ply < kPliesBefore && !state.outcome(); ++ply) {
      const AnyState::Moves moves = state.LegalMoves();
      state.Play(moves, random.Below(static_cast<uint32_t>(moves.size())));
    }
    if (!state.outcome()) spec.position = state.ToString();
    spec.adjudication.plies_max = kPositionPliesMax;
  }
  for (size_t i = 0; i < game_.seats; ++i) spec.seats[SeatAt(i)] = bot_;
  return spec;
}

// A late answer is awaited, to tell how late it is.
GameSpec ProcessChecker::ClockedSpec() const {
  GameSpec spec = SpecOf(1);
  spec.time_control = {.clock = plan_.clock, .margin_ms = kLatestAnswer.count()};
  return spec;
}

absl::StatusOr<std::vector<std::string>> ProcessChecker::Play(const GameSpec& spec,
                                                              const Players& players) {
  ++place_.game;
  place_.ply = 0;
  PerSeat<PlayerRef> refs{};
  for (size_t i = 0; i < game_.seats; ++i) refs[SeatAt(i)] = players[i].get();
  std::atomic<bool> stop = false;
  const bool is_clocked = spec.time_control.clock.has_value();
  const milliseconds duration =
      is_clocked ? LongestGame(plan_.clock, game_.seats, kGamePliesMax) + 2 * kLatestAnswer
                 : limits_.game;
  const Alarm alarm(duration, plan_, &stop);
  ASSIGN_OR_RETURN(const std::optional<GameRecord> record, PlayGame(spec, refs, stop));
  ++report_.games;
  report_.plies += place_.ply;
  std::vector<std::string> moves;
  if (!record) {
    // A game with a clock lasts too long only if answers are late, which is known by then.
    if (!is_clocked && !IsInterrupted(plan_)) ReportStopped(players);
    return moves;
  }
  for (const RecordedEvent& event : record->events) moves.emplace_back(event.move.text());
  return moves;
}

// A bot that took most of the game for one answer hangs; others are only slow.
void ProcessChecker::ReportStopped(const Players& players) {
  for (const auto& player : players) {
    if (player->ReportHang(limits_.game / 2)) return;
  }
  report_.Add({.is_fault = false,
               .what = "a game was stopped because it took too long",
               .first = absl::StrFormat("game %d, ply %d, after %d s", place_.game, place_.ply,
                                        limits_.game.count() / 1000)});
}

absl::Status ProcessChecker::Repeat(const std::vector<std::string>& first, const Players& players) {
  ASSIGN_OR_RETURN(const std::vector<std::string> again, Play(SpecOf(1), players));
  const size_t plies = std::min(first.size(), again.size());
  const auto end = first.begin() + static_cast<std::ptrdiff_t>(plies);
  const auto differs = std::mismatch(first.begin(), end, again.begin()).first;
  if (differs == end || report_.has_fault()) return absl::OkStatus();
  // A new process shows whether the earlier games are the reason.
  ASSIGN_OR_RETURN(const std::vector<std::string> anew, Play(SpecOf(1), MakePlayers()));
  const bool is_memory = anew == first;
  report_.Add({.is_fault = false,
               .what = is_memory
                           ? "earlier games change its moves: it must forget them at ucinewgame"
                           : "the same seed gives other moves: randomness must come from the "
                             "option Seed only",
               .first = absl::StrFormat("game %d repeats game 1, but differs in ply %d",
                                        place_.game - 1, differs - first.begin() + 1)});
  return absl::OkStatus();
}

// Waits until the descriptor is readable. Returns false if the time is up.
bool WaitFor(int fd, Clock::time_point until) {
  const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now());
  pollfd one = {.fd = fd, .events = POLLIN, .revents = 0};
  return poll(&one, 1, std::max<int>(0, static_cast<int>(left.count()))) > 0;
}

// Reads the process's output until a line is `readyok`, the output ends or the time is up.
void WaitForReadyOk(int output, Clock::time_point until) {
  std::string text = "\n";
  std::array<char, 4096> bytes;
  while (text.find("\nreadyok") == std::string::npos && WaitFor(output, until)) {
    const ssize_t count = read(output, bytes.data(), bytes.size());
    if (count <= 0) return;
    text.append(bytes.data(), static_cast<size_t>(count));
  }
}

absl::Status ProcessChecker::CheckQuit() {
  ASSIGN_OR_RETURN(const std::unique_ptr<BotProcess> process, BotProcess::Start(bot_));
  constexpr std::string_view kBegin = "uci\nisready\n";
  constexpr std::string_view kQuit = "quit\n";
  constexpr milliseconds kStart{10'000};
  if (write(process->input(), kBegin.data(), kBegin.size()) < 0) return absl::OkStatus();
  WaitForReadyOk(process->output(), Clock::now() + kStart);
  // This fails if it has already exited, as the following shows.
  [[maybe_unused]] const ssize_t sent = write(process->input(), kQuit.data(), kQuit.size());
  if (!WaitFor(process->pidfd(), Clock::now() + limits_.farewell)) {
    report_.Add({.is_fault = false,
                 .what = "it does not exit after `quit`",
                 .first = absl::StrFormat("within %d ms", limits_.farewell.count())});
  } else if (const std::string how = process->DescribeExit(); how != "exit code 0") {
    report_.Add({.is_fault = false, .what = "it fails when it exits after `quit`", .first = how});
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> ProcessChecker::PlayAll(const Players& players) {
  std::vector<std::string> first;
  const Clock::time_point began = Clock::now();
  for (int64_t number = 1; number <= plan_.games && !IsInterrupted(plan_); ++number) {
    ASSIGN_OR_RETURN(std::vector<std::string> moves, Play(SpecOf(number), players));
    if (number == 1) first = std::move(moves);
  }
  const std::chrono::duration<double> time = Clock::now() - began;
  report_.plies_per_second = static_cast<double>(report_.plies) / std::max(time.count(), 1e-9);
  return first;
}

absl::StatusOr<BotReport> ProcessChecker::Run() {
  const Players players = MakePlayers();
  ASSIGN_OR_RETURN(const std::vector<std::string> first, PlayAll(players));
  if (!first.empty() && !IsInterrupted(plan_)) RETURN_IF_ERROR(Repeat(first, players));
  if (!IsInterrupted(plan_)) RETURN_IF_ERROR(Play(ClockedSpec(), players).status());
  if (!IsInterrupted(plan_)) RETURN_IF_ERROR(CheckQuit());
  return std::move(report_);
}

std::string FaultOfOption(const std::string& name, const UciSession::Option& option) {
  const std::string& value = option.default_value;
  const bool is_in =
      std::find(option.values.begin(), option.values.end(), value) != option.values.end();
  if (option.type == "spin") {
    if (!option.min || !option.max) return "a spin without min and max";
    if (*option.min > *option.max) return "its min is above its max";
    const std::optional<int64_t> number = ParseInt64(value);
    if (!number || *number < *option.min || *number > *option.max) {
      return absl::StrFormat("its default %s is not a number from %d to %d", Quote(value),
                             *option.min, *option.max);
    }
  } else if (option.type == "check") {
    if (value != "true" && value != "false") {
      return absl::StrFormat("its default %s is neither true nor false", Quote(value));
    }
  } else if (option.type == "combo") {
    if (!is_in) return absl::StrFormat("its default %s is not among its values", Quote(value));
  } else if (option.type != "string" && option.type != "button") {
    return absl::StrFormat("its type %s is unknown; expected check, spin, combo or string",
                           Quote(option.type));
  }
  if (name == kLegalMovesOption && option.type != "check") return "it must be a check";
  if (name == kSeedOption && option.type != "string") return "it must be a string";
  return "";
}

}  // namespace

absl::StatusOr<ProcessDescription> DescribeProcess(const BotSpec& spec) {
  ProcessDescription description;
  absl::Status failure;
  for (const GameInfo* game : AllGames()) {
    std::string name;
    ProcessPlayer player(
        *game, spec, [](const std::string&) {},
        [&name](std::string_view, Transcript::Stream stream, std::string_view line) {
          constexpr std::string_view kName = "id name ";
          if (stream != Transcript::Stream::kOutput || !line.starts_with(kName)) return;
          name = Trim(line.substr(kName.size()));
        });
    const absl::Status status = player.Check();
    if (!status.ok()) {
      failure.Update(status);
      // Only a bot that does not play this game may play another.
      if (!absl::IsInvalidArgument(status)) break;
      continue;
    }
    if (!name.empty()) description.name = name;
    description.games.emplace_back(game->name);
    description.options = player.options();
  }
  if (description.games.empty()) return failure;
  return description;
}

std::vector<BotFinding> CheckDeclaredOptions(const ProcessDescription& description) {
  std::vector<BotFinding> findings;
  if (description.name.empty()) {
    findings.push_back(
        {.is_fault = false, .what = "it does not tell its name", .first = "id name"});
  }
  for (const auto& [name, option] : description.options) {
    const std::string fault = FaultOfOption(name, option);
    if (fault.empty()) continue;
    findings.push_back(
        {.is_fault = false, .what = "option " + name + ": " + fault, .first = "uci"});
  }
  const auto variant = description.options.find(kVariantOption);
  if (variant == description.options.end()) return findings;
  for (const std::string& value : variant->second.values) {
    if (FindGame(value).ok()) continue;
    findings.push_back(
        {.is_fault = false,
         .what = absl::StrFormat("UCI_Variant lists %s, which is no game of Triarch", Quote(value)),
         .first = "uci"});
  }
  return findings;
}

absl::StatusOr<BotReport> CheckProcess(const GameInfo& game, const BotSpec& spec,
                                       const CheckPlan& plan, const ProcessCheckLimits& limits) {
  return ProcessChecker(game, spec, plan, limits).Run();
}

}  // namespace triarch
