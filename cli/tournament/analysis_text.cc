#include "cli/tournament/analysis_text.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_format.h"
#include "cli/tournament/recorded_game.h"
#include "coordinator/ratings/text_table.h"
#include "core/base/counted.h"
#include "core/record/game_steps.h"
#include "core/record/tpgn.h"
#include "nlohmann/json.hpp"

namespace triarch {
namespace {

using Align = TextTable::Align;
using Kind = RecordedEvent::Kind;

constexpr size_t kAnyWidth = 1000;

bool IsOfOpening(const AnalyzedGame& game, size_t number) {
  const EventAnalysis& event = game.events[number];
  return game.record.events[number].kind == Kind::kMove && event.ply <= game.record.opening_plies;
}

// Returns "0.52 0.31 0.67".
std::string PointsText(const PerSeat<double>& points, size_t seats) {
  std::string text;
  for (size_t i = 0; i < seats; ++i) {
    absl::StrAppendFormat(&text, "%s%.2f", i == 0 ? "" : " ", points[SeatAt(i)]);
  }
  return text;
}

// Returns "loses 0.41, Red gains 0.30".
std::string BlunderText(const AnalyzedGame& game, size_t number) {
  const EventAnalysis& event = game.events[number];
  const auto gain = [&](Seat seat) { return event.after[seat] - event.before[seat]; };
  Seat winner = game.record.events[number].seat;
  for (size_t i = 0; i < game.info.seats; ++i) {
    if (gain(SeatAt(i)) > gain(winner)) winner = SeatAt(i);
  }
  std::string text = absl::StrFormat("loses %.2f", event.loss);
  if (gain(winner) > 0) {
    text += absl::StrFormat(", %s gains %.2f", game.info.seat_name(winner), gain(winner));
  }
  return text;
}

// Returns what is remarkable about an event.
std::string RemarksOf(const AnalyzedGame& game, size_t number) {
  std::vector<std::string> remarks;
  const RecordedEvent& event = game.record.events[number];
  if (IsOfOpening(game, number)) remarks.emplace_back("given by the opening");
  if (event.is_fallback) remarks.emplace_back("fallback");
  if (event.is_elimination) remarks.emplace_back("eliminates");
  if (game.events[number].is_blunder()) {
    remarks.push_back("blunder: " + BlunderText(game, number));
  }
  std::string text;
  for (const std::string& remark : remarks) text += (text.empty() ? "" : "; ") + remark;
  return text;
}

std::string HeadOf(const AnalyzedGame& game) {
  const GameRecord& record = game.record;
  return absl::StrFormat("game %s of %s: %s, judged by %s\n\n",
                         ToString(GameNumber{record.match, record.index}), record.event,
                         record.is_finished ? ResultText(record.outcome.place, game.info.seats)
                                            : std::string("unfinished"),
                         game.analyst);
}

std::string EventsText(const AnalyzedGame& game) {
  TextTable table;
  table.AddColumn("Ply");
  table.AddColumn("");
  for (const char* heading : {"Seat", "Move", "Best", "Before", "After"}) {
    table.AddColumn(heading, Align::kLeft);
  }
  table.AddColumn("Loss");
  table.AddColumn("", Align::kLeft);
  for (size_t i = 0; i < game.events.size(); ++i) {
    const EventAnalysis& event = game.events[i];
    const RecordedEvent& recorded = game.record.events[i];
    const bool is_best = event.best == recorded.move.text();
    table.AddRow(
        {recorded.kind == Kind::kMove ? std::to_string(event.ply) : "",
         std::to_string(event.round) + ".", game.info.seat_name(recorded.seat), EventText(recorded),
         is_best ? "" : event.best, PointsText(event.before, game.info.seats),
         PointsText(event.after, game.info.seats),
         event.loss < 0.005 ? "" : absl::StrFormat("%.2f", event.loss), RemarksOf(game, i)});
  }
  return table.Render(kAnyWidth, 0);
}

// The losses of one seat by its own decisions.
struct SeatSum {
  int64_t moves = 0;
  int64_t blunders = 0;
  int64_t faults = 0;
  double loss = 0;
};

SeatSum SumOf(const AnalyzedGame& game, Seat seat) {
  SeatSum sum;
  for (size_t i = 0; i < game.events.size(); ++i) {
    const RecordedEvent& recorded = game.record.events[i];
    if (recorded.seat != seat || IsOfOpening(game, i)) continue;
    if (recorded.kind == Kind::kMove) ++sum.moves;
    if (recorded.is_fallback || recorded.kind == Kind::kForfeit) ++sum.faults;
    if (game.events[i].is_blunder()) ++sum.blunders;
    sum.loss += game.events[i].loss;
  }
  return sum;
}

double LossPerMove(const SeatSum& sum) {
  return sum.loss / static_cast<double>(std::max<int64_t>(sum.moves, 1));
}

std::string SumsText(const AnalyzedGame& game) {
  TextTable table;
  table.AddColumn("Seat", Align::kLeft);
  table.AddColumn("Bot", Align::kLeft);
  for (const char* heading : {"Moves", "Loss", "per move", "Blunders", "Faults"}) {
    table.AddColumn(heading);
  }
  for (size_t i = 0; i < game.info.seats; ++i) {
    const Seat seat = SeatAt(i);
    const SeatSum sum = SumOf(game, seat);
    table.AddRow({game.info.seat_name(seat), game.record.bots[seat], std::to_string(sum.moves),
                  absl::StrFormat("%.2f", sum.loss), absl::StrFormat("%.3f", LossPerMove(sum)),
                  std::to_string(sum.blunders), std::to_string(sum.faults)});
  }
  return "\n" + table.Render(kAnyWidth, 1);
}

nlohmann::ordered_json PointsJson(const PerSeat<double>& points, size_t seats) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (size_t i = 0; i < seats; ++i) json.push_back(points[SeatAt(i)]);
  return json;
}

nlohmann::ordered_json EventJson(const AnalyzedGame& game, size_t number) {
  const RecordedEvent& recorded = game.record.events[number];
  const EventAnalysis& event = game.events[number];
  const size_t seats = game.info.seats;
  const bool is_move = recorded.kind == Kind::kMove;
  nlohmann::ordered_json json = {
      {"round", event.round}, {"ply", event.ply}, {"seat", game.info.seat_name(recorded.seat)}};
  json[is_move ? "move" : "event"] = EventText(recorded);
  json["best"] = event.best;
  json["line"] = event.line;
  json["before"] = PointsJson(event.before, seats);
  json["after"] = PointsJson(event.after, seats);
  json["loss"] = event.loss;
  json["phase"] = std::string(ToString(event.phase));
  json["blunder"] = event.is_blunder();
  json["opening"] = IsOfOpening(game, number);
  json["fallback"] = recorded.is_fallback;
  return json;
}

}  // namespace

std::string AnalysisText(const AnalyzedGame& game) {
  return HeadOf(game) + EventsText(game) + SumsText(game) +
         "\nBefore, After: each seat's expected points with the best move, and with the one "
         "played\n" +
         absl::StrFormat("Loss: of the mover, in points · blunder: a loss of at least %g\n",
                         kBlunderPoints);
}

std::string AnalysisJson(const AnalyzedGame& game) {
  const GameRecord& record = game.record;
  nlohmann::ordered_json json = {{"id", ToString(GameNumber{record.match, record.index})},
                                 {"analyst", game.analyst}};
  json["result"] = nullptr;
  if (record.is_finished) json["result"] = ResultText(record.outcome.place, game.info.seats);
  for (size_t i = 0; i < game.info.seats; ++i) {
    const SeatSum sum = SumOf(game, SeatAt(i));
    json["seats"].push_back({{"seat", game.info.seat_name(SeatAt(i))},
                             {"bot", record.bots[SeatAt(i)]},
                             {"moves", sum.moves},
                             {"loss", sum.loss},
                             {"loss_per_move", LossPerMove(sum)},
                             {"blunders", sum.blunders},
                             {"faults", sum.faults}});
  }
  json["events"] = nlohmann::ordered_json::array();
  for (size_t i = 0; i < game.events.size(); ++i) json["events"].push_back(EventJson(game, i));
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string AnalysisTpgn(const AnalyzedGame& game) {
  GameRecord record = game.record;
  record.infos.clear();  // the comments are the analyst's
  TpgnNotes notes{.annotator = game.analyst, .notes = {}};
  for (size_t i = 0; i < game.events.size(); ++i) {
    TpgnNotes::Note& note = notes.notes.emplace_back();
    if (record.events[i].kind != Kind::kMove) continue;
    const EventAnalysis& event = game.events[i];
    PerSeat<double> shares;
    for (size_t s = 0; s < game.info.seats; ++s) {
      shares[SeatAt(s)] = event.after[SeatAt(s)] / PointsInGame(game.info.seats);
    }
    record.events[i].eval = shares;
    note.is_blunder = event.is_blunder();
    if (note.is_blunder) note.comment = BlunderText(game, i);
    note.line = event.line;
  }
  return WriteTpgn(record, game.info, notes);
}

}  // namespace triarch
