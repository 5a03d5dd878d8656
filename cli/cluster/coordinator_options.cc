#include "cli/cluster/coordinator_options.h"

#include <grpcpp/grpcpp.h>

#include <optional>
#include <utility>

#include "cli/files.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "proto/convert.h"
#include "proto/grpc_status.h"

namespace triarch {
namespace {

absl::Status About(const std::string& flag, const absl::Status& error) {
  return absl::InvalidArgumentError(flag + ": " + std::string(error.message()));
}

absl::StatusOr<std::string> ReadPem(const std::string& flag, const std::string& path) {
  if (path.empty()) return std::string();
  const absl::StatusOr<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return About(flag, file.status());
  return std::string(file->text());
}

absl::StatusOr<std::shared_ptr<grpc::ChannelCredentials>> Credentials(
    const CoordinatorOptions& options) {
  if (options.tls_ca.empty() && options.tls_cert.empty() && options.tls_key.empty()) {
    return grpc::InsecureChannelCredentials();
  }
  if (options.tls_cert.empty() != options.tls_key.empty()) {
    return absl::InvalidArgumentError("--tls-cert and --tls-key go together");
  }
  grpc::SslCredentialsOptions ssl;
  ASSIGN_OR_RETURN(ssl.pem_root_certs, ReadPem("--tls-ca", options.tls_ca));
  ASSIGN_OR_RETURN(ssl.pem_cert_chain, ReadPem("--tls-cert", options.tls_cert));
  ASSIGN_OR_RETURN(ssl.pem_private_key, ReadPem("--tls-key", options.tls_key));
  return grpc::SslCredentials(ssl);
}

std::string Bearer(Access::Role role) {
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
  const absl::StatusOr<InputFile> file = InputFile::Open(path);
  if (!file.ok()) return About("--token-file", file.status());
  const absl::StatusOr<Access> access = Access::Parse(file->text());
  if (!access.ok()) return About("--token-file: " + path, access.status());
  std::string bearers;
  for (const Access::Role role : roles) {
    if (const std::optional<std::string> token = access->TokenOf(role)) return *token;
    bearers += (bearers.empty() ? "" : " or ") + Bearer(role);
  }
  return absl::InvalidArgumentError("--token-file: " + path + " holds no token of " + bearers);
}

}  // namespace

void AddCoordinatorOptions(CLI::App* command, CoordinatorOptions* options, bool is_required) {
  CLI::Option* const addresses =
      command->add_option("--coordinator", options->addresses,
                          "The coordinator's HOST:PORT; several, with commas, if others stand by: "
                          "whichever leads is asked");
  addresses->type_name("A:P");
  if (is_required) addresses->required();
  command->add_option("--token-file", options->token_file, "File with the token to show")
      ->type_name("FILE");
  command->add_option("--tls-ca", options->tls_ca, "PEM file of who signed the coordinator's key")
      ->type_name("FILE");
  command->add_option("--tls-cert", options->tls_cert, "PEM file of this client's certificate")
      ->type_name("FILE");
  command->add_option("--tls-key", options->tls_key, "PEM file of its key")->type_name("FILE");
}

void AddIdOption(CLI::App* command, int64_t* id) {
  command->add_option("ID", *id, "Which tournament")
      ->type_name("")
      ->check([](const std::string& text) -> std::string {
        const std::optional<int64_t> number = ParseInt64(text);
        if (number && *number >= 1) return "";
        return "expected a number from 1 on, not " + Quote(text);
      })
      ->required();
}

absl::Status CheckAddress(const std::string& flag, const std::string& address) {
  const size_t colon = address.rfind(':');
  std::optional<int64_t> port;
  if (colon != std::string::npos) port = ParseInt64(std::string_view(address).substr(colon + 1));
  if (colon == std::string::npos || colon == 0 || !port || *port < 0 || *port > 65535) {
    return absl::InvalidArgumentError(flag + ": expected HOST:PORT, not " + Quote(address));
  }
  return absl::OkStatus();
}

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
    const std::string address(Trim(part));
    RETURN_IF_ERROR(CheckAddress("--coordinator", address));
    link.addresses.push_back(address);
    link.channels.push_back(grpc::CreateCustomChannel(address, credentials, arguments));
  }
  return link;
}

}  // namespace triarch
