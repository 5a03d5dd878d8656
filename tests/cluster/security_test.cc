// Tests a coordinator with unauthorized, malformed and dishonest callers.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cluster/authority.h"
#include "tests/cluster/cluster.h"

namespace triarch {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr const char* kWorkerToken = "worker-0123456789abcdef";
constexpr const char* kOperatorToken = "operator-0123456789abcdef";

// A caller that sends arbitrary messages.
class Caller {
 public:
  explicit Caller(
      const std::string& address, std::string token = "",
      std::shared_ptr<grpc::ChannelCredentials> credentials = grpc::InsecureChannelCredentials())
      : token_(std::move(token)) {
    grpc::ChannelArguments arguments;
    arguments.SetMaxSendMessageSize(-1);
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // do not reuse a dead coordinator's
    const auto channel = grpc::CreateCustomChannel(address, credentials, arguments);
    worker_ = v1::WorkerService::NewStub(channel);
    operator_ = v1::TournamentService::NewStub(channel);
  }

  template <class Stub, class Request, class Response>
  grpc::Status Call(Stub& stub,
                    grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                    const Request& request, Response* response) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
    context.set_wait_for_ready(true);
    if (!token_.empty()) context.AddMetadata("authorization", "Bearer " + token_);
    return (stub.*method)(&context, request, response);
  }
  template <class Request, class Response>
  grpc::Status Ask(grpc::Status (v1::WorkerService::Stub::*method)(grpc::ClientContext*,
                                                                   const Request&, Response*),
                   const Request& request, Response* response) {
    return Call(*worker_, method, request, response);
  }
  template <class Request, class Response>
  grpc::Status Ask(grpc::Status (v1::TournamentService::Stub::*method)(grpc::ClientContext*,
                                                                       const Request&, Response*),
                   const Request& request, Response* response) {
    return Call(*operator_, method, request, response);
  }
  template <class Method, class Request, class Response>
  grpc::StatusCode Code(Method method, const Request& request, Response response) {
    return Ask(method, request, &response).error_code();
  }

  // Returns the status of each type of worker call.
  std::vector<grpc::StatusCode> AllWorkerCalls() {
    using Stub = v1::WorkerService::Stub;
    return {Code(&Stub::Register, v1::RegisterRequest(), v1::RegisterResponse()),
            Code(&Stub::Lease, v1::LeaseRequest(), v1::LeaseResponse()),
            Code(&Stub::Heartbeat, v1::HeartbeatRequest(), v1::HeartbeatResponse()),
            Code(&Stub::Report, v1::ReportRequest(), v1::ReportResponse()),
            Code(&Stub::Release, v1::ReleaseRequest(), v1::ReleaseResponse())};
  }
  std::vector<grpc::StatusCode> AllOperatorCalls() {
    using Stub = v1::TournamentService::Stub;
    return {Code(&Stub::Submit, v1::SubmitRequest(), v1::SubmitResponse()),
            Code(&Stub::List, v1::ListRequest(), v1::ListResponse()),
            Code(&Stub::Get, v1::GetRequest(), v1::GetResponse()),
            Code(&Stub::SetState, v1::SetStateRequest(), v1::SetStateResponse()),
            Code(&Stub::Delete, v1::DeleteRequest(), v1::DeleteResponse()),
            Code(&Stub::Prune, v1::PruneRequest(), v1::PruneResponse()),
            Code(&Stub::SetPrecedence, v1::SetPrecedenceRequest(), v1::SetPrecedenceResponse()),
            Code(&Stub::Evict, v1::EvictRequest(), v1::EvictResponse()),
            Code(&Stub::Unquarantine, v1::UnquarantineRequest(), v1::UnquarantineResponse()),
            Code(&Stub::Standings, v1::StandingsRequest(), v1::StandingsResponse()),
            Code(&Stub::Games, v1::GamesRequest(), v1::GamesResponse())};
  }

 private:
  const std::string token_;
  std::unique_ptr<v1::WorkerService::Stub> worker_;
  std::unique_ptr<v1::TournamentService::Stub> operator_;
};

// Returns a valid registration, for tests to modify.
// Returns the build whose bots the coordinator lets play.
std::string OurBuild() {
  const std::string version = Triarch({"--version"}).out;
  const size_t plus = version.find('+', version.find("identity"));
  return version.substr(plus + 1, version.find('\n', plus) - plus - 1);
}

v1::RegisterRequest GoodWorker(const std::string& name) {
  v1::RegisterRequest request;
  request.set_protocol(1);
  request.mutable_worker()->set_name(name);
  request.mutable_worker()->set_instance(7);
  request.set_slots(2);
  for (const char* game : {"triumvirate", "three-way", "tri-d"}) request.add_games(game);
  const std::string build = OurBuild();
  for (const char* type : {"random", "greedy", "smart", "paranoid", "maxn", "mcts"}) {
    v1::HostedBot* const bot = request.add_bots();
    bot->set_type(type);
    bot->set_digest(build);
  }
  request.set_build("test");
  return request;
}

TEST(Security, WithoutATokenOnlyHealthIsServed) {
  const TemporaryFolder folder;
  WriteWholeFile(folder / "tokens",
                 std::string("worker ") + kWorkerToken + "\noperator " + kOperatorToken + "\n");
  WriteWholeFile(folder / "worker", std::string("worker ") + kWorkerToken + "\n");
  Cluster cluster({"--token-file", folder / "tokens"}, {"--token-file", folder / "tokens"});
  cluster.Lead();
  using grpc::StatusCode;
  for (const std::string token : {"", "wrong-0123456789abcdef", "worker-0123456789abcde"}) {
    Caller caller(cluster.address(), token);
    for (const StatusCode code : caller.AllWorkerCalls()) {
      EXPECT_EQ(code, StatusCode::UNAUTHENTICATED);
    }
    for (const StatusCode code : caller.AllOperatorCalls()) {
      EXPECT_EQ(code, StatusCode::UNAUTHENTICATED);
    }
  }
  Caller worker(cluster.address(), kWorkerToken);
  for (const StatusCode code : worker.AllOperatorCalls()) {
    EXPECT_EQ(code, StatusCode::PERMISSION_DENIED);
  }
  Caller op(cluster.address(), kOperatorToken);
  for (const StatusCode code : op.AllWorkerCalls()) EXPECT_EQ(code, StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(HttpGet(cluster.http_port(), "/healthz").status, 200);

  // The same with the real program, with and without a token.
  EXPECT_EQ(Triarch({"list", "--coordinator", cluster.address()}).exit_code, 1);
  EXPECT_EQ(Triarch({"work", "--coordinator", cluster.address()}).exit_code, 1);
  EXPECT_EQ(Triarch({"list", "--coordinator", cluster.address(), "--token-file", folder / "worker"})
                .exit_code,
            2);
  cluster.Work("anna");
  const Tournament tournament = SmallTournament();
  const int64_t id = cluster.Submit(tournament);
  EXPECT_EQ(cluster.Operate({"watch", std::to_string(id)}).exit_code, 0);
}

TEST(Security, OnlyLoopbackNeedsNoToken) {
  const TemporaryFolder folder;
  for (const std::string host : {"127.evil.example", "127.0.0.1.evil.example", "0.0.0.0", "[::]"}) {
    const Ran ran = Triarch({"serve", "--store", folder / "s.db", "--listen", host + ":7071"});
    EXPECT_EQ(ran.exit_code, 2) << host;
    EXPECT_THAT(ran.err, HasSubstr(host + ":7071 can be reached from other machines"));
  }
}

// ---- The location of self-play data, which whoever submits a run chooses.

Ran SubmitSelfplay(const Cluster& cluster, const std::string& data) {
  const std::string file = cluster.folder() / "selfplay.yaml";
  WriteWholeFile(file,
                 "game: tri-d\nmode: selfplay\nbots: [random]\ngames: 6\n"
                 "adjudication: {plies_max: 40}\noutput: {data: '" +
                     data + "'}\n");
  return cluster.Operate({"submit", file});
}

TEST(Security, DataStaysBelowItsRoots) {
  const TemporaryFolder folder;
  const std::string root = folder / "root";
  const std::string elsewhere = folder / "elsewhere";
  std::filesystem::create_directories(root);
  std::filesystem::create_directories(elsewhere);
  std::filesystem::create_symlink(elsewhere, root + "/link");
  const Arguments flags = {"--data-root", root, "--data-root", "s3://lab/runs"};
  Cluster cluster(flags);
  cluster.Lead();
  for (const std::string& data :
       {elsewhere, root + "/../elsewhere/run", root + "/new/../../elsewhere", root + "/link",
        root + "/link/run", root + "-2", std::string("s3://lab/runs-2"),
        std::string("s3://lab/runs/7?endpoint=http://127.0.0.1:9"),
        std::string("s3://other/runs")}) {
    const Ran ran = SubmitSelfplay(cluster, data);
    EXPECT_EQ(ran.exit_code, 1) << data;
    EXPECT_THAT(ran.err, AllOf(HasSubstr("its data cannot be stored: "),
                               HasSubstr(" is not an allowed data location; expected one below " +
                                         root + " or s3://lab/runs")));
  }
  ASSERT_EQ(SubmitSelfplay(cluster, root + "/run").exit_code, 0);

  // Workers do not rely on the coordinator.
  cluster.Work("anna");
  cluster.Work("bert", {"--data-root", elsewhere});
  const std::string refusal =
      "cannot play tournament 1: " + root + "/run is not an allowed data location; ";
  EXPECT_TRUE(WaitUntil([&] {
    const std::string list = cluster.Operate({"list"}).out;
    return list.find(refusal + "no --data-root was given") != std::string::npos &&
           list.find(refusal + "expected one below " + elsewhere) != std::string::npos;
  })) << cluster.Operate({"list"}).out;
  EXPECT_EQ(cluster.GamesDone(1), 0);
  cluster.Work("carl", flags);
  EXPECT_EQ(cluster.Operate({"watch", "1"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(root + "/run/shards"));
  EXPECT_TRUE(std::filesystem::is_empty(elsewhere));
}

TEST(Security, WithoutADataRootThereIsNoSelfplay) {
  const TemporaryFolder folder;
  Cluster cluster;
  cluster.Lead();
  const Ran ran = SubmitSelfplay(cluster, folder / "run");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("no --data-root was given"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  for (const Arguments& command : {Arguments{"serve", "--store", folder / "s.db"},
                                   Arguments{"work", "--coordinator", "a:1"}}) {
    const Ran wrong = Triarch(command + Arguments{"--data-root", "ftp://host/x"});
    EXPECT_EQ(wrong.exit_code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("--data-root: unsupported location \"ftp\"://"));
  }
}

// ---- TLS with a temporary certificate authority.

TEST(Security, TlsRequiresTheRightAuthority) {
  const Authority ours("ours");
  const Authority theirs("theirs");
  Cluster cluster(ours.ServeFlags(false), ours.ClientFlags(false));
  cluster.Lead();
  cluster.Work("anna");
  const int64_t id = cluster.Submit(SmallTournament());
  EXPECT_EQ(cluster.Operate({"watch", std::to_string(id)}).exit_code, 0);
  const Arguments list = {"list", "--coordinator", cluster.address()};
  EXPECT_EQ(Triarch(list + theirs.ClientFlags(false)).exit_code, 1);
  EXPECT_EQ(Triarch(list).exit_code, 1);  // without TLS
}

TEST(Security, TlsWithClientCertificates) {
  const Authority ours("ours");
  const Authority theirs("theirs");
  Cluster cluster(ours.ServeFlags(true), ours.ClientFlags(true));
  cluster.Lead();
  cluster.Work("anna");
  const int64_t id = cluster.Submit(SmallTournament());
  EXPECT_EQ(cluster.Operate({"watch", std::to_string(id)}).exit_code, 0);
  const Arguments list = {"list", "--coordinator", cluster.address()};
  EXPECT_EQ(Triarch(list + ours.ClientFlags(false)).exit_code, 1) << "without a certificate";
  EXPECT_EQ(Triarch(list + Arguments{"--tls-ca", ours.ca(), "--tls-cert", theirs.Cert("client"),
                                     "--tls-key", theirs.Key("client")})
                .exit_code,
            1)
      << "with a certificate from another authority";
}

TEST(Security, RefusesCertificatesThatCannotWork) {
  const Authority ours("ours");
  const TemporaryFolder folder;
  WriteWholeFile(folder / "nonsense", "nonsense\n");
  const auto why_not = [&](const std::string& cert, const std::string& key, const std::string& ca) {
    const Ran ran = Triarch({"serve", "--store", folder / "x.db", "--listen", "127.0.0.1:0",
                             "--tls-cert", cert, "--tls-key", key, "--tls-ca", ca});
    EXPECT_EQ(ran.exit_code, 2);
    return ran.err;
  };
  const std::string cert = ours.Cert("server"), key = ours.Key("server");
  EXPECT_THAT(why_not(cert, ours.Key("client"), ours.ca()),
              HasSubstr("--tls-key is not the key of the certificate in --tls-cert"));
  EXPECT_THAT(why_not(folder / "nonsense", key, ours.ca()), HasSubstr("--tls-cert holds no"));
  EXPECT_THAT(why_not(cert, folder / "nonsense", ours.ca()), HasSubstr("--tls-key holds no"));
  EXPECT_THAT(why_not(cert, key, folder / "nonsense"), HasSubstr("--tls-ca holds no"));
}

// ---- Messages that no honest worker sends.

TEST(Security, RejectsOversizedAndMalformedMessages) {
  Cluster cluster;
  cluster.Lead();
  Caller caller(cluster.address());
  using Stub = v1::WorkerService::Stub;
  using grpc::StatusCode;

  v1::RegisterRequest large = GoodWorker("large");
  large.set_build(std::string(65 << 20, 'x'));
  EXPECT_EQ(caller.Code(&Stub::Register, large, v1::RegisterResponse()),
            StatusCode::RESOURCE_EXHAUSTED);
  v1::SubmitRequest spec;
  spec.set_spec_json(std::string(9 << 20, '['));
  EXPECT_EQ(caller.Code(&v1::TournamentService::Stub::Submit, spec, v1::SubmitResponse()),
            StatusCode::INVALID_ARGUMENT);
  spec.set_spec_json(std::string(1 << 20, '['));  // deeply nested
  EXPECT_EQ(caller.Code(&v1::TournamentService::Stub::Submit, spec, v1::SubmitResponse()),
            StatusCode::INVALID_ARGUMENT);

  v1::RegisterRequest other = GoodWorker("other");
  other.set_protocol(2);
  v1::RegisterResponse response;
  const grpc::Status refused = caller.Ask(&Stub::Register, other, &response);
  EXPECT_EQ(refused.error_code(), StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(refused.error_message(), HasSubstr("version"));

  std::vector<v1::RegisterRequest> bad(5, GoodWorker("bad"));
  bad[0].set_slots(-1);
  bad[1].mutable_worker()->set_name("");
  bad[2].mutable_worker()->set_name(std::string(300, 'x'));
  bad[3].mutable_worker()->set_name("two\nlines");
  bad[4].set_slots(int64_t{1} << 60);
  for (const v1::RegisterRequest& request : bad) {
    EXPECT_EQ(caller.Code(&Stub::Register, request, v1::RegisterResponse()),
              StatusCode::INVALID_ARGUMENT)
        << request.ShortDebugString();
  }
  // Bytes that are not a message, or one with unknown fields.
  Random random(FaultSeed());
  SCOPED_TRACE("TRIARCH_FAULT_SEED=" + std::to_string(FaultSeed()));
  for (int i = 0; i < 300; ++i) {
    v1::ReportRequest report;
    report.mutable_worker()->set_name("bad");
    report.set_token(random.Next());
    v1::Game* const game = report.add_games();
    game->set_index(static_cast<int64_t>(random.Next()));
    std::string text;
    for (uint32_t n = random.Below(60); n > 0; --n) text += static_cast<char>(random.Below(128));
    game->set_moves(text);
    game->set_termination(text);
    game->add_places(random.Below(5));
    game->add_clock_ms(-static_cast<int64_t>(random.Next() >> 1));
    game->add_eval(1e308 * 10);
    EXPECT_THAT(caller.Code(&Stub::Report, report, v1::ReportResponse()),
                AnyOf(StatusCode::INVALID_ARGUMENT, StatusCode::NOT_FOUND));
  }
  EXPECT_EQ(cluster.Operate({"list"}).exit_code, 0) << "the coordinator died";
  EXPECT_TRUE(cluster.Leads(0));
}

// A worker's text must neither control an operator's terminal nor look like another line.
TEST(Security, AWorkersReasonIsShownAsText) {
  Cluster cluster;
  cluster.Lead();
  cluster.Submit(SmallTournament());
  Caller worker(cluster.address());
  using Stub = v1::WorkerService::Stub;
  const v1::RegisterRequest self = GoodWorker("odd");
  ASSERT_EQ(worker.Code(&Stub::Register, self, v1::RegisterResponse()), grpc::StatusCode::OK);
  v1::LeaseRequest ask;
  *ask.mutable_worker() = self.worker();
  v1::LeaseResponse lease;
  ASSERT_TRUE(worker.Ask(&Stub::Lease, ask, &lease).ok());
  v1::ReleaseRequest release;
  *release.mutable_worker() = self.worker();
  release.add_tokens(lease.lease().token());
  release.set_why("odd\nforged  quarantined\x1b[2J\u009b2J\u202e");
  ASSERT_EQ(worker.Code(&Stub::Release, release, v1::ReleaseResponse()), grpc::StatusCode::OK);
  EXPECT_THAT(cluster.Operate({"list"}).out,
              HasSubstr("cannot play tournament 1: odd forged  quarantined"
                        "\\x1b[2J\\u009b2J\\u202e\n"));
  const std::string json = cluster.Operate({"list", "--json"}).out;
  EXPECT_THAT(json, HasSubstr("odd\\nforged  quarantined\\u001b[2J\\u009b2J\\u202e"));
}

// The liar registers, takes leases, and reports impossible games.
TEST(Security, ALiarIsQuarantinedWithAReason) {
  const Tournament tournament = SmallTournament();
  Cluster cluster;
  cluster.Lead();
  const int64_t id = cluster.Submit(tournament);
  Caller liar(cluster.address());
  using Stub = v1::WorkerService::Stub;
  const v1::RegisterRequest self = GoodWorker("liar");
  v1::RegisterResponse registered;
  ASSERT_TRUE(liar.Ask(&Stub::Register, self, &registered).ok());
  int lies = 0;
  grpc::Status status;
  for (; lies < 10; ++lies) {
    v1::LeaseRequest ask;
    *ask.mutable_worker() = self.worker();
    v1::LeaseResponse lease;
    status = liar.Ask(&Stub::Lease, ask, &lease);
    if (!status.ok()) break;
    ASSERT_TRUE(lease.has_lease());
    v1::ReportRequest report;
    *report.mutable_worker() = self.worker();
    report.set_token(lease.lease().token());
    v1::Game* const game = report.add_games();
    game->set_index(lease.lease().first());
    game->set_date("????.??.??");
    game->set_moves("E2-E4 E2-E4#");
    game->set_termination("checkmate");
    for (const uint32_t place : {1, 2, 2}) game->add_places(place);
    for (const char* ending : {"", "checkmate", "checkmate"}) game->add_endings(ending);
    for (int i = 0; i < 3; ++i) game->add_costs();
    v1::ReportResponse answer;
    const grpc::Status reported = liar.Ask(&Stub::Report, report, &answer);
    if (reported.ok()) {
      EXPECT_EQ(answer.outcome(), v1::ReportResponse::OUTCOME_REJECTED);
      EXPECT_NE(answer.why(), "");
    } else {
      EXPECT_EQ(reported.error_code(), grpc::StatusCode::INVALID_ARGUMENT)
          << reported.error_message();
    }
  }
  EXPECT_EQ(status.error_code(), grpc::StatusCode::PERMISSION_DENIED) << lies << " lies";
  EXPECT_EQ(lies, 3);
  // It may not come back under the same name, not even at another coordinator.
  EXPECT_EQ(liar.Code(&Stub::Register, self, v1::RegisterResponse()),
            grpc::StatusCode::PERMISSION_DENIED);
  const Json worker = Json::parse(cluster.Operate({"list", "--json"}).out)["workers"][0];
  EXPECT_EQ(worker["state"], "quarantined") << worker;
  EXPECT_EQ(worker["rejections"], 3) << worker;
  EXPECT_THAT(cluster.Operate({"list"}).out, HasSubstr(worker["why"].get<std::string>()));
  EXPECT_NE(worker["why"], "");
  EXPECT_EQ(cluster.GamesDone(id), 0);
  EXPECT_THAT(HttpGet(cluster.http_port(), "/metrics").body, HasSubstr("rejected"));

  WaitUntil(
      [&] {
        return cluster.postgres().Ask(cluster.database(),
                                      "SELECT count(*) FROM workers WHERE name = 'liar' AND "
                                      "quarantine <> ''") == "1";
      },
      std::chrono::seconds(5));
  cluster.Kill();
  cluster.Lead();
  Caller again(cluster.address());
  EXPECT_EQ(again.Code(&Stub::Register, self, v1::RegisterResponse()),
            grpc::StatusCode::PERMISSION_DENIED);
  // Other workers play the liar's leased games.
  cluster.Work("honest");
  cluster.ExpectUndisturbed(id, tournament);
}

}  // namespace
}  // namespace triarch
