#include "cli/stored_tournament.h"

#include <utility>
#include <vector>

#include "cli/position_options.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

absl::StatusOr<StoredTournament> OnlyTournament(Store& store, const std::string& db) {
  ASSIGN_OR_RETURN(std::vector<StoredTournament> tournaments, store.Tournaments());
  if (tournaments.size() == 1) return std::move(tournaments.front());
  if (tournaments.empty()) return absl::NotFoundError(Quote(db, 200) + " holds no tournament");
  std::string ids;
  for (const StoredTournament& tournament : tournaments) {
    ids += (ids.empty() ? "" : ", ") + std::to_string(tournament.id);
  }
  return absl::FailedPreconditionError(Quote(db, 200) +
                                       " holds several tournaments; give the ID: " + ids);
}

}  // namespace

void AddStoredOptions(CLI::App* command, StoredOptions* options) {
  AddTextOption(command, "ID", &options->id, "Which tournament; may be left out if there is one")
      ->type_name("");
  command->add_option("--db", options->db, "The database that `triarch run --db` wrote")
      ->type_name("FILE")
      ->required();
}

absl::StatusOr<std::optional<int64_t>> ReadId(const StoredOptions& options) {
  if (!options.id) return std::nullopt;
  const std::optional<int64_t> id = ParseInt64(*options.id);
  if (!id || *id < 1) {
    return absl::InvalidArgumentError("ID: expected a number from 1 on, not " + Quote(*options.id));
  }
  return id;
}

absl::StatusOr<OpenedTournament> OpenStored(const std::string& db, std::optional<int64_t> id) {
  ASSIGN_OR_RETURN(std::unique_ptr<Store> store, OpenSqliteStore(db, OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(StoredTournament tournament,
                   id ? store->Tournament(*id) : OnlyTournament(*store, db));
  return OpenedTournament{.store = std::move(store), .tournament = std::move(tournament)};
}

}  // namespace triarch
