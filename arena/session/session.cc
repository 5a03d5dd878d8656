#include "arena/session/session.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
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

bool HasSettings(const Table& table, TableSettings settings) {
  settings.seed = table.settings().seed;
  return table.settings() == settings;
}

}  // namespace

std::optional<Table::Holder> HolderOf(const Table& table, std::string_view token) {
  if (token.size() != 2 * kHalf) return std::nullopt;
  return table.FindToken(Sha256Hex(token.substr(kHalf)));
}

struct Session::Live {
  explicit Live(Table there) : table(std::move(there)) {}

  Table table;
  std::optional<Event> opened = {};  // until it is stored
  bool is_busy = false;              // an append or a load is under way
  bool is_suspect = false;           // the store may have events that this table lacks
  std::vector<Step> steps = {};      // requests in the order in which they came
  int64_t house_asked = -1;          // the number of events when a house bot was last asked
  int joins = 0;                     // requests to join that are not yet decided
};

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
  ASSIGN_OR_RETURN(Table table, Table::Open(id, events[0]));
  for (size_t i = 1; i < events.size(); ++i) RETURN_IF_ERROR(table.Apply(events[i]));
  table.NoteRestart(parts_.now_ms());
  AddLive(id, std::move(table));
  return absl::OkStatus();
}

void Session::Drop(const std::string& id, const absl::Status& why) {
  const auto found = tables_.find(id);
  if (found == tables_.end()) return;
  std::erase(waiting_, found->second.get());
  const std::unique_ptr<Live> live = std::move(found->second);
  tables_.erase(found);
  for (const Step& step : live->steps) step.reply({.error = why});
}

// ---- Joining.

Session::Live* Session::FindWaiting(const JoinAsk& ask) const {
  for (Live* const live : waiting_) {
    const Table& table = live->table;
    if (table.settings().is_private || !HasSettings(table, ask.settings)) continue;
    size_t free = 0;
    for (size_t i = 0; i < table.seat_count(); ++i) {
      const bool is_free = !table.occupant(SeatAt(i)) && ask.settings.house_bots[SeatAt(i)].empty();
      free += is_free ? 1 : 0;
    }
    if (free <= static_cast<size_t>(live->joins)) continue;
    const Decision decision = table.Join({.occupant = ask.occupant}, parts_.now_ms());
    if (!decision.refusal) return live;
  }
  return nullptr;
}

absl::StatusOr<Session::Live*> Session::OpenTable(const JoinAsk& ask) {
  if (tables_.size() >= options_.tables_max) {
    return absl::ResourceExhaustedError("the arena is full; try again later");
  }
  Event opened{.kind = Event::Kind::kOpened, .time_ms = parts_.now_ms()};
  opened.settings = ask.settings;
  opened.settings.seed = SeedOf(parts_.random());
  std::string id = NewUuid(parts_.random());
  ASSIGN_OR_RETURN(Table table, Table::Open(id, opened));
  if (table.state().outcome() || table.state().LegalMoves().size() == 0) {
    return absl::InvalidArgumentError("the start position has no legal move");
  }
  Live& live = AddLive(std::move(id), std::move(table));
  live.opened = std::move(opened);
  return &live;
}

void Session::Join(JoinAsk ask, ReplyTo reply) {
  if (ask.table.empty()) return Seek(std::move(ask), std::move(reply), kJoinTries);
  Live* const live = FindLive(ask.table);
  if (live == nullptr) return reply({.error = absl::NotFoundError("there is no such table")});
  JoinAt(*live, std::move(ask), std::move(reply), 0);
}

void Session::Seek(JoinAsk ask, ReplyTo reply, int tries_left) {
  Live* live = ask.settings.is_private ? nullptr : FindWaiting(ask);
  if (live == nullptr) {
    const absl::StatusOr<Live*> opened = OpenTable(ask);
    if (!opened.ok()) return reply({.error = opened.status()});
    live = *opened;
  }
  JoinAt(*live, std::move(ask), std::move(reply), tries_left);
}

void Session::JoinAt(Live& live, JoinAsk ask, ReplyTo reply, int tries_left) {
  const std::string id = live.table.id();
  const std::string secret = Hex(parts_.random());
  JoinRequest request{.occupant = ask.occupant, .seat = ask.seat};
  request.occupant.token_hash = Sha256Hex(secret);
  ++live.joins;
  const auto decide = [request](const Table& table, int64_t now_ms) {
    return table.Join(request, now_ms);
  };
  const auto answer = [this, id, secret, hash = request.occupant.token_hash, ask = std::move(ask),
                       reply = std::move(reply), tries_left](Reply answered) {
    if (Live* const there = FindLive(id)) --there->joins;
    const bool is_full = answered.refusal && answered.refusal->why == Refused::kFull;
    if (is_full && tries_left > 0) return Seek(ask, reply, tries_left - 1);
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
  if (live == nullptr) return reply({.error = absl::NotFoundError("there is no such table")});
  live->steps.push_back({std::move(decide), std::move(reply)});
  Pump(table);
}

void Session::Fill(const std::string& table, ReplyTo reply) {
  Request(
      table,
      [this](const Table& at, int64_t now_ms) { return at.Fill(options_.house_bot, now_ms); },
      std::move(reply));
}

void Session::Pump(const std::string& id) {
  while (true) {
    Live* const live = FindLive(id);
    if (live == nullptr || live->is_busy) return;
    if (live->is_suspect) return Reload(*live, {}, absl::OkStatus());
    if (live->steps.empty()) return;
    Decision decision = live->steps.front().decide(live->table, parts_.now_ms());
    if (!decision.events.empty()) return Store(*live, std::move(decision));
    Finish(*live, {.table = &live->table, .refusal = std::move(decision.refusal)});
  }
}

void Session::Finish(Live& live, const Reply& reply) {
  const Step step = std::move(live.steps.front());
  live.steps.erase(live.steps.begin());
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
    Live* const there = FindLive(id);
    if (there == nullptr) return;
    if (!events.ok()) there->is_suspect = true;
    if (!events.ok() || (there->opened && events->empty())) {
      there->is_busy = false;
      const absl::Status error = events.ok() ? why : events.status();
      if (there->opened) return Drop(id, error);
      while (!there->steps.empty()) {
        Finish(*there, {.error = error});
        if (FindLive(id) != there) return;
      }
      return;
    }
    if (there->opened) events->erase(events->begin());
    const bool is_ours = !ours.events.empty() && events->size() >= ours.events.size() &&
                         std::equal(ours.events.begin(), ours.events.end(), events->begin());
    const absl::Status performed = Perform(*there, *events);
    if (!performed.ok()) return Drop(id, performed);
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

// ---- Time.

void Session::AskHouseBot(Live& live) {
  const std::optional<Seat> seat = live.table.house_turn();
  const int64_t asked = live.table.event_count();
  if (!seat || live.house_asked == asked) return;
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
    if (live->is_suspect || (deadline && *deadline <= now_ms)) due.push_back(id);
  }
  for (const std::string& id : old) Drop(id, absl::NotFoundError("the table is gone"));
  for (const std::string& id : due) {
    Request(
        id,
        [this](const Table& table, int64_t at_ms) {
          return table.OnDeadline(options_.house_bot, at_ms);
        },
        [](const Reply&) {});
  }
}

}  // namespace triarch::arena
