#include "tests/property/three_way_reference.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "core/base/check.h"
#include "core/base/text.h"

namespace triarch::three_way_reference {
namespace {

constexpr std::array<Hex, 6> kLines = {
    {{1, 0, -1}, {-1, 0, 1}, {1, -1, 0}, {-1, 1, 0}, {0, -1, 1}, {0, 1, -1}}};
constexpr std::array<Hex, 6> kDiagonals = {
    {{2, -1, -1}, {-2, 1, 1}, {1, -2, 1}, {-1, 2, -1}, {-1, -1, 2}, {1, 1, -2}}};
// §2, as the table has it: forward, left (towards prev), right (towards next), by colour.
constexpr std::array<Hex, kSeats> kForward = {{{0, 1, -1}, {-1, 0, 1}, {1, -1, 0}}};
constexpr std::array<Hex, kSeats> kLeft = {{{-1, 2, -1}, {-1, -1, 2}, {2, -1, -1}}};
constexpr std::array<Hex, kSeats> kRight = {{{1, 1, -2}, {-2, 1, 1}, {1, -2, 1}}};
constexpr std::string_view kTurns = "WGB";

Hex operator+(Hex a, Hex b) { return {a.q + b.q, a.r + b.r, a.s + b.s}; }

bool IsOnBoard(Hex h) {
  return (h.q <= 3 && h.r <= 3 && h.s <= 3) || (h.q >= -4 && h.r >= -4 && h.s >= -4);
}

// §1: the tile of a third by row and column.
Hex TileOf(int third, int row, int column) {
  const int a0 = column - 4;
  const int a1 = column < 4 ? row - 4 : row - column;
  const int a2 = 3 - column - a1;
  if (third == 0) return {a0, a1, a2};
  if (third == 1) return {a2, a0, a1};
  return {a1, a2, a0};
}

std::string NameOf(Hex hex) {
  return std::string(1, "abcdefghijklmno"[hex.q + 7]) + std::to_string(hex.r + 8);
}

int Next(int seat) { return (seat + 1) % 3; }
int Previous(int seat) { return (seat + 2) % 3; }

bool IsIn(const State& state, int seat) { return state.out_order[static_cast<size_t>(seat)] == 0; }

int CountIn(const State& state) {
  int count = 0;
  for (int seat = 0; seat < kSeats; ++seat) count += IsIn(state, seat) ? 1 : 0;
  return count;
}

const Piece* At(const State& state, Hex hex) {
  const auto found = state.pieces.find(hex);
  return found == state.pieces.end() ? nullptr : &found->second;
}

template <size_t n>
const Hex& Of(const std::array<Hex, n>& table, int seat) {
  return table[static_cast<size_t>(seat)];
}

// A tile with no tile ahead of it.
bool IsPromotionTile(int seat, Hex hex) { return !IsOnBoard(hex + Of(kForward, seat)); }

void AddSlides(const State& state, Hex from, const std::array<Hex, 6>& steps,
               std::vector<Hex>* to) {
  for (const Hex step : steps) {
    for (Hex hex = from + step; IsOnBoard(hex); hex = hex + step) {
      to->push_back(hex);
      if (At(state, hex) != nullptr) break;
    }
  }
}

// The tiles on which the piece could take something.
std::vector<Hex> AttackedFrom(const State& state, Hex from) {
  const Piece piece = *At(state, from);
  std::vector<Hex> to;
  const auto add = [&](Hex hex) {
    if (IsOnBoard(hex)) to.push_back(hex);
  };
  switch (piece.type) {
    case 'p':
      if (IsPromotionTile(piece.owner, from)) break;
      add(from + Of(kLeft, piece.owner));
      add(from + Of(kRight, piece.owner));
      break;
    case 'n':
      for (int q = -3; q <= 3; ++q) {
        for (int r = -3; r <= 3; ++r) {
          const std::set<int> sizes = {std::abs(q), std::abs(r), std::abs(q + r)};
          if (sizes == std::set<int>{1, 2, 3}) add(from + Hex{q, r, -q - r});
        }
      }
      break;
    case 'k':
      for (const Hex step : kLines) add(from + step);
      for (const Hex step : kDiagonals) add(from + step);
      break;
    default:
      if (piece.type != 'b') AddSlides(state, from, kLines, &to);
      if (piece.type != 'r') AddSlides(state, from, kDiagonals, &to);
  }
  return to;
}

// Whether somebody else than `seat` attacks the tile.
bool IsAttacked(const State& state, Hex hex, int seat) {
  for (const auto& [from, piece] : state.pieces) {
    if (piece.owner == seat) continue;
    const std::vector<Hex> attacked = AttackedFrom(state, from);
    if (std::find(attacked.begin(), attacked.end(), hex) != attacked.end()) return true;
  }
  return false;
}

Hex KingOf(const State& state, int seat) {
  for (const auto& [hex, piece] : state.pieces) {
    if (piece == Piece{'k', seat}) return hex;
  }
  CHECK(false);
}

struct Move {
  Hex from;
  Hex to;
  char promotion = ' ';                         // q r b n
  std::optional<Hex> victim = std::nullopt;     // of a capture en passant
  std::optional<Hex> rook_from = std::nullopt;  // castling
  std::optional<Hex> rook_to = std::nullopt;
};

std::string TextOf(const Move& move) {
  std::string text = NameOf(move.from) + "-" + NameOf(move.to);
  if (move.promotion != ' ') text += {'=', static_cast<char>(move.promotion - 'a' + 'A')};
  return text;
}

// The pieces moved, as far as the mover's king is concerned: a captured king's army stays.
State Moved(const State& state, const Move& move) {
  State next = state;
  Piece piece = next.pieces.at(move.from);
  if (move.promotion != ' ') piece.type = move.promotion;
  next.pieces.erase(move.from);
  if (move.victim) next.pieces.erase(*move.victim);
  next.pieces[move.to] = piece;
  if (move.rook_from) {
    next.pieces[*move.rook_to] = next.pieces.at(*move.rook_from);
    next.pieces.erase(*move.rook_from);
  }
  return next;
}

void AddPawnMove(int seat, Move move, std::vector<Move>* moves) {
  if (!IsPromotionTile(seat, move.to)) {
    moves->push_back(move);
    return;
  }
  for (const char type : {'q', 'r', 'b', 'n'}) {
    move.promotion = type;
    moves->push_back(move);
  }
}

bool IsOnPawnRow(int seat, Hex hex) {
  for (int column = 0; column < 8; ++column) {
    if (TileOf(seat, 1, column) == hex) return true;
  }
  return false;
}

// §3: what the pawn could take en passant on the tile, if anything.
std::optional<Hex> EnPassantVictim(const State& state, int seat, Hex from, Hex to, int pusher) {
  if (!IsIn(state, pusher) || state.ep[static_cast<size_t>(pusher)] != to) return std::nullopt;
  if (At(state, to) != nullptr) return std::nullopt;
  const Hex front = from + Of(kForward, seat);
  const Piece* victim = At(state, front);
  if (victim == nullptr || *victim != Piece{'p', pusher}) return std::nullopt;
  if (front != to + Of(kForward, pusher)) return std::nullopt;
  return front;
}

void AddPawnMoves(const State& state, int seat, Hex from, std::vector<Move>* moves) {
  if (IsPromotionTile(seat, from)) return;
  const Hex one = from + Of(kForward, seat);
  if (At(state, one) == nullptr) {
    AddPawnMove(seat, {.from = from, .to = one}, moves);
    const Hex two = one + Of(kForward, seat);
    if (IsOnPawnRow(seat, from) && At(state, two) == nullptr) {
      AddPawnMove(seat, {.from = from, .to = two}, moves);
    }
  }
  for (const bool is_left : {true, false}) {
    const Hex to = from + Of(is_left ? kLeft : kRight, seat);
    if (!IsOnBoard(to)) continue;
    const Piece* piece = At(state, to);
    if (piece != nullptr && piece->owner != seat)
      AddPawnMove(seat, {.from = from, .to = to}, moves);
    const int pusher = is_left ? Previous(seat) : Next(seat);
    if (const auto victim = EnPassantVictim(state, seat, from, to, pusher)) {
      AddPawnMove(seat, {.from = from, .to = to, .victim = victim}, moves);
    }
  }
}

void AddCastling(const State& state, int seat, std::vector<Move>* moves) {
  const Hex king = TileOf(seat, 0, 4);
  if (IsAttacked(state, king, seat)) return;
  for (const bool is_king_side : {false, true}) {
    if (!state.rights[static_cast<size_t>(seat)][is_king_side ? 1 : 0]) continue;
    const int step = is_king_side ? 1 : -1;
    const int corner = is_king_side ? 7 : 0;
    bool is_free = true;
    for (int column = 4 + step; column != corner; column += step) {
      is_free = is_free && At(state, TileOf(seat, 0, column)) == nullptr;
    }
    const Hex passed = TileOf(seat, 0, 4 + step);
    const Hex to = TileOf(seat, 0, 4 + 2 * step);
    if (!is_free || IsAttacked(state, passed, seat) || IsAttacked(state, to, seat)) continue;
    moves->push_back(
        {.from = king, .to = to, .rook_from = TileOf(seat, 0, corner), .rook_to = passed});
  }
}

std::vector<Move> LegalMovesOf(const State& state, int seat) {
  std::vector<Move> moves;
  for (const auto& [from, piece] : state.pieces) {
    if (piece.owner != seat) continue;
    if (piece.type == 'p') {
      AddPawnMoves(state, seat, from, &moves);
      continue;
    }
    for (const Hex to : AttackedFrom(state, from)) {
      const Piece* other = At(state, to);
      if (other == nullptr || other->owner != seat) moves.push_back({.from = from, .to = to});
    }
  }
  AddCastling(state, seat, &moves);
  std::erase_if(moves, [&](const Move& move) {
    const State next = Moved(state, move);
    return IsAttacked(next, KingOf(next, seat), seat);
  });
  return moves;
}

void Eliminate(State& state, int seat, const std::string& fate) {
  const size_t index = static_cast<size_t>(seat);
  state.out_order[index] = 4 - CountIn(state);
  state.fates[index] = fate;
  state.rights[index] = {};
  state.ep[index] = std::nullopt;
  std::erase_if(state.pieces, [&](const auto& entry) { return entry.second.owner == seat; });
}

// The step of the walk of §5.4 to the next present player.
void Advance(State& state) {
  do {
    state.active = Next(state.active);
    if (state.active == 0) ++state.number;
  } while (!IsIn(state, state.active));
}

// §5.4, from the player that the walk has reached.
void Walk(State& state) {
  std::set<int> stale;
  while (CountIn(state) > 1) {
    const int next = state.active;
    bool all_others_stale = true;
    for (int seat = 0; seat < kSeats; ++seat) {
      if (seat != next && IsIn(state, seat) && !stale.contains(seat)) all_others_stale = false;
    }
    if (all_others_stale) {
      state.is_stalemate = true;
      return;
    }
    if (!LegalMovesOf(state, next).empty()) return;
    if (InCheck(state, next)) {
      Eliminate(state, next, "checkmate");
      stale.clear();
    } else if (CountIn(state) == 2) {
      state.is_stalemate = true;
      return;
    } else {
      stale.insert(next);
    }
    Advance(state);
  }
}

std::optional<Ending> MakeEnding(const State& state, const std::string& termination) {
  Ending ending{.termination = termination, .placement = {}, .result = {}};
  const int in = CountIn(state);
  constexpr std::array<std::string_view, 4> kShares = {"", "1", "1/2", "1/2"};
  for (int seat = 0; seat < kSeats; ++seat) {
    const int order = state.out_order[static_cast<size_t>(seat)];
    int place = 1;
    if (order != 0) {
      place = in + 1;
      for (const int other : state.out_order) place += other > order ? 1 : 0;
    }
    if (seat > 0) {
      ending.placement += '-';
      ending.result += '-';
    }
    ending.placement += std::to_string(place);
    ending.result += order == 0 ? kShares[static_cast<size_t>(in)] : "0";
  }
  return ending;
}

State ReadParts(const std::vector<std::string_view>& fields) {
  State state;
  for (int owner = 0; owner < kSeats; ++owner) {
    const std::vector<std::string_view> rows = Split(fields[static_cast<size_t>(owner)], '/');
    size_t next = 0;
    for (int third = 0; third < 3; ++third) {
      if (rows.at(next) == "X") {
        ++next;
        continue;
      }
      for (int row = 0; row < 4; ++row) {
        int column = 0;
        for (const char c : rows.at(next++)) {
          if (c >= '1' && c <= '8') {
            column += c - '0';
          } else {
            state.pieces[TileOf(third, row, column++)] = {c, owner};
          }
        }
        CHECK(column == 8);
      }
    }
    CHECK(next == rows.size());
  }
  return state;
}

std::string PartText(const State& state, int owner) {
  std::string text;
  for (int third = 0; third < 3; ++third) {
    std::string part;
    for (int row = 0; row < 4; ++row) {
      if (row > 0) part += '/';
      int gap = 0;
      for (int column = 0; column < 8; ++column) {
        const Piece* piece = At(state, TileOf(third, row, column));
        if (piece == nullptr || piece->owner != owner) {
          ++gap;
          continue;
        }
        if (gap > 0) part += std::to_string(gap);
        gap = 0;
        part += piece->type;
      }
      if (gap > 0) part += std::to_string(gap);
    }
    if (third > 0) text += '/';
    text += part == "8/8/8/8" ? "X" : part;
  }
  return text;
}

std::string RightsText(const State& state) {
  std::string text;
  for (const auto& rights : state.rights) {
    text += rights[0] ? 'q' : '-';
    text += rights[1] ? 'k' : '-';
  }
  return text;
}

std::string EnPassantText(const State& state) {
  std::string text;
  for (int seat = 0; seat < kSeats; ++seat) {
    const auto& ep = state.ep[static_cast<size_t>(seat)];
    char letter = '-';
    for (int column = 0; column < 8; ++column) {
      if (ep == TileOf(seat, 2, column)) letter = static_cast<char>('1' + column);
    }
    text += letter;
  }
  return text;
}

}  // namespace

bool InCheck(const State& state, int seat) {
  return IsIn(state, seat) && IsAttacked(state, KingOf(state, seat), seat);
}

State ParseHexFen(std::string_view text) {
  const std::vector<std::string_view> fields = Split(text, ' ');
  CHECK(fields.size() == 8);
  State state = ReadParts(fields);
  for (int seat = 0; seat < kSeats; ++seat) {
    const size_t index = static_cast<size_t>(seat);
    const bool is_in = std::any_of(state.pieces.begin(), state.pieces.end(),
                                   [&](const auto& entry) { return entry.second.owner == seat; });
    state.out_order[index] = is_in ? 0 : 1;
    state.fates[index] = is_in ? "" : "checkmate";
    state.rights[index] = {fields[4].at(2 * index) == 'q', fields[4].at(2 * index + 1) == 'k'};
    const char ep = fields[5].at(index);
    if (ep != '-') state.ep[index] = TileOf(seat, 2, ep - '1');
  }
  state.active = static_cast<int>(kTurns.find(fields[3]));
  state.clock = *ParseInt64(fields[6]);
  state.number = *ParseInt64(fields[7]);
  return state;
}

std::string ToHexFen(const State& state) {
  std::string text;
  for (int owner = 0; owner < kSeats; ++owner) text += PartText(state, owner) + " ";
  text += kTurns[static_cast<size_t>(state.active)];
  return text + " " + RightsText(state) + " " + EnPassantText(state) + " " +
         std::to_string(state.clock) + " " + std::to_string(state.number);
}

std::vector<std::string> LegalMoves(const State& state) {
  std::vector<std::string> texts;
  if (EndingOf(state)) return texts;
  for (const Move& move : LegalMovesOf(state, state.active)) texts.push_back(TextOf(move));
  std::sort(texts.begin(), texts.end());
  return texts;
}

void Play(State& state, std::string_view text) {
  const int mover = state.active;
  const std::vector<Move> moves = LegalMovesOf(state, mover);
  const auto move = std::find_if(moves.begin(), moves.end(),
                                 [&](const Move& candidate) { return TextOf(candidate) == text; });
  CHECK(move != moves.end());
  const Piece piece = *At(state, move->from);
  const Piece* taken = At(state, move->to);
  const bool is_capture = taken != nullptr;
  const Piece captured = is_capture ? *taken : Piece();

  const State before = state;
  state = Moved(before, *move);
  ++state.clock;
  state.ep[static_cast<size_t>(mover)] = std::nullopt;
  if (piece.type == 'p' || is_capture) state.clock = 0;
  const Hex one = move->from + Of(kForward, mover);
  if (piece.type == 'p' && move->to == one + Of(kForward, mover) && !is_capture) {
    state.ep[static_cast<size_t>(mover)] = one;
  }
  if (piece.type == 'k') state.rights[static_cast<size_t>(mover)] = {};
  for (int seat = 0; seat < kSeats; ++seat) {
    for (const bool is_king_side : {false, true}) {
      const Hex corner = TileOf(seat, 0, is_king_side ? 7 : 0);
      if (move->from == corner || move->to == corner) {
        state.rights[static_cast<size_t>(seat)][is_king_side ? 1 : 0] = false;
      }
    }
  }
  if (captured.type == 'k') Eliminate(state, captured.owner, "king_capture");
  Advance(state);
  Walk(state);
}

void Resign(State& state, int seat) {
  const bool is_on_turn = seat == state.active;
  Eliminate(state, seat, "resignation");
  if (is_on_turn) Advance(state);
  Walk(state);
}

std::optional<Ending> EndingOf(const State& state) {
  if (CountIn(state) == 1) {
    const auto last = std::max_element(state.out_order.begin(), state.out_order.end());
    return MakeEnding(state, state.fates[static_cast<size_t>(last - state.out_order.begin())]);
  }
  if (state.is_stalemate) return MakeEnding(state, "stalemate");
  if (state.clock >= 100) return MakeEnding(state, "clock_limit");
  return std::nullopt;
}

uint64_t Perft(const State& state, int depth) {
  if (depth == 0) return 1;
  const std::vector<std::string> moves = LegalMoves(state);
  if (depth == 1) return moves.size();
  uint64_t nodes = 0;
  for (const std::string& move : moves) {
    State next = state;
    Play(next, move);
    nodes += Perft(next, depth - 1);
  }
  return nodes;
}

std::string RepetitionText(const State& state) {
  std::string text;
  for (int owner = 0; owner < kSeats; ++owner) text += PartText(state, owner) + " ";
  text += kTurns[static_cast<size_t>(state.active)];
  return text + " " + RightsText(state) + " " + EnPassantText(state);
}

bool IsMaterialInsufficient(const State& state) {
  std::array<std::map<char, int>, kSeats> counts;
  for (const auto& [hex, piece] : state.pieces) {
    if (piece.type == 'p' || piece.type == 'r' || piece.type == 'q') return false;
    ++counts[static_cast<size_t>(piece.owner)][piece.type];
  }
  if (CountIn(state) == 3) return true;
  return std::none_of(counts.begin(), counts.end(),
                      [](auto& count) { return count['n'] >= 2 || count['b'] >= 3; });
}

History::History(State start) : state_(std::move(start)) { Count(); }

void History::Count() {
  if (state_.clock == 0) seen_.clear();
  ++seen_[RepetitionText(state_)];
}

void History::Play(std::string_view move) {
  three_way_reference::Play(state_, move);
  Count();
}

void History::Resign(int seat) {
  three_way_reference::Resign(state_, seat);
  Count();
}

std::optional<Ending> History::ending() const {
  if (const auto ending = EndingOf(state_)) return ending;
  if (seen_.at(RepetitionText(state_)) >= 3) return MakeEnding(state_, "threefold_repetition");
  return std::nullopt;
}

}  // namespace triarch::three_way_reference
