#include "arena/client/table_player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "worker/match/scripted_player.h"

namespace triarch::arena {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// A table of Tri-D at an arena without a network: the bot has White.
class TablePlayerTest : public testing::Test {
 protected:
  TablePlayerTest() : state_(*AnyState::Start("tri-d", "")) {
    Add({{"kind", "opened"},
         {"game", "tri-d"},
         {"draws", "automatic"},
         {"position", state_.ToString()}});
    Add({{"kind", "joined"}, {"seat", "white"}, {"name", "us"}});
    Add({{"kind", "joined"}, {"seat", "black"}, {"name", "them"}});
    on_move_ = [this](const json& body) { return Play(body["move"]); };
  }

  void Add(json event) {
    event["n"] = events_.size();
    events_.push_back(std::move(event));
  }
  HttpResponse Play(const std::string& text) {
    const std::string seat = state_.to_move() == Seat::kFirst ? "white" : "black";
    const AnyState::Moves moves = state_.LegalMoves();
    const size_t number = *state_.FindMove(moves, text);
    json event = {{"kind", "moved"}, {"seat", seat}};
    event["move"] = state_.MoveToTpgn(moves, number);
    state_.Play(moves, number);
    event["position"] = state_.ToString();
    Add(event);
    return {.status = 200, .body = "{}"};
  }
  void End() { result_ = {{"result", "1-0"}, {"termination", "resignation"}}; }

  absl::StatusOr<HttpResponse> Answer(const HttpRequest& request) {
    const std::string path = request.url.substr(request.url.find("/api/v2") + 7);
    sent_.push_back(path);
    if (path == "/join") {
      return HttpResponse{.status = 200,
                          .body = R"({"token":"t","table":"id","seat":"white","stage":"playing"})"};
    }
    if (path.starts_with("/turn")) {
      const bool is_over = !result_.is_null();
      json turn = {{"stage", is_over ? "finished" : "playing"},
                   {"your_turn", !is_over && state_.to_move() == Seat::kFirst},
                   {"position", shown_position_.empty() ? state_.ToString() : shown_position_},
                   {"events", events_.size()},
                   {"seconds_left", 60},
                   {"result", result_}};
      if (is_over) turn["result"]["places"] = {{"white", 1}, {"black", 2}};
      return HttpResponse{.status = 200, .body = turn.dump()};
    }
    if (path.starts_with("/tables/id/events?after=")) {
      const size_t after = std::stoul(path.substr(path.find('=') + 1));
      const std::vector<json> news(events_.begin() + static_cast<std::ptrdiff_t>(after),
                                   events_.end());
      return HttpResponse{.status = 200,
                          .body = json({{"events", news}, {"next", events_.size()}}).dump()};
    }
    if (path == "/move") return on_move_(json::parse(*request.body));
    if (path == "/resign") End();
    return HttpResponse{.status = 200, .body = "{}"};
  }

  absl::Status Run(Script script) {
    ArenaClient client({.url = "http://arena"},
                       {.send = [this](const HttpRequest& request) { return Answer(request); },
                        .now = [] { return std::chrono::steady_clock::now(); },
                        .sleep = [](std::chrono::milliseconds) {},
                        .secret = [] { return std::string(32, '0'); },
                        .log = [](const std::string&) {},
                        .stop = &stop_});
    Player player(std::make_unique<ScriptedPlayer>(std::move(script)));
    TablePlayer table(
        {.client = &client, .player = &player, .stop = &stop_, .log = [](const std::string&) {}},
        GameSpec(), {});
    const absl::Status status = table.Play({.game = "tri-d"});
    game_ = table.game();
    return status;
  }

  AnyState state_;
  std::vector<json> events_;
  std::vector<std::string> sent_;
  std::string shown_position_;
  json result_;
  std::function<HttpResponse(const json&)> on_move_;
  std::atomic<bool> stop_ = false;
  TableGame game_;
};

Decision First(const AnyState&, const AnyState::Moves&, const SearchLimits&) {
  return {.move = 0, .eval = {}};
}
HttpResponse Refusal(int status) { return {.status = status, .body = R"({"detail":"no"})"}; }

TEST_F(TablePlayerTest, PlaysToTheEnd) {
  on_move_ = [this](const json& body) {
    const HttpResponse answer = Play(body["move"]);
    EXPECT_EQ(body["ply"], 0);
    End();
    return answer;
  };
  EXPECT_TRUE(Run(First).ok());
  EXPECT_TRUE(game_.is_well_played());
  EXPECT_EQ(game_.plies, 1);
  EXPECT_EQ(game_.players[Seat::kSecond], "them");
  EXPECT_THAT(sent_, Not(Contains("/resign")));
}

TEST_F(TablePlayerTest, AsksAgainAfterAMoveThatCameTooLate) {
  int moves = 0;
  on_move_ = [&](const json& body) {
    if (++moves == 1) return Refusal(409);
    if (moves == 2) return Refusal(403);
    Play(body["move"]);
    End();
    return HttpResponse{.status = 200, .body = "{}"};
  };
  EXPECT_TRUE(Run(First).ok());
  EXPECT_EQ(moves, 3);
}

TEST_F(TablePlayerTest, GivesUpAMoveThatTheArenaNeverTakes) {
  on_move_ = [](const json&) { return Refusal(422); };
  const absl::Status status = Run(First);
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("at ply 0: the arena says: no"));
  EXPECT_EQ(std::count(sent_.begin(), sent_.end(), "/move"), 3);
  EXPECT_EQ(sent_.back(), "/resign");
}

TEST_F(TablePlayerTest, ResignsIfTheArenaPlaysByOtherRules) {
  shown_position_ = "elsewhere";
  const absl::Status status = Run(First);
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("other rules"));
  EXPECT_EQ(sent_.back(), "/resign");
  EXPECT_THAT(sent_, Not(Contains("/move")));
}

TEST_F(TablePlayerTest, ResignsAfterAFaultAndWaitsForTheEnd) {
  EXPECT_TRUE(Run([](const auto&, const auto&, const auto&) {
                return Decision{.move = 9'999, .eval = {}};
              }).ok());
  ASSERT_TRUE(game_.fault.has_value());
  EXPECT_EQ(game_.fault->why, Termination::kIllegalMove);
  EXPECT_TRUE(game_.result.has_value());
  EXPECT_FALSE(game_.is_well_played());
  EXPECT_THAT(sent_, Contains("/resign"));
}

TEST_F(TablePlayerTest, KnowsThatTheArenaForfeitedTheSeat) {
  on_move_ = [this](const json&) {
    state_.Eliminate(Seat::kFirst, Termination::kTimeForfeit);
    Add({{"kind", "forfeited"}, {"seat", "white"}, {"why", "time_forfeit"}});
    End();
    return Refusal(403);
  };
  EXPECT_TRUE(Run(First).ok());
  EXPECT_TRUE(game_.is_forfeited);
  EXPECT_FALSE(game_.is_well_played());
}

TEST_F(TablePlayerTest, ABotMayResign) {
  EXPECT_TRUE(Run([](const auto&, const auto&, const auto&) {
                return Decision{.kind = Decision::Kind::kResign, .eval = {}};
              }).ok());
  EXPECT_TRUE(game_.has_resigned);
  EXPECT_TRUE(game_.is_well_played());
}

TEST_F(TablePlayerTest, AStopResigns) {
  EXPECT_TRUE(absl::IsCancelled(Run([this](const auto&, const auto&, const auto&) {
    stop_ = true;
    return Decision{.move = 0, .eval = {}};
  })));
  EXPECT_EQ(sent_.back(), "/resign");
  EXPECT_FALSE(game_.result.has_value());
  EXPECT_TRUE(game_.has_begun);
}

}  // namespace
}  // namespace triarch::arena
