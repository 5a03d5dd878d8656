#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "cli/cluster/coordinator_options.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/tournament/report.h"
#include "coordinator/service/coordinator.h"
#include "coordinator/service/server.h"
#include "coordinator/store/store.h"
#include "core/base/status_macros.h"
#include "http/http_server.h"

// serve: the coordinator. migrate: only the schema.
namespace triarch {
namespace {

using std::chrono::milliseconds;

struct ServeOptions {
  std::string store;
  std::string listen = "127.0.0.1:7071";
  std::string http;
  std::string tls_cert;
  std::string tls_key;
  std::string tls_ca;
  std::string token_file;
  int64_t lease_seconds = 30;
  int64_t replay_threads = 1;
};

constexpr milliseconds kAskAgain{500};  // for the store, or to lead it
constexpr std::chrono::seconds kRatingsEvery{15};

absl::StatusOr<std::unique_ptr<Store>> OpenStore(const std::string& store, OpenMode mode) {
  return IsPostgresUrl(store) ? OpenPostgresStore(store, mode) : OpenSqliteStore(store, mode);
}

absl::StatusOr<std::string> ReadOption(const std::string& flag, const std::string& path) {
  if (path.empty()) return std::string();
  const absl::StatusOr<InputFile> file = InputFile::Open(path);
  if (!file.ok()) {
    return absl::InvalidArgumentError(flag + ": " + std::string(file.status().message()));
  }
  return std::string(file->text());
}

bool IsLoopback(const std::string& address) {
  const std::string host = address.substr(0, address.rfind(':'));
  return host == "localhost" || host == "[::1]" || host.starts_with("127.");
}

absl::StatusOr<Server::Options> ReadServerOptions(const ServeOptions& options) {
  RETURN_IF_ERROR(CheckAddress("--listen", options.listen));
  Server::Options server;
  server.address = options.listen;
  if (options.tls_cert.empty() != options.tls_key.empty()) {
    return absl::InvalidArgumentError("--tls-cert and --tls-key go together");
  }
  if (options.tls_cert.empty() && !options.tls_ca.empty()) {
    return absl::InvalidArgumentError("--tls-ca goes with --tls-cert and --tls-key");
  }
  if (!options.tls_cert.empty()) {
    ServerTls tls;
    ASSIGN_OR_RETURN(tls.cert, ReadOption("--tls-cert", options.tls_cert));
    ASSIGN_OR_RETURN(tls.key, ReadOption("--tls-key", options.tls_key));
    ASSIGN_OR_RETURN(tls.client_ca, ReadOption("--tls-ca", options.tls_ca));
    server.tls = std::move(tls);
  }
  if (!options.token_file.empty()) {
    ASSIGN_OR_RETURN(const std::string text, ReadOption("--token-file", options.token_file));
    absl::StatusOr<Access> access = Access::Parse(text);
    if (!access.ok()) {
      return absl::InvalidArgumentError("--token-file: " + options.token_file + ": " +
                                        std::string(access.status().message()));
    }
    server.access = *std::move(access);
  } else if (options.tls_ca.empty() && !IsLoopback(options.listen)) {
    return absl::InvalidArgumentError("--listen: " + options.listen +
                                      " is open to others; that needs --token-file, or --tls-ca "
                                      "for clients with certificates");
  }
  return server;
}

// One process that leads its store, or stands by to.
class Service {
 public:
  Service(const ServeOptions& options, Server::Options server, const Interrupt& interrupt)
      : options_(options), server_options_(std::move(server)), interrupt_(interrupt) {}

  absl::Status Run();

 private:
  absl::Status StartHttp();
  // Waits until this process leads the store; empty if it was interrupted before.
  absl::StatusOr<std::unique_ptr<Store>> WaitToLead(uint64_t* epoch);
  // Until it is interrupted, or another one has taken over.
  absl::Status Lead(std::unique_ptr<Store> store, uint64_t epoch);
  void Pause(milliseconds time) const;

  const ServeOptions& options_;
  const Server::Options server_options_;
  const Interrupt& interrupt_;
  CoordinatorMetrics metrics_;
  std::atomic<bool> is_leading_ = false;
  std::atomic<bool> is_store_there_ = false;
  std::unique_ptr<HttpServer> http_;
};

void Service::Pause(milliseconds time) const {
  const auto until = std::chrono::steady_clock::now() + time;
  while (!interrupt_.is_asked() && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(kSignalPoll);
  }
}

absl::Status Service::StartHttp() {
  if (options_.http.empty()) return absl::OkStatus();
  HttpServer::Handlers handlers{.metrics = [this] { return metrics_.Text(); },
                                .is_healthy = [] { return absl::OkStatus(); },
                                .is_ready = [this]() -> absl::Status {
                                  if (!is_leading_) return absl::UnavailableError("standing by");
                                  if (!is_store_there_)
                                    return absl::UnavailableError("the store is away");
                                  return absl::OkStatus();
                                }};
  ASSIGN_OR_RETURN(http_, HttpServer::Start(options_.http, std::move(handlers)));
  Log("metrics on port " + std::to_string(http_->port()));
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Store>> Service::WaitToLead(uint64_t* epoch) {
  std::string said;
  const auto say = [&said](const std::string& line) {
    if (line != said) Log(line);
    said = line;
  };
  while (!interrupt_.is_asked()) {
    absl::StatusOr<std::unique_ptr<Store>> store = OpenStore(options_.store, OpenMode::kCreate);
    while (store.ok() && !interrupt_.is_asked()) {
      const absl::StatusOr<std::optional<uint64_t>> led = (*store)->TryLead();
      if (!led.ok()) {
        store = led.status();
      } else if (*led) {
        *epoch = **led;
        return store;
      } else {
        say("standing by: another coordinator leads the store");
        Pause(kAskAgain);
      }
    }
    if (store.ok()) break;
    if (!absl::IsUnavailable(store.status())) return store.status();
    say("waiting for the store: " + std::string(store.status().message()));
    Pause(kAskAgain);
  }
  return std::unique_ptr<Store>();
}

absl::Status Service::Lead(std::unique_ptr<Store> store, uint64_t epoch) {
  Coordinator::Options options;
  options.leases.ttl = milliseconds(options_.lease_seconds * 1000);
  options.leases.heartbeat = options.leases.ttl / 6;
  options.replay_threads = options_.replay_threads;
  options.ratings_every = kRatingsEvery;
  const auto open_reader = [this] { return OpenStore(options_.store, OpenMode::kReadOnly); };
  ASSIGN_OR_RETURN(const std::unique_ptr<Coordinator> coordinator,
                   Coordinator::Start(options, epoch, std::move(store), open_reader, &metrics_));
  absl::StatusOr<std::unique_ptr<Server>> server =
      Server::Start(server_options_, coordinator.get(), &metrics_);
  // Unlike a store that is away, a port that is taken is not waited for.
  if (!server.ok()) return absl::FailedPreconditionError(server.status().message());
  is_leading_ = true;
  Log("listening on " + options_.listen.substr(0, options_.listen.rfind(':') + 1) +
      std::to_string((*server)->port()));
  absl::Status status;
  while (!interrupt_.is_asked()) {
    const absl::Status now = coordinator->status();
    if (now.code() != status.code()) {
      Log(now.ok() ? "the store is back" : "store: " + std::string(now.message()));
    }
    status = now;
    is_store_there_ = status.ok();
    if (absl::IsFailedPrecondition(status)) break;
    std::this_thread::sleep_for(kSignalPoll);
  }
  is_leading_ = false;
  coordinator->Stop();
  server->reset();
  return absl::OkStatus();
}

absl::Status Service::Run() {
  RETURN_IF_ERROR(StartHttp());
  while (!interrupt_.is_asked()) {
    uint64_t epoch = 0;
    ASSIGN_OR_RETURN(std::unique_ptr<Store> store, WaitToLead(&epoch));
    if (!store) break;
    const absl::Status led = Lead(std::move(store), epoch);
    // The store may have gone between leading it and loading from it.
    if (!led.ok() && !absl::IsUnavailable(led)) return led;
    if (!led.ok()) {
      Log(std::string(led.message()));
      Pause(kAskAgain);
    }
  }
  Log("stopped");
  return absl::OkStatus();
}

int RunServe(const ServeOptions& options) {
  absl::StatusOr<Server::Options> server = ReadServerOptions(options);
  if (!server.ok()) return UsageError(server.status());
  if (!options.http.empty()) {
    const absl::Status http = CheckAddress("--http", options.http);
    if (!http.ok()) return UsageError(http);
  }
  const Interrupt interrupt;
  Service service(options, *std::move(server), interrupt);
  const absl::Status status = service.Run();
  return status.ok() ? kExitDone : Fail(status);
}

struct MigrateOptions {
  std::string store;
};

int RunMigrate(const MigrateOptions& options) {
  const auto store = OpenStore(options.store, OpenMode::kCreate);
  if (!store.ok()) return Fail(store.status());
  Print("the schema is up to date\n");
  return kExitDone;
}

constexpr const char* kStoreHelp =
    "Where all is recorded: postgresql://user@host/database, or a file for SQLite (one tournament)";

}  // namespace

void AddServeCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* const command = app.add_subcommand("serve", "Run a coordinator.");
  command->add_option("--store", options->store, kStoreHelp)->type_name("STORE")->required();
  command->add_option("--listen", options->listen, "Where workers and operators call; port 0: any")
      ->type_name("A:P")
      ->capture_default_str();
  command->add_option("--http", options->http, "Where /metrics, /healthz and /readyz are served")
      ->type_name("A:P");
  command->add_option("--tls-cert", options->tls_cert, "PEM file of the certificate")
      ->type_name("FILE");
  command->add_option("--tls-key", options->tls_key, "PEM file of its key")->type_name("FILE");
  command
      ->add_option("--tls-ca", options->tls_ca,
                   "Only clients with a certificate of this authority may call")
      ->type_name("FILE");
  command
      ->add_option("--token-file", options->token_file,
                   "Lines \"worker SECRET\", \"operator SECRET\", \"user SECRET\": who may do what")
      ->type_name("FILE");
  command
      ->add_option("--lease-seconds", options->lease_seconds,
                   "A worker that is silent for so long loses its games to others")
      ->type_name("N")
      ->check(CLI::Range(1, 86'400))
      ->capture_default_str();
  command
      ->add_option("--replay-threads", options->replay_threads,
                   "Threads that play reported games again before they are recorded")
      ->type_name("N")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->footer(
      "A second one on the same PostgreSQL stands by and takes over when the first one dies.\n\n"
      "Examples:\n"
      "  triarch serve --store postgresql://triarch@localhost/triarch --http 127.0.0.1:9090\n"
      "  triarch serve --store arena.db");
  SetRun(command, options, RunServe, exit_code);
}

void AddMigrateCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<MigrateOptions>();
  CLI::App* const command = app.add_subcommand(
      "migrate", "Bring a store's schema up to date (serve does it too) and say so.");
  command->add_option("--store", options->store, kStoreHelp)->type_name("STORE")->required();
  command->footer("Example:\n  triarch migrate --store postgresql://triarch@localhost/triarch");
  SetRun(command, options, RunMigrate, exit_code);
}

}  // namespace triarch
