#include "worker/work_loop.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/temporary_folder.h"
#include "core/record/spec_json.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;

// A coordinator with one lease, whose tournament needs a bundle that comes byte by byte. The
// heartbeat after the third byte cancels the lease.
class SlowBundleClient : public CoordinatorClient {
 public:
  void Register(const WorkerInfo&, Done<milliseconds> done) override {
    Later([done] { done(milliseconds(10)); });
  }
  void Take(const WorkerId&, const std::vector<int64_t>&, Done<ArrivedLease> done) override {
    ArrivedLease arrived;
    if (!is_given_.exchange(true)) {
      TournamentSpec spec;
      spec.game = "tri-d";
      spec.games = 2;
      spec.bots = {
          {.name = "random", .bot = "random"},
          {.name = "a 1 (aa)", .bot = "process", .bundle = "a@1", .digest = std::string(64, 'a')}};
      arrived.spec_json = SpecToJson(spec);
      arrived.reply.lease =
          Lease{.tournament = 1, .games = {0, 2}, .token = 7, .ttl = milliseconds(30'000)};
    }
    arrived.reply.retry = milliseconds(10);
    Later([done, arrived] { done(arrived); });
  }
  void Beat(const Heartbeat& heartbeat, Done<HeartbeatReply> done) override {
    HeartbeatReply reply{.cancelled = {}, .next = milliseconds(10)};
    for (const LeaseProgress& lease : heartbeat.leases) {
      if (bytes_ >= 3) reply.cancelled.push_back(lease.token);
    }
    if (!reply.cancelled.empty()) bytes_at_cancel_ = bytes_.load();
    Later([done, reply] { done(reply); });
  }
  void Fetch(const WorkerId&, const std::string&, int64_t offset, Done<BundlePart> done) override {
    bytes_ = offset + 1;
    Later([done] { done(BundlePart{.size = 1'000'000, .bytes = "x"}); });
  }
  void Send(const Report&, Done<ReportReply>) override { ADD_FAILURE() << "nothing is played"; }
  void Refuse(const WorkerId&, uint64_t, const std::string& why,
              std::function<void(absl::Status)> done) override {
    ADD_FAILURE() << why;
    Later([done] { done(absl::OkStatus()); });
  }
  void Leave(const WorkerId&, std::function<void(absl::Status)> done) override {
    Later([done] { done(absl::OkStatus()); });
  }
  void Cancel() override {}

  int64_t bytes() const { return bytes_; }
  int64_t bytes_at_cancel() const { return bytes_at_cancel_; }

 private:
  void Later(std::function<void()> answer) {
    std::thread([answer = std::move(answer)] {
      std::this_thread::sleep_for(milliseconds(2));
      answer();
    }).detach();
  }

  std::atomic<bool> is_given_ = false;
  std::atomic<int64_t> bytes_ = 0;            // asked for
  std::atomic<int64_t> bytes_at_cancel_ = 0;  // when the lease was cancelled
};

TEST(WorkLoopTest, ABundleOfACancelledLeaseIsNotFetchedOn) {
  const TemporaryFolder folder;
  const auto bundles = BundleCache::Open(folder / "bundles", 1 << 30);
  ASSERT_TRUE(bundles.ok()) << bundles.status();
  SlowBundleClient client;
  WorkerMetrics metrics;
  WorkLoop::Options options;
  options.worker = {.id = {"w", 1}, .slots = 1, .games = {"tri-d"}, .bots = {}, .build = ""};
  options.bundles = bundles->get();
  WorkLoop loop(
      options, nullptr, &client,
      [](const GameInfo&, const BotSpec&) -> absl::StatusOr<std::unique_ptr<Player>> {
        return absl::InternalError("nothing is played");
      },
      &metrics);
  for (int i = 0; i < 3'000 && client.bytes_at_cancel() == 0; ++i) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  ASSERT_GE(client.bytes_at_cancel(), 3);
  std::this_thread::sleep_for(milliseconds(200));  // what is under way arrives
  const int64_t bytes = client.bytes();
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_EQ(client.bytes(), bytes);
}

}  // namespace
}  // namespace triarch
