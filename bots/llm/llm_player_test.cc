#include "bots/llm/llm_player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bots/llm/curl_client.h"
#include "core/record/tpgn.h"
#include "tests/llm/odd_chat_server.h"
#include "worker/match/match.h"
#include "worker/match/scripted_player.h"

namespace triarch::llm {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kKey = "sk-secret-7";

// A server with scripted answers; the last one is repeated.
class ScriptedClient final : public HttpClient {
 public:
  using Answer = absl::StatusOr<HttpReply>;

  explicit ScriptedClient(std::vector<Answer> answers, std::vector<HttpRequest>* requests)
      : answers_(std::move(answers)), requests_(*requests) {}

  Answer Post(const HttpRequest& request) override {
    requests_.push_back(request);
    return answers_[std::min(requests_.size(), answers_.size()) - 1];
  }

 private:
  const std::vector<Answer> answers_;
  std::vector<HttpRequest>& requests_;
};

HttpReply Says(std::string_view content) { return {.status = 200, .body = ChatBody(content)}; }

class LlmPlayerTest : public testing::Test {
 protected:
  LlmPlayerTest() { setenv("no_proxy", "*", 1); }

  std::unique_ptr<LlmPlayer> Make(std::unique_ptr<HttpClient> client,
                                  const std::string& url = "http://h/v1") {
    return std::make_unique<LlmPlayer>(
        settings_, Environment{.url = url, .model = "m", .key = std::string(kKey)},
        std::move(client), [this](const std::string& line) { log_.push_back(line); });
  }
  // Returns the decision at the start of a game, with a server that gives these answers.
  Decision Choose(std::vector<ScriptedClient::Answer> answers) {
    requests_.clear();
    log_.clear();
    const auto player = Make(std::make_unique<ScriptedClient>(std::move(answers), &requests_));
    player->NewGame(Seat::kFirst, 5);
    return player->Choose(state_, moves_, limits());
  }
  SearchLimits limits() const {
    SearchLimits limits;
    limits.stop = &stop_;
    limits.deadline = deadline_;
    return limits;
  }
  std::string Move(const Decision& decision) const {
    return (decision.is_fallback ? "fallback " : "") + state_.MoveToString(moves_, decision.move);
  }

  Settings settings_;
  const AnyState state_ = *AnyState::Start("triumvirate", "");
  const AnyState::Moves moves_ = state_.LegalMoves();
  std::atomic<bool> stop_ = false;
  std::optional<Clock::time_point> deadline_;
  std::vector<HttpRequest> requests_;
  std::vector<std::string> log_;
};

TEST_F(LlmPlayerTest, PlaysTheModelsMove) {
  EXPECT_EQ(Move(Choose({Says(R"({"move": "E2-E4"})")})), "E2-E4");
  ASSERT_EQ(requests_.size(), 1u);
  EXPECT_EQ(requests_[0].url, "http://h/v1/chat/completions");
  EXPECT_EQ(requests_[0].key, kKey);
  EXPECT_THAT(requests_[0].body, AllOf(HasSubstr(R"("model":"m")"), HasSubstr("Legal moves (20)"),
                                       Not(HasSubstr(std::string(kKey)))));
  EXPECT_THAT(log_, ElementsAre());
  EXPECT_EQ(Choose({Says(R"({"move": "resign"})")}).kind, Decision::Kind::kResign);
}

TEST_F(LlmPlayerTest, ExplainsAWrongAnswerAndAsksAgain) {
  EXPECT_EQ(Move(Choose({Says("E2-E9"), Says("well"), Says("E2-E4")})), "E2-E4");
  ASSERT_EQ(requests_.size(), 3u);
  EXPECT_THAT(requests_[1].body, AllOf(HasSubstr("the pawn on E2 does not reach"),
                                       HasSubstr(R"("content":"E2-E9","role":"assistant")")));
  EXPECT_THAT(requests_[2].body, AllOf(HasSubstr("the pawn on E2 does not reach"),
                                       HasSubstr("there is no legal move in your answer")));
  EXPECT_THAT(log_, ElementsAre());
}

TEST_F(LlmPlayerTest, FallsBackToALegalMoveFromTheSeed) {
  const Decision decision = Choose({Says("pass")});
  EXPECT_TRUE(decision.is_fallback);
  EXPECT_EQ(decision.kind, Decision::Kind::kMove);
  EXPECT_LT(decision.move, moves_.size());
  EXPECT_EQ(requests_.size(), 3u);
  EXPECT_THAT(log_, ElementsAre("playing a fallback move: there is no legal move in your answer"));
  EXPECT_EQ(Choose({Says("pass")}).move, decision.move);
  settings_.retries = 0;
  EXPECT_TRUE(Choose({Says("pass"), Says("E2-E4")}).is_fallback);
  EXPECT_EQ(requests_.size(), 1u);
}

TEST_F(LlmPlayerTest, RetriesTemporaryErrors) {
  for (const ScriptedClient::Answer& failure : std::vector<ScriptedClient::Answer>{
           absl::UnavailableError("connection refused"), absl::DeadlineExceededError("late"),
           absl::ResourceExhaustedError("long"), HttpReply{.status = 429, .body = ""},
           HttpReply{.status = 500, .body = "oops"}, HttpReply{.status = 503, .body = "{}"},
           HttpReply{.status = 200, .body = "<html>"},
           HttpReply{.status = 200, .body = R"({"choices": []})"}}) {
    const auto begin = Clock::now();
    EXPECT_EQ(Move(Choose({failure, Says("E2-E4")})), "E2-E4");
    EXPECT_EQ(requests_.size(), 2u);
    EXPECT_EQ(requests_[0].body, requests_[1].body);
    EXPECT_GE(Clock::now() - begin, milliseconds(250));
  }
}

TEST_F(LlmPlayerTest, DoesNotRetryPermanentErrors) {
  for (const int status : {301, 302, 400, 401, 403, 404, 422}) {
    EXPECT_TRUE(
        Choose({HttpReply{.status = status, .body = R"({"error": {"message": "it cannot be"}})"},
                Says("E2-E4")})
            .is_fallback);
    EXPECT_EQ(requests_.size(), 1u);
    EXPECT_THAT(log_, ElementsAre(HasSubstr("HTTP " + std::to_string(status) + ": ")));
  }
  EXPECT_EQ(log_[0], "playing a fallback move: HTTP 422: it cannot be");
}

TEST_F(LlmPlayerTest, WaitsAsTheServerAsksWithinTheMovesTime) {
  const auto begin = Clock::now();
  EXPECT_EQ(Move(Choose(
                {HttpReply{.status = 429, .body = "", .retry_after = seconds(1)}, Says("E2-E4")})),
            "E2-E4");
  EXPECT_GE(Clock::now() - begin, seconds(1));
  deadline_ = Clock::now() + seconds(30);
  EXPECT_TRUE(
      Choose({HttpReply{.status = 429, .body = "", .retry_after = seconds(3600)}, Says("E2-E4")})
          .is_fallback);
  EXPECT_LT(Clock::now(), *deadline_);
  EXPECT_THAT(log_, ElementsAre("playing a fallback move: HTTP 429"));
}

TEST_F(LlmPlayerTest, LimitsRequestsToTheMovesTime) {
  settings_.timeout = seconds(10);
  Choose({Says("E2-E4")});
  EXPECT_LE(requests_[0].end, Clock::now() + seconds(10));
  deadline_ = Clock::now() + seconds(3);
  Choose({Says("E2-E4")});
  EXPECT_LE(requests_[0].end, *deadline_);
}

TEST_F(LlmPlayerTest, LogsNothingForAnAbandonedGame) {
  stop_ = true;
  const Decision decision = Choose({absl::CancelledError("stopped")});
  EXPECT_LT(decision.move, moves_.size());
  EXPECT_EQ(requests_.size(), 1u);
  EXPECT_THAT(log_, ElementsAre());
}

TEST_F(LlmPlayerTest, HidesTheKey) {
  const std::string key(kKey);
  const std::string long_error = std::string(290, 'a') + key;  // truncated within the key
  for (const ScriptedClient::Answer& answer : std::vector<ScriptedClient::Answer>{
           Says("my key is " + key), Says("{\"move\": \"" + key + "\"}"), Says("E2-" + key),
           absl::UnavailableError("no " + key + " " + key),
           HttpReply{.status = 401, .body = R"({"error": "wrong key )" + key + "\"}"},
           HttpReply{.status = 401, .body = R"({"error": ")" + long_error + "\"}"},
           HttpReply{.status = 200, .body = R"({"error": ")" + key + "\"}"}}) {
    settings_.retries = 1;
    EXPECT_TRUE(Choose({answer}).is_fallback);
    ASSERT_EQ(log_.size(), 1u);
    EXPECT_THAT(log_[0], Not(HasSubstr("sk-")));
    for (const HttpRequest& request : requests_) EXPECT_THAT(request.body, Not(HasSubstr(key)));
  }
}

TEST_F(LlmPlayerTest, ExplainsItsMoveOnRequest) {
  std::vector<HttpRequest> requests;
  const auto player = Make(std::make_unique<ScriptedClient>(
      std::vector<ScriptedClient::Answer>{Says("The centre! {\"move\": \"E2-E4\"}")}, &requests));
  SearchInfo search_info;
  SearchLimits asked = limits();
  asked.search_info = &search_info;
  player->NewGame(Seat::kFirst, 1);
  EXPECT_EQ(Move(player->Choose(state_, moves_, asked)), "E2-E4");
  EXPECT_EQ(search_info.explanation, "The centre! {\"move\": \"E2-E4\"}");
}

// ---- Whole games with a server.

GameSpec Spec(const std::string& game) {
  GameSpec spec;
  spec.game = game;
  spec.seed = 3;
  spec.adjudication.plies_max = 40;
  for (size_t i = 0; i < 3; ++i) {
    spec.seats[SeatAt(i)] = {.name = "bot" + std::to_string(i), .bot = "x", .options = {}};
  }
  return spec;
}

TEST_F(LlmPlayerTest, PlaysEveryGameAndItsFallbacksAreRecorded) {
  const OddChatServer server([](const OddChatServer::Request& request) {
    const std::vector<std::string> moves = LegalMovesIn(request.body);
    // Every fourth request fails.
    return OddChatServer::Reply{.bytes = request.number % 4 == 3 ? HttpText(400, "no")
                                                                 : ChatText(moves.back())};
  });
  for (const GameInfo* const game : AllGames()) {
    const auto player = Make(MakeCurlClient(), server.url());
    RandomPlayer second, third;
    const auto played =
        PlayGame(Spec(std::string(game->name)), {{player.get(), &second, &third}}, stop_);
    ASSERT_TRUE(played.ok() && *played) << played.status();
    const GameRecord& record = **played;
    EXPECT_GE(record.fallbacks, 2);
    EXPECT_EQ(record.fallbacks, FallbacksOf(record, Seat::kFirst));
    EXPECT_EQ(FallbacksOf(record, Seat::kSecond), 0);
    EXPECT_EQ(record.endings[Seat::kFirst], std::nullopt);
    EXPECT_THAT(WriteTpgn(record), HasSubstr(" {fallback}"));
  }
}

TEST_F(LlmPlayerTest, KeepsToItsTimeWhateverTheServerDoes) {
  const OddChatServer server([](const auto&) {
    return OddChatServer::Reply{.bytes = ChatText("x"), .drip = milliseconds(50)};
  });
  const auto player = Make(MakeCurlClient(), server.url());
  player->NewGame(Seat::kFirst, 1);
  deadline_ = Clock::now() + milliseconds(300);
  EXPECT_TRUE(player->Choose(state_, moves_, limits()).is_fallback);
  EXPECT_LT(Clock::now(), *deadline_ + seconds(10));  // sanitizers and busy machines are slow
}

}  // namespace
}  // namespace triarch::llm
