#include "arena/client/followed_game.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/random.h"

namespace triarch::arena {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

// Writes the events of a game as an arena does.
class Arena {
 public:
  explicit Arena(const std::string& game, const std::string& draws = "automatic",
                 const std::string& position = "")
      : state_(position.empty() ? *AnyState::Start(game, "") : *AnyState::Parse(game, position)) {
    Add({{"kind", "opened"}, {"game", game}, {"position", state_.ToString()}, {"draws", draws}});
  }

  void Add(json event) {
    event["n"] = events.size();
    events.push_back(std::move(event));
  }
  void Sit(const std::vector<std::string>& seats) {
    for (const std::string& seat : seats) {
      Add({{"kind", "joined"}, {"seat", seat}, {"name", "the " + seat}});
    }
  }
  std::string Mover() const {
    std::string name = state_.info().seat_name(state_.to_move());
    for (char& c : name) c = static_cast<char>(std::tolower(c));
    return name;
  }
  void Move(size_t number) {
    const AnyState::Moves moves = state_.LegalMoves();
    json event = {{"kind", "moved"}, {"seat", Mover()}, {"forced", nullptr}};
    event["move"] = state_.MoveToTpgn(moves, number % moves.size());
    state_.Play(moves, number % moves.size());
    event["position"] = state_.ToString();
    Add(event);
  }
  void Resign(Seat seat) {
    std::string name = state_.info().seat_name(seat);
    for (char& c : name) c = static_cast<char>(std::tolower(c));
    state_.Eliminate(seat, Termination::kResignation);
    Add({{"kind", "resigned"}, {"seat", name}});
  }
  const AnyState& state() const { return state_; }

  std::vector<json> events;

 private:
  AnyState state_;
};

absl::Status Follow(const Arena& arena, FollowedGame* game) {
  for (size_t i = static_cast<size_t>(game->event_count()); i < arena.events.size(); ++i) {
    const absl::Status applied = game->Apply(arena.events[i]);
    if (!applied.ok()) return applied;
  }
  return absl::OkStatus();
}

const std::vector<std::string> kThree = {"white", "black", "red"};
const std::vector<std::string> kTwo = {"white", "black"};

TEST(FollowedGame, FollowsRandomGamesOfAllGames) {
  for (const GameInfo* const info : AllGames()) {
    Random random(7);
    Arena arena{std::string(info->name)};
    std::vector<std::string> seats;
    FollowedGame game;
    ASSERT_TRUE(Follow(arena, &game).ok());
    EXPECT_FALSE(game.has_begun());
    for (size_t i = 0; i < info->seats; ++i) {
      std::string seat = info->seat_name(SeatAt(i));
      for (char& c : seat) c = static_cast<char>(std::tolower(c));
      EXPECT_EQ(game.FindSeat(seat), SeatAt(i));
      seats.push_back(seat);
    }
    arena.Sit(seats);
    for (int ply = 0; ply < 150 && !arena.state().outcome(); ++ply) arena.Move(random.Below(1000));
    const absl::Status followed = Follow(arena, &game);
    ASSERT_TRUE(followed.ok()) << followed;
    EXPECT_EQ(game.state().ToString(), arena.state().ToString());
    EXPECT_EQ(game.plies() + static_cast<int64_t>(info->seats) + 1, game.event_count());
    EXPECT_EQ(game.history().text().substr(0, 15), "startpos moves ");
    EXPECT_TRUE(game.CheckPosition(arena.state().ToString()).ok());
  }
}

TEST(FollowedGame, AResignationBeginsANewHistory) {
  Arena arena("triumvirate");
  arena.Sit(kThree);
  arena.Move(0);
  arena.Resign(Seat::kFirst);  // out of turn
  FollowedGame game;
  ASSERT_TRUE(Follow(arena, &game).ok());
  EXPECT_EQ(game.history().text(), "fen " + arena.state().ToString());
  arena.Move(3);
  ASSERT_TRUE(Follow(arena, &game).ok());
  EXPECT_THAT(game.history().text(), HasSubstr(" moves "));
  EXPECT_EQ(game.plies(), 2);
}

TEST(FollowedGame, KnowsPlayersAndForcedMoves) {
  Arena arena("tri-d");
  arena.Sit(kTwo);
  FollowedGame game;
  ASSERT_TRUE(Follow(arena, &game).ok());
  arena.Move(1);
  arena.events.back()["forced"] = "timeout";
  arena.Add({{"kind", "replaced"}, {"seat", "white"}, {"name", "SmartBot\n"}});
  arena.Add({{"kind", "something new"}});
  ASSERT_TRUE(Follow(arena, &game).ok());
  EXPECT_EQ(game.forced(Seat::kFirst), 1);
  EXPECT_EQ(game.forced(Seat::kSecond), 0);
  EXPECT_TRUE(game.is_replaced(Seat::kFirst));
  EXPECT_FALSE(game.is_replaced(Seat::kSecond));
  EXPECT_EQ(game.player(Seat::kFirst), "SmartBot ");
  EXPECT_EQ(game.player(Seat::kSecond), "the black");
}

TEST(FollowedGame, StartsFromOtherPositions) {
  Arena before("tri-d");
  before.Move(0);
  Arena arena("tri-d", "claimed", before.state().ToString());
  arena.Sit(kTwo);
  arena.Move(0);
  FollowedGame game;
  const absl::Status followed = Follow(arena, &game);
  ASSERT_TRUE(followed.ok()) << followed;
  EXPECT_EQ(game.spec().position, before.state().ToString());
  EXPECT_EQ(game.spec().draw_rules.draws, Draws::kClaimed);
  EXPECT_EQ(game.history().text().substr(0, 4), "fen ");
}

TEST(FollowedGame, OtherRulesAreAnError) {
  const auto refused = [](const json& event) {
    Arena arena("tri-d");
    arena.Sit(kTwo);
    arena.Move(0);
    arena.Add(event);
    FollowedGame game;
    const absl::Status status = Follow(arena, &game);
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("other rules than this version"));
    EXPECT_THAT(std::string(status.message()), HasSubstr("after 1 plies"));
    return std::string(status.message());
  };
  EXPECT_THAT(refused({{"kind", "moved"}, {"seat", "black"}, {"move", "z9-z8"}}),
              HasSubstr("it allows the move \"z9-z8\""));
  EXPECT_THAT(refused({{"kind", "moved"}, {"seat", "white"}, {"move", "z9-z8"}}),
              HasSubstr("another seat plays"));
  EXPECT_THAT(refused({{"kind", "claimed_draw"}, {"seat", "black"}}), HasSubstr("draw"));
  EXPECT_THAT(refused({{"kind", "resigned"}, {"seat", "red"}}), HasSubstr("is out"));

  Arena arena("tri-d");
  arena.Sit(kTwo);
  arena.Move(0);
  arena.Move(0);
  arena.events.back()["position"] = "elsewhere";
  FollowedGame game;
  EXPECT_THAT(std::string(Follow(arena, &game).message()),
              HasSubstr("after 2 plies, its position is \"elsewhere\" where ours is"));

  FollowedGame strange;
  Arena draws("tri-d", "by lot");
  EXPECT_THAT(std::string(Follow(draws, &strange).message()), HasSubstr("by lot"));
}

TEST(FollowedGame, EventsMustBeInOrder) {
  Arena arena("tri-d");
  arena.Sit(kTwo);
  FollowedGame game;
  EXPECT_TRUE(absl::IsDataLoss(game.Apply(arena.events[1])));
  ASSERT_TRUE(game.Apply(arena.events[0]).ok());
  EXPECT_TRUE(absl::IsDataLoss(game.Apply(arena.events[0])));
  EXPECT_TRUE(absl::IsDataLoss(game.Apply(arena.events[2])));
  EXPECT_TRUE(absl::IsDataLoss(game.Apply("nonsense")));
  EXPECT_TRUE(absl::IsDataLoss(game.Apply({{"n", 1}, {"kind", "joined"}, {"seat", "blue"}})));
  EXPECT_TRUE(game.Apply(arena.events[1]).ok());
}

}  // namespace
}  // namespace triarch::arena
