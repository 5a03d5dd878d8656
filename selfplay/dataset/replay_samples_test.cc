#include "selfplay/dataset/replay_samples.h"

#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/dataset/game_replay.h"
#include "selfplay/shard/played_shard.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Returns all faults of a shard: those that CheckShard finds or, if it finds none, violations of
// the rules.
std::vector<std::string> FaultsOf(const Shard& shard) {
  const absl::Status status = CheckShard(shard);
  if (!status.ok()) return {std::string(status.message())};
  std::vector<std::string> faults;
  ReplaySamples(shard, [&](const SampleFault& fault) { faults.push_back(ToString(fault)); });
  return faults;
}

TEST(ReplaySamples, AcceptsPlayedGames) {
  for (const GameInfo* game : AllGames()) {
    for (int64_t first = 0; first < 20; ++first) {
      const Shard shard = MakePlayedShard(std::string(game->name), first);
      EXPECT_GT(shard.samples(), 20u);
      EXPECT_THAT(FaultsOf(shard), IsEmpty()) << game->name << " " << first;
    }
  }
}

struct Mutation {
  const char* name;
  std::function<void(Shard*)> mutate;
  const char* fault;  // substring of the first fault
};

// Replaces a legal move of sample 4 with another index between its first two legal moves or after
// them.
void ReplaceLegal(Shard* shard) {
  const size_t first = shard->legal_offsets[4];
  const size_t last = shard->legal_offsets[5];
  // Skip the played move, whose share of the policy is 255.
  size_t at = first;
  while (shard->policy[at] != 0 || shard->legal[at] + 1 == shard->legal[at + 1]) ++at;
  ASSERT_LT(at + 1, last);
  ++shard->legal[at];
}

// One wrong value for each column, in sample 4 (game 0, ply 9) or 12 (game 10).
const std::vector<Mutation>& Mutations() {
  static const std::vector<Mutation> kMutations = {
      {"game_index", [](Shard* s) { s->game_index[1] = 0; }, "game_index"},
      {"game_start", [](Shard* s) { s->game_start[0] = s->game_start[2]; }, "game 0, ply "},
      {"no game_start", [](Shard* s) { s->game_start[2] = "nonsense"; },
       "game 20, ply 0: game_start: "},
      {"game_moves_offsets", [](Shard* s) { ++s->game_moves_offsets[1]; }, "array "},
      {"game_moves", [](Shard* s) { s->game_moves[2] = 0; },
       "game 0, ply 2: game_moves: no legal move has the index 0"},
      {"game_moves continues",
       [](Shard* s) {
         s->game_moves.insert(s->game_moves.begin() + s->game_moves_offsets[2], kSeatLeft + 1);
         ++s->game_moves_offsets[2];
         ++s->game_moves_offsets[3];
       },
       "continues after the rules end the game"},
      {"seat left", [](Shard* s) { s->game_moves[34] = kSeatLeft + 1; }, "game 10, ply "},
      {"left twice",
       [](Shard* s) {
         s->game_moves.insert(s->game_moves.begin() + 35, kSeatLeft);
         ++s->game_moves_offsets[2];
         ++s->game_moves_offsets[3];
       },
       "game 10, ply 10: game_moves"},
      {"game_points",
       [](Shard* s) {
         // Change the points of the samples too.
         const auto swap = [](float* points) { std::swap(points[0], points[1]); };
         const auto seats = static_cast<size_t>(s->meta.seats);
         s->game_points[0] += 0.25f;
         s->game_points[1] -= 0.25f;
         for (size_t i = 0; i < s->samples(); ++i) {
           if (s->game[i] == 0) s->points[i * seats] += 0.25f;
           if (s->game[i] == 0) s->points[i * seats + 1] -= 0.25f;
           if (s->game[i] == 1) swap(&s->points[i * seats]);
         }
         swap(&s->game_points[seats]);
       },
       "game 0, ply 24: game_points: "},
      {"game_bots", [](Shard* s) { s->game_bots[1] = 2; }, "game_bots"},
      {"game_resign_ply",
       [](Shard* s) {
         s->game_resign_ply[1] = 3;
         s->game_resign_ply[0] = 1;
       },
       "game 0, ply 24: game_resign_ply: seat 0 has no turn at ply 1"},
      {"game", [](Shard* s) { s->game[4] = 1; }, "array "},
      {"index", [](Shard* s) { ++s->index[4]; }, "index"},
      {"ply", [](Shard* s) { ++s->ply[4]; }, "array "},
      {"seat", [](Shard* s) { s->seat[4] ^= 1; }, "state"},
      {"seat and state",
       [](Shard* s) {
         s->seat[4] = s->seat[4] == 0 ? 1 : 0;
         s->state[4 * kSampleState] = s->seat[4];
       },
       "sample 4 (game 0, ply 9): seat: "},
      {"cells", [](Shard* s) { s->cells[4 * static_cast<size_t>(s->meta.cells) + 5] ^= 0x80; },
       "sample 4 (game 0, ply 9): cells: byte 5 is "},
      {"state", [](Shard* s) { s->state[4 * kSampleState + kStateClock] ^= 0x40; },
       "sample 4 (game 0, ply 9): state: byte 8 is "},
      {"zeros of state", [](Shard* s) { s->state[4 * kSampleState + 15] = 1; },
       "sample 4 (game 0, ply 9): state: byte 15 is 1; expected 0"},
      {"legal_offsets", [](Shard* s) { ++s->legal_offsets[5]; }, "legal"},
      {"legal", ReplaceLegal, "sample 4 (game 0, ply 9): legal: "},
      {"policy", [](Shard* s) { s->policy[s->legal_offsets[4]] ^= 1; }, "policy"},
      {"played", [](Shard* s) { s->played[4] ^= 1; }, "played"},
      {"points", [](Shard* s) { s->points[4 * static_cast<size_t>(s->meta.seats)] += 0.1f; },
       "points"},
      {"value", [](Shard* s) { s->value[4 * static_cast<size_t>(s->meta.seats)] = ToHalf(1); },
       "value"},
      {"plies_left", [](Shard* s) { ++s->plies_left[4]; }, "plies_left"},
      {"weight", [](Shard* s) { s->weight[4] = 0.5f; }, "weight"},
      {"meta game", [](Shard* s) { s->meta.game = "draughts"; }, "unknown game"},
      {"meta policy_size", [](Shard* s) { ++s->meta.policy_size; }, "meta: policy_size"}};
  return kMutations;
}

TEST(ReplaySamples, FindsAFaultInEveryColumn) {
  for (const GameInfo* game : AllGames()) {
    for (const Mutation& mutation : Mutations()) {
      Shard shard = MakePlayedShard(std::string(game->name));
      mutation.mutate(&shard);
      const std::vector<std::string> faults = FaultsOf(shard);
      ASSERT_FALSE(faults.empty()) << game->name << " " << mutation.name;
      EXPECT_THAT(faults[0], HasSubstr(mutation.fault)) << game->name << " " << mutation.name;
    }
  }
}

// Checks each sample independently, and games after a faulty one.
TEST(ReplaySamples, ReportsEveryFault) {
  Shard shard = MakePlayedShard("triumvirate");
  shard.state[2 * kSampleState + 14] = 3;
  shard.state[3 * kSampleState + 15] = 4;
  shard.state[(shard.samples() - 1) * kSampleState + 14] = 5;
  shard.game_moves[35] = 0;  // ply 10 of game 10
  EXPECT_THAT(FaultsOf(shard),
              ElementsAre("sample 2 (game 0, ply 5): state: byte 14 is 3; expected 0",
                          "sample 3 (game 0, ply 7): state: byte 15 is 4; expected 0",
                          HasSubstr("game 10, ply 10: game_moves: no legal move has the index 0"),
                          HasSubstr("(game 20, ply 11): state: byte 14 is 5; expected 0")));
}

TEST(ReplaySamples, AnUnfinishedGameIsADrawOrAWin) {
  Shard shard = MakePlayedShard("triumvirate");
  const auto end_as = [&shard](std::vector<float> points) {
    std::copy(points.begin(), points.end(), shard.game_points.begin());
    for (size_t i = 0; shard.game[i] == 0; ++i) {
      std::copy(points.begin(), points.end(), shard.points.begin() + static_cast<long>(3 * i));
    }
    return FaultsOf(shard);
  };
  constexpr float kThird = 1.0f / 3;
  constexpr float kSixth = 1.0f / 6;
  EXPECT_THAT(end_as({kThird, kThird, kThird}), IsEmpty());
  EXPECT_THAT(end_as({kSixth, 2 * kThird, kSixth}), IsEmpty());
  EXPECT_THAT(
      end_as({kThird, 2 * kThird, 0}),
      ElementsAre("game 0, ply 24: game_points: 0.333 0.667 0.000; expected 0.333 0.333 "
                  "0.333 (a draw of the seats still in the game) or a win for one of them"));
}

TEST(ReplaySamples, AcceptsResignationPlies) {
  Shard shard = MakePlayedShard("triumvirate");
  shard.game_resign_ply[1] = 4;
  EXPECT_THAT(FaultsOf(shard), IsEmpty());
}

TEST(GameReplay, StepsToAPly) {
  const Shard shard = MakePlayedShard("triumvirate");
  absl::StatusOr<GameReplay> replay = GameReplay::Begin(shard, 1);
  ASSERT_TRUE(replay.ok()) << replay.status();
  EXPECT_EQ(replay->moves().size(), replay->indices().size());
  ASSERT_TRUE(replay->StepTo(10).ok());
  EXPECT_EQ(replay->ply(), 10u);
  EXPECT_TRUE(replay->is_move_next());
  EXPECT_FALSE(replay->state().is_in(Seat::kFirst));  // it left before that move
  EXPECT_THAT(std::string(replay->StepTo(17).message()), HasSubstr("only 16 plies"));
  EXPECT_TRUE(replay->is_done());
}

}  // namespace
}  // namespace triarch
