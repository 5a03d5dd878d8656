// Holds the parts of a move's text, and explains why a written move is illegal.

#ifndef TRIARCH_CORE_TRI_D_WRITTEN_MOVE_H_
#define TRIARCH_CORE_TRI_D_WRITTEN_MOVE_H_

#include <cstddef>
#include <optional>
#include <string>

#include "core/tri_d/position.h"

// The parts of a written move (rules §9), not yet checked against the rules, and the explanation if
// the rules forbid it.
namespace triarch::tri_d {

// A move of a piece, in full or short form.
struct WrittenMove {
  std::optional<PieceType> type;  // of the piece; always present in the short form
  std::optional<size_t> file;     // file, rank and level of the start cell, if written
  std::optional<int> rank;
  std::string level;
  std::string to;
  std::optional<bool> is_capture;  // empty if a dash leaves it open
  bool says_en_passant = false;
  PieceType promotion = PieceType::kPawn;
};

// A move of a board or the promotion of a freed pawn.
struct WrittenBoardMove {
  std::string from;  // pin or board; empty if not written
  std::string to;    // pin
  PieceType promotion = PieceType::kPawn;
};

// Return whether the text can mean the piece on the cell, or the attack board with that number.
bool IsFrom(const Position& position, Cell from, const WrittenMove& written);
bool IsBoardMeant(const Position& position, int board, const WrittenBoardMove& written);

// Explain to the user why the written move is not legal.
std::string WhyIllegal(const Position& position, const WrittenMove& written);
std::string WhyNoBoard(const Position& position, const WrittenBoardMove& written);
std::string WhyNoCastling(const Position& position, bool is_short);

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_WRITTEN_MOVE_H_
