// Defines the six kinds of pieces.

#ifndef TRIARCH_CORE_GAME_PIECE_H_
#define TRIARCH_CORE_GAME_PIECE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// The six kinds of pieces, which the games share.
namespace triarch {

enum class PieceType : uint8_t { kPawn, kKnight, kBishop, kRook, kQueen, kKing };
inline constexpr size_t kPieceTypes = 6;
inline constexpr std::array<std::string_view, kPieceTypes> kPieceNames = {
    "pawn", "knight", "bishop", "rook", "queen", "king"};

// What a pawn may become.
inline constexpr std::array kPromotions = {PieceType::kQueen, PieceType::kRook, PieceType::kBishop,
                                           PieceType::kKnight};

}  // namespace triarch

#endif  // TRIARCH_CORE_GAME_PIECE_H_
