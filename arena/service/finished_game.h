// Turns a table that is over into what the store keeps of it.

#ifndef TRIARCH_ARENA_SERVICE_FINISHED_GAME_H_
#define TRIARCH_ARENA_SERVICE_FINISHED_GAME_H_

#include "arena/store/arena_store.h"
#include "arena/table/table.h"

namespace triarch::arena {

// Rated games of one kind form one tournament ("arena triumvirate"); unrated ones form one for each
// month, because there is no end of names. Requires: table.is_over().
EndedTable EndedTableOf(const Table& table);

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_SERVICE_FINISHED_GAME_H_
