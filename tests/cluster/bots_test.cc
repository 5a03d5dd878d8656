// Tests user-supplied bots on a cluster: added to the coordinator, fetched and played by workers.

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bundle/bundle.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cluster/cluster.h"
#include "triarch/v1/bot.grpc.pb.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

constexpr char kOperatorToken[] = "operator-0123456789abcdef";
constexpr char kUserToken[] = "user-0123456789abcdef";
constexpr char kStrangerToken[] = "bob-0123456789abcdef";  // of another user
constexpr char kWorkerToken[] = "worker-0123456789abcdef";

std::string Manifest(const std::string& name, const std::string& how) {
  return "name: " + name + "\nversion: 1.0\n" + how + "\ngames: [tri-d, triumvirate, three-way]\n";
}

// Creates a bundle from the Python example.
void MakePythonBot(const std::string& folder, const std::string& name = "mine") {
  fs::copy(TRIARCH_BOTS_SDK "/examples/python/taker", folder);
  fs::copy(TRIARCH_BOTS_SDK "/python/triarch_bot.py", folder);
  WriteWholeFile(folder + "/bot.yaml", Manifest(name, "type: process\ncommand: [python3, bot.py]") +
                                           "options: {Promotion: 3}\n");
}

std::string ShortDigestOf(const std::string& folder) {
  return DigestFolder(folder).value().substr(0, 8);
}

Tournament Against(const std::string& bundle, int64_t games) {
  return {.yaml = "game: tri-d\nbots:\n  - {name: mine, bundle: \"" + bundle +
                  "\"}\n  - random\ngames: " + std::to_string(games) +
                  "\nadjudication: {plies_max: 200}\n",
          .games = games};
}

void ExpectDone(Cluster& cluster, int64_t id) {
  EXPECT_TRUE(WaitUntil([&] {
    const auto tournament = cluster.Get(id);
    return tournament.ok() && tournament->state() == "done";
  })) << cluster.Operate({"list"}).out;
}

void ExpectError(const Ran& ran, int exit_code, const std::string& what) {
  EXPECT_EQ(ran.exit_code, exit_code) << ran.out << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(what));
}

// A bot is added, played in the sandboxes of two workers exactly as `triarch run` plays it,
// changed, and added again as another bot.
TEST(ClusterBots, APythonBotIsFetchedAndPlayed) {
  Cluster cluster;
  const std::string mine = cluster.folder() / "mine";
  MakePythonBot(mine);
  // It is large enough to require several parts.
  std::string book(900'000, '\0');
  for (size_t i = 0; i < book.size(); ++i) book[i] = static_cast<char>((i * i) >> 5);
  WriteWholeFile(mine + "/book.bin", book);
  const std::string old_digest = ShortDigestOf(mine);
  cluster.Lead();
  for (const std::string name : {"anna", "bert"}) {
    cluster.Work(name, {"--bot-cache", cluster.folder() / ("cache-" + name)});
  }
  const Tournament tournament = Against(mine, 40);
  WriteWholeFile(cluster.folder() / "t.yaml", tournament.yaml);
  ExpectError(
      cluster.Operate({"submit", cluster.folder() / "t.yaml"}), 1,
      "t.yaml:3:26: the coordinator does not have the bundle " + mine + " with these files");
  const Ran added = cluster.Operate({"bots", "add", mine});
  EXPECT_EQ(added.out, "mine 1.0 (" + old_digest + ")\n") << added.err;
  EXPECT_EQ(cluster.Operate({"bots", "add", mine}).out,
            "mine 1.0 (" + old_digest + ") was already there\n");
  const int64_t id = cluster.Submit(tournament);
  cluster.ExpectUndisturbed(id, tournament);
  const std::string name = "mine 1.0 (" + old_digest + ")";
  const std::string number = std::to_string(id);
  EXPECT_THAT(cluster.Operate({"standings", number}).out,
              AllOf(HasSubstr(name), Not(HasSubstr("crash"))));
  EXPECT_THAT(cluster.Operate({"standings", number, "--json"}).out, HasSubstr(name));
  const std::string tpgn = cluster.folder() / "games.tpgn";
  EXPECT_EQ(cluster.Operate({"games", number, "--tpgn", tpgn, "--bot", "mine"}).exit_code, 0);
  EXPECT_THAT(ReadWholeFile(tpgn), HasSubstr("\"" + name + "\""));
  for (const std::string worker : {"anna", "bert"}) {
    EXPECT_TRUE(fs::exists(cluster.folder() / ("cache-" + worker + "/" +
                                               DigestFolder(mine).value() + "/files/bot.py")))
        << worker << " has not played it";
  }

  // Another file makes another bot; the name now means the bot added last.
  WriteWholeFile(mine + "/notes.txt", "faster now\n");
  const std::string new_digest = ShortDigestOf(mine);
  EXPECT_NE(new_digest, old_digest);
  EXPECT_EQ(cluster.Operate({"bots", "add", mine}).out, "mine 1.0 (" + new_digest + ")\n");
  const int64_t second = cluster.Submit(Against("mine", 8));
  ExpectDone(cluster, second);
  EXPECT_THAT(cluster.Operate({"standings", std::to_string(second)}).out,
              HasSubstr("mine 1.0 (" + new_digest + ")"));
  const int64_t third = cluster.Submit(Against("mine@" + old_digest, 8));
  ExpectDone(cluster, third);
  EXPECT_THAT(cluster.Operate({"standings", std::to_string(third)}).out, HasSubstr(name));

  EXPECT_THAT(cluster.Operate({"bots", "list"}).out,
              ContainsRegex(old_digest + ".*\n.*" + new_digest + ".* process .* operator"));
  const Json list = Json::parse(cluster.Operate({"bots", "list", "--json"}).out);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[1]["digest"], DigestFolder(mine).value());
  const Ran shown = cluster.Operate({"bots", "show", "mine@" + old_digest});
  EXPECT_THAT(shown.out, AllOf(HasSubstr(name + ", a process of "), HasSubstr("Promotion: 3")));
  EXPECT_EQ(cluster.Operate({"bots", "remove", "mine@" + old_digest}).out, name + " removed\n");
  ExpectError(cluster.Operate({"bots", "show", "mine@" + old_digest}), 1, "there is no bundle");
  ExpectError(cluster.Operate({"bots", "show", "yours"}), 1, "there is no bundle \"yours\"");
}

TEST(ClusterBots, ABundleInUseIsNotRemoved) {
  Cluster cluster;
  MakePythonBot(cluster.folder() / "mine");
  cluster.Lead();
  ASSERT_EQ(cluster.Operate({"bots", "add", cluster.folder() / "mine"}).exit_code, 0);
  const int64_t id = cluster.Submit(Against("mine", 8));
  ExpectError(cluster.Operate({"bots", "remove", "mine"}), 1, "tournament 1 needs mine 1.0 (");
  // The restriction survives the coordinator.
  cluster.Kill();
  cluster.Lead();
  ExpectError(cluster.Operate({"bots", "remove", "mine"}), 1, "tournament 1 needs mine 1.0 (");
  EXPECT_THAT(cluster.Operate({"bots", "show", "mine"}).out, HasSubstr("plays in tournament 1\n"));
  EXPECT_EQ(cluster.Operate({"cancel", std::to_string(id)}).exit_code, 0);
  EXPECT_EQ(cluster.Operate({"bots", "remove", "mine"}).exit_code, 0);
}

TEST(ClusterBots, APluginIsFetchedAndPlayed) {
  Cluster cluster;
  const std::string plug = cluster.folder() / "plug";
  fs::create_directory(plug);
  fs::copy(TRIARCH_EXAMPLE_BOTS "/random_bot.so", plug + "/bot.so");
  WriteWholeFile(plug + "/bot.yaml", Manifest("plug", "type: plugin\nlibrary: bot.so"));
  cluster.Lead();
  cluster.Work("anna", {"--bot-cache", cluster.folder() / "cache"});
  // As a tar, too.
  const std::string tar = cluster.folder() / "plug.tar";
  WriteWholeFile(tar, Bundle::FromFolder(plug).value().ToTar());
  EXPECT_EQ(cluster.Operate({"bots", "add", tar}).out, "plug 1.0 (" + ShortDigestOf(plug) + ")\n");
  const Tournament tournament = Against(plug, 20);
  const int64_t id = cluster.Submit(tournament);
  cluster.ExpectUndisturbed(id, tournament);
}

// A worker gives back games that it cannot play, with the reason for the operator, and other
// tournaments continue.
TEST(ClusterBots, AnUnplayableTournamentDoesNotBlockOthers) {
  Cluster cluster;
  const std::string mine = cluster.folder() / "mine";
  const std::string other = cluster.folder() / "other";
  const std::string lost = cluster.folder() / "lost";
  MakePythonBot(mine);
  MakePythonBot(other, "other");
  WriteWholeFile(other + "/more", "");
  // Its manifest lists no options, so only the bot itself knows its options.
  WriteWholeFile(other + "/bot.yaml",
                 Manifest("other", "type: process\ncommand: [python3, bot.py]"));
  fs::create_directory(lost);
  WriteWholeFile(lost + "/bot.yaml", Manifest("lost", "type: process\ncommand: [no-such-program]"));
  cluster.Lead();
  for (const std::string& folder : {mine, other, lost}) {
    ASSERT_EQ(cluster.Operate({"bots", "add", folder}).exit_code, 0);
  }
  // Simulates a corrupted store.
  cluster.postgres().Ask(cluster.database(),
                         "UPDATE bundles SET tar = (SELECT tar FROM bundles WHERE name = 'other') "
                         "WHERE name = 'mine'");
  const int64_t wrong = cluster.Submit(Against("mine", 8));
  const int64_t missing = cluster.Submit(Against("lost", 8));
  Tournament unknown_option = Against("other", 8);
  unknown_option.yaml.replace(unknown_option.yaml.find("bundle:"), 0, "Nothing: 7, ");
  const int64_t option = cluster.Submit(unknown_option);
  const int64_t good = cluster.Submit(Against("other", 8));
  cluster.Work("anna", {"--bot-cache", cluster.folder() / "cache"});
  ExpectDone(cluster, good);
  const std::string list = cluster.Operate({"list"}).out;
  EXPECT_THAT(list,
              HasSubstr("cannot play tournament " + std::to_string(wrong) + ": bot mine 1.0 (" +
                        ShortDigestOf(mine) + "): its bundle: its files have the digest "));
  EXPECT_THAT(list, ContainsRegex("cannot play tournament " + std::to_string(missing) +
                                  ": bot mine .*no-such-program: not found"));
  EXPECT_THAT(list, HasSubstr("cannot play tournament " + std::to_string(option) + ": bot mine"));
  EXPECT_THAT(list, HasSubstr("      no worker can play it: anna: bot mine"));
  EXPECT_THAT(list, HasSubstr("alive"));
  for (const int64_t id : {wrong, missing, option}) EXPECT_EQ(cluster.GamesDone(id), 0);
  const Json json = Json::parse(cluster.Operate({"list", "--json"}).out);
  EXPECT_EQ(json["workers"][0]["refusals"].size(), 3u);
}

#ifdef TRIARCH_TORCH_PYTHON
// A model is distributed like other bots. The operator sees an invalid model, and one that only the
// worker's build cannot load.
TEST(ClusterBots, ATorchModelIsFetchedAndPlayed) {
  Cluster cluster;
  const std::string net = cluster.folder() / "net";
  const std::string bad = cluster.folder() / "bad";
  for (const std::string& folder : {net, bad}) fs::create_directory(folder);
  const std::string make = TRIARCH_TORCH_PYTHON " " TRIARCH_SOURCE_DIR
                                                "/bots/torch/tiny_model.py tri-d sound " +
                           net + "/m.pt";
  ASSERT_EQ(std::system(make.c_str()), 0);
  WriteWholeFile(net + "/bot.yaml",
                 "{name: net, version: 1.0, type: torch, model: m.pt, games: [tri-d], "
                 "options: {nodes: 8, leaves: 2}}");
  WriteWholeFile(bad + "/m.pt", "no model");
  WriteWholeFile(bad + "/bot.yaml",
                 "{name: bad, version: 1.0, type: torch, model: m.pt, games: [tri-d]}");
  cluster.Lead();
  for (const std::string& folder : {net, bad}) {
    ASSERT_EQ(cluster.Operate({"bots", "add", folder}).exit_code, 0);
  }
  fs::remove_all(net);  // the workers have only the fetched files
  const int64_t wrong = cluster.Submit(Against("bad", 4));
  const int64_t good = cluster.Submit(Against("net", 8));
  cluster.Work("anna", {"--bot-cache", cluster.folder() / "cache"});
  ExpectDone(cluster, good);
  const std::string list = cluster.Operate({"list"}).out;
  EXPECT_THAT(list, ContainsRegex("cannot play tournament " + std::to_string(wrong) +
                                  ": bot mine 1.0 .*m.pt: "));
  const Json standings =
      Json::parse(cluster.Operate({"standings", std::to_string(good), "--json"}).out);
  for (const Json& bot : standings["bots"]) EXPECT_EQ(bot["faults"]["crash"], 0) << bot;
}
#endif

// Users may add bots all day, so that must not cost more with each bot that is there.
TEST(ClusterBots, AddingABotParsesNoOtherManifest) {
  Cluster cluster;
  MakePythonBot(cluster.folder() / "mine");
  MakePythonBot(cluster.folder() / "other", "other");
  cluster.Lead();
  ASSERT_EQ(cluster.Operate({"bots", "add", cluster.folder() / "mine"}).exit_code, 0);
  cluster.postgres().Ask(cluster.database(), "UPDATE bundles SET manifest = ''");
  ASSERT_EQ(cluster.Operate({"bots", "add", cluster.folder() / "other"}).exit_code, 0);
  const Json bots = Json::parse(cluster.Operate({"bots", "list", "--json"}).out);
  ASSERT_EQ(bots.size(), 2u);
  EXPECT_EQ(bots[0]["games"], bots[1]["games"]) << bots;
}

// A bundle's author must not control the terminals of operators.
TEST(ClusterBots, ManifestsAndErrorsAreShownAsText) {
  Cluster cluster;
  const std::string odd = cluster.folder() / "odd";
  fs::create_directory(odd);
  WriteWholeFile(odd + "/bot.sh", "printf '\\033[2J\\302\\2332J\\n' >&2\n");
  WriteWholeFile(odd + "/bot.yaml",
                 Manifest("odd", "type: process\ncommand: [sh, bot.sh]") + "# \u009b2J\u202e\n");
  cluster.Lead();
  ASSERT_EQ(cluster.Operate({"bots", "add", odd}).exit_code, 0);
  EXPECT_THAT(cluster.Operate({"bots", "show", "odd"}).out, HasSubstr("# \\u009b2J\\u202e\n"));
  const int64_t id = cluster.Submit(Against("odd", 4));
  cluster.Work("anna");
  const std::string wanted = "cannot play tournament " + std::to_string(id) + ": bot mine";
  std::string list;
  EXPECT_TRUE(WaitUntil([&] {
    list = cluster.Operate({"list"}).out;
    return list.find(wanted) != std::string::npos;
  })) << list;
  EXPECT_THAT(list, AllOf(HasSubstr("\\x1b[2J\\u009b2J"), Not(HasSubstr("\x1b"))));
}

// Process bots are only leased to workers with a sandbox.
TEST(ClusterBots, WithoutASandboxNoProcessBots) {
  Cluster cluster;
  MakePythonBot(cluster.folder() / "mine");
  cluster.Lead();
  ASSERT_EQ(cluster.Operate({"bots", "add", cluster.folder() / "mine"}).exit_code, 0);
  const int64_t id = cluster.Submit(Against("mine", 8));
  cluster.Work("bare", {"--bot-cache", cluster.folder() / "cache"},
               {"/usr/bin/env", "PATH=" + cluster.folder().path()});
  EXPECT_FALSE(WaitUntil([&] { return cluster.Get(id)->leased() > 0; }, std::chrono::seconds(2)));
  EXPECT_THAT(cluster.Operate({"list"}).out, HasSubstr("alive"));
  cluster.Work("anna", {"--bot-cache", cluster.folder() / "cache"});
  ExpectDone(cluster, id);
  StartedProgram& bare = cluster.Work("other", {"--bot-cache", "/dev/null"});
  EXPECT_EQ(bare.Wait().exit_code, 1);
}

// ---- Permissions.

class BotsWithTokens : public ::testing::Test {
 protected:
  BotsWithTokens() {
    const std::string all = std::string("worker ") + kWorkerToken + "\noperator " + kOperatorToken +
                            "\nuser " + kUserToken + "\nuser " + kStrangerToken + " bob\n";
    WriteWholeFile(folder_ / "tokens", all);
    WriteWholeFile(folder_ / "user", std::string("user ") + kUserToken + "\n");
    WriteWholeFile(folder_ / "worker", std::string("worker ") + kWorkerToken + "\n");
    cluster_.emplace(Arguments{"--token-file", folder_ / "tokens"},
                     Arguments{"--token-file", folder_ / "tokens"});
    cluster_->Lead();
    channel_ = grpc::CreateChannel(cluster_->address(), grpc::InsecureChannelCredentials());
  }
  Ran AsUser(const Arguments& command) {
    return Triarch(command + Arguments{"--coordinator", cluster_->address(), "--token-file",
                                       folder_ / "user"});
  }
  // Returns the status of a call with that token.
  template <class Stub, class Request, class Response>
  grpc::Status Call(Stub& stub,
                    grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                    const Request& request, Response* response, const std::string& token) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
    context.AddMetadata("authorization", "Bearer " + token);
    return (stub.*method)(&context, request, response);
  }
  grpc::Status Add(const std::string& tar, const std::string& token) {
    const auto stub = v1::BotService::NewStub(channel_);
    v1::AddBotRequest request;
    request.set_tar(tar);
    v1::AddBotResponse response;
    return Call(*stub, &v1::BotService::Stub::AddBot, request, &response, token);
  }

  const TemporaryFolder folder_;
  std::optional<Cluster> cluster_;
  std::shared_ptr<grpc::Channel> channel_;
};

TEST_F(BotsWithTokens, AUserMayAddOnlyProcessBots) {
  MakePythonBot(folder_ / "mine");
  MakePythonBot(folder_ / "theirs", "theirs");
  fs::create_directory(folder_ / "plug");
  WriteWholeFile(folder_ / "plug/bot.so", "no library");
  WriteWholeFile(folder_ / "plug/bot.yaml", Manifest("plug", "type: plugin\nlibrary: bot.so"));

  EXPECT_EQ(AsUser({"bots", "add", folder_ / "mine"}).exit_code, 0);
  ExpectError(AsUser({"bots", "add", folder_ / "plug"}), 1,
              "a plugin runs with all rights of the worker; only an operator may add one");
  fs::create_directory(folder_ / "net");
  WriteWholeFile(folder_ / "net/m.pt", "no model");
  WriteWholeFile(folder_ / "net/bot.yaml", Manifest("net", "type: torch\nmodel: m.pt"));
  ExpectError(AsUser({"bots", "add", folder_ / "net"}), 1,
              "a TorchScript file runs in the worker's own process; only an operator may add one");
  EXPECT_EQ(cluster_->Operate({"bots", "add", folder_ / "plug"}).exit_code, 0);
  // A user cannot pass off a bot as an operator's.
  EXPECT_EQ(cluster_->Operate({"bots", "add", folder_ / "theirs"}).exit_code, 0);
  WriteWholeFile(folder_ / "theirs/evil", "");
  ExpectError(AsUser({"bots", "add", folder_ / "theirs"}), 1,
              "an operator has added a bot named theirs");
  ExpectError(AsUser({"bots", "remove", "theirs"}), 1, "you may remove only your own bots");
  const Json list = Json::parse(AsUser({"bots", "list", "--json"}).out);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0]["added_by"], "user");
  EXPECT_EQ(AsUser({"bots", "show", "theirs"}).exit_code, 0);
  EXPECT_EQ(AsUser({"bots", "remove", "mine"}).exit_code, 0);
  // A user may look, but change nothing.
  EXPECT_EQ(AsUser({"list"}).exit_code, 0);
  ExpectError(AsUser({"pause", "1"}), 2, "holds no token of an operator");
  const auto tournaments = v1::TournamentService::NewStub(channel_);
  v1::SubmitResponse submitted;
  EXPECT_EQ(Call(*tournaments, &v1::TournamentService::Stub::Submit, v1::SubmitRequest(),
                 &submitted, kUserToken)
                .error_code(),
            grpc::StatusCode::PERMISSION_DENIED);
}

TEST_F(BotsWithTokens, OnlyTheOwnerAndOperatorsSeeABotsFaults) {
  fs::create_directory(folder_ / "mine");
  WriteWholeFile(folder_ / "mine/bot.py",
                 "import sys\nfor line in sys.stdin:\n"
                 "    if line.startswith('uci\\n'):\n"
                 "        print('option name UCI_Variant type combo default tri-d var tri-d')\n"
                 "        print('uciok', flush=True)\n"
                 "    if line.startswith('isready'): print('readyok', flush=True)\n"
                 "    if line.startswith('go'): sys.exit('my secret book is empty')\n");
  WriteWholeFile(folder_ / "mine/bot.yaml",
                 Manifest("mine", "type: process\ncommand: [python3, bot.py]"));
  ASSERT_EQ(AsUser({"bots", "add", folder_ / "mine"}).exit_code, 0);
  const int64_t id = cluster_->Submit(Against("mine", 2));
  cluster_->Work("anna");
  // Cluster::Get sends no token.
  ASSERT_EQ(cluster_->Operate({"watch", std::to_string(id)}).exit_code, 0);
  const Arguments faults = {"games", std::to_string(id), "--faults", "--bot", "mine"};
  EXPECT_THAT(AsUser(faults).out, HasSubstr("my secret book is empty"));
  EXPECT_THAT(cluster_->Operate(faults).out, HasSubstr("my secret book is empty"));
  const Arguments game = {"games", std::to_string(id), "--id", "1.1"};
  EXPECT_THAT(cluster_->Operate(game).out, HasSubstr("Its standard error:\nmy secret book"));
  const Ran refused = AsUser(game);
  EXPECT_EQ(refused.exit_code, 0) << "the game itself may be seen";
  EXPECT_THAT(refused.out, Not(HasSubstr("my secret book")));
  EXPECT_THAT(refused.err, HasSubstr("no reports about faults: name one of your bots"));
  const Ran own = AsUser({"games", std::to_string(id), "--id", "1.1", "--bot", "mine"});
  EXPECT_THAT(own.out, HasSubstr("Its standard error:\nmy secret book is empty"));
  EXPECT_EQ(own.err, "");
  EXPECT_THAT(AsUser({"games", std::to_string(id), "--faults"}).err,
              HasSubstr("no reports about faults: name one of your bots"));
  const auto stub = v1::TournamentService::NewStub(channel_);
  v1::FaultsRequest request;
  request.set_tournament(id);
  request.set_last(100);
  v1::FaultsResponse response;
  const auto call = [&](const std::string& bot, const std::string& token) {
    request.set_bot(bot);
    return Call(*stub, &v1::TournamentService::Stub::Faults, request, &response, token)
        .error_code();
  };
  EXPECT_EQ(call("mine", kUserToken), grpc::StatusCode::OK);
  EXPECT_EQ(response.faults_size(), 2);
  EXPECT_EQ(call("", kOperatorToken), grpc::StatusCode::OK);
  EXPECT_EQ(call("", kUserToken), grpc::StatusCode::PERMISSION_DENIED) << "no bot named";
  EXPECT_EQ(call("random", kUserToken), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(call("mine", kStrangerToken), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(call("mine", kWorkerToken), grpc::StatusCode::PERMISSION_DENIED);
}

TEST_F(BotsWithTokens, AWorkerMayFetchButNotAdd) {
  MakePythonBot(folder_ / "mine");
  const Bundle mine = Bundle::FromFolder(folder_ / "mine").value();
  EXPECT_EQ(Add(mine.ToTar(), kWorkerToken).error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(Add(mine.ToTar(), "stranger-0123456789").error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
  ExpectError(Triarch({"bots", "add", folder_ / "mine", "--coordinator", cluster_->address(),
                       "--token-file", folder_ / "worker"}),
              2, "holds no token of an operator or a user");
  EXPECT_EQ(cluster_->Operate({"bots", "list", "--json"}).out, "[]\n");
  ASSERT_TRUE(Add(mine.ToTar(), kUserToken).ok());

  const auto workers = v1::WorkerService::NewStub(channel_);
  const auto fetch = [&](const std::string& digest, int64_t offset, const std::string& token,
                         v1::FetchBundleResponse* response) {
    v1::FetchBundleRequest request;
    request.mutable_worker()->set_name("anna");
    request.set_digest(digest);
    request.set_offset(offset);
    return Call(*workers, &v1::WorkerService::Stub::FetchBundle, request, response, token)
        .error_code();
  };
  v1::FetchBundleResponse part;
  EXPECT_EQ(fetch(mine.digest(), 0, kWorkerToken, &part), grpc::StatusCode::OK);
  EXPECT_EQ(part.part(), mine.ToTar());
  EXPECT_EQ(part.size(), static_cast<int64_t>(mine.ToTar().size()));
  EXPECT_EQ(fetch(mine.digest(), 1'000, kWorkerToken, &part), grpc::StatusCode::OK);
  EXPECT_EQ(part.part(), mine.ToTar().substr(1'000));
  EXPECT_EQ(fetch(mine.digest(), part.size(), kWorkerToken, &part),
            grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(fetch(std::string(64, 'a'), 0, kWorkerToken, &part), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(fetch(mine.digest(), -1, kWorkerToken, &part), grpc::StatusCode::INVALID_ARGUMENT);
  for (const char* token : {kUserToken, kOperatorToken}) {
    EXPECT_EQ(fetch(mine.digest(), 0, token, &part), grpc::StatusCode::PERMISSION_DENIED);
  }
}

// The coordinator does not rely on clients to check the tar.
TEST_F(BotsWithTokens, RejectsInvalidBundles) {
  MakePythonBot(folder_ / "mine");
  const std::string tar = Bundle::FromFolder(folder_ / "mine").value().ToTar();
  const auto error = [&](const std::string& bytes) {
    const grpc::Status status = Add(bytes, kUserToken);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    return status.error_message();
  };
  EXPECT_NE(error(""), "");
  EXPECT_THAT(error("not a tar"), HasSubstr("not an uncompressed tar"));
  EXPECT_THAT(error(std::string(kBundleTarMax + 1, '\0')), HasSubstr("larger than 36 MB"));
  std::string damaged = tar;
  damaged[3] ^= 1;
  EXPECT_THAT(error(damaged), HasSubstr("not an uncompressed tar, or corrupt"));
  fs::remove(folder_ / "mine/bot.yaml");
  EXPECT_THAT(error(Bundle::FromFolder(folder_ / "mine").value().ToTar()),
              HasSubstr("there is no bundle/bot.yaml"));
  WriteWholeFile(folder_ / "mine/bot.yaml", "name: mine\nversion: 1\ntype: root\ngames: [tri-d]\n");
  EXPECT_THAT(error(Bundle::FromFolder(folder_ / "mine").value().ToTar()),
              HasSubstr("bot.yaml:3:7: unknown type \"root\""));
  EXPECT_EQ(cluster_->Operate({"bots", "list", "--json"}).out, "[]\n");

  // The client also checks, before it calls.
  ExpectError(AsUser({"bots", "add", folder_ / "mine"}), 1, "mine/bot.yaml:3:7: unknown type");
  ExpectError(AsUser({"bots", "add", folder_ / "nothing"}), 1, "nothing");
  MakePythonBot(folder_ / "other");
  fs::create_symlink("/etc/passwd", folder_ / "other/link");
  ExpectError(AsUser({"bots", "add", folder_ / "other"}), 1, "not a file or a folder");
}

// Specs that contradict their bundle.
TEST_F(BotsWithTokens, ASpecMustMatchItsBundle) {
  MakePythonBot(folder_ / "mine");
  ASSERT_EQ(cluster_->Operate({"bots", "add", folder_ / "mine"}).exit_code, 0);
  const std::string digest = DigestFolder(folder_ / "mine").value();
  const auto submit = [&](const std::string& changed) {
    const Json bot = {{"name", "mine 1.0 (" + digest.substr(0, 8) + ")"},
                      {"bot", "process"},
                      {"bundle", "mine@1.0"},
                      {"command", {"python3", "bot.py"}},
                      {"digest", digest}};
    Json spec = {{"name", "t"}, {"game", "tri-d"}, {"games", 2}};
    spec["bots"] = {bot, {{"name", "random"}, {"bot", "random"}}};
    spec["bots"][0].merge_patch(Json::parse(changed));
    v1::SubmitRequest request;
    request.set_spec_json(spec.dump());
    v1::SubmitResponse response;
    const auto stub = v1::TournamentService::NewStub(channel_);
    return Call(*stub, &v1::TournamentService::Stub::Submit, request, &response, kOperatorToken)
        .error_message();
  };
  EXPECT_EQ(submit("{}"), "");
  for (const char* changed :
       {R"({"command": ["sh", "-c", "evil"]})", R"({"dir": "/etc"})", R"({"sandbox": "none"})",
        R"({"bundle": "mine@2.0"})", R"({"name": "mine"})", R"({"library": "bot.py"})",
        R"({"bot": "plugin"})"}) {
    EXPECT_THAT(submit(changed), HasSubstr("differs from its bundle mine 1.0 (")) << changed;
  }
  fs::create_directory(folder_ / "net");
  WriteWholeFile(folder_ / "net/m.pt", "no model");
  WriteWholeFile(folder_ / "net/bot.yaml", Manifest("net", "type: torch\nmodel: m.pt"));
  ASSERT_EQ(cluster_->Operate({"bots", "add", folder_ / "net"}).exit_code, 0);
  const std::string net_digest = DigestFolder(folder_ / "net").value();
  const Json net = {{"name", "net 1.0 (" + net_digest.substr(0, 8) + ")"},
                    {"bot", "torch"},
                    {"bundle", "net@1.0"},
                    {"command", nullptr},
                    {"options", {{"model", "m.pt"}}},
                    {"digest", net_digest}};
  EXPECT_EQ(submit(net.dump()), "");
  for (const char* changed :
       {R"({"options": {"model": "/etc/passwd"}})", R"({"options": {"model": "../m.pt"}})",
        R"({"options": null})", R"({"bot": "random"})", R"({"library": "m.pt"})"}) {
    Json other = net;
    other.merge_patch(Json::parse(changed));
    EXPECT_THAT(submit(other.dump()), HasSubstr("differs from its bundle net 1.0 (")) << changed;
  }
  EXPECT_THAT(submit(R"({"digest": "aaaaaaaaaaaaaaaa"})"),
              HasSubstr("there is no bundle with the digest aaaaaaaa"));
  EXPECT_THAT(submit(R"({"bundle": ""})"), HasSubstr("whose files are not at the coordinator"));
}

}  // namespace
}  // namespace triarch
