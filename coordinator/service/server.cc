#include "coordinator/service/server.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <utility>

#include "coordinator/service/bot_service.h"
#include "coordinator/service/listener.h"
#include "coordinator/service/port_probe.h"
#include "coordinator/service/tournament_service.h"
#include "coordinator/service/worker_service.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "proto/convert.h"
#include "proto/grpc_status.h"

namespace triarch {
namespace {

using Acceptor = grpc::experimental::ExternalConnectionAcceptor;

constexpr std::chrono::seconds kShutdownPatience{2};
constexpr size_t kQuotaBytes = 128 << 20;  // more than the largest message needs
constexpr int kStreamsMax = 100;           // calls in progress on one connection

std::shared_ptr<grpc::ServerCredentials> Credentials(const std::optional<ServerTls>& tls) {
  if (!tls) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions options(
      tls->client_ca.empty() ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                             : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = tls->client_ca;
  options.pem_key_cert_pairs.push_back({tls->key, tls->cert});
  return grpc::SslServerCredentials(options);
}

// Limits what a peer can make gRPC hold in memory. Only a front end limits the rest
// (docs/security.md).
void SetLimits(grpc::ServerBuilder& builder) {
  builder.SetMaxReceiveMessageSize(wire::kMessageBytesMax);
  builder.SetMaxSendMessageSize(wire::kMessageBytesMax);
  // No client compresses, and a compressed message is inflated before its size is checked.
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_DEFLATE, false);
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_GZIP, false);
  grpc::ResourceQuota quota("coordinator");
  builder.SetResourceQuota(quota.Resize(kQuotaBytes));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kStreamsMax);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, 10'000);
  // Allows the pings of clients that return after a network failure, and detects dead connections.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 5'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
}

}  // namespace

struct Server::Parts {
  Parts(Access own_access, Coordinator* coordinator, CoordinatorMetrics* metrics)
      : gate(std::move(own_access), coordinator->log()),
        workers(coordinator, &gate, metrics),
        tournaments(coordinator, &gate, metrics),
        bots(coordinator, &gate, metrics) {}

  Gate gate;
  WorkerService workers;
  TournamentService tournaments;
  BotService bots;
  std::unique_ptr<Acceptor> acceptor;
  std::unique_ptr<grpc::Server> server;
  // Without an address, these are null.
  std::unique_ptr<Listener> listener;
  std::unique_ptr<PortProbe> probe;
};

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

absl::StatusOr<std::unique_ptr<Server>> Server::Start(Options options, Coordinator* coordinator,
                                                      CoordinatorMetrics* metrics) {
  wire::SilenceLibraries();
  auto parts = std::make_unique<Parts>(std::move(options.access), coordinator, metrics);
  grpc::ServerBuilder builder;
  SetLimits(builder);
  builder.RegisterService(&parts->workers);
  builder.RegisterService(&parts->tournaments);
  builder.RegisterService(&parts->bots);
  if (!options.address.empty()) {
    ASSIGN_OR_RETURN(parts->listener, Listener::Open(options.address));
    using Type = grpc::ServerBuilder::experimental_type::ExternalConnectionType;
    parts->acceptor = builder.experimental().AddExternalConnectionAcceptor(
        Type::FROM_FD, Credentials(options.tls));
  }
  parts->server = builder.BuildAndStart();
  CHECK(parts->server);
  if (parts->listener) {
    parts->listener->Start(
        [acceptor = parts->acceptor.get()](int descriptor) {
          Acceptor::NewConnectionParameters connection;
          connection.fd = descriptor;
          acceptor->HandleNewConnection(&connection);
        },
        coordinator->log());
    parts->probe = std::make_unique<PortProbe>(parts->listener->address(), PortProbe::Times());
  }
  return std::unique_ptr<Server>(new Server(std::move(parts)));
}

Server::~Server() {
  parts_->probe.reset();
  parts_->listener.reset();
  parts_->server->Shutdown(std::chrono::system_clock::now() + kShutdownPatience);
  parts_->server->Wait();
}

void Server::SetAccess(Access access) { parts_->gate.SetAccess(std::move(access)); }

int Server::port() const { return parts_->listener ? parts_->listener->port() : 0; }

int Server::failed_probes() const { return parts_->probe ? parts_->probe->failures() : 0; }

std::shared_ptr<grpc::Channel> Server::InProcessChannel() {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(wire::kMessageBytesMax);
  arguments.SetMaxSendMessageSize(wire::kMessageBytesMax);
  return parts_->server->InProcessChannel(arguments);
}

}  // namespace triarch
