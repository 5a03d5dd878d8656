#include "cli/tournament/games_of_bot.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/files.h"
#include "cli/tournament/game_selection.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/tpgn.h"

namespace triarch {
namespace {

// Replays the game in `tpgn`, one of the numbered games of a tournament.
absl::StatusOr<GameRecord> ReplayNumbered(std::string_view tpgn, const std::string& number) {
  const std::optional<absl::StatusOr<TpgnGame>> game = TpgnReader(tpgn).Next();
  if (!game) return absl::DataLossError("game " + number + " has no text");
  absl::StatusOr<GameRecord> record = game->ok() ? ReplayTpgn(**game) : game->status();
  if (record.ok()) return record;
  return absl::Status(record.status().code(),
                      "game " + number + ": " + std::string(record.status().message()));
}

absl::StatusOr<GamesOfBot> ReadStored(const StoredOptions& options, const std::string& bot,
                                      size_t most) {
  ASSIGN_OR_RETURN(const std::unique_ptr<RecordedTournament> recorded, OpenRecorded(options));
  SelectionOptions selection;
  selection.bot = bot;
  std::vector<int64_t> indices;
  RETURN_IF_ERROR(
      VisitSelected(*recorded, selection, false, [&](const GameSummary& game, std::string_view) {
        indices.push_back(game.index);
        return absl::OkStatus();
      }));
  GamesOfBot games{.count = indices.size()};
  for (const size_t at : EvenlySpread(indices.size(), most)) {
    const GameFilter only{.bot = {}, .first = indices[at], .last = indices[at]};
    RETURN_IF_ERROR(recorded->VisitGames(
        only, true, [&](const GameSummary& game, std::string_view tpgn) -> absl::Status {
          const std::string number = ToString(GameNumber{game.match, game.index});
          ASSIGN_OR_RETURN(GameRecord record, ReplayNumbered(tpgn, number));
          games.records.push_back(std::move(record));
          return absl::OkStatus();
        }));
  }
  return games;
}

bool HasPlayer(const GameRecord& record, const std::string& bot) {
  for (const std::string& name : record.bots) {
    if (name == bot) return true;
  }
  return false;
}

absl::StatusOr<GamesOfBot> ReadFile(const std::string& path, const std::string& bot, size_t most) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  std::vector<GameRecord> records;
  TpgnReader reader(file.text());
  while (const auto game = reader.Next()) {
    absl::StatusOr<GameRecord> record = game->ok() ? ReplayTpgn(**game) : game->status();
    if (!record.ok()) {
      const std::string where =
          game->ok() ? path + ": line " + std::to_string((*game)->line) : path;
      return absl::InvalidArgumentError(where + ": " + std::string(record.status().message()));
    }
    if (!HasPlayer(*record, bot)) continue;
    if (!records.empty() && record->game != records.front().game) {
      return absl::InvalidArgumentError(path + " contains games of " + records.front().game +
                                        " and of " + record->game + "; expected one kind");
    }
    records.push_back(*std::move(record));
  }
  GamesOfBot games{.count = records.size()};
  for (const size_t at : EvenlySpread(records.size(), most)) {
    games.records.push_back(std::move(records[at]));
  }
  return games;
}

}  // namespace

std::vector<size_t> EvenlySpread(size_t count, size_t most) {
  const size_t taken = std::min(count, most);
  std::vector<size_t> numbers;
  Random random(1);
  for (size_t i = 0; i < taken; ++i) {
    const size_t begin = i * count / taken;
    const size_t end = (i + 1) * count / taken;
    numbers.push_back(begin + random.Below(static_cast<uint32_t>(end - begin)));
  }
  return numbers;
}

absl::StatusOr<GamesOfBot> ReadGamesOfBot(const RecordedGameOptions& options,
                                          const std::string& bot, size_t most) {
  ASSIGN_OR_RETURN(GamesOfBot games, options.tpgn_in.empty()
                                         ? ReadStored(options.stored, bot, most)
                                         : ReadFile(options.tpgn_in, bot, most));
  if (games.records.empty()) return absl::NotFoundError("--of: there is no game of " + bot);
  return games;
}

}  // namespace triarch
