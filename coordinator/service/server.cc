#include "coordinator/service/server.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <utility>

#include "coordinator/service/bot_service.h"
#include "coordinator/service/tournament_service.h"
#include "coordinator/service/worker_service.h"
#include "proto/convert.h"
#include "proto/grpc_status.h"

namespace triarch {
namespace {

constexpr std::chrono::seconds kShutdownPatience{2};

std::shared_ptr<grpc::ServerCredentials> Credentials(const std::optional<ServerTls>& tls) {
  if (!tls) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions options(
      tls->client_ca.empty() ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                             : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = tls->client_ca;
  options.pem_key_cert_pairs.push_back({tls->key, tls->cert});
  return grpc::SslServerCredentials(options);
}

}  // namespace

struct Server::Parts {
  Parts(Access own_access, Coordinator* coordinator, CoordinatorMetrics* metrics)
      : gate(std::move(own_access)),
        workers(coordinator, &gate, metrics),
        tournaments(coordinator, &gate, metrics),
        bots(coordinator, &gate, metrics) {}

  Gate gate;
  WorkerService workers;
  TournamentService tournaments;
  BotService bots;
  int port = 0;
  std::unique_ptr<grpc::Server> server;
};

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

absl::StatusOr<std::unique_ptr<Server>> Server::Start(Options options, Coordinator* coordinator,
                                                      CoordinatorMetrics* metrics) {
  wire::SilenceLibraries();
  auto parts = std::make_unique<Parts>(std::move(options.access), coordinator, metrics);
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(wire::kMessageBytesMax);
  builder.SetMaxSendMessageSize(wire::kMessageBytesMax);
  // Allows the pings of clients that return after a network failure, and detects dead connections.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 5'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.RegisterService(&parts->workers);
  builder.RegisterService(&parts->tournaments);
  builder.RegisterService(&parts->bots);
  if (!options.address.empty()) {
    builder.AddListeningPort(options.address, Credentials(options.tls), &parts->port);
  }
  parts->server = builder.BuildAndStart();
  if (!parts->server || (!options.address.empty() && parts->port == 0)) {
    return absl::UnavailableError(
        "cannot listen on " + options.address +
        ": it is in use, or not an address of this machine" +
        (options.tls ? ", or the certificate and the key do not match" : ""));
  }
  return std::unique_ptr<Server>(new Server(std::move(parts)));
}

Server::~Server() {
  parts_->server->Shutdown(std::chrono::system_clock::now() + kShutdownPatience);
  parts_->server->Wait();
}

void Server::SetAccess(Access access) { parts_->gate.SetAccess(std::move(access)); }

int Server::port() const { return parts_->port; }

std::shared_ptr<grpc::Channel> Server::InProcessChannel() {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(wire::kMessageBytesMax);
  arguments.SetMaxSendMessageSize(wire::kMessageBytesMax);
  return parts_->server->InProcessChannel(arguments);
}

}  // namespace triarch
