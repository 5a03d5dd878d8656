// Implements `triarch web`: serves the web page of the tournaments in a database.

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_format.h"
#include "cli/cluster/coordinator_options.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/report.h"
#include "coordinator/store/store.h"
#include "core/base/status_macros.h"
#include "http/web_server.h"
#include "site/site_server.h"

namespace triarch {
namespace {

struct WebOptions {
  std::string db;
  std::string listen = "127.0.0.1:8081";
};

absl::StatusOr<std::unique_ptr<site::SiteServer>> MakeServer(const WebOptions& options,
                                                             std::string* address) {
  const auto open = [db = options.db] { return OpenStore(db, OpenMode::kReadOnly); };
  RETURN_IF_ERROR(open().status());
  ASSIGN_OR_RETURN(const int socket, ListenAt(options.listen));
  *address = AddressOf(socket);
  return site::SiteServer::Make(socket, options.listen, open);
}

int RunWeb(const WebOptions& options) {
  const Interrupt interrupt;
  std::string address;
  const absl::StatusOr<std::unique_ptr<site::SiteServer>> server = MakeServer(options, &address);
  if (!server.ok()) return Fail(server.status());
  Print(absl::StrFormat("Serving http://%s/ from %s\n", address, StoreName(options.db)));
  std::fflush(stdout);
  const std::jthread watch([&](const std::stop_token& stop) {
    while (!stop.stop_requested() && !interrupt.is_asked()) {
      std::this_thread::sleep_for(kSignalPoll);
    }
    (*server)->Stop();
  });
  (*server)->Run();
  return kExitDone;
}

}  // namespace

void AddWebCommand(const Command& app) {
  auto options = std::make_shared<WebOptions>();
  const Command command =
      app.AddCommand("web", "Show the tournaments of a database in a web browser.");
  command
      .AddFile({"--db", "FILE",
                "Read the database that `triarch run --db` wrote, or a\n"
                "coordinator's: postgresql://…"},
               &options->db)
      .Required();
  AddAddressOption(command,
                   {"--listen", "HOST:PORT",
                    "Serve here; port 0 means a free one (default: " + options->listen + ")"},
                   &options->listen);
  command.Footer(
      "Games that are recorded meanwhile appear. Whoever reaches the address can read\n"
      "everything in the database's tournaments. Ctrl-C ends.\n\n"
      "Examples:\n"
      "  triarch web --db quickstart.db\n"
      "  triarch web --db quickstart.db --listen 0.0.0.0:8081");
  command.OnRun(options, RunWeb);
}

}  // namespace triarch
