#include "arena/client/arena_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace triarch::arena {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct SentRequest {
  std::string method;
  std::string url;
  std::vector<std::string> headers;
  std::string body;
};

// An arena that gives prepared answers, and a clock that passes only in pauses.
class ArenaClientTest : public testing::Test {
 protected:
  ArenaClient Make(ArenaClient::Options options = {.url = "http://arena"}) {
    return ArenaClient(std::move(options),
                       {.send = [this](const HttpRequest& request) { return Answer(request); },
                        .now = [this] { return now_; },
                        .sleep =
                            [this](milliseconds time) {
                              now_ += time;
                              slept_ += time;
                              if (stop_after_ && slept_ >= *stop_after_) stop_ = true;
                            },
                        .secret = [] { return std::string(32, 'a'); },
                        .log = [this](const std::string& line) { log_.push_back(line); },
                        .stop = &stop_});
  }

  absl::StatusOr<HttpResponse> Answer(const HttpRequest& request) {
    sent_.push_back(
        {request.method, request.url, request.headers, std::string(request.body.value_or(""))});
    if (*request.stop) return absl::CancelledError("stopped");
    if (answers_.empty()) return absl::UnavailableError("connection refused");
    absl::StatusOr<HttpResponse> answer = answers_.front();
    answers_.pop_front();
    return answer;
  }
  void Add(int status, const json& body) {
    answers_.push_back(HttpResponse{.status = status, .body = body.dump()});
  }
  void AddSeat() {
    Add(200, {{"token", "t"}, {"table", "id"}, {"seat", "white"}, {"stage", "waiting"}});
  }
  void AddFailure() { answers_.push_back(absl::UnavailableError("reset by peer")); }

  std::chrono::steady_clock::time_point now_ = {};
  milliseconds slept_{0};
  std::optional<milliseconds> stop_after_;
  std::atomic<bool> stop_ = false;
  std::deque<absl::StatusOr<HttpResponse>> answers_;
  std::vector<SentRequest> sent_;
  std::vector<std::string> log_;
};

TEST_F(ArenaClientTest, JoinsWithWhatIsGiven) {
  ArenaClient client = Make({.url = "http://arena", .key = "KEY"});
  AddSeat();
  const auto seat = client.Join({.game = "tri-d",
                                 .name = "mine",
                                 .type = "bot",
                                 .opponents = "smart, mcts:nodes=5",
                                 .rated = false,
                                 .move_seconds = 9});
  ASSERT_TRUE(seat.ok()) << seat.status();
  EXPECT_EQ(seat->token, "t");
  EXPECT_EQ(seat->seat, "white");
  EXPECT_EQ(sent_[0].url, "http://arena/api/v2/join");
  EXPECT_THAT(sent_[0].headers, Contains("Authorization: Bearer KEY"));
  const json body = {{"game", "tri-d"},
                     {"name", "mine"},
                     {"type", "bot"},
                     {"secret", std::string(32, 'a')},
                     {"opponents", {"smart", "mcts:nodes=5"}},
                     {"rated", false},
                     {"move_seconds", 9}};
  EXPECT_EQ(json::parse(sent_[0].body), body);
}

TEST_F(ArenaClientTest, AnArenaThatHasNeverAnsweredGetsOneTry) {
  ArenaClient client = Make();
  const auto seat = client.Join({.game = "tri-d"});
  EXPECT_TRUE(absl::IsUnavailable(seat.status()));
  EXPECT_EQ(std::string(seat.status().message()), "cannot reach http://arena: connection refused");
  EXPECT_THAT(sent_, SizeIs(1));
}

TEST_F(ArenaClientTest, RepeatsWhatGotNoAnswer) {
  ArenaClient client = Make();
  AddSeat();
  ASSERT_TRUE(client.Join({}).ok());
  AddFailure();
  Add(503, {{"detail", "the store does not answer"}});
  answers_.push_back(HttpResponse{.status = 502, .body = "<html>Bad gateway</html>"});
  Add(200, json::object());
  EXPECT_TRUE(client.Move("t", "a2-a3", 4).ok());
  ASSERT_THAT(sent_, SizeIs(5));
  EXPECT_EQ(json::parse(sent_[4].body), json({{"move", "a2-a3"}, {"ply", 4}}));
  EXPECT_EQ(sent_[1].body, sent_[4].body);
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(ArenaClientTest, AFullArenaIsOneThatAnswers) {
  ArenaClient client = Make();
  Add(503, {{"detail", "the arena is full"}});
  AddSeat();
  EXPECT_TRUE(client.Join({}).ok());
}

TEST_F(ArenaClientTest, WaitsAsLongAsTheArenaAsks) {
  ArenaClient client = Make();
  answers_.push_back(HttpResponse{.status = 429,
                                  .body = R"({"detail":"too many requests"})",
                                  .retry_after = std::chrono::seconds(7)});
  AddSeat();
  EXPECT_TRUE(client.Join({}).ok());
  EXPECT_EQ(slept_, milliseconds(7'000));
}

TEST_F(ArenaClientTest, PatienceEnds) {
  ArenaClient client = Make({.url = "http://arena", .patience = milliseconds(60'000)});
  AddSeat();
  ASSERT_TRUE(client.Join({}).ok());
  const absl::Status resigned = client.Resign("t");
  EXPECT_TRUE(absl::IsUnavailable(resigned));
  EXPECT_GT(slept_, milliseconds(50'000));
  EXPECT_LT(slept_, milliseconds(60'000));
  EXPECT_THAT(log_, ElementsAre(HasSubstr("connection refused; trying again")));
}

TEST_F(ArenaClientTest, AStopEndsAPauseButStillLeaves) {
  ArenaClient client = Make();
  AddSeat();
  ASSERT_TRUE(client.Join({}).ok());
  stop_after_ = milliseconds(200);
  EXPECT_TRUE(absl::IsCancelled(client.Turn("t").status()));
  EXPECT_LE(slept_, milliseconds(300));
  Add(200, json::object());
  sent_.clear();
  client.Leave("t");
  ASSERT_THAT(sent_, SizeIs(1));
  EXPECT_EQ(sent_[0].url, "http://arena/api/v2/resign");
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(ArenaClientTest, RefusalsHaveTheirOwnCodes) {
  const std::vector<std::pair<int, absl::StatusCode>> codes = {
      {400, absl::StatusCode::kInvalidArgument},  {422, absl::StatusCode::kInvalidArgument},
      {401, absl::StatusCode::kUnauthenticated},  {403, absl::StatusCode::kFailedPrecondition},
      {404, absl::StatusCode::kNotFound},         {409, absl::StatusCode::kAborted},
      {410, absl::StatusCode::kPermissionDenied}, {500, absl::StatusCode::kUnknown}};
  for (const auto& [status, code] : codes) {
    ArenaClient client = Make();
    Add(status, {{"detail", "no\nway"}});
    const absl::Status refused = client.Resign("t");
    EXPECT_EQ(refused.code(), code) << status;
    EXPECT_EQ(std::string(refused.message()), "the arena says: no way");
  }
  EXPECT_THAT(sent_, SizeIs(codes.size()));
}

TEST_F(ArenaClientTest, OtherServersAreNoArenas) {
  for (const auto& [status, body] : std::vector<std::pair<int, std::string>>{
           {200, "<html>hello</html>"}, {404, "not found"}, {200, "[1]"}, {405, "{}"}}) {
    ArenaClient client = Make();
    answers_.push_back(HttpResponse{.status = status, .body = body});
    const absl::Status joined = client.Join({}).status();
    EXPECT_TRUE(absl::IsDataLoss(joined)) << joined;
    EXPECT_THAT(std::string(joined.message()),
                HasSubstr("http://arena does not answer like an arena"));
  }
  ArenaClient client = Make();
  Add(200, {{"token", 7}});
  EXPECT_THAT(std::string(client.Join({}).status().message()), HasSubstr("\"token\""));
}

TEST_F(ArenaClientTest, ReadsATurn) {
  ArenaClient client = Make();
  Add(200, {{"stage", "playing"},
            {"your_turn", true},
            {"position", "p"},
            {"events", 5},
            {"seconds_left", 2.5},
            {"result", nullptr}});
  const auto turn = client.Turn("t");
  ASSERT_TRUE(turn.ok()) << turn.status();
  EXPECT_TRUE(turn->is_yours);
  EXPECT_FALSE(turn->is_over);
  EXPECT_EQ(turn->seconds_left, 2.5);
  EXPECT_FALSE(turn->result.has_value());
  Add(200, {{"stage", "finished"},
            {"your_turn", false},
            {"position", "p"},
            {"events", 6},
            {"seconds_left", nullptr},
            {"result",
             {{"result", "1-0"},
              {"places", {{"white", 1}, {"black", 2}}},
              {"termination", "checkmate"}}}});
  const auto end = client.Turn("t");
  ASSERT_TRUE(end.ok()) << end.status();
  EXPECT_TRUE(end->is_over);
  ASSERT_TRUE(end->result.has_value());
  EXPECT_EQ(end->result->places.at("black"), 2);
}

TEST(ArenaUrl, IsTheBase) {
  EXPECT_EQ(*ArenaUrl("http://127.0.0.1:8080"), "http://127.0.0.1:8080");
  EXPECT_EQ(*ArenaUrl("https://a.example/x//"), "https://a.example/x");
  EXPECT_EQ(*ArenaUrl("https://a.example/api/v2/"), "https://a.example");
  for (const char* const text : {"", "a.example", "ftp://a", "http://", "https:///", "http://a b",
                                 "http://a?b", "http://a#b", "http://a\nb"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ArenaUrl(text).status())) << text;
  }
}

}  // namespace
}  // namespace triarch::arena
