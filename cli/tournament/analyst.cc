#include "cli/tournament/analyst.h"

#include <functional>
#include <limits>
#include <memory>
#include <variant>

#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/game/outcome.h"
#include "core/record/game_steps.h"
#include "worker/match/match.h"

namespace triarch {

// The bot's answer, as its own thread or event loop noted it.
struct Analyst::Answer {
  Decision decision = {.eval = {}};
  SearchInfo info = {};
};

namespace {

using EventKind = RecordedEvent::Kind;

// Notes the first answer and ends the game: the rest of it is of no interest.
class Note {
 public:
  explicit Note(std::optional<size_t> only) : only_(only) { search_info.wants_explanation = true; }

  SearchLimits LimitsFor(SearchLimits limits) {
    limits.search_info = &search_info;
    limits.only_move = only_;
    return limits;
  }
  // Returns what the game is told. A fault remains one, so that the game describes it.
  Decision Take(const Decision& decision, size_t moves) {
    const bool is_move = decision.kind == Decision::Kind::kMove;
    const bool is_fault =
        decision.kind == Decision::Kind::kForfeit || (is_move && decision.move >= moves);
    if (is_fault) return decision;
    answer = decision;
    return Resignation();
  }
  static Decision Resignation() { return {.kind = Decision::Kind::kResign, .eval = std::nullopt}; }

  std::optional<Decision> answer;
  SearchInfo search_info;

 private:
  const std::optional<size_t> only_;
};

class ResigningPlayer final : public SyncPlayer {
 public:
  void NewGame(Seat, uint64_t) override {}
  Decision Choose(const AnyState&, const AnyState::Moves&, const SearchLimits&) override {
    return Note::Resignation();
  }
};

class NotedSyncPlayer final : public SyncPlayer {
 public:
  NotedSyncPlayer(SyncPlayer* inner, Note* note) : inner_(*inner), note_(*note) {}

  bool wants_context() const override { return inner_.wants_context(); }
  void NewGame(Seat seat, uint64_t seed) override { inner_.NewGame(seat, seed); }
  void DescribeFault(FaultReport* report) const override { inner_.DescribeFault(report); }
  Decision Choose(const AnyState& state, const AnyState::Moves& moves,
                  const SearchLimits& limits) override {
    return note_.Take(inner_.Choose(state, moves, note_.LimitsFor(limits)), moves.size());
  }

 private:
  SyncPlayer& inner_;
  Note& note_;
};

class NotedAsyncPlayer final : public AsyncPlayer {
 public:
  NotedAsyncPlayer(AsyncPlayer* inner, Note* note) : inner_(*inner), note_(*note) {}

  absl::Status Prepare() override { return inner_.Prepare(); }
  void BeginGame(EventLoop& loop, const GameSpec& spec, Seat seat,
                 std::function<void(bool)> done) override {
    inner_.BeginGame(loop, spec, seat, std::move(done));
  }
  void BeginTurn(const AnyState& state, const AnyState::Moves& moves, const SearchLimits& limits,
                 std::function<void(Decision)> done) override {
    inner_.BeginTurn(state, moves, note_.LimitsFor(limits),
                     [this, count = moves.size(), done = std::move(done)](const Decision& given) {
                       done(note_.Take(given, count));
                     });
  }
  void DescribeFault(FaultReport* report) override { inner_.DescribeFault(report); }
  void EndGame() override { inner_.EndGame(); }

 private:
  AsyncPlayer& inner_;
  Note& note_;
};

// Returns the line as in TPGN, up to the first move that is not legal.
std::vector<std::string> LineInTpgn(AnyState state, const std::vector<std::string>& line) {
  std::vector<std::string> moves;
  for (const std::string& text : line) {
    if (state.outcome()) break;
    const AnyState::Moves legal = state.LegalMoves();
    const absl::StatusOr<size_t> number = state.FindMove(legal, text);
    if (!number.ok()) break;
    moves.push_back(state.MoveToTpgn(legal, *number));
    state.Play(legal, *number);
  }
  return moves;
}

PerSeat<double> PointsOf(const PerSeat<double>& shares, size_t seats) {
  PerSeat<double> points;
  for (size_t i = 0; i < seats; ++i) points[SeatAt(i)] = shares[SeatAt(i)] * PointsInGame(seats);
  return points;
}

}  // namespace

absl::StatusOr<GamePoint> PointBefore(const GameRecord& record, size_t event) {
  ASSIGN_OR_RETURN(AnyState state, StartOfGame(record));
  GamePoint point{.spec = {}, .state = state};
  point.spec.game = record.game;
  point.spec.position = record.position;
  point.spec.draw_rules = record.draw_rules;
  point.spec.adjudication.plies_max = std::numeric_limits<int64_t>::max();
  for (size_t i = 0; i < event; ++i) {
    RETURN_IF_ERROR(PlayEvent(record.events[i], &point.state));
    if (record.events[i].kind == EventKind::kMove) {
      point.spec.opening.emplace_back(record.events[i].move.text());
    } else {
      // Moves alone no longer lead here from the start.
      point.spec.opening.clear();
      point.spec.position = point.state.ToString();
    }
  }
  return point;
}

absl::Status Analyst::Failure(const GamePoint& point, const std::string& why) const {
  return absl::FailedPreconditionError(absl::StrFormat(
      "move %d, %s: bot %s cannot judge the position: %s", point.state.move_number(),
      point.state.info().seat_name(point.state.to_move()), bot_.name, why));
}

absl::StatusOr<Analyst::Answer> Analyst::Ask(const GamePoint& point, std::optional<size_t> only) {
  GameSpec spec = point.spec;
  const Seat mover = point.state.to_move();
  for (BotSpec& seat : spec.seats) seat = {.name = "nobody", .bot = "random"};
  spec.seats[mover] = bot_;
  Note note(only);
  ResigningPlayer nobody;
  PerSeat<PlayerRef> players{};
  for (PlayerRef& player : players) player = &nobody;
  std::variant<std::monostate, NotedSyncPlayer, NotedAsyncPlayer> noted;
  if (const auto* sync = std::get_if<std::unique_ptr<SyncPlayer>>(&player_)) {
    players[mover] = &noted.emplace<NotedSyncPlayer>(sync->get(), &note);
  } else {
    const auto& async = std::get<std::unique_ptr<AsyncPlayer>>(player_);
    players[mover] = &noted.emplace<NotedAsyncPlayer>(async.get(), &note);
  }
  ASSIGN_OR_RETURN(const std::optional<GameRecord> record, PlayGame(spec, players, *stop_));
  if (!record) return absl::CancelledError("interrupted");
  if (!note.answer) {
    const FaultReport report = record->faults.empty() ? FaultReport() : record->faults[0].report;
    return Failure(point, report.message.empty() ? "it does not answer" : report.message);
  }
  if (!note.answer->eval) {
    return Failure(point, "it gives no evaluation; expected a bot that does, such as paranoid");
  }
  return Answer{.decision = *note.answer, .info = std::move(note.search_info)};
}

absl::StatusOr<Assessment> Analyst::Assess(const GamePoint& point) {
  ASSIGN_OR_RETURN(const Answer answer, Ask(point, std::nullopt));
  Assessment best{.kind = answer.decision.kind,
                  .points = PointsOf(*answer.decision.eval, point.state.info().seats)};
  if (best.kind != Decision::Kind::kMove) return best;
  best.move = point.state.MoveToTpgn(point.state.LegalMoves(), answer.decision.move);
  best.line = LineInTpgn(point.state, answer.info.line);
  if (best.line.empty()) best.line = {best.move};
  return best;
}

absl::StatusOr<PerSeat<double>> Analyst::PointsAfter(const GamePoint& point,
                                                     std::string_view move) {
  const size_t seats = point.state.info().seats;
  const AnyState::Moves moves = point.state.LegalMoves();
  ASSIGN_OR_RETURN(const size_t number, point.state.FindMove(moves, move));
  GamePoint next = point;
  next.state.Play(moves, number);
  if (next.state.outcome()) return Points(next.state.outcome()->place, seats);
  if (can_weigh_one_move_) {
    ASSIGN_OR_RETURN(const Answer answer, Ask(point, number));
    if (answer.info.has_only_move) return PointsOf(*answer.decision.eval, seats);
    can_weigh_one_move_ = false;
  }
  next.spec.opening.emplace_back(move);
  ASSIGN_OR_RETURN(const Answer answer, Ask(next, std::nullopt));
  return PointsOf(*answer.decision.eval, seats);
}

}  // namespace triarch
