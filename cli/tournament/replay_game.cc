#include "cli/tournament/replay_game.h"

#include <chrono>
#include <exception>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>

#include "absl/strings/str_format.h"
#include "cli/interrupt.h"
#include "core/any_state.h"
#include "core/base/event_loop.h"
#include "core/base/status_macros.h"
#include "core/play/time_control.h"
#include "core/record/game_steps.h"
#include "core/record/odds.h"
#include "worker/match/cpu_meter.h"
#include "worker/match/turn_facts.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = RecordedEvent::Kind;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

std::string TextOf(const Decision& decision, const AnyState& state, const AnyState::Moves& moves) {
  switch (decision.kind) {
    case Decision::Kind::kMove:
      return state.MoveToString(moves, decision.move);
    case Decision::Kind::kResign:
      return "resign";
    case Decision::Kind::kClaimDraw:
      return "claim";
    case Decision::Kind::kForfeit:
      return std::string(ToString(decision.why));
  }
  return "";
}

// Returns an event in the words of TextOf.
std::string TextOf(const RecordedEvent& event, const AnyState& state) {
  if (event.kind == Kind::kResign) return "resign";
  if (event.kind == Kind::kClaimDraw) return "claim";
  if (event.kind == Kind::kForfeit) return std::string(ToString(event.why));
  const AnyState::Moves moves = state.LegalMoves();
  const absl::StatusOr<size_t> number = state.FindMove(moves, event.move.text());
  return number.ok() ? state.MoveToString(moves, *number) : std::string(event.move.text());
}

// Asks a player of either kind, and waits for its answers.
class AskedPlayer {
 public:
  AskedPlayer(PlayerRef player, const std::atomic<bool>& stop)
      : player_(player), stop_(stop), look_(loop_, [this] { Look(); }) {}

  // Returns false if the player failed to begin; fails if it cannot be started here.
  absl::StatusOr<bool> Begin(const GameSpec& spec, Seat seat) {
    if (SyncPlayer* const* const sync = std::get_if<SyncPlayer*>(&player_)) {
      return Try([&] { (*sync)->NewGame(seat, PlayerSeed(spec, seat)); });
    }
    RETURN_IF_ERROR(async()->Prepare());
    bool is_ready = false;
    async()->BeginGame(loop_, spec, seat, [&](bool ready) {
      is_ready = ready;
      loop_.Stop();
    });
    Wait();
    return is_ready;
  }

  // Returns the player's answer, a forfeit if it throws or is late.
  Decision Ask(const AnyState& state, const AnyState::Moves& moves, const SearchLimits& limits) {
    Decision answer{.kind = Decision::Kind::kForfeit, .eval = {}};
    if (SyncPlayer* const* const sync = std::get_if<SyncPlayer*>(&player_)) {
      const nanoseconds cpu = ThreadCpuTime();
      Try([&] { answer = (*sync)->Choose(state, moves, limits); });
      JudgeTime(limits, ThreadCpuTime() - cpu, &answer);
      return answer;
    }
    async()->BeginTurn(state, moves, limits, [&](const Decision& decision) {
      answer = decision;
      loop_.Stop();
    });
    Wait();
    return answer;
  }

  void Describe(FaultReport* report) {
    report->message = message_;
    std::visit([&](auto* player) { player->DescribeFault(report); }, player_);
  }
  void End() {
    if (AsyncPlayer* const* const async = std::get_if<AsyncPlayer*>(&player_)) (*async)->EndGame();
  }

 private:
  static constexpr milliseconds kLook = kSignalPoll;

  AsyncPlayer* async() { return std::get<AsyncPlayer*>(player_); }

  void Wait() {
    look_.Set(Clock::now() + kLook);
    loop_.Run();
    look_.Clear();
  }
  void Look() {
    if (stop_) return loop_.Stop();
    look_.Set(Clock::now() + kLook);
  }

  // Calls the player. Returns false if it throws.
  template <class Call>
  bool Try(Call call) {
    try {
      call();
      return true;
    } catch (const std::exception& e) {
      message_ = std::string("it threw: ") + e.what();
    } catch (...) {
      message_ = "it threw";
    }
    return false;
  }

  void JudgeTime(const SearchLimits& limits, nanoseconds cpu, Decision* answer) {
    const TurnContext& context = *limits.context;
    const nanoseconds used = limits.charges_cpu ? cpu : Clock::now() - context.began;
    if (!context.late || used <= *context.late || answer->kind == Decision::Kind::kForfeit) return;
    const auto seconds = [](nanoseconds time) {
      return std::chrono::duration<double>(time).count();
    };
    message_ =
        absl::StrFormat("it took %.3f s; it had %.3f s and a margin of %.3f s", seconds(used),
                        seconds(*context.allowed), seconds(*context.late - *context.allowed));
    answer->kind = Decision::Kind::kForfeit;
    answer->why = Termination::kTimeForfeit;
  }

  const PlayerRef player_;
  const std::atomic<bool>& stop_;
  EventLoop loop_;
  EventLoop::Timer look_;
  std::string message_;  // what the player itself cannot say about its fault
};

// Walks through a record and asks the player where its seat decided.
class Replayer {
 public:
  Replayer(const GameSteps& game, const GameSpec& spec, Seat seat, PlayerRef player,
           const std::atomic<bool>& stop, const ReplayLog& log)
      : game_(game),
        spec_(spec),
        seat_(seat),
        stop_(stop),
        log_(log),
        controls_(TimeControlsOf(spec)),
        clock_(controls_),
        player_(player, stop),
        history_(spec, game.start) {}

  absl::StatusOr<ReplayResult> Run() {
    ASSIGN_OR_RETURN(const bool is_ready, player_.Begin(spec_, seat_));
    if (!is_ready && !stop_) Fail(Termination::kCrash, game_.record.opening_plies + 1);
    for (size_t i = 0; i < game_.steps.size() && !result_.fault && !stop_; ++i) {
      const RecordedEvent& event = game_.steps[i].event;
      const bool is_opening = plies_ < game_.record.opening_plies;
      if (!is_opening && event.seat == seat_ && game_.at(i).to_move() == seat_) AskAt(i);
      const bool has_left = event.seat == seat_ && event.kind != Kind::kMove;
      if (has_left && event.kind != Kind::kClaimDraw) break;
      Follow(event, game_.at(i), game_.at(i + 1));
    }
    player_.End();
    return result_;
  }

 private:
  int64_t ply() const { return plies_ + 1; }

  void Fail(Termination why, int64_t at_ply, std::string_view message = "") {
    result_.fault = {.seat = seat_, .ply = at_ply, .why = why, .report = {}};
    player_.Describe(&result_.fault->report);
    if (!message.empty()) result_.fault->report.message = message;
    Sanitize(&result_.fault->report);
  }

  // Asks the player for its decision before event `i`, and compares it with the record.
  void AskAt(size_t i) {
    const AnyState& state = game_.at(i);
    const AnyState::Moves moves = state.LegalMoves();
    const TurnContext context = FactsOfTurn(state, history_, controls_, clock_, Clock::now());
    const SearchLimits limits = MakeLimits(context);
    Decision answer = player_.Ask(state, moves, limits);
    const bool is_false_claim = answer.kind == Decision::Kind::kClaimDraw && !context.can_claim;
    if (is_false_claim) answer = player_.Ask(state, moves, limits);
    if (stop_) return;
    if (answer.kind == Decision::Kind::kForfeit) return Fail(answer.why, ply());
    if (answer.kind == Decision::Kind::kMove && answer.move >= moves.size()) {
      return Fail(Termination::kIllegalMove, ply(), "it chose a move number that does not exist");
    }
    if (answer.kind == Decision::Kind::kClaimDraw && !context.can_claim) {
      return Fail(Termination::kIllegalMove, ply(),
                  "it claimed a draw twice that the rules do not grant");
    }
    ++result_.answers;
    const std::string given = TextOf(answer, state, moves);
    const std::string recorded = TextOf(game_.steps[i].event, state);
    if (game_.steps[i].event.kind == Kind::kForfeit) {
      return log_(absl::StrFormat("ply %d: it answers %s; in the record it forfeited here: %s",
                                  ply(), given, recorded));
    }
    if (given == recorded) return;
    ++result_.differences;
    log_(absl::StrFormat("ply %d: it answers %s; the record has %s", ply(), given, recorded));
    const MoveInfo* const info = game_.steps[i].info(game_.record);
    if (info == nullptr) return;
    const std::string said = ToText(*info);
    for (const std::string_view line : Split(said, '\n')) log_("  " + std::string(line));
  }

  SearchLimits MakeLimits(const TurnContext& context) const {
    return {.nodes = controls_[seat_].nodes,
            .depth = controls_[seat_].depth,
            .deadline = clock_.Deadline(seat_, context.began),
            .charges_cpu = controls_[seat_].charges_cpu,
            .stop = &stop_,
            .context = &context,
            .plies = plies_};
  }

  // Goes on to the next event.
  void Follow(const RecordedEvent& event, const AnyState& before, const AnyState& after) {
    if (event.kind == Kind::kMove) {
      history_.Add(TextOf(event, before));
      if (plies_++ >= game_.record.opening_plies) SetClock(event);
    } else if (event.kind != Kind::kClaimDraw) {
      history_.BeginAt(after);
    }
  }

  // Sets the seat's clock to the recorded time.
  void SetClock(const RecordedEvent& event) {
    if (!clock_.has_clock(event.seat) || !event.clock_ms) return;
    GameClock unused = clock_;
    unused.Charge(event.seat, nanoseconds(0));
    clock_.Charge(event.seat, unused.left(event.seat) - milliseconds(*event.clock_ms));
  }

  const GameSteps& game_;
  const GameSpec& spec_;
  const Seat seat_;
  const std::atomic<bool>& stop_;
  const ReplayLog& log_;
  const PerSeat<TimeControl> controls_;
  GameClock clock_;
  AskedPlayer player_;
  GameHistory history_;
  int64_t plies_ = 0;  // played before the current event
  ReplayResult result_;
};

}  // namespace

GameSpec SpecOfRecord(const GameRecord& record, const TimeControl& time_control) {
  GameSpec spec;
  spec.time_control = time_control;
  spec.game = record.game;
  spec.index = record.index;
  spec.match = record.match;
  spec.position = record.position;
  spec.seed = record.seed;
  spec.draw_rules = record.draw_rules;
  return spec;
}

absl::StatusOr<ReplayResult> ReplayGame(const GameRecord& record, const GameSpec& spec, Seat seat,
                                        PlayerRef player, const std::atomic<bool>& stop,
                                        const ReplayLog& log) {
  ASSIGN_OR_RETURN(const GameSteps game, PlaySteps(record));
  return Replayer(game, spec, seat, player, stop, log).Run();
}

}  // namespace triarch
