// Tests the routes of /api/v2 on an arena in memory: who sits where, waits, retries and refusals.

#include "arena/api/v2.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "arena/api/test_arena.h"

namespace triarch::arena {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class V2Test : public testing::Test {
 protected:
  // Joins with these members and returns the answer, which must be a seat.
  ApiJson Join(const std::string& members, const std::string& key = "") {
    const auto joined = arena_.Post("/api/v2/join", key, "{" + members + "}");
    EXPECT_EQ(joined->status(), 200) << joined->text();
    return joined->json();
  }
  int JoinStatus(const std::string& members, const std::string& key = "") {
    return arena_.Post("/api/v2/join", key, "{" + members + "}")->status();
  }
  // Seats two players at a table of Tri-D; the first has the first move.
  void SitTwo() {
    ann_ = Join(R"("game": "tri-d", "name": "Ann")").at("token");
    ben_ = Join(R"("game": "tri-d", "name": "Ben")").at("token");
    table_ = arena_.session->FindToken(ann_).table->id();
  }
  ApiJson Turn(const std::string& token) { return arena_.Get("/api/v2/turn", token)->json(); }
  std::shared_ptr<TestExchange> Move(const std::string& token, const std::string& move,
                                     int64_t ply) {
    return arena_.Post("/api/v2/move", token,
                       absl::StrFormat(R"({"move": "%s", "ply": %d})", move, ply));
  }
  std::string AddPlayer(const std::string& name, const std::string& key = "") {
    const auto added = arena_.Post("/api/v2/players", key, "{\"name\": \"" + name + "\"}");
    EXPECT_EQ(added->status(), 201) << added->text();
    return added->json().at("key");
  }

  TestStore events_;
  TestArena arena_{events_};
  std::string ann_;
  std::string ben_;
  std::string table_;
};

// ---- Turns.

TEST_F(V2Test, ATurnThatWaitsIsAnsweredByTheMove) {
  SitTwo();
  const auto waiting = arena_.Get("/api/v2/turn?wait=30", ben_);
  EXPECT_FALSE(waiting->is_answered());
  EXPECT_EQ(Move(ann_, "a3W-a4W", 0)->status(), 200);
  ASSERT_TRUE(waiting->is_answered());
  EXPECT_TRUE(waiting->json()["your_turn"]);
  EXPECT_EQ(waiting->json()["last_move"], "a3W-a4W");
}

TEST_F(V2Test, ATurnThatWaitsIsAnsweredAtTheEndOfItsTime) {
  SitTwo();
  const auto waiting = arena_.Get("/api/v2/turn?wait=2", ben_);
  arena_.Pass(1'999);
  EXPECT_FALSE(waiting->is_answered());
  arena_.Pass(1);
  ASSERT_TRUE(waiting->is_answered());
  EXPECT_FALSE(waiting->json()["your_turn"]);
}

TEST_F(V2Test, TheEndAnswersTurns) {
  SitTwo();
  const auto waiting = arena_.Get("/api/v2/turn?wait=30", ben_);
  arena_.v2->End();
  EXPECT_EQ(waiting->status(), 200);
  EXPECT_EQ(arena_.Get("/api/v2/turn?wait=30", ben_)->status(), 200);
}

TEST_F(V2Test, AResignationAnswersTheOther) {
  SitTwo();
  const auto waiting = arena_.Get("/api/v2/turn?wait=30", ben_);
  EXPECT_EQ(arena_.Post("/api/v2/resign", ann_)->status(), 200);
  ASSERT_TRUE(waiting->is_answered());
  EXPECT_EQ(waiting->json()["result"]["result"], "0-1");
  EXPECT_EQ(waiting->json()["result"]["places"]["black"], 1);
  EXPECT_EQ(waiting->json()["result"]["termination"], "resignation");
}

// ---- Moves.

TEST_F(V2Test, ARetryIsPlayedOnce) {
  SitTwo();
  EXPECT_EQ(Move(ann_, "a3W-a4W", 0)->status(), 200);
  EXPECT_EQ(Move(ann_, "a3W-a4W", 0)->status(), 200);
  EXPECT_EQ(Turn(ben_)["ply"], 1);
  // It is also safe when the game has gone on, but another move is no retry.
  EXPECT_EQ(Move(ben_, Turn(ben_)["moves"][0], 1)->status(), 200);
  EXPECT_EQ(Move(ann_, "a3W-a4W", 0)->status(), 200);
  EXPECT_EQ(Move(ann_, "b3W-b4W", 0)->status(), 409);
  EXPECT_EQ(Turn(ann_)["ply"], 2);
}

TEST_F(V2Test, AThirdIllegalMoveIsReplaced) {
  SitTwo();
  for (const int left : {2, 1, 0}) {
    const auto refused = Move(ann_, "a3W-a9W", 0);
    EXPECT_EQ(refused->status(), 422);
    EXPECT_EQ(refused->json()["attempts_left"], left);
    EXPECT_EQ(refused->json()["moves"].empty(), left == 0);
  }
  EXPECT_TRUE(Turn(ben_)["your_turn"]);
  const ApiJson events = arena_.Get("/api/v2/tables/" + table_ + "/events")->json()["events"];
  EXPECT_EQ(events.at(3)["kind"], "missed");
  EXPECT_EQ(events.at(3)["move"], "a3W-a9W");
  EXPECT_EQ(events.back()["forced"], "illegal_moves");
}

TEST_F(V2Test, WrongBodiesDoNotCountAsAttempts) {
  SitTwo();
  for (const char* body :
       {"", "{}", "[]", "x", R"({"move": "a3W-a4W"})", R"({"ply": 0})", R"({"move": "", "ply": 0})",
        R"({"move": 1, "ply": 0})", R"({"move": "a3W-a4W", "ply": "0"})",
        R"({"move": "a3W-a4W", "ply": 0, "more": 1})",
        R"({"move": "a3W-a4W", "ply": 0, "message": 1})"}) {
    const auto refused = arena_.Post("/api/v2/move", ann_, body);
    EXPECT_EQ(refused->status(), 422) << body;
    EXPECT_FALSE(refused->json().contains("attempts_left"));
  }
  EXPECT_EQ(Turn(ann_)["attempts_left"], 3);
}

TEST_F(V2Test, RefusesWhatIsNotPossibleNow) {
  const std::string ann = Join(R"("game": "tri-d", "name": "Ann")").at("token");
  EXPECT_EQ(Move(ann, "a3W-a4W", 0)->status(), 403);  // the game has not begun
  EXPECT_EQ(arena_.Post("/api/v2/rematch", ann)->status(), 403);
  EXPECT_EQ(arena_.Post("/api/v2/claim", ann)->status(), 403);
  ben_ = Join(R"("game": "tri-d", "name": "Ben")").at("token");
  EXPECT_EQ(Move(ben_, "a3W-a4W", 0)->status(), 403);
  EXPECT_EQ(Move(ann, "a3W-a4W", 1)->status(), 409);
  EXPECT_EQ(arena_.Post("/api/v2/claim", ann)->status(), 403);
  EXPECT_EQ(arena_.Post("/api/v2/rematch", ann)->status(), 403);
  EXPECT_EQ(arena_.Post("/api/v2/resign", ann)->status(), 200);
  EXPECT_EQ(arena_.Post("/api/v2/resign", ann)->status(), 200);  // a retry
  EXPECT_EQ(Move(ben_, "a3W-a4W", 0)->status(), 403);
}

TEST_F(V2Test, WhoHasLeftHasLostTheSeat) {
  ann_ = Join(R"("game": "triumvirate", "name": "Ann")").at("token");
  ben_ = Join(R"("game": "triumvirate", "name": "Ben")").at("token");
  EXPECT_EQ(arena_.Post("/api/v2/resign", ann_)->json()["stage"], "waiting");
  for (const char* route : {"resign", "claim", "fill", "rematch"}) {
    EXPECT_EQ(arena_.Post(std::string("/api/v2/") + route, ann_)->status(), 410) << route;
  }
  EXPECT_EQ(Move(ann_, "E2-E4", 0)->status(), 410);
  EXPECT_EQ(arena_.Get("/api/v2/turn", ann_)->status(), 410);
  EXPECT_EQ(arena_.Post("/api/v1/skip-waiting", ann_)->status(), 410);
  EXPECT_EQ(Turn(ben_)["stage"], "waiting");
}

TEST_F(V2Test, AskedWithoutSecretOrWithAnUnknownOne) {
  for (const std::string route :
       {"resign", "claim", "fill", "rematch", "move", "players/Ann/key"}) {
    const char* const body = route == "move" ? R"({"move": "a3W-a4W", "ply": 0})" : "";
    EXPECT_EQ(arena_.Post("/api/v2/" + route)->status(), 401) << route;
    EXPECT_EQ(arena_.Post("/api/v2/" + route, std::string(64, 'a'), body)->status(), 401) << route;
  }
  EXPECT_EQ(arena_.Get("/api/v2/turn")->status(), 401);
  EXPECT_EQ(arena_.Get("/api/v2/turn", "x")->status(), 401);
  EXPECT_EQ(JoinStatus(R"("game": "tri-d")", "wrong"), 401);
}

// ---- Joining.

TEST_F(V2Test, WrongMembersAreNamed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"("name": "a")", "game: "},
      {R"("game": "chess", "name": "a")", "chess"},
      {R"("game": 1, "name": "a")", "game: "},
      {R"("game": "tri-d")", "name"},
      {R"("game": "tri-d", "name": "a\nb")", "name"},
      {R"("game": "tri-d", "name": "a", "type": "wizard")", "type: "},
      {R"("game": "tri-d", "name": "a", "model": "\u0000")", "name"},
      {R"("game": "tri-d", "name": "a", "seat": "red")", "seat: "},
      {R"("game": "tri-d", "name": "a", "opponents": "nobody")", "opponents: "},
      {R"("game": "tri-d", "name": "a", "opponents": []})", "JSON"},
      {R"("game": "tri-d", "name": "a", "opponents": [])", "opponents: "},
      {R"("game": "tri-d", "name": "a", "opponents": ["random", "random"])", "opponents: "},
      {R"("game": "tri-d", "name": "a", "opponents": ["nobody"])", "opponents: "},
      {R"("game": "tri-d", "name": "a", "opponents": [1])", "opponents: "},
      {R"("game": "tri-d", "name": "a", "rated": true)", "rated: "},
      {R"("game": "tri-d", "name": "a", "rated": "yes")", "rated: "},
      {R"("game": "tri-d", "name": "a", "position": "nonsense")", "position: "},
      {R"("game": "tri-d", "name": "a", "draws": "never")", "draws: "},
      {R"("game": "tri-d", "name": "a", "fill_seconds": -1)", "fill_seconds: "},
      {R"("game": "tri-d", "name": "a", "fill_seconds": 3601)", "fill_seconds: "},
      {R"("game": "tri-d", "name": "a", "move_seconds": 0)", "move_seconds: "},
      {R"("game": "tri-d", "name": "a", "move_seconds": 86401)", "move_seconds: "},
      {R"("game": "tri-d", "name": "a", "secret": "short")", "secret: "},
      {R"("game": "tri-d", "name": "a", "secret": "00112233445566778899AABBCCDDEEFF")", "secret: "},
      {R"("game": "tri-d", "name": "a", "sit": "white")", "sit"}};
  for (const auto& [members, text] : cases) {
    const auto refused = arena_.Post("/api/v2/join", "", "{" + members + "}");
    EXPECT_EQ(refused->status(), 422) << members;
    EXPECT_THAT(refused->json()["detail"].get<std::string>(), HasSubstr(text)) << members;
  }
  EXPECT_EQ(JoinStatus(R"("table": "nowhere", "name": "a")"), 404);
  EXPECT_EQ(arena_.session->table_count(), 0u);
}

TEST_F(V2Test, TheSameSecretIsTheSameSeat) {
  const std::string members =
      R"("game": "tri-d", "name": "Ann", "secret": ")" + std::string(32, 'a') + "\"";
  const ApiJson first = Join(members);
  EXPECT_EQ(Join(members), first);
  EXPECT_TRUE(first["token"].get<std::string>().ends_with(std::string(32, 'a')));
  EXPECT_EQ(arena_.session->table_count(), 1u);
  Join(R"("game": "tri-d", "name": "Ben")");
  EXPECT_EQ(Join(members)["stage"], "playing");
}

TEST_F(V2Test, ASecretThatJoinsTwiceAtOnceSitsOnce) {
  const std::string body =
      R"({"game": "triumvirate", "name": "Ann", "secret": ")" + std::string(32, 'b') + "\"}";
  const WebRequest request = TestRequest("POST", "/api/v2/join", "", body);
  const auto first = arena_.Send(request);
  const auto second = arena_.Send(request);
  arena_.Settle();
  ASSERT_EQ(first->status(), 200);
  EXPECT_EQ(second->text(), first->text());
  EXPECT_EQ(arena_.session->Find(first->json()["table"].get<std::string>())->player_count(), 1u);
  EXPECT_EQ(arena_.session->table_count(), 1u);
}

TEST_F(V2Test, APrivateTableIsJoinedByItsId) {
  const ApiJson ann = Join(R"("game": "tri-d", "name": "Ann", "opponents": "private")");
  const std::string table = ann["table"];
  EXPECT_THAT(arena_.Get("/api/v2/tables")->json(), IsEmpty());
  EXPECT_NE(Join(R"("game": "tri-d", "name": "Ben")")["table"], table);
  const ApiJson cat = Join(R"("name": "Cat", "seat": "black", "table": ")" + table + "\"");
  EXPECT_EQ(cat["table"], table);
  EXPECT_EQ(cat["seat"], "black");
  EXPECT_EQ(cat["stage"], "playing");
  EXPECT_EQ(JoinStatus(R"("name": "Dan", "table": ")" + table + "\""), 409);
  EXPECT_EQ(JoinStatus(R"("name": "Dan", "game": "three-way", "table": ")" + table + "\""), 422);
  EXPECT_THAT(arena_.Get("/api/v2/tables")->json(), SizeIs(2));
}

TEST_F(V2Test, HouseBotsOfOnesChoiceSitAtOnce) {
  const ApiJson ann = Join(
      R"("game": "triumvirate", "name": "Ann", "seat": "red", "opponents": ["random", "random"])");
  EXPECT_EQ(ann["stage"], "playing");
  EXPECT_EQ(ann["seat"], "red");
  EXPECT_EQ(arena_.bots.turn_count(), 1u);
}

TEST_F(V2Test, UnclaimedNamesAreFreeNames) {
  const std::string key = AddPlayer("Ann");
  EXPECT_EQ(JoinStatus(R"("game": "tri-d", "name": "aNN")"), 409);
  EXPECT_EQ(arena_.Post("/api/v1/join", "", R"({"name": "ANN"})")->status(), 409);
  EXPECT_EQ(JoinStatus(R"("game": "tri-d", "name": "Ben")", key), 422);
  const ApiJson joined = Join(R"("game": "tri-d", "rated": false)", key);
  const ApiJson player = Turn(joined["token"])["players"][0];
  EXPECT_EQ(player["name"], "Ann");
  EXPECT_TRUE(player["claimed"]);
}

TEST_F(V2Test, RatedTablesKeepOwnersApart) {
  const std::string ann = AddPlayer("Ann");
  const std::string ben = AddPlayer("Ben", ann);
  const std::string cat = AddPlayer("Cat");
  const std::string first = Join(R"("game": "tri-d")", ann)["table"];
  const std::string second = Join(R"("game": "tri-d")", ben)["table"];
  EXPECT_NE(first, second);
  EXPECT_EQ(JoinStatus(R"("table": ")" + first + "\"", ben), 403);
  EXPECT_EQ(JoinStatus(R"("table": ")" + first + "\"", ann), 403);
  EXPECT_EQ(JoinStatus(R"("name": "Dan", "table": ")" + first + "\""), 403);
  EXPECT_EQ(Join(R"("game": "tri-d")", cat)["table"], first);
  EXPECT_TRUE(arena_.Get("/api/v2/tables/" + first)->json()["rated"]);
}

TEST_F(V2Test, RatedNeedsTheArenasOwnSettings) {
  const std::string key = AddPlayer("Ann");
  for (const char* members :
       {R"("opponents": "private")", R"("opponents": ["random"])", R"("draws": "claimed")",
        R"("move_seconds": 5)", R"("fill_seconds": 5)",
        R"("position": "QL1,QL2,QL5,QL6 4/4/4/4|4/4/4/4|4/4/4/4|2/2|2/2|2/2|2/2 w - - 0 1")"}) {
    const std::string all = std::string(R"("game": "tri-d", )") + members;
    EXPECT_EQ(JoinStatus(all + R"(, "rated": true)", key), 422) << members;
  }
  const ApiJson joined = Join(R"("game": "tri-d", "draws": "claimed")", key);
  EXPECT_FALSE(Turn(joined["token"])["rated"]);
  EXPECT_TRUE(Turn(Join(R"("game": "tri-d", "draws": "automatic")", key)["token"])["rated"]);
}

TEST_F(V2Test, SeatsOfRatedTablesAreBalanced) {
  const std::string key = AddPlayer("Ann");
  auto results = std::make_shared<Results>();
  GameResults& game = (*results)["triumvirate"];
  game.rated = {{.name = "Ann", .games = 5}};
  game.rated[0].seats = {{3, 2, 0}};
  game.rated_row["Ann"] = 0;
  arena_.results = results;
  EXPECT_EQ(Join(R"("game": "triumvirate", "seat": "white")", key)["seat"], "red");
  const ApiJson other = Join(R"("game": "triumvirate")", AddPlayer("Ben"));
  EXPECT_EQ(other["seat"], "white");
  // Nor does the id of the table help.
  const std::string cat = AddPlayer("Cat");
  const std::string table = other["table"];
  EXPECT_EQ(Join(R"("seat": "black", "table": ")" + table + "\"", cat)["seat"], "black");
}

// ---- Rematch.

TEST_F(V2Test, ARematchMovesTheSeatsOn) {
  SitTwo();
  arena_.Post("/api/v2/resign", ann_);
  const auto first = arena_.Post("/api/v2/rematch", ann_);
  ASSERT_EQ(first->status(), 200) << first->text();
  EXPECT_EQ(first->json()["seat"], "black");
  EXPECT_EQ(first->json()["stage"], "waiting");
  EXPECT_EQ(arena_.Post("/api/v2/rematch", ann_)->text(), first->text());  // a retry
  const ApiJson second = arena_.Post("/api/v2/rematch", ben_)->json();
  EXPECT_EQ(second["seat"], "white");
  EXPECT_EQ(second["stage"], "playing");
  EXPECT_EQ(second["table"], first->json()["table"]);
  const ApiJson opened =
      arena_.Get("/api/v2/tables/" + second["table"].get<std::string>() + "/events")
          ->json()["events"][0];
  EXPECT_EQ(opened["rematch_of"], table_);
}

TEST_F(V2Test, HouseBotsComeToTheRematch) {
  const ApiJson joined = Join(
      R"("game": "triumvirate", "name": "Ann", "seat": "red", "opponents": ["random", "random"])");
  arena_.Post("/api/v2/resign", joined["token"]);
  while (arena_.session->FindToken(joined["token"].get<std::string>()).table->stage() ==
         Table::Stage::kPlaying) {
    arena_.bots.Play(std::nullopt);
    arena_.Settle();
  }
  const ApiJson again = arena_.Post("/api/v2/rematch", joined["token"])->json();
  EXPECT_EQ(again["seat"], "white");
  EXPECT_EQ(again["stage"], "playing");
}

// ---- Watching.

TEST_F(V2Test, EventsThatWaitAreAnsweredByTheNextOne) {
  SitTwo();
  const std::string path = "/api/v2/tables/" + table_ + "/events?wait=30&after=";
  const auto waiting = arena_.Get(path + "3");
  EXPECT_FALSE(waiting->is_answered());
  Move(ann_, "a3W-a4W", 0);
  ASSERT_TRUE(waiting->is_answered());
  EXPECT_THAT(waiting->json()["events"], SizeIs(1));
  EXPECT_EQ(waiting->json()["events"][0]["n"], 3);
  EXPECT_EQ(waiting->json()["next"], 4);
  EXPECT_THAT(arena_.Get(path + "1")->json()["events"], SizeIs(3));
  const auto late = arena_.Get(path + "4");
  arena_.Pass(30'000);
  EXPECT_EQ(late->json(), ApiJson({{"events", ApiJson::array()}, {"next", 4}}));
}

TEST_F(V2Test, AStreamContinuesAfterTheLastEventId) {
  SitTwo();
  WebRequest request = TestRequest("GET", "/api/v2/tables/" + table_ + "/events", "after=0");
  request.accept = "text/event-stream";
  request.last_event_id = "1";
  const auto exchange = arena_.Send(request);
  arena_.Settle();
  ASSERT_THAT(exchange->stream->sent, SizeIs(1));
  EXPECT_THAT(exchange->stream->sent[0], HasSubstr("id: 2\n"));
  EXPECT_EQ(arena_.v2->stream_count(), 1u);
  request.method = "HEAD";
  const auto head = arena_.Send(request);
  arena_.Settle();
  EXPECT_EQ(head->status(), 200);
}

TEST_F(V2Test, WrongQueriesAreNamed) {
  SitTwo();
  const std::string table = "/api/v2/tables/" + table_;
  for (const std::string& target :
       {table + "/events?after=-1", table + "/events?after=x", table + "/events?wait=31",
        table + "/events?wait=1.5", table + "?notations=braille", table + "/socket?after=x",
        table + "?notations=board,", std::string("/api/v2/games?limit=x"),
        std::string("/api/v2/games?limit=201"), std::string("/api/v2/games?before=x"),
        std::string("/api/v2/games?before=1.%ff"), std::string("/api/v2/games?game=chess"),
        std::string("/api/v2/tables?game=chess"), std::string("/api/v2/standings"),
        std::string("/api/v2/leaderboard?game=chess")}) {
    EXPECT_EQ(arena_.Get(target)->status(), 422) << target;
  }
  for (const char* query : {"wait=31", "wait=-1", "wait=x", "wait=", "notations=short,nonsense"}) {
    EXPECT_EQ(arena_.Get(std::string("/api/v2/turn?") + query, ann_)->status(), 422) << query;
  }
  EXPECT_EQ(arena_.Get(table + "/socket")->status(), 426);
  EXPECT_EQ(arena_.Get("/api/v2/tables/x/socket")->status(), 404);
  EXPECT_EQ(arena_.Get("/api/v2/tables/x")->status(), 404);
  EXPECT_EQ(arena_.Get("/api/v2/tables/x/events")->status(), 404);
  EXPECT_EQ(arena_.Get("/api/v2/games/" + table_)->status(), 404);  // it is not finished
  EXPECT_EQ(arena_.Get("/api/v2/games/x/tpgn")->status(), 404);
  EXPECT_EQ(arena_.Get("/api/v2/players/nobody")->status(), 404);
}

TEST_F(V2Test, GamesAreListedPageByPage) {
  std::vector<std::string> tables;
  for (int i = 0; i < 3; ++i) {
    SitTwo();
    arena_.Post("/api/v2/resign", ann_);
    tables.insert(tables.begin(), table_);
    arena_.Pass(1'000);
  }
  std::vector<std::string> listed;
  std::string before;
  for (int page = 0; page < 3; ++page) {
    const ApiJson json = arena_.Get("/api/v2/games?limit=1&before=" + before)->json();
    ASSERT_THAT(json["games"], SizeIs(1));
    listed.push_back(json["games"][0]["table"]);
    before = json["before"];
  }
  EXPECT_EQ(listed, tables);
  const ApiJson last = arena_.Get("/api/v2/games?limit=1&before=" + before)->json();
  EXPECT_THAT(last["games"], IsEmpty());
  EXPECT_EQ(last["before"], nullptr);
  EXPECT_THAT(arena_.Get("/api/v2/games?game=three-way")->json()["games"], IsEmpty());
}

TEST_F(V2Test, AFinishedGameIsShown) {
  SitTwo();
  Move(ann_, "a3W-a4W", 0);
  arena_.Post("/api/v2/resign", ben_);
  const ApiJson game = arena_.Get("/api/v2/games/" + table_)->json();
  EXPECT_EQ(game["result"]["result"], "1-0");
  EXPECT_THAT(game["events"], SizeIs(5));
  EXPECT_EQ(game["events"][4]["result"], game["result"]);
  EXPECT_EQ(arena_.Get("/api/v2/games/" + table_ + "/tpgn")->text(), game["tpgn"]);
  EXPECT_THAT(game["tpgn"].get<std::string>(), HasSubstr("a3W-a4W"));
}

TEST_F(V2Test, AStoreThatFailsIsA503) {
  const std::string key = AddPlayer("Ann");
  arena_.store.error = absl::UnavailableError("the store does not answer");
  EXPECT_EQ(JoinStatus(R"("game": "tri-d")", key), 503);
  EXPECT_EQ(JoinStatus(R"("game": "tri-d", "name": "Ben")"), 503);
  EXPECT_EQ(arena_.Get("/api/v2/players/Ann")->status(), 503);
}

// ---- About.

TEST_F(V2Test, OpenApiSaysWhatEachRouteNeeds) {
  const ApiJson paths = arena_.Get("/openapi.json")->json()["paths"];
  EXPECT_EQ(paths["/api/v2/turn"]["get"]["security"], ApiJson::parse(R"([{"token": []}])"));
  EXPECT_EQ(paths["/api/v2/players/{name}/key"]["post"]["security"],
            ApiJson::parse(R"([{"key": []}])"));
  EXPECT_EQ(paths["/api/v2/join"]["post"]["security"], ApiJson::parse(R"([{}, {"key": []}])"));
  EXPECT_FALSE(paths["/api/v2/health"]["get"].contains("security"));
  EXPECT_TRUE(paths["/api/v2/players"]["post"]["responses"].contains("201"));
  EXPECT_EQ(paths["/api/v2/tables/{id}"]["get"]["parameters"].size(), 2u);
  for (const Route& route : arena_.v2->routes()) {
    EXPECT_TRUE(paths[std::string(route.path)].contains(route.method == "GET" ? "get" : "post"));
  }
}

}  // namespace
}  // namespace triarch::arena
