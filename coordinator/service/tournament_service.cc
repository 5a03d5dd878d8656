#include "coordinator/service/tournament_service.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_join.h"
#include "coordinator/ratings/standings_text.h"
#include "coordinator/service/operations.h"
#include "coordinator/service/stored_standings.h"
#include "coordinator/store/store_rules.h"
#include "core/any_state.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "proto/convert.h"
#include "proto/field_checks.h"
#include "spec/spec_json.h"

namespace triarch {
namespace {

// Approximate size of a page of games.
constexpr int kPageGames = 1'000;
constexpr size_t kPageBytes = 2 << 20;
constexpr int64_t kPruneSecondsMax = 100LL * 366 * 86'400;  // a hundred years

void ToWire(const experiments::TestState& state, v1::TestState* wire) {
  wire->set_verdict(std::string(ToString(state.verdict)));
  wire->set_units(state.units);
  wire->set_games(state.games);
  wire->set_llr(state.llr);
  wire->set_llr_low(state.bounds.lower);
  wire->set_llr_high(state.bounds.upper);
  if (state.elo) {
    wire->set_elo(state.elo->value);
    wire->set_elo_low(state.elo->low);
    wire->set_elo_high(state.elo->high);
  }
  wire->set_is_adjusted(state.is_adjusted);
  if (state.games_left) wire->set_games_left(*state.games_left);
}

void ToWire(const experiments::PlanState& state, v1::PlanState* wire) {
  wire->set_line(state.line);
  if (state.games_expected) wire->set_games_expected(*state.games_expected);
  if (state.verdict) wire->set_verdict(std::string(ToString(*state.verdict)));
}

std::string WhyHeld(const TournamentStatus& status) {
  if (status.held == 0) return "";
  if (status.audits.is_irreproducible) {
    return "several games were different each time that they were played: a bot is not "
           "deterministic; cancel the tournament and play it with trusted workers only";
  }
  return status.audits.undrawn_audits > 0 ? "an audit needs a worker of another owner" : "";
}

void ToWire(const TournamentStatus& status, v1::Tournament* wire) {
  wire->set_id(status.id);
  wire->set_name(status.spec.name);
  wire->set_game(status.spec.game);
  wire->set_state(std::string(ToString(status.state)));
  wire->set_created(status.created);
  wire->set_priority(status.precedence.priority);
  wire->set_share(status.precedence.share);
  wire->set_games(status.spec.games);
  wire->set_open(status.open);
  wire->set_leased(status.leased);
  wire->set_held(status.held);
  wire->set_done(status.done);
  wire->set_open_audits(status.audits.open_audits);
  wire->set_audits_passed(status.audits.passes);
  wire->set_held_why(WhyHeld(status));
  wire->set_games_per_second(status.games_per_second);
  wire->set_plies_per_second(status.plies_per_second);
  for (const BotSpec& bot : status.spec.bots) wire->add_bots(bot.name);
  for (const std::string& refusal : status.refusals) wire->add_refusals(refusal);
  if (status.test) ToWire(*status.test, wire->mutable_test());
  if (status.plan) ToWire(*status.plan, wire->mutable_plan());
  if (!status.spec.selfplay) return;
  wire->set_data(status.spec.data);
  wire->set_shards(status.shards);
  wire->set_samples(status.samples);
  wire->set_sample_bytes(status.sample_bytes);
  wire->set_data_error(status.data_error);
}

void ToWire(const WorkerView& view, v1::Worker* wire) {
  wire->set_name(view.info.id.name);
  wire->set_slots(view.info.slots);
  wire->set_busy_slots(view.busy_slots);
  wire->set_build(view.info.build);
  wire->set_state(!view.quarantine.empty() ? "quarantined" : view.is_alive ? "alive" : "away");
  wire->set_why(view.quarantine);
  wire->set_leases(view.leases);
  wire->set_games_recorded(view.games_recorded);
  wire->set_games_held(view.games_held);
  wire->set_rejections(view.rejections);
  wire->set_last_seen_ms(view.last_seen.count());
  for (const auto& [tournament, why] : view.refusals) {
    wire->add_refusals("tournament " + std::to_string(tournament) + ": " + why);
  }
}

// Returns the command that sets the state.
std::string ActionOf(const std::string& state) {
  if (state == "active") return "resume";
  if (state == "paused") return "pause";
  return state == "cancelled" ? "cancel" : "set state " + Quote(state);
}

Change ChangeOf(const v1::SetPrecedenceRequest& request) {
  Change change{"set", {{"tournament", request.tournament()}}};
  if (request.has_priority()) {
    change.fields.push_back({"priority", std::to_string(request.priority())});
  }
  if (request.has_share()) change.fields.push_back({"share", std::to_string(request.share())});
  return change;
}

Change ChangeOf(const v1::PruneRequest& request, const v1::PruneResponse& response) {
  Change change{"prune", {{"older_than_s", std::to_string(request.older_than_s())}}};
  change.fields.push_back({"tournaments", absl::StrJoin(response.tournaments(), " ")});
  change.is_rehearsal = request.is_dry_run();
  return change;
}

absl::Status CheckPrecedence(const Precedence& precedence) {
  RETURN_IF_ERROR(wire::CheckRange("priority", precedence.priority, -kPriorityMax, kPriorityMax));
  return wire::CheckRange("share", precedence.share, 1, kShareMax);
}

// Signals internally that a page is full.
absl::Status PageIsFull() { return absl::OutOfRangeError("page"); }

}  // namespace

template <class F>
grpc::ServerUnaryReactor* TournamentService::Answer(grpc::CallbackServerContext* context,
                                                    std::string_view method, Where where, F work,
                                                    const DescribeChange& change) {
  CHECK(where != Where::kChange || change);
  const Post post = [this, where](std::function<void()> task) {
    if (where == Where::kChange) return coordinator_->PostChange(std::move(task));
    if (where == Where::kRead) return coordinator_->PostRead(std::move(task));
    coordinator_->PostView(std::move(task));
  };
  if (where == Where::kChange) {
    return AnswerCall(context, method, *gate_, {Access::Role::kOperator}, metrics_, post, work,
                      change);
  }
  return AnswerCall(context, method, *gate_, {Access::Role::kOperator, Access::Role::kUser},
                    metrics_, post, work, change);
}

grpc::ServerUnaryReactor* TournamentService::Submit(grpc::CallbackServerContext* context,
                                                    const v1::SubmitRequest* request,
                                                    v1::SubmitResponse* response) {
  return Answer(
      context, "Submit", Where::kChange,
      [this, request, response](const Access::Caller&) { return DoSubmit(*request, response); },
      [response] {
        return Change{"submit", {{"tournament", response->tournament()}}};
      });
}

absl::Status TournamentService::DoSubmit(const v1::SubmitRequest& request,
                                         v1::SubmitResponse* response) {
  if (request.spec_json().size() > wire::kSpecBytesMax ||
      request.spec_text().size() > wire::kSpecBytesMax) {
    return absl::InvalidArgumentError("the spec is too long");
  }
  ASSIGN_OR_RETURN(const TournamentSpec spec, SpecFromJson(request.spec_json()));
  if (spec.games < 1) return absl::InvalidArgumentError("spec: games must be at least 1");
  Precedence precedence = {.priority = request.priority()};
  if (request.has_share()) precedence.share = request.share();
  RETURN_IF_ERROR(CheckPrecedence(precedence));
  ASSIGN_OR_RETURN(const int64_t id, coordinator_->Submit(spec, request.spec_text(), precedence));
  response->set_tournament(id);
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* TournamentService::List(grpc::CallbackServerContext* context,
                                                  const v1::ListRequest*,
                                                  v1::ListResponse* response) {
  return Answer(context, "List", Where::kView,
                [this, response](const Access::Caller&) { return DoList(response); });
}

absl::Status TournamentService::DoList(v1::ListResponse* response) {
  for (const TournamentStatus& status : coordinator_->Tournaments()) {
    ToWire(status, response->add_tournaments());
  }
  for (const WorkerView& view : coordinator_->Workers()) {
    ToWire(view, response->add_workers());
  }
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* TournamentService::Get(grpc::CallbackServerContext* context,
                                                 const v1::GetRequest* request,
                                                 v1::GetResponse* response) {
  return Answer(context, "Get", Where::kView, [this, request, response](const Access::Caller&) {
    return DoGet(*request, response);
  });
}

absl::Status TournamentService::DoGet(const v1::GetRequest& request, v1::GetResponse* response) {
  ASSIGN_OR_RETURN(const TournamentStatus status, coordinator_->Tournament(request.tournament()));
  ToWire(status, response->mutable_tournament());
  response->set_spec_json(SpecToJson(status.spec));
  for (const Leaderboard::Row& bot : status.leaderboard) {
    v1::LeaderboardRow* const row = response->add_leaderboard();
    row->set_bot(bot.bot);
    row->set_games(bot.games);
    row->set_points(bot.points);
  }
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* TournamentService::SetState(grpc::CallbackServerContext* context,
                                                      const v1::SetStateRequest* request,
                                                      v1::SetStateResponse*) {
  return Answer(
      context, "SetState", Where::kChange,
      [this, request](const Access::Caller&) { return DoSetState(*request); },
      [request] {
        return Change{ActionOf(request->state()), {{"tournament", request->tournament()}}};
      });
}

absl::Status TournamentService::DoSetState(const v1::SetStateRequest& request) {
  const std::optional<TournamentState> state = ParseTournamentState(request.state());
  if (!state || *state == TournamentState::kDone) {
    return absl::InvalidArgumentError("state: expected active, paused or cancelled, not " +
                                      Quote(request.state()));
  }
  return coordinator_->SetState(request.tournament(), *state);
}

grpc::ServerUnaryReactor* TournamentService::Delete(grpc::CallbackServerContext* context,
                                                    const v1::DeleteRequest* request,
                                                    v1::DeleteResponse*) {
  return Answer(
      context, "Delete", Where::kChange,
      [this, request](const Access::Caller&) {
        return coordinator_->Delete(request->tournament());
      },
      [request] {
        return Change{"delete", {{"tournament", request->tournament()}}};
      });
}

grpc::ServerUnaryReactor* TournamentService::Prune(grpc::CallbackServerContext* context,
                                                   const v1::PruneRequest* request,
                                                   v1::PruneResponse* response) {
  return Answer(
      context, "Prune", Where::kChange,
      [this, request, response](const Access::Caller&) { return DoPrune(*request, response); },
      [request, response] { return ChangeOf(*request, *response); });
}

absl::Status TournamentService::DoPrune(const v1::PruneRequest& request,
                                        v1::PruneResponse* response) {
  RETURN_IF_ERROR(wire::CheckCount("older_than_s", request.older_than_s(), kPruneSecondsMax));
  ASSIGN_OR_RETURN(const Pruned pruned,
                   triarch::Prune(*coordinator_, std::chrono::seconds(request.older_than_s()),
                                  request.with_tournaments(), request.is_dry_run()));
  response->set_leases(pruned.leases);
  response->set_workers(pruned.workers);
  response->set_ratings(pruned.ratings);
  for (const int64_t id : pruned.tournaments) response->add_tournaments(id);
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* TournamentService::SetPrecedence(grpc::CallbackServerContext* context,
                                                           const v1::SetPrecedenceRequest* request,
                                                           v1::SetPrecedenceResponse* response) {
  return Answer(
      context, "SetPrecedence", Where::kChange,
      [this, request, response](const Access::Caller&) {
        return DoSetPrecedence(*request, response);
      },
      [request] { return ChangeOf(*request); });
}

absl::Status TournamentService::DoSetPrecedence(const v1::SetPrecedenceRequest& request,
                                                v1::SetPrecedenceResponse* response) {
  ASSIGN_OR_RETURN(const TournamentStatus status, coordinator_->Tournament(request.tournament()));
  Precedence precedence = status.precedence;
  if (request.has_priority()) precedence.priority = request.priority();
  if (request.has_share()) precedence.share = request.share();
  RETURN_IF_ERROR(CheckPrecedence(precedence));
  RETURN_IF_ERROR(triarch::SetPrecedence(*coordinator_, request.tournament(), precedence));
  response->set_priority(precedence.priority);
  response->set_share(precedence.share);
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* TournamentService::Evict(grpc::CallbackServerContext* context,
                                                   const v1::EvictRequest* request,
                                                   v1::EvictResponse* response) {
  return Answer(
      context, "Evict", Where::kChange,
      [this, request, response](const Access::Caller&) { return DoEvict(*request, response); },
      [request] {
        return Change{"evict",
                      {{"worker", request->worker()}, {"quarantine", request->quarantine()}}};
      });
}

absl::Status TournamentService::DoEvict(const v1::EvictRequest& request,
                                        v1::EvictResponse* response) {
  RETURN_IF_ERROR(wire::CheckName("worker", request.worker()));
  RETURN_IF_ERROR(wire::CheckNameOrEmpty("quarantine", request.quarantine()));
  ASSIGN_OR_RETURN(const int64_t leases,
                   triarch::Evict(*coordinator_, request.worker(), request.quarantine()));
  response->set_leases(leases);
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* TournamentService::Unquarantine(grpc::CallbackServerContext* context,
                                                          const v1::UnquarantineRequest* request,
                                                          v1::UnquarantineResponse*) {
  return Answer(
      context, "Unquarantine", Where::kChange,
      [this, request](const Access::Caller&) -> absl::Status {
        RETURN_IF_ERROR(wire::CheckName("worker", request->worker()));
        return triarch::Unquarantine(*coordinator_, request->worker());
      },
      [request] {
        return Change{"unquarantine", {{"worker", request->worker()}}};
      });
}

grpc::ServerUnaryReactor* TournamentService::Standings(grpc::CallbackServerContext* context,
                                                       const v1::StandingsRequest* request,
                                                       v1::StandingsResponse* response) {
  return Answer(
      context, "Standings", Where::kRead,
      [this, request, response](const Access::Caller&) { return DoStandings(*request, response); });
}

absl::Status TournamentService::DoStandings(const v1::StandingsRequest& request,
                                            v1::StandingsResponse* response) {
  RETURN_IF_ERROR(coordinator_->Tournament(request.tournament()).status());
  absl::StatusOr<StandingsReport> standings = absl::UnknownError("");
  coordinator_->Read([&](Store& store) { standings = ReadStandings(store, request.tournament()); });
  RETURN_IF_ERROR(standings.status());
  response->set_text(standings->text);
  response->set_json(standings->json);
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* TournamentService::Games(grpc::CallbackServerContext* context,
                                                   const v1::GamesRequest* request,
                                                   v1::GamesResponse* response) {
  return Answer(context, "Games", Where::kRead, [this, request, response](const Access::Caller&) {
    return DoGames(*request, response);
  });
}

absl::Status TournamentService::DoGames(const v1::GamesRequest& request,
                                        v1::GamesResponse* response) {
  ASSIGN_OR_RETURN(const TournamentStatus status, coordinator_->Tournament(request.tournament()));
  ASSIGN_OR_RETURN(const GameInfo* const info, FindGame(status.spec.game));
  GameFilter filter{.bot = std::nullopt, .first = request.first()};
  if (!request.bot().empty()) filter.bot = request.bot();
  if (request.has_last()) filter.last = request.last();
  size_t bytes = 0;
  response->set_next(-1);
  const auto add = [&](const GameSummary& game, std::string_view tpgn) -> absl::Status {
    if (response->games_size() >= kPageGames || bytes >= kPageBytes) {
      response->set_next(game.index);
      return PageIsFull();
    }
    bytes += tpgn.size();
    wire::ToWire(game, info->seats, tpgn, response->add_games());
    return absl::OkStatus();
  };
  absl::Status read;
  coordinator_->Read([&](Store& store) {
    if (request.with_tpgn()) {
      read = store.VisitTpgn(request.tournament(), filter, add);
    } else {
      read = store.VisitGames(request.tournament(), filter,
                              [&](const GameSummary& game) { return add(game, {}); });
    }
  });
  return response->next() >= 0 ? absl::OkStatus() : read;
}

grpc::ServerUnaryReactor* TournamentService::Faults(grpc::CallbackServerContext* context,
                                                    const v1::FaultsRequest* request,
                                                    v1::FaultsResponse* response) {
  return Answer(context, "Faults", Where::kRead,
                [this, request, response](const Access::Caller& caller) {
                  return DoFaults(*request, caller, response);
                });
}

absl::Status TournamentService::CheckOwner(const TournamentSpec& spec, const std::string& bot,
                                           const Access::Caller& caller) {
  if (caller.is_operator()) return absl::OkStatus();
  if (bot.empty()) return absl::PermissionDeniedError("name one of your bots (--bot NAME)");
  ASSIGN_OR_RETURN(const int number, FindBot(spec, bot));
  const std::string& digest = spec.bots[static_cast<size_t>(number)].digest;
  for (const StoredBundle& bundle : *coordinator_->bundles().All()) {
    if (bundle.digest == digest && bundle.added_by == caller.name) return absl::OkStatus();
  }
  return absl::PermissionDeniedError("only operators and the user who added " + bot +
                                     " may see its faults");
}

absl::Status TournamentService::DoFaults(const v1::FaultsRequest& request,
                                         const Access::Caller& caller,
                                         v1::FaultsResponse* response) {
  ASSIGN_OR_RETURN(const TournamentStatus status, coordinator_->Tournament(request.tournament()));
  RETURN_IF_ERROR(CheckOwner(status.spec, request.bot(), caller));
  GameFilter filter{.bot = std::nullopt, .first = request.first(), .last = request.last()};
  if (!request.bot().empty()) filter.bot = request.bot();
  size_t bytes = 0;
  response->set_next(-1);
  absl::Status read;
  coordinator_->Read([&](Store& store) {
    read = store.VisitFaults(
        request.tournament(), filter, [&](const StoredFault& fault) -> absl::Status {
          const int count = response->faults_size();
          const bool is_new_game = count > 0 && response->faults(count - 1).index() != fault.index;
          if (bytes >= kPageBytes && is_new_game) {
            response->set_next(fault.index);
            return PageIsFull();
          }
          v1::RecordedFault* const wire = response->add_faults();
          wire->set_index(fault.index);
          wire->set_match(fault.match);
          wire->set_bot(static_cast<uint32_t>(fault.bot));
          wire::ToWire(fault.fault, wire->mutable_fault());
          bytes += wire->ByteSizeLong();
          return absl::OkStatus();
        });
  });
  return response->next() >= 0 ? absl::OkStatus() : read;
}

}  // namespace triarch
