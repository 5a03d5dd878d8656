// Keeps requests that wait for something to happen at a table.

#ifndef TRIARCH_ARENA_API_LONG_POLLS_H_
#define TRIARCH_ARENA_API_LONG_POLLS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <string>

#include "arena/api/reply.h"

namespace triarch::arena {

inline constexpr int64_t kWaitMaxMs = 30'000;

class LongPolls {
 public:
  // Answers the request and returns true, or returns false if there is nothing to answer yet. Must
  // answer if `is_last`.
  using Answer = std::function<bool(bool is_last)>;

  // Answers now or, before `until_ms`, when the table has changed. An answer may add others.
  void Wait(const std::string& table, Exchange exchange, int64_t until_ms, int64_t now_ms,
            Answer answer);
  // Tries to answer those that wait for this table.
  void Changed(const std::string& table);
  // Answers those whose time is over, and forgets clients that are gone.
  void Tick(int64_t now_ms);
  // Answers all, and from now on everything at once.
  void End();
  size_t size() const { return size_; }

 private:
  struct Poll {
    Exchange exchange;
    int64_t until_ms = 0;
    Answer answer;
  };
  // Removes those of a table for which `is_done`, and those whose client is gone.
  void Sweep(const std::string& table, const std::function<bool(const Poll&)>& is_done);
  void SweepAll(const std::function<bool(const Poll&)>& is_done);

  std::map<std::string, std::list<Poll>> polls_;  // by table
  size_t size_ = 0;
  bool has_ended_ = false;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_API_LONG_POLLS_H_
