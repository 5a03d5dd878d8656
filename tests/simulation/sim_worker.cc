#include "tests/simulation/sim_worker.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_format.h"
#include "selfplay/shard/shard.h"

namespace triarch::simulation {
namespace {

std::chrono::milliseconds Ms(Duration duration) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(duration);
}

// A machine's disk, which sometimes fails.
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

WorkerSession::Options OptionsFor(World& world, double deadline, const Machine& machine,
                                  const WorkerInfo& info) {
  // Games have a few hundred plies each: memory for about 50 games, and the same in the spill.
  return {.worker = info,
          .queue = {.slots = machine.slots,
                    .ahead = Ms(world.Units(3)),
                    .report_after = Ms(world.Units(2)),
                    .report_plies = 2'000,
                    .report_plies_first = 500,
                    .slow = Ms(world.Units(deadline / 2)),
                    .memory_plies_max = 10'000,
                    .spill_plies_max = 10'000,
                    .retry = {.min = Ms(world.Units(0.1)), .max = Ms(world.Units(5))},
                    .seed = world.random().Next()},
          .addresses = 2};
}

}  // namespace

SimWorker::SimWorker(const Surroundings& surroundings, Machine& machine, uint64_t instance)
    : world_(surroundings.world),
      network_(surroundings.network),
      blobs_(surroundings.blobs),
      dial_(surroundings.dial),
      machine_(machine),
      info_{.id = {machine.name, instance},
            .slots = machine.slots,
            .games = {std::string(kGame)},
            .bots = {{.type = "bot", .digest = machine.digest}},
            .build = "simulation"},
      session_(OptionsFor(world_, kDeadline, machine, info_),
               std::make_unique<SimSpill>(world_, machine)) {}

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

// `time` is on the machine's clock.
void SimWorker::WakeAt(Time time) {
  if (time == Time::max()) return;
  time -= machine_.clock;
  if (wake_ && *wake_ <= time) return;
  wake_ = time;
  world_.At(time, [weak = weak_from_this(), time] {
    const auto self = weak.lock();
    if (!self || self->wake_ != time) return;
    self->WhenAwake([time](SimWorker& worker) {
      if (worker.wake_ == time) worker.wake_.reset();
      worker.Run();
    });
  });
}

template <class Reply>
void SimWorker::Call(size_t address, Ask<Reply> ask, Done<Reply> done, int64_t plies,
                     double deadline) {
  const auto is_open = std::make_shared<bool>(true);
  const Done<Reply> finish = [is_open, done = std::move(done)](SimWorker& self,
                                                               const absl::StatusOr<Reply>& reply) {
    if (!std::exchange(*is_open, false)) return;
    done(self, reply);
    self.Run();
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
  const auto deliver = [dial = dial_, address, ask = std::move(ask), answer] {
    const auto coordinator = dial(address);
    if (!coordinator) return answer(absl::UnavailableError("no coordinator listens"));
    ask(*coordinator, answer);
  };
  network_.ToCoordinator(machine_.number, deliver, plies);
  Later(deadline,
        [finish](SimWorker& self) { finish(self, absl::DeadlineExceededError("no answer")); });
}

// ---- Actions.

void SimWorker::Run() {
  while (std::optional<session::Action> action = session_.Next(Now())) {
    std::visit([this](auto& one) { Perform(one); }, *action);
  }
  StartTransfer();
  Play();
  // A driver with threads does not wake twice at the same instant either.
  WakeAt(std::max(session_.NextTime(Now()), Now() + std::chrono::milliseconds(1)));
}

void SimWorker::Perform(session::Register& action) {
  Call<bool>(
      action.address,
      [info = info_](SimCoordinator& coordinator, const Answer<bool>& answer) {
        const absl::Status status = coordinator.Register(info);
        answer(status.ok() ? absl::StatusOr<bool>(true) : status);
      },
      [](SimWorker& self, const absl::StatusOr<bool>& reply) {
        self.session_.OnRegistered(reply.status(), self.Now());
      });
}

void SimWorker::Perform(session::RequestLease& action) {
  Call<LeaseArrival>(
      action.address,
      [id = info_.id, known = action.known_tournaments, &world = world_](
          SimCoordinator& coordinator, const Answer<LeaseArrival>& answer) {
        const absl::StatusOr<LeaseReply> reply = coordinator.RequestLease(id);
        if (!reply.ok()) return answer(reply.status());
        LeaseArrival arrival{.reply = *reply, .needs = {}};
        const bool is_known = !reply->lease || std::find(known.begin(), known.end(),
                                                         reply->lease->tournament) != known.end();
        if (!is_known) arrival.needs = world.plan(reply->lease->tournament).needs;
        answer(arrival);
      },
      [](SimWorker& self, const absl::StatusOr<LeaseArrival>& arrival) {
        self.session_.OnLease(arrival, self.Now());
      });
}

void SimWorker::Perform(session::SendHeartbeat& action) {
  Call<HeartbeatReply>(
      action.address,
      [heartbeat = std::move(action.heartbeat)](SimCoordinator& coordinator,
                                                const Answer<HeartbeatReply>& answer) {
        answer(coordinator.Heartbeat(heartbeat));
      },
      [](SimWorker& self, const absl::StatusOr<HeartbeatReply>& reply) {
        self.session_.OnHeartbeat(reply, self.Now());
      });
}

void SimWorker::Perform(session::SendReport& action) {
  int64_t plies = 0;
  for (const GameRecord& game : action.report->games) plies += game.plies;
  if (action.report->shard) CheckShard(*action.report);
  Call<ReportReply>(
      action.address,
      [report = machine_.is_liar ? Falsified(*action.report) : *action.report](
          SimCoordinator& coordinator, const Answer<ReportReply>& answer) {
        coordinator.Report(report, answer);
      },
      [](SimWorker& self, const absl::StatusOr<ReportReply>& reply) {
        const ReportOutcome outcome = self.session_.OnReport(reply, self.Now());
        if (outcome == ReportOutcome::kRetry) ++self.world_.tally().retries;
      },
      plies, kDeadline + static_cast<double>(plies) / 100);
}

void SimWorker::Perform(session::Leave& action) {
  Call<bool>(
      action.address,
      [id = info_.id](SimCoordinator& coordinator, const Answer<bool>& answer) {
        coordinator.Leave(id);
        answer(true);
      },
      [](SimWorker& self, const absl::StatusOr<bool>&) { self.session_.OnLeft(); });
}

void SimWorker::Perform(session::AbandonGames& action) {
  std::vector<WorkerSession::Game> abandoned;
  for (auto game = playing_.begin(); game != playing_.end();) {
    if (action.token && game->second.token != *action.token) {
      ++game;
      continue;
    }
    abandoned.push_back(game->second);
    game = playing_.erase(game);
  }
  for (const WorkerSession::Game& game : abandoned) {
    session_.OnGameEnd(game, std::nullopt, Now());
  }
}

void SimWorker::Perform(session::RefuseLease& action) {
  ++world_.tally().refusals;
  Call<bool>(
      action.address,
      [id = info_.id, action](SimCoordinator& coordinator, const Answer<bool>& answer) {
        coordinator.Release(id, {action.token}, action.why, false);
        answer(true);
      },
      [](SimWorker& self, const absl::StatusOr<bool>& reply) {
        self.session_.OnRefused(reply.status(), self.Now());
      });
}

namespace {

// Returns some of the bundle's bytes, which may be wrong.
absl::StatusOr<BundlePart> PartOf(World& world, const std::string& tar, int64_t offset) {
  BundlePart part{
      .size = static_cast<int64_t>(tar.size()),
      .bytes = tar.substr(static_cast<size_t>(offset), static_cast<size_t>(world.Between(1, 40)))};
  ++world.tally().bundle_parts;
  if (world.is_calm() || !world.Chance(0.04)) return part;
  ++world.tally().bundle_faults;
  if (world.Chance(0.3)) return absl::NotFoundError("there is no such bundle");
  world.Chance(0.5) ? part.bytes.front() ^= 1 : ++part.size;
  return part;
}

}  // namespace

void SimWorker::Perform(session::FetchBundle& action) {
  Call<BundlePart>(
      action.address,
      [action, &world = world_](SimCoordinator& coordinator, const Answer<BundlePart>& answer) {
        const absl::StatusOr<std::string> tar = coordinator.FetchBundle(action.digest);
        tar.ok() ? answer(PartOf(world, *tar, action.offset)) : answer(tar.status());
      },
      [](SimWorker& self, const absl::StatusOr<BundlePart>& part) {
        self.session_.OnBundlePart(part, self.Now());
      });
}

void SimWorker::Perform(session::CheckNeeds& action) {
  Later(world_.Exponential(0.05), [missing = action.bundles](SimWorker& self) mutable {
    std::erase_if(missing, [&](const NeededBundle& one) {
      return self.machine_.bundles.contains(one.digest);
    });
    self.session_.OnNeedsChecked(missing, self.Now());
    self.Run();
  });
}

void SimWorker::Perform(session::StoreBundle& action) {
  Later(world_.Exponential(0.2), [action = std::move(action)](SimWorker& self) {
    std::erase_if(self.machine_.bundles,
                  [&](const std::string& digest) { return !action.keep.contains(digest); });
    absl::Status status;
    if (action.tar != TarOf(action.digest)) {
      status = absl::InvalidArgumentError("another digest");
    } else if (self.machine_.is_disk_full) {
      status = absl::ResourceExhaustedError("the disk is full");
    } else {
      self.machine_.bundles.insert(action.digest);
    }
    self.session_.OnBundleStored(status, self.Now());
    self.Run();
  });
}

void SimWorker::Perform(session::MakeShard& action) {
  SimBlobs::Shard shard{.tournament = action.tournament, .games = {}};
  ShardEntry entry{.games = static_cast<int64_t>(action.report->games.size()),
                   .format = kShardFormat};
  for (const GameRecord& game : action.report->games) {
    world_.Expect(game.samples.has_value(), "a game of self-play lacks its samples");
    shard.games.insert(game.index);
    if (game.samples) entry.samples += game.samples->count;
  }
  entry.first = *shard.games.begin();
  entry.last = *shard.games.rbegin();
  entry.shard = absl::StrFormat("%d-%d", info_.id.instance, ++shards_made_);
  Later(world_.Exponential(0.5), [shard = std::move(shard), entry](SimWorker& self) {
    const absl::Status status = self.blobs_.Put(entry.shard, shard);
    self.session_.OnShard(status.ok() ? absl::StatusOr<ShardEntry>(entry) : status, self.Now());
    self.Run();
  });
}

// Checks that a report carries no samples and names a stored shard with exactly its games.
void SimWorker::CheckShard(const triarch::Report& report) const {
  const SimBlobs::Shard* const shard = blobs_.Find(report.shard->shard);
  if (shard == nullptr) return world_.Fail("a report names a shard that is not stored");
  world_.Expect(shard->games.size() == report.games.size(), "a shard and its report differ");
  for (const GameRecord& game : report.games) {
    world_.Expect(shard->games.contains(game.index), "a game is not in its shard");
    world_.Expect(!game.samples, "samples are sent to the coordinator");
  }
}

void SimWorker::Perform(session::Log& action) {
  if (!world_.logs()) return;
  world_.Log(absl::StrFormat("%s: %s", machine_.name, std::string(action.entry.message)));
}

// A liar falsifies one report in three, in one of five ways.
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
      report.token += 1;  // another lease's
      break;
    default:
      report.games.push_back(game);
  }
  return report;
}

void SimWorker::Leave(double patience) {
  session_.Leave(Now() + world_.Units(patience));
  Run();
}

// ---- Play.

void SimWorker::Play() {
  while (static_cast<int64_t>(playing_.size()) < machine_.slots) {
    const std::optional<WorkerSession::Game> game = session_.NextGame();
    if (!game) return;
    if (!world_.is_calm() && world_.Chance(0.002)) {  // a bot that crashes for no reason
      session_.OnGameEnd(*game, std::nullopt, Now());
      continue;
    }
    if (!world_.is_calm() && world_.Chance(0.0003)) {
      session_.OnGameRefused(*game, absl::NotFoundError("the bot cannot be created"));
      // Several games may end at this instant, after a freeze.
      return Run();
    }
    const int64_t number = ++games_begun_;
    playing_[number] = *game;
    if (machine_.is_hoarder) continue;
    const double units = machine_.game_units * (0.3 + world_.Exponential(0.7));
    Later(units, [number, units](SimWorker& self) { self.Finish(number, units); });
  }
}

void SimWorker::Finish(int64_t number, double units) {
  const auto found = playing_.find(number);
  if (found == playing_.end()) return;  // the game was abandoned
  const WorkerSession::Game game = found->second;
  playing_.erase(found);
  world_.Expect(!session_.queue().IsOver(game), "a game is still played though its lease is over");
  ++world_.tally().games_played;
  world_.tally().play_hours +=
      std::chrono::duration<double, std::ratio<3600>>(world_.Units(units)).count();
  ++games_finished_;
  session_.OnGameEnd(game, RecordOf(game), Now());
  Run();
}

GameRecord SimWorker::RecordOf(const WorkerSession::Game& game) const {
  GameRecord record =
      PlayedGame(game.tournament, game.index, machine_.digest, game.match ? &*game.match : nullptr);
  if (machine_.is_forger) record.costs[Seat::kFirst].nodes = 1 + machine_.number;
  if (world_.plan(game.tournament).is_selfplay()) {
    record.samples.emplace();
    record.samples->count = record.plies;
  }
  return record;
}

// Starts a disk transfer, which takes time. The disk's state at the end decides whether it fails.
void SimWorker::StartTransfer() {
  std::optional<LeaseQueue::Transfer> next = session_.NextTransfer();
  if (!next) return;
  const auto transfer = std::make_shared<LeaseQueue::Transfer>(*std::move(next));
  Later(world_.Exponential(0.2), [transfer](SimWorker& self) {
    const int64_t held = self.session_.queue().games_held();
    transfer->Run();
    self.session_.OnTransferEnd(std::move(*transfer));
    self.games_given_back_ += held - self.session_.queue().games_held();
    self.Run();
  });
}

void SimWorker::CheckInvariants() const {
  const LeaseQueue& queue = session_.queue();
  const int64_t known =
      queue.games_recorded() + queue.games_lost() + queue.games_held() + games_given_back_;
  world_.Expect(games_finished_ == known, "a worker has lost games that it played");
  world_.Expect(
      queue.is_idle() || queue.games_open() > 0 || !playing_.empty() || queue.games_held() > 0,
      "a worker keeps a lease that has nothing left to play or report");
  const int64_t plies_least = 50;
  world_.Expect(queue.games_held() <= 20'000 / plies_least + 2 * machine_.slots + 40,
                "a worker holds more games than it may");
}

}  // namespace triarch::simulation
