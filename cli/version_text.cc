#include "cli/version_text.h"

#include <grpcpp/grpcpp.h>
#include <libpq-fe.h>
#include <sqlite3.h>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "bots/torch/torch_models.h"
#include "cli/build_id.h"
#include "site/page_files.h"
#include "worker/sandbox/sandbox.h"

namespace triarch {
namespace {

std::string AvailableText(const absl::Status& status) {
  return status.ok() ? "available" : "not available: " + std::string(status.message());
}

std::string PostgresVersion() {
  const int version = PQlibVersion();  // 150008 is 15.8
  return absl::StrFormat("%d.%d", version / 10'000, version % 10'000);
}

}  // namespace

std::string VersionText() {
  return absl::StrFormat(
      "triarch %s\n"
      "commit     %s\n"
      "build      %s\n"
      "identity   %s\n"
      "libraries  gRPC %s, SQLite %s, libpq %s\n"
      "torch      %s\n"
      "web page   %s\n"
      "sandbox    %s",
      TRIARCH_VERSION, std::string(kCommit), TRIARCH_BUILD, BuildIdentity(), grpc::Version(),
      sqlite3_libversion(), PostgresVersion(), AvailableText(CheckTorch()),
      site::PageFiles().empty() ? "not available: it was not built" : "available",
      AvailableText(CheckSandbox()));
}

}  // namespace triarch
