#include "cli/tournament/view_screen.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "absl/strings/str_format.h"
#include "cli/tournament/board_grid.h"
#include "coordinator/ratings/display_width.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/game/canvas.h"
#include "core/record/tpgn_words.h"

namespace triarch {
namespace {

constexpr Ink kMarked = {.foreground = 16, .background = kLastTint, .is_bold = true};
constexpr Ink kFaulty = {.foreground = 231, .background = 160, .is_bold = true};

constexpr std::string_view kHelp =
    "Left, Right        back or forward by a ply, or an event such as a forfeit\n"
    "Up, Down           by ten of these (also PgUp, PgDn)\n"
    "Home, End          the start, the end\n"
    "c, C               the next or previous capture\n"
    "k, K (or +)        the next or previous check or elimination\n"
    "f, F               the next or previous forfeit or fallback move (*)\n"
    "s, S               the next or previous swing: a bot's evaluation of a seat\n"
    "                   changed by at least 0.2 points since its previous move\n"
    "b                  the board alone, or everything\n"
    "Shift and arrows   other parts of a board that is larger than its window\n"
    "q                  quit\n"
    "\n"
    "The graph shows each seat's expected points, from 0 to 1: the mean of the\n"
    "latest evaluations of the bots that are still in the game.";

// The screen while it is drawn.
class Screen {
 public:
  Screen(TerminalSize size, bool is_colored)
      // The last column stays free: after a full line, terminals disagree about the cursor.
      : width_(size.columns - 1),
        height_(size.rows),
        is_colored_(is_colored),
        canvas_(width_, height_) {}

  int width() const { return width_; }
  int height() const { return height_; }
  bool is_colored() const { return is_colored_; }
  Canvas* canvas() { return &canvas_; }

  // Writes UTF-8 text in at most `width` columns; longer text is cut.
  void Write(int column, int line, std::string_view text, Ink ink = {}, int width = 1 << 20) {
    int used = 0;
    for (const Glyph& glyph : Glyphs(text)) {
      const int columns = static_cast<int>(glyph.width);
      if (used + columns > width || column + used + columns > width_) return;
      if (columns > 0) canvas_.Set(column + used, line, glyph.bytes, is_colored_ ? ink : Ink{});
      if (columns == 2) canvas_.Set(column + used + 1, line, "", is_colored_ ? ink : Ink{});
      used += columns;
    }
  }
  void WriteRight(int line, std::string_view text) {
    Write(width_ - static_cast<int>(DisplayWidth(text)), line, text);
  }

 private:
  const int width_;
  const int height_;
  const bool is_colored_;
  Canvas canvas_;
};

// A seat's chip has the colour that names it.
Ink ChipOf(std::string_view seat_name) {
  if (seat_name == "White") return {16, 231, true};
  if (seat_name == "Gray") return {16, 248, true};
  if (seat_name == "Red") return {231, 160, true};
  return {231, 16, true};
}

// ---- Moves.

// A short form for the list of moves.
std::string ListedEvent(const RecordedEvent& event) {
  if (event.kind == RecordedEvent::Kind::kForfeit) return std::string(tpgn::ForfeitWord(event.why));
  if (event.kind == RecordedEvent::Kind::kClaimDraw) return "draw";
  return EventText(event) + (event.is_fallback ? "*" : "");
}

int MoveWidth(const GameSteps& game) {
  size_t width = 6;  // of a seat's name
  for (const GameStep& step : game.steps) width = std::max(width, ListedEvent(step.event).size());
  return static_cast<int>(std::min<size_t>(width, 13));
}

constexpr int kNumberWidth = 5;  // "1000."

int MoveListWidth(const GameSteps& game) {
  return kNumberWidth + static_cast<int>(game.info().seats) * (MoveWidth(game) + 1);
}

void DrawRound(const GameSteps& game, const StepRound& round, size_t current, int column, int line,
               Screen* screen) {
  const int width = MoveWidth(game) + 1;
  screen->Write(column, line, absl::StrFormat("%4d.", round.number));
  for (size_t i = 0; i < game.info().seats; ++i) {
    int at = column + kNumberWidth + static_cast<int>(i) * width;
    const int end = at + width;
    for (const size_t step : round.steps[SeatAt(i)]) {
      const bool is_current = step + 1 == current;
      const Ink ink = is_current ? kMarked : game.steps[step].is_fault() ? kFaulty : Ink{};
      const std::string text = ListedEvent(game.steps[step].event);
      if (is_current && !screen->is_colored()) screen->Write(at, line, ">");
      screen->Write(at + 1, line, text, ink, end - at - 1);
      at += 1 + static_cast<int>(text.size());
    }
  }
}

// Draws the rounds around the current one, below the names of the seats.
void DrawMoves(const GameSteps& game, const ViewState& view, int column, int line, int height,
               Screen* screen) {
  const int width = MoveWidth(game) + 1;
  for (size_t i = 0; i < game.info().seats; ++i) {
    const std::string_view name = game.info().seat_names[i];
    screen->Write(column + kNumberWidth + 1 + static_cast<int>(i) * width, line, name,
                  ChipOf(name));
  }
  const std::vector<StepRound> rounds = RoundsOf(game);
  size_t current = 0;
  while (view.step > 0 && rounds[current].number != game.steps[view.step - 1].round) ++current;
  const auto shown = static_cast<size_t>(height - 1);
  const size_t most = rounds.size() - std::min(rounds.size(), shown);
  const size_t first = std::min(current - std::min(current, shown / 2), most);
  for (size_t i = 0; i < std::min(shown, rounds.size() - first); ++i) {
    DrawRound(game, rounds[first + i], view.step, column, line + 1 + static_cast<int>(i), screen);
  }
}

// ---- Board.

// Draws the board in colour if it fits or if that is no larger.
void DrawBoard(const GameSteps& game, const ViewState& view, BoardGrid::Area area, Screen* screen) {
  const AnyState& state = game.at(view.step);
  BoardGrid grid = BoardGrid::Draw(state, screen->is_colored());
  if (screen->is_colored() && (grid.width() > area.width || grid.height() > area.height)) {
    BoardGrid plain = BoardGrid::Draw(state, false);
    if (plain.height() <= area.height && plain.width() <= area.width) {
      grid = std::move(plain);
    }
  }
  area.pan_columns = view.pan_columns;
  area.pan_lines = view.pan_lines;
  grid.DrawPart(area, screen->canvas());
}

// ---- Graph of the expected points.

constexpr std::array<std::string_view, 9> kBlocks = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

// Maps steps to the columns of a graph.
struct GraphColumns {
  size_t steps = 0;
  size_t columns = 0;

  GraphColumns(size_t step_count, int width)
      : steps(step_count), columns(std::min(step_count, static_cast<size_t>(width))) {}
  size_t BeginOf(size_t column) const { return column * steps / columns; }
  int ColumnOf(size_t step) const {
    size_t column = step * columns / steps;
    while (column + 1 < columns && BeginOf(column + 1) <= step) ++column;
    return static_cast<int>(column);
  }
};

// Returns the mean of a seat's expected points over some steps.
std::optional<double> MeanPoints(const GameSteps& game, Seat seat, size_t begin, size_t end) {
  double sum = 0;
  int count = 0;
  for (size_t i = begin; i < end; ++i) {
    if (!game.steps[i].points) continue;
    sum += (*game.steps[i].points)[seat];
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

// Draws a bar of eighths of a character, at least one.
void DrawBar(int column, int bottom, int height, double value, Ink ink, Screen* screen) {
  int eighths = std::clamp(static_cast<int>(std::lround(value * 8 * height)), 1, 8 * height);
  for (int line = bottom; eighths > 0; --line, eighths -= 8) {
    screen->Write(column, line, kBlocks[static_cast<size_t>(std::min(eighths, 8))], ink);
  }
}

constexpr int kGraphLeft = 13;  // "White   0.67 "

void DrawSeatGraph(const GameSteps& game, const ViewState& view, Seat seat, int line, int height,
                   Screen* screen) {
  const std::string name = game.info().seat_name(seat);
  const int bottom = line + height - 1;
  screen->Write(0, bottom, name, ChipOf(name));
  if (view.step > 0 && game.steps[view.step - 1].points) {
    const double now = (*game.steps[view.step - 1].points)[seat];
    screen->Write(7, bottom, absl::StrFormat("%5.2f", now));
  }
  const GraphColumns columns(game.steps.size(), screen->width() - kGraphLeft);
  for (size_t i = 0; i < columns.columns; ++i) {
    const std::optional<double> value =
        MeanPoints(game, seat, columns.BeginOf(i), columns.BeginOf(i + 1));
    if (!value) continue;
    const bool is_current = view.step > 0 && columns.ColumnOf(view.step - 1) == static_cast<int>(i);
    DrawBar(kGraphLeft + static_cast<int>(i), bottom, height, *value,
            is_current ? Ink{.foreground = kLastTint} : Ink{}, screen);
  }
}

int SeatGraphHeight(int rows) { return rows >= 50 ? 3 : rows >= 36 ? 2 : 1; }

int GraphHeight(const GameSteps& game, int rows) {
  if (!game.has_evals) return 1;
  return static_cast<int>(game.info().seats) * SeatGraphHeight(rows) + 1;
}

void DrawGraph(const GameSteps& game, const ViewState& view, int line, Screen* screen) {
  if (!game.has_evals) {
    screen->Write(0, line, "expected points: no evaluations recorded");
    return;
  }
  const int height = SeatGraphHeight(screen->height());
  for (size_t i = 0; i < game.info().seats; ++i) {
    DrawSeatGraph(game, view, SeatAt(i), line, height, screen);
    line += height;
  }
  if (view.step == 0) return;
  const GraphColumns columns(game.steps.size(), screen->width() - kGraphLeft);
  screen->Write(kGraphLeft + columns.ColumnOf(view.step - 1), line, "▲");
}

// ---- Lines at the top and the bottom.

void DrawStatus(const GameSteps& game, const ViewState& view, Screen* screen) {
  const int line = screen->height() - 1;
  std::string text = StepText(game, view.step);
  if (!view.note.empty()) text += "  (" + view.note + ")";
  if (view.step == game.steps.size() && game.record.is_finished) {
    text += "  the end: ";
    text += ToString(game.record.outcome.termination);
  }
  constexpr std::string_view kKeys = "? help  q quit";
  screen->Write(0, line, text, {}, screen->width() - static_cast<int>(kKeys.size()) - 1);
  screen->WriteRight(line, kKeys);
}

void DrawHelp(Screen* screen) {
  int line = 1;
  for (const std::string_view text : Split(kHelp, '\n')) screen->Write(1, line++, text);
  screen->Write(1, screen->height() - 1, "any key: back to the game");
}

void DrawAll(const GameSteps& game, const ViewState& view, Screen* screen) {
  screen->Write(0, 0, GameTitle(game.record, game.info()));
  DrawStatus(game, view, screen);
  const int rows = screen->height() - 2;  // without the title and the status
  if (view.is_board_only) {
    DrawBoard(game, view, {.column = 0, .line = 1, .width = screen->width(), .height = rows},
              screen);
    return;
  }
  const int graph = GraphHeight(game, screen->height());
  const int moves = MoveListWidth(game);
  DrawGraph(game, view, screen->height() - 1 - graph, screen);
  DrawBoard(game, view,
            {.column = 0, .line = 1, .width = screen->width() - moves - 1, .height = rows - graph},
            screen);
  DrawMoves(game, view, screen->width() - moves, 1, rows - graph, screen);
}

}  // namespace

std::string StepText(const GameSteps& game, size_t step) {
  const int64_t plies = game.record.plies;
  if (step == 0) return absl::StrFormat("the start of %s", Counted(plies, "ply", "plies"));
  const GameStep& last = game.steps[step - 1];
  const bool is_move = last.event.kind == RecordedEvent::Kind::kMove;
  std::string text = absl::StrFormat("ply %d", last.ply);
  if (is_move) text += absl::StrFormat("/%d", plies);
  text += absl::StrFormat(", move %d, %s%s %s", last.round, game.info().seat_name(last.event.seat),
                          is_move ? ":" : "", EventText(last.event));
  if (last.event.is_fallback) text += " (fallback)";
  if (const MoveInfo* const info = last.info(game.record)) {
    text += "; " + PrintableLine(ToText(*info));
  }
  return text;
}

std::string GameTitle(const GameRecord& record, const GameInfo& info) {
  std::string text = absl::StrFormat("%d.%d ", record.match + 1, record.index + 1);
  for (size_t i = 0; i < info.seats; ++i) {
    text += (i == 0 ? " " : " · ") + info.seat_name(SeatAt(i)) + " " + record.bots[SeatAt(i)];
  }
  if (!record.is_finished) return text + "  unfinished";
  return text + "  " + ResultText(record.outcome.place, info.seats) + "  " +
         std::string(ToString(record.outcome.termination));
}

std::string ViewScreen(const GameSteps& game, const ViewState& view, TerminalSize size,
                       bool is_colored) {
  if (size.columns < kViewSizeMin.columns || size.rows < kViewSizeMin.rows) {
    const std::string text =
        absl::StrFormat("%d x %d is too small; triarch view needs %d x %d", size.columns, size.rows,
                        kViewSizeMin.columns, kViewSizeMin.rows);
    return text.substr(0, static_cast<size_t>(std::max(size.columns - 1, 1)));
  }
  Screen screen(size, is_colored);
  if (view.is_help) {
    DrawHelp(&screen);
  } else {
    DrawAll(game, view, &screen);
  }
  std::string text = screen.canvas()->ToText();
  text.pop_back();  // after the last line, a line break would scroll
  return text;
}

}  // namespace triarch
