#include "bots/llm/prompt.h"

#include <array>
#include <type_traits>
#include <utility>

#include "absl/strings/str_format.h"
#include "bots/llm/notation.h"
#include "bots/llm/v4_board.h"
#include "core/base/text.h"
#include "core/game/picture.h"
#include "core/game/piece.h"
#include "core/text.h"
#include "core/triumvirate/position.h"

namespace triarch::llm {
namespace {

constexpr size_t kMovesTold = 60;         // number of past moves shown
constexpr size_t kAnswerBytesMax = 2000;  // maximum bytes of an answer that is sent back

struct Rules {
  std::string_view game;
  std::string_view text;
  std::string_view legend;  // of the board as `triarch show` draws it
};

constexpr std::array<Rules, 3> kRules = {{
    {"triumvirate",
     "The board is a hexagon of 96 cells. Each player owns a sector of 8 columns and 4 rows; a "
     "column runs from one base row over the fronts to another player's. Pieces move as in chess. "
     "A diagonal that reaches the centre point splits into two.\n"
     "Pawns move along their column, two cells from their first row if they like, and capture "
     "diagonally ahead. They promote (=Q, =R, =B or =N) on any base row but their owner's. After a "
     "double step, only the very next move may capture en passant, on the cell passed over. An "
     "inherited pawn on a column between its first owner's sector and its new owner's is stuck: it "
     "may capture, but never moves straight ahead.\n"
     "Castling is written as the king's move of two cells. King and rook must not have moved, the "
     "cells between them must be empty, and the king may not leave, cross or enter an attacked "
     "cell.\n"
     "Both opponents can give check, even with one move to two kings. When their turn comes, and "
     "not before, players must answer every check; until then other moves may end or add checks. "
     "Kings are never captured. A player in check without a legal move on their turn is "
     "checkmated: the king leaves the board, and the player who gives the check (if both do, the "
     "one who moved last) inherits the other pieces, which keep their colour. Those of a player "
     "who resigns go to the next player. Pieces of one owner never capture each other.\n"
     "A player who is not in check but has no legal move is skipped. The last player left wins, "
     "and a later elimination is better than an earlier one. The players left share a draw if all "
     "of them are without a move, if only kings are left or a king against a king and a bishop or "
     "knight, when a position occurs for the third time, and after 75 moves of each without a "
     "capture or a pawn's move.\n",
     "A cell is a column A to L and a row 1 to 12: E2. On the board wR is a white rook, and wR>b "
     "one that Black has inherited. Columns A to D join White's and Black's base rows, E to H "
     "White's and Red's, I to L Black's and Red's.\n"},
    {"three-way",
     "The board has 96 hexagons. Rooks move along lines through the sides, in six directions; "
     "bishops along diagonals through the corners, in six more, passing between two hexagons; the "
     "queen does both, the king one step of either. Knights jump to the nearest hexagons that no "
     "queen would reach.\n"
     "Pawns move straight ahead, two cells from where they began if they like, and capture "
     "diagonally ahead, left and right. They promote (=Q, =R, =B or =N) where no cell is ahead of "
     "them. After a double step, both opponents may capture en passant on the cell passed over, "
     "until the owner moves again.\n"
     "Castling is written as the king's move of two cells. King and rook must not have moved, the "
     "cells between them must be empty, and the king may not leave, cross or enter an attacked "
     "cell.\n"
     "Both opponents can give check. On your turn you must answer every check, from either "
     "opponent, "
     "and may not leave your king attacked. A player who is in check on their turn without a legal "
     "move is checkmated. A king that a third player's move has left attacked can be captured "
     "before its owner's turn. Either way, and after a resignation, all pieces of that player "
     "vanish; no player inherits them.\n"
     "A player who is not in check but has no legal move is skipped if three players are left, and "
     "otherwise draws the game. The last player left wins, and a later elimination is better than "
     "an earlier one. The players left share a draw when a position occurs for the third time, and "
     "after 100 moves of all players together without a capture or a pawn's move.\n",
     "A cell is a file a to o and a rank 1 to 15: h5. On the board wR is a white rook.\n"},
    {"tri-d",
     "Chess on seven boards at three heights: the main boards W, N and B of 4 x 4 cells, and four "
     "attack boards of 2 x 2 cells, which stand on pins QL1 to QL6 and KL1 to KL6. A cell is file, "
     "rank and level: c1W, a8QL6. Pieces move as in flat chess on the map seen from above, and may "
     "end on any level of the column that they reach; a piece on any level of a column blocks "
     "others from passing.\n"
     "Instead of a piece, a player may move an attack board to a free neighbouring pin: QL1-QL3. "
     "One piece at most may stand on it, whose owner moves it, forward or sideways; an empty board "
     "is moved by the player of its colour, also backward.\n"
     "Pawns move one step, or two as their first move unless a board has carried them; they "
     "capture diagonally ahead. Directly after a double step, a pawn may capture en passant on any "
     "level of the column passed over. Pawns promote on the last rank of their file. On files a "
     "and d a board on the corner pin adds a rank: a pawn below it waits there, and promotes when "
     "the board leaves (QL6-QL4=Q, or a8B=Q before the opponent's move).\n"
     "Castling (0-0, 0-0-0) puts the king on the rook's cell, or, on the long side, on the cell "
     "beside it, and the rook on the king's. Neither may have moved, and the king may not leave or "
     "enter an attacked cell. You cannot castle on your first move.\n"
     "Checkmate wins. Draws: stalemate, king against king, the third occurrence of a position, and "
     "50 moves by each player without a capture or a pawn's move.\n",
     "On the board wR is a white rook. Names in brackets are free pins.\n"},
}};

Rules RulesOf(std::string_view game) {
  for (const Rules& rules : kRules) {
    if (rules.game == game) return rules;
  }
  return {};
}

std::string SeatNames(const GameInfo& info) {
  std::string names;
  for (size_t i = 0; i < info.seats; ++i) {
    names += i == 0 ? "" : i + 1 == info.seats ? " and " : ", ";
    names += info.seat_names[i];
  }
  return names;
}

// Returns the first owner of an inherited piece: "White's ".
std::string ColorNote(const triumvirate::Position& position, triumvirate::Cell cell) {
  const Seat color = position.ColorAt(cell);
  return color == position.OwnerAt(cell) ? "" : position.kInfo.seat_name(color) + "'s ";
}

// Returns " (stuck)" for a stuck pawn, and where a pawn with a kept target goes.
std::string PawnNote(const triumvirate::Position& position, triumvirate::Cell cell) {
  if (position.TypeAt(cell) != PieceType::kPawn) return "";
  if (position.is_stuck(cell)) return " (stuck)";
  if (!position.has_kept_target(cell)) return "";
  return " (to " + position.kInfo.seat_name(position.pawn_target(cell)) + "'s base row)";
}

// Returns "pawn E4", in Triumvirate with what the board does not show: "White's pawn A5 (stuck)".
template <class P>
std::string PieceText(const P& position, int cell) {
  const auto piece = position.PieceOn(cell);
  const std::string text =
      std::string(kPieceNames[static_cast<size_t>(piece->type)]) + " " + CellText(position, cell);
  if constexpr (std::is_same_v<P, triumvirate::Position>) {
    const auto where = triumvirate::Cell::At(cell);
    return ColorNote(position, where) + text + PawnNote(position, where);
  } else {
    return text;
  }
}

// Returns "White: king E1, queen D1\nBlack: …", grouped by the seat that moves them.
std::string PiecesText(const AnyState& state) {
  PerSeat<std::string> lists;
  state.Visit([&]<class P>(const GameState<P>& game) {
    for (int cell = 0; cell < P::kCells; ++cell) {
      const auto piece = game.position().PieceOn(cell);
      if (!piece) continue;
      std::string& list = lists[piece->owner];
      list += (list.empty() ? "" : ", ") + PieceText(game.position(), cell);
    }
  });
  std::string text;
  for (size_t i = 0; i < state.info().seats; ++i) {
    const Seat seat = SeatAt(i);
    const std::string_view pieces = lists[seat].empty() ? "none" : std::string_view(lists[seat]);
    text += absl::StrFormat("%s: %s\n", std::string(state.info().seat_names[i]),
                            std::string(state.is_in(seat) ? pieces : "out"));
  }
  return text;
}

// Returns the last moves of "startpos moves M1 M2 …".
std::string MovesSoFar(const TurnContext* context) {
  constexpr std::string_view kMoves = " moves ";
  const size_t begin = context == nullptr ? std::string_view::npos : context->position.find(kMoves);
  if (begin == std::string_view::npos) return "";
  std::string_view moves = context->position.substr(begin + kMoves.size());
  size_t from = moves.size();
  for (size_t count = 0; count < kMovesTold && from != std::string_view::npos && from > 0;
       ++count) {
    from = moves.rfind(' ', from - 1);
  }
  const bool is_cut = from != std::string_view::npos && from > 0;
  if (is_cut) moves.remove_prefix(from + 1);
  return "Moves so far: " + std::string(is_cut ? "… " : "") + std::string(moves) + "\n";
}

std::string LegalMoves(const AnyState& state, const AnyState::Moves& moves) {
  std::string text = absl::StrFormat("Legal moves (%d):", moves.size());
  for (size_t i = 0; i < moves.size(); ++i) {
    text += " " + state.MoveToString(moves, i);
  }
  return text + "\n";
}

// Returns the rules of this game, including those that a match chooses.
std::string RulesText(const AnyState& state) {
  std::string text(RulesOf(state.info().name).text);
  const DrawRules rules = state.Visit([](const auto& game) { return game.draw_rules(); });
  if (rules.draws == Draws::kClaimed) {
    text += "Draws by repetition and by the number of moves must be claimed.\n";
  }
  if (rules.insufficient_material) {
    text += "The game is drawn if no player has enough pieces to checkmate.\n";
  }
  return text;
}

// Explains the names of cells and the signs on the board.
std::string LegendText(const AnyState& state, Notation notation) {
  if (const auto table = TableOf(notation)) return V4Legend(*table);
  return std::string(RulesOf(state.info().name).legend) +
         "The last line of the board is the same in " + std::string(state.info().notation) +
         ", the game's text form of positions.\n";
}

std::string BoardText(const AnyState& state, Notation notation) {
  const auto table = TableOf(notation);
  const auto* const game = state.As<triumvirate::Position>();
  if (table && game != nullptr) return V4Board(game->position(), *table);
  const absl::StatusOr<std::string> board = state.ToBoard({.is_colored = false, .names = ""});
  return board.ok() ? *board : state.ToString() + "\n";
}

}  // namespace

std::vector<Message> AskForMove(const AnyState& state, const AnyState::Moves& moves,
                                const TurnContext* context, Notation notation) {
  const GameInfo& info = state.info();
  const std::string seat = info.seat_name(state.to_move());
  const bool can_claim = state.Visit([](const auto& game) { return game.claimable().has_value(); });
  const std::string system = absl::StrFormat(
      "You play %s, a chess game for %s, who move in this order. You are %s, and you play to win.\n"
      "%s%s"
      "Answer with one of the legal moves, exactly as listed, and with nothing but "
      "this JSON: {\"move\": \"MOVE\"}. To resign, answer {\"move\": \"resign\"}.\n",
      std::string(info.variant), SeatNames(info), seat, ToNotation(notation, RulesText(state)),
      LegendText(state, notation));
  std::string user =
      BoardText(state, notation) + "\nPieces:\n" +
      ToNotation(notation, PiecesText(state) + MovesSoFar(context) + LegalMoves(state, moves));
  if (can_claim) user += "A draw may be claimed: {\"move\": \"claim draw\"}\n";
  user += absl::StrFormat("It is %s's turn, and you are %s. Your move?\n", seat, seat);
  return {{.role = Message::Role::kSystem, .content = system},
          {.role = Message::Role::kUser, .content = std::move(user)}};
}

std::vector<Message> AskAgain(std::string_view answer, std::string_view why) {
  // Keep the end: ReadAnswer uses the last object or move.
  if (answer.size() > kAnswerBytesMax) answer.remove_prefix(answer.size() - kAnswerBytesMax);
  return {{.role = Message::Role::kAssistant, .content = std::string(answer)},
          {.role = Message::Role::kUser,
           .content = absl::StrFormat(
               "That cannot be played: %s. Answer with one of the legal moves above, and with "
               "nothing but this JSON: {\"move\": \"MOVE\"}\n",
               std::string(why))}};
}

}  // namespace triarch::llm
