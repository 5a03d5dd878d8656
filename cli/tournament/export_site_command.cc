// Implements `triarch export site`: writes the web page with finished tournaments as files.

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/report.h"
#include "coordinator/store/store.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "site/page_files.h"
#include "site/site_export.h"
#include "site/site_folder.h"

namespace triarch {
namespace {

struct ExportSiteOptions {
  std::string folder;
  std::vector<std::string> databases;
};

using Stores = std::vector<std::unique_ptr<Store>>;

absl::StatusOr<Stores> OpenStores(const std::vector<std::string>& databases) {
  Stores stores;
  for (const std::string& database : databases) {
    ASSIGN_OR_RETURN(stores.emplace_back(), OpenStore(database, OpenMode::kReadOnly));
  }
  return stores;
}

void LogLeftOut(const site::SiteExport& exported) {
  for (const StoredTournament& tournament : exported.left_out()) {
    Log(absl::StrFormat("left out tournament %d, %s: it is %s, not done or cancelled",
                        tournament.id, Quote(tournament.spec.name),
                        std::string(ToString(tournament.state))));
  }
}

absl::Status WriteSite(const Stores& stores, const std::string& to, site::SiteFolder& folder) {
  const Interrupt interrupt;
  site::SiteExport exported(folder, [&] { return interrupt.is_asked(); });
  RETURN_IF_ERROR(exported.WritePage(site::PageFiles()));
  for (const std::unique_ptr<Store>& store : stores) RETURN_IF_ERROR(exported.AddStore(*store));
  LogLeftOut(exported);
  RETURN_IF_ERROR(exported.Finish());
  RETURN_IF_ERROR(folder.Commit());
  Print(absl::StrFormat("%s with %s in %s: %s, %.1f MB\n",
                        Counted(exported.tournaments(), "tournament"),
                        Counted(exported.games(), "game"), to, Counted(folder.files(), "file"),
                        static_cast<double>(folder.bytes()) / 1e6));
  return absl::OkStatus();
}

int RunExportSite(const ExportSiteOptions& options) {
  const absl::StatusOr<Stores> stores = OpenStores(options.databases);
  if (!stores.ok()) return Fail(stores.status());
  absl::StatusOr<site::SiteFolder> folder = site::SiteFolder::Create(options.folder);
  if (!folder.ok()) return Fail(folder.status());
  return Finish(WriteSite(*stores, options.folder, *folder));
}

}  // namespace

void AddExportCommands(const Command& app) {
  const Command group = app.AddCommand("export", "Write a web page of finished tournaments.");
  group.RequireCommand();
  group.Footer("Example:\n  triarch export site ./public quickstart.db");
  auto options = std::make_shared<ExportSiteOptions>();
  const Command command = group.AddCommand(
      "site", "Write a web page of finished tournaments for any web server, or to open as a file.");
  command.AddFile({"DIR", "", "Write to DIR, a new or an empty folder"}, &options->folder)
      .Required();
  command
      .AddText({"DB", "",
                "Read the databases that `triarch run --db` wrote, or\n"
                "coordinators': postgresql://…"},
               &options->databases)
      .Required();
  command.Footer(
      "Leaves out tournaments that are neither done nor cancelled. They get new numbers, in the\n"
      "order of the databases.\n\n"
      "Examples:\n"
      "  triarch export site ./public quickstart.db\n"
      "  triarch export site ./public spring.db summer.db");
  command.OnRun(options, RunExportSite);
}

}  // namespace triarch
