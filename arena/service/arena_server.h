// Runs an arena: connects its session, store, house bots, web page and web server.

#ifndef TRIARCH_ARENA_SERVICE_ARENA_SERVER_H_
#define TRIARCH_ARENA_SERVICE_ARENA_SERVER_H_

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "arena/api/accounts.h"
#include "arena/api/bans.h"
#include "arena/api/operator.h"
#include "arena/api/results.h"
#include "arena/api/v1.h"
#include "arena/api/v2.h"
#include "arena/service/arena_metrics.h"
#include "arena/service/finished_game.h"
#include "arena/service/gate.h"
#include "arena/service/house_crew.h"
#include "arena/service/log_thread.h"
#include "arena/session/session.h"
#include "arena/store/arena_peers.h"
#include "arena/store/arena_store.h"
#include "core/base/log.h"
#include "http/web_server.h"
#include "site/site_api.h"
#include "site/store_reader.h"
#include "site/web_page.h"

namespace triarch::arena {

class ArenaServer {
 public:
  struct Options {
    // Opens the store for reading, in other threads: the results and the tournaments come from
    // there.
    std::function<absl::StatusOr<std::unique_ptr<Store>>()> open_results;
    // Joins the other arenas that share the store; null if this one is alone.
    std::function<absl::StatusOr<std::unique_ptr<ArenaPeers>>(ArenaPeers::News)> join_peers;
    Session::Options session;
    TableSettings table;  // of the tables that /api/v1 opens; its times are also those of /api/v2
    HouseCrew::Options house;
    WebLimits limits;
    // Requests per second that one address may send, except on this machine; 0 for any number.
    double requests_per_second = 40;
    // Whether the header Authorization has an operator's token. Null: there are no operators.
    std::function<bool(std::string_view authorization)> is_operator = nullptr;
  };

  // Takes over the listening socket and restores the tables, except those whose events are damaged.
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
  // Returns the metrics in the Prometheus text format. From any thread.
  std::string MetricsText() const { return metrics_.Text(); }

 private:
  ArenaServer(std::unique_ptr<ArenaStore> store, Options options, LogTo log);
  absl::Status Listen(int listening_socket);

  absl::Status Restore(ArenaStore& store);
  absl::Status JoinPeers();
  // Reads what was appended before this arena heard the others.
  void CatchUp();

  void Handle(std::shared_ptr<WebExchange> exchange);
  void Dispatch(const std::shared_ptr<WebExchange>& exchange);
  void Changed(const Table& table, int64_t first, const std::vector<Event>& events);
  double RatingOf(std::string_view game, std::string_view name) const;
  V2Parts PartsOfV2(StoreAccess access);
  // Records a table that has ended; if that fails, again and again.
  void End(const Table& table) { Record(EndedTableOf(table)); }
  void Record(EndedTable ended);
  void RecordAgain();
  void Tick();
  void SetGauges();
  absl::Status CheckMaySit(const std::string& name);
  void Count(const Reply& reply);
  void ReloadBans();
  void LogStoreError(const absl::Status& why);
  void LogJoin(const WebRequest& request, const std::string& answer);
  void EndWhenIdle(int64_t tries_left);
  // Reads the results again, in a thread of their own, if games have ended since.
  void RenewResults();
  int64_t now_ms() const;
  void Post(std::function<void()> errand) const { web_->Post(std::move(errand)); }

  const Options options_;
  const LogTo log_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  const int64_t began_ms_;  // the wall clock then; a later jump of it does no harm
  // These outlive the requests, which the web server and the session hold.
  ArenaMetrics metrics_;
  Bans bans_;
  std::unique_ptr<Gate> gate_;
  std::unique_ptr<ArenaStore> restored_from_;
  std::unique_ptr<WebServer> web_;
  const site::WebPage page_{site::PageFiles()};
  std::unique_ptr<site::SiteApi> site_;
  std::unique_ptr<site::StoreReader> slow_reader_;
  std::unique_ptr<site::StoreReader> reader_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Accounts> accounts_;
  std::unique_ptr<ApiV1> v1_;
  std::unique_ptr<ApiV2> v2_;
  std::unique_ptr<ApiOperator> operator_;
  std::unique_ptr<LogThread> store_;
  std::unique_ptr<HouseCrew> house_;
  std::unique_ptr<ArenaPeers> peers_;
  int64_t ticks_ = 0;
  bool are_peers_lost_ = false;
  int64_t next_store_error_ms_ = 0;
  std::vector<EndedTable> unrecorded_;
  std::shared_ptr<const Results> results_ = std::make_shared<const Results>();
  bool are_results_old_ = true;
  bool is_reading_results_ = false;
  int64_t results_not_before_ms_ = 0;
  std::jthread result_thread_;
};

}  // namespace triarch::arena

#endif  // TRIARCH_ARENA_SERVICE_ARENA_SERVER_H_
