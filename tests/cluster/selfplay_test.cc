// Kills parts of a cluster at random moments while it generates self-play data.

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/base/random.h"
#include "core/base/sha256.h"
#include "core/base/temporary_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/shard/manifest.h"
#include "selfplay/shard/shard.h"
#include "tests/cluster/cluster.h"

// Every game must be in the data once, and the data must agree with the store. As in chaos_test.cc
// the seed determines the moments.
namespace triarch {
namespace {

namespace fs = std::filesystem;

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const Arguments kShortLeases = {"--lease-seconds", "1"};
constexpr int64_t kGames = 400;

class SelfplayTest : public ::testing::Test {
 protected:
  SelfplayTest()
      : trace_(__FILE__, __LINE__, "TRIARCH_FAULT_SEED=" + std::to_string(FaultSeed())) {}

  void Sleep(uint32_t at_least_ms, uint32_t more_ms) {
    std::this_thread::sleep_for(milliseconds(at_least_ms + random_.Below(more_ms)));
  }

  // Starts two coordinators and two workers that know both, and waits for a few recorded shards.
  void Begin() {
    cluster_.Lead(0);
    cluster_.Serve(1);
    Work("anna");
    Work("bert");
    id_ = cluster_.Submit(
        {"game: triumvirate\n"
         "mode: selfplay\n"
         "bots: [{bot: greedy, weight: 3}, {name: thinks, bot: mcts, nodes: 60, weight: 1}]\n"
         "seed: 9\n"
         "games: " +
             std::to_string(kGames) +
             "\n"
             "selfplay: {temperature: [[0, 1.0]], sample_rate: 0.3, shard_samples: 500}\n"
             "output: {data: " +
             data_ + "}\n",
         kGames});
    ASSERT_TRUE(cluster_.WaitForGames(id_, 1));
  }
  StartedProgram& Work(const std::string& name) {
    return cluster_.Work(
        name, {"--coordinator", cluster_.addresses(), "--data-root", data_folder_.path()});
  }
  int Leader() const { return cluster_.Leads(1) ? 1 : 0; }
  bool IsOver() const { return cluster_.GamesDone(id_) == kGames; }
  bool IsDone() const {
    const auto now = cluster_.Get(id_);
    return now.ok() && now->state() == "done";
  }

  // Makes the location unwritable by putting a file in place of the folder.
  void BreakBlobStore() {
    fs::rename(data_, data_ + ".away");
    WriteWholeFile(data_, "not a folder");
  }
  void RepairBlobStore() {
    fs::remove(data_);
    fs::rename(data_ + ".away", data_);
  }

  std::string AskStore(const std::string& what, const std::string& from) {
    return cluster_.postgres().Ask(
        cluster_.database(),
        "SELECT " + what + " FROM " + from + " WHERE tournament = " + std::to_string(id_));
  }
  // One line "NAME SAMPLES SHA256" per shard.
  std::string ShardsOfStore() {
    return AskStore(
        "coalesce(string_agg(shard || ' ' || samples || ' ' || sha256, E'\\n' ORDER BY first, "
        "shard), '')",
        "shards");
  }
  std::vector<ShardEntry> Manifest() const {
    if (!fs::exists(data_ + "/manifest.jsonl")) return {};
    const auto shards = ParseManifest(ReadWholeFile(data_ + "/manifest.jsonl"), "manifest");
    EXPECT_TRUE(shards.ok()) << shards.status();
    return shards.value_or(std::vector<ShardEntry>());
  }
  std::string ShardsOfManifest() const {
    std::string text;
    for (const ShardEntry& shard : Manifest()) {
      text += (text.empty() ? "" : "\n") + shard.shard + " " + std::to_string(shard.samples) + " " +
              shard.sha256;
    }
    return text;
  }
  // Includes unfinished files.
  std::set<std::string> ShardFiles() const {
    std::set<std::string> names;
    std::error_code gone;
    for (const auto& file : fs::directory_iterator(data_ + "/shards", gone)) {
      names.insert("shards/" + file.path().filename().string());
    }
    return names;
  }
  std::set<std::string> ShardNames() const {
    std::set<std::string> names;
    for (const ShardEntry& shard : Manifest()) names.insert(shard.shard);
    return names;
  }

  // Waits for the end of the run. Then games, shards in the store, manifest and files must agree.
  void ExpectWholeData();
  // Checks the shard against its entry, and adds its games to `plies` by index.
  void ExpectShard(const ShardEntry& entry, std::map<int64_t, int64_t>* plies) const;

  ::testing::ScopedTrace trace_;
  Random random_{FaultSeed()};
  const TemporaryFolder data_folder_;
  const std::string data_ = data_folder_ / "data";
  Cluster cluster_{kShortLeases + Arguments{"--data-root", data_folder_.path()}};
  int64_t id_ = 0;
};

void SelfplayTest::ExpectShard(const ShardEntry& entry, std::map<int64_t, int64_t>* plies) const {
  const std::string bytes = ReadWholeFile(data_ + "/" + entry.shard);
  EXPECT_EQ(Sha256Hex(bytes), entry.sha256) << entry.shard;
  EXPECT_EQ(static_cast<int64_t>(bytes.size()), entry.bytes) << entry.shard;
  const absl::StatusOr<Shard> shard = ReadShard(bytes);
  ASSERT_TRUE(shard.ok()) << entry.shard << ": " << shard.status();
  EXPECT_EQ(static_cast<int64_t>(shard->samples()), entry.samples);
  EXPECT_EQ(static_cast<int64_t>(shard->games()), entry.games);
  EXPECT_EQ(shard->game_index.front(), entry.first);
  EXPECT_EQ(shard->game_index.back(), entry.last);
  EXPECT_EQ(shard->meta.tournament, id_);
  EXPECT_EQ(shard->meta.spec, entry.spec);
  EXPECT_EQ(shard->meta.build, entry.build);
  for (size_t game = 0; game < shard->games(); ++game) {
    const auto begin = shard->game_moves.begin();
    const int64_t count = std::count_if(begin + shard->game_moves_offsets[game],
                                        begin + shard->game_moves_offsets[game + 1],
                                        [](uint16_t move) { return move < kSeatLeft; });
    const bool is_new = plies->emplace(shard->game_index[game], count).second;
    EXPECT_TRUE(is_new) << "game " << shard->game_index[game] << " is in two shards";
  }
}

void SelfplayTest::ExpectWholeData() {
  ASSERT_TRUE(WaitUntil([this] { return IsDone(); }, seconds(120)))
      << cluster_.GamesDone(id_) << "\n"
      << cluster_.Operate({"list"}).out;
  // The manifest is written after the store, and unused files are removed after that.
  WaitUntil(
      [this] { return ShardsOfManifest() == ShardsOfStore() && ShardFiles() == ShardNames(); },
      seconds(30));
  const std::string asked = std::to_string(kGames);
  EXPECT_EQ(AskStore("count(*)", "games"), asked);
  EXPECT_EQ(AskStore("count(DISTINCT idx)", "games"), asked);
  EXPECT_EQ(AskStore("sum(last - first)", "ledger"), asked);
  EXPECT_EQ(ShardsOfManifest(), ShardsOfStore());
  EXPECT_EQ(ShardFiles(), ShardNames()) << "unused or missing files";
  std::map<int64_t, int64_t> plies;
  int64_t samples = 0;
  int64_t bytes = 0;
  const std::vector<ShardEntry> manifest = Manifest();
  for (const ShardEntry& entry : manifest) {
    ExpectShard(entry, &plies);
    samples += entry.samples;
    bytes += entry.bytes;
  }
  std::string text;
  for (const auto& [index, count] : plies) {
    text += (text.empty() ? "" : " ") + std::to_string(index) + ":" + std::to_string(count);
  }
  EXPECT_EQ(AskStore("string_agg(idx || ':' || plies, ' ' ORDER BY idx)", "games"), text);
  const v1::Tournament now = cluster_.Get(id_).value();
  EXPECT_EQ(now.shards(), static_cast<int64_t>(manifest.size()));
  EXPECT_EQ(now.samples(), samples);
  EXPECT_EQ(now.sample_bytes(), bytes);
  EXPECT_EQ(now.data(), data_);
  EXPECT_EQ(now.data_error(), "");
}

TEST_F(SelfplayTest, CountsEveryGameOnceWhateverDies) {
  Begin();
  for (int kills = 0; kills < 12; ++kills) {
    Sleep(100, 700);
    if (IsOver()) break;
    switch (random_.Below(5)) {
      case 0:
      case 1: {
        const std::string name = random_.Below(2) == 0 ? "anna" : "bert";
        cluster_.KillWorker(name);
        Work(random_.Below(2) == 0 ? name : name + std::to_string(kills));
        break;
      }
      case 2: {
        const int leader = Leader();
        cluster_.Kill(leader);
        Sleep(0, 500);
        cluster_.Serve(leader);
        break;
      }
      case 3:
        cluster_.postgres().Kill();
        Sleep(0, 1000);
        cluster_.postgres().Start();
        break;
      default:
        BreakBlobStore();
        Sleep(500, 1500);
        RepairBlobStore();
    }
  }
  ExpectWholeData();
}

TEST_F(SelfplayTest, EverythingIsRestartedInTheMiddle) {
  Begin();
  for (int times = 0; times < 2; ++times) {
    Sleep(200, 800);
    cluster_.KillWorker("anna");
    cluster_.KillWorker("bert");
    cluster_.Kill(0);
    cluster_.Kill(1);
    cluster_.postgres().Kill();
    cluster_.postgres().Start();
    cluster_.Serve(0);
    cluster_.Serve(1);
    Work("anna");
    Work("bert");
  }
  ExpectWholeData();
}

// The worker returns after the run is done, unaware that its shard is no longer needed.
TEST_F(SelfplayTest, ALateWorkerLeavesNoFiles) {
  Begin();
  StartedProgram& carl = Work("carl");
  Sleep(300, 700);
  carl.Signal(SIGSTOP);
  ASSERT_TRUE(WaitUntil([this] { return IsDone(); }, seconds(120)));
  carl.Signal(SIGCONT);
  Sleep(2000, 500);
  ExpectWholeData();
}

// The replaced coordinator's knowledge of the data is outdated when it continues.
TEST_F(SelfplayTest, AReplacedCoordinatorDoesNotCorruptData) {
  Begin();
  cluster_.coordinator(0).Signal(SIGSTOP);
  cluster_.postgres().Ask("postgres",
                          "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE "
                          "datname = '" +
                              cluster_.database() + "'");
  ASSERT_TRUE(WaitUntil([this] { return cluster_.Leads(1); }, seconds(20)));
  if (random_.Below(2) == 0) {
    ASSERT_TRUE(WaitUntil([this] { return IsDone(); }, seconds(120)));
  }
  cluster_.coordinator(0).Signal(SIGCONT);
  EXPECT_TRUE(WaitUntil([this] { return !cluster_.Leads(0); }, seconds(20)));
  ExpectWholeData();
}

TEST_F(SelfplayTest, WaitsUntilTheLocationIsWritable) {
  Begin();
  BreakBlobStore();
  ASSERT_TRUE(WaitUntil([this] {
    const auto now = cluster_.Get(id_);
    return now.ok() && !now->data_error().empty();
  })) << "the coordinator does not report that it cannot publish";
  const std::string list = cluster_.Operate({"list"}).out;
  EXPECT_THAT(list, HasSubstr(" samples in "));
  EXPECT_THAT(list, HasSubstr("manifest error: "));
  const int64_t before = cluster_.GamesDone(id_);
  Sleep(2500, 500);  // longer than a lease
  EXPECT_LE(cluster_.GamesDone(id_), before + 50) << "recorded without their shards";
  EXPECT_FALSE(IsDone());
  RepairBlobStore();
  ExpectWholeData();
  EXPECT_THAT(cluster_.Operate({"list"}).out, Not(HasSubstr("manifest error")));
  const std::string shards = std::to_string(Manifest().size());
  EXPECT_THAT(cluster_.Operate({"list", "--json"}).out,
              AllOf(HasSubstr("\"shards\":" + shards + ","), HasSubstr("\"error\":\"\"")));
  EXPECT_THAT(cluster_.Operate({"watch", std::to_string(id_)}).out,
              AllOf(HasSubstr(" samples in " + shards + " shard"),
                    HasSubstr("of self-play (unrated)"), Not(HasSubstr("Elo"))));
}

}  // namespace
}  // namespace triarch
