// Defines a worker that reports games that were not played as it says.

#ifndef TRIARCH_TESTS_CLUSTER_FORGER_H_
#define TRIARCH_TESTS_CLUSTER_FORGER_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "core/record/game_record.h"
#include "core/record/game_spec.h"
#include "triarch/v1/worker.grpc.pb.h"

namespace triarch {

// Leases games until it is refused, and forges all of them, audits too. Plays on a thread.
class Forger {
 public:
  enum class Forgery : uint8_t {
    kForfeits,  // a bot forfeits that did not
    kNodes,     // true games with false numbers of nodes
    kGames,     // legal games that nobody played
  };
  struct Options {
    std::string address;
    std::string token;
    std::string name;
    std::string digest;                          // of the bots that it claims to have
    const std::map<int64_t, GameRecord>* truth;  // by index; for kNodes
  };

  Forger(Forgery forgery, Options options);

  int64_t reported() const { return reported_; }  // games that the coordinator took
  bool is_refused() const { return is_refused_; }

 private:
  void Run(const std::stop_token& stop);
  bool Register();
  // Return false if the coordinator refused the call.
  bool LeaseAndReport();
  bool Report(const v1::LeaseGrant& lease);
  GameRecord Forge(int64_t index) const;
  template <class Request, class Response>
  bool Call(grpc::Status (v1::WorkerService::Stub::*method)(grpc::ClientContext*, const Request&,
                                                            Response*),
            const Request& request, Response* response);

  const Forgery forgery_;
  const Options options_;
  v1::WorkerId id_;
  std::unique_ptr<v1::WorkerService::Stub> stub_;
  std::string spec_json_;
  std::atomic<int64_t> reported_ = 0;
  std::atomic<bool> is_refused_ = false;
  std::jthread thread_;
};

}  // namespace triarch

#endif  // TRIARCH_TESTS_CLUSTER_FORGER_H_
