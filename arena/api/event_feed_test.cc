// Tests that spectators get each event once and in order, however loads and changes interleave.

#include "arena/api/event_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "arena/api/test_arena.h"
#include "core/base/random.h"

namespace triarch::arena {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Form = EventFeed::Form;
using Fate = TestLog::Fate;

class EventFeedTest : public testing::Test {
 protected:
  EventFeedTest() { Store({table_.events()[0]}); }

  // Stores events without telling the feed. Any instance may have appended them.
  void Store(const std::vector<Event>& events) {
    const auto first = static_cast<int64_t>(store_.Events("table-1").size());
    ASSERT_TRUE(store_.Append({.table = "table-1", .first = first, .events = events}).ok());
  }
  // Lets something happen at the table and stores it.
  std::vector<Event> Happen() {
    const size_t before = table_.events().size();
    if (before < 3) {
      table_.Sit({before == 1 ? "Ann" : "Ben"});
    } else {
      table_.PlayAny();
    }
    const std::vector<Event> events(table_.events().begin() + static_cast<int>(before),
                                    table_.events().end());
    Store(events);
    return events;
  }
  // Lets a player move with the longest message.
  std::vector<Event> Talk() {
    const AnyState& state = table_->state();
    const size_t move = random_.Below(static_cast<uint32_t>(table_->moves().size()));
    const std::string text = state.MoveToTpgn(table_->moves(), move);
    std::string message;
    for (size_t i = 0; i < kMessageMax; ++i) message += "♞";
    const Decision decision = table_.Do(table_->Move(
        {.seat = state.to_move()}, {.texts = {text}, .message = message}, table_.now_ms()));
    Store(decision.events);
    return decision.events;
  }
  void Tell(const std::vector<Event>& events) {
    feed_.Changed(table_.table(), table_->event_count() - static_cast<int64_t>(events.size()),
                  events);
  }
  std::shared_ptr<TestStream> Follow(int64_t next = 0, Form form = Form::kTexts) {
    auto stream = std::make_shared<TestStream>();
    feed_.Follow("table-1", stream, form, next);
    return stream;
  }
  // The numbers of the events that were sent.
  static std::vector<int64_t> Numbers(const TestStream& stream) {
    std::vector<int64_t> numbers;
    for (const std::string& text : stream.sent) {
      numbers.push_back(ApiJson::parse(text)["n"].get<int64_t>());
    }
    return numbers;
  }

  TestStore store_;
  TestLog log_{store_};
  EventFeed feed_{log_};
  TestTable table_{{.game = "tri-d", .draws = Draws::kClaimed}};
  Random random_{1};
};

TEST_F(EventFeedTest, SendsWhatIsStoredAndWhatComes) {
  Tell(Happen());
  const auto all = Follow();
  const auto later = Follow(2);
  log_.Settle();
  EXPECT_THAT(Numbers(*all), ElementsAre(0, 1));
  EXPECT_THAT(later->sent, IsEmpty());
  Tell(Happen());
  Tell(Happen());
  EXPECT_THAT(Numbers(*all), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Numbers(*later), ElementsAre(2, 3));
  EXPECT_EQ(log_.task_count(), 0u);  // nothing was read again
}

TEST_F(EventFeedTest, WhoWaitsForLaterEventsGetsNoEarlierOnes) {
  const auto stream = Follow(3);
  log_.Settle();
  for (int i = 0; i < 4; ++i) Tell(Happen());
  EXPECT_THAT(Numbers(*stream), ElementsAre(3, 4));
}

TEST_F(EventFeedTest, ReadsABatchOnceForAllWhoFollow) {
  Tell(Happen());
  const auto first = Follow();
  const auto second = Follow();
  log_.Settle();
  std::vector<Event> both = Happen();
  const std::vector<Event> next = Happen();
  both.insert(both.end(), next.begin(), next.end());
  Tell(both);
  EXPECT_EQ(log_.task_count(), 1u);
  log_.Settle();
  EXPECT_THAT(Numbers(*first), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(first->sent, second->sent);
}

TEST_F(EventFeedTest, SendsALongHistoryAsTheClientTakesIt) {
  while (table_.events().size() < 3) Happen();
  for (int i = 0; i < 200; ++i) Talk();
  const auto stream = Follow();
  log_.Settle();
  const size_t first = stream->sent.size();
  EXPECT_LT(first, 203u);
  Tell(Talk());  // is sent in its turn
  EXPECT_THAT(stream->sent, SizeIs(first));
  while (stream->sent.size() < 204) {
    const size_t before = stream->sent.size();
    stream->Drain();
    log_.Settle();
    ASSERT_GT(stream->sent.size(), before);
  }
  std::vector<int64_t> all(204);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(Numbers(*stream), all);
  Tell(Talk());
  EXPECT_THAT(stream->sent, SizeIs(205));
}

TEST_F(EventFeedTest, WritesServerSentEvents) {
  Happen();
  const auto stream = Follow(1, Form::kServerSentEvents);
  log_.Settle();
  ASSERT_THAT(stream->sent, SizeIs(1));
  EXPECT_TRUE(stream->sent[0].starts_with("id: 1\nevent: joined\ndata: {\"n\":1,"));
  EXPECT_TRUE(stream->sent[0].ends_with("}\n\n"));
}

TEST_F(EventFeedTest, ReadsBatchesFromTheStore) {
  const auto stream = Follow();
  log_.Settle();
  std::vector<Event> both = Happen();
  const std::vector<Event> second = Happen();
  both.insert(both.end(), second.begin(), second.end());
  Tell(both);
  log_.Settle();
  EXPECT_THAT(Numbers(*stream), ElementsAre(0, 1, 2));
}

TEST_F(EventFeedTest, SkipsNoEventThatItWasNotToldOf) {
  const auto stream = Follow();
  log_.Settle();
  Happen();
  Tell(Happen());
  log_.Settle();
  EXPECT_THAT(Numbers(*stream), ElementsAre(0, 1, 2));
}

// Another instance stores events; this one's session reads them later than the feed.
TEST_F(EventFeedTest, SendsNoEventTwice) {
  const auto stream = Follow();
  const std::vector<Event> theirs = Happen();
  log_.Settle();
  EXPECT_THAT(Numbers(*stream), ElementsAre(0, 1));
  Tell(theirs);
  log_.Settle();
  EXPECT_THAT(Numbers(*stream), ElementsAre(0, 1));
}

TEST_F(EventFeedTest, ClosesTheStreamsOfTablesThatAreGone) {
  const auto stream = Follow();
  log_.Settle();
  feed_.CloseGone([](const std::string&) { return true; });
  EXPECT_TRUE(stream->is_open());
  feed_.CloseGone([](const std::string&) { return false; });
  EXPECT_FALSE(stream->is_open());
  EXPECT_EQ(feed_.stream_count(), 0u);
}

// A table whose events this instance's session stores, or another one's.
class Interleaving {
 public:
  explicit Interleaving(uint64_t seed) : random_(seed) {
    CHECK(store_.Append({.table = "table-1", .first = 0, .events = {table_.events()[0]}}).ok());
  }

  void Step() {
    switch (random_.Below(6)) {
      case 0:
        return Happen();
      case 1:
        return is_busy_ ? void() : random_.Below(2) == 0 ? Refresh() : HappenHere();
      case 2:
      case 3:
        return log_.task_count() > 0 ? log_.Perform() : void();
      case 4:
        return log_.answer_count() > 0 ? log_.Answer() : void();
      default:
        if (streams_.size() == 4) return;
        streams_.emplace_back(std::make_shared<TestStream>(), random_.Below(6));
        feed_.Follow("table-1", streams_.back().first, EventFeed::Form::kTexts,
                     streams_.back().second);
    }
  }
  void End() {
    log_.Settle();
    Refresh();
    log_.Settle();
  }
  void Check() const {
    for (const auto& [stream, first] : streams_) {
      std::vector<int64_t> numbers;
      for (const std::string& text : stream->sent) {
        numbers.push_back(ApiJson::parse(text)["n"].get<int64_t>());
      }
      std::vector<int64_t> wanted;
      for (int64_t n = first; n < table_->event_count(); ++n) wanted.push_back(n);
      EXPECT_EQ(numbers, wanted);
    }
  }

 private:
  Event Next() {
    const size_t before = table_.events().size();
    if (before < 3) {
      table_.Sit({std::to_string(before)});
    } else {
      table_.PlayAny(before);
    }
    return table_.events().back();
  }
  // Another instance stores an event.
  void Happen() {
    if (is_appending_ || table_->is_over()) return;
    const int64_t first = table_->event_count();
    CHECK(store_.Append({.table = "table-1", .first = first, .events = {Next()}}).ok());
  }
  // This instance reads what others have stored.
  void Refresh() {
    is_busy_ = true;
    log_.Load("table-1", here_->event_count(),
              [this](const absl::StatusOr<std::vector<Event>>& events) {
                is_busy_ = false;
                Perform(*events);
              });
  }
  // This instance stores an event.
  void HappenHere() {
    if (here_->event_count() != table_->event_count() || table_->is_over()) return;
    is_busy_ = is_appending_ = true;
    const int64_t first = here_->event_count();
    const Event event = Next();
    log_.Append({.table = "table-1", .first = first, .events = {event}},
                [this, event](const absl::Status& status) {
                  CHECK(status.ok());
                  is_busy_ = is_appending_ = false;
                  Perform({event});
                });
  }
  void Perform(const std::vector<Event>& events) {
    if (events.empty()) return;
    const int64_t first = here_->event_count();
    for (const Event& event : events) here_.Do({.events = {event}});
    feed_.Changed(here_.table(), first, events);
  }

  Random random_;
  TestStore store_;
  TestLog log_{store_};
  EventFeed feed_{log_};
  TestTable table_{{.game = "tri-d"}};  // with all events
  TestTable here_{table_.events()[0]};  // with those that this instance knows
  bool is_busy_ = false;
  bool is_appending_ = false;
  std::vector<std::pair<std::shared_ptr<TestStream>, int64_t>> streams_;
};

TEST(EventFeed, EveryInterleavingSendsEachEventOnce) {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Interleaving interleaving(seed);
    for (int step = 0; step < 80; ++step) interleaving.Step();
    interleaving.End();
    interleaving.Check();
  }
}

TEST_F(EventFeedTest, AStreamMayCloseWhileItIsSentTo) {
  const auto first = Follow();
  const auto second = Follow();
  const auto third = Follow();
  first->close_at = 1;   // while it gets what is stored
  second->close_at = 2;  // while it gets what comes
  log_.Settle();
  EXPECT_EQ(feed_.stream_count(), 2u);
  Tell(Happen());
  EXPECT_EQ(feed_.stream_count(), 1u);
  Tell(Happen());
  EXPECT_THAT(Numbers(*third), ElementsAre(0, 1, 2));
  third->Close();
  EXPECT_EQ(feed_.stream_count(), 0u);
  Tell(Happen());
}

TEST_F(EventFeedTest, AStreamMayCloseBeforeItsEventsAreRead) {
  const auto stream = Follow();
  log_.Perform();
  stream->Close();
  log_.Answer();
  EXPECT_THAT(stream->sent, IsEmpty());
  EXPECT_EQ(feed_.stream_count(), 0u);
}

TEST_F(EventFeedTest, ClosesAStreamWhoseEventsCannotBeRead) {
  const auto stream = Follow();
  log_.PerformAndAnswer(Fate::kNotDone);
  EXPECT_FALSE(stream->is_open());
  EXPECT_EQ(feed_.stream_count(), 0u);
}

TEST_F(EventFeedTest, CommentsGoToServerSentEvents) {
  const auto texts = Follow();
  const auto sent = Follow(0, Form::kServerSentEvents);
  log_.Settle();
  sent->close_at = 2;
  feed_.SendComments();
  EXPECT_THAT(texts->sent, SizeIs(1));
  EXPECT_EQ(sent->sent.back(), ":\n\n");
  EXPECT_EQ(feed_.stream_count(), 1u);
}

TEST_F(EventFeedTest, AnAnswerMayComeAfterItsEnd) {
  auto stream = std::make_shared<TestStream>();
  int answers = 0;
  {
    EventFeed feed(log_);
    feed.Read("table-1", [&](const absl::StatusOr<TableHistory>&) { ++answers; });
  }
  log_.Settle();
  EXPECT_EQ(answers, 0);
}

TEST_F(EventFeedTest, ReadsHistories) {
  EXPECT_TRUE(absl::IsNotFound(HistoryOf("t", {}).status()));
  EXPECT_TRUE(absl::IsDataLoss(HistoryOf("t", {Event{.kind = Event::Kind::kClosed}}).status()));
  EXPECT_TRUE(absl::IsDataLoss(HistoryOf("t", {table_.events()[0], table_.events()[0]}).status()));
  for (int i = 0; i < 3; ++i) Happen();
  const absl::StatusOr<TableHistory> history = HistoryOf("t", table_.events());
  ASSERT_TRUE(history.ok());
  EXPECT_THAT(history->kinds, ElementsAre("opened", "joined", "joined", "moved"));
  EXPECT_EQ(ApiJson::parse(history->events[3])["ply"], 0);
}

}  // namespace
}  // namespace triarch::arena
