#include "tests/cluster/cluster.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "core/base/text.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr milliseconds kPoll{20};
constexpr std::chrono::seconds kCallTime{1};
constexpr std::chrono::seconds kCommandTime{60};

sockaddr_in LoopbackAddress(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  return address;
}

std::unique_ptr<v1::TournamentService::Stub> StubOf(int port) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 50);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 100);
  return v1::TournamentService::NewStub(
      grpc::CreateCustomChannel(Loopback(port), grpc::InsecureChannelCredentials(), arguments));
}

// Removes every value of that key, at any depth.
void Remove(Json& json, const std::string& key) {
  if (json.is_object()) json.erase(key);
  if (!json.is_structured()) return;
  for (auto& value : json) Remove(value, key);
}

}  // namespace

Arguments operator+(Arguments a, const Arguments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Ran Triarch(const Arguments& arguments) {
  const auto program = StartTriarch(arguments);
  if (program->EndsWithin(kCommandTime)) return program->Wait();
  std::string words;
  for (const std::string& argument : arguments) words += " " + argument;
  ADD_FAILURE() << "it does not exit: triarch" << words;
  program->Signal(SIGKILL);
  return program->Wait();
}

std::unique_ptr<StartedProgram> StartTriarch(const Arguments& arguments, const Arguments& starter) {
  return std::make_unique<StartedProgram>(
      TRIARCH_SETPRIV,
      Arguments{"--pdeathsig", "KILL"} + starter + Arguments{TRIARCH_BINARY} + arguments);
}

int FreePort() {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const absl::Cleanup close_it = [descriptor] { close(descriptor); };
  sockaddr_in address = LoopbackAddress(0);
  socklen_t size = sizeof(address);
  EXPECT_EQ(bind(descriptor, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size), 0);
  return ntohs(address.sin_port);
}

std::string Loopback(int port) { return "127.0.0.1:" + std::to_string(port); }

bool WaitUntil(const std::function<bool()>& is_true, milliseconds time) {
  const auto deadline = Clock::now() + time;
  while (!is_true()) {
    if (Clock::now() > deadline) return false;
    std::this_thread::sleep_for(kPoll);
  }
  return true;
}

HttpResponse HttpGet(int port, const std::string& path, const std::string& host) {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const absl::Cleanup close_it = [descriptor] { close(descriptor); };
  sockaddr_in address = LoopbackAddress(port);
  EXPECT_EQ(inet_pton(AF_INET, host.c_str(), &address.sin_addr), 1) << host;
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    return {};
  }
  const std::string request =
      "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  if (send(descriptor, request.data(), request.size(), MSG_NOSIGNAL) < 0) return {};
  std::string answer;
  std::array<char, 4096> some;
  for (ssize_t got = 0; (got = read(descriptor, some.data(), some.size())) > 0;) {
    answer.append(some.data(), static_cast<size_t>(got));
  }
  if (answer.size() < 12) return {};
  const size_t body = answer.find("\r\n\r\n");
  return {std::atoi(answer.c_str() + 9), body == std::string::npos ? "" : answer.substr(body + 4)};
}

uint64_t FaultSeed() {
  static const uint64_t kSeed = [] {
    const char* const given = std::getenv("TRIARCH_FAULT_SEED");
    const uint64_t seed =
        given != nullptr
            ? ParseUint64(given).value_or(1)
            : static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
    std::printf("TRIARCH_FAULT_SEED=%llu\n", static_cast<unsigned long long>(seed));
    return seed;
  }();
  return kSeed;
}

// ---- Tournaments.

Tournament SlowTournament() {
  return {
      "game: triumvirate\n"
      "bots:\n"
      "  - random\n"
      "  - greedy\n"
      "  - {name: mcts-40, bot: mcts, nodes: 40}\n"
      "  - {name: paranoid-200, bot: paranoid, nodes: 200}\n"
      "games: 240\n"
      "seed: 5\n",
      240};
}

Tournament SmallTournament() {
  return {"game: three-way\nbots: [random, greedy, paranoid:nodes=50]\ngames: 24\nseed: 3\n", 24};
}

// Removes the columns "ms" and "cpu ms" between faults and nodes, whose width depends on their
// numbers. Each of the three columns exists only if some bot has a value in it.
std::string WithoutTimes(const std::string& standings) {
  Json json = Json::parse(standings, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << standings;
  Remove(json, "time_per_move_ms");
  Remove(json, "cpu_per_move_ms");
  Remove(json, "audits");
  return json.dump(1);
}

const Played& Undisturbed(const Tournament& tournament) {
  static std::map<std::string, Played> known;
  Played& played = known[tournament.yaml];
  if (!played.tpgn.empty()) return played;
  const TemporaryFolder folder;
  const std::string db = folder / "run.db";
  const std::string tpgn = folder / "run.tpgn";
  WriteWholeFile(folder / "t.yaml", tournament.yaml);
  const Ran ran = StartTriarch({"run", folder / "t.yaml", "--db", db, "--tpgn", tpgn})->Wait();
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  played.tpgn = ReadWholeFile(tpgn);
  played.standings = WithoutTimes(Triarch({"standings", "--db", db, "--json"}).out);
  return played;
}

// ---- The cluster.

Cluster::Cluster(Arguments serve, Arguments client, Open open)
    : serve_(std::move(serve)),
      client_(std::move(client)),
      postgres_(PostgresServer::Shared()),
      database_(postgres_.NewDatabase()),
      ports_{FreePort(), FreePort()},
      http_ports_{FreePort(), FreePort()} {
  for (const int port : ports_) stubs_.push_back(StubOf(port));
  if (open == Open::kToLoopback) return;
  listen_host_ = "0.0.0.0";
  token_ = "operator-0123456789";
  WriteWholeFile(folder_ / "tokens", "operator " + token_ + "\nworker worker-0123456789\n");
  serve_ = serve_ + Arguments{"--token-file", folder_ / "tokens"};
  client_ = client_ + Arguments{"--token-file", folder_ / "tokens"};
}

void Cluster::Serve(int number) {
  coordinators_[number] = nullptr;
  Arguments arguments = {"serve", "--listen", listen_host_ + ":" + std::to_string(port(number)),
                         "--http", Loopback(http_ports_.at(static_cast<size_t>(number)))};
  const bool has_store = std::find(serve_.begin(), serve_.end(), "--store") != serve_.end();
  if (!has_store) arguments = arguments + Arguments{"--store", postgres_.TcpUrl(database_)};
  coordinators_[number] = StartTriarch(arguments + serve_);
}

void Cluster::Lead(int number) {
  Serve(number);
  EXPECT_TRUE(WaitUntil([&] { return Leads(number); })) << "no coordinator";
}

bool Cluster::Leads(int number) const {
  return HttpGet(http_ports_.at(static_cast<size_t>(number)), "/readyz").status == 200;
}

void Cluster::Kill(int number) {
  coordinators_.at(number)->Signal(SIGKILL);
  coordinators_.at(number)->Wait();
}

StartedProgram& Cluster::Work(const std::string& name, const Arguments& flags,
                              const Arguments& starter) {
  workers_.erase(name);
  Arguments arguments = {"work", "--name", name};
  const bool is_told = std::find(flags.begin(), flags.end(), "--coordinator") != flags.end();
  if (!is_told) arguments = arguments + Arguments{"--coordinator", address()};
  const bool has_slots = std::find(flags.begin(), flags.end(), "--slots") != flags.end();
  if (!has_slots) arguments = arguments + Arguments{"--slots", "2"};
  const bool has_cache = std::find(flags.begin(), flags.end(), "--bot-cache") != flags.end();
  if (!has_cache) arguments = arguments + Arguments{"--bot-cache", folder_ / "bots"};
  workers_[name] = StartTriarch(arguments + flags + client_, starter);
  return *workers_[name];
}

Ran Cluster::Operate(const Arguments& command) const {
  return Triarch(command + Arguments{"--coordinator", addresses()} + client_);
}

int64_t Cluster::Submit(const Tournament& tournament) {
  WriteWholeFile(folder_ / "tournament.yaml", tournament.yaml);
  const Ran ran = Operate({"submit", folder_ / "tournament.yaml"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return ParseInt64(Trim(ran.out)).value_or(-1);
}

absl::StatusOr<v1::Tournament> Cluster::Get(int64_t id) const {
  grpc::Status status;
  for (const auto& stub : stubs_) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kCallTime);
    if (!token_.empty()) context.AddMetadata("authorization", "Bearer " + token_);
    v1::GetRequest request;
    v1::GetResponse response;
    request.set_tournament(id);
    status = stub->Get(&context, request, &response);
    if (status.ok()) return response.tournament();
  }
  return absl::UnavailableError(status.error_message());
}

int64_t Cluster::GamesDone(int64_t id) const {
  const auto tournament = Get(id);
  return tournament.ok() ? tournament->done() : -1;
}

bool Cluster::WaitForGames(int64_t id, int64_t games) const {
  return WaitUntil([&] { return GamesDone(id) >= games; });
}

std::string Cluster::Logs() const {
  std::string logs;
  for (const auto& [name, worker] : workers_) {
    worker->Signal(SIGKILL);
    logs += name + ":\n" + worker->Wait().err;
  }
  for (const auto& [number, coordinator] : coordinators_) {
    coordinator->Signal(SIGKILL);
    logs += "coordinator " + std::to_string(number) + ":\n" + coordinator->Wait().err;
  }
  return logs;
}

void Cluster::ExpectUndisturbed(int64_t id, const Tournament& tournament) const {
  const Played& expected = Undisturbed(tournament);
  const bool is_done = WaitUntil([&] {
    const auto now = Get(id);
    return now.ok() && now->state() == "done";
  });
  const auto last = Get(id);
  ASSERT_TRUE(is_done) << (last.ok() ? last->DebugString() : last.status().ToString())
                       << Operate({"list"}).out << Logs();
  const std::string where = " FROM games WHERE tournament = " + std::to_string(id);
  const std::string asked = std::to_string(tournament.games);
  EXPECT_EQ(postgres_.Ask(database_, "SELECT count(*)" + where), asked);
  EXPECT_EQ(postgres_.Ask(database_, "SELECT count(DISTINCT idx)" + where), asked);
  EXPECT_EQ(postgres_.Ask(database_, "SELECT sum(last - first) FROM ledger WHERE tournament = " +
                                         std::to_string(id)),
            asked);
  const std::string number = std::to_string(id);
  const std::string tpgn = folder_ / "games.tpgn";
  const Ran games = Operate({"games", number, "--tpgn", tpgn});
  ASSERT_EQ(games.exit_code, 0) << games.err;
  EXPECT_TRUE(ReadWholeFile(tpgn) == expected.tpgn) << "the games differ from those of one machine";
  const Ran standings = Operate({"standings", number, "--json"});
  EXPECT_EQ(standings.exit_code, 0) << standings.err;
  EXPECT_EQ(WithoutTimes(standings.out), expected.standings);
}

}  // namespace triarch
