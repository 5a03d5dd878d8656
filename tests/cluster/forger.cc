#include "tests/cluster/forger.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/schedule/schedule.h"
#include "proto/convert.h"
#include "spec/spec_json.h"
#include "worker/match/match.h"
#include "worker/match/scripted_player.h"

namespace triarch {
namespace {

constexpr std::chrono::milliseconds kPause{50};

// Plays random moves and crashes at its eighth turn.
class CrashingPlayer : public RandomPlayer {
 public:
  Decision Choose(const AnyState& state, const AnyState::Moves& moves,
                  const SearchLimits& limits) override {
    if (++turns_ == 8) throw std::runtime_error("out of memory");
    return RandomPlayer::Choose(state, moves, limits);
  }

 private:
  int turns_ = 0;
};

// Plays random moves for all bots; with `crashes`, the bot in the first seat crashes.
GameRecord PlayAtRandom(const GameSpec& spec, bool crashes) {
  std::vector<std::unique_ptr<RandomPlayer>> owned;
  PerSeat<PlayerRef> players;
  for (size_t i = 0; i < kSeatsMax; ++i) {
    owned.push_back(crashes && i == 0 ? std::make_unique<CrashingPlayer>()
                                      : std::make_unique<RandomPlayer>());
    owned.back()->NewGame(SeatAt(i), spec.seed + i);
    players[SeatAt(i)] = owned.back().get();
  }
  static const std::atomic<bool> kNever = false;
  return **PlayGame(spec, players, kNever);
}

// Gives each seat costs like those of a search. The opening costs nothing.
void ForgeCosts(int64_t opening_plies, GameRecord* record) {
  record->costs = {};
  int64_t plies = 0;
  for (const RecordedEvent& event : record->events) {
    if (event.kind != RecordedEvent::Kind::kMove || plies++ < opening_plies) continue;
    SeatCost& cost = record->costs[event.seat];
    ++cost.moves;
    cost.nodes += 39;
    cost.time_us += 210;
  }
}

}  // namespace

Forger::Forger(Forgery forgery, Options options)
    : forgery_(forgery),
      options_(std::move(options)),
      stub_(v1::WorkerService::NewStub(
          grpc::CreateChannel(options_.address, grpc::InsecureChannelCredentials()))) {
  id_.set_name(options_.name);
  id_.set_instance(1);
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
}

template <class Request, class Response>
bool Forger::Call(grpc::Status (v1::WorkerService::Stub::*method)(grpc::ClientContext*,
                                                                  const Request&, Response*),
                  const Request& request, Response* response) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
  context.AddMetadata("authorization", "Bearer " + options_.token);
  const grpc::Status status = (stub_.get()->*method)(&context, request, response);
  if (status.error_code() == grpc::StatusCode::PERMISSION_DENIED) is_refused_ = true;
  return status.ok();
}

void Forger::Run(const std::stop_token& stop) {
  while (!stop.stop_requested() && !is_refused_ && !Register()) std::this_thread::sleep_for(kPause);
  while (!stop.stop_requested() && !is_refused_) {
    if (!LeaseAndReport()) std::this_thread::sleep_for(kPause);
  }
}

bool Forger::Register() {
  v1::RegisterRequest request;
  request.set_protocol(1);
  *request.mutable_worker() = id_;
  request.set_slots(1);
  request.add_games("triumvirate");
  for (const char* const type : {"random", "greedy", "mcts", "paranoid"}) {
    v1::HostedBot* const bot = request.add_bots();
    bot->set_type(type);
    bot->set_digest(options_.digest);
  }
  v1::RegisterResponse response;
  return Call(&v1::WorkerService::Stub::Register, request, &response);
}

bool Forger::LeaseAndReport() {
  v1::LeaseRequest request;
  *request.mutable_worker() = id_;
  v1::LeaseResponse response;
  if (!Call(&v1::WorkerService::Stub::Lease, request, &response)) return false;
  if (!response.has_lease()) return false;
  spec_json_ = response.lease().spec_json();
  return Report(response.lease());
}

bool Forger::Report(const v1::LeaseGrant& lease) {
  v1::ReportRequest report;
  *report.mutable_worker() = id_;
  report.set_token(lease.token());
  report.set_is_last(true);
  for (int64_t index = lease.first(); index < lease.last(); ++index) {
    wire::ToWire(Forge(index), report.add_games());
  }
  v1::ReportResponse response;
  if (!Call(&v1::WorkerService::Stub::Report, report, &response)) return false;
  if (response.outcome() != v1::ReportResponse::OUTCOME_RECORDED) return false;
  reported_ += report.games_size();
  return true;
}

GameRecord Forger::Forge(int64_t index) const {
  const GameSpec spec = Schedule::Make(*SpecFromJson(spec_json_))->Game(index);
  GameRecord record = forgery_ == Forgery::kNodes
                          ? options_.truth->at(index)
                          : PlayAtRandom(spec, forgery_ == Forgery::kForfeits);
  record.index = index;
  ForgeCosts(std::ssize(spec.opening), &record);
  return record;
}

}  // namespace triarch
