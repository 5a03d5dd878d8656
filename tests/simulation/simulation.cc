#include "tests/simulation/simulation.h"

#include <algorithm>
#include <map>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "core/record/tournament_state.h"

namespace triarch::simulation {
namespace {

constexpr double kCheckEvery = 7;
constexpr double kWatchEvery = 1;
constexpr double kPliesPerGame = 200;

// One history in four uses seconds, as production does; the others use minutes.
Settings DrawSettings(uint64_t seed) {
  Random random(DeriveSeed(seed, 1));
  const auto pick = [&](std::initializer_list<double> values) {
    return values.begin()[random.Below(static_cast<uint32_t>(values.size()))];
  };
  Settings settings;
  const bool is_short = seed % 4 == 0;
  settings.unit = std::chrono::milliseconds(is_short ? 1'000 : 120'000);
  settings.workers = 2 + random.Below(24);
  settings.tournaments = 1 + random.Below(4);
  settings.length = is_short ? 600 : 1'500;
  settings.message_delay = pick({0.005, 0.05, 0.3});
  settings.late_share = pick({0, 0.01, 0.1});
  settings.dropped_share = pick({0, 0.01, 0.1});
  settings.duplicated_share = pick({0, 0.01, 0.2});
  settings.unknown_share = pick({0, 0.02, 0.2});
  settings.faults_per_unit = pick({0.01, 0.05, 0.2});
  settings.liars = random.Below(3) == 0 ? 1 + random.Below(2) : 0;
  settings.strangers = random.Below(3) == 0 ? 1 : 0;
  settings.hoarders = random.Below(3) == 0 ? 1 + random.Below(2) : 0;
  settings.audits = random.Below(3) == 0 ? 1 + random.Below(5) : 0;
  settings.forgers = settings.audits > 0 ? random.Below(3) : 0;
  settings.keeps_lease_rows = random.Below(4) != 0;
  settings.narrow_share = pick({0, 0, 0.3, 1});
  settings.selfplay_share = pick({0, 0.4, 1});
  settings.bundle_share = pick({0, 0.4});
  settings.event_share = pick({0, 0.3});
  return settings;
}

}  // namespace

Simulation::Simulation(uint64_t seed, bool logs)
    : world_(DeriveSeed(seed, 0), DrawSettings(seed), logs),
      store_(world_),
      network_(world_, world_.settings().workers),
      blobs_(world_) {
  AddMachines();
  AddTournaments();
}

void Simulation::AddMachines() {
  const Settings& settings = world_.settings();
  const double pace = 1 + 4 * world_.random().Unit();
  for (int64_t i = 0; i < settings.workers; ++i) {
    Seat& seat = seats_.emplace_back();
    Machine& machine = seat.machine;
    machine.number = i;
    machine.name = absl::StrFormat("w%d", i);
    machine.slots = world_.Between(1, 4);
    machine.game_units = pace * (0.5 + world_.random().Unit());
    if (world_.Chance(0.1)) machine.game_units *= 20;  // a slow machine
    if (world_.Chance(settings.narrow_share)) {
      // The link carries half of what the worker plays, but a game gets through before a call's
      // deadline.
      machine.plies_per_unit = std::max(150.0, kPliesPerGame / 2 * machine.games_per_unit());
      network_.Narrow(i, machine.plies_per_unit);
    }
    const int64_t honest = i - settings.liars;
    machine.is_liar = i > 0 && honest <= 0;
    machine.digest = honest > 0 && honest <= settings.strangers ? "v2" : std::string(kBuild);
    machine.is_hoarder =
        honest > settings.strangers && honest <= settings.strangers + settings.hoarders;
    const int64_t odd = settings.strangers + settings.hoarders;
    machine.is_forger = honest > odd && honest <= odd + settings.forgers;
    const std::string_view kind = machine.is_liar      ? "a liar"
                                  : machine.is_hoarder ? "a hoarder"
                                  : machine.is_forger  ? "a forger"
                                  : machine.plays()    ? "honest"
                                                       : "a stranger";
    world_.Log(absl::StrFormat("%s is %s: %d slots, %.1f units a game, %.0f plies/unit at most",
                               machine.name, kind, machine.slots, machine.game_units,
                               machine.plies_per_unit));
  }
}

// Adds enough games to keep the cluster busy for about the time with faults.
void Simulation::AddTournaments() {
  double games_per_unit = 0;
  for (const Seat& seat : seats_) {
    if (seat.machine.plays()) games_per_unit += seat.machine.games_per_unit();
  }
  const Settings& settings = world_.settings();
  const double all = games_per_unit * settings.length * (0.3 + 0.6 * world_.random().Unit());
  for (int64_t id = 1; id <= settings.tournaments; ++id) {
    const double share = all / static_cast<double>(settings.tournaments);
    const auto games = static_cast<int64_t>(1 + share * 2 * world_.random().Unit());
    Plan plan;
    plan.games = games;
    if (world_.Chance(settings.selfplay_share)) plan.needs.shard_samples = 1'000;
    if (world_.Chance(settings.bundle_share)) {
      for (int64_t bot = world_.Between(1, 2); bot > 0; --bot) {
        const std::string digest = absl::StrFormat("d%d", id + bot);
        plan.needs.bundles.push_back({.bot = "bot", .digest = digest});
        store_.AddBundle(digest, TarOf(digest));
      }
    }
    const bool is_event = !plan.is_selfplay() && world_.Chance(settings.event_share);
    if (is_event) plan.games = kRoundGames * world_.Between(1, 20) + 6;
    world_.AddPlan(id, plan);
    if (is_event) {
      store_.AddEvent(id, plan.games);
    } else {
      store_.AddTournament(id, games, plan.is_selfplay());
    }
    store_.SetPrecedence(id, {.priority = world_.Between(0, 1), .share = world_.Between(1, 10)});
    world_.Log(absl::StrFormat("tournament %d has %d games", id, plan.games));
  }
  over_.resize(static_cast<size_t>(settings.tournaments) + 1, TournamentState::kActive);
}

SimCoordinator* Simulation::Leader() {
  for (Node& node : nodes_) {
    if (node.coordinator && node.coordinator->epoch() == store_.epoch()) {
      return node.coordinator.get();
    }
  }
  return nullptr;
}

Simulation::Seat& Simulation::AnySeat() {
  return seats_[static_cast<size_t>(world_.Between(0, static_cast<int64_t>(seats_.size()) - 1))];
}

// ---- Operators and restarts.

void Simulation::KeepNodes() {
  for (int i = 0; i < kNodes; ++i) {
    Node& node = nodes_[static_cast<size_t>(i)];
    if (node.coordinator && node.coordinator->is_deposed()) node.coordinator.reset();
    if (node.coordinator || world_.now() < node.down_until) continue;
    const std::optional<uint64_t> epoch = store_.TryLead(i);
    if (!epoch) continue;
    world_.Log(absl::StrFormat("node %d leads in epoch %d", i, *epoch));
    node.coordinator = std::make_shared<SimCoordinator>(world_, store_, tokens_, *epoch);
    node.coordinator->Start();
  }
  world_.In(kWatchEvery, [this] { KeepNodes(); });
}

void Simulation::KeepWorkers() {
  for (Seat& seat : seats_) {
    if (seat.worker && seat.worker->HasLeft()) StopWorker(seat);
    if (seat.worker || world_.now() < seat.down_until) continue;
    const auto dial = [this](size_t address) -> std::shared_ptr<SimCoordinator> {
      const auto& coordinator = nodes_[address].coordinator;
      return coordinator && !coordinator->is_frozen() ? coordinator : nullptr;
    };
    seat.worker =
        std::make_shared<SimWorker>(SimWorker::Surroundings{world_, network_, blobs_, dial},
                                    seat.machine, world_.random().Next());
    seat.worker->Start();
  }
  world_.In(kWatchEvery, [this] { KeepWorkers(); });
}

// ---- Faults.

void Simulation::ScheduleFault() {
  world_.In(world_.Exponential(1 / world_.settings().faults_per_unit), [this] {
    if (world_.is_calm()) return;
    Fault();
    ScheduleFault();
  });
}

void Simulation::Fault() {
  switch (world_.Between(0, 18)) {
    case 0:
    case 1:
    case 2:
      return CrashWorker();
    case 3:
    case 4:
    case 5:
      return CutWorker();
    case 6:
    case 7:
      return FreezeWorker();
    case 8:
    case 9:
      return SpoilDisk();
    case 10:
      return CrashCoordinator();
    case 11:
      return FreezeCoordinator();
    case 12:
      return Usurp();
    case 13:
    case 14:
      world_.Log("the store goes away");
      return store_.GoAway(world_.now() + world_.Units(world_.Exponential(10)));
    case 15:
    case 16:
      return JumpClock();
    case 17:
      world_.Log("the blob store goes away");
      return blobs_.GoAway(world_.now() + world_.Units(world_.Exponential(20)));
    default:
      return Operate();
  }
}

void Simulation::CrashWorker() {
  Seat& seat = AnySeat();
  if (!seat.worker) return;
  const bool is_orderly = world_.Chance(0.3);
  world_.Log(absl::StrFormat("%s %s", seat.machine.name, is_orderly ? "leaves" : "crashes"));
  ++world_.tally().worker_crashes;
  if (world_.Chance(0.3)) seat.machine.bundles.clear();  // its disk is replaced
  if (is_orderly) return seat.worker->Leave(world_.Exponential(10));
  StopWorker(seat);
}

void Simulation::StopWorker(Seat& seat) {
  seat.worker.reset();
  seat.down_until = world_.now() + world_.Units(world_.Exponential(20));
}

void Simulation::CutWorker() {
  const Seat& seat = AnySeat();
  const int64_t ways = world_.Between(1, 3);
  world_.Log(absl::StrFormat("%s is cut off", seat.machine.name));
  ++world_.tally().cuts;
  network_.Cut(seat.machine.number, ways != 1, ways != 2,
               world_.now() + world_.Units(world_.Exponential(30)));
}

void Simulation::FreezeWorker() {
  Seat& seat = AnySeat();
  if (!seat.worker) return;
  world_.Log(absl::StrFormat("%s freezes", seat.machine.name));
  ++world_.tally().freezes;
  seat.worker->Freeze(world_.now() + world_.Units(world_.Exponential(30)));
}

void Simulation::SpoilDisk() {
  Machine& machine = AnySeat().machine;
  (world_.Chance(0.5) ? machine.is_disk_full : machine.is_disk_damaged) = true;
  world_.Log(absl::StrFormat("the disk of %s fails", machine.name));
  world_.In(world_.Exponential(60),
            [&machine] { machine.is_disk_full = machine.is_disk_damaged = false; });
}

// Jumps forward as after a suspension, or a little back.
void Simulation::JumpClock() {
  Seat& seat = AnySeat();
  const double units = world_.Chance(0.7) ? world_.Exponential(20) : -world_.Exponential(3);
  world_.Log(absl::StrFormat("the clock of %s jumps by %.1f units", seat.machine.name, units));
  ++world_.tally().clock_jumps;
  seat.machine.clock += world_.Units(units);
  if (seat.worker) seat.worker->OnClockJump();
}

void Simulation::CrashCoordinator() {
  const int number = static_cast<int>(world_.Between(0, kNodes - 1));
  Node& node = nodes_[static_cast<size_t>(number)];
  if (!node.coordinator) return;
  world_.Log(absl::StrFormat("node %d crashes", number));
  node.coordinator.reset();
  node.down_until = world_.now() + world_.Units(world_.Exponential(10));
  store_.StepDown(number);
}

// Freezes a coordinator, which later continues as if nothing had happened, though another may lead
// by then.
void Simulation::FreezeCoordinator() {
  SimCoordinator* const leader = Leader();
  if (leader == nullptr) return;
  world_.Log(absl::StrFormat("coordinator %d freezes", leader->epoch()));
  ++world_.tally().freezes;
  leader->Freeze(world_.now() + world_.Units(world_.Exponential(10)));
  if (world_.Chance(0.5)) store_.LoseLock();
}

// Gives the lock to another coordinator while the old one still runs.
void Simulation::Usurp() {
  world_.Log("the leader loses its lock");
  store_.LoseLock();
}

void Simulation::Operate() {
  SimCoordinator* const leader = Leader();
  if (leader == nullptr || leader->is_frozen()) return;
  if (world_.Chance(0.3)) return OperateWorker(*leader);
  const int64_t id = world_.Between(1, world_.settings().tournaments);
  if (world_.Chance(0.3)) {
    return leader->SetPrecedence(
        id, {.priority = world_.Between(0, 1), .share = world_.Between(1, 10)});
  }
  const TournamentState state = store_.tournaments().at(id).state;
  if (state == TournamentState::kPaused) {
    leader->SetState(id, TournamentState::kActive);
  } else if (world_.Chance(0.1)) {
    leader->SetState(id, TournamentState::kCancelled);
  } else {
    leader->SetState(id, TournamentState::kPaused);
    world_.In(world_.Exponential(40), [this, id] {
      if (SimCoordinator* const later = Leader()) later->SetState(id, TournamentState::kActive);
    });
  }
}

void Simulation::OperateWorker(SimCoordinator& leader) {
  const std::string& name = AnySeat().machine.name;
  if (store_.IsQuarantined(name)) {
    leader.Unquarantine(name);
  } else {
    leader.Evict(name);
  }
}

// The coordinator cannot tell a very slow machine from one that only keeps its leases; its operator
// can. A worker exits when it learns of its quarantine, so it needs a restart too.
void Simulation::ReleaseHonestWorkers() {
  SimCoordinator* const leader = Leader();
  if (leader == nullptr) return;
  for (Seat& seat : seats_) {
    const std::string why = store_.WhyQuarantined(seat.machine.name);
    if (!seat.machine.plays() || !absl::StrContains(why, "played none of them")) continue;
    leader->Unquarantine(seat.machine.name);
    StopWorker(seat);
  }
}

// Ends all faults and repairs what is broken.
void Simulation::Mend() {
  world_.Log("peace");
  world_.CalmDown();
  store_.GoAway(world_.now());
  blobs_.GoAway(world_.now());
  for (Seat& seat : seats_) {
    network_.Cut(seat.machine.number, true, true, world_.now());
    seat.machine.is_disk_full = seat.machine.is_disk_damaged = false;
    seat.down_until = world_.now();
  }
  for (Node& node : nodes_) node.down_until = world_.now();
}

// ---- Invariants.

void Simulation::Check() {
  for (Node& node : nodes_) {
    if (node.coordinator && !node.coordinator->is_frozen()) node.coordinator->CheckInvariants();
  }
  for (const Seat& seat : seats_) {
    if (seat.worker) seat.worker->CheckInvariants();
  }
  CheckStates();
  world_.In(kCheckEvery, [this] { Check(); });
}

void Simulation::CheckStates() {
  for (const auto& [id, stored] : store_.tournaments()) {
    TournamentState& over = over_[static_cast<size_t>(id)];
    world_.Expect(!IsOver(over) || over == stored.state, "a tournament that was over no longer is");
    over = stored.state;
    if (stored.state == TournamentState::kDone) {
      const int64_t games = stored.rounds > 0 ? kRoundGames * stored.rounds : stored.games;
      world_.Expect(stored.done.size() == games, "a finished tournament lacks games");
    }
    Points points{};
    if (!IsOver(stored.state) || world_.Chance(0.95)) continue;
    for (const Range& range : stored.done.ranges()) {
      for (int64_t i = range.first; i < range.last; ++i) {
        AddPoints(PlayedGame(id, i, "", FindMatch(stored.matches, i)), points);
      }
    }
    world_.Expect(points == stored.points, "the standings do not match the games");
    if (world_.plan(id).is_selfplay()) CheckShards(id, stored);
    if (stored.rounds > 0) CheckPlan(id, stored);
  }
}

// Checks that the matches follow from the results alone.
void Simulation::CheckPlan(int64_t id, const SimStore::Tournament& stored) {
  experiments::Plan plan(store_.Stored(id).spec);
  while (true) {
    const std::vector<PlannedMatch> next = plan.Next();
    if (next.empty()) break;
    plan.Add(next);
    for (int64_t i = next.front().first_game; i < plan.games(); ++i) {
      if (!stored.done.contains(i)) break;
      const GameRecord game = PlayedGame(id, i, "", FindMatch(next, i));
      GameSummary summary;
      summary.index = i;
      for (size_t seat = 0; seat < kSeats; ++seat) {
        summary.bots[SeatAt(seat)] = static_cast<int>(BotOf(game, seat));
      }
      summary.outcome = game.outcome;
      plan.Add(summary);
    }
  }
  const bool is_done = stored.state == TournamentState::kDone;
  world_.Expect(!is_done || plan.matches() == stored.matches,
                "the matches depend on more than results");
}

// Checks that each recorded game is in exactly one shard that counts, and that those shards contain
// no other games.
void Simulation::CheckShards(int64_t id, const SimStore::Tournament& stored) {
  int64_t games = 0;
  for (const auto& [name, entry] : stored.shards) {
    const SimBlobs::Shard* const shard = blobs_.Find(name);
    if (shard == nullptr) return world_.Fail("a shard that is not stored counts");
    world_.Expect(shard->tournament == id, "a shard counts in another tournament");
    games += static_cast<int64_t>(shard->games.size());
    for (const int64_t index : shard->games) {
      world_.Expect(stored.done.contains(index), "a shard with an unrecorded game counts");
    }
  }
  world_.Expect(games == stored.done.size(), "recorded games are not in exactly one shard");
}

bool Simulation::IsFinished() const {
  return std::all_of(store_.tournaments().begin(), store_.tournaments().end(),
                     [](const auto& entry) { return IsOver(entry.second.state); });
}

// Returns the maximum time that the cluster needs for the remaining games without faults. Other
// workers also get the games of slow machines, except in self-play.
double Simulation::UnitsLeft() const {
  double games = 0;
  double rounds = 0;
  bool has_selfplay = false;
  for (const auto& [id, stored] : store_.tournaments()) {
    if (IsOver(stored.state)) continue;
    games += static_cast<double>(stored.games - stored.done.size());
    const auto done = static_cast<double>(stored.done.size());
    if (stored.rounds > 0) rounds += static_cast<double>(stored.rounds) - done / kRoundGames;
    has_selfplay = has_selfplay || world_.plan(id).is_selfplay();
  }
  double all_games_per_unit = 0;
  double fastest = 1e9;
  double slowest = 0;
  for (const Seat& seat : seats_) {
    const Machine& machine = seat.machine;
    if (!machine.plays()) continue;
    double games_per_unit = machine.games_per_unit();
    if (machine.plies_per_unit > 0) {
      games_per_unit = std::min(games_per_unit, machine.plies_per_unit / kPliesPerGame);
    }
    all_games_per_unit += games_per_unit;
    fastest = std::min(fastest, machine.game_units);
    slowest = std::max(slowest, machine.game_units);
  }
  constexpr double kTtl = 30;
  // The first worker decides disputes, however slow it is.
  const bool has_audits = world_.settings().audits > 0;
  const bool has_hoarders = world_.settings().hoarders > 0;
  return 2 * games / all_games_per_unit + 10 * fastest + 10 * kTtl +
         (has_selfplay ? 40 * slowest : 0) + std::max(rounds, 0.0) * (10 * fastest + 2 * kTtl) +
         (has_hoarders ? kStallsMax * kPatienceMax : 0) +
         (has_audits ? 100 * kTtl + 100 * slowest : 0);
}

std::optional<std::string> Simulation::Run() {
  KeepNodes();
  KeepWorkers();
  ScheduleFault();
  Check();
  const Time begin = world_.now();
  world_.RunUntil(begin + world_.Units(world_.settings().length));
  Mend();
  // A freeze may still last.
  world_.RunUntil(world_.now() + world_.Units(60));
  for (const auto& [id, stored] : store_.tournaments()) {
    SimCoordinator* const leader = Leader();
    if (stored.state == TournamentState::kPaused && leader != nullptr) {
      leader->SetState(id, TournamentState::kActive);
    }
  }
  const Time deadline = world_.now() + world_.Units(UnitsLeft());
  while (!world_.failure() && !IsFinished() && world_.now() < deadline) {
    world_.RunUntil(world_.now() + world_.Units(10));
    ReleaseHonestWorkers();
  }
  if (!IsFinished()) world_.Fail("the tournaments are not finished in time");
  world_.RunUntil(world_.now() + world_.Units(100));
  if (!world_.failure()) CheckStates();
  const std::chrono::duration<double, std::ratio<3600>> hours = world_.now() - begin;
  world_.tally().worker_hours = hours.count() * static_cast<double>(world_.settings().workers);
  world_.tally().histories = 1;
  for (const auto& [id, stored] : store_.tournaments()) {
    world_.tally().shards_recorded += static_cast<int64_t>(stored.shards.size());
  }
  for (Seat& seat : seats_) seat.worker.reset();
  return world_.failure();
}

}  // namespace triarch::simulation
