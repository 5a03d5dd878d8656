// Parses the text of TPGN games into tags and items.

#include <algorithm>

#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/tpgn.h"
#include "core/record/tpgn_words.h"

namespace triarch {
namespace {

bool IsLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v'; }

// Returns whether the token is a result: "*", a single 1 with 0s, or at least two 1/2 with 0s.
// "0-0-0" is a castling move.
bool IsResult(std::string_view word) {
  if (word == "*") return true;
  const std::vector<std::string_view> parts = Split(word, '-');
  const auto wins = std::count(parts.begin(), parts.end(), "1");
  const auto shares = std::count(parts.begin(), parts.end(), "1/2");
  const auto zeros = std::count(parts.begin(), parts.end(), "0");
  const auto count = static_cast<std::ptrdiff_t>(parts.size());
  if (count < 2 || wins + shares + zeros != count) return false;
  return (wins == 1 && shares == 0) || (wins == 0 && shares >= 2);
}

// A position in the text with its line number.
class Cursor {
 public:
  Cursor(std::string_view text, size_t offset, int line)
      : text_(text), offset_(offset), line_(line) {}

  size_t offset() const { return offset_; }
  int line() const { return line_; }
  bool is_at_end() const { return offset_ == text_.size(); }
  char peek() const { return is_at_end() ? '\0' : text_[offset_]; }
  // Returns whether only white space precedes it on its line.
  bool is_at_line_start() const {
    size_t i = offset_;
    while (i > 0 && text_[i - 1] != '\n') {
      if (!IsSpace(text_[--i])) return false;
    }
    return true;
  }

  void Advance() {
    if (text_[offset_++] == '\n') ++line_;
  }
  template <class Predicate>
  std::string_view TakeWhile(Predicate predicate) {
    const size_t begin = offset_;
    while (!is_at_end() && predicate(text_[offset_])) Advance();
    return text_.substr(begin, offset_ - begin);
  }
  std::string_view TakeLine() {
    const std::string_view line = TakeWhile([](char c) { return c != '\n'; });
    if (!is_at_end()) Advance();
    return line;
  }
  // Skips white space and PGN's line comments: from a semicolon to the end of the line, and lines
  // that begin with a percent sign.
  void SkipSpace() {
    while (true) {
      TakeWhile(IsSpace);
      const bool is_escape = peek() == '%' && (offset_ == 0 || text_[offset_ - 1] == '\n');
      if (peek() != ';' && !is_escape) return;
      TakeLine();
    }
  }
  void SkipByteOrderMark() {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    if (text_.substr(offset_, kMark.size()) == kMark) offset_ += kMark.size();
  }

 private:
  std::string_view text_;
  size_t offset_;
  int line_;
};

// Returns `text` on one line, with single spaces.
std::string OnOneLine(std::string_view text) {
  std::string line;
  for (const char c : Trim(text)) {
    if (!IsSpace(c)) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return line;
}

// Reads one game.
class GameParser {
 public:
  explicit GameParser(Cursor* cursor) : cursor_(*cursor) {}

  // Returns whether the text contains a game; comments alone do not count.
  absl::StatusOr<bool> Parse();
  TpgnGame game() && { return std::move(game_); }
  // Skips to the next game's tags after an error.
  void Recover();

 private:
  absl::Status Error(int line, const std::string& message) const {
    return absl::InvalidArgumentError("line " + std::to_string(line) + ": " + message);
  }
  absl::Status ErrorHere(const std::string& message) const {
    return Error(cursor_.line(), message);
  }

  absl::Status ReadTags();
  absl::Status ReadTag();
  absl::StatusOr<std::string> ReadTagValue();
  absl::Status ReadToken();
  absl::Status ReadVariationEdge();
  absl::Status ReadGlyph();
  absl::Status ReadComment();
  absl::Status ReadWord();
  absl::Status ReadNumber();
  absl::Status ReadMove(std::string_view word, int line);
  absl::Status ReadEnPassant(std::string_view suffix, int line);
  void Add(TpgnItem::Kind kind, std::string text, char suffix, int line);
  // Returns whether the result may be missing, as after "...", where the rest is not recorded. In
  // that case, the Result tag counts.
  bool EndsUnrecorded() {
    const auto last =
        std::find_if(game_.items.rbegin(), game_.items.rend(),
                     [](const TpgnItem& item) { return item.kind != TpgnItem::Kind::kComment; });
    if (last == game_.items.rend() || last->kind != TpgnItem::Kind::kUnrecorded) return false;
    game_.result = std::string(game_.tag("Result").value_or("*"));
    return true;
  }

  bool has_begun() const {
    return !game_.tags.empty() ||
           std::any_of(game_.items.begin(), game_.items.end(),
                       [](const TpgnItem& item) { return item.kind != TpgnItem::Kind::kComment; });
  }

  Cursor& cursor_;
  TpgnGame game_;
  bool is_in_tags_ = false;
  int64_t round_ = 0;
  size_t slot_ = 0;
  int variation_depth_ = 0;  // items inside are skipped
};

absl::StatusOr<bool> GameParser::Parse() {
  cursor_.SkipSpace();
  game_.line = cursor_.line();
  RETURN_IF_ERROR(ReadTags());
  while (true) {
    cursor_.SkipSpace();
    const bool is_next_game = cursor_.peek() == '[' && cursor_.is_at_line_start();
    if (cursor_.is_at_end() || is_next_game) {
      if (!has_begun()) return false;
      if (EndsUnrecorded()) return true;
      return ErrorHere("the game that begins on line " + std::to_string(game_.line) +
                       " has no result");
    }
    RETURN_IF_ERROR(ReadToken());
    if (!game_.result.empty()) return true;
  }
}

// Tags after a faulty tag still belong to the faulty game. A line inside a comment is not a tag
// even if it begins with '[' ("[%clk").
void GameParser::Recover() {
  const bool is_at_next_game = !is_in_tags_ && cursor_.peek() == '[' && cursor_.is_at_line_start();
  if (is_at_next_game) return;
  cursor_.TakeLine();
  while (!cursor_.is_at_end()) {
    const Cursor line_start = cursor_;
    const std::string_view line = Trim(cursor_.TakeLine());
    const bool is_tag = line.size() > 1 && line[0] == '[' && IsLetter(line[1]);
    if (is_tag && !is_in_tags_) {
      cursor_ = line_start;
      return;
    }
    is_in_tags_ = is_tag;
  }
}

// Reads tags up to the first other token. A blank line before a tag begins another game.
absl::Status GameParser::ReadTags() {
  is_in_tags_ = true;
  int last_line = cursor_.line();
  while (cursor_.peek() == '[' && cursor_.line() <= last_line + 1) {
    RETURN_IF_ERROR(ReadTag());
    last_line = cursor_.line();
    cursor_.SkipSpace();
  }
  is_in_tags_ = false;
  return absl::OkStatus();
}

absl::Status GameParser::ReadTag() {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  cursor_.Advance();
  cursor_.TakeWhile(is_blank);
  const std::string name(
      cursor_.TakeWhile([](char c) { return IsLetter(c) || IsDigit(c) || c == '_'; }));
  if (name.empty()) return ErrorHere("expected a tag's name after '['");
  cursor_.TakeWhile(is_blank);
  if (cursor_.peek() != '"') return ErrorHere("expected the value of tag " + name + " in quotes");
  absl::StatusOr<std::string> value = ReadTagValue();
  if (!value.ok()) return value.status();
  cursor_.TakeWhile(is_blank);
  if (cursor_.peek() != ']') return ErrorHere("expected ']' after the value of tag " + name);
  if (game_.tag(name)) return ErrorHere("tag " + name + " is given twice");
  cursor_.Advance();
  game_.tags.emplace_back(name, *std::move(value));
  return absl::OkStatus();
}

absl::StatusOr<std::string> GameParser::ReadTagValue() {
  std::string value;
  cursor_.Advance();
  while (cursor_.peek() != '"') {
    if (cursor_.peek() == '\\') cursor_.Advance();
    if (cursor_.is_at_end() || cursor_.peek() == '\n') {
      return ErrorHere("the value of a tag must end on its line");
    }
    value += tpgn::InTag(cursor_.peek());
    cursor_.Advance();
  }
  cursor_.Advance();
  return value;
}

absl::Status GameParser::ReadToken() {
  switch (cursor_.peek()) {
    case '{':
      return ReadComment();
    case '$':
      return ReadGlyph();
    case '(':
    case ')':
      return ReadVariationEdge();
    case '[':
    case ']':
    case '}':
    case '"':
      return ErrorHere(std::string("unexpected '") + cursor_.peek() + "' among the moves");
    default:
      return ReadWord();
  }
}

absl::Status GameParser::ReadVariationEdge() {
  variation_depth_ += cursor_.peek() == '(' ? 1 : -1;
  if (variation_depth_ < 0) return ErrorHere("')' without '('");
  cursor_.Advance();
  return absl::OkStatus();
}

absl::Status GameParser::ReadGlyph() {
  cursor_.Advance();
  if (cursor_.TakeWhile(IsDigit).empty()) return ErrorHere("expected a number after '$'");
  return absl::OkStatus();
}

absl::Status GameParser::ReadComment() {
  const Cursor begin = cursor_;
  const int line = begin.line();
  cursor_.Advance();
  const std::string_view text = cursor_.TakeWhile([](char c) { return c != '}'; });
  if (cursor_.is_at_end()) {
    cursor_ = begin;  // so that the following games can be read
    return Error(line, "unterminated comment");
  }
  cursor_.Advance();
  Add(TpgnItem::Kind::kComment, OnOneLine(text), 0, line);
  return absl::OkStatus();
}

absl::Status GameParser::ReadWord() {
  constexpr std::string_view kEnds = "{}()[]\";$";
  const Cursor begin = cursor_;
  const std::string_view word = cursor_.TakeWhile(
      [&](char c) { return !IsSpace(c) && kEnds.find(c) == std::string_view::npos; });
  if (IsResult(word)) {
    if (variation_depth_ == 0) game_.result = word;
    return absl::OkStatus();
  }
  const size_t digits =
      static_cast<size_t>(std::find_if_not(word.begin(), word.end(), IsDigit) - word.begin());
  if (digits > 0 && (digits == word.size() || word[digits] == '.')) {
    cursor_ = begin;
    return ReadNumber();
  }
  if (word == "--" || word == "...") {
    const auto kind = word == "--" ? TpgnItem::Kind::kSkip : TpgnItem::Kind::kUnrecorded;
    Add(kind, std::string(word), 0, begin.line());
    return absl::OkStatus();
  }
  constexpr std::string_view kEnPassant = "e.p.";
  if (word.starts_with(kEnPassant)) {
    return ReadEnPassant(word.substr(kEnPassant.size()), begin.line());
  }
  return ReadMove(word, begin.line());
}

// "12." begins a round. PGN's "12..." continues one; at the beginning of a round, it stands for the
// first slot's "--".
absl::Status GameParser::ReadNumber() {
  const int line = cursor_.line();
  const std::string_view digits = cursor_.TakeWhile(IsDigit);
  const size_t dots = cursor_.TakeWhile([](char c) { return c == '.'; }).size();
  const std::optional<int64_t> number = ParseInt64(digits);
  if (!number || *number == 0) return Error(line, "not a move number: " + Quote(digits));
  if (variation_depth_ > 0 || (dots == 3 && *number == round_)) return absl::OkStatus();
  round_ = *number;
  slot_ = 0;
  if (dots == 3) Add(TpgnItem::Kind::kSkip, "...", 0, line);
  if (dots > 3) Add(TpgnItem::Kind::kUnrecorded, "...", 0, line);  // "12." and "..."
  return absl::OkStatus();
}

std::string_view WithoutGlyphs(std::string_view word) {
  while (word.ends_with('!') || word.ends_with('?')) word.remove_suffix(1);
  return word;
}

absl::Status GameParser::ReadMove(std::string_view word, int line) {
  std::string_view text = WithoutGlyphs(word);
  if (text.empty()) return absl::OkStatus();  // a separate glyph
  char suffix = 0;
  if (text.ends_with('+') || text.ends_with('#')) {
    suffix = text.back();
    text.remove_suffix(1);
  }
  constexpr std::string_view kEnPassant = "e.p.";
  if (text.ends_with(kEnPassant)) text.remove_suffix(kEnPassant.size());
  if (text.empty()) return Error(line, "not a move: " + Quote(word));
  Add(TpgnItem::Kind::kMove, std::string(text), suffix, line);
  return absl::OkStatus();
}

// Reads "e.p." as a separate word, which may carry the move's + or # and glyphs.
absl::Status GameParser::ReadEnPassant(std::string_view suffix, int line) {
  if (variation_depth_ > 0) return absl::OkStatus();
  suffix = WithoutGlyphs(suffix);
  const bool is_suffix = suffix == "+" || suffix == "#";
  if ((!suffix.empty() && !is_suffix) || game_.items.empty() ||
      game_.items.back().kind != TpgnItem::Kind::kMove) {
    return Error(line, "\"e.p.\" may only follow a move");
  }
  if (is_suffix) game_.items.back().suffix = suffix[0];
  return absl::OkStatus();
}

void GameParser::Add(TpgnItem::Kind kind, std::string text, char suffix, int line) {
  if (variation_depth_ > 0) return;
  game_.items.push_back({.kind = kind,
                         .round = round_,
                         .slot = slot_,
                         .text = std::move(text),
                         .suffix = suffix,
                         .line = line});
  if (kind != TpgnItem::Kind::kComment) ++slot_;
}

}  // namespace

std::optional<std::string_view> TpgnGame::tag(std::string_view name) const {
  for (const auto& [key, value] : tags) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::optional<absl::StatusOr<TpgnGame>> TpgnReader::Next() {
  Cursor cursor(text_, offset_, line_);
  if (offset_ == 0) cursor.SkipByteOrderMark();
  std::optional<absl::StatusOr<TpgnGame>> next;
  while (!next && !cursor.is_at_end()) {
    GameParser parser(&cursor);
    const absl::StatusOr<bool> is_game = parser.Parse();
    if (!is_game.ok()) {
      parser.Recover();
      next = is_game.status();
    } else if (*is_game) {
      next = std::move(parser).game();
    }
  }
  offset_ = cursor.offset();
  line_ = cursor.line();
  return next;
}

}  // namespace triarch
