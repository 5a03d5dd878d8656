#include "coordinator/service/listener.h"

#include <netinet/in.h>
#include <sys/resource.h>
#include <unistd.h>

#include <vector>

#include "absl/cleanup/cleanup.h"
#include "core/base/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<Listener> Open(const std::string& address) {
  auto listener = Listener::Open(address);
  EXPECT_TRUE(listener.ok()) << listener.status();
  return *std::move(listener);
}

// Closes all descriptors at its end.
class Descriptors {
 public:
  ~Descriptors() {
    for (const int descriptor : all_) close(descriptor);
  }
  void Add(int descriptor) {
    MutexLock lock(&mutex_);
    all_.push_back(descriptor);
    changed_.NotifyAll();
  }
  void WaitFor(size_t count) {
    MutexLock lock(&mutex_);
    while (all_.size() < count) changed_.Wait(&mutex_);
  }
  size_t size() {
    MutexLock lock(&mutex_);
    return all_.size();
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  std::vector<int> all_ ABSL_GUARDED_BY(mutex_);
};

int Connect(const Listener& listener) {
  const int descriptor = socket(listener.address().ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(connect(descriptor, reinterpret_cast<const sockaddr*>(&listener.address()),
                    sizeof(sockaddr_storage)),
            0);
  return descriptor;
}

TEST(Listener, HandsOverConnections) {
  for (const char* address : {"127.0.0.1:0", "0.0.0.0:0", "localhost:0"}) {
    Descriptors taken, connected;
    const auto listener = Open(address);
    EXPECT_GT(listener->port(), 0);
    connected.Add(Connect(*listener));  // waits
    listener->Start([&taken](int descriptor) { taken.Add(descriptor); });
    connected.Add(Connect(*listener));
    taken.WaitFor(2);
  }
}

TEST(Listener, SaysWhyItCannotListen) {
  const auto listener = Open("127.0.0.1:0");
  const std::string taken = "127.0.0.1:" + std::to_string(listener->port());
  const absl::Status in_use = Listener::Open(taken).status();
  EXPECT_TRUE(absl::IsUnavailable(in_use));
  EXPECT_EQ(in_use.message(), "cannot listen at \"" + taken +
                                  "\": Address already in use; choose another port, or 0 for a "
                                  "free one");
  EXPECT_THAT(std::string(Listener::Open("192.0.2.1:0").status().message()),
              HasSubstr("Cannot assign requested address"));
}

// A process with few descriptors closes the connections for which it has no room, and the next one
// is served when another has ended.
TEST(Listener, ClosesConnectionsBeyondItsLimit) {
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit few{.rlim_cur = 120, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  const auto listener = Open("127.0.0.1:0");
  setrlimit(RLIMIT_NOFILE, &before);
  Descriptors taken;
  listener->Start([&taken](int descriptor) { taken.Add(descriptor); });
  Descriptors connected;
  for (int i = 0; i < 20; ++i) connected.Add(Connect(*listener));
  const int refused = Connect(*listener);
  const absl::Cleanup close_it = [refused] { close(refused); };
  char byte = 0;
  EXPECT_EQ(read(refused, &byte, 1), 0);
  EXPECT_EQ(taken.size(), 20);
}

}  // namespace
}  // namespace triarch
