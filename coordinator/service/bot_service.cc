#include "coordinator/service/bot_service.h"

#include <memory>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/base/status_macros.h"

namespace triarch {
namespace {

constexpr int kAddingMax = 4;

// One AddBot call, counted during its lifetime. Copies share the count.
class AddingRoom {
 public:
  explicit AddingRoom(std::atomic<int>* count)
      : is_there_(count->fetch_add(1) < kAddingMax),
        counted_(count, [](std::atomic<int>* one) { one->fetch_sub(1); }) {}
  bool is_there() const { return is_there_; }

 private:
  bool is_there_;
  std::shared_ptr<std::atomic<int>> counted_;
};

void ToWire(const StoredBundle& bundle, v1::Bot* wire) {
  wire->set_digest(bundle.digest);
  wire->set_name(bundle.name);
  wire->set_version(bundle.version);
  wire->set_type(bundle.type);
  wire->mutable_games()->Add(bundle.games.begin(), bundle.games.end());
  wire->set_bytes(bundle.bytes);
  wire->set_added(bundle.added);
  wire->set_added_by(bundle.added_by);
}

}  // namespace

template <class F>
grpc::ServerUnaryReactor* BotService::Answer(grpc::CallbackServerContext* context,
                                             std::string_view method, Where where, F work,
                                             const DescribeChange& change) {
  CHECK(where != Where::kChange || change);
  const Post post = [this, where](std::function<void()> task) {
    return where == Where::kChange ? coordinator_->PostChange(std::move(task))
                                   : coordinator_->PostView(std::move(task));
  };
  return AnswerCall(context, method, *gate_, {Access::Role::kOperator, Access::Role::kUser},
                    metrics_, post, work, change);
}

grpc::ServerUnaryReactor* BotService::AddBot(grpc::CallbackServerContext* context,
                                             const v1::AddBotRequest* request,
                                             v1::AddBotResponse* response) {
  const AddingRoom room(&adding_);
  // Waiting for room would keep its files in memory.
  return Answer(
      context, "AddBot", room.is_there() ? Where::kChange : Where::kView,
      [this, request, response, room](const Access::Caller& caller) -> absl::Status {
        if (!room.is_there()) {
          return absl::ResourceExhaustedError("too many bots are being added; try again soon");
        }
        bool is_new = false;
        ASSIGN_OR_RETURN(const StoredBundle bundle,
                         coordinator_->bundles().Add(request->tar(), caller, &is_new));
        ToWire(bundle, response->mutable_bot());
        response->set_is_new(is_new);
        return absl::OkStatus();
      },
      [response] {
        return Change{"bots add",
                      {{"bot", response->bot().name()}, {"version", response->bot().version()}}};
      });
}

grpc::ServerUnaryReactor* BotService::ListBots(grpc::CallbackServerContext* context,
                                               const v1::ListBotsRequest*,
                                               v1::ListBotsResponse* response) {
  return Answer(context, "ListBots", Where::kView, [this, response](const Access::Caller&) {
    for (const StoredBundle& bundle : *coordinator_->bundles().All()) {
      ToWire(bundle, response->add_bots());
    }
    return absl::OkStatus();
  });
}

grpc::ServerUnaryReactor* BotService::GetBot(grpc::CallbackServerContext* context,
                                             const v1::GetBotRequest* request,
                                             v1::GetBotResponse* response) {
  return Answer(context, "GetBot", Where::kView,
                [this, request, response](const Access::Caller&) -> absl::Status {
                  ASSIGN_OR_RETURN(const StoredBundle bundle,
                                   FindBundle(*coordinator_->bundles().All(), request->name()));
                  ToWire(bundle, response->mutable_bot());
                  response->set_manifest(bundle.manifest);
                  for (const int64_t id : coordinator_->TournamentsWith(bundle.digest)) {
                    response->add_tournaments(id);
                  }
                  return absl::OkStatus();
                });
}

grpc::ServerUnaryReactor* BotService::RemoveBot(grpc::CallbackServerContext* context,
                                                const v1::RemoveBotRequest* request,
                                                v1::RemoveBotResponse* response) {
  return Answer(
      context, "RemoveBot", Where::kChange,
      [this, request, response](const Access::Caller& caller) -> absl::Status {
        ASSIGN_OR_RETURN(const StoredBundle bundle,
                         coordinator_->bundles().Remove(request->name(), caller));
        ToWire(bundle, response->mutable_bot());
        return absl::OkStatus();
      },
      [request] {
        return Change{"bots remove", {{"bot", request->name()}}};
      });
}

}  // namespace triarch
