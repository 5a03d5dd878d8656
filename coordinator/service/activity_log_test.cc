#include "coordinator/service/activity_log.h"

#include <chrono>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ActivityLogTest : public ::testing::Test {
 protected:
  // Returns the new entries: "MESSAGE value value…".
  std::vector<std::string> Taken() { return std::exchange(lines_, {}); }
  void Note(const std::vector<TournamentCounts>& tournaments) { log_.NoteTournaments(tournaments); }
  void Note(const std::vector<WorkerView>& workers) { log_.NoteWorkers(workers); }

  std::vector<std::string> lines_;
  ActivityLog log_{[this](const LogEntry& entry) {
    std::string line(entry.message);
    for (const LogField& field : entry.fields) {
      const int64_t* const number = std::get_if<int64_t>(&field.value);
      line +=
          " " + (number != nullptr ? std::to_string(*number) : std::get<std::string>(field.value));
    }
    lines_.push_back(line);
  }};
};

TournamentCounts Counts(int64_t id, TournamentState state) {
  return {.id = id,
          .label = std::to_string(id) + " spring cup",
          .game = "tri-d",
          .state = state,
          .games = 60,
          .done = 7};
}

TEST_F(ActivityLogTest, Tournaments) {
  Note({Counts(1, TournamentState::kActive)});
  EXPECT_THAT(Taken(), IsEmpty()) << "it was there before";
  Note({Counts(1, TournamentState::kDone), Counts(2, TournamentState::kActive)});
  EXPECT_THAT(Taken(), ElementsAre("A tournament is done. 1 spring cup 60 7",
                                   "A tournament was added. 2 spring cup 60 7"));
  Note({Counts(1, TournamentState::kDone), Counts(2, TournamentState::kPaused)});
  EXPECT_THAT(Taken(), ElementsAre("A tournament is paused. 2 spring cup 60 7"));
  Note({Counts(1, TournamentState::kDone), Counts(2, TournamentState::kCancelled)});
  EXPECT_THAT(Taken(), ElementsAre("A tournament is cancelled. 2 spring cup 60 7"));
}

TEST_F(ActivityLogTest, AnIrreproducibleTournamentIsToldOnce) {
  TournamentCounts counts = Counts(1, TournamentState::kActive);
  counts.held = 20;
  counts.audits.is_irreproducible = true;
  for (int i = 0; i < 2; ++i) Note({counts});
  EXPECT_THAT(Taken(), ElementsAre("Games differ each time that they are played. 1 20 a bot is not "
                                   "deterministic, so the held games cannot be audited"));
}

WorkerView View(const std::string& name, uint64_t instance, bool is_alive) {
  WorkerView view{};
  view.info.id = {.name = name, .instance = instance};
  view.info.slots = 4;
  view.info.build = "b";
  view.owner = "lab";
  view.is_alive = is_alive;
  view.last_seen = std::chrono::milliseconds(is_alive ? 0 : 60'000);
  return view;
}

TEST_F(ActivityLogTest, WorkersComeAndGo) {
  Note(std::vector<WorkerView>());
  Note({View("w", 1, true)});
  EXPECT_THAT(Taken(), ElementsAre("A worker registered. w lab 4 b"));
  Note({View("w", 1, false)});
  EXPECT_THAT(Taken(), ElementsAre("A worker has left, or is silent. w 60000"));
  Note({View("w", 1, true)});
  EXPECT_THAT(Taken(), ElementsAre("A worker is back. w lab 4 b"));
  Note({View("w", 2, true)});
  EXPECT_THAT(Taken(), ElementsAre("A worker registered. w lab 4 b")) << "it was restarted";
  Note(std::vector<WorkerView>());
  EXPECT_THAT(Taken(), ElementsAre("A worker has left, or is silent. w 0"));
  Note(std::vector<WorkerView>());
  EXPECT_THAT(Taken(), IsEmpty());
}

TEST_F(ActivityLogTest, Quarantine) {
  Note({View("w", 1, true)});
  WorkerView liar = View("w", 1, true);
  liar.quarantine = "a false game";
  Note({liar});
  EXPECT_THAT(Taken(), ElementsAre("A worker is quarantined. w a false game"));
  Note({liar});
  EXPECT_THAT(Taken(), IsEmpty());
  Note({View("w", 1, true)});
  EXPECT_THAT(Taken(), ElementsAre("A worker is no longer quarantined. w lab 4 b"));
}

TEST_F(ActivityLogTest, SaysOnceWhyAWorkerCannotPlay) {
  Note({View("w", 1, true)});
  WorkerView lacking = View("w", 1, true);
  lacking.refusals[3] = "no python3";
  Note({lacking});
  EXPECT_THAT(Taken(), ElementsAre("A worker cannot play a tournament. w 3 no python3"));
  Note({View("w", 1, true)});
  Note({lacking});
  EXPECT_THAT(Taken(), IsEmpty()) << "it has tried again";
  lacking.refusals[3] = "no memory";
  Note({lacking});
  EXPECT_THAT(Taken(), ElementsAre("A worker cannot play a tournament. w 3 no memory"));
}

TEST_F(ActivityLogTest, Manifests) {
  log_.NoteData(3, absl::OkStatus());
  EXPECT_THAT(Taken(), IsEmpty());
  log_.NoteData(3, absl::UnavailableError("no bucket"));
  log_.NoteData(3, absl::UnavailableError("no bucket"));
  EXPECT_THAT(Taken(), ElementsAre("A manifest cannot be written. 3 no bucket"));
  log_.NoteData(3, absl::OkStatus());
  EXPECT_THAT(Taken(), ElementsAre("A manifest can be written again. 3"));
}

}  // namespace
}  // namespace triarch
