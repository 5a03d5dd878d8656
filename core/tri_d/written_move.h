// Holds a move's text in parts, before the rules are asked.

#ifndef TRIARCH_CORE_TRI_D_WRITTEN_MOVE_H_
#define TRIARCH_CORE_TRI_D_WRITTEN_MOVE_H_

#include <cstddef>
#include <optional>
#include <string>

#include "core/tri_d/position.h"

// What a text says of a move before the rules are asked (rules §9), and why the rules say no.
namespace triarch::tri_d {

// A piece's move, in full or short.
struct WrittenMove {
  std::optional<PieceType> type;  // of the piece; in the short form always there
  std::optional<size_t> file;     // of the start cell, as far as it is written
  std::optional<int> rank;
  std::string level;
  std::string to;
  std::optional<bool> is_capture;  // empty if a dash leaves it open
  bool says_en_passant = false;
  PieceType promotion = PieceType::kPawn;
};

// A board's move or the promotion of a freed pawn.
struct WrittenBoardMove {
  std::string from;  // pin or board; empty where it is not written
  std::string to;    // pin
  PieceType promotion = PieceType::kPawn;
};

// Whether the text may mean the piece on the cell, or the attack board of that number.
bool IsFrom(const Position& position, Cell from, const WrittenMove& written);
bool IsBoardMeant(const Position& position, int board, const WrittenBoardMove& written);

// Why no legal move is the one that is written, in words for the user.
std::string WhyIllegal(const Position& position, const WrittenMove& written);
std::string WhyNoBoard(const Position& position, const WrittenBoardMove& written);
std::string WhyNoCastling(const Position& position, bool is_short);

}  // namespace triarch::tri_d

#endif  // TRIARCH_CORE_TRI_D_WRITTEN_MOVE_H_
