#include "worker/match/running_game.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/base/check.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/record/claim_bounds.h"
#include "core/record/odds.h"

namespace triarch {
namespace {

// After an invalid draw claim the player is asked again, once per turn; a second one is an illegal
// move.
constexpr int kAnswersMax = 2;

// Returns the player's evaluation if it is valid. An invalid one is not recorded, because the
// report would be rejected.
std::optional<PerSeat<double>> Opinion(const Decision& decision, size_t seats) {
  return decision.eval && AreShares(*decision.eval, seats) ? decision.eval : std::nullopt;
}

// Converts to the unit of game records.
int64_t Micros(RunningGame::Duration time) {
  const int64_t us = std::chrono::duration_cast<std::chrono::microseconds>(time).count();
  return std::clamp(us, int64_t{0}, kFigureMax);
}

}  // namespace

RunningGame::RunningGame(const GameSpec& spec, PlayedGame game, TimePoint (*now)(),
                         bool is_one_thread)
    : spec_(spec),
      seats_(game.state().info().seats),
      controls_(TimeControlsOf(spec)),
      clock_(controls_),
      now_(now),
      began_(now()),
      timer_(now, clock_.is_timed()),
      cpu_(is_one_thread, spec.time_control.charges_cpu),
      game_(std::move(game)) {}

absl::Status RunningGame::PlayOpening(bool tells_facts) {
  if (tells_facts) history_.emplace(spec_, state());
  if (spec_.selfplay) selfplay_.emplace(*spec_.selfplay, spec_.seed);
  if (history_ || selfplay_) RETURN_IF_ERROR(FollowOpening());
  return game_.PlayOpening(spec_.opening);
}

absl::Status RunningGame::FollowOpening() {
  AnyState next = state();
  for (const std::string& text : spec_.opening) {
    const AnyState::Moves moves = next.LegalMoves();
    const absl::StatusOr<size_t> number = next.FindMove(moves, text);
    if (!number.ok()) return absl::OkStatus();  // the game will report the error
    if (history_) history_->Add(next.MoveToString(moves, *number));
    if (selfplay_) selfplay_->AddMove(next, moves, *number, std::nullopt);
    next.Play(moves, *number);
  }
  return absl::OkStatus();
}

void RunningGame::Forfeit(Seat seat, Termination why, std::string message) {
  faults_.push_back({.seat = seat,
                     .ply = game_.record().plies + 1,
                     .why = why,
                     .report = {.message = std::move(message)}});
  Leave(seat, why);
}

void RunningGame::Leave(Seat seat, Termination why) {
  game_.Leave(seat, why);
  if (history_) history_->BeginAt(game_.state());
  if (selfplay_) selfplay_->AddLeaving(seat);
}

SearchLimits RunningGame::BeginTurn(const std::atomic<bool>& stop) {
  const Seat seat = state().to_move();
  timer_.Begin(seat);
  answers_ = 0;
  cpu_of_turn_.reset();
  SearchLimits limits{.nodes = controls_[seat].nodes,
                      .depth = controls_[seat].depth,
                      .deadline = clock_.Deadline(seat, timer_.began()),
                      .charges_cpu = spec_.time_control.charges_cpu,
                      .reads_cpu = cpu_.wants(seat),
                      .stop = &stop,
                      .context = history_ ? &TellFacts() : nullptr,
                      .plies = game_.record().plies};
  if (selfplay_) selfplay_->BeginTurn(game_.record().plies, &limits);
  if (spec_.search_info) AskForInfo(&limits);
  return limits;
}

void RunningGame::AskForInfo(SearchLimits* limits) {
  if (limits->search_info == nullptr) {
    own_info_ = {.wants_policy = false};
    limits->search_info = &own_info_;
  }
  SearchInfo& info = *limits->search_info;
  info.wants_explanation = true;
  info.explanation.clear();
  info.line.clear();
  info.depth = 0;
  info_ = &info;
}

bool RunningGame::Answer(AnyState::Moves& moves, const absl::StatusOr<Decision>& decision) {
  const Seat seat = state().to_move();
  if (decision.ok() && decision->cpu) {
    cpu_of_turn_ = cpu_of_turn_.value_or(Duration::zero()) + *decision->cpu;
  }
  const Duration wall = timer_.Elapsed(seat);
  const int64_t moves_before = game_.cost(seat).moves;
  bool is_settled = selfplay_ && decision.ok()
                        ? Obey(seat, moves, Explored(seat, moves, *decision), wall)
                        : Obey(seat, moves, decision, wall);
  if (!is_settled && ++answers_ == kAnswersMax) {
    Forfeit(seat, Termination::kIllegalMove, "it claimed a draw twice that the rules do not grant");
    is_settled = true;
  }
  if (!is_settled) return false;
  if (live_ != nullptr) live_->Show(game_.record().events, wall);
  const bool is_move = game_.cost(seat).moves > moves_before;
  cpu_.EndTurn(seat, wall, cpu_of_turn_, is_move);
  if (!is_move) moves = state().LegalMoves();
  return true;
}

Decision RunningGame::Explored(Seat seat, const AnyState::Moves& moves, Decision decision) {
  std::optional<double> share;
  if (const auto opinion = Opinion(decision, seats_)) share = (*opinion)[seat];
  const size_t own = decision.move;
  selfplay_->Explore(seat, moves.size(), share, &decision);
  if (decision.move != own) info_ = nullptr;  // it is about another move
  return decision;
}

const TurnContext& RunningGame::TellFacts() {
  context_ = FactsOfTurn(game_.state(), *history_, controls_, clock_, timer_.began());
  return context_;
}

bool RunningGame::Obey(Seat seat, AnyState::Moves& moves, const absl::StatusOr<Decision>& decision,
                       Duration wall) {
  const bool charges_cpu = spec_.time_control.charges_cpu && decision.ok() && decision->cpu;
  const Duration used = charges_cpu ? *cpu_of_turn_ : wall;
  if (!decision.ok()) {
    Forfeit(seat, Termination::kCrash, std::string(decision.status().message()));
  } else if (decision->kind == Decision::Kind::kForfeit) {
    Forfeit(seat, decision->why, "");
  } else if (clock_.IsOverstepped(seat, used)) {
    Forfeit(seat, Termination::kTimeForfeit, LateMessage(seat, used));
  } else if (decision->kind == Decision::Kind::kResign) {
    Leave(seat, Termination::kResignation);
  } else if (decision->kind == Decision::Kind::kClaimDraw) {
    return game_.ClaimDraw();
  } else if (decision->move >= moves.size()) {
    Forfeit(seat, Termination::kIllegalMove,
            absl::StrFormat("it chose move number %d, but there %s only %s", decision->move,
                            moves.size() == 1 ? "is" : "are", Counted(moves.size(), "legal move")));
  } else {
    PlayMove(seat, moves, *decision, wall, used);
  }
  return true;
}

std::string RunningGame::LateMessage(Seat seat, Duration used) const {
  const auto seconds = [](Duration time) { return std::chrono::duration<double>(time).count(); };
  return absl::StrFormat("it took %.3f s%s; it had %.3f s and a margin of %.3f s", seconds(used),
                         spec_.time_control.charges_cpu ? " of CPU time" : "",
                         seconds(clock_.Allowed(seat).value_or(Duration::zero())),
                         seconds(clock_.margin(seat)));
}

MoveInfo RunningGame::TakeInfo(const AnyState::Moves& moves, const Decision& decision) const {
  MoveInfo info{.depth = info_->depth,
                .nodes = decision.nodes,
                .line = absl::StrJoin(info_->line, " "),
                .explanation = info_->explanation};
  Sanitize(&info);
  info.line = LegalLine(game_.state(), game_.state().MoveToString(moves, decision.move), info.line);
  Sanitize(&info);  // canonical text may be longer
  // The move itself is no expectation.
  if (info.line.find(' ') == std::string::npos) info.line.clear();
  return info;
}

void RunningGame::PlayMove(Seat seat, AnyState::Moves& moves, const Decision& decision,
                           Duration wall, Duration used) {
  if (history_) history_->Add(game_.state().MoveToString(moves, decision.move));
  const std::optional<PerSeat<double>> opinion = Opinion(decision, seats_);
  if (selfplay_) selfplay_->AddMove(game_.state(), moves, decision.move, opinion);
  MoveInfo info;
  if (info_ != nullptr) info = TakeInfo(moves, decision);
  RecordedEvent& event = game_.PlayAndList(moves, decision.move, opinion);
  if (decision.is_fallback) game_.NoteFallback();
  game_.NoteInfo(std::move(info));
  clock_.Charge(seat, used);
  event.clock_ms = clock_.shown_ms(seat);
  SeatCost& cost = game_.cost(seat);
  ++cost.moves;
  cost.nodes =
      std::min(cost.nodes + std::clamp(decision.nodes, int64_t{0}, kFigureMax), kFigureMax);
  timer_.End(seat, wall);
}

void RunningGame::SetCpuOfGame(Seat seat, std::optional<Duration> cpu) {
  has_cpu_of_game_[seat] = true;
  if (cpu) game_.cost(seat).cpu_us = Micros(*cpu);
}

void RunningGame::DescribeFaults(const PerSeat<PlayerRef>& players) {
  for (GameFault& fault : faults_) {
    std::visit([&](auto* player) { player->DescribeFault(&fault.report); }, players[fault.seat]);
    Sanitize(&fault.report);
  }
}

GameRecord RunningGame::TakeRecord() {
  cpu_.EndGame(now_() - began_);
  for (size_t i = 0; i < seats_; ++i) {
    const Seat seat = SeatAt(i);
    SeatCost& cost = game_.cost(seat);
    const Duration wall = timer_.total(seat);
    cost.time_us = Micros(wall);
    if (has_cpu_of_game_[seat]) continue;
    const std::optional<Duration> cpu = cpu_.total(seat, wall);
    if (cpu) cost.cpu_us = Micros(*cpu);
  }
  GameRecord record = std::move(game_).TakeRecord();
  record.faults = std::move(faults_);
  if (selfplay_) record.samples = selfplay_->TakeSamples();
  return record;
}

}  // namespace triarch
