// Reads the games of one bot from a tournament or a TPGN file.

#ifndef TRIARCH_CLI_TOURNAMENT_GAMES_OF_BOT_H_
#define TRIARCH_CLI_TOURNAMENT_GAMES_OF_BOT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/tournament/recorded_game.h"
#include "core/record/game_record.h"

namespace triarch {

struct GamesOfBot {
  size_t count = 0;                      // all games of the bot
  std::vector<GameRecord> records = {};  // some of them, replayed by the rules; at least one
};

// Returns which of `count` games to take, at most `most`: one at random from each of that many
// equal parts, always the same. (Every k-th game might always have the same seating.)
std::vector<size_t> EvenlySpread(size_t count, size_t most);

// Reads at most `most` games. Ignores the options' `id`. NotFound: the bot has no games there.
// InvalidArgument: the games of a file are not all of the same kind, or one is faulty. Requires:
// CheckRecordedGameOptions is ok.
absl::StatusOr<GamesOfBot> ReadGamesOfBot(const RecordedGameOptions& options,
                                          const std::string& bot, size_t most);

}  // namespace triarch

#endif  // TRIARCH_CLI_TOURNAMENT_GAMES_OF_BOT_H_
