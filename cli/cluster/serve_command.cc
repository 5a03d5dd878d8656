// Implements `triarch serve`, the coordinator, and `triarch migrate`.

#include <arpa/inet.h>
#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "cli/build_id.h"
#include "cli/cluster/coordinator_options.h"
#include "cli/cluster/data_root_option.h"
#include "cli/cluster/log_writer.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/reload_signal.h"
#include "coordinator/service/coordinator.h"
#include "coordinator/service/listener.h"
#include "coordinator/service/server.h"
#include "coordinator/service/server_tls.h"
#include "coordinator/store/store.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "http/http_server.h"
#include "http/web_server.h"
#include "site/site_server.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;

struct ServeOptions {
  std::string store;
  std::string listen = "127.0.0.1:7071";
  std::string http;
  std::string web;
  std::string tls_cert;
  std::string tls_key;
  std::string tls_ca;
  std::string token_file;
  int64_t lease_seconds = 30;
  int64_t replay_threads = 1;
  DataRoots data_roots;
  std::string log_format = "text";
};

constexpr milliseconds kRetry{500};  // opening the store, or taking the lead
constexpr std::chrono::seconds kRatingsEvery{15};
constexpr std::chrono::seconds kSilenceMax{10};  // of a store that this process does not lead
constexpr int kFailedProbesMax = 3;
constexpr unsigned kStopSeconds = 10;

bool IsLoopback(const std::string& address) {
  const std::string host = address.substr(0, address.rfind(':'));
  if (host == "localhost" || host == "[::1]") return true;
  in_addr number = {};
  return inet_pton(AF_INET, host.c_str(), &number) == 1 &&
         ntohl(number.s_addr) >> 24 == IN_LOOPBACKNET;
}

absl::StatusOr<Server::Options> ReadServerOptions(const ServeOptions& options) {
  Server::Options server;
  server.address = options.listen;
  if (options.tls_cert.empty() != options.tls_key.empty()) {
    return absl::InvalidArgumentError("--tls-cert and --tls-key must be given together");
  }
  if (options.tls_cert.empty() && !options.tls_ca.empty()) {
    return absl::InvalidArgumentError("--tls-ca needs --tls-cert and --tls-key");
  }
  if (!options.tls_cert.empty()) {
    ServerTls tls;
    ASSIGN_OR_RETURN(tls.cert, ReadOptionFile("--tls-cert", options.tls_cert));
    ASSIGN_OR_RETURN(tls.key, ReadOptionFile("--tls-key", options.tls_key));
    ASSIGN_OR_RETURN(tls.client_ca, ReadOptionFile("--tls-ca", options.tls_ca));
    RETURN_IF_ERROR(CheckTls(tls));
    server.tls = std::move(tls);
  }
  if (!options.token_file.empty()) {
    ASSIGN_OR_RETURN(const std::string text, ReadOptionFile("--token-file", options.token_file));
    absl::StatusOr<Access> access = Access::Parse(text);
    if (!access.ok()) {
      return ForOption("--token-file: " + options.token_file, access.status());
    }
    server.access = *std::move(access);
  } else if (options.tls_ca.empty() && !IsLoopback(options.listen)) {
    return absl::InvalidArgumentError("--listen: " + options.listen +
                                      " can be reached from other machines; give --token-file, or "
                                      "--tls-ca to require client certificates");
  }
  return server;
}

// Returns the address with the port that it got instead of port 0.
std::string WithPort(const std::string& address, int port) {
  return address.substr(0, address.rfind(':') + 1) + std::to_string(port);
}

absl::Status CheckProbes(int failed) {
  if (failed == 0) return absl::OkStatus();
  return absl::InternalError("the port has not answered the last " + Counted(failed, "call") +
                             " of this coordinator");
}

// Leads a store, or stands by until it can.
class Service {
 public:
  Service(const ServeOptions& options, Server::Options server, const Interrupt& interrupt,
          ReloadSignal& reload, LogTo log)
      : options_(options),
        server_options_(std::move(server)),
        interrupt_(interrupt),
        reload_(reload),
        log_(std::move(log)) {}

  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  absl::Status Run();

 private:
  absl::Status StartHttp();
  // Serves the web page until this object ends, whether this process leads or not.
  absl::Status StartWeb();
  absl::Status CheckReady() const;
  // Waits until this process leads the store. Returns null if it is interrupted first.
  absl::StatusOr<std::unique_ptr<Store>> WaitToLead(uint64_t* epoch);
  // Runs a coordinator until this process is interrupted or another one has taken over. Fails if
  // its port stops answering.
  absl::Status Lead(std::unique_ptr<Store> store, uint64_t epoch);
  absl::Status Listen(Coordinator* coordinator, std::unique_ptr<Server>* server);
  absl::Status CheckListen() const;
  absl::Status CheckStore() const;
  void LogStart() const;
  // Logs what has changed since the last call.
  void LogStore(const absl::Status& now);
  void LogProbes(int failed);
  void NoteCertificates();
  // If asked, reads the token file and the certificates again. Keeps the old ones if they are
  // invalid. The server may be null.
  absl::Status Reload(Coordinator* coordinator, std::unique_ptr<Server>* server);
  void Wait(milliseconds time) const;

  const ServeOptions& options_;
  Server::Options server_options_;
  const Interrupt& interrupt_;
  ReloadSignal& reload_;
  const LogTo log_;
  absl::Status store_status_;
  CoordinatorMetrics metrics_;
  std::atomic<bool> is_leading_ = false;
  std::atomic<bool> is_store_ready_ = false;
  // When the store last said that another coordinator leads. It may hang at any time.
  std::atomic<std::chrono::steady_clock::time_point> other_leads_at_ = {};
  std::atomic<int> failed_probes_ = 0;
  std::unique_ptr<HttpServer> http_;
  LiveGames live_;
  std::unique_ptr<site::SiteServer> site_;
  std::jthread web_thread_;  // runs `site_`
};

void Service::Wait(milliseconds time) const {
  const auto until = std::chrono::steady_clock::now() + time;
  while (!interrupt_.is_asked() && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(kSignalPoll);
  }
}

absl::Status Service::CheckReady() const {
  if (is_leading_ && is_store_ready_) return absl::OkStatus();
  const auto silence = std::chrono::steady_clock::now() - other_leads_at_.load();
  const bool does_other_lead = !is_leading_ && silence < kSilenceMax;
  return absl::UnavailableError(does_other_lead ? "standing by: another coordinator leads"
                                                : "the store is unavailable");
}

absl::Status Service::StartHttp() {
  if (options_.http.empty()) return absl::OkStatus();
  HttpServer::Handlers handlers{.metrics = [this] { return metrics_.Text(); },
                                .is_healthy = [this] { return CheckProbes(failed_probes_); },
                                .is_ready = [this] { return CheckReady(); }};
  ASSIGN_OR_RETURN(http_, HttpServer::Start(options_.http, std::move(handlers)));
  log_({.event = "start",
        .message = "Serving metrics.",
        .fields = {{"http", WithPort(options_.http, http_->port())}}});
  return absl::OkStatus();
}

absl::Status Service::StartWeb() {
  if (options_.web.empty()) return absl::OkStatus();
  const absl::StatusOr<int> socket = ListenAt(options_.web);
  if (!socket.ok()) return ForOption("--web", socket.status());
  RETURN_IF_ERROR(CheckStore());
  const std::string address = AddressOf(*socket);
  const auto open = [this] { return OpenStore(options_.store, OpenMode::kReadOnly); };
  const auto live = [this] { return live_.Watch(LiveGames::Time::clock::now()); };
  ASSIGN_OR_RETURN(site_, site::SiteServer::Make(*socket, options_.web, open, live));
  web_thread_ = std::jthread([this] { site_->Run(); });
  log_({.event = "start", .message = "Serving the web page.", .fields = {{"web", address}}});
  return absl::OkStatus();
}

Service::~Service() {
  if (!site_) return;
  site_->Stop();
  web_thread_.join();
}

absl::StatusOr<std::unique_ptr<Store>> Service::WaitToLead(uint64_t* epoch) {
  std::unique_ptr<Server> no_server;
  std::string said;
  const auto say = [&](const LogEntry& entry, const std::string& why) {
    const std::string what = std::string(entry.message) + why;
    if (what != said) log_(entry);
    said = what;
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
        other_leads_at_ = std::chrono::steady_clock::now();
        say({.event = "lead", .message = "Standing by: another coordinator leads the store."}, "");
        Wait(kRetry);
        RETURN_IF_ERROR(Reload(nullptr, &no_server));
      }
    }
    if (store.ok()) break;
    if (!absl::IsUnavailable(store.status())) return store.status();
    other_leads_at_ = std::chrono::steady_clock::time_point();
    const std::string why(store.status().message());
    say(Warning("store", "Waiting for the store.", why), why);
    Wait(kRetry);
  }
  return std::unique_ptr<Store>();
}

absl::Status Service::Lead(std::unique_ptr<Store> store, uint64_t epoch) {
  Coordinator::Options options;
  options.session.build = kBuildId;
  options.session.leases.ttl = milliseconds(options_.lease_seconds * 1000);
  options.session.leases.heartbeat = options.session.leases.ttl / 6;
  options.replay_threads = options_.replay_threads;
  options.ratings_every = kRatingsEvery;
  options.data_roots = options_.data_roots;
  options.log = log_;
  if (site_) options.live = &live_;
  const auto open_reader = [this] { return OpenStore(options_.store, OpenMode::kReadOnly); };
  ASSIGN_OR_RETURN(const std::unique_ptr<Coordinator> coordinator,
                   Coordinator::Start(options, epoch, std::move(store), open_reader, &metrics_));
  std::unique_ptr<Server> server;
  RETURN_IF_ERROR(Listen(coordinator.get(), &server));
  is_leading_ = true;
  log_({.event = "lead",
        .message = "Leading the store.",
        .fields = {{"epoch", static_cast<int64_t>(epoch)}}});
  store_status_ = absl::OkStatus();
  while (!interrupt_.is_asked()) {
    const absl::Status status = coordinator->status();
    if (absl::IsFailedPrecondition(status)) {
      log_(Warning("lead", "No longer leading the store.", std::string(status.message())));
      break;
    }
    LogStore(status);
    RETURN_IF_ERROR(Reload(coordinator.get(), &server));
    is_store_ready_ = status.ok();
    LogProbes(server->failed_probes());
    if (failed_probes_ >= kFailedProbesMax) break;
    std::this_thread::sleep_for(kSignalPoll);
  }
  is_leading_ = false;
  const int failed_probes = failed_probes_;
  const bool is_deaf = failed_probes >= kFailedProbesMax;
  if (is_deaf) alarm(kStopSeconds);  // ends the process if a hanging server does not
  coordinator->Stop();
  server.reset();
  failed_probes_ = 0;
  return CheckProbes(is_deaf ? failed_probes : 0);
}

void Service::LogStore(const absl::Status& now) {
  if (now.code() == store_status_.code()) return;
  store_status_ = now;
  log_(now.ok() ? LogEntry{.event = "store", .message = "The store works again."}
                : Warning("store", "The store fails.", std::string(now.message())));
}

void Service::LogProbes(int failed) {
  if (failed > 0 && failed_probes_ == 0) {
    log_(Warning("listen", "The port does not answer this coordinator's own calls.", ""));
  } else if (failed == 0 && failed_probes_ > 0) {
    log_({.event = "listen", .message = "The port answers again."});
  }
  failed_probes_ = failed;
}

absl::Status Service::Listen(Coordinator* coordinator, std::unique_ptr<Server>* server) {
  absl::StatusOr<std::unique_ptr<Server>> started =
      Server::Start(server_options_, coordinator, &metrics_);
  // Waiting helps when the store is unavailable, but not when the port is taken.
  if (!started.ok()) return absl::FailedPreconditionError(started.status().message());
  *server = *std::move(started);
  log_({.event = "listen",
        .message = "Listening for workers and operators.",
        .fields = {{"listen", WithPort(options_.listen, (*server)->port())}}});
  return absl::OkStatus();
}

absl::Status Service::Reload(Coordinator* coordinator, std::unique_ptr<Server>* server) {
  if (!reload_.TakeAsked()) return absl::OkStatus();
  absl::StatusOr<Server::Options> read = ReadServerOptions(options_);
  if (!read.ok()) {
    log_(Warning("reload", "Cannot reload. The old tokens and certificates remain valid.",
                 std::string(read.status().message())));
    return absl::OkStatus();
  }
  const bool has_new_tls = read->tls != server_options_.tls;
  server_options_ = *std::move(read);
  NoteCertificates();
  log_({.event = "reload", .message = "Reloaded the tokens and certificates."});
  if (*server && has_new_tls) {
    // gRPC reads certificates only when it begins to listen. Clients repeat their calls.
    server->reset();
    return Listen(coordinator, server);
  }
  if (*server) (*server)->SetAccess(server_options_.access);
  return absl::OkStatus();
}

void Service::LogStart() const {
  log_({.event = "start",
        .message = "Starting a coordinator.",
        .fields = {{"build", BuildIdentity()},
                   {"commit", std::string(kCommit)},
                   {"store", StoreName(options_.store)},
                   {"tls", server_options_.tls ? "yes" : "no"},
                   {"tokens", options_.token_file.empty() ? "no" : "yes"}}});
}

void Service::NoteCertificates() {
  const std::optional<ServerTls>& tls = server_options_.tls;
  const auto note = [&](std::string_view file, const std::string& pem) {
    metrics_.SetCertificateExpiry(file,
                                  pem.empty() ? std::nullopt : std::optional(FirstExpiry(pem)));
  };
  note("tls-cert", tls ? tls->cert : "");
  note("tls-ca", tls ? tls->client_ca : "");
}

// Fails early if the address is taken, so that no new database is left behind. A standby listens
// only when it leads.
absl::Status Service::CheckListen() const {
  if (IsPostgresUrl(options_.store) || std::filesystem::exists(options_.store)) {
    return absl::OkStatus();
  }
  return Listener::Open(options_.listen).status();
}

// Fails early if the file is no database, or creates it. Those who use the store wait for it if it
// is only unavailable.
absl::Status Service::CheckStore() const {
  if (IsPostgresUrl(options_.store)) return absl::OkStatus();
  const absl::Status opened = OpenStore(options_.store, OpenMode::kCreate).status();
  return absl::IsUnavailable(opened) ? absl::OkStatus() : opened;
}

absl::Status Service::Run() {
  LogStart();
  NoteCertificates();
  RETURN_IF_ERROR(StartHttp());
  RETURN_IF_ERROR(CheckListen());
  RETURN_IF_ERROR(StartWeb());
  while (!interrupt_.is_asked()) {
    uint64_t epoch = 0;
    ASSIGN_OR_RETURN(std::unique_ptr<Store> store, WaitToLead(&epoch));
    if (!store) break;
    const absl::Status led = Lead(std::move(store), epoch);
    // The store may have failed after this process took the lead.
    if (!led.ok() && !absl::IsUnavailable(led)) return led;
    if (!led.ok()) {
      log_(Warning("store", "Lost the store.", std::string(led.message())));
      Wait(kRetry);
    }
  }
  return absl::OkStatus();
}

// One thread allocates reported games and another frees them, so that with a heap for each thread
// a flood of reports leaves twice as much memory behind.
void UseOneHeap() {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

int RunServe(const ServeOptions& options) {
  UseOneHeap();
  const absl::Status store = CheckStoreUrl(options.store);
  if (!store.ok()) return UsageError(ForOption("--store", store));
  const absl::Status roots = CheckDataRoots(options.data_roots);
  if (!roots.ok()) return UsageError(roots);
  absl::StatusOr<Server::Options> server = ReadServerOptions(options);
  if (!server.ok()) return UsageError(server.status());
  const Interrupt interrupt;
  ReloadSignal reload;
  LogWriter log(LogFormatOf(options.log_format));
  Service service(options, *std::move(server), interrupt, reload, log.to());
  return log.Finish(service.Run());
}

struct MigrateOptions {
  std::string store;
};

int RunMigrate(const MigrateOptions& options) {
  if (!IsPostgresUrl(options.store) && !std::filesystem::exists(options.store)) {
    return Fail(absl::NotFoundError("there is no database " + options.store));
  }
  const auto store = OpenStore(options.store, OpenMode::kCreate);
  if (!store.ok()) return Fail(store.status());
  Print("the schema is up to date\n");
  return kExitDone;
}

void AddStoreOption(const Command& command, std::string* store) {
  command
      .AddText({"--store", "STORE",
                "Record everything in this database: an SQLite file, or\n"
                "postgresql://USER@HOST/DATABASE"},
               store)
      .Required();
}

void AddServe(const Command& app) {
  auto options = std::make_shared<ServeOptions>();
  const Command command = app.AddCommand("serve", "Run a coordinator.");
  AddStoreOption(command, &options->store);
  AddAddressOption(command,
                   {"--listen", "HOST:PORT",
                    "Listen here for workers and operators; port 0 means a free one\n"
                    "(default: " +
                        options->listen + ")"},
                   &options->listen);
  AddAddressOption(command, {"--http", "HOST:PORT", "Serve /metrics, /healthz and /readyz here"},
                   &options->http);
  AddAddressOption(command,
                   {"--web", "HOST:PORT",
                    "Serve the web page here, with games in progress, as `triarch web` does;\n"
                    "anyone who can reach the address can read all tournaments"},
                   &options->web);
  command.AddText({"--tls-cert", "FILE", "PEM file of the certificate"}, &options->tls_cert);
  command.AddText({"--tls-key", "FILE", "PEM file of its private key"}, &options->tls_key);
  command.AddText({"--tls-ca", "FILE", "Require client certificates from this authority"},
                  &options->tls_ca);
  command.AddText({"--token-file", "FILE",
                   "Accept these tokens, one per line: \"ROLE SECRET [NAME] [QUOTA=N]...\",\n"
                   "with the role worker, operator or user"},
                  &options->token_file);
  command.AddNumber(
      {"--lease-seconds", "N", "Reassign the games of a worker that is silent for N s"},
      {1, 86'400}, &options->lease_seconds);
  command.AddNumber(
      {"--replay-threads", "N", "Replay reported games in N threads before recording them"},
      {1, 256}, &options->replay_threads);
  AddDataRootOption(command, &options->data_roots);
  AddLogFormatOption(command, &options->log_format);
  command.Footer(
      "A second coordinator on the same PostgreSQL database stands by and takes over when the\n"
      "first one dies or hangs.\n\n"
      "Examples:\n"
      "  triarch serve --store postgresql://triarch@localhost/triarch --http 127.0.0.1:9080\n"
      "  triarch serve --store games.db --web 127.0.0.1:8081");
  command.OnRun(options, RunServe);
}

void AddMigrate(const Command& app) {
  auto options = std::make_shared<MigrateOptions>();
  const Command command =
      app.AddCommand("migrate", "Update the schema of a store, as `triarch serve` also does.");
  AddStoreOption(command, &options->store);
  command.Footer("Example:\n  triarch migrate --store postgresql://triarch@localhost/triarch");
  command.OnRun(options, RunMigrate);
}

}  // namespace

void AddServeCommands(const Command& app) {
  AddServe(app);
  AddMigrate(app);
}

}  // namespace triarch
