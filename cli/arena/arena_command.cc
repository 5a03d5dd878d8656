// Implements `triarch arena`: a server where programs, language models and people play.

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_format.h"
#include "arena/service/arena_server.h"
#include "arena/store/arena_store.h"
#include "cli/cluster/log_writer.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/report.h"
#include "core/base/status_macros.h"
#include "http/socket_keeper.h"

namespace triarch {
namespace {

struct ArenaOptions {
  std::string listen = "127.0.0.1:8080";
  std::string db = "arena.db";
  int64_t fill_seconds = 30;
  int64_t move_seconds = 300;
  std::string house_bot = "smart";
  int64_t house_threads = 1;
  int64_t house_ms = 500;
  int64_t tables_max = 20'000;
  int64_t linger_seconds = 30;
  bool trusts_proxy = false;
  std::string log_format = "text";
};

arena::ArenaServer::Options ServerOptions(const ArenaOptions& options) {
  arena::ArenaServer::Options server;
  server.db = options.db;
  server.session.house_bot = options.house_bot;
  server.session.tables_max = static_cast<size_t>(options.tables_max);
  server.table.game = "triumvirate";
  server.table.fill_ms = options.fill_seconds * 1'000;
  server.table.move_ms = options.move_seconds * 1'000;
  server.house.threads = static_cast<int>(options.house_threads);
  server.house.move_time = std::chrono::milliseconds(options.house_ms);
  server.limits.trusts_proxy = options.trusts_proxy;
  return server;
}

// Serves until Ctrl-C.
absl::Status Serve(const ArenaOptions& options, LogWriter& log) {
  const Interrupt interrupt;
  // While the last server ends, this waits, and clients queue at the socket.
  ASSIGN_OR_RETURN(SocketHold hold, HoldSocket(options.listen));
  ASSIGN_OR_RETURN(std::unique_ptr<arena::ArenaStore> tables,
                   arena::OpenSqliteArenaStore(options.db));
  ASSIGN_OR_RETURN(const std::unique_ptr<arena::ArenaServer> server,
                   arena::ArenaServer::Make(::dup(hold.socket()), std::move(tables),
                                            ServerOptions(options), log.to()));
  hold.Keep(options.linger_seconds);
  Print(absl::StrFormat("Serving http://%s with the database %s. Ctrl-C ends.\n",
                        AddressOf(hold.socket()), options.db));
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
  if (const absl::Status bot = arena::CheckHouseBot(options.house_bot); !bot.ok()) {
    return UsageError(ForOption("--house-bot", bot));
  }
  LogWriter log(LogFormatOf(options.log_format));
  const absl::Status served = Serve(options, log);
  if (absl::IsInvalidArgument(served)) return UsageError(served);
  return Finish(served);
}

}  // namespace

void AddArenaCommand(const Command& app) {
  auto options = std::make_shared<ArenaOptions>();
  const Command command =
      app.AddCommand("arena", "Serve games to programs, language models and people.");
  command.AddText({"--listen", "ADDRESS", "Serve at HOST:PORT"}, &options->listen);
  command.AddFile({"--db", "FILE", "Keep tables and games in this SQLite file"}, &options->db);
  command.AddNumber({"--fill-seconds", "N", "Fill empty seats with house bots after this time"},
                    {0, 86'400}, &options->fill_seconds);
  command.AddNumber({"--move-seconds", "N", "Play a random move after this time"}, {1, 86'400},
                    &options->move_seconds);
  command.AddText({"--house-bot", "BOT", "The bundled bot that takes empty seats"},
                  &options->house_bot);
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
  AddLogFormatOption(command, &options->log_format);
  command.Footer(
      "A game survives the server: start it again, and everything goes on.\n\n"
      "Examples:\n"
      "  triarch arena\n"
      "  triarch arena --listen 0.0.0.0:80 --db games.db --move-seconds 60");
  command.OnRun(options, RunArena);
}

}  // namespace triarch
