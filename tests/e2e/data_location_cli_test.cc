// Tests where `triarch run` may write self-play data: each run has one location of its own.

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/e2e/triarch.h"
#include "tests/llm/odd_chat_server.h"
#include "tests/s3/s3_server.h"

namespace triarch {
namespace {

namespace fs = std::filesystem;

class DataLocationCli : public ::testing::Test {
 protected:
  DataLocationCli() { WriteFile(3); }

  void WriteFile(int seed) const {
    WriteWholeFile(file_, "game: tri-d\nmode: selfplay\nbots: [random]\ngames: 4\nseed: " +
                              std::to_string(seed) +
                              "\nadjudication: {plies_max: 20}\noutput: {data: " + data_ + "}\n");
  }
  std::vector<std::string> Run(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"run", file_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  // Returns the name of the file that says which run owns the location.
  static std::string ClaimIn(const std::string& location) {
    for (const auto& entry : fs::directory_iterator(location)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("run-")) return name;
    }
    return "";
  }

  const TemporaryFolder folder_;
  const std::string file_ = folder_ / "run.yaml";
  const std::string data_ = folder_ / "data";
};

TEST_F(DataLocationCli, SaysWhatToDeleteToStartAfresh) {
  ASSERT_EQ(Triarch(Run()).exit_code, 0);
  const Ran again = Triarch(Run());
  ASSERT_EQ(again.exit_code, 0) << again.err;
  const std::string claim = ClaimIn(data_);
  ASSERT_EQ(claim.size(), 20u) << claim;
  const std::string run = claim.substr(4);
  EXPECT_NE(again.out.find("already complete: 4 games; delete " + data_ + "/manifest.jsonl, " +
                           data_ + "/" + claim + ", all " + data_ + "/shards/" + run + "-* and " +
                           data_ + "/games.db to start again\n"),
            std::string::npos)
      << again.out;
  // Deleting exactly that is enough.
  fs::remove(data_ + "/manifest.jsonl");
  fs::remove(data_ + "/" + claim);
  fs::remove(data_ + "/games.db");
  for (const auto& entry : fs::directory_iterator(data_ + "/shards")) {
    ASSERT_TRUE(entry.path().filename().string().starts_with(run + "-")) << entry.path();
    fs::remove(entry.path());
  }
  const Ran afresh = Triarch(Run());
  EXPECT_EQ(afresh.exit_code, 0) << afresh.err;
  EXPECT_EQ(afresh.out.find("already"), std::string::npos) << afresh.out;
  EXPECT_NE(ClaimIn(data_), claim);
}

TEST_F(DataLocationCli, RefusesTheLocationOfAnotherRun) {
  const std::string other = folder_ / "other.db";
  ASSERT_EQ(Triarch(Run()).exit_code, 0);
  const std::string claim = ClaimIn(data_);
  ExpectRefuses(Run({"--db", other}), 1, "holds the data of another run (claim file " + claim);
  ExpectRefuses(Run({"--db", other}), 1, "(--data, output.data)");
  // Refuses it even without a manifest, and changes nothing there.
  fs::remove(data_ + "/manifest.jsonl");
  ExpectRefuses(Run({"--db", other}), 1, "holds the data of another run");
  EXPECT_EQ(ClaimIn(data_), claim);
  EXPECT_EQ(Triarch(Run()).exit_code, 0) << "the run that owns the location may go on";
  ASSERT_EQ(Triarch({"data", "verify", data_}).exit_code, 0);
  EXPECT_EQ(Triarch(Run({"--db", other, "--data", folder_ / "elsewhere"})).exit_code, 0)
      << "a refused run may use another location";
}

TEST_F(DataLocationCli, RefusesToMoveARun) {
  const std::string db = folder_ / "games.db";
  ASSERT_EQ(Triarch(Run({"--db", db})).exit_code, 0);
  const std::string elsewhere = folder_ / "elsewhere";
  const std::vector<std::string> moved = Run({"--db", db, "--data", elsewhere, "--games", "8"});
  ExpectRefuses(moved, 2, "with its data in " + data_ + ", not in " + elsewhere);
  EXPECT_FALSE(fs::exists(elsewhere));
  EXPECT_EQ(Triarch(Run({"--db", db, "--data", data_ + "/", "--games", "5"})).exit_code, 0);
  // A run whose folder was moved goes on there.
  fs::rename(data_, elsewhere);
  EXPECT_EQ(Triarch(moved).exit_code, 0) << Triarch(moved).err;
  const Ran verified = Triarch({"data", "verify", elsewhere});
  EXPECT_NE(verified.out.find(" 8 games"), std::string::npos) << verified.out << verified.err;
  EXPECT_FALSE(fs::exists(data_));
}

TEST_F(DataLocationCli, RefusesAChangedRun) {
  ASSERT_EQ(Triarch(Run()).exit_code, 0);
  ExpectRefuses(Run({"--games", "3"}), 1, "or use another --data (and --db, if you name one)");
  WriteFile(4);
  ExpectRefuses(Run(), 1, "its seed is 3, not 4; use another --data (and --db, if");
}

// Problems with a bucket are found before anything is played.
TEST_F(DataLocationCli, WritesToABucket) {
  const S3Server server;
  setenv("AWS_ACCESS_KEY_ID", S3Server::kKey, 1);
  setenv("AWS_SECRET_ACCESS_KEY", S3Server::kKey, 1);
  setenv("AWS_ENDPOINT_URL", server.url().c_str(), 1);
  setenv("no_proxy", "*", 1);
  const auto run = [this](const std::string& location, const std::string& db) {
    return Run({"--db", folder_ / db, "--data", location});
  };
  ExpectRefuses(run("s3://other/x", "a.db"), 1, "create the bucket other first");
  setenv("AWS_SECRET_ACCESS_KEY", "WrongSecret42", 1);
  ExpectRefuses(run("s3://games/x", "a.db"), 1,
                "using the keys from the environment of this process");
  setenv("AWS_SECRET_ACCESS_KEY", S3Server::kKey, 1);
  const Ran played = Triarch(run("s3://games/x", "a.db"));
  EXPECT_EQ(played.exit_code, 0) << played.err;
  ExpectRefuses(run("s3://games/x", "b.db"), 1, "holds the data of another run");
  const Ran again = Triarch(run("s3://games/x/", "a.db"));
  EXPECT_NE(again.out.find("delete s3://games/x/manifest.jsonl, s3://games/x/run-"),
            std::string::npos)
      << again.out << again.err;
  const Ran verified = Triarch({"data", "verify", "s3://games/x"});
  EXPECT_NE(verified.out.find("no faults\n"), std::string::npos) << verified.out << verified.err;
  EXPECT_EQ(verified.out.find("under shards/"), std::string::npos) << verified.out;
}

TEST_F(DataLocationCli, GivesUpOnAServerThatDoesNotAnswer) {
  const OddChatServer server([](const OddChatServer::Request&) {
    return OddChatServer::Reply{.bytes = "HTTP", .is_left_open = true};
  });
  setenv("AWS_ACCESS_KEY_ID", "id", 1);
  setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
  setenv("AWS_ENDPOINT_URL", server.url().substr(0, server.url().rfind('/')).c_str(), 1);
  setenv("no_proxy", "*", 1);
  const auto began = std::chrono::steady_clock::now();
  ExpectRefuses(Run({"--db", folder_ / "x.db", "--data", "s3://games/x"}), 1, "s3://games/x at ");
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

TEST_F(DataLocationCli, ReportsMissingS3KeysAtOnce) {
  unsetenv("AWS_ACCESS_KEY_ID");
  unsetenv("AWS_SECRET_ACCESS_KEY");
  ExpectRefuses(Run({"--db", folder_ / "x.db", "--data", "s3://bucket/x"}), 1,
                "S3 needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment of this "
                "process");
}

}  // namespace
}  // namespace triarch
