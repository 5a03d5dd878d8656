// Converts games to and from the wire.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/claim_bounds.h"
#include "proto/convert.h"
#include "proto/field_checks.h"

// This code is hot: a tournament reports thousands of games per second, with hundreds of plies
// each.
namespace triarch::wire {
namespace {

using Kind = RecordedEvent::Kind;

constexpr int64_t kNoClock = -1;
constexpr double kNoShare = std::numeric_limits<double>::quiet_NaN();
constexpr int64_t kNotMeasured = -1;
constexpr int kSpecialEventsMax = 16;
constexpr size_t kTpgnBytesMax = 64 << 20;

// ---- To the wire.

size_t CountSeats(const PerSeat<uint8_t>& places) {
  return static_cast<size_t>(
      std::count_if(places.begin(), places.end(), [](uint8_t place) { return place != 0; }));
}

// Writes "E2-E4 D7xD5+", and the seat of each move.
void WriteMoves(const GameRecord& record, std::string* moves, std::string* seats) {
  constexpr size_t kUsual = 8;
  moves->reserve(record.events.size() * kUsual);
  seats->reserve(record.events.size());
  for (const RecordedEvent& event : record.events) {
    if (event.kind != Kind::kMove) continue;
    *seats += static_cast<char>(Index(event.seat));
    if (!moves->empty()) *moves += ' ';
    *moves += event.move.text();
    if (event.is_elimination) {
      *moves += '#';
    } else if (event.is_check) {
      *moves += '+';
    }
  }
}

v1::SpecialEvent::Kind KindToWire(Kind kind) {
  switch (kind) {
    case Kind::kResign:
      return v1::SpecialEvent::KIND_RESIGN;
    case Kind::kForfeit:
      return v1::SpecialEvent::KIND_FORFEIT;
    case Kind::kClaimDraw:
      return v1::SpecialEvent::KIND_CLAIM_DRAW;
    case Kind::kMove:
      break;
  }
  return v1::SpecialEvent::KIND_UNSPECIFIED;
}

void WriteSpecialEvents(const GameRecord& record, v1::Game* wire) {
  uint32_t plies = 0;
  for (const RecordedEvent& event : record.events) {
    if (event.kind == Kind::kMove) {
      ++plies;
      continue;
    }
    v1::SpecialEvent* special = wire->add_events();
    special->set_plies(plies);
    special->set_seat(static_cast<uint32_t>(Index(event.seat)));
    special->set_kind(KindToWire(event.kind));
    if (event.kind == Kind::kForfeit) special->set_why(std::string(ToString(event.why)));
  }
}

void WriteClocks(const GameRecord& record, v1::Game* wire) {
  if (std::none_of(record.events.begin(), record.events.end(),
                   [](const RecordedEvent& event) { return event.clock_ms.has_value(); })) {
    return;
  }
  wire->mutable_clock_ms()->Reserve(static_cast<int>(record.plies));
  for (const RecordedEvent& event : record.events) {
    if (event.kind == Kind::kMove) wire->add_clock_ms(event.clock_ms.value_or(kNoClock));
  }
}

void WriteEvals(const GameRecord& record, size_t seats, v1::Game* wire) {
  if (std::none_of(record.events.begin(), record.events.end(),
                   [](const RecordedEvent& event) { return event.eval.has_value(); })) {
    return;
  }
  constexpr PerSeat<double> kNone = {{kNoShare, kNoShare, kNoShare}};
  wire->mutable_eval()->Reserve(static_cast<int>(static_cast<size_t>(record.plies) * seats));
  for (const RecordedEvent& event : record.events) {
    if (event.kind != Kind::kMove) continue;
    const PerSeat<double>& eval = event.eval ? *event.eval : kNone;
    for (size_t i = 0; i < seats; ++i) wire->add_eval(eval[SeatAt(i)]);
  }
}

void WriteFallbacks(const GameRecord& record, v1::Game* wire) {
  if (record.fallbacks == 0) return;
  uint32_t ply = 0;
  for (const RecordedEvent& event : record.events) {
    if (event.kind != Kind::kMove) continue;
    if (event.is_fallback) wire->add_fallbacks(ply);
    ++ply;
  }
}

void WriteInfos(const GameRecord& record, v1::Game* wire) {
  for (const MoveInfo& info : record.infos) {
    v1::MoveInfo* const written = wire->add_infos();
    written->set_ply(static_cast<uint32_t>(info.ply));
    written->set_depth(info.depth);
    written->set_nodes(info.nodes);
    written->set_line(info.line);
    written->set_explanation(info.explanation);
  }
}

// `Message` is one of the two messages that describe how a game ended.
template <class Message>
void WriteEnd(const Outcome& outcome, const PerSeat<std::optional<Termination>>& endings,
              size_t seats, Message* wire) {
  wire->set_termination(std::string(ToString(outcome.termination)));
  for (size_t i = 0; i < seats; ++i) {
    wire->add_places(outcome.place[SeatAt(i)]);
    const std::optional<Termination>& ending = endings[SeatAt(i)];
    wire->add_endings(ending ? std::string(ToString(*ending)) : std::string());
  }
}

// ---- From the wire.

template <class Message>
absl::StatusOr<size_t> ReadSeats(const Message& wire) {
  RETURN_IF_ERROR(CheckRange("number of places", wire.places_size(), 2, kSeatsMax));
  return static_cast<size_t>(wire.places_size());
}

// Checks that a repeated field has one value per seat.
absl::Status CheckPerSeat(std::string_view field, int count, size_t seats) {
  if (static_cast<size_t>(count) == seats) return absl::OkStatus();
  return FieldError(
      field, "expected " + std::to_string(seats) + ", one per place, not " + std::to_string(count));
}

absl::StatusOr<Termination> ReadTermination(std::string_view field, std::string_view word) {
  const std::optional<Termination> termination = ParseTermination(word);
  if (!termination || *termination == Termination::kAbandoned) {
    return FieldError(field, Quote(word) + " is not a known ending");
  }
  return *termination;
}

template <class Message>
absl::Status ReadEnd(const Message& wire, size_t seats, Outcome* outcome,
                     PerSeat<std::optional<Termination>>* endings) {
  ASSIGN_OR_RETURN(outcome->termination, ReadTermination("termination", wire.termination()));
  RETURN_IF_ERROR(CheckPerSeat("endings", wire.endings_size(), seats));
  for (size_t i = 0; i < seats; ++i) {
    const int at = static_cast<int>(i);
    RETURN_IF_ERROR(CheckRange("places", wire.places(at), 1, static_cast<int64_t>(seats)));
    outcome->place[SeatAt(i)] = static_cast<uint8_t>(wire.places(at));
    if (wire.endings(at).empty()) continue;
    ASSIGN_OR_RETURN((*endings)[SeatAt(i)], ReadTermination("endings", wire.endings(at)));
  }
  return absl::OkStatus();
}

// Checks for "2026.11.21", where any digit may be a question mark.
absl::Status CheckDate(std::string_view date) {
  constexpr std::string_view kForm = "????.??.??";
  bool fits = date.size() == kForm.size();
  for (size_t i = 0; fits && i < kForm.size(); ++i) {
    fits = date[i] == kForm[i] || (kForm[i] == '?' && date[i] >= '0' && date[i] <= '9');
  }
  return fits ? absl::OkStatus() : FieldError("date", Quote(date) + " is not a date");
}

absl::Status ReadMove(std::string_view text, RecordedEvent* event) {
  if (!text.empty() && (text.back() == '+' || text.back() == '#')) {
    (text.back() == '+' ? event->is_check : event->is_elimination) = true;
    text.remove_suffix(1);
  }
  const bool is_written =
      std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7f; });
  if (text.empty() || text.size() > RecordedMove::kBytesMax || !is_written || text.back() == '+' ||
      text.back() == '#') {
    return FieldError("moves", Quote(text) + " is not a move");
  }
  event->move = text;
  return absl::OkStatus();
}

absl::StatusOr<RecordedEvent> ReadSpecialEvent(const v1::SpecialEvent& wire, size_t seats) {
  RETURN_IF_ERROR(CheckRange("seat", wire.seat(), 0, static_cast<int64_t>(seats) - 1));
  RecordedEvent event;
  event.seat = SeatAt(wire.seat());
  switch (wire.kind()) {
    case v1::SpecialEvent::KIND_RESIGN:
      event.kind = Kind::kResign;
      break;
    case v1::SpecialEvent::KIND_FORFEIT: {
      event.kind = Kind::kForfeit;
      const std::optional<Termination> why = ParseTermination(wire.why());
      if (!why || !IsForfeit(*why)) {
        return FieldError("why", Quote(wire.why()) + " is not a reason to forfeit");
      }
      event.why = *why;
      return event;
    }
    case v1::SpecialEvent::KIND_CLAIM_DRAW:
      event.kind = Kind::kClaimDraw;
      break;
    default:
      return FieldError("kind", std::to_string(wire.kind()) + " is not a known value");
  }
  if (!wire.why().empty()) return FieldError("why", "only a forfeit has a reason");
  return event;
}

// Merges moves and special events into one sequence.
class EventReader {
 public:
  EventReader(const v1::Game& wire, size_t seats, GameRecord* record)
      : wire_(wire), seats_(seats), record_(*record) {}

  absl::Status Read() {
    std::string_view rest = wire_.moves();
    const int64_t moves = rest.empty() ? 0 : 1 + std::count(rest.begin(), rest.end(), ' ');
    RETURN_IF_ERROR(CheckCount("moves", moves, kPliesPerGameMax));
    RETURN_IF_ERROR(CheckCount("events", wire_.events_size(), kSpecialEventsMax));
    record_.events.reserve(static_cast<size_t>(moves + wire_.events_size()));
    for (; record_.plies < moves; ++record_.plies) {
      RETURN_IF_ERROR(TakeSpecialEvents());
      const std::string_view text = rest.substr(0, rest.find(' '));
      RETURN_IF_ERROR(ReadMove(text, &record_.events.emplace_back()));
      rest.remove_prefix(std::min(rest.size(), text.size() + 1));
    }
    RETURN_IF_ERROR(TakeSpecialEvents());
    if (special_ == wire_.events_size()) return absl::OkStatus();
    const absl::Status error = FieldError("plies", "out of order, or after the last move");
    return ErrorWithin("events", special_, error);
  }

 private:
  // Reads the special events at this ply.
  absl::Status TakeSpecialEvents() {
    for (; special_ < wire_.events_size(); ++special_) {
      const v1::SpecialEvent& special = wire_.events(special_);
      if (special.plies() != record_.plies) break;
      absl::StatusOr<RecordedEvent> event = ReadSpecialEvent(special, seats_);
      if (!event.ok()) return ErrorWithin("events", special_, event.status());
      record_.events.push_back(*std::move(event));
    }
    return absl::OkStatus();
  }

  const v1::Game& wire_;
  const size_t seats_;
  GameRecord& record_;
  int special_ = 0;  // the next one
};

absl::Status ReadMovers(const v1::Game& wire, size_t seats, GameRecord* record) {
  const std::string& movers = wire.seats();
  if (movers.empty()) return absl::OkStatus();
  if (static_cast<int64_t>(movers.size()) != record->plies) {
    return FieldError("seats", "expected one per ply");
  }
  size_t ply = 0;
  for (RecordedEvent& event : record->events) {
    if (event.kind != Kind::kMove) continue;
    const auto mover = static_cast<unsigned char>(movers[ply++]);
    RETURN_IF_ERROR(CheckRange("seats", mover, 0, static_cast<int64_t>(seats) - 1));
    event.seat = SeatAt(mover);
  }
  return absl::OkStatus();
}

absl::Status ReadClocks(const v1::Game& wire, GameRecord* record) {
  if (wire.clock_ms_size() == 0) return absl::OkStatus();
  if (wire.clock_ms_size() != record->plies) {
    return FieldError("clock_ms", "expected one per ply");
  }
  int ply = 0;
  for (RecordedEvent& event : record->events) {
    if (event.kind != Kind::kMove) continue;
    const int64_t clock_ms = wire.clock_ms(ply++);
    if (clock_ms == kNoClock) continue;
    RETURN_IF_ERROR(CheckRange("clock_ms", clock_ms, 0, kFigureMax));
    event.clock_ms = clock_ms;
  }
  return absl::OkStatus();
}

absl::Status ReadEvals(const v1::Game& wire, size_t seats, GameRecord* record) {
  if (wire.eval_size() == 0) return absl::OkStatus();
  if (wire.eval_size() != record->plies * static_cast<int64_t>(seats)) {
    return FieldError("eval", "expected one per ply and seat");
  }
  const double* share = wire.eval().data();
  for (RecordedEvent& event : record->events) {
    if (event.kind != Kind::kMove) continue;
    PerSeat<double> eval;
    std::copy_n(share, seats, eval.begin());
    share += seats;
    if (std::all_of(eval.begin(), eval.begin() + seats, [](double s) { return std::isnan(s); })) {
      continue;
    }
    if (!AreShares(eval, seats)) return FieldError("eval", "not shares of the points");
    event.eval = eval;
  }
  return absl::OkStatus();
}

absl::Status ReadFallbacks(const v1::Game& wire, GameRecord* record) {
  uint32_t ply = 0;
  int next = 0;
  if (wire.fallbacks_size() == 0) return absl::OkStatus();
  for (RecordedEvent& event : record->events) {
    if (event.kind != Kind::kMove) continue;
    event.is_fallback = next < wire.fallbacks_size() && wire.fallbacks(next) == ply;
    if (event.is_fallback) ++next;
    ++ply;
  }
  record->fallbacks = next;
  if (next == wire.fallbacks_size()) return absl::OkStatus();
  return FieldError("fallbacks", std::to_string(wire.fallbacks(next)) +
                                     " is out of order, or after the last move");
}

absl::Status ReadInfos(const v1::Game& wire, GameRecord* record) {
  record->infos.reserve(static_cast<size_t>(wire.infos_size()));
  int64_t next = 0;  // the first ply that may have one
  for (int i = 0; i < wire.infos_size(); ++i) {
    const v1::MoveInfo& read = wire.infos(i);
    if (read.ply() < next || read.ply() >= record->plies) {
      return ErrorWithin("infos", i, FieldError("ply", "out of order, or after the last move"));
    }
    next = int64_t{read.ply()} + 1;
    MoveInfo info{.ply = read.ply(),
                  .depth = read.depth(),
                  .nodes = read.nodes(),
                  .line = read.line(),
                  .explanation = read.explanation()};
    Sanitize(&info);
    if (!info.is_empty()) record->infos.push_back(std::move(info));
  }
  return absl::OkStatus();
}

// Each report must belong to a forfeit in the record; a forfeit may have no report.
absl::Status ReadFaults(const v1::Game& wire, size_t seats, GameRecord* record) {
  RETURN_IF_ERROR(CheckCount("faults", wire.faults_size(), static_cast<int64_t>(seats)));
  for (int i = 0; i < wire.faults_size(); ++i) {
    absl::StatusOr<GameFault> fault = FromWire(wire.faults(i), seats);
    if (!fault.ok()) return ErrorWithin("faults", i, fault.status());
    const bool is_real =
        std::any_of(record->events.begin(), record->events.end(), [&](const RecordedEvent& event) {
          return event.kind == Kind::kForfeit && event.seat == fault->seat &&
                 event.why == fault->why;
        });
    const bool is_second =
        std::any_of(record->faults.begin(), record->faults.end(),
                    [&](const GameFault& other) { return other.seat == fault->seat; });
    if (!is_real || is_second) {
      return ErrorWithin("faults", i, FieldError("seat", "it has no such forfeit"));
    }
    record->faults.push_back(*std::move(fault));
  }
  return absl::OkStatus();
}

absl::StatusOr<SeatCost> MakeCost(int64_t moves, int64_t nodes, int64_t time_us,
                                  std::optional<int64_t> cpu_us) {
  RETURN_IF_ERROR(CheckRange("moves", moves, 0, kPliesPerGameMax));
  RETURN_IF_ERROR(CheckRange("nodes", nodes, 0, kFigureMax));
  RETURN_IF_ERROR(CheckRange("time_us", time_us, 0, kFigureMax));
  RETURN_IF_ERROR(CheckRange("cpu_us", cpu_us.value_or(0), 0, kFigureMax));
  return SeatCost{.moves = moves, .nodes = nodes, .time_us = time_us, .cpu_us = cpu_us};
}

absl::Status ReadCosts(const v1::Game& wire, size_t seats, PerSeat<SeatCost>* costs) {
  RETURN_IF_ERROR(CheckPerSeat("costs", wire.costs_size(), seats));
  for (size_t i = 0; i < seats; ++i) {
    const v1::SeatCost& cost = wire.costs(static_cast<int>(i));
    std::optional<int64_t> cpu_us;
    if (cost.has_cpu_us()) cpu_us = cost.cpu_us();
    const auto read = MakeCost(cost.moves(), cost.nodes(), cost.time_us(), cpu_us);
    if (!read.ok()) return ErrorWithin("costs", static_cast<int64_t>(i), read.status());
    (*costs)[SeatAt(i)] = *read;
  }
  return absl::OkStatus();
}

absl::Status ReadCosts(const v1::RecordedGame& wire, size_t seats, PerSeat<SeatCost>* costs) {
  RETURN_IF_ERROR(CheckPerSeat("moves", wire.moves_size(), seats));
  RETURN_IF_ERROR(CheckPerSeat("nodes", wire.nodes_size(), seats));
  RETURN_IF_ERROR(CheckPerSeat("time_us", wire.time_us_size(), seats));
  if (wire.cpu_us_size() > 0) RETURN_IF_ERROR(CheckPerSeat("cpu_us", wire.cpu_us_size(), seats));
  for (size_t i = 0; i < seats; ++i) {
    const int at = static_cast<int>(i);
    std::optional<int64_t> cpu_us;
    if (wire.cpu_us_size() > 0 && wire.cpu_us(at) != kNotMeasured) cpu_us = wire.cpu_us(at);
    ASSIGN_OR_RETURN((*costs)[SeatAt(i)],
                     MakeCost(wire.moves(at), wire.nodes(at), wire.time_us(at), cpu_us));
  }
  return absl::OkStatus();
}

absl::Status ReadFallbacks(const v1::RecordedGame& wire, size_t seats,
                           PerSeat<int64_t>* fallbacks) {
  if (wire.fallbacks_size() == 0) return absl::OkStatus();
  RETURN_IF_ERROR(CheckPerSeat("fallbacks", wire.fallbacks_size(), seats));
  for (size_t i = 0; i < seats; ++i) {
    (*fallbacks)[SeatAt(i)] = wire.fallbacks(static_cast<int>(i));
    RETURN_IF_ERROR(CheckRange("fallbacks", (*fallbacks)[SeatAt(i)], 0, kPliesPerGameMax));
  }
  return absl::OkStatus();
}

}  // namespace

void ToWire(const GameFault& fault, v1::GameFault* wire) {
  wire->set_seat(static_cast<uint32_t>(Index(fault.seat)));
  wire->set_ply(static_cast<uint32_t>(fault.ply));
  wire->set_why(std::string(ToString(fault.why)));
  wire->set_message(fault.report.message);
  wire->set_answer(fault.report.answer);
  wire->set_exit_status(fault.report.exit_status);
  wire->set_errors(fault.report.errors);
  wire->set_protocol(fault.report.protocol);
}

absl::StatusOr<GameFault> FromWire(const v1::GameFault& wire, size_t seats) {
  RETURN_IF_ERROR(CheckRange("seat", wire.seat(), 0, static_cast<int64_t>(seats) - 1));
  RETURN_IF_ERROR(CheckRange("ply", wire.ply(), 1, kPliesPerGameMax + 1));
  const std::optional<Termination> why = ParseTermination(wire.why());
  if (!why || !IsForfeit(*why)) {
    return FieldError("why", Quote(wire.why()) + " is not a reason to forfeit");
  }
  GameFault fault{.seat = SeatAt(wire.seat()),
                  .ply = wire.ply(),
                  .why = *why,
                  .report = {.message = wire.message(),
                             .answer = wire.answer(),
                             .exit_status = wire.exit_status(),
                             .errors = wire.errors(),
                             .protocol = wire.protocol()}};
  Sanitize(&fault.report);
  return fault;
}

void ToWire(const LiveReport& report, v1::LiveGame* wire) {
  wire->set_token(report.token);
  v1::Game* const game = wire->mutable_game();
  game->set_index(report.game.index);
  WriteMoves(report.game, game->mutable_moves(), game->mutable_seats());
  WriteSpecialEvents(report.game, game);
  WriteClocks(report.game, game);
  WriteFallbacks(report.game, game);
}

absl::StatusOr<LiveReport> FromWire(const v1::LiveGame& wire) {
  LiveReport report{.token = wire.token(), .game = {}};
  report.game.index = wire.game().index();
  RETURN_IF_ERROR(
      CheckRange("index", report.game.index, 0, std::numeric_limits<int64_t>::max() - 1));
  RETURN_IF_ERROR(EventReader(wire.game(), kSeatsMax, &report.game).Read());
  RETURN_IF_ERROR(ReadMovers(wire.game(), kSeatsMax, &report.game));
  RETURN_IF_ERROR(ReadClocks(wire.game(), &report.game));
  RETURN_IF_ERROR(ReadFallbacks(wire.game(), &report.game));
  return report;
}

void ToWire(const GameRecord& record, v1::Game* wire) {
  CHECK(record.is_finished);
  const size_t seats = CountSeats(record.outcome.place);
  wire->set_index(record.index);
  wire->set_date(record.date);
  WriteMoves(record, wire->mutable_moves(), wire->mutable_seats());
  WriteSpecialEvents(record, wire);
  WriteClocks(record, wire);
  WriteEvals(record, seats, wire);
  WriteFallbacks(record, wire);
  WriteInfos(record, wire);
  for (const GameFault& fault : record.faults) ToWire(fault, wire->add_faults());
  for (size_t i = 0; i < seats; ++i) {
    const SeatCost& cost = record.costs[SeatAt(i)];
    v1::SeatCost* costs = wire->add_costs();
    costs->set_moves(cost.moves);
    costs->set_nodes(cost.nodes);
    costs->set_time_us(cost.time_us);
    if (cost.cpu_us) costs->set_cpu_us(*cost.cpu_us);
  }
  WriteEnd(record.outcome, record.endings, seats, wire);
}

absl::StatusOr<GameRecord> FromWire(const v1::Game& wire) {
  GameRecord record;
  record.index = wire.index();
  record.date = wire.date();
  record.is_finished = true;
  RETURN_IF_ERROR(CheckRange("index", record.index, 0, std::numeric_limits<int64_t>::max() - 1));
  RETURN_IF_ERROR(CheckDate(record.date));
  ASSIGN_OR_RETURN(const size_t seats, ReadSeats(wire));
  RETURN_IF_ERROR(EventReader(wire, seats, &record).Read());
  RETURN_IF_ERROR(ReadMovers(wire, seats, &record));
  RETURN_IF_ERROR(ReadClocks(wire, &record));
  RETURN_IF_ERROR(ReadEvals(wire, seats, &record));
  RETURN_IF_ERROR(ReadFallbacks(wire, &record));
  RETURN_IF_ERROR(ReadInfos(wire, &record));
  RETURN_IF_ERROR(ReadFaults(wire, seats, &record));
  RETURN_IF_ERROR(ReadCosts(wire, seats, &record.costs));
  RETURN_IF_ERROR(ReadEnd(wire, seats, &record.outcome, &record.endings));
  return record;
}

void ToWire(const GameSummary& summary, size_t seats, std::string_view tpgn,
            v1::RecordedGame* wire) {
  wire->set_index(summary.index);
  wire->set_match(summary.match);
  wire->set_plies(summary.plies);
  for (size_t i = 0; i < seats; ++i) {
    const Seat seat = SeatAt(i);
    wire->add_bots(static_cast<uint32_t>(summary.bots[seat]));
    wire->add_moves(summary.costs[seat].moves);
    wire->add_nodes(summary.costs[seat].nodes);
    wire->add_time_us(summary.costs[seat].time_us);
    wire->add_cpu_us(summary.costs[seat].cpu_us.value_or(kNotMeasured));
    wire->add_fallbacks(summary.fallbacks[seat]);
  }
  WriteEnd(summary.outcome, summary.endings, seats, wire);
  wire->set_tpgn(std::string(tpgn));
}

absl::StatusOr<RecordedGame> FromWire(const v1::RecordedGame& wire) {
  constexpr int64_t kNumberMax = std::numeric_limits<int64_t>::max();
  RecordedGame game;
  GameSummary& summary = game.summary;
  summary.index = wire.index();
  summary.match = wire.match();
  summary.plies = wire.plies();
  RETURN_IF_ERROR(CheckRange("index", summary.index, 0, kNumberMax - 1));
  RETURN_IF_ERROR(CheckRange("match", summary.match, 0, kNumberMax - 1));
  RETURN_IF_ERROR(CheckRange("plies", summary.plies, 0, kPliesPerGameMax));
  ASSIGN_OR_RETURN(game.seats, ReadSeats(wire));
  RETURN_IF_ERROR(CheckPerSeat("bots", wire.bots_size(), game.seats));
  for (size_t i = 0; i < game.seats; ++i) {
    const uint32_t bot = wire.bots(static_cast<int>(i));
    RETURN_IF_ERROR(CheckRange("bots", bot, 0, std::numeric_limits<int>::max()));
    summary.bots[SeatAt(i)] = static_cast<int>(bot);
  }
  RETURN_IF_ERROR(ReadCosts(wire, game.seats, &summary.costs));
  RETURN_IF_ERROR(ReadFallbacks(wire, game.seats, &summary.fallbacks));
  RETURN_IF_ERROR(ReadEnd(wire, game.seats, &summary.outcome, &summary.endings));
  RETURN_IF_ERROR(
      CheckCount("length of tpgn", static_cast<int64_t>(wire.tpgn().size()), kTpgnBytesMax));
  game.tpgn = wire.tpgn();
  return game;
}

}  // namespace triarch::wire
