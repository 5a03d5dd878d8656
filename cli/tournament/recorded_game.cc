#include "cli/tournament/recorded_game.h"

#include <memory>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "cli/files.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/tpgn.h"

namespace triarch {
namespace {

absl::StatusOr<GameNumber> ParseGameNumber(std::string_view text) {
  const size_t dot = text.find('.');
  if (dot != std::string_view::npos) {
    const std::optional<int64_t> match = ParseInt64(text.substr(0, dot));
    const std::optional<int64_t> game = ParseInt64(text.substr(dot + 1));
    if (match && game && *match >= 1 && *game >= 1) return GameNumber{*match - 1, *game - 1};
  }
  return absl::InvalidArgumentError(
      "expected MATCH.GAME as `triarch games` prints it, such as 3.17, not " + Quote(text));
}

// Which games a tournament or a file holds, for errors.
class GamesThere {
 public:
  explicit GamesThere(std::string where) : where_(std::move(where)) {}

  // Call it for each game, in order.
  void Add(const std::string& number) {
    if (count_++ == 0) first_ = number;
    last_ = number;
  }
  // Returns why a game was not found: it does not exist, or none of several was named.
  absl::Status Error(const std::optional<GameNumber>& id) const {
    if (count_ == 0) return absl::NotFoundError(where_ + " contains no games");
    const std::string there =
        Counted(count_, "game") + ", " + (count_ == 1 ? first_ : "from " + first_ + " to " + last_);
    if (id) {
      return absl::NotFoundError(
          absl::StrFormat("there is no game %s; %s contains %s", ToString(*id), where_, there));
    }
    return absl::FailedPreconditionError(
        absl::StrFormat("%s contains %s; name one with --id", where_, there));
  }

 private:
  const std::string where_;
  int64_t count_ = 0;
  std::string first_;
  std::string last_;
};

absl::Status NotFoundAmong(RecordedTournament& recorded, const std::optional<GameNumber>& id) {
  GamesThere there("the tournament");
  RETURN_IF_ERROR(recorded.VisitGames({}, false, [&](const GameSummary& game, std::string_view) {
    there.Add(ToString(GameNumber{game.match, game.index}));
    return absl::OkStatus();
  }));
  return there.Error(id);
}

// Finds a game among those of a TPGN file.
absl::StatusOr<std::string> FindInFile(std::string_view text, const std::string& path,
                                       const std::optional<GameNumber>& id) {
  GamesThere there(Quote(path, 200));
  TpgnReader reader(text);
  absl::Status fault;  // the first
  std::vector<std::string_view> found;
  while (true) {
    const size_t begin = reader.offset();
    const std::optional<absl::StatusOr<TpgnGame>> game = reader.Next();
    if (!game) break;
    if (!game->ok()) {
      fault.Update(game->status());
      continue;
    }
    const std::string round((*game)->tag("Round").value_or("?"));
    there.Add(round);
    if (!id || round == ToString(*id)) {
      found.push_back(text.substr(begin, reader.offset() - begin));
    }
  }
  if (found.size() == 1) return std::string(Trim(found[0])) + "\n\n";
  if (id && found.size() > 1) {
    return absl::FailedPreconditionError(
        absl::StrFormat("%s contains %s with the number %s; expected one", Quote(path, 200),
                        Counted(found.size(), "game"), ToString(*id)));
  }
  if (!fault.ok()) return About(path, fault);
  return there.Error(id);
}

absl::StatusOr<RecordedGame> ReadFromFile(const std::string& path,
                                          const std::optional<GameNumber>& id) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  RecordedGame game;
  ASSIGN_OR_RETURN(game.tpgn, FindInFile(file.text(), path, id));
  absl::StatusOr<GameRecord> record = ReplayOnly(game.tpgn);
  if (!record.ok()) return About(id ? path + ", game " + ToString(*id) : path, record.status());
  game.record = *std::move(record);
  return game;
}

}  // namespace

void AddGameNumberOption(const Command& command, const std::string& help,
                         std::optional<GameNumber>* id) {
  command.Add({"--id", "MATCH.GAME", help}, [id](const std::string& text) -> absl::Status {
    ASSIGN_OR_RETURN(*id, ParseGameNumber(text));
    return absl::OkStatus();
  });
}

void AddRecordedGameOptions(const Command& command, RecordedGameOptions* options) {
  AddStoredOptions(command, &options->stored, /*has_tpgn_in=*/true);
  command.AddFile({"--tpgn-in", "FILE", "Read the game from a TPGN file; - means standard input"},
                  &options->tpgn_in);
  AddGameNumberOption(command,
                      "The game, as `triarch games` prints it: 3.17; required\n"
                      "unless there is only one",
                      &options->id);
}

absl::Status CheckRecordedGameOptions(const RecordedGameOptions& options) {
  const bool is_stored =
      !options.stored.db.empty() || !options.stored.coordinator.addresses.empty();
  if (is_stored == !options.tpgn_in.empty()) {
    return absl::InvalidArgumentError(
        "expected --db FILE, --coordinator HOST:PORT or --tpgn-in FILE" +
        std::string(is_stored ? ", not several" : ""));
  }
  if (is_stored) return CheckStoredOptions(options.stored);
  if (options.stored.id) return absl::InvalidArgumentError("ID: --tpgn-in has no tournaments");
  return absl::OkStatus();
}

absl::StatusOr<RecordedGame> ReadRecordedGame(RecordedTournament& recorded,
                                              const std::optional<GameNumber>& id) {
  GameFilter filter;
  if (id) filter.first = filter.last = id->index;
  std::optional<GameSummary> found;
  std::string text;
  int64_t count = 0;
  const auto stop = absl::CancelledError();  // the game is not the only one
  const absl::Status read =
      recorded.VisitGames(filter, true, [&](const GameSummary& summary, std::string_view tpgn) {
        found = summary;
        text = tpgn;
        return ++count > 1 ? stop : absl::OkStatus();
      });
  if (!read.ok() && count <= 1) return read;
  if (count != 1 || (id && found->match != id->match)) return NotFoundAmong(recorded, id);
  ASSIGN_OR_RETURN(RecordedGame game, ReplayStored(*found, std::move(text)));
  game.spec = recorded.spec();
  return game;
}

absl::StatusOr<RecordedGame> OpenRecordedGame(const RecordedGameOptions& options) {
  if (!options.tpgn_in.empty()) return ReadFromFile(options.tpgn_in, options.id);
  ASSIGN_OR_RETURN(const std::unique_ptr<RecordedTournament> recorded,
                   OpenRecorded(options.stored));
  return ReadRecordedGame(*recorded, options.id);
}

}  // namespace triarch
