#include "cli/cluster/coordinator_link.h"

#include <grpcpp/grpcpp.h>

#include <optional>
#include <string_view>
#include <utility>

#include "cli/files.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "proto/convert.h"
#include "proto/grpc_status.h"

namespace triarch {
namespace {

absl::StatusOr<std::shared_ptr<grpc::ChannelCredentials>> Credentials(
    const CoordinatorOptions& options) {
  if (options.tls_ca.empty() && options.tls_cert.empty() && options.tls_key.empty()) {
    return grpc::InsecureChannelCredentials();
  }
  if (options.tls_cert.empty() != options.tls_key.empty()) {
    return absl::InvalidArgumentError("--tls-cert and --tls-key must be given together");
  }
  grpc::SslCredentialsOptions ssl;
  ASSIGN_OR_RETURN(ssl.pem_root_certs, ReadOptionFile("--tls-ca", options.tls_ca));
  ASSIGN_OR_RETURN(ssl.pem_cert_chain, ReadOptionFile("--tls-cert", options.tls_cert));
  ASSIGN_OR_RETURN(ssl.pem_private_key, ReadOptionFile("--tls-key", options.tls_key));
  return grpc::SslCredentials(ssl);
}

std::string RoleName(Access::Role role) {
  switch (role) {
    case Access::Role::kWorker:
      return "a worker";
    case Access::Role::kOperator:
      return "an operator";
    case Access::Role::kUser:
      return "a user";
  }
  return "";
}

absl::StatusOr<std::string> ReadToken(const std::string& path,
                                      std::initializer_list<Access::Role> roles) {
  if (path.empty()) return std::string();
  ASSIGN_OR_RETURN(const std::string text, ReadOptionFile("--token-file", path));
  const absl::StatusOr<Access> access = Access::Parse(text);
  if (!access.ok()) return ForOption("--token-file: " + path, access.status());
  std::string names;
  for (const Access::Role role : roles) {
    if (const std::optional<std::string> token = access->TokenOf(role)) return *token;
    names += (names.empty() ? "" : " or ") + RoleName(role);
  }
  return absl::InvalidArgumentError("--token-file: " + path + " holds no token of " + names);
}

}  // namespace

absl::StatusOr<CoordinatorLink> MakeLink(const CoordinatorOptions& options,
                                         std::initializer_list<Access::Role> roles) {
  wire::SilenceLibraries();
  CoordinatorLink link;
  ASSIGN_OR_RETURN(link.token, ReadToken(options.token_file, roles));
  ASSIGN_OR_RETURN(const std::shared_ptr<grpc::ChannelCredentials> credentials,
                   Credentials(options));
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(wire::kMessageBytesMax);
  arguments.SetMaxSendMessageSize(wire::kMessageBytesMax);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 1'000);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 2'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 20'000);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 10'000);
  for (const std::string_view part : Split(options.addresses, ',')) {
    link.addresses.emplace_back(Trim(part));
    link.channels.push_back(
        grpc::CreateCustomChannel(link.addresses.back(), credentials, arguments));
  }
  return link;
}

}  // namespace triarch
