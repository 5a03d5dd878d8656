#include "arena/table/event.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace triarch::arena {
namespace {

using Kind = Event::Kind;
using ::testing::HasSubstr;
using ::testing::Not;

Occupant FullOccupant() {
  return {.name = "Zoë \"the\" 棋手\\",
          .type = PlayerType::kLlm,
          .model = "some-model-4",
          .token_hash = std::string(64, 'a'),
          .is_claimed = true,
          .owner = "owner@example.org",
          .house_bot = "paranoid:depth=2"};
}

TableSettings FullSettings() {
  return {.game = "tri-d",
          .position = "QL1,KL1,QL6,KL6 …",
          .draws = Draws::kClaimed,
          .is_rated = true,
          .is_private = true,
          .house_bots = {{"smart", "", "random"}},
          .fill_ms = 1,
          .move_ms = 86'400'000,
          .seed = std::numeric_limits<uint64_t>::max(),
          .rematch_of = "0123-45"};
}

// One event of each kind, with all members that count for it and none that does not.
std::vector<Event> FullEvents() {
  const int64_t time = 1'764'000'000'123;
  return {
      {.kind = Kind::kOpened, .time_ms = time, .settings = FullSettings()},
      {.kind = Kind::kJoined, .time_ms = time, .seat = Seat::kSecond, .occupant = FullOccupant()},
      {.kind = Kind::kLeft, .time_ms = time, .seat = Seat::kThird},
      {.kind = Kind::kMoved,
       .time_ms = time,
       .seat = Seat::kThird,
       .move = "E2xD3",
       .forced = Forced::kTimeout,
       .message = "good \"move\", ♞ \\o/"},
      {.kind = Kind::kMissed, .time_ms = time, .seat = Seat::kSecond, .move = "\"e2-\\x00\""},
      {.kind = Kind::kResigned, .time_ms = time, .seat = Seat::kSecond},
      {.kind = Kind::kForfeited,
       .time_ms = time,
       .seat = Seat::kThird,
       .why = Termination::kTimeForfeit},
      {.kind = Kind::kClaimedDraw, .time_ms = time, .seat = Seat::kSecond},
      {.kind = Kind::kReplaced, .time_ms = time, .seat = Seat::kThird, .occupant = FullOccupant()},
      {.kind = Kind::kSaid, .time_ms = time, .seat = Seat::kThird, .message = "hi"},
      {.kind = Kind::kWantsRematch, .time_ms = time, .seat = Seat::kSecond},
      {.kind = Kind::kClosed, .time_ms = time, .why = Termination::kCrash},
  };
}

void ExpectRoundTrip(const Event& event) {
  const std::string json = EventToJson(event);
  const absl::StatusOr<Event> back = EventFromJson(json);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*back, event) << json;
  EXPECT_EQ(EventToJson(*back), json);
  EXPECT_THAT(json, Not(HasSubstr("\n")));
}

TEST(Event, EveryKindSurvivesJson) {
  const std::vector<Event> events = FullEvents();
  ASSERT_EQ(events.size(), static_cast<size_t>(Kind::kClosed) + 1);
  for (size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(static_cast<size_t>(events[i].kind), i);
    ExpectRoundTrip(events[i]);
  }
}

TEST(Event, EveryKindSurvivesJsonWithoutOptionalMembers) {
  for (int kind = 0; kind <= static_cast<int>(Kind::kClosed); ++kind) {
    ExpectRoundTrip({.kind = static_cast<Kind>(kind)});
  }
}

TEST(Event, EveryEnumeratorSurvivesJson) {
  for (int type = 0; type <= static_cast<int>(PlayerType::kBot); ++type) {
    Event event{.kind = Kind::kJoined};
    event.occupant.type = static_cast<PlayerType>(type);
    ExpectRoundTrip(event);
  }
  for (int forced = 0; forced <= static_cast<int>(Forced::kIllegalMoves); ++forced) {
    ExpectRoundTrip({.kind = Kind::kMoved, .forced = static_cast<Forced>(forced)});
  }
  for (int why = 0; why <= static_cast<int>(Termination::kAbandoned); ++why) {
    ExpectRoundTrip({.kind = Kind::kForfeited, .why = static_cast<Termination>(why)});
    ExpectRoundTrip({.kind = Kind::kClosed, .why = static_cast<Termination>(why)});
  }
}

// Later versions must read what this one has stored.
TEST(Event, IsWrittenAsTheseTexts) {
  const auto text = [](Kind kind) { return EventToJson(FullEvents()[static_cast<size_t>(kind)]); };
  EXPECT_EQ(text(Kind::kOpened),
            R"({"event":"opened","time":1764000000123,"table":{"game":"tri-d",)"
            R"("position":"QL1,KL1,QL6,KL6 …","draws":"claimed","rated":true,"private":true,)"
            R"("bots":["smart","","random"],"fill_ms":1,"move_ms":86400000,)"
            R"("seed":18446744073709551615,"rematch_of":"0123-45"}})");
  EXPECT_EQ(text(Kind::kMoved), R"({"event":"moved","time":1764000000123,"seat":3,"move":"E2xD3",)"
                                R"("forced":"timeout","message":"good \"move\", ♞ \\o/"})");
  EXPECT_EQ(text(Kind::kForfeited),
            R"({"event":"forfeited","time":1764000000123,"seat":3,"why":"time_forfeit"})");
  EXPECT_EQ(EventToJson({.kind = Kind::kJoined, .occupant = {.name = "Ann"}}),
            R"({"event":"joined","time":0,"seat":1,"player":{"name":"Ann","type":"human"}})");
}

TEST(Event, NamesItsKindsAndPlayers) {
  EXPECT_EQ(ToString(Kind::kOpened), "opened");
  EXPECT_EQ(ToString(Kind::kSaid), "said");
  EXPECT_EQ(ToString(Kind::kWantsRematch), "wants_rematch");
  EXPECT_EQ(ToString(Kind::kClosed), "closed");
  EXPECT_EQ(ToString(PlayerType::kHuman), "human");
  EXPECT_EQ(ToString(PlayerType::kBot), "bot");
}

TEST(Event, BytesThatAreNotUtf8AreReplaced) {
  const Event event{.kind = Kind::kMoved,
                    .move = "E2-E3",
                    .message =
                        "a\xff"
                        "b"};
  const absl::StatusOr<Event> back = EventFromJson(EventToJson(event));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->message,
            "a\xef\xbf\xbd"
            "b");
}

TEST(Event, DamagedJsonIsDataLoss) {
  for (const char* text :
       {"",
        "null",
        "[]",
        "7",
        "{",
        R"("moved")",
        "{}",
        R"({"event":"moved"})",
        R"({"event":"moved","time":1})",                        // no seat
        R"({"event":"moved","time":"1","seat":1})",             // a time in quotes
        R"({"event":"moved","time":1,"seat":0})",               // there is no seat 0
        R"({"event":"moved","time":1,"seat":4})",               //
        R"({"event":"moved","time":1,"seat":-1})",              //
        R"({"event":"moved","time":1,"seat":"1"})",             //
        R"({"event":"danced","time":1,"seat":1})",              // an unknown kind
        R"({"event":3,"time":1,"seat":1})",                     //
        R"({"event":"moved","time":1,"seat":1,"move":7})",      //
        R"({"event":"moved","time":1,"seat":1,"message":[]})",  //
        R"({"event":"moved","time":1,"seat":1,"forced":"by hand"})",
        R"({"event":"forfeited","time":1,"seat":1,"why":"boredom"})",
        R"({"event":"joined","time":1,"seat":1})",    // no player
        R"({"event":"replaced","time":1,"seat":1})",  //
        R"({"event":"forfeited","time":1,"seat":1})",
        R"({"event":"closed","time":1})",
        R"({"event":"joined","time":1,"seat":1,"player":{"name":"Ann"}})",
        R"({"event":"joined","time":1,"seat":1,"player":{"type":"human"}})",
        R"({"event":"joined","time":1,"seat":1,"player":{"name":"A","type":"cat"}})",
        R"({"event":"joined","time":1,"seat":1,"player":"Ann"})",
        R"({"event":"opened","time":1})",
        R"({"event":"opened","time":1,"table":{}})",
        R"({"event":"opened","time":1,"table":{"game":"tri-d"}})",
        R"({"event":"opened","time":1,"table":{"game":"tri-d","fill_ms":1,"move_ms":1,)"
        R"("seed":1,"draws":"never"}})",
        R"({"event":"opened","time":1,"table":{"game":"tri-d","fill_ms":1,"move_ms":1,)"
        R"("seed":1,"bots":["smart"]}})"}) {
    const absl::StatusOr<Event> event = EventFromJson(text);
    EXPECT_TRUE(absl::IsDataLoss(event.status())) << text << ": " << event.status();
  }
}

TEST(Event, EveryTruncatedTextIsDataLoss) {
  for (const Event& event : FullEvents()) {
    const std::string json = EventToJson(event);
    for (size_t size = 0; size < json.size(); ++size) {
      EXPECT_TRUE(absl::IsDataLoss(EventFromJson(json.substr(0, size)).status()))
          << json.substr(0, size);
    }
  }
}

}  // namespace
}  // namespace triarch::arena
