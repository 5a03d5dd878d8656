// A table with its events and a clock, for tests.

#ifndef TRIARCH_ARENA_TABLE_TEST_TABLE_H_
#define TRIARCH_ARENA_TABLE_TEST_TABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "arena/table/table.h"
#include "core/base/check.h"

namespace triarch::arena {

inline constexpr int64_t kTestTime = 1'764'000'000'000;

// Returns the hash of a player's token.
inline std::string TestToken(std::string_view name) { return "token-" + std::string(name); }

inline Occupant TestPlayer(std::string name, bool is_claimed = false, std::string owner = "") {
  Occupant occupant{.name = name, .token_hash = TestToken(name)};
  occupant.is_claimed = is_claimed;
  occupant.owner = std::move(owner);
  return occupant;
}

// Describes everything that events determine; all but a deadline, which restarts also change.
inline std::string Describe(const Table& table) {
  std::string text = absl::StrFormat(
      "%s stage %d events %d plies %d attempts %d opened %d ended %d players %d full %d\n%s\n"
      "last %s before %s\n",
      table.id(), static_cast<int>(table.stage()), table.event_count(), table.plies(),
      table.attempts(), table.opened_ms(), table.ended_ms(), table.player_count(), table.is_full(),
      table.state().ToString(), table.last_move(), table.previous_move());
  text += EventToJson({.settings = table.settings()}) + "\n";
  for (size_t i = 0; i < table.seat_count(); ++i) {
    const Seat seat = SeatAt(i);
    text += absl::StrFormat("seat %d: replaced %d rematch %d in %d", i, table.is_replacement(seat),
                            table.wants_rematch(seat), table.state().is_in(seat));
    if (const std::optional<Occupant>& occupant = table.occupant(seat)) {
      text += EventToJson({.kind = Event::Kind::kJoined, .seat = seat, .occupant = *occupant});
    }
    text += "\n";
  }
  if (const auto seat = table.house_turn())
    text += absl::StrFormat("house turn %d\n", Index(*seat));
  for (const ChatLine& line : table.chat()) {
    text +=
        absl::StrFormat("%d %d %s: %s\n", line.move_number, Index(line.seat), line.name, line.text);
  }
  if (table.game() == nullptr) return text;
  const GameRecord& record = table.game()->record();
  for (const RecordedEvent& event : record.events) {
    text += absl::StrFormat("%d %d %s %d %d %d %d\n", static_cast<int>(event.kind),
                            Index(event.seat), std::string(event.move.text()), event.is_check,
                            event.is_elimination, event.is_fallback, static_cast<int>(event.why));
  }
  for (const SeatCost& cost : record.costs) {
    text += absl::StrFormat("cost %d %d\n", cost.moves, cost.time_us);
  }
  for (const std::string& name : record.bots) text += name + "\n";
  return text;
}

class TestTable {
 public:
  explicit TestTable(TableSettings settings)
      : TestTable(Event{.time_ms = kTestTime, .settings = std::move(settings)}) {}
  explicit TestTable(const Event& opened)
      : table_(*Table::Open("table-1", opened)), events_{opened}, now_ms_(opened.time_ms) {}

  Table& table() { return table_; }
  const Table* operator->() const { return &table_; }
  const std::vector<Event>& events() const { return events_; }
  int64_t now_ms() const { return now_ms_; }
  void Pass(int64_t ms) { now_ms_ += ms; }

  // Performs a decision and returns it.
  Decision Do(Decision decision) {
    for (const Event& event : decision.events) {
      const absl::Status status = table_.Apply(event);
      CHECK(status.ok());
      events_.push_back(event);
    }
    return decision;
  }
  Decision Join(Occupant occupant, std::vector<Seat> wishes = {}) {
    return Do(table_.Join({.occupant = std::move(occupant), .wishes = std::move(wishes)}, now_ms_));
  }
  // Seats these players, in this order.
  TestTable& Sit(const std::vector<std::string>& names, bool are_claimed = false) {
    for (const std::string& name : names) Join(TestPlayer(name, are_claimed));
    return *this;
  }
  Decision Fill(const std::vector<std::string>& house_bots = {"random"}) {
    return Do(table_.Fill(house_bots, now_ms_));
  }
  Table::Holder Of(std::string_view name) const {
    const std::optional<Table::Holder> holder = table_.FindToken(TestToken(name));
    CHECK(holder.has_value());
    return *holder;
  }
  Decision Move(std::string_view name, MoveRequest request) {
    return Do(table_.Move(Of(name), request, now_ms_));
  }
  Decision Move(std::string_view name, std::string text) {
    return Move(name, MoveRequest{.texts = {std::move(text)}});
  }
  // Plays a legal move for whoever is to move.
  std::string PlayAny(size_t number = 0) {
    const AnyState::Moves moves = table_.moves();
    const Seat seat = table_.state().to_move();
    std::string text = table_.state().MoveToTpgn(moves, number % moves.size());
    Do(table_.Move({.seat = seat}, {.texts = {text}}, now_ms_));
    return text;
  }
  Decision Resign(std::string_view name) { return Do(table_.Resign(Of(name), now_ms_)); }
  Decision ClaimDraw(std::string_view name) { return Do(table_.ClaimDraw(Of(name), now_ms_)); }
  Decision Say(std::string_view name, std::string_view message) {
    return Do(table_.Say(Of(name), message, now_ms_));
  }
  Decision WantRematch(std::string_view name) { return Do(table_.WantRematch(Of(name), now_ms_)); }
  // Moves the clock to the deadline and does what is due then.
  Decision PassDeadline(const std::vector<std::string>& house_bots = {"random"}) {
    CHECK(table_.deadline_ms().has_value());
    now_ms_ = *table_.deadline_ms();
    return Do(table_.OnDeadline(house_bots, now_ms_));
  }

 private:
  Table table_;
  std::vector<Event> events_;
  int64_t now_ms_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_TABLE_TEST_TABLE_H_
