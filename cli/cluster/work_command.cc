#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/cluster/coordinator_options.h"
#include "cli/cluster/worker_info.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/tournament/report.h"
#include "core/base/status_macros.h"
#include "http/http_server.h"
#include "worker/bundle_cache.h"
#include "worker/grpc_client.h"
#include "worker/host/any_bot.h"
#include "worker/sandbox/sandbox.h"
#include "worker/session/file_spill.h"
#include "worker/wire_codec.h"
#include "worker/work_loop.h"

// work: a worker.
namespace triarch {
namespace {

using std::chrono::milliseconds;

struct WorkOptions {
  CoordinatorOptions coordinator;
  int64_t slots = 0;
  std::string metrics;
  std::string name;
  std::string spill;
  std::string bot_cache;
  int64_t bot_cache_size = 1'000'000'000;
  int64_t hold_memory = LeaseQueue::Options().memory_plies_max * LeaseQueue::kBytesPerPly;
};

constexpr milliseconds kPatience{10'000};  // to hand in what is finished

// Process bots are played in the sandbox or not at all.
void DropUnsafeBots(WorkerInfo* worker) {
  const absl::Status sandbox = CheckSandbox();
  if (sandbox.ok()) return;
  std::erase_if(worker->bots, [](const HostedBot& bot) { return bot.type == kProcessBot; });
  Log("no process bots are played here: " + std::string(sandbox.message()));
}

// Null where the usual places cannot be written.
absl::StatusOr<std::unique_ptr<BundleCache>> OpenBundles(const WorkOptions& options) {
  if (!options.bot_cache.empty()) {
    return BundleCache::Open(options.bot_cache, options.bot_cache_size);
  }
  absl::StatusOr<std::unique_ptr<BundleCache>> cache =
      BundleCache::Open(DefaultBundleCache(), options.bot_cache_size);
  if (cache.ok()) return cache;
  Log("no bots are fetched (--bot-cache): " + std::string(cache.status().message()));
  return nullptr;
}

absl::StatusOr<std::unique_ptr<HttpServer>> StartHttp(const std::string& address,
                                                      const WorkerMetrics* metrics,
                                                      const WorkLoop* loop) {
  HttpServer::Handlers handlers{.metrics = [metrics] { return metrics->Text(); },
                                .is_healthy = [loop] { return loop->status(); },
                                .is_ready = [loop]() -> absl::Status {
                                  RETURN_IF_ERROR(loop->status());
                                  return loop->is_registered()
                                             ? absl::OkStatus()
                                             : absl::UnavailableError("no coordinator knows it");
                                }};
  return HttpServer::Start(address, std::move(handlers));
}

absl::Status Work(const WorkOptions& options, const CoordinatorLink& link) {
  const Interrupt interrupt;
  WorkLoop::Options loop_options;
  loop_options.worker =
      MakeWorkerInfo(options.name, options.slots > 0 ? options.slots : DefaultSlots());
  loop_options.queue.memory_plies_max = options.hold_memory / LeaseQueue::kBytesPerPly;
  loop_options.queue.seed = loop_options.worker.id.instance;
  loop_options.log = Log;
  const std::string folder =
      !options.spill.empty()
          ? options.spill
          : (std::filesystem::temp_directory_path() /
             ("triarch-spill-" + std::to_string(loop_options.worker.id.instance)))
                .string();
  DropUnsafeBots(&loop_options.worker);
  ASSIGN_OR_RETURN(const std::unique_ptr<BundleCache> bundles, OpenBundles(options));
  loop_options.bundles = bundles.get();
  WorkerMetrics metrics;
  std::vector<std::unique_ptr<CoordinatorClient>> clients;
  std::vector<CoordinatorClient*> addresses;
  for (const auto& channel : link.channels) {
    clients.push_back(MakeGrpcClient(channel, link.token, &metrics));
    addresses.push_back(clients.back().get());
  }
  WorkLoop loop(loop_options, MakeFileSpill(folder, WireCodec()), addresses,
                MakePlayerMaker(
                    Log, [&bundles](const std::string& digest) { return bundles->Folder(digest); }),
                &metrics);
  std::unique_ptr<HttpServer> http;
  if (!options.metrics.empty()) {
    ASSIGN_OR_RETURN(http, StartHttp(options.metrics, &metrics, &loop));
    Log("metrics on port " + std::to_string(http->port()));
  }
  while (!interrupt.is_asked() && loop.status().ok()) std::this_thread::sleep_for(kSignalPoll);
  loop.Leave(kPatience);
  return loop.status();
}

int RunWork(const WorkOptions& options) {
  const absl::StatusOr<CoordinatorLink> link =
      MakeLink(options.coordinator, {Access::Role::kWorker});
  if (!link.ok()) return UsageError(link.status());
  if (!options.metrics.empty()) {
    const absl::Status metrics = CheckAddress("--metrics", options.metrics);
    if (!metrics.ok()) return UsageError(metrics);
  }
  const absl::Status status = Work(options, *link);
  return status.ok() ? kExitDone : Fail(status);
}

}  // namespace

void AddWorkCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<WorkOptions>();
  CLI::App* const command =
      app.add_subcommand("work", "Run a worker: it plays what a coordinator gives out.");
  AddCoordinatorOptions(command, &options->coordinator, true);
  command->add_option("--slots", options->slots, "Games at a time (default: the machine's cores)")
      ->type_name("N")
      ->check(CLI::Range(1, 4096));
  command
      ->add_option("--metrics", options->metrics, "Where /metrics, /healthz and /readyz are served")
      ->type_name("A:P");
  command
      ->add_option("--name", options->name,
                   "What the coordinator calls it (default: host and process)")
      ->type_name("S");
  command
      ->add_option("--hold-memory", options->hold_memory,
                   "Memory for finished games while no coordinator takes them (default: 200MB)")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(true).description(""))
      ->check(CLI::Range(int64_t{1'000}, int64_t{1'000'000'000'000}).description(""));
  command
      ->add_option("--spill", options->spill,
                   "Folder for those that find no room there (default: one under /tmp)")
      ->type_name("DIR");
  command
      ->add_option("--bot-cache", options->bot_cache,
                   "Folder for bots that are fetched (default: under ~/.cache)")
      ->type_name("DIR");
  command
      ->add_option("--bot-cache-size", options->bot_cache_size,
                   "How large it may become (default: 1GB); what is in use stays")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(true).description(""))
      ->check(CLI::Range(int64_t{0}, int64_t{1'000'000'000'000'000}).description(""));
  command->footer(
      "It keeps nothing: kill it at any time, its games are played elsewhere.\n\n"
      "Examples:\n"
      "  triarch work --coordinator localhost:7071\n"
      "  triarch work --coordinator a:7071,b:7071 --slots 16 --token-file worker.token");
  SetRun(command, options, RunWork, exit_code);
}

}  // namespace triarch
