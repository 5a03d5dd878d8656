// Implements `triarch work`: runs a worker.

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/build_id.h"
#include "cli/cluster/coordinator_link.h"
#include "cli/cluster/data_root_option.h"
#include "cli/cluster/log_writer.h"
#include "cli/cluster/worker_info.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "core/base/status_macros.h"
#include "http/http_server.h"
#include "worker/bundle_cache.h"
#include "worker/grpc_client.h"
#include "worker/host/any_bot.h"
#include "worker/sandbox/sandbox.h"
#include "worker/session/file_spill.h"
#include "worker/wire_codec.h"
#include "worker/work_loop.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;

struct WorkOptions {
  CoordinatorOptions coordinator;
  std::optional<int64_t> slots;
  std::string metrics;
  std::string name;
  std::string spill;
  std::string bot_cache;
  int64_t bot_cache_size = 1'000'000'000;
  DataRoots data_roots;
  std::string log_format = "text";
  int64_t hold_memory = LeaseQueue::Options().memory_plies_max * LeaseQueue::kBytesPerPly;
};

constexpr milliseconds kLeaveTimeout{10'000};  // to report finished games

// Offers no process bots if they cannot be sandboxed.
void DropUnsafeBots(WorkerInfo* worker, const LogTo& log) {
  const absl::Status sandbox = CheckSandbox();
  if (sandbox.ok()) return;
  std::erase_if(worker->bots, [](const HostedBot& bot) { return bot.type == kProcessBot; });
  log(Warning("start", "Process bots are disabled.", std::string(sandbox.message())));
}

// Returns null if the default folder cannot be written.
absl::StatusOr<std::unique_ptr<BundleCache>> OpenBundles(const WorkOptions& options,
                                                         const LogTo& log) {
  if (!options.bot_cache.empty()) {
    return BundleCache::Open(options.bot_cache, options.bot_cache_size);
  }
  absl::StatusOr<std::unique_ptr<BundleCache>> cache =
      BundleCache::Open(DefaultBundleCache(), options.bot_cache_size);
  if (cache.ok()) return cache;
  log(Warning("start", "Downloading bots is disabled. See --bot-cache.",
              std::string(cache.status().message())));
  return nullptr;
}

// Fails early if the folder cannot be made or written, not when memory is full.
absl::Status CheckSpill(const std::string& folder) {
  std::error_code error;
  std::filesystem::path there = std::filesystem::absolute(folder, error);
  while (!std::filesystem::exists(there, error) && there.has_relative_path()) {
    there = there.parent_path();
  }
  if (std::filesystem::is_directory(there, error) && access(there.c_str(), W_OK | X_OK) == 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrFormat("--spill: %s is not a folder that can be written; expected one, or a new one",
                      there.string()));
}

std::string SpillFolder(const WorkOptions& options, uint64_t instance) {
  if (!options.spill.empty()) return options.spill;
  return std::filesystem::temp_directory_path() / ("triarch-spill-" + std::to_string(instance));
}

// Returns null without an address.
absl::StatusOr<std::unique_ptr<HttpServer>> StartHttp(const std::string& address,
                                                      const WorkerMetrics* metrics,
                                                      const WorkLoop* loop, LogWriter& log) {
  if (address.empty()) return nullptr;
  HttpServer::Handlers handlers{
      .metrics = [metrics] { return metrics->Text(); },
      .is_healthy = [loop] { return loop->status(); },
      .is_ready = [loop]() -> absl::Status {
        RETURN_IF_ERROR(loop->status());
        return loop->is_registered() ? absl::OkStatus()
                                     : absl::UnavailableError("not registered with a coordinator");
      }};
  ASSIGN_OR_RETURN(std::unique_ptr<HttpServer> server,
                   HttpServer::Start(address, std::move(handlers)));
  const std::string host = address.substr(0, address.rfind(':') + 1);
  log.Write({.event = "start",
             .message = "Serving metrics.",
             .fields = {{"metrics", host + std::to_string(server->port())}}});
  return server;
}

// Ends the process if a player does not obey, because the loop's destructor would wait for it.
void ExitIfStuck(const WorkLoop& loop, LogWriter& log) {
  const std::vector<std::string> calls = loop.CallsUnderWay();
  if (calls.empty()) return;
  for (const std::string& call : calls) {
    log.Write(Warning("bot", "A bot does not come back and is abandoned.", call));
  }
  _exit(log.Finish(loop.status()));
}

void LogStart(const WorkerInfo& worker, const CoordinatorOptions& coordinator, const LogTo& log) {
  log({.event = "start",
       .message = "Starting a worker.",
       .fields = {{"worker", worker.id.name},
                  {"slots", worker.slots},
                  {"build", BuildIdentity()},
                  {"commit", std::string(kCommit)},
                  {"coordinator", coordinator.addresses}}});
}

absl::Status Work(const WorkOptions& options, const CoordinatorLink& link, LogWriter& log) {
  const Interrupt interrupt;
  WorkLoop::Options loop_options;
  loop_options.worker = MakeWorkerInfo(options.name, options.slots.value_or(DefaultSlots()));
  loop_options.queue.memory_plies_max = options.hold_memory / LeaseQueue::kBytesPerPly;
  loop_options.queue.seed = loop_options.worker.id.instance;
  loop_options.data_roots = options.data_roots;
  loop_options.log = log.to();
  LogStart(loop_options.worker, options.coordinator, loop_options.log);
  DropUnsafeBots(&loop_options.worker, loop_options.log);
  ASSIGN_OR_RETURN(const std::unique_ptr<BundleCache> bundles,
                   OpenBundles(options, loop_options.log));
  loop_options.bundles = bundles.get();
  WorkerMetrics metrics;
  std::vector<std::unique_ptr<CoordinatorClient>> clients;
  std::vector<CoordinatorClient*> addresses;
  for (const auto& channel : link.channels) {
    clients.push_back(MakeGrpcClient(channel, link.token, &metrics));
    addresses.push_back(clients.back().get());
  }
  WorkLoop loop(
      loop_options,
      MakeFileSpill(SpillFolder(options, loop_options.worker.id.instance), WireCodec()), addresses,
      MakePlayerMaker(
          [&log](const std::string& line) {
            log.Write(Warning("bot", "A bot needs attention.", line));
          },
          {.folders = [&bundles](const std::string& digest) { return bundles->Folder(digest); }}),
      &metrics);
  ASSIGN_OR_RETURN(const std::unique_ptr<HttpServer> http,
                   StartHttp(options.metrics, &metrics, &loop, log));
  while (!interrupt.is_asked() && loop.status().ok()) {
    for (const std::string& silence : loop.TakeSilences()) {
      log.Write(Warning("bot", "A bot does not answer.", silence));
    }
    std::this_thread::sleep_for(kSignalPoll);
  }
  loop.Leave(kLeaveTimeout);
  ExitIfStuck(loop, log);
  return loop.status();
}

int RunWork(const WorkOptions& options) {
  const absl::Status roots = CheckDataRoots(options.data_roots);
  if (!roots.ok()) return UsageError(roots);
  const absl::StatusOr<CoordinatorLink> link =
      MakeLink(options.coordinator, {Access::Role::kWorker});
  if (!link.ok()) return UsageError(link.status());
  const absl::Status spill = options.spill.empty() ? absl::OkStatus() : CheckSpill(options.spill);
  if (!spill.ok()) return UsageError(spill);
  LogWriter log(LogFormatOf(options.log_format));
  return log.Finish(Work(options, *link, log));
}

}  // namespace

void AddWorkCommand(const Command& app) {
  auto options = std::make_shared<WorkOptions>();
  const Command command =
      app.AddCommand("work", "Run a worker, which plays games for a coordinator.");
  AddCoordinatorOptions(command, &options->coordinator).Required();
  command.AddNumber({"--slots", "N", "Play N games at a time (default: one per core)"}, {1, 4096},
                    &options->slots);
  AddAddressOption(command, {"--metrics", "HOST:PORT", "Serve /metrics, /healthz and /readyz here"},
                   &options->metrics);
  command.Add({"--name", "NAME", "Register under this name (default: host and process ID)"},
              [name = &options->name](const std::string& text) {
                *name = text;
                return text.empty() ? absl::InvalidArgumentError("expected a name")
                                    : absl::OkStatus();
              });
  command.AddSize({"--hold-memory", "SIZE",
                   "Use up to this much memory for finished games that no\n"
                   "coordinator has taken yet"},
                  {1'000, 1'000'000'000'000}, &options->hold_memory);
  command.AddText({"--spill", "DIR",
                   "Write finished games to DIR when that memory is full\n"
                   "(default: a folder under /tmp)"},
                  &options->spill);
  command.AddText(
      {"--bot-cache", "DIR", "Keep downloaded bots in DIR (default: a folder under ~/.cache)"},
      &options->bot_cache);
  command.AddSize(
      {"--bot-cache-size", "SIZE", "Limit the size of that folder; bots in use are never deleted"},
      {0, 1'000'000'000'000'000}, &options->bot_cache_size);
  AddDataRootOption(command, &options->data_roots);
  AddLogFormatOption(command, &options->log_format);
  command.Footer(
      "A worker keeps no state: if you kill it, its games are played elsewhere.\n\n"
      "Examples:\n"
      "  triarch work --coordinator localhost:7071\n"
      "  triarch work --coordinator a:7071,b:7071 --slots 16 --token-file worker.token");
  command.OnRun(options, RunWork);
}

}  // namespace triarch
