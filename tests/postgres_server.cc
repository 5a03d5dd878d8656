#include "tests/postgres_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/check.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUser = "triarch";
constexpr absl::Duration kStartTime = absl::Seconds(60);
constexpr absl::Duration kStep = absl::Milliseconds(10);

[[noreturn]] void Fail(const std::string& why) {
  absl::FPrintF(stderr, "the test's PostgreSQL: %s\n", why);
  std::abort();
}

// Returns a program of the newest installed version.
std::string ProgramPath(const std::string& name) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", error)) {
    const std::string path = entry.path() / "bin" / name;
    if (fs::exists(path)) found.push_back(path);
  }
  if (found.empty()) Fail("missing /usr/lib/postgresql/*/bin/" + name + "; install postgresql");
  return *std::max_element(found.begin(), found.end());
}

// Returns the user that runs the server, because PostgreSQL refuses to run as root.
const passwd* OtherUser() {
  if (geteuid() != 0) return nullptr;
  const passwd* user = getpwnam("postgres");
  if (user == nullptr) user = getpwnam("nobody");
  if (user == nullptr) Fail("no user named postgres or nobody");
  return user;
}

// Starts a program and appends its output to a file.
pid_t Spawn(const std::vector<std::string>& arguments, const std::string& log) {
  const passwd* user = OtherUser();
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  if (user != nullptr && (setgroups(1, &user->pw_gid) != 0 || setgid(user->pw_gid) != 0 ||
                          setuid(user->pw_uid) != 0)) {
    _exit(126);
  }
  // The server stops as soon as its test has ended. Set after setuid, which would reset it.
  prctl(PR_SET_PDEATHSIG, SIGQUIT);
  execv(argv[0], argv.data());
  _exit(127);
}

std::string FileText(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

int FreePort() {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const absl::Cleanup close_it = [descriptor] { close(descriptor); };
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  CHECK(bind(descriptor, reinterpret_cast<sockaddr*>(&address), size) == 0);
  CHECK(getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  return ntohs(address.sin_port);
}

// Returns the child processes of a process.
std::vector<pid_t> ChildrenOf(pid_t process) {
  std::ifstream file(absl::StrFormat("/proc/%d/task/%d/children", process, process));
  std::vector<pid_t> children;
  for (pid_t child = 0; file >> child;) children.push_back(child);
  return children;
}

}  // namespace

PostgresServer::PostgresServer() {
  if (const passwd* user = OtherUser(); user != nullptr) {
    CHECK(chown(folder_.path().c_str(), user->pw_uid, user->pw_gid) == 0);
  }
  const std::string log = folder_ / "initdb.log";
  const pid_t child = Spawn({ProgramPath("initdb"), "--pgdata=" + DataFolder(), "--auth=trust",
                             "--no-sync", "--no-instructions", "--encoding=UTF8",
                             "--locale=C.UTF-8", absl::StrFormat("--username=%s", kUser)},
                            log);
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) Fail("initdb: " + FileText(log));
  Start();
}

PostgresServer::~PostgresServer() {
  if (is_running()) Kill();
}

PostgresServer& PostgresServer::Shared() {
  static PostgresServer server;
  if (!server.is_running()) server.Start();
  return server;
}

void PostgresServer::Start() {
  CHECK(!is_running());
  // The port may have been taken since then, and processes of a killed server may still be ending.
  const absl::Time deadline = absl::Now() + kStartTime;
  if (port_ == 0) port_ = FreePort();
  while (!TryStart()) {
    if (absl::Now() > deadline) Fail(FileText(folder_ / "server.log"));
    if (databases_ == 0) port_ = FreePort();
    absl::SleepFor(10 * kStep);
  }
}

bool PostgresServer::TryStart() {
  process_ = Spawn({ProgramPath("postgres"), "-D", DataFolder(), "-k", socket_folder(), "-p",
                    std::to_string(port_), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off",
                    "-c", "full_page_writes=off", "-c", "shared_buffers=32MB", "-c",
                    "max_connections=40", "-c", "max_wal_size=256MB"},
                   folder_ / "server.log");
  const absl::Time deadline = absl::Now() + kStartTime;
  const std::string url = Url("postgres");
  while (PQping(url.c_str()) != PQPING_OK) {
    if (waitpid(process_, nullptr, WNOHANG) == process_) {
      process_ = 0;
      return false;
    }
    if (absl::Now() > deadline) Fail(FileText(folder_ / "server.log"));
    absl::SleepFor(kStep);
  }
  return true;
}

void PostgresServer::Stop() {
  CHECK(is_running());
  kill(process_, SIGINT);
  waitpid(process_, nullptr, 0);
  process_ = 0;
}

void PostgresServer::Kill() {
  CHECK(is_running());
  const std::vector<pid_t> children = ChildrenOf(process_);
  kill(process_, SIGKILL);
  for (const pid_t child : children) kill(child, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = 0;
}

void PostgresServer::RequirePassword(const std::string& role) {
  const std::string path = DataFolder() + "/pg_hba.conf";
  const std::string others = FileText(path);  // the first matching line wins
  std::ofstream(path) << "local all " << role << " scram-sha-256\nhost all " << role
                      << " all scram-sha-256\n"
                      << others;
  Ask("postgres", "SELECT pg_reload_conf()");
  absl::SleepFor(absl::Milliseconds(100));  // the server reloads asynchronously
}

std::string PostgresServer::Url(std::string_view database) const {
  return absl::StrFormat("postgresql:///%s?host=%s&port=%d&user=%s", std::string(database),
                         socket_folder(), port_, kUser);
}

std::string PostgresServer::TcpUrl(std::string_view database) const {
  return absl::StrFormat("postgresql://%s@127.0.0.1:%d/%s", kUser, port_, std::string(database));
}

void PostgresServer::CreateDatabase(const std::string& name) {
  Ask("postgres", "CREATE DATABASE " + name);
}

std::string PostgresServer::NewDatabase() {
  std::string name = absl::StrFormat("test_%d", ++databases_);
  CreateDatabase(name);
  return name;
}

std::string PostgresServer::Ask(std::string_view database, const std::string& sql) const {
  const std::unique_ptr<PGconn, decltype(&PQfinish)> connection(PQconnectdb(Url(database).c_str()),
                                                                PQfinish);
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection.get(), sql.c_str()),
                                                             PQclear);
  const ExecStatusType status = PQresultStatus(result.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
    Fail(sql + ": " + PQerrorMessage(connection.get()));
  }
  return PQntuples(result.get()) == 0 ? std::string() : PQgetvalue(result.get(), 0, 0);
}

}  // namespace triarch
