// Defines the six piece types, which all games share.

#ifndef TRIARCH_CORE_GAME_PIECE_H_
#define TRIARCH_CORE_GAME_PIECE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace triarch {

enum class PieceType : uint8_t { kPawn, kKnight, kBishop, kRook, kQueen, kKing };
inline constexpr size_t kPieceTypes = 6;
inline constexpr std::array<std::string_view, kPieceTypes> kPieceNames = {
    "pawn", "knight", "bishop", "rook", "queen", "king"};

inline constexpr std::string_view kPieceLetters = "PNBRQK";  // by PieceType

// The pieces to which a pawn may promote.
inline constexpr std::array kPromotions = {PieceType::kQueen, PieceType::kRook, PieceType::kBishop,
                                           PieceType::kKnight};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_PIECE_H_
