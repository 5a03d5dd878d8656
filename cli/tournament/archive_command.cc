// Implements `triarch archive`: writes a tournament with its games and standings to a folder.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/str_format.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/tournament/stored_tournament.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/record/tpgn.h"
#include "spec/spec_json.h"

namespace triarch {
namespace {

struct ArchiveOptions {
  StoredOptions stored;
  std::string out;
};

absl::Status WriteText(const std::string& path, const FileKind& kind, std::string_view text) {
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path, kind));
  RETURN_IF_ERROR(file.Write(text));
  return file.Commit();
}

// Returns the number of games.
absl::StatusOr<int64_t> WriteGamesTo(RecordedTournament& recorded, const std::string& path) {
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path, kTpgnFile));
  int64_t games = 0;
  RETURN_IF_ERROR(recorded.VisitGames({}, true, [&](const GameSummary&, std::string_view tpgn) {
    ++games;
    return file.Write(tpgn);
  }));
  RETURN_IF_ERROR(file.Commit());
  return games;
}

// Reads the file again and replays every game.
absl::Status VerifyGames(const std::string& path, int64_t games) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  TpgnReader reader(file.text());
  int64_t read = 0;
  while (const std::optional<absl::StatusOr<TpgnGame>> game = reader.Next()) {
    ++read;
    RETURN_IF_ERROR(game->status());
    RETURN_IF_ERROR(ReplayTpgn(**game).status());
  }
  if (read == games) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrFormat("%s has %s; expected %d", path, Counted(read, "game"), games));
}

// Returns the number of games.
absl::StatusOr<int64_t> WriteArchive(RecordedTournament& recorded, const std::string& folder) {
  ASSIGN_OR_RETURN(const int64_t games, WriteGamesTo(recorded, folder + "/games.tpgn"));
  RETURN_IF_ERROR(VerifyGames(folder + "/games.tpgn", games));
  ASSIGN_OR_RETURN(const StandingsReport standings, recorded.Standings());
  RETURN_IF_ERROR(
      WriteText(folder + "/spec.json", kJsonLinesFile, SpecToJson(recorded.spec()) + "\n"));
  RETURN_IF_ERROR(WriteText(folder + "/standings.json", kJsonLinesFile, standings.json));
  RETURN_IF_ERROR(WriteText(folder + "/standings.txt", {standings.text.front(), "a standings"},
                            standings.text));
  return games;
}

absl::Status Archive(const ArchiveOptions& options) {
  std::error_code error;
  if (std::filesystem::exists(options.out, error)) {
    return absl::AlreadyExistsError("--out: " + options.out +
                                    " exists; expected the name of a new folder");
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<RecordedTournament> recorded,
                   OpenRecorded(options.stored));
  const std::string tmp = options.out + ".tmp";
  std::filesystem::remove_all(tmp, error);
  if (!std::filesystem::create_directory(tmp, error)) {
    return absl::PermissionDeniedError("cannot create the folder " + tmp + ": " + error.message());
  }
  const absl::StatusOr<int64_t> games = WriteArchive(*recorded, tmp);
  if (games.ok()) std::filesystem::rename(tmp, options.out, error);
  if (!games.ok() || error) {
    std::error_code ignored;
    std::filesystem::remove_all(tmp, ignored);
  }
  RETURN_IF_ERROR(games.status());
  if (error) {
    return absl::PermissionDeniedError("cannot rename " + tmp + " to " + options.out + ": " +
                                       error.message());
  }
  PrintLine(Counted(*games, "game") + " written to " + options.out + " and verified");
  return absl::OkStatus();
}

int RunArchive(const ArchiveOptions& options) {
  if (const absl::Status usage = CheckStoredOptions(options.stored); !usage.ok()) {
    return UsageError(usage);
  }
  const absl::Status status = Archive(options);
  return status.ok() ? kExitDone : Fail(status);
}

}  // namespace

void AddArchiveCommand(const Command& app) {
  auto options = std::make_shared<ArchiveOptions>();
  const Command command =
      app.AddCommand("archive", "Write a tournament, its games and its standings to a folder.");
  AddStoredOptions(command, &options->stored);
  command.AddFile({"--out", "DIR", "New folder to write"}, &options->out).Required();
  command.Footer(
      "Writes games.tpgn, spec.json, standings.json and standings.txt, and replays every game of\n"
      "games.tpgn by the rules. Nothing is left of an incomplete archive.\n\n"
      "Examples:\n"
      "  triarch archive 3 --coordinator localhost:7071 --out t3\n"
      "  triarch archive --db quickstart.db --out quickstart");
  command.OnRun(options, RunArchive);
}

}  // namespace triarch
