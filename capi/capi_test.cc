// Tests the rules and searches of triarch.h.

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "bots/searchers.h"
#include "capi/triarch.h"
#include "core/any_state.h"
#include "core/base/random.h"
#include "core/game/perft.h"
#include "core/games.h"
#include "core/json.h"
#include "core/picture.h"
#include "core/sample.h"
#include "core/text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

class CApi : public testing::TestWithParam<triarch_game> {
 protected:
  const triarch_game_info& info() const { return *triarch_get_game_info(GetParam()); }
  triarch_position Start() const {
    triarch_position position;
    EXPECT_EQ(triarch_start(GetParam(), "", &position, nullptr), TRIARCH_OK);
    return position;
  }
  triarch_state Begin(uint32_t flags = 0) const {
    const triarch_position position = Start();
    triarch_state state;
    triarch_state_begin(&state, &position, flags);
    return state;
  }
};

INSTANTIATE_TEST_SUITE_P(AllGames, CApi,
                         testing::Values<triarch_game>(TRIARCH_TRIUMVIRATE, TRIARCH_THREE_WAY,
                                                       TRIARCH_TRI_D),
                         [](const auto& test) {
                           std::string name = triarch_get_game_info(test.param)->name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Returns the text that a function writes.
template <class F>
std::string TextOf(F write) {
  std::string text(write(nullptr, 0), '\0');
  EXPECT_EQ(write(text.data(), text.size() + 1), text.size());
  return text;
}

std::string MoveText(const triarch_position& position, triarch_move move) {
  return TextOf(
      [&](char* text, size_t size) { return triarch_move_text(&position, move, text, size); });
}

std::vector<triarch_move> LegalMoves(const triarch_position& position) {
  std::vector<triarch_move> moves(TRIARCH_MOVES_MAX);
  moves.resize(triarch_legal_moves(&position, moves.data()));
  return moves;
}

uint64_t PerftByMoves(const triarch_position& position, int depth) {
  const std::vector<triarch_move> moves = LegalMoves(position);
  if (depth == 1) return moves.size();
  uint64_t nodes = 0;
  for (const triarch_move move : moves) {
    triarch_position next = position;
    triarch_play(&next, move);
    nodes += PerftByMoves(next, depth - 1);
  }
  return nodes;
}

TEST_P(CApi, FindsGames) {
  triarch_game game{};
  EXPECT_EQ(triarch_find_game(info().name, &game, nullptr), TRIARCH_OK);
  EXPECT_EQ(game, GetParam());
  triarch_error error;
  EXPECT_EQ(triarch_find_game("chess", &game, &error), TRIARCH_INVALID_ARGUMENT);
  EXPECT_THAT(error.message, HasSubstr("unknown game \"chess\""));
  EXPECT_EQ(triarch_get_game_info(0), nullptr);
  EXPECT_STREQ(triarch_termination_name(TRIARCH_FIFTY_MOVES), "fifty_moves");
  EXPECT_EQ(triarch_termination_name(16), nullptr);
}

TEST_P(CApi, CountsTheSameNodes) {
  const triarch_position start = Start();
  const AnyState state = *AnyState::Start(info().name, "");
  const uint64_t nodes = state.Visit([](const auto& s) { return Perft(s.position(), 3); });
  EXPECT_EQ(triarch_perft(&start, 3), nodes);
  EXPECT_EQ(PerftByMoves(start, 3), nodes);
}

// Plays random games and compares all that the ABI says with the rules.
TEST_P(CApi, AgreesWithTheRulesInRandomGames) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    Random random(seed);
    triarch_state plain = Begin();
    AnyState state = *AnyState::Start(info().name, "");
    for (int ply = 0; ply < 400 && !state.outcome(); ++ply) {
      const triarch_position& position = plain.position;
      const AnyState::Moves moves = state.LegalMoves();
      std::vector<triarch_move> listed(TRIARCH_MOVES_MAX);
      listed.resize(triarch_state_legal_moves(&plain, listed.data()));
      ASSERT_EQ(listed.size(), moves.size());
      EXPECT_EQ(triarch_count_legal_moves(&position), moves.size());
      ASSERT_EQ(TextOf([&](char* t, size_t n) { return triarch_text(&position, t, n); }),
                state.ToString());
      ASSERT_EQ(triarch_to_move(&position), Index(state.to_move()));
      ASSERT_EQ(triarch_hash(&position), state.key());
      for (size_t seat = 0; seat < info().seats; ++seat) {
        const auto number = static_cast<triarch_seat>(seat);
        EXPECT_EQ(triarch_is_in(&position, number) != 0, state.is_in(SeatAt(seat)));
        EXPECT_EQ(triarch_in_check(&position, number) != 0, state.in_check(SeatAt(seat)));
      }
      std::set<uint32_t> indices;
      for (size_t i = 0; i < moves.size(); ++i) {
        ASSERT_EQ(MoveText(position, listed[i]), state.MoveToString(moves, i));
        const uint32_t index = triarch_policy_index(&position, listed[i]);
        EXPECT_LT(index, info().policy_size);
        EXPECT_TRUE(indices.insert(index).second) << MoveText(position, listed[i]);
      }
      const auto number = random.Below(static_cast<uint32_t>(moves.size()));
      triarch_move found = 0;
      ASSERT_EQ(triarch_move_at_index(&position, triarch_policy_index(&position, listed[number]),
                                      &found, nullptr),
                TRIARCH_OK);
      EXPECT_EQ(found, listed[number]);
      if (ply % 20 == 0) {
        EXPECT_EQ(TextOf([&](char* t, size_t n) { return triarch_json(&position, t, n); }),
                  state.ToJson());
        for (size_t i = 0; i < moves.size(); ++i) {
          ASSERT_EQ(
              triarch_parse_move(&position, MoveText(position, listed[i]).c_str(), &found, nullptr),
              TRIARCH_OK);
          EXPECT_EQ(found, listed[i]);
        }
      }
      triarch_position next = position;
      std::vector<triarch_move> following(TRIARCH_MOVES_MAX);
      following.resize(triarch_play_and_list(&next, listed[number], following.data()));
      ASSERT_EQ(triarch_state_play(&plain, listed[number], nullptr), TRIARCH_OK);
      state.Play(moves, number);
      EXPECT_TRUE(triarch_equal(&next, &plain.position));
      EXPECT_EQ(following, LegalMoves(next));
      triarch_move last = 0;
      EXPECT_TRUE(triarch_state_last_move(&plain, &last));
      EXPECT_EQ(last, listed[number]);
    }
    triarch_outcome outcome;
    ASSERT_EQ(triarch_state_get_outcome(&plain, &outcome) != 0, state.outcome().has_value());
    if (!state.outcome()) continue;
    EXPECT_EQ(outcome.termination, static_cast<uint32_t>(state.outcome()->termination));
    for (size_t seat = 0; seat < info().seats; ++seat) {
      EXPECT_EQ(outcome.places[seat], state.outcome()->place[SeatAt(seat)]);
      const auto& ending = state.endings()[SeatAt(seat)];
      EXPECT_EQ(triarch_state_ending(&plain, static_cast<triarch_seat>(seat)),
                ending ? static_cast<int>(*ending) : -1);
    }
    EXPECT_EQ(triarch_state_legal_moves(&plain, nullptr), 0u);
  }
}

TEST_P(CApi, ReadsWhatItWrites) {
  triarch_position position = Start();
  triarch_play(&position, LegalMoves(position).front());
  for (const auto write : {triarch_text, triarch_json}) {
    const std::string text = TextOf([&](char* t, size_t n) { return write(&position, t, n); });
    triarch_position read;
    ASSERT_EQ(triarch_parse(GetParam(), text.c_str(), &read, nullptr), TRIARCH_OK) << text;
    EXPECT_TRUE(triarch_equal(&read, &position));
    EXPECT_EQ(triarch_game_of(&read), GetParam());
  }
  EXPECT_THAT(TextOf([&](char* t, size_t n) { return triarch_svg(&position, nullptr, t, n); }),
              HasSubstr("<svg"));
  EXPECT_GT(triarch_board(&position, nullptr, nullptr, 0), 500u);
  for (uint32_t cell = 0; cell < info().cells; ++cell) {
    const std::string name =
        TextOf([&](char* t, size_t n) { return triarch_cell_text(&position, cell, t, n); });
    uint32_t found = 0;
    ASSERT_EQ(triarch_find_cell(&position, name.c_str(), &found, nullptr), TRIARCH_OK) << name;
    EXPECT_EQ(found, cell);
  }
}

TEST_P(CApi, TruncatesTexts) {
  const triarch_position position = Start();
  char text[5] = "----";
  EXPECT_GT(triarch_text(&position, text, sizeof(text)), 4u);
  EXPECT_EQ(std::strlen(text), 4u);
}

TEST_P(CApi, ExplainsBadPositions) {
  triarch_position position = Start();
  const triarch_position before = position;
  triarch_error error;
  EXPECT_EQ(triarch_parse(GetParam(), "nonsense", &position, &error), TRIARCH_INVALID_ARGUMENT);
  EXPECT_NE(std::string(error.code), "");
  EXPECT_NE(std::string(error.message), "");
  EXPECT_TRUE(triarch_equal(&position, &before));
  EXPECT_EQ(triarch_parse(GetParam(), "{\"a\":", &position, &error), TRIARCH_INVALID_ARGUMENT);
  EXPECT_STREQ(error.code, "BAD_JSON");
  EXPECT_EQ(error.field, 0);
  EXPECT_EQ(triarch_start(GetParam(), "nowhere", &position, &error), TRIARCH_INVALID_ARGUMENT);
  EXPECT_EQ(triarch_start(9, "", &position, &error), TRIARCH_INVALID_ARGUMENT);
}

TEST(CApiErrors, NameTheFieldOfAPosition) {
  triarch_position position;
  triarch_error error;
  EXPECT_EQ(
      triarch_parse(TRIARCH_TRIUMVIRATE, "wKE1,bKI8,rKI12 q w-.b-.r- - aaa 0 1", &position, &error),
      TRIARCH_INVALID_ARGUMENT);
  EXPECT_EQ(error.field, 2);
  EXPECT_NE(std::string(error.code), "BAD_JSON");
}

TEST_P(CApi, RefusesIllegalMoves) {
  triarch_state state = Begin();
  const triarch_state before = state;
  triarch_error error;
  for (const triarch_move move : {0u, 0xffffffffu, 12345678u}) {
    EXPECT_EQ(triarch_state_play(&state, move, &error), TRIARCH_ILLEGAL);
  }
  EXPECT_TRUE(triarch_state_equal(&state, &before));
  triarch_move move = 0;
  EXPECT_EQ(triarch_parse_move(&state.position, "E2-E9", &move, &error), TRIARCH_ILLEGAL);
  EXPECT_NE(std::string(error.message), "");
}

TEST_P(CApi, ListsTheMovesOfACell) {
  const triarch_position position = Start();
  const std::vector<triarch_move> all = LegalMoves(position);
  std::vector<triarch_move> found;
  for (uint32_t cell = 0; cell < info().cells + 5; ++cell) {
    std::vector<triarch_move> moves(TRIARCH_MOVES_MAX);
    moves.resize(triarch_legal_moves_from(&position, cell, moves.data()));
    found.insert(found.end(), moves.begin(), moves.end());
  }
  for (const triarch_move move : found) {
    EXPECT_NE(std::find(all.begin(), all.end(), move), all.end());
  }
  EXPECT_EQ(std::set(found.begin(), found.end()).size(), found.size());
  EXPECT_GT(found.size(), 15u);
}

TEST_P(CApi, EndsAGameByResignations) {
  triarch_state state = Begin();
  EXPECT_EQ(triarch_state_resign(&state, 5, nullptr), TRIARCH_INVALID_ARGUMENT);
  for (triarch_seat seat = 1; seat < info().seats; ++seat) {
    EXPECT_FALSE(triarch_state_get_outcome(&state, nullptr));
    EXPECT_EQ(triarch_state_resign(&state, seat, nullptr), TRIARCH_OK);
    EXPECT_EQ(triarch_state_ending(&state, seat), TRIARCH_RESIGNATION);
  }
  triarch_outcome outcome;
  ASSERT_TRUE(triarch_state_get_outcome(&state, &outcome));
  EXPECT_EQ(outcome.places[0], 1u);
  EXPECT_EQ(outcome.points[0], 1);
  EXPECT_EQ(outcome.termination, static_cast<uint32_t>(TRIARCH_RESIGNATION));
  triarch_error error;
  EXPECT_EQ(triarch_state_resign(&state, 0, &error), TRIARCH_ILLEGAL);
  EXPECT_STREQ(error.message, "the game is over");
  EXPECT_EQ(triarch_state_play(&state, 0, &error), TRIARCH_ILLEGAL);
}

// Moves knights out and back until a draw may be claimed.
TEST_P(CApi, ClaimsDraws) {
  for (const uint32_t flags : {0u, static_cast<uint32_t>(TRIARCH_DRAWS_CLAIMED)}) {
    triarch_state state = Begin(flags);
    EXPECT_EQ(triarch_state_claim_draw(&state, nullptr), TRIARCH_ILLEGAL);
    int plies = 0;
    while (!triarch_state_get_outcome(&state, nullptr) && !triarch_state_can_claim_draw(&state)) {
      ASSERT_LT(++plies, 100);
      // A knight's move out; then the move that undoes the seat's last one.
      std::vector<triarch_move> moves = LegalMoves(state.position);
      std::optional<triarch_move> chosen;
      std::vector<triarch_piece> pieces(TRIARCH_PIECES_MAX);
      pieces.resize(triarch_pieces(&state.position, pieces.data()));
      std::vector<std::pair<uint64_t, triarch_move>> knights;
      for (const triarch_piece& piece : pieces) {
        if (piece.type != TRIARCH_KNIGHT) continue;
        std::vector<triarch_move> own(TRIARCH_MOVES_MAX);
        own.resize(triarch_legal_moves_from(&state.position, piece.cell, own.data()));
        for (const triarch_move move : own) {
          if (triarch_capture_gain(&state.position, move) != 0) continue;
          triarch_position next = state.position;
          triarch_play(&next, move);
          knights.emplace_back(triarch_state_occurrences(&state, triarch_hash(&next)), move);
        }
      }
      ASSERT_FALSE(knights.empty());
      // Prefers positions that have occurred most often.
      std::stable_sort(knights.begin(), knights.end(),
                       [](const auto& a, const auto& b) { return a.first > b.first; });
      ASSERT_EQ(triarch_state_play(&state, knights.front().second, nullptr), TRIARCH_OK);
    }
    triarch_outcome outcome;
    if (flags == 0) {
      ASSERT_TRUE(triarch_state_get_outcome(&state, &outcome));
    } else {
      ASSERT_FALSE(triarch_state_get_outcome(&state, &outcome));
      ASSERT_EQ(triarch_state_claim_draw(&state, nullptr), TRIARCH_OK);
      ASSERT_TRUE(triarch_state_get_outcome(&state, &outcome));
    }
    EXPECT_EQ(outcome.termination, static_cast<uint32_t>(TRIARCH_THREEFOLD_REPETITION));
    EXPECT_EQ(outcome.places[0], 1u);
    EXPECT_EQ(outcome.places[1], 1u);
  }
}

TEST_P(CApi, RemembersMorePositionsThanCanDelayAClaim) {
  triarch_state state = Begin(TRIARCH_DRAWS_CLAIMED);
  Random random(7);
  // Quiet moves only, as long as there are any.
  for (int ply = 0; ply < 600 && !triarch_state_get_outcome(&state, nullptr); ++ply) {
    std::vector<triarch_move> quiet;
    for (const triarch_move move : LegalMoves(state.position)) {
      triarch_position next = state.position;
      triarch_play(&next, move);
      if (triarch_halfmove_clock(&next) > triarch_halfmove_clock(&state.position)) {
        quiet.push_back(move);
      }
    }
    if (quiet.empty()) break;
    const auto number = random.Below(static_cast<uint32_t>(quiet.size()));
    ASSERT_EQ(triarch_state_play(&state, quiet[number], nullptr), TRIARCH_OK);
    EXPECT_GE(triarch_state_occurrences(&state, triarch_hash(&state.position)), 1u);
    if (triarch_halfmove_clock(&state.position) >= 225) {
      EXPECT_TRUE(triarch_state_can_claim_draw(&state));
    }
  }
}

TEST_P(CApi, FindsAttackers) {
  const triarch_position position = Start();
  std::vector<triarch_piece> pieces(TRIARCH_PIECES_MAX);
  pieces.resize(triarch_pieces(&position, pieces.data()));
  EXPECT_EQ(pieces.size(), info().seats * 16);
  // The cell in front of a king is guarded; far from all pieces nothing attacks.
  size_t attacked = 0;
  for (uint32_t cell = 0; cell < info().cells; ++cell) {
    uint8_t cells[TRIARCH_PIECES_MAX];
    attacked += triarch_attackers(&position, cell, cells) > 0 ? 1 : 0;
  }
  EXPECT_GT(attacked, 16u);
  EXPECT_LE(attacked, info().cells);
  uint8_t cells[TRIARCH_PIECES_MAX];
  EXPECT_EQ(triarch_attackers(&position, 1000, cells), 0u);
}

TEST_P(CApi, DescribesTheBoard) {
  const triarch_position position = Start();
  const std::string json =
      TextOf([&](char* t, size_t n) { return triarch_cells_json(&position, t, n); });
  EXPECT_THAT(json, HasSubstr("\"rays\""));
}

TEST_P(CApi, SearchesLikeTheBundledBots) {
  EXPECT_EQ(std::string(triarch_searchers()[5]), "mcts");
  const char* const options[] = {"nodes", "400", nullptr};
  triarch_search* search = nullptr;
  ASSERT_EQ(triarch_search_create(GetParam(), "mcts", options, &search, nullptr), TRIARCH_OK);
  triarch_search_new_game(search, 3);
  const auto player = *MakePlayer(**FindBot(Searchers(), "mcts"), **FindGame(info().name),
                                  {.name = "m", .bot = "mcts", .options = {{"nodes", "400"}}});
  player->NewGame(Seat::kFirst, 3);
  const triarch_state state = Begin();
  const AnyState any = *AnyState::Start(info().name, "");
  triarch_answer answer;
  std::vector<float> policy(triarch_count_legal_moves(&state.position));
  ASSERT_EQ(triarch_search_choose(search, &state, nullptr, &answer, policy.data(), nullptr),
            TRIARCH_OK);
  const AnyState::Moves moves = any.LegalMoves();
  const Decision decision = player->Choose(any, moves, SearchLimits{});
  EXPECT_EQ(answer.kind, static_cast<uint32_t>(TRIARCH_PLAY));
  EXPECT_EQ(MoveText(state.position, answer.move), any.MoveToString(moves, decision.move));
  EXPECT_EQ(answer.nodes, static_cast<uint64_t>(decision.nodes));
  EXPECT_EQ(answer.has_shares, 1);
  ASSERT_GE(answer.pv_length, 1u);
  EXPECT_EQ(answer.pv[0], answer.move);
  float sum = 0;
  for (const float share : policy) sum += share;
  EXPECT_NEAR(static_cast<double>(sum), 1, 1e-3);
  // Another seat is another game.
  triarch_state next = state;
  ASSERT_EQ(triarch_state_play(&next, answer.move, nullptr), TRIARCH_OK);
  EXPECT_EQ(triarch_search_choose(search, &next, nullptr, &answer, nullptr, nullptr), TRIARCH_OK);
  triarch_search_destroy(search);
}

TEST_P(CApi, StopsASearch) {
  const char* const options[] = {"nodes", "1000000000000", nullptr};
  triarch_search* search = nullptr;
  ASSERT_EQ(triarch_search_create(GetParam(), "paranoid", options, &search, nullptr), TRIARCH_OK);
  const triarch_state state = Begin();
  std::atomic<bool> is_done = false;
  std::thread stopper([&] {
    while (!is_done) triarch_search_stop(search);
  });
  triarch_answer answer;
  EXPECT_EQ(triarch_search_choose(search, &state, nullptr, &answer, nullptr, nullptr), TRIARCH_OK);
  is_done = true;
  stopper.join();
  triarch_search_destroy(search);
}

TEST_P(CApi, ExplainsBadSearches) {
  triarch_search* search = nullptr;
  triarch_error error;
  EXPECT_EQ(triarch_search_create(GetParam(), "stockfish", nullptr, &search, &error),
            TRIARCH_INVALID_ARGUMENT);
  EXPECT_THAT(error.message, HasSubstr("unknown bot \"stockfish\""));
  const char* const options[] = {"nodes", "many", nullptr};
  EXPECT_EQ(triarch_search_create(GetParam(), "mcts", options, &search, &error),
            TRIARCH_INVALID_ARGUMENT);
  EXPECT_THAT(error.message, HasSubstr("nodes"));
  const triarch_game other = GetParam() == TRIARCH_TRI_D ? TRIARCH_THREE_WAY : TRIARCH_TRI_D;
  ASSERT_EQ(triarch_search_create(other, "random", nullptr, &search, &error), TRIARCH_OK);
  const triarch_state state = Begin();
  triarch_answer answer;
  EXPECT_EQ(triarch_search_choose(search, &state, nullptr, &answer, nullptr, &error),
            TRIARCH_INVALID_ARGUMENT);
  EXPECT_THAT(error.message, HasSubstr("another game"));
  triarch_search_destroy(search);
}

}  // namespace
}  // namespace triarch
