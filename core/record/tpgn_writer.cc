// Writes games as TPGN.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/any_state.h"
#include "core/base/check.h"
#include "core/record/spec_words.h"
#include "core/record/time_control_tag.h"
#include "core/record/tpgn.h"
#include "core/record/tpgn_words.h"

// A tournament writes thousands of games per second, so everything is appended to one string.
namespace triarch {
namespace {

constexpr size_t kColumns = 100;

void AppendNumber(std::string& out, int64_t number) {
  char digits[std::numeric_limits<int64_t>::digits10 + 2];
  const auto result = std::to_chars(std::begin(digits), std::end(digits), number);
  out.append(std::begin(digits), result.ptr);
}

// Appends `number` with leading zeros.
void AppendPadded(std::string& out, int64_t number, int width) {
  for (int64_t bound = 10; width > 1; --width, bound *= 10) {
    if (number < bound) out += '0';
  }
  AppendNumber(out, number);
}

// Appends "0:00:01.2": hours, minutes, seconds without trailing zeros.
void AppendClock(std::string& out, int64_t ms) {
  if (ms < 0) ms = 0;
  AppendNumber(out, ms / 3'600'000);
  out += ':';
  AppendPadded(out, ms / 60'000 % 60, 2);
  out += ':';
  AppendPadded(out, ms / 1000 % 60, 2);
  if (ms % 1000 == 0) return;
  out += '.';
  AppendPadded(out, ms % 1000, 3);
  while (out.back() == '0') out.pop_back();
}

// Appends a share of the points, 0.00 to 1.00.
void AppendShare(std::string& out, double share) {
  const double bounded = share > 0 ? std::min(share, 1.0) : 0;  // 0 for NaN
  const int64_t hundredths = std::llround(bounded * 100);
  AppendNumber(out, hundredths / 100);
  out += '.';
  AppendPadded(out, hundredths % 100, 2);
}

// Writes the movetext: puts each event into its slot and breaks lines.
class Movetext {
 public:
  Movetext(const GameInfo& info, const GameRecord& record, std::string* out)
      : info_(info), out_(*out), round_(record.first_round), line_begin_(out->size()) {
    for (size_t i = 0; i < info.seats; ++i) {
      const std::string& own = record.time_controls[SeatAt(i)];
      has_clock_[SeatAt(i)] = MayHaveClock(own.empty() ? record.time_control : own);
    }
  }

  // The info and the note may be null.
  void Add(const RecordedEvent& event, const MoveInfo* info, const TpgnNotes::Note* note) {
    if (event.kind == RecordedEvent::Kind::kMove) {
      AddMove(event, info, note != nullptr && note->is_blunder);
      if (note != nullptr) AddNote(*note);
    } else {
      AddComment(event);
    }
  }

  void End(std::string_view result) {
    Put(result);
    out_ += "\n\n";
  }

 private:
  void AddMove(const RecordedEvent& event, const MoveInfo* info, bool is_blunder) {
    GoToSlot(Index(event.seat));
    token_ = event.move.text();
    if (event.is_elimination) {
      token_ += '#';
    } else if (event.is_check) {
      token_ += '+';
    }
    Put(token_);
    was_comment_ = false;
    if (is_blunder) Put(tpgn::kBlunderGlyph);
    if (event.clock_ms || event.eval || event.is_fallback || info != nullptr) {
      AddAnnotation(event, info);
    }
  }

  // Fills the slots of eliminated and skipped seats up to `slot`.
  void GoToSlot(size_t slot) {
    const bool is_pgn = info_.seats == 2;
    // With two seats no slot is skipped: two consecutive moves of one seat share a slot (a
    // mandatory promotion before the move).
    if (is_pgn && slot + 1 == slot_) return;
    if (slot < slot_) {
      while (slot_ < info_.seats) Skip();
      ++round_;
      slot_ = 0;
    }
    if (slot_ == 0 || (is_pgn && was_comment_)) PutRound(is_pgn && slot == 1 ? "..." : ".");
    if (is_pgn) slot_ = slot;
    while (slot_ < slot) Skip();
    ++slot_;
  }

  void PutRound(std::string_view dots) {
    token_.clear();
    AppendNumber(token_, round_);
    token_ += dots;
    Put(token_);
  }

  void Skip() {
    Put("--");
    ++slot_;
  }

  void AddComment(const RecordedEvent& event) {
    token_ = '{';
    token_ += info_.seat_names[Index(event.seat)];
    if (event.kind == RecordedEvent::Kind::kResign) {
      token_ += tpgn::kResigns;
    } else if (event.kind == RecordedEvent::Kind::kForfeit) {
      token_ += tpgn::kForfeits;
      token_ += tpgn::ForfeitWord(event.why);
    } else {
      token_ += tpgn::kClaimsDraw;
    }
    token_ += '}';
    Put(token_);
    was_comment_ = true;
  }

  void AddAnnotation(const RecordedEvent& event, const MoveInfo* info) {
    token_ = '{';
    if (event.clock_ms) {
      token_ += has_clock_[event.seat] ? "[%clk " : "[%emt ";
      AppendClock(token_, *event.clock_ms);
      token_ += ']';
    }
    if (event.eval) {
      token_ += event.clock_ms ? " [%eval " : "[%eval ";
      for (size_t i = 0; i < info_.seats; ++i) {
        if (i != 0) token_ += ',';
        AppendShare(token_, (*event.eval)[SeatAt(i)]);
      }
      token_ += ']';
    }
    if (info != nullptr) AddInfo(*info);
    if (event.is_fallback) {
      if (token_.size() > 1) token_ += ' ';
      token_ += tpgn::kFallback;
    }
    token_ += '}';
    Put(token_);
    was_comment_ = true;
  }

  // Continues the token of an annotation. Its texts are broken between words, but no line begins
  // with a bracket, which readers that look at lines would take for a tag.
  void AddInfo(const MoveInfo& info) {
    if (info.depth > 0) AddText(tpgn::kDepth, std::to_string(info.depth));
    if (info.nodes > 0) AddText(tpgn::kNodes, std::to_string(info.nodes));
    if (!info.line.empty()) AddText(tpgn::kLine, info.line);
    if (!info.explanation.empty()) {
      AddText(tpgn::kExplanation, tpgn::InAnnotation(info.explanation));
    }
  }

  void AddText(std::string_view opening, std::string_view text) {
    if (token_.size() > 1) token_ += ' ';
    token_ += opening;
    for (size_t space = text.find(' '); space != std::string_view::npos; space = text.find(' ')) {
      token_ += text.substr(0, space);
      Put(token_);
      token_.clear();
      text.remove_prefix(space + 1);
    }
    token_ += text;
    token_ += ']';
  }

  void AddNote(const TpgnNotes::Note& note) {
    if (!note.comment.empty()) Put("{" + note.comment + "}");
    for (size_t i = 0; i < note.line.size(); ++i) {
      token_ = i == 0 ? "(" : "";
      token_ += note.line[i];
      if (i + 1 == note.line.size()) token_ += ')';
      Put(token_);
    }
    was_comment_ |= !note.comment.empty() || !note.line.empty();
  }

  void Put(std::string_view token) {
    const size_t column = out_.size() - line_begin_;
    if (column != 0 && column + 1 + token.size() > kColumns) {
      out_ += '\n';
      line_begin_ = out_.size();
    } else if (column != 0) {
      out_ += ' ';
    }
    out_ += token;
  }

  const GameInfo& info_;
  std::string& out_;
  std::string token_;
  int64_t round_;
  size_t slot_ = 0;  // slot of the next token; the number of seats at the end of a round
  bool was_comment_ = false;
  size_t line_begin_;
  PerSeat<bool> has_clock_{};
};

void AppendTag(std::string& out, std::string_view name, std::string_view value) {
  out += '[';
  out += name;
  out += " \"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += tpgn::InTag(c);
  }
  out += "\"]\n";
}

std::string_view OrElse(std::string_view value, std::string_view otherwise) {
  return value.empty() ? otherwise : value;
}

// Appends the tags from Event to Result as in PGN, with a player for each seat.
void AppendRoster(std::string& out, const GameRecord& record, const GameInfo& info) {
  AppendTag(out, "Event", OrElse(record.event, std::string(info.variant) + " Game"));
  AppendTag(out, "Site", tpgn::kUnknown);
  AppendTag(out, "Date", OrElse(record.date, tpgn::kUnknownDate));
  AppendTag(out, "Round",
            std::to_string(record.match + 1) + "." + std::to_string(record.index + 1));
  for (size_t i = 0; i < info.seats; ++i) {
    AppendTag(out, info.seat_names[i], OrElse(record.bots[SeatAt(i)], tpgn::kUnknown));
  }
  AppendTag(out, "Result",
            record.is_finished ? ResultText(record.outcome.place, info.seats)
                               : std::string(tpgn::kUnfinished));
}

void AppendEnding(std::string& out, const GameRecord& record, size_t seats) {
  if (!record.is_finished) {
    AppendTag(out, "Termination", ToString(Termination::kAbandoned));
    return;
  }
  AppendTag(out, "Termination", ToString(record.outcome.termination));
  AppendTag(out, "Placement", PlacementText(record.outcome.place, seats));
  AppendTag(out, "Endings", tpgn::EndingsText(record.outcome, record.endings, seats));
}

void AppendTags(std::string& out, const GameRecord& record, const GameInfo& info) {
  AppendRoster(out, record, info);
  AppendTag(out, "Variant", info.variant);
  if (!record.position.empty()) {
    AppendTag(out, "SetUp", "1");
    AppendTag(out, "FEN", record.position);
  }
  AppendEnding(out, record, info.seats);
  if (record.draw_rules.draws == Draws::kClaimed) {
    AppendTag(out, "Draws", ToString(record.draw_rules.draws));
  }
  if (record.draw_rules.insufficient_material) AppendTag(out, "InsufficientMaterial", OnOff(true));
  if (!record.time_control.empty()) AppendTag(out, "TimeControl", record.time_control);
  for (size_t i = 0; i < info.seats; ++i) {
    const std::string& own = record.time_controls[SeatAt(i)];
    if (!own.empty()) AppendTag(out, tpgn::TimeControlTagOf(info, SeatAt(i)), own);
  }
  if (record.seed != 0) AppendTag(out, "Seed", std::to_string(record.seed));
  AppendTag(out, "PlyCount", std::to_string(record.plies));
  if (record.opening_plies != 0) {
    AppendTag(out, "OpeningPlies", std::to_string(record.opening_plies));
  }
}

// The notes may be null.
std::string Write(const GameRecord& record, const GameInfo& info, const TpgnNotes* notes) {
  constexpr size_t kTagBytes = 640;
  constexpr size_t kPlyBytes = 9;  // "F10-G11 " and its share of the move number
  std::string out;
  out.reserve(kTagBytes + record.position.size() + record.events.size() * kPlyBytes);
  AppendTags(out, record, info);
  if (notes != nullptr) AppendTag(out, "Annotator", notes->annotator);
  out += '\n';
  Movetext movetext(info, record, &out);
  auto said = record.infos.begin();
  int64_t ply = 0;
  for (size_t i = 0; i < record.events.size(); ++i) {
    const RecordedEvent& event = record.events[i];
    const bool is_about_it =
        event.kind == RecordedEvent::Kind::kMove && said != record.infos.end() && said->ply == ply;
    movetext.Add(event, is_about_it ? &*said : nullptr,
                 notes == nullptr ? nullptr : &notes->notes[i]);
    if (is_about_it) ++said;
    if (event.kind == RecordedEvent::Kind::kMove) ++ply;
  }
  movetext.End(record.is_finished ? ResultText(record.outcome.place, info.seats)
                                  : std::string(tpgn::kUnfinished));
  return out;
}

}  // namespace

std::string WriteTpgn(const GameRecord& record, const GameInfo& info) {
  return Write(record, info, nullptr);
}

std::string WriteTpgn(const GameRecord& record, const GameInfo& info, const TpgnNotes& notes) {
  CHECK(notes.notes.size() == record.events.size());
  return Write(record, info, &notes);
}

std::string WriteTpgn(const GameRecord& record) {
  const absl::StatusOr<const GameInfo*> info = FindGame(record.game);
  CHECK(info.ok());
  return WriteTpgn(record, **info);
}

}  // namespace triarch
