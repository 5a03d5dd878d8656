#include "http/call_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "http/metrics_page.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;

TEST(CallMetrics, CountsByMethodAndCode) {
  MetricsPage page;
  CallMetrics calls(page.registry(), "triarch_grpc_server", "server");
  calls.Called("Lease", "OK", std::chrono::milliseconds(2));
  calls.Called("Lease", "OK", std::chrono::milliseconds(4));
  calls.Called("Lease", "UNAVAILABLE", std::chrono::seconds(20));
  const std::string text = page.Text();
  EXPECT_THAT(text, HasSubstr("triarch_grpc_server_calls_total{code=\"OK\",method=\"Lease\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("{code=\"UNAVAILABLE\",method=\"Lease\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("triarch_grpc_server_call_seconds_count{method=\"Lease\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("call_seconds_bucket{method=\"Lease\",le=\"0.0025\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("call_seconds_bucket{method=\"Lease\",le=\"10\"} 2\n"));
}

}  // namespace
}  // namespace triarch
