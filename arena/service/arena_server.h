// Runs an arena: connects its session, store, house bots and web server.

#ifndef TRIARCH_ARENA_SERVICE_ARENA_SERVER_H_
#define TRIARCH_ARENA_SERVICE_ARENA_SERVER_H_

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "arena/api/v1.h"
#include "arena/service/house_crew.h"
#include "arena/service/log_thread.h"
#include "arena/service/result_pages.h"
#include "arena/session/session.h"
#include "arena/store/arena_store.h"
#include "core/base/log.h"
#include "http/web_server.h"

namespace triarch::arena {

class ArenaServer {
 public:
  struct Options {
    std::string db;  // from which pages about results are read
    Session::Options session;
    TableSettings table;  // of the tables that /api/v1 opens
    HouseCrew::Options house;
    WebLimits limits;
  };

  // Takes over the listening socket and restores the tables. DataLoss: the store is damaged.
  static absl::StatusOr<std::unique_ptr<ArenaServer>> Make(int listening_socket,
                                                           std::unique_ptr<ArenaStore> store,
                                                           Options options, LogTo log);
  ~ArenaServer();
  ArenaServer(const ArenaServer&) = delete;
  ArenaServer& operator=(const ArenaServer&) = delete;

  // Serves until Stop.
  void Run();
  // Stops accepting, answers what is under way, and ends Run. From any thread.
  void Stop();

 private:
  ArenaServer(std::unique_ptr<ArenaStore> store, Options options, LogTo log);
  absl::Status Listen(int listening_socket);

  void Handle(std::shared_ptr<WebExchange> exchange);
  void Changed(const Table& table, const std::vector<Event>& events);
  void End(const Table& table);
  void Tick();
  void EndWhenIdle(int64_t tries_left);
  // Reads the pages about results again, in a thread of their own, if games have ended since.
  void RenewPages();
  int64_t now_ms() const;
  void Post(std::function<void()> errand) const { web_->Post(std::move(errand)); }

  const Options options_;
  const LogTo log_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  const int64_t began_ms_;  // the wall clock then; a later jump of it does no harm
  std::unique_ptr<ArenaStore> restored_from_;
  std::unique_ptr<WebServer> web_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<ApiV1> v1_;
  std::unique_ptr<LogThread> store_;
  std::unique_ptr<HouseCrew> house_;
  int64_t ticks_ = 0;
  ResultPages pages_;
  bool are_pages_old_ = true;
  bool is_reading_pages_ = false;
  std::jthread page_thread_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_SERVICE_ARENA_SERVER_H_
