#include "tests/simulation/sim_worker.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"

namespace triarch::simulation {
namespace {

// A call that is not answered fails after this, in units.
constexpr double kDeadline = 5;

std::chrono::milliseconds Ms(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration);
}

// The disk of a machine.
class SimSpill : public Spill {
 public:
  SimSpill(World& world, const Machine& machine) : world_(world), machine_(machine) {}

  absl::StatusOr<int64_t> Put(const std::vector<GameRecord>& games) override {
    if (machine_.is_disk_full) {
      ++world_.tally().spill_faults;
      return absl::ResourceExhaustedError("the disk is full");
    }
    ++world_.tally().spilled;
    batches_[++last_] = games;
    return last_;
  }
  absl::StatusOr<std::vector<GameRecord>> Take(int64_t number) override {
    std::vector<GameRecord> games = std::move(batches_.at(number));
    batches_.erase(number);
    if (!machine_.is_disk_damaged) return games;
    ++world_.tally().spill_faults;
    return absl::DataLossError("the disk is damaged");
  }
  void Drop(int64_t number) override { batches_.erase(number); }

 private:
  World& world_;
  const Machine& machine_;
  std::map<int64_t, std::vector<GameRecord>> batches_;
  int64_t last_ = 0;
};

LeaseQueue::Options OptionsFor(World& world, const Machine& machine) {
  // Plies are some hundreds a game: memory for about 50 games, and as many in the spill.
  return {.slots = machine.slots,
          .ahead = Ms(world.Units(3)),
          .report_after = Ms(world.Units(2)),
          .report_plies = 2'000,
          .report_plies_first = 500,
          .slow = Ms(world.Units(kDeadline / 2)),
          .memory_plies_max = 10'000,
          .spill_plies_max = 10'000,
          .seed = world.random().Next()};
}

}  // namespace

SimWorker::SimWorker(World& world, Network& network, Dial dial, Machine& machine, uint64_t instance)
    : world_(world),
      network_(network),
      dial_(std::move(dial)),
      machine_(machine),
      info_{.id = {machine.name, instance},
            .slots = machine.slots,
            .games = {"game"},
            .bots = {{.type = "bot", .digest = machine.digest}},
            .build = "simulation"},
      queue_(OptionsFor(world, machine), info_.id, std::make_unique<SimSpill>(world, machine)) {}

SimWorker::~SimWorker() { CheckInvariants(); }

// ---- Events.

void SimWorker::WhenAwake(const std::function<void(SimWorker&)>& work) {
  if (world_.now() >= frozen_until_) return work(*this);
  world_.At(frozen_until_, [weak = weak_from_this(), work] {
    if (const auto self = weak.lock()) self->WhenAwake(work);
  });
}

void SimWorker::Later(double units, std::function<void(SimWorker&)> work) {
  world_.In(units, [weak = weak_from_this(), work = std::move(work)] {
    if (const auto self = weak.lock()) self->WhenAwake(work);
  });
}

void SimWorker::WakeAt(Time time) {
  if (wake_ && *wake_ <= time) return;
  wake_ = time;
  world_.At(time, [weak = weak_from_this(), time] {
    const auto self = weak.lock();
    if (!self || self->wake_ != time) return;
    self->WhenAwake([time](SimWorker& worker) {
      if (worker.wake_ == time) worker.wake_.reset();
      worker.Speak();
    });
  });
}

// ---- Calls.

template <class Reply>
void SimWorker::Send(const Ask<Reply>& ask, const Answer<Reply>& answer, int64_t plies) {
  const auto deliver = [dial = dial_, address = address_, ask, answer] {
    const auto coordinator = dial(address);
    if (!coordinator) return answer(absl::UnavailableError("nobody listens"));
    ask(*coordinator, answer);
  };
  network_.ToCoordinator(machine_.number, deliver, plies);
}

template <class Reply>
void SimWorker::Call(CallState SimWorker::*call, const Ask<Reply>& ask,
                     const std::function<void(SimWorker&, const absl::StatusOr<Reply>&)>& done,
                     int64_t plies) {
  CallState& state = this->*call;
  const int64_t number = ++state.number;
  state.is_under_way = true;
  // One answer only, the first: that there is none is one too.
  const auto finish = [call, number, done](SimWorker& self, const absl::StatusOr<Reply>& reply) {
    CallState& own = self.*call;
    if (!own.is_under_way || own.number != number) return;
    own.is_under_way = false;
    done(self, reply);
    self.Speak();
  };
  const Answer<Reply> answer = [weak = weak_from_this(), &network = network_,
                                machine = machine_.number,
                                finish](const absl::StatusOr<Reply>& reply) {
    network.ToWorker(machine, [weak, finish, reply] {
      const auto self = weak.lock();
      if (!self) return;
      self->WhenAwake([finish, reply](SimWorker& worker) { finish(worker, reply); });
    });
  };
  Send(ask, answer, plies);
  Later(kDeadline,
        [finish](SimWorker& self) { finish(self, absl::DeadlineExceededError("no answer")); });
}

bool SimWorker::Note(CallState& call, const absl::Status& status) {
  if (status.ok()) {
    call.failures = 0;
    return true;
  }
  if (world_.logs()) {
    world_.Log(absl::StrFormat("%s: %s", machine_.name, std::string(status.message())));
  }
  if (absl::IsPermissionDenied(status)) is_quarantined_ = true;
  if (absl::IsNotFound(status)) is_registered_ = false;
  if (absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status)) {
    address_ = 1 - address_;  // perhaps the other coordinator
    is_registered_ = false;
  }
  const double most = std::min(5.0, 0.1 * static_cast<double>(1 << std::min(call.failures, 10)));
  ++call.failures;
  call.next = world_.now() + world_.Units(most * (0.5 + world_.random().Unit() / 2));
  return false;
}

// ---- What to say.

void SimWorker::Speak() {
  if (is_quarantined_) return;
  Play();
  if (is_registered_) return SpeakAsRegistered();
  if (registration_.is_under_way) return;
  if (registration_.next > world_.now()) return WakeAt(registration_.next);
  Register();
}

void SimWorker::SpeakAsRegistered() {
  const Time now = world_.now();
  const auto may = [&](const CallState& call) {
    if (call.is_under_way) return false;
    if (call.next > now) WakeAt(call.next);
    return call.next <= now;
  };
  if (may(heartbeat_)) SendHeartbeat();
  if (queue_.WantsLease(now) && may(lease_)) AskForLease();
  const std::optional<Time> due = queue_.ReportDue();
  if (due && *due > now) WakeAt(*due);
  if (due && *due <= now && may(report_)) SendReport();
}

void SimWorker::Register() {
  Call<bool>(
      &SimWorker::registration_,
      [info = info_](SimCoordinator& coordinator, const Answer<bool>& answer) {
        const absl::Status status = coordinator.Register(info);
        answer(status.ok() ? absl::StatusOr<bool>(true) : status);
      },
      [](SimWorker& self, const absl::StatusOr<bool>& reply) {
        if (!self.Note(self.registration_, reply.status())) return;
        self.is_registered_ = true;
        self.heartbeat_.next = self.lease_.next = self.report_.next = self.world_.now();
      });
}

void SimWorker::AskForLease() {
  Call<LeaseReply>(
      &SimWorker::lease_,
      [id = info_.id](SimCoordinator& coordinator, const Answer<LeaseReply>& answer) {
        answer(coordinator.RequestLease(id));
      },
      [](SimWorker& self, const absl::StatusOr<LeaseReply>& reply) {
        if (!self.Note(self.lease_, reply.status())) return;
        self.lease_.next = self.world_.now() + reply->retry;
        if (!reply->lease) return;
        self.lease_.next = self.world_.now();
        self.queue_.Add(*reply->lease, self.world_.now());
      });
}

void SimWorker::SendHeartbeat() {
  Call<HeartbeatReply>(
      &SimWorker::heartbeat_,
      [heartbeat = queue_.MakeHeartbeat(world_.now())](SimCoordinator& coordinator,
                                                       const Answer<HeartbeatReply>& answer) {
        answer(coordinator.Heartbeat(heartbeat));
      },
      [](SimWorker& self, const absl::StatusOr<HeartbeatReply>& reply) {
        self.queue_.OnHeartbeatEnd(self.world_.now());
        if (!self.Note(self.heartbeat_, reply.status())) return;
        self.heartbeat_.next = self.world_.now() + reply->next;
        for (const uint64_t token : reply->cancelled) self.Cancel(token);
      });
}

void SimWorker::SendReport() {
  const triarch::Report* const due = queue_.NextReport(world_.now());
  StartTransfer();  // what is due may be in the spill
  if (due == nullptr) return;
  const uint64_t token = due->token;
  int64_t plies = 0;
  for (const GameRecord& game : due->games) plies += game.plies;
  Call<ReportReply>(
      &SimWorker::report_,
      [report = machine_.is_liar ? Falsified(*due) : *due](SimCoordinator& coordinator,
                                                           const Answer<ReportReply>& answer) {
        coordinator.Report(report, answer);
      },
      [token](SimWorker& self, const absl::StatusOr<ReportReply>& reply) {
        ReportReply answer;
        const bool is_false = absl::IsInvalidArgument(reply.status());
        answer.outcome = is_false ? ReportOutcome::kRejected : ReportOutcome::kRetry;
        answer.is_cancelled = is_false;
        if (reply.ok()) answer = *reply;
        self.Note(self.report_, is_false ? absl::OkStatus() : reply.status());
        if (answer.outcome == ReportOutcome::kRetry) ++self.world_.tally().retries;
        self.queue_.OnReply(answer, self.world_.now());
        if (answer.is_cancelled) self.Cancel(token);
      },
      plies);
}

// A liar lies in one report of three, in one of five ways.
triarch::Report SimWorker::Falsified(triarch::Report report) {
  if (report.games.empty() || world_.Chance(0.67)) return report;
  GameRecord& game = report.games.back();
  switch (world_.Between(0, 4)) {
    case 0:
      game.outcome.place[Seat::kFirst] = 1;
      game.plies += 1;
      break;
    case 1:
      game.index += 100'000'000;
      break;
    case 2:
      game.index = -1;
      break;
    case 3:
      report.token += 1;  // of somebody else
      break;
    default:
      report.games.push_back(game);
  }
  return report;
}

void SimWorker::Leave() {
  Send<bool>(
      [id = info_.id](SimCoordinator& coordinator, const Answer<bool>&) { coordinator.Leave(id); },
      [](const absl::StatusOr<bool>&) {});
}

// ---- Play.

void SimWorker::Cancel(uint64_t token) {
  queue_.Cancel(token);
  std::erase_if(playing_, [&](const auto& game) { return game.second.token == token; });
}

void SimWorker::Play() {
  while (static_cast<int64_t>(playing_.size()) < machine_.slots) {
    const std::optional<LeaseQueue::Order> order = queue_.Next();
    if (!order) return;
    if (!world_.is_calm() && world_.Chance(0.002)) {  // a bot that crashes on its own
      queue_.Abandon(*order);
      continue;
    }
    const int64_t game = ++games_begun_;
    playing_[game] = *order;
    const double units = machine_.game_units * (0.3 + world_.Exponential(0.7));
    Later(units, [game, units](SimWorker& self) { self.Finish(game, units); });
  }
}

void SimWorker::Finish(int64_t game, double units) {
  const auto found = playing_.find(game);
  if (found == playing_.end()) return;  // it was cancelled
  const LeaseQueue::Order order = found->second;
  playing_.erase(found);
  world_.Expect(!queue_.IsOver(order), "a game of a lease that is over is still played");
  ++world_.tally().games_played;
  world_.tally().play_hours +=
      std::chrono::duration<double, std::ratio<3600>>(world_.Units(units)).count();
  ++games_finished_;
  queue_.Finish(order, PlayedGame(order.tournament, order.index, machine_.digest), world_.now());
  StartTransfer();
  Speak();
}

// The disk takes its time. What is put there or taken is as the disk is then.
void SimWorker::StartTransfer() {
  std::optional<LeaseQueue::Transfer> next = queue_.NextTransfer();
  if (!next) return;
  const auto transfer = std::make_shared<LeaseQueue::Transfer>(*std::move(next));
  Later(world_.Exponential(0.2), [transfer](SimWorker& self) {
    const int64_t held = self.queue_.games_held();
    transfer->Run();
    self.queue_.OnTransferEnd(std::move(*transfer));
    self.games_given_back_ += held - self.queue_.games_held();
    self.StartTransfer();
    self.Play();  // the spill may have lost games
    self.Speak();
  });
}

void SimWorker::CheckInvariants() const {
  const int64_t known =
      queue_.games_recorded() + queue_.games_lost() + queue_.games_held() + games_given_back_;
  world_.Expect(games_finished_ == known, "a worker has lost games that it played");
  world_.Expect(
      queue_.is_idle() || queue_.games_open() > 0 || !playing_.empty() || queue_.games_held() > 0,
      "a worker keeps a lease of which nothing is left");
  const int64_t plies_least = 50;
  world_.Expect(queue_.games_held() <= 20'000 / plies_least + 2 * machine_.slots + 40,
                "a worker holds more games than it may");
}

}  // namespace triarch::simulation
