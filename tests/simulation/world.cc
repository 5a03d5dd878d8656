#include "tests/simulation/world.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "absl/strings/str_format.h"

namespace triarch::simulation {

void Tally::Add(const Tally& other) {
  worker_hours += other.worker_hours;
  play_hours += other.play_hours;
  histories += other.histories;
  events += other.events;
  messages += other.messages;
  dropped += other.dropped;
  games_played += other.games_played;
  games_recorded += other.games_recorded;
  leases += other.leases;
  steals += other.steals;
  expiries += other.expiries;
  stalled_leases += other.stalled_leases;
  cancelled_leases += other.cancelled_leases;
  stale += other.stale;
  rejected += other.rejected;
  duplicate_games += other.duplicate_games;
  retries += other.retries;
  spilled += other.spilled;
  spill_faults += other.spill_faults;
  quarantined += other.quarantined;
  evictions += other.evictions;
  worker_crashes += other.worker_crashes;
  coordinators += other.coordinators;
  deposed += other.deposed;
  unknown_commits += other.unknown_commits;
  cuts += other.cuts;
  freezes += other.freezes;
  clock_jumps += other.clock_jumps;
  refusals += other.refusals;
  shards_stored += other.shards_stored;
  shards_recorded += other.shards_recorded;
  blob_faults += other.blob_faults;
  bundle_parts += other.bundle_parts;
  bundle_faults += other.bundle_faults;
}

std::string Tally::ToString() const {
  return absl::StrFormat(
      "%.0f worker-hours (%.0f slot-hours of play) in %d histories, %d events; %d messages, %d "
      "dropped; %d games played, "
      "%d recorded; leases: %d granted, %d stolen, %d expired, %d stalled, %d cancelled; reports: "
      "%d stale, "
      "%d rejected, %d duplicate games, %d retries; %d batches spilled, %d spill faults; "
      "%d workers quarantined, %d evicted, %d crashed; %d coordinators, %d deposed; %d commits of "
      "unknown "
      "outcome; %d cuts, %d freezes, %d clock jumps; %d refusals; %d shards stored, %d recorded, "
      "%d "
      "blob faults; %d parts of bundles, %d bundle faults",
      worker_hours, play_hours, histories, events, messages, dropped, games_played, games_recorded,
      leases, steals, expiries, stalled_leases, cancelled_leases, stale, rejected, duplicate_games,
      retries, spilled, spill_faults, quarantined, evictions, worker_crashes, coordinators, deposed,
      unknown_commits, cuts, freezes, clock_jumps, refusals, shards_stored, shards_recorded,
      blob_faults, bundle_parts, bundle_faults);
}

World::World(uint64_t seed, const Settings& settings, bool logs)
    : settings_(settings), logs_(logs), random_(seed), now_(std::chrono::hours(1)) {}

Duration World::Units(double units) const {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double, std::milli>(
      units * static_cast<double>(settings_.unit.count())));
}

void World::At(Time time, std::function<void()> event) {
  queue_.push_back({std::max(time, now_), events_++, std::move(event)});
  std::push_heap(queue_.begin(), queue_.end(), Later());
}

void World::RunUntil(Time time) {
  while (!failure_ && !queue_.empty() && queue_.front().time <= time) {
    std::pop_heap(queue_.begin(), queue_.end(), Later());
    const Event event = std::move(queue_.back());
    queue_.pop_back();
    now_ = event.time;
    ++tally_.events;
    event.run();
  }
  now_ = std::max(now_, time);
}

double World::Exponential(double mean) { return -mean * std::log(1 - random_.Unit()); }

int64_t World::Between(int64_t least, int64_t most) {
  return least + random_.Below(static_cast<uint32_t>(most - least + 1));
}

void World::Fail(const std::string& why) {
  Log("FAILURE: " + why);
  if (!failure_) failure_ = why;
}

void World::Log(const std::string& text) {
  if (!logs_) return;
  const std::chrono::duration<double> passed = now_.time_since_epoch() - std::chrono::hours(1);
  std::printf("%12.3f %s\n", passed.count(), text.c_str());
}

// ---- The network.

Network::Network(World& world, int64_t workers)
    : world_(world), links_(static_cast<size_t>(workers)) {}

void Network::ToCoordinator(int64_t worker, std::function<void()> deliver, int64_t plies) {
  Link& link = links_[static_cast<size_t>(worker)];
  Duration wait{0};
  if (link.plies_per_unit > 0) {
    link.busy_to = std::max(link.busy_to, world_.now()) +
                   world_.Units(static_cast<double>(plies) / link.plies_per_unit);
    wait = link.busy_to - world_.now();
  }
  Send(world_.now() < link.up_again, true, std::move(deliver), wait);
}

// Delivers an answer to its call. No duplicates: a call is answered once.
void Network::ToWorker(int64_t worker, std::function<void()> deliver) {
  const Link& link = links_[static_cast<size_t>(worker)];
  Send(world_.now() < link.down_again, false, std::move(deliver));
}

void Network::Cut(int64_t worker, bool up, bool down, Time until) {
  Link& link = links_[static_cast<size_t>(worker)];
  if (up) link.up_again = until;
  if (down) link.down_again = until;
}

void Network::Narrow(int64_t worker, double plies_per_unit) {
  links_[static_cast<size_t>(worker)].plies_per_unit = plies_per_unit;
}

void Network::Send(bool is_cut, bool may_duplicate, std::function<void()> deliver, Duration wait) {
  const Settings& settings = world_.settings();
  ++world_.tally().messages;
  if (is_cut || (!world_.is_calm() && world_.Chance(settings.dropped_share))) {
    ++world_.tally().dropped;
    return;
  }
  const auto delay = [&] {
    const bool is_late = !world_.is_calm() && world_.Chance(settings.late_share);
    return wait + world_.Units(world_.Exponential(is_late ? 10 : settings.message_delay));
  };
  if (may_duplicate && !world_.is_calm() && world_.Chance(settings.duplicated_share)) {
    world_.At(world_.now() + delay(), deliver);
  }
  world_.At(world_.now() + delay(), std::move(deliver));
}

// ---- Bundles and games.

std::string TarOf(const std::string& digest) {
  std::string tar;
  for (int i = 0; i < 20; ++i) tar += digest;
  return tar;
}

namespace {

uint64_t HashOf(int64_t tournament, int64_t index) {
  return DeriveSeed(static_cast<uint64_t>(tournament), static_cast<uint64_t>(index));
}

// Returns the number of the bot that plays in that seat.
size_t BotIn(int64_t index, size_t seat, const PlannedMatch* match) {
  if (match == nullptr) return (static_cast<size_t>(index) + seat) % kBots;
  const int place = SeatPlaces(*match, index)[SeatAt(seat)];
  return static_cast<size_t>(match->bots[static_cast<size_t>(place)]);
}

}  // namespace

GameRecord PlayedGame(int64_t tournament, int64_t index, const std::string& digest,
                      const PlannedMatch* match) {
  const uint64_t hash = HashOf(tournament, index);
  GameRecord record;
  record.index = index;
  record.game = kGame;
  record.seed = hash;
  record.plies = static_cast<int64_t>(50 + hash % 300);
  record.event = digest;  // of the bots that played: the rules require one per tournament
  record.is_finished = true;
  for (size_t seat = 0; seat < kSeats; ++seat) {
    record.bots[SeatAt(seat)] = kBotNames[BotIn(index, seat, match)];
    record.outcome.place[SeatAt(seat)] = static_cast<uint8_t>(1 + (hash / 300 + seat) % kSeats);
  }
  return record;
}

bool IsTrue(int64_t tournament, const GameRecord& record, const PlannedMatch* match) {
  const GameRecord played = PlayedGame(tournament, record.index, record.event, match);
  return record.seed == played.seed && record.plies == played.plies && record.bots == played.bots &&
         record.outcome == played.outcome;
}

size_t BotOf(const GameRecord& record, size_t seat) {
  const auto name = std::find(kBotNames.begin(), kBotNames.end(), record.bots[SeatAt(seat)]);
  return static_cast<size_t>(name - kBotNames.begin());
}

void AddPoints(const GameRecord& record, Points& points) {
  for (size_t seat = 0; seat < kSeats; ++seat) {
    points[BotOf(record, seat)] += 3 - record.outcome.place[SeatAt(seat)];
  }
}

}  // namespace triarch::simulation
