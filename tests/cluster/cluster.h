// Runs clusters of real processes for tests.

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

namespace triarch {

using Arguments = std::vector<std::string>;
Arguments operator+(Arguments a, const Arguments& b);

// Run `triarch ARGUMENTS…` to its end (within a minute), or alongside the test. The latter is
// killed when the test ends, for whatever reason. `starter` is a command that starts other
// commands: Machine::starter().
Ran Triarch(const Arguments& arguments);
std::unique_ptr<StartedProgram> StartTriarch(const Arguments& arguments,
                                             const Arguments& starter = {});

// Returns a port of 127.0.0.1 that is currently free.
int FreePort();
std::string Loopback(int port);

// Returns whether the condition became true in time.
bool WaitUntil(const std::function<bool()>& is_true,
               std::chrono::milliseconds time = std::chrono::seconds(60));

// Response to GET http://HOST:PORT/PATH: status code and body.
struct HttpResponse {
  int status = 0;
  std::string body;
};
HttpResponse HttpGet(int port, const std::string& path, const std::string& host = "127.0.0.1");

// The seed of everything random in a test: TRIARCH_FAULT_SEED, or the time.
uint64_t FaultSeed();

// A tournament that takes a few seconds and has the same games on every machine, with the results
// of an undisturbed `triarch run`.
struct Tournament {
  std::string yaml;
  int64_t games = 0;
};
Tournament SlowTournament();   // 240 games of searching bots, about 2 s on one core
Tournament SmallTournament();  // 24 games
struct Played {
  std::string tpgn;
  std::string standings;  // the JSON without the duration of moves
};
const Played& Undisturbed(const Tournament& tournament);
// Removes from standings in JSON what depends on the machines.
std::string WithoutTimes(const std::string& standings);

// One store in the shared PostgreSQL, coordinators on fixed ports, and workers. The destructor
// kills all processes.
class Cluster {
 public:
  // Who can reach the coordinators. With kToAll, everyone needs a token.
  enum class Open { kToLoopback, kToAll };
  // `serve`: additional flags of coordinators. `client`: additional flags of all their clients.
  explicit Cluster(Arguments serve = {}, Arguments client = {}, Open open = Open::kToLoopback);

  // ---- Coordinators have the numbers 0 and 1.
  void Serve(int number = 0);    // starts or restarts it
  void Lead(int number = 0);     // starts it and waits until it leads
  bool Leads(int number) const;  // whether it leads now
  StartedProgram& coordinator(int number = 0) { return *coordinators_.at(number); }
  std::string address(int number = 0) const { return Loopback(ports_.at(number)); }
  std::string addresses() const { return address(0) + "," + address(1); }
  int port(int number = 0) const { return ports_.at(number); }
  int http_port(int number = 0) const { return http_ports_.at(number); }
  void Kill(int number = 0);

  // ---- Workers.
  // Starts a worker, replacing one of that name. It calls coordinator 0 unless the flags say
  // otherwise.
  StartedProgram& Work(const std::string& name, const Arguments& flags = {},
                       const Arguments& starter = {});
  void KillWorker(const std::string& name) { workers_.erase(name); }

  // ---- Operators.
  // Runs `triarch COMMAND… --coordinator …` to its end.
  Ran Operate(const Arguments& command) const;
  int64_t Submit(const Tournament& tournament);
  absl::StatusOr<v1::Tournament> Get(int64_t id) const;
  int64_t GamesDone(int64_t id) const;  // -1 if no coordinator answers
  bool WaitForGames(int64_t id, int64_t games) const;
  // Waits for the end of the tournament, and expects the results of an undisturbed run.
  void ExpectUndisturbed(int64_t id, const Tournament& tournament) const;

  PostgresServer& postgres() { return postgres_; }  // not restarted if it was killed
  const std::string& database() const { return database_; }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  std::string Logs() const;  // logs of all processes, after killing them

  const TemporaryFolder folder_;
  Arguments serve_;
  Arguments client_;
  std::string listen_host_ = "127.0.0.1";
  std::string token_;  // sent by the stubs, unless empty
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
