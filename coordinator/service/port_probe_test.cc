#include "coordinator/service/port_probe.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "coordinator/service/listener.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;

void WaitForFailure(const PortProbe& probe) {
  while (probe.failures() == 0) std::this_thread::sleep_for(milliseconds(1));
}

TEST(PortProbe, FailsWhereNobodyListens) {
  auto listener = Listener::Open("127.0.0.1:0");
  ASSERT_TRUE(listener.ok());
  const sockaddr_storage address = (*listener)->address();
  listener->reset();
  const PortProbe probe(address, {.pause = milliseconds(1)});
  WaitForFailure(probe);
}

// The kernel lets a client connect even if no program accepts the connection.
TEST(PortProbe, FailsWhereNobodyAnswers) {
  const auto listener = Listener::Open("127.0.0.1:0");
  ASSERT_TRUE(listener.ok());
  const PortProbe probe((*listener)->address(), {.patience = milliseconds(1)});
  WaitForFailure(probe);
}

TEST(PortProbe, IsContentWithAnAnswerOrAHangUp) {
  for (const bool answers : {true, false}) {
    auto listener = Listener::Open("127.0.0.1:0");
    ASSERT_TRUE(listener.ok());
    std::atomic<int> calls = 0;
    (*listener)->Start([&calls, answers](int descriptor) {
      if (answers) send(descriptor, "!", 1, MSG_NOSIGNAL);
      close(descriptor);
      ++calls;
    });
    const PortProbe probe((*listener)->address(), {.pause = milliseconds(1)});
    while (calls < 2) std::this_thread::sleep_for(milliseconds(1));
    EXPECT_EQ(probe.failures(), 0);
  }
}

}  // namespace
}  // namespace triarch
