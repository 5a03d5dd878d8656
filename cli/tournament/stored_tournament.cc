#include "cli/tournament/stored_tournament.h"

#include <utility>
#include <vector>

#include "cli/cluster/operator_client.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "proto/convert.h"
#include "spec/spec_json.h"

namespace triarch {
namespace {

absl::StatusOr<StoredTournament> OnlyTournament(Store& store, const std::string& db) {
  ASSIGN_OR_RETURN(std::vector<StoredTournament> tournaments, store.Tournaments());
  if (tournaments.size() == 1) return std::move(tournaments.front());
  if (tournaments.empty())
    return absl::NotFoundError(Quote(StoreName(db), 200) + " contains no tournament");
  std::string ids;
  for (const StoredTournament& tournament : tournaments) {
    ids += absl::StrFormat("%s%d (%s)", ids.empty() ? "" : ", ", tournament.id,
                           PrintableLine(tournament.spec.name));
  }
  return absl::FailedPreconditionError(Quote(StoreName(db), 200) +
                                       " contains several tournaments; give an ID: " + ids);
}

class InDatabase : public RecordedTournament {
 public:
  InDatabase(std::unique_ptr<Store> store, StoredTournament tournament)
      : store_(std::move(store)), tournament_(std::move(tournament)) {}

  const TournamentSpec& spec() const override { return tournament_.spec; }
  absl::Status VisitGames(const GameFilter& filter, bool with_tpgn, Visitor visit) override {
    if (with_tpgn) return store_->VisitTpgn(tournament_.id, filter, visit);
    return store_->VisitGames(tournament_.id, filter,
                              [&](const GameSummary& game) { return visit(game, {}); });
  }
  absl::Status VisitFaults(const GameFilter& filter,
                           absl::FunctionRef<absl::Status(const StoredFault&)> visit) override {
    return store_->VisitFaults(tournament_.id, filter, visit);
  }
  absl::StatusOr<StandingsReport> Standings() override {
    return ReadStandings(*store_, tournament_.id);
  }

 private:
  const std::unique_ptr<Store> store_;
  const StoredTournament tournament_;
};

class AtCoordinator : public RecordedTournament {
 public:
  AtCoordinator(std::unique_ptr<OperatorClient> client, int64_t id, TournamentSpec spec)
      : client_(std::move(client)), id_(id), spec_(std::move(spec)) {}

  const TournamentSpec& spec() const override { return spec_; }
  absl::Status VisitGames(const GameFilter& filter, bool with_tpgn, Visitor visit) override {
    v1::GamesRequest request;
    request.set_tournament(id_);
    request.set_bot(filter.bot.value_or(""));
    request.set_with_tpgn(with_tpgn);
    request.set_first(filter.first);
    request.set_last(filter.last);
    while (request.first() >= 0) {
      ASSIGN_OR_RETURN(const v1::GamesResponse page, client_->Games(request));
      for (const v1::RecordedGame& game : page.games()) {
        ASSIGN_OR_RETURN(const wire::RecordedGame read, wire::FromWire(game));
        RETURN_IF_ERROR(visit(read.summary, read.tpgn));
      }
      request.set_first(page.next());
    }
    return absl::OkStatus();
  }
  absl::Status VisitFaults(const GameFilter& filter,
                           absl::FunctionRef<absl::Status(const StoredFault&)> visit) override {
    v1::FaultsRequest request;
    request.set_tournament(id_);
    request.set_bot(filter.bot.value_or(""));
    request.set_first(filter.first);
    request.set_last(filter.last);
    while (request.first() >= 0) {
      ASSIGN_OR_RETURN(const v1::FaultsResponse page, client_->Faults(request));
      for (const v1::RecordedFault& fault : page.faults()) {
        StoredFault read{.index = fault.index(),
                         .match = fault.match(),
                         .bot = static_cast<int>(fault.bot()),
                         .fault = {}};
        ASSIGN_OR_RETURN(read.fault, wire::FromWire(fault.fault(), kSeatsMax));
        if (read.bot >= std::ssize(spec_.bots)) {
          return absl::DataLossError("the coordinator names a bot that the tournament lacks");
        }
        RETURN_IF_ERROR(visit(read));
      }
      request.set_first(page.next());
    }
    return absl::OkStatus();
  }
  absl::StatusOr<StandingsReport> Standings() override {
    ASSIGN_OR_RETURN(const v1::StandingsResponse standings, client_->Standings(id_));
    return StandingsReport{.text = standings.text(), .json = standings.json()};
  }

 private:
  const std::unique_ptr<OperatorClient> client_;
  const int64_t id_;
  const TournamentSpec spec_;
};

absl::StatusOr<std::unique_ptr<RecordedTournament>> OpenDatabase(const std::string& db,
                                                                 std::optional<int64_t> id) {
  ASSIGN_OR_RETURN(std::unique_ptr<Store> store, OpenStore(db, OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(StoredTournament tournament,
                   id ? store->Tournament(*id) : OnlyTournament(*store, db));
  return std::make_unique<InDatabase>(std::move(store), std::move(tournament));
}

absl::StatusOr<std::unique_ptr<RecordedTournament>> AskCoordinator(
    const CoordinatorOptions& options, int64_t id) {
  ASSIGN_OR_RETURN(std::unique_ptr<OperatorClient> client, MakeUserClient(options));
  ASSIGN_OR_RETURN(const v1::GetResponse got, client->Get(id));
  ASSIGN_OR_RETURN(TournamentSpec spec, SpecFromJson(got.spec_json()));
  return std::make_unique<AtCoordinator>(std::move(client), id, std::move(spec));
}

absl::Status ReadId(const std::string& text, bool has_tpgn_in, std::optional<int64_t>* id) {
  *id = ParseInt64(text);
  if (*id && **id >= 1) return absl::OkStatus();
  std::string message = "expected the number of a tournament, from 1, not " + Quote(text);
  const bool is_tpgn = has_tpgn_in && text.ends_with(".tpgn");
  if (is_tpgn || text.find_first_of("./") != std::string::npos) {
    message +=
        "; did you mean " + std::string(is_tpgn ? "--tpgn-in " : "--db ") + ShellWord(text) + "?";
  }
  return absl::InvalidArgumentError(message);
}

}  // namespace

std::string ArgumentsOf(const StoredOptions& options) {
  std::string text = options.id ? std::to_string(*options.id) + " " : "";
  if (!options.db.empty()) return text + "--db " + ShellWord(options.db);
  text += "--coordinator " + ShellWord(options.coordinator.addresses);
  const std::string& token = options.coordinator.token_file;
  return token.empty() ? text : text + " --token-file " + ShellWord(token);
}

void AddStoredOptions(const Command& command, StoredOptions* options, bool has_tpgn_in) {
  command.Add({"ID", "", "ID of the tournament; required unless --db contains only one"},
              [options, has_tpgn_in](const std::string& text) {
                return ReadId(text, has_tpgn_in, &options->id);
              });
  command.AddText({"--db", "FILE",
                   "Read the database that `triarch run --db` wrote, or a\n"
                   "coordinator's: postgresql://…"},
                  &options->db);
  AddCoordinatorOptions(command, &options->coordinator);
}

absl::Status CheckStoredOptions(const StoredOptions& options) {
  const bool is_remote = !options.coordinator.addresses.empty();
  if (is_remote == !options.db.empty()) {
    return absl::InvalidArgumentError("expected --db FILE or --coordinator HOST:PORT" +
                                      std::string(is_remote ? ", not both" : ""));
  }
  if (is_remote && !options.id) {
    return absl::InvalidArgumentError(
        "ID: expected a tournament of the coordinator (see triarch list)");
  }
  // Its files must be there.
  return is_remote ? MakeUserClient(options.coordinator).status() : absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<RecordedTournament>> OpenRecorded(const StoredOptions& options) {
  if (options.coordinator.addresses.empty()) return OpenDatabase(options.db, options.id);
  return AskCoordinator(options.coordinator, *options.id);
}

}  // namespace triarch
