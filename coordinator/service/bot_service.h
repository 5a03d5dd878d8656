// Answers the gRPC calls about bundles of user-supplied bots.

#ifndef TRIARCH_COORDINATOR_SERVICE_BOT_SERVICE_H_
#define TRIARCH_COORDINATOR_SERVICE_BOT_SERVICE_H_

#include <atomic>
#include <string_view>

#include "coordinator/service/coordinator.h"
#include "coordinator/service/reactors.h"
#include "triarch/v1/bot.grpc.pb.h"

namespace triarch {

// Serves operators and users. Converts requests, asks the coordinator, and converts its answers
// back.
class BotService : public v1::BotService::CallbackService {
 public:
  // All arguments must outlive the service.
  BotService(Coordinator* coordinator, Gate* gate, CoordinatorMetrics* metrics)
      : coordinator_(coordinator), gate_(gate), metrics_(metrics) {}

  grpc::ServerUnaryReactor* AddBot(grpc::CallbackServerContext* context,
                                   const v1::AddBotRequest* request,
                                   v1::AddBotResponse* response) override;
  grpc::ServerUnaryReactor* ListBots(grpc::CallbackServerContext* context,
                                     const v1::ListBotsRequest* request,
                                     v1::ListBotsResponse* response) override;
  grpc::ServerUnaryReactor* GetBot(grpc::CallbackServerContext* context,
                                   const v1::GetBotRequest* request,
                                   v1::GetBotResponse* response) override;
  grpc::ServerUnaryReactor* RemoveBot(grpc::CallbackServerContext* context,
                                      const v1::RemoveBotRequest* request,
                                      v1::RemoveBotResponse* response) override;

 private:
  // Which thread does the work: one for views, or one that may wait for the store and makes changes
  // one after the other.
  enum class Where : uint8_t { kView, kChange };
  // Answers with `work(caller)` if the caller has permission. A method that changes something needs
  // `change`, for the log.
  template <class F>
  grpc::ServerUnaryReactor* Answer(grpc::CallbackServerContext* context, std::string_view method,
                                   Where where, F work, const DescribeChange& change = nullptr);

  Coordinator* const coordinator_;
  Gate* const gate_;
  CoordinatorMetrics* const metrics_;
  std::atomic<int> adding_ = 0;  // AddBot calls in progress, each holding its files in memory
};

}  // namespace triarch

#endif  // TRIARCH_COORDINATOR_SERVICE_BOT_SERVICE_H_
