#include "tests/metrics/sample_arena.h"

#include <string>
#include <utility>
#include <vector>

#include "core/base/check.h"

namespace triarch::arena {
namespace {

constexpr int64_t kMoveMs = 1'000;

// Plays a few moves at a table and reports each event.
class SampleTable {
 public:
  SampleTable(std::string_view game, ArenaMetrics& metrics)
      : metrics_(metrics), table_(Opened(game)) {}

  void Play() {
    Do(table_.Join({.occupant = {.name = "Ann", .token_hash = "1"}}, Later(2)));
    Do(table_.Fill({"random"}, Later(20)));
    for (int i = 0; i < 3; ++i) Do(table_.Move({}, {.texts = {"nothing"}}, Later(1)));
    for (int i = 0; i < 6; ++i) {
      const std::optional<Seat> house = table_.house_turn();
      if (house) {
        Do(table_.MoveHouseBot(table_.event_count(), 0, Later(1)));
      } else if (i < 3) {
        Do(table_.Move({}, {.texts = {table_.state().MoveInForm(table_.moves(), 0, 0)}}, Later(1)));
      } else {
        Do(table_.OnDeadline({}, Later(2 * kMoveMs)));
      }
    }
  }

 private:
  static Table Opened(std::string_view game) {
    Event opened;
    opened.settings = {.game = std::string(game), .move_ms = kMoveMs};
    absl::StatusOr<Table> table = Table::Open("sample", opened);
    CHECK(table.ok());
    return *std::move(table);
  }

  int64_t Later(int64_t ms) { return now_ms_ += ms; }

  void Do(const Decision& decision) {
    for (const Event& event : decision.events) CHECK(table_.Apply(event).ok());
    metrics_.Changed(table_, decision.events);
  }

  ArenaMetrics& metrics_;
  Table table_;
  int64_t now_ms_ = 0;
};

}  // namespace

void RecordSampleArena(int64_t step, ArenaMetrics& metrics) {
  for (const char* game : {"triumvirate", "three-way", "tri-d"}) SampleTable(game, metrics).Play();
  for (const char* route : {"/api/v1/state", "/api/v2/turn", "/api/v2/move", "other"}) {
    for (const int status : {200, 403}) metrics.Answered(route, status);
  }
  metrics.MoveStored(0.001 * static_cast<double>(step % 5 + 1));
  for (int why = 0; why <= static_cast<int>(Refused::kForbidden); ++why) {
    metrics.Count(static_cast<Refused>(why));
  }
  for (const char* reason : {"blocked", "rate_limited", "unknown_secret"}) {
    metrics.CountRefusal(reason);
  }
  if (step % 50 == 10) metrics.StoreFailed();
  metrics.Set({.connections = 100 + static_cast<size_t>(step % 7),
               .spectators = 20,
               .tables = {{"triumvirate", {2, 10, 5, 1}},
                          {"three-way", {1, 5, 5, 1}},
                          {"tri-d", {1, 20 + step % 3, 5, 1}}}});
}

}  // namespace triarch::arena
