// Tests the bytes of training samples against docs/selfplay-data.md.

#include "core/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/random.h"
#include "core/base/text.h"
#include "core/bench.h"
#include "core/evaluate.h"
#include "core/text.h"

// Unpacks samples as that page describes, using only the bytes, and compares them with the
// position.
namespace triarch {
namespace {

struct Packed {
  std::vector<uint8_t> cells;
  std::array<uint8_t, kSampleState> state;

  std::string text() const {
    return std::string(cells.begin(), cells.end()) + std::string(state.begin(), state.end());
  }
};

// Packs a position, and checks that nothing is written past the end.
template <Position P>
Packed Pack(const P& position) {
  std::array<uint8_t, kSampleCellsMax + 8> cells;
  std::array<uint8_t, kSampleState + 8> state;
  cells.fill(0xa5);
  state.fill(0xa5);
  PackPosition(position, cells.data(), state.data());
  const auto cells_end = cells.begin() + SampleShape<P>::kCells;
  EXPECT_TRUE(std::all_of(cells_end, cells.end(), [](uint8_t byte) { return byte == 0xa5; }));
  const auto state_end = state.begin() + kSampleState;
  EXPECT_TRUE(std::all_of(state_end, state.end(), [](uint8_t byte) { return byte == 0xa5; }));
  Packed packed{{cells.begin(), cells_end}, {}};
  std::copy(state.begin(), state_end, packed.state.begin());
  return packed;
}

// --- The page's tables, game by game. ---

std::vector<std::string> TriumvirateCells() {
  constexpr std::array<std::string_view, 3> kLetters = {"ABCDEFGH", "LKJIDCBA", "HGFEIJKL"};
  constexpr std::array<std::array<int, 4>, 3> kNumbers = {
      {{1, 2, 3, 4}, {8, 7, 6, 5}, {12, 11, 10, 9}}};
  std::vector<std::string> names;
  for (size_t sector = 0; sector < 3; ++sector) {
    for (const int number : kNumbers[sector]) {
      for (const char letter : kLetters[sector]) names.push_back(letter + std::to_string(number));
    }
  }
  return names;
}

std::vector<std::string> ThreeWayCells() {
  std::vector<std::string> names;
  for (int third = 0; third < 3; ++third) {
    for (int row = 0; row < 4; ++row) {
      for (int column = 0; column < 8; ++column) {
        int q = column - 4;
        int r = row - std::max(column, 4);
        int s = -1 - q - r;
        for (int turn = 0; turn < third; ++turn) {
          const int last = s;
          s = r;
          r = q;
          q = last;
        }
        names.push_back("abcdefghijklmno"[q + 7] + std::to_string(r + 8));
      }
    }
  }
  return names;
}

constexpr std::array<std::string_view, 12> kPinNames = {"QL1", "QL2", "QL3", "QL4", "QL5", "QL6",
                                                        "KL1", "KL2", "KL3", "KL4", "KL5", "KL6"};
constexpr std::array<int, 6> kPinRanks = {0, 4, 2, 6, 4, 8};

std::vector<std::string> TriDCells(const Packed& packed) {
  std::vector<std::string> names;
  for (int cell = 0; cell < 48; ++cell) {
    const int rank = 1 + 2 * (cell / 16) + cell % 16 / 4;
    names.push_back("abcd"[cell % 4] + std::to_string(rank) + "WNB"[cell / 16]);
  }
  for (size_t board = 0; board < 4; ++board) {
    const size_t pin = packed.state[9 + board];
    for (int place = 0; place < 4; ++place) {
      const char file = (pin < 6 ? "za" : "de")[place % 2];
      const int rank = kPinRanks[pin % 6] + place / 2;
      names.push_back(file + std::to_string(rank) + std::string(kPinNames[pin]));
    }
  }
  return names;
}

// Returns "A7-A8=Q" for an index of a game of 96 cells, read as a promotion or not.
std::string MoveText96(const std::vector<std::string>& names, int index, bool is_promotion) {
  const auto name = [&](int cell) { return names[static_cast<size_t>(cell)]; };
  const std::string text = name(index / 96 % 96) + "-" + name(index % 96);
  return is_promotion ? text + "=" + "QRBN"[index / (96 * 96)] : text;
}

// The parts that differ between games: Names, MoveText of an index, CheckState, the expected
// FlagOf(position, cell), and more positions to start from.
struct Triumvirate {
  using P = triumvirate::Position;
  static constexpr size_t kEnPassantField = 3;  // of the text form

  static std::vector<std::string> Names(const Packed&) { return TriumvirateCells(); }
  static std::vector<std::string_view> Extra() { return {}; }
  static std::string MoveText(const P&, const Packed&, triumvirate::Move move, int index) {
    const bool is_promotion = move.kind() == triumvirate::MoveKind::kPromotion;
    EXPECT_TRUE(is_promotion || index < 96 * 96);
    return MoveText96(TriumvirateCells(), index, is_promotion);
  }
  static Seat ColorOf(triumvirate::Piece piece) { return piece.color; }
  static bool FlagOf(const P& position, int cell) {
    const auto at = triumvirate::Cell::At(cell);
    return position.piece_at(at)->type == PieceType::kPawn &&
           position.pawn_target(at) == at.sector();
  }
  static bool IsEnPassant(triumvirate::Move move) {
    return move.kind() == triumvirate::MoveKind::kEnPassant;
  }
  static void CheckState(const P& position, const Packed& packed) {
    for (size_t i = 0; i < 3; ++i) {
      const Seat seat = SeatAt(i);
      if (!position.is_in(seat)) {
        EXPECT_EQ((packed.state[4] >> (2 * i)) & 3, 0);
        continue;
      }
      EXPECT_EQ((packed.state[4] >> (2 * i)) & 1, position.can_castle_short(seat) ? 1 : 0);
      EXPECT_EQ((packed.state[4] >> (2 * i + 1)) & 1, position.can_castle_long(seat) ? 1 : 0);
    }
    for (size_t byte = 6; byte < 16; ++byte) EXPECT_TRUE(byte == 8 || packed.state[byte] == 0);
  }
  static std::string Canonical(const Packed& packed) { return packed.text(); }
  static void Count(const P& position, std::map<std::string, int>& seen) {
    for (int cell = 0; cell < 96; ++cell) {
      seen["kept target"] += position.has_kept_target(triumvirate::Cell::At(cell)) ? 1 : 0;
      const auto piece = position.PieceOn(cell);
      seen["inherited"] += piece && piece->color != piece->owner ? 1 : 0;
    }
  }
};

struct ThreeWay {
  using P = three_way::Position;
  static constexpr size_t kEnPassantField = 5;

  static std::vector<std::string> Names(const Packed&) { return ThreeWayCells(); }
  static std::vector<std::string_view> Extra() { return {}; }
  static std::string MoveText(const P&, const Packed&, three_way::Move move, int index) {
    const bool is_promotion = move.promotion() != PieceType::kPawn;
    EXPECT_TRUE(is_promotion || index < 96 * 96);
    return MoveText96(ThreeWayCells(), index, is_promotion);
  }
  static Seat ColorOf(three_way::Piece piece) { return piece.owner; }
  static bool FlagOf(const P&, int) { return false; }
  static void CheckState(const P& position, const Packed& packed) {
    for (size_t i = 0; i < 3; ++i) {
      const Seat seat = SeatAt(i);
      EXPECT_EQ((packed.state[4] >> (2 * i)) & 1, position.can_castle_king_side(seat) ? 1 : 0);
      EXPECT_EQ((packed.state[4] >> (2 * i + 1)) & 1, position.can_castle_queen_side(seat) ? 1 : 0);
      const std::optional<three_way::Cell> cell = position.en_passant(seat);
      EXPECT_EQ(packed.state[5 + i], cell ? cell->index() : 255);
    }
    for (size_t byte = 9; byte < 16; ++byte) EXPECT_EQ(packed.state[byte], 0);
  }
  static std::string Canonical(const Packed& packed) { return packed.text(); }
  static void Count(const P& position, std::map<std::string, int>& seen) {
    int fields = 0;
    for (size_t i = 0; i < 3; ++i) fields += position.en_passant(SeatAt(i)) ? 1 : 0;
    seen["several en passant"] += fields > 1 ? 1 : 0;
  }
};

// Exchanges the two boards of a colour if the first stands on the later pin.
void ExchangeBoards(Packed& packed, size_t first) {
  std::swap(packed.state[9 + first], packed.state[10 + first]);
  for (size_t place = 0; place < 4; ++place) {
    std::swap(packed.cells[48 + 4 * first + place], packed.cells[52 + 4 * first + place]);
  }
  for (const size_t byte : {size_t{5}, size_t{13}}) {
    uint8_t& cell = packed.state[byte];
    if (cell != 255 && cell >= 48 && (cell - 48u) / 8 == first / 2) cell ^= 4;
  }
}

struct TriD {
  using P = tri_d::Position;
  static constexpr size_t kEnPassantField = 4;

  static std::vector<std::string> Names(const Packed& packed) { return TriDCells(packed); }
  // Pawns under a board that the opponent can move away.
  static std::vector<std::string_view> Extra() {
    return {"QL1,KL1,QL6,KL6 4/4/4/2K1|4/4/4/4|P2P/4/4/2k1|2/2|2/2|2/2|2/2 b - - 3 30",
            "QL1,KL1,QL6,KL6 2K1/4/4/p2p|4/4/4/1Q2|1rk1/4/4/4|2/2|2/2|2/2|2/2 w - - 3 30",
            "QL1,KL2,KL6,QL6 2K1/4/4/4|4/4/4/Q3|4/rk2/4/4|1P/2|n1/2|2/R1|2/2 w - - 3 30"};
  }
  static std::string MoveText(const P& position, const Packed& packed, tri_d::Move move,
                              int index) {
    const bool is_promotion = move.promotion() != PieceType::kPawn;
    const auto promoted = [&](const std::string& text, int kind) {
      EXPECT_TRUE(is_promotion || kind == 0);
      return is_promotion ? text + "=" + "QRBN"[kind] : text;
    };
    if (index >= 4 * 64 * 64) {
      const int rest = index - 4 * 64 * 64;
      const size_t from = packed.state[static_cast<size_t>(9 + rest % 48 / 12)];
      const std::string text = std::string(kPinNames[from]) + "-";
      return promoted(text + std::string(kPinNames[static_cast<size_t>(rest % 12)]), rest / 48);
    }
    const std::vector<std::string> names = TriDCells(packed);
    const int from = index / 64 % 64;
    const int to = index % 64;
    if (move.kind() == tri_d::MoveKind::kCastleShort || move.kind() == tri_d::MoveKind::kCastleLong)
      return CastlingText(position, from, to);
    const std::string text =
        (from == to ? "" : names[static_cast<size_t>(from)] + "-") + names[static_cast<size_t>(to)];
    return promoted(text, index / (64 * 64));
  }
  // The king moves to the rook's cell.
  static std::string CastlingText(const P& position, int from, int to) {
    EXPECT_EQ(position.PieceOn(from)->type, PieceType::kKing);
    EXPECT_EQ(position.PieceOn(to).value(), (tri_d::Piece{PieceType::kRook, position.to_move()}));
    const std::string name = CellText(position, to);
    return name == "e0KL1" || name == "e9KL6" ? "0-0" : "0-0-0";
  }
  static Seat ColorOf(tri_d::Piece piece) { return piece.owner; }
  static bool FlagOf(const P& position, int cell) {
    return ((position.double_steppers() >> cell) & 1) != 0;
  }
  static bool IsEnPassant(tri_d::Move move) { return move.kind() == tri_d::MoveKind::kEnPassant; }
  static void CheckState(const P& position, const Packed& packed) {
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_EQ((packed.state[4] >> (2 * i)) & 1, position.can_castle_short(SeatAt(i)) ? 1 : 0);
      EXPECT_EQ((packed.state[4] >> (2 * i + 1)) & 1, position.can_castle_long(SeatAt(i)) ? 1 : 0);
    }
    EXPECT_EQ(packed.state[4] >> 4, 0);
    for (size_t board = 0; board < 4; ++board) {
      EXPECT_EQ(kPinNames[packed.state[9 + board]], position.layout().pins[board].ToString());
    }
    const std::optional<tri_d::Cell> pending = position.pending();
    EXPECT_EQ(packed.state[13], pending ? pending->index() : 255);
    for (const size_t byte : {3, 6, 7, 14, 15}) EXPECT_EQ(packed.state[byte], 0);
  }
  // Repetition ignores which of a player's boards is which.
  static std::string Canonical(Packed packed) {
    for (const size_t first : {size_t{0}, size_t{2}}) {
      if (packed.state[9 + first] > packed.state[10 + first]) ExchangeBoards(packed, first);
    }
    return packed.text();
  }
  static void Count(const P& position, std::map<std::string, int>& seen) {
    seen["pending"] += position.pending() ? 1 : 0;
    const auto& pins = position.layout().pins;
    seen["boards passed"] += pins[0] > pins[1] || pins[2] > pins[3] ? 1 : 0;
    for (const tri_d::Move move : position.LegalMoves()) {
      if (move.kind() != tri_d::MoveKind::kBoard) continue;
      ++seen["board move"];
      seen["board promotes"] += move.promotion() != PieceType::kPawn ? 1 : 0;
    }
  }
};

// --- Common to all games. ---

template <class Game>
class SampleTest : public ::testing::Test {
 public:
  using P = typename Game::P;

  // Returns the game's starts and some mid-game positions.
  static std::vector<P> Begin() {
    std::vector<P> all;
    for (const std::string_view name : Starts(kGame<P>))
      all.push_back(Start(kGame<P>, name).value());
    for (const std::string_view text : BenchPositions(kGame<P>))
      all.push_back(Parse(kGame<P>, text).value());
    for (const std::string_view text : Game::Extra()) all.push_back(Parse(kGame<P>, text).value());
    return all;
  }

  // Plays a random game from `start` (half of the games prefer captures and promotions) and checks
  // every position.
  void PlayGame(const P& start, uint64_t seed) {
    SCOPED_TRACE("game seed " + std::to_string(seed));
    Random random(seed);
    P position = start;
    const bool is_lively = random.Below(2) == 0;
    const bool may_resign = random.Below(2) == 0;
    for (int ply = 0; ply < 250 && !HasFailure(); ++ply) {
      const auto moves = position.LegalMoves();
      if (moves.empty()) return;
      Check(position);
      const Seat seat = SeatAt(random.Below(static_cast<uint32_t>(P::kInfo.seats)));
      if (may_resign && random.Below(50) == 0 && position.is_in(seat)) {
        position.Resign(seat);
        continue;
      }
      const auto any = [&] { return moves[random.Below(static_cast<uint32_t>(moves.size()))]; };
      auto move = any();
      for (int i = 0; i < 4 && is_lively && CaptureGain(position, move) == 0; ++i) move = any();
      position.Play(move);
    }
  }

  std::map<std::string, int>& seen() { return seen_; }

 private:
  void Check(const P& position) {
    SCOPED_TRACE(ToString(position));
    ++seen_["positions"];
    const Packed packed = Pack(position);
    CheckCells(position, packed);
    CheckCommonState(position, packed);
    Game::CheckState(position, packed);
    CheckMoves(position, packed);
    CheckIdentity(position, packed);
    Game::Count(position, seen_);
  }

  void CheckCells(const P& position, const Packed& packed) {
    const std::vector<std::string> names = Game::Names(packed);
    ASSERT_EQ(names.size(), packed.cells.size());
    for (int cell = 0; cell < P::kCells; ++cell) {
      const uint8_t byte = packed.cells[static_cast<size_t>(cell)];
      ASSERT_EQ(names[static_cast<size_t>(cell)], CellText(position, cell));
      const auto piece = position.PieceOn(cell);
      ASSERT_EQ(byte != 0, piece.has_value());
      if (!piece) continue;
      constexpr std::array kTypes = {PieceType::kPawn, PieceType::kKnight, PieceType::kBishop,
                                     PieceType::kRook, PieceType::kQueen,  PieceType::kKing};
      ASSERT_EQ(kTypes.at((byte & 7) - 1u), piece->type);
      ASSERT_EQ((byte >> 3) & 3, static_cast<int>(piece->owner));
      ASSERT_EQ((byte >> 5) & 3, static_cast<int>(Game::ColorOf(*piece)));
      ASSERT_EQ(byte >> 7, Game::FlagOf(position, cell) ? 1 : 0);
    }
  }

  void CheckCommonState(const P& position, const Packed& packed) {
    EXPECT_EQ(packed.state[0], static_cast<int>(position.to_move()));
    for (size_t i = 0; i < P::kInfo.seats;
         ++i) {  // the first seat to be eliminated in a running game
      EXPECT_EQ(packed.state[1 + i], position.is_in(SeatAt(i)) ? 0 : 1);
      seen_["out"] += packed.state[1 + i];
    }
    EXPECT_EQ(packed.state[8], std::min(position.halfmove_clock(), 255));
    seen_["castling rights"] += packed.state[4] != 0 ? 1 : 0;
    seen_["no castling rights"] += packed.state[4] == 0 ? 1 : 0;
  }

  void CheckMoves(const P& position, const Packed& packed) {
    std::set<int> indices;
    bool is_en_passant = false;
    for (const auto move : position.LegalMoves()) {
      const int index = PolicyIndex(move);
      ASSERT_TRUE(index >= 0 && index < SampleShape<P>::kPolicySize);
      ASSERT_TRUE(indices.insert(index).second) << MoveToString(position, move);
      ASSERT_EQ(Game::MoveText(position, packed, move, index), MoveToString(position, move));
      if constexpr (requires { Game::IsEnPassant(move); }) {
        is_en_passant = is_en_passant || Game::IsEnPassant(move);
      }
    }
    if constexpr (requires {
                    position.en_passant();
                  }) {  // it counts only if the capture is possible
      EXPECT_EQ(packed.state[5], is_en_passant ? position.en_passant()->index() : 255);
      seen_["en passant"] += is_en_passant ? 1 : 0;
      seen_["unusable en passant"] += position.en_passant() && !is_en_passant ? 1 : 0;
    }
  }

  // Checks that bytes are equal, except for the clock, if and only if the positions are the same.
  void CheckIdentity(const P& position, Packed packed) {
    const P read = Parse(kGame<P>, ToString(position)).value();
    EXPECT_EQ(Pack(read).text(), packed.text());
    packed.state[8] = 0;
    const std::string bytes = Game::Canonical(packed);
    const auto [by_key, is_new] = by_key_.emplace(position.key(), bytes);
    EXPECT_EQ(by_key->second, bytes);
    EXPECT_EQ(by_bytes_.emplace(bytes, position.key()).first->second, position.key());
    seen_["seen before"] += is_new ? 0 : 1;
    seen_["new"] += is_new ? 1 : 0;
    if constexpr (requires { position.en_passant(); }) {
      if (position.en_passant() && packed.state[5] == 255) CheckWithoutEnPassant(position, packed);
    }
  }

  // The text with that field cleared is the same position.
  void CheckWithoutEnPassant(const P& position, Packed packed) {
    std::string text;
    size_t number = 0;
    const std::string full = ToString(position);
    for (const std::string_view field : Split(full, ' ')) {
      if (number > 0) text += ' ';
      text += number == Game::kEnPassantField ? "-" : std::string(field);
      ++number;
    }
    const P read = Parse(kGame<P>, text).value();
    EXPECT_NE(text, full);
    EXPECT_EQ(read.key(), position.key());
    Packed other = Pack(read);
    other.state[8] = 0;
    EXPECT_EQ(other.text(), packed.text());
  }

  std::map<std::string, int> seen_;
  std::unordered_map<uint64_t, std::string> by_key_;
  std::unordered_map<std::string, uint64_t> by_bytes_;
};

using AllGames = ::testing::Types<Triumvirate, ThreeWay, TriD>;
TYPED_TEST_SUITE(SampleTest, AllGames);

TYPED_TEST(SampleTest, RandomGamesUnpackAndAreDistinct) {
  const auto starts = this->Begin();
  for (uint64_t game = 0; game < 200 && !this->HasFailure(); ++game) {
    this->PlayGame(starts[game % starts.size()], DeriveSeed(20261124, game));
  }
  // The games must have covered all cases. With two players, no seat is out in a running game.
  for (const auto& [what, count] : this->seen()) {
    ::testing::Test::RecordProperty(what, count);
    EXPECT_GT(count, what == "out" && TypeParam::P::kInfo.seats == 2 ? -1 : 0) << what;
  }
  EXPECT_GT(this->seen()["positions"], 15000);
  EXPECT_GT(this->seen()["seen before"], 300);
}

TEST(TriumvirateSample, ALongClockIs255) {
  const auto start = Start(kGame<triumvirate::Position>, "").value();
  std::string text = ToString(start);
  text.replace(text.rfind(" 0 1"), 4, " 256 90");
  Packed packed = Pack(Parse(kGame<triumvirate::Position>, text).value());
  EXPECT_EQ(packed.state[8], 255);
  packed.state[8] = 0;
  EXPECT_EQ(packed.text(), Pack(start).text());
}

// The page promises that exchanging a player's two boards gives the same position.
TEST(TriDSample, ExchangingBoardsOfAPlayerChangesNothing) {
  const auto position =
      Parse(kGame<tri_d::Position>,
            "QL1,KL2,KL6,QL6 2K1/4/4/4|4/4/4/Q3|4/rk2/4/4|1P/2|n1/2|2/R1|2/2 w - - 3 30");
  const auto other =
      Parse(kGame<tri_d::Position>,
            "KL2,QL1,KL6,QL6 2K1/4/4/4|4/4/4/Q3|4/rk2/4/4|n1/2|1P/2|2/R1|2/2 w - - 3 30");
  ASSERT_TRUE(position.ok() && other.ok());
  EXPECT_EQ(position->key(), other->key());
  Packed packed = Pack(*position);
  EXPECT_NE(packed.text(), Pack(*other).text());
  ExchangeBoards(packed, 0);
  EXPECT_EQ(packed.text(), Pack(*other).text());

  // The moves are the same too, if their cells and boards are exchanged.
  const auto cell = [](int number) { return number / 8 == 6 ? number ^ 4 : number; };
  std::set<int> exchanged;
  int board_moves = 0;
  for (const tri_d::Move move : position->LegalMoves()) {
    const int index = PolicyIndex(move);
    const int rest = index - 4 * 64 * 64;
    if (rest < 0) {
      exchanged.insert(index / 4096 * 4096 + cell(index / 64 % 64) * 64 + cell(index % 64));
    } else {
      ++board_moves;
      const int board = rest / 12 % 4;
      exchanged.insert(index + (board == 0 ? 12 : board == 1 ? -12 : 0));
    }
  }
  std::set<int> expected;
  for (const tri_d::Move move : other->LegalMoves()) expected.insert(PolicyIndex(move));
  EXPECT_EQ(exchanged, expected);
  EXPECT_GT(board_moves, 1);
}

}  // namespace
}  // namespace triarch
