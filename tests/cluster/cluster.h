#ifndef TRIARCH_TESTS_CLUSTER_CLUSTER_H_
#define TRIARCH_TESTS_CLUSTER_CLUSTER_H_

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/temporary_folder.h"
#include "tests/e2e/binary_runner.h"
#include "tests/fault/started_program.h"
#include "tests/postgres_server.h"
#include "triarch/v1/tournament.grpc.pb.h"
#include "triarch/v1/worker.grpc.pb.h"

// Clusters of real processes for tests.
namespace triarch {

using Arguments = std::vector<std::string>;
Arguments operator+(Arguments a, const Arguments& b);

// `triarch ARGUMENTS…` to its end (within a minute), or beside the test; there it dies with the
// test, however that ends. `starter` is a command that runs another one: Machine::starter().
Ran Triarch(const Arguments& arguments);
std::unique_ptr<StartedProgram> StartTriarch(const Arguments& arguments,
                                             const Arguments& starter = {});

// A port of 127.0.0.1 that is free now.
int FreePort();
std::string Loopback(int port);

// Whether it became true in time.
bool WaitUntil(const std::function<bool()>& is_true,
               std::chrono::milliseconds time = std::chrono::seconds(60));

// The answer to GET http://HOST:PORT/PATH: the status's number and the body.
struct HttpResponse {
  int status = 0;
  std::string body;
};
HttpResponse HttpGet(int port, const std::string& path, const std::string& host = "127.0.0.1");

// The seed of all that a test does at random: TRIARCH_FAULT_SEED, or the time.
uint64_t FaultSeed();

// A tournament of some seconds whose games are the same wherever they are played, and what is left
// of it when `triarch run` plays it and nothing goes wrong.
struct Tournament {
  std::string yaml;
  int64_t games = 0;
};
Tournament SlowTournament();   // 240 games of bots that think, some 2 s on one core
Tournament SmallTournament();  // 24 games
struct Played {
  std::string tpgn;
  std::string standings;  // the JSON, without the times that moves took
};
const Played& Undisturbed(const Tournament& tournament);
// Of the JSON of standings what does not depend on the machine that played.
std::string WithoutTimes(const std::string& standings);

// One store in the shared PostgreSQL, coordinators on fixed ports, workers. All are killed at its
// end.
class Cluster {
 public:
  // Who can call the coordinators. All who can reach them show a token.
  enum class Open { kToLoopback, kToAll };
  // `serve`: further flags of coordinators. `client`: of all who call them.
  explicit Cluster(Arguments serve = {}, Arguments client = {}, Open open = Open::kToLoopback);

  // ---- Coordinators are 0 and 1.
  void Serve(int number = 0);    // start, or start again
  void Lead(int number = 0);     // and wait until it serves
  bool Leads(int number) const;  // now
  StartedProgram& coordinator(int number = 0) { return *coordinators_.at(number); }
  std::string address(int number = 0) const { return Loopback(ports_.at(number)); }
  std::string addresses() const { return address(0) + "," + address(1); }
  int port(int number = 0) const { return ports_.at(number); }
  int http_port(int number = 0) const { return http_ports_.at(number); }
  void Kill(int number = 0);

  // ---- Workers.
  // Starts one of that name, or in its place; it calls coordinator 0 unless the flags say else.
  StartedProgram& Work(const std::string& name, const Arguments& flags = {},
                       const Arguments& starter = {});
  void KillWorker(const std::string& name) { workers_.erase(name); }

  // ---- Operators.
  // `triarch COMMAND… --coordinator …` to its end.
  Ran Operate(const Arguments& command) const;
  int64_t Submit(const Tournament& tournament);
  absl::StatusOr<v1::Tournament> Get(int64_t id) const;
  int64_t GamesDone(int64_t id) const;  // -1 if nobody answers
  bool WaitForGames(int64_t id, int64_t games) const;
  // Waits for its end; then each game is there once, and all is as if nothing had happened.
  void ExpectUndisturbed(int64_t id, const Tournament& tournament) const;

  PostgresServer& postgres() { return postgres_; }  // not started again if it was killed
  const std::string& database() const { return database_; }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  std::string Logs() const;  // of all processes, which end

  const TemporaryFolder folder_;
  Arguments serve_;
  Arguments client_;
  std::string listen_host_ = "127.0.0.1";
  std::string token_;  // that the stubs show; empty: none
  PostgresServer& postgres_;
  const std::string database_;
  const std::vector<int> ports_;
  const std::vector<int> http_ports_;
  std::vector<std::unique_ptr<v1::TournamentService::Stub>> stubs_;
  std::map<int, std::unique_ptr<StartedProgram>> coordinators_;
  std::map<std::string, std::unique_ptr<StartedProgram>> workers_;
};

}  // namespace triarch

#endif  // TRIARCH_TESTS_CLUSTER_CLUSTER_H_
