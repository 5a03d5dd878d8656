#include "bots/llm/prompt.h"

#include <array>
#include <utility>

#include "absl/strings/str_format.h"
#include "bots/llm/notation.h"
#include "core/base/text.h"
#include "core/game/picture.h"
#include "core/game/piece.h"
#include "core/text.h"
#include "core/triumvirate/v4_notation.h"

namespace triarch::llm {
namespace {

constexpr size_t kMovesTold = 60;         // number of past moves shown
constexpr size_t kAnswerBytesMax = 2000;  // maximum bytes of an answer that is sent back

struct Rules {
  std::string_view game;
  std::string_view text;
};

constexpr std::array<Rules, 3> kRules = {{
    {"triumvirate",
     "The board is a hexagon of 96 cells. Each player owns a sector of 8 columns and 4 rows; a "
     "column runs from one base row over the middle to another player's. Pieces move as in chess. "
     "A diagonal that reaches the centre point splits into two. Pawns move along their column and "
     "promote on another player's base row.\n"
     "A player in check without a legal move is checkmated: the king leaves the board, and the "
     "player's other pieces go to the player who gave the mate. Kings are never captured. A player "
     "who is not in check but has no legal move is skipped. The last player left wins, and a later "
     "elimination is better than an earlier one.\n"},
    {"three-way",
     "The board has 96 hexagons. Rooks move along lines through the sides, in six directions; "
     "bishops along diagonals through the corners, in six more, passing between two hexagons; the "
     "queen does both, the king one step of either. Knights jump to the nearest hexagons that no "
     "queen would reach. Pawns move straight ahead and capture diagonally ahead, left and right.\n"
     "A player who is in check on their turn without a legal move is checkmated. A king that a "
     "third player's move has left attacked can be captured. Either way all pieces of that player "
     "vanish. The last player left wins, and a later elimination is better than an earlier one.\n"},
    {"tri-d",
     "Chess on seven boards at three heights: the main boards W, N and B of 4 x 4 cells, and four "
     "attack boards of 2 x 2 cells, which stand on pins QL1 to QL6 and KL1 to KL6. A cell is file, "
     "rank and level: c1W, a8QL6. Pieces move as in flat chess on the map seen from above, and may "
     "end on any level of the column that they reach; a piece on any level of a column blocks "
     "others from passing. Instead of a piece, a player may move an attack board with at most one "
     "piece on it to a neighbouring pin: QL1-QL3. Checkmate wins.\n"},
}};

std::string_view RulesOf(std::string_view game) {
  for (const Rules& rules : kRules) {
    if (rules.game == game) return rules.text;
  }
  return "";
}

std::string SeatNames(const GameInfo& info) {
  std::string names;
  for (size_t i = 0; i < info.seats; ++i) {
    names += i == 0 ? "" : i + 1 == info.seats ? " and " : ", ";
    names += info.seat_names[i];
  }
  return names;
}

std::string PieceName(PieceType type, Notation notation) {
  return std::string(notation == Notation::kTriumvirate ? triumvirate::V4Name(type)
                                                        : kPieceNames[static_cast<size_t>(type)]);
}

// Returns "White: king E1, queen D1\nBlack: …", grouped by the seat that moves them.
std::string PiecesText(const AnyState& state, Notation notation) {
  PerSeat<std::string> lists;
  state.Visit([&]<class P>(const GameState<P>& game) {
    for (int cell = 0; cell < P::kCells; ++cell) {
      const auto piece = game.position().PieceOn(cell);
      if (!piece) continue;
      std::string& list = lists[piece->owner];
      list += (list.empty() ? "" : ", ") + PieceName(piece->type, notation) + " " +
              ToNotation(notation, CellText(game.position(), cell));
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
std::string MovesSoFar(const TurnContext* context, Notation notation) {
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
  return "Moves so far: " + std::string(is_cut ? "… " : "") + ToNotation(notation, moves) + "\n";
}

std::string LegalMoves(const AnyState& state, const AnyState::Moves& moves, Notation notation) {
  std::string text = absl::StrFormat("Legal moves (%d):", moves.size());
  for (size_t i = 0; i < moves.size(); ++i) {
    text += " " + ToNotation(notation, state.MoveToString(moves, i));
  }
  return text + "\n";
}

std::string BoardText(const AnyState& state, Notation notation) {
  const absl::StatusOr<std::string> board = state.ToBoard(
      {.is_colored = false, .names = notation == Notation::kTriumvirate ? "triumvirate" : ""});
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
      "%s"
      "Answer with one of the legal moves, exactly as listed, and with nothing but "
      "this JSON: {\"move\": \"MOVE\"}. To resign, answer {\"move\": \"resign\"}.\n",
      std::string(info.variant), SeatNames(info), seat, std::string(RulesOf(info.name)));
  std::string user = BoardText(state, notation) + "\nPieces:\n" + PiecesText(state, notation) +
                     MovesSoFar(context, notation) + LegalMoves(state, moves, notation);
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
