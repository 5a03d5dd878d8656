// Explains the names of Triumvirate v4.0 to a model and draws the board with them.

#ifndef TRIARCH_BOTS_LLM_V4_BOARD_H_
#define TRIARCH_BOTS_LLM_V4_BOARD_H_

#include <string>

#include "core/triumvirate/position.h"
#include "core/triumvirate/v4_notation.h"

namespace triarch::llm {

// Returns a few lines about the names of cells and pieces, with an example.
std::string V4Legend(triumvirate::V4Table table);

// Returns the board, sector by sector, the rights and the players' statuses. Contains no classic
// names.
std::string V4Board(const triumvirate::Position& position, triumvirate::V4Table table);

}  // namespace triarch::llm

#endif  // TRIARCH_BOTS_LLM_V4_BOARD_H_
