// Checks that a table rebuilt from its events equals the table that made them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "arena/table/table.h"
#include "arena/table/test_table.h"
#include "core/base/random.h"

namespace triarch::arena {
namespace {

using Stage = Table::Stage;

constexpr uint64_t kSeeds = 60;
constexpr int kRequests = 400;

// Makes random requests to a table, and rebuilds it from its events.
class RandomTable {
 public:
  explicit RandomTable(uint64_t seed) : random_(seed), live_(RandomSettings()), twin_(Rebuilt(0)) {}

  void Run() {
    for (int i = 0; i < kRequests && !testing::Test::HasFailure(); ++i) {
      Step();
      if (live_->is_over() && Chance(10)) break;
    }
    Compare(Rebuilt(live_.events().size()));
  }

  Stage stage() const { return live_->stage(); }

 private:
  uint32_t Below(uint32_t bound) { return random_.Below(bound); }
  bool Chance(uint32_t one_in) { return Below(one_in) == 0; }

  TableSettings RandomSettings() {
    constexpr const char* kGames[] = {"triumvirate", "three-way", "tri-d"};
    TableSettings settings{.game = kGames[Below(3)],
                           .draws = Chance(2) ? Draws::kAutomatic : Draws::kClaimed,
                           .is_rated = Chance(3),
                           .is_private = Chance(4),
                           .move_ms = 1 + Below(1'000),
                           .seed = random_.Next()};
    if (Chance(3)) settings.house_bots[Seat::kSecond] = "random:x=1";
    return settings;
  }

  std::string AnyName() {
    return names_.empty() || Chance(8) ? "nobody"
                                       : names_[Below(static_cast<uint32_t>(names_.size()))];
  }

  Decision Join() {
    const std::string name = "player" + std::to_string(names_.size());
    JoinRequest request{.occupant = TestPlayer(name, Chance(2), Chance(2) ? "owner" : "")};
    if (Chance(2)) request.wishes = {SeatAt(Below(3))};
    const Decision decision = live_->Join(request, live_.now_ms());
    if (!decision.refusal) names_.push_back(name);
    return decision;
  }

  MoveRequest AnyMove() {
    MoveRequest request;
    const AnyState::Moves moves = live_->moves();
    if (Chance(12) || moves.size() == 0) {
      request.texts.push_back(Chance(2) ? "E2-E4" : "\xff nonsense");
    } else {
      const size_t number = Below(static_cast<uint32_t>(moves.size()));
      request.texts.push_back(live_->state().MoveToString(moves, number));
    }
    if (Chance(2)) request.ply = live_->plies() - (Chance(8) ? 1 : 0);
    if (Chance(3)) request.move_number = live_->state().move_number();
    if (Chance(5)) request.message = Chance(20) ? std::string(300, 'x') : "hi ♞\n";
    return request;
  }

  // Mostly a move of the seat whose turn it is.
  Decision Move() {
    const int64_t now = live_.now_ms();
    if (live_->house_turn()) {
      const auto size = static_cast<uint32_t>(live_->moves().size());
      return live_->MoveHouseBot(live_->changed_at() - (Chance(9) ? 1 : 0),
                                 Chance(300) ? std::nullopt : std::optional<size_t>(Below(size)),
                                 now);
    }
    if (Chance(10)) {
      const std::optional<Table::Holder> holder = live_->FindToken(TestToken(AnyName()));
      return holder ? live_->Move(*holder, AnyMove(), now) : Decision();
    }
    return live_->Move({.seat = live_->state().to_move()}, AnyMove(), now);
  }

  Decision AnyDecision() {
    const int64_t now = live_.now_ms();
    if (live_->stage() == Stage::kWaiting && Chance(3)) return Join();
    if (Chance(20) || (Chance(4) && names_.empty())) return Join();
    if (Chance(300)) return live_->Close(now);
    if (Chance(30)) return live_->Fill({"random"}, now);
    if (Chance(8)) return live_->OnDeadline({"random"}, now);
    const std::optional<Table::Holder> holder = live_->FindToken(TestToken(AnyName()));
    if (holder && Chance(40)) return live_->Resign(*holder, now);
    if (holder && Chance(6)) return live_->ClaimDraw(*holder, now);
    if (holder && Chance(10)) return live_->WantRematch(*holder, now);
    if (holder && Chance(6)) return live_->Say(*holder, Chance(9) ? " " : names_.back(), now);
    return live_->stage() == Stage::kPlaying ? Move() : Decision();
  }

  void Step() {
    live_.Pass(Chance(10) ? Below(40'000) : Below(100));
    const std::string before = Describe(live_.table());
    const Decision decision = AnyDecision();
    EXPECT_EQ(Describe(live_.table()), before);  // a decision alone changes nothing
    if (decision.refusal) {
      EXPECT_FALSE(decision.refusal->text.empty());
      EXPECT_TRUE(decision.events.empty() || decision.refusal->why == Refused::kIllegalMove);
    }
    live_.Do(decision);
    for (const Event& event : decision.events) {
      const absl::StatusOr<Event> stored = EventFromJson(EventToJson(event));
      ASSERT_TRUE(stored.ok()) << stored.status();
      EXPECT_EQ(*stored, event);
      EXPECT_TRUE(twin_.Apply(*stored).ok());
    }
    EXPECT_EQ(live_->event_count(), static_cast<int64_t>(live_.events().size()));
    EXPECT_EQ(live_->deadline_ms().has_value(),
              live_->stage() == Stage::kPlaying
                  ? !live_->house_turn()
                  : live_->stage() == Stage::kWaiting && live_->player_count() > 0);
    if (decision.events.empty()) return;
    Compare(twin_);
    if (Chance(30)) Compare(Rebuilt(live_.events().size()));
  }

  // Makes the table again from its first events, or only opens it for 0.
  Table Rebuilt(size_t count) {
    absl::StatusOr<Table> table = Table::Open("table-1", live_.events()[0]);
    CHECK(table.ok());
    for (size_t i = 1; i < count; ++i) EXPECT_TRUE(table->Apply(live_.events()[i]).ok());
    return *std::move(table);
  }

  void Compare(const Table& other) {
    EXPECT_EQ(Describe(other), Describe(live_.table()));
    EXPECT_EQ(other.deadline_ms(), live_->deadline_ms());
    for (const std::string& name : names_) {
      const std::optional<Table::Holder> here = live_->FindToken(TestToken(name));
      const std::optional<Table::Holder> there = other.FindToken(TestToken(name));
      ASSERT_EQ(here.has_value(), there.has_value());
      if (!here) continue;
      EXPECT_EQ(here->seat, there->seat);
      EXPECT_EQ(here->is_lost, there->is_lost);
    }
    const int64_t late = live_.now_ms() + 1'000'000;
    EXPECT_EQ(other.OnDeadline({"random"}, late).events,
              live_->OnDeadline({"random"}, late).events);
  }

  Random random_;
  TestTable live_;
  Table twin_;  // gets each event as it is stored
  std::vector<std::string> names_;
};

TEST(TableProperty, IsWhatItsEventsMakeIt) {
  int finished = 0;
  int closed = 0;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomTable table(seed);
    table.Run();
    if (HasFailure()) break;
    finished += table.stage() == Stage::kFinished ? 1 : 0;
    closed += table.stage() == Stage::kClosed ? 1 : 0;
  }
  if (HasFailure()) return;
  EXPECT_GE(finished, 10);
  EXPECT_GE(closed, 3);
}

}  // namespace
}  // namespace triarch::arena
