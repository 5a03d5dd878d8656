// Implements `triarch arena`: a server where programs, language models and people play.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/strings/str_format.h"
#include "arena/service/arena_server.h"
#include "arena/store/arena_peers.h"
#include "arena/store/arena_store.h"
#include "cli/cluster/coordinator_options.h"
#include "cli/cluster/log_writer.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/report.h"
#include "coordinator/service/access.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "http/http_server.h"
#include "http/socket_keeper.h"
#include "spec/bot_flag.h"

namespace triarch {
namespace {

struct ArenaOptions {
  std::string listen = "127.0.0.1:8080";
  std::string db = "arena.db";
  std::string store = "";  // a URL; empty: use db
  int64_t fill_seconds = 30;
  int64_t move_seconds = 300;
  std::string house_bots = "smart,paranoid,maxn,mcts,greedy";
  int64_t house_threads = 1;
  int64_t house_ms = 500;
  int64_t tables_max = 20'000;
  int64_t linger_seconds = 30;
  bool trusts_proxy = false;
  int64_t requests_per_second = 40;
  std::string token_file;
  std::string metrics;
  std::string log_format = "text";
};

arena::ArenaServer::Options ServerOptions(const ArenaOptions& options) {
  arena::ArenaServer::Options server;
  server.open_results = [name = options.store.empty() ? options.db : options.store] {
    return OpenStore(name, OpenMode::kReadOnly);
  };
  server.session.house_bots.clear();
  for (const std::string_view bot : SplitBots(options.house_bots)) {
    server.session.house_bots.emplace_back(Trim(bot));
  }
  server.session.tables_max = static_cast<size_t>(options.tables_max);
  server.session.tables_per_client_max = std::max<size_t>(server.session.tables_max / 20, 1);
  server.table.game = "triumvirate";
  server.table.fill_ms = options.fill_seconds * 1'000;
  server.table.move_ms = options.move_seconds * 1'000;
  server.house.threads = static_cast<int>(options.house_threads);
  server.house.move_time = std::chrono::milliseconds(options.house_ms);
  server.limits.trusts_proxy = options.trusts_proxy;
  server.requests_per_second = static_cast<double>(options.requests_per_second);
  return server;
}

// Returns who recognizes operators by their header Authorization; null without a file.
absl::StatusOr<std::function<bool(std::string_view)>> OperatorsOf(const std::string& path) {
  if (path.empty()) return nullptr;
  ASSIGN_OR_RETURN(const std::string text, ReadOptionFile("--token-file", path));
  const absl::StatusOr<Access> access = Access::Parse(text);
  if (!access.ok()) return ForOption("--token-file: " + path, access.status());
  return [access = *access](std::string_view authorization) {
    return access.Check(Access::Role::kOperator, authorization).ok();
  };
}

// Returns null without an address.
absl::StatusOr<std::unique_ptr<HttpServer>> ServeMetrics(const std::string& address,
                                                         const arena::ArenaServer& arena,
                                                         LogWriter& log) {
  if (address.empty()) return nullptr;
  const auto fine = [] { return absl::OkStatus(); };
  ASSIGN_OR_RETURN(std::unique_ptr<HttpServer> server,
                   HttpServer::Start(address, {.metrics = [&arena] { return arena.MetricsText(); },
                                               .is_healthy = fine,
                                               .is_ready = fine}));
  const std::string host = address.substr(0, address.rfind(':') + 1);
  log.Write({.event = "start",
             .message = "Serving metrics.",
             .fields = {{"metrics", host + std::to_string(server->port())}}});
  return server;
}

std::string NewInstance() {
  std::random_device device;
  std::string instance;
  for (int i = 0; i < 4; ++i) instance += absl::StrFormat("%08x", device());
  return instance;
}

// Opens the store, and makes the server share it if others may use it.
absl::StatusOr<std::unique_ptr<arena::ArenaStore>> OpenTables(const ArenaOptions& options,
                                                              arena::ArenaServer::Options& server) {
  if (options.store.empty()) return arena::OpenSqliteArenaStore(options.db);
  const std::string instance = NewInstance();
  server.session.is_alone = false;
  server.join_peers = [url = options.store, instance](arena::ArenaPeers::News news) {
    return arena::JoinPostgresPeers(url, instance, std::move(news));
  };
  return arena::OpenPostgresArenaStore(options.store, instance);
}

// Serves until Ctrl-C.
absl::Status Serve(const ArenaOptions& options, arena::ArenaServer::Options server_options,
                   LogWriter& log) {
  const Interrupt interrupt;
  // While the last server ends, this waits, and clients queue at the socket.
  ASSIGN_OR_RETURN(SocketHold hold, HoldSocket(options.listen));
  ASSIGN_OR_RETURN(std::unique_ptr<arena::ArenaStore> tables, OpenTables(options, server_options));
  ASSIGN_OR_RETURN(const std::unique_ptr<arena::ArenaServer> server,
                   arena::ArenaServer::Make(::dup(hold.socket()), std::move(tables),
                                            std::move(server_options), log.to()));
  ASSIGN_OR_RETURN(const std::unique_ptr<HttpServer> metrics,
                   ServeMetrics(options.metrics, *server, log));
  hold.Keep(options.linger_seconds);
  Print(absl::StrFormat("Serving http://%s with the database %s. Ctrl-C ends.\n",
                        AddressOf(hold.socket()),
                        options.store.empty() ? options.db : StoreName(options.store)));
  std::fflush(stdout);
  const std::jthread watch([&](const std::stop_token& stop) {
    while (!stop.stop_requested() && !interrupt.is_asked()) {
      std::this_thread::sleep_for(kSignalPoll);
    }
    server->Stop();
  });
  server->Run();
  return absl::OkStatus();
}

int RunArena(const ArenaOptions& options) {
  for (const std::string_view word : SplitBots(options.house_bots)) {
    const absl::Status bot = arena::CheckHouseBot(std::string(Trim(word)));
    if (!bot.ok()) return UsageError(ForOption("--house-bots", bot));
  }
  if (!options.store.empty()) {
    absl::Status store = CheckStoreUrl(options.store);
    if (store.ok() && !IsPostgresUrl(options.store)) {
      store = absl::InvalidArgumentError(options.store + " is no URL; for a file, use --db");
    }
    if (!store.ok()) return UsageError(ForOption("--store", store));
  }
  arena::ArenaServer::Options server = ServerOptions(options);
  auto is_operator = OperatorsOf(options.token_file);
  if (!is_operator.ok()) return UsageError(is_operator.status());
  server.is_operator = *std::move(is_operator);
  LogWriter log(LogFormatOf(options.log_format));
  return Finish(Serve(options, std::move(server), log));
}

}  // namespace

void AddArenaCommand(const Command& app) {
  auto options = std::make_shared<ArenaOptions>();
  const Command command =
      app.AddCommand("arena", "Serve games to programs, language models and people.");
  AddAddressOption(command,
                   {"--listen", "HOST:PORT",
                    "Serve here; port 0 means a free one (default: " + options->listen + ")"},
                   &options->listen);
  const CommandOption db = command.AddFile(
      {"--db", "FILE", "Keep tables and games in this SQLite file (default: arena.db)"},
      &options->db);
  command
      .AddText({"--store", "URL",
                "Keep them in this PostgreSQL database, which several arenas may share"},
               &options->store)
      .Excludes(db);
  command.AddNumber({"--fill-seconds", "N", "Fill empty seats with house bots after this time"},
                    {0, 86'400}, &options->fill_seconds);
  command.AddNumber({"--move-seconds", "N", "Play a random move after this time"}, {1, 86'400},
                    &options->move_seconds);
  command.AddText({"--house-bots", "BOTS",
                   "Bundled bots for empty seats: the first, or those of the nearest rating"},
                  &options->house_bots);
  command.AddNumber({"--house-threads", "N", "Threads in which house bots think"}, {1, 256},
                    &options->house_threads);
  command.AddNumber({"--house-ms", "N", "Longest time in which a house bot moves"}, {1, 60'000},
                    &options->house_ms);
  command.AddNumber({"--tables", "N", "Hold at most this many tables"}, {1, 1'000'000},
                    &options->tables_max);
  command.AddNumber(
      {"--linger-seconds", "N",
       "Keep the socket this long after the end, so that no client notices a restart"},
      {0, 3'600}, &options->linger_seconds);
  command.AddFlag({"--trust-proxy", "",
                   "Take a client's address from the header X-Forwarded-For of a proxy here"},
                  &options->trusts_proxy);
  command.AddNumber({"--requests-per-second", "N",
                     "Serve one address this often, except on this machine; 0: any number"},
                    {0, 1'000'000}, &options->requests_per_second);
  command.AddText({"--token-file", "FILE",
                   "Accept the operators' tokens of this file: lines \"operator SECRET\""},
                  &options->token_file);
  AddAddressOption(command, {"--metrics", "HOST:PORT", "Serve /metrics, /healthz and /readyz here"},
                   &options->metrics);
  AddLogFormatOption(command, &options->log_format);
  command.Footer(
      "A game survives the server: start it again, and everything goes on.\n\n"
      "Examples:\n"
      "  triarch arena\n"
      "  triarch arena --listen 0.0.0.0:80 --db games.db --move-seconds 60\n"
      "  triarch arena --store postgresql://triarch@localhost/triarch");
  command.OnRun(options, RunArena);
}

}  // namespace triarch
