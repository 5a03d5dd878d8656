#include "arena/session/session.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "arena/session/matching.h"
#include "core/base/sha256.h"
#include "core/base/status_macros.h"

namespace triarch::arena {
namespace {

// A token is the table's id, without dashes, followed by a secret of the same length.
constexpr size_t kHalf = 32;

// How often a player who finds a table full looks for another one.
constexpr int kJoinTries = 20;

std::string Hex(const std::string& bytes) { return absl::BytesToHexString(bytes); }

// Writes 32 hex digits as a UUID, or a UUID as hex digits.
std::string UuidOf(std::string_view hex) {
  return absl::StrFormat("%s-%s-%s-%s-%s", std::string(hex.substr(0, 8)),
                         std::string(hex.substr(8, 4)), std::string(hex.substr(12, 4)),
                         std::string(hex.substr(16, 4)), std::string(hex.substr(20, 12)));
}
std::string HexOf(std::string uuid) {
  std::erase(uuid, '-');
  return uuid;
}

// Makes a random (version 4) UUID of 16 bytes.
std::string NewUuid(std::string bytes) {
  bytes[6] = static_cast<char>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<char>((bytes[8] & 0x3f) | 0x80);
  return UuidOf(Hex(bytes));
}

uint64_t SeedOf(const std::string& bytes) {
  uint64_t seed = 0;
  for (size_t i = 0; i < 8; ++i) seed = seed << 8 | static_cast<unsigned char>(bytes[i]);
  return seed;
}

constexpr size_t kLookupsMax = 64;  // at a time

absl::Status NoSuchTable() { return absl::NotFoundError("there is no such table"); }

// Whether the text could be the id of a table.
bool IsTableId(std::string_view text) {
  if (text.size() != 36) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    const char c = text[i];
    const bool is_digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    if (is_dash ? c != '-' : !is_digit) return false;
  }
  return true;
}

bool HasSettings(const Table& table, TableSettings settings) {
  settings.seed = table.settings().seed;
  return table.settings() == settings;
}

absl::StatusOr<Table> Rebuilt(const std::string& id, const std::vector<Event>& events) {
  ASSIGN_OR_RETURN(Table table, Table::Open(id, events[0]));
  for (size_t i = 1; i < events.size(); ++i) RETURN_IF_ERROR(table.Apply(events[i]));
  return table;
}

// Drops the chat of players who are muted.
void DropChat(const Table& table, const SessionParts& parts, Decision& decision) {
  if (!parts.is_muted) return;
  for (Event& event : decision.events) {
    if (event.message.empty()) continue;
    const std::optional<Occupant>& speaker = table.occupant(event.seat);
    if (speaker && parts.is_muted(*speaker)) event.message.clear();
  }
  std::erase_if(decision.events, [](const Event& event) {
    return event.kind == Event::Kind::kSaid && event.message.empty();
  });
}

}  // namespace

std::optional<Table::Holder> HolderOf(const Table& table, std::string_view token) {
  if (token.size() != 2 * kHalf) return std::nullopt;
  return table.FindToken(Sha256Hex(token.substr(kHalf)));
}

std::string TableOfToken(std::string_view token) {
  return token.size() == 2 * kHalf ? UuidOf(token.substr(0, kHalf)) : "";
}

// Strangers cannot find the table, because nobody shows the hashes of tokens.
std::string RematchId(const Table& table) {
  std::string text = "rematch of " + table.id();
  for (size_t i = 0; i < table.seat_count(); ++i) {
    const std::optional<Occupant>& occupant = table.occupant(SeatAt(i));
    if (occupant) text += " " + occupant->token_hash;
  }
  return UuidOf(Sha256Hex(text).substr(0, kHalf));
}

struct WaitingStep {
  Session::Decide decide;
  ReplyTo reply;
};

struct LiveTable {
  explicit LiveTable(Table there) : table(std::move(there)) {}

  Table table;
  std::optional<Event> opened = {};     // until it is stored
  bool runs = false;                    // deadlines and house bots are this session's
  bool is_busy = false;                 // an append or a load is under way
  bool is_suspect = false;              // the store may have events that this table lacks
  bool was_cut_off = false;             // the store has not answered since it was suspected
  std::vector<WaitingStep> steps = {};  // requests in the order in which they came
  int64_t house_asked = -1;             // changed_at() when a house bot was last asked
  int joins = 0;                        // requests to join that are not yet decided
  std::string client = {};              // who opened it here

  // Makes one for the table as another arena has opened it.
  absl::StatusOr<std::unique_ptr<LiveTable>> Reopened(const Event& theirs, bool is_alone) {
    ASSIGN_OR_RETURN(Table there, Table::Open(table.id(), theirs));
    auto fresh = std::make_unique<LiveTable>(std::move(there));
    fresh->opened = theirs;
    fresh->is_busy = true;
    fresh->runs = runs && (is_alone || theirs == *opened);
    fresh->steps = std::move(steps);
    fresh->joins = joins;
    fresh->client = client;
    return fresh;
  }
};

namespace {

using Tables = std::map<std::string, std::unique_ptr<LiveTable>, std::less<>>;

size_t CountTablesOf(const Tables& tables, const std::string& client) {
  return static_cast<size_t>(
      std::count_if(tables.begin(), tables.end(),
                    [&client](const auto& entry) { return entry.second->client == client; }));
}

// Returns the answer to a player who has sat down with this secret; empty if nobody has.
std::optional<Reply> FindSecret(const Tables& tables, const std::string& secret) {
  const std::string hash = Sha256Hex(secret);
  for (const auto& [id, live] : tables) {
    const std::optional<Table::Holder> holder = live->table.FindToken(hash);
    if (!holder || holder->is_lost) continue;
    return Reply{.table = &live->table, .token = HexOf(id) + secret, .seat = holder->seat};
  }
  return std::nullopt;
}

}  // namespace

Session::Session(Options options, Parts parts)
    : options_(std::move(options)),
      parts_(std::move(parts)),
      is_alive_(std::make_shared<bool>(true)) {}

Session::~Session() { *is_alive_ = false; }

// ---- Tables.

Session::Live* Session::FindLive(std::string_view id) const {
  const auto found = tables_.find(id);
  return found == tables_.end() ? nullptr : found->second.get();
}

const Table* Session::Find(std::string_view id) const {
  const Live* const live = FindLive(id);
  return live == nullptr || live->opened ? nullptr : &live->table;
}

Session::Seated Session::FindToken(std::string_view token) const {
  if (token.size() != 2 * kHalf) return {};
  const Table* const table = Find(UuidOf(token.substr(0, kHalf)));
  if (table == nullptr) return {};
  const std::optional<Table::Holder> holder = HolderOf(*table, token);
  return holder ? Seated{table, *holder} : Seated{};
}

void Session::Visit(const std::function<void(const Table&)>& visit) const {
  for (const auto& [id, live] : tables_) {
    if (!live->opened) visit(live->table);
  }
}

Session::Live& Session::AddLive(std::string id, Table table) {
  auto live = std::make_unique<Live>(std::move(table));
  if (live->table.stage() == Table::Stage::kWaiting) waiting_.push_back(live.get());
  return *(tables_[std::move(id)] = std::move(live));
}

absl::Status Session::Restore(const std::string& id, const std::vector<Event>& events) {
  if (events.empty()) return absl::DataLossError("table " + id + " has no events");
  if (FindLive(id) != nullptr) {
    Refresh(id);
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(Table table, Rebuilt(id, events));
  if (options_.is_alone) table.NoteRestart(parts_.now_ms());
  AddLive(id, std::move(table)).runs = options_.is_alone;
  return absl::OkStatus();
}

void Session::Drop(const std::string& id, const absl::Status& why) {
  const auto found = tables_.find(id);
  if (found == tables_.end()) return;
  std::erase(waiting_, found->second.get());
  const std::unique_ptr<Live> live = std::move(found->second);
  tables_.erase(found);
  for (const WaitingStep& step : live->steps) step.reply({.error = why});
}

// ---- Joining.

Session::Live* Session::FindWaiting(const JoinAsk& ask) const {
  for (Live* const live : waiting_) {
    const Table& table = live->table;
    if (table.settings().is_private || !HasSettings(table, ask.settings)) continue;
    if (!IsInWindow(table, ask, options_, parts_)) continue;
    if (FreeSeats(table) <= static_cast<size_t>(live->joins)) continue;
    const Decision decision = table.Join({.occupant = ask.occupant}, parts_.now_ms());
    if (!decision.refusal) return live;
  }
  return nullptr;
}

bool Session::has_bots_for(const GameInfo& game) const { return HasBotsFor(game, options_); }

absl::StatusOr<Session::Live*> Session::OpenTable(const JoinAsk& ask, std::string id) {
  if (tables_.size() >= options_.tables_max) {
    return absl::ResourceExhaustedError("the arena is full; try again later");
  }
  if (!ask.client.empty() && CountTablesOf(tables_, ask.client) >= options_.tables_per_client_max) {
    return absl::ResourceExhaustedError("too many tables from your address; try again later");
  }
  Event opened{.kind = Event::Kind::kOpened, .time_ms = parts_.now_ms()};
  opened.settings = ask.settings;
  opened.settings.seed = SeedOf(parts_.random());
  ASSIGN_OR_RETURN(Table table, Table::Open(id, opened));
  if (table.state().outcome() || table.state().LegalMoves().size() == 0) {
    return absl::InvalidArgumentError("the start position has no legal move");
  }
  Live& live = AddLive(std::move(id), std::move(table));
  live.opened = std::move(opened);
  live.runs = true;
  live.client = ask.client;
  return &live;
}

void Session::Join(JoinAsk ask, ReplyTo reply) {
  if (parts_.check_may_sit) {
    const absl::Status may_sit = parts_.check_may_sit(ask.occupant);
    if (!may_sit.ok()) return reply({.error = may_sit});
  }
  if (ask.secret.empty()) return Enter(std::move(ask), std::move(reply));
  if (const std::optional<Reply> seated = FindSecret(tables_, ask.secret)) return reply(*seated);
  const auto [joining, is_first] = joining_.try_emplace(ask.secret);
  if (!is_first) {
    joining->second.push_back({std::move(ask), std::move(reply)});
    return;
  }
  const std::string secret = ask.secret;
  Enter(std::move(ask), [this, secret, reply = std::move(reply)](const Reply& answered) {
    const std::vector<std::pair<JoinAsk, ReplyTo>> repeated =
        std::move(joining_.extract(secret).mapped());
    reply(answered);
    for (const auto& [again, to] : repeated) Join(again, to);
  });
}

void Session::Enter(JoinAsk ask, ReplyTo reply) {
  if (ask.table.empty()) return Seek(std::move(ask), std::move(reply), kJoinTries);
  const std::string id = ask.table;
  Lookup(id, [this, ask = std::move(ask), reply = std::move(reply)](const absl::Status& status) {
    Live* const live = FindLive(ask.table);
    if (live == nullptr) return reply({.error = status.ok() ? NoSuchTable() : status});
    const bool is_rematch = !live->table.settings().rematch_of.empty();
    if (ask.occupant.is_claimed && !is_rematch && !IsInWindow(live->table, ask, options_, parts_)) {
      return reply({.table = &live->table,
                    .refusal = Refusal{Refused::kForbidden,
                                       "the players' ratings differ too much for this table yet"}});
    }
    JoinAt(*live, ask, reply, 0);
  });
}

void Session::Seek(JoinAsk ask, ReplyTo reply, int tries_left) {
  const std::string& repeated = ask.settings.rematch_of;
  std::string id;
  Live* live = nullptr;
  if (!repeated.empty()) {
    const Table* const before = Find(repeated);
    if (before == nullptr) return reply({.error = absl::NotFoundError("the table is gone")});
    id = RematchId(*before);
    live = FindLive(id);
    tries_left = 0;
  } else if (!ask.settings.is_private) {
    live = FindWaiting(ask);
  }
  if (live == nullptr) {
    const absl::StatusOr<Live*> opened = OpenTable(ask, id.empty() ? NewUuid(parts_.random()) : id);
    if (!opened.ok()) return reply({.error = opened.status()});
    live = *opened;
  }
  JoinAt(*live, std::move(ask), std::move(reply), tries_left);
}

void Session::JoinAt(Live& live, JoinAsk ask, ReplyTo reply, int tries_left) {
  const std::string id = live.table.id();
  const std::string secret = ask.secret.empty() ? Hex(parts_.random()) : ask.secret;
  JoinRequest request{.occupant = ask.occupant, .wishes = ask.wishes};
  request.occupant.token_hash = Sha256Hex(secret);
  ++live.joins;
  const auto decide = [request](const Table& table, int64_t now_ms) {
    return table.Join(request, now_ms);
  };
  const auto answer = [this, id, secret, hash = request.occupant.token_hash, ask = std::move(ask),
                       reply = std::move(reply), tries_left](Reply answered) {
    if (Live* const there = FindLive(id)) --there->joins;
    // Others may have come first, perhaps one who may not meet this player.
    const bool is_missed = answered.refusal && (answered.refusal->why == Refused::kFull ||
                                                answered.refusal->why == Refused::kForbidden);
    if (is_missed && tries_left > 0) return Seek(ask, reply, tries_left - 1);
    if (answered.ok()) {
      answered.token = HexOf(id) + secret;
      if (const auto holder = answered.table->FindToken(hash)) answered.seat = holder->seat;
    }
    reply(answered);
  };
  live.steps.push_back({decide, answer});
  Pump(id);
}

// ---- Requests.

void Session::Request(const std::string& table, Decide decide, ReplyTo reply) {
  Live* const live = FindLive(table);
  if (live == nullptr) return reply({.error = NoSuchTable()});
  live->steps.push_back({std::move(decide), std::move(reply)});
  Pump(table);
}

void Session::Fill(const std::string& table, ReplyTo reply) {
  Request(
      table,
      [this](const Table& at, int64_t now_ms) {
        return at.Fill(HouseBotsFor(at, options_, parts_), now_ms);
      },
      std::move(reply));
}

void Session::Pump(const std::string& id) {
  while (true) {
    Live* const live = FindLive(id);
    if (live == nullptr || live->is_busy) return;
    if (live->is_suspect) return Reload(*live, {}, absl::OkStatus());
    if (live->steps.empty()) return;
    Decision decision = live->steps.front().decide(live->table, parts_.now_ms());
    DropChat(live->table, parts_, decision);
    if (!decision.events.empty()) return Store(*live, std::move(decision));
    Finish(*live, {.table = &live->table, .refusal = std::move(decision.refusal)});
  }
}

void Session::Finish(Live& live, const Reply& reply) {
  const WaitingStep step = std::move(live.steps.front());
  live.steps.erase(live.steps.begin());
  if (parts_.answered) parts_.answered(reply);
  step.reply(reply);
}

void Session::Store(Live& live, Decision decision) {
  live.is_busy = true;
  Appended appended{
      .table = live.table.id(), .first = live.opened ? 0 : live.table.event_count(), .events = {}};
  if (live.opened) appended.events.push_back(*live.opened);
  appended.events.insert(appended.events.end(), decision.events.begin(), decision.events.end());
  parts_.log->Append(std::move(appended), [this, alive = is_alive_, id = live.table.id(),
                                           decision](const absl::Status& status) {
    if (*alive) Stored(id, decision, status);
  });
}

void Session::Stored(const std::string& id, const Decision& decision, const absl::Status& status) {
  Live* const live = FindLive(id);
  if (live == nullptr) return;
  if (!status.ok()) return Reload(*live, decision, status);
  const absl::Status performed = Perform(*live, decision.events);
  if (!performed.ok()) return Drop(id, performed);
  live->is_busy = false;
  Finish(*live, {.table = &live->table, .refusal = decision.refusal});
  Pump(id);
}

void Session::Reload(Live& live, Decision ours, absl::Status why) {
  live.is_busy = true;
  live.is_suspect = false;  // a refresh that is asked for meanwhile reads again
  const int64_t first = live.opened ? 0 : live.table.event_count();
  const auto loaded = [this, alive = is_alive_, id = live.table.id(), ours = std::move(ours),
                       why = std::move(why)](absl::StatusOr<std::vector<Event>> events) {
    if (!*alive) return;
    Live* there = FindLive(id);
    if (there == nullptr) return;
    if (!events.ok() || (there->opened && events->empty())) {
      there->is_suspect = there->was_cut_off = !events.ok();
      there->is_busy = false;
      const absl::Status error = events.ok() ? why : events.status();
      if (there->opened) return Drop(id, error);
      while (!there->steps.empty()) {
        Finish(*there, {.error = error});
        if (FindLive(id) != there) return;
      }
      return;
    }
    if (there->opened) {
      // Another arena may have opened the table of a rematch.
      absl::StatusOr<std::unique_ptr<Live>> fresh =
          there->Reopened(events->front(), options_.is_alone);
      if (!fresh.ok()) return Drop(id, fresh.status());
      std::replace(waiting_.begin(), waiting_.end(), there, fresh->get());
      there = fresh->get();
      tables_[id] = *std::move(fresh);
      events->erase(events->begin());
    }
    const bool is_ours = !ours.events.empty() && events->size() >= ours.events.size() &&
                         std::equal(ours.events.begin(), ours.events.end(), events->begin());
    const absl::Status performed = Perform(*there, *events);
    if (!performed.ok()) return Drop(id, performed);
    // Nobody is blamed for the time in which the store did not answer.
    if (std::exchange(there->was_cut_off, false)) there->table.NoteRestart(parts_.now_ms());
    there->is_busy = false;
    if (is_ours) {
      Finish(*there, {.table = &there->table, .refusal = ours.refusal});
    } else if (!why.ok() && !absl::IsAlreadyExists(why)) {
      Finish(*there, {.error = why});
    }
    Pump(id);
  };
  parts_.log->Load(live.table.id(), first, loaded);
}

absl::Status Session::Perform(Live& live, const std::vector<Event>& events) {
  const int64_t first = live.opened ? 0 : live.table.event_count();
  std::vector<Event> all;
  if (live.opened) all.push_back(*std::exchange(live.opened, std::nullopt));
  for (const Event& event : events) {
    RETURN_IF_ERROR(live.table.Apply(event));
    all.push_back(event);
  }
  if (live.table.stage() != Table::Stage::kWaiting) std::erase(waiting_, &live);
  if (!all.empty()) parts_.changed(live.table, first, all);
  AskHouseBot(live);
  return absl::OkStatus();
}

void Session::Refresh(const std::string& table) {
  Live* const live = FindLive(table);
  if (live == nullptr) return;
  live->is_suspect = true;
  Pump(table);
}

// ---- Sharing the log with other sessions.

void Session::Lookup(const std::string& table, std::function<void(const absl::Status&)> done) {
  if (FindLive(table) != nullptr) {
    if (Find(table) != nullptr) return done(absl::OkStatus());
    // It is being opened here.
    return Request(
        table, [](const Table&, int64_t) { return Decision(); },
        [done = std::move(done)](const Reply& reply) { done(reply.error); });
  }
  if (options_.is_alone || !IsTableId(table) || misses_.Has(table, parts_.now_ms())) {
    return done(NoSuchTable());
  }
  if (!readings_.contains(table) && readings_.size() >= kLookupsMax) {
    return done(absl::UnavailableError("the arena is busy; try again"));
  }
  Read(table).waiting.push_back(std::move(done));
}

Reading& Session::Read(const std::string& id) {
  const auto [place, is_new] = readings_.try_emplace(id);
  if (is_new) {
    parts_.log->Load(
        id, 0, [this, alive = is_alive_, id](const absl::StatusOr<std::vector<Event>>& events) {
          if (*alive) HasRead(id, events);
        });
  }
  return place->second;
}

void Session::HasRead(const std::string& id, const absl::StatusOr<std::vector<Event>>& events) {
  Reading reading = std::move(readings_.extract(id).mapped());
  if (events.ok() && events->empty() && reading.heard > 0) {
    // It was opened meanwhile.
    Read(id).waiting = std::move(reading.waiting);
    return;
  }
  const absl::Status status = events.ok() ? Admit(id, *events) : events.status();
  if (status.ok()) {
    Heard(id, reading.heard);
    if (owed_.erase(id) > 0) TakeOver(id);
  } else if (absl::IsNotFound(status)) {
    misses_.Add(id, parts_.now_ms());
  }
  if (absl::IsNotFound(status) || absl::IsDataLoss(status)) owed_.erase(id);
  for (const auto& done : reading.waiting) done(status);
}

absl::Status Session::Admit(const std::string& id, const std::vector<Event>& events) {
  const bool is_new = FindLive(id) == nullptr;
  if (is_new && events.empty()) return NoSuchTable();
  if (!events.empty()) RETURN_IF_ERROR(Restore(id, events));
  const Table& table = FindLive(id)->table;
  const bool is_old = table.is_over() && parts_.now_ms() - table.ended_ms() >= options_.kept_ms;
  if (!is_new || !is_old || owed_.contains(id)) return absl::OkStatus();
  Drop(id, NoSuchTable());
  return NoSuchTable();
}

void Session::Heard(const std::string& table, int64_t event_count) {
  const Live* const live = FindLive(table);
  if (live == nullptr) {
    misses_.Remove(table);
    Reading& reading = Read(table);
    reading.heard = std::max(reading.heard, event_count);
  } else if (live->opened || live->table.event_count() < event_count) {
    Refresh(table);
  }
}

void Session::Lead(const Lease& lease) {
  for (const std::string& id : lease.lost) {
    owed_.erase(id);
    if (Live* const live = FindLive(id)) live->runs = false;
  }
  for (const std::string& id : lease.taken) {
    if (TakeOver(id)) continue;
    owed_.insert(id);
    Read(id);
  }
}

bool Session::TakeOver(const std::string& id) {
  Live* const live = FindLive(id);
  if (live == nullptr) return false;
  if (std::exchange(live->runs, true)) return true;
  live->house_asked = -1;
  live->table.NoteRestart(parts_.now_ms());
  if (parts_.taken) parts_.taken(live->table);
  return true;
}

bool Session::Runs(std::string_view table) const {
  const Live* const live = FindLive(table);
  return live != nullptr && live->runs;
}

// ---- Time.

void Session::AskHouseBot(Live& live) {
  const std::optional<Seat> seat = live.table.house_turn();
  const int64_t asked = live.table.changed_at();
  if (!live.runs || !seat || live.house_asked == asked) return;
  live.house_asked = asked;
  parts_.house_bots->Choose(
      live.table, *seat,
      [this, alive = is_alive_, id = live.table.id(), asked](std::optional<size_t> move) {
        if (!*alive || FindLive(id) == nullptr) return;
        Request(
            id,
            [asked, move](const Table& table, int64_t now_ms) {
              return table.MoveHouseBot(asked, move, now_ms);
            },
            [this, id](const Reply& reply) {
              Live* const there = FindLive(id);
              if (!reply.error.ok() && there != nullptr) there->house_asked = -1;  // ask again
            });
      });
}

void Session::Tick() {
  const int64_t now_ms = parts_.now_ms();
  std::vector<std::string> due;
  std::vector<std::string> suspect;
  std::vector<std::string> old;
  for (const auto& [id, live] : tables_) {
    const Table& table = live->table;
    if (live->is_busy || !live->steps.empty()) continue;
    if (table.is_over() && now_ms - table.ended_ms() >= options_.kept_ms) {
      old.push_back(id);
      continue;
    }
    AskHouseBot(*live);
    const std::optional<int64_t> deadline = table.deadline_ms();
    if (live->is_suspect) suspect.push_back(id);
    if (live->runs && deadline && *deadline <= now_ms) due.push_back(id);
  }
  for (const std::string& id : old) Drop(id, absl::NotFoundError("the table is gone"));
  for (const std::string& id : owed_) Read(id);
  for (const std::string& id : suspect) Pump(id);
  for (const std::string& id : due) {
    Request(
        id,
        [this](const Table& table, int64_t at_ms) {
          return table.OnDeadline(HouseBotsFor(table, options_, parts_), at_ms);
        },
        [](const Reply&) {});
  }
}

}  // namespace triarch::arena
