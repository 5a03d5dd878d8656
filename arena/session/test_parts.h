// A simulated event log and simulated house bots, for tests of a session.

#ifndef TRIARCH_ARENA_SESSION_TEST_PARTS_H_
#define TRIARCH_ARENA_SESSION_TEST_PARTS_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "arena/session/session.h"
#include "core/base/check.h"
#include "core/base/random.h"

namespace triarch::arena {

// What is stored: the events of each table, as JSON. Several logs may share it.
class TestStore {
 public:
  absl::Status Append(const Appended& appended) {
    std::vector<std::string>& events = tables_[appended.table];
    const auto first = static_cast<size_t>(appended.first);
    if (first < events.size()) return absl::AlreadyExistsError("the table has gone on");
    CHECK(first == events.size());
    for (const Event& event : appended.events) events.push_back(EventToJson(event));
    return absl::OkStatus();
  }
  std::vector<Event> Events(const std::string& table, int64_t first = 0) const {
    std::vector<Event> events;
    const auto found = tables_.find(table);
    if (found == tables_.end()) return events;
    for (auto n = static_cast<size_t>(first); n < found->second.size(); ++n) {
      events.push_back(*EventFromJson(found->second[n]));
    }
    return events;
  }
  // Makes a table from its events.
  Table Rebuilt(const std::string& id) const {
    const std::vector<Event> events = Events(id);
    Table table = *Table::Open(id, events.at(0));
    for (size_t i = 1; i < events.size(); ++i) CHECK(table.Apply(events[i]).ok());
    return table;
  }
  // By id: the events as JSON.
  const std::map<std::string, std::vector<std::string>>& tables() const { return tables_; }

 private:
  std::map<std::string, std::vector<std::string>> tables_;
};

// Performs what was asked for in order, but only when told to, and delivers answers only when told
// to.
class TestLog final : public EventLog {
 public:
  // What becomes of a task: the two losses are answered with an error.
  enum class Fate : uint8_t { kDone, kLostAnswer, kNotDone };

  explicit TestLog(TestStore& store) : store_(store) {}

  void Append(Appended appended, std::function<void(absl::Status)> done) override {
    tasks_.push_back([this, appended = std::move(appended), done = std::move(done)](Fate fate) {
      absl::Status status = fate == Fate::kNotDone ? absl::OkStatus() : store_.Append(appended);
      if (fate != Fate::kDone) status = absl::UnavailableError("the answer is lost");
      answers_.push_back([done, status] { done(status); });
    });
  }
  void Load(const std::string& table, int64_t first,
            std::function<void(absl::StatusOr<std::vector<Event>>)> done) override {
    tasks_.push_back([this, table, first, done = std::move(done)](Fate fate) {
      absl::StatusOr<std::vector<Event>> events = absl::UnavailableError("nothing was read");
      if (fate == Fate::kDone) events = store_.Events(table, first);
      answers_.push_back([done, events] { done(events); });
    });
  }

  size_t task_count() const { return tasks_.size(); }
  size_t answer_count() const { return answers_.size(); }
  // Performs the first task.
  void Perform(Fate fate = Fate::kDone) {
    CHECK(!tasks_.empty());
    const auto task = std::move(tasks_.front());
    tasks_.pop_front();
    task(fate);
  }
  // Delivers the first answer.
  void Answer() {
    CHECK(!answers_.empty());
    const auto answer = std::move(answers_.front());
    answers_.pop_front();
    answer();
  }
  void PerformAndAnswer(Fate fate = Fate::kDone) {
    Perform(fate);
    Answer();
  }
  // Performs and delivers everything, also what the answers ask for.
  void Settle() {
    while (task_count() + answer_count() > 0) {
      if (task_count() > 0) Perform();
      if (answer_count() > 0) Answer();
    }
  }

 private:
  TestStore& store_;
  std::deque<std::function<void(Fate)>> tasks_;
  std::deque<std::function<void()>> answers_;
};

class TestBots final : public HouseBots {
 public:
  struct Turn {
    std::string table;
    Seat seat = Seat::kFirst;
    size_t moves = 0;  // how many are legal
    std::function<void(std::optional<size_t>)> done;
  };

  void Choose(const Table& table, Seat seat,
              std::function<void(std::optional<size_t>)> done) override {
    turns_.push_back({table.id(), seat, table.moves().size(), std::move(done)});
  }
  size_t turn_count() const { return turns_.size(); }
  const Turn& turn(size_t number = 0) const { return turns_.at(number); }
  // Answers one of those that wait.
  void Play(std::optional<size_t> move, size_t number = 0) {
    const Turn turn = std::move(turns_.at(number));
    turns_.erase(turns_.begin() + static_cast<std::ptrdiff_t>(number));
    turn.done(move);
  }

 private:
  std::vector<Turn> turns_;
};

// Returns 16 bytes.
inline std::string TestBytes(Random& random) {
  std::string bytes;
  for (int i = 0; i < 2; ++i) {
    uint64_t word = random.Next();
    for (int byte = 0; byte < 8; ++byte, word >>= 8) bytes += static_cast<char>(word & 0xff);
  }
  return bytes;
}

// Lets the holder of a token decide something.
template <class Decide>
Session::Decide As(std::string token, Decide decide) {
  return [token = std::move(token), decide](const Table& table, int64_t now_ms) {
    const std::optional<Table::Holder> holder = HolderOf(table, token);
    if (!holder) return Decision{.refusal = Refusal{Refused::kInvalid, "an unknown token"}};
    return decide(table, *holder, now_ms);
  };
}

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_SESSION_TEST_PARTS_H_
