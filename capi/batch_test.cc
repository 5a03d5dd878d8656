// Tests the batches of triarch.h.

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "capi/triarch.h"
#include "core/base/random.h"
#include "core/planes.h"
#include "core/sample.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

// The arrays of a batch, all of them.
struct Arrays {
  Arrays(const triarch_game_info& info, size_t n)
      : seat(n),
        legal_offsets(n + 1),
        legal(n * TRIARCH_MOVES_MAX),
        legal_bits(n * ((info.policy_size + 63) / 64)),
        legal_mask(n * info.policy_size),
        planes(n * info.planes * info.cells),
        plane_bits(n * info.planes * info.cells / 8),
        clock(n),
        cells(n * info.cells),
        state(n * TRIARCH_SAMPLE_STATE),
        rewards(n * info.seats),
        ended(n),
        places(n * info.seats),
        plies(n) {}

  triarch_batch_arrays get() {
    return {.size = sizeof(triarch_batch_arrays),
            .seat = seat.data(),
            .legal_offsets = legal_offsets.data(),
            .legal = legal.data(),
            .legal_bits = legal_bits.data(),
            .legal_mask = legal_mask.data(),
            .planes = planes.data(),
            .plane_bits = plane_bits.data(),
            .clock = clock.data(),
            .cells = cells.data(),
            .state = state.data(),
            .rewards = rewards.data(),
            .ended = ended.data(),
            .places = places.data(),
            .plies = plies.data()};
  }

  friend bool operator==(const Arrays&, const Arrays&) = default;

  std::vector<uint8_t> seat;
  std::vector<uint32_t> legal_offsets;
  std::vector<uint16_t> legal;
  std::vector<uint64_t> legal_bits;
  std::vector<uint8_t> legal_mask;
  std::vector<uint8_t> planes;
  std::vector<uint8_t> plane_bits;
  std::vector<uint8_t> clock;
  std::vector<uint8_t> cells;
  std::vector<uint8_t> state;
  std::vector<float> rewards;
  std::vector<uint8_t> ended;
  std::vector<uint8_t> places;
  std::vector<uint32_t> plies;
};

using BatchPointer = std::unique_ptr<triarch_batch, decltype(&triarch_batch_destroy)>;

class BatchTest : public testing::TestWithParam<triarch_game> {
 protected:
  static constexpr size_t kCount = 7;

  const triarch_game_info& info() const { return *triarch_get_game_info(GetParam()); }
  BatchPointer Make(uint32_t flags = 0, uint32_t threads = 1, uint32_t plies_max = 0) const {
    triarch_position start;
    EXPECT_EQ(triarch_start(GetParam(), "", &start, nullptr), TRIARCH_OK);
    const triarch_batch_options options{
        .size = sizeof(options), .flags = flags, .threads = threads, .plies_max = plies_max};
    triarch_batch* batch = nullptr;
    EXPECT_EQ(triarch_batch_create(&start, kCount, &options, &batch, nullptr), TRIARCH_OK);
    return {batch, triarch_batch_destroy};
  }
  void Observe(triarch_batch* batch, Arrays& arrays) const {
    const triarch_batch_arrays all = arrays.get();
    ASSERT_EQ(triarch_batch_observe(batch, &all, nullptr), TRIARCH_OK);
  }
  triarch_status Step(triarch_batch* batch, const std::vector<uint16_t>& actions, Arrays& arrays,
                      triarch_error* error = nullptr) const {
    const triarch_batch_arrays all = arrays.get();
    return triarch_batch_step(batch, actions.data(), &all, error);
  }
  // Returns a random legal action for each game; none for a game without moves.
  static std::vector<uint16_t> RandomActions(const Arrays& arrays, Random& random) {
    std::vector<uint16_t> actions;
    for (size_t i = 0; i < kCount; ++i) {
      const uint32_t first = arrays.legal_offsets[i];
      const uint32_t count = arrays.legal_offsets[i + 1] - first;
      actions.push_back(count == 0 ? uint16_t{TRIARCH_ACTION_NONE}
                                   : arrays.legal[first + random.Below(count)]);
    }
    return actions;
  }

  int IndexInViewOf(int index, triarch_seat viewer) const {
    switch (GetParam()) {
      case TRIARCH_TRIUMVIRATE:
        return IndexInView(kGame<triumvirate::Position>, index, SeatAt(viewer));
      case TRIARCH_THREE_WAY:
        return IndexInView(kGame<three_way::Position>, index, SeatAt(viewer));
      case TRIARCH_TRI_D:
        return IndexInView(kGame<tri_d::Position>, index, SeatAt(viewer));
    }
    return -1;
  }

  // Compares a game's row with its state.
  void Compare(const Arrays& arrays, size_t i, const triarch_state& state, bool is_fixed) const {
    const triarch_position& position = state.position;
    ASSERT_EQ(arrays.seat[i], triarch_to_move(&position));
    const triarch_seat viewer = is_fixed ? 0 : arrays.seat[i];
    std::vector<triarch_move> moves(TRIARCH_MOVES_MAX);
    moves.resize(triarch_state_legal_moves(&state, moves.data()));
    std::vector<uint16_t> expected;
    for (const triarch_move move : moves) {
      const auto index = static_cast<int>(triarch_policy_index(&position, move));
      expected.push_back(static_cast<uint16_t>(IndexInViewOf(index, viewer)));
    }
    std::sort(expected.begin(), expected.end());
    const std::vector<uint16_t> legal(&arrays.legal[arrays.legal_offsets[i]],
                                      &arrays.legal[arrays.legal_offsets[i + 1]]);
    ASSERT_EQ(legal, expected);
    const size_t words = (info().policy_size + 63) / 64;
    for (uint32_t index = 0; index < info().policy_size; ++index) {
      const bool is_legal = std::binary_search(legal.begin(), legal.end(), index);
      ASSERT_EQ(arrays.legal_mask[i * info().policy_size + index], is_legal);
      ASSERT_EQ(arrays.legal_bits[i * words + index / 64] >> (index % 64) & 1, is_legal);
    }
    for (size_t k = i * info().planes * info().cells; k < (i + 1) * info().planes * info().cells;
         ++k) {
      ASSERT_EQ(arrays.planes[k], arrays.plane_bits[k / 8] >> (k % 8) & 1);
    }
    std::vector<uint8_t> cells(info().cells);
    std::vector<uint8_t> bytes(TRIARCH_SAMPLE_STATE);
    triarch_sample(&position, cells.data(), bytes.data());
    EXPECT_TRUE(std::equal(cells.begin(), cells.end(), &arrays.cells[i * info().cells]));
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), &arrays.state[i * TRIARCH_SAMPLE_STATE]));
    // The planes of own pieces are those of the mover in the view of seat 0.
    size_t pieces = 0;
    for (size_t plane = 0; plane < 6 * info().seats; ++plane) {
      for (size_t cell = 0; cell < info().cells; ++cell) {
        pieces += arrays.planes[(i * info().planes + plane) * info().cells + cell];
      }
    }
    std::vector<triarch_piece> listed(TRIARCH_PIECES_MAX);
    EXPECT_EQ(pieces, triarch_pieces(&position, listed.data()));
  }
};

INSTANTIATE_TEST_SUITE_P(AllGames, BatchTest,
                         testing::Values<triarch_game>(TRIARCH_TRIUMVIRATE, TRIARCH_THREE_WAY,
                                                       TRIARCH_TRI_D),
                         [](const auto& test) {
                           std::string name = triarch_get_game_info(test.param)->name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST_P(BatchTest, PlaysLikeSingleStates) {
  for (const bool is_fixed : {false, true}) {
    const BatchPointer batch = Make(is_fixed ? TRIARCH_FIXED_VIEW : 0);
    Arrays arrays(info(), kCount);
    Observe(batch.get(), arrays);
    Random random(11);
    std::vector<triarch_state> states(kCount);
    for (size_t i = 0; i < kCount; ++i) triarch_batch_get(batch.get(), i, &states[i]);
    const triarch_state start = states[0];
    std::vector<float> earned(kCount * info().seats);
    size_t ended = 0;
    for (int step = 0; step < 1000; ++step) {
      for (size_t i = 0; i < kCount && step % 9 == 0; ++i) {
        Compare(arrays, i, states[i], is_fixed);
      }
      if (HasFatalFailure()) return;
      const std::vector<uint16_t> actions = RandomActions(arrays, random);
      const Arrays before = arrays;
      ASSERT_EQ(Step(batch.get(), actions, arrays), TRIARCH_OK);
      for (size_t i = 0; i < kCount; ++i) {
        std::vector<triarch_move> moves(TRIARCH_MOVES_MAX);
        moves.resize(triarch_state_legal_moves(&states[i], moves.data()));
        for (const triarch_move move : moves) {
          const auto index = static_cast<int>(triarch_policy_index(&states[i].position, move));
          if (IndexInViewOf(index, is_fixed ? 0 : before.seat[i]) != actions[i]) continue;
          ASSERT_EQ(triarch_state_play(&states[i], move, nullptr), TRIARCH_OK);
          break;
        }
        for (size_t s = 0; s < info().seats; ++s) {
          earned[i * info().seats + s] += arrays.rewards[i * info().seats + s];
        }
        triarch_outcome outcome;
        const bool is_over = triarch_state_get_outcome(&states[i], &outcome) != 0;
        ASSERT_EQ(arrays.ended[i], is_over ? outcome.termination + 1 : 0);
        if (!is_over) continue;
        ++ended;
        for (size_t s = 0; s < info().seats; ++s) {
          EXPECT_EQ(arrays.places[i * info().seats + s], outcome.places[s]);
          EXPECT_FLOAT_EQ(earned[i * info().seats + s],
                          static_cast<float>(2 * outcome.points[s] - 1));
          earned[i * info().seats + s] = 0;
        }
        EXPECT_EQ(arrays.plies[i], 0u);
        states[i] = start;
      }
    }
    EXPECT_GT(ended, 0u);
  }
}

TEST_P(BatchTest, NumberOfThreadsChangesNothing) {
  const BatchPointer one = Make(0, 1);
  const BatchPointer three = Make(0, 3);
  Arrays a(info(), kCount);
  Arrays b(info(), kCount);
  Observe(one.get(), a);
  Observe(three.get(), b);
  Random random(5);
  for (int step = 0; step < 100; ++step) {
    ASSERT_TRUE(a == b);
    const std::vector<uint16_t> actions = RandomActions(a, random);
    ASSERT_EQ(Step(one.get(), actions, a), TRIARCH_OK);
    ASSERT_EQ(Step(three.get(), actions, b), TRIARCH_OK);
  }
}

TEST_P(BatchTest, AnImpossibleActionChangesNothing) {
  const BatchPointer batch = Make();
  Arrays before(info(), kCount);
  Observe(batch.get(), before);
  Random random(1);
  std::vector<uint16_t> actions = RandomActions(before, random);
  actions[3] = 0;
  actions[5] = static_cast<uint16_t>(info().policy_size);
  Arrays after(info(), kCount);
  triarch_error error;
  EXPECT_EQ(Step(batch.get(), actions, after, &error), TRIARCH_ILLEGAL);
  EXPECT_THAT(error.message, HasSubstr("game 3: action 0"));
  Observe(batch.get(), after);
  EXPECT_TRUE(before == after);
  actions[3] = static_cast<uint16_t>(TRIARCH_ACTION_RESIGN + info().seats);
  EXPECT_EQ(Step(batch.get(), actions, after, &error), TRIARCH_ILLEGAL);
}

TEST_P(BatchTest, SeatsResignAndFinishedGamesStay) {
  const BatchPointer batch = Make(TRIARCH_NO_RESET);
  Arrays arrays(info(), kCount);
  std::vector<uint16_t> actions(kCount, TRIARCH_ACTION_NONE);
  for (uint32_t seat = 1; seat < info().seats; ++seat) {
    actions[2] = static_cast<uint16_t>(TRIARCH_ACTION_RESIGN + seat);
    ASSERT_EQ(Step(batch.get(), actions, arrays), TRIARCH_OK);
    EXPECT_EQ(arrays.rewards[2 * info().seats + seat],
              seat + 1 < info().seats || info().seats == 2 ? -1 : 0);
  }
  EXPECT_EQ(arrays.ended[2], 1 + TRIARCH_RESIGNATION);
  EXPECT_EQ(arrays.rewards[2 * info().seats], 1);
  EXPECT_EQ(arrays.legal_offsets[2], arrays.legal_offsets[3]);
  EXPECT_EQ(Step(batch.get(), actions, arrays), TRIARCH_ILLEGAL);
  actions[2] = TRIARCH_ACTION_NONE;
  ASSERT_EQ(Step(batch.get(), actions, arrays), TRIARCH_OK);
  EXPECT_EQ(arrays.ended[2], 0);
  triarch_batch_reset(batch.get());
  Observe(batch.get(), arrays);
  EXPECT_LT(arrays.legal_offsets[2], arrays.legal_offsets[3]);
}

TEST_P(BatchTest, EndsLongGames) {
  const BatchPointer batch = Make(0, 1, 4);
  Arrays arrays(info(), kCount);
  Observe(batch.get(), arrays);
  Random random(2);
  for (int step = 1; step <= 4; ++step) {
    ASSERT_EQ(Step(batch.get(), RandomActions(arrays, random), arrays), TRIARCH_OK);
    EXPECT_EQ(arrays.ended[0], step < 4 ? 0 : 1 + TRIARCH_PLY_LIMIT);
  }
  EXPECT_FLOAT_EQ(arrays.rewards[0], 0);
}

TEST_P(BatchTest, CopiesStatesInAndOut) {
  const BatchPointer batch = Make();
  Arrays arrays(info(), kCount);
  Observe(batch.get(), arrays);
  Random random(3);
  for (int step = 0; step < 10; ++step) {
    ASSERT_EQ(Step(batch.get(), RandomActions(arrays, random), arrays), TRIARCH_OK);
  }
  triarch_state state;
  triarch_batch_get(batch.get(), 4, &state);
  triarch_batch_set(batch.get(), 0, &state);
  triarch_state copy;
  triarch_batch_get(batch.get(), 0, &copy);
  EXPECT_TRUE(triarch_state_equal(&state, &copy));
  Observe(batch.get(), arrays);
  Compare(arrays, 0, state, false);
}

TEST_P(BatchTest, ExplainsBadOptions) {
  triarch_position start;
  ASSERT_EQ(triarch_start(GetParam(), "", &start, nullptr), TRIARCH_OK);
  const triarch_batch_options options{
      .size = sizeof(options), .flags = 0, .threads = 5000, .plies_max = 0};
  triarch_batch* batch = nullptr;
  triarch_error error;
  EXPECT_EQ(triarch_batch_create(&start, 1, &options, &batch, &error), TRIARCH_INVALID_ARGUMENT);
  EXPECT_THAT(error.message, HasSubstr("threads 5000"));
  const BatchPointer good = Make();
  triarch_batch_arrays arrays = {};
  arrays.size = sizeof(arrays);
  uint16_t legal[1];
  arrays.legal = legal;
  EXPECT_EQ(triarch_batch_observe(good.get(), &arrays, &error), TRIARCH_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace triarch
