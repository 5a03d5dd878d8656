// Tests the API of the web page over a SQLite file with games of all three games.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "arena/api/position_json.h"
#include "arena/api/test_arena.h"
#include "core/base/mutex.h"
#include "core/base/text.h"
#include "core/record/tpgn.h"
#include "site/site_games.h"
#include "site/test_games.h"
#include "site/test_site.h"

namespace triarch::site {
namespace {

using arena::TestExchange;
using arena::TestRequest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::SizeIs;
using Json = nlohmann::ordered_json;

constexpr int64_t kGames = 12;

class SiteApiTest : public testing::Test {
 protected:
  SiteApiTest() {
    const auto store = *OpenSqliteStore(path_, OpenMode::kCreate);
    for (const GameInfo* const info : AllGames()) {
      const TournamentSpec spec = SpecOfTest(std::string(info->name), 2 * kGames);
      const int64_t id = store->AddTournament(spec, "").value().id;
      for (int64_t i = 0; i < kGames; ++i) {
        const GameRecord record = PlayTestGame(spec, i);
        EXPECT_TRUE(store->Record(id, {&record, 1}).ok());
      }
    }
  }

  auto Ask(const std::string& path) { return site_.Ask(path); }
  Json Get(const std::string& path, const std::string& query = "") {
    return site_.Get(path, query);
  }
  std::string Error(const std::string& path, const std::string& query = "",
                    const std::string& method = "GET") {
    return site_.Error(path, query, method);
  }
  std::vector<int64_t> Indices(const std::string& query) {
    std::vector<int64_t> indices;
    const Json page = Get("/tournaments/1/games", query);
    for (const Json& game : page.at("games")) {
      indices.push_back(game.at("index"));
    }
    return indices;
  }

  void Record(int64_t id, int64_t index) {
    const auto store = *OpenSqliteStore(path_, OpenMode::kExisting);
    const TournamentSpec spec =
        SpecOfTest(std::string(AllGames()[static_cast<size_t>(id) - 1]->name), 2 * kGames);
    const GameRecord record = PlayTestGame(spec, index);
    EXPECT_TRUE(store->Record(id, {&record, 1}).ok());
  }
  static std::string TagIn(const TestExchange& exchange) {
    for (const auto& [name, value] : exchange.answer->headers) {
      if (name == "ETag") return value;
    }
    return "";
  }

  int64_t recorded_ = 0;  // by Record
  TestSite site_;
  const std::string path_ = site_.db;
};

TEST_F(SiteApiTest, ListsTournamentsTheNewestFirst) {
  const Json all = Get("/tournaments");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0]["game"], "tri-d");
  EXPECT_EQ(all[2]["game"], "triumvirate");
  EXPECT_EQ(all[2]["id"], 1);
  EXPECT_EQ(all[2]["state"], "active");
  EXPECT_EQ(all[2]["games"], 2 * kGames);
  EXPECT_EQ(all[2]["recorded"], kGames);
  EXPECT_EQ(all[2]["bots"], 4);
  const Json one = Get("/tournaments/1");
  EXPECT_EQ(one["name"], "test of triumvirate");
  EXPECT_EQ(one["bots"][1]["name"], "<b>bob</b>");
  EXPECT_EQ(one["bots"][1]["bot"], "paranoid:depth=2");
}

TEST_F(SiteApiTest, PagesGamesWithoutGaps) {
  std::vector<int64_t> seen;
  std::string query = "limit=5";
  while (true) {
    const Json page = Get("/tournaments/2/games", query);
    for (const Json& game : page["games"]) seen.push_back(game["index"]);
    if (page["before"].is_null()) break;
    EXPECT_EQ(page["games"].size(), 5u);
    query = "limit=5&before=" + page["before"].dump();
  }
  EXPECT_THAT(seen, ElementsAre(11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  EXPECT_TRUE(Get("/tournaments/2/games", "limit=12")["before"].is_null());
  EXPECT_EQ(Get("/tournaments/2/games", "limit=11")["before"], 1);
}

TEST_F(SiteApiTest, ALongSearchGoesOnWithTheNextPage) {
  const auto store = *OpenStore(path_, OpenMode::kReadOnly);
  const StoredTournament tournament = *store->Tournament(1);
  std::map<std::string, std::string> query = {{"faults", "1"}};
  std::vector<int64_t> seen;
  int pages = 0;
  while (true) {
    const Json page = *ListGames(*store, tournament, query, /*scan_max=*/2);
    EXPECT_LE(page["games"].size(), 2u);
    for (const Json& game : page["games"]) seen.push_back(game["index"]);
    ++pages;
    if (page["before"].is_null()) break;
    query["before"] = page["before"].dump();
  }
  EXPECT_EQ(pages, kGames / 2);
  EXPECT_THAT(seen, ElementsAre(9, 7, 6, 3, 0));
}

TEST_F(SiteApiTest, FiltersGames) {
  EXPECT_THAT(Indices("faults=1"), ElementsAre(9, 7, 6, 3, 0));
  // Game i has the bots i, i + 1, i + 2 modulo 4.
  EXPECT_THAT(Indices("bot=ann"), ElementsAre(11, 10, 8, 7, 6, 4, 3, 2, 0));
  EXPECT_THAT(Indices("bot=ann&seat=white"), ElementsAre(8, 4, 0));
  EXPECT_THAT(Indices("bot=%3Cb%3Ebob%3C/b%3E&seat=red"), ElementsAre(11, 7, 3));
  EXPECT_THAT(Indices("bot=ann&faults=1"), ElementsAre(7, 0)) << "only its own faults";
  EXPECT_THAT(Indices("termination=crash"), ElementsAre(9, 6, 3, 0));
  EXPECT_THAT(Indices("plies_min=100000"), IsEmpty());
  EXPECT_EQ(Indices("plies_max=100000").size(), static_cast<size_t>(kGames));
  EXPECT_THAT(Indices("before=3"), ElementsAre(2, 1, 0));
  EXPECT_THAT(Indices("before=0"), IsEmpty());
}

TEST_F(SiteApiTest, AGameHasThePositionAfterEachEvent) {
  for (int64_t id = 1; id <= 3; ++id) {
    const Json game = Get(absl::StrFormat("/tournaments/%d/games/4", id));
    const std::string name = game["game"];
    EXPECT_EQ(game["tournament"]["id"], id);
    AnyState state = *AnyState::Start(name, "");
    EXPECT_EQ(game["start"]["text"], state.ToString());
    EXPECT_EQ(game["start"]["to_move"], "white");
    for (const Json& event : game["events"]) {
      ASSERT_TRUE(event.contains("move")) << event;
      std::string move = event["move"];
      while (move.ends_with('+') || move.ends_with('#')) move.pop_back();
      ASSERT_TRUE(state.Play(move).ok()) << move;
      EXPECT_EQ(event["after"]["text"], state.ToString());
      EXPECT_GE(event["cells"].size(), 2u) << move;
    }
    EXPECT_EQ(game["previous"], 3);
    EXPECT_EQ(game["next"], 5);
  }
  EXPECT_TRUE(Get("/tournaments/1/games/0")["previous"].is_null());
  EXPECT_TRUE(Get("/tournaments/1/games/11")["next"].is_null());
}

TEST_F(SiteApiTest, AMoveHasWhatItsBotSaid) {
  const Json game = Get("/tournaments/1/games/7");
  for (size_t i = 0; i < game["events"].size(); ++i) {
    EXPECT_EQ(game["events"][i].contains("info"), i == 2);
  }
  EXPECT_EQ(game["events"][2]["info"], Json::parse(R"({"depth": 2, "line": ["x", "y"],
                                                      "explanation": "<b>\n{best}"})"));
}

TEST_F(SiteApiTest, APositionHasWhatAPictureNeeds) {
  const Json start = Get("/tournaments/1/games/0")["start"];
  const std::string pieces = start["pieces"];
  EXPECT_THAT(Split(pieces, ' '), SizeIs(48));
  EXPECT_THAT(Split(pieces, ' '), IsSupersetOf({"A1:Rw", "A2:Pw", "I8:Kb", "L12:Rr"}));
  EXPECT_THAT(start["checks"], IsEmpty());
  EXPECT_THAT(start["out"], IsEmpty());
  EXPECT_FALSE(start.contains("pins"));
  EXPECT_EQ(Get("/tournaments/3/games/0")["start"]["pins"],
            Json::parse(R"(["QL1", "KL1", "QL6", "KL6"])"));
}

TEST_F(SiteApiTest, WhoLeavesIsOut) {
  const Json game = Get("/tournaments/2/games/0");
  Json forfeit;
  for (const Json& event : game["events"]) {
    if (event.contains("event")) forfeit = event;
    if (!forfeit.is_null()) break;
  }
  EXPECT_EQ(forfeit["event"], "forfeits: crash");
  EXPECT_THAT(forfeit["cells"], IsEmpty());
  EXPECT_EQ(forfeit["after"]["out"], Json::parse(R"(["white"])"));
  EXPECT_EQ(game["faults"][0]["message"], "it exited");
  EXPECT_TRUE(game["events"].back()["after"]["to_move"].is_null() ||
              game["termination"] == "adjudication")
      << game["termination"];
}

TEST_F(SiteApiTest, ABoardMoveMarksBothPlaces) {
  const std::string text = Get("/tournaments/3/games/0")["start"]["text"];
  AnyState before = *AnyState::Parse("tri-d", text);
  for (const char* move : {"b2QL1-b3W", "b7QL6-b6B", "a1QL1-b3W"}) before.Play(move).IgnoreError();
  const AnyState::Moves moves = before.LegalMoves();
  for (size_t i = 0; i < moves.size(); ++i) {
    const std::string move = before.MoveToString(moves, i);
    AnyState after = before;
    after.Play(moves, i);
    const std::vector<std::string> cells = arena::CellsOfMove(before, after);
    const bool is_board_move = move.starts_with("QL") || move.starts_with("KL");
    EXPECT_EQ(cells.size(), is_board_move ? 8u : 2u) << move;
    // The first one is the one that the piece left.
    EXPECT_TRUE(is_board_move || move.starts_with(cells[0])) << move << " leaves " << cells[0];
  }
}

TEST_F(SiteApiTest, ShowsTpgn) {
  const auto exchange = Ask("/api/v2/tournaments/1/games/7/tpgn");
  EXPECT_EQ(exchange->answer->content_type, "text/plain; charset=utf-8");
  const std::string text = exchange->text();
  EXPECT_THAT(text, HasSubstr("[Round \"2.8\"]"));
  TpgnReader reader(text);
  EXPECT_TRUE(reader.Next()->ok());
}

TEST_F(SiteApiTest, StandingsFollowTheGames) {
  EXPECT_EQ(Get("/tournaments/1/standings")["games"]["recorded"], kGames);
  {
    const auto store = *OpenSqliteStore(path_, OpenMode::kExisting);
    const GameRecord record = PlayTestGame(SpecOfTest("triumvirate", 2 * kGames), kGames);
    ASSERT_TRUE(store->Record(1, {&record, 1}).ok());
    EXPECT_EQ(Get("/tournaments/1/standings")["games"]["recorded"], kGames + 1);
    EXPECT_EQ(Get("/tournaments/1/games")["games"][0]["index"], kGames);
  }
  EXPECT_EQ(Get("/tournaments/1")["recorded"], kGames + 1);
}

TEST_F(SiteApiTest, AClientThatHasTheAnswerGetsNone) {
  for (const char* path : {"/tournaments", "/tournaments/1", "/tournaments/1/standings",
                           "/tournaments/1/games", "/tournaments/1/games/3",
                           "/tournaments/1/games/3/tpgn", "/bots", "/tournaments/1/progress"}) {
    const std::string full = std::string("/api/v2") + path;
    const auto first = site_.Ask(full);
    ASSERT_EQ(first->status(), 200) << path;
    EXPECT_EQ(first->answer->cache_control, "no-cache");
    const std::string tag = TagIn(*first);
    const auto second = site_.Ask(full, "", "GET", "\"x\", W/" + tag);
    EXPECT_EQ(second->status(), 304) << path;
    EXPECT_EQ(second->answer->body, nullptr);
    EXPECT_EQ(TagIn(*second), tag);
    EXPECT_EQ(site_.Ask(full, "", "GET", "\"x\"")->status(), 200) << path;
    Record(1, kGames + recorded_++);
    const auto third = site_.Ask(full, "", "GET", tag);
    EXPECT_EQ(third->status(), 200) << path;
    EXPECT_NE(TagIn(*third), tag) << path;
  }
  // Other tournaments do not change it.
  const std::string tag = TagIn(*site_.Ask("/api/v2/tournaments/2/games"));
  Record(1, kGames + recorded_++);
  EXPECT_EQ(site_.Ask("/api/v2/tournaments/2/games", "", "GET", tag)->status(), 304);
}

TEST_F(SiteApiTest, OtherRequestsDoNotWaitForASlowAnswer) {
  Mutex mutex;
  CondVar changed;
  bool may_go_on = false;
  // Holds up the thread of slow answers.
  site_.slow.Post([&](absl::StatusOr<Store*>) {
    MutexLock lock(&mutex);
    while (!may_go_on) changed.Wait(&mutex);
  });
  const auto slow =
      std::make_shared<TestExchange>(TestRequest("GET", "/api/v2/tournaments/1/standings"));
  ASSERT_TRUE(site_.api.Handle(slow));
  EXPECT_EQ(Get("/tournaments/1/games", "limit=1")["games"].size(), 1u);
  EXPECT_EQ(Get("/tournaments/1/games/3")["index"], 3);
  EXPECT_FALSE(slow->is_answered());
  {
    MutexLock lock(&mutex);
    may_go_on = true;
    changed.NotifyAll();
  }
  EXPECT_EQ(Get("/tournaments/1/standings")["games"]["recorded"], kGames);
  EXPECT_EQ(slow->status(), 200);
}

TEST_F(SiteApiTest, Errors) {
  EXPECT_THAT(Error("/tournaments/9"), HasSubstr("404 "));
  EXPECT_EQ(Error("/tournaments/x"), "404 there is no tournament \"x\"");
  EXPECT_EQ(Error("/tournaments/1/games/x"), "404 there is no game \"x\"");
  EXPECT_EQ(Error("/tournaments/1/games/99"),
            "404 tournament 1 has no recorded game with the index 99");
  EXPECT_THAT(Error("/tournaments/1/games/99/tpgn"), HasSubstr("404 "));
  EXPECT_THAT(Error("/tournaments/9/standings"), HasSubstr("404 "));
  EXPECT_THAT(Error("/geometry/go"), HasSubstr("404 "));
  EXPECT_THAT(Error("/rules/go"), HasSubstr("404 "));
  EXPECT_THAT(Error("/nothing"), HasSubstr("404 "));
  EXPECT_EQ(Error("/health", "", "POST"), "405 use GET");
  const std::map<std::string, std::string> wrong = {
      {"bot=eve", "bot: "},
      {"seat=white", "seat: expected bot, too"},
      {"bot=ann&seat=gray", "seat: expected one of white, black, red, not \"gray\""},
      {"termination=boredom", "termination: "},
      {"faults=2", "faults: "},
      {"plies_min=-1", "plies_min: "},
      {"plies_max=x", "plies_max: "},
      {"before=1.5", "before: "},
      {"match=0", "match: expected a whole number from 1"},
      {"opening=1", "opening: the tournament has no list of openings"},
      {"limit=201", "limit: expected a whole number from 0 to 200"}};
  for (const auto& [query, text] : wrong) {
    EXPECT_THAT(Error("/tournaments/1/games", query), HasSubstr("422 " + text)) << query;
  }
}

TEST_F(SiteApiTest, AMissingDatabaseIsAnError) {
  std::filesystem::remove(path_);
  EXPECT_THAT(Error("/tournaments"), HasSubstr("there is no database"));
  EXPECT_EQ(Get("/health")["status"], "ok");
}

TEST_F(SiteApiTest, OtherPathsAreNotOfTheApi) {
  for (const char* path : {"/", "/index.html", "/api", "/llms.txt"}) {
    EXPECT_FALSE(site_.api.Handle(std::make_shared<TestExchange>(TestRequest("GET", path))))
        << path;
  }
}

}  // namespace
}  // namespace triarch::site
