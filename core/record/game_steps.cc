#include "core/record/game_steps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/status_macros.h"
#include "core/record/tpgn_words.h"

namespace triarch {
namespace {

// Follows the evaluations of a game.
class Evaluations {
 public:
  explicit Evaluations(size_t seats) : seats_(seats) {}

  void Take(GameStep* step) {
    const RecordedEvent& event = step->event;
    if (event.eval) {
      std::optional<PerSeat<double>>& own = latest_[event.seat];
      if (own) step->swing = PointsInGame(seats_) * Difference(*own, *event.eval);
      own = *event.eval;
    }
    for (size_t i = 0; i < seats_; ++i) {
      if (!step->after.is_in(SeatAt(i))) latest_[SeatAt(i)].reset();
    }
    step->points = Mean();
  }

 private:
  double Difference(const PerSeat<double>& a, const PerSeat<double>& b) const {
    double most = 0;
    for (size_t i = 0; i < seats_; ++i) {
      most = std::max(most, std::abs(a[SeatAt(i)] - b[SeatAt(i)]));
    }
    return most;
  }

  std::optional<PerSeat<double>> Mean() const {
    PerSeat<double> sum;
    double count = 0;
    for (const std::optional<PerSeat<double>>& eval : latest_) {
      if (!eval) continue;
      count += 1;
      for (size_t i = 0; i < seats_; ++i) sum[SeatAt(i)] += (*eval)[SeatAt(i)];
    }
    if (count == 0) return std::nullopt;
    for (double& value : sum) value *= PointsInGame(seats_) / count;
    return sum;
  }

  const size_t seats_;
  PerSeat<std::optional<PerSeat<double>>> latest_;  // by the seat of the bot
};

}  // namespace

absl::StatusOr<AnyState> StartOfGame(const GameRecord& record) {
  ASSIGN_OR_RETURN(AnyState state,
                   record.position.empty()
                       ? AnyState::Start(record.game, "", record.draw_rules)
                       : AnyState::Parse(record.game, record.position, record.draw_rules));
  state.JudgeTurn();
  return state;
}

absl::Status PlayEvent(const RecordedEvent& event, AnyState* state) {
  switch (event.kind) {
    case RecordedEvent::Kind::kMove:
      return state->Play(event.move.text());
    case RecordedEvent::Kind::kResign:
      state->Eliminate(event.seat, Termination::kResignation);
      return absl::OkStatus();
    case RecordedEvent::Kind::kForfeit:
      state->Eliminate(event.seat, event.why);
      return absl::OkStatus();
    case RecordedEvent::Kind::kClaimDraw:
      state->ClaimDraw();
      return absl::OkStatus();
  }
  return absl::OkStatus();
}

bool GameStep::is_capture() const {
  return event.kind == RecordedEvent::Kind::kMove &&
         event.move.text().find('x') != std::string_view::npos;
}

const MoveInfo* GameStep::info(const GameRecord& record) const {
  return event.kind == RecordedEvent::Kind::kMove ? FindInfo(record.infos, ply - 1) : nullptr;
}

bool GameStep::is_fault() const {
  return event.is_fallback || event.kind == RecordedEvent::Kind::kForfeit;
}

absl::StatusOr<GameSteps> PlaySteps(const GameRecord& record) {
  ASSIGN_OR_RETURN(AnyState state, StartOfGame(record));
  GameSteps game{.record = record, .start = state, .steps = {}};
  Evaluations evaluations(game.info().seats);
  int64_t ply = 1;
  for (const RecordedEvent& event : record.events) {
    GameStep step{
        .event = event, .round = state.move_number(), .ply = ply, .after = state, .points = {}};
    if (event.kind == RecordedEvent::Kind::kMove) ++ply;
    RETURN_IF_ERROR(PlayEvent(event, &state));
    step.after = state;
    evaluations.Take(&step);
    game.has_evals |= event.eval.has_value();
    game.steps.push_back(std::move(step));
  }
  return game;
}

std::vector<size_t> StepsByPly(const GameSteps& game) {
  std::vector<size_t> steps = {0};
  for (size_t i = 0; i < game.steps.size(); ++i) {
    steps.resize(static_cast<size_t>(game.steps[i].ply) + 1);
    steps.back() = i + 1;
  }
  return steps;
}

double PointsInGame(size_t seats) { return seats == 2 ? 1 : 1.5; }

std::string EventText(const RecordedEvent& event) {
  switch (event.kind) {
    case RecordedEvent::Kind::kMove:
      return std::string(event.move.text()) + (event.is_elimination ? "#"
                                               : event.is_check     ? "+"
                                                                    : "");
    case RecordedEvent::Kind::kResign:
      return std::string(tpgn::kResigns.substr(1));
    case RecordedEvent::Kind::kForfeit:
      return std::string(tpgn::kForfeits.substr(1)) + std::string(tpgn::ForfeitWord(event.why));
    case RecordedEvent::Kind::kClaimDraw:
      return std::string(tpgn::kClaimsDraw.substr(1));
  }
  return "";
}

std::vector<StepRound> RoundsOf(const GameSteps& game) {
  std::vector<StepRound> rounds;
  for (size_t i = 0; i < game.steps.size(); ++i) {
    const GameStep& step = game.steps[i];
    if (rounds.empty() || rounds.back().number != step.round) {
      rounds.emplace_back().number = step.round;
    }
    rounds.back().steps[step.event.seat].push_back(i);
  }
  return rounds;
}

}  // namespace triarch
