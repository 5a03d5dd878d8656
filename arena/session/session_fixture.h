// The fixture of a session's tests.

#ifndef TRIARCH_ARENA_SESSION_SESSION_FIXTURE_H_
#define TRIARCH_ARENA_SESSION_SESSION_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arena/session/session.h"
#include "arena/session/test_parts.h"
#include "arena/table/test_table.h"
#include "core/base/check.h"
#include "core/base/random.h"

namespace triarch::arena {

inline TableSettings ForTwo() { return {.game = "tri-d"}; }
inline TableSettings ForThree() { return {.game = "triumvirate"}; }

inline JoinAsk AskFor(TableSettings settings) {
  return {.occupant = {.name = "Ann"}, .settings = std::move(settings)};
}
inline JoinAsk AskAt(std::string table) {
  return {.occupant = {.name = "Ann"}, .table = std::move(table)};
}

// The replies to one request.
using Replies = std::shared_ptr<std::vector<Reply>>;

class SessionTest : public testing::Test {
 protected:
  SessionTest() { Restart(); }

  void Restart() {
    session_ = nullptr;
    log_ = std::make_unique<TestLog>(store_);
    bots_ = std::make_unique<TestBots>();
    session_ = Made(*log_, *bots_);
    for (const auto& [id, json] : store_.tables()) {
      EXPECT_TRUE(session_->Restore(id, store_.Events(id)).ok());
    }
  }

  std::unique_ptr<Session> Made(TestLog& log, TestBots& bots) {
    return std::make_unique<Session>(
        options_,
        Session::Parts{
            .log = &log,
            .house_bots = &bots,
            .now_ms = [this] { return now_ms_; },
            .random = [this] { return TestBytes(random_); },
            .rating = [](std::string_view, std::string_view) { return 0.0; },
            .changed =
                [this](const Table& table, int64_t first, const std::vector<Event>& events) {
                  EXPECT_EQ(first + static_cast<int64_t>(events.size()), table.event_count());
                  changes_ += events.size();
                  if (on_change_) on_change_(table);
                },
            .taken = [this](const Table& table) { taken_.push_back(table.id()); }});
  }

  ReplyTo Into(const Replies& replies) {
    return [replies](const Reply& reply) { replies->push_back(reply); };
  }
  Replies Join(JoinAsk ask) {
    auto replies = std::make_shared<std::vector<Reply>>();
    session_->Join(std::move(ask), Into(replies));
    return replies;
  }
  // Seats a player and returns the token.
  std::string Seated(const TableSettings& settings) {
    const Replies replies = Join(AskFor(settings));
    log_->Settle();
    EXPECT_THAT(*replies, testing::SizeIs(1));
    EXPECT_TRUE(replies->at(0).ok()) << replies->at(0).error;
    return replies->at(0).token;
  }
  const Table& TableOf(const std::string& token) {
    const Table* const table = session_->FindToken(token).table;
    CHECK(table != nullptr);
    return *table;
  }
  template <class Decide>
  Replies Ask(const std::string& token, Decide decide) {
    auto replies = std::make_shared<std::vector<Reply>>();
    session_->Request(TableOf(token).id(), As(token, decide), Into(replies));
    return replies;
  }
  Replies Resign(const std::string& token) {
    return Ask(token, [](const Table& table, const Table::Holder& holder, int64_t now_ms) {
      return table.Resign(holder, now_ms);
    });
  }
  Replies MoveAny(const std::string& token) {
    return Ask(token, [](const Table& table, const Table::Holder& holder, int64_t now_ms) {
      const AnyState::Moves moves = table.moves();
      if (moves.size() == 0) return table.Move(holder, {}, now_ms);
      return table.Move(holder, {.texts = {table.state().MoveToTpgn(moves, 0)}}, now_ms);
    });
  }

  Session::Options options_ = {.tables_max = 3, .kept_ms = 1'000};
  int64_t now_ms_ = kTestTime;
  Random random_{1};
  TestStore store_;
  size_t changes_ = 0;
  std::vector<std::string> taken_;  // tables that a session has begun to run
  std::function<void(const Table&)> on_change_;
  std::unique_ptr<TestLog> log_;
  std::unique_ptr<TestBots> bots_;
  std::unique_ptr<Session> session_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_SESSION_SESSION_FIXTURE_H_
