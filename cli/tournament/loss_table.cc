#include "cli/tournament/loss_table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "coordinator/ratings/text_table.h"
#include "core/base/check.h"
#include "core/base/counted.h"
#include "core/game/outcome.h"
#include "core/record/game_steps.h"
#include "nlohmann/json.hpp"

namespace triarch {
namespace {

constexpr double kNormal95 = 1.96;
constexpr size_t kWorstShown = 10;

std::string_view NameOf(LossKind kind) {
  switch (kind) {
    case LossKind::kMove:
      return "moves";
    case LossKind::kFallback:
      return "fallback moves";
    case LossKind::kForfeit:
      return "forfeits";
    case LossKind::kOther:
      return "resignations and claims";
  }
  return "";
}

LossKind KindOf(const RecordedEvent& event) {
  if (event.kind == RecordedEvent::Kind::kForfeit) return LossKind::kForfeit;
  if (event.kind != RecordedEvent::Kind::kMove) return LossKind::kOther;
  return event.is_fallback ? LossKind::kFallback : LossKind::kMove;
}

using SeatTest = std::function<bool(const SeatLosses&)>;
using LossTest = std::function<bool(const Loss&)>;

bool AnySeat(const SeatLosses&) { return true; }
bool AnyLoss(const Loss&) { return true; }

// Sets the mean of the losses per game and its error.
void SetMean(const std::vector<double>& per_game, LossRow* row) {
  const auto count = static_cast<double>(per_game.size());
  if (per_game.empty()) return;
  row->loss_per_game = row->loss / count;
  if (per_game.size() == 1) return;
  double squares = 0;
  for (const double loss : per_game) squares += std::pow(loss - row->loss_per_game, 2);
  row->error = kNormal95 * std::sqrt(squares / (count - 1) / count);
}

// Adds up the losses that pass, of the games that pass.
LossRow RowOf(const std::string& group, std::string_view name, const std::vector<SeatLosses>& seats,
              const SeatTest& is_seat, const LossTest& is_loss) {
  LossRow row{.group = group,
              .name = std::string(name),
              .points = {},
              .error = {},
              .per_move = {},
              .share = {}};
  std::vector<double> per_game;
  for (const SeatLosses& seat : seats) {
    if (!is_seat(seat)) continue;
    double& sum = per_game.emplace_back(0);
    for (const Loss& loss : seat.losses) {
      if (!is_loss(loss)) continue;
      sum += loss.analysis.loss;
      row.moves += loss.kind == LossKind::kMove || loss.kind == LossKind::kFallback ? 1 : 0;
      row.blunders += loss.analysis.is_blunder() ? 1 : 0;
    }
    row.loss += sum;
  }
  row.games = static_cast<int64_t>(per_game.size());
  SetMean(per_game, &row);
  if (row.moves > 0) row.per_move = row.loss / static_cast<double>(row.moves);
  return row;
}

// Like RowOf, with the mean score of the games.
LossRow RowOfGames(const std::string& group, std::string_view name,
                   const std::vector<SeatLosses>& seats, const SeatTest& is_seat) {
  LossRow row = RowOf(group, name, seats, is_seat, AnyLoss);
  double points = 0;
  int64_t finished = 0;
  for (const SeatLosses& seat : seats) {
    if (!is_seat(seat) || !seat.points) continue;
    points += *seat.points;
    ++finished;
  }
  if (finished > 0) row.points = points / static_cast<double>(finished);
  return row;
}

std::string OptionalText(const std::optional<double>& value, int digits) {
  return value ? absl::StrFormat("%.*f", digits, *value) : "-";
}

std::string TableOf(const std::vector<LossRow>& rows) {
  using Align = TextTable::Align;
  TextTable table;
  table.AddColumn("", Align::kLeft);
  table.AddColumn("", Align::kLeft);
  for (const char* heading :
       {"Games", "Points", "Loss", "±95%", "Share", "Moves", "per move", "Blunders"}) {
    table.AddColumn(heading);
  }
  std::string group;
  for (const LossRow& row : rows) {
    const bool is_new = std::exchange(group, row.group) != row.group;
    const std::string share = row.share ? absl::StrFormat("%.0f%%", 100 * *row.share) : "-";
    table.AddRow({is_new ? row.group : "", row.name, std::to_string(row.games),
                  OptionalText(row.points, 2), absl::StrFormat("%.3f", row.loss_per_game),
                  OptionalText(row.error, 3), share, std::to_string(row.moves),
                  OptionalText(row.per_move, 4), std::to_string(row.blunders)});
  }
  constexpr size_t kAnyWidth = 1000;
  return table.Render(kAnyWidth, 1);
}

std::string WorstText(const LossReport& report) {
  using Align = TextTable::Align;
  TextTable table;
  table.AddColumn("Game", Align::kLeft);
  table.AddColumn("Ply");
  for (const char* heading : {"Seat", "Phase", "Against", "Move", "Best"}) {
    table.AddColumn(heading, Align::kLeft);
  }
  table.AddColumn("Loss");
  const std::vector<WorstLoss> worst = WorstLosses(report.seats, kWorstShown);
  for (const auto& [seat, loss] : worst) {
    table.AddRow({seat->game, std::to_string(loss->analysis.ply), report.info.seat_name(seat->seat),
                  std::string(ToString(loss->analysis.phase)), absl::StrJoin(seat->opponents, ", "),
                  loss->played, loss->analysis.best, absl::StrFormat("%.2f", loss->analysis.loss)});
  }
  constexpr size_t kAnyWidth = 1000;
  return worst.empty() ? "" : "\nThe costliest decisions:\n" + table.Render(kAnyWidth, 4);
}

nlohmann::ordered_json OptionalJson(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json RowJson(const LossRow& row) {
  return {{"group", row.group},
          {"name", row.name},
          {"games", row.games},
          {"points", OptionalJson(row.points)},
          {"loss", row.loss},
          {"loss_per_game", row.loss_per_game},
          {"error", OptionalJson(row.error)},
          {"share", OptionalJson(row.share)},
          {"moves", row.moves},
          {"loss_per_move", OptionalJson(row.per_move)},
          {"blunders", row.blunders}};
}

nlohmann::ordered_json WorstJson(const GameInfo& info, const WorstLoss& worst) {
  const EventAnalysis& analysis = worst.loss->analysis;
  return {{"id", worst.seat->game},
          {"round", analysis.round},
          {"ply", analysis.ply},
          {"seat", info.seat_name(worst.seat->seat)},
          {"phase", std::string(ToString(analysis.phase))},
          {"opponents", worst.seat->opponents},
          {"played", worst.loss->played},
          {"best", analysis.best},
          {"line", analysis.line},
          {"loss", analysis.loss}};
}

}  // namespace

std::vector<size_t> OwnEvents(const GameRecord& record, Seat seat) {
  std::vector<size_t> numbers;
  for (size_t i = static_cast<size_t>(record.opening_plies); i < record.events.size(); ++i) {
    if (record.events[i].seat == seat) numbers.push_back(i);
  }
  return numbers;
}

SeatLosses LossesOf(const GameInfo& info, const GameRecord& record, Seat seat,
                    const std::vector<EventAnalysis>& events) {
  SeatLosses losses{.game = absl::StrFormat("%d.%d", record.match + 1, record.index + 1),
                    .seat = seat};
  std::set<std::string> opponents;
  for (size_t i = 0; i < info.seats; ++i) {
    if (SeatAt(i) != seat) opponents.insert(record.bots[SeatAt(i)]);
  }
  losses.opponents.assign(opponents.begin(), opponents.end());
  if (record.is_finished) losses.points = Points(record.outcome.place, info.seats)[seat];
  const std::vector<size_t> numbers = OwnEvents(record, seat);
  CHECK(numbers.size() == events.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    const RecordedEvent& event = record.events[numbers[i]];
    losses.losses.push_back(
        {.played = EventText(event), .kind = KindOf(event), .analysis = events[i]});
  }
  return losses;
}

std::vector<LossRow> LossRows(const GameInfo& info, const std::vector<SeatLosses>& seats) {
  std::vector<LossRow> rows = {RowOfGames("", "all games", seats, AnySeat)};
  for (size_t i = 0; i < kPhases; ++i) {
    const auto phase = static_cast<Phase>(i);
    rows.push_back(RowOf("phase", ToString(phase), seats, AnySeat,
                         [phase](const Loss& loss) { return loss.analysis.phase == phase; }));
  }
  for (size_t i = 0; i < info.seats; ++i) {
    const Seat at = SeatAt(i);
    rows.push_back(RowOfGames("seat", info.seat_name(at), seats,
                              [at](const SeatLosses& losses) { return losses.seat == at; }));
  }
  std::set<std::string> opponents;
  for (const SeatLosses& seat : seats) {
    opponents.insert(seat.opponents.begin(), seat.opponents.end());
  }
  for (const std::string& name : opponents) {
    rows.push_back(RowOfGames("against", name, seats, [&name](const SeatLosses& losses) {
      return std::count(losses.opponents.begin(), losses.opponents.end(), name) > 0;
    }));
  }
  for (size_t i = 0; i < kLossKinds; ++i) {
    const auto kind = static_cast<LossKind>(i);
    LossRow row = RowOf("by", NameOf(kind), seats, AnySeat,
                        [kind](const Loss& loss) { return loss.kind == kind; });
    if (kind == LossKind::kMove || row.moves > 0 || row.loss > 0) rows.push_back(std::move(row));
  }
  const double total = rows.front().loss;
  for (LossRow& row : rows) {
    if (total > 0) row.share = row.loss / total;
  }
  return rows;
}

std::vector<WorstLoss> WorstLosses(const std::vector<SeatLosses>& seats, size_t count) {
  std::vector<WorstLoss> worst;
  for (const SeatLosses& seat : seats) {
    for (const Loss& loss : seat.losses) {
      if (loss.analysis.loss > 0) worst.push_back({&seat, &loss});
    }
  }
  std::stable_sort(worst.begin(), worst.end(), [](const WorstLoss& a, const WorstLoss& b) {
    return a.loss->analysis.loss > b.loss->analysis.loss;
  });
  worst.resize(std::min(worst.size(), count));
  return worst;
}

std::string LossText(const LossReport& report) {
  std::string head = report.bot + ": " + Counted(report.games, "game");
  if (report.games < report.games_there) {
    head += absl::StrFormat(" of %d", report.games_there);
  }
  return head + ", judged by " + report.analyst + "\n\n" +
         TableOf(LossRows(report.info, report.seats)) + WorstText(report) +
         "\nPoints: scored per game · Loss: expected points lost per game · ± spans 95%\n" +
         absl::StrFormat(
             "blunder: a loss of at least %g · opponents who err give points back, so "
             "losses exceed the missing points\n",
             kBlunderPoints);
}

std::string LossJson(const LossReport& report) {
  nlohmann::ordered_json json = {{"bot", report.bot},
                                 {"analyst", report.analyst},
                                 {"games", report.games},
                                 {"games_there", report.games_there}};
  for (const LossRow& row : LossRows(report.info, report.seats)) {
    json["rows"].push_back(RowJson(row));
  }
  json["worst"] = nlohmann::ordered_json::array();
  for (const WorstLoss& worst : WorstLosses(report.seats, kWorstShown)) {
    json["worst"].push_back(WorstJson(report.info, worst));
  }
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace triarch
